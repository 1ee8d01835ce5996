package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// listen starts a command that serves HTTP on a free port, and returns the URL that it prints. It is interrupted at the end of the test.
func (c client) listen(args ...string) string { return c.listenAt("127.0.0.1:0", args...) }

// listenAt does so at an address.
func (c client) listenAt(address string, args ...string) string {
	c.t.Helper()
	cmd := exec.Command(binary, append(args, "--listen", address)...)
	cmd.Env = append(os.Environ(), "DBSCHED_DSN="+c.dsn)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	require.NoError(c.t, err)
	require.NoError(c.t, cmd.Start())
	said := bufio.NewReader(out)
	line, err := said.ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		require.NoError(c.t, err, errs.String())
	}
	c.t.Cleanup(func() {
		require.NoError(c.t, cmd.Process.Signal(syscall.SIGINT))
		rest, _ := io.ReadAll(said)
		require.Empty(c.t, string(rest))
		require.NoError(c.t, cmd.Wait())
	})
	return regexp.MustCompile(`https?://\S+`).FindString(line)
}

func get(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	r, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, r.StatusCode, string(body))
	return string(body)
}

// TestMetricsOnTheSandbox: both engines show what is queued and why nothing runs.
func TestMetricsOnTheSandbox(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name())
			c.ok("install", "--lanes=2")
			c.ok("exec", e.dialect.Sleep(1), "--order=1")
			url := c.listen("metrics")
			text := get(t, url)
			require.Contains(t, text, "dbsched_up 1\n")
			require.Contains(t, text, "dbsched_tasks_runnable 1\n")
			require.Contains(t, text, "dbsched_workers_max 2\n")
			require.Regexp(t, `dbsched_blocked\{reason="[^"]+"\} 1`, text)

			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			require.NoError(t, err)
			r.Host = "evil.example:9420"
			resp, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, http.StatusMisdirectedRequest, resp.StatusCode, "the page of an attacker whose name has been given this address")
		})
	}
}
