package integration

import (
	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

// installNow installs into a bare database and starts.
func (h *harness) installNow(lanes int) {
	h.Helper()
	_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: lanes})
	require.NoError(h, err)
	require.NoError(h, h.sched.SetWorkers(h.Context(), lanes))
	require.NoError(h, h.sched.Start(h.Context()))
}

// requireNoAlarms requires that nothing happened that a person should look at.
func (h *harness) requireNoAlarms() {
	h.Helper()
	require.Empty(h, h.session().rows(h.say.alarms))
}
