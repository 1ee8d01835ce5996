package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/oracle"
	"github.com/dbsched/dbsched/templates"
)

// checkedGrants returns the rights that an installation requires and that a user has only if somebody granted them.
func checkedGrants() (checked, others []templates.Grant) {
	for _, g := range templates.OracleGrants() {
		if g.Checked && !g.Public {
			checked = append(checked, g)
		} else {
			others = append(others, g)
		}
	}
	return checked, others
}

// asUser opens dbsched in the schema of a user that a test has created, and a session of that user.
func (h *harness) asUser(dsn string) (dialects.Scheduler, *session) {
	h.Helper()
	sched, err := h.dialect.Open(h.Context(), dialects.Target{Dial: h.server.dial(), DSN: withProgram(h, dsn, h.server.program, "dbsched-test")})
	require.NoError(h, err)
	h.Cleanup(func() { _ = sched.Close() })
	return sched, h.sessionOn(dsn)
}

// requireMissing asserts that an installation is refused, with the statements that help, and has done nothing.
func (h *harness) requireMissing(sched dialects.Scheduler, s *session, statements ...string) {
	h.Helper()
	_, err := sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
	var refused *dialects.PreflightError
	require.ErrorAs(h, err, &refused)
	require.Len(h, refused.Findings, 1)
	require.Equal(h, strings.Join(statements, ";\n")+";", refused.Findings[0].Remedy)
	require.Equal(h, "0", s.value("select count(*) from user_objects"), "nothing was touched")
}

// TestOracleMissingGrants: without a right, or with one that comes only through a role, nothing is changed, and what is missing is
// named with the statements that grant it.
func TestOracleMissingGrants(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		checked, others := checkedGrants()
		role := strings.ToUpper(fmt.Sprintf("by_role_%x", h.now().UnixNano()))
		h.server.administrate("create role " + role)
		h.Cleanup(func() { h.server.tryAdministrate("drop role " + role) })
		for _, g := range checked {
			h.server.administrate(g.Statement(role))
		}

		for i, missing := range checked {
			grants := append([]templates.Grant{}, others...)
			for j, g := range checked {
				if j != i {
					grants = append(grants, g)
				}
			}
			dsn, name := h.server.besideWith(fmt.Sprintf("less_%d", i), grants)
			sched, s := h.asUser(dsn)
			h.requireMissing(sched, s, missing.Statement(name))
			h.server.administrate("grant " + role + " to " + name)
			sched, s = h.asUser(dsn) // roles are enabled at login
			h.requireMissing(sched, s, missing.Statement(name))
		}

		dsn, name := h.server.besideWith("nobody", others)
		h.server.administrate("grant "+role+" to "+name, "alter user "+name+" quota 0 on "+h.session().value("select default_tablespace from user_users"))
		sched, s := h.asUser(dsn)
		var all []string
		for _, g := range checked {
			all = append(all, g.Statement(name))
		}
		all = append(all, "alter user "+name+" quota unlimited on "+strings.ToLower(h.session().value("select default_tablespace from user_users")))
		h.requireMissing(sched, s, all...)

		h.server.administrate(all...)
		sched, s = h.asUser(dsn)
		_, err := sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
		require.NoError(h, err, "the statements are what it takes")
		require.NotEqual(h, "0", s.value("select count(*) from user_objects"))
		_, err = sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
	})
}

// TestOracleDoesNotCompile: if a package does not compile, because an object in the schema has the name of a package of
// SYS, the installation fails with unit, line, column and text; once that is fixed, installing again completes.
func TestOracleDoesNotCompile(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		s.exec("create package dbms_application_info as\n    c_nothing constant number := 0;\nend;")
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
		require.ErrorAs(h, err, new(*dialects.PartialError))
		var broken *oracle.CompileError
		require.ErrorAs(h, err, &broken)
		require.Equal(h, "PACKAGE BODY", broken.Type)
		require.Equal(h, "DS_RUN", broken.Name)
		source := s.value(fmt.Sprintf("select text from user_source where name = 'DS_RUN' and type = 'PACKAGE BODY' and line = %d", broken.Lines[0].Line))
		require.Contains(h, broken.Lines[0].Text, "PLS-00302: component 'SET_CLIENT_INFO' must be declared")
		require.Equal(h, "set_client_info(null);\n", source[broken.Lines[0].Position-1:], "line and column lead to it")
		require.ErrorContains(h, err, fmt.Sprintf("line %d, column %d: PLS-00302", broken.Lines[0].Line, broken.Lines[0].Position))

		s.exec("drop package dbms_application_info")
		h.installNow(2)
		require.Equal(h, "0", s.value("select count(*) from user_objects where status <> 'VALID'"))
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.logs()[0].Outcome)
	})
}

// TestOracleForeignObjects: an object whose name dbsched needs stops an installation before it begins; one with a name that
// only looks like dbsched's stays after it is uninstalled.
func TestOracleForeignObjects(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		s.exec("create table ds_tasks (n number)")
		before := h.inventory()
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		require.ErrorContains(h, err, "DS_TASKS")
		require.Equal(h, before, h.inventory())
		s.exec("drop table ds_tasks purge")

		s.exec("create table ds_mine (n number)")
		s.exec("insert into ds_mine (n) values (7)")
		s.exec("create table lanes (n number)")
		h.installNow(2)
		h.exec(h.task(1, "update ds_mine set n = n + 1"))
		h.drain(time.Minute)
		_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, [][]string{{"DS_MINE", "TABLE"}, {"LANES", "TABLE"}}, s.rows("select object_name, object_type from user_objects order by object_name"))
		require.Equal(h, "8", s.value("select n from ds_mine"))
		for _, view := range []string{"user_scheduler_jobs", "user_queues", "user_queue_tables"} {
			require.Equal(h, "0", s.value("select count(*) from "+view), view)
		}
	})
}

// TestOracleReplacesRunningCode: packages that differ from what they should be are replaced when the running tasks have ended, and
// then the scheduler continues by itself.
func TestOracleReplacesRunningCode(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		ids := h.exec(h.sleep(1, 30*time.Second), h.sleep(1, 20*time.Second), h.sleep(2, time.Second))
		h.untilRunning(2, h.restart)
		s.exec("create or replace view ds_task_info as select 1 as nothing from dual")
		report, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.NotEmpty(h, report.Applied)
		h.drain(time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded", "Succeeded"}, h.statuses(ids))
		require.Len(h, h.logs(), 3, "each ran once")
		h.requireWaves(h.logs())
		h.requireNoAlarms()

		report, err = h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Empty(h, report.Applied)
	})
}

// TestOracleFewerLanes: an installation with fewer lanes removes idle ones.
func TestOracleFewerLanes(t *testing.T) {
	onOracle(t, setup{lanes: 4}, func(h *harness) {
		s := h.session()
		h.exec(h.sleep(1, 20*time.Second), h.sleep(1, 20*time.Second), h.sleep(1, 20*time.Second))
		h.untilRunning(3, h.restart)
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
		require.NoError(h, err)
		h.drain(time.Minute)
		require.Len(h, h.logs(), 3)
		require.Equal(h, 2, h.status().MaxLanes)
		require.Equal(h, 2, h.status().MaxWorkers)
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Equal(h, [][]string{{"DS_DISPATCHER"}, {"DS_LANE_01"}, {"DS_LANE_02"}}, s.rows("select job_name from user_scheduler_jobs order by job_name"))
		h.exec(h.sleep(1, 10*time.Second), h.sleep(1, 10*time.Second), h.sleep(1, 10*time.Second))
		h.untilRunning(2, h.restart)
		h.drain(time.Minute)
		require.Equal(h, 2, overlap(h.logs()[3:]))
	})
}

// TestOracleHardened: if PUBLIC has lost a package that it usually has, the package is named like any other right.
func TestOracleHardened(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		if h.server.box == nil {
			h.Skip("PUBLIC is everybody's")
		}
		for _, g := range templates.OracleGrants() {
			if !g.Public || !g.Checked {
				continue
			}
			h.server.administrate(strings.NewReplacer("grant ", "revoke ", " to ", " from ").Replace(g.Statement("public")))
			h.requireMissing(h.sched, h.session(), g.Statement(h.schema))
			h.server.administrate(g.Statement(h.schema))
		}
		h.installNow(2)
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.logs()[0].Outcome)
	})
}
