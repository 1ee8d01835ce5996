package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLLongHalt: while a process with very many tasks is being halted, others go on, and the sweep does not wait.
func TestMSSQLLongHalt(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halting"})
		later := h.process(dialects.NewProcess{Name: "later"})
		s, other := h.session(), h.session()
		s.begin()
		s.exec(h.say.enqueue(p, 1, h.say.nothing)) // enqueued before, committed while it is halted
		halting := h.session()
		halting.begin()
		// As HaltProcess does first.
		halting.exec(fmt.Sprintf("UPDATE dbsched.Processes SET Status = 'Failed', FinishedAt = SYSUTCDATETIME(), HasWork = 0 WHERE ProcessId = %d;", p))
		s.commit()
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: later})[0]
		h.startsWithin(id, h.now(), time.Second)
		other.exec("SET LOCK_TIMEOUT 2000; EXEC dbsched.Sweep;")
		mine := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(mine, h.now(), time.Second)
		halting.commit()
		other.exec("EXEC dbsched.Sweep;")
		require.Equal(h, [][]string{{"LateTask", fmt.Sprint(p)}}, other.rows("SELECT Kind, ProcessId FROM dbsched.AlarmInfo;"))
	})
}
