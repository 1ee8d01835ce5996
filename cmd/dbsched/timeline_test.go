package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestTimelineOnTheSandbox: the chart, the page and the figures of a process that ran on each engine.
func TestTimelineOnTheSandbox(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name(), "--clock=fast")
			c.ok("install", "--lanes=2")
			c.ok("start")
			four := e.dialect.Sleep(4 * time.Second)
			plan := planFile(t, "process: nightly\nwaves:\n- {order: 100, tasks: [\""+four+"\", \""+e.dialect.Sleep(10*time.Second)+"\"]}\n- {order: 200, tasks: [\""+four+"\"]}\n")
			c.ok("run", plan, "--wait", "--timeout=2m")
			text := c.ok("timeline", "nightly", "--utc")
			require.Contains(t, text, "nightly: Succeeded. 20")
			require.Regexp(t, `order +100 +200`, text)
			require.Regexp(t, `Critical path: \d+ % of the time\n  order 100    task 2 .*10 s .*\n  order 200    task 3 `, text)
			require.Contains(t, text, "Order 100 waited ")
			got := data[timelineResult](c, "timeline", "nightly")
			require.Equal(t, []int64{2, 3}, got.Critical)
			require.InDelta(t, 18, got.Running, 1)
			require.Greater(t, *data[[]dialects.Process](c, "processes", "--process=nightly")[0].Seconds, 14.0)
			for _, entry := range data[[]dialects.LogEntry](c, "logs", "--task=2") {
				require.InDelta(t, 10, *entry.Seconds, 1)
			}
			path := filepath.Join(t.TempDir(), "nightly.html")
			c.ok("timeline", "nightly", "--html", path)
			page, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Contains(t, string(page), "<title>nightly · dbsched</title>")
			if runtime.GOOS != "windows" {
				info, err := os.Stat(path)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "SQL is not for everybody")
			}
			c.refused(2, "the page cannot be written", "timeline", "nightly", "--html", filepath.Join(path, "below"))
		})
	}
}

// TestReplaceFile: a file is replaced in one step, whatever leads to it, and keeps its rights.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "page.html"), filepath.Join(dir, "link.html")
	require.NoError(t, replaceFile(path, []byte("first")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.Chmod(path, 0o640))
	require.NoError(t, os.Symlink("page.html", link))
	old, err := os.Open(path)
	require.NoError(t, err)
	defer old.Close()
	require.NoError(t, replaceFile(link, []byte("second")))
	text, err := io.ReadAll(old)
	require.NoError(t, err)
	require.Equal(t, "first", string(text), "who reads the old file reads it to its end")
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "second", string(text))
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())

	require.ErrorContains(t, replaceFile(filepath.Join(path, "below"), nil), "the page cannot be written")
	require.Error(t, replaceFile(dir, nil))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2)
	require.NoError(t, replaceFile(os.DevNull, []byte("a device")))
}
