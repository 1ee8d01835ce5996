package audit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// check is Check without the census.
func check(t *testing.T, text string) error {
	t.Helper()
	n, err := parser.Statement(text)
	require.NoError(t, err, "%s", text)
	return supported().Check(Facts(n))
}

// TestNotModelled: what the parser takes and nothing reads is refused by name and line.
func TestNotModelled(t *testing.T) {
	for _, c := range []struct {
		text, want string
		line       int
	}{
		{"insert /*+ append */ into t values (1)", "Insert with Hint", 1},
		{"select *\nfrom (select /*+ index(t ix) result_cache */ 1 from t)", "Select with Hint = RESULT_CACHE", 2},
		{"begin\n  commit;\n  commit write nowait;\nend;", "Commit with Nowait", 3},
		{"commit write batch", "Commit with Batch", 1},
		{"set transaction name 'x'", "SetTransaction with Name", 1},
		{"drop index i online", "Drop with Online", 1},
		{"truncate table t reuse storage", "Truncate with Storage", 1},
		{"revoke select on t from u cascade constraints", "Grant with Constraints", 1},
		{"create function f return number result_cache is begin return 1; end;", "Subprogram with ResultCache", 1},
		{"create package p is\n  function f return number result_cache;\nend;", "Subprogram with ResultCache", 2},
		{"create table t (a number) compress", "Option with Name = COMPRESS", 1},
		{"alter system kill session '1,2' noreplay", "Option with Name = NOREPLAY", 1},
	} {
		err := check(t, c.text)
		var e *sqlerr.Error
		require.ErrorAs(t, err, &e, "%s", c.text)
		require.Equal(t, int32(sqlerr.NotSupportedNumber), e.Number)
		require.Equal(t, "sandbox: not supported: "+c.want, e.Text, "%s", c.text)
		require.Equal(t, c.line, e.Line, "%s", c.text)
	}
}

// TestTaken: what is the user's is no fact: names, literals, functions, parameters.
func TestTaken(t *testing.T) {
	for _, text := range []string{
		"select zqz(:b, 'it''s', 1.5e3) as \"Zqz\" from zqz.zqz z where z.zqz = date '2020-01-01'",
		"select /*+ index(zqz (a b)) */ 1 from zqz",
		"alter session set zqz = 'x'",
		"grant create session to zqz",
		"create or replace package body zqz is zqz zqz.zqz%type; begin commit write immediate wait; end;",
	} {
		require.NoError(t, check(t, text), "%s", text)
	}
}

func TestHints(t *testing.T) {
	require.Equal(t, []string{"INDEX", "LEADING", "FULL"}, hints(" index (a (b c))leading(a,b)\n full(x"))
	require.Empty(t, hints(" "))
}
