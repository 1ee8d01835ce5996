package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/templates"
)

// TestMistakes: the mistakes of small texts.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		dialect, source string
		want            []string
	}{
		{"mssql", "IF @A < 1 AND @B IS NULL\n    SET @C = 2;\nELSE\n    EXEC p @X = 1, @Y = 2;", []string{
			"argument dropped: IF @A < 1 AND @B IS NULL\n    SET @C = 2;\nELSE\n    EXEC p @X = 1;",
			"argument dropped: IF @A < 1 AND @B IS NULL\n    SET @C = 2;\nELSE\n    EXEC p  @Y = 2;",
			"branch deleted: IF @A < 1 AND @B IS NULL\n    SET @C = 2;\n",
			"condition negated: IF not (@A < 1 AND @B IS NULL)\n    SET @C = 2;\nELSE\n    EXEC p @X = 1, @Y = 2;",
			"condition negated: IF @A < 1 OR @B IS NULL\n    SET @C = 2;\nELSE\n    EXEC p @X = 1, @Y = 2;",
			"condition negated: IF @A < 1 AND @B IS NOT NULL\n    SET @C = 2;\nELSE\n    EXEC p @X = 1, @Y = 2;",
			"operand dropped: IF @A < 1 \n    SET @C = 2;\nELSE\n    EXEC p @X = 1, @Y = 2;",
			"operand dropped: IF  @B IS NULL\n    SET @C = 2;\nELSE\n    EXEC p @X = 1, @Y = 2;",
			"statement deleted: SET NOCOUNT ON;",
			"statement deleted: IF @A < 1 AND @B IS NULL\n    SET NOCOUNT ON;\nELSE\n    EXEC p @X = 1, @Y = 2;",
			"statement deleted: IF @A < 1 AND @B IS NULL\n    SET @C = 2;\nELSE\n    SET NOCOUNT ON;",
		}},
		{"mssql", "UPDATE t SET t.A = CASE WHEN x BETWEEN 1 AND 2 THEN 3 ELSE NULL END, t.B = 5 FROM t WITH (ROWLOCK, UPDLOCK) WHERE t.C = ISNULL(@D, 0);", []string{
			"column dropped: UPDATE t SET  t.B = 5 FROM t WITH (ROWLOCK, UPDLOCK) WHERE t.C = ISNULL(@D, 0);",
			"column dropped: UPDATE t SET t.A = CASE WHEN x BETWEEN 1 AND 2 THEN 3 ELSE NULL END FROM t WITH (ROWLOCK, UPDLOCK) WHERE t.C = ISNULL(@D, 0);",
			"condition dropped: UPDATE t SET t.A = CASE WHEN x BETWEEN 1 AND 2 THEN 3 ELSE NULL END, t.B = 5 FROM t WITH (ROWLOCK, UPDLOCK) ;",
			"lock dropped: UPDATE t SET t.A = CASE WHEN x BETWEEN 1 AND 2 THEN 3 ELSE NULL END, t.B = 5 FROM t WITH ( UPDLOCK) WHERE t.C = ISNULL(@D, 0);",
			"lock dropped: UPDATE t SET t.A = CASE WHEN x BETWEEN 1 AND 2 THEN 3 ELSE NULL END, t.B = 5 FROM t WITH (ROWLOCK) WHERE t.C = ISNULL(@D, 0);",
			"null handled otherwise: UPDATE t SET t.A = CASE WHEN x BETWEEN 1 AND 2 THEN 3 ELSE NULL END, t.B = 5 FROM t WITH (ROWLOCK, UPDLOCK) WHERE t.C = @D;",
			"row dropped: UPDATE t SET t.A = CASE  ELSE NULL END, t.B = 5 FROM t WITH (ROWLOCK, UPDLOCK) WHERE t.C = ISNULL(@D, 0);",
		}},
		{"oracle", "begin\n  a;\n  if x then b; elsif y then null; end if;\n  select 1 into c from t for update wait 10;\nexception\n  when others then d;\nend;", []string{
			"branch deleted: begin\n  a;\n  if x then b;  end if;\n  select 1 into c from t for update wait 10;\nexception\n  when others then d;\nend;",
			"branch deleted: begin\n  a;\n  if x then b; elsif y then null; end if;\n  select 1 into c from t for update wait 10;\n\nend;",
			"condition negated: begin\n  a;\n  if not (x) then b; elsif y then null; end if;\n  select 1 into c from t for update wait 10;\nexception\n  when others then d;\nend;",
			"condition negated: begin\n  a;\n  if x then b; elsif not (y) then null; end if;\n  select 1 into c from t for update wait 10;\nexception\n  when others then d;\nend;",
			"lock dropped: begin\n  a;\n  if x then b; elsif y then null; end if;\n  select 1 into c from t ;\nexception\n  when others then d;\nend;",
			"lock dropped: begin\n  a;\n  if x then b; elsif y then null; end if;\n  select 1 into c from t for update ;\nexception\n  when others then d;\nend;",
			"statement deleted: begin\n  null;\n  if x then b; elsif y then null; end if;\n  select 1 into c from t for update wait 10;\nexception\n  when others then d;\nend;",
			"statement deleted: begin\n  a;\n  null;\n  select 1 into c from t for update wait 10;\nexception\n  when others then d;\nend;",
			"statement deleted: begin\n  a;\n  if x then null; elsif y then null; end if;\n  select 1 into c from t for update wait 10;\nexception\n  when others then d;\nend;",
			"statement deleted: begin\n  a;\n  if x then b; elsif y then null; end if;\n  select 1 into c from t for update wait 10;\nexception\n  when others then null;\nend;",
		}},
	} {
		var got []string
		for _, m := range mutants(c.dialect, c.dialect+"/x.sql", c.source) {
			got = append(got, m.kind+": "+m.in(c.source))
		}
		require.Subset(t, got, c.want)
	}
	for _, source := range []string{"SET @A = LEN(@B); SET @C = 2;", "DENY EXECUTE ON a TO b; DENY EXECUTE ON c TO d;", "IF EXISTS (SELECT 1 FROM t) SET @A = 1;"} {
		for _, m := range mutants("mssql", "mssql/x.sql", source) {
			require.NotEqual(t, "statements swapped", m.kind)
			require.NotContains(t, m.in(source), "SELECT 2")
		}
	}
	for _, source := range []string{
		"begin a.b := substr(c, 1, 5); a.d := nvl(e, 7); end;", // neither mentions what the other sets, and position 0 is position 1
	} {
		for _, m := range mutants("oracle", "oracle/x.sql", source) {
			require.NotEqual(t, "statements swapped", m.kind)
			require.NotContains(t, m.in(source), "c, 0,")
		}
	}
	for _, source := range []string{"begin a := 1; b := f(a); end;", "begin a := 1; b := a; end;", "begin a := next_of(1); b := 2; end;"} {
		require.True(t, slices.ContainsFunc(mutants("oracle", "oracle/x.sql", source), func(m mutant) bool { return m.kind == "statements swapped" }), source)
	}
}

// TestEveryMistake: each has a name of its own and changes its template, and all statements of the templates are found.
func TestEveryMistake(t *testing.T) {
	all, err := options{all: true}.every()
	require.NoError(t, err)
	ids := map[string]bool{}
	deleted := map[string]int{}
	for _, m := range all {
		require.False(t, ids[m.id], "%s twice: %s:%d %s", m.id, m.file, m.line, m.kind)
		ids[m.id] = true
		require.NotEqual(t, m.source(), m.in(m.source()))
		if m.kind == "statement deleted" {
			deleted[m.file]++
		}
	}
	require.NoError(t, fs.WalkDir(templates.Files(), ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".sql" {
			return err
		}
		source, err := fs.ReadFile(templates.Files(), file)
		bodies := 0
		for _, t := range tokens(string(source)) {
			if t.is("BEGIN") {
				bodies++
			}
		}
		if bodies > 0 {
			require.Positive(t, deleted[file], file)
		}
		return err
	}))
}

// TestResume: results are read again, but for a last line that was cut.
func TestResume(t *testing.T) {
	c := &campaign{results: filepath.Join(t.TempDir(), "r.jsonl"), done: map[string]result{}}
	require.NoError(t, c.resume(), "there is none yet")
	for _, id := range []string{"a", "b"} {
		require.NoError(t, c.note(result{ID: id, Verdict: killed, Diff: strings.Repeat("-", 100000)}))
	}
	text, err := os.ReadFile(c.results)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(c.results, text[:len(text)-10], 0o644))
	again := &campaign{results: c.results, done: map[string]result{}}
	require.NoError(t, again.resume())
	require.Equal(t, map[string]result{"a": c.done["a"]}, again.done)
}

// TestRefuses: what the server does not take does not count; a check of dbsched's that fails does.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		stored  bool
		err     string
		refuses bool
	}{{true, "", false}, {true, "dbsched 51080: no", true}, {false, "Incorrect syntax near 'x'", true}, {false, "ORA-20080: dbsched 20080: no", false}} {
		var err error
		if c.err != "" {
			err = errors.New(c.err)
		}
		require.Equal(t, c.refuses, refuses(place{stored: c.stored}, err), c.err)
	}
}

// TestInterval: the share of mistakes that are noticed, of a sample.
func TestInterval(t *testing.T) {
	low, high := interval(138, 150)
	require.Equal(t, "0.87 0.95", fmt.Sprintf("%.2f %.2f", low, high))
}
