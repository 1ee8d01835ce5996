package oracle

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sijms/go-ora/v2/configurations"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
	"github.com/dbsched/dbsched/internal/logintest"
)

// silences are servers that start a login, and go no further.
var silences = map[string][]byte{
	"nothing":          nil,
	"half a header":    {0, 41, 0},
	"half a packet":    {0, 41, 0, 0, 2, 0, 0, 0, 1, 59},
	"no end of resend": {0, 8, 0, 0, 11, 0, 0, 0},
}

// TestASilentServer: a login takes no longer than the DSN allows, whatever the server has sent before.
func TestASilentServer(t *testing.T) {
	for name, answer := range silences {
		for _, option := range []string{"CONNECTION+TIMEOUT=1", "connect+timeout=1", "CONNECT+TIMEOUT=1&SSL=true"} {
			t.Run(name+", "+option, func(t *testing.T) {
				t.Parallel()
				s := logintest.Start(t, answer)
				begun := time.Now()
				_, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: "oracle://app:hush@" + s.Addr + "/x?" + option})
				require.ErrorAs(t, err, new(*dialects.ConnectError))
				if option == "CONNECT+TIMEOUT=1&SSL=true" && answer != nil { // the response is not TLS at all, and may be reported at once
					return
				}
				require.EqualError(t, err, "cannot connect to "+s.Addr+"/x as APP: the server accepted the connection but did not complete the login within 1s\n"+
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
			_, err := Dialect{}.Open(ctx, dialects.Target{DSN: "oracle://app:hush@" + s.Addr + "/x?CONNECTION+TIMEOUT=0"})
			require.ErrorIs(t, err, context.Canceled)
			logintest.Soon(t, s.Gone, "the connection stays open")
		})
	}
}

// TestADeadAddressLeavesTimeForTheNext: in a descriptor with several addresses.
func TestADeadAddressLeavesTimeForTheNext(t *testing.T) {
	descriptor := "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=dead)(PORT=1))(ADDRESS=(PROTOCOL=tcp)(HOST=alive)(PORT=2))(CONNECT_DATA=(SERVICE_NAME=s)))"
	var dialed []string
	_, err := Dialect{}.Open(t.Context(), dialects.Target{
		DSN: "oracle://app:hush@:0/?CONNECTION+TIMEOUT=2&connStr=" + url.QueryEscape(descriptor),
		Dial: func(ctx context.Context, _, address string) (net.Conn, error) {
			dialed = append(dialed, address)
			if address == "dead:1" {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return nil, errors.New("reached")
		},
	})
	require.ErrorContains(t, err, "reached")
	require.Equal(t, []string{"dead:1", "alive:2"}, dialed)
}

func TestTimeoutOfTheDSN(t *testing.T) {
	for dsn, want := range map[string]time.Duration{
		"oracle://a:b@h/s":                                        15 * time.Second,
		"oracle://a:b@h/s?CONNECT+TIMEOUT=40":                     40 * time.Second,
		"oracle://a:b@h/s?connection+timeout=0":                   0,
		"oracle://a:b@h/s?TIMEOUT=3":                              15 * time.Second, // limits every response
		"oracle://a:b@h/s?READ+TIMEOUT=3&CONNECTION+TIMEOUT=1000": 1000 * time.Second,
	} {
		got, err := parseDSN(dsn)
		require.NoError(t, err, dsn)
		require.Equal(t, want, got.timeout, dsn)
	}
}

// aliases sets TNS_ADMIN to a folder with a file of names.
func aliases(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tnsnames.ora"), []byte(`
PROD.WORLD = (DESCRIPTION=(ADDRESS_LIST=(LOAD_BALANCE=on)
   (ADDRESS=(PROTOCOL=tcp)(HOST=db1.example)(PORT=1521))(ADDRESS=(PROTOCOL=tcp)(HOST=db2.example)(PORT=1522)))
   (CONNECT_DATA=(SERVICE_NAME=prod)))
OLD = (DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=old)(PORT=1523))(CONNECT_DATA=(SID=ORCL)))
CLOUD_HIGH = (description=(address=(protocol=tcps)(port=1522)(host=adb.example))(connect_data=(service_name=x_high)))
NOTHING = (DESCRIPTION=(CONNECT_DATA=(SID=ORCL)))
`), 0o600))
	t.Setenv("TNS_ADMIN", dir)
	return dir
}

// TestTNSNames: what the driver receives for a name.
func TestTNSNames(t *testing.T) {
	dir := aliases(t)
	for dsn, want := range map[string]struct {
		name string
		tls  bool
	}{
		"oracle://app:s%2Fe@PROD.WORLD":               {"PROD.WORLD (db1.example:1521/prod) as APP", false},
		"oracle://app:s%2Fe@prod.world/":              {"prod.world (db1.example:1521/prod) as APP", false},
		"oracle://app:s%2Fe@/?tns=prod.world":         {"prod.world (db1.example:1521/prod) as APP", false},
		"oracle://app:s%2Fe@OLD?DBA+PRIVILEGE=SYSDBA": {"OLD (old:1523/ORCL) as APP", false},
		"oracle://app:s%2Fe@cloud_high":               {"cloud_high (adb.example:1522/x_high) as APP", true},
	} {
		got, err := parseDSN(dsn)
		require.NoError(t, err, dsn)
		require.Equal(t, want.name, got.String(), dsn)
		require.Equal(t, "APP", got.user)
		config, err := configurations.ParseConfig(got.url)
		require.NoError(t, err, dsn)
		require.Equal(t, "s/e", config.Password)
		require.Equal(t, want.tls, config.SSL, dsn)
		require.NotContains(t, config.ConnectionData(), "\n")
	}
	got, err := parseDSN("oracle://app@PROD.WORLD")
	require.NoError(t, err)
	require.Equal(t, 2, got.servers)
	config, err := configurations.ParseConfig(got.url)
	require.NoError(t, err)
	require.Contains(t, config.ConnectionData(), "(LOAD_BALANCE=on)")

	for dsn, want := range map[string]string{
		"oracle://app:hush@PRODUCTION":              "the TNS name PRODUCTION is not in " + filepath.Join(dir, "tnsnames.ora") + "; there are: CLOUD_HIGH, NOTHING, OLD, PROD.WORLD",
		"oracle://app:hush@NOTHING":                 "the DSN cannot be used: no address passed in connection string",
		"oracle://app:hush@h/s?tns=OLD":             "has both a TNS name and a host or service",
		"oracle://app:hush@/?tns=(DESCRIPTION%3Dx)": "the DSN cannot be parsed",
		"oracle://app:hush@":                        "the DSN cannot be parsed",
		"oracle://app:hush@h:1521":                  "empty SID and service name",
	} {
		_, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: dsn})
		require.ErrorAs(t, err, new(*dialects.UsageError), dsn)
		require.ErrorContains(t, err, want, dsn)
		require.NotContains(t, err.Error(), "hush")
	}
	t.Setenv("TNS_ADMIN", filepath.Join(dir, "none"))
	_, err = parseDSN("oracle://app:hush@PROD")
	require.ErrorContains(t, err, "Set TNS_ADMIN to the folder that contains it")
}

// TestPasswordsThatAreAskedFor: only logins that need one ask for it, and it reaches the server.
func TestPasswordsThatAreAskedFor(t *testing.T) {
	aliases(t)
	for dsn, want := range map[string]bool{
		"oracle://app@h/s":                    true,
		"oracle://app@OLD":                    true,
		"oracle://app@/?tns=OLD":              true,
		"oracle://app:x@h/s":                  false,
		"oracle://app:@h/s":                   false,
		"oracle://app@h/s?AUTH+TYPE=TCPS":     false,
		"oracle://app@h/s?AUTH+TYPE=KERBEROS": false,
	} {
		got, err := parseDSN(dsn)
		require.NoError(t, err, dsn)
		require.Equal(t, want, got.needsPassword, dsn)
	}

	u, err := url.Parse(serve(t))
	require.NoError(t, err)
	right, _ := u.User.Password()
	u.User = url.User(u.User.Username())
	try := func(password string) error {
		asked := 0
		s, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: u.String(), Password: func(_ context.Context, l dialects.Login) (string, error) {
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
	err = try("hu/s?h")
	require.ErrorContains(t, err, "ORA-01017")
	require.ErrorContains(t, err, "DBSCHED_PASSWORD")
	require.NotContains(t, err.Error(), "hu/s?h")
	_, err = Dialect{}.Open(t.Context(), dialects.Target{DSN: u.String(), Password: func(context.Context, dialects.Login) (string, error) {
		return "", errors.New("nobody is there")
	}})
	require.EqualError(t, err, "nobody is there")
}

// TestTheRunnersPassword: the runner has a different one.
func TestTheRunnersPassword(t *testing.T) {
	u, err := url.Parse(serve(t))
	require.NoError(t, err)
	var asked []dialects.Login
	s, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: u.String(), Password: func(_ context.Context, l dialects.Login) (string, error) {
		asked = append(asked, l)
		return "hush", nil
	}})
	require.NoError(t, err)
	defer s.Close()
	u.User = url.User("someone")
	_, err = s.Install(t.Context(), dialects.InstallOptions{RunnerDSN: u.String()})
	require.ErrorContains(t, err, "ORA-01017")
	require.Len(t, asked, 1)
	require.True(t, asked[0].Runner)
	require.Contains(t, asked[0].Name, " as SOMEONE")
}

// TestWallet: a wallet that cannot be read is reported; reading its contents is up to the driver.
func TestWallet(t *testing.T) {
	dir := t.TempDir()
	_, err := parseDSN("oracle://app@h/s?SSL=true&WALLET=" + url.QueryEscape(dir))
	require.ErrorAs(t, err, new(*dialects.UsageError))
	require.ErrorContains(t, err, "cwallet.sso")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cwallet.sso"), []byte("no wallet at all"), 0o600))
	_, err = parseDSN("oracle://app@h/s?SSL=true&WALLET=" + url.QueryEscape(dir) + "&WALLET+PASSWORD=hush")
	require.ErrorContains(t, err, "Invalid SSL Wallet")
	require.NotContains(t, err.Error(), "hush")
}

// TestWhatToDoAboutALogin: an error, and the next step.
func TestWhatToDoAboutALogin(t *testing.T) {
	got, err := parseDSN("oracle://app:hush@h/s")
	require.NoError(t, err)
	for _, c := range []struct {
		err  error
		want string
	}{
		{oracleError(1017, "ORA-01017: invalid credential or not authorized; logon denied"), "The user or password is wrong. Check"},
		{oracleError(1005, "ORA-01005: null password given; logon denied"), "DBSCHED_PASSWORD"},
		{oracleError(1045, "ORA-01045: user APP lacks CREATE SESSION privilege"), "grant create session to APP;"},
		{oracleError(28000, "ORA-28000: The account is locked."), "alter user APP account unlock;"},
		{oracleError(28001, "ORA-28001: The account has expired"), "The password has expired. Log in with SQL*Plus"},
		{oracleError(12514, "ORA-12514: TNS:listener does not currently know of service"), "lsnrctl services"},
		{oracleError(12505, "ORA-12505: no SID"), "?SID=name"},
		{oracleError(1034, "ORA-01034: ORACLE not available"), "only mounted. Try again later."},
		{&login.TimeoutError{After: time.Second}, "a firewall blocks the port. Check"},
		{&login.TimeoutError{After: time.Second, Connected: true}, "CONNECTION TIMEOUT=60"},
		{x509.UnknownAuthorityError{}, "to the DSN: WALLET=/path"},
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"}, "a different name than the one in the DSN"},
		{&net.DNSError{Err: "no such host", Name: "h"}, "cannot be resolved. Check"},
	} {
		told := got.connectError(c.err)
		require.ErrorAs(t, told, new(*dialects.ConnectError))
		require.ErrorContains(t, told, c.want, "%v", c.err)
	}
}
