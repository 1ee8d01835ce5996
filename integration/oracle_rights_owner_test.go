package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// noteOf is the task note, for a literal.
func (r *running) noteOf() string {
	return oracleLiteral(strings.ReplaceAll(note, "%s", r.h.schema))
}

// TestOracleFiringRunsWhatItsOwnerWrote: a firing that waits for a lane, or for its next attempt, while somebody else gives its schedule new
// tasks does not enqueue these in the name of the former owner, who would see them. The new owner is told, and can start it.
func TestOracleFiringRunsWhatItsOwnerWrote(t *testing.T) {
	for way, hold := range sorted(map[string]struct{ before, between, after string }{
		"the lanes are off": {"set_workers(0)", "", "set_workers(2)"},
		"it failed once":    {"set_workers(2)", "", "set_workers(2)"},
		"it was cancelled":  {"set_workers(0)", "cancel_task(%d)", "set_workers(2)"},
	}) {
		t.Run(way, func(t *testing.T) {
			withRunner(t, func(h *harness, r *running) {
				anna, carl := r.as("anna"), r.as("carl")
				call := func(s *session, text string) error { return s.try("begin dbsched." + text + "; end;") }
				require.NoError(h, call(anna, "create_schedule('hers', '0 3 1 1 *', 'begin null; end;')"))
				require.NoError(h, call(carl, hold.before))
				if way == "it failed once" {
					h.session().exec("update ds_schedules set tasks = '[1]'")
				}
				require.NoError(h, call(anna, "run_schedule('hers')"))
				h.pause(5 * time.Second)
				task := number(h, h.session().value("select max(f.task_id) from ds_schedule_log f"))
				if hold.between != "" {
					require.NoError(h, call(anna, fmt.Sprintf(hold.between, task)))
				}
				require.NoError(h, call(carl, "alter_schedule('hers', in_sql => "+r.noteOf()+")"))
				for _, c := range []*session{anna, carl, h.session()} {
					require.ErrorContains(h, call(c, fmt.Sprintf("retry_task(%d)", task)), "20027")
				}
				require.NoError(h, call(carl, hold.after))
				h.pause(5 * time.Minute)
				require.Empty(h, r.noted())
				require.Equal(h, "0", anna.value("select count(*) from ds_task_info t where t.sql_text like '%who%'"))
				if hold.between == "" {
					require.Equal(h, "Failed", h.statusOf(task))
					require.Contains(h, strings.Join(h.alarmsOf("ScheduleFailed"), " "), "20072")
				}
				require.NoError(h, call(carl, "run_schedule('hers')"))
				h.pause(time.Minute)
				require.Len(h, r.noted(), 1)
				tasks := h.tasks()
				require.Equal(h, r.names["carl"], tasks[len(tasks)-1].EnqueuedBy)
			})
		})
	}
}

// TestOracleRetryOfSeveralUsers: who owns a process does not run other users' tasks in it again, neither failed ones nor those that were
// skipped or cancelled with it. An administrator can.
func TestOracleRetryOfSeveralUsers(t *testing.T) {
	for name, c := range sorted(map[string]struct {
		first, second string // anna's task and carl's, in waves 1 and 2 of her process
		cancel        bool
		notes         []int // before and after an administrator's retry
	}{
		"failed":    {note, "begin " + note + "; commit; raise zero_divide; end;", false, []int{2, 3}},
		"skipped":   {"begin raise zero_divide; end;", note, false, []int{0, 0}},
		"cancelled": {note, note, true, []int{0, 2}},
	}) {
		t.Run(name, func(t *testing.T) {
			withRunner(t, func(h *harness, r *running) {
				anna, carl := r.as("anna"), r.as("carl")
				p := number(h, anna.ask(h.say.createProcess("anna's", true)))
				anna.exec(h.say.enqueue(p, 1, strings.ReplaceAll(c.first, "%s", h.schema)))
				carl.exec(h.say.enqueue(p, 2, strings.ReplaceAll(c.second, "%s", h.schema)))
				if c.cancel {
					anna.exec(fmt.Sprintf("begin dbsched.cancel_process(%d); end;", p))
				}
				anna.exec(h.say.release(p))
				h.waitFor(p, time.Minute)
				require.Len(h, r.noted(), c.notes[0])
				retry := fmt.Sprintf("begin %s.dbsched.retry_process(%d); end;", h.schema, p)
				own := fmt.Sprintf("begin dbsched.retry_process(%d); end;", p)
				require.ErrorContains(h, anna.try(own), "20025")
				require.Equal(h, "Failed", r.ends(r.enqueue("anna", retry), "20025"), "nor a task of hers")
				require.Equal(h, "Failed", r.ends(r.enqueue("carl", retry), "20006"), "nor one of an administrator: tasks are not isolated")
				require.Len(h, r.noted(), c.notes[0])
				carl.exec(own)
				h.waitFor(p, time.Minute)
				require.Len(h, r.noted(), c.notes[1])
			})
		})
	}
}

// TestOracleRightsThatAreGone: what a user has left behind enqueues nothing once the user may not, whether 'dbsched revoke' took the right, or somebody
// else did. What was queued before runs.
func TestOracleRightsThatAreGone(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		carl, s, name := r.as("carl"), h.session(), r.names["anna"]
		leave := func() {
			h.Helper()
			anna := r.as("anna")
			anna.exec("begin dbsched.create_schedule('hers', '0 * * * *', " + r.noteOf() + "); dbsched.create_schedule('off', '0 * * * *', 'begin null; end;', in_enabled => false); end;")
			anna.exec("begin dbsched.define_round('r', dbsched.t_names('a'), in_successor_sql => " + r.noteOf() + "); end;")
			anna.exec("begin dbsched.exec_async(" + r.noteOf() + ", 1, in_not_before => systimestamp + interval '1' minute); end;")
			anna.exec("commit")
		}
		suspended := func(why string) {
			h.Helper()
			require.Equal(h, "Suspended", h.scheduleOf("hers").Status)
			require.Contains(h, h.scheduleOf("hers").Reason, why)
			require.ErrorContains(h, carl.try("begin dbsched.report_round('r', 'a'); end;"), "20057")
			require.Len(h, r.noted(), 1, "what was queued before")
		}
		leave()
		r.revoke("anna", dialects.Revoked{Schedules: 1, Rounds: 1})
		h.pause(2 * time.Hour)
		suspended(name + " was revoked")
		require.Equal(h, "Disabled", h.scheduleOf("off").Status)
		for _, call := range []string{"run_schedule('hers')", "set_schedule_enabled('hers', true)"} {
			carl.exec("begin dbsched." + call + "; end;")
			h.pause(time.Minute)
			suspended(name + " may no longer call dbsched")
		}
		r.revoke("anna", dialects.Revoked{Rounds: 1})

		require.NoError(h, h.sched.Grant(h.Context(), name, false))
		s.exec("revoke execute on dbsched from " + name)
		carl.exec("begin dbsched.set_schedule_enabled('hers', true); end;")
		h.pause(time.Hour)
		suspended(name + " may no longer call dbsched")

		// With the right it goes on, however the user has it. Who has a role cannot be seen, so one that has it is enough.
		s.exec("grant execute on dbsched to public")
		carl.exec("begin dbsched.report_round('r', 'a'); end;")
		carl.exec("begin dbsched.set_schedule_enabled('hers', true); end;")
		h.pause(time.Hour)
		require.Equal(h, "Enabled", h.scheduleOf("hers").Status)
		require.Greater(h, len(r.noted()), 2)
	})
}

// TestOracleRoundOfALesserUser: a round enqueues where its definer may enqueue now, and not where the reporter may.
func TestOracleRoundOfALesserUser(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		p := number(h, r.as("bert").ask(h.say.createProcess("bert's", false)))
		r.as("carl").exec(fmt.Sprintf("begin dbsched.define_round('r', dbsched.t_names('a'), in_successor_sql => %s, in_process_id => %d); end;", r.noteOf(), p))
		h.session().exec("begin dbsched.report_round('r', 'a'); end;")
		h.until(time.Minute, "the task", func() bool { return len(r.noted()) == 1 })
		require.NoError(h, h.sched.Grant(h.Context(), r.names["carl"], false))
		require.ErrorContains(h, h.session().try("begin dbsched.report_round('r', 'a'); end;"), "20006")
		require.Contains(h, strings.Join(h.alarmsOf("RoundStart"), " "), "20006")
		h.pause(time.Minute)
		require.Len(h, r.noted(), 1)
	})
}

// TestOracleNamesakeOwnsNothing: a user created later with the name of one who was dropped neither sees nor touches what that one left, and is no
// administrator because that one was. What the old one left enqueues nothing in the new one's name.
func TestOracleNamesakeOwnsNothing(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		s := h.session()
		h.resource("db", 1)
		s.exec("create procedure on_alarm (in_alarm_id in number) as begin insert into who (text) values ('alarm'); end;")
		s.exec("grant execute on on_alarm to " + r.names["runner"])
		r.as("carl").exec("begin dbsched.set_alarm_hook('on_alarm'); end;")
		anna := r.as("anna")
		p := number(h, anna.ask(h.say.createProcess("anna's", true)))
		failed := r.enqueue("anna", "begin raise zero_divide; end;")
		h.drain(time.Minute)
		queued := number(h, anna.ask(h.say.enqueueReturn(p, 1, strings.ReplaceAll(note, "%s", h.schema))))
		request := number(h, anna.ask(h.say.acquire("db", "Exclusive", 600, 3600)))
		anna.exec("begin dbsched.define_round('r', dbsched.t_names('a'), in_successor_sql => " + r.noteOf() + "); end;")
		anna.exec("begin dbsched.create_schedule('s', '0 * * * *', " + r.noteOf() + "); end;")
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		keyed := number(h, anna.ask(h.say.keyed(2, "begin null; end;", "late")))
		const seen = `select (select count(*) from ds_task_info), (select count(*) from ds_log_info where task_id = %d), (select count(*) from ds_process_info where process_id > 1),
    (select count(*) from ds_round_info), (select count(*) from ds_round_member_info), (select count(*) from ds_schedule_info), (select count(requested_by) from ds_resource_info) from dual`
		see := func(s *session) [][]string { return s.rows(fmt.Sprintf(seen, failed)) }
		require.Equal(h, [][]string{{"3", "1", "1", "1", "1", "1", "1"}}, see(anna))

		for _, name := range []string{"anna", "carl"} {
			r.drop(name)
			r.again(name)
			s.exec("grant execute on dbsched to " + r.names[name])
			for _, view := range s.rows("select view_name from user_views order by view_name") {
				s.exec("grant read on " + view[0] + " to " + r.names[name])
			}
		}
		anna, carl := r.as("anna"), r.as("carl")
		require.Equal(h, [][]string{{"0", "0", "0", "0", "0", "0", "0"}}, see(anna))
		require.Equal(h, [][]string{{"0", "0", "0", "0", "0", "0", "0"}}, see(carl))
		for call, number := range sorted(map[string]string{
			fmt.Sprintf("cancel_task(%d)", queued):                                   "20025",
			fmt.Sprintf("retry_task(%d)", failed):                                    "20025",
			fmt.Sprintf("cancel_process(%d)", p):                                     "20006",
			fmt.Sprintf("retry_process(%d)", p):                                      "20006",
			fmt.Sprintf("release_process(%d)", p):                                    "20006",
			fmt.Sprintf("release_resource(%d)", request):                             "20045",
			fmt.Sprintf("exec_async('begin null; end;', 1, in_process_id => %d)", p): "20006",
			"report_round('r', 'a')":                                                 "20053",
			"run_schedule('s')":                                                      "20072",
			"alter_schedule('s', '0 0 * * *')":                                       "20072",
			"drop_schedule('s')":                                                     "20072",
			"set_workers(2)":                                                         "20061",
		}) {
			for _, c := range []*session{anna, carl} {
				require.ErrorContains(h, c.try("begin dbsched."+call+"; end;"), number, call)
			}
		}
		require.NotEqual(h, keyed, number(h, anna.ask(h.say.keyed(2, "begin null; end;", "late"))), "her own key")

		require.NoError(h, h.sched.SetWorkers(h.Context(), 2))
		s.exec(h.say.release(p))
		h.waitFor(p, time.Minute)
		h.drain(time.Minute)
		for _, id := range []int64{queued, keyed} {
			require.Equal(h, "Failed", h.statusOf(id))
			require.Contains(h, h.logsOf(id)[0].ErrorMessage, "20021")
		}
		require.NotContains(h, h.logsOf(queued)[0].SQL, "20021", "the log has the task's own text")
		require.ErrorContains(h, s.try("begin dbsched.report_round('r', 'a'); end;"), "20057")
		h.pause(time.Hour)
		require.Equal(h, "Suspended", h.scheduleOf("s").Status)
		require.Contains(h, h.scheduleOf("s").Reason, r.names["anna"]+" no longer exists")
		require.Empty(h, r.noted(), "not even the hook, which was carl's")
		require.Contains(h, h.tasksOf("on_alarm"), "Failed")
		all, bad := h.levels(0)
		require.Equal(h, dialects.Warn, bad["users"])
		require.Contains(h, h.check(all, "users").Text, fmt.Sprintf(`left by users who no longer exist: administrator %[2]s, round "r" of %[1]s, schedule "s" of %[1]s, the alarm hook of %[2]s`,
			r.names["anna"], r.names["carl"]))

		// Who was dropped can still be revoked, and so can an administrator of that name be made again.
		require.NoError(h, h.sched.Grant(h.Context(), r.names["carl"], true))
		carl.exec("begin dbsched.set_workers(1); end;")
		require.Equal(h, "1", s.value("select count(*) from ds_administrators"))
		r.drop("carl")
		r.revoke("carl", dialects.Revoked{})
		require.Equal(h, "0", s.value("select count(*) from ds_administrators"))
		_, err := h.sched.Revoke(h.Context(), r.names["carl"])
		require.ErrorContains(h, err, "20066")
	})
}

// tasksOf returns the statuses of the tasks whose text contains words.
func (h *harness) tasksOf(words string) (all []string) {
	h.Helper()
	for _, t := range h.tasks() {
		if strings.Contains(t.SQL, words) {
			all = append(all, t.Status)
		}
	}
	return all
}

// TestOracleRevokeIsOneUsers: a user who is revoked is refused at once, in an open session, too, and neither sees anything; what already runs, ends.
// Others keep what they have. Granted again, the user has what was the user's.
func TestOracleRevokeIsOneUsers(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		anna, bert := r.as("anna"), r.as("bert")
		for _, s := range []*session{anna, bert} {
			name := map[*session]string{anna: "anna", bert: "bert"}[s]
			s.exec("begin dbsched.create_schedule('" + name + "', '0 * * * *', 'begin null; end;'); dbsched.define_round('" + name + "', dbsched.t_names('a'), in_successor_sql => 'begin null; end;'); end;")
		}
		p := number(h, anna.ask(h.say.createProcess("anna's", false)))
		running := number(h, anna.ask(h.say.enqueueReturn(p, 1, "begin dbms_session.sleep(60); end;")))
		h.untilRunning(1, 2*h.restart)

		r.revoke("anna", dialects.Revoked{Schedules: 1, Rounds: 1})
		for _, s := range []*session{anna, r.as("anna")} {
			require.Error(h, s.try(h.say.enqueue(p, 1, h.say.nothing)))
			require.Error(h, s.try(h.say.close(p)))
			require.Error(h, s.try("begin dbsched.report_round('anna', 'a'); end;"))
			for _, view := range []string{"ds_task_info", "ds_process_info", "ds_log_info", "ds_schedule_info", "ds_resource_info"} {
				require.ErrorContains(h, s.try("declare n number; begin select count(*) into n from "+view+"; end;"), "ORA-00942", view)
			}
		}
		require.Equal(h, "Suspended", h.scheduleOf("anna").Status)
		require.Equal(h, "Enabled", h.scheduleOf("bert").Status)
		require.Equal(h, "1", bert.value("select count(*) from ds_schedule_info"))
		bert.exec("begin dbsched.report_round('bert', 'a'); end;")
		h.untilStatus(running, "Succeeded", 70*time.Second)

		require.NoError(h, h.sched.Grant(h.Context(), r.names["anna"], false))
		again := r.as("anna")
		require.Equal(h, "1", again.value("select count(*) from ds_task_info"))
		again.exec(h.say.close(p))
		again.exec("begin dbsched.set_schedule_enabled('anna', true); end;")
		require.Equal(h, "Enabled", h.scheduleOf("anna").Status)
	})
}

// TestOracleRevokedAdministrator: who was an administrator is none after the revocation, even if somebody grants the package by hand later.
func TestOracleRevokedAdministrator(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		id := r.enqueue("anna", "begin dbms_session.sleep(60); end;")
		r.revoke("carl", dialects.Revoked{})
		h.session().exec("grant execute on dbsched to " + r.names["carl"])
		carl := r.as("carl")
		for _, call := range []string{"set_workers(1)", "stop_scheduler", "purge(0)", "define_resource('db')"} {
			require.ErrorContains(h, carl.try("begin dbsched."+call+"; end;"), "20061", call)
		}
		require.ErrorContains(h, carl.try(fmt.Sprintf("begin dbsched.cancel_task(%d); end;", id)), "20025")
		h.session().exec("begin dbsched.set_workers(1); end;")
	})
}
