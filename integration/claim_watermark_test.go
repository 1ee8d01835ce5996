package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestWatermark: in the middle of a wave, claims find what comes before the tasks that they have passed as soon as it is committed: also while
// the dispatcher does not run, which would tell them.
func TestWatermark(t *testing.T) {
	for name, add := range map[string]func(h *harness) (commit func() int64){
		"a lower order": func(h *harness) func() int64 {
			return func() int64 { return h.exec(h.sleep(3, brief))[0] }
		},
		"a higher priority": func(h *harness) func() int64 {
			return func() int64 { return h.exec(dialects.NewTask{SQL: h.dialect.Sleep(brief), Order: 5, Priority: 1})[0] }
		},
		"a longer task": func(h *harness) func() int64 {
			return func() int64 {
				return h.exec(dialects.NewTask{SQL: h.dialect.Sleep(brief), Order: 5, ExpectedSeconds: 60})[0]
			}
		},
		"a task that was enqueued before": func(h *harness) func() int64 {
			s := h.session()
			s.begin()
			id := s.add(5)
			return func() int64 { s.commit(); return id }
		},
		"a lower order that was enqueued before": func(h *harness) func() int64 {
			s := h.session()
			s.begin()
			id := s.add(3)
			return func() int64 { s.commit(); return id }
		},
		"a lower order at the end of a batch": func(h *harness) func() int64 {
			return func() int64 { return h.exec(h.sleep(9, brief), h.sleep(8, brief), h.sleep(3, brief))[2] }
		},
		"a batch of lower orders": func(h *harness) func() int64 {
			return func() int64 { return h.exec(h.sleep(3, brief), h.sleep(4, brief))[0] }
		},
		"a lower order before many others": func(h *harness) func() int64 {
			return func() int64 {
				id := h.exec(h.sleep(3, brief))[0]
				for range 20 {
					h.exec(h.sleep(9, brief))
				}
				return id
			}
		},
		"a lower order from a transaction that is open": func(h *harness) func() int64 {
			s := h.session()
			return func() int64 {
				s.begin()
				s.enqueue(9, h.say.nothing)
				id := s.add(3)
				h.pause(2 * brief)
				s.commit()
				return id
			}
		},
		"a lower order from a transaction that found another's": func(h *harness) func() int64 {
			s := h.session()
			return func() int64 {
				h.exec(h.sleep(3, brief))
				s.begin()
				id := s.add(3)
				h.pause(3 * brief)
				s.commit()
				return id
			}
		},
	} {
		for _, dispatched := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, dispatched %t", name, dispatched), func(t *testing.T) {
				each(t, setup{lanes: 1}, func(h *harness) {
					commit := add(h)
					ids := h.exec(h.sleeps(6, 5)...)
					h.untilBegun(ids[1])
					if !dispatched {
						h.session().exec(h.say.noDispatcher)
					}
					id := commit()
					n := len(h.began())
					h.pause(20 * time.Second)
					require.GreaterOrEqual(h, len(h.began()), 7, h.report())
					require.Equal(h, id, h.began()[n], "%v %s", h.began(), h.report())
				})
			})
		}
	}
}

// TestWatermarkAndTheNextWave: what belongs to a wave that is over, and is committed during the next one, comes before the rest of that.
func TestWatermarkAndTheNextWave(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		s, other := h.session(), h.session()
		s.begin()
		late := s.add(1)
		ids := h.exec(append(h.sleeps(2, 1), h.sleeps(4, 2)...)...)
		other.begin()
		later := other.add(1)
		h.untilBegun(ids[2])
		s.commit()
		h.untilBegun(ids[3])
		other.commit()
		h.drain(time.Minute)
		require.Equal(h, []int64{ids[0], ids[1], ids[2], late, ids[3], later, ids[4], ids[5]}, h.began(), h.report())
		h.requireNoAlarms()
	})
}

// TestTaskThatAddsToAnEarlierWave: the rest of its own wave waits for that, and goes on at once when it has ended, also beside a task of the wave
// that still runs.
func TestTaskThatAddsToAnEarlierWave(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		ids := h.exec(h.sleep(5, 20*time.Second), h.task(5, h.say.enqueue(0, 3, h.dialect.Sleep(brief))), h.sleep(5, brief), h.sleep(5, brief), h.sleep(6, brief))
		h.drain(2 * time.Minute)
		added := ids[len(ids)-1] + 1
		for _, task := range h.tasks() {
			if task.Order == 3 {
				added = task.ID
			}
		}
		require.Equal(h, []int64{ids[0], ids[1], added, ids[2], ids[3], ids[4]}, h.began(), h.report())
		logs := h.logs()
		require.LessOrEqual(h, logs[3].StartedAt.Sub(*logs[2].FinishedAt), slack, h.report())
		require.LessOrEqual(h, logs[4].StartedAt.Sub(*logs[3].FinishedAt), slack, h.report())
		require.False(h, logs[5].StartedAt.Before(*logs[0].FinishedAt), h.report())
		h.requireNoAlarms()
	})
}

// TestEarlierWaveBesideALaterOne: what is added to an earlier wave while one runs does not keep the rest of that waiting for its running tasks.
func TestEarlierWaveBesideALaterOne(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		ids := h.exec(h.sleep(5, 20*time.Second), h.sleep(5, brief), h.sleep(5, brief), h.sleep(6, brief))
		h.untilBegun(ids[1])
		added := h.exec(h.sleep(3, brief))[0]
		h.drain(2 * time.Minute)
		require.Equal(h, []int64{ids[0], ids[1], added, ids[2], ids[3]}, h.began(), h.report())
		logs := h.logs()
		require.LessOrEqual(h, logs[3].StartedAt.Sub(*logs[2].FinishedAt), slack, h.report())
		h.requireNoAlarms()
	})
}

// place is where the nth attempt of a task is among all.
func place(began []int64, task int64, nth int) int {
	for i, id := range began {
		if id == task {
			if nth--; nth == 0 {
				return i
			}
		}
	}
	return len(began)
}

// TestWatermarkAndRetries: tasks that are claimable again come before those that claims have not reached yet.
func TestWatermarkAndRetries(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		pause := dialects.NewTask{SQL: h.say.early, Order: 5, MaxAttempts: 2, RetryDelay: brief}
		due := h.sleep(5, brief)
		due.NotBefore = h.now().Add(5 * brief)
		ids := h.exec(append([]dialects.NewTask{{SQL: h.say.early, Order: 1, MaxAttempts: 1}, pause, due}, h.sleeps(8, 5)...)...)
		h.untilBegun(ids[3])
		s.exec(h.say.late)
		h.untilBegun(ids[7])
		require.NoError(h, h.sched.RetryTask(h.Context(), ids[0]))
		h.drain(2 * time.Minute)
		began := h.began()
		require.Equal(h, ids[:2], began[:2], h.report())
		require.Less(h, place(began, ids[1], 2), place(began, ids[5], 1), "a retry with a pause: %v %s", began, h.report())
		require.Less(h, place(began, ids[2], 1), place(began, ids[10], 1), "a delayed one: %v %s", began, h.report())
		require.Equal(h, place(began, ids[7], 1)+1, place(began, ids[0], 2), "one of an earlier wave, by hand: %v %s", began, h.report())
		require.Len(h, began, 13)
	})
}

// TestWatermarkAndOrphans: so does a task whose worker died.
func TestWatermarkAndOrphans(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		ids := h.exec(append([]dialects.NewTask{h.sleep(5, time.Minute)}, h.sleeps(8, 5)...)...)
		h.untilBegun(ids[2])
		h.admin().exec(h.say.kill(h.logsOf(ids[0])[0].SessionID))
		h.pause(brief / 4)
		h.session().exec(h.say.sweep)
		n := len(h.began())
		h.until(time.Minute, "the next task", func() bool { return len(h.began()) > n })
		require.Equal(h, ids[0], h.began()[n], "%v %s", h.began(), h.report())
	})
}

// TestWatermarkAndResources: a task that waits in line, and was passed, comes first when the resource is free; a wave whose last tasks wait is not over.
func TestWatermarkAndResources(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		outside := h.acquire("db", "Exclusive", 600, 0)
		waits := h.sleep(5, brief)
		waits.Resource = "db"
		ids := h.exec(append([]dialects.NewTask{waits, waits}, append(h.sleeps(3, 5), h.sleep(6, brief))...)...)
		h.untilBegun(ids[3])
		outside.release()
		h.drain(time.Minute)
		require.Equal(h, []int64{ids[2], ids[3], ids[0]}, h.began()[:3], h.report())
		require.Equal(h, ids[5], h.began()[5], h.report())

		outside = h.acquire("db", "Exclusive", 600, 0)
		ids = h.exec(waits, h.sleep(5, brief), waits, h.sleep(6, brief))
		h.untilBegun(ids[1])
		h.pause(3 * brief)
		require.Len(h, h.began(), 7, "both wait: the next wave does not begin")
		require.NoError(h, h.sched.CancelTask(h.Context(), ids[2]))
		h.pause(brief)
		require.Len(h, h.began(), 7)
		require.NoError(h, h.sched.CancelTask(h.Context(), ids[0]))
		h.pause(brief)
		require.Equal(h, ids[3], h.began()[7], "the last of the wave is cancelled")
		outside.release()
		h.drain(time.Minute)
		h.requireNoAlarms()
	})
}

// TestWatermarkAndDelays: a wave whose last task is delayed is over when that has ended, and what was skipped or cancelled does not keep it open.
func TestWatermarkAndDelays(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		delayed := h.sleep(1, brief)
		delayed.NotBefore = h.now().Add(4 * brief)
		same := func(order int) dialects.NewTask {
			return dialects.NewTask{SQL: h.dialect.Sleep(brief), Order: order, DedupKey: "same"}
		}
		s, other := h.session(), h.session()
		s.begin()
		s.enqueue(0, h.say.nothing)
		ids := h.exec(h.sleep(1, brief), delayed, h.sleep(1, brief), same(2), h.sleep(2, brief), h.sleep(3, brief))
		other.begin()
		other.enqueue(2, h.say.nothing)
		s.rollback()
		other.rollback()
		require.NoError(h, h.sched.CancelTask(h.Context(), ids[4]))
		h.drain(time.Minute)
		require.Equal(h, []int64{ids[0], ids[2], ids[1], ids[3], ids[5]}, h.began(), h.report())
		h.requireWaves(h.logs())
		logs := h.logs()
		for i := 3; i < len(logs); i++ {
			require.LessOrEqual(h, logs[i].StartedAt.Sub(*logs[i-1].FinishedAt), slack, h.report())
		}
		h.requireNoAlarms()
	})
}
