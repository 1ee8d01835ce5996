package oracle

import (
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/client/clienttest"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// statements returns every statement that this package sends besides the templates and migrations.
func statements(t *testing.T) []string {
	t.Helper()
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 1})
	require.NoError(t, err)
	s := &scheduler{schema: "APP"}
	s.Client = &client.Client{Engine: s}
	wait, _ := s.Statement(waitCall(1, time.Second, new(sql.NullInt64)))
	all := []string{
		wait, databaseQuery, requestLock, releaseLock, schemaQuery, tableExists, createVersionTable(schemaVersion()), versionQuery(schemaVersion()),
		"delete from " + strings.ToLower(schemaVersion()), "insert into " + strings.ToLower(schemaVersion()) + " (version, dirty) values (:1, :2)",
		lanesQuery(), sourceQuery(src.names()), viewQuery(src.names()), stoppableQuery(), stopBlock(), stateQuery(), busyLanes(), Dialect{}.Sleep(client.LookSlice),
		sessionOptions, unitErrors, fmt.Sprintf(catalogQuery, catalogTypes), fmt.Sprintf(catalogQuery, everythingTypes), instantsQuery(), dropAll,
		s.Script(client.New("CreateProcess").Set("Name", "n"), []client.Call{client.Exec(dialects.NewTask{SQL: "begin null; end;", Order: 1}).Set("ProcessId", client.Created{})}),
	}
	all = append(all, clienttest.Sent(t.Context(), s)...)
	all = append(all, verifying(src)...)
	return all
}

// verifying returns what a verification sends.
func verifying(src source) []string {
	all := []string{
		releaseQuery, containerQuery, settingsQuery(), privilegesQuery, executableQuery("'DBMS_LOCK'"), runnerGrants, unitStatusQuery(src.names()), unitErrorQuery,
		unitTextQuery(src.names()), viewTextQuery(src.names()), objectQuery, columnQuery, constraintQuery, indexQuery, rowQuery("settings"), rowQuery("lanes"), rowQuery("processes"), lostQuery(), queueQuery, startQueue(queues()[0]), messagesQuery(), parameterQuery, attributeQuery, jobQuery, startScheduler,
		lookBlock(), lastRunQuery, laneJobsQuery, lastLogQuery(), probeQuery(), othersQuery(), stateCountQuery(), seenQuery(), removeBlock(), leftQuery(),
	}
	for _, name := range slices.Sorted(maps.Keys(numbered())) {
		all = append(all, numberQuery(numbered()[name]))
	}
	parts, _ := src.parts(1, 1)
	kinds := map[string]bool{}
	for _, p := range parts { // one of each kind
		if statements := slices.Concat(p.Make, p.Mend); !kinds[p.Kind] && len(statements) > 0 {
			kinds[p.Kind] = true
			all = append(all, statements...)
		}
	}
	return all
}

// TestWhatIsSent keeps testdata/sent.sql, which says what a server must understand for this
// program to drive it, and checks that the statements suit driver and clients.
func TestWhatIsSent(t *testing.T) {
	for _, text := range statements(t) {
		first := strings.ToLower(strings.Fields(text)[0])
		switch first {
		case "begin", "declare":
			require.True(t, strings.HasSuffix(text, "end;"), "%s", text)
		case "select", "insert", "delete", "alter", "create", "drop":
			require.NotContains(t, text, ";", "a statement has no terminator")
		default:
			t.Errorf("the driver would take this for something else: %s", text)
		}
		require.NotContains(t, text, "--", "comments mislead the driver")
	}
	golden(t, "sent.sql", strings.Join(statements(t), "\n/\n")+"\n/\n")
}

func TestRenderIsOneScript(t *testing.T) {
	var script strings.Builder
	require.NoError(t, Dialect{}.Render(&script, dialects.Layout{Schema: "app", Lanes: 2}))
	text := script.String()
	require.True(t, strings.HasPrefix(text, "-- dbsched for the user APP, 2 lanes."))
	require.Contains(t, text, "\nset define off\n")
	at := -1
	for _, part := range []string{"prompt check preflight\n", "prompt version table\n", "prompt 0001_tables.up.sql\n", "prompt 0001_tables.up.sql, version\n", "prompt queue-table wake\n", "prompt jobs lanes\n"} {
		next := strings.Index(text, part)
		require.Greater(t, next, at, part)
		at = next
	}
	require.ErrorAs(t, Dialect{}.Render(&script, dialects.Layout{Lanes: 2}), new(*dialects.UsageError))
	require.ErrorAs(t, Dialect{}.Render(&script, dialects.Layout{Schema: "we ird", Lanes: 2}), new(*dialects.UsageError))
}

func TestRenderGrants(t *testing.T) {
	var script strings.Builder
	require.NoError(t, Dialect{}.RenderGrants(&script, dialects.Layout{Schema: "app"}))
	require.Contains(t, script.String(), "\ngrant execute on sys.dbms_lock to APP;\n")
	require.ErrorContains(t, Dialect{}.RenderGrants(&script, dialects.Layout{}), "--schema NAME")
}

func TestWriteBatch(t *testing.T) {
	var id sql.NullInt64
	var out strings.Builder
	task := dialects.NewTask{SQL: "begin\n/\n  x('a&b');\nend;", Order: -5, NotBefore: time.Date(2026, 11, 20, 23, 0, 0, 0, time.FixedZone("", 3600))}
	v := vocabulary{}
	for _, c := range []client.Call{client.Exec(task).Returns("TaskId", &id), client.New("StartScheduler")} {
		require.NoError(t, Dialect{}.WriteBatch(&out, dialects.Batch{Name: v.Name(c.Procedure), SQL: v.Text(c)}))
	}
	golden(t, "batches.sql", out.String())
}

func TestContentVersionIsStable(t *testing.T) {
	a, err := contentVersion()
	require.NoError(t, err)
	require.Regexp(t, `^sql-[0-9a-f]{16}$`, a)
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "S", Lanes: 1})
	require.NoError(t, err)
	for i, m := range src.migrations {
		require.Equal(t, i+1, m.Version, m.File)
		require.Len(t, split(m.SQL), 1, m.File)
	}
	require.NotEmpty(t, src.preflight)
	require.NotEmpty(t, src.after)
	require.Contains(t, migrations.OracleTables(templates.DefaultPrefix), strings.ToUpper(object("settings")))
}

// A unit that the dictionary shows as it was sent is not sent again.
func TestUnitsCompare(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "S", Lanes: 1})
	require.NoError(t, err)
	p := plan{source: src, units: map[unit]string{}}
	require.True(t, p.replacesUnits())
	for _, b := range src.after {
		if b.Kind != templates.KindModule {
			continue
		}
		text := createHead.ReplaceAllString(b.SQL, "")
		u := unit{strings.ToUpper(b.Object.Type), b.Object.Name}
		require.Contains(t, []string{"PACKAGE", "PACKAGE BODY", "VIEW"}, u.kind)
		if u.kind == "VIEW" {
			_, text, _ = strings.Cut(text, " as\n")
			require.True(t, strings.HasPrefix(text, "-- View: "))
			require.Equal(t, normalize(text), normalize(text[strings.Index(text, "\nselect"):]), "comments may be dropped")
		}
		p.units[u] = normalize(text)
	}
	require.False(t, p.replacesUnits())
	require.Len(t, p.toSend(), len(src.after)-len(p.units))
	p.units[unit{"PACKAGE BODY", "DBSCHED"}] += " "
	require.True(t, p.replacesUnits())
	require.Len(t, p.toSend(), len(src.after), "all of them, or what depends on a new specification stays invalid")
}

func TestNames(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "S", Lanes: 1})
	require.NoError(t, err)
	names := strings.Split(src.names(), ", ")
	require.Subset(t, names, []string{"'DBSCHED'", "'DS_RUN'", "'DS_WORKER'", "'DS_TASK_INFO'"})
	slices.Sort(names)
	require.Equal(t, slices.Compact(slices.Clone(names)), names, "each once: a body has its package's name")
}
