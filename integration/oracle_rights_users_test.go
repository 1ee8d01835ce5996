package integration

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOracleGrantsThatStay: what a runner's users get they keep, also if the owner rolls back afterwards, and they get each view once, to read only; what a user loses is all of it.
func TestOracleGrantsThatStay(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		s := h.session()
		grants := func(user string) [][]string {
			return s.rows("select p.table_name, p.privilege from user_tab_privs p where p.grantee = '" + r.names[user] + "' and p.owner = user and p.table_name like 'D%' and p.type <> 'JOB' order by 1, 2")
		}
		views := s.rows("select v.view_name from user_views v where v.view_name like 'DS!_%' escape '!' order by 1")
		require.Len(h, views, 11)
		want := [][]string{{"DBSCHED", "EXECUTE"}}
		for _, v := range views {
			want = append(want, []string{v[0], "READ"})
		}
		for _, user := range []string{"anna", "bert", "carl"} {
			require.Equal(h, want, grants(user), user)
		}
		requireRunner := func() {
			h.Helper()
			require.ElementsMatch(h, append([][]string{{"DS_LANE", "EXECUTE"}, {"DS_RUN", "EXECUTE"}}, want...), grants("runner"))
		}
		requireRunner()

		administrators := func() [][]string {
			return s.rows("select substr(a.user_name, 1, instr(a.user_name, '#') - 1), a.granted_by from ds_administrators a order by 1")
		}
		require.Equal(h, [][]string{{r.names["carl"], h.schema}}, administrators())
		owner := h.session()
		grant := func(user, administrator string) {
			owner.begin()
			owner.exec(fmt.Sprintf("begin ds_admin.grant_user('%s', '%s'); end;", r.names[user], administrator))
			owner.rollback()
		}
		grant("anna", "Y")
		grant("carl", "N")
		require.Equal(h, [][]string{{r.names["anna"], h.schema}}, administrators())
		grant("anna", "Y")
		require.Equal(h, [][]string{{r.names["anna"], h.schema}}, administrators(), "once")

		// An installation gives what somebody took, and nothing else; a new view is everybody's.
		s.exec("revoke read on ds_task_info from " + r.names["bert"])
		s.exec("revoke execute on ds_run from " + r.names["runner"])
		s.exec("revoke execute on dbsched from " + r.names["carl"])
		for _, v := range views {
			s.exec("revoke read on " + v[0] + " from " + r.names["carl"])
		}
		r.user("dora", "CREATE SESSION")
		s.exec("create procedure other as begin null; end;")
		s.exec("grant execute on other to " + r.names["dora"])
		s.exec("grant insert on who to " + r.names["dora"])
		r.install(2)
		require.Empty(h, grants("dora"))
		require.Equal(h, "0", s.value("select count(*) from user_tab_privs p where p.grantee = 'PUBLIC' and p.table_name like 'D%' and p.owner = user"))
		require.Equal(h, want, grants("bert"))
		require.Empty(h, grants("carl"))
		requireRunner()

		bert := r.as("bert")
		for _, call := range []string{
			"create_schedule('on', '@daily', 'begin null; end;')", "create_schedule('off', '@daily', 'begin null; end;', in_enabled => false)",
			"define_round('one', dbsched.t_names('a'), in_successor_sql => 'begin null; end;')", "define_round('two', dbsched.t_names('a'), in_successor_sql => 'begin null; end;')",
		} {
			bert.exec("begin dbsched." + call + "; end;")
		}
		r.as("anna").exec("begin dbsched.create_schedule('hers', '@daily', 'begin null; end;'); end;")
		owner.begin()
		require.Equal(h, "1 2", owner.ask(fmt.Sprintf("declare l_schedules number; l_rounds number; begin ds_admin.revoke_user('%s', l_schedules, l_rounds); :result := l_schedules || ' ' || l_rounds; end;", r.names["bert"])))
		owner.rollback()
		require.Empty(h, grants("bert"))
		require.Equal(h, [][]string{
			{"hers", "Enabled", "NULL"}, {"off", "Disabled", "NULL"},
			{"on", "Suspended", "its owner " + r.names["bert"] + " was revoked. Grant it again, or have another user alter its tasks"},
		}, s.rows("select c.name, c.status, c.reason from ds_schedule_info c order by 1"))

		refused := func(user, text string) {
			h.Helper()
			require.ErrorContains(h, s.try("begin ds_admin.grant_user("+user+", 'N'); end;"), "ORA-20066: dbsched 20066: "+text)
		}
		refused("'nobody'", "there is no user nobody. Names are case-sensitive here.")
		refused("null", "there is no user NULL. Names are case-sensitive here.")
		refused("'"+h.schema+"'", h.schema+" is the owner of dbsched. Name another user.")
		refused("'"+r.names["runner"]+"'", r.names["runner"]+" is the runner: tasks run as this user. Name another user.")
	})
}

// TestOracleRunnersJobs: the jobs of lanes are the runner's, which lets the owner alter them and nobody else, and say whose they are.
func TestOracleRunnersJobs(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		runner, a := r.names["runner"], h.admin()
		jobs := func() [][]string {
			return a.rows("select j.job_name, j.enabled, j.auto_drop, j.restartable, j.repeat_interval, j.comments from dba_scheduler_jobs j where j.owner = '" + runner + "' order by j.job_name")
		}
		var want [][]string
		for i := 1; i <= 3; i++ {
			want = append(want, []string{fmt.Sprintf("DS_LANE_%02d", i), "FALSE", "FALSE", "FALSE", "NULL", fmt.Sprintf("dbsched: worker slot %d of %s", i, h.schema)})
		}
		require.Equal(h, want[:2], jobs())
		granted := func() [][]string {
			return a.rows("select p.table_name, p.grantee, p.privilege from dba_tab_privs p where p.owner = '" + runner + "' order by 1, 2, 3")
		}
		require.Equal(h, [][]string{{"DS_LANE_01", h.schema, "ALTER"}, {"DS_LANE_02", h.schema, "ALTER"}}, granted())
		r.install(3)
		require.Equal(h, want, jobs())
		require.Len(h, granted(), 3)
		r.install(1)
		require.Equal(h, want[:1], jobs())
		h.exec(h.task(1, h.say.nothing))
		h.drain(2 * h.restart)
		require.Equal(h, want[:1], jobs(), "it stays when it has run")
	})
}
