package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestOracleTooManyLinks: earlier tasks of the session may have left links open, so a task that finds no place for its own runs again in another
// session. In a new session the mistake is its own.
func TestOracleTooManyLinks(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table tries (n number not null)")
		first := h.exec(h.task(1, raising("2020", "")))[0]
		h.untilStatus(first, "Failed", time.Minute)
		require.Equal(h, "Failed", h.attempts(first))

		// The second try in a new session succeeds.
		ids := h.exec(h.task(2, h.say.nothing), h.task(3, "declare e exception; pragma exception_init(e, -2020); n number; begin select count(*) into n from tries; "+
			"insert into tries values (1); commit; if n = 0 then raise e; end if; end;"))
		h.drain(5 * time.Minute)
		require.Equal(h, "Orphaned Succeeded", h.attempts(ids[1]))
		require.Equal(h, "2", s.value("select count(distinct g.session_key) from ds_logs g where g.task_id = "+show(int(ids[1]))))

		// It always needs too many.
		bad := h.exec(h.task(4, h.say.nothing), h.task(5, raising("2020", "")))[1]
		h.untilStatus(bad, "Failed", 5*time.Minute)
		require.Equal(h, "Orphaned Failed", h.attempts(bad))

		// Nothing of it remains.
		last := h.exec(h.task(6, h.say.nothing), dialects.NewTask{SQL: raising("2020", "insert into tries values (2);"), Order: 7, Transactional: true})[1]
		h.untilStatus(last, "Failed", 10*time.Minute)
		require.Equal(h, "Outage Failed", h.attempts(last))
		require.Equal(h, "0", s.value("select count(*) from tries where n = 2"))
	})
}

// TestOracleRolledBackForPriority: the server has rolled a transaction back for one of higher priority. What an ordinary task had committed
// before stays, so its on_orphan decides; a transactional one waits.
func TestOracleRolledBackForPriority(t *testing.T) {
	for _, number := range []string{"63300", "63302"} {
		t.Run(number, func(t *testing.T) {
			onOracle(t, setup{lanes: 1}, func(h *harness) {
				fails := h.exec(dialects.NewTask{SQL: raising(number, ""), Order: 1, MaxAttempts: 1, OnOrphan: "Fail"})[0]
				h.untilStatus(fails, "Failed", time.Minute)
				require.Equal(h, "Orphaned", h.attempts(fails))
				waits := h.exec(dialects.NewTask{SQL: raising(number, "rollback;"), Order: 1, MaxAttempts: 1, Transactional: true})[0]
				h.pause(time.Minute)
				require.Equal(h, "Waiting Outage", h.reasonOf(waits))
				require.Len(h, h.alarmsOf("Outage"), 1)
			})
		})
	}
}

// TestOracleOutageAsItIsParsed: there is no free session when the task's text is parsed: it has not begun. The same
// number from a task that has begun is its own error.
func TestOracleOutageAsItIsParsed(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.site(sandbox.Site{Refused: "begin /* mine */"})
		id := h.exec(h.task(1, "begin /* mine */ null; end;"))[0]
		h.pause(time.Minute)
		require.Equal(h, "Waiting Outage", h.reasonOf(id))
		h.recovers()
		h.drain(5 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))

		own := h.exec(h.task(1, raising("18", "")))[0]
		h.untilStatus(own, "Failed", time.Minute)
		require.Equal(h, "Failed", h.attempts(own))
		h.site(sandbox.Site{Refused: "create table"})
		ddl := h.exec(h.task(1, "create table mine (n number)"))[0]
		h.untilStatus(ddl, "Failed", time.Minute)
		require.Equal(h, "Failed", h.attempts(ddl), "parsing it is running it")
	})
}

// TestOracleOutageOfTheHook: calls of the hook wait, and raise no calls of their own.
func TestOracleOutageOfTheHook(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.withOracleHook("")
		h.site(sandbox.Site{Refused: "on_alarm("})
		h.raises()
		h.pause(15 * time.Minute)
		require.Equal(h, []string{"Waiting"}, h.oracleHookTasks())
		require.NotEmpty(h, h.alarmsOf("Outage"))
		h.recovers()
		h.until(15*time.Minute, "it is told", func() bool { return s.value("select count(*) from told") == "1" })
	})
}

// TestOracleVerifySite: verify reads the profile, the parameters, the edition and the dispatcher's memory.
func TestOracleVerifySite(t *testing.T) {
	for name, c := range sorted(map[string]struct {
		site  sandbox.Site
		check string
		level dialects.Level
		words string
	}{
		"a call":    {sandbox.Site{Limits: map[string]string{"CPU_PER_CALL": "3000"}}, "profile", dialects.Warn, "cpu_per_call 3000"},
		"connected": {sandbox.Site{Limits: map[string]string{"CONNECT_TIME": "480"}}, "profile", dialects.Warn, "connect_time 480"},
		"sessions":  {sandbox.Site{Limits: map[string]string{"SESSIONS_PER_USER": "4"}}, "profile", dialects.Warn, "sessions_per_user 4"},
		"enough":    {sandbox.Site{Limits: map[string]string{"SESSIONS_PER_USER": "5", "IDLE_TIME": "10"}}, "profile", dialects.OK, "no limit"},
		"cluster":   {sandbox.Site{Parameters: map[string]string{"cluster_database": "TRUE"}}, "parameters", dialects.Warn, "bound to no service"},
		"edition":   {sandbox.Site{Edition: "RELEASE2"}, "edition", dialects.Fail, "RELEASE2"},
		"memory":    {sandbox.Site{}, "dispatcher memory", dialects.OK, "10 MB"},
		"no GUID":   {sandbox.Site{}, "moves", dialects.OK, "GUID is known"},
	}) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2}, func(h *harness) {
				a := h.admin()
				for _, view := range []string{"v_$parameter", "v_$sesstat", "v_$statname", "v_$pdbs"} {
					a.exec("grant select on sys." + view + " to " + h.schema)
				}
				require.NoError(h, h.sched.Start(h.Context()))
				h.site(c.site)
				all, _ := h.levels(0)
				found := h.check(all, c.check)
				require.Equal(h, c.level, found.Level, found.Text)
				require.Contains(h, found.Text, c.words)
				if c.level != dialects.OK {
					require.NotEmpty(h, found.Remedy)
				}
			})
		})
	}
}

// TestOracleInstallInAnotherEdition: an installation from a session of another edition than the jobs' is refused; one under a limited profile
// warns.
func TestOracleInstallInAnotherEdition(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		h.site(sandbox.Site{Edition: "RELEASE2"})
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1})
		require.ErrorContains(h, err, "this session uses the edition RELEASE2")
		require.Empty(h, h.session().rows("select table_name from user_tables"))
		h.site(sandbox.Site{Limits: map[string]string{"CPU_PER_CALL": "3000"}})
		report, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1})
		require.NoError(h, err)
		require.Len(h, report.Warnings, 1)
		require.Contains(h, report.Warnings[0], "cpu_per_call 3000")
	})
}

// TestOracleInstances: who looks for a session on a cluster is told the instance.
func TestOracleInstances(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.exec(h.sleep(1, time.Minute))
		h.untilRunning(1, h.restart)
		s := h.session()
		require.Equal(h, "1", s.value("select w.instance_id from ds_worker_info w where w.state = 'Busy'"))
		h.pause(2 * time.Minute)
		require.Equal(h, "NULL", s.value("select w.instance_id from ds_worker_info w"), "it has left")
	})
}
