package integration

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// many are rows of all kinds that the dispatcher looks for: two of each, with an odd and an even number.
func (h *harness) many() {
	h.Helper()
	process := func(name, set string) int64 {
		p := h.process(dialects.NewProcess{Name: name})
		h.session().exec(fmt.Sprintf("UPDATE dbsched.Processes SET %s WHERE ProcessId = %d;", set, p))
		return p
	}
	tasks := func(p int64, order int, set string) {
		t := h.task(order, h.say.nothing)
		t.ProcessID = p
		for _, id := range h.exec(t, t) {
			h.session().exec(fmt.Sprintf("UPDATE dbsched.Tasks SET %s WHERE TaskId = %d;", set, id))
		}
	}
	for _, queue := range []string{"Dispatch", "Lane_01"} {
		h.session().exec("ALTER QUEUE dbsched." + queue + " WITH ACTIVATION (STATUS = OFF);")
	}
	p := process("works", "HasWork = 1")
	tasks(p, 1, "Priority = 0")
	tasks(p, 1, "DedupKey = 'key'")
	tasks(p, 2, "Priority = 0")
	tasks(p, 3, "Status = 'Waiting', WaitReason = 'Delay', DueAt = SYSUTCDATETIME()")
	marked := process("marked", "HasWork = 1")
	tasks(marked, 1, "Priority = 0")
	h.session().exec(fmt.Sprintf("UPDATE dbsched.Processes SET WaveOrder = 1, WaveTaskId = 0, WaveRank = (SELECT MIN(t.Rank) FROM dbsched.Tasks AS t WHERE t.ProcessId = %[1]d) WHERE ProcessId = %[1]d;", marked))
	tasks(process("runs", "Running = 2"), 1, "Status = 'Running', Attempt = 1, LaneId = 1, WorkerId = 0x01, LogId = TaskId, StartedAt = SYSUTCDATETIME(), StopAt = SYSUTCDATETIME()")
	tasks(p, 1, "Status = 'Succeeded', FinishedAt = '19990101'")
	for range 2 {
		late := process("late", "Priority = 0")
		tasks(late, 1, "Priority = 0")
		h.session().exec(fmt.Sprintf("UPDATE dbsched.Processes SET Status = 'Failed', FinishedAt = SYSUTCDATETIME() WHERE ProcessId = %d;", late))
		process("old", "Status = 'Succeeded', FinishedAt = '19990101'")
		suspended := process("suspended", "Status = 'Suspended'")
		h.session().exec(fmt.Sprintf("INSERT INTO dbsched.ProcessRequests (ProcessId, Action) VALUES (%d, 'Release'), (%d, 'Close'), (%d, 'Look'), (%d, 'Look');", suspended, suspended, p, p))
	}
	for n := range 2 {
		name := fmt.Sprintf("schedule %d", n)
		h.schedule(dialects.NewSchedule{Name: name, Calendar: "0 12 * * *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.session().exec("UPDATE dbsched.Schedules SET LookAt = SYSUTCDATETIME() WHERE Name = N'" + name + "';" +
			"INSERT INTO dbsched.ScheduleFirings (ScheduleId, Name, DueAt, Manual, Status, LoggedAt, OwnerSid) VALUES (1, N'old', '19990101', 1, 'Started', '19990101', 0x01);")
	}
	h.round(dialects.NewRound{Name: "round", Members: []string{"a", "bb", "c"}, SuccessorSQL: h.say.nothing, MaxAge: time.Hour})
	s := h.session()
	s.exec("UPDATE dbsched.RoundMembers SET ReportedAt = SYSUTCDATETIME(), Succeeded = 1 WHERE Member <> N'c';")
	for n := range 6 {
		s.exec(fmt.Sprintf("INSERT INTO dbsched.RoundFirings (RoundId, Generation, Status, FiredAt, FiredBy, SuccessorJob) VALUES (1, %d, '%s', '19990101', N'a', N'job');", n, []string{"Started", "Starting"}[n/2%2]))
		s.exec("INSERT INTO dbsched.Alarms (RaisedAt, Kind, AlarmText) VALUES ('19990101', 'Outage', N'old');")
		s.exec(fmt.Sprintf("INSERT INTO dbsched.WakeSent (TransactionId) VALUES (%d);", n))
		s.exec("INSERT INTO dbsched.Logs (TaskId, ProcessId, ExecutionOrder, Attempt, SqlText, EnqueuedBySid, EnqueuedByName, LaneId, WorkerId, SessionId, StartedAt, EndedAt, Outcome)" +
			" VALUES (0, 1, 1, 1, N'', 0x01, N'dbo', 1, 0x02, 50, '19990101', '19990101', 'Succeeded');")
	}
	s.exec("EXEC dbsched.DefineResource N'resource', 1;")
	s.exec("INSERT INTO dbsched.ResourceRequests (ResourceId, Status, Access, Requester, ProcessId, TaskId, RequestedByName)" +
		" SELECT 1, 'Waiting', 'Shared', N'', t.ProcessId, t.TaskId, N'dbo' FROM dbsched.Tasks AS t WHERE t.ExecutionOrder = 2;")
	for range 2 {
		s.exec("INSERT INTO dbsched.ResourceRequests (ResourceId, Status, Access, Requester, LeaseSeconds, LeaseUntil, RequestedByName) VALUES (1, 'Granted', 'Shared', N'', 100, '20990101', N'dbo');")
	}
	s.exec("UPDATE dbsched.Lanes SET WorkerId = 0x03 WHERE LaneId = 1; UPDATE dbsched.Settings SET NextSweepAt = NULL, RetentionDays = 30;")
}

// wait runs what is rolled back afterwards, and says if it waits for others longer than a dispatcher may.
func (h *harness) wait(text string) error {
	h.Helper()
	s, began := h.session(), h.now()
	s.exec("SET LOCK_TIMEOUT 3000;")
	s.begin()
	err := s.try(text)
	if took := h.now().Sub(began); err == nil && took > 1500*time.Millisecond {
		err = fmt.Errorf("it took %v", took)
	}
	if alarm := h.server.value("SELECT MAX(a.AlarmText) FROM dbsched.Alarms AS a WITH (NOLOCK) WHERE a.AlarmText LIKE N'%1222%';"); err == nil && alarm != "NULL" {
		err = errors.New(alarm)
	}
	s.end()
	require.NoError(h, s.conn.Close())
	return err
}

// TestMSSQLWaitsForNobody: a transaction locks rows, whatever it does with them, and all other sessions go on without those: the dispatcher, which may
// wait a second for the row of a process only, workers that claim, and enqueuers.
func TestMSSQLWaitsForNobody(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		h.many()
		h.admin().exec("EXEC sys.sp_getapplock N'lane:1', 'Exclusive', 'Session', 0, N'dbsched_locks';") // its worker lives
		const enqueuers, workers = `
			EXEC dbsched.ExecAsync N'SELECT 1;', 1, 2, @DedupKey = N'key';
			EXEC dbsched.ExecAsync N'SELECT 1;', 1, 2;
			EXEC dbsched.ExecAsyncBatch N'[{"SQL": "SELECT 1", "ExecutionOrder": 1, "DedupKey": "key"}, {"SQL": "SELECT 1", "ExecutionOrder": 1}]', 2;
			DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder, ProcessId, DedupKey) VALUES (4, N'SELECT 1', 1, 2, N'key'), (9, N'SELECT 1', 1, 2, NULL);
			EXEC dbsched.ExecAsyncTable @T;`, `
			EXEC dbsched.NextTask 1, '00000003-0000-0000-0000-000000000000';
			EXEC dbsched.NextTask 1, '00000003-0000-0000-0000-000000000000';
			EXEC dbsched.NextTask 1, '00000003-0000-0000-0000-000000000000';`
		noSweep := "UPDATE dbsched.Settings SET NextSweepAt = DATEADD(second, 10, SYSUTCDATETIME()); EXEC dbsched.DispatchTurn 0;"
		stopped := "UPDATE dbsched.Tasks SET StopAt = NULL WHERE StopAt IS NOT NULL; UPDATE dbsched.Settings SET Started = 0; EXEC dbsched.DispatchTurn 0;"
		all := []string{
			noSweep, "EXEC dbsched.ApplyProcessRequests;", "EXEC dbsched.ReleaseDueTasks;", "EXEC dbsched.FireSchedules;", "EXEC dbsched.ServeResourceLines;", "EXEC dbsched.MarkWork;",
			"EXEC dbsched.AssignLanes;", "EXEC dbsched.SweepRounds;", "DECLARE @N int; EXEC dbsched.PruneHistory '19991201', @N OUTPUT, @N OUTPUT;", "EXEC dbsched.RaiseAlarm 'Outage', N'said';",
			enqueuers, workers, "EXEC dbsched.EndAttempts;", "DECLARE @N bit; EXEC dbsched.RunSweep 30, @N OUTPUT;", "EXEC dbsched.DispatchTurn 0;",
		}
		var waits []string
		for _, locked := range []struct {
			rows string
			by   []string
		}{
			{"Tasks WHERE Status = 'Pending' AND ExecutionOrder = 1 AND TaskId % 2", append([]string{"EXEC dbsched.HaltProcess 2, 1, 1, N'';"}, all...)},
			{"Tasks WHERE Status NOT IN ('Running', 'Stopping') AND ExecutionOrder <> 2 AND TaskId % 2", all},
			{"Tasks WHERE TaskId % 2", all[:len(all)-2]}, // a sweep must know who runs a task, and takes tasks from a line
			{"ProcessRequests WHERE RequestId % 2", all},
			{"ResourceRequests WHERE LeaseUntil IS NOT NULL AND RequestId % 2", []string{noSweep}},
			{"Schedules WHERE ScheduleId % 2", all},
			{"ScheduleFirings WHERE FiringId % 2", all},
			{"Processes WHERE Name = N'old' AND ProcessId % 2", all},
			{"Processes WHERE Name = N'late' AND ProcessId % 2", all},
			{"Alarms WHERE AlarmId % 2", all},
			{"WakeSent WHERE TransactionId % 2", append([]string{stopped}, all...)},
			{"RoundFirings WHERE FiringId % 2", all},
			{"RoundMembers WHERE LEN(Member) % 2", all},
			{"Logs WHERE LogId % 2", all},
		} {
			for _, which := range []string{" = 0", " = 1", " < 2"} {
				holder := h.session()
				holder.begin()
				holder.exec("DELETE FROM dbsched." + locked.rows + which + ";")
				require.NotEqual(h, "0", holder.value("SELECT @@ROWCOUNT;"), locked.rows)
				for _, text := range locked.by {
					if err := h.wait(text); err != nil {
						waits = append(waits, fmt.Sprintf("%s%s is locked: %s: %v", locked.rows, which, text, err))
					}
				}
				holder.rollback()
				require.NoError(h, holder.conn.Close())
			}
		}
		require.Empty(h, strings.Join(waits, "\n"))
	})
}
