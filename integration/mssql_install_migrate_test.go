package integration

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
)

// TestMSSQLMigrationsGoBack: the down script of each migration removes what it created.
func TestMSSQLMigrationsGoBack(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		c := h.session()
		c.exec("CREATE SCHEMA dbsched;")
		files, err := migrations.MSSQL("dbsched", nil)
		require.NoError(h, err)
		ups, err := fs.Glob(files, "*.up.sql")
		require.NoError(h, err)
		const columns = `SELECT o.name, c.name FROM sys.columns AS c INNER JOIN sys.objects AS o ON o.object_id = c.object_id
WHERE o.schema_id = SCHEMA_ID(N'dbsched') ORDER BY o.name, c.name;`
		const rest = `SELECT t.name FROM sys.types AS t WHERE t.schema_id = SCHEMA_ID(N'dbsched')
UNION ALL SELECT i.name FROM sys.indexes AS i INNER JOIN sys.objects AS o ON o.object_id = i.object_id WHERE o.schema_id = SCHEMA_ID(N'dbsched') AND i.name IS NOT NULL
UNION ALL SELECT o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'dbsched') ORDER BY name;`
		look := func() [][]string { return append(c.rows(columns), c.rows(rest)...) }
		run := func(name string) {
			text, err := fs.ReadFile(files, name)
			require.NoError(h, err)
			c.exec(string(text))
		}
		var before [][][]string
		for _, up := range ups {
			before = append(before, look())
			run(up)
		}
		for i, up := range slices.Backward(ups) {
			run(strings.Replace(up, ".up.", ".down.", 1))
			require.Equal(h, before[i], look(), up)
		}
	})
}
