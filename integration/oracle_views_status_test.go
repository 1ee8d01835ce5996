package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleStatusDispatcherGone: somebody disabled the dispatcher's job.
func TestOracleStatusDispatcherGone(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.pause(time.Minute)
		s := h.session()
		s.exec("begin dbms_scheduler.disable('DS_DISPATCHER', force => true); dbms_scheduler.stop_job('DS_DISPATCHER', force => false); end;")
		h.pause(5 * time.Minute)
		require.Equal(h, dialects.NoDispatcher, h.status().Blocked)
	})
}
