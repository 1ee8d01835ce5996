package integration

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// onSandbox skips what nobody can do to a real server.
func (h *harness) onSandbox(why string) {
	h.Helper()
	if h.server.box == nil {
		h.Skip(why)
	}
}

// requireOnce: each firing that started has one process with so many tasks, and no process is anybody else's.
func (h *harness) requireOnce(name string, tasks int) {
	h.Helper()
	made := map[int64]int{}
	for _, f := range h.firings(name) {
		if f.ProcessID != 0 {
			made[f.ProcessID]++
		}
	}
	list, err := h.sched.Processes(h.Context(), dialects.Filter{})
	require.NoError(h, err)
	of := map[int64]int{}
	for _, t := range h.tasks() {
		of[t.ProcessID]++
	}
	for _, p := range list {
		if strings.HasPrefix(p.Name, name+" ") {
			require.Equal(h, 1, made[p.ID], "firings of process %d, %s", p.ID, p.Name)
			require.Equal(h, tasks, of[p.ID], "tasks of process %d, %s", p.ID, p.Name)
			delete(made, p.ID)
		}
	}
	require.Empty(h, made, "firings whose process is gone")
}

// TestScheduleCrash lets the instance crash before the first statement, the second, and so on, of what a calendar and RunSchedule start:
// the dispatcher's transaction, the task that makes the process, the process and its end, upon which the firing that waits starts. Each
// firing comes once, whole. DBSCHED_EVERY_CRASH=1 takes every statement, which takes minutes; otherwise the seed says which.
func TestScheduleCrash(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.onSandbox("nobody lets a real server crash")
		const every = 5 * time.Minute
		h.schedule(dialects.NewSchedule{
			Name: "load", Calendar: "*/5 * * * *", Overlap: "Queue", Missed: "All",
			Tasks: []dialects.NewTask{h.task(1, h.say.nothing), h.task(2, h.say.nothing)},
		})
		due := h.now().Truncate(every).Add(every)
		first, step := due, h.crashStep
		if os.Getenv("DBSCHED_EVERY_CRASH") != "" {
			step = 1
		}
		n := 1 + int(furtherSeeds(h.T))%step
		for crashed := true; crashed; n += step {
			require.Less(h, n, 3000, "it never ends without a crash")
			h.pauseUntil(due.Add(-time.Second))
			require.NoError(h, h.sched.RunSchedule(h.Context(), "load"))
			before := h.crashes()
			h.server.box.CrashAtStatement(n)
			crashed = h.untilCrash(before, 20*time.Second)
			h.server.box.CrashAtStatement(0)
			if crashed {
				h.reconnect()
			}
			h.pauseUntil(due.Add(every - 2*time.Second))
			var seen []string
			last, err := h.sched.Firings(h.Context(), "load", 2)
			require.NoError(h, err)
			for _, f := range last {
				require.Less(h, due.Sub(f.DueAt), 2*time.Second, "statement %d", n)
				seen = append(seen, fmt.Sprint(f.Manual, " ", f.Status))
			}
			require.Equal(h, []string{"true Succeeded", "false Succeeded"}, seen, "statement %d: %s", n, h.report())
			due = due.Add(every)
		}
		h.Logf("%d crashes", h.crashes())
		require.Greater(h, h.crashes(), 25)
		require.Len(h, h.firings("load"), 2*int(due.Sub(first)/every))
		h.requireOnce("load", 2)
	})
}
