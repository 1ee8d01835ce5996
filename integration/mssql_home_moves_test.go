package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestMSSQLMirroring: after a failover the partner has another name. Who may see the partnership's GUID, as the documentation says, starts the
// scheduler there without a word more; a former mirror that is no partner any longer is a copy.
func TestMSSQLMirroring(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		partnership := [16]byte{7}
		h.hourly("load")
		h.site(sandbox.Site{GUID: partnership})
		require.NoError(h, h.sched.Start(h.Context()), "which records it")
		h.pause(5 * time.Minute) // sweeps, by the owner, who cannot see it, do not lose it

		h.site(sandbox.Site{Server: "PARTNER", GUID: partnership})
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(5 * time.Minute)
		require.Equal(h, "Pending", h.statusOf(id))
		require.NotEmpty(h, h.alarmsOf("Copy"), "the dispatcher cannot see it either")
		require.NoError(h, h.sched.Start(h.Context()))
		h.goesOn()
		require.Equal(h, "Enabled", h.scheduleOf("load").Status)

		h.site(sandbox.Site{Server: "SANDBOX"})
		h.isCopy()
		h.site(sandbox.Site{Server: "SANDBOX", GUID: [16]byte{8}})
		h.isCopy()
	})
}

// TestMSSQLMirroringByName: with the partner named, the failover needs nobody.
func TestMSSQLMirroringByName(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.withHook("")
		require.NoError(h, h.sched.StartAlsoOn(h.Context(), []string{"PARTNER"}))
		h.site(sandbox.Site{Server: "PARTNER"})
		h.goesOn()
		require.Len(h, h.alarmsOf("Moved"), 1)
		h.until(time.Minute, "the hook is told", func() bool { return h.session().value("SELECT COUNT(*) FROM dbo.Told WHERE Kind = 'Moved';") == "1" })
	})
}

// TestMSSQLLogShipping: the secondary, brought online, has another database_guid and Service Broker is off. It goes on once that is on, without
// a word about a copy if its server was named.
func TestMSSQLLogShipping(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.hourly("load")
		require.NoError(h, h.sched.StartAlsoOn(h.Context(), []string{"SECONDARY"}))
		h.comesFrom("HomeGuid = NEWID()")
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, NotBefore: h.now().Add(time.Minute)})[0]
		h.site(sandbox.Site{Server: "SECONDARY"})
		h.turn("DISABLE_BROKER")
		h.pause(5 * time.Minute)
		h.turn("ENABLE_BROKER")
		h.sched = h.open(h.schema)
		require.Equal(h, "Waiting", h.statusOf(id))
		require.NoError(h, h.sched.Start(h.Context()))
		h.goesOn()
		require.Len(h, h.alarmsOf("Moved"), 1)
		require.Equal(h, "Enabled", h.scheduleOf("load").Status)
	})
}

// TestMSSQLRestoredOver: a database restored under its own name on its own server is a copy, on a named one too: nothing but database_guid tells.
func TestMSSQLRestoredOver(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		require.NoError(h, h.sched.StartAlsoOn(h.Context(), []string{"SRV2"}))
		h.comesFrom("HomeGuid = NEWID()")
		require.ErrorContains(h, h.sched.Start(h.Context()), "51019")
		require.NoError(h, h.sched.StartMoved(h.Context()))
		h.goesOn()
	})
}

// TestMSSQLHandoverDeadlock: a worker that is not granted its handover lock, as the victim of a deadlock, starts no task without it.
func TestMSSQLHandoverDeadlock(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"LingerSeconds": 60}))
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		other := h.session()
		other.exec("SET DEADLOCK_PRIORITY HIGH;")
		other.exec("EXEC sys.sp_getapplock N'handover:1', 'Exclusive', 'Session', 0, N'dbsched_locks';")
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(time.Second)
		other.exec("EXEC sys.sp_getapplock N'lane:1', 'Exclusive', 'Session', -1, N'dbsched_locks';") // the worker holds it, and waits for the other
		require.Equal(h, "Pending", h.statusOf(id))
		require.Len(h, h.alarmsOf("WorkerError"), 1)
		for _, lock := range []string{"lane:1", "handover:1"} {
			other.exec("EXEC sys.sp_releaseapplock N'" + lock + "', 'Session', N'dbsched_locks';")
		}
		h.drain(2 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestMSSQLSecondReader: two sessions can read the queue of a lane for a moment. A wake-up that comes to the wrong one reaches the lane all the
// same, as soon as the other session has left it.
func TestMSSQLSecondReader(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		lingering := h.session() // as a worker does that does not read any more
		lingering.exec("EXEC sys.sp_getapplock N'lane:1', 'Exclusive', 'Session', 0, N'dbsched_locks';")
		lingering.exec("UPDATE dbsched.Lanes SET WorkerId = NEWID();")
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(10 * time.Second)
		require.Equal(h, "Pending", h.statusOf(id))
		lingering.exec("UPDATE dbsched.Lanes SET WorkerId = NULL;")
		lingering.exec("EXEC sys.sp_releaseapplock N'lane:1', 'Session', N'dbsched_locks';")
		h.startsWithin(id, h.now(), 3*time.Second)
		h.requireNoAlarms()
	})
}
