package templates

import (
	"context"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"
)

var testParams = Params{Schema: "dbsched", Lanes: 2, Version: "0.1.0"}

// allBatches renders what is installed and what is uninstalled.
func allBatches(t *testing.T, p Params) []Batch {
	t.Helper()
	install, err := MSSQL(p)
	require.NoError(t, err)
	uninstall, err := MSSQLUninstall(p)
	require.NoError(t, err)
	return append(install, uninstall...)
}

func TestEveryBatchParses(t *testing.T) {
	for _, b := range allBatches(t, testParams) {
		t.Run(b.Name, func(t *testing.T) {
			script, err := parser.Parse(context.Background(), strings.NewReader(b.SQL))
			require.NoError(t, err, "%s", b.SQL)
			require.Len(t, script.Batches, 1)
		})
	}
}
