package cost

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

func (b *bench) schedule(name, calendar string, tasks int) {
	b.Helper()
	s := dialects.NewSchedule{Name: name, Calendar: calendar}
	for range tasks {
		s.Tasks = append(s.Tasks, dialects.NewTask{SQL: b.nothing, Order: 1})
	}
	require.NoError(b, b.sched.CreateSchedule(b.Context(), s))
}

// pauseUntil lets the server's clock run until d after a full hour.
func (b *bench) pauseUntil(d time.Duration) {
	b.Helper()
	now := b.box.Now()
	b.pause(now.Truncate(time.Hour).Add(time.Hour + d).Sub(now))
}

// TestIdleBesideSchedules: schedules that are not due cost nothing.
func TestIdleBesideSchedules(t *testing.T) {
	each(t, 16, func(b *bench) {
		b.exec(b.numbers...)
		b.start()
		b.enqueue(dialects.NewTask{SQL: b.nothing, Order: 1})
		b.pause(45 * time.Minute)
		hour := func() sandbox.Counters { return b.spent(func() { b.pause(time.Hour) }) }
		without := hour()
		b.schedule("nightly", "0 2 * * *", 1)
		_, err := b.db.ExecContext(b.Context(), b.schedules, 999)
		require.NoError(b, err)
		b.pause(45 * time.Minute)
		with := hour()
		for what, c := range map[string][2]int64{
			"statements": {without.Statements, with.Statements}, "rows": {read(without), read(with)}, "locks": {without.Locks, with.Locks},
			"messages": {without.Messages, with.Messages}, "activations": {without.Activations, with.Activations},
		} {
			require.InDelta(b, c[0], c[1], 5, what) // an hour has 60 sweeps, or 61
		}
		b.record("idle/beside-1000-schedules/statements-per-minute", float64(with.Statements)/60)
		b.record("idle/beside-1000-schedules/rows-read-per-minute", float64(read(with))/60)
	})
}

// dueAtOnce is how many schedules of a measurement are due at the same moment.
const dueAtOnce = 20

// firingsOf counts what the firings of twenty one-task schedules cost in the second hour. Others are due on another day.
func (b *bench) firingsOf(others int) sandbox.Counters {
	b.Helper()
	b.exec(b.numbers...)
	b.start()
	b.pauseUntil(5 * time.Minute)
	hour := func() sandbox.Counters {
		b.pauseUntil(-time.Minute)
		return b.spent(func() { b.pause(5 * time.Minute) })
	}
	idle := hour()
	for i := range dueAtOnce {
		b.schedule(fmt.Sprint("s", i), "0 * * * *", 1)
	}
	if others > 0 {
		_, err := b.db.ExecContext(b.Context(), b.schedules, others/dueAtOnce)
		require.NoError(b, err)
	}
	hour()
	cost := minus(hour(), idle)
	all, err := b.sched.Firings(b.Context(), "", 0)
	require.NoError(b, err)
	require.Len(b, all, 2*dueAtOnce)
	return cost
}

// TestFirings: twenty schedules are due at once. The cost does not depend on how many others there are; and it is little
// more than what the same plans cost when somebody enqueues them.
func TestFirings(t *testing.T) {
	const others, most = 10_000, 45
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			var alone sandbox.Counters
			e.run(t, 1, func(b *bench) {
				alone = b.firingsOf(0)
				for i := range dueAtOnce {
					require.NoError(b, b.sched.SetScheduleEnabled(b.Context(), fmt.Sprint("s", i), false))
				}
				b.pauseUntil(5 * time.Minute)
				b.pauseUntil(-time.Minute)
				idle := b.spent(func() { b.pause(5 * time.Minute) })
				hand := minus(b.spent(func() {
					for i := range dueAtOnce {
						p, err := b.sched.CreateProcess(b.Context(), dialects.NewProcess{Name: fmt.Sprint(i)})
						require.NoError(b, err)
						b.enqueue(dialects.NewTask{SQL: b.nothing, Order: 1, ProcessID: p})
						require.NoError(b, b.sched.CloseProcess(b.Context(), p))
					}
					b.pause(5 * time.Minute)
				}), idle)
				b.recordTask("schedules/firing-of-one-task", per(alone, dueAtOnce))
				b.recordTask("schedules/the-same-by-hand", per(hand, dueAtOnce))
				beyond := float64(alone.Queries-hand.Queries) / dueAtOnce
				b.record("schedules/queries-of-a-firing-beyond-its-plan", beyond)
				require.LessOrEqual(b, beyond, float64(most))
			})
			e.run(t, 1, func(b *bench) {
				c := b.firingsOf(others)
				b.recordTask("schedules/firing-beside-10000", per(c, dueAtOnce))
				require.InDelta(b, read(alone), read(c), dueAtOnce, "not one row more for each")
				require.InDelta(b, alone.Statements, c.Statements, dueAtOnce)
				require.InDelta(b, alone.Locks, c.Locks, dueAtOnce)
			})
		})
	}
}

// TestPlanOfManyTasks: while a firing creates a plan of 5,000 tasks, others are dispatched and start as usual.
func TestPlanOfManyTasks(t *testing.T) {
	const many = 5000
	each(t, 3, func(b *bench) {
		large := dialects.NewSchedule{Name: "large", Calendar: "0 * * * *", Tasks: []dialects.NewTask{{SQL: b.dialect.Sleep(time.Hour), Order: 1}}}
		for range many - 1 {
			large.Tasks = append(large.Tasks, dialects.NewTask{SQL: b.nothing, Order: 2})
		}
		require.NoError(b, b.sched.CreateSchedule(b.Context(), large))
		b.schedule("small", "0 * * * *", 1)
		b.start()
		b.pauseUntil(-10 * time.Second)
		hour := b.box.Now().Truncate(time.Hour).Add(time.Hour)
		b.enqueue(dialects.NewTask{SQL: b.dialect.Sleep(time.Hour), Order: 1}) // a worker is busy, and not idle
		b.pause(9 * time.Second)
		b.workers(2)
		b.pause(3 * time.Second) // one worker is left to run everything
		all, err := b.sched.Firings(b.Context(), "", 0)
		require.NoError(b, err)
		require.Len(b, all, 2)
		for _, f := range all {
			// Oracle's dispatcher waits for whole seconds, so that it can be one late.
			require.Less(b, f.LoggedAt.Sub(hour), 1500*time.Millisecond, "the dispatcher has gone on, whatever lanes do")
		}
		b.workers(3)
		b.pause(20 * time.Second)
		processes, err := b.sched.Processes(b.Context(), dialects.Filter{})
		require.NoError(b, err)
		require.Len(b, processes, 3)
		require.EqualValues(b, many, processes[1].Unfinished)
		require.Equal(b, "Succeeded", processes[2].Status)
		require.Less(b, processes[2].FinishedAt.Sub(hour), 10*time.Second)
	})
}
