package docs

import (
	"regexp"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// TestIndexMaintenance: the recipe makes a process with its tasks, or nothing: not a process without tasks if it fails on the way. The
// sandbox has no index statistics; another query takes the place of the recipe's.
func TestIndexMaintenance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		recipe := regexp.MustCompile("(?ms)^```tsql\n(.*?)^```$").FindStringSubmatch(read(t, "docs/recipes.md"))
		require.NotNil(t, recipe)
		columns := regexp.MustCompile(`INSERT INTO @Tasks \(([^)]*)\)`).FindStringSubmatch(recipe[1])
		require.NotNil(t, columns)
		query := regexp.MustCompile(`(?s)\bSELECT ROW_NUMBER\(\).*?GROUP BY t\.object_id;`)
		require.Regexp(t, query, recipe[1])
		d := engines[0].serve(t)
		d.install(d.box.DSN())
		db := d.open(d.box.DSN())
		count := func(text string) (n int) {
			require.NoError(t, db.QueryRowContext(t.Context(), text).Scan(&n))
			return n
		}
		const processes = "SELECT COUNT(*) FROM dbsched.ProcessInfo AS p WHERE p.Name = N'index maintenance';"

		values := map[string]string{"TaskNo": "v.N", "SQL": "N'SELECT 1;'", "ExecutionOrder": "100", "ProcessId": "@Process", "ExpectedSeconds": "12 / v.N"}
		selected := regexp.MustCompile(`\w+`).ReplaceAllStringFunc(columns[1], func(name string) string {
			require.Contains(t, values, name)
			return values[name]
		})
		_, err := db.ExecContext(t.Context(), query.ReplaceAllLiteralString(recipe[1], "SELECT "+selected+" FROM (VALUES (1), (2), (0)) AS v (N);"))
		require.ErrorContains(t, err, "Divide by zero")
		require.Zero(t, count(processes))

		_, err = db.ExecContext(t.Context(), query.ReplaceAllLiteralString(recipe[1], "SELECT "+selected+" FROM (VALUES (1), (2), (3)) AS v (N);"))
		require.NoError(t, err)
		require.Equal(t, 1, count(processes))
		require.Equal(t, 3, count("SELECT COUNT(*) FROM dbsched.TaskInfo AS t INNER JOIN dbsched.ProcessInfo AS p ON p.ProcessId = t.ProcessId WHERE p.Name = N'index maintenance';"))
		require.Zero(t, count("SELECT @@TRANCOUNT;"))
	})
}
