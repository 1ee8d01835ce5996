package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLBrokerOff: installing turns Service Broker on; if somebody turned it off, starting says how to turn it on.
func TestMSSQLBrokerOff(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		ctx := h.Context()
		require.NoError(h, h.sched.Close())
		h.turn("DISABLE_BROKER")
		h.sched = h.open(h.schema)
		_, err := h.sched.Install(ctx, dialects.InstallOptions{Lanes: 2})
		require.ErrorContains(h, err, "ENABLE_BROKER", "somebody else uses the database")
		h.stopClock()
		for range 100 { // until the server notices that the session has gone
			if _, err = h.sched.Install(ctx, dialects.InstallOptions{Lanes: 2}); err == nil {
				break
			}
		}
		require.NoError(h, err)
		h.startClock()
		require.NoError(h, h.sched.Start(ctx))
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)

		require.NoError(h, h.sched.Stop(ctx, dialects.StopDrain))
		h.pause(30 * time.Second)
		require.NoError(h, h.sched.Close())
		h.turn("DISABLE_BROKER")
		h.sched = h.open(h.schema)
		require.ErrorContains(h, h.sched.Start(ctx), "ENABLE_BROKER")
		require.NoError(h, h.sched.Close())
		h.turn("ENABLE_BROKER")
		h.sched = h.open(h.schema)
		require.NoError(h, h.sched.Start(ctx))
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(id, h.now(), 2*time.Second)
	})
}

// TestMSSQLForeignObjects: somebody else's object in the dbsched schema stops an uninstallation before anything is dropped.
func TestMSSQLForeignObjects(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		s.exec("CREATE TABLE dbsched.Mine (N int NOT NULL);")
		_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.ErrorContains(h, err, "51095")
		require.ErrorContains(h, err, "Mine")
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(id, h.now(), time.Second)
		s.exec("DROP TABLE dbsched.Mine;")
		h.drain(10 * time.Second)
		_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)

		s.exec("CREATE SCHEMA dbsched;")
		s.exec("CREATE TABLE dbsched.Mine (N int NOT NULL);")
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1})
		require.ErrorContains(h, err, "51084")
	})
}

// TestMSSQLForeignSchemaOfTheOwner: so does another schema of dbsched's owner, empty or not: in the end the owner could not be dropped.
func TestMSSQLForeignSchemaOfTheOwner(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		s.exec("CREATE SCHEMA Hers AUTHORIZATION dbsched_owner;")
		for _, table := range []string{"", "CREATE TABLE Hers.Mine (N int NOT NULL);"} {
			if table != "" {
				s.exec(table)
			}
			before := h.inventory()[0]
			_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
			require.ErrorContains(h, err, "51095")
			require.ErrorContains(h, err, "[Hers]")
			require.Equal(h, before, h.inventory()[0], "nothing was dropped")
			h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), time.Second)
			h.drain(10 * time.Second)
		}
		s.exec("DROP TABLE Hers.Mine;")
		s.exec("DROP SCHEMA Hers;")
		_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
	})
}

// TestMSSQLMissingRights: a user who may not install is told what is missing, and nothing is changed; wrong passwords are not shown.
func TestMSSQLMissingRights(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		login := fmt.Sprintf("dbsched_test_%d", h.now().UnixNano())
		s.exec("CREATE LOGIN " + login + " WITH PASSWORD = 'Quite-secret-1';")
		h.dropLogin(login)
		s.exec("CREATE USER lisa FOR LOGIN " + login + ";")
		before := h.inventory()
		sched, err := h.dialect.Open(h.Context(), dialects.Target{Dial: h.server.dial(), DSN: h.server.dsnOf("dbsched-test", login, "Quite-secret-1"), Schema: "dbsched"})
		require.NoError(h, err)
		defer sched.Close()
		_, err = sched.Install(h.Context(), dialects.InstallOptions{})
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		require.ErrorContains(h, err, "ALTER ROLE db_owner ADD MEMBER [lisa];")
		_, err = sched.Uninstall(h.Context(), dialects.UninstallOptions{})
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		require.Equal(h, before, h.inventory())

		_, err = h.dialect.Open(h.Context(), dialects.Target{Dial: h.server.dial(), DSN: h.server.dsnOf("dbsched-test", login, "Quite-wrong-1"), Schema: "dbsched"})
		require.ErrorAs(h, err, new(*dialects.ConnectError))
		require.NotContains(h, err.Error(), "Quite")
	})
}

// TestMSSQLAlarms: AlarmInfo shows what a person should look at.
func TestMSSQLAlarms(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halts"})
		id := h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: p})[0]
		h.waitFor(p, 10*time.Second)
		got := h.session().rows("SELECT Kind, ProcessId, TaskId FROM dbsched.AlarmInfo;")
		require.Equal(h, [][]string{{"ProcessFailed", fmt.Sprint(p), fmt.Sprint(id)}}, got)
	})
}

// TestMSSQLAlarmsInTurn: alternating failures, such as those of two lanes, are each recorded once in ten minutes.
func TestMSSQLAlarmsInTurn(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.alarmsInTurn("EXEC dbsched.RaiseAlarm @Kind = 'WorkerError', @Message = N'%s';")
	})
}

// TestMSSQLUncommittedProcess: nobody waits forever for an uncommitted CreateProcess.
func TestMSSQLUncommittedProcess(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		a := h.session()
		a.begin()
		p := number(h, a.ask(h.say.createProcess("held", false)))
		late := dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p}
		_, err := h.sched.Exec(h.Context(), []dialects.NewTask{late})
		require.ErrorContains(h, err, "51011")
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(id, h.now(), time.Second)
		a.commit()
		h.exec(late)
		h.waitFor(p, 10*time.Second)
	})
}

// TestMSSQLTasksThatAdministrate: an administrator's task may stop, start and configure the scheduler that runs it.
func TestMSSQLTasksThatAdministrate(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		h.user("ada", "admin")
		for i, text := range []string{"EXEC dbsched.SetWorkers 1;", "EXEC dbsched.SetPolicy 'Priority';", "EXEC dbsched.Sweep;", "EXEC dbsched.StartScheduler;", "EXEC dbsched.StopScheduler;"} {
			id := h.enqueueAs("ada", i, text)
			h.until(5*time.Second, text, func() bool { return h.statusOf(id) == "Succeeded" })
		}
		require.False(h, h.status().Started)
		require.Equal(h, 1, h.status().MaxWorkers)
	})
}

// TestMSSQLUninstallEndsManyConversations: a thousand in each transaction, not one.
func TestMSSQLUninstallEndsManyConversations(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.openConversations(2500)
		s := h.session()
		before := h.counters().Transactions
		_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{})
		require.NoError(h, err)
		require.Equal(h, "0", s.value("SELECT COUNT(*) FROM sys.conversation_endpoints;"))
		require.Less(h, h.counters().Transactions-before, int64(500))
	})
}
