package supplied

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
)

// specification parses the specification of a package.
func specification(t *testing.T, p Package) *ast.CreateUnit {
	t.Helper()
	s, err := parser.Statement("create or replace " + p.Spec)
	require.NoError(t, err, p.Name)
	unit, ok := s.(*ast.CreateUnit)
	require.True(t, ok, p.Name)
	return unit
}

func TestSpecificationsAndNativesAgree(t *testing.T) {
	for _, p := range Packages() {
		unit := specification(t, p)
		require.Equal(t, p.Name, unit.Name.Parts[0].Text)
		require.True(t, unit.CurrentUser || len(p.Natives) == 0, "%s: invoker's rights", p.Name)
		var want []string
		for _, d := range unit.Decls {
			s, ok := d.(*ast.Subprogram)
			if !ok {
				continue
			}
			key := s.Name.Text
			for i := 2; slices.Contains(want, key); i++ {
				key = fmt.Sprintf("%s#%d", s.Name.Text, i)
			}
			want = append(want, key)
		}
		var got []string
		for name := range p.Natives {
			got = append(got, name)
		}
		require.ElementsMatch(t, want, got, p.Name)
	}
}

// Oracle's order of the overloads that natives distinguish by number.
func TestOverloadsStandInTheOrderOfTheirTypes(t *testing.T) {
	for _, p := range Packages() {
		if p.Name != "DBMS_SQL" {
			continue
		}
		types := map[string][]string{}
		for _, d := range specification(t, p).Decls {
			s, ok := d.(*ast.Subprogram)
			if !ok || len(s.Params) < 3 {
				continue
			}
			written := s.Params[2].Type
			name := written.Name.String()
			if written.Zoned {
				name += " WITH TIME ZONE"
			}
			if list := types[s.Name.Text]; len(list) == 0 || list[len(list)-1] != name {
				types[s.Name.Text] = append(list, name)
			}
		}
		for _, name := range []string{"BIND_VARIABLE", "DEFINE_COLUMN"} {
			require.Len(t, types[name], len(dynamicTypes), name)
			for i, id := range dynamicTypes {
				require.Equal(t, id.String(), types[name][i], name)
			}
		}
	}
}
