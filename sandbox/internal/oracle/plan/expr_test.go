package plan

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// outcome is the value of an expression, or the error of compiling or evaluating it.
func outcome(t *testing.T, sc *fakeScope, e ast.Expr, condition bool) string {
	t.Helper()
	compile := CompileExpr
	if condition {
		compile = CompileCondition
	}
	x, err := compile(sc, e)
	if err == nil {
		var v value.Value
		if v, err = x.Value(&fakeEnv{}); err == nil {
			return show(t, x, v)
		}
	} else if _, ok := Where(err); !ok {
		t.Errorf("no position in %v", err)
	}
	se := err.(*sqlerr.Error) //nolint:errorlint // always one
	if se.Number == 6550 || se.Number == sqlerr.NotSupportedNumber {
		return se.Text
	}
	return fmt.Sprintf("ORA-%05d: %s", se.Number, se.Text)
}

func TestExpressions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// literals, arithmetic, text
		{"1 + 2 * 3", "7"}, {"-(4)", "-4"}, {"7 / 2", "3.5"}, {"1 / 0", "ORA-01476: divisor is equal to zero"},
		{"'a' || 1 || NULL", "a1"}, {"''", "NULL"}, {"'5' + 1", "6"}, {"'x' + 1", "ORA-01722: invalid number"},
		{"NULL + 1", "NULL"}, {"2147483647 + 1", "2147483648"}, {"q'[it's]'", "it's"},
		{"DATE '2026-02-28' + 1", "2026-03-01 00:00:00"}, {"DATE '2026-02-29'", "ORA-01839: date not valid for month specified"},
		{"TIMESTAMP '2026-01-01 10:00:00.5' + INTERVAL '1' MINUTE", "2026-01-01 10:01:00.500000000"},
		{"DATE '2026-03-01' - DATE '2026-02-01'", "28"}, {"DATE '2026-03-01' + DATE '2026-02-01'", "ORA-00975: date + date not allowed"},
		{"INTERVAL '90' MINUTE", "+00 01:30:00.000000"},
		{"TIMESTAMP '2026-01-01 10:00:00 +02:00' AT TIME ZONE 'UTC'", "2026-01-01 08:00:00.000000000 UTC"},
		{"SYSTIMESTAMP AT TIME ZONE '+01:00'", "2026-11-20 13:34:56.789000 +01:00"},
		{"SYSDATE AT TIME ZONE 'UTC'", "ORA-30084: invalid data type for datetime primary with time zone modifier"},
		{"EXTRACT(DAY FROM INTERVAL '3 04:05:06' DAY TO SECOND)", "3"}, {"EXTRACT(YEAR FROM SYSDATE)", "2026"},
		{"EXTRACT(HOUR FROM SYSDATE)", "ORA-30076: invalid extract field for extract source"},
		{"EXTRACT(SECOND FROM SYSTIMESTAMP)", "56.789"},
		{"TRIM('  a ')", "a"},
		// CAST
		{"CAST('12' AS NUMBER(5))", "12"}, {"CAST(12.345 AS NUMBER(5,2))", "12.35"}, {"CAST('abcdef' AS VARCHAR2(3))", "abc"},
		{"CAST(1 AS VARCHAR2)", "ORA-00906: missing left parenthesis"}, {"CAST(SYSTIMESTAMP AS DATE)", "2026-11-20 12:34:56"},
		{"CAST(SYSDATE AS NUMBER)", "ORA-00932: inconsistent datatypes: expected NUMBER got DATE"},
		// CASE and the like
		{"CASE WHEN 1 = 2 THEN 'a' WHEN NULL = 1 THEN 'b' ELSE 'c' END", "c"}, {"CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'bb' END", "bb"},
		{"CASE NULL WHEN NULL THEN 1 END", "NULL"}, {"CASE WHEN 1 = 1 THEN 1 ELSE 'a' END", "ORA-00932: inconsistent datatypes: expected NUMBER got CHAR"},
		{"CASE WHEN 1 = 1 THEN 1 ELSE BOOM END", "1"}, {"CASE F(1) WHEN 1 THEN 1 WHEN 2 THEN 2 END", "2"},
		{"DECODE(NULL, 1, 'a', NULL, 'b')", "b"}, {"DECODE(3, 1, 'a', 2, 'b')", "NULL"}, {"DECODE(1, 1, 'a', BOOM, 'b')", "a"},
		{"DECODE(2, 1, 'a', 'c')", "c"}, {"DECODE(1, 2)", "ORA-00938: not enough arguments for function"},
		{"NVL(NULL, 'x')", "x"}, {"NVL(1, 'x')", "ORA-01722: invalid number"}, {"NVL2(1, 'a', 'b')", "a"}, {"COALESCE(NULL, N, BOOM)", "5"}, {"NULLIF(1, 1)", "NULL"},
		{"GREATEST(1, 3, 2)", "3"}, {"LEAST('b', 'a')", "a"},
		// functions
		{"SUBSTR('hello', -3, 2)", "ll"}, {"LENGTH('')", "NULL"}, {"TO_CHAR(SYSDATE, 'YYYY-MM-DD')", "2026-11-20"}, {"MOD(7, 3)", "1"},
		{"LENGTH(C)", "8"}, {"RTRIM(C)", "a clob"}, {"INSTR(C, 'clob')", "3"}, {"SUBSTR(C, 3, 4)", "clob"}, {"LENGTH(E)", "0"}, {"UPPER(C)", "A CLOB  "},
		{"SUBSTR('a')", "ORA-00938: not enough arguments for function"}, {"LOWER('a', 'b')", "ORA-00909: invalid number of arguments"},
		{"NOSUCH(1)", `ORA-00904: "NOSUCH": invalid identifier`}, {"NOSUCH", `ORA-00904: "NOSUCH": invalid identifier`},
		{`a."b"`, `ORA-00904: "A"."b": invalid identifier`}, {"F(2) + :x", "10"}, {"N", "5"},
		{"LEVEL", `ORA-00904: "LEVEL": invalid identifier`},
		{"F(DISTINCT 2)", "ORA-30482: DISTINCT option not allowed for this function"}, {"F(2) OVER ()", "the sandbox does not model OVER of \"F\""},
		{"RANK()", "ORA-30484: missing window specification for this function"}, {"ROW_NUMBER() OVER (ORDER BY 1)", "ORA-30483: window  functions are not allowed here"},
		{"MAX(1)", "ORA-00934: group function is not allowed here"}, {"B", "PLS-00382: expression is of wrong type"},
		{"REC", "ref"}, {"REC || 'x'", "PLS-00306: wrong number or types of arguments in call to '||'"},
		// sequences
		{"SEQ.NEXTVAL", "1"}, {"APP.SEQ.NEXTVAL || SEQ.CURRVAL", "11"}, {"SEQ.CURRVAL", "ORA-08002: sequence SEQ.CURRVAL is not yet defined in this session"},
		{"NOSEQ.NEXTVAL", "ORA-02289: sequence does not exist"},
	} {
		require.Equal(t, c.want, outcome(t, newScope(false), parseSQL(t, c.text, false), false), c.text)
	}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 = 1", "true"}, {"1 = '1'", "true"}, {"NULL = NULL", "NULL"}, {"NOT NULL = 1", "NULL"}, {"'a' = 'a  '", "true"}, {"S = 'abc '", "false"},
		{"1 = 1 AND NULL = 1", "NULL"}, {"1 = 2 AND NULL = 1", "false"}, {"1 = 1 OR NULL = 1", "true"}, {"1 = 2 OR NULL = 1", "NULL"},
		{"1 = 2 AND BOOM = 1", "false"}, {"5 BETWEEN 1 AND N", "true"}, {"F(5) NOT BETWEEN 1 AND N", "true"}, {"NULL BETWEEN 1 AND 2", "NULL"},
		{"2 IN (1, 2, NULL)", "true"}, {"3 IN (1, 2, NULL)", "NULL"}, {"3 NOT IN (1, 2)", "true"}, {"(1, 2) IN ((1, 1), (1, 2))", "true"},
		{"(1, NULL) IN ((2, 3))", "false"}, {"(1, 2) IN ((1, 2, 3))", "ORA-00913: too many values"},
		{"'a_c' LIKE 'a\\_c' ESCAPE '\\'", "true"}, {"'abc' LIKE 'a_%'", "true"}, {"NULL LIKE '%'", "NULL"}, {"'a' LIKE 'b\\' ESCAPE '\\'", "ORA-01424: missing or illegal character following the escape character"},
		{"15 LIKE '1%'", "true"}, {"C LIKE '%clob%'", "true"}, {"C = 'x'", "ORA-00932: inconsistent datatypes: expected - got CLOB"},
		{"'' IS NULL", "true"}, {"E IS NULL", "false"}, {"REC IS NULL", "false"}, {"C IS NOT NULL", "true"},
		{"REGEXP_LIKE('abc', '^a.c$')", "true"}, {"REGEXP_LIKE(NULL, 'a')", "NULL"},
		{"SYSDATE > DATE '2026-01-01'", "true"}, {"SYSDATE = 1", "ORA-00932: inconsistent datatypes: expected DATE got NUMBER"},
		{"SYSDATE < '01-JAN-27'", "true"}, {"B = 1", "PLS-00382: expression is of wrong type"}, {"N = S", "ORA-01722: invalid number"},
	} {
		require.Equal(t, c.want, outcome(t, newScope(false), parseSQL(t, c.text, true), true), c.text)
	}
}

func TestPLSQL(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 + 1", "2"}, {"2147483647 + 1", "ORA-01426: numeric overflow"}, {"2147483647 + 1.0", "2147483648"}, {"I * 2", "10"}, {"7 MOD 4", "3"}, {"2 ** 10", "1024"},
		{"'x' + 1", "ORA-06502: PL/SQL: numeric or value error: character to number conversion error"},
		{"B", "true"}, {"B AND 1 = 1", "true"}, {"NOT B", "false"}, {"B OR BOOM = 1", "true"}, {"NOT B AND BOOM = 1", "false"}, {"B = (1 = 1)", "true"}, {"1 = NULL", "NULL"},
		{"B + 1", "PLS-00306: wrong number or types of arguments in call to '+'"}, {"B || 'x'", "PLS-00306: wrong number or types of arguments in call to '||'"},
		{"REC = 1", "PLS-00306: wrong number or types of arguments in call to '='"}, {"SYSDATE + SYSDATE", "PLS-00306: wrong number or types of arguments in call to '+'"},
		{"NOSUCH", "PLS-00201: identifier 'NOSUCH' must be declared"}, {"nosuch.x(1)", "PLS-00201: identifier 'NOSUCH.X' must be declared"}, {"nosuch(1)", "PLS-00201: identifier 'NOSUCH' must be declared"},
		{"C = 'a clob  '", "true"}, {"C = 'a clob'", "false"}, {"C || 'x'", "a clob  x"}, {"LENGTH(C)", "8"}, {"SUBSTR(C, 1, 1)", "a"},
		{"CASE WHEN B THEN 1 ELSE 2 END", "1"}, {"CASE N WHEN 5 THEN B ELSE FALSE END", "true"}, {"CASE WHEN 1 THEN 1 END", "PLS-00382: expression is of wrong type"},
		{"NVL(B, FALSE)", "true"}, {"COALESCE(NULL, 2)", "2"}, {"DECODE(1, 1, 2)", "PLS-00204: function or pseudo-column 'DECODE' may be used inside a SQL statement only"},
		{"NVL2(1, 2, 3)", "PLS-00201: identifier 'NVL2' must be declared"}, {"ROWNUM", "PLS-00204: function or pseudo-column 'ROWNUM' may be used inside a SQL statement only"},
		{"COUNT(1)", "PLS-00204: function or pseudo-column 'COUNT' may be used inside a SQL statement only"},
		{"SUBSTR(1)", "PLS-00306: wrong number or types of arguments in call to 'SUBSTR'"}, {"LENGTH(B)", "PLS-00306: wrong number or types of arguments in call to 'LENGTH'"},
		{"SEQ.NEXTVAL", "1"}, {"SEQ.NEXTVAL + SEQ.NEXTVAL", "3"}, {"NOSEQ.NEXTVAL", "ORA-02289: sequence does not exist"},
		{"REGEXP_LIKE(S, 'B', 'i')", "true"}, {"S IN ('x', 'abc')", "true"}, {"S LIKE 'a%'", "true"}, {"N BETWEEN 1 AND 5", "true"}, {"S IS NOT NULL", "true"},
		{"CAST(S AS VARCHAR2(3))", "abc"}, {"TO_CHAR(SYSTIMESTAMP, 'FF3')", "789"}, {"EXTRACT(MONTH FROM SYSDATE)", "11"},
	} {
		require.Equal(t, c.want, outcome(t, newScope(true), parsePLSQL(t, c.text), false), c.text)
	}
	for text, want := range map[string]string{
		"NULL": "NULL", "B": "true", "N": "PLS-00382: expression is of wrong type", "'TRUE'": "PLS-00382: expression is of wrong type",
	} {
		require.Equal(t, want, outcome(t, newScope(true), parsePLSQL(t, text), true), text)
	}
}

func TestConvertTo(t *testing.T) {
	plsql := func(text string, to datatype.Type) string {
		e := parsePLSQL(t, text)
		var x *Expr
		err := compile(newScope(true), func(c *compiler) { x = ConvertTo(c.whole(c.binder().bind(e)), to, true) })
		if err == nil {
			var v value.Value
			if v, err = x.Value(&fakeEnv{}); err == nil {
				return show(t, x, v)
			}
		}
		return err.(*sqlerr.Error).Text //nolint:errorlint // always one
	}
	for _, c := range []struct {
		text string
		to   datatype.Type
		want string
	}{
		{"'abc'", datatype.Sized(datatype.Varchar2, 3), "abc"}, {"12.345", datatype.NumberOf(4, 1), "12.3"},
		{"'abcd'", datatype.Sized(datatype.Varchar2, 3), "PL/SQL: numeric or value error: character string buffer too small"},
		{"12345", datatype.NumberOf(4, 0), "PL/SQL: numeric or value error: number precision too large"},
		{"'12'", datatype.Of(datatype.Number), "12"}, {"N", datatype.Of(datatype.PLSInteger), "5"}, {"NULL", boolean, "NULL"},
		{"1", boolean, "PLS-00382: expression is of wrong type"}, {"REC", datatype.Of(datatype.Number), "PLS-00382: expression is of wrong type"},
		{"'a'", datatype.Sized(datatype.Char, 3), "a  "}, {"S", datatype.Of(datatype.CLOB), "abc"}, {"C", datatype.Sized(datatype.Varchar2, 10), "a clob  "},
		{"F(1) BETWEEN 1 AND 2", boolean, "true"}, {"CASE F(1) WHEN 1 THEN 'x' WHEN 2 THEN '2' END", datatype.Of(datatype.Number), "2"},
		{"'01-JAN-26'", datatype.Of(datatype.Date), "2026-01-01 00:00:00"}, {"SYSTIMESTAMP", datatype.Of(datatype.Timestamp), "2026-11-20 12:34:56.789000"},
	} {
		require.Equal(t, c.want, plsql(c.text, c.to), c.text)
	}
}

// TestOnce checks what is evaluated once per statement, and what once per use.
func TestOnce(t *testing.T) {
	sc := newScope(false)
	require.Equal(t, "0", outcome(t, sc, parseSQL(t, "SYSDATE - SYSDATE", false), false))
	require.Equal(t, 1, *sc.calls)
	sc = newScope(false)
	require.Equal(t, "true", outcome(t, sc, parseSQL(t, "F(1) IN (5, 4, 2)", true), true))
	require.Equal(t, 1, *sc.calls)
	sc = newScope(true)
	require.Equal(t, "2", outcome(t, sc, parsePLSQL(t, "F(1)"), false))
	require.Equal(t, 1, *sc.calls)
}

// TestPlace checks that an error's place is that of the name.
func TestPlace(t *testing.T) {
	_, err := CompileExpr(newScope(false), parseSQL(t, "1 +\n  nosuch", false))
	at, ok := Where(err)
	require.True(t, ok)
	require.Equal(t, []int{2, 3}, []int{at.Line, at.Column})
}

// people is a table with a number, a text, a date and a CLOB.
func people() *catalog.Table {
	return &catalog.Table{Columns: []catalog.Column{
		{Name: "ID", Type: datatype.NumberOf(10, 0)}, {Name: "NAME", Type: datatype.Sized(datatype.Varchar2, 10), Nullable: true},
		{Name: "BORN", Type: datatype.Of(datatype.Date), Nullable: true}, {Name: "NOTE", Type: datatype.Of(datatype.CLOB), Nullable: true},
		{Name: "UNSEEN", Type: datatype.Of(datatype.Number), Hidden: true},
	}}
}

func TestRows(t *testing.T) {
	row := value.Row{value.NewInt(3), value.NewString("Ann"), value.NewTime(noon-noon%datatype.TicksPerSecond, 0), value.NewString("x"), {}}
	for _, c := range []struct {
		text, want string
		pure       bool
	}{
		{"id + 1", "4", true}, {"UPPER(name)", "ANN", true}, {"CASE WHEN id > 2 THEN name END", "Ann", true}, {"LENGTH(note)", "1", true},
		{"born - 1", "2026-11-19 12:34:56", true}, {"nosuch", `ORA-00904: "NOSUCH": invalid identifier`, false}, {"sys_nc00005$", `ORA-00904: "SYS_NC00005$": invalid identifier`, false},
		{"(SELECT 1 FROM dual)", "ORA-02251: subquery not allowed here", false}, {"SEQ.NEXTVAL", "ORA-02287: sequence number not allowed here", false},
		{"SYSDATE - born", "0", false}, {"F(id)", "4", false}, {"ROWNUM", "ORA-00976: Specified pseudocolumn or operator not allowed here.", false},
	} {
		r, err := CompileRow(newScope(false), people(), parseSQL(t, c.text, false))
		if err != nil {
			se := err.(*sqlerr.Error) //nolint:errorlint // always one
			require.Equal(t, c.want, fmt.Sprintf("ORA-%05d: %s", se.Number, se.Text), c.text)
			continue
		}
		require.Equal(t, c.want, show(t, &Expr{Type: r.Type}, r.Eval(&fakeEnv{}, row)), c.text)
		require.Equal(t, c.pure, r.Pure, c.text)
	}
	check, err := CompileRow(newScope(false), people(), parseSQL(t, "id IN (1, 2) OR name IS NULL", true))
	require.NoError(t, err)
	require.Equal(t, expression.False, check.Eval(&fakeEnv{}, row))
}

// TestShapes checks what a query may know about conditions.
func TestShapes(t *testing.T) {
	shapes := map[expression.Shape]string{expression.Opaque: "opaque", expression.Constant: "constant", expression.Fixed: "fixed", expression.Column: "column", expression.And: "and", expression.Or: "or", expression.Not: "not",
		expression.Compare: "compare", expression.IsNull: "isNull", expression.InList: "inList", expression.InQuery: "inQuery", expression.Exists: "exists"}
	for _, c := range []struct{ text, want string }{
		{"id = 1", "compare column constant"}, {"id = :b", "compare column fixed"}, {"2 < id", "compare constant column"}, {"id = N + 1", "compare column fixed"},
		{"name = 'x'", "compare column constant"}, {"name = 1", "compare opaque constant"}, {"born > SYSTIMESTAMP", "compare opaque fixed"}, {"born > SYSDATE", "compare column fixed"},
		{"id = F(1)", "compare column opaque"}, {"name IS NULL", "isNull column"}, {"name IS NOT NULL", "not isNull"}, {"id IN (1, 2)", "inList compare compare"},
		{"id = 1 OR id = 2", "or compare compare"}, {"id BETWEEN 1 AND 2", "and compare compare"}, {"F(id) BETWEEN 1 AND 2", "opaque compare compare"},
		{"UPPER(name) = 'X'", "compare opaque constant"}, {"name = 'x' AND id = 1", "and compare compare"}, {"id = '7'", "compare column constant"},
	} {
		require.NoError(t, compile(newScope(false), func(cc *compiler) {
			b := cc.binder().with(&source{alias: "P", cols: tableColumns(people(), cc.Slot(5))})
			e := b.cond(parseSQL(t, c.text, true))
			got := shapes[e.Shape]
			for _, a := range e.Args {
				got += " " + shapes[a.Shape]
			}
			require.Equal(t, c.want, got, c.text)
			require.Equal(t, []int{0}, e.Refs.List(), c.text)
		}))
	}
}

// TestKeys checks that equal expressions are known to be equal, and others not.
func TestKeys(t *testing.T) {
	key := func(text string) (out string) {
		require.NoError(t, compile(newScope(false), func(cc *compiler) {
			out = cc.binder().with(&source{alias: "P", cols: tableColumns(people(), cc.Slot(5))}).expr(parseSQL(t, text, false)).Key
		}))
		return out
	}
	require.Equal(t, key("id + 1"), key("p.id+1"))
	require.Equal(t, key("CASE WHEN id = 1 THEN name END"), key("case when p.id = 1 then p.name end"))
	require.Equal(t, key("TRUNC(born, 'MM')"), key("TRUNC(born, 'MM')"))
	for _, pair := range [][2]string{{"id + 1", "id + 2"}, {"id + 1", "id - 1"}, {"TRUNC(born, 'MM')", "TRUNC(born, 'YY')"}, {"CAST(id AS NUMBER(3))", "CAST(id AS NUMBER(4))"},
		{"EXTRACT(DAY FROM born)", "EXTRACT(MONTH FROM born)"}, {"id || 1", "id || '1'"}} {
		require.NotEqual(t, key(pair[0]), key(pair[1]))
	}
	require.Empty(t, key("F(id)"))
}
