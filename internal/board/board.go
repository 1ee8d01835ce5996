// Package board reads what the screens show: one query per view and refresh for all viewers, and none without viewers.
package board

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
	Attempts  []dialects.LogEntry // the newest, at most Kept, by id
	Ended     []dialects.LogEntry // attempts that ended since the last snapshot; none in the first
	Alarms    []dialects.Alarm    // not acknowledged, the newest last
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

// most is how many new attempts are read at once: enough for hours in which nothing was read.
const most = 100_000

// Board reads snapshots. It is not safe for concurrent use; see [Share].
type Board struct {
	db       dialects.Scheduler
	attempts []dialects.LogEntry // by id
	hidden   map[string]bool
	past     past
}

// New returns a board for a scheduler.
func New(db dialects.Scheduler) *Board { return &Board{db: db, hidden: map[string]bool{}} }

// Read reads a snapshot. It fails if the status cannot be read; other views are hidden if refused.
func (b *Board) Read(ctx context.Context) (*Snapshot, error) {
	begun := time.Now()
	s := &Snapshot{}
	var err error
	if s.Status, err = b.db.Status(ctx); err != nil {
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
		{"attempts", func() (err error) { s.Ended, err = b.readAttempts(ctx); return err }},
		{"lanes", func() (err error) { lanes, err = b.db.Lanes(ctx); return err }},
		{"alarms", func() (err error) {
			s.Alarms, err = b.db.Alarms(ctx, dialects.Filter{Unacknowledged: true, Limit: 200})
			return err
		}},
		{"resources", func() (err error) { s.Resources, err = b.db.Resources(ctx); return err }},
		{"rounds", func() (err error) { s.Rounds, err = b.db.Rounds(ctx); return err }},
		{"schedules", func() (err error) { s.Schedules, err = b.db.ScheduleCounts(ctx); return err }},
	} {
		if b.hidden[read.view] {
			continue
		}
		err := read.into()
		if _, refused := asServerError(err); refused { // only readers may read WorkerInfo and AlarmInfo
			b.hidden[read.view] = true
		} else if err != nil {
			return nil, err
		}
	}
	for view := range b.hidden {
		s.Hidden = append(s.Hidden, view)
	}
	slices.Sort(s.Hidden)
	s.Attempts = slices.Clone(b.attempts)
	s.Lanes = lanesWith(lanes, s.Attempts)
	s.Took = time.Since(begun)
	return s, nil
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

// readAttempts reads the new attempts, and those that were running, and returns those that have ended.
func (b *Board) readAttempts(ctx context.Context) (ended []dialects.LogEntry, err error) {
	f := dialects.Filter{Limit: Kept}
	first := len(b.attempts) == 0
	if n := len(b.attempts); n > 0 {
		f.After, f.Limit = b.attempts[n-1].ID, most
		for _, e := range b.attempts {
			if e.FinishedAt == nil {
				f.Also = append(f.Also, e.ID)
			}
		}
	}
	news, err := b.db.Logs(ctx, f)
	if err != nil {
		return nil, err
	}
	for _, e := range news {
		if e.FinishedAt != nil && !first {
			ended = append(ended, e)
		}
		if i, found := slices.BinarySearchFunc(b.attempts, e.ID, byID); found {
			b.attempts[i] = e
		} else {
			b.attempts = append(b.attempts, e)
		}
	}
	b.attempts = b.attempts[max(0, len(b.attempts)-Kept):]
	return ended, nil
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
