package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestNineTasksInFiveWaves is the seed's example, run by dbsched.
func TestNineTasksInFiveWaves(t *testing.T) {
	each(t, setup{workers: 3}, func(h *harness) {
		var tasks []dialects.NewTask
		for _, s := range seedTasks {
			tasks = append(tasks, h.sleep(s.order, s.delay))
		}
		h.exec(tasks...)
		h.drain(2 * time.Minute)

		logs := h.logs()
		require.Len(h, logs, len(seedTasks))
		h.requireWaves(logs)
		first, last := logs[0].StartedAt, logs[0].StartedAt
		starts := map[int][]time.Time{}
		for _, l := range logs {
			require.Equal(h, "Succeeded", l.Outcome)
			starts[l.Order] = append(starts[l.Order], l.StartedAt)
			if l.FinishedAt.After(last) {
				last = *l.FinishedAt
			}
		}
		for order, at := range starts {
			for _, a := range at {
				require.WithinDuration(h, at[0], a, h.soon, "tasks of wave %d start together", order)
			}
		}
		took := last.Sub(first)
		require.GreaterOrEqual(h, took, 51500*time.Millisecond, h.report())
		require.LessOrEqual(h, took, 51500*time.Millisecond+2*h.soon, "five waves, one after the other, and two of them with new workers: %s", h.report())
		require.Equal(h, 3, overlap(logs))
	})
}

// TestWavesOfManyShapes runs waves that are wider than the workers, gaps in the orders, negative orders and a task that
// joins a lower wave while a higher one waits.
func TestWavesOfManyShapes(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		var tasks []dialects.NewTask
		for range 7 {
			tasks = append(tasks, h.sleep(-5, 10*time.Second))
		}
		tasks = append(tasks, h.sleep(0, time.Second), h.sleep(2147483647, time.Second), h.sleep(1000000, time.Second), h.sleep(1000000, time.Second))
		h.exec(tasks...)
		h.untilRunning(3, 2*h.restart)
		h.exec(h.sleep(-5, 3*time.Second), h.sleep(-6, 500*time.Millisecond))
		h.drain(2 * time.Minute)
		logs := h.logs()
		require.Len(h, logs, 13)
		// What came late may overlap with what already ran, and nothing of a higher order may start before it.
		for _, a := range logs {
			for _, b := range logs {
				if a.Order > b.Order && b.Order >= -5 {
					require.False(h, a.StartedAt.Before(*b.FinishedAt), h.report())
				}
			}
		}
		require.Equal(h, 3, overlap(logs))
		require.Zero(h, h.status().Unfinished)
	})
}

// TestOrderInsideAWave: priority first, then the longest, then the oldest.
func TestOrderInsideAWave(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		for _, m := range h.say.marks {
			h.session().exec(m)
		}
		add := func(n, priority, seconds int) dialects.NewTask {
			return dialects.NewTask{SQL: h.say.mark(n), Order: 1, Priority: priority, ExpectedSeconds: seconds}
		}
		h.exec(add(7, 0, 0), add(5, 0, 10), add(3, 1, 5), add(8, 0, 0), add(6, 0, 10), add(2, 1, 60), add(1, 9, 0), add(4, 1, 0), add(9, -1, 3600))
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}, {"6"}, {"7"}, {"8"}, {"9"}}, h.session().rows(h.say.markRead))
	})
}

// TestNextWaveStartsAtOnce: the last task of a wave opens the next one itself; nothing polls.
func TestNextWaveStartsAtOnce(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		var tasks []dialects.NewTask
		for order := range 30 {
			for range 4 {
				tasks = append(tasks, h.sleep(order, 100*time.Millisecond))
			}
		}
		h.exec(tasks...)
		h.drain(time.Minute)
		logs := h.logs()
		require.Len(h, logs, 120)
		h.requireWaves(logs)
		ends := map[int]time.Time{}
		for _, l := range logs {
			if l.FinishedAt.After(ends[l.Order]) {
				ends[l.Order] = *l.FinishedAt
			}
		}
		for _, l := range logs {
			if l.Order > 0 {
				require.LessOrEqual(h, l.StartedAt.Sub(ends[l.Order-1]), slack, "wave %d: %s", l.Order, h.report())
			}
		}
	})
}
