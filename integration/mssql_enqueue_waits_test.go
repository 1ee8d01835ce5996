package integration

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
