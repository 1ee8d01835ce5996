package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLOptionsInEveryProcedure: what the caller has set changes nothing in what a procedure does, and is as it was afterwards.
func TestMSSQLOptionsInEveryProcedure(t *testing.T) {
	onMSSQL(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		s := h.session()
		h.resource("db", 1)
		for n, options := range []string{
			"SET ROWCOUNT 1;", "SET ANSI_WARNINGS, ANSI_PADDING, ARITHABORT, CONCAT_NULL_YIELDS_NULL OFF;", "SET NUMERIC_ROUNDABORT ON;", "SET IMPLICIT_TRANSACTIONS ON;", "SET XACT_ABORT ON;",
			"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;", "SET LOCK_TIMEOUT 0;",
		} {
			p := h.process(dialects.NewProcess{Name: "p"})
			ids := h.exec(h.task(1, h.say.nothing), dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 3, ProcessID: p})
			h.pause(5 * time.Second)
			c := h.session()
			if !h.modeled(c.try(options)) {
				continue
			}
			const state = "SELECT @@OPTIONS, @@LOCK_TIMEOUT, @@TRANCOUNT;"
			read := func() string { // without ROWCOUNT in the way
				return fmt.Sprint(c.rows(state))
			}
			before := ""
			of := func(table, column, value string) []row { return having(h.rowsOf(s, table), column, value) }
			name := fmt.Sprint("n", n)
			for i, step := range []struct {
				call string
				good func() bool
			}{
				{"DefineRound N'{}', N'[\"a\", \"b\", \"c\"]', @SuccessorSQL = N'SELECT 1;'", func() bool { return only(h.rowsOf(s, "round_info"), "name", name)["members"] == "3" }},
				{"DefineRound N'{}', N'[\"d\", \"e\"]', @SuccessorSQL = N'SELECT 1;'", func() bool { return only(h.rowsOf(s, "round_info"), "name", name)["members"] == "2" }},
				{"ReportRound N'{}', N'd'", func() bool { return only(h.rowsOf(s, "round_info"), "name", name)["succeeded"] == "1" }},
				{"ReportRound N'{}', N'e'", func() bool { return only(h.rowsOf(s, "round_info"), "name", name)["laststatus"] == "Started" }},
				{"DefineRound N'{}', N'[]'", func() bool { return only(h.rowsOf(s, "round_info"), "name", name) == nil }},
				{"DefineResource N'{}', 2", func() bool { return only(h.rowsOf(s, "resources"), "name", name)["capacity"] == "2" }},
				{"DefineResource N'{}', 3", func() bool { return only(h.rowsOf(s, "resources"), "name", name)["capacity"] == "3" }},
				{"AcquireResource N'{}', @TimeoutSeconds = 0, @Requester = N'{}'", func() bool { return len(of("resource_requests", "requester", name)) == 1 }},
				{"CreateSchedule N'{}', N'@yearly', N'SELECT 1;'", func() bool { return len(of("schedules", "name", name)) == 1 }},
				{"AlterSchedule N'{}', N'@daily'", func() bool { return only(h.rowsOf(s, "schedules"), "name", name)["calendar"] == "@daily" }},
				{"RunSchedule N'{}'", func() bool { return only(h.rowsOf(s, "schedules"), "name", name)["waiting"] == "1" }},
				{"RunSchedule N'{}'", func() bool { return only(h.rowsOf(s, "schedules"), "name", name)["waiting"] == "2" }},
				{"SetScheduleEnabled N'{}', 0", func() bool { return len(having(of("schedule_firings", "name", name), "status", "Skipped")) == 2 }},
				{"DropSchedule N'{}'", func() bool { return len(of("schedules", "name", name)) == 0 }},
				{fmt.Sprintf("CancelTask %d", ids[0]), func() bool { return h.statusOf(ids[0]) == "Cancelled" }},
				{fmt.Sprintf("RetryTask %d", ids[0]), func() bool { return h.statusOf(ids[0]) == "Pending" }},
				{fmt.Sprintf("CancelProcess %d", p), func() bool { return fmt.Sprint(h.statuses(ids[1:])) == "[Cancelled Cancelled Cancelled]" }},
				{fmt.Sprintf("RetryProcess %d", p), func() bool {
					h.pause(time.Second) // the dispatcher has read the settings, for which some sessions here do not wait
					return fmt.Sprint(h.statuses(ids[1:])) == "[Pending Pending Pending]"
				}},
				{fmt.Sprintf("SetOptions @RetentionDays = %d", n+50), func() bool { return only(h.rowsOf(s, "settings"), "retentiondays", fmt.Sprint(n+50)) != nil }},
				{"SetPolicy 'Priority'", func() bool { return h.status().Policy == dialects.Priority }},
				{"SetPolicy 'Fifo'", func() bool { return h.status().Policy == dialects.Fifo }},
				{"SetWorkers 1", func() bool { return h.status().MaxWorkers == 1 }},
				{"SetWorkers 2", func() bool { return h.status().MaxWorkers == 2 }},
				{"StartScheduler", func() bool { return h.status().Started }},
				{fmt.Sprintf("CloseProcess %d", p), func() bool { h.pause(30 * time.Second); return h.processOf(p).Status == "Succeeded" }},
				{"StopScheduler", func() bool { return !h.status().Started }},
				{"Purge 0", func() bool { return len(h.logs()) == 0 }},
			} {
				if i == 0 {
					before = read()
					c.exec("IF @@TRANCOUNT > 0 COMMIT;")
				}
				c.exec("EXEC dbsched." + strings.ReplaceAll(step.call, "{}", name) + ";")
				c.exec("IF @@TRANCOUNT > 0 COMMIT;") // a procedure that joins the caller's transaction may have begun it
				require.True(h, step.good(), "%s %s", options, step.call)
				require.Equal(h, before, read(), "%s %s", options, step.call)
				c.exec("IF @@TRANCOUNT > 0 COMMIT;")
			}
		}
	})
}
