package message

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// makers are the functions that create an error from a number, with the catalog and the position of the number among the arguments.
var makers = map[string]struct {
	catalog string
	place   int
}{
	"message.MS": {"ms", 0}, "message.ORA": {"ora", 0}, "message.PLS": {"pls", 0}, "plan.ErrPLS": {"pls", 0},
	"plan/ErrPLS": {"pls", 0}, "plan/fail": {"ora", 0}, "plsql/fail": {"pls", 1},
}

// bare are numbers that only SQLERRM, RAISE of a predefined exception, and the lexer use.
var bare = []int32{51, 911, 972, 1012, 1410, 1740, 1741, 1742, 1756, 6500, 6501, 6504, 6510, 6511, 6530, 6548, 6592, 30006, 30625}

// TestCatalog: each error that the sandbox raises has a row, with as many arguments as the text has verbs; each row is raised.
func TestCatalog(t *testing.T) {
	raised := map[string]map[int32]bool{"ms": {}, "ora": {}, "pls": {}}
	catalogs := map[string]map[int32]row{"ms": ms(), "ora": ora(), "pls": pls()}
	for _, n := range bare {
		raised["ora"][n] = true
	}
	verbs := regexp.MustCompile(`%[a-zA-Z]`)
	calls := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == "../message/message.go" {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && f.Name.Name == "parser" { // passed on to the parser's fail
				number, _ := strconv.Atoi(lit.Value)
				raised["ora"][int32(number)] = true
			}
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			called := f.Name.Name + "/"
			switch fn := c.Fun.(type) {
			case *ast.Ident:
				called += fn.Name
			case *ast.SelectorExpr:
				if x, ok := fn.X.(*ast.Ident); ok {
					if called += x.Name + "." + fn.Sel.Name; x.Name == "message" || x.Name == "plan" {
						called = x.Name + "." + fn.Sel.Name
					}
				}
			}
			m, ok := makers[called]
			if !ok || len(c.Args) <= m.place || c.Ellipsis != token.NoPos {
				return true
			}
			lit, ok := c.Args[m.place].(*ast.BasicLit)
			if !ok {
				return true
			}
			number, err := strconv.ParseInt(lit.Value, 10, 32)
			require.NoError(t, err)
			r, ok := catalogs[m.catalog][int32(number)]
			require.True(t, ok, "%s: %d is not in the catalog", files.Position(c.Pos()), number)
			require.Len(t, c.Args[m.place+1:], len(verbs.FindAllString(strings.ReplaceAll(r.text, "%%", ""), -1)), "%s: %d %s", files.Position(c.Pos()), number, r.text)
			raised[m.catalog][int32(number)] = true
			calls++
			return true
		})
		return nil
	}))
	require.Greater(t, calls, 1000)
	for n, rows := range catalogs {
		for number := range rows {
			require.True(t, raised[n][number], "%s %d is raised nowhere", n, number)
		}
	}
}
