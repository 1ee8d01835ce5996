// Package judges checks all SQL of dbsched with third-party parsers: Microsoft's parser and schema model, and two judges of
// PL/SQL. CONTRIBUTING says where they come from. It holds no code.
package judges

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// script is a file that a judge reads.
type script struct{ name, text string }

// root is the repository's root.
const root = "../.."

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return string(text)
}

// render returns a function that runs the built program's render.
func render(t *testing.T) func(t *testing.T, dialect string, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "dbsched.exe")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, root+"/cmd/dbsched").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return func(t *testing.T, dialect string, flags ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, append([]string{"render", "--dialect", dialect}, flags...)...)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		require.NoError(t, err, "%s", flags)
		return string(text)
	}
}

// printed returns a list of batches as a script.
func printed(t *testing.T, separator string, batches []templates.Batch, err error) string {
	t.Helper()
	require.NoError(t, err)
	var text strings.Builder
	for _, b := range batches {
		text.WriteString(b.SQL + "\n" + separator + "\n")
	}
	return text.String()
}

// migrated returns migration files as a script, those whose names end with suffix.
func migrated(t *testing.T, separator, suffix string, files fs.FS, err error) string {
	t.Helper()
	require.NoError(t, err)
	names, err := fs.Glob(files, "*"+suffix)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	var text strings.Builder
	for _, name := range names {
		migration, err := fs.ReadFile(files, name)
		require.NoError(t, err)
		text.WriteString(string(migration) + "\n" + separator + "\n")
	}
	return text.String()
}

// pages returns the documents that contain examples.
func pages(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(root + "/docs/*.md")
	require.NoError(t, err)
	for i, path := range all {
		all[i] = "docs/" + filepath.Base(path)
	}
	return append(all, "README.md")
}

var (
	fenced = regexp.MustCompile("(?ms)^```t?sql\n(.*?)^```$")
	fences = regexp.MustCompile("(?ms)^```.*?^```$")
	inline = regexp.MustCompile("`((?:SELECT|EXEC|EXECUTE|ALTER|CREATE) [^`]*;)`")
)

// examples returns the T-SQL of the documentation.
func examples(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, page := range pages(t) {
		text := read(t, page)
		for _, m := range append(fenced.FindAllStringSubmatch(text, -1), inline.FindAllStringSubmatch(fences.ReplaceAllString(text, ""), -1)...) {
			all = append(all, m[1])
		}
	}
	require.Greater(t, len(all), 50)
	for i, text := range all {
		// Documented (CREATE CERTIFICATE), but unknown to Microsoft's parser 170.
		all[i] = regexp.MustCompile(`CREATE CERTIFICATE \w+ FROM BINARY = [^;]*;`).ReplaceAllString(text, "")
	}
	return all
}

// composedText is what SQL composed and ran.
type composedText struct{ unit, text, parameters string }

// compose makes the tests record what dbsched's SQL composes, unless that was done already.
func compose(t *testing.T) {
	t.Helper()
	if os.Getenv(sandbox.ComposedVariable) != "" {
		return
	}
	t.Setenv(sandbox.ComposedVariable, filepath.Join(t.TempDir(), "composed"))
	out, err := exec.CommandContext(t.Context(), "go", "test", "-count=1", root+"/integration").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// composed returns the texts that dbsched's SQL composed while the tests ran.
func composed(t *testing.T, engine string) []composedText {
	t.Helper()
	f, err := os.Open(os.Getenv(sandbox.ComposedVariable) + "." + engine)
	require.NoError(t, err)
	defer f.Close()
	seen := map[composedText]bool{}
	var all []composedText
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line []string
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		c := composedText{line[0], line[1], line[2]}
		if !seen[c] && ours[engine](c) {
			all = append(all, c)
		}
		seen[c] = true
	}
	require.NoError(t, lines.Err())
	slices.SortFunc(all, func(a, b composedText) int { return strings.Compare(a.unit+a.text, b.unit+b.text) })
	return all
}

// ours says which texts are dbsched's, and not a task's or a test's.
var ours = map[string]func(composedText) bool{
	"mssql": func(c composedText) bool {
		switch c.unit {
		case "dbsched.RunTaskText":
			return strings.Contains(c.text, "sp_executesql @SqlText")
		case "": // with parameters it is a driver's call
			return c.parameters == "" && strings.Contains(c.text, "[dbsched]")
		}
		return strings.HasPrefix(c.unit, "dbsched.")
	},
	"oracle": func(c composedText) bool {
		_, unit, _ := strings.Cut(c.unit, ".")
		if strings.HasPrefix(c.text, "revoke ") { // a statement that ZPA does not have
			return false
		}
		return unit == "DBSCHED" || strings.HasPrefix(unit, "DS_") || unit == "" && ofJobs.MatchString(c.text)
	},
}

// ofJobs matches the texts of jobs and of blocks that are sent. Those of migrations are literals in the installation.
var ofJobs = regexp.MustCompile(`^(?:begin (?:ds_|dbsched)|grant |drop |alter session )`)

// batchOnly matches what a procedure cannot contain.
var batchOnly = regexp.MustCompile(`(?im)^\s*(?:CREATE|ALTER|DROP|GRANT|DENY|USE|TRUNCATE|ADD|BACKUP|GO)\b|^\s*EXEC(?:UTE)? \(|\breturn\b`)

// asProcedures wraps statements in procedures, since the schema model checks only definitions.
func asProcedures(texts []composedText) string {
	var all strings.Builder
	for i, c := range texts {
		if batchOnly.MatchString(c.text) {
			continue
		}
		declared := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?is)\bDECLARE\s+(@.*?)(?:;|\n\n|$)`).FindAllStringSubmatch(c.text, -1) {
			for _, name := range variable.FindAllString(m[1], -1) {
				declared[strings.ToLower(name)] = true
			}
		}
		parameters := c.parameters
		for _, name := range variable.FindAllString(c.text, -1) {
			if lower := strings.ToLower(name); c.parameters == "" && !declared[lower] {
				parameters += ", " + name + " sql_variant"
				declared[lower] = true
			}
		}
		fmt.Fprintf(&all, "CREATE PROCEDURE dbo.Judged%d %s AS\n%s\nGO\n", i, strings.TrimPrefix(parameters, ", "), c.text)
	}
	return all.String()
}

var variable = regexp.MustCompile(`\B@\w+`)

// plain converts strings to texts.
func plain(texts []string) []composedText {
	all := make([]composedText, len(texts))
	for i, text := range texts {
		all[i].text = text
	}
	return all
}

// texts returns the texts of what was composed.
func texts(all []composedText) []string {
	var out []string
	for _, c := range all {
		out = append(out, c.text)
	}
	return out
}

// tsql returns all T-SQL: files to parse, and those to build a schema model from.
func tsql(t *testing.T) (parse, model []script) {
	t.Helper()
	render := render(t)
	const strange = "o'brien & sons"
	p := templates.Params{Schema: strange, Lanes: 16, Version: "1"}
	install := script{"install.sql", render(t, "mssql")}
	uninstall, err := templates.MSSQLUninstall(p)
	removed := printed(t, "GO", uninstall, err)
	tables, err := migrations.MSSQL("dbsched", nil)
	down := migrated(t, "GO", ".down.sql", tables, err)
	sent := strings.Split(read(t, "dialects/mssql/testdata/sent.sql"), "\ngo\n")
	ran := composed(t, "mssql")
	shown := examples(t)
	joined := func(all []string) string { return strings.Join(all, "\nGO\n") + "\nGO\n" }
	parse = []script{
		install,
		{"lanes.sql", render(t, "mssql", "--lanes", "99", "--schema", strange)},
		{"grants.sql", render(t, "mssql", "--grants", "--schema", strange)},
		{"kill.sql", render(t, "mssql", "--kill-script", "--schema", strange)},
		{"trust.sql", render(t, "mssql", "--trust", "--users", strange, "--to", "Staging,"+strange, "--schema", strange)},
		{"revoke.sql", render(t, "mssql", "--trust", "--revoke", "--to", "Staging,"+strange, "--schema", strange)},
		{"uninstall.sql", removed}, {"down.sql", down},
		{"sent.sql", joined(sent)}, {"composed.sql", joined(texts(ran))}, {"examples.sql", joined(shown)},
	}
	sent = slices.DeleteFunc(sent, func(text string) bool { return strings.Contains(text, "CREATE TABLE") }) // it is in the installation
	return parse, []script{
		install,
		{"objects.sql", "CREATE USER etl WITHOUT LOGIN;\nGO\nCREATE SCHEMA etl;\nGO\nCREATE PROCEDURE etl.LoadCustomers AS SELECT 1 AS n;\nGO\nCREATE PROCEDURE etl.LoadOrders AS SELECT 1 AS n;\nGO\n" +
			"CREATE PROCEDURE etl.BuildFacts AS SELECT 1 AS n;\nGO\nCREATE PROCEDURE etl.CopyToArchive AS SELECT 1 AS n;\nGO\nCREATE PROCEDURE dbo.LoadOrders AS SELECT 1 AS n;\nGO\n"},
		{"calls.sql", asProcedures(slices.Concat(plain(sent), plain(shown), ran))},
	}
}

// plsql returns all PL/SQL: sets of files that refer to each other.
func plsql(t *testing.T) [][]script {
	t.Helper()
	render := render(t)
	owner := []string{"--schema", "app"}
	with := func(flags ...string) []string { return append(flags, owner...) }
	p := templates.Params{Schema: "APP", Lanes: 16, Version: "1"}
	uninstall, err := templates.OracleUninstall(p)
	removed := printed(t, "/", uninstall, err)
	tables, err := migrations.Oracle(templates.DefaultPrefix, nil)
	down := migrated(t, "/", ".down.sql", tables, err)
	// The grammar does not know these statements, which the SQL Language Reference has.
	sent := regexp.MustCompile(`(?m)^(create sequence .* order|create index .*|alter table \S+ modify .*)\n/\n`).ReplaceAllString(read(t, "dialects/oracle/testdata/sent.sql"), "")
	all := []script{
		{"install.sql", render(t, "oracle", owner...)},
		{"grants.sql", render(t, "oracle", with("--grants")...)},
		{"uninstall.sql", removed}, {"down.sql", down},
		// Both views are documented (Database Reference; Advanced Queuing User's Guide), but not in the resolver's list.
		{"sent.sql", strings.NewReplacer("product_component_version p", "(select dummy as product, dummy as version_full from dual) p",
			"aq$ds_wake_qt", "(select dummy as queue, dummy as msg_state, dummy as corr_id, 0 as retry_count from dual)").Replace(sent)},
		{"composed.sql", strings.Join(texts(composed(t, "oracle")), "\n/\n") + "\n/\n"},
	}
	for _, page := range pages(t) {
		// Documented (DBMS_SCHEDULER), but not in the resolver's list.
		text := regexp.MustCompile(`(?s)dbms_scheduler\.create_job_class\(.*?\);`).ReplaceAllString(read(t, page), "null;")
		all = append(all, script{filepath.Base(page), text})
	}
	return [][]script{
		all,
		{
			{"lanes.sql", render(t, "oracle", with("--lanes", "99", "--runner", "batch")...)},
			{"runner.sql", render(t, "oracle", with("--lanes", "99", "--runner", "batch", "--as-runner")...)},
			{"runner_grants.sql", render(t, "oracle", with("--grants", "--runner", "batch")...)},
		},
	}
}
