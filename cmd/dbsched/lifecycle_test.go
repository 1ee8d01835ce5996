package main

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// These tests run the built program in separate processes, as users do.

// binary is where TestMain built the program.
var binary string

// TestMain builds the program once.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "dbsched-test")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "dbsched")
		if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
			return 1
		}
		return m.Run()
	}())
}

// client runs the program against one database.
type client struct {
	t   *testing.T
	dsn string
}

// outcome is how one run ended.
type outcome struct {
	code     int
	out, err string
}

// run runs a command with the DSN in the environment.
func (c client) run(args ...string) outcome {
	c.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "DBSCHED_DSN="+c.dsn)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		require.NoError(c.t, err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// ok runs a command that must succeed, and returns its output.
func (c client) ok(args ...string) string {
	c.t.Helper()
	o := c.run(args...)
	require.Zero(c.t, o.code, "%v\n%s%s", args, o.out, o.err)
	return o.out
}

// status returns the status. The exit code is 1 if no task can start.
func (c client) status() dialects.Status {
	c.t.Helper()
	o := c.run("status", "--output=json")
	st := decoded[dialects.Status](c.t, o.out)
	require.Equal(c.t, map[bool]int{false: cli.ExitNo, true: cli.ExitDone}[st.Blocked == ""], o.code, "%s%s", o.out, o.err)
	return st
}

// refused runs a command that must end with a code and print something.
func (c client) refused(code int, says string, args ...string) {
	c.t.Helper()
	o := c.run(args...)
	require.Equal(c.t, code, o.code, "%v\n%s%s", args, o.out, o.err)
	require.Contains(c.t, o.err, says)
	require.NotContains(c.t, o.out+o.err, c.password())
}

func (c client) password() string {
	u, err := url.Parse(c.dsn)
	require.NoError(c.t, err)
	p, _ := u.User.Password()
	return p
}

// data runs a command with --output json and returns what it printed.
func data[T any](c client, args ...string) T {
	c.t.Helper()
	return decoded[T](c.t, c.ok(append(args, "--output=json")...))
}

// decoded returns what was printed as JSON.
func decoded[T any](t *testing.T, out string) T {
	t.Helper()
	var envelope struct {
		Version int `json:"version"`
		Data    T   `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &envelope), out)
	require.Equal(t, 1, envelope.Version)
	return envelope.Data
}

// serve starts a sandbox process of SQL Server and returns a client of it.
func serve(t *testing.T, args ...string) client {
	t.Helper()
	return serveEngine(t, "mssql", args...)
}

// serveEngine starts a sandbox process and returns a client of it. The sandbox ends with
// the test, by an interrupt, and must succeed.
func serveEngine(t *testing.T, dialect string, args ...string) client {
	t.Helper()
	c, _ := startEngine(t, dialect, args...)
	return c
}

// startEngine is serveEngine, and also returns a function that ends the sandbox before the test ends.
func startEngine(t *testing.T, dialect string, args ...string) (client, func()) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"sandbox", "--dialect", dialect}, args...)...)
	cmd.Env = append(os.Environ(), "DBSCHED_SANDBOX_PASSWORD=hush-Hush1", "GOGC=400")
	errs, err := os.Create(filepath.Join(t.TempDir(), "stderr")) // a file: it is read while the process writes
	require.NoError(t, err)
	defer errs.Close()
	said := func() string {
		text, _ := os.ReadFile(errs.Name())
		return string(text)
	}
	cmd.Stderr = errs
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	stop := sync.OnceFunc(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
		rest, _ := lines.ReadString(0)
		require.Empty(t, rest, "more than one line on stdout")
		require.NoError(t, cmd.Wait(), said())
	})
	t.Cleanup(stop)
	require.NoError(t, err, said())
	return client{t, strings.TrimSpace(line)}, stop
}

// connect opens the test's own connection: both drivers are named by their schemes.
func (c client) connect() *sql.DB {
	c.t.Helper()
	driver, _, _ := strings.Cut(c.dsn, "://")
	db, err := sql.Open(driver, c.dsn)
	require.NoError(c.t, err)
	c.t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	return db
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err, statement)
}

// contents lists everything that an installation could leave in a SQL Server database.
func contents(t *testing.T, db *sql.DB) []string {
	t.Helper()
	return mssqlEngine.contents(t, db)
}

// column reads a result set of one column.
func column(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err, query)
	defer rows.Close()
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		out = append(out, line)
	}
	require.NoError(t, rows.Err())
	return out
}

// finish waits on the server until the default process has nothing left to do.
func finish(t *testing.T, db *sql.DB, schema string) {
	t.Helper()
	execute(t, db, mssqlEngine.wait(schema))
}

func TestLifeCycle(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			lifeCycle(t, e)
		})
	}
}

func lifeCycle(t *testing.T, e engine) {
	t.Helper()
	c := serveEngine(t, e.dialect.Name(), "--clock=real")
	db := c.connect()
	for _, statement := range e.foreigner {
		execute(t, db, statement)
	}
	before := e.contents(t, db)
	finish := func(schema string) {
		t.Helper()
		execute(t, db, e.wait(schema))
	}

	require.Contains(t, c.ok("install", "--dry-run", "--lanes=8"), e.creates)
	require.Equal(t, before, e.contents(t, db), "a dry run changed something")

	first := data[dialects.InstallReport](c, "install", "--lanes=8")
	require.Equal(t, 8, first.Lanes)
	require.NotEmpty(t, first.Applied)
	installed := e.contents(t, db)
	second := data[dialects.InstallReport](c, "install")
	require.Equal(t, 8, second.Lanes)
	require.Empty(t, second.Applied)
	require.Contains(t, c.ok("install"), "nothing to change")
	require.Equal(t, installed, e.contents(t, db), "the second installation changed something")

	require.False(t, c.status().Started)
	c.ok("start")
	c.ok("start")
	require.True(t, c.status().Started)

	for _, w := range demoWaves {
		for range w.tasks {
			c.ok("exec", e.dialect.Sleep(200*time.Millisecond), "--order", fmt.Sprint(w.order))
		}
	}
	finish("dbsched")
	require.Len(t, data[[]dialects.Task](c, "tasks"), 9)
	logs := data[[]dialects.LogEntry](c, "logs")
	require.Len(t, logs, 9)
	for _, e := range logs {
		require.Equal(t, succeeded, e.Outcome)
		require.Greater(t, e.FinishedAt.Sub(e.StartedAt), 190*time.Millisecond)
	}
	require.Zero(t, c.status().Unfinished)

	c.ok("exec", e.failing, "--order=1")
	finish("dbsched")
	failed := data[[]dialects.LogEntry](c, "logs", "--status=failed")
	require.Len(t, failed, 1)
	require.Equal(t, e.number, failed[0].ErrorNumber)
	require.Equal(t, 1, failed[0].ErrorLine)

	c.ok("resource", "define", "one at a time")
	c.ok("exec", e.dialect.Sleep(0), "--order=1", "--timeout=1m", "--on-orphan=fail", "--resource=one at a time", "--access=exclusive", "--transactional",
		"--dedup-key=k", "--priority=1", "--max-attempts=2", "--retry-delay=1s", "--expected-seconds=1", "--not-before=2020-01-01T00:00:00Z")
	finish("dbsched")
	all := data[[]dialects.LogEntry](c, "logs")
	require.Equal(t, succeeded, all[len(all)-1].Outcome)

	t.Run("workers", func(t *testing.T) {
		for range 16 {
			c.ok("exec", e.dialect.Sleep(time.Second), "--order=1")
		}
		for _, n := range []int{1, 8, 0, 4} {
			c.ok("workers", fmt.Sprint(n))
			require.Equal(t, n, c.status().MaxWorkers)
		}
		c.refused(4, e.tooManyWorkers, "workers", "9")
		require.Equal(t, 4, c.status().MaxWorkers)
		require.Len(t, data[[]dialects.Lane](c, "workers"), 8)
		finish("dbsched")
		c.ok("policy", "roundrobin")
		require.Equal(t, dialects.RoundRobin, c.status().Policy)
	})

	t.Run("second installation", func(t *testing.T) {
		other := e.another
		if other == "" {
			t.Skip("a schema is a user")
		}
		c.ok("install", "--schema", other, "--lanes=2")
		c.ok("start", "--schema", other)
		c.ok("exec", e.dialect.Sleep(0), "--order=1", "--schema", other)
		finish(other)
		require.Len(t, data[[]dialects.LogEntry](c, "logs", "--schema", other), 1)
		require.True(t, c.status().Started)
		c.ok("uninstall", "--yes", "--schema", other)
		c.ok("exec", e.dialect.Sleep(0), "--order=1")
		finish("dbsched")
	})

	c.ok("stop")
	c.ok("stop")
	c.ok("exec", e.dialect.Sleep(0), "--order=1")
	require.EqualValues(t, 1, c.status().Unfinished)

	c.refused(2, "--yes", "uninstall")
	require.NotEmpty(t, data[dialects.UninstallReport](c, "uninstall", "--yes").Removed)
	require.Equal(t, before, e.contents(t, db), "something was left, or too much was removed")
	var id int
	require.NoError(t, db.QueryRowContext(t.Context(), e.survivor).Scan(&id))
	require.Equal(t, 42, id)
	require.Contains(t, c.ok("uninstall", "--yes"), "nothing was installed")
	c.refused(4, "dbsched install", "start")
}

func TestBadInputChangesNothing(t *testing.T) {
	t.Parallel()
	c := serve(t)
	db := c.connect()
	wrong := client{t, strings.Replace(c.dsn, "hush-Hush1", "hush-Wrong3", 1)}
	nowhere := client{t, "sqlserver://sa:hush-Hush1@127.0.0.1:1?database=sandbox"}
	master := client{t, strings.Replace(c.dsn, "database=sandbox", "database=master", 1)}

	before := contents(t, db)
	wrong.refused(3, "Login failed for user 'sa'", "install")
	nowhere.refused(3, "cannot connect to 127.0.0.1:1", "install")
	master.refused(2, "system database", "install")
	c.refused(2, "closing bracket", "install", "--schema=a]b")
	c.refused(2, "unknown flag", "install", "--nonsense")
	c.refused(2, "--lanes is 100", "install", "--lanes=100")
	require.Equal(t, before, contents(t, db))

	c.ok("install", "--lanes=2")
	installed := contents(t, db)
	c.refused(2, "the SQL is empty", "exec", " ", "--order=1")
	c.refused(2, "--order is required", "exec", "SELECT 1")
	c.refused(2, "line 2 of the SQL is GO", "exec", "SELECT 1\nGO", "--order=1")
	c.refused(2, "line 4 of the SQL is GO", "exec", "/*\nGO */\nSELECT 'it''s'\n go 5 \n", "--order=1")
	c.refused(2, `there is no process "77", or you are not allowed to see it`, "exec", "SELECT 1", "--order=1", "--process=77")
	c.refused(2, `there is no process "77"`, "processes", "--process=77")
	c.refused(2, "write a whole number", "exec", "SELECT 1", "--order=x")
	c.refused(2, `there is no process "nightly"`, "exec", "SELECT 1", "--order=1", "--process=nightly")
	c.refused(4, "51003", "exec", "SELECT 1", "--order=1", "--priority=2000000000")
	c.refused(4, "51009", "workers", "3")
	c.refused(2, "lanes cannot be removed", "install", "--lanes=1")
	require.Empty(t, data[[]dialects.Task](c, "tasks"))
	require.Equal(t, installed, contents(t, db))
}

func TestMissingRights(t *testing.T) {
	t.Parallel()
	c := serve(t)
	db := c.connect()
	execute(t, db, "CREATE LOGIN low WITH PASSWORD = 'hush-Low2';")
	execute(t, db, "CREATE USER low FOR LOGIN low;")
	low := client{t, strings.Replace(c.dsn, "sa:hush-Hush1", "low:hush-Low2", 1)}
	before := contents(t, db)
	low.refused(2, "ALTER ROLE db_owner ADD MEMBER [low];", "install")
	require.Equal(t, before, contents(t, db))

	c.ok("install", "--lanes=2")
	installed := contents(t, db)
	low.refused(4, "ALTER ROLE [dbsched_user] ADD MEMBER", "exec", "SELECT 1", "--order=1")
	low.refused(4, "Msg 229, Level 14", "stop")
	low.refused(2, "db_owner", "uninstall", "--yes")
	require.Empty(t, data[[]dialects.Task](c, "tasks"))
	require.Equal(t, installed, contents(t, db))

	execute(t, db, "ALTER ROLE dbsched_user ADD MEMBER low;")
	c.ok("start")
	low.ok("exec", "SELECT USER_NAME();", "--order=1")
	finish(t, db, "dbsched")
	require.Equal(t, "low", data[[]dialects.Task](low, "tasks")[0].EnqueuedBy)
	low.refused(4, "Msg 229, Level 14", "stop")
}

func TestBrokerOff(t *testing.T) {
	t.Parallel()
	c := serve(t)
	db := c.connect()
	execute(t, db, "ALTER DATABASE sandbox SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;")
	before := contents(t, db)
	// This test's own connection is in the database, and blocks it.
	c.refused(4, "ALTER DATABASE [sandbox] SET ENABLE_BROKER WITH NO_WAIT;", "install", "--lanes=1")
	c.refused(4, "--force-enable-broker", "install", "--lanes=1")
	require.Equal(t, before, contents(t, db))
	c.ok("install", "--lanes=1", "--force-enable-broker")
	c.ok("start")
	c.ok("exec", "SELECT 1;", "--order=1")
	finish(t, c.connect(), "dbsched")
}

func TestInterruptedWhileItWaits(t *testing.T) {
	t.Parallel()
	c := serve(t)
	c.ok("install", "--lanes=1")
	c.ok("start")
	c.ok("exec", "WAITFOR DELAY '00:00:30';", "--order=1")
	cmd := exec.Command(binary, "uninstall", "--yes", "--dsn", c.dsn)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	// When it waits for the task, it has already stopped the scheduler.
	for c.status().Started {
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	_ = cmd.Wait()
	require.Equal(t, 130, cmd.ProcessState.ExitCode(), errs.String())
}

func TestDemoOnTheSandbox(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"mssql", "oracle"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			c := client{t, ""}
			for _, args := range [][]string{{"demo"}, {"demo", "--workers=1"}, {"demo", "--workers=8", "--seed=7"}} {
				out := c.ok(append(args, "--dialect", dialect)...)
				require.Contains(t, out, "LogId  TaskID  ExecutionOrder  TaskBody")
				require.Contains(t, out, "every wave waited for the one before: yes")
			}
			result := data[demoResult](c, "demo", "--dialect", dialect)
			require.True(t, result.Passed)
			require.Len(t, result.Logs, 9)
			lasted := result.Logs[8].FinishedAt.Sub(result.Logs[0].StartedAt)
			require.Greater(t, lasted.Seconds(), 51.5)
			require.Less(t, lasted.Seconds(), 65.0, "five waves, each a session's start later at most")
		})
	}
}

func TestInstallMends(t *testing.T) {
	t.Parallel()
	c := serve(t)
	db := c.connect()

	// An obstacle: completed work stays, and the next run continues from there.
	execute(t, db, "CREATE SCHEMA dbsched;")
	execute(t, db, "CREATE TABLE dbsched.ExecAsync (Id int);")
	c.refused(5, "Changes made so far remain. Fix the cause and install again", "install", "--lanes=1")
	execute(t, db, "DROP TABLE dbsched.ExecAsync;")
	require.NotEmpty(t, data[dialects.InstallReport](c, "install", "--lanes=1").Applied)
	require.Empty(t, data[dialects.InstallReport](c, "install").Applied)

	// Drift: only what differs is created again.
	execute(t, db, "CREATE OR ALTER PROCEDURE dbsched.Sweep AS RETURN 1;")
	execute(t, db, "DROP VIEW dbsched.AlarmInfo;")
	execute(t, db, "ALTER QUEUE dbsched.Lane_01 WITH ACTIVATION (STATUS = OFF);")
	mended := data[dialects.InstallReport](c, "install").Applied
	require.Len(t, mended, 3, mended)
	require.Equal(t, []string{"view AlarmInfo", "procedure Sweep"}, mended[:2])
	require.Contains(t, mended[2], "queue Lane_01 activates")
	require.Empty(t, data[dialects.InstallReport](c, "install").Applied)

	// More lanes.
	require.Contains(t, strings.Join(data[dialects.InstallReport](c, "install", "--lanes=2").Applied, "\n"), "queue Lane_02 activates")
	require.Empty(t, data[dialects.InstallReport](c, "install").Applied)

	// An interrupted installer, and a newer one.
	execute(t, db, "UPDATE dbsched.SchemaVersion SET dirty = 1;")
	c.refused(2, "UPDATE [dbsched].[SchemaVersion] SET dirty = 0;", "install")
	execute(t, db, "UPDATE dbsched.SchemaVersion SET dirty = 0;")
	c.ok("install")
	execute(t, db, "UPDATE dbsched.SchemaVersion SET version = version + 50;")
	c.refused(2, "was installed by a newer dbsched", "install")
	execute(t, db, "UPDATE dbsched.SchemaVersion SET version = version - 50;")

	// One at a time.
	execute(t, db, `EXEC sys.sp_getapplock @Resource = N'dbsched installation of dbsched', @LockMode = N'Exclusive', @LockOwner = N'Session',
    @LockTimeout = 0, @DbPrincipal = N'db_owner';`)
	c.refused(2, "another installation of schema dbsched is running", "install", "--lock-timeout=100ms")
	execute(t, db, "SELECT 1;") // reusing the pool's connection resets the session, which ends the lock
	c.ok("install")

	// Objects that are not dbsched's are not removed.
	execute(t, db, "CREATE TABLE dbsched.Mine (Id int);")
	c.refused(4, "[Mine] is in dbsched's schema", "uninstall", "--yes")
	c.status()
	execute(t, db, "DROP TABLE dbsched.Mine;")
	c.ok("uninstall", "--yes")
}

func TestRenderedScriptInstalls(t *testing.T) {
	t.Parallel()
	c := serve(t)
	db := c.connect()
	for range 2 {
		for batch := range strings.SplitSeq(c.ok("render", "--lanes=2"), "\nGO\n") {
			if strings.TrimSpace(batch) != "" {
				execute(t, db, batch)
			}
		}
	}
	require.Empty(t, data[dialects.InstallReport](c, "install").Applied, "the script and the command differ")
}
