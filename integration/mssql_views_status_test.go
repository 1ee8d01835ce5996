package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLStatusBrokerOff: started, but nothing can run.
func TestMSSQLStatusBrokerOff(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.turn("DISABLE_BROKER")
		_, _ = h.sched.Status(h.Context()) // notices that its connection was closed
		require.Equal(h, dialects.BrokerOff, h.status().Blocked)
	})
}

// TestMSSQLStatusDispatcherGone: somebody ended the timer's conversation.
func TestMSSQLStatusDispatcherGone(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.pause(time.Minute)
		h.session().exec("DECLARE @h uniqueidentifier = (SELECT TimerHandle FROM dbsched.Settings); END CONVERSATION @h WITH CLEANUP;")
		h.pause(5 * time.Minute)
		require.Equal(h, dialects.NoDispatcher, h.status().Blocked)
	})
}
