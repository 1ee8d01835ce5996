package integration

import (
	"flag"
	goast "go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox/mssql/audit"
	"github.com/dbsched/dbsched/templates"
)

var updateAudit = flag.Bool("update", false, "write the table of supported T-SQL anew")

const auditTable = "../sandbox/mssql/audit/supported.txt"

// TestAuditTable keeps the table of the T-SQL that the sandbox takes equal to what the tests execute: dbsched's own SQL, the
// scripts of this folder and the conformance scripts. A batch that a script expects to be refused ("-- @refused") adds nothing.
func TestAuditTable(t *testing.T) {
	facts := map[string]bool{}
	learn := func(name, text string) {
		err := audit.Facts(text, func(fact string) { facts[fact] = true })
		assert.NoError(t, err, "%s:\n%s", name, text)
	}
	for _, batch := range auditBatches(t) {
		learn(batch.name, batch.text)
		for _, text := range literals(batch.text) {
			_ = audit.Facts(text, func(fact string) { facts[fact] = true }) // not every string is SQL
		}
	}
	for _, text := range goLiterals(t, "../dialects/mssql", ".", "../cmd/dbsched") {
		_ = audit.Facts(text, func(fact string) { facts[fact] = true })
	}
	table := strings.Join(slices.Sorted(maps.Keys(facts)), "\n") + "\n"
	if *updateAudit {
		require.NoError(t, os.WriteFile(auditTable, []byte(table), 0o644))
		return
	}
	have, err := os.ReadFile(auditTable)
	require.NoError(t, err)
	require.Equal(t, table, string(have), "make audit writes the table anew")
}

type auditBatch struct{ name, text string }

func auditBatches(t *testing.T) []auditBatch {
	t.Helper()
	var out []auditBatch
	params := templates.Params{Schema: "dbsched", Lanes: 16, Version: "0.1"}
	install, err := templates.MSSQL(params)
	require.NoError(t, err)
	uninstall, err := templates.MSSQLUninstall(params)
	require.NoError(t, err)
	for _, b := range append(install, uninstall...) {
		out = append(out, auditBatch{b.Name, b.SQL})
	}
	schema, err := migrations.MSSQL(params.Schema)
	require.NoError(t, err)
	require.NoError(t, fs.WalkDir(schema, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(schema, path)
		out = append(out, auditBatch{path, string(text)})
		return err
	}))
	for _, pattern := range []string{
		"testdata/*.sql", "../sandbox/mssql/testdata/conformance/*.sql", "../dialects/mssql/testdata/*.sql", "../cmd/dbsched/testdata/*.sql",
	} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, batch := range strings.Split(string(text), "\ngo\n") {
				if !strings.Contains(batch, "-- @refused") {
					out = append(out, auditBatch{file, batch})
				}
			}
		}
	}
	return out
}

//nolint:gochecknoglobals // patterns
var (
	sqlLiteral   = regexp.MustCompile(`'(?:[^']|'')*'`)
	sqlStart     = regexp.MustCompile(`(?is)^\s*(--|select|insert|update|delete|with|exec|execute|declare|set|if|begin|create|alter|drop|grant|deny|revoke|waitfor|kill|print|throw|raiserror|use|send|receive|end|while|commit|rollback|save|truncate|merge)\b`)
	goFormatVerb = regexp.MustCompile(`%(\[\d\])?[sqdv]`)
)

// literals are the strings of a batch that are dynamic SQL, it seems.
func literals(text string) []string {
	var out []string
	for _, l := range sqlLiteral.FindAllString(text, -1) {
		l = strings.ReplaceAll(l[1:len(l)-1], "''", "'")
		if sqlStart.MatchString(l) {
			out = append(out, l)
		}
	}
	return out
}

// goLiterals are the strings of Go files that are SQL, it seems: what the program and the tests of this folder send.
func goLiterals(t *testing.T, dirs ...string) []string {
	t.Helper()
	var out []string
	for _, dir := range dirs {
		files, err := filepath.Glob(dir + "/*.go")
		require.NoError(t, err)
		for _, file := range files {
			f, err := goparser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				continue // the compiler says so
			}
			goast.Inspect(f, func(n goast.Node) bool {
				if l, ok := n.(*goast.BasicLit); ok && l.Kind == token.STRING {
					text, err := strconv.Unquote(l.Value)
					if text = goFormatVerb.ReplaceAllString(text, "x"); err == nil && sqlStart.MatchString(text) {
						out = append(out, text)
					}
				}
				return true
			})
		}
	}
	return out
}
