package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/certify"
)

// foreignServer says something, reads what comes, replies, and closes the connection.
func foreignServer(t *testing.T, says, replies string) (address string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = conn.Write([]byte(says))
				_, _ = conn.Read(make([]byte, 4096))
				_, _ = conn.Write([]byte(replies))
			}()
		}
	}()
	return l.Addr().String()
}

// TestCertifyIsNoServer: whatever else listens there is told of in a sentence, with the exit code of a failed connection.
func TestCertifyIsNoServer(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{
		"PostgreSQL": foreignServer(t, "", "E\x00\x00\x00\x2bSFATAL\x00C0A000\x00Munsupported protocol\x00\x00"),
		"MySQL":      foreignServer(t, "J\x00\x00\x00\x0a8.0.36\x00\x0b\x00\x00\x00abcdefgh\x00\xff\xff\xff\x02\x00", ""),
		"HTTP":       foreignServer(t, "", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n400 Bad Request"),
		"closes":     foreignServer(t, "", ""),
	} {
		for engine, dsn := range map[string]string{"mssql": "sqlserver://u:hush@" + address + "?database=d", "oracle": "oracle://u:hush@" + address + "/d"} {
			t.Run(name+" "+engine, func(t *testing.T) {
				t.Parallel()
				cmd := exec.CommandContext(t.Context(), binary, "certify", "--yes", "--dsn", dsn)
				out, err := cmd.CombinedOutput()
				require.Error(t, err)
				require.Equal(t, 3, cmd.ProcessState.ExitCode(), string(out))
				require.Regexp(t, "Check the host", string(out))
				require.NotContains(t, string(out), "hush")
			})
		}
	}
}

// TestCertifyAsks: nothing is made before the question is answered, or if the page cannot be written; and cleaning where nothing is left is done.
func TestCertifyAsks(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name())
			c.refused(2, "Repeat with --yes", "certify")
			c.refused(2, "certify also touches:", "certify", "--invasive")
			c.refused(2, "the page cannot be written", "certify", "--yes", "--html", filepath.Join(t.TempDir(), "no", "folder.html"))
			c.refused(2, "leave out the other flags", "certify", "--clean", "--quick")
			c.refused(2, "certify makes an installation of its own", "certify", "--schema", "mine")
			o := c.run("certify", "--clean", "--yes")
			require.Zero(t, o.code, o.err)
			require.Contains(t, o.err, "nothing of certify is left")
		})
	}
}

// TestCertify: the built program, on a server whose clock is everybody's: all is tried twice, the page is whole, and the benches leave nothing.
// It takes minutes, so it runs with DBSCHED_CERTIFY=all.
func TestCertify(t *testing.T) {
	if os.Getenv("DBSCHED_CERTIFY") != "all" {
		t.Skip("make certify runs it")
	}
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name())
			path := filepath.Join(t.TempDir(), "report.html")
			for _, flags := range [][]string{{"--quick"}, {"--invasive", "--html", path}} { // the second run finds the first one's job log
				r := data[*certify.Report](c, append([]string{"certify", "--yes"}, flags...)...)
				require.True(t, r.Sound())
				for _, x := range r.Results {
					require.NotContains(t, []certify.Verdict{certify.Unknown, certify.Fails}, x.Verdict, "%+v", x)
				}

			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(text), "</html>"))
			if e.dialect.Name() == "mssql" {
				require.True(t, data[*certify.Report](c, "certify", "--yes", "--quick", "--database").Sound())
			}
		})
	}
}
