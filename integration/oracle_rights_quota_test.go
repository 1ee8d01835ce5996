package integration

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOracleTasksPerUser: the limit of unfinished tasks.
func TestOracleTasksPerUser(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		require.NoError(h, h.sched.Stop(h.Context(), "Now"))
		limited{h, r.as("anna"), r.as("bert"), r.as("carl")}.tasksPerUser()
	})
}

// TestOracleAlarmsPerUser: nobody buries the alarms of others.
func TestOracleAlarmsPerUser(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		define := func(round string) string {
			return "begin dbsched.define_round('" + round + "', dbsched.t_names('m'), in_successor_sql => 'begin null; end;'); end;"
		}
		floods{h, r.as("anna"), r.as("bert"), define, func(round string) string { return "begin dbsched.report_round('" + round + "', 'm', false); end;" }}.alarmsPerUser()
	})
}

// TestOracleOnlyAdministratorsComeFirst: priority above 0, and weight above 1.
func TestOracleOnlyAdministratorsComeFirst(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		named := strings.NewReplacer("priority =", "in_priority =>", "weight =", "in_weight =>", "max_parallel =", "in_max_parallel =>")
		ranks{
			harness: h, user: r.as("anna"), admin: r.as("carl"),
			create: func(args string) string {
				return "declare n number; begin dbsched.create_process('p', n, " + named.Replace(args) + "); end;"
			},
			newSchedule: func(args string) string {
				return "begin dbsched.create_schedule('s', '* * * * *', 'begin null; end;', " + named.Replace(args) + "); end;"
			},
			schedule: func(args string) string {
				return "begin dbsched.alter_schedule('s', " + named.Replace(args) + "); end;"
			},
			weights: "select p.weight from ds_processes p where p.schedule_id is not null",
		}.onlyAdministratorsComeFirst()
	})
}
