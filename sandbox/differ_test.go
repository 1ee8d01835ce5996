package sandbox_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/sandbox/differ"
)

// TestDiffer: a sandbox refuses what is not a difference of its engine.
func TestDiffer(t *testing.T) {
	for _, o := range []sandbox.Options{
		{Differ: []differ.Difference{"nothing"}},
		{Differ: []differ.Difference{differ.BreaksAreHandled}},
		{Dialect: "oracle", Differ: []differ.Difference{differ.BreaksAreHandled, differ.KillRefused}},
	} {
		_, err := sandbox.Start(t.Context(), o)
		require.ErrorContains(t, err, `is called "`+string(o.Differ[len(o.Differ)-1])+`"`)
	}
}

// TestDifferences: every constant is a difference of one engine, with a comment that says what happens instead.
func TestDifferences(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "differ/differ.go", nil, parser.ParseComments)
	require.NoError(t, err)
	var named []differ.Difference
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.ValueSpec); ok {
			require.NotNil(t, c.Comment, c.Names[0].Name)
			text, err := strconv.Unquote(c.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			named = append(named, differ.Difference(text))
		}
		return true
	})
	all := slices.Concat(differ.Of("mssql"), differ.Of("oracle"))
	require.ElementsMatch(t, named, all)
}
