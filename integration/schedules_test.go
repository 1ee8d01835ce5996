package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestSchedule starts a plan by its calendar, again and again.
func TestSchedule(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		began := h.now()
		h.schedule(dialects.NewSchedule{
			Name: "load", Calendar: "*/10 * * * *",
			Tasks:   []dialects.NewTask{h.sleep(1, 2*time.Second), h.sleep(1, time.Second), h.sleep(2, time.Second)},
			Process: dialects.NewProcess{OnError: "Continue", MaxParallel: 2, Weight: 3},
		})
		first := began.Truncate(10 * time.Minute).Add(10 * time.Minute)
		s := h.scheduleOf("load")
		require.Equal(h, first, *s.NextAt)
		require.Equal(h, "Enabled", s.Status)
		require.Empty(h, h.firings("load"))

		h.pauseUntil(first.Add(h.soon + 10*time.Second))
		fired := h.firings("load")
		require.Len(h, fired, 1, h.report())
		require.Equal(h, first, fired[0].DueAt)
		require.Equal(h, "Succeeded", fired[0].Status, h.report())
		p := h.processOf(fired[0].ProcessID)
		require.Equal(h, "load "+first.Format("2006-01-02 15:04"), p.Name)
		require.Equal(h, "Continue", p.OnError)
		require.EqualValues(h, 3, p.Succeeded)
		for _, l := range h.logs() {
			if l.ProcessID == p.ID && l.Order == 1 {
				require.Less(h, l.StartedAt.Sub(first), h.soon+2*time.Second)
			}
		}

		h.pauseUntil(first.Add(25 * time.Minute))
		require.Equal(h, "Succeeded Succeeded Succeeded", h.outcomes("load"))
		s = h.scheduleOf("load")
		require.Equal(h, first.Add(30*time.Minute), *s.NextAt)
		require.Equal(h, first.Add(20*time.Minute), *s.LastDueAt)
		require.Equal(h, "Succeeded", s.LastStatus)
		require.EqualValues(h, 3, s.Fired)

		require.NoError(h, h.sched.DropSchedule(h.Context(), "load"))
		h.pause(time.Hour)
		require.Equal(h, "Succeeded Succeeded Succeeded", h.outcomes("load"))
	})
}

// TestScheduleOverlap lets a process last longer than the time to the next firing.
func TestScheduleOverlap(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		minute := h.now().Truncate(time.Minute)
		for _, policy := range []string{"Skip", "Queue", "Allow"} {
			h.schedule(dialects.NewSchedule{Name: policy, Calendar: "* * * * *", Overlap: policy, Tasks: []dialects.NewTask{h.sleep(1, 150*time.Second)}})
		}
		h.pauseUntil(minute.Add(4*time.Minute + 30*time.Second))
		for _, policy := range []string{"Skip", "Queue", "Allow"} {
			require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), policy, false))
		}
		h.pause(15 * time.Minute)
		require.Equal(h, "Succeeded Skipped Skipped Succeeded", h.outcomes("Skip"))
		// The second waits for the first, so the third is skipped; the fourth waits for the second, and is skipped when the schedule is disabled.
		require.Equal(h, "Succeeded Succeeded Skipped Skipped", h.outcomes("Queue"))
		require.Equal(h, "Succeeded Succeeded Succeeded Succeeded", h.outcomes("Allow"))
		require.EqualValues(h, 2, h.scheduleOf("Queue").Skipped)
		queued := h.firings("Queue")
		require.Less(h, h.processOf(queued[1].ProcessID).CreatedAt.Sub(*queued[0].FinishedAt), h.soon+slack)
	})
}

// TestScheduleMissed lets instants pass while the scheduler is stopped, the server is down, and the schedules are disabled.
func TestScheduleMissed(t *testing.T) {
	hours := 3*time.Hour + 30*time.Minute
	for name, pass := range sorted(map[string]func(h *harness, names []string){
		"stopped": func(h *harness, _ []string) {
			require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
			h.pauseUntil(h.now().Truncate(time.Hour).Add(hours))
			require.NoError(h, h.sched.Start(h.Context()))
		},
		"down": func(h *harness, _ []string) {
			h.onSandbox("nobody lets a real server crash")
			h.server.box.CrashAtStatement(1)
			require.True(h, h.untilCrash(h.crashes(), time.Minute))
			h.server.box.SetClock(hours - time.Hour + h.server.box.Now().Truncate(time.Hour).Add(time.Hour).Sub(h.server.box.Now()))
			h.reconnect()
		},
		"disabled": func(h *harness, names []string) {
			for _, n := range names {
				require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), n, false))
			}
			h.pauseUntil(h.now().Truncate(time.Hour).Add(hours))
			for _, n := range names {
				require.Empty(h, h.firings(n))
				require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), n, true))
			}
		},
	}) {
		t.Run(name, func(t *testing.T) {
			each(t, setup{}, func(h *harness) { h.missed(hours, pass) })
		})
	}
}

// missed creates schedules, lets three hours pass, and checks what they make up for.
func (h *harness) missed(hours time.Duration, pass func(h *harness, names []string)) {
	h.Helper()
	hour := h.now().Truncate(time.Hour)
	names := []string{"Once", "None", "All", "often"}
	for _, policy := range names[:3] {
		h.schedule(dialects.NewSchedule{Name: policy, Calendar: "0 * * * *", Missed: policy, Tasks: []dialects.NewTask{h.sleep(1, 10*time.Second)}})
	}
	h.schedule(dialects.NewSchedule{Name: "often", Calendar: "* * * * *", Missed: "All", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
	pass(h, names)
	h.pause(10 * time.Minute)
	require.Equal(h, "Missed Missed Succeeded", h.outcomes("Once"), h.report())
	require.Equal(h, "for all that were missed", h.firings("Once")[2].Detail)
	require.Equal(h, "Missed Missed Missed", h.outcomes("None"))
	require.Equal(h, "Succeeded Succeeded Succeeded", h.outcomes("All"))
	all := h.firings("All")
	for i := range all[1:] { // one after the other
		require.False(h, h.processOf(all[i+1].ProcessID).CreatedAt.Before(*all[i].FinishedAt))
	}
	require.Equal(h, hour.Add(hours+30*time.Minute), *h.scheduleOf("Once").NextAt)

	// The last hundred are made up for, the others share one row.
	often := h.firings("often")
	require.Greater(h, len(often), 100)
	require.Equal(h, "Missed", often[0].Status)
	require.Contains(h, often[0].Detail, "and all others until")
	for _, f := range often[1:98] { // those after them were not late
		require.Equal(h, "Succeeded", f.Status)
	}
	h.requireOnce("All", 1)
	h.requireOnce("often", 1)
}

// TestScheduleByHand fires a disabled schedule, twice.
func TestScheduleByHand(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.schedule(dialects.NewSchedule{Name: "report", Calendar: "0 2 * * *", Disabled: true, Tasks: []dialects.NewTask{h.sleep(1, 5*time.Second)}})
		require.NoError(h, h.sched.RunSchedule(h.Context(), "report"))
		require.NoError(h, h.sched.RunSchedule(h.Context(), "report"))
		h.pause(2*h.soon + 20*time.Second)
		require.Equal(h, "Succeeded Succeeded", h.outcomes("report"), h.report())
		all := h.firings("report")
		require.True(h, all[0].Manual)
		require.False(h, h.processOf(all[1].ProcessID).CreatedAt.Before(*all[0].FinishedAt))
		h.pause(48 * time.Hour)
		require.Len(h, h.firings("report"), 2)
		require.Equal(h, "Disabled", h.scheduleOf("report").Status)
	})
}

// TestScheduleAfterFailure: a firing that waits starts when the one before it ends, even if that one created no process.
func TestScheduleAfterFailure(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.scheduleWithoutResource("")
		for range 3 {
			require.NoError(h, h.sched.RunSchedule(h.Context(), "q"))
		}
		h.pause(h.soon + time.Second)
		require.Equal(h, "Starting Waiting Waiting", h.outcomes("q"))
		require.NoError(h, h.sched.CancelTask(h.Context(), h.tasks()[0].ID))
		h.pause(h.soon + time.Second)
		require.Equal(h, "Cancelled Starting Waiting", h.outcomes("q"))
		h.pause(5 * time.Minute)
		require.Equal(h, "Cancelled Failed Failed", h.outcomes("q"))
	})
}

// TestScheduleDisabledAgain: a disabled schedule is run by hand, and disabled again before it could fire. Nothing waits for it
// then, and others fire.
func TestScheduleDisabledAgain(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.schedule(dialects.NewSchedule{Name: "a", Calendar: "@yearly", Overlap: "Queue", Tasks: []dialects.NewTask{h.sleep(1, 20*time.Second)}})
		h.schedule(dialects.NewSchedule{Name: "b", Calendar: "* * * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "a", false))
		h.pauseUntil(h.now().Truncate(time.Minute).Add(70 * time.Second))
		for range 2 {
			require.NoError(h, h.sched.RunSchedule(h.Context(), "a"))
			h.pause(5 * time.Second) // the first runs, the second waits
		}
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "a", false))
		h.pause(2 * time.Minute)
		require.Equal(h, "Succeeded Skipped", h.outcomes("a"))
		require.Equal(h, "Succeeded Succeeded Succeeded", h.outcomes("b"), h.report())
		require.NoError(h, h.sched.RunSchedule(h.Context(), "a"))
		h.pause(40 * time.Second)
		require.Equal(h, "Succeeded Skipped Succeeded", h.outcomes("a"))
		h.requireNoAlarms()
	})
}

// TestScheduleAltered changes a calendar, a time zone and what is started.
func TestScheduleAltered(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		zone, loc, err := h.sched.Zone(h.Context(), "America/New_York")
		require.NoError(h, err)
		h.schedule(dialects.NewSchedule{Name: "nightly", Calendar: "0 2 * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		now := h.now()
		require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "nightly", Zone: zone}))
		next := *h.scheduleOf("nightly").NextAt
		require.Equal(h, "02:00", next.In(loc).Format("15:04"))
		require.True(h, next.After(now) && next.Before(now.Add(25*time.Hour)))
		require.True(h, strings.HasPrefix(h.scheduleOf("nightly").NextLocal, next.In(loc).Format("2006-01-02 15:04")), h.scheduleOf("nightly").NextLocal)

		require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{
			Name: "nightly", Calendar: "every 20 minutes", Overlap: "Allow", Missed: "None",
			Tasks: []dialects.NewTask{h.task(1, h.say.nothing), h.task(2, h.say.nothing)},
		}))
		h.pause(21*time.Minute + h.soon)
		fired := h.firings("nightly")
		require.Len(h, fired, 1)
		require.EqualValues(h, 2, h.processOf(fired[0].ProcessID).Succeeded)
		s := h.scheduleOf("nightly")
		require.Equal(h, []string{"every 20 minutes", "Allow", "None", zone}, []string{s.Calendar, s.Overlap, s.MissedPolicy, s.Zone})
		require.Equal(h, fired[0].DueAt.Add(20*time.Minute), *s.NextAt)
	})
}

// TestScheduleQueueGoesOn: a firing that waits for the previous one starts when that ends, even if nothing else happens then.
func TestScheduleQueueGoesOn(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		hour := h.now().Truncate(time.Hour).Add(time.Hour)
		h.schedule(dialects.NewSchedule{Name: "q", Calendar: "0,1 * * * *", Overlap: "Queue", Tasks: []dialects.NewTask{h.sleep(1, 95*time.Second)}})
		h.pauseUntil(hour.Add(10 * time.Minute))
		fired := h.firings("q")
		last, before := fired[len(fired)-1], fired[len(fired)-2]
		require.Equal(h, hour.Add(time.Minute), last.DueAt)
		require.Less(h, h.processOf(last.ProcessID).CreatedAt.Sub(*before.FinishedAt), h.soon+slack)
	})
}
