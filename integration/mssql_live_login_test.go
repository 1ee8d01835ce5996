package integration

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// schemeOfLogin reads how the server has authenticated the session of h.login.
const schemeOfLogin = "SELECT c.auth_scheme FROM sys.dm_exec_connections AS c JOIN sys.dm_exec_sessions AS e ON e.session_id = c.session_id WHERE e.program_name = N'" + loginProgram + "';"

// TestLiveMSSQLIntegratedLogin: does a DSN without a user log in with the ticket from kinit, on Windows as the user of the session?
// DBSCHED_TEST_MSSQL_INTEGRATED_DSN is such a DSN.
//   - KERBEROS: as it should.
//   - NTLM: on Windows, where the SPN is not registered, or client and server are one machine. It works.
//   - refused: the message says what to do. If it does not, add the error to dialects/mssql/kerberos.go.
//
// The sandbox has no domain, and refuses a domain user, whom the driver logs in with NTLM.
func TestLiveMSSQLIntegratedLogin(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		dsn := h.loginDSN("DBSCHED_TEST_MSSQL_INTEGRATED_DSN")
		if dsn == "" {
			err := h.login(h.server.dsnOf(loginProgram, `EXAMPLE\anna`, "x"))
			require.ErrorContains(h, err, "Msg 18452")
			require.ErrorContains(h, err, "kinit USER@REALM")
			return
		}
		require.NoError(h, h.login(dsn))
		got := h.admin().value(schemeOfLogin)
		h.Logf("LIVE an integrated login: %s", got)
		require.Contains(h, []string{"KERBEROS", "NTLM"}, got)
	})
}

// TestLiveMSSQLEntraLogin: does a DSN with fedauth log in with Entra ID? DBSCHED_TEST_MSSQL_ENTRA_DSN is such a DSN; the server must be
// Managed Instance, or SQL Server 2022 or later with Entra ID.
//   - any scheme: the login works. No page says what auth_scheme such a session has.
//   - refused: the message says what to do. If it does not, add the error to dialects/mssql/entra.go.
//
// The sandbox has no such logins, and the driver reports that.
func TestLiveMSSQLEntraLogin(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		dsn := h.loginDSN("DBSCHED_TEST_MSSQL_ENTRA_DSN")
		if dsn == "" {
			u, err := url.Parse(h.server.dsnAs(loginProgram))
			require.NoError(h, err)
			q := u.Query()
			q.Set("fedauth", "ActiveDirectoryDefault")
			u.User, u.RawQuery = nil, q.Encode()
			require.ErrorContains(h, h.login(u.String()), "The server does not accept Entra ID logins.")
			return
		}
		require.NoError(h, h.login(dsn))
		h.Logf("LIVE a login by Entra ID: %s", h.admin().value(schemeOfLogin))
	})
}
