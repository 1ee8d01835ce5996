package integration

import (
	"strings"
	"testing"
)

// TestMSSQLTasksPerUser: the limit of unfinished tasks.
func TestMSSQLTasksPerUser(t *testing.T) {
	onMSSQL(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.withSecret()
		h.user("ada", "admin")
		limited{h, h.as("anna"), h.as("bert"), h.as("ada")}.tasksPerUser()
	})
}

// TestMSSQLAlarmsPerUser: nobody buries the alarms of others.
func TestMSSQLAlarmsPerUser(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.withSecret()
		define := func(round string) string {
			return "EXEC dbsched.DefineRound N'" + round + "', N'[\"m\"]', @SuccessorSQL = N'SELECT 1;';"
		}
		floods{h, h.as("anna"), h.as("bert"), define, func(round string) string { return "EXEC dbsched.ReportRound N'" + round + "', N'm', 0;" }}.alarmsPerUser()
	})
}

// TestMSSQLOnlyAdministratorsComeFirst: priority above 0, and weight above 1.
func TestMSSQLOnlyAdministratorsComeFirst(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.withSecret()
		h.user("ada", "admin")
		named := strings.NewReplacer("priority", "@Priority", "weight", "@Weight", "max_parallel", "@MaxParallel")
		ranks{
			harness: h, user: h.as("anna"), admin: h.as("ada"),
			create: func(args string) string {
				return "DECLARE @P int; EXEC dbsched.CreateProcess N'p', @P OUTPUT, " + named.Replace(args) + ";"
			},
			newSchedule: func(args string) string {
				return "EXEC dbsched.CreateSchedule N's', N'* * * * *', N'SELECT 1;', " + named.Replace(args) + ";"
			},
			schedule: func(args string) string { return "EXEC dbsched.AlterSchedule N's', " + named.Replace(args) + ";" },
			weights:  "SELECT p.Weight FROM dbsched.Processes AS p WHERE p.ScheduleId IS NOT NULL;",
		}.onlyAdministratorsComeFirst()
	})
}
