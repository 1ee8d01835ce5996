package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/kernel"
	"github.com/dbsched/dbsched/sandbox/oracle/ast"
)

func ref(parts ...string) *ast.Ref {
	r := &ast.Ref{}
	for _, p := range parts {
		r.Parts = append(r.Parts, ast.Name{Text: p})
	}
	return r
}

func fresh(t *testing.T) *Catalog {
	t.Helper()
	return New(kernel.New(kernel.Options{}))
}

func TestDual(t *testing.T) {
	c := fresh(t)
	o, rest, err := c.Resolve(Rights{User: "APP"}, "APP", ref("DUAL"))
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Equal(t, "SYS", o.Owner)
	require.Equal(t, ast.KindTable, o.Kind)
}
