package integration

import (
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// brief is how long a task of these scenarios takes.
const brief = 2 * time.Second

// sleeps are n tasks of a wave.
func (h *harness) sleeps(n, order int) (tasks []dialects.NewTask) {
	for range n {
		tasks = append(tasks, h.sleep(order, brief))
	}
	return tasks
}

// began returns the tasks in the order in which their attempts began.
func (h *harness) began() (ids []int64) {
	h.Helper()
	for _, l := range h.logs() {
		ids = append(ids, l.TaskID)
	}
	return ids
}

// add enqueues a task in the session's transaction.
func (s *session) add(order int) int64 {
	s.h.Helper()
	return number(s.h, s.ask(s.h.say.enqueueReturn(0, order, s.h.dialect.Sleep(brief))))
}

// untilBegun waits until a task runs.
func (h *harness) untilBegun(task int64) {
	h.Helper()
	h.until(time.Minute, "the task begins", func() bool { return len(h.logsOf(task)) > 0 })
}
