package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDefaultTimeout: a task that names no time limit has the default one of when it was added, however it was added.
func TestDefaultTimeout(t *testing.T) {
	each(t, setup{lanes: 4}, func(h *harness) {
		h.mayKill()
		s := h.session()
		before := h.exec(h.sleep(1, 40*time.Second))[0]
		s.exec(h.say.options(map[string]int{"DefaultTimeoutSeconds": 7}))
		h.exec(h.task(0, h.say.nothing))
		one := h.exec(h.sleep(1, time.Hour))[0]
		many := s.ids(batchOf(h, map[string]any{"SQL": h.dialect.Sleep(time.Hour), "ExecutionOrder": 1},
			map[string]any{"SQL": h.dialect.Sleep(20 * time.Second), "ExecutionOrder": 1, "TimeoutSeconds": 60}))
		s.exec(h.say.options(map[string]int{"DefaultTimeoutSeconds": 0}))
		after := h.exec(h.sleep(1, 40*time.Second))[0]
		h.drain(5 * time.Minute)
		require.Equal(h, []string{"Succeeded", "TimedOut", "TimedOut", "Succeeded", "Succeeded"}, h.statuses([]int64{before, one, many[0], many[1], after}))
	})
}
