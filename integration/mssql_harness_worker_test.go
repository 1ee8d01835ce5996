package integration

import (
	"fmt"
	"time"
)

// untilWaiting waits until n sessions wait for others.
func (h *harness) untilWaiting(n int, what string) {
	h.Helper()
	h.until(10*time.Second, what, func() bool {
		return h.server.value("SELECT COUNT(*) FROM sys.dm_exec_requests WHERE blocking_session_id <> 0;") == fmt.Sprint(n)
	})
}
