package integration

import (
	"github.com/dbsched/dbsched/dialects"
)

// uninstall uninstalls.
func (h *harness) uninstall(o dialects.UninstallOptions) error {
	h.Helper()
	_, err := h.sched.Uninstall(h.Context(), o)
	return err
}
