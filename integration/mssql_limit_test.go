package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestMSSQLWorkersAtOnce: idle lanes that look at the same moment (wake-ups that a Stop or an earlier assignment left
// behind) are not more than SetWorkers allows, and not fewer for long.
func TestMSSQLWorkersAtOnce(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			onMSSQL(t, setup{lanes: 8, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				const allowed = 2
				var first []dialects.NewTask
				for range 8 {
					first = append(first, h.sleep(1, time.Second))
				}
				h.exec(first...)
				h.drain(10 * time.Second)
				require.NoError(h, h.sched.SetWorkers(h.Context(), allowed))
				h.pause(time.Second)

				var text strings.Builder
				for range 8 {
					text.WriteString(h.say.enqueue(0, 2, h.dialect.Sleep(time.Second)))
				}
				text.WriteString("UPDATE dbsched.Processes SET HasWork = 1 WHERE ProcessId = 1;")
				for lane := range 8 {
					fmt.Fprintf(&text, "EXEC dbsched.SendLaneWake %d;", lane+1)
				}
				s := h.session()
				s.begin()
				s.exec(text.String())
				s.commit()
				h.drain(time.Minute)
				second := h.logs()[8:]
				require.Len(h, second, 8)
				require.Equal(h, allowed, overlap(second), h.report())
				h.requireNoAlarms()
			})
		})
	}
}
