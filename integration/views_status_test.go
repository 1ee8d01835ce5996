package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestAlarmsAreAcknowledged: an alarm counts until somebody acknowledges it, and stays in the list.
func TestAlarmsAreAcknowledged(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		fails := func() {
			p := h.process(dialects.NewProcess{Name: "fails", OnError: "Halt"})
			h.exec(dialects.NewTask{ProcessID: p, Order: 1, SQL: h.say.failing[0].sql})
			h.until(h.soon, "it failed", func() bool { return h.processOf(p).Status == "Failed" })
		}
		list := func(f dialects.Filter) []dialects.Alarm {
			all, err := h.sched.Alarms(h.Context(), f)
			require.NoError(h, err)
			return all
		}
		require.Zero(h, h.status().Alarms)
		fails()
		fails()
		require.EqualValues(h, 2, h.status().Alarms)
		first := list(dialects.Filter{})[0]
		require.Equal(h, "ProcessFailed", first.Kind)
		require.NotZero(h, first.ProcessID)
		require.Nil(h, first.AcknowledgedAt)

		require.NoError(h, h.sched.AcknowledgeAlarms(h.Context(), first.ID))
		require.EqualValues(h, 1, h.status().Alarms)
		require.Len(h, list(dialects.Filter{Unacknowledged: true}), 1)
		require.Len(h, list(dialects.Filter{}), 2)
		first = list(dialects.Filter{})[0]
		require.NotNil(h, first.AcknowledgedAt)
		require.NotEmpty(h, first.AcknowledgedBy)

		fails()
		fails()
		all := list(dialects.Filter{Unacknowledged: true})
		require.Len(h, all, 3)
		kinds, err := h.sched.AlarmKinds(h.Context())
		require.NoError(h, err)
		require.Equal(h, map[string]int64{"ProcessFailed": 3}, kinds)
		for range 2 { // the second time, it is acknowledged
			require.NoError(h, h.sched.AcknowledgeAlarm(h.Context(), all[1].ID))
			left := list(dialects.Filter{Unacknowledged: true})
			require.Len(h, left, 2, "one alarm, and none before it")
			require.Equal(h, []int64{all[0].ID, all[2].ID}, []int64{left[0].ID, left[1].ID})
		}

		require.NoError(h, h.sched.AcknowledgeAlarms(h.Context(), 0))
		require.Zero(h, h.status().Alarms)
		require.NoError(h, h.sched.Purge(h.Context(), 0))
		require.Empty(h, list(dialects.Filter{}))
	})
}

// TestStatusSaysWhatBlocks: status does not claim to work when it cannot.
func TestStatusSaysWhatBlocks(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		require.Empty(h, h.status().Blocked)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		require.Equal(h, dialects.NoWorkers, h.status().Blocked)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 1))
		require.Empty(h, h.status().Blocked)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.Equal(h, dialects.Stopped, h.status().Blocked)
		h.pause(time.Hour)
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(10 * time.Second)
		require.Empty(h, h.status().Blocked)
		h.pause(time.Hour)
		require.Empty(h, h.status().Blocked, "an idle scheduler works")
	})
}

// TestOptionsAreShown: a change shows, the rest stays.
func TestOptionsAreShown(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		before, err := h.sched.Options(h.Context())
		require.NoError(h, err)
		days := int64(7)
		require.NoError(h, h.sched.SetOptions(h.Context(), dialects.Options{RetentionDays: &days}))
		before.RetentionDays = &days
		now, err := h.sched.Options(h.Context())
		require.NoError(h, err)
		require.Equal(h, before, now)
	})
}
