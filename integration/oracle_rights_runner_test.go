package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// TestOracleRunner: tasks run as the runner, and belong to whoever enqueued them, directly or through a task.
func TestOracleRunner(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		runner := r.names["runner"]
		s := h.session()
		require.Equal(h, "2", h.admin().value("select count(*) from dba_scheduler_jobs where owner = '"+runner+"' and job_name like 'DS!_LANE!_%' escape '!'"))
		require.Equal(h, "1", s.value("select count(*) from user_scheduler_jobs"))

		own := r.enqueue("anna", note)
		nested := r.enqueue("anna", "begin %s.dbsched.exec_async('"+strings.ReplaceAll(strings.ReplaceAll(note, "'", "''"), "%s", h.schema)+"', 2); end;")
		mine := h.exec(h.task(1, strings.ReplaceAll(note, "%s", h.schema)))[0]
		denied := r.enqueue("anna", "select n from %s.secret")
		h.drain(2 * time.Minute)
		as := runner + " " + runner + " " + runner
		require.Equal(h, []string{as, as, as}, r.noted(), h.report())
		for _, id := range []int64{own, nested, mine} {
			require.Equal(h, "Succeeded", h.statusOf(id), h.report())
		}
		require.Equal(h, 942, h.logsOf(denied)[0].ErrorNumber)
		require.Equal(h, [][]string{{r.names["anna"], "4"}, {h.schema, "1"}}, s.rows("select enqueued_by, count(*) from ds_task_info group by enqueued_by order by 2 desc"))

		require.Empty(h, r.install(2).Applied, "nothing is to do")
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err, "the runner is known")
		require.Equal(h, []string{"job " + runner + ".DS_LANE_03"}, r.install(3).Applied)
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 4})
		require.ErrorContains(h, err, "20063", "the owner cannot make one")
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), h.soon)

		_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, "0", h.admin().value("select count(*) from dba_scheduler_jobs where owner = '"+runner+"'"))
		require.Equal(h, "2", s.value("select count(*) from user_tables"), "who and secret")
	})
}

// TestOracleRunnerAttacks: what a malicious task cannot do. Each must fail, or find nothing.
func TestOracleRunnerAttacks(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		p := number(h, r.as("bert").ask(h.say.createProcess("bert's", true)))
		theirs := number(h, r.as("bert").ask(h.say.enqueueReturn(p, 1, "begin null; end;")))
		lane := func(step, arguments string) string {
			return "declare l_text varchar2(100); l_number number; l_clob clob; begin %s.ds_lane." + step + "(" + arguments + "); end;"
		}
		public := func(format string, args ...any) string {
			return "begin %s.dbsched." + fmt.Sprintf(format, args...) + "; end;"
		}
		claim := "1, l_number, l_number, l_number, l_text, l_clob, l_clob, l_text"
		const (
			noTable     = "ORA-00942"
			undeclared  = "PLS-00201"
			noWorker    = "20062"
			noAdmin     = "20061"
			notTheirs   = "20006"
			notTheTasks = "20025"
		)
		attacks := []struct{ name, task, why string }{
			{"read the owner's table", "select n from %s.secret", noTable},
			{"read the tables", "select sql_text from %s.ds_tasks", noTable},
			{"read the salt", "select salt from %s.ds_settings", noTable},
			{"write the tables", "update %s.ds_tasks set enqueued_by = 'SYS'", noTable},
			{"become administrator", "insert into %s.ds_administrators (user_name) values (user)", noTable},
			{"have itself granted", "begin %s.ds_admin.grant_user('" + r.names["anna"] + "', 'Y'); end;", undeclared},
			{"work for others", "begin %s.ds_worker.recover(1); end;", undeclared},
			{"take a lock", "begin %s.ds_worker.release_lock(1); end;", undeclared},
			{"take a lock by number", "declare n integer; begin n := dbms_lock.request(1); end;", undeclared},
			{"turn", "declare n number; s varchar2(9); begin %s.ds_dispatch.turn('x', n, s); end;", undeclared},
			{"order a cancel", "begin %s.ds_control.order_cancel(1); end;", undeclared},
			{"dequeue", "declare n integer; begin n := dbms_aq.no_wait; end;", undeclared},
			{"wake", "begin %s.ds_wake.send_now; end;", undeclared},
			{"enter another lane", lane("enter", "2, l_text"), noWorker},
			{"enter its own lane", lane("enter", "1, l_text"), noWorker},
			{"claim", lane("claim", "1, rawtohex(sys_guid()), 'v', 'N', "+claim), noWorker},
			{"claim as nobody", lane("claim", "1, null, 'v', 'N', "+claim), noWorker},
			{"complete", lane("complete", "1, 'x', 1, 1, 'Succeeded', 1, null, null, null, l_text"), noWorker},
			{"wait for a wake-up", lane("wait", "2, 'x', l_text"), noWorker},
			{"leave", lane("leave", "1, 'x', 'Y'"), noWorker},
			{"fail", lane("failed", "1, 'x', 'alarm!'"), noWorker},
			{"fail as nobody", lane("failed", "1, null, 'alarm!'"), noWorker},
			{"stop", public("stop_scheduler"), noAdmin},
			{"stop now", public("stop_scheduler('Now')"), noAdmin},
			{"start", public("start_scheduler"), noAdmin},
			{"workers", public("set_workers(0)"), noAdmin},
			{"policy", public("set_policy('Fifo')"), noAdmin},
			{"options", public("set_options(in_retention_days => 1)"), noAdmin},
			{"hook", public("set_alarm_hook"), noAdmin},
			{"purge", public("purge(0)"), noAdmin},
			{"alarms", public("acknowledge_alarms"), noAdmin},
			{"sweep", public("sweep"), noAdmin},
			{"resource", public("define_resource('r', 1)"), noAdmin},
			{"work as the owner", public("task_scheduler(0)"), "20048"},
			{"cancel another's task", public("cancel_task(%d)", theirs), notTheTasks},
			{"cancel another's process", public("cancel_process(%d)", p), notTheirs},
			{"retry another's", public("retry_process(%d)", p), notTheirs},
			{"add to another's process", public("exec_async('begin null; end;', 1, in_process_id => %d)", p), notTheirs},
			{"release another's process", public("release_process(%d)", p), notTheirs},
			{"close another's process", public("close_process(%d)", p), notTheirs},
			{"a transaction of another worker's", `declare l_text varchar2(4000); l_number number; begin
    %s.ds_run.run('x', 1, 1, 'begin null; end;', null, 'Y', l_text, l_number, l_number, l_text, l_text, l_text);
    if l_text in ('Y', 'N') then raise_application_error(-20500, 'it said so: nothing was recorded'); end if; end;`, "nothing was recorded"},
			{"see others", "declare n number; begin select count(*) into n from %s.ds_task_info where enqueued_by <> '" + r.names["anna"] + "'; raise_application_error(-20500, n || ' seen'); end;", " 0 seen"},
			{"see workers' names", "declare n number; begin select count(worker_id) into n from %s.ds_log_info; raise_application_error(-20500, n || ' seen'); end;", " 0 seen"},
			{"see lanes' tasks", "declare n number; begin select count(distinct process_id) - count(worker_id) into n from %s.ds_worker_info; raise_application_error(-20500, n || ' seen'); end;", " 1 seen"},
			{"lock rows", "declare n number; begin select max_workers into n from %s.ds_scheduler_info for update; end;", "ORA-0"},
			{"drop", "drop package %s.dbsched", "ORA-0"},
		}
		ids := map[string]int64{}
		for _, a := range attacks {
			ids[a.name] = r.enqueue("anna", a.task)
		}
		h.drain(5 * time.Minute)
		for _, a := range attacks {
			logs := h.logsOf(ids[a.name])
			require.Len(h, logs, 1, a.name)
			require.Equal(h, "Failed", logs[0].Outcome, a.name)
			require.Contains(h, logs[0].ErrorMessage, a.why, a.name)
		}
		require.Equal(h, "Waiting", h.statusOf(theirs))
		status := h.status()
		require.True(h, status.Started)
		require.Equal(h, 2, status.MaxWorkers)
		h.requireNoAlarms()

		// What a task leaves in its session is not visible to the next.
		require.NoError(h, h.sched.SetWorkers(h.Context(), 1))
		r.enqueue("anna", "alter session set current_schema = %s")
		r.enqueue("anna", "begin execute immediate 'alter session set current_schema = %s'; raise zero_divide; end;")
		r.enqueue("anna", note)
		h.drain(time.Minute)
		runner := r.names["runner"]
		require.Equal(h, []string{runner + " " + runner + " " + runner}, r.noted())
	})
}

// TestOracleRunnerUsers: users see and touch their own, administrators everything, and neither touches what belongs to the owner.
func TestOracleRunnerUsers(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		anna, bert, carl := r.as("anna"), r.as("bert"), r.as("carl")
		p := number(h, anna.ask(h.say.createProcess("anna's", false)))
		id := number(h, anna.ask(h.say.enqueueReturn(p, 1, "begin dbms_session.sleep(3600); end;")))
		h.untilRunning(1, 2*h.soon)
		count := func(s *session, view, where string) string {
			return s.value("select count(*) from " + view + " where " + where)
		}
		for view, where := range sorted(map[string]string{"ds_task_info": "1 = 1", "ds_log_info": "1 = 1", "ds_process_info": "process_id <> 1", "ds_worker_info": "task_id is not null"}) {
			require.Equal(h, "1", count(anna, view, where), view)
			require.Equal(h, "0", count(bert, view, where), view)
			require.Equal(h, "1", count(carl, view, where), view)
		}
		for _, s := range []*session{anna, carl} {
			require.Equal(h, "2", s.value("select max_workers from ds_scheduler_info where copy_of is null"), "whose it is, whoever asks")
			require.Error(h, s.try("select max_workers from ds_scheduler_info for update"), "they may read, and hold nobody up")
		}
		require.Equal(h, "0", h.session().value("select count(*) from user_tab_privs p where p.privilege = 'SELECT' and p.table_name like 'DS\\_%' escape '\\'"), "READ locks nothing, SELECT may")
		require.Equal(h, "0", count(anna, "ds_log_info", "worker_id is not null"))
		require.Equal(h, "1", count(carl, "ds_log_info", "worker_id is not null"))
		require.ErrorContains(h, bert.try(fmt.Sprintf("begin dbsched.cancel_task(%d); end;", id)), "20025")
		require.ErrorContains(h, bert.try(h.say.enqueue(p, 1, h.say.nothing)), "20006")
		require.ErrorContains(h, bert.try(h.say.close(p)), "20006")
		require.ErrorContains(h, bert.try(h.say.wait(p, 1)), "20006")
		for _, call := range []string{"stop_scheduler", "start_scheduler", "set_workers(1)", "set_options(in_max_orphans => 1)"} {
			require.ErrorContains(h, anna.try("begin dbsched."+call+"; end;"), "20061", call)
		}
		require.Equal(h, "Failed", r.ends(r.enqueue("carl", "begin %s.dbsched.set_workers(2); end;"), "20061"), "nor tasks: they share the runner")
		require.Equal(h, "Failed", r.ends(r.enqueue("carl", fmt.Sprintf("begin %%s.dbsched.cancel_task(%d); end;", id)), "20025"))
		require.Equal(h, "Succeeded", r.ends(r.enqueue("carl", fmt.Sprintf("declare n number; begin select task_id into n from %%s.ds_task_info where task_id = %d; end;", id)), ""))
		require.Error(h, anna.try("begin ds_admin.grant_user('"+r.names["anna"]+"', 'Y'); end;"))
		require.Error(h, carl.try("begin ds_admin.grant_user('"+r.names["anna"]+"', 'Y'); end;"), "that is the owner's")

		require.ErrorContains(h, h.session().try(h.say.worker(0)), "20048", "not even the owner's session may run tasks: they would have its rights")
		require.ErrorContains(h, carl.try(h.say.worker(0)), "20048")
		carl.exec("begin dbsched.set_workers(1); end;")
		anna.exec(fmt.Sprintf("begin dbsched.cancel_task(%d); end;", id))
		h.until(2*time.Minute, "it is cancelled", func() bool { return h.statusOf(id) == "Cancelled" })

		require.NoError(h, h.sched.Grant(h.Context(), r.names["carl"], false))
		require.ErrorContains(h, carl.try("begin dbsched.set_workers(2); end;"), "20061")
		r.revoke("carl", dialects.Revoked{})
		r.revoke("carl", dialects.Revoked{}) // again
		require.ErrorContains(h, r.as("carl").try(h.say.enqueue(0, 1, h.say.nothing)), "PLS-00201")
		for _, name := range []string{r.names["runner"], h.schema, "nobody", "public"} {
			require.ErrorContains(h, h.sched.Grant(h.Context(), name, false), "20066", name)
		}
	})
}

// TestOracleRunnerRefused: who cannot be a runner, and what requires one.
func TestOracleRunnerRefused(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		r := &running{h: h, dsns: map[string]string{}, names: map[string]string{}}
		refused := func(name, why string) {
			h.Helper()
			_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1, RunnerDSN: r.dsns[name]})
			require.ErrorContains(h, err, why, name)
		}
		r.user("reader", "CREATE SESSION", "CREATE JOB", "SELECT ANY TABLE")
		r.user("idler", "CREATE SESSION")
		r.user("runner", "CREATE SESSION", "CREATE JOB")
		r.user("other", "CREATE SESSION", "CREATE JOB")
		r.dsns["owner"] = h.server.dsn
		refused("reader", "SELECT ANY TABLE")
		refused("idler", "create job")
		refused("owner", "the runner must not be the owner")
		namesake := h.sessionOn(r.dsns["runner"])
		h.admin().exec("grant create table, create synonym to " + r.names["runner"])
		for _, object := range []string{"table " + h.schema + " (n number)", "synonym " + h.schema + " for dual"} {
			namesake.exec("create " + object)
			refused("runner", r.names["runner"]+" has an object or synonym called "+h.schema)
			namesake.exec("drop " + strings.Fields(object)[0] + " " + h.schema)
		}
		require.Equal(h, "0", h.session().value("select count(*) from user_objects where object_name like 'DS!_TASK%' escape '!'"), "nothing was changed")
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1})
		require.NoError(h, err)
		refused("runner", "without a runner")
		require.ErrorContains(h, h.sched.Grant(h.Context(), r.names["other"], false), "without a runner")
		_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{})
		require.NoError(h, err)
		s := h.session()
		s.exec("create table dsales (n number)") // no object of dbsched, though its name starts almost like one
		s.exec("grant select on dsales to public")
		r.install(1)
		s.exec("grant select on ds_tasks to public")
		refused("runner", "Revoke them")
		s.exec("revoke select on ds_tasks from public")
		r.install(1)
		refused("other", r.names["runner"])
		require.ErrorContains(h, h.sched.Grant(h.Context(), "nobody_at_all", true), "20066")
	})
}

// TestOracleRunnerSchemaPrivileges: since 23ai a privilege can be granted on a schema, which SESSION_PRIVS does not show. On the
// owner's schema it is too much for a runner; on another one tasks may need it.
func TestOracleRunnerSchemaPrivileges(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		if h.server.box == nil {
			h.Skip("a real server has that view, or must not be given one")
		}
		r := &running{h: h, dsns: map[string]string{}, names: map[string]string{}}
		r.user("runner", "CREATE SESSION", "CREATE JOB")
		for _, schema := range []string{"HR", h.schema} {
			h.server.administrate("create or replace view sys.session_privs_all as select p.privilege, cast(null as varchar2(128)) as schema from session_privs p"+
				" union all select 'SELECT ANY TABLE', '"+schema+"' from dual", "grant select on sys.session_privs_all to public")
			_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1, RunnerDSN: r.dsns["runner"]})
			if schema == "HR" {
				require.NoError(h, err)
			} else {
				require.ErrorContains(h, err, "has more rights than tasks should have: SELECT ANY TABLE.")
			}
		}
	})
}

// TestOracleScriptOfAnotherRunner: the rendered script, run by hand on an installation with another runner, or with one where the other has none,
// stops before tasks could run as somebody else.
func TestOracleScriptOfAnotherRunner(t *testing.T) {
	for name, c := range sorted(map[string]struct{ installed, script string }{
		"with over without": {"", "runner"},
		"without over with": {"runner", ""},
		"another":           {"runner", "other"},
	}) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{bare: true}, func(h *harness) {
				r := &running{h: h, dsns: map[string]string{}, names: map[string]string{}}
				r.user("runner", "CREATE SESSION", "CREATE JOB")
				r.user("other", "CREATE SESSION", "CREATE JOB")
				_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1, RunnerDSN: r.dsns[c.installed]})
				require.NoError(h, err)
				s := h.session()
				const stored = "select nvl(s.runner, '(nobody)') || ' ' || s.version from ds_settings s"
				before := s.value(stored)
				batches, err := templates.Oracle(templates.Params{Schema: h.schema, Lanes: 1, Version: "2", Runner: r.names[c.script]})
				require.NoError(h, err)
				for _, b := range batches {
					if err = s.try(b.SQL); err != nil {
						break
					}
				}
				require.ErrorContains(h, err, "ORA-20064")
				require.Equal(h, before, s.value(stored))
			})
		})
	}
}
