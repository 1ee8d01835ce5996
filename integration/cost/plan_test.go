package cost

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLPlansKept: tasks with equal texts, whatever their parameter values, leave one plan for that text, and one for each module that ran them. The seed left an
// ad-hoc plan for each task.
func TestMSSQLPlansKept(t *testing.T) {
	const chunk = 250
	rounds := 2
	if full {
		rounds = 40 // 10,000 tasks
	}
	onMSSQL(t, 8, func(b *bench) {
		b.start()
		run := func() {
			tasks := make([]dialects.NewTask, chunk)
			for i := range tasks {
				tasks[i] = dialects.NewTask{SQL: "DECLARE @Nothing int = @N;", Parameters: fmt.Sprintf(`{"N int": %d}`, i), Order: i / 100}
			}
			b.enqueue(tasks...)
			b.drain()
		}
		const texts = "SELECT COUNT(*) FROM sys.dm_exec_cached_plans AS p WHERE p.objtype <> 'Proc';"
		run()
		b.number(texts) // it has a plan, too
		before := b.number(texts)
		for range rounds {
			run()
		}
		b.record("plans/texts-added-by-equal-tasks", float64(b.number(texts)-before))
		require.Equal(b, before, b.number(texts))
		require.LessOrEqual(b, b.number("SELECT COUNT(*) FROM sys.dm_exec_cached_plans AS p WHERE p.objtype = 'Proc';"),
			b.number("SELECT COUNT(*) FROM sys.objects AS o WHERE o.type IN ('P', 'V', 'FN', 'IF', 'TF', 'TR');"), "one for each module")
		require.Zero(b, b.number("SELECT COUNT(*) FROM dbsched.LogInfo AS l WHERE l.Outcome <> 'Succeeded';"))
		require.Equal(b, int64((rounds+1)*chunk), b.number("SELECT COUNT(*) FROM dbsched.LogInfo AS l;"))
	})
}
