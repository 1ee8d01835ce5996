package templates

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
)

var update = flag.Bool("update", false, "write the golden files")

var testParams = Params{Schema: "dbsched", Lanes: 2, Version: "0.1.0"}

// installation renders what is installed.
func installation(t *testing.T, p Params) []Batch {
	t.Helper()
	batches, err := MSSQL(p)
	require.NoError(t, err)
	return batches
}

// allBatches renders what is installed and what uninstalls it.
func allBatches(t *testing.T, p Params) []Batch {
	t.Helper()
	uninstall, err := MSSQLUninstall(p)
	require.NoError(t, err)
	return append(installation(t, p), uninstall...)
}

// killScript renders what a sysadmin runs.
func killScript(t *testing.T, p Params) []Batch {
	t.Helper()
	batches, err := MSSQLKillScript(p)
	require.NoError(t, err)
	return batches
}

// trustScript renders what the owners of databases run, and what revokes it.
func trustScript(t *testing.T, p Params) []Batch {
	t.Helper()
	batches, err := MSSQLTrust(p, Trust{Users: []string{"etl", "o'brien [x]"}, Targets: []string{"Staging", "it's [Archive]"}})
	require.NoError(t, err)
	revoke, err := MSSQLTrust(p, Trust{Targets: []string{"Staging"}, Revoke: true})
	require.NoError(t, err)
	return append(batches, revoke...)
}

// code returns SQL without its comments.
func code(sql string) string {
	return regexp.MustCompile(`--[^\n]*`).ReplaceAllString(sql, "")
}

func TestEveryBatchParses(t *testing.T) {
	for _, schema := range []string{"dbsched", "two words", "Größe [1"} {
		p := Params{Schema: schema, Lanes: 2, Version: "0.1.0"}
		for _, b := range slices.Concat(allBatches(t, p), killScript(t, p), trustScript(t, p)) {
			// The parser reads no variable there, no COLLATE in a condition, and no WITH in a function that is altered.
			text := strings.NewReplacer("TIMEOUT = @Seconds", "TIMEOUT = 60", " COLLATE DATABASE_DEFAULT", "", " COLLATE SQL_Latin1_General_CP1_CI_AS", "", "CREATE OR ALTER FUNCTION", "CREATE FUNCTION").Replace(b.SQL)
			script, err := parser.Parse(context.Background(), strings.NewReader(text))
			require.NoError(t, err, "schema %q, batch %s", schema, b.Name)
			require.Len(t, script.Batches, 1, b.Name)
			require.NotContains(t, b.SQL, "{{", b.Name)
			require.NotContains(t, b.SQL, "<no value>", b.Name)
		}
	}
}

func TestGolden(t *testing.T) {
	uninstall, err := MSSQLUninstall(testParams)
	require.NoError(t, err)
	for name, batches := range map[string][]Batch{"mssql_install.sql": installation(t, testParams), "mssql_uninstall.sql": uninstall, "mssql_kill.sql": killScript(t, testParams), "mssql_trust.sql": trustScript(t, testParams)} {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			require.NoError(t, Print(&got, batches))
			golden := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String(), "run go test ./templates -update and look at the difference")
		})
	}
}

func TestBatchesAreIdentified(t *testing.T) {
	seen := map[string]bool{}
	order := []Kind{KindSchema, KindRole, KindBroker, KindModule, KindGrant, KindService, KindData, KindActivate}
	last := 0
	for _, b := range installation(t, testParams) {
		require.False(t, seen[b.Name], "%s twice", b.Name)
		seen[b.Name] = true
		at := slices.Index(order, b.Kind)
		require.GreaterOrEqual(t, at, last, "%s comes too late", b.Name)
		last = at
	}
	find := func(name string) Batch {
		for _, b := range installation(t, testParams) {
			if b.Name == name {
				return b
			}
		}
		t.Fatalf("no batch %s", name)
		return Batch{}
	}
	require.Equal(t, Object{"procedure", "dbsched", "ExecAsync"}, find("procedure ExecAsync").Object)
	require.Equal(t, Object{"procedure", "dbsched", "Lane_02_Activated"}, find("procedure Lane_Activated of lane 2").Object)
	require.Equal(t, Object{"role", "", "dbsched_admin"}, find("role admin").Object)
	require.Equal(t, []string{"mssql/worker/lane_activated.sql"}, find("procedure Lane_Activated of lane 2").Files)
}

// TestEveryFileIsInAList: what nobody lists would not be installed. Each topic has a sentence, and no file is too long to be read in one sitting.
func TestEveryFileIsInAList(t *testing.T) {
	_, of := topics()
	for _, dialect := range []string{"mssql", "oracle"} {
		listed := map[string]bool{}
		for _, script := range []string{"install", "kill", "trust", "trust-target", "runner", "uninstall"} {
			entries, err := order(files, dialect, script)
			require.NoError(t, err)
			for _, e := range entries {
				for _, file := range e.files {
					require.False(t, listed[file], "%s is listed twice", file)
					listed[file] = true
				}
				for _, file := range e.files {
					require.Contains(t, of, path.Base(path.Dir(file)))
				}
			}
		}
		require.NoError(t, fs.WalkDir(files, dialect, func(name string, e fs.DirEntry, err error) error {
			if err != nil || path.Ext(name) != ".sql" {
				return err
			}
			require.Regexp(t, `^(mssql|oracle)/[a-z]+/[a-z_]+(\.spec)?\.sql$`, name)
			require.True(t, listed[name], "no list has %s", name)
			delete(listed, name)
			text, err := fs.ReadFile(files, name)
			require.NoError(t, err)
			require.LessOrEqual(t, strings.Count(string(text), "\n"), 300, "%s is too long to be read in one sitting", name)
			return nil
		}))
		require.Empty(t, listed, "files that a list names and that do not exist")
	}
}

// TestBadListsAreRefused: a slip of the pen names the line.
func TestBadListsAreRefused(t *testing.T) {
	for list, line := range map[string]int{"script install\nview\n": 2, "    a/b\n": 1, "script install\n    a/b\n": 2, "script install\nview a b c\n": 2, "script install\n\nbody x\n    a b\n": 4} {
		_, err := order(fstest.MapFS{"mssql/order.txt": {Data: []byte(list)}}, "mssql", "install")
		require.ErrorContains(t, err, fmt.Sprintf("mssql/order.txt, line %d: ", line), list)
	}
}

var calls = regexp.MustCompile(`\[dbsched\]\.\[?(\w+)`)

// TestModulesStandBelowWhatTheyCall: otherwise SQL Server says of each that it depends on a missing object (message 2007).
func TestModulesStandBelowWhatTheyCall(t *testing.T) {
	made := map[string]bool{}
	modules := map[string]bool{}
	for _, b := range installation(t, testParams) {
		modules[b.Object.Name] = b.Kind == KindModule
	}
	for _, b := range installation(t, testParams) {
		if b.Kind != KindModule {
			continue
		}
		made[b.Object.Name] = true
		for _, m := range calls.FindAllStringSubmatch(stripped(b.SQL), -1) {
			require.True(t, made[m[1]] || !modules[m[1]], "%s calls %s", b.Name, m[1])
		}
	}
	require.Greater(t, len(made), 100)
}

func TestRefusedParameters(t *testing.T) {
	for _, p := range []Params{
		{Schema: "", Version: "1"},
		{Schema: "a]b", Version: "1"},
		{Schema: "$(x)", Version: "1"},
		{Schema: "a\nb", Version: "1"},
		{Schema: " a", Version: "1"},
		{Schema: "dbo", Version: "1"},
		{Schema: "SYS", Version: "1"},
		{Schema: "db_owner", Version: "1"},
		{Schema: strings.Repeat("x", 101), Version: "1"},
	} {
		_, err := MSSQL(p)
		require.ErrorIs(t, err, ErrSchemaName, "%q", p.Schema)
		_, err = MSSQLUninstall(p)
		require.ErrorIs(t, err, ErrSchemaName, "%q", p.Schema)
	}
	for _, p := range []Params{
		{Schema: "s", Lanes: -1, Version: "1"},
		{Schema: "s", Lanes: MaxLanes + 1, Version: "1"},
		{Schema: "s"},
		{Schema: "s", Version: "1 2"},
		{Schema: "s", Version: "$(v)"},
	} {
		_, err := MSSQL(p)
		require.Error(t, err, "%+v", p)
	}
	require.Len(t, installation(t, Params{Schema: strings.Repeat("ü", 100), Version: "1"}), len(installation(t, Params{Schema: "s", Version: "1", Lanes: DefaultLanes})))
}

func TestQuoting(t *testing.T) {
	require.Equal(t, "[a]]b[c]", QuoteIdent("a]b[c"))
	require.Equal(t, "N'it''s'", QuoteString("it's"))
}

func TestPrintRefusesWhatSqlcmdWouldChange(t *testing.T) {
	for _, sql := range []string{"SELECT '$(x)';", "SELECT 1;\n  go\nSELECT 2;", " "} {
		require.Error(t, Print(&strings.Builder{}, []Batch{{Name: "b", SQL: sql}}), "%q", sql)
	}
	var out strings.Builder
	require.NoError(t, Print(&out, []Batch{{SQL: "SELECT GO_live FROM Golf;\n"}}))
	require.Equal(t, "SET ANSI_NULLS, QUOTED_IDENTIFIER ON;\nGO\nSELECT GO_live FROM Golf;\nGO\n", out.String())
}

// Every name in dbsched's schema must be defined by a template or a
// migration, or by golang-migrate.
func TestEveryReferenceIsDefined(t *testing.T) {
	known := append(append(migrations.Tables(), migrations.Types()...), migrations.VersionTable, "Dispatch", "Lane_", "Lane_01", "Lane_02")
	batches := allBatches(t, testParams)
	for _, b := range batches {
		if b.Object.Schema != "" {
			known = append(known, b.Object.Name)
		}
	}
	reference := regexp.MustCompile(`\[dbsched\]\.\[?(\w+)`)
	for _, b := range batches {
		for _, m := range reference.FindAllStringSubmatch(code(b.SQL), -1) {
			require.Contains(t, known, m[1], "%s refers to it", b.Name)
		}
		require.NotRegexp(t, `(?i)\bdbsched\.\w`, code(b.SQL), "%s names the schema unquoted", b.Name)
	}
}

// READ_COMMITTED_SNAPSHOT and optimized locking change what an access without
// a hint does: a change must also say whether it waits for the rows that it looks at.
func TestEveryTableAccessHasAHint(t *testing.T) {
	access := regexp.MustCompile(`(?s)(\w+)\s+\[dbsched\]\.(` + strings.Join(migrations.Tables(), "|") + `)\b(.{0,40})`)
	hint := regexp.MustCompile(`^( AS \w+)? WITH \(`)
	waits := regexp.MustCompile(`\b(READCOMMITTEDLOCK|NOLOCK|UPDLOCK|XLOCK|REPEATABLEREAD)\b`)
	seen := 0
	for _, b := range allBatches(t, testParams) {
		if b.Kind == KindGrant {
			continue
		}
		for _, m := range access.FindAllStringSubmatch(code(b.SQL), -1) {
			if m[1] == "IDENTITY_INSERT" {
				continue
			}
			seen++
			require.Contains(t, []string{"FROM", "JOIN", "INTO"}, m[1], "%s: %s", b.Name, m[0])
			require.Regexp(t, hint, m[3], "%s: %s", b.Name, m[0])
			if m[1] != "INTO" && !strings.Contains(startSnapshot, m[3]) { // that one uses the caller's isolation level
				require.Regexp(t, waits, m[3], "%s: %s", b.Name, m[0])
			}
		}
	}
	require.Greater(t, seen, 60)
}

// READPAST under READ_COMMITTED_SNAPSHOT needs READCOMMITTEDLOCK (Table Hints, READPAST).
func TestReadpastNamesItsIsolation(t *testing.T) {
	for _, b := range allBatches(t, testParams) {
		for _, hints := range regexp.MustCompile(`WITH \(([^)]*READPAST[^)]*)`).FindAllStringSubmatch(code(b.SQL), -1) {
			require.Contains(t, hints[1], "READCOMMITTEDLOCK", b.Name)
		}
	}
}

func TestNothingNewerThan2016SP1(t *testing.T) {
	newer := regexp.MustCompile(`\b(STRING_AGG|CONCAT_WS|TRANSLATE|TRIM|GREATEST|LEAST|GENERATE_SERIES|DATETRUNC|DATE_BUCKET|JSON_OBJECT|JSON_ARRAY|BIT_COUNT|IS DISTINCT FROM|APPROX_COUNT_DISTINCT)\b`)
	for _, b := range allBatches(t, testParams) {
		require.NotRegexp(t, newer, code(b.SQL), b.Name)
	}
}

// A server with a case-sensitive collation treats @x and @X as two variables.
func TestVariablesAreSpeltOneWay(t *testing.T) {
	variable := regexp.MustCompile(`@@?\w+`)
	for _, b := range allBatches(t, testParams) {
		spelling := map[string]string{}
		for _, v := range variable.FindAllString(code(b.SQL), -1) {
			lower := strings.ToLower(v)
			if first, ok := spelling[lower]; ok {
				require.Equal(t, first, v, b.Name)
			}
			spelling[lower] = v
		}
	}
}

// Procedures bring their own session settings: the caller's may be anything.
func TestProceduresSetTheirOptions(t *testing.T) {
	// These touch no table, or run the task's text and set more.
	exempt := []string{"SendWake", "RunTaskText", "Lane_01_Activated", "Lane_02_Activated", // the last two only call RunLane
		"RunFiring",                                                           // only in the transaction of its task
		"CreateSchedule", "SetScheduleEnabled", "RunSchedule", "DropSchedule", // only call what sets them, as do these
		"CancelProcess", "CancelTask", "RetryProcess", "RetryTask", "ReleaseProcess", "CloseProcess"}
	joining := []string{"WakeOnce", "RaiseAlarm", "CallAlarmHook", "CloseIfDone", "RequestProcess", "CurrentTask", "ExecAsync", "ExecAsyncBatch", "ExecAsyncTable",
		"CreateProcess", "NextFiring",
		"GrantResource", "JoinResourceLine", "LeaveResourceLine",
		// A refusal by SQL Server Agent must not end them.
		"LookAtJob", "StartJob"}
	calls := regexp.MustCompile(`\bEXEC (?:@\w+ = )?\[dbsched\]\.(\w+)`)
	callers, sets, joins := map[string][]string{}, map[string]bool{}, map[string]bool{}
	for _, b := range installation(t, testParams) {
		if b.Object.Type == "procedure" {
			sets[b.Object.Name], joins[b.Object.Name] = strings.Contains(b.SQL, setOptions), strings.Contains(b.SQL, setOptionsJoin)
			for _, m := range calls.FindAllStringSubmatch(code(b.SQL), -1) {
				callers[m[1]] = append(callers[m[1]], b.Object.Name)
			}
		}
	}
	// A private procedure without its own options has those of its callers, all of which set the same ones.
	var has func(name string) bool
	has = func(name string) bool {
		return sets[name] || len(callers[name]) > 0 && !slices.Contains(joining, name) && !slices.ContainsFunc(callers[name], func(c string) bool { return !has(c) })
	}
	joined := func(name string) bool {
		return len(callers[name]) > 0 && !slices.Contains(joining, name) && !slices.ContainsFunc(callers[name], func(c string) bool { return !joins[c] })
	}
	for _, b := range installation(t, testParams) {
		if b.Object.Type != "procedure" || slices.Contains(exempt, b.Object.Name) {
			continue
		}
		if strings.Contains(b.SQL, "\n-- Access: private") && !strings.Contains(b.SQL, setOptions) && (has(b.Object.Name) || joined(b.Object.Name)) {
			continue
		}
		want := setOptions
		if slices.Contains(joining, b.Object.Name) {
			want = setOptionsJoin
			switch {
			case strings.Contains(b.SQL, "EXECUTE AS CALLER"):
				want = callerText("dbsched", fmt.Sprintf(startSnapshot, "[dbsched]")) + "\n" + want
			case strings.Contains(b.SQL, "\n-- Access: public"):
				want = fmt.Sprintf(startSnapshot, "[dbsched]") + "\n" + want
			}
		}
		// With XACT_ABORT ON the refusal would roll back the caller's transaction (THROW, remarks).
		text := regexp.MustCompile(`    -- Before XACT_ABORT is ON:.*\n    IF @@TRANCOUNT > 0\n        THROW 51010,.*\n\n`).ReplaceAllString(b.SQL, "")
		require.NotContains(t, text, "THROW 51010", b.Name)
		require.Contains(t, text, "AS\nBEGIN\n"+want+"\n", b.Name)
		// However such a procedure ends, except by THROW, its caller may have no transaction before and one after it (error 266).
		if strings.Contains(b.SQL, endJoin) {
			require.Equal(t, strings.Count(code(b.SQL), "RETURN "), strings.Count(code(b.SQL), code(endJoin)), b.Name)
		}
		// A procedure that joins a transaction rolls back only what it began itself.
		if slices.Contains(joining, b.Object.Name) {
			require.Equal(t, strings.Count(b.SQL, "ROLLBACK TRANSACTION"), strings.Count(b.SQL, "IF @Own = 1 AND XACT_STATE() <> 0"), b.Name)
			require.NotContains(t, b.SQL, "SAVE TRANSACTION", b.Name)
		}
	}
}

// RECEIVE shares its transaction only with END CONVERSATION and the timer.
func TestReceiveHasATransactionOfItsOwn(t *testing.T) {
	for _, b := range installation(t, testParams) {
		if !strings.Contains(code(b.SQL), "RECEIVE TOP") {
			continue
		}
		_, rest, _ := strings.Cut(code(b.SQL), "BEGIN TRANSACTION;")
		inside, _, _ := strings.Cut(rest, "COMMIT TRANSACTION;")
		inside = strings.Replace(inside, "EXEC sys.sp_executesql @Text,", "RECEIVE TOP (1)", 1) // RunLane's, which is a RECEIVE
		require.Contains(t, inside, "RECEIVE TOP (1)")
		require.NotRegexp(t, `\b(EXEC|UPDATE|INSERT|DELETE|FROM \w+ AS|CAST|CONVERT)\b`, inside, b.Name)
	}
}

// Only uninstalling uses END CONVERSATION WITH CLEANUP.
func TestNoCleanupOfConversations(t *testing.T) {
	for _, b := range installation(t, testParams) {
		require.NotContains(t, strings.ToUpper(code(b.SQL)), "WITH CLEANUP", b.Name)
		require.NotContains(t, strings.ToUpper(code(b.SQL)), "TRUSTWORTHY", b.Name)
	}
}

// TestKillWorkerStaysAsItIs: changing its text drops the signature with which a sysadmin has let it end sessions, on
// every server where dbsched is upgraded. If it must change: the release notes say that the kill script must be run again.
func TestKillWorkerStaysAsItIs(t *testing.T) {
	for _, b := range installation(t, testParams) {
		if b.Object.Name == "KillWorker" {
			require.Equal(t, "610a8b4ccc9d5532ae9b48228bfc4ac9f6c92b106741be760746c2d80931ad13", fmt.Sprintf("%x", sha256.Sum256([]byte(b.SQL))))
			return
		}
	}
	require.Fail(t, "there is no KillWorker")
}

// TestSignedModulesStillFit: later versions leave the modules of the trust script as they are, which call this procedure this way, and read
// SqlText, Parameters, Status and EnqueuedBySid of Tasks. If that must change: the release notes say that the script must be run again.
func TestSignedModulesStillFit(t *testing.T) {
	const parameters = "@SqlText nvarchar(max), @Parameters nvarchar(max), @TransactionId bigint, @Rows bigint OUTPUT, @ErrorNumber int OUTPUT, " +
		"@ErrorMessage nvarchar(4000) OUTPUT, @ErrorProcedure nvarchar(300) OUTPUT, @ErrorLine int OUTPUT"
	for _, b := range installation(t, testParams) {
		if b.Object.Name == "RunTaskText" {
			require.Contains(t, b.SQL, "RunTaskText\n    "+strings.ReplaceAll(parameters, ", ", ",\n    ")+"\nAS\n")
			return
		}
	}
	require.Fail(t, "there is no RunTaskText")
}
