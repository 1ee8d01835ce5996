package integration

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/templates"
)

// testsIn returns the tests of this package and of those below it, and whether they run on every engine: they call `each`, or loop
// over `engines`. The simulation has its own rules: it chooses its engines with a flag.
func testsIn(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "simulation"+string(filepath.Separator)) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == "TestMain" {
				continue
			}
			both := false
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					id, _ := c.Fun.(*ast.Ident)
					both = both || id != nil && (id.Name == "each" || id.Name == "engines")
				}
				return true
			})
			names[f.Name.Name] = both
		}
		return nil
	}))
	return names
}

// tables returns the rows of the tables of a file, by the title above them.
func tables(t *testing.T, path string) map[string][][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	out, title := map[string][][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			title = name
		}
		if strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|--") {
			out[title] = append(out[title], strings.Split(strings.Trim(line, "|"), "|"))
		}
	}
	for title, rows := range out {
		out[title] = rows[1:] // without the header
	}
	return out
}

var (
	testName = regexp.MustCompile(`\bTest\w+`)
	oneSided = regexp.MustCompile(`^Test(Live)?(MSSQL|Oracle)`)
	noEngine = regexp.MustCompile(`^Test(AuditTable|NamedDSN|RealServersAnswer|EveryRuleHasScenarios|NamesSayTheEngine|OpenPointsAreListed|NeutralScenariosHoldNoSQL|FilesAreNamedForTheirTopics|Clients)$`)
)

// TestNamesSayTheEngine: a scenario runs on every engine, or its name says which.
func TestNamesSayTheEngine(t *testing.T) {
	for name, both := range testsIn(t) {
		if !noEngine.MatchString(name) {
			require.Equal(t, oneSided.MatchString(name), !both, name)
		}
	}
}

// TestEveryRuleHasScenarios: each rule, each seed and each cell of the matrix names scenarios that exist. Each rule names its SQL, which is at the
// same place in both trees, and has at least one scenario that runs on both dialects, except who runs a task: that differs between engines.
func TestEveryRuleHasScenarios(t *testing.T) {
	tests, all := testsIn(t), tables(t, "README.md")
	for title, rows := range all {
		for _, row := range rows {
			names := testName.FindAllString(strings.Join(row[1:], " "), -1)
			require.NotEmpty(t, names, "%s: %s", title, row[0])
			both := false
			for _, name := range names {
				onBoth, ok := tests[name]
				require.True(t, ok, "%s: there is no %s", title, name)
				both = both || onBoth
			}
			if title == "The rules, and who shows them" && !strings.HasPrefix(strings.TrimSpace(row[0]), "14.") {
				require.True(t, both, "rule %s is shown on one engine alone", row[0])
			}
		}
	}
	rules := all["The rules, and who shows them"]
	require.Len(t, rules, 23)
	for i, row := range rules {
		require.True(t, strings.HasPrefix(strings.TrimSpace(row[0]), strconv.Itoa(i+1)+". "), row[0])
		for _, dialect := range []string{"mssql", "oracle"} {
			require.FileExists(t, fmt.Sprintf("../templates/%s/%s.sql", dialect, strings.Trim(row[1], " `")), row[0])
		}
	}
	require.Len(t, all["The published designs, and who runs them"], 5)
}

// TestOpenPointsAreListed: docs/live.md names every test of an open point, and no other.
func TestOpenPointsAreListed(t *testing.T) {
	text, err := os.ReadFile("../docs/live.md")
	require.NoError(t, err)
	tests := testsIn(t)
	for name := range tests {
		if strings.HasPrefix(name, "TestLive") {
			require.Regexp(t, name+`\b`, string(text))
		}
	}
	for _, name := range regexp.MustCompile(`\bTest\w+ *[,|]`).FindAllString(string(text), -1) {
		name = strings.TrimRight(name, " ,|")
		require.Contains(t, tests, name, "docs/live.md")
	}
}

// TestNeutralScenariosHoldNoSQL: scenarios not about one engine take their SQL from `statements`.
func TestNeutralScenariosHoldNoSQL(t *testing.T) {
	sql := regexp.MustCompile(`(?i)(^|[\s(;"'])(exec(ute)? +[\w.@\[]+|select .+|insert +into .+|update +\w+ +set .+|delete +from .+|declare +[@\w]+ .+|waitfor .+|(create|alter|drop|grant) +(table|procedure|user|job|session|view|role|login).*|begin +(tran|dbsched|dbms)\w*.*|from +(dual|sys\.|dbo\.|dbsched\.).*)`)
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasPrefix(path, "mssql_") || strings.HasPrefix(path, "oracle_") || path == "rules_test.go" {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				require.False(t, sql.MatchString(text), "%s: %s", fmt.Sprint(set.Position(lit.Pos())), text)
			}
			return true
		})
	}
}

// TestFilesAreNamedForTheirTopics: a folder of the templates, or one of those that doc.go names.
func TestFilesAreNamedForTheirTopics(t *testing.T) {
	topics := []string{"harness", "interface", "views", "seeds", "matrix", "live", "life", "verify", "rules"}
	for _, dialect := range []string{"mssql", "oracle"} {
		folders, err := fs.ReadDir(templates.Files(), dialect)
		require.NoError(t, err)
		for _, f := range folders {
			if f.IsDir() {
				topics = append(topics, f.Name())
			}
		}
	}
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(file, "_test.go"), "mssql_"), "oracle_")
		topic, _, _ := strings.Cut(name, "_")
		require.Contains(t, topics, topic, file)
	}
}
