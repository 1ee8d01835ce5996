package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// TestCertifyWritesAPage: the page is whole, and nothing is made before the answer to the question.
func TestCertifyWritesAPage(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name())
			c.refused(2, "Repeat with --yes", "certify")
			path := filepath.Join(t.TempDir(), "report.html")
			out := c.ok("certify", "--yes", "--quick", "--html", path)
			require.Contains(t, out, "tasks run")
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Contains(t, string(text), "What works")
			require.Equal(t, 1, strings.Count(string(text), "</html>"))
			require.Contains(t, c.ok("certify", "--clean", "--yes"), "nothing of certify is left")
		})
	}
}
