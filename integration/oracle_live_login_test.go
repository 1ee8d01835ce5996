package integration

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// kindOfLogin reads how the database has authenticated the session of h.login, and over which protocol. Every session has several rows.
const kindOfLogin = `select max(c.authentication_type) || ', ' || max(case when c.network_service_banner like '%TCP%' then 'TCP' end)
from v$session_connect_info c
join v$session s on s.sid = c.sid and s.serial# = c.serial#
where s.program = '` + loginProgram + "'"

// TestLiveOracleTNSName: does a name from tnsnames.ora lead where it leads SQL*Plus? DBSCHED_TEST_ORACLE_TNS_DSN is a DSN with a name,
// like oracle://app:password@PROD, and TNS_ADMIN the folder.
//   - yes: the listener accepts the whole descriptor, with several addresses and load balancing, as the driver sends it.
//   - refused: the listener accepts less than SQL*Plus would send; the driver's connStr has to be cut down to one address.
//
// The sandbox gets the address to which a name would resolve.
func TestLiveOracleTNSName(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		dsn := h.loginDSN("DBSCHED_TEST_ORACLE_TNS_DSN")
		if dsn == "" {
			u, err := url.Parse(h.server.dsnAs(loginProgram))
			require.NoError(h, err)
			q := u.Query()
			q.Set("connStr", "(DESCRIPTION=(ADDRESS_LIST=(LOAD_BALANCE=on)(FAILOVER=on)(ADDRESS=(PROTOCOL=tcp)(HOST="+u.Hostname()+")(PORT="+u.Port()+
				"))(ADDRESS=(PROTOCOL=tcp)(HOST="+u.Hostname()+")(PORT=1)))(CONNECT_DATA=(SERVER=DEDICATED)(SERVICE_NAME="+u.Path[1:]+")))")
			u.Host, u.Path, u.RawQuery = ":0", "/", q.Encode()
			require.NoError(h, h.login(u.String()))
			return
		}
		require.NoError(h, h.login(dsn))
		h.Logf("LIVE a login by a TNS name: %s", h.admin().value(kindOfLogin))
	})
}

// TestLiveOracleWallet: does a wallet log in, with a password that it holds for the user, or over TLS with its certificates?
// DBSCHED_TEST_ORACLE_WALLET_DSN is a DSN with WALLET=folder, and SSL=true for TLS.
//   - yes: nothing more to do.
//   - the DSN cannot be used: the driver cannot read that wallet; docs/cli.md has to say which ones it can.
//
// The sandbox speaks no TLS, and only Oracle's tools create wallets: it shows nothing here.
func TestLiveOracleWallet(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		dsn := h.loginDSN("DBSCHED_TEST_ORACLE_WALLET_DSN")
		if dsn == "" {
			h.Skip("DBSCHED_TEST_ORACLE_WALLET_DSN is of a real server")
		}
		require.NoError(h, h.login(dsn))
		h.Logf("LIVE a login by a wallet: %s", h.admin().value(kindOfLogin))
	})
}
