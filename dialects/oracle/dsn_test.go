package oracle

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

func TestParseDSN(t *testing.T) {
	for dsn, want := range map[string]struct{ name, user string }{
		"oracle://app:s%2Fe@db.example:1522/FREEPDB1":       {"db.example:1522/FREEPDB1 as APP", "APP"},
		"oracle://App:s@db.example/FREEPDB1":                {"db.example:1521/FREEPDB1 as APP", "APP"},
		"oracle://app:s@[::1]:1521/x?SSL=true&PROGRAM=mine": {"[::1]:1521/x as APP", "APP"},
		"oracle://app:s@db:1521/?SID=orcl":                  {"db:1521/orcl as APP", "APP"},
		"oracle://proxy%5Bapp%5D:s@db/x":                    {"db:1521/x as APP", "APP"},
		"oracle://proxy:s@db/x?proxy+client+name=app":       {"db:1521/x as APP", "APP"},
		"oracle://app:s@:0/?connStr=" + url.QueryEscape("(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=h)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=s)))"): {"h:1/s as APP", "APP"},
	} {
		got, err := parseDSN(dsn)
		require.NoError(t, err, dsn)
		require.Equal(t, want.name, got.String(), dsn)
		require.Equal(t, want.user, got.user, dsn)
	}
	got, err := parseDSN("oracle://app:s%2Fe@db/x")
	require.NoError(t, err)
	require.Equal(t, "oracle://app:s%2Fe@db:1521/x?PROGRAM=dbsched", got.url)
}

// A password with a character that should have been escaped is cut by the URL parser, and
// its pieces appear as host, port, path or option: no piece may be shown.
func TestNoPieceOfAPasswordIsEverShown(t *testing.T) {
	for _, dsn := range []string{
		"oracle://app:hush/hush@127.0.0.1:1/d",
		"oracle://app:hush#hush@127.0.0.1:1/d",
		"oracle://app:hush?hush@127.0.0.1:1/d",
		"oracle://app:hush%hush@127.0.0.1:1/d",
		"oracle://app:hush%zz@127.0.0.1:1/d",
		"oracle://app:4711/hush@127.0.0.1:1/d",
		"oracle://app:4711?hush@127.0.0.1:1/d",
		"oracle://app:4711?hush=hush@127.0.0.1:1/d",
		"oracle://app:hush@hush#x@127.0.0.1:1/d",
		"oracle://app:hush hush@127.0.0.1:1/d",
		"oracle://app:hush[@127.0.0.1:1/d",
		"oracle://app:hush@127.0.0.1:99999/d",
		"oracle://app:hush@127.0.0.1:1",
		"oracle://app:hush@127.0.0.1:1/d?encryption=hush",
		"oracle://app:hush@127.0.0.1:1/d?nonsense=hush",
		"oracle://app:hush@127.0.0.1:1/d?timeout=hush",
		"oracle://app:hush@127.0.0.1:1/d?wallet=/nowhere&wallet+password=hush",
		"oracle://127.0.0.1:1/d?os+pass=hush",
		"app/hush@127.0.0.1:1/d",
		"oracle:hush",
		"hush",
		"\x7foracle://app:hush@h/d",
	} {
		_, err := Dialect{}.Open(context.Background(), dialects.Target{DSN: dsn})
		require.Error(t, err, dsn)
		for _, text := range []string{err.Error(), Dialect{}.Redact(dsn)} {
			require.NotContains(t, text, "hush", dsn)
			require.NotContains(t, text, "4711", dsn)
		}
		_, err = (&Driver{}).Open(dsn)
		require.Error(t, err, dsn)
	}
}

func TestUnreachableServer(t *testing.T) {
	_, err := Dialect{}.Open(context.Background(), dialects.Target{DSN: "oracle://app:hush@127.0.0.1:1/d"})
	require.ErrorAs(t, err, new(*dialects.ConnectError))
	require.True(t, strings.HasPrefix(err.Error(), "cannot connect to 127.0.0.1:1/d as APP: "), err.Error())
}

func TestSchemaIsTheUsersOrAnother(t *testing.T) {
	for _, ok := range [][3]string{{"APP", "", "APP"}, {"APP", "app", "APP"}, {"APP", "dbsched", "DBSCHED"}, {"A$B#1", "", "A$B#1"}, {"1A", "app", "APP"}} {
		schema, err := checkSchema(ok[0], ok[1])
		require.NoError(t, err, ok)
		require.Equal(t, ok[2], schema)
	}
	for _, bad := range [][2]string{{"SYS", ""}, {"SYSTEM", "system"}, {"WE IRD", ""}, {`A"B`, ""}, {"1A", ""}, {"APP", "we ird"}, {"APP", "x; drop"}} {
		_, err := checkSchema(bad[0], bad[1])
		require.ErrorAs(t, err, new(*dialects.UsageError), bad)
	}
}

func FuzzNoPasswordInErrors(f *testing.F) {
	f.Add("pass/word", "127.0.0.1:1")
	f.Add("1234?word", "h")
	f.Add("1521#secret", "h:1")
	f.Fuzz(func(t *testing.T, password, host string) {
		if len(password) < 4 || strings.Contains(strings.ToUpper("oracle://app:*****@service user password host :1521 as "+badDSN().Error()+host), strings.ToUpper(password)) {
			t.Skip()
		}
		got, err := parseDSN("oracle://app:" + password + "@" + host + "/service")
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
		"encryption", "data integrity", "timeout", "connect timeout", "connection timeout", "failover", "retrytime", "lob fetch", "trace file", "wallet", "wallet password", "server", "sid",
		"ssl", "ssl verify", "dba privilege", "auth type", "auth serv", "language", "territory", "charset", "prefetch_rows", "unix socket", "proxy client name", "location", "nonsense",
	} {
		for _, value := range []string{"Hush", `Hu"sh%/ü`, "HU"} {
			_, err := parseDSN("oracle://app:p@127.0.0.1:1/d?" + url.Values{option: {value}}.Encode())
			if err == nil {
				continue
			}
			require.NotRegexp(t, `(?i)hush|hu\\?"sh|\bhu\b`, err.Error(), option)
			refused++
		}
	}
	require.Greater(t, refused, 15)
}

func TestExposed(t *testing.T) {
	descriptor := func(protocol string, hosts ...string) string {
		text := "(DESCRIPTION=(ADDRESS_LIST="
		for _, h := range hosts {
			text += "(ADDRESS=(PROTOCOL=" + protocol + ")(HOST=" + h + ")(PORT=1))"
		}
		return "oracle://app:p@:0/?connStr=" + url.QueryEscape(text+")(CONNECT_DATA=(SERVICE_NAME=s)))")
	}
	for dsn, want := range map[string]bool{
		"oracle://app:p@db.example/x":                             true,
		"oracle://app:p@db.example/x?SSL=true":                    false,
		"oracle://app:p@db.example/x?SSL=enable&SSL+VERIFY=FALSE": true,
		"oracle://app:p@db.example/x?ENCRYPTION=REQUIRED":         true,
		"oracle://app:p@127.0.0.1/x":                              false,
		"oracle://app:p@localhost/x?SSL+VERIFY=FALSE":             false,
		"oracle://app:p@[::1]:1521/x":                             false,
		"oracle://app:p@127.0.0.1/x?server=db.example:1521":       true,
		descriptor("tcp", "db.example"):                           true,
		descriptor("tcps", "db.example"):                          false,
		descriptor("tcps", "db.example") + "&SSL+VERIFY=false":    true,
		descriptor("tcp", "localhost", "db.example"):              true,
		descriptor("tcp", "localhost"):                            false,
		"nonsense":                                                false,
	} {
		got := Dialect{}.Exposed(dsn)
		require.Equal(t, want, got != "", dsn)
		require.NotContains(t, got, "app:p", dsn)
	}
}
