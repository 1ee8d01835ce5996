package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLEndingSessionsIsAllowed: a script that can be run again allows dbsched to end sessions of lanes, and nobody anything else.
func TestMSSQLEndingSessionsIsAllowed(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.dropKillLogin()
		for _, text := range []string{ // another signed procedure is none of its business
			"CREATE PROCEDURE dbo.Signed AS RETURN 0;", "CREATE CERTIFICATE Another ENCRYPTION BY PASSWORD = 'Aa1!aaaaaaaa' WITH SUBJECT = 'another';",
			"ADD SIGNATURE TO dbo.Signed BY CERTIFICATE Another WITH PASSWORD = 'Aa1!aaaaaaaa';",
		} {
			h.session().exec(text)
		}
		h.mayKill()
		h.mayKill()
		require.Equal(h, "1", h.admin().value("SELECT COUNT(*) FROM sys.crypt_properties AS s WHERE s.major_id = OBJECT_ID(N'dbo.Signed');"))
		require.Equal(h, "NO_PRIVATE_KEY", h.admin().value("SELECT pvt_key_encryption_type_desc FROM sys.certificates WHERE name = N'dbsched_kill';"))
		id := h.exec(h.sleep(1, time.Hour))[0]
		h.untilRunning(1, h.soon)
		victim := h.session()
		spid := victim.value("SELECT @@SPID;")

		h.user("Dora")
		h.session().exec("ALTER ROLE db_owner ADD MEMBER Dora;")
		dora := h.as("Dora")
		for _, session := range []string{spid, h.lane(1)} {
			require.ErrorContains(h, dora.try("KILL "+session+";"), "permission")
		}
		text := "EXEC dbsched.KillWorker " + spid + ", 1;"
		require.ErrorContains(h, h.admin().try(text), "51026", "a client's session is no activation")
		require.ErrorContains(h, dora.try(text), "permission", "nor may a member of db_owner call it")
		require.ErrorContains(h, h.admin().try("EXEC dbsched.KillWorker "+h.lane(1)+", 2;"), "51026", "it is not that lane's")
		require.Equal(h, spid, victim.value("SELECT @@SPID;"))
		h.cancel(id)
		h.untilStatus(id, "Cancelled", 3*time.Second)

		// Altering it drops the signature.
		h.session().exec("DECLARE @Text nvarchar(max) = REPLACE(OBJECT_DEFINITION(OBJECT_ID(N'dbsched.KillWorker')), N'CREATE ', N'CREATE OR ALTER '); EXEC (@Text);")
		id = h.exec(h.sleep(1, 10*time.Second))[0]
		h.untilRunning(1, 2*time.Second)
		h.cancel(id)
		h.pause(5 * time.Second)
		require.Equal(h, "Stopping", h.statusOf(id))
		require.Len(h, h.alarmsOf("CannotEnd"), 1)
		h.drain(time.Minute)

		_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, "0", h.admin().value("SELECT COUNT(*) FROM sys.certificates WHERE name = N'dbsched_kill';"))
	})
}

// TestMSSQLCancellingIsOnesOwn: users cancel and retry their own tasks, administrators all, and nobody inside a transaction.
func TestMSSQLCancellingIsOnesOwn(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		h.user("Ann", "user")
		h.user("Ben", "user")
		h.user("Adam", "admin")
		hers := h.enqueueAs("Ann", 1, h.say.nothing)
		process := h.as("Ann").ask("DECLARE @P int; EXEC dbsched.CreateProcess N'hers', @P OUTPUT; SELECT @P;")
		for name, number := range sorted(map[string]string{"CancelTask": "51025", "RetryTask": "51025", "CancelProcess": "51006", "RetryProcess": "51006"}) {
			argument := fmt.Sprint(hers)
			if number == "51006" {
				argument = process
			}
			call := fmt.Sprintf("EXEC dbsched.%s %s;", name, argument)
			require.ErrorContains(h, h.as("Ben").try(call), number, call)
			ann := h.as("Ann")
			ann.exec("BEGIN TRANSACTION;")
			require.ErrorContains(h, ann.try(call), "51010", call)
			h.user("Reader"+name, "reader")
			require.ErrorContains(h, h.as("Reader"+name).try(call), "permission", call)
		}
		h.as("Ann").exec(fmt.Sprintf("EXEC dbsched.CancelTask %d;", hers))
		require.Equal(h, "Cancelled", h.statusOf(hers))
		h.as("Ann").exec(fmt.Sprintf("EXEC dbsched.RetryTask %d;", hers))
		require.Equal(h, "Pending", h.statusOf(hers))
		h.as("Adam").exec(fmt.Sprintf("EXEC dbsched.CancelTask %d;", hers))
		require.Equal(h, "Cancelled", h.statusOf(hers))
		h.as("Adam").exec("EXEC dbsched.CancelProcess " + process + ";")
		h.as("Ann").exec("EXEC dbsched.RetryProcess " + process + ";")
		require.ErrorContains(h, h.as("Adam").try("EXEC dbsched.OrderCancel @TaskId = 1, @UserId = 1, @UserName = N'dbo', @IsAdmin = 1;"), "permission")
		require.ErrorContains(h, h.as("Adam").try("EXEC dbsched.KillWorker 51, '20000101';"), "permission")
	})
}

// TestMSSQLHandover: as long as somebody who is about to end a session holds its lane's handover lock, the session gets no
// other task; and nobody ends it without that lock.
func TestMSSQLHandover(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.dropKillLogin()
		h.mayKill()
		ids := h.exec(h.sleep(1, 2*time.Second), h.task(1, h.say.nothing))
		h.untilRunning(1, h.soon)
		killer := h.session()
		killer.exec("EXEC sys.sp_getapplock N'handover:1', 'Exclusive', 'Session', 0, N'dbsched_locks';")
		h.pause(10 * time.Second)
		require.Equal(h, []string{"Running", "Pending"}, h.statuses(ids))
		worker := h.lane(1)
		h.cancel(ids[0])
		h.pause(10 * time.Second)
		require.Equal(h, []string{"Stopping", "Pending"}, h.statuses(ids))
		require.Equal(h, "1", h.admin().value("SELECT COUNT(*) FROM sys.dm_exec_sessions AS e WHERE e.session_id = "+worker+";"))
		require.Empty(h, killer.rows(h.say.alarms))
		killer.exec("EXEC sys.sp_releaseapplock N'handover:1', 'Session', N'dbsched_locks';")
		h.drain(time.Minute)
		require.Contains(h, []string{"Succeeded", "Cancelled"}, h.statusOf(ids[0]))
		require.Equal(h, "Succeeded", h.statusOf(ids[1]))
		require.Len(h, h.logs(), 2)
	})
}

// TestMSSQLTimeoutAgainstCompletion: while the dispatcher waits for the worker to complete an attempt whose time is up, the worker completes
// it and claims another in the same transaction: that one is not ended.
func TestMSSQLTimeoutAgainstCompletion(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.mayKill()
		p := h.process(dialects.NewProcess{Name: "p"})
		ids := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(4900 * time.Millisecond), Order: 1, ProcessID: p, Timeout: 5 * time.Second},
			dialects.NewTask{SQL: h.dialect.Sleep(time.Minute), Order: 1, ProcessID: p})
		h.untilRunning(1, h.soon)
		holder := h.session()
		holder.begin()
		holder.rows(fmt.Sprintf("SELECT p.Status FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = %d;", p))
		h.untilWaiting(1, "the worker completes it")
		h.untilWaiting(2, "the dispatcher waits for the worker")
		holder.commit()
		h.pause(2 * time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(ids))
		require.Len(h, h.logs(), 2)
	})
}

// TestMSSQLAlarmOfALostTry: a dispatcher dies between its first try to end an attempt and the alarm. The second try raises it.
func TestMSSQLAlarmOfALostTry(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(h.sleep(1, time.Minute))[0]
		h.untilRunning(1, 2*time.Second)
		h.session().exec("UPDATE dbsched.Tasks SET StopTries = 1 WHERE Status = 'Running';")
		h.cancel(id)
		h.pause(5 * time.Second)
		require.Len(h, h.alarmsOf("CannotEnd"), 1)
	})
}
