package integration

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox"
)

// marks creates the table that marking tasks write to.
func (h *harness) marks() *session {
	h.Helper()
	s := h.session()
	for _, m := range h.say.marks {
		s.exec(m)
	}
	return s
}

// recovers ends it.
func (h *harness) recovers() { h.Helper(); h.site(sandbox.Site{}) }

// reasonOf is why a task waits.
func (h *harness) reasonOf(task int64) (reason string) {
	h.Helper()
	for _, t := range h.tasks() {
		if t.ID == task {
			reason = t.Status + " " + t.Reason
		}
	}
	return reason
}

// attempts are the outcomes of a task's attempts.
func (h *harness) attempts(task int64) string {
	h.Helper()
	var all []string
	for _, l := range h.logsOf(task) {
		all = append(all, l.Outcome)
	}
	return strings.Join(all, " ")
}
