package sandbox_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// TestElsewhere: everything on the lists is refused, so none of it is modeled.
func TestElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := sandboxtest.Start(t, sandbox.Options{Dialect: "mssql", Seed: 1})
		db, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
		require.NoError(t, err)
		defer db.Close()
		for file, query := range map[string]string{"builtin/": "SELECT %[2]s();", "catalog/": "SELECT * FROM %[1]s.%[2]s;", "": "EXEC %[2]s;"} {
			text, err := os.ReadFile("internal/mssql/" + file + "elsewhere.txt")
			require.NoError(t, err)
			schema := ""
			for line := range strings.Lines(string(text)) {
				if strings.HasPrefix(line, "#") {
					continue
				}
				for word := range strings.FieldsSeq(line) {
					if s, ok := strings.CutSuffix(word, ":"); ok {
						schema = s
						continue
					}
					sql := fmt.Sprintf(query, schema, word)
					if strings.HasPrefix(word, "@@") {
						sql = strings.TrimSuffix(sql, "();")
					}
					_, err := db.ExecContext(t.Context(), sql)
					require.ErrorContains(t, err, "the sandbox does not model the ", word)
				}
			}
		}
	})
}
