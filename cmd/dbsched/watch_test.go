//go:build !windows

package main

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// terminal is a command in a pseudo-terminal, and what a person would see on it.
type terminal struct {
	t       *testing.T
	cmd     *exec.Cmd
	pty     *os.File
	mu      sync.Mutex // of the screen
	screen  *vt.Emulator
	changed chan struct{} // holds a token after something was drawn
	ended   chan struct{}
}

// inTerminal starts a command in a pseudo-terminal.
func (c client) inTerminal(width, height int, args ...string) *terminal {
	c.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "DBSCHED_DSN="+c.dsn, "TERM=xterm-256color", "TZ=UTC")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	require.NoError(c.t, err)
	w := &terminal{t: c.t, cmd: cmd, pty: f, screen: vt.NewEmulator(width, height), changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go func() { // what the program asks the terminal, and its replies
		buf := make([]byte, 1024)
		for {
			n, err := w.screen.Read(buf)
			if err != nil {
				return
			}
			_, _ = f.Write(buf[:n]) // it may have ended
		}
	}()
	go func() {
		defer close(w.ended)
		buf := make([]byte, 1<<16)
		for {
			n, err := f.Read(buf)
			if err != nil { // EIO: the program has ended
				return
			}
			w.mu.Lock()
			_, _ = w.screen.Write(buf[:n])
			w.mu.Unlock()
			select {
			case w.changed <- struct{}{}:
			default:
			}
		}
	}()
	c.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		_ = f.Close()
	})
	return w
}

// shows returns the text on the screen.
func (w *terminal) shows() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return ansi.Strip(w.screen.Render())
}

// until waits for the screen to show all texts, and returns it.
func (w *terminal) until(texts ...string) string {
	w.t.Helper()
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	for {
		screen := w.shows()
		missing := ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return screen
		}
		select {
		case <-w.changed:
		case <-w.ended:
			require.FailNow(w.t, "the program has ended", "%s", w.shows())
		case <-limit.C:
			require.FailNow(w.t, "the screen does not show "+missing, "%s", screen)
		}
	}
}

func (w *terminal) press(keys string) {
	w.t.Helper()
	_, err := w.pty.WriteString(keys)
	require.NoError(w.t, err)
}

func (w *terminal) resize(width, height int) {
	w.t.Helper()
	w.mu.Lock()
	w.screen.Resize(width, height)
	w.mu.Unlock()
	require.NoError(w.t, pty.Setsize(w.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
}

// TestWatch: what a person sees and does, at 100 and at 80 columns, and after the server has gone and come back.
func TestWatch(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name())
			c.ok("install", "--lanes=3")
			c.ok("start")
			c.refused(2, "watch needs a terminal", "watch")
			long, fails := e.dialect.Sleep(time.Hour), "no such statement"
			plan := planFile(t, "process: nightly load\non-error: Continue\nwaves:\n- {order: 100, tasks: [\""+long+"\", \""+fails+"\"]}\n- {order: 200, tasks: [\""+long+"\"]}\n")
			c.ok("run", plan)
			w := c.inTerminal(100, 30, "watch")
			screen := w.until("1 of 3 workers", "nightly load", "LANE", "! ", "task 2", "failed:", "lanes: ", "EXPECTED")
			require.Contains(t, screen, "due 0")
			require.Regexp(t, `\d +1 +.* 100 +1 +\d`, screen, "a lane runs task 1")

			w.resize(80, 24)
			screen = w.until("TRY")
			require.NotContains(t, screen, "EXPECTED")
			for line := range strings.Lines(screen) {
				require.LessOrEqual(t, len([]rune(strings.TrimRight(line, " \n"))), 80)
			}
			w.press("?")
			w.until("set the number of workers")
			w.press("\x1b")
			w.until("PROCESS", "choose  enter open")

			w.press("p")
			w.until("Pause? Running tasks finish; no other task starts. y/n")
			w.press("n")
			w.until("nothing was changed")
			w.press("p")
			w.until("Pause?")
			w.press("y")
			w.until("No task runs: the number of workers is 0")
			w.press("w")
			w.until("Workers, 0 to 3:")
			w.press("9\r")
			w.until("at most 3 workers can run")
			w.press("w")
			w.until("Workers, 0 to 3:")
			w.press("2\r")
			w.until("1 of 2 workers", "2 workers allowed")

			w.press("\r")
			w.until("nightly load", "process 2", "STATUS", "× Failed", "Running")
			w.press("jj")
			w.press("r")
			w.until("Retry task 2? y/n")
			w.press("y")
			w.until("task 2 retried")
			w.until("100 × Failed     2")
			w.press("t")
			w.until("├─", "Critical path")
			w.press("\x1b")
			w.until("PROGRESS")
			w.press("c")
			if e.dialect.Name() == "mssql" {
				w.until("Cancel process 2? What runs goes on until it ends by itself. y/n")
			} else {
				w.until("Cancel process 2? y/n")
			}
			w.press("y")
			w.until("process 2 cancelled")
			w.until("Cancelled")

			w.press("a")
			if e.dialect.Name() == "mssql" { // there even sa must grant what ending a session needs
				w.until("CannotEnd")
				w.press("x")
				w.until("Acknowledge 1 alarm? y/n")
				w.press("y")
			}
			w.until("alarms are acknowledged")
			w.press("q")
			<-w.ended
			require.NoError(t, w.cmd.Wait())
			require.Equal(t, "Cancelled", data[[]dialects.Process](c, "processes", "--process=2")[0].Status)
		})
	}
}

// TestWatchLosesItsConnection: when the server is gone that is shown, with the last data seen, until it is back or the user leaves.
func TestWatchLosesItsConnection(t *testing.T) {
	t.Parallel()
	c, stop := startEngine(t, "mssql")
	c.ok("install", "--lanes=1")
	w := c.inTerminal(100, 30, "watch")
	w.until("the scheduler is stopped (dbsched start)")
	stop()
	screen := w.until("Connection lost, trying again")
	require.Contains(t, screen, "PROCESS")
	w.press("\x03")
	<-w.ended
}
