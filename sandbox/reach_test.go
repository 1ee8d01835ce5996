package sandbox_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// TestExecuted: a sandbox with Cover knows the lines that were executed since its start, before the image too, of batches, views, and
// units that are gone; and those of existing units that were not. Another one at the same time, with the same texts, knows only its own.
func TestExecuted(t *testing.T) {
	for dialect, c := range map[string]struct {
		prepare, test []string
		want          []string
		rest          []int // lines of p
	}{
		"mssql": {
			prepare: []string{
				"CREATE VIEW dbo.v AS SELECT 1 AS n;",
				"CREATE FUNCTION dbo.f (@n int) RETURNS TABLE AS RETURN SELECT n FROM dbo.v WHERE n = @n;",
				"CREATE PROCEDURE dbo.p @n int AS\nIF @n = 1\n    SET @n = 2;\nELSE\n    SET @n = 3;",
				"CREATE PROCEDURE dbo.gone AS\nDECLARE @n int;\nSELECT @n = n FROM dbo.f(1);",
				"EXEC dbo.p 1;",
			},
			test: []string{"EXEC dbo.gone;", "DROP PROCEDURE dbo.gone;", "-- A batch.\nIF 1 = 0\n    EXEC dbo.p 2;"},
			want: []string{"-- A batch.\nIF 1 = 0\n    EXEC dbo.p 2;:2", "f:0", "gone:2", "gone:3", "p:2", "p:3", "v:0"},
			rest: []int{5},
		},
		"oracle": {
			prepare: []string{
				"create view v as select 1 as n from dual",
				"create view w as select n from v",
				"create procedure p (in_n in number) as l_n number;\nbegin\n    if in_n = 1 then\n        l_n := 2;\n    else\n        l_n := 3;\n    end if;\nend;",
				"create procedure gone as l_n number;\nbegin\n    execute immediate 'select n from w' into l_n;\nend;",
				"begin p(1); end;",
			},
			test: []string{"begin gone; end;", "drop procedure gone", "create or replace procedure p (in_n in number) as l_n number;\nbegin\n    l_n := 1;\nend;", "begin\n    -- A block.\n    if 1 = 0 then\n        p(2);\n    end if;\nend;"},
			want: []string{"GONE:3", "P:3", "P:4", "V:0", "W:0", "begin\n    -- A block.\n    if 1 = 0 then\n        p(2);\n    end if;\nend;:3"},
			rest: []int{3},
		},
	} {
		t.Run(dialect, func(t *testing.T) {
			exec := func(t *testing.T, box *sandbox.Server, texts []string) {
				t.Helper()
				db, err := sandboxtest.Open(dialect, box.DSN(), box.Dial)
				require.NoError(t, err)
				for _, text := range texts {
					_, err := db.ExecContext(t.Context(), text)
					require.NoError(t, err, text)
				}
				require.NoError(t, db.Close())
			}
			o := sandbox.Options{Dialect: dialect, Cover: true}
			prepare := func(t *testing.T, box *sandbox.Server) { t.Helper(); exec(t, box, c.prepare) }
			t.Run("other", func(t *testing.T) {
				t.Parallel()
				sandboxtest.Run(t, o, "texts", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
					t.Helper()
					exec(t, box, c.prepare[:4])
					require.NotContains(t, strings.ToLower(strings.Join(executed(box), " ")), "p:")
				})
			})
			t.Run("one", func(t *testing.T) {
				t.Parallel()
				for range 2 { // the second run of the same image knows nothing of the first
					sandboxtest.Run(t, o, "units", prepare, func(t *testing.T, box *sandbox.Server) {
						t.Helper()
						exec(t, box, c.test)
						require.Equal(t, c.want, executed(box))
						var rest []int
						for _, st := range box.Statements() {
							if unit, _, _ := strings.Cut(st.Unit, "."); strings.EqualFold(unit, "p") && !st.Ran {
								rest = append(rest, st.Line)
							}
						}
						require.Equal(t, c.rest, rest)
					})
				}
			})
		})
	}
}

// executed returns the lines of units, and of batches and blocks with a comment.
func executed(box *sandbox.Server) (lines []string) {
	for _, p := range box.Executed() {
		if p.Unit != "" || strings.Contains(p.Text, "-- ") {
			lines = append(lines, cmp.Or(p.Unit, p.Text)+":"+string(rune('0'+p.Line)))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
