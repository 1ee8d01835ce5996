// Package snapshot reads what the screens show: one query per view and refresh for all viewers, and none without viewers.
package snapshot

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// Snapshot is the scheduler at one moment. What the user may not see is empty, and listed in Hidden.
type Snapshot struct {
	Status    dialects.Status
	Lanes     []Lane
	Processes []dialects.Process // those that have not ended, or ended in the last day; the newest last
	Usual     map[int64]Usual    // how long processes take, by id, where known
	Queue     []dialects.Queued
	Attempts  []dialects.LogEntry // the newest, at most Kept, and those that run, by id
	Hour      dialects.Attempts   // the server's count of those that run or ended in the last hour
	Bad       []dialects.LogEntry // those that ended badly in the last hour, the newest, at most listed, by id
	Ended     []dialects.LogEntry // attempts that ended since the last snapshot; none in the first, and none after the ids began anew
	Alarms    []dialects.Alarm    // not acknowledged, the newest 200, the newest last
	Kinds     map[string]int64    // how many alarms of each kind are not acknowledged
	Resources []dialects.ResourceRequest
	Rounds    []dialects.Round
	Schedules dialects.ScheduleCounts
	Took      time.Duration // how long reading took
	Hidden    []string      // views that this user may not read
}

// Lane is a worker slot with the attempt that runs on it.
type Lane struct {
	dialects.Lane
	Attempt *dialects.LogEntry // nil if none is running, or the user may not see it
}

// Kept is how many attempts a board keeps: screens mostly show those of the last half hour.
const Kept = 5000

const (
	// most is how many new attempts are read at once: enough for hours in which nothing was read.
	most = 100_000
	// listed is how many attempts that run, and how many that ended badly, are read.
	listed = 1000
	// late is how far below the greatest id one can still be committed.
	late = 1000
	// again is how long a view stays hidden before it is tried again: rights are granted, and views are missing while dbsched is installed.
	again = time.Minute
)

// Source is what snapshots are read from.
type Source interface {
	Status(ctx context.Context) (dialects.Status, error)
	Processes(ctx context.Context, f dialects.Filter) ([]dialects.Process, error)
	Queue(ctx context.Context) ([]dialects.Queued, error)
	Lanes(ctx context.Context) ([]dialects.Lane, error)
	Alarms(ctx context.Context, f dialects.Filter) ([]dialects.Alarm, error)
	AlarmKinds(ctx context.Context) (map[string]int64, error)
	Resources(ctx context.Context) ([]dialects.ResourceRequest, error)
	Rounds(ctx context.Context) ([]dialects.Round, error)
	ScheduleCounts(ctx context.Context) (dialects.ScheduleCounts, error)
	Logs(ctx context.Context, f dialects.Filter) ([]dialects.LogEntry, error)
	Attempts(ctx context.Context, f dialects.Filter) (dialects.Attempts, error)
}

// Board reads snapshots. It is not safe for concurrent use; see [Share].
type Board struct {
	db       Source
	attempts []dialects.LogEntry  // by id
	ended    []dialects.LogEntry  // since the last snapshot
	from     int64                // the least id of an attempt that can count for the last hour
	bad      []dialects.LogEntry  // by id
	counted  dialects.Attempts    // of them, when they were read
	hidden   map[string]time.Time // since when, by the server's clock
	past     past
}

// New returns a board for a scheduler.
func New(db Source) *Board { return &Board{db: db, hidden: map[string]time.Time{}} }

// Read reads a snapshot. It fails if the status cannot be read; other views are hidden if refused.
func (b *Board) Read(ctx context.Context) (*Snapshot, error) {
	begun := time.Now()
	s := &Snapshot{}
	var err error
	if s.Status, err = b.db.Status(ctx); err != nil {
		if _, refused := asServerError(err); refused { // it is being installed, or is gone
			*b = *New(b.db)
		}
		return nil, err
	}
	var lanes []dialects.Lane
	for _, read := range []struct {
		view string
		into func() error
	}{
		{"processes", func() (err error) {
			s.Processes, s.Usual, err = b.readProcesses(ctx, s.Status.Now)
			return err
		}},
		{"queue", func() (err error) { s.Queue, err = b.db.Queue(ctx); return err }},
		{"attempts", func() error { return b.readAttempts(ctx, s.Status.Now) }},
		{"lanes", func() (err error) { lanes, err = b.db.Lanes(ctx); return err }},
		{"alarms", func() (err error) {
			s.Alarms, s.Kinds, err = b.readAlarms(ctx)
			return err
		}},
		{"resources", func() (err error) { s.Resources, err = b.db.Resources(ctx); return err }},
		{"rounds", func() (err error) { s.Rounds, err = b.db.Rounds(ctx); return err }},
		{"schedules", func() (err error) { s.Schedules, err = b.db.ScheduleCounts(ctx); return err }},
	} {
		if since, hidden := b.hidden[read.view]; hidden && s.Status.Now.Sub(since) < again {
			continue
		}
		delete(b.hidden, read.view)
		err := read.into()
		if _, refused := asServerError(err); refused { // only readers may read WorkerInfo and AlarmInfo
			b.hidden[read.view] = s.Status.Now
		} else if err != nil {
			return nil, err
		}
	}
	for view := range b.hidden {
		s.Hidden = append(s.Hidden, view)
	}
	slices.Sort(s.Hidden)
	s.Attempts, s.Hour, s.Bad = slices.Clone(b.attempts), b.counted, b.bad
	s.Ended, b.ended = b.ended, nil
	s.Lanes = lanesWith(lanes, s.Attempts)
	s.Took = time.Since(begun)
	return s, nil
}

// readAlarms reads the newest alarms, and counts all: where the list is full, the server counts them.
func (b *Board) readAlarms(ctx context.Context) ([]dialects.Alarm, map[string]int64, error) {
	const newest = 200
	all, err := b.db.Alarms(ctx, dialects.Filter{Unacknowledged: true, Limit: newest})
	if err != nil || len(all) < newest {
		kinds := map[string]int64{}
		for _, a := range all {
			kinds[a.Kind]++
		}
		return all, kinds, err
	}
	kinds, err := b.db.AlarmKinds(ctx)
	return all, kinds, err
}

// readProcesses reads the processes that have not ended, or ended in the last day; the first time also older ones, to learn what is usual.
func (b *Board) readProcesses(ctx context.Context, now time.Time) ([]dialects.Process, map[int64]Usual, error) {
	day := now.Add(-24 * time.Hour)
	f := dialects.Filter{Open: day}
	if b.past.seen == nil {
		f = dialects.Filter{Open: now.Add(-history), Limit: most1st}
	}
	all, err := b.db.Processes(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	b.past.add(all)
	all = slices.DeleteFunc(all, func(p dialects.Process) bool { return p.FinishedAt != nil && p.FinishedAt.Before(day) })
	return all, b.past.usual(all), nil
}

// readAttempts reads the new attempts, and those that were running, and notes those that have ended. What it has read before is
// forgotten if the server knows something else under the same ids: dbsched was installed anew, or the database was restored.
func (b *Board) readAttempts(ctx context.Context, now time.Time) error {
	if len(b.attempts) == 0 {
		return b.readFirst(ctx, now)
	}
	newest := b.attempts[len(b.attempts)-1]
	f := dialects.Filter{After: newest.ID, Limit: most, Also: []int64{newest.ID}}
	for _, e := range b.attempts {
		if e.FinishedAt == nil && e.ID != newest.ID {
			f.Also = append(f.Also, e.ID)
		}
	}
	kept := b.kept()
	server, err := b.db.Attempts(ctx, dialects.Filter{From: kept})
	if err != nil {
		return err
	}
	news, err := b.db.Logs(ctx, f)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(news, func(e dialects.LogEntry) bool {
		return e.ID == newest.ID && e.TaskID == newest.TaskID && e.Attempt == newest.Attempt && e.StartedAt.Equal(newest.StartedAt)
	}) {
		b.attempts, b.ended, b.bad, b.counted, b.from, b.past = nil, nil, nil, dialects.Attempts{}, 0, past{}
		return b.readFirst(ctx, now)
	}
	failures := false
	for _, e := range news {
		failures = b.note(e) && failed(e) || failures
	}
	known := len(b.attempts) - slices.IndexFunc(b.attempts, func(e dialects.LogEntry) bool { return e.ID >= kept })
	if int(server.All) > known && len(news) < most { // an id was committed after a greater one had been read
		missed, err := b.db.Logs(ctx, dialects.Filter{From: kept, Limit: most})
		if err != nil {
			return err
		}
		for _, e := range missed {
			failures = b.note(e) && failed(e) || failures
		}
	}
	b.trim()
	return b.count(ctx, now, failures)
}

// note keeps an attempt as it was read, and reports whether it has ended since.
func (b *Board) note(e dialects.LogEntry) (ended bool) {
	i, found := slices.BinarySearchFunc(b.attempts, e.ID, byID)
	ended = e.FinishedAt != nil && (!found || b.attempts[i].FinishedAt == nil)
	if ended {
		b.ended = append(b.ended, e)
	}
	if found {
		b.attempts[i] = e
	} else {
		b.attempts = slices.Insert(b.attempts, i, e)
	}
	return ended
}

// readFirst reads the newest attempts and those that run.
func (b *Board) readFirst(ctx context.Context, now time.Time) error {
	running, err := b.db.Logs(ctx, dialects.Filter{Statuses: []string{"Running"}, Limit: listed})
	if err != nil {
		return err
	}
	b.attempts, err = b.db.Logs(ctx, dialects.Filter{Limit: Kept})
	if err != nil {
		return err
	}
	for _, e := range running {
		if i, found := slices.BinarySearchFunc(b.attempts, e.ID, byID); !found {
			b.attempts = slices.Insert(b.attempts, i, e)
		}
	}
	b.trim()
	return b.count(ctx, now, true)
}

// kept returns the least id from which on all attempts are known.
func (b *Board) kept() int64 { return b.attempts[max(0, len(b.attempts)-Kept)].ID }

// trim forgets what has ended but for the newest.
func (b *Board) trim() {
	older := max(0, len(b.attempts)-Kept)
	b.attempts = append(slices.DeleteFunc(slices.Clone(b.attempts[:older]), func(e dialects.LogEntry) bool { return e.FinishedAt != nil }), b.attempts[older:]...)
}

// count lets the server count the last hour, and reads what ended badly in it if that may have changed.
func (b *Board) count(ctx context.Context, now time.Time, changed bool) error {
	hour := now.Add(-time.Hour)
	before := b.counted
	var err error
	if b.counted, err = b.db.Attempts(ctx, dialects.Filter{From: b.from, Ended: hour}); err != nil {
		return err
	}
	if len(b.attempts) > 0 {
		oldest := cmp.Or(b.counted.Oldest, b.attempts[len(b.attempts)-1].ID)
		b.from = max(0, oldest-late) // what is older has ended before the hour, and stays so
	}
	if changed || b.counted.Failed != before.Failed {
		b.bad = nil
		if b.counted.Failed > 0 {
			b.bad, err = b.db.Logs(ctx, dialects.Filter{From: b.from, Ended: hour, Statuses: dialects.BadOutcomes(), Limit: listed})
		}
	}
	return err
}

func byID(e dialects.LogEntry, id int64) int { return cmp.Compare(e.ID, id) }

// lanesWith joins lanes with the attempts that run on them.
func lanesWith(lanes []dialects.Lane, attempts []dialects.LogEntry) []Lane {
	running := map[int]*dialects.LogEntry{}
	for i, e := range attempts {
		if e.FinishedAt == nil {
			running[e.Lane] = &attempts[i]
		}
	}
	var all []Lane
	for _, l := range lanes {
		all = append(all, Lane{l, running[l.Lane]})
	}
	return all
}
