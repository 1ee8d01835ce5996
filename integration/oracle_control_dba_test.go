package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleLongHalt: while a process with very many tasks is being halted or cancelled, which holds its row, others continue.
func TestOracleLongHalt(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		first := h.process(dialects.NewProcess{Name: "halting"})
		later := h.process(dialects.NewProcess{Name: "later"})
		halting := h.session()
		h.exec(dialects.NewTask{SQL: h.dialect.Sleep(h.soon + 5*time.Second), Order: 1, ProcessID: first}) // longer than the second lane takes to start
		h.untilRunning(1, h.soon)
		h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: first})
		// Its worker looks at both: nothing in the first one's waiting wave can be claimed.
		h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: later})
		h.until(h.soon, "the second lane waits", func() bool { return len(h.logs()) == 2 && h.running() == 1 })
		require.Equal(h, "N", halting.value(fmt.Sprintf("select p.has_work from ds_processes p where p.process_id = %d", first)))
		delayed := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: first, NotBefore: h.now().Add(2 * time.Second)})[0]
		halting.begin()
		halting.exec(fmt.Sprintf("update ds_processes p set p.name = p.name where p.process_id = %d", first))
		require.NoError(h, h.sched.CloseProcess(h.Context(), first))
		h.pause(h.soon + 5*time.Second)
		require.Equal(h, "Waiting", h.statusOf(delayed), "it is due")
		for _, p := range []int64{later, 1} {
			id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p})[0]
			h.until(4*time.Second+h.soon, "it runs", func() bool { return h.statusOf(id) == "Succeeded" })
		}
		halting.commit()
		h.until(10*time.Second+h.soon, "all have run", func() bool { return len(h.logs()) == 6 && h.processOf(first).Status == "Succeeded" })
		h.requireNoAlarms()
	})
}

// TestOracleDeniedCursors: a task that uses the number of a cursor that is not open disables DBMS_SQL for its session. It fails with
// that error, unless it handles it; the next task gets another session.
func TestOracleDeniedCursors(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		const denied = "declare c integer := 4711; begin dbms_sql.close_cursor(c); %send;"
		ids := h.exec(
			dialects.NewTask{SQL: fmt.Sprintf(denied, "exception when others then null; "), Order: 1},
			dialects.NewTask{SQL: h.say.nothing, Order: 2},
			dialects.NewTask{SQL: fmt.Sprintf(denied, ""), Order: 3},
			dialects.NewTask{SQL: h.say.nothing, Order: 4})
		h.drain(time.Minute)
		for i, status := range []string{"Succeeded", "Succeeded", "Failed", "Succeeded"} {
			require.Equal(h, status, h.statusOf(ids[i]), i)
			require.Len(h, h.logsOf(ids[i]), 1)
		}
		require.Equal(h, 29471, h.logsOf(ids[2])[0].ErrorNumber)
		h.requireNoAlarms()
	})
}

// TestOracleTextsThatOnlyLookWrong: tasks that resemble what is refused (see refusals) run.
func TestOracleTextsThatOnlyLookWrong(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table executed (a varchar2(40))")
		s.exec("create procedure executes as begin insert into executed values ('p'); end;")
		ids := h.exec(
			dialects.NewTask{SQL: "insert into executed values ('; commit')", Order: 1},
			dialects.NewTask{SQL: "insert into executed -- first; commit\nvalues ('x') -- then; commit", Order: 1},
			dialects.NewTask{SQL: "begin executes; commit; end;", Order: 1},
			dialects.NewTask{SQL: "call executes()", Order: 1},
			dialects.NewTask{SQL: "commit", Order: 1})
		h.drain(time.Minute)
		for _, id := range ids {
			require.Equal(h, "Succeeded", h.statusOf(id))
		}
		s.exec("begin dbsched.wait_process(1, 10); end;")
	})
}

// TestOracleWorkerSessions: a worker keeps its session however many tasks it runs, until they have filled their packages.
func TestOracleWorkerSessions(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec(`create package held as
    type texts is table of varchar2(32767) index by pls_integer;
    list texts;
end;`)
		const keep = "declare l_text varchar2(32767) := rpad('x', 32767, 'x'); begin for i in 1 .. 128 loop held.list(held.list.count + 1) := l_text; end loop; end;" // 4 MB
		workers := func(sql string, tasks int) string {
			list := make([]dialects.NewTask, tasks)
			for i := range list {
				list[i] = dialects.NewTask{SQL: sql, Order: 1}
			}
			ids := h.exec(list...)
			h.drain(time.Minute)
			for _, l := range h.logs() {
				require.Equal(h, "Succeeded", l.Outcome)
			}
			return s.value(fmt.Sprintf("select count(distinct l.worker_id) from ds_logs l where l.task_id >= %d", ids[0]))
		}
		require.Equal(h, "1", workers(h.say.nothing, 250))
		require.NotEqual(h, "1", workers(keep, 100))
	})
}
