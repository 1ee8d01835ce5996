package integration

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func delayText(d time.Duration) string {
	return fmt.Sprintf("waitfor delay '00:00:%06.3f'", d.Seconds())
}

// TestMSSQLSeedServiceBrokerAsScheduler runs the published design unchanged: three readers start one at a time, since a queue monitor
// adds a reader only after 5 s without an empty RECEIVE; the nine tasks run in waves; ending the conversation ends it all.
func TestMSSQLSeedServiceBrokerAsScheduler(t *testing.T) {
	onServer(t, func(s *server) {
		t := s.t
		s.script("../internal/bench/designs/polling_queue.sql")
		s.exec("exec StartScheduler")

		var seen []string
		for range 12 {
			s.exec("waitfor delay '00:00:05'")
			seen = append(seen, s.value("select count(*) from sys.dm_broker_activated_tasks"))
		}
		require.Contains(t, seen, "1")
		require.Contains(t, seen, "2", "readers come one at a time: %v", seen)
		require.Equal(t, "3", seen[len(seen)-1], "%v", seen)
		require.IsNonDecreasing(t, seen[:6], "%v", seen)
		require.Equal(t, [][]string{{"[dbo].[ActivationQueueScheduler]", "1"}},
			s.rows("select distinct procedure_name, execute_as from sys.dm_broker_activated_tasks"))

		for _, task := range seedTasks {
			s.exec("exec ExecAsync @p1, @p2", delayText(task.delay), task.order)
		}
		s.exec("waitfor delay '00:01:10'")
		require.Equal(t, "9", s.value("select count(*) from Logs where Endtime is not null"))
		require.Equal(t, "0", s.value("select count(*) from Tasks"))
		require.Equal(t, "0", s.value(`select count(*) from Logs a join Logs b on a.ExecutionOrder > b.ExecutionOrder where a.StartTime < b.Endtime`),
			"%v", s.rows("select TaskID, ExecutionOrder, SPID, StartTime, Endtime from Logs order by LogId"))

		s.exec("exec StopScheduler")
		s.exec("waitfor delay '00:02:00'")
		require.Equal(t, "0", s.value("select count(*) from sys.dm_broker_activated_tasks"))
	})
}

// TestMSSQLSeedRampUp shows the flaw: one queue with 16 readers has all of them only after 75 s.
func TestMSSQLSeedRampUp(t *testing.T) {
	onServer(t, func(s *server) {
		t := s.t
		s.script("../internal/bench/designs/polling_queue.sql")
		s.exec(`alter procedure dbo.ActivationQueueScheduler as
begin
    declare @Handle uniqueidentifier
    waitfor(receive top (1) @Handle = conversation_handle from QueueScheduler), timeout 5000
    if @Handle is not null exec TaskScheduler 3600
end`)
		s.exec("alter queue QueueScheduler with activation (max_queue_readers = 16)")
		s.exec(`
declare @i int = 0, @h uniqueidentifier
while @i < 16
begin
    exec ExecAsync 'waitfor delay ''01:00:00''', 1
    begin dialog conversation @h from service ServiceScheduler to service 'ServiceScheduler' on contract [DEFAULT] with encryption = off;
    send on conversation @h (0x);
    set @i += 1
end`)
		s.exec("waitfor delay '00:01:14'")
		require.Equal(t, "15", s.value("select count(*) from sys.dm_broker_activated_tasks"), "before 75 s")
		s.exec("waitfor delay '00:00:02'")
		require.Equal(t, "16", s.value("select count(*) from sys.dm_broker_activated_tasks"), "after 75 s")
	})
}

// TestMSSQLSeedThreeClients runs the design before that one: three sessions of clients call TaskScheduler and run the nine tasks
// of a fourth.
func TestMSSQLSeedThreeClients(t *testing.T) {
	onServer(t, func(s *server) {
		t := s.t
		s.script("../internal/bench/designs/polling_queue.sql")
		done := make(chan error)
		for range 3 {
			db := s.open("dbsched-test worker")
			go func() {
				_, err := db.ExecContext(t.Context(), "exec TaskScheduler")
				done <- err
			}()
		}
		for s.value("select count(*) from sys.dm_exec_requests where session_id <> @@spid and command <> 'BRKR TASK'") != "3" {
			s.exec("waitfor delay '00:00:00.010'")
		}
		for _, task := range seedTasks {
			s.exec("exec ExecAsync @p1, @p2", delayText(task.delay), task.order)
		}
		s.exec("waitfor delay '00:01:30'")
		for range 3 {
			require.NoError(t, <-done, "they end after 30 s without work")
		}
		logs := s.rows("select TaskID, ExecutionOrder, SPID, StartTime, Endtime from Logs order by LogId")
		require.Len(t, logs, 9)
		require.Equal(t, "0", s.value("select count(*) from Tasks"))
		require.Equal(t, "0", s.value(`select count(*) from Logs a join Logs b on a.ExecutionOrder > b.ExecutionOrder where a.StartTime < b.Endtime`), "%v", logs)
		require.Equal(t, "3", s.value("select count(*) from (select SPID from Logs group by SPID) x"), "%v", logs)
		require.InDelta(t, 51.5, decimal(t, s.value("select datediff(millisecond, min(StartTime), max(Endtime)) from Logs"))/1000, 2, "%v", logs)
	})
}

func decimal(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return n
}

// TestMSSQLSeedCreatesItsDatabase: the published script begins by creating its own database, after dropping it if it exists.
func TestMSSQLSeedCreatesItsDatabase(t *testing.T) {
	onServer(t, func(s *server) {
		t := s.t
		conn, err := s.db.Conn(t.Context())
		require.NoError(t, err)
		defer conn.Close()
		for range 2 {
			for _, batch := range []string{
				`use master
if db_id('polling') is not null
begin
    alter database polling set single_user with rollback immediate
    drop database polling
end`,
				`create database polling`,
				`alter database polling set enable_broker`,
				`use polling`,
			} {
				_, err := conn.ExecContext(t.Context(), batch)
				require.NoError(t, err, batch)
			}
			require.Equal(t, [][]string{{"polling", "true"}},
				readRows(t, conn, "select name, is_broker_enabled from sys.databases where name = db_name()"))
		}
		_, err = conn.ExecContext(t.Context(), "use master\nalter database polling set single_user with rollback immediate\ndrop database polling")
		require.NoError(t, err)
	})
}
