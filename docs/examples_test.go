package docs

import (
	"database/sql"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/plan"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// engine is how examples are found and run in one dialect.
type engine struct {
	name      string
	fence     string         // the language of fenced blocks
	inline    *regexp.Regexp // statements in the text
	objects   []string       // what the examples call
	processes string         // creates the examples' process 7, and resources with a request 12
	start     string
	finished  string // counts succeeded and other tasks of processes
}

var engines = []engine{
	{
		name: "mssql", fence: "sql",
		inline: regexp.MustCompile("`((?:SELECT|EXEC|EXECUTE|ALTER|CREATE) [^`]*;)`"),
		objects: []string{
			"CREATE USER etl WITHOUT LOGIN;", "CREATE USER monitor WITHOUT LOGIN;", "CREATE USER dba WITHOUT LOGIN;",
			"CREATE SCHEMA etl;", "CREATE PROCEDURE etl.LoadCustomers AS SELECT 1;", "CREATE PROCEDURE etl.LoadOrders AS SELECT 1;",
			"CREATE PROCEDURE etl.BuildFacts AS SELECT 1;", "CREATE PROCEDURE dbo.LoadOrders AS SELECT 1;",
		},
		processes: "DECLARE @N int = 0; WHILE @N < 8 BEGIN EXEC dbsched.CreateProcess N'example'; SET @N = @N + 1; END;" +
			"EXEC dbsched.DefineResource N'warehouse', 3; EXEC dbsched.DefineResource N'example', 12; EXEC dbsched.DefineResource N'old warehouse';" +
			"SET @N = 0; WHILE @N < 12 BEGIN EXEC dbsched.AcquireResource N'example', @LeaseSeconds = 600; SET @N = @N + 1; END;" +
			"EXEC dbsched.CreateSchedule N'nightly load', '@daily', N'SELECT 1'; EXEC dbsched.CreateSchedule N'old load', '@daily', N'SELECT 1';",
		start: "EXEC dbsched.StartScheduler;",
		finished: `SELECT COUNT(CASE WHEN Status = 'Succeeded' THEN 1 END), COUNT(CASE WHEN Status <> 'Succeeded' THEN 1 END)
FROM dbsched.TaskInfo WHERE ProcessId > 1;`,
	},
	{
		name: "oracle", fence: "plsql",
		inline: regexp.MustCompile("`((?:select|begin|declare) [^`]*;)`"),
		objects: []string{
			"create procedure load_customers as begin null; end;", "create procedure load_orders as begin null; end;",
			"create procedure build_facts as begin null; end;", "create procedure on_alarm (in_alarm_id in number) as begin null; end;",
		},
		processes: "declare l_process number; l_request number; begin " +
			"for i in 1 .. 8 loop dbsched.create_process('example', l_process); end loop; commit; " +
			"dbsched.define_resource('warehouse', 3); dbsched.define_resource('example', 12); dbsched.define_resource('old warehouse'); " +
			"for i in 1 .. 12 loop dbsched.acquire_resource('example', l_request, in_lease_seconds => 600); end loop; " +
			"dbsched.create_schedule('nightly load', '@daily', 'null;'); dbsched.create_schedule('old load', '@daily', 'null;'); end;",
		start: "begin dbsched.start_scheduler; end;",
		finished: `select count(case when status = 'Succeeded' then 1 end), count(case when status <> 'Succeeded' then 1 end)
from ds_task_info where process_id > 1`,
	},
}

// database is a sandbox of an engine.
type database struct {
	engine
	t   *testing.T
	box *sandbox.Server
}

// serve starts a sandbox that ends with the test.
func (e engine) serve(t *testing.T) database {
	t.Helper()
	return database{e, t, sandboxtest.Start(t, sandbox.Options{Dialect: e.name, Seed: 1})}
}

// open connects.
func (d database) open(dsn string) *sql.DB {
	d.t.Helper()
	db, err := sandboxtest.Open(d.name, dsn, d.box.Dial)
	require.NoError(d.t, err)
	d.t.Cleanup(func() { _ = db.Close() })
	return db
}

// install installs dbsched and starts it.
func (d database) install(dsn string) {
	t := d.t
	t.Helper()
	dialect, err := registry.All().ByDSN(dsn)
	require.NoError(t, err)
	scheduler, err := dialect.Open(t.Context(), dialects.Target{DSN: dsn, Dial: d.box.Dial, Schema: dialect.DefaultSchema()})
	require.NoError(t, err)
	_, err = scheduler.Install(t.Context(), dialects.InstallOptions{Lanes: 8, LockTimeout: time.Second})
	require.NoError(t, err)
	require.NoError(t, scheduler.Start(t.Context()))
	require.NoError(t, scheduler.Close())
}

// statement returns what the driver expects of an example: Oracle's wants neither SQL*Plus's last line nor a semicolon
// after SQL.
func (e engine) statement(text string) string {
	if e.name == "mssql" {
		return text
	}
	text = strings.TrimSpace(text)
	if block, found := strings.CutSuffix(text, "\n/"); found {
		return block
	}
	return strings.TrimSuffix(text, ";")
}

// batches returns the fenced blocks of a page in the engine's language, and the statements in its text.
func (e engine) batches(text string) []string {
	var all []string
	for _, m := range regexp.MustCompile("(?ms)^```"+e.fence+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		all = append(all, e.statement(m[1]))
	}
	for _, m := range e.inline.FindAllStringSubmatch(withoutFences(text), -1) {
		all = append(all, e.statement(m[1]))
	}
	return all
}

// The examples on the pages work unchanged.
func TestExamplesRun(t *testing.T) {
	pages := map[string][]string{
		"mssql":  {"docs/quickstart.md", "docs/interface.md", "docs/recipes.md", "docs/operations.md", "README.md"},
		"oracle": {"docs/quickstart.md", "docs/interface-oracle.md", "docs/privileges.md", "docs/recipes.md", "docs/operations.md", "README.md"},
	}
	for _, e := range engines {
		for _, page := range pages[e.name] {
			t.Run(e.name+"/"+strings.TrimPrefix(page, "docs/"), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { e.run(t, page) })
			})
		}
	}
}

// run runs all examples of a page.
func (e engine) run(t *testing.T, page string) {
	t.Helper()
	d := e.serve(t)
	d.install(d.box.DSN())
	db := d.open(d.box.DSN())
	for _, batch := range append(e.objects, e.processes) {
		_, err := db.ExecContext(t.Context(), batch)
		require.NoError(t, err, batch)
	}
	all := e.batches(read(t, page))
	require.NotEmpty(t, all)
	for _, batch := range all {
		_, err := db.ExecContext(t.Context(), e.start) // another example may have stopped it
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), batch)
		require.NoError(t, err, batch)
	}
	if page != "docs/quickstart.md" {
		return
	}
	var succeeded, others int
	require.NoError(t, db.QueryRowContext(t.Context(), e.finished).Scan(&succeeded, &others))
	require.Equal(t, 3, succeeded, "tasks of the nightly load")
	require.Zero(t, others)
}

// The plans on the pages are valid.
func TestPlansAreValid(t *testing.T) {
	found := 0
	for _, page := range pages(t) {
		for _, m := range regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(read(t, page), -1) {
			if strings.HasPrefix(m[1], "targets:") { // the file of --target; see TestDocumentedTargets
				continue
			}
			_, err := plan.Parse(page, nil, []byte(m[1]), nil)
			require.NoError(t, err)
			found++
		}
	}
	require.NotZero(t, found)
}

// What the pages show an Oracle DBA works, and a user created that way, with the printed grants, can install.
func TestOracleUserIsMadeAsDocumented(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := engines[1].serve(t)
		dsn, err := url.Parse(d.box.DSN())
		require.NoError(t, err)
		password, _ := dsn.User.Password()
		dba := *dsn
		dba.User, dba.RawQuery = url.UserPassword("sys", password), url.Values{"DBA PRIVILEGE": {"SYSDBA"}}.Encode()
		db := d.open(dba.String())
		administrate := func(text string) {
			for statement := range strings.SplitSeq(text, ";\n") {
				if statement = regexp.MustCompile(`(?m)^--.*\n?`).ReplaceAllString(statement, ""); strings.TrimSpace(statement) == "" {
					continue
				}
				// On the page, app is a user who does not exist yet.
				statement = regexp.MustCompile(`(?i)\bapp\b`).ReplaceAllString(strings.TrimSuffix(strings.TrimSpace(statement), ";"), "newcomer")
				_, err := db.ExecContext(t.Context(), statement)
				require.NoError(t, err, statement)
			}
		}
		for _, m := range regexp.MustCompile("(?ms)^```plsql as dba\n(.*?)^```$").FindAllStringSubmatch(read(t, "docs/quickstart.md"), -1) {
			administrate(m[1])
		}
		dialect, err := registry.All().ByName("oracle")
		require.NoError(t, err)
		var grants strings.Builder
		require.NoError(t, dialect.RenderGrants(&grants, dialects.Layout{Schema: "app"}))
		administrate(grants.String())
		dsn.User = url.UserPassword("newcomer", "choose-one")
		d.install(dsn.String())
	})
}
