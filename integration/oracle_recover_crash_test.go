package integration

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleCrash crashes the instance at the first commit, the second, and so on, of some work that ends well, is retried
// and waits for its wave, with waiting workers and with workers that must be started. Plain commits in PL/SQL do not wait for their log,
// so a crash undoes them: those of tasks, but none of dbsched's. Tasks that have succeeded have done their work, and
// unfinished work continues when the instance is up again.
func TestOracleCrash(t *testing.T) {
	for name, rest := range sorted(map[string]time.Duration{"waiting workers": 0, "no workers": 30 * time.Second}) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 3}, func(h *harness) {
				if h.server.box == nil {
					h.Skip("nobody lets a real server crash")
				}
				s := h.marks()
				s.exec("alter table marks add (part number)")
				at := 1
				for h.crashAt(at, rest) {
					require.Less(h, at, 400, "it never ends without a crash")
					at++
				}
				h.Logf("%d crashes", at-1)
				require.NotEmpty(h, h.lost(), "no task has lost a commit")
			})
		})
	}
}

// crashAt crashes the instance at the nth commit of some work, and reports whether it crashed.
func (h *harness) crashAt(n int, rest time.Duration) bool {
	h.Helper()
	const work = "declare l_i number; begin insert into marks (n, part) values (%[1]d, 1); commit; insert into marks (n, part) values (%[1]d, 2); commit; %[2]s end;"
	s := h.session()
	process := number(h, s.ask(h.say.createProcess(fmt.Sprint(n), true)))
	retried := h.task(1, fmt.Sprintf(work, 3*n+1, fmt.Sprintf("select count(*) into l_i from marks where n = %d; if l_i < 4 then raise_application_error(-20500, 'again'); end if;", 3*n+1)))
	retried.MaxAttempts, retried.RetryDelay = 9, time.Second
	tasks := []dialects.NewTask{h.task(1, fmt.Sprintf(work, 3*n, "null;")), retried, h.task(2, fmt.Sprintf(work, 3*n+2, "dbms_session.sleep(0.5);"))}
	for i := range tasks {
		tasks[i].ProcessID = process
	}
	h.pause(rest)

	before := h.crashes()
	h.server.box.CrashAtCommit(n)
	_, err := h.sched.Exec(h.Context(), tasks)
	if err == nil {
		err = errors.Join(s.try(h.say.close(process)), s.try(h.say.release(process)))
	}
	if err != nil { // the crash came then
		h.Logf("commit %d: %v", n, err)
	}
	crashed := h.untilCrash(before, 90*time.Second) // the dispatcher is started again once a minute
	h.server.box.CrashAtCommit(0)
	require.Empty(h, slices.DeleteFunc(h.lost(), func(table string) bool { return !strings.Contains(table, ".DS_") }), "commit %d", n)
	if crashed {
		h.reconnect()
	}
	var ids []int64
	for _, task := range h.tasks() {
		if task.ProcessID == process {
			ids = append(ids, task.ID)
		}
	}
	if len(ids) == 0 { // the caller lost its connection and does not know whether its commit succeeded
		require.Error(h, err)
		return crashed
	}
	s = h.session()
	s.exec(h.say.close(process))
	s.exec(h.say.release(process))
	h.waitFor(process, 5*time.Minute)
	require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded"}, h.statuses(ids), "commit %d: %s", n, h.report())
	require.Equal(h, "3", s.value(fmt.Sprintf("select count(distinct n) from marks where n between %d and %d and part = 2", 3*n, 3*n+2)), "commit %d", n)
	return crashed
}

// lost names the tables that lost something in a crash.
func (h *harness) lost() []string {
	h.Helper()
	return h.server.box.Lost()
}
