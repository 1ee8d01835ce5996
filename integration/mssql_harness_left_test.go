package integration

import (
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
)

// requireHints requires that nothing that the scenario ran in dbsched's units left what it locks, or whether its commit outlasts a crash, to the
// server, to settings of the database or to the caller. Who waits for such a lock finds out only on a busy server.
func (h *harness) requireHints() {
	h.Helper()
	require.Empty(h, sandboxtest.LeftOpen(h.schema, h.server.box.Left()), "what statements leave open")
}
