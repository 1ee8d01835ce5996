package templates

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox"
)

var oracleParams = Params{Schema: "app", Lanes: 2, Version: "0.1.0"}

// oracleBatches renders what is installed, and what uninstalls it.
func oracleBatches(t *testing.T, p Params) (install, uninstall []Batch) {
	t.Helper()
	install, err := Oracle(p)
	require.NoError(t, err)
	uninstall, err = OracleUninstall(p)
	require.NoError(t, err)
	return install, uninstall
}

func allOracleBatches(t *testing.T) []Batch {
	t.Helper()
	install, uninstall := oracleBatches(t, oracleParams)
	return slices.Concat(install, uninstall)
}

var oracleAction = regexp.MustCompile(`(?s)q'\[(.*)\]'`)

// oracleLexical removes comments from SQL, and the contents of literals if
// requested. The text of a job counts as SQL.
func oracleLexical(sql string, literals bool) string {
	sql = strings.NewReplacer("q'[", "", "]'", "").Replace(sql)
	var out strings.Builder
	for i := 0; i < len(sql); i++ {
		switch {
		case strings.HasPrefix(sql[i:], "--"):
			for i+1 < len(sql) && sql[i+1] != '\n' {
				i++
			}
		case sql[i] == '\'':
			end := i + 1 + strings.IndexByte(sql[i+1:], '\'')
			if literals {
				out.WriteString(sql[i : end+1])
			} else {
				out.WriteString("''")
			}
			i = end
		default:
			out.WriteByte(sql[i])
		}
	}
	return out.String()
}

// oracleCode returns SQL without comments, oracleBare also without literals.
func oracleCode(sql string) string { return oracleLexical(sql, true) }
func oracleBare(sql string) string { return oracleLexical(sql, false) }

func TestOracleBatchesParse(t *testing.T) {
	for _, p := range []Params{oracleParams, {Schema: "DBSCHED", Prefix: "x1_", Lanes: 99, Version: "v1.2.3-rc.1+dirty"}} {
		install, uninstall := oracleBatches(t, p)
		for _, b := range slices.Concat(install, uninstall) {
			_, err := sandbox.Facts("oracle", b.SQL)
			require.NoError(t, err, b.Name)
			require.NotContains(t, b.SQL, "{{", b.Name)
			require.NotContains(t, b.SQL, "<no value>", b.Name)
		}
	}
}

// JOB_ACTION holds 4,000 bytes, whatever the names, and whether there is a runner.
func TestOracleJobsFitTheirColumn(t *testing.T) {
	longest := Params{Schema: strings.Repeat("X", 128), Prefix: "ABCDE_", Lanes: 99, Version: strings.Repeat("9", 30)}
	withRunner := longest
	withRunner.Runner = strings.Repeat("Y", 128)
	for _, p := range []Params{longest, withRunner} {
		install, _ := oracleBatches(t, p)
		jobs := 0
		for _, b := range install {
			m := oracleAction.FindStringSubmatch(b.SQL)
			if m == nil {
				continue
			}
			jobs++
			require.LessOrEqual(t, len(m[1]), 4000, b.Name)
			_, err := sandbox.Facts("oracle", m[1])
			require.NoError(t, err, b.Name)
			// A static call would pin dbsched's packages for the life of the job.
			code := regexp.MustCompile(`'[^']*'`).ReplaceAllString(m[1], "")
			require.NotRegexp(t, `(?i)abcde_(worker|dispatch|run|wake|lane)\b`, code, b.Name)
		}
		require.Equal(t, 2, jobs, "the dispatcher's, and one text for all lanes")
	}
}

// TestOracleTimesHaveOffsets: a time has an offset, not a region, which some drivers cannot read and the database converts when its time zones change.
func TestOracleTimesHaveOffsets(t *testing.T) {
	install, _ := oracleBatches(t, oracleParams)
	files, err := migrations.Oracle(DefaultPrefix, nil)
	require.NoError(t, err)
	up, err := fs.ReadFile(files, "0001_tables.up.sql")
	require.NoError(t, err)
	region := regexp.MustCompile(`(?i)time zone '+[a-z]|from_tz\([^;]*, '+UTC|timestamp '[-0-9: .]+ [a-z]`)
	for _, b := range append(install, Batch{Name: "0001", SQL: string(up)}) {
		require.NotRegexp(t, region, oracleCode(b.SQL), b.Name)
	}
}

func TestOracleGolden(t *testing.T) {
	install, uninstall := oracleBatches(t, oracleParams)
	for name, write := range map[string]func(w *strings.Builder) error{
		"oracle_install.sql":   func(w *strings.Builder) error { return PrintOracle(w, install) },
		"oracle_uninstall.sql": func(w *strings.Builder) error { return PrintOracle(w, uninstall) },
		"oracle_grants.sql":    func(w *strings.Builder) error { return PrintOracleGrants(w, oracleParams) },
	} {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			require.NoError(t, write(&got))
			golden := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String(), "run go test ./templates -update and look at the difference")
		})
	}
}

func TestOracleBatchesAreIdentified(t *testing.T) {
	install, _ := oracleBatches(t, oracleParams)
	seen := map[string]bool{}
	order := []Kind{KindSchema, KindBroker, KindModule, KindData, KindActivate}
	last := 0
	for _, b := range install {
		require.False(t, seen[b.Name], "%s twice", b.Name)
		seen[b.Name] = true
		at := slices.Index(order, b.Kind)
		require.GreaterOrEqual(t, at, last, "%s comes too late", b.Name)
		last = at
		require.LessOrEqual(t, len(b.Object.Name), 30)
	}
	find := func(name string) Object {
		for _, b := range install {
			if b.Name == name {
				return b.Object
			}
		}
		t.Fatalf("no batch %s", name)
		return Object{}
	}
	require.Equal(t, Object{"package", "APP", "DBSCHED"}, find("package dbsched"))
	require.Equal(t, Object{"package body", "APP", "DS_WORKER"}, find("body worker"))
	require.Equal(t, Object{"view", "APP", "DS_TASK_INFO"}, find("view task_info"))
	require.Equal(t, Object{"queue table", "APP", "DS_WAKE_QT"}, find("queue-table wake"))
	require.Equal(t, Object{"queue", "APP", "DS_WAKE_Q"}, find("queue wake"))
	require.Equal(t, Object{"job", "APP", "DS_DISPATCHER"}, find("job dispatcher"))
	require.Equal(t, Object{}, find("jobs lanes"), "it makes the jobs of all lanes")
}

func TestOracleRefusedParameters(t *testing.T) {
	for _, schema := range []string{"", "a b", `"App"`, "1a", "sys", "Public", "a'b", strings.Repeat("x", 129), "größe"} {
		_, err := Oracle(Params{Schema: schema, Version: "1"})
		require.ErrorIs(t, err, ErrSchemaName, "%q", schema)
		_, err = OracleUninstall(Params{Schema: schema})
		require.ErrorIs(t, err, ErrSchemaName, "%q", schema)
		require.ErrorIs(t, PrintOracleGrants(&strings.Builder{}, Params{Schema: schema}), ErrSchemaName)
	}
	for _, p := range []Params{
		{Schema: "s", Lanes: -1, Version: "1"},
		{Schema: "s", Lanes: MaxLanes + 1, Version: "1"},
		{Schema: "s"},
		{Schema: "s", Version: "it's"},
		{Schema: "s", Version: "a]b"},
		{Schema: "s", Version: "1", Prefix: "DS"},
		{Schema: "s", Version: "1", Prefix: "TOOLONG_"},
		{Schema: "s", Version: "1", Prefix: "a-_"},
	} {
		_, err := Oracle(p)
		require.Error(t, err, "%+v", p)
	}
}

func TestPrintOracleRefusesWhatSQLPlusWouldTake(t *testing.T) {
	for _, sql := range []string{" ", "begin\n/\nend;", "begin\n  .\nend;", "begin\n#x\nend;", "begin x := 1 -\n1; end;", "begin null; -- ü\nend;", "-- x\nbegin null; end;", "select 1 from dual", "begin " + strings.Repeat(" ", maxOracleLine) + "end;"} {
		require.Error(t, PrintOracle(&strings.Builder{}, []Batch{{Name: "b", SQL: sql}}), "%.40q", sql)
	}
}

// In SQL, unlike PL/SQL, SQL*Plus ends the statement at a line that ends with a semicolon, even in a comment.
func TestOracleViewsHaveNoSemicolonAtLineEnds(t *testing.T) {
	for _, b := range allOracleBatches(t) {
		if b.Object.Type == "view" {
			require.NotRegexp(t, `(?m);\s*$`, b.SQL, b.Name)
		}
	}
}

// go-ora treats RETURN ... INTO in anything but an anonymous block as a RETURNING clause, after it has removed
// comments with their line ends (command.go, NewStmt; utils.go, refineSqlText).
func TestOracleUnitsHaveNothingLikeReturning(t *testing.T) {
	returning := regexp.MustCompile(`(?i)(\bRETURNING\b|\bRETURN\b)\s+.*\s+\bINTO\b`)
	for _, b := range allOracleBatches(t) {
		if strings.HasPrefix(b.SQL, "create ") {
			text := strings.ReplaceAll(oracleBare(regexp.MustCompile(`(?m)^\s*--[^\n]*\n`).ReplaceAllString(b.SQL, "")), "''", "")
			require.NotRegexp(t, returning, text, b.Name)
		}
	}
}

// Inside PL/SQL a plain COMMIT does not wait for the log.
func TestOracleCommitsWait(t *testing.T) {
	seen := 0
	for _, b := range allOracleBatches(t) {
		for _, c := range regexp.MustCompile(`(?i)\bcommit\b[^;]*;`).FindAllString(oracleBare(b.SQL), -1) {
			seen++
			require.Equal(t, "commit write immediate wait;", c, b.Name)
		}
	}
	require.Greater(t, seen, 30)
}

// What joins the caller's transaction neither ends it nor waits for others; the rest is autonomous or refuses one.
func TestOracleWhoseTransaction(t *testing.T) {
	install, _ := oracleBatches(t, oracleParams)
	i := slices.IndexFunc(install, func(b Batch) bool { return b.Name == "body dbsched" })
	procedures := regexp.MustCompile(`(?ms)^    procedure (\w+).*?^    end (\w+);`).FindAllStringSubmatch(oracleCode(install[i].SQL), -1)
	require.Greater(t, len(procedures), 12)
	for _, p := range procedures {
		name, text := p[1], p[0]
		switch name {
		case "add_task", "add_table", "add_batch", "store", "exec_async", "exec_async_table", "exec_async_batch", "create_process", "request_process", "release_process", "close_process":
			require.NotRegexp(t, `(?i)\b(commit|rollback|savepoint|for update|dbms_scheduler|autonomous_transaction)\b`, text, name)
		case "start_scheduler", "stop_scheduler", "set_workers", "set_policy", "set_options", "sweep":
			require.Contains(t, text, "pragma autonomous_transaction;", name)
			// An exception that leaves an autonomous transaction rolls it back (PL/SQL Language Reference, Controlling Autonomous Transactions).
			require.NotRegexp(t, `(?i)\bexception\b`, text, name)
			// The marker's table belongs to the caller (ORA-14450).
			require.NotContains(t, text, "ds_wake.send;", name)
		case "wait_process", "task_scheduler":
			require.Regexp(t, `refuse_transaction\('`+name+`'\);|wait_process\(in_process_id, in_timeout_seconds, l_result, l_status\);`, text)
		}
	}
}

// No package keeps state: a session would get ORA-04068 after every upgrade.
func TestOraclePackagesHaveNoState(t *testing.T) {
	for _, b := range allOracleBatches(t) {
		if strings.HasPrefix(b.Object.Type, "package") {
			require.NotRegexp(t, `(?m)^    (?:[lg]_|co_|[a-z]\w* (?:constant |number|varchar2|pls_integer))`, b.SQL, b.Name)
			require.NotContains(t, b.SQL, "\nbegin\n", b.Name)
		}
	}
}

func TestOracleNothingNewerThan19c(t *testing.T) {
	newer := regexp.MustCompile(`(?i)\b(if (not )?exists\s*\(?["\w]|boolean_and|any_value|sql_macro|systimestamp_utc|drop (table|view|package) if|json_object|values\s*\([^)]*\)\s*,\s*\()\b`)
	for _, b := range allOracleBatches(t) {
		require.NotRegexp(t, newer, oracleBare(b.SQL), b.Name)
	}
}

// Every name with dbsched's prefix must be defined by a template or a migration.
func TestOracleEveryReferenceIsDefined(t *testing.T) {
	known := slices.Concat(migrations.OracleTables("DS_"), migrations.OracleSequences("DS_"), []string{migrations.OracleVersionTable("DS_")})
	batches := allOracleBatches(t)
	for _, b := range batches {
		if b.Object.Name != "" {
			known = append(known, b.Object.Name)
		}
	}
	known = append(known, "DS_LANE_01", "DS_LANE_02") // created in one loop
	seen := 0
	for _, b := range batches {
		for _, name := range regexp.MustCompile(`(?i)\bds_\w+`).FindAllString(oracleCode(b.SQL), -1) {
			seen++
			if strings.HasSuffix(strings.ToUpper(name), "DS_LANE_") {
				continue // the beginning of a name
			}
			require.Contains(t, known, strings.ToUpper(name), b.Name)
		}
	}
	require.Greater(t, seen, 300)
}

// oracleColumns reads the columns of all tables from the migrations.
func oracleColumns(t *testing.T) map[string][]string {
	t.Helper()
	fsys, err := migrations.Oracle("DS_", nil)
	require.NoError(t, err)
	names, err := fs.Glob(fsys, "*.up.sql")
	require.NoError(t, err)
	columns := map[string][]string{}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?s)(?:create table ds_(\w+)|alter table ds_(\w+) add) \((.*?)'\)?;`).FindAllStringSubmatch(string(text), -1) {
			for _, c := range regexp.MustCompile(`(?m)^\s+([a-z]\w*) (?:number|varchar2|timestamp|clob|raw)`).FindAllStringSubmatch(m[3], -1) {
				columns[m[1]+m[2]] = append(columns[m[1]+m[2]], c[1])
			}
		}
	}
	return columns
}

func TestOracleColumnsExist(t *testing.T) {
	columns := oracleColumns(t)
	seen := 0
	for _, b := range allOracleBatches(t) {
		sql := oracleBare(b.SQL)
		aliases := map[string][]string{}
		for _, m := range regexp.MustCompile(`\bds_(\w+) ([a-z])\b`).FindAllStringSubmatch(sql, -1) {
			aliases[m[2]] = append(aliases[m[2]], columns[m[1]]...)
		}
		for _, m := range regexp.MustCompile(`\b([a-z])\.([a-z]\w*)`).FindAllStringSubmatch(sql, -1) {
			if known, ok := aliases[m[1]]; ok && m[1] != "r" || ok && strings.Contains(sql, "ds_process_requests r") && b.Object.Name == "DBSCHED" {
				seen++
				require.Contains(t, known, m[2], "%s: %s", b.Name, m[0])
			}
		}
		for _, m := range regexp.MustCompile(`insert into ds_(\w+)\s*\(([^)]*)\)`).FindAllStringSubmatch(sql, -1) {
			for _, column := range strings.Split(m[2], ",") {
				seen++
				require.Contains(t, columns[m[1]], strings.TrimSpace(column), b.Name)
			}
		}
	}
	require.Greater(t, seen, 400)
}

// PL/SQL finds an undeclared variable when the unit is compiled; this finds it without a server.
func TestOracleVariablesAreDeclared(t *testing.T) {
	name := regexp.MustCompile(`\b(?:l|co|e|in|out|io|c)_[a-z]\w*`)
	const declared = `\b((?:l|co|e|in|out|io)_[a-z]\w*)\s+(?:constant\s+)?(?:in out|in|out|number|varchar2|pls_integer|integer|clob|blob|raw|boolean|date|timestamp|interval|binary_double|exception|t_\w+|(?:dbms|ds|dbsched)\w*[.%%]\w+%s)\b|\bcursor (c_\w+)`
	typ := regexp.MustCompile(`\btype (\w+) is\b`)
	for _, b := range allOracleBatches(t) {
		text := oracleBare(b.SQL)
		if m := oracleAction.FindStringSubmatch(b.SQL); m != nil {
			text = oracleBare(m[1])
		}
		// One top-level subprogram at a time, if there are any.
		units := regexp.MustCompile(`(?ms)^    (?:procedure|function) \w+.*?^    end \w+;`).FindAllString(text, -1)
		if !strings.HasPrefix(b.Object.Type, "package body") {
			units = []string{text}
		}
		require.NotEmpty(t, units, b.Name)
		var types strings.Builder
		for _, m := range typ.FindAllStringSubmatch(text, -1) {
			types.WriteString("|" + m[1])
		}
		declared := regexp.MustCompile(fmt.Sprintf(declared, types.String()))
		for _, unit := range units {
			known := map[string]bool{}
			for _, m := range declared.FindAllStringSubmatch(unit, -1) {
				known[m[1]+m[2]] = true
			}
			// Named arguments belong to the called procedure, qualified names to another package.
			unit = regexp.MustCompile(`\b\w+ =>|\bds_base\.e_\w+`).ReplaceAllString(unit, "")
			for _, n := range name.FindAllString(unit, -1) {
				require.True(t, known[n], "%s uses %s in %.60s", b.Name, n, unit)
			}
		}
	}
}

// A session may use serializable transactions, in which waiting for a row ends with ORA-08177: every autonomous
// unit begins a transaction that sees what was committed before each statement.
func TestOracleAutonomousUnitsReadCommitted(t *testing.T) {
	autonomous := regexp.MustCompile(`(?s)pragma autonomous_transaction;.*?\n    begin\n *([^\n]*)\n`)
	seen := 0
	for _, b := range allOracleBatches(t) {
		units := autonomous.FindAllStringSubmatch(b.SQL, -1)
		require.Equal(t, strings.Count(b.SQL, "pragma autonomous_transaction;"), len(units), b.Name)
		for _, m := range units {
			seen++
			require.Equal(t, "ds_base.begin_transaction;", m[1], b.Name)
		}
	}
	require.Equal(t, 21, seen)
}

// SQL guarantees no order of conditions: a conversion beside the test that makes it safe fails for a name like DS_LANE_OF_MINE.
func TestOracleUninstallConvertsNoNames(t *testing.T) {
	_, uninstall := oracleBatches(t, oracleParams)
	for _, b := range uninstall {
		require.NotContains(t, b.SQL, "to_number(", b.Name)
	}
}
