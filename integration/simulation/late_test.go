package simulation

import (
	"slices"
	"testing"
	"time"
)

// tooLate are calls that add a task to a process that has just been closed.
var tooLate = map[string][]called{
	"mssql": {
		{ends: []string{"51005"}, text: "DECLARE @P int; EXEC dbsched.CreateProcess N'e', @P OUTPUT; EXEC dbsched.CloseProcess @P; EXEC dbsched.ExecAsync N'SELECT 1;', 1, @P;"},
		{ends: []string{"51005"}, text: "DECLARE @P int; EXEC dbsched.CreateProcess N'e', @P OUTPUT; EXEC dbsched.CloseProcess @P; " +
			`EXEC dbsched.ExecAsyncBatch N'[{"SQL": "SELECT 1;", "ExecutionOrder": 1}]', @P;`},
	},
	"oracle": {
		{ends: []string{"20005"}, text: "declare p number; begin dbsched.create_process('e', p); dbsched.close_process(p); commit; dbsched.exec_async('begin null; end;', 1, p); end;"},
	},
}

// TestLateTasks makes such calls while everything else continues: the dispatcher may apply the order to close between any two of their statements.
func TestLateTasks(t *testing.T) {
	const histories, callsOfEach = 60, 12
	each(t, func(t *testing.T, w words) {
		t.Helper()
		late := tooLate[w.dialect]
		w.calls = append(slices.Clip(w.calls), late...)
		var all []attempt
		for i := range histories {
			a := seeded(w, uint64(i))
			for n := range callsOfEach {
				a.workload.steps = append(a.workload.steps, step{at: time.Duration(n) * 700 * time.Millisecond, order: aCall, n: len(w.calls) - 1 - n%len(late)})
			}
			a.replay = again("TestLateTasks", w, i)
			all = append(all, a)
		}
		exhaustive(t, w, "late tasks", histories, all)
	})
}
