package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// scheduleCounts reads what the screens show about schedules.
func (h *harness) scheduleCounts() dialects.ScheduleCounts {
	h.Helper()
	c, err := h.sched.ScheduleCounts(h.Context())
	require.NoError(h, err)
	return c
}

// TestScheduleCounts counts schedules, and verify finds those that do not fire: because the scheduler, the row or the owner is not available.
func TestScheduleCounts(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.mayFail = true // the dispatcher, while another session holds the row
		require.Equal(h, dialects.ScheduleCounts{}, h.scheduleCounts())
		require.Equal(h, []dialects.Check{{Name: "schedules", Level: dialects.OK, Text: "none"}}, h.scheduleChecks())

		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		h.schedule(dialects.NewSchedule{Name: "daily", Calendar: "30 2 * * *", Tasks: nothing})
		h.schedule(dialects.NewSchedule{Name: "hourly", Calendar: "@hourly", Tasks: nothing})
		h.schedule(dialects.NewSchedule{Name: "off", Calendar: "* * * * *", Tasks: nothing, Disabled: true})
		hour := h.now().Truncate(time.Hour).Add(time.Hour)
		require.Equal(h, dialects.ScheduleCounts{Enabled: 2, Disabled: 1, NextAt: &hour, Next: "hourly"}, h.scheduleCounts())

		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pauseUntil(hour.Add(59 * time.Second))
		require.Zero(h, h.scheduleCounts().Late)
		h.pauseUntil(hour.Add(2 * time.Minute))
		require.Equal(h, dialects.ScheduleCounts{Enabled: 2, Disabled: 1, Late: 1, NextAt: &hour, Next: "hourly"}, h.scheduleCounts())
		require.Equal(h, []dialects.Check{{
			Name: "schedules", Level: dialects.Info, Text: "due, but the scheduler is stopped: hourly", Means: "They fire when it runs again, as their policy for missed firings says.", Remedy: "dbsched start",
		}}, h.scheduleChecks())
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(h.soon + 10*time.Second)
		hour = hour.Add(time.Hour)
		require.Equal(h, dialects.ScheduleCounts{Enabled: 2, Disabled: 1, NextAt: &hour, Next: "hourly"}, h.scheduleCounts())
		require.Equal(h, []dialects.Check{{Name: "schedules", Level: dialects.OK, Text: "2 enabled, 1 paused"}}, h.scheduleChecks())

		holder := h.session()
		holder.begin()
		holder.exec(h.changeSchedule("Weight = 2", "hourly"))
		h.pauseUntil(hour.Add(130 * time.Second))
		late := h.scheduleChecks()
		require.Len(h, late, 1)
		require.Equal(h, dialects.Fail, late[0].Level, late)
		require.Regexp(h, `^late by up to 2m\d+s: hourly$`, late[0].Text)
		require.EqualValues(h, 1, h.scheduleCounts().Late)
		holder.rollback()
		h.pause(2 * time.Minute)
		require.Equal(h, dialects.OK, h.scheduleChecks()[0].Level)

		h.session().exec(h.changeSchedule("Status = 'Suspended', Reason = 'its owner is gone'", "daily"))
		c := h.scheduleCounts()
		require.EqualValues(h, []int64{1, 1, 1}, []int64{c.Enabled, c.Disabled, c.Suspended})
		require.Equal(h, []dialects.Check{{
			Name: "schedules", Level: dialects.Warn, Text: "suspended: daily", Means: "It does not fire: its owner is gone.", Remedy: `dbsched schedule resume "daily"`,
		}}, h.scheduleChecks())
		h.session().exec(h.changeSchedule("Status = 'Suspended'", "hourly"))
		require.Equal(h, "suspended: daily, hourly", h.scheduleChecks()[0].Text)
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "daily", true))
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "hourly", true))
		require.Equal(h, dialects.OK, h.scheduleChecks()[0].Level)
	})
}
