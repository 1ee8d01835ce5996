package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ahoy drives the published design with worker jobs that poll a task table.
type ahoy struct {
	*session
}

func newAhoy(h *harness) *ahoy {
	h.Helper()
	a := &ahoy{h.session()}
	h.server.administrate("grant manage scheduler to " + h.schema)
	for _, batch := range h.server.batches("../internal/bench/designs/ahoy.sql") {
		a.exec(batch)
	}
	require.Empty(h, a.rows("select name, line, position, text from user_errors"))
	return a
}

// add adds a task.
func (a *ahoy) add(command string) {
	a.h.Helper()
	a.exec(fmt.Sprintf("insert into ahoy_task (atask_cmd, atask_state) values (%s, 'TBD')", oracleLiteral(command)))
}

// threads sets the number of threads.
func (a *ahoy) threads(n int) {
	a.h.Helper()
	a.exec(fmt.Sprintf("update ahoy_par set apar_threads = %d", n))
}

// start starts a thread.
func (a *ahoy) start() {
	a.h.Helper()
	a.exec("begin ahoy_proc.threadAsync; end;")
}

// count counts rows.
func (a *ahoy) count(from string) int {
	a.h.Helper()
	return int(number(a.h, a.value("select count(*) from "+from)))
}

func (a *ahoy) jobs() int {
	a.h.Helper()
	return a.count(`user_scheduler_jobs where regexp_like(job_name, '^AHOY_JOB_\d+$')`)
}

func (a *ahoy) in(state string) int {
	a.h.Helper()
	return a.count("ahoy_task where atask_state = '" + state + "'")
}

// await checks every two seconds.
func (a *ahoy) await(limit time.Duration, what string, cond func() bool) {
	a.h.Helper()
	for end := a.h.now().Add(limit); !cond(); {
		require.True(a.h, a.h.now().Before(end), "%s: %v", what,
			a.rows("select atask_key, atask_state, atask_job, to_char(atask_start, 'HH24:MI:SS.FF3'), to_char(atask_end, 'HH24:MI:SS.FF3') from ahoy_task order by 1"))
		a.h.pause(2 * time.Second)
	}
}

// TestOracleAhoy runs fifty tasks while threads are set to 4, raised to 8, lowered to 2 and set to 0; the task of a killed thread
// runs again.
func TestOracleAhoy(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		a := newAhoy(h)
		const longest, one = 120 * time.Second, 400 * time.Second
		for i := range 50 {
			seconds := 60 + 7*(i%9)
			if i == 2 {
				seconds = 400
			}
			a.add(fmt.Sprintf("begin dbms_session.sleep(%d); end;", seconds))
		}

		a.threads(4)
		a.start()
		a.await(4*h.soon, "four threads", func() bool { return a.in("RUN") == 4 })
		require.Equal(h, 4, a.jobs())
		require.Equal(h, "4", a.value("select max(atask_key) from ahoy_task where atask_state = 'RUN'"), "first in, first out")
		h.pause(20 * time.Second)
		require.Equal(h, 4, a.jobs())

		a.threads(8)
		a.await(longest+8*h.soon, "eight threads", func() bool { return a.jobs() >= 8 })

		a.threads(2)
		a.await(one+2*longest, "two threads at most", func() bool { return a.jobs() <= 2 })
		require.Positive(h, a.in("TBD"))
		if a.jobs() == 0 {
			a.start()
		}
		a.await(h.soon, "a task", func() bool { return a.in("RUN") > 0 })

		a.threads(0)
		a.await(one+2*longest, "nobody", func() bool { return a.jobs() == 0 })
		require.Positive(h, a.in("TBD"))
		done := a.in("OK")
		a.start()
		a.await(longest+h.soon, "one task", func() bool { return a.in("OK") == done+1 })
		h.pause(longest)
		require.Equal(h, done+1, a.in("OK"), "without threads a thread runs one task")
		require.Zero(h, a.jobs())

		a.threads(2)
		a.start()
		running := "ahoy_task t where t.atask_state = 'RUN' and exists (select 1 from user_scheduler_running_jobs j where j.job_name = t.atask_job)"
		a.await(2*h.soon, "two tasks", func() bool { return a.count(running) == 2 })
		victim := a.rows("select t.atask_key, t.atask_job, to_char(t.atask_start, 'HH24:MI:SS.FF3') from " + running + " order by t.atask_key")[0]
		a.exec(fmt.Sprintf(`declare
    e_unknown exception;
    e_gone exception;
    pragma exception_init(e_unknown, -27475);
    pragma exception_init(e_gone, -27476);
begin
    dbms_scheduler.stop_job('%[1]s', force => true);
    dbms_scheduler.drop_job('%[1]s', force => true);
exception
    when e_unknown or e_gone then null;
end;`, victim[1]))
		of := func(column string) string {
			return a.value(fmt.Sprintf("select %s from ahoy_task where atask_key = %s", column, victim[0]))
		}
		require.Equal(h, "RUN", of("atask_state"), "nobody has noticed")
		a.await(time.Hour, "all tasks", func() bool {
			if a.jobs() == 0 {
				a.start()
			}
			return a.in("OK") == 50
		})
		require.Greater(h, of("to_char(atask_start, 'HH24:MI:SS.FF3')"), victim[2], "it was run again")
		a.await(h.soon, "no job is left", func() bool { return a.jobs() == 0 })
	})
}

// TestOracleAhoyFailure shows the flaw: what a failed task did stays, and only the text of its error is kept.
func TestOracleAhoyFailure(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		a := newAhoy(h)
		h.marks()
		a.add("begin insert into marks (n) values (1); raise_application_error(-20100, 'no milk'); end;")
		a.add("begin insert into marks (n) values (2); end;")
		a.threads(1)
		a.start()
		a.await(2*h.soon, "it fails, and the next one runs", func() bool { return a.in("ERR") == 1 && a.in("OK") == 1 })
		require.Contains(h, a.value("select atask_msg from ahoy_task where atask_state = 'ERR'"), "ORA-20100: no milk")
		require.Equal(h, [][]string{{"1"}, {"2"}}, a.rows(h.say.markRead))
	})
}
