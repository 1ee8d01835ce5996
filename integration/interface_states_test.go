package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestSettingsOneByOne: an option changes what it names, and nothing else, for good; so do policy and workers, and what stays is not said to have changed.
func TestSettingsOneByOne(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		s := h.session()
		names := []string{"LingerSeconds", "IdleSweepSeconds", "RetentionDays", "MaxRetryDelaySeconds", "MaxOrphans", "OutageSeconds", "MaxTasksPerUser", "DefaultTimeoutSeconds"}
		read := func() map[string]string {
			all := map[string]string{}
			for i, v := range s.rows(h.say.optionsRead)[0] {
				all[names[i]] = v
			}
			st := h.status()
			all["policy"], all["workers"], all["started"] = string(st.Policy), show(st.MaxWorkers), show(st.Started)
			all["changed"] = only(h.rowsOf(s, "settings"), "version", st.Version)["changedat"]
			return all
		}
		change := func(what, value string, run func()) {
			before := read()
			h.pause(time.Second)
			run()
			after := read()
			if before[what] != value {
				require.NotEqual(h, before["changed"], after["changed"], what)
			}
			before[what], before["changed"] = value, after["changed"]
			require.Equal(h, before, after, what)
		}
		for i, name := range names {
			for _, n := range []int{i + 2, i + 20} {
				change(name, show(n), func() { s.exec(h.say.options(map[string]int{name: n})) })
			}
		}
		for _, policy := range []dialects.Policy{dialects.Priority, dialects.RoundRobin, dialects.Fifo, dialects.RoundRobin} {
			change("policy", string(policy), func() { require.NoError(h, h.sched.SetPolicy(h.Context(), policy)) })
		}
		for _, n := range []int{0, 1, 4, 3} {
			change("workers", show(n), func() { require.NoError(h, h.sched.SetWorkers(h.Context(), n)) })
		}
		change("started", "false", func() { require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain)) })
		before := read()
		h.pause(time.Second)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.Equal(h, before, read(), "it was stopped")
		change("started", "true", func() { require.NoError(h, h.sched.Start(h.Context())) })
		before = read()
		h.pause(time.Second)
		require.NoError(h, h.sched.Start(h.Context()))
		require.Equal(h, before, read(), "it was started")
	})
}

// TestCancelAndRetryInEachState: what becomes of a task in each state, and of its process, when it is cancelled or retried.
func TestCancelAndRetryInEachState(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		h.resource("r", 1)
		h.exec(dialects.NewTask{SQL: h.say.pause(2 * time.Hour), Order: -1, Resource: "r"})
		states := map[string]func() int64{
			"Pending": func() int64 {
				p := h.process(dialects.NewProcess{Name: "p", MaxParallel: 1, OnError: "Continue"})
				return h.exec(dialects.NewTask{SQL: h.say.fails(20 * time.Second), Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})[1]
			},
			"Waiting": func() int64 {
				p := h.process(dialects.NewProcess{Name: "p"})
				return h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, NotBefore: h.now().Add(time.Hour)})[0]
			},
			"Resource": func() int64 {
				p := h.process(dialects.NewProcess{Name: "p"})
				id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, Resource: "r"})[0]
				h.untilStatus(id, "Waiting", time.Minute)
				return id
			},
			"Suspended": func() int64 {
				p := number(h, h.session().ask(h.say.createProcess("p", true)))
				return h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})[0]
			},
			"Succeeded": func() int64 {
				p := h.process(dialects.NewProcess{Name: "p"})
				id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})[0]
				h.untilStatus(id, "Succeeded", time.Minute)
				return id
			},
			"Failed": func() int64 {
				p := h.process(dialects.NewProcess{Name: "p"})
				id := h.exec(dialects.NewTask{SQL: h.say.fails(0), Order: 1, ProcessID: p})[0]
				h.waitFor(p, time.Minute)
				return id
			},
			"Skipped": func() int64 {
				p := h.process(dialects.NewProcess{Name: "p"})
				id := h.exec(dialects.NewTask{SQL: h.say.fails(0), Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})[1]
				h.waitFor(p, time.Minute)
				return id
			},
			"Cancelled": func() int64 {
				p := h.process(dialects.NewProcess{Name: "p"})
				id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, NotBefore: h.now().Add(time.Hour)})[0]
				require.NoError(h, h.sched.CancelProcess(h.Context(), p))
				return id
			},
		}
		// The task's state, that of its process, and the number of its failed tasks; or the error.
		wants := map[string][4]string{ // after CancelTask, RetryTask, CancelProcess, RetryProcess
			"Pending":   {"Cancelled Open", "27", "Cancelled Cancelled", "27"},
			"Waiting":   {"Cancelled Open", "27", "Cancelled Cancelled", "27"},
			"Resource":  {"Cancelled Open", "27", "Cancelled Cancelled", "27"},
			"Suspended": {"Cancelled Suspended", "27", "Cancelled Cancelled", "27"},
			"Succeeded": {"Succeeded Open", "27", "Succeeded Cancelled", "27"},
			"Failed":    {"Failed Failed", "Pending Open", "Failed Failed", "Pending Open"},
			"Skipped":   {"Skipped Failed", "Pending Open", "Skipped Failed", "Pending Open"},
			"Cancelled": {"Cancelled Cancelled", "Pending Open", "Cancelled Cancelled", "Pending Open"},
		}
		for state, begin := range sorted(states) {
			for i, want := range wants[state] {
				id := begin()
				task := func() dialects.Task {
					list, err := h.sched.Tasks(h.Context(), dialects.Filter{TaskID: id})
					require.NoError(h, err)
					return list[0]
				}
				before := task()
				require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
				err := []func() error{
					func() error { return h.sched.CancelTask(h.Context(), id) }, func() error { return h.sched.RetryTask(h.Context(), id) },
					func() error { return h.sched.CancelProcess(h.Context(), before.ProcessID) }, func() error { return h.sched.RetryProcess(h.Context(), before.ProcessID) },
				}[i]()
				what := state + " " + []string{"CancelTask", "RetryTask", "CancelProcess", "RetryProcess"}[i]
				if len(want) == 2 {
					require.ErrorContains(h, err, h.errorText(int(number(h, want))), what)
					require.Equal(h, before, task(), what)
				} else {
					require.NoError(h, err, what)
					after, p := task(), h.processOf(before.ProcessID)
					require.Equal(h, want, after.Status+" "+p.Status, what)
					require.Equal(h, after.Status != "Pending", after.FinishedAt != nil, what)
					require.Equal(h, p.Status != "Open" && p.Status != "Suspended", p.FinishedAt != nil, what)
					if after.Status == before.Status {
						require.Equal(h, before, after, what)
					}
				}
				require.NoError(h, h.sched.SetWorkers(h.Context(), 4))
				if p := h.processOf(before.ProcessID); p.FinishedAt == nil {
					require.NoError(h, h.sched.CancelProcess(h.Context(), before.ProcessID))
				}
			}
		}
	})
}
