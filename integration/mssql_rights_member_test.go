package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLMemberOfDbOwner: who is a member of db_owner, and not dbo, installs, upgrades, checks and uninstalls: what is denied to public,
// this user included, dbsched does as its owner.
func TestMSSQLMemberOfDbOwner(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		login, password := fmt.Sprintf("dbsched_test_%d", h.now().UnixNano()), fmt.Sprintf("Pw-%d-x", h.now().UnixNano())
		s.exec("CREATE LOGIN " + login + " WITH PASSWORD = '" + password + "';")
		h.dropLogin(login)
		s.exec("CREATE USER olga FOR LOGIN " + login + "; ALTER ROLE db_owner ADD MEMBER olga;")
		before := h.inventory()
		open := func(target dialects.Target) dialects.Scheduler {
			target.Dial, target.DSN, target.Schema = h.server.dial(), h.server.dsnOf("dbsched-test", login, password), "dbsched"
			sched, err := h.dialect.Open(h.Context(), target)
			require.NoError(h, err)
			h.Cleanup(func() { _ = sched.Close() })
			return sched
		}
		olga := open(dialects.Target{})
		for range 2 {
			_, err := olga.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
			require.NoError(h, err)
		}
		require.NoError(h, olga.Start(h.Context()))
		h.exec(h.sleep(1, 20*time.Second))
		h.untilRunning(1, 2*h.restart)
		checks, err := olga.Verify(h.Context(), dialects.VerifyOptions{ProbeTimeout: time.Minute})
		require.NoError(h, err)
		for _, c := range checks {
			require.NotEqual(h, dialects.Fail, c.Level, "%+v", c)
			require.NotContains(h, c.Text, "not checked: this requires membership", c.Name)
		}
		upgrade := open(dialects.Target{Later: h.later()})
		_, err = upgrade.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		h.drain(time.Minute)
		require.NoError(h, h.sched.Start(h.Context()))
		h.exec(h.sleep(1, 5*time.Second))
		h.untilRunning(1, 2*h.restart)
		_, err = olga.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, before, h.inventory())
	})
}
