package integration

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// enqueuer is a client that enqueues a task four times a second for d, with code that is in no dbsched package between
// two calls, and that records the errors that it gets.
func enqueuer(d time.Duration, task string) string {
	return fmt.Sprintf(`declare
    l_code number;
begin
    for i in 1 .. %d loop
        begin
            execute immediate 'begin dbsched.exec_async(:1, 5); end;' using in q'[%s]';
        exception
            when others then
                l_code := sqlcode;
                insert into refused (code) values (l_code);
        end;
        commit;
        dbms_session.sleep(0.25);
    end loop;
end;`, d/(250*time.Millisecond), task)
}

// TestOracleUpgradeWhileLanesRun: eight lanes, some with tasks and some waiting for more, and a client that keeps
// enqueueing: all code is replaced, nobody waits longer than the tasks take, each task runs once, and the scheduler continues.
func TestOracleUpgradeWhileLanesRun(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(strconv.FormatUint(seed+1, 10), func(t *testing.T) {
			onOracle(t, setup{lanes: 8, stopped: true, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				s := h.marks()
				s.exec("create table refused (code number)")
				h.otherCode()
				require.Equal(h, "0", s.value("select count(*) from user_objects where status <> 'VALID'"))
				require.NoError(h, h.sched.Start(h.Context()))
				busy := int(seed * 2) // and the others wait for more
				var list []dialects.NewTask
				for i := range 8 {
					d := 8 * time.Second
					if i < busy {
						d = time.Duration(16+4*i) * time.Second
					}
					list = append(list, h.sleep(1, d))
				}
				ids := h.exec(list...)
				h.untilRunning(8, h.restart)
				h.until(15*time.Second, "some wait for more", func() bool { return h.running() == busy })
				require.Equal(h, strconv.Itoa(8-busy), s.value("select count(*) from ds_lanes where state = 'Idle'"))

				report, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: time.Minute}, enqueuer(40*time.Second, h.say.mark(7)))
				require.NoError(h, err)
				require.NotEmpty(h, report.Applied)
				require.Less(h, took, time.Minute, "it waits for the tasks, and for nobody else")
				require.Equal(h, "0", s.value(older))
				require.Equal(h, "0", s.value("select count(*) from user_objects where status <> 'VALID'"))
				require.True(h, h.status().Started)

				h.drain(time.Minute)
				for _, id := range ids {
					require.Len(h, h.logsOf(id), 1)
				}
				for _, l := range h.logs() {
					require.Equal(h, "Succeeded", l.Outcome, "task %d: %s", l.TaskID, l.ErrorMessage)
				}
				refused := s.rows("select code, count(*) from refused group by code order by code")
				h.Logf("took %v; refused: %v", took, refused)
				var sum int
				for _, r := range refused {
					sum += int(number(h, r[1]))
				}
				require.Equal(h, strconv.Itoa(160-sum), s.value("select count(*) from marks"), "each that was accepted has run once")
				require.Less(h, sum, 80, "most of them are")
				h.requireWaves(h.logs())
				h.requireNoAlarms()
			})
		})
	}
}

// TestOracleBusyUpgradeIsRefused: as long as tasks run, nothing is replaced, not even code that none of them is in.
func TestOracleBusyUpgradeIsRefused(t *testing.T) {
	onOracle(t, setup{lanes: 8, stopped: true}, func(h *harness) {
		s := h.session()
		h.otherCode()
		was := s.value(older)
		require.NoError(h, h.sched.Start(h.Context()))
		id := h.exec(h.sleep(1, 20*time.Minute))[0]
		h.untilRunning(1, h.restart)
		_, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: 5 * time.Second}, "")
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		require.ErrorContains(h, err, fmt.Sprintf("task %d, lane ", id))
		require.Less(h, took, 15*time.Second)
		require.Equal(h, was, s.value(older), "nothing was changed")
		require.True(h, h.status().Started)
		next := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(next, h.now(), h.restart)
		h.drain(20 * time.Minute)
		require.Len(h, h.logs(), 2, "it was not disturbed")
		h.requireNoAlarms()
	})
}

// TestOracleLanesPinNothing: a lane's job is in DS_RUN while its task runs, and in no other package; the waiting dispatcher
// is in none. Replacing another package does not wait for them, and they continue.
func TestOracleLanesPinNothing(t *testing.T) {
	onOracle(t, setup{lanes: 8}, func(h *harness) {
		var list []dialects.NewTask
		for range 8 {
			list = append(list, h.sleep(1, 4*time.Minute))
		}
		h.exec(list...)
		h.untilRunning(8, h.restart)
		h.otherCode("DS_RUN")
		h.drain(5 * time.Minute)
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		require.Len(h, h.logs(), 9)
		h.requireNoAlarms()
	})
}

// first installs and starts a version with other code, and continues as the program of a later one.
func (h *harness) first() {
	h.Helper()
	setup{lanes: 2, workers: 2}.install(h.T, h.sched)
	h.otherCode()
	require.NoError(h, h.sched.Start(h.Context()))
	h.sched = h.next()
}

// TestOracleUpgradeFromTheFirstVersion: this version finishes what the first version was given and has not finished: tasks that
// run meanwhile, that wait for their wave, for their time, for a retry, for their process's release, and the next one.
func TestOracleUpgradeFromTheFirstVersion(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.marks()
		s.exec("create table refused (code number)")
		h.first()
		process := func(suspended bool) int64 { return number(h, s.ask(h.say.createProcess("older", suspended))) }
		open, suspended, closing := process(false), process(true), process(false)
		add := func(p int64, order int, task, more string) int64 {
			return number(h, s.ask(fmt.Sprintf("declare l_id number; begin dbsched.exec_async(in_sql => q'[%s]', in_execution_order => %d, in_process_id => %d, out_task_id => l_id%s); commit; :result := l_id; end;", task, order, p, more)))
		}
		var ids []int64
		for range 2 {
			ids = append(ids, add(1, 1, h.dialect.Sleep(12*time.Second), ""))
		}
		ids = append(ids,
			add(1, 2, h.say.mark(1), ""),
			add(open, 1, h.say.mark(2), ", in_not_before => systimestamp + interval '90' second"),
			add(open, 2, h.say.mark(3), ""),
			add(suspended, 1, h.say.mark(4), ""),
			add(closing, 1, h.say.mark(5), ""))
		s.exec(h.say.close(closing))
		h.until(10*time.Second, "two tasks run", func() bool { return s.value("select count(*) from ds_tasks where status = 'Running'") == "2" })

		report, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: time.Minute}, enqueuer(30*time.Second, h.say.mark(7)))
		require.NoError(h, err)
		require.Less(h, took, 30*time.Second)
		require.Contains(h, report.Applied, "0002_later.up.sql")
		require.NotContains(h, report.Applied, "0001_tables.up.sql")
		require.Equal(h, 2, report.Lanes)
		require.Equal(h, "0", s.value("select count(*) from user_objects where status <> 'VALID'"))
		require.True(h, h.status().Started)
		require.Equal(h, "Suspended", h.processOf(suspended).Status)
		h.Logf("took %v; refused: %v", took, s.rows("select code, count(*) from refused group by code"))

		s.exec(h.say.release(suspended))
		for _, p := range []int64{1, open, suspended, closing} {
			h.waitFor(p, 3*time.Minute)
		}
		for _, id := range ids {
			require.Len(h, h.logsOf(id), 1, "task %d", id)
			require.Equal(h, "Succeeded", h.statusOf(id))
		}
		require.Equal(h, "Succeeded", h.processOf(closing).Status)
		require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}}, s.rows("select distinct n from marks where n < 7 order by n"))
		require.Equal(h, s.value("select 120 - count(*) from refused"), s.value("select count(*) from marks where n = 7"))
		h.requireWaves(h.logs())
		h.requireNoAlarms()

		h.resource("r", 1)
		needs := h.task(1, h.say.mark(8))
		needs.Resource, needs.Timeout, needs.DedupKey = "r", time.Minute, "k"
		h.exec(needs)
		h.drain(time.Minute)
		require.Equal(h, "1", s.value("select count(*) from marks where n = 8"))
		report, err = h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Empty(h, report.Applied)
		_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, [][]string{{"MARKS"}, {"REFUSED"}}, s.rows("select object_name from user_objects where object_type = 'TABLE'"))
	})
}

// TestOracleUpgradeBesideLongCalls: no package is replaced while a call is in it, however long ago it entered. That is
// found out before anything is replaced, and the scheduler continues; when the call has ended, the installation succeeds. A session
// that only has a transaction open does not interfere.
func TestOracleUpgradeBesideLongCalls(t *testing.T) {
	for name, call := range sorted(map[string]string{
		"a waiter":             "declare l_result number; l_status varchar2(20); begin dbsched.wait_process(1, 1500, l_result, l_status); end;",
		"a block that goes on": "begin dbsched.exec_async('begin null; end;', 9); commit; dbms_session.sleep(1500); end;",
	}) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2, stopped: true}, func(h *harness) {
				s := h.marks()
				h.otherCode()
				was := s.value(older)
				h.exec(h.task(1, h.say.mark(1))) // waits until the scheduler is started
				open := h.session()
				open.begin()
				open.exec(h.say.enqueue(1, 2, h.say.mark(2)))
				done := make(chan error, 1)
				long := h.session()
				go func() {
					_, err := long.conn.ExecContext(h.Context(), call)
					done <- err
				}()
				h.pause(time.Second)
				_, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: 20 * time.Second}, "")
				require.ErrorAs(h, err, new(*dialects.PreflightError))
				require.ErrorContains(h, err, "ORA-04021")
				require.ErrorContains(h, err, "v$access")
				require.Less(h, took, 10*time.Minute)
				require.Equal(h, was, s.value(older), "nothing was replaced")
				require.False(h, h.status().Started)
				h.pause(20 * time.Minute)
				require.NoError(h, <-done)

				report, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: 20 * time.Second}, "")
				require.NoError(h, err)
				require.Less(h, took, 30*time.Second)
				require.NotEmpty(h, report.Applied)
				require.Equal(h, "0", s.value(older))
				require.NoError(h, h.sched.Start(h.Context()))
				open.exec(h.say.enqueue(1, 2, h.say.mark(3)))
				open.commit()
				h.drain(time.Minute)
				require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}}, s.rows("select n from marks order by n"))
				h.requireNoAlarms()
			})
		})
	}
}

// TestOracleUpgradeBesideOpenTransactions: columns cannot be added to a table that an open transaction has changed. After half
// a minute the installation gives up and says so; the open transaction continues with the older code, and when it
// has ended the installation continues from there.
func TestOracleUpgradeBesideOpenTransactions(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.marks()
		h.first()
		open := h.session()
		open.begin()
		open.exec(h.say.enqueue(1, 1, h.say.mark(1)))
		install := func() error {
			_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
			return err
		}
		err := install()
		require.ErrorAs(h, err, new(*dialects.PartialError))
		require.ErrorContains(h, err, "ORA-00054")
		require.ErrorContains(h, err, "dbsched start")
		require.False(h, h.status().Started)

		open.exec(h.say.enqueue(1, 2, h.say.mark(2)))
		other := h.session()
		other.exec(h.say.enqueue(1, 3, h.say.mark(3)))
		require.ErrorContains(h, install(), "ORA-00054")
		open.commit()

		require.NoError(h, install())
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}}, s.rows(h.say.markRead))
		h.requireNoAlarms()
	})
}

// TestOracleUpgradeWhatCallersSee: a call at the moment when a package is replaced waits, or gets an Oracle error
// that undoes only this call: what the transaction enqueued before stays, and calling again succeeds.
func TestOracleUpgradeWhatCallersSee(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(strconv.FormatUint(seed+1, 10), func(t *testing.T) {
			onOracle(t, setup{bare: true, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				s := h.marks()
				s.exec("create table refused (code number)")
				h.first()
				s.exec("begin dbsched.stop_scheduler; end;")
				h.pause(time.Minute)
				// Transactions of three tasks each; a refused call is repeated.
				_, _, err := h.upgrade(dialects.InstallOptions{}, fmt.Sprintf(`declare
    l_code number;
    l_added pls_integer := 0;
    l_errors pls_integer := 0;
begin
    while l_added < 600 loop
        begin
            execute immediate 'begin dbsched.exec_async(:1, 1); end;' using in q'[%s]';
            l_added := l_added + 1;
        exception
            when others then
                l_code := sqlcode;
                insert into refused (code) values (l_code);
                l_errors := l_errors + 1;
                exit when l_errors > 600;
        end;
        if mod(l_added, 3) = 0 then
            commit;
        end if;
        dbms_session.sleep(0.01);
    end loop;
    commit;
end;`, h.say.mark(7)))
				require.NoError(h, err)
				codes := s.rows("select code, count(*) from refused group by code order by code")
				h.Logf("refused: %v", codes)
				for _, code := range codes {
					// 4061, 4065, 4068: its state was discarded; 4063, 4067, 6508: it has errors or no body; 6550: it cannot be compiled.
					require.Contains(h, []string{"-4061", "-4063", "-4065", "-4067", "-4068", "-6508", "-6550"}, code[0])
				}
				require.Equal(h, "600", s.value("select count(*) from ds_tasks"))
				require.EqualValues(h, 600, h.status().Unfinished)
			})
		})
	}
}

// TestOracleUpgradeInTheMiddle: a task that is being ended, others that hold and wait for a resource, an outside holder
// between two calls, and a suspended process: after the upgrade each is what it was before, or would have become.
func TestOracleUpgradeInTheMiddle(t *testing.T) {
	onOracle(t, setup{lanes: 8, stopped: true, box: handledBreaks}, func(h *harness) {
		s := h.marks()
		h.otherCode()
		require.NoError(h, h.sched.Start(h.Context()))
		h.resource("r", 1)
		h.resource("outside", 1)
		suspended := number(h, s.ask(h.say.createProcess("suspended", true)))
		s.exec(h.say.enqueue(suspended, 1, h.say.mark(1)))
		needs := func(resource, sql string) dialects.NewTask {
			task := h.task(1, sql)
			task.Resource = resource
			return task
		}
		outside := h.acquire("outside", "Exclusive", 0, 600)
		outside.granted(time.Second)
		stubborn := h.exec(h.task(1, h.say.stubborn(25*time.Second, true)))[0]
		ids := h.exec(needs("r", h.dialect.Sleep(15*time.Second)), needs("r", h.say.mark(2)), needs("outside", h.say.mark(3)))
		h.untilRunning(2, h.restart)
		h.cancel(stubborn)
		h.until(5*time.Second, "the lane is condemned", func() bool { return h.condemned() == "1" })

		_, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: time.Minute}, "")
		require.NoError(h, err)
		require.Less(h, took, 45*time.Second)
		require.Equal(h, "0", s.value(older))
		require.Equal(h, "Cancelled", h.statusOf(stubborn))
		h.until(h.restart, "the lane is given back", func() bool { return h.condemned() == "0" })
		require.Equal(h, "Suspended", h.processOf(suspended).Status)
		h.startsWithin(ids[1], h.now(), h.restart)
		require.Equal(h, "Waiting", h.statusOf(ids[2]), "it is held from outside")
		outside.release()
		h.drain(time.Minute)
		s.exec(h.say.release(suspended))
		h.waitFor(suspended, time.Minute)
		require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}}, s.rows("select n from marks order by n"))
		for _, id := range ids {
			require.Len(h, h.logsOf(id), 1)
			require.Equal(h, "Succeeded", h.statusOf(id))
		}
		require.Len(h, h.logsOf(stubborn), 1)
	})
}

// TestOracleRunnerUpgrade: with a runner the jobs belong to that user; the owner updates them without its password, while
// nobody works. An uninstallation leaves nothing in either schema, but keeps a job of the runner's own.
func TestOracleRunnerUpgrade(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		runner, s := r.names["runner"], h.session()
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(time.Minute)
		h.otherCode()
		for _, lane := range []string{"01", "02"} {
			s.exec("begin dbms_scheduler.set_attribute('" + runner + ".DS_LANE_" + lane + "', 'job_action', replace(q'[" +
				s.value("select job_action from all_scheduler_jobs where owner = '"+runner+"' and job_name = 'DS_LANE_"+lane+"'") + "]', 'interval ''1'' hour', 'interval ''2'' hour')); end;")
		}
		require.NoError(h, h.sched.Start(h.Context()))
		long := r.enqueue("anna", "begin dbms_session.sleep(15); end;")
		h.untilRunning(1, h.restart)
		report, took, err := h.upgrade(dialects.InstallOptions{DrainTimeout: time.Minute}, "")
		require.NoError(h, err)
		require.NotEmpty(h, report.Applied)
		require.Less(h, took, 30*time.Second)
		require.Equal(h, "0", s.value(older))
		require.Equal(h, "0", s.value("select count(*) from all_scheduler_jobs where job_action like '%interval ''2'' hour%'"))
		require.Len(h, h.logsOf(long), 1)
		require.Equal(h, "Succeeded", h.statusOf(long))
		require.Equal(h, "Succeeded", r.ends(r.enqueue("bert", note), ""))
		require.Equal(h, []string{runner + " " + runner + " " + runner}, r.noted())
		h.requireNoAlarms()

		own := h.sessionOn(r.dsns["runner"])
		own.exec("begin dbms_scheduler.create_job(job_name => 'DS_LANE_77', job_type => 'PLSQL_BLOCK', job_action => 'begin null; end;', comments => 'mine'); end;")
		require.NoError(h, h.uninstall(dialects.UninstallOptions{DrainTimeout: time.Minute}))
		require.Equal(h, [][]string{{"DS_LANE_77"}}, own.rows("select object_name from user_objects"))
		require.Equal(h, [][]string{{"SECRET"}, {"WHO"}}, s.rows("select object_name from user_objects where object_type = 'TABLE' order by object_name"))
		require.Equal(h, "0", s.value("select count(*) from user_objects where object_type in ('PACKAGE', 'PACKAGE BODY', 'VIEW', 'JOB', 'QUEUE')"))
	})
}
