package integration

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestDedupKey: while a task with the key is unfinished, even if it is the caller's own and uncommitted, its id is returned.
func TestDedupKey(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		c := h.session()
		keyed := func(order int, key string) int64 {
			return number(h, c.ask(h.say.keyed(order, h.dialect.Sleep(5*time.Second), key)))
		}
		first := keyed(1, "a")
		require.Equal(h, first, keyed(2, "a"), "pending or running")
		require.NotEqual(h, first, keyed(1, "A"), "case counts")
		h.untilRunning(1, h.soon)
		require.Equal(h, first, keyed(1, "a"), "running")
		p := h.process(dialects.NewProcess{Name: "p"})
		ids := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, DedupKey: "a"})
		require.NotEqual(h, first, ids[0], "a key counts in its process")

		c.begin()
		own := keyed(1, "own")
		require.Equal(h, own, keyed(1, "own"))
		c.rollback()
		require.NotEqual(h, own, keyed(1, "own"), "what was rolled back does not exist")

		h.drain(time.Minute)
		require.Len(h, h.logsOf(first), 1)
		require.NotEqual(h, first, keyed(1, "a"), "finished")
		h.drain(time.Minute)
	})
}

// TestDedupKeyDoesNotWait: a task whose key another open transaction holds is stored anyway; the later of the two is skipped
// when its turn comes, because of the earlier.
func TestDedupKeyDoesNotWait(t *testing.T) {
	each(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		a, b := h.session(), h.session()
		a.begin()
		b.begin()
		first := number(h, a.ask(h.say.keyed(1, h.dialect.Sleep(5*time.Second), "k")))
		second := number(h, b.ask(h.say.keyed(1, h.say.nothing, "k")))
		require.NotEqual(h, first, second)
		b.commit()
		a.commit()
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Skipped"}, h.statuses([]int64{first, second}))
		require.Equal(h, fmt.Sprint(first), a.value(h.say.duplicateOf(second)))
		require.Len(h, h.logs(), 1)
		require.ErrorContains(h, h.sched.RetryProcess(h.Context(), 1), h.errorText(27), "a duplicate is not to be run again")

		failed := h.exec(h.task(1, h.say.fails(0)))[0]
		h.drain(time.Minute)
		require.NoError(h, h.sched.RetryProcess(h.Context(), 1))
		h.drain(time.Minute)
		require.Len(h, h.logsOf(failed), 2)
		require.Equal(h, "Skipped", h.statusOf(second), "nor beside what has failed")
		require.Len(h, h.logs(), 3)
	})
}

// TestDedupKeyOfALateCommit: if the older of two commits when the younger is already running, the older is skipped.
func TestDedupKeyOfALateCommit(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		a, b := h.session(), h.session()
		a.begin()
		older := number(h, a.ask(h.say.keyed(1, h.say.nothing, "k")))
		younger := number(h, b.ask(h.say.keyed(1, h.dialect.Sleep(20*time.Second), "k")))
		next := number(h, b.ask(h.say.enqueueReturn(0, 2, h.say.nothing)))
		h.untilRunning(1, h.soon)
		a.commit()
		h.until(h.soon, "the older is skipped", func() bool { return h.statusOf(older) == "Skipped" })
		require.Equal(h, fmt.Sprint(younger), a.value(h.say.duplicateOf(older)))
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses([]int64{younger, next}))
		h.requireWaves(h.logs())
	})
}

// TestDedupKeyOfARetry: a task that failed is retried while another with its key, enqueued meanwhile, runs: they never run
// together.
func TestDedupKeyOfARetry(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		c := h.session()
		failed := number(h, c.ask(h.say.keyed(1, h.say.fails(0), "k")))
		h.drain(time.Minute)
		require.Equal(h, "Failed", h.statusOf(failed))
		running := number(h, c.ask(h.say.keyed(1, h.dialect.Sleep(30*time.Second), "k")))
		require.NotEqual(h, failed, running, "what has failed is no reason not to begin")
		h.untilRunning(1, h.restart)
		require.NoError(h, h.sched.RetryTask(h.Context(), failed))
		h.until(h.restart, "the retry is skipped", func() bool { return h.statusOf(failed) == "Skipped" })
		require.Equal(h, fmt.Sprint(running), c.value(h.say.duplicateOf(failed)))
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(running))
		require.Len(h, h.logsOf(failed), 1)
	})
}

// TestDedupKeyRaces: sessions that enqueue one key at the same time, under several seeds: two of its tasks never run together,
// each of the others is skipped for one that exists, and the later waves continue.
func TestDedupKeyRaces(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{lanes: 3, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				var all sync.WaitGroup
				for range 4 {
					c := h.session()
					all.Go(func() {
						for i := range 6 {
							tx, err := c.conn.BeginTx(h.Context(), nil)
							if err != nil {
								continue
							}
							_, _ = h.say.ask(h.Context(), tx, h.say.keyed(1+i%2, h.dialect.Sleep(10*time.Millisecond), "k"))
							_ = tx.Commit()
						}
					})
				}
				all.Wait()
				last := h.exec(h.task(3, h.say.nothing))[0]
				h.drain(time.Minute)
				require.Equal(h, "Succeeded", h.statusOf(last))
				logs := h.logs()
				require.Equal(h, 1, overlap(logs), "two of the key ran together")
				require.Less(h, len(logs), 25, "none was recognized")
				for _, task := range h.tasks() {
					require.Contains(h, []string{"Succeeded", "Skipped"}, task.Status)
				}
				h.requireNoAlarms()
			})
		})
	}
}

// TestParameters: values arrive with their types, text is never run as a statement, and two shapes do not mix.
func TestParameters(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		s := h.marks()
		ids := h.exec(
			dialects.NewTask{SQL: h.say.bound, Order: 1, Parameters: `{"N int": 7}`},
			dialects.NewTask{SQL: h.say.bound, Order: 2, Parameters: ` { "N" : 8 } `},
			dialects.NewTask{SQL: h.say.bound, Order: 3, Parameters: `{"N int": null}`},
			dialects.NewTask{SQL: h.say.allBound, Order: 4, Parameters: h.say.allValues},
			dialects.NewTask{SQL: h.say.nothing, Order: 5, Parameters: `{}`},
		)
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded", "Failed", "Succeeded", "Succeeded"}, h.statuses(ids), h.report())
		require.Equal(h, [][]string{{"7"}, {"8"}}, s.rows(h.say.markRead))
	})
}

// TestBadParameters: each has its own error number, and nothing is written.
func TestBadParameters(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		for values, want := range sorted(h.say.badValues) {
			_, err := h.sched.Exec(h.Context(), []dialects.NewTask{{SQL: h.say.nothing, Order: 1, Parameters: values}})
			require.ErrorContains(h, err, h.errorText(want), values)
		}
		for _, key := range []string{" ", strings.Repeat("x", 201)} {
			_, err := h.sched.Exec(h.Context(), []dialects.NewTask{{SQL: h.say.nothing, Order: 1, DedupKey: key}})
			require.ErrorContains(h, err, h.errorText(30))
		}
		require.Empty(h, h.tasks())
	})
}

// TestTransactionalTask: its work exists once it has succeeded, and not before.
func TestTransactionalTask(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		s := h.marks()
		good := h.exec(dialects.NewTask{SQL: h.say.mark(1), Order: 1, Transactional: true})[0]
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(good))
		require.Equal(h, [][]string{{"1"}}, s.rows(h.say.markRead))

		for _, f := range h.say.failing {
			bad := h.exec(dialects.NewTask{SQL: f.sql, Order: 1, Transactional: true, MaxAttempts: 2, RetryDelay: time.Second})[0]
			h.drain(time.Minute)
			logs := h.logsOf(bad)
			require.Len(h, logs, 2, f.name)
			require.Equal(h, "Failed", logs[1].Outcome, f.name)
			require.Equal(h, f.number, logs[1].ErrorNumber, f.name)
			require.Equal(h, [][]string{{"1"}}, s.rows(h.say.markRead), "%s: rolled back completely", f.name)
		}
		if h.say.leavesOpen == "" { // transactions do not nest
			return
		}
		open := h.exec(dialects.NewTask{SQL: h.say.leavesOpen, Order: 1, Transactional: true})[0]
		h.drain(time.Minute)
		require.Equal(h, h.errorNumber(20), h.logsOf(open)[0].ErrorNumber)
		require.Equal(h, [][]string{{"1"}}, s.rows(h.say.markRead))
	})
}

// TestTransactionalTaskThatEndsItsTransaction: it fails with its own error number, whatever it reports, and is not retried.
func TestTransactionalTaskThatEndsItsTransaction(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.marks()
		for _, task := range h.say.ends {
			id := h.exec(dialects.NewTask{SQL: task, Order: 1, Transactional: true, MaxAttempts: 3, RetryDelay: time.Second})[0]
			after := h.exec(h.task(2, h.say.nothing))[0]
			h.drain(time.Minute)
			logs := h.logsOf(id)
			require.Len(h, logs, 1, task)
			require.Equal(h, h.errorNumber(35), logs[0].ErrorNumber, "%s: %s", task, logs[0].ErrorMessage)
			require.Equal(h, []string{"Failed", "Succeeded"}, h.statuses([]int64{id, after}), task)
		}
	})
}

// TestTransactionalTaskHappensOnce: an attempt whose worker was killed leaves only its log row.
func TestTransactionalTaskHappensOnce(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		id := h.exec(dialects.NewTask{SQL: h.say.slowly(1, 10*time.Second), Order: 1, Transactional: true})[0]
		h.untilRunning(1, h.soon)
		require.Len(h, h.logsOf(id), 1, "the log row is committed before the transaction begins")
		h.killWorker(id)
		h.session().exec(h.say.sweep)
		h.drain(time.Minute)
		require.Len(h, h.logsOf(id), 2)
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Equal(h, [][]string{{"1"}}, s.rows(h.say.markRead))
	})
}

// TestTransactionalTaskEnqueues: what it enqueues exists if and only if it succeeded.
func TestTransactionalTaskEnqueues(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.exec(dialects.NewTask{SQL: h.say.enqueue(0, 2, h.say.nothing), Order: 1, Transactional: true},
			dialects.NewTask{SQL: h.say.enqueuesAndFails, Order: 1, Transactional: true})
		h.drain(time.Minute)
		require.Len(h, h.tasks(), 3, h.report())
		require.Len(h, h.logs(), 3)
	})
}

// TestBatch: the ids come in order, every member counts, a key names one task, and a rollback takes all.
func TestBatch(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		s := h.marks()
		ids := s.ids(batchOf(h,
			map[string]any{"SQL": h.say.mark(1), "ExecutionOrder": 2},
			map[string]any{"SQL": h.say.bound, "ExecutionOrder": 1, "Parameters": map[string]any{"N int": 5}},
			map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 3, "DedupKey": "k", "Priority": 4, "Transactional": true, "MaxAttempts": nil},
			map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 9, "DedupKey": "k"},
			map[string]any{"SQL": h.say.failing[0].sql, "ExecutionOrder": 4, "MaxAttempts": 2, "RetryDelaySeconds": 1, "OnOrphan": "fail"},
		))
		require.Len(h, ids, 5)
		require.Equal(h, ids[2], ids[3])
		require.IsIncreasing(h, []int64{ids[0], ids[1], ids[2], ids[4]})
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded", "Failed"}, h.statuses([]int64{ids[0], ids[1], ids[2], ids[4]}))
		require.Equal(h, [][]string{{"5"}, {"1"}}, s.rows(h.say.markRead))
		require.Len(h, h.logsOf(ids[4]), 2)

		s.begin()
		require.Len(h, s.ids(batchOf(h, map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 1})), 1)
		s.rollback()
		require.Empty(h, s.ids("[]"))
		require.Len(h, h.tasks(), 4)
	})
}

// TestBatchStartsAtOnce: its tasks start at once, even a single one.
func TestBatchStartsAtOnce(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		for n := 1; n <= 2; n++ {
			h.pause(20 * time.Second)
			since := h.now()
			for _, id := range s.ids(batchOf(h, slices.Repeat([]map[string]any{{"SQL": h.say.nothing, "ExecutionOrder": 1}}, n)...)) {
				h.startsWithin(id, since, h.soon)
			}
		}
	})
}

// TestBadBatches: whatever is wrong with one task, and wherever it is, none is written.
func TestBadBatches(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		c := h.session()
		for batch, want := range sorted(h.say.badBatches) {
			c.begin()
			_, err := h.say.batch(h.Context(), c.on(), batch)
			require.ErrorContains(h, err, h.errorText(want), batch)
			c.commit()
		}
		require.Empty(h, h.tasks())
	})
}

// TestDedupKeysOfTheSameMoment: tasks with different keys and with none, enqueued at the same moment, are nobody's duplicates.
func TestDedupKeysOfTheSameMoment(t *testing.T) {
	each(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		a, b := h.session(), h.session()
		a.begin()
		b.begin()
		ids := []int64{number(h, a.ask(h.say.keyed(1, h.dialect.Sleep(5*time.Second), "k"))), number(h, b.ask(h.say.keyed(1, h.say.nothing, "l"))),
			number(h, b.ask(h.say.keyed(1, h.say.nothing, "K"))), number(h, b.ask(h.say.enqueueReturn(0, 1, h.say.nothing)))}
		a.commit()
		b.commit()
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded", "Succeeded"}, h.statuses(ids))
	})
}

// TestDuplicateOpensTheNextWave: where only a duplicate was left of a wave, the next one gets all its workers at once.
func TestDuplicateOpensTheNextWave(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		h.exec(h.sleep(1, time.Second), h.sleep(1, time.Second), h.sleep(1, time.Second), h.sleep(1, time.Second))
		h.drain(time.Minute) // from now on four workers wait
		a, b := h.session(), h.session()
		a.begin()
		older := number(h, a.ask(h.say.keyed(1, h.say.nothing, "k")))
		number(h, b.ask(h.say.keyed(2, h.dialect.Sleep(time.Minute), "k")))
		h.untilRunning(1, h.soon)
		var wave []int64
		for range 3 {
			wave = append(wave, number(h, a.ask(h.say.enqueueReturn(0, 2, h.dialect.Sleep(20*time.Second)))))
		}
		a.commit()
		since := h.now()
		for _, id := range wave {
			h.startsWithin(id, since, h.soon)
		}
		require.Equal(h, "Skipped", h.statusOf(older))
	})
}

// TestTaskNames: a name stands with the task, with each attempt, with the alarm of its failure, and finds the task; several may share one.
func TestTaskNames(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		longest := strings.Repeat("é", dialects.MaxTaskName)
		p := h.process(dialects.NewProcess{Name: "p"})
		h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, Name: "Load"})
		ids := h.exec(
			dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, Name: "Load"},
			dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p, Name: longest},
			dialects.NewTask{SQL: h.say.failing[0].sql, Order: 3, ProcessID: p, Name: "Build facts", MaxAttempts: 2, RetryDelay: time.Second},
			dialects.NewTask{SQL: h.say.nothing, Order: 4, ProcessID: p},
		)
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.waitFor(p, time.Minute)
		for i, name := range []string{"Load", longest, "Build facts", ""} {
			tasks, err := h.sched.Tasks(h.Context(), dialects.Filter{TaskID: ids[i]})
			require.NoError(h, err)
			require.Equal(h, name, tasks[0].Name)
			attempts := h.logsOf(ids[i])
			require.Len(h, attempts, []int{1, 1, 2, 0}[i])
			for _, e := range attempts {
				require.Equal(h, name, e.Name)
			}
		}
		alarms, err := h.sched.Alarms(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		for _, a := range alarms {
			require.Equal(h, map[int64]string{ids[2]: "Build facts"}[a.TaskID], a.TaskName)
		}
		require.NotEmpty(h, alarms)

		for f, want := range map[*dialects.Filter]int{{Name: "Load"}: 2, {Name: "Load", ProcessID: p}: 1, {Name: "load"}: 0, {Text: "FACTS"}: 1} {
			tasks, err := h.sched.Tasks(h.Context(), *f)
			require.NoError(h, err)
			require.Len(h, tasks, want, "%+v", f)
		}
		logs, err := h.sched.Logs(h.Context(), dialects.Filter{Text: "facts"})
		require.NoError(h, err)
		require.Len(h, logs, 2)
	})
}
