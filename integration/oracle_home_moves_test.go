package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestOracleRelocated: a pluggable database that is relocated, or unplugged and plugged in, keeps its GUID. Whoever lets dbsched read it need
// not say so; a clone has another GUID.
func TestOracleRelocated(t *testing.T) {
	guid := [16]byte{7}
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		h.admin().exec("grant select on sys.v_$pdbs to " + h.schema)
		h.withOracleHook("")
		h.hourly("load")
		h.site(sandbox.Site{GUID: guid})
		require.NoError(h, h.sched.Start(h.Context()), "which records it")
		for n, name := range []string{"CDB2", "CDB3"} {
			h.site(sandbox.Site{Server: name, GUID: guid})
			h.goesOn()
			require.Len(h, h.alarmsOf("Moved"), n+1)
		}
		require.Equal(h, "Enabled", h.scheduleOf("load").Status)
		h.until(time.Minute, "the hook is told", func() bool { return h.session().value("select count(*) from told where kind = 'Moved'") == "2" })

		h.site(sandbox.Site{Server: "CDB4", GUID: [16]byte{8}})
		h.isCopy()
	})
}

// TestOracleImportKeepsTheGUID: a schema imported under another name, or again, is in the same container and is a copy.
func TestOracleImportKeepsTheGUID(t *testing.T) {
	for name, was := range map[string][2]string{"remap_schema": {"schema ", "schema X"}, "again": {"(user ", "(user 9"}} {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 1}, func(h *harness) {
				h.admin().exec("grant select on sys.v_$pdbs to " + h.schema)
				h.site(sandbox.Site{GUID: [16]byte{7}})
				require.NoError(h, h.sched.Start(h.Context()))
				h.session().exec("update ds_settings s set s.home = replace(s.home, '" + was[0] + "', '" + was[1] + "')")
				h.isCopy()
			})
		})
	}
}

// TestOracleRelocatedUnseen: without the grant somebody has to say that the database moved, and schedules stay as they are.
func TestOracleRelocatedUnseen(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.hourly("load")
		h.site(sandbox.Site{Server: "CDB2"})
		h.isCopy()
		require.NoError(h, h.sched.StartMoved(h.Context()))
		h.goesOn()
		require.Equal(h, "Enabled", h.scheduleOf("load").Status)
	})
}

// TestOracleDispatcherRenews: the dispatcher's session ends after half a day, when nothing is due, and a new one takes over. What is due is on
// time.
func TestOracleDispatcherRenews(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		runs := func() int64 {
			return number(h, s.value("select count(*) from user_scheduler_job_run_details d where d.job_name = 'DS_DISPATCHER' and d.status = 'SUCCEEDED'"))
		}
		before, began := runs(), h.now()
		due := map[int64]time.Time{}
		for n := range 12 { // from three minutes before it may leave until five minutes after that
			at := began.Add(12*time.Hour + time.Duration(n-4)*40*time.Second).Truncate(time.Second)
			due[h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: h.process(dialects.NewProcess{Name: "due"}), NotBefore: at})[0]] = at
		}
		h.pauseUntil(began.Add(13 * time.Hour))
		for id, at := range sorted(due) {
			require.LessOrEqual(h, h.logsOf(id)[0].StartedAt.Sub(at), h.soon)
		}
		require.Equal(h, before+1, runs())
		h.pauseUntil(began.Add(26 * time.Hour))
		require.Equal(h, before+2, runs())
		h.requireNoAlarms()
	})
}
