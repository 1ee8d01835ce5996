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

// TestOracleDispatcherBesideHeldProcess: whatever the dispatcher has to do for a process that another session holds, it does the rest, and that
// later.
func TestOracleDispatcherBesideHeldProcess(t *testing.T) {
	onOracle(t, setup{lanes: 4}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "held", OnError: "Continue"})
		ids := h.exec(
			dialects.NewTask{SQL: h.dialect.Sleep(time.Hour), Order: 1, ProcessID: p, Timeout: 15 * time.Second},
			dialects.NewTask{SQL: h.dialect.Sleep(30 * time.Second), Order: 1, ProcessID: p},
		)
		mine := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Minute), Order: 1, Timeout: 16 * time.Second})[0]
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.untilRunning(3, h.ordered())
		h.pause(2 * time.Second) // the request is applied
		holds := h.session()
		holds.begin()
		holds.exec(fmt.Sprintf("update ds_processes p set p.weight = p.weight where p.process_id = %d", p))
		h.killWorker(ids[1])
		h.until(40*time.Second, "another's attempt ends", func() bool { return h.statusOf(mine) == "TimedOut" })
		h.pause(time.Minute)                                                                     // a sweep
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), h.ordered()+12*time.Second) // its lane waits ten seconds to record its dead worker's attempt
		holds.rollback()
		h.until(2*time.Minute, "it ends", func() bool { return h.processOf(p).Status == "Failed" })
		require.Equal(h, "TimedOut", h.statusOf(ids[0]))
		require.Equal(h, "Succeeded", h.statusOf(ids[1]))
		h.requireNoAlarms()
	})
}
