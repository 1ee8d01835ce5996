package integration

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMSSQLWhoIsToldThatNothingEndsSessions: until the kill script has been run, who may see signatures is told; others, who would see none
// either way, are not.
func TestMSSQLWhoIsToldThatNothingEndsSessions(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.dropKillLogin()
		command, err := h.sched.EndCommand(h.Context())
		require.NoError(h, err)
		require.Contains(h, command, "dbsched render --kill-script")
		const seen = "SELECT HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'VIEW DEFINITION');"
		h.user("Eve")
		require.Equal(h, "0", h.as("Eve").value(seen))
		require.Equal(h, "1", h.session().value(seen))
		h.mayKill()
		command, err = h.sched.EndCommand(h.Context())
		require.NoError(h, err)
		require.Empty(h, command)
	})
}
