package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMSSQLRightsMatrix: who may do what, statement by statement, as testdata/rights/mssql.txt says.
func TestMSSQLRightsMatrix(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		h.user("rita", "reader")
		h.user("ada", "admin")
		h.user("nobody")
		s.exec("EXEC dbsched.DefineResource N'r', 1000; EXEC dbsched.RaiseAlarm 'WorkerError', N'?';")
		n := 0
		h.requireRights("mssql.txt", h.as, func(name string) string {
			n++
			anna := h.as("anna")
			later := "DECLARE @t bigint, @at datetime2(3) = DATEADD(day, 1, SYSUTCDATETIME()); EXEC dbsched.ExecAsync N'SELECT 1;', 1, @NotBefore = @at, @TaskId = @t OUTPUT; SELECT @t;"
			const fails = "THROW 50001, N'secret', 1;"
			switch name {
			case "n":
				return fmt.Sprint(n)
			case "task":
				return anna.ask(later)
			case "dbotask":
				return s.ask(later)
			case "failed":
				id := anna.ask(h.say.enqueueReturn(0, 1, fails))
				h.untilStatus(number(h, id), "Failed", time.Minute)
				return id
			case "dbofailed":
				id := s.ask(h.say.enqueueReturn(0, 1, fails))
				h.untilStatus(number(h, id), "Failed", time.Minute)
				return id
			case "process":
				return anna.ask(h.say.createProcess("anna's", true))
			case "dboprocess":
				return s.ask(h.say.createProcess("dbo's", true))
			case "halted":
				p := anna.ask(h.say.createProcess("anna's", false))
				anna.exec(h.say.enqueue(number(h, p), 1, fails))
				h.waitFor(number(h, p), time.Minute)
				return p
			case "mixed":
				p := anna.ask(h.say.createProcess("anna's", false))
				s.exec(h.say.enqueue(number(h, p), 1, fails))
				h.waitFor(number(h, p), time.Minute)
				return p
			case "schedule", "firing":
				schedule := fmt.Sprint("schedule ", n)
				anna.exec("EXEC dbsched.CreateSchedule N'" + schedule + "', N'@yearly', N'SELECT 1;';")
				if name == "schedule" {
					return schedule
				}
				anna.exec("EXEC dbsched.RunSchedule N'" + schedule + "';")
				h.until(time.Minute, "it fires", func() bool { return h.outcomes(schedule) == "Succeeded" })
				return fmt.Sprint(h.firingTask(schedule))
			case "round":
				name = fmt.Sprint("round ", n)
				anna.exec("EXEC dbsched.DefineRound N'" + name + `', N'["a", "b"]', @SuccessorSQL = N'SELECT 1;';`)
				return name
			case "jobround":
				name = fmt.Sprint("job round ", n)
				s.exec("EXEC dbsched.DefineRound N'" + name + `', N'["a", "b"]', @SuccessorJob = N'Job';`)
				return name
			case "request":
				return anna.ask(h.say.acquire("r", "Shared", 0, 3600))
			}
			require.Fail(h, "unknown", name)
			return ""
		})
		require.Equal(h, [][]string{{"42"}}, s.rows("SELECT N FROM dbo.Secret;"))
		require.True(h, h.status().Started)
	})
}

// TestMSSQLTasksFromInside: what a task can do to get more than its user has, as testdata/rights/mssql-tasks.txt says: nothing. What it leaves in its
// session does not reach another user's task.
func TestMSSQLTasksFromInside(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		_, rows := readRights(h.T, "mssql-tasks.txt")
		var wrong []string
		for _, r := range rows {
			id := h.enqueueAs("anna", 1, r.text)
			h.until(time.Minute, "it ends", func() bool { return h.statusOf(id) == "Failed" || h.statusOf(id) == "Succeeded" })
			l := h.logsOf(id)[0]
			got := fmt.Sprint(l.ErrorNumber)
			if l.Outcome == "Succeeded" {
				got = "yes"
			} else if m := ownNumber.FindStringSubmatch(l.ErrorMessage); m != nil {
				got = m[1]
			}
			if got != r.want["anna"] {
				wrong = append(wrong, fmt.Sprintf("%s %s, not %s: %s", got, l.ErrorMessage, r.want["anna"], r.text))
			}
		}
		require.Empty(h, wrong, strings.Join(wrong, "\n"))
		h.enqueueAs("bert", 9, "IF SESSION_CONTEXT(N'tenant') IS NOT NULL OR SUBSTRING(CONTEXT_INFO(), 1, 4) = 0x616E6E61 OR OBJECT_ID(N'tempdb..#t') IS NOT NULL "+
			"THROW 50001, N'something of anna is left', 1; "+writesWho)
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"anna", "8"}, {"bert", "1"}}, s.rows("SELECT Name, COUNT(*) FROM dbo.Who GROUP BY Name ORDER BY Name;"))
		require.Equal(h, [][]string{{"42"}}, s.rows("SELECT N FROM dbo.Secret;"))
		require.Equal(h, "0", s.value("SELECT COUNT(*) FROM sys.database_role_members AS m WHERE m.member_principal_id = USER_ID(N'anna') AND m.role_principal_id <> USER_ID(N'dbsched_user');"))
		require.Equal(h, 2, h.status().MaxWorkers)
		require.True(h, h.status().Started)
		h.requireNoAlarms()
	})
}

// TestMSSQLParametersCarryNoCode: @Parameters become part of a batch only as names and types that dbsched knows, see testdata/rights/mssql-parameters.txt.
func TestMSSQLParametersCarryNoCode(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.withSecret()
		s.exec("GRANT ALTER ON SCHEMA::dbo TO anna;") // she might drop the table
		_, rows := readRights(h.T, "mssql-parameters.txt")
		anna, taken := h.as("anna"), 0
		for _, r := range rows {
			got := anna.outcome("EXEC dbsched.ExecAsync N'SELECT @a;', 1, @Parameters = " + quotedMSSQL(r.text) + ";")
			require.Equal(h, r.want["anna"], got, r.text)
			if got == "yes" {
				taken++
			}
		}
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"42"}}, s.rows("SELECT N FROM dbo.Secret;"))
		require.Len(h, h.logs(), taken)
		for _, l := range h.logs() {
			require.Equal(h, "Succeeded", l.Outcome, l.ErrorMessage)
		}
	})
}
