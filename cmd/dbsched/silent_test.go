package main

import (
	"context"
	"net"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// silentServer accepts connections, sends says, and nothing more.
func silentServer(t *testing.T, says string) (address string, taken <-chan struct{}) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	came := make(chan struct{}, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			_, _ = conn.Write([]byte(says))
			came <- struct{}{}
		}
	}()
	return l.Addr().String(), came
}

// TestSilentServer: a server that accepts the connection and does not respond, or not to the end, counts as unreachable; and
// Ctrl-C ends the wait.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	for name, dsn := range map[string]func(address, option string) string{
		"mssql": func(a, o string) string {
			return "sqlserver://u:hush@" + a + "?database=d" + map[bool]string{true: "&dial+timeout=1"}[o != ""]
		},
		"oracle": func(a, o string) string {
			return "oracle://u:hush@" + a + "/d" + map[bool]string{true: "?CONNECT+TIMEOUT=1"}[o != ""]
		},
	} {
		for _, says := range []string{"", "\x04\x01\x00"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				address, _ := silentServer(t, says)
				cmd := exec.CommandContext(t.Context(), binary, "status", "--dsn", dsn(address, "short"))
				out, err := cmd.CombinedOutput()
				require.Error(t, err)
				require.Equal(t, 3, cmd.ProcessState.ExitCode(), string(out))
				require.Contains(t, string(out), "the server accepted the connection but did not complete the login within 1s")
			})
			t.Run(name+" interrupted", func(t *testing.T) {
				t.Parallel()
				address, taken := silentServer(t, says)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				cmd := exec.CommandContext(ctx, binary, "status", "--dsn", dsn(address, ""))
				require.NoError(t, cmd.Start())
				<-taken
				require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
				require.Error(t, cmd.Wait())
				require.Equal(t, 130, cmd.ProcessState.ExitCode())
			})
		}
	}
}
