package mssql

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/client/clienttest"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// sent returns every statement that this package sends besides the templates and migrations.
func sent(t *testing.T) []string {
	t.Helper()
	s := &scheduler{vocabulary: vocabulary{"dbsched"}}
	s.Client = &client.Client{Engine: s}
	wait, _ := s.Statement(client.New("WaitProcess").Set("ProcessId", int64(1)).Set("TimeoutSeconds", int64(1)))
	all := []string{
		wait, s.Text(client.Stop(dialects.StopNow)), s.Text(client.New("StartScheduler")),
		s.Text(client.Exec(dialects.NewTask{SQL: "SELECT 1;", NotBefore: time.Unix(1, 0), Transactional: true})),
		factsQuery, enableStatement("sandbox", false), enableStatement("sandbox", true), holdersQuery, takeLock, releaseLock,
		tableExists, versionQuery("[dbsched].[SchemaVersion]"), s.lanesQuery(), modulesQuery, sessionOptions,
		canStop, s.stateQuery(), fmt.Sprintf(busyLanes, s.object("Lanes"), s.object("Tasks")), Dialect{}.Sleep(client.LookSlice) + ";", s.leftQuery(), s.instantsQuery(),
		s.Script(client.New("CreateProcess").Set("Name", "n"), []client.Call{client.Exec(dialects.NewTask{SQL: "SELECT 1;", Order: 1}).Set("ProcessId", client.Created{})}),
	}
	all = append(all, clienttest.Sent(t.Context(), s)...)
	all = append(all, catalogQueries...)
	all = append(all, partQueries...)
	all = append(all, defaultQuery, checkQuery, indexQuery, s.rowQuery("Settings"), s.lostQuery(), sightQuery, (&verification{scheduler: s}).schedulerVersionQuery(), queuesQuery, ownerQuery, othersQuery,
		transmissionQuery, endpointsQuery, monitorsQuery, unendedQuery, s.giveBack("Tasks"))
	src, _ := render(dialects.Layout{Schema: s.schema, Lanes: 1})
	parts, _ := s.parts(src, 1, 1)
	kinds := map[string]bool{}
	for _, p := range parts { // one of each kind
		if statements := slices.Concat(p.Make, p.Mend); !kinds[p.Kind] && len(statements) > 0 {
			kinds[p.Kind] = true
			all = append(all, statements...)
		}
	}
	table := versionTable(s.schema)
	return append(all, createVersionTable(table), "DELETE FROM "+table+";", "INSERT INTO "+table+" (version, dirty) VALUES (@p1, @p2);")
}

// TestWhatIsSent keeps testdata/sent.sql, which says what a server must understand for
// this program to drive it, and catches slips in the statements written in Go.
func TestWhatIsSent(t *testing.T) {
	for _, text := range sent(t) {
		script, err := parser.Parse(context.Background(), strings.NewReader(text))
		require.NoError(t, err, "%s", text)
		require.Len(t, script.Batches, 1)
	}
	const golden = "testdata/sent.sql"
	script := strings.Join(sent(t), "\ngo\n") + "\n"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(script), 0o644))
	}
	have, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, script, string(have))
}

func TestRenderIsOneScript(t *testing.T) {
	var script strings.Builder
	require.NoError(t, Dialect{}.Render(&script, dialects.Layout{Schema: "we ird", Lanes: 2}))
	require.Contains(t, script.String(), "CREATE TABLE [we ird].[SchemaVersion] (version bigint NOT NULL PRIMARY KEY, dirty bit NOT NULL);\nGO\n")
	require.Contains(t, script.String(), "INSERT INTO [we ird].[SchemaVersion] (version, dirty) VALUES (1, 0);\nEND;\nGO\n")
	for _, batch := range strings.Split(script.String(), "\nGO\n") {
		// The parser accepts no variable there, no COLLATE in a condition, and no WITH in an altered function.
		text := strings.NewReplacer("TIMEOUT = @Seconds", "TIMEOUT = 60", " COLLATE SQL_Latin1_General_CP1_CI_AS", "", "CREATE OR ALTER FUNCTION", "CREATE FUNCTION").Replace(batch)
		_, err := parser.Parse(context.Background(), strings.NewReader(text))
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
		require.Equal(t, i+1, m.Version, m.File)
	}
	require.NotEmpty(t, src.before)
	require.NotEmpty(t, src.after)
}
