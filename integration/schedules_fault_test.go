package integration

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestScheduleCrash crashes the instance before the first statement, the second, and so on, of what a calendar and RunSchedule start:
// the dispatcher's transaction, the task that creates the process, the process and its end, after which the waiting firing starts. Each
// firing comes once, whole. DBSCHED_EVERY_CRASH=1 tries every statement, which takes minutes; otherwise the seed chooses them.
func TestScheduleCrash(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.onSandbox("nobody lets a real server crash")
		const every = 5 * time.Minute
		h.schedule(dialects.NewSchedule{
			Name: "load", Calendar: "*/5 * * * *", Overlap: "Queue", Missed: "All",
			Tasks: []dialects.NewTask{h.task(1, h.say.nothing), h.task(2, h.say.nothing)},
		})
		due := h.now().Truncate(every).Add(every)
		first, step := due, h.crashStep
		if os.Getenv("DBSCHED_EVERY_CRASH") != "" {
			step = 1
		}
		n := 1 + int(furtherSeeds(h.T))%step
		for crashed := true; crashed; n += step {
			require.Less(h, n, 3000, "it never ends without a crash")
			h.pauseUntil(due.Add(-time.Second))
			require.NoError(h, h.sched.RunSchedule(h.Context(), "load"))
			before := h.crashes()
			h.server.box.CrashAtStatement(n)
			crashed = h.untilCrash(before, 20*time.Second)
			h.server.box.CrashAtStatement(0)
			if crashed {
				h.reconnect()
			}
			h.pauseUntil(due.Add(every - 2*time.Second))
			var seen []string
			last, err := h.sched.Firings(h.Context(), "load", 2)
			require.NoError(h, err)
			for _, f := range last {
				require.Less(h, due.Sub(f.DueAt), 2*time.Second, "statement %d", n)
				seen = append(seen, fmt.Sprint(f.Manual, " ", f.Status))
			}
			require.Equal(h, []string{"true Succeeded", "false Succeeded"}, seen, "statement %d: %s", n, h.report())
			due = due.Add(every)
		}
		h.Logf("%d crashes", h.crashes())
		require.Greater(h, h.crashes(), 25)
		require.Len(h, h.firings("load"), 2*int(due.Sub(first)/every))
		h.requireOnce("load", 2)
	})
}

// TestScheduleClock sets the server's clock back and forward over instants. Past ones do not come again; those that the clock
// skips count as missed.
func TestScheduleClock(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.onSandbox("nobody sets a real server's clock")
		began := h.now().Truncate(time.Hour)
		for _, policy := range []string{"Once", "None", "All"} {
			h.schedule(dialects.NewSchedule{Name: policy, Calendar: "0 * * * *", Missed: policy, Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		}
		h.pauseUntil(began.Add(time.Hour + time.Minute))
		for range 2 {
			h.server.box.SetClock(-30 * time.Minute)
			h.pause(45 * time.Minute)
			require.Equal(h, "Succeeded", h.outcomes("Once"), "10:00 came twice, and fired once")
		}
		h.schedule(dialects.NewSchedule{Name: "new", Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.server.box.SetClock(-2 * time.Hour)
		require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "Once", Calendar: "0,30 * * * *"}))
		require.Equal(h, began.Add(90*time.Minute), *h.scheduleOf("Once").NextAt, "nor with another calendar")
		require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "Once", Calendar: "0 * * * *"}))

		// 8:31 becomes 13:31.
		h.server.box.SetClock(5 * time.Hour)
		h.pause(2 * time.Minute)
		require.Equal(h, "Succeeded Missed Missed Succeeded", h.outcomes("Once"), h.report())
		require.Equal(h, "Succeeded Missed Missed Missed", h.outcomes("None"))
		require.Equal(h, "Succeeded Succeeded Succeeded Succeeded", h.outcomes("All"))
		for _, policy := range []string{"Once", "None", "All"} {
			require.Equal(h, began.Add(5*time.Hour), *h.scheduleOf(policy).NextAt)
			for i, f := range h.firings(policy) {
				require.Equal(h, began.Add(time.Duration(i+1)*time.Hour), f.DueAt)
			}
			h.requireOnce(policy, 1)
		}
	})
}

// TestScheduleUnknownZone: a server may no longer know a time zone. The schedule is suspended, everything else continues.
func TestScheduleUnknownZone(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.schedule(dialects.NewSchedule{Name: "lost", Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.session().exec(h.say.unknownZone)
		h.schedule(dialects.NewSchedule{Name: "other", Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.pause(2*time.Hour + time.Minute)
		s := h.scheduleOf("lost")
		require.Equal(h, "Suspended", s.Status)
		require.Contains(h, s.Reason, "Alter its calendar or time zone")
		require.Len(h, h.alarmsOf("ScheduleSuspended"), 1)
		require.Equal(h, "Succeeded Succeeded", h.outcomes("other"))
		require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "lost", Zone: "UTC"}))
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "lost", true))
		h.pause(time.Hour)
		require.Equal(h, "Succeeded", h.outcomes("lost"))
		require.Equal(h, "Enabled", h.scheduleOf("lost").Status)
	})
}

// TestScheduleInACopy: the schedules of a copy do not fire until somebody allows it, whatever the copy was started for.
func TestScheduleInACopy(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		began := h.now().Truncate(time.Hour)
		for _, policy := range []string{"Once", "None"} {
			h.schedule(dialects.NewSchedule{Name: policy, Calendar: "0 * * * *", Missed: policy, Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		}
		h.schedule(dialects.NewSchedule{Name: "off", Calendar: "0 * * * *", Disabled: true, Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.session().exec(h.say.copied)
		h.pauseUntil(began.Add(90 * time.Minute))
		require.Empty(h, h.firings(""), "nothing runs in a copy")
		require.NoError(h, h.sched.StartHere(h.Context()))
		h.pauseUntil(began.Add(150 * time.Minute))
		require.Empty(h, h.firings(""))
		require.Equal(h, "Suspended", h.scheduleOf("Once").Status)
		require.Contains(h, h.scheduleOf("Once").Reason, "in this copy of the database")
		require.Equal(h, "Disabled", h.scheduleOf("off").Status)
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))

		for _, policy := range []string{"Once", "None"} {
			require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), policy, true))
		}
		h.pauseUntil(began.Add(181 * time.Minute))
		require.Equal(h, "Missed Succeeded Succeeded", h.outcomes("Once"))
		require.Equal(h, "Missed Missed Succeeded", h.outcomes("None"))
		require.NoError(h, h.sched.StartHere(h.Context()), "it is no copy any longer")
		require.Equal(h, "Enabled", h.scheduleOf("Once").Status)
	})
}

// TestScheduleAlteredWhileItFires changes a schedule, and drops it, while its firing waits for a lane, and while its process runs.
func TestScheduleAlteredWhileItFires(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		s := h.session()
		one, two := []dialects.NewTask{h.sleep(1, 10*time.Minute)}, []dialects.NewTask{h.sleep(1, time.Minute), h.sleep(2, time.Minute)}
		names := []string{"altered", "dropped", "disabled"}
		for _, name := range names {
			h.schedule(dialects.NewSchedule{Name: name, Calendar: "0 * * * *", Tasks: one})
		}
		change := func() {
			require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "altered", Calendar: "30 * * * *", Tasks: two, Process: dialects.NewProcess{OnError: "Continue"}}))
			require.NoError(h, h.sched.DropSchedule(h.Context(), "dropped"))
			require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "disabled", false))
		}
		hour := h.now().Truncate(time.Hour).Add(time.Hour)

		// The firings wait for a worker: the process is created from what the schedule says then.
		s.exec(h.say.setWorkers(0))
		h.pauseUntil(hour.Add(time.Minute))
		for _, name := range names {
			require.Equal(h, "Starting", h.outcomes(name))
		}
		change()
		s.exec(h.say.setWorkers(4))
		h.pauseUntil(hour.Add(15 * time.Minute))
		require.Equal(h, "Skipped", h.outcomes("dropped"))
		require.Equal(h, "Succeeded", h.outcomes("disabled"))
		require.Equal(h, "Succeeded", h.outcomes("altered"))
		p := h.processOf(h.firings("altered")[0].ProcessID)
		require.EqualValues(h, 2, p.Succeeded)
		require.Equal(h, "Continue", p.OnError)
		require.Equal(h, hour.Add(30*time.Minute), *h.scheduleOf("altered").NextAt)

		// The processes run: a change does not affect them.
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "disabled", true))
		h.schedule(dialects.NewSchedule{Name: "dropped", Calendar: "0 * * * *", Tasks: one})
		require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "altered", Calendar: "0 * * * *", Tasks: one, Process: dialects.NewProcess{OnError: "Halt"}}))
		h.pauseUntil(hour.Add(time.Hour + time.Minute))
		change()
		h.pauseUntil(hour.Add(time.Hour + 45*time.Minute))
		require.Equal(h, "Skipped Succeeded", h.outcomes("dropped"))
		require.Equal(h, "Succeeded Succeeded", h.outcomes("disabled"))
		require.Equal(h, "Succeeded Succeeded Succeeded", h.outcomes("altered"))
		fired := h.firings("altered")
		p = h.processOf(fired[1].ProcessID)
		require.EqualValues(h, 1, p.Succeeded)
		require.Equal(h, "Halt", p.OnError)
		require.Equal(h, hour.Add(90*time.Minute), fired[2].DueAt)
		require.EqualValues(h, 2, h.processOf(fired[2].ProcessID).Succeeded)

		// A manual firing waits for a process of a disabled schedule, and survives a change.
		require.NoError(h, h.sched.RunSchedule(h.Context(), "disabled"))
		require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "disabled", Missed: "None"}))
		h.pause(15 * time.Minute)
		require.Equal(h, "Succeeded Succeeded Succeeded", h.outcomes("disabled"))
		h.requireNoAlarms()
	})
}

// TestScheduleTwoDispatchers: whoever else processes schedules at the same moment, a firing comes once.
func TestScheduleTwoDispatchers(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		const n = 20
		for i := range n {
			h.schedule(dialects.NewSchedule{Name: fmt.Sprint("s", i), Calendar: "*/10 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		}
		due := h.now().Truncate(10 * time.Minute)
		for round := 1; round <= 3; round++ {
			due = due.Add(10 * time.Minute)
			sessions := []*session{h.session(), h.session(), h.session()}
			h.pauseUntil(due)
			ends := make(chan error, len(sessions))
			for _, s := range sessions {
				go func() { ends <- s.try(h.say.dispatch) }()
			}
			require.NoError(h, h.sched.Start(h.Context()))
			for range cap(ends) {
				require.NoError(h, <-ends)
			}
			h.pause(time.Minute)
			for i := range n {
				require.Equal(h, strings.TrimSpace(strings.Repeat("Succeeded ", round)), h.outcomes(fmt.Sprint("s", i)), h.report())
			}
		}
		for i := range n {
			h.requireOnce(fmt.Sprint("s", i), 1)
		}
		h.requireNoAlarms()
	})
}

// TestScheduleSummerTime goes through both nights in which Warsaw's clocks change, at 1:00 UTC.
func TestScheduleSummerTime(t *testing.T) {
	for name, night := range sorted(map[string]struct {
		before string
		local  []string // of 30 2 * * *, UTC
	}{
		"forward": {"2026-03-28T00:30", []string{"2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"}}, // 2:30 does not exist
		"back":    {"2026-10-24T00:00", []string{"2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"}}, // 2:30 comes twice
	}) {
		t.Run(name, func(t *testing.T) {
			each(t, setup{}, func(h *harness) {
				h.onSandbox("nobody sets a real server's clock")
				before, err := time.Parse(utcMinute, night.before)
				require.NoError(h, err)
				h.server.box.SetClock(before.Sub(h.server.box.Now()))
				zone, _, err := h.sched.Zone(h.Context(), "Europe/Warsaw")
				require.NoError(h, err)
				nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
				h.schedule(dialects.NewSchedule{Name: "nightly", Calendar: "30 2 * * *", Zone: zone, Tasks: nothing})
				h.schedule(dialects.NewSchedule{Name: "quarter", Calendar: "*/15 * * * *", Zone: zone, Tasks: nothing})
				h.pauseUntil(before.Add(49*time.Hour + 45*time.Minute))
				var nightly []string
				for _, f := range h.firings("nightly") {
					require.Equal(h, "Succeeded", f.Status)
					nightly = append(nightly, f.DueAt.Format(utcMinute))
				}
				require.Equal(h, night.local, nightly)
				quarters := h.firings("quarter")
				require.Len(h, quarters, 4*50-2)
				for i, f := range quarters {
					require.Equal(h, "Succeeded", f.Status)
					require.Equal(h, before.Add(time.Duration(i+1)*15*time.Minute), f.DueAt)
				}
				h.requireOnce("nightly", 1)
				h.requireOnce("quarter", 1)
			})
		})
	}
}

// TestScheduleRetention: firings are deleted as processes are; schedules and waiting firings are not.
func TestScheduleRetention(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.onSandbox("it takes a day")
		s := h.session()
		s.exec(h.say.options(map[string]int{"RetentionDays": 1, "IdleSweepSeconds": 1800}))
		h.schedule(dialects.NewSchedule{Name: "hourly", Calendar: "0 * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		var long []dialects.NewTask
		for i := range 50 {
			long = append(long, h.sleep(i, time.Hour))
		}
		h.schedule(dialects.NewSchedule{Name: "long", Calendar: "5 * * * *", Overlap: "Queue", Tasks: long})
		h.pause(30 * time.Hour)
		oldest := h.now().Add(-25 * time.Hour)
		for _, name := range []string{"hourly", "long"} {
			all := h.firings(name)
			require.InDelta(h, 24, len(all), 2)
			for _, f := range all {
				require.True(h, f.DueAt.After(oldest) || f.Status == "Waiting" || f.ProcessID != 0, "%v", f)
			}
		}
		require.EqualValues(h, len(h.firings("hourly")), h.scheduleOf("hourly").Fired)
		require.EqualValues(h, 1, h.scheduleOf("long").Waiting)
		list, err := h.sched.Processes(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.InDelta(h, 26, len(list), 2, "the default process, that of long, and those of a day")

		s.exec(h.say.purge(0))
		require.Empty(h, h.firings("hourly"))
		require.Contains(h, h.outcomes("long"), "Waiting")
		require.NotContains(h, h.outcomes("long"), "Skipped")
		require.Equal(h, "Enabled", h.scheduleOf("hourly").Status)
		h.pause(time.Hour)
		require.Equal(h, "Succeeded", h.outcomes("hourly"))
	})
}

// TestScheduleAfterRetry: a schedule's process that failed and is retried ends like any other, so the next firing is not skipped.
func TestScheduleAfterRetry(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.schedule(dialects.NewSchedule{Name: "load", Calendar: "0 0 1 1 *", Tasks: []dialects.NewTask{h.task(1, h.say.mark(1))}})
		for _, status := range []string{"Failed", "Failed", "Succeeded"} {
			require.NoError(h, h.sched.RunSchedule(h.Context(), "load"))
			h.until(h.soon, "it has failed", func() bool { return strings.HasSuffix(h.outcomes("load"), "Failed") })
			fired := h.firings("load")
			p := fired[len(fired)-1].ProcessID
			if status == "Succeeded" {
				h.marks() // the table that its task misses
			}
			require.NoError(h, h.sched.RetryProcess(h.Context(), p))
			h.until(h.soon, "it has ended", func() bool { return h.processOf(p).Status == status && h.processOf(p).Running == 0 })
		}
		require.NoError(h, h.sched.RunSchedule(h.Context(), "load"))
		h.until(h.soon, "it runs again", func() bool { return h.outcomes("load") == "Failed Failed Succeeded Succeeded" })
	})
}
