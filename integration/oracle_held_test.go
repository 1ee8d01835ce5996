package integration

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleClaimsBesideHeldProcess: while another session holds the row of a process that has work, as one does that halts it with very many tasks,
// claims of other processes' tasks hardly wait.
func TestOracleClaimsBesideHeldProcess(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		held, other := h.process(dialects.NewProcess{Name: "held"}), h.process(dialects.NewProcess{Name: "other"})
		h.exec(h.sleep(1, 5*time.Second))
		h.untilRunning(1, h.ordered())
		late := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: held})[0]
		h.pause(time.Second) // the dispatcher knows it, and has no lane to give
		holds := h.session()
		holds.begin()
		holds.exec(fmt.Sprintf("update ds_processes p set p.weight = p.weight where p.process_id = %d", held))
		ids := h.exec(slices.Repeat([]dialects.NewTask{{SQL: h.say.nothing, Order: 1, ProcessID: other}}, 5)...)
		h.until(30*time.Second, "they have run", func() bool { return h.statusOf(ids[4]) == "Succeeded" })
		require.Less(h, h.logsOf(ids[4])[0].StartedAt.Sub(h.logsOf(ids[0])[0].StartedAt), time.Second)
		holds.rollback()
		h.startsWithin(late, h.now(), time.Second)
		h.requireNoAlarms()
	})
}
