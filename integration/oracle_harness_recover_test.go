package integration

import (
	"time"

	"github.com/stretchr/testify/require"
)

// untilCrash lets the server's clock run until the instance has crashed and is up again, at most for limit, and reports whether it has.
func (h *harness) untilCrash(before int, limit time.Duration) bool {
	h.Helper()
	for ; limit > 0; limit -= time.Second {
		if _, err := h.clock.ExecContext(h.Context(), h.say.pause(time.Second)); err == nil {
			continue
		}
		for range 1000 { // each query moves the engine one step further
			if h.crashes() > before {
				return true
			}
		}
		require.Fail(h, "the instance does not come up again")
	}
	return false
}

// crashes counts the crashes of the instance.
func (h *harness) crashes() int {
	h.Helper()
	return h.server.box.Crashes()
}

// reconnect opens new sessions to replace the lost ones.
func (h *harness) reconnect() {
	h.Helper()
	_ = h.clock.Close()
	_ = h.sched.Close()
	h.startClock()
	h.sched = h.open(h.schema)
}
