package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestWhatIsSentParses catches slips in the statements that stand in Go.
func TestWhatIsSentParses(t *testing.T) {
	texts := append([]string{factsQuery, modulesQuery, takeLock, releaseLock, holdersQuery, fmt.Sprintf(busyLanes, "[we ird].[Lanes]")}, catalogueQueries...)
	var id, result sql.NullInt64
	call, _ := call{proc: "WaitProcess", result: &result, out: []outArg{{"Status", &id}}}.set("ProcessId", int64(7)).statement("we ird")
	for _, text := range append(texts, call) {
		script, err := parser.Parse(context.Background(), strings.NewReader(text))
		require.NoError(t, err, "%s", text)
		require.Len(t, script.Batches, 1)
	}
}

func TestRenderIsOneScript(t *testing.T) {
	var script strings.Builder
	require.NoError(t, Dialect{}.Render(&script, dialects.Layout{Schema: "we ird", Lanes: 2}))
	require.Contains(t, script.String(), "CREATE TABLE [we ird].[SchemaVersion] (version BIGINT PRIMARY KEY NOT NULL, dirty BIT NOT NULL);\nGO\n")
	require.Contains(t, script.String(), "INSERT INTO [we ird].[SchemaVersion] (version, dirty) VALUES (1, 0);\nEND;\nGO\n")
	for _, batch := range strings.Split(script.String(), "\nGO\n") {
		_, err := parser.Parse(context.Background(), strings.NewReader(batch))
		require.NoError(t, err, "%s", batch)
	}
	require.ErrorAs(t, Dialect{}.Render(&script, dialects.Layout{Schema: "a]b", Lanes: 2}), new(*dialects.UsageError))
}

func TestContentVersionIsStable(t *testing.T) {
	a, err := contentVersion()
	require.NoError(t, err)
	require.Regexp(t, `^sql-[0-9a-f]{16}$`, a)
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "s", Lanes: 1})
	require.NoError(t, err)
	for i, m := range src.migrations {
		require.Equal(t, i+1, m.version, m.file)
	}
	require.NotEmpty(t, src.before)
	require.NotEmpty(t, src.after)
}
