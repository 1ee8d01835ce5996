package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleCopy: a pluggable database cloned or plugged into another container, a schema imported under another name or again.
func TestOracleCopy(t *testing.T) {
	owner := "schema " + strings.ToUpper(oracleEngine().schema)
	for name, was := range map[string][3]string{
		"cloned under another name": {"/SANDBOX,", "/SALES,", "SANDBOX/SALES, " + owner},
		"another container":         {"SANDBOX/", "PROD/", "PROD/SANDBOX, " + owner},
		"remap_schema":              {owner + " ", "schema SHOP ", "SANDBOX/SANDBOX, schema SHOP (user "},
		"imported again":            {"(user ", "(user 9", "SANDBOX/SANDBOX, " + owner + " (user 9"},
	} {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2}, func(h *harness) {
				h.withOracleHook("")
				h.runsNothingAsCopy("update ds_settings s set s.home = replace(s.home, '"+was[0]+"', '"+was[1]+"')", "20019", was[2])
			})
		})
	}
}

// TestOracleCopyAsksEverywhere: the dispatcher does nothing by itself in a copy, and a worker that somebody starts by hand also checks, whether or
// not a dispatcher runs.
func TestOracleCopyAsksEverywhere(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("update ds_settings s set s.home = 'ELSEWHERE'")
		delayed := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, NotBefore: h.now().Add(time.Minute)})[0]
		h.pause(5 * time.Minute)
		require.Equal(h, "Waiting", h.statusOf(delayed), "what the dispatcher would have released")
		require.Equal(h, "0", s.value("select count(*) from ds_settings s where s.dispatcher_session is not null"))

		s.exec("update ds_tasks t set t.status = 'Pending', t.wait_reason = null, t.due_at = null")
		s.exec("update ds_processes p set p.has_work = 'Y'")
		s.exec(h.say.worker(0))
		require.Equal(h, "Pending", h.statusOf(delayed))
		require.Equal(h, []string{"This is a copy of ELSEWHERE, where the scheduler was started. If the database moved: dbsched.start_scheduler(in_moved => true) (dbsched start --moved). To run tasks here, too: in_here (dbsched start --here)."},
			h.alarmsOf("Copy"), "one alarm, however often the job of the dispatcher begins")
		require.NoError(h, h.sched.StartHere(h.Context()))
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(delayed))
	})
}

// TestOracleRestartIsNoCopy: the same names continue after a restart, and so does an installation that recorded none.
func TestOracleRestartIsNoCopy(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		home := s.value("select s.home from ds_settings s")
		s.exec("update ds_settings s set s.home = null")
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		require.NoError(h, h.sched.Start(h.Context()))
		require.Equal(h, home, s.value("select s.home from ds_settings s"))
		require.Empty(h, h.status().CopyOf)
		h.requireNoAlarms()
	})
}
