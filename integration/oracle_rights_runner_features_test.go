package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleRoundRights: a round belongs to the user who defined it, its task is enqueued in that user's name and runs as the runner, and only
// the owner can have it start jobs, as they start with the owner's rights: the owner's, or those of another schema that has granted ALTER on
// them. An administrator may report, and take the round over, but with a task.
func TestOracleRoundRights(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		anna, bert, carl := r.as("anna"), r.as("bert"), r.as("carl")
		define := func(round, members, successor string) string {
			return fmt.Sprintf("begin dbsched.define_round('%s', dbsched.t_names(%s), %s); end;", round, members, successor)
		}
		report := func(round, member string) string {
			return fmt.Sprintf("begin dbsched.report_round('%s', '%s'); end;", round, member)
		}
		task := func(text string) string { return strings.ReplaceAll(text, "dbsched.", "%s.dbsched.") }
		anna.exec(define("r", "'a', 'b'", "in_successor_sql => "+oracleLiteral(strings.ReplaceAll(note, "%s", h.schema))))
		require.ErrorContains(h, anna.try(define("j", "'a'", "in_successor_job => 'JOB'")), "20056")
		require.ErrorContains(h, bert.try(report("r", "a")), "20053")
		require.ErrorContains(h, bert.try(define("r", "'b'", "in_successor_sql => 'begin null; end;'")), "20053")
		require.ErrorContains(h, bert.try("begin dbsched.define_round('r', dbsched.t_names()); end;"), "20053")
		theirs, job := r.enqueue("bert", task(report("r", "a"))), r.enqueue("anna", "begin %s.dbsched.define_round('j', %s.dbsched.t_names('a'), 'JOB'); end;")
		h.drain(2 * time.Minute)
		require.Contains(h, h.logsOf(theirs)[0].ErrorMessage, "20053", "a task is its submitter's")
		require.Contains(h, h.logsOf(job)[0].ErrorMessage, "20056")
		require.Empty(h, bert.rows("select name from ds_round_info"))
		require.Empty(h, bert.rows("select member from ds_round_member_info"))
		require.Equal(h, [][]string{{"r"}}, anna.rows("select name from ds_round_info"))
		require.Equal(h, [][]string{{"r"}}, anna.rows("select distinct round from ds_round_member_info"))

		own := r.enqueue("anna", task(report("r", "a")))
		h.drain(2 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(own), h.report())
		carl.exec(report("r", "b"))
		h.drain(2 * time.Minute)
		require.Equal(h, []string{strings.Join([]string{r.names["runner"], r.names["runner"], r.names["runner"]}, " ")}, r.noted())
		tasks := h.tasks()
		require.Equal(h, r.names["anna"], tasks[len(tasks)-1].EnqueuedBy)
		h.requireNoAlarms()

		r.user("etl", "CREATE SESSION", "CREATE JOB")
		etl := h.sessionOn(r.dsns["etl"])
		etl.exec("begin dbms_scheduler.create_job(job_name => 'REPORT', job_type => 'PLSQL_BLOCK', enabled => false, auto_drop => false, job_action => 'insert into " +
			h.schema + ".who (text) values (user);'); end;")
		start := define("j", "'a'", "in_successor_job => '"+r.names["etl"]+".REPORT'")
		require.ErrorContains(h, carl.try(start), "20056")
		h.session().exec(start)
		require.ErrorContains(h, carl.try(strings.Replace(start, "REPORT", "PURGE", 1)), "20056")
		require.ErrorContains(h, anna.try(report("j", "a")), "20053")
		carl.exec(report("j", "a"))
		require.Contains(h, strings.Join(h.alarms()[0], " "), "grant alter on", "nobody has granted it yet")
		etl.exec("grant alter on report to " + h.schema)
		done := make(chan error)
		go func() { done <- carl.try(report("j", "a")) }()
		h.until(time.Minute, "the job runs", func() bool { return len(r.noted()) == 2 })
		h.pause(time.Second)
		require.NoError(h, <-done)
		require.Equal(h, r.names["etl"], r.noted()[1], "with its owner's rights")
		require.Len(h, h.alarms(), 1)
	})
}

// TestOracleRunnerResources: tasks of the runner hold resources in their submitters' names; everybody sees that there is a line, and
// only users in it themselves, and administrators, see whose requests it holds.
func TestOracleRunnerResources(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		anna, bert, carl := r.as("anna"), r.as("bert"), r.as("carl")
		h.resource("db", 1)
		held := anna.ask(h.say.acquire("db", "Exclusive", 600, 0))
		id := number(h, bert.ask(fmt.Sprintf("declare l_id number; begin dbsched.exec_async(%s, 1, in_resource => 'db', out_task_id => l_id); :result := l_id; end;",
			oracleLiteral(strings.ReplaceAll(note, "%s", h.schema)))))
		h.until(2*h.soon, "it stands in the line", func() bool { return h.statusOf(id) == "Waiting" })
		line := "select held, waiting, requested_by, task_id from ds_resource_info order by request_id"
		a, b, task := r.names["anna"], r.names["bert"], fmt.Sprint(id)
		require.Equal(h, [][]string{{"1", "1", a, "NULL"}, {"1", "1", "NULL", "NULL"}}, anna.rows(line))
		require.Equal(h, [][]string{{"1", "1", "NULL", "NULL"}, {"1", "1", b, task}}, bert.rows(line))
		require.Equal(h, [][]string{{"1", "1", a, "NULL"}, {"1", "1", b, task}}, carl.rows(line))

		release := h.say.releaseResource(number(h, held))
		require.Error(h, bert.try(release), "it is not his")
		require.Equal(h, "Waiting", h.statusOf(id))
		anna.exec(release)
		h.drain(2 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id), h.report())
		require.Empty(h, h.requests("db"))
		require.Len(h, r.noted(), 1)
		h.requireNoAlarms()
	})
}

// TestOracleRunnerBatches: batches, parameters and transactional tasks of users, in the runner's sessions.
func TestOracleRunnerBatches(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		anna := r.as("anna")
		const insert = "insert into %s.who (text) values (:v)"
		anna.exec(strings.ReplaceAll(`declare
    l_tasks dbsched.t_tasks;
    l_ids dbsched.t_task_ids;
begin
    l_tasks(3).sql_text := '`+insert+`';
    l_tasks(3).execution_order := 1;
    l_tasks(3).parameters := '{"v": "of a table"}';
    l_tasks(3).transactional := true;
    l_tasks(7).sql_text := 'begin insert into %s.who (text) values (:v); raise zero_divide; end;';
    l_tasks(7).execution_order := 2;
    l_tasks(7).parameters := '{"v": "undone"}';
    l_tasks(7).transactional := true;
    dbsched.exec_async_table(l_tasks, l_ids);
    commit;
end;`, "%s", h.schema))
		ids, err := h.say.batch(h.Context(), anna.conn, strings.ReplaceAll(`[
			{"sql": "`+insert+`", "execution_order": 3, "parameters": {"v": "of a batch"}, "transactional": true},
			{"sql": "begin `+insert+`; commit; end;", "execution_order": 4, "parameters": {"v": "what it has committed"}, "transactional": true},
			{"sql": "begin `+insert+`; dbms_session.sleep(1); end;", "execution_order": 5, "parameters": {"v": "plain"}}]`, "%s", h.schema))
		require.NoError(h, err)
		require.Len(h, ids, 3)
		h.drain(2 * time.Minute)
		require.Equal(h, []string{"of a table", "of a batch", "what it has committed", "plain"}, r.noted(), h.report())
		var got []string
		for _, l := range h.logs() {
			got = append(got, l.Outcome)
		}
		require.Equal(h, strings.Fields("Succeeded Failed Succeeded Failed Succeeded"), got)
		for _, task := range h.tasks() {
			require.Equal(h, r.names["anna"], task.EnqueuedBy)
		}
		h.requireNoAlarms()
	})
}

// TestOracleAnothersKey: a key belongs to its user, who learns nothing of others' tasks and cannot keep them from running; a task's
// key belongs to the task's submitter.
func TestOracleAnothersKey(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		keyed := func(user string) int64 {
			return number(h, r.as(user).ask(h.say.keyed(2, "begin dbms_session.sleep(5); end;", "k")))
		}
		first, second := keyed("anna"), keyed("bert")
		require.NotEqual(h, first, second)
		require.Equal(h, first, keyed("anna"))
		require.Equal(h, second, keyed("bert"))
		nested := r.enqueue("bert", "declare l_id number; begin %s.dbsched.exec_async('begin null; end;', 2, in_dedup_key => 'k', out_task_id => l_id);"+
			fmt.Sprintf(" if l_id <> %d then raise zero_divide; end if; end;", second))
		require.NoError(h, h.sched.SetWorkers(h.Context(), 2))
		h.drain(time.Minute)
		require.Equal(h, strings.Fields("Succeeded Succeeded Succeeded"), h.statuses([]int64{first, second, nested}), h.report())
		require.Len(h, h.tasks(), 3)
		require.NotEqual(h, second, keyed("bert"), "it is over")
	})
}

// TestOracleNamesakeOfAnotherCase: users whose names differ only in case are different users, however a session compares text: neither
// sees or touches what belongs to the other, and neither is an administrator because the other is.
func TestOracleNamesakeOfAnotherCase(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		for _, name := range []string{"anna", "carl"} {
			small := strings.ToLower(r.names[name])
			h.admin().exec(fmt.Sprintf(`create user "%s" identified by "%s"`, small, throwAway))
			h.admin().exec(fmt.Sprintf(`grant create session to "%s"`, small))
			r.dsns["small "+name] = h.server.dsnOfUser(`"` + small + `"`)
			require.NoError(h, h.sched.Grant(h.Context(), `"`+small+`"`, false))
		}
		anna := r.as("anna")
		p := number(h, anna.ask(h.say.createProcess("anna's", true)))
		id := number(h, anna.ask(h.say.enqueueReturn(p, 1, "begin null; end;")))
		const keyed = "declare l_id number; begin dbsched.exec_async('begin null; end;', 2, in_process_id => 1, in_dedup_key => '7', in_not_before => systimestamp + interval '1' day, out_task_id => l_id); :result := l_id; end;"
		key := anna.ask(keyed)
		require.Equal(h, key, anna.ask(keyed))
		h.resource("db", 1)
		request := number(h, anna.ask(h.say.acquire("db", "Exclusive", 600, 0)))
		anna.exec("begin dbsched.define_round('r', dbsched.t_names('a'), in_successor_sql => 'begin null; end;'); end;")
		logged := number(h, anna.ask(h.say.enqueueReturn(0, 1, h.say.nothing)))
		h.untilStatus(logged, "Succeeded", h.restart)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		const seen = `select (select count(*) from ds_task_info), (select count(*) from ds_log_info), (select count(*) from ds_process_info), (select count(*) from ds_round_info),
    (select count(requested_by) from ds_resource_info) from dual`
		require.Equal(h, [][]string{{"3", "1", "2", "1", "1"}}, anna.rows(seen))
		for _, name := range []string{"small anna", "small carl"} {
			s := r.as(name)
			require.Equal(h, strings.ToLower(r.names[name[len("small "):]]), s.value("select user from dual"))
			s.exec("alter session set nls_comp = linguistic nls_sort = binary_ci")
			require.Equal(h, "1", s.value("select count(*) from dual where 'a' = 'A'"))
			require.Equal(h, [][]string{{"0", "0", "1", "0", "0"}}, s.rows(seen))
			require.NotEqual(h, key, s.ask(keyed), "%s has a key of its own", name)
			require.ErrorContains(h, s.try(fmt.Sprintf("begin dbsched.cancel_task(%d); end;", id)), "20025", name)
			require.ErrorContains(h, s.try(fmt.Sprintf("begin dbsched.cancel_process(%d); end;", p)), "20006", name)
			require.ErrorContains(h, s.try(h.say.close(p)), "20006", name)
			require.ErrorContains(h, s.try("begin dbsched.report_round('r', 'a'); end;"), "20053", name)
			require.Error(h, s.try(h.say.releaseResource(request)), name)
			require.ErrorContains(h, s.try("begin dbsched.set_workers(2); end;"), "20061", name)
		}
		require.Equal(h, "Waiting", h.statusOf(id))
		r.as("carl").exec("begin dbsched.set_workers(1); end;")
	})
}

// TestOracleRunnerSessionOfOne: a session of the runner serves one submitter: what a task leaves in it, such as rows of a temporary
// table that outlive the transaction, does not reach another user's. Audit trails see submitter and task as client identifier.
func TestOracleRunnerSessionOfOne(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		s := h.session()
		require.NoError(h, h.sched.SetWorkers(h.Context(), 1))
		s.exec("create global temporary table left_over (n number) on commit preserve rows")
		s.exec("grant select, insert on left_over to public")
		const leave = "begin insert into %s.left_over (n) values (1); end;"
		const look = "declare n number; begin select count(*) into n from %[1]s.left_over; insert into %[1]s.who (text) values (sys_context('USERENV', 'CLIENT_IDENTIFIER') || ' ' || n); end;"
		var ids []int64
		for _, user := range []string{"anna", "anna", "bert"} {
			task := strings.ReplaceAll(look, "%[1]s", h.schema)
			if len(ids) == 0 {
				task = leave
			}
			ids = append(ids, r.enqueue(user, task))
			require.Equal(h, "Succeeded", r.ends(ids[len(ids)-1], ""))
		}
		require.Equal(h, []string{
			fmt.Sprintf("%s T%d 1", r.names["anna"], ids[1]),
			fmt.Sprintf("%s T%d 0", r.names["bert"], ids[2]),
		}, r.noted())
		h.requireNoAlarms()
	})
}

// TestOracleGrantedUsersUseTheSchema: users who were granted dbsched name its schema, and can do with the program all that concerns their own tasks;
// what only the owner may do is refused.
func TestOracleGrantedUsersUseTheSchema(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		r.enqueue("bert", note)
		anna, err := h.dialect.Open(h.Context(), dialects.Target{Dial: h.server.dial(), DSN: r.dsns["anna"], Schema: strings.ToLower(h.schema)})
		require.NoError(h, err)
		defer anna.Close()
		require.Equal(h, h.schema, anna.Schema())

		ids, err := anna.Exec(h.Context(), []dialects.NewTask{{SQL: "begin null; end;", Order: 1}, {SQL: "begin raise no_data_found; end;", Order: 2}})
		require.NoError(h, err)
		finished, err := anna.WaitProcess(h.Context(), 1, time.Minute)
		require.NoError(h, err)
		require.True(h, finished)
		done, err := anna.Submit(h.Context(), dialects.NewProcess{Name: "hers"}, []dialects.NewTask{{SQL: "begin null; end;", Order: 1}})
		require.NoError(h, err)
		tasks, err := anna.Tasks(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.Len(h, tasks, 3, "her own")
		logs, err := anna.Logs(h.Context(), dialects.Filter{TaskID: ids[1]})
		require.NoError(h, err)
		require.Contains(h, logs[0].ErrorMessage, "ORA-01403")
		require.NoError(h, anna.RetryTask(h.Context(), ids[1]))
		require.NoError(h, anna.CancelTask(h.Context(), ids[1]))
		id, err := anna.FindProcess(h.Context(), "hers")
		require.NoError(h, err)
		require.Equal(h, done.ProcessID, id)
		_, err = anna.Status(h.Context())
		require.NoError(h, err)

		require.ErrorContains(h, anna.Stop(h.Context(), dialects.StopDrain), "20061")
		_, err = anna.Install(h.Context(), dialects.InstallOptions{})
		require.ErrorContains(h, err, "only the owner of schema "+h.schema+" can install, but you connected as "+r.names["anna"])
		_, err = anna.Uninstall(h.Context(), dialects.UninstallOptions{})
		require.ErrorAs(h, err, new(*dialects.UsageError))
		require.ErrorAs(h, anna.Grant(h.Context(), "X", false), new(*dialects.UsageError))
	})
}

// TestOracleKeysOfABatchAreTheirUsers: a key names one task of each user, also where many are enqueued at once.
func TestOracleKeysOfABatchAreTheirUsers(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		task := map[string]any{"SQL": h.say.nothing, "ExecutionOrder": 1, "DedupKey": "k"}
		enqueue := func(user string) []int64 { return r.as(user).ids(batchOf(h, task, task)) }
		a, b := enqueue("anna"), enqueue("bert")
		require.Equal(h, []int64{a[0], a[0]}, a)
		require.Equal(h, []int64{b[0], b[0]}, b)
		require.NotEqual(h, a, b)
		require.Equal(h, a, enqueue("anna"))
		require.Equal(h, b[0], number(h, r.as("bert").ask(h.say.keyed(1, h.say.nothing, "k"))), "one by one or many")
		require.Len(h, h.tasks(), 2)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 2))
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses([]int64{a[0], b[0]}))
	})
}
