package mssql

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/integratedauth/krb5"
	"github.com/microsoft/go-mssqldb/msdsn"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
	"github.com/dbsched/dbsched/internal/logintest"
	"github.com/dbsched/dbsched/sandbox"
)

// silences are servers that start a login, and go no further.
var silences = map[string][]byte{
	"nothing":        nil,
	"half a packet":  {4, 1, 0, 43, 0},
	"no TLS":         {4, 1, 0, 26, 0, 0, 0, 0, 0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 1}, // response to the prelogin: encryption is on
	"half a TLS":     {4, 1, 0, 26, 0, 0, 0, 0, 0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 1, 4, 1, 0, 99, 0, 0, 0, 0, 22, 3, 3},
	"no login":       {4, 1, 0, 26, 0, 0, 0, 0, 0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2}, // no encryption
	"half the login": {4, 1, 0, 26, 0, 0, 0, 0, 0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2, 4, 0, 0, 99, 0, 0, 1, 0, 0xad},
}

// TestASilentServer: a login takes no longer than the DSN allows, whatever the server has sent before.
func TestASilentServer(t *testing.T) {
	for name, answer := range silences {
		for _, option := range []string{"connection+timeout=1", "dial+timeout=1"} {
			t.Run(name+", "+option, func(t *testing.T) {
				t.Parallel()
				s := logintest.Start(t, answer)
				begun := time.Now()
				_, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: "sqlserver://sa:hush@" + s.Addr + "?" + option, Schema: "dbsched"})
				require.ErrorAs(t, err, new(*dialects.ConnectError))
				require.EqualError(t, err, "cannot connect to "+s.Addr+" as sa: the server accepted the connection but did not complete the login within 1s\n"+
					login.Hint(&login.TimeoutError{Connected: true}, words))
				require.Less(t, time.Since(begun), 10*time.Second)
				logintest.Soon(t, s.Gone, "the connection stays open")
			})
		}
	}
}

// TestInterruptedBeforeTheServerAnswers: Ctrl-C ends the login at once.
func TestInterruptedBeforeTheServerAnswers(t *testing.T) {
	for name, answer := range silences {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := logintest.Start(t, answer)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-s.Taken; cancel() }()
			_, err := Dialect{}.Open(ctx, dialects.Target{DSN: "sqlserver://sa:hush@" + s.Addr + "?connection+timeout=0", Schema: "dbsched"})
			require.ErrorIs(t, err, context.Canceled)
			logintest.Soon(t, s.Gone, "the connection stays open")
		})
	}
}

func TestTimeoutOfTheDSN(t *testing.T) {
	for dsn, want := range map[string]struct{ all, dial time.Duration }{
		"sqlserver://h":                                              {15 * time.Second, -1},
		"sqlserver://h?dial+timeout=40":                              {40 * time.Second, 40 * time.Second},
		"sqlserver://h?dial+timeout=0":                               {0, -1},
		"sqlserver://h?connection+timeout=60":                        {time.Minute, -1},
		"sqlserver://h?Connection+Timeout=0":                         {0, -1},
		"sqlserver://h?connection+timeout=60&dial+timeout=9":         {time.Minute, 9 * time.Second},
		"sqlserver://h?failoverpartner=p&connection+timeout=60":      {time.Minute, 30 * time.Second},
		"sqlserver://h?fedauth=ActiveDirectoryDefault":               {30 * time.Second, -1},
		"sqlserver://h?fedauth=activedirectoryinteractive":           {5 * time.Minute, -1},
		"sqlserver://h?fedauth=ActiveDirectoryMSI&dial+timeout=3":    {3 * time.Second, 3 * time.Second},
		"sqlserver://h?failoverpartner=p&failoverport=2&database=db": {15 * time.Second, 7500 * time.Millisecond},
	} {
		got, err := parseDSN(dsn)
		require.NoError(t, err, dsn)
		require.Equal(t, want.all, got.timeout, dsn)
		require.Equal(t, want.dial, got.config.DialTimeout, dsn)
		require.Zero(t, got.config.ConnTimeout, "%s: it would end statements that take longer", dsn)
	}
}

// TestPasswordsThatAreAskedFor: only logins that need one ask for it, and it reaches the server.
func TestPasswordsThatAreAskedFor(t *testing.T) {
	for dsn, want := range map[string]bool{
		"sqlserver://sa@h":                     true,
		"sqlserver://h?user+id=sa":             true,
		"sqlserver://EXAMPLE%5Canna@h":         true,
		"sqlserver://sa:x@h":                   false,
		"sqlserver://sa:@h":                    false,
		"sqlserver://sa@h?password=x":          false,
		"sqlserver://h":                        false,
		"sqlserver://svc@h?authenticator=krb5": false,
		"sqlserver://anna%40example.com@h?fedauth=ActiveDirectoryPassword&applicationclientid=1":               true,
		"sqlserver://client%40tenant@h?fedauth=ActiveDirectoryServicePrincipal":                                true,
		"sqlserver://client%40tenant@h?fedauth=ActiveDirectoryServicePrincipal&clientcertpath=c.pem":           false,
		"sqlserver://h?fedauth=ActiveDirectoryDefault":                                                         false,
		"sqlserver://11111111-1111-1111-1111-111111111111@h?fedauth=ActiveDirectoryManagedIdentity":            false,
		"sqlserver://h?fedauth=ActiveDirectoryServicePrincipalAccessToken":                                     true,
		"sqlserver://h?fedauth=ActiveDirectoryServicePrincipalAccessToken&password=ey":                         false,
		"sqlserver://client%40tenant@h?fedauth=ActiveDirectoryOnBehalfOf&userassertion=u&clientassertion=c":    false,
		"sqlserver://client%40tenant@h?fedauth=ActiveDirectoryOnBehalfOf&userassertion=u&clientcertpath=c.pem": false,
	} {
		got, err := parseDSN(dsn)
		require.NoError(t, err, dsn)
		require.Equal(t, want, got.needsPassword(), dsn)
	}

	box, err := sandbox.Start(t.Context(), sandbox.Options{Dialect: "mssql"})
	require.NoError(t, err)
	t.Cleanup(func() { box.Close() })
	u, err := url.Parse(box.DSN())
	require.NoError(t, err)
	right, _ := u.User.Password()
	u.User = url.User(u.User.Username())
	try := func(password string) error {
		asked := 0
		s, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: u.String(), Schema: "dbsched", Password: func(_ context.Context, l dialects.Login) (string, error) {
			asked++
			require.Contains(t, l.Name, u.Host)
			require.False(t, l.Runner)
			return password, nil
		}})
		require.Equal(t, 1, asked)
		if err == nil {
			require.NoError(t, s.Close())
		}
		return err
	}
	require.NoError(t, try(right))
	err = try("hush")
	require.ErrorContains(t, err, "Msg 18456")
	require.ErrorContains(t, err, "DBSCHED_PASSWORD")
	require.NotContains(t, err.Error(), "hush")
	_, err = Dialect{}.Open(t.Context(), dialects.Target{DSN: u.String(), Schema: "dbsched", Password: func(context.Context, dialects.Login) (string, error) {
		return "", errors.New("nobody is there")
	}})
	require.EqualError(t, err, "nobody is there")
}

// TestIntegratedLogin: a DSN without a user is one, with the existing ticket.
func TestIntegratedLogin(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("Windows logs in as the user of the session, without tickets of ours")
	}
	dir := t.TempDir()
	cache := filepath.Join(dir, "cc")
	require.NoError(t, os.WriteFile(cache, nil, 0o600))
	for _, c := range []struct{ dsn, ccname, by, cache, problem string }{
		{"sqlserver://h", cache, "krb5", cache, ""},
		{"sqlserver://h", "FILE:" + cache, "krb5", cache, ""},
		{"sqlserver://h", "", "krb5", fmt.Sprintf("/tmp/krb5cc_%d", os.Getuid()), ""},
		{"sqlserver://h", "KEYRING:persistent:1000", "", "", "KRB5CCNAME points to a ticket cache of kind KEYRING, which only the Kerberos library can read. Get a ticket into a file: kinit -c"},
		{"sqlserver://h?krb5-credcachefile=/mine", "KEYRING:x", "krb5", "/mine", ""},
		{"sqlserver://svc@h?authenticator=krb5", "KEYRING:x", "krb5", "", ""},
		{"sqlserver://svc@h?authenticator=krb5", filepath.Join(dir, "none"), "krb5", "", ""},
		{"sqlserver://svc@h?authenticator=krb5", cache, "krb5", cache, ""},
		{"sqlserver://sa:x@h", cache, "", "", ""},
		{"sqlserver://h?authenticator=ntlm", cache, "ntlm", "", ""},
		{"sqlserver://h?fedauth=ActiveDirectoryDefault", cache, "", "", ""},
	} {
		t.Setenv("KRB5CCNAME", c.ccname)
		got, err := parseDSN(c.dsn)
		require.NoError(t, err)
		err = got.integrate()
		if c.problem != "" {
			require.ErrorAs(t, err, new(*dialects.UsageError))
			require.ErrorContains(t, err, c.problem)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.by, got.config.Parameters["authenticator"], c)
		require.Equal(t, c.cache, got.config.Parameters["krb5-credcachefile"], c)
	}

	// The driver's message about a missing ticket comes from its package, which is linked.
	box, err := sandbox.Start(t.Context(), sandbox.Options{Dialect: "mssql"})
	require.NoError(t, err)
	t.Cleanup(func() { box.Close() })
	u, err := url.Parse(box.DSN())
	require.NoError(t, err)
	u.User = nil
	conf := filepath.Join(dir, "krb5.conf")
	require.NoError(t, os.WriteFile(conf, []byte("[libdefaults]\n default_realm = EXAMPLE.COM\n"), 0o600))
	t.Setenv("KRB5_CONFIG", conf)
	t.Setenv("KRB5CCNAME", filepath.Join(dir, "none"))
	_, err = Dialect{}.Open(t.Context(), dialects.Target{DSN: u.String(), Schema: "dbsched"})
	require.ErrorAs(t, err, new(*dialects.ConnectError))
	require.ErrorContains(t, err, "There is no Kerberos ticket. Run kinit USER@REALM")
	t.Setenv("KRB5_CONFIG", filepath.Join(dir, "nothing"))
	_, err = Dialect{}.Open(t.Context(), dialects.Target{DSN: u.String(), Schema: "dbsched"})
	require.ErrorContains(t, err, "Kerberos is not configured on this machine.")
}

// TestEntraLogin: how the driver's package reads a DSN.
func TestEntraLogin(t *testing.T) {
	for _, fedauth := range entraLogins {
		got, err := parseDSN("sqlserver://h?fedauth=" + fedauth)
		require.NoError(t, err)
		require.Equal(t, fedauth, got.entra)
	}
	got, err := parseDSN("sqlserver://client%40tenant@mi.example:3342?database=d&fedauth=activedirectoryserviceprincipal&connection+timeout=40")
	require.NoError(t, err)
	require.Equal(t, "ActiveDirectoryServicePrincipal", got.entra)
	_, err = got.connector(nil)
	require.EqualError(t, err, "an option of the DSN is invalid: Must provide 'password' parameter when using ActiveDirectoryApplication authentication without cert/key credentials")
	got.config.Password = "hush"
	config, err := msdsn.Parse(got.entraURL())
	require.NoError(t, err)
	require.Equal(t, "mi.example", config.Host)
	require.EqualValues(t, 3342, config.Port)
	require.Equal(t, "client@tenant", config.User)
	require.Equal(t, "hush", config.Password)
	require.Equal(t, "dbsched", config.AppName)
	require.Equal(t, "d", config.Database)
	require.Zero(t, config.ConnTimeout)
	require.EqualValues(t, msdsn.EncryptionRequired, config.Encryption)
	require.False(t, config.TrustServerCertificate)
	guarded, err := got.connector(nil)
	require.NoError(t, err)
	require.Equal(t, 40*time.Second, guarded.(*login.Connector).Timeout)

	got, err = parseDSN("sqlserver://h/inst?fedauth=ActiveDirectoryDefault&encrypt=false&App+Name=mine")
	require.NoError(t, err)
	config, err = msdsn.Parse(got.entraURL())
	require.NoError(t, err)
	require.Equal(t, "inst", config.Instance)
	require.Equal(t, "mine", config.AppName)
	require.EqualValues(t, msdsn.EncryptionOff, config.Encryption)

	_, err = parseDSN("sqlserver://h?fedauth=hush")
	require.ErrorAs(t, err, new(*dialects.UsageError))
	require.ErrorContains(t, err, "the DSN's fedauth is unknown. Valid values: ActiveDirectoryDefault, ")
	require.NotContains(t, err.Error(), "hush")
}

// TestWhatToDoAboutALogin: an error, and the next step.
func TestWhatToDoAboutALogin(t *testing.T) {
	refused := func(numbers ...int32) error {
		var e mssqldb.Error
		var all []mssqldb.Error
		for _, n := range numbers {
			e = mssqldb.Error{Number: n, Message: "no"}
			all = append(all, e)
		}
		e.All = all
		return e
	}
	const entra = "?fedauth=ActiveDirectoryDefault"
	for _, c := range []struct {
		options string
		err     error
		want    string
	}{
		{"", refused(18456), "The user or password is wrong, or the login is disabled."},
		{"?database=Sales", refused(4060, 18456), "The database Sales does not exist, is offline, or has no user for this login. Check database="},
		{"", refused(4064, 18456), "Name another database in the DSN: ?database=name."},
		{"", refused(18452), "kinit USER@REALM"},
		{"", refused(18470), "ALTER LOGIN ... ENABLE;"},
		{"", refused(18486), "The login is locked"},
		{"", refused(18487), "Run sqlcmd"},
		{"", refused(18488), "Run sqlcmd"},
		{"", refused(18461), "single-user mode"},
		{entra, mssqldb.Error{Number: 18456, Message: "Login failed for user '<token-identified principal>'."}, "FROM EXTERNAL PROVIDER"},
		{"", krb5.ErrRequiredParametersMissing, "There is no Kerberos ticket. Run kinit"},
		{"", fmt.Errorf("x: %w", krb5.ErrCredCacheFileDoesNotExist), "There is no Kerberos ticket. Run kinit"},
		{"", errors.New("[Root cause: KRBMessage_Handling_Error] cannot login, no user credentials available and no valid existing session"), "The Kerberos ticket has expired. Run kinit"},
		{"", errors.New("KRB Error: (32) KRB_AP_ERR_TKT_EXPIRED Ticket expired"), "The Kerberos ticket has expired."},
		{"", errors.New("KRB Error: (7) KDC_ERR_S_PRINCIPAL_UNKNOWN Server not found in Kerberos database"), "setspn"},
		{"", errors.New("KRB Error: (24) KDC_ERR_PREAUTH_FAILED Pre-authentication information was invalid"), "Kerberos refused the password or keytab."},
		{"", errors.New("KRB Error: (37) KRB_AP_ERR_SKEW Clock skew too great"), "The clock of this machine"},
		{"", errors.New("[Root cause: Networking_Error] communication error with KDC"), "its port 88 is open"},
		{entra, errors.New("DefaultAzureCredential: failed to acquire a token.\nAttempted credentials:"), "Run az login"},
		{entra, errors.New("AADSTS50126: Error validating credentials"), "multi-factor"},
		{entra, errors.New("AADSTS90002: Tenant not found"), "https://login.microsoftonline.com/error"},
		{entra, &login.TimeoutError{After: time.Second}, "a firewall blocks the port. Check"},
		{"", &login.TimeoutError{After: time.Second, Connected: true}, "connection timeout=60"},
		{"", errors.New("TLS Handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"), "to the DSN: certificate=FILE.pem"},
		{"", x509.UnknownAuthorityError{}, "to the DSN: certificate=FILE.pem"},
		{"", &net.DNSError{Err: "no such host", Name: "h"}, "cannot be resolved. Check"},
	} {
		got, err := parseDSN("sqlserver://h" + c.options)
		require.NoError(t, err)
		told := got.connectError(c.err)
		require.ErrorAs(t, told, new(*dialects.ConnectError))
		require.ErrorContains(t, told, c.want, "%v", c.err)
	}
}
