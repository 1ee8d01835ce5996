package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// TestMSSQLCopy: in a copy nothing runs until somebody allows it, whoever tries: a backup restored on another server, a file attached beside
// the original, a database restored under its own name after it had been dropped.
func TestMSSQLCopy(t *testing.T) {
	for name, set := range map[string]string{
		"restored elsewhere": "HomeServer = N'PROD'",
		"attached beside":    "HomeDatabase = N'Original'",
	} {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 2}, func(h *harness) {
				h.withHook("")
				h.runsNothingAsCopy("UPDATE dbsched.Settings SET "+set+";", "51019", " on ")
			})
		})
	}
	t.Run("restored under its name", func(t *testing.T) {
		onMSSQL(t, setup{lanes: 1}, func(h *harness) {
			h.comesFrom("HomeGuid = NEWID()")
			require.ErrorContains(h, h.sched.Start(h.Context()), "51019")
			require.NoError(h, h.sched.StartHere(h.Context()))
			h.comesFrom("HomeGuid = NULL")
			require.NoError(h, h.sched.Start(h.Context()), "what could not be read counts neither way")
		})
	})
}

// TestMSSQLFailoverIsNoCopy: in an availability group the database is the same on every replica, even if it joined the group while
// the scheduler ran.
func TestMSSQLFailoverIsNoCopy(t *testing.T) {
	box := func(o *sandbox.Options) { o.Group = [16]byte{1} }
	onMSSQL(t, setup{lanes: 2, box: box}, func(h *harness) {
		s := h.session()
		h.comesFrom("HomeGroupId = NULL") // as before it joined
		h.pause(3 * time.Minute)
		for range 2 {
			h.comesFrom("HomeServer = N'REPLICA'")
			require.Empty(h, h.status().CopyOf)
			h.exec(h.task(1, h.say.nothing))
			h.drain(10 * time.Second)
			require.Equal(h, "SANDBOX", s.value("SELECT x.HomeServer FROM dbsched.Settings AS x;"))
		}
		h.requireNoAlarms()
		h.comesFrom("HomeServer = N'REPLICA', HomeGroupId = NEWID()")
		require.ErrorContains(h, h.sched.Start(h.Context()), "51019", "another group's")
	})
}
