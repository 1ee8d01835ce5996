package mssql

import (
	"context"
	"database/sql"
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
)

var update = flag.Bool("update", false, "rewrite the golden file")

// sent returns every statement that this package sends besides the templates and migrations.
func sent() []string {
	s := &scheduler{schema: "dbsched"}
	var id, result sql.NullInt64
	var outcome sql.NullString
	round, _ := defineRoundCall(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorSQL: "SELECT 1;", Order: 2, ProcessID: 3, MaxAge: time.Hour, StartTimeout: time.Minute})
	calls := []call{
		{proc: "StartScheduler"}, stopCall(dialects.StopDrain), call{proc: "SetWorkers"}.set("MaxWorkers", int64(1)),
		call{proc: "SetPolicy"}.set("Policy", "Fifo"),
		execCall(dialects.NewTask{SQL: "SELECT 1;", Order: 1, ProcessID: 2, Priority: 3, MaxAttempts: 4, RetryDelay: 1, NotBefore: time.Unix(1, 0), ExpectedSeconds: 5,
			Timeout: time.Minute, OnOrphan: "Fail", Resource: "r", Access: "Shared", Transactional: true, DedupKey: "k", Parameters: "{}"}, &id),
		execCall(dialects.NewTask{SQL: "SELECT 1;", Order: 1}, &id),
		createCall(dialects.NewProcess{Name: "n"}, &id), suspendedCall(dialects.NewProcess{Name: "n", Priority: 1, Weight: 2, MaxParallel: 3, OnError: "Halt"}, &id),
		processCall("ReleaseProcess", int64(1)), processCall("CloseProcess", int64(1)),
		taskCall("CancelTask", 1), processCall("CancelProcess", int64(1)), taskCall("RetryTask", 1), processCall("RetryProcess", int64(1)),
		defineResourceCall("r", 3), releaseResourceCall(1), round, reportRoundCall("r", "a", true, &outcome),
		call{proc: "WaitProcess", result: &result}.set("ProcessId", int64(1)).set("TimeoutSeconds", int64(1)),
	}
	all := []string{
		factsQuery, enableStatement("sandbox", false), enableStatement("sandbox", true), holdersQuery, takeLock, releaseLock,
		tableExists, versionQuery("[dbsched].[SchemaVersion]"), s.lanesQuery(), modulesQuery, sessionOptions,
		canStop, s.stateQuery(), fmt.Sprintf(busyLanes, s.object("Lanes"), s.object("Tasks")), Dialect{}.Sleep(waitSlice) + ";",
		s.statusQuery(), s.queueQuery(), s.processQuery(), s.resourceQuery(), s.roundQuery(), s.scheduleCountQuery(), s.kindsQuery(), s.leftQuery(),
		s.submitText(dialects.NewProcess{Name: "n"}, []dialects.NewTask{{SQL: "SELECT 1;", Order: 1}}),
	}
	all = append(all, catalogueQueries...)
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
	recent, _ := s.query(logInfo(), dialects.Filter{After: 1, Also: []int64{2, 3}})
	open, _ := s.query(processInfo(), dialects.Filter{Open: time.Now()})
	brief, _ := s.query(logInfo(), dialects.Filter{Brief: true, Besides: 1, Ended: time.Now(), Until: time.Now(), Limit: 1})
	counted, _ := s.attemptsQuery(dialects.Filter{From: 1, Ended: time.Now()})
	every, _ := s.attemptsQuery(dialects.Filter{})
	page, _ := s.query(taskInfo(), dialects.Filter{ProcessID: 1, Page: 2, Limit: 200})
	all = append(all, recent, open, brief, counted, every, page)
	for _, v := range []view{processInfo(), taskInfo(), logInfo(), workerInfo()} {
		text, _ := s.query(v, dialects.Filter{})
		all = append(all, text)
		if v.status != "" {
			text, _ = s.query(v, dialects.Filter{ProcessID: 1, Statuses: []string{"x", "y"}, Limit: 1})
			all = append(all, text)
		}
		if len(v.texts) > 0 {
			text, _ = s.query(v, dialects.Filter{TaskID: 1, Since: time.Now(), Until: time.Now(), Text: "x"})
			all = append(all, text)
		}
	}
	for _, c := range calls {
		text, _ := c.statement(s.schema)
		all = append(all, text, c.text(s.schema))
	}
	table := versionTable(s.schema)
	return append(all, createVersionTable(table), "DELETE FROM "+table+";", "INSERT INTO "+table+" (version, dirty) VALUES (@p1, @p2);")
}

// TestWhatIsSent keeps testdata/sent.sql, which says what a server must understand for
// this program to drive it, and catches slips in the statements written in Go.
func TestWhatIsSent(t *testing.T) {
	for _, text := range sent() {
		script, err := parser.Parse(context.Background(), strings.NewReader(text))
		require.NoError(t, err, "%s", text)
		require.Len(t, script.Batches, 1)
	}
	const golden = "testdata/sent.sql"
	script := strings.Join(sent(), "\ngo\n") + "\n"
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
