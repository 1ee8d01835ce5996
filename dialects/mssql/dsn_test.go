package mssql

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

func TestParseDSN(t *testing.T) {
	got, err := parseDSN("sqlserver://sa:s%2Fe@db.example:1444/INST?database=we%5Bird%5D&encrypt=disable")
	require.NoError(t, err)
	require.Equal(t, "db.example:1444/INST database we[ird] as sa", got.String())
	require.Equal(t, "s/e", got.config.Password)
	require.Equal(t, "dbsched", got.config.AppName)
	got, err = parseDSN("sqlserver://db?App Name=mine")
	require.NoError(t, err)
	require.Equal(t, "mine", got.config.AppName)
}

// A password with a character that should have been escaped is cut by the URL parser, and
// its pieces appear as host, port, path or option: no piece may be shown.
func TestNoPieceOfAPasswordIsEverShown(t *testing.T) {
	for _, dsn := range []string{
		"sqlserver://sa:hush/hush@127.0.0.1:1?database=d",
		"sqlserver://sa:hush#hush@127.0.0.1:1?database=d",
		"sqlserver://sa:hush?hush@127.0.0.1:1?database=d",
		"sqlserver://sa:hush%hush@127.0.0.1:1?database=d",
		"sqlserver://sa:hush%zz@127.0.0.1:1",
		"sqlserver://sa:4711/hush@127.0.0.1:1",
		"sqlserver://sa:4711?hush@127.0.0.1:1",
		"sqlserver://sa:4711?hush=hush@127.0.0.1:1",
		"sqlserver://sa:hush@hush#x@127.0.0.1:1",
		"sqlserver://sa:hush hush@127.0.0.1:1",
		"sqlserver://sa:hush[@127.0.0.1:1",
		"sqlserver://sa:hush@127.0.0.1:99999",
		"sqlserver://sa:hush@127.0.0.1:1?encrypt=nonsense",
		"sqlserver://sa:hush@127.0.0.1:1?connection+timeout=hush",
		"sqlserver://127.0.0.1:1?user+id=sa&password=hush",
		"sqlserver://sa:hush@127.0.0.1:1?password=hush",
		"sqlserver://sa:hush@127.0.0.1:1?database=d&database=e",
		"sqlserver://sa:hush@127.0.0.1:1?database=d;hush",
		"server=127.0.0.1,1;user id=sa;password=hush",
		"odbc:server=127.0.0.1;pwd={hush}",
		"sa:hush@127.0.0.1",
		"sqlserver:hush",
		"hush",
		"\x7fsqlserver://sa:hush@h",
	} {
		_, err := Dialect{}.Open(context.Background(), dialects.Target{DSN: dsn, Schema: "dbsched"})
		require.Error(t, err, dsn)
		for _, text := range []string{err.Error(), Dialect{}.Redact(dsn)} {
			require.NotContains(t, text, "hush", dsn)
			require.NotContains(t, text, "4711", dsn)
		}
	}
}

func TestUnreachableServer(t *testing.T) {
	_, err := Dialect{}.Open(context.Background(), dialects.Target{DSN: "sqlserver://sa:hush@127.0.0.1:1?database=d", Schema: "dbsched"})
	require.ErrorAs(t, err, new(*dialects.ConnectError))
	require.True(t, strings.HasPrefix(err.Error(), "cannot connect to 127.0.0.1:1 database d as sa: "), err.Error())
}

func TestCheckSchema(t *testing.T) {
	for _, ok := range []string{"dbsched", "we ird", `q"uote`, "[open", "Ünïcode", "a.b", "1st", "select", "a'b", strings.Repeat("x", 100)} {
		require.NoError(t, checkSchema(ok), ok)
	}
	for _, bad := range []string{"", "a]b", "dbo", "SYS", "guest", "Information_Schema", "db_owner", "a\nb", "a\x00", " a", "a ", "x$(y)", "\xff", strings.Repeat("x", 101)} {
		require.ErrorAs(t, checkSchema(bad), new(*dialects.UsageError), "%q", bad)
	}
}

func FuzzNoPasswordInErrors(f *testing.F) {
	f.Add("pass/word", "127.0.0.1:1")
	f.Add("1234?word", "h")
	f.Add("1433#secret", "h:1")
	f.Fuzz(func(t *testing.T, password, host string) {
		if len(password) < 4 || strings.Contains("sqlserver://sa:@database=name user password :1433 as "+badDSN().Error()+host, password) {
			t.Skip()
		}
		for _, option := range []string{"encrypt", "connection timeout", "certificate"} {
			if _, err := parseDSN("sqlserver://sa@h?" + url.Values{option: {password}}.Encode()); err != nil {
				for _, form := range []string{password, strings.ToLower(password)} {
					require.False(t, strings.Contains(err.Error(), form) && !strings.Contains("an option of the DSN is invalid: connection timeout certificate *****", form), "%s: %s", option, err)
				}
			}
		}
		dsn := "sqlserver://sa:" + password + "@" + host + "?database=d"
		got, err := parseDSN(dsn)
		if err != nil {
			require.NotContains(t, err.Error(), password)
			return
		}
		require.NotContains(t, got.String(), password)
	})
}

// TestNoValueOfAnOptionIsShown: it may be a password at the wrong place.
func TestNoValueOfAnOptionIsShown(t *testing.T) {
	refused := 0
	for _, option := range []string{
		"encrypt", "TrustServerCertificate", "certificate", "serverCertificate", "hostNameInCertificate", "tlsmin", "log", "timezone", "port", "packet size", "connection timeout",
		"dial timeout", "keepAlive", "ApplicationIntent", "failoverpartner", "failoverport", "disableretry", "protocol", "columnencryption", "multisubnetfailover", "guid conversion",
		"epa enabled", "fedauth", "authenticator", "krb5-keytabfile", "krb5-configfile", "nonsense",
	} {
		for _, value := range []string{"Hush", `Hu"sh%/ü`, "HU", "hush.pem"} {
			_, err := parseDSN("sqlserver://sa@127.0.0.1:1?" + url.Values{option: {value}, "database": {"d"}}.Encode())
			if err == nil {
				continue
			}
			require.NotRegexp(t, `(?i)hush|hu\\?"sh|\bhu\b`, err.Error(), option)
			refused++
		}
	}
	require.Greater(t, refused, 40)
	_, err := parseDSN("sqlserver://sa@127.0.0.1:1?encrypt=hush")
	require.EqualError(t, err, "an option of the DSN is invalid: invalid encrypt '*****'")
	_, err = parseDSN("sqlserver://sa:on@127.0.0.1:1?encrypt=hush")
	require.EqualError(t, err, "an option of the DSN is invalid: invalid encrypt '*****'", "a short password is no part of a word")
}

func TestExposed(t *testing.T) {
	pem := filepath.Join("testdata", "ca.pem")
	for dsn, want := range map[string]bool{
		"sqlserver://sa:p@db.example?database=d":                                                         true,
		"sqlserver://sa:p@db.example?encrypt=false":                                                      true,
		"sqlserver://sa:p@db.example?encrypt=disable":                                                    true,
		"sqlserver://sa:p@db.example?encrypt=true&TrustServerCertificate=true":                           true,
		"sqlserver://sa:p@db.example?encrypt=true":                                                       false,
		"sqlserver://sa:p@db.example?encrypt=strict":                                                     false,
		"sqlserver://sa:p@db.example?encrypt=strict&TrustServerCertificate=true":                         false, // which strict ignores
		"sqlserver://sa:p@db.example?encrypt=true&certificate=" + pem:                                    false,
		"sqlserver://sa:p@db.example?encrypt=true&serverCertificate=" + pem:                              false,
		"sqlserver://sa:p@127.0.0.1":                                                                     false,
		"sqlserver://sa:p@localhost:1433?database=d":                                                     false,
		"sqlserver://sa:p@[::1]/INST":                                                                    false,
		"sqlserver://sa:p@localhost.evil.example":                                                        true,
		"sqlserver://sa:p@127.0.0.1?failoverpartner=other":                                               true,
		"sqlserver://db.example?fedauth=ActiveDirectoryDefault":                                          false,
		"sqlserver://db.example?fedauth=ActiveDirectoryDefault&encrypt=false":                            true,
		"sqlserver://db.example?fedauth=ActiveDirectoryDefault&encrypt=true&trustservercertificate=true": true,
		"nonsense": false,
	} {
		got := Dialect{}.Exposed(dsn)
		require.Equal(t, want, got != "", dsn)
		require.NotContains(t, got, "sa:p", dsn)
	}
}

// TestInDatabase: only the database differs, whatever form the DSN has.
func TestInDatabase(t *testing.T) {
	for dsn, want := range map[string]string{
		"sqlserver://u:p%40ss@h:1433?database=old&encrypt=true": "sqlserver://u:p%40ss@h:1433?database=new&encrypt=true",
		"sqlserver://u:p@h?Database=old":                        "sqlserver://u:p@h?database=new",
		"sqlserver://u:p@h/instance":                            "sqlserver://u:p@h/instance?database=new",
		"Server=h;Database=old;User Id=u;Password=p":            "sqlserver://u:p@h?database=new",
	} {
		got, err := Dialect{}.InDatabase(dsn, "new")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := Dialect{}.InDatabase("sqlserver://u:hush#1@h", "new")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hush")
}
