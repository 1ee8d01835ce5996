package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMSSQLReturnsAndOutputs: what procedures return, and put into their OUTPUT parameters, whatever was in them before.
func TestMSSQLReturnsAndOutputs(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		// call runs a procedure with @R for its result and @O for one OUTPUT parameter of a type.
		call := func(typ, before, text string) [2]string {
			rows := s.rows("DECLARE @R int = -1, @O " + typ + " = " + before + "; EXEC @R = dbsched." + text + "; SELECT @R, @O;")
			return [2]string(rows[len(rows)-1])
		}
		took := func(run func()) time.Duration {
			began := h.now()
			run()
			return h.now().Sub(began)
		}

		// Processes.
		p := number(h, s.ask(h.say.createProcess("suspended", true)))
		s.exec(h.say.enqueue(p, 1, h.say.nothing))
		wait := func(id int64, seconds int) [2]string {
			return call("varchar(10)", "'x'", fmt.Sprintf("WaitProcess %d, %d, @O OUTPUT", id, seconds))
		}
		d := took(func() { require.Equal(h, [2]string{"2", "Suspended"}, wait(p, 0)) })
		require.Less(h, d, 200*time.Millisecond)
		for _, seconds := range []int{1, 7} {
			d = took(func() { require.Equal(h, [2]string{"2", "Suspended"}, wait(p, seconds)) })
			require.GreaterOrEqual(h, d, time.Duration(seconds)*time.Second)
			require.Less(h, d, time.Duration(seconds)*time.Second+600*time.Millisecond)
		}
		require.Equal(h, [2]string{"0", "Open"}, wait(1, 0))
		require.Equal(h, [2]string{"0", "NULL"}, call("int", "NULL", fmt.Sprintf("ReleaseProcess %d", p)))
		require.Equal(h, [2]string{"0", "Open"}, wait(p, 60))
		require.Equal(h, [2]string{"0", "NULL"}, call("int", "NULL", fmt.Sprintf("ReleaseProcess %d", p)), "again")
		require.Equal(h, [2]string{"0", "NULL"}, call("int", "NULL", fmt.Sprintf("CloseProcess %d", p)))
		require.Equal(h, [2]string{"0", "Succeeded"}, wait(p, 60))
		for _, again := range []string{"CloseProcess", "ReleaseProcess"} {
			require.Equal(h, [2]string{"0", "NULL"}, call("int", "NULL", fmt.Sprintf("%s %d", again, p)), again)
		}
		require.Empty(h, h.rowsOf(s, "process_requests"))
		failed := number(h, s.ask(h.say.createProcess("fails", false)))
		s.exec(h.say.enqueue(failed, 1, h.say.fails(5*time.Second)))
		d = took(func() { require.Equal(h, [2]string{"1", "Failed"}, wait(failed, 600)) })
		require.Less(h, d, 6*time.Second+h.soon)
		cancelled := number(h, s.ask(h.say.createProcess("cancelled", false)))
		require.Equal(h, [2]string{"0", "NULL"}, call("int", "NULL", fmt.Sprintf("CancelProcess %d", cancelled)))
		require.Equal(h, [2]string{"1", "Cancelled"}, wait(cancelled, 600))
		require.Equal(h, [2]string{"0", "NULL"}, call("int", "NULL", fmt.Sprintf("RetryProcess %d", cancelled)))

		// Nothing is left in an OUTPUT parameter of what was refused.
		for text, typ := range sorted(map[string]string{"ExecAsync N'', 1, @TaskId = @O OUTPUT": "bigint", "CreateProcess N'', @O OUTPUT": "int"}) {
			err := s.try("DECLARE @O " + typ + " = 5; EXEC dbsched." + text + "; IF @O IS NOT NULL SELECT 1 / 0;")
			require.ErrorContains(h, err, "dbsched 510", text)
			require.NotContains(h, err.Error(), "Divide", text)
		}

		// Resources.
		s.exec("EXEC dbsched.DefineResource N'r';")
		other := h.session()
		id := other.ask("DECLARE @R bigint; EXEC dbsched.AcquireResource N'r', 'EXCLUSIVE', @RequestId = @R OUTPUT; SELECT @R;")
		held := only(h.rowsOf(s, "resource_info"), "requestid", id)
		require.Equal(h, []string{"Granted", "Exclusive", "sa", "NULL"}, []string{held["status"], held["access"], held["requester"], held["leaseuntil"]})
		d = took(func() {
			require.Equal(h, [2]string{"2", "NULL"}, call("bigint", "5", "AcquireResource N'r', @TimeoutSeconds = 0, @RequestId = @O OUTPUT"))
		})
		require.Less(h, d, 200*time.Millisecond)
		d = took(func() {
			require.Equal(h, [2]string{"2", "NULL"}, call("bigint", "5", "AcquireResource N'r', @RequestId = @O OUTPUT"))
		})
		require.InDelta(h, time.Minute, d, float64(600*time.Millisecond))
		d = took(func() {
			require.Equal(h, [2]string{"2", "NULL"}, call("bigint", "5", "AcquireResource N'r', @TimeoutSeconds = 7, @RequestId = @O OUTPUT"))
		})
		require.InDelta(h, 7*time.Second, d, float64(600*time.Millisecond))
		require.Len(h, having(h.rowsOf(s, "resource_info"), "resource", "r"), 1, "those requests are gone")
		other.exec("EXEC dbsched.ReleaseResource " + id + ";")
		got := call("bigint", "5", "AcquireResource N'r', @LeaseSeconds = 100, @Requester = N'somebody', @RequestId = @O OUTPUT")
		require.Equal(h, "0", got[0])
		held = only(h.rowsOf(s, "resource_info"), "requestid", got[1])
		require.Equal(h, []string{"Granted", "Shared", "somebody"}, []string{held["status"], held["access"], held["requester"]})
		require.Equal(h, "100", s.value("SELECT DATEDIFF(second, GrantedAt, LeaseUntil) FROM dbsched.ResourceInfo WHERE RequestId = "+got[1]+";"))

		// Rounds, with the documented defaults.
		s.exec(`EXEC dbsched.DefineRound N'd', N' ["a", "b"] ', @SuccessorSQL = N'SELECT 1;';`)
		r := only(h.rowsOf(s, "round_info"), "name", "d")
		require.Equal(h, []string{"43200", "60", "1", "1", "2"}, []string{r["maxageseconds"], r["startseconds"], r["successororder"], r["successorprocessid"], r["members"]})
		require.Equal(h, [2]string{"0", "Waiting"}, call("varchar(10)", "'x'", "ReportRound N'd', N'a', @Outcome = @O OUTPUT"))
		require.Equal(h, [2]string{"0", "Reported"}, call("varchar(10)", "'x'", "ReportRound N'd', N'b', 0, @O OUTPUT"))
		require.Equal(h, [2]string{"0", "Started"}, call("varchar(10)", "'x'", "ReportRound N'd', N'b', 1, @O OUTPUT"))

		// Alarms.
		raise := func(kind, text string) int {
			before := len(h.rowsOf(s, "alarms"))
			s.exec("EXEC dbsched.RaiseAlarm '" + kind + "', N'" + text + "';")
			return len(h.rowsOf(s, "alarms")) - before
		}
		s.exec("DELETE FROM dbsched.Alarms;")
		for i := range 5 {
			require.Equal(h, 1, raise("WorkerError", fmt.Sprint(i)))
		}
		numbers := s.rows("SELECT AlarmId FROM dbsched.Alarms ORDER BY AlarmId;")
		for _, c := range [][2]string{{"@UpTo = " + numbers[1][0], "2"}, {"@AlarmId = " + numbers[3][0], "1"}, {"@AlarmId = " + numbers[3][0], "0"}, {"@UpTo = " + numbers[1][0], "0"}, {"@UpTo = 0, @AlarmId = " + numbers[2][0], "1"}, {"@UpTo = NULL", "1"}} {
			require.Equal(h, [2]string{"0", c[1]}, call("int", "5", "AcknowledgeAlarms "+c[0]+", @Rows = @O OUTPUT"), c[0])
		}
		require.Equal(h, 0, raise("WorkerError", "4"))
		require.Equal(h, 1, raise("QueueDisabled", "4"))
		h.pause(10*time.Minute - time.Second)
		require.Equal(h, 0, raise("WorkerError", "4"))
		h.pause(2 * time.Second)
		require.Equal(h, 1, raise("WorkerError", "4"), "ten minutes later")
		for i := range 99 {
			require.Equal(h, 1, raise("WorkerError", fmt.Sprint("other ", i)))
		}
		require.Equal(h, 0, raise("WorkerError", "4"), "one of the last hundred")
		require.Equal(h, 1, raise("WorkerError", "other 99"))
		require.Equal(h, 1, raise("WorkerError", "4"), "after a hundred others")

		// History.
		require.Equal(h, [2]string{"0", "0"}, call("bigint", "5", "Purge @Rows = @O OUTPUT"))
		require.Equal(h, [2]string{"0", "0"}, call("bigint", "5", "Purge 1, @O OUTPUT"))
		rows := func() (n int) {
			for _, name := range []string{"tasks", "processes", "logs", "alarms", "schedule_firings"} {
				n += len(h.rowsOf(s, name))
			}
			return n
		}
		before := rows()
		got = call("bigint", "5", "Purge 0, @O OUTPUT")
		require.Equal(h, [2]string{"0", fmt.Sprint(before - rows())}, got)
	})
}

// TestMSSQLNextInstants: what each column of the function says, and what each of its parameters does.
func TestMSSQLNextInstants(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		next := func(args string) [][]string {
			return s.rows("SELECT n.InstantNo, CONVERT(varchar(19), n.At, 126), CONVERT(varchar(19), n.LocalTime, 126), n.Problem FROM dbsched.NextInstants(" + args + ") AS n ORDER BY n.InstantNo;")
		}
		const warsaw = "N'Central European Standard Time'"
		require.Equal(h, [][]string{{"1", "2026-03-29T00:30:00", "2026-03-29T01:30:00", "NULL"}, {"2", "2026-03-29T23:30:00", "2026-03-30T01:30:00", "NULL"}},
			next("N'30 1 * * *', "+warsaw+", '2026-03-28T12:00:00', 2, NULL, NULL"))
		require.Equal(h, [][]string{{"1", "NULL", "NULL", "it never fires: no such day exists"}}, next("N'0 0 30 2 *', "+warsaw+", '2026-03-28T12:00:00', 5, NULL, NULL"))
		hourly := func(after, begin, end string) (all []string) {
			for _, r := range next("N'0 * * * *', N'UTC', " + after + ", 3, " + begin + ", " + end) {
				all = append(all, r[1][11:16])
			}
			return all
		}
		require.Equal(h, []string{"13:00", "14:00", "15:00"}, hourly("'2026-03-28T12:00:00'", "NULL", "NULL"), "after it")
		require.Equal(h, []string{"12:00", "13:00", "14:00"}, hourly("'2026-03-28T11:59:59.999'", "NULL", "NULL"))
		require.Equal(h, []string{"15:00", "16:00", "17:00"}, hourly("'2026-03-28T12:00:00'", "'2026-03-28T15:00:00'", "NULL"), "none before the begin")
		require.Equal(h, []string{"16:00", "17:00", "18:00"}, hourly("'2026-03-28T12:00:00'", "'2026-03-28T15:00:01'", "NULL"))
		require.Equal(h, []string{"13:00", "14:00"}, hourly("'2026-03-28T12:00:00'", "NULL", "'2026-03-28T14:00:00'"), "none after the end")
		require.Equal(h, []string{"13:00"}, hourly("'2026-03-28T12:00:00'", "NULL", "'2026-03-28T13:59:59'"))
		require.Empty(h, hourly("'2026-03-28T12:00:00'", "NULL", "'2026-03-28T12:59:59'"))
		every := func(after, begin string) (all []string) {
			for _, r := range next("N'every 45 minutes', N'UTC', " + after + ", 3, " + begin + ", NULL") {
				all = append(all, r[1][11:])
			}
			return all
		}
		require.Equal(h, []string{"12:45:07", "13:30:07", "14:15:07"}, every("'2026-03-28T12:00:07.000'", "NULL"), "counted from the time")
		require.Equal(h, []string{"12:45:07", "13:30:07", "14:15:07"}, every("'2026-03-28T12:00:07.900'", "NULL"), "the second that has begun")
		require.Equal(h, []string{"12:30:20", "13:15:20", "14:00:20"}, every("'2026-03-28T12:00:00'", "'2026-03-27T12:30:20'"), "from the begin")
		require.Equal(h, []string{"12:30:20", "13:15:20", "14:00:20"}, every("'2026-03-28T12:30:19'", "'2026-03-27T12:30:20'"))
		require.Equal(h, []string{"13:15:20", "14:00:20", "14:45:20"}, every("'2026-03-28T12:30:20'", "'2026-03-27T12:30:20'"))
		require.Equal(h, []string{"12:30:20", "13:15:20", "14:00:20"}, every("'2026-03-28T12:00:00'", "'2026-03-28T12:30:20'"), "a begin that has not come is an instant")
		require.Len(h, next("N'* * * * *', N'UTC', NULL, 100, NULL, NULL"), 100)
		require.Len(h, next("N'* * * * *', N'UTC', NULL, 1, NULL, NULL"), 1)
		require.ErrorContains(h, second(s.on().ExecContext(h.Context(), "SELECT * FROM dbsched.NextInstants(N'@daily', N'Nowhere', NULL, 1, NULL, NULL) AS n;")), "Nowhere")
	})
}
