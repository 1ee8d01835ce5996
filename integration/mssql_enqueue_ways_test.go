package integration

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/templates"
)

// ways are those to enqueue a task: each takes its parameters, named as those of ExecAsync, and returns the statement that enqueues it and selects its id.
var ways = map[string]func(values map[string]any) string{
	"ExecAsync": func(values map[string]any) string {
		var list []string
		for name, v := range sorted(values) {
			list = append(list, "@"+name+" = "+literal(v))
		}
		return "DECLARE @Id bigint = -1; EXEC dbsched.ExecAsync " + strings.Join(list, ", ") + ", @TaskId = @Id OUTPUT; SELECT 1, @Id;"
	},
	"ExecAsyncBatch": func(values map[string]any) string {
		values = maps.Clone(values)
		if text, ok := values["Parameters"].(string); ok {
			values["Parameters"] = json.RawMessage(text)
		}
		if n, ok := values["Transactional"].(int); ok {
			values["Transactional"] = n == 1
		}
		return "EXEC dbsched.ExecAsyncBatch " + templates.QuoteString("\r\n\t ["+string(must(json.Marshal(values)))+"]") + ";"
	},
	"ExecAsyncTable": func(values map[string]any) string {
		names, list := slices.Sorted(maps.Keys(values)), []string{"1"}
		for _, name := range names {
			list = append(list, literal(values[name]))
		}
		return "DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, " + strings.Join(names, ", ") + ") VALUES (" + strings.Join(list, ", ") + "); EXEC dbsched.ExecAsyncTable @T;"
	},
}

func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return templates.QuoteString(v)
	default:
		return fmt.Sprint(v)
	}
}

// TestMSSQLEveryWayToEnqueue: whoever enqueues a task, and however, what is not given has the documented default, and each parameter is in its column, for
// an administrator and for a user.
func TestMSSQLEveryWayToEnqueue(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		h.user("anna", "user")
		s := h.session()
		s.exec("EXEC dbsched.DefineResource N'r';")
		p := map[string]string{"anna": h.as("anna").ask(h.say.createProcess("anna's", true)), "dbo": s.ask(h.say.createProcess("dbo's", false))}
		texts := map[string]any{"SQL": " \tSELECT 1; -- ä", "ExecutionOrder": -7}
		with := func(more map[string]any) map[string]any {
			all := maps.Clone(texts)
			maps.Copy(all, more)
			return all
		}
		const later, past = "2999-12-31T23:59:58.123", "2020-01-01T00:00:00"
		cases := []map[string]any{
			{}, {"Priority": 5}, {"Priority": -1000000}, {"MaxAttempts": 7}, {"RetryDelaySeconds": 0}, {"RetryDelaySeconds": 86400}, {"TimeoutSeconds": 1}, {"TimeoutSeconds": 2147483647}, {"ExpectedSeconds": 2147483647},
			{"ExpectedSeconds": 0}, {"NotBefore": later}, {"NotBefore": past}, {"Transactional": 1}, {"Transactional": 0}, {"OnOrphan": "Fail"}, {"OnOrphan": "retry"}, {"OnOrphan": "FAIL"}, {"OnOrphan": "fAIL"}, {"Resource": "r"},
			{"Resource": "r", "Access": "Shared"}, {"Resource": "r", "Access": "EXCLUSIVE"}, {"Resource": "r", "Access": "exclusive"}, {"Resource": "r", "Access": "sHARED"}, {"Parameters": `{"A int":7}`}, {"ProcessId": 1},
			{"ProcessId": "own"}, {"DedupKey": "key"}, {"Name": "Build facts"}, {"ExecutionOrder": 2147483647}, {"ExecutionOrder": -2147483648},
			{
				"ProcessId": "own", "Priority": 1000000, "MaxAttempts": 100, "RetryDelaySeconds": 11, "TimeoutSeconds": 12, "NotBefore": later, "ExpectedSeconds": 13, "Resource": "r", "Access": "Exclusive",
				"Transactional": 1, "OnOrphan": "Fail", "DedupKey": "all", "Name": "all", "Parameters": `{}`, "ExecutionOrder": 3,
			},
		}
		for _, limits := range []map[string]int{{"MaxTasksPerUser": 0, "DefaultTimeoutSeconds": 0}, {"MaxTasksPerUser": 1000, "DefaultTimeoutSeconds": 77}} {
			s.exec(h.say.options(limits))
			for _, who := range []string{"anna", "dbo"} {
				c := s
				if who == "anna" {
					c = h.as(who)
				}
				added, wants, calls := 0, map[string]row{}, map[string]string{}
				for n, values := range cases {
					for _, way := range slices.Sorted(maps.Keys(ways)) {
						values = with(values)
						if values["ProcessId"] == "own" {
							values["ProcessId"] = must(json.Number(p[who]).Int64())
						}
						if key, ok := values["DedupKey"].(string); ok {
							values["DedupKey"] = key + " of " + way
						}
						rows := c.rows(ways[way](values))
						require.Len(h, rows, 1)
						require.Equal(h, "1", rows[0][0])
						added++
						want := row{
							"processid": "1", "priority": "0", "maxattempts": "1", "retrydelayseconds": "10", "timeoutseconds": "NULL", "expectedseconds": "0", "transactional": "false", "onorphan": "Retry", "dedupkey": "NULL", "name": "NULL",
							"parameters": "NULL", "access": "NULL", "resourceid": "NULL", "status": "Pending", "waitreason": "NULL", "dueat": "NULL", "attempt": "0", "failures": "0", "orphans": "0", "finishedat": "NULL",
							"workerid": "NULL", "stopoutcome": "NULL", "stopat": "NULL", "duplicateof": "NULL", "sqltext": texts["SQL"].(string), "enqueuedbyname": who, "usertasks": "NULL",
						}
						if limit := limits["DefaultTimeoutSeconds"]; limit > 0 {
							want["timeoutseconds"] = fmt.Sprint(limit)
						}
						if limits["MaxTasksPerUser"] > 0 && who == "anna" {
							want["usertasks"] = fmt.Sprint(added)
						}
						for name, v := range values {
							switch column := strings.ToLower(name); {
							case name == "SQL":
							case name == "NotBefore" && v == later:
								want["status"], want["waitreason"], want["dueat"] = "Waiting", "Delay", strings.Replace(later, "T", " ", 1)+"000"
							case name == "NotBefore":
							case name == "Resource":
								want["resourceid"] = only(h.rowsOf(s, "resources"), "name", "r")["resourceid"]
								if want["access"] == "NULL" {
									want["access"] = "Shared"
								}
							case name == "Access":
								want["access"] = strings.ToUpper(v.(string)[:1]) + strings.ToLower(v.(string)[1:])
							case name == "OnOrphan":
								want["onorphan"] = strings.ToUpper(v.(string)[:1]) + strings.ToLower(v.(string)[1:])
							case name == "Transactional":
								want[column] = fmt.Sprint(v == 1)
							default:
								want[column] = fmt.Sprint(v)
							}
						}
						wants[rows[0][1]], calls[rows[0][1]] = want, fmt.Sprintf("case %d by %s: %s %v", n, who, way, values)
					}
				}
				all := h.rowsOf(s, "tasks")
				for id, want := range sorted(wants) {
					got := only(all, "taskid", id)
					for column, value := range sorted(want) {
						require.Equal(h, value, got[column], "%s of %s", column, calls[id])
					}
				}
				s.exec("UPDATE dbsched.Tasks SET Status = 'Cancelled', WaitReason = NULL, DueAt = NULL, FinishedAt = SYSUTCDATETIME();")
			}
		}
	})
}
