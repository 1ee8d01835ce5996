package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

var now = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// fake returns what a test specifies, and counts the calls.
type fake struct {
	dialects.Scheduler
	processes []dialects.Process
	logs      []dialects.LogEntry
	filters   []dialects.Filter // of logs
	lanes     []dialects.Lane
	queue     []dialects.Queued
	alarms    []dialects.Alarm
	refuse    map[string]error
	calls     map[string]int
	now       func() time.Time // nil: now
}

func (f *fake) call(name string) error {
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[name]++
	return f.refuse[name]
}

func (f *fake) Status(context.Context) (dialects.Status, error) {
	at := now
	if f.now != nil {
		at = f.now()
	}
	return dialects.Status{Now: at}, f.call("status")
}

func (f *fake) Processes(_ context.Context, filter dialects.Filter) ([]dialects.Process, error) {
	if f.processes != nil {
		return f.processes, f.call("processes")
	}
	return []dialects.Process{{ID: 1, CreatedAt: filter.Open}}, f.call("processes")
}
func (f *fake) Queue(context.Context) ([]dialects.Queued, error) { return f.queue, f.call("queue") }
func (f *fake) Lanes(context.Context) ([]dialects.Lane, error)   { return f.lanes, f.call("lanes") }
func (f *fake) Alarms(context.Context, dialects.Filter) ([]dialects.Alarm, error) {
	return f.alarms, f.call("alarms")
}

func (f *fake) AlarmKinds(context.Context) (map[string]int64, error) {
	return map[string]int64{"LateTask": 1204}, f.call("kinds")
}

func (f *fake) Resources(context.Context) ([]dialects.ResourceRequest, error) {
	return nil, f.call("resources")
}
func (f *fake) Rounds(context.Context) ([]dialects.Round, error) { return nil, f.call("rounds") }
func (f *fake) ScheduleCounts(context.Context) (dialects.ScheduleCounts, error) {
	return dialects.ScheduleCounts{Enabled: 3}, f.call("schedules")
}

func (f *fake) Logs(_ context.Context, filter dialects.Filter) (all []dialects.LogEntry, err error) {
	f.filters = append(f.filters, filter)
	for _, e := range f.logs {
		switch {
		case e.ID <= filter.After && !slices.Contains(filter.Also, e.ID), e.ID < filter.From, len(filter.Statuses) > 0 && !slices.Contains(filter.Statuses, e.Outcome),
			e.FinishedAt != nil && e.FinishedAt.Before(filter.Ended):
			continue
		}
		all = append(all, e)
	}
	return all[max(0, len(all)-filter.Limit):], f.call("logs")
}

func (f *fake) Attempts(_ context.Context, filter dialects.Filter) (a dialects.Attempts, err error) {
	for _, e := range f.logs {
		if e.ID < filter.From || e.FinishedAt != nil && e.FinishedAt.Before(filter.Ended) {
			continue
		}
		a.All++
		if a.Oldest == 0 || e.ID < a.Oldest {
			a.Oldest = e.ID
		}
		if e.FinishedAt == nil {
			a.Running++
		} else if failed(e) {
			a.Failed++
		}
	}
	return a, f.call("count")
}

func ended(id int64, order int, from, to time.Duration) dialects.LogEntry {
	at := now.Add(to)
	return dialects.LogEntry{ID: id, TaskID: id, ProcessID: 7, Order: order, Attempt: 1, Outcome: "Succeeded", StartedAt: now.Add(from), FinishedAt: &at}
}

// TestAlarmKinds: all alarms are counted, not only those that are listed.
func TestAlarmKinds(t *testing.T) {
	f := &fake{alarms: []dialects.Alarm{{Kind: "LateTask"}, {Kind: "Copy"}, {Kind: "Copy"}}}
	s, err := New(f).Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"LateTask": 1, "Copy": 2}, s.Kinds)
	require.Zero(t, f.calls["kinds"], "the list is whole")

	f.alarms = slices.Repeat([]dialects.Alarm{{Kind: "LateTask"}}, 200)
	s, err = New(f).Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"LateTask": 1204}, s.Kinds)

	f.refuse = map[string]error{"kinds": &dialects.ServerError{Err: errors.New("denied")}}
	s, err = New(f).Read(t.Context())
	require.NoError(t, err)
	require.Contains(t, s.Hidden, "alarms")
}

// TestOneQueryPerView: each view is read once per refresh, and only those attempts that are new or may have ended.
func TestOneQueryPerView(t *testing.T) {
	running := ended(2, 100, -time.Minute, 0)
	running.FinishedAt, running.Outcome, running.Lane = nil, "Running", 2
	f := &fake{logs: []dialects.LogEntry{ended(1, 100, -2*time.Minute, -time.Minute), running}, lanes: []dialects.Lane{{Lane: 1}, {Lane: 2}}}
	b := New(f)
	s, err := b.Read(t.Context())
	require.NoError(t, err)
	require.Len(t, s.Attempts, 2)
	require.Empty(t, s.Ended)
	require.Nil(t, s.Lanes[0].Attempt)
	require.EqualValues(t, 2, s.Lanes[1].Attempt.ID)
	require.Equal(t, now.Add(-history), s.Processes[0].CreatedAt, "once, to learn what is usual")

	f.logs[1] = ended(2, 100, -time.Minute, 0)
	f.logs = append(f.logs, ended(3, 100, 0, time.Minute))
	s, err = b.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, f.logs, s.Attempts)
	require.Equal(t, f.logs[1:], s.Ended)
	require.Equal(t, now.Add(-24*time.Hour), s.Processes[0].CreatedAt)
	require.Equal(t, []dialects.Filter{{Statuses: []string{"Running"}, Limit: listed}, {Limit: Kept}, {Limit: most, After: 2, Also: []int64{2}}}, f.filters)
	for view, n := range f.calls {
		want := 2
		if view == "logs" || view == "count" {
			want = 3 // once those that run; and once the hour alone
		}
		require.Equal(t, want, n, view)
	}
	require.Len(t, f.calls, 10)
	require.EqualValues(t, 3, s.Schedules.Enabled)
}

// TestHidden: a view that the user may not read is not read again; a lost connection is an error.
func TestHidden(t *testing.T) {
	denied := &dialects.ServerError{Err: errors.New("denied")}
	f := &fake{refuse: map[string]error{"lanes": denied, "schedules": denied}}
	b := New(f)
	for range 2 {
		s, err := b.Read(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"lanes", "schedules"}, s.Hidden)
	}
	require.Equal(t, 1, f.calls["lanes"])
	require.Equal(t, 1, f.calls["schedules"])
	f.refuse["queue"] = &dialects.ConnectError{Err: errors.New("gone")}
	_, err := b.Read(t.Context())
	require.ErrorContains(t, err, "gone")
	delete(f.refuse, "queue")
	delete(f.refuse, "lanes")
	later := now
	f.now = func() time.Time { return later }
	later = later.Add(again)
	s, err := b.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"schedules"}, s.Hidden, "rights may be granted meanwhile")
}

// TestCounts: the figures are the server's, however many attempts a board keeps, and the last failures are known.
func TestCounts(t *testing.T) {
	f := &fake{}
	for id := range int64(12_000) {
		e := ended(id+1, 100, -time.Minute, -time.Second)
		if id%1_700 == 3 {
			e.Outcome = "Failed"
		}
		f.logs = append(f.logs, e)
	}
	old := ended(1, 100, -3*time.Hour, -2*time.Hour)
	old.Outcome = "Failed"
	f.logs[0] = old
	running := ended(2, 100, -3*time.Hour, 0)
	running.FinishedAt, running.Outcome, running.Lane = nil, "Running", 1
	f.logs[1] = running
	f.lanes = []dialects.Lane{{Lane: 1}}
	b := New(f)
	s, err := b.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, Figures{Ended: 11_998, Failed: 8, StartP95: -1, Newest: Kept + 1}, s.Figures())
	require.Len(t, s.Failures(), 8)
	require.EqualValues(t, 2, s.Lanes[0].Attempt.ID, "it began before all others that are known")

	bad := ended(12_001, 100, -time.Second, 0)
	bad.Outcome = "TimedOut"
	f.logs = append(f.logs, bad)
	f.logs[1] = ended(2, 100, -3*time.Hour, 0)
	s, err = b.Read(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 9, s.Figures().Failed)
	require.EqualValues(t, 12_000, s.Figures().Ended)
	require.EqualValues(t, 12_001, s.Failures()[0].ID)
	require.Len(t, s.Ended, 2)
	require.Nil(t, s.Lanes[0].Attempt)
	require.LessOrEqual(t, len(s.Attempts), Kept+1)
}

// TestIDsThatGoBack: after a new installation or a restore a board shows what is there, whatever the ids are.
func TestIDsThatGoBack(t *testing.T) {
	fresh := func(n int, at time.Duration) (all []dialects.LogEntry) {
		for id := range int64(n) {
			all = append(all, ended(id+1, 100, at, at+time.Second))
		}
		return all
	}
	restored := append(fresh(40, -time.Hour), fresh(60, -time.Minute)[40:]...)
	for name, after := range map[string][]dialects.LogEntry{
		"nothing yet": nil, "fewer": fresh(3, -time.Minute), "as many": fresh(50, -time.Minute), "more": fresh(80, -time.Minute), "a restore, and what ran since": restored,
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{logs: fresh(50, -time.Hour)}
			b := New(f)
			for range 2 {
				_, err := b.Read(t.Context())
				require.NoError(t, err)
			}
			f.logs = after
			for range 2 {
				s, err := b.Read(t.Context())
				require.NoError(t, err)
				require.Equal(t, len(after), len(s.Attempts))
				for i, e := range s.Attempts {
					require.Equal(t, after[i], e)
				}
				require.Empty(t, s.Ended)
			}
			f.logs = append(f.logs, ended(1000, 100, -time.Second, 0))
			s, err := b.Read(t.Context())
			require.NoError(t, err)
			require.Len(t, s.Attempts, len(after)+1)
		})
	}
}

// TestCommittedLate: an attempt whose id is less than one that was read is not lost.
func TestCommittedLate(t *testing.T) {
	f := &fake{logs: []dialects.LogEntry{ended(1, 100, -time.Minute, -time.Second), ended(5, 100, -time.Minute, -time.Second)}}
	b := New(f)
	_, err := b.Read(t.Context())
	require.NoError(t, err)
	f.logs = slices.Insert(f.logs, 1, ended(3, 100, -time.Minute, -time.Second))
	f.logs = append(f.logs, ended(6, 100, -time.Second, 0))
	s, err := b.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, f.logs, s.Attempts)
	require.Len(t, s.Ended, 2)
	s, err = b.Read(t.Context())
	require.NoError(t, err)
	require.Empty(t, s.Ended)
}

func TestFigures(t *testing.T) {
	old, due := now.Add(-72*time.Second), now.Add(time.Hour)
	failed := ended(3, 100, -2*time.Second, -time.Second)
	failed.Outcome = "Failed"
	f := Snapshot{
		Status: dialects.Status{Now: now},
		Queue: []dialects.Queued{
			{Status: "Pending", Tasks: 40, Runnable: 37, OldestRunnable: &old}, {Status: "Waiting", Reason: "Delay", Tasks: 209, NextDue: &due}, {Status: "Running", Tasks: 4},
		},
		Attempts: []dialects.LogEntry{ended(1, 100, -2*time.Hour, -time.Hour), ended(2, 100, -time.Hour, -time.Minute), failed},
		Hour:     dialects.Attempts{All: 3, Running: 1, Failed: 1},
	}
	require.Equal(t, Figures{Due: 37, Oldest: 72 * time.Second, Later: 212, NextDue: &due, Ended: 2, Failed: 1, StartP95: -1}, f.Figures())
}

// TestStarts: from the end of a wave, or from enqueueing if that was later, to the first start of the next.
func TestStarts(t *testing.T) {
	late := ended(5, 300, 10*time.Second, 11*time.Second)
	at := now.Add(9 * time.Second)
	late.EnqueuedAt = &at
	logs := []dialects.LogEntry{
		ended(1, 100, 0, time.Second), ended(2, 100, 0, 3*time.Second), ended(3, 200, 3500*time.Millisecond, 4*time.Second),
		ended(4, 200, 3600*time.Millisecond, 5*time.Second), late,
	}
	require.Equal(t, []time.Duration{500 * time.Millisecond, time.Second}, Starts(logs, now))
	require.Equal(t, []time.Duration{time.Second}, Starts(logs, now.Add(5*time.Second)))
	require.Equal(t, time.Second, Quantile(Starts(logs, now), 0.95))
	require.EqualValues(t, -1, Quantile(nil, 0.95))
}

func TestUsual(t *testing.T) {
	f := &fake{}
	for day := range 8 {
		created := now.AddDate(0, 0, day-8)
		ended := created.Add(time.Duration(10+day) * time.Minute)
		f.processes = append(f.processes, dialects.Process{ID: int64(day + 1), Name: fmt.Sprintf("load 2026-11-%02d", 14+day), Status: "Succeeded", CreatedAt: created, FinishedAt: &ended})
	}
	late := now.Add(-time.Hour)
	f.processes = append(
		f.processes,
		dialects.Process{ID: 20, Name: "load 2026-11-22", Status: "Open", Unfinished: 3, CreatedAt: now.Add(-5 * time.Minute)},
		dialects.Process{ID: 21, Name: "seldom", Status: "Open", Unfinished: 1, CreatedAt: now},
		dialects.Process{ID: 22, Name: "empty", Status: "Open", CreatedAt: now},
		dialects.Process{ID: 23, Name: "done", Status: "Failed", CreatedAt: now.Add(-2 * time.Hour), FinishedAt: &late},
	)
	s, err := New(f).Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int64]Usual{20: {8, 14 * time.Minute, 17 * time.Minute}, 8: {8, 14 * time.Minute, 17 * time.Minute}}, s.Usual)
	ids := func(all []dialects.Process) (ids []int64) {
		for _, p := range all {
			ids = append(ids, p.ID)
		}
		return ids
	}
	require.Equal(t, []int64{21, 20}, ids(s.Active()))
	require.Equal(t, []int64{23, 8}, ids(s.Finished()))
	require.Equal(t, now.Add(9*time.Minute), s.Expected(s.Active()[1]))
	require.Zero(t, s.Expected(s.Active()[0]))
}
