package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleBatchOfATable: a collection does what JSON does; its subscripts need not be consecutive.
func TestOracleBatchOfATable(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.marks()
		fill := func(more string) string {
			return `declare
    l_tasks dbsched.t_tasks;
    l_ids dbsched.t_task_ids;
begin
    l_tasks(-5).sql_text := 'insert into marks (n) values (1)';
    l_tasks(-5).execution_order := 1;
    l_tasks(7) := l_tasks(-5);
    l_tasks(7).execution_order := 2;
    l_tasks(7).parameters := '{"n": 2}';
    l_tasks(7).sql_text := 'insert into marks (n) values (:n)';
    l_tasks(30) := l_tasks(7);
    l_tasks(30).parameters := '{"n": 3}';
    l_tasks(30).execution_order := 3;
    ` + more + `
    dbsched.exec_async_table(l_tasks, l_ids);
    if l_ids.count <> 3 or not l_ids(-5) < l_ids(7) or not l_ids(7) < l_ids(30) then
        raise_application_error(-20500, 'other numbers');
    end if;
    dbsched.exec_async_table(l_tasks);
    rollback to savepoint here;
    dbsched.exec_async_table(l_tasks);
end;`
		}
		s.begin()
		s.exec(h.say.savepoint)
		s.exec(fill(""))
		s.commit()
		h.drain(time.Minute)
		require.Len(h, h.tasks(), 3)
		require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}}, s.rows(h.say.markRead))
		require.ErrorContains(h, s.try(fill("l_tasks(9).execution_order := 1;")), "dbsched 20001: task 9:")
		require.Len(h, h.tasks(), 3)
		s.exec("declare l_tasks dbsched.t_tasks; begin dbsched.exec_async_table(l_tasks); end;")
	})
}

// TestOracleDeferredConstraint: a constraint deferred to the commit fails the attempt like any other error, and undoes all of it.
func TestOracleDeferredConstraint(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		s.exec("create table wish (n number constraint wish_ck check (n > 0) initially deferred)")
		id := h.exec(dialects.NewTask{SQL: "begin insert into marks (n) values (-1); insert into wish (n) values (-1); end;", Order: 1, Transactional: true, MaxAttempts: 2, RetryDelay: time.Second})[0]
		h.drain(time.Minute)
		logs := h.logsOf(id)
		require.Len(h, logs, 2)
		require.Equal(h, 2290, logs[1].ErrorNumber, logs[1].ErrorMessage)
		require.Equal(h, "Failed", h.statusOf(id))
		require.Empty(h, s.rows(h.say.markRead))
		require.Zero(h, h.processOf(1).Running)
	})
}

// TestOracleKilledBeforeItsCompletion: a transactional task has done its work, and its worker dies while waiting for the
// process row: nothing of the work is left, and it is done once by the next attempt.
func TestOracleKilledBeforeItsCompletion(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		id := h.exec(dialects.NewTask{SQL: h.say.slowly(1, 5*time.Second), Order: 1, Transactional: true})[0]
		h.untilRunning(1, h.soon)
		s.begin()
		s.exec("begin for r in (select p.process_id from ds_processes p where p.process_id = 1 for update) loop null; end loop; end;")
		h.pause(8 * time.Second)
		h.killWorker(id)
		s.rollback()
		h.session().exec(h.say.sweep)
		h.drain(2 * time.Minute)
		require.Len(h, h.logsOf(id), 2)
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Equal(h, [][]string{{"1"}}, s.rows(h.say.markRead))
	})
}

// TestOracleLinguisticKeys: in a session with case-insensitive comparison, keys that differ in case stay different, alone and in one call.
func TestOracleLinguisticKeys(t *testing.T) {
	onOracle(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		s := h.session()
		s.exec("alter session set nls_comp = linguistic nls_sort = binary_ci")
		enqueue := func(key string) string {
			return s.ask(fmt.Sprintf("declare l_id number; begin dbsched.exec_async('begin null; end;', 1, in_dedup_key => '%s', out_task_id => l_id); commit; :result := l_id; end;", key))
		}
		lower, upper := enqueue("key"), enqueue("KEY")
		require.NotEqual(h, lower, upper)
		require.Equal(h, lower, enqueue("key"))
		require.Equal(h, "4", s.ask(`declare
    l_tasks dbsched.t_tasks;
    l_ids dbsched.t_task_ids;
begin
    for i in 1 .. 4 loop
        l_tasks(i).sql_text := 'begin null; end;';
        l_tasks(i).execution_order := 1;
        l_tasks(i).dedup_key := case i when 1 then 'a' when 2 then 'A' when 3 then 'a' else 'KEY' end;
    end loop;
    dbsched.exec_async_table(l_tasks, l_ids);
    commit;
    :result := case when l_ids(1) = l_ids(3) and l_ids(1) <> l_ids(2) and l_ids(4) = `+upper+` then 4 else 0 end;
end;`))
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		for _, l := range h.tasks() {
			require.Equal(h, "Succeeded", l.Status, "the claim skips none")
		}
		require.Len(h, h.tasks(), 4)

		// A claim by a worker in such a session does not mix them up either, while the other runs.
		slow := number(h, s.ask("declare l_id number; begin dbsched.exec_async('begin dbms_session.sleep(30); end;', 1, in_dedup_key => 'slow', out_task_id => l_id); :result := l_id; end;"))
		h.untilRunning(1, h.restart)
		other := number(h, s.ask("declare l_id number; begin dbsched.exec_async('begin null; end;', 1, in_dedup_key => 'SLOW', out_task_id => l_id); :result := l_id; end;"))
		s.exec(h.say.worker(0))
		require.Equal(h, []string{"Running", "Succeeded"}, h.statuses([]int64{slow, other}))
	})
}
