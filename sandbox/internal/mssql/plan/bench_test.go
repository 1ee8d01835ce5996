package plan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// BenchmarkStatements measures compiled statements: the engine's budget is 20 µs for a simple one, all layers together.
func BenchmarkStatements(b *testing.B) {
	for name, sql := range map[string]string{
		"seek":   "SELECT t.Status, t.Priority FROM Tasks AS t WHERE t.TaskId = 2",
		"update": "UPDATE t SET t.Priority = t.Priority + 1 FROM Tasks AS t WHERE t.TaskId = 2",
		"order":  "SELECT TOP (1) t.TaskId FROM Tasks AS t WITH (UPDLOCK, READPAST, FORCESEEK) WHERE t.ProcessId = 1 AND t.ExecutionOrder = 10 AND t.Status = 'Pending' ORDER BY t.Priority DESC, t.ExpectedSeconds DESC, t.TaskId",
		"if":     "SELECT 1 WHERE EXISTS (SELECT 1 FROM Tasks AS t WHERE t.TaskId = 2)",
	} {
		b.Run(name, func(b *testing.B) {
			s := tasks(&testing.T{})
			script, err := parser.Parse(context.Background(), strings.NewReader(sql))
			require.NoError(b, err)
			p, err := plan.CompileStatement(s, script.Batches[0].Statements[0])
			require.NoError(b, err)
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				s.tx = s.ss.Begin()
				s.tx.NewStatement()
				_, err := p.Run(s, func(value.Row) error { return nil })
				require.NoError(b, err)
				s.tx.Commit()
			}
		})
	}
}
