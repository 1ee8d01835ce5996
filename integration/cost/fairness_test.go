package cost

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// The workload of the fairness tests: processes that all exist before the first worker starts.
const fairWorkers, fairTasks = 10, 100

// TestRoundRobin: whenever all workers are busy, each process that still has tasks to start runs as many as its
// weight entitles it to, give or take one.
func TestRoundRobin(t *testing.T) {
	for name, weights := range map[string][]int{"equal": {1, 1, 1, 1, 1}, "weighted": {1, 1, 2, 2, 4}} {
		t.Run(name, func(t *testing.T) {
			each(t, fairWorkers, func(b *bench) {
				processes := b.processes(dialects.RoundRobin, weights, nil)
				most := deviation(b.log(), processes, weights, fairWorkers)
				b.record("fairness/round-robin-"+name+"/tasks-from-share", most)
				require.LessOrEqual(b, most, 1.0)
			})
		})
	}
}

// TestPolicies: under Fifo and Priority no task starts while a process that comes before its own has one to start.
func TestPolicies(t *testing.T) {
	priorities := []int{1, 5, 3, 5, 0}
	for policy, ranks := range map[dialects.Policy][]int{
		dialects.Fifo:     {0, 1, 2, 3, 4},
		dialects.Priority: {3, 0, 2, 1, 4}, // equal ones: the older first
	} {
		t.Run(string(policy), func(t *testing.T) {
			each(t, fairWorkers, func(b *bench) {
				processes := b.processes(policy, nil, priorities)
				n := outOfTurn(b.log(), processes, ranks)
				b.record(fmt.Sprintf("fairness/%s/tasks-out-of-turn", policy), float64(n))
				require.Zero(b, n)
			})
		})
	}
}

// TestWideAndNarrow: a wave of many tasks does not keep a process of many small waves from continuing under RoundRobin. Under
// Fifo it does, as Fifo promises.
func TestWideAndNarrow(t *testing.T) {
	const workers, wide, narrow = 8, 300, 20
	for _, policy := range []dialects.Policy{dialects.RoundRobin, dialects.Fifo} {
		t.Run(string(policy), func(t *testing.T) {
			each(t, workers, func(b *bench) {
				require.NoError(b, b.sched.SetPolicy(b.Context(), policy))
				first, second := b.process(dialects.NewProcess{Name: "wide"}), b.process(dialects.NewProcess{Name: "narrow"})
				var tasks []dialects.NewTask
				for range wide {
					tasks = append(tasks, dialects.NewTask{ProcessID: first, SQL: b.dialect.Sleep(time.Second), Order: 1})
				}
				for i := range narrow {
					tasks = append(tasks, dialects.NewTask{ProcessID: second, SQL: b.dialect.Sleep(time.Second), Order: i})
				}
				b.enqueue(tasks...)
				b.start()
				b.drain()

				var longest time.Duration // from the end of a wave to the start of the next
				var last *time.Time
				started := 0
				logs := b.log()
				var turn time.Duration // from one start in a lane to the next
				starts := map[int]time.Time{}
				for _, l := range logs {
					if was, ok := starts[l.Lane]; ok {
						turn = max(turn, l.StartedAt.Sub(was))
					}
					starts[l.Lane] = l.StartedAt
					if l.ProcessID != second {
						continue
					}
					since := logs[0].StartedAt
					if last != nil {
						since = *last
					}
					longest, last = max(longest, l.StartedAt.Sub(since)), l.FinishedAt
				}
				for _, l := range logs {
					if l.ProcessID == first && l.StartedAt.Before(*last) {
						started++
					}
				}
				b.record(fmt.Sprintf("fairness/narrow-beside-wide/%s/longest-wait-seconds", policy), longest.Seconds())
				b.record(fmt.Sprintf("fairness/narrow-beside-wide/%s/wide-tasks-before-its-end", policy), float64(started))
				if policy == dialects.RoundRobin {
					require.LessOrEqual(b, longest, turn, "it waits for one task at most")
				} else {
					require.Equal(b, wide, started, "the older process first")
				}
			})
		})
	}
}

func (b *bench) process(p dialects.NewProcess) int64 {
	b.Helper()
	id, err := b.sched.CreateProcess(b.Context(), p)
	require.NoError(b, err)
	return id
}

// processes runs five processes with equally many tasks to their end.
func (b *bench) processes(policy dialects.Policy, weights, priorities []int) (ids []int64) {
	b.Helper()
	require.NoError(b, b.sched.SetPolicy(b.Context(), policy))
	var tasks []dialects.NewTask
	for i := range 5 {
		p := dialects.NewProcess{Name: fmt.Sprint("process ", i)}
		if weights != nil {
			p.Weight = weights[i]
		}
		if priorities != nil {
			p.Priority = priorities[i]
		}
		ids = append(ids, b.process(p))
		for j := range fairTasks {
			// Of different lengths, so that workers become free one at a time.
			d := time.Duration(700+(i*131+j*37)%600) * time.Millisecond
			tasks = append(tasks, dialects.NewTask{ProcessID: ids[i], SQL: b.dialect.Sleep(d), Order: 1})
		}
	}
	b.enqueue(tasks...)
	b.start()
	b.drain()
	return ids
}

// log reads all attempts in order of start.
func (b *bench) log() []dialects.LogEntry {
	b.Helper()
	logs, err := b.sched.Logs(b.Context(), dialects.Filter{})
	require.NoError(b, err)
	for _, l := range logs {
		require.Equal(b, "Succeeded", l.Outcome, "%+v", l)
	}
	slices.SortFunc(logs, func(x, y dialects.LogEntry) int {
		return cmp.Or(x.StartedAt.Compare(y.StartedAt), cmp.Compare(x.ID, y.ID))
	})
	return logs
}

// deviation returns the most running tasks by which a process missed its share, at moments when all workers were busy
// and it still had tasks to start. Tasks still running in processes without such tasks are subtracted from what is shared.
func deviation(logs []dialects.LogEntry, processes []int64, weights []int, workers int) (most float64) {
	for _, moment := range logs {
		now, busy := moment.StartedAt, 0
		running, waiting := make([]int, len(processes)), make([]int, len(processes))
		for _, l := range logs {
			i := slices.Index(processes, l.ProcessID)
			switch {
			case l.StartedAt.After(now):
				waiting[i]++
			case l.FinishedAt.After(now):
				running[i]++
				busy++
			}
		}
		if busy != workers {
			continue
		}
		shared, total := 0, 0
		for i, n := range waiting {
			if n > 0 {
				shared, total = shared+running[i], total+weights[i]
			}
		}
		for i, n := range waiting {
			if n > 0 {
				most = max(most, math.Abs(float64(running[i])-float64(shared*weights[i])/float64(total)))
			}
		}
	}
	return math.Round(most*1000) / 1000 // a sum of fractions is not exact
}

// outOfTurn counts the tasks that started although a process of a lower rank still had one to start.
func outOfTurn(logs []dialects.LogEntry, processes []int64, ranks []int) (n int) {
	last := make([]time.Time, len(processes)) // start of the last task of each rank
	rank := func(l dialects.LogEntry) int { return ranks[slices.Index(processes, l.ProcessID)] }
	for _, l := range logs {
		last[rank(l)] = l.StartedAt
	}
	for _, l := range logs {
		if slices.ContainsFunc(last[:rank(l)], l.StartedAt.Before) {
			n++
		}
	}
	return n
}
