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
	return supported().Check(Facts(n), text)
}

// TestNotModeled: what the parser accepts but nothing reads is refused by name and line.
func TestNotModeled(t *testing.T) {
	for _, c := range []struct {
		text, want string
		line       int
	}{
		{"insert /*+ append */ into t values (1)", "HINT in \"insert /*+ append */ into t values (1)\"", 1},
		{"select *\nfrom (select /*+ index(t ix) result_cache */ 1 from t)", "RESULT_CACHE in \"select /*+ index(t ix) result_cache */ 1 from t)\"", 2},
		{"begin\n  commit;\n  commit write nowait;\nend;", "NOWAIT in \"commit write nowait; end;\"", 3},
		{"commit write batch", "BATCH in \"commit write batch\"", 1},
		{"set transaction name 'x'", "NAME in \"set transaction name 'x'\"", 1},
		{"drop index i online", "ONLINE in \"drop index i online\"", 1},
		{"truncate table t reuse storage", "STORAGE in \"truncate table t reuse storage\"", 1},
		{"revoke select on t from u cascade constraints", "CONSTRAINTS in \"revoke select on t from u cascade constraints\"", 1},
		{"create function f return number result_cache is begin return 1; end;", "RESULT_CACHE in \"create function f return number result_cache is begin return …\"", 1},
		{"create package p is\n  function f return number result_cache;\nend;", "RESULT_CACHE in \"p is function f return number result_cache; end;\"", 2},
		{"create table t (a number) compress", "COMPRESS in \"compress\"", 1},
		{"alter system kill session '1,2' noreplay", "NOREPLAY in \"noreplay\"", 1},
	} {
		err := check(t, c.text)
		var e *sqlerr.Error
		require.ErrorAs(t, err, &e, "%s", c.text)
		require.Equal(t, int32(sqlerr.NotSupportedNumber), e.Number)
		require.Equal(t, "the sandbox does not model "+c.want, e.Text, "%s", c.text)
		require.Equal(t, c.line, e.Line, "%s", c.text)
	}
}

// TestTaken: what the user chooses is not a fact: names, literals, functions, parameters.
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
