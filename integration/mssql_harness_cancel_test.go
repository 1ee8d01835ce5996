package integration

import (
	"fmt"

	"github.com/stretchr/testify/require"
)

// dropKillLogin removes what the kill script leaves outside the database.
func (h *harness) dropKillLogin() {
	h.Cleanup(func() {
		db := h.server.open("dbsched-test")
		defer db.Close()
		var database string
		if db.QueryRow("SELECT DB_NAME();").Scan(&database) == nil {
			_, _ = db.Exec(fmt.Sprintf("DROP LOGIN [dbsched_kill in %[1]s]; EXEC (N'USE master; DROP CERTIFICATE [dbsched_kill in %[1]s];');", database))
		}
	})
}

// lane returns the session that works in a lane.
func (h *harness) lane(id int) string {
	h.Helper()
	lanes, err := h.sched.Lanes(h.Context())
	require.NoError(h, err)
	return fmt.Sprint(lanes[id-1].SessionID)
}
