package parser

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

var update = flag.Bool("update", false, "write the golden files anew")

// statements splits a file of the corpus at lines that have only a slash.
func statements(tb testing.TB, file string) []string {
	tb.Helper()
	text, err := os.ReadFile(file)
	require.NoError(tb, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n/\n")
}

func corpus(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob("testdata/*.sql")
	require.NoError(tb, err)
	require.NotEmpty(tb, files)
	return files
}

func TestGolden(t *testing.T) {
	for _, file := range corpus(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var got strings.Builder
			for _, text := range statements(t, file) {
				s, err := Statement(text)
				require.NoError(t, err, text)
				got.WriteString(dump(s))
				got.WriteByte('\n')
			}
			golden := strings.TrimSuffix(file, ".sql") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String())
		})
	}
}

// Every node has a position, names and literals are found there, and no node begins before its parent.
func TestPositions(t *testing.T) {
	for _, file := range corpus(t) {
		for _, text := range statements(t, file) {
			s, err := Statement(text)
			require.NoError(t, err)
			if u, ok := s.(*ast.CreateUnit); ok {
				require.True(t, strings.HasSuffix(text, u.Source))
				text = u.Source
			}
			checkPositions(t, text, reflect.ValueOf(s), ast.Pos{})
		}
	}
}

func checkPositions(t *testing.T, text string, v reflect.Value, parent ast.Pos) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			checkPositions(t, text, v.Elem(), parent)
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			checkPositions(t, text, v.Index(i), parent)
		}
		return
	case reflect.Struct:
	default:
		return
	}
	n, ok := v.Interface().(ast.Node)
	require.True(t, ok, "%s has no position", v.Type())
	p := n.Position()
	before := text[:p.Offset]
	require.Equal(t, strings.Count(before, "\n")+1, p.Line, "%T", n)
	require.Equal(t, p.Offset-strings.LastIndex(before, "\n"), p.Column, "%T", n)
	require.GreaterOrEqual(t, p.Offset, parent.Offset, "%T", n)
	require.NotContains(t, " \n\t", text[p.Offset:p.Offset+1], "%T", n)
	starts := func(s string) {
		require.True(t, strings.HasPrefix(strings.ToUpper(text[p.Offset:]), strings.ToUpper(s)), "%T %q", n, s)
	}
	switch n := n.(type) {
	case ast.Pos:
		return
	case ast.Name:
		starts(nameText(n)[:1])
		if !strings.Contains(n.Text, " ") { // INTERVAL DAY TO SECOND
			starts(nameText(n))
		}
	case ast.Number:
		starts(n.Text)
	case ast.Bind:
		starts(":" + n.Name)
	case ast.Select:
		starts("SELECT")
	case ast.ExecuteImmediate:
		starts("EXECUTE IMMEDIATE")
	}
	for i := 1; i < v.NumField(); i++ {
		checkPositions(t, text, v.Field(i), p)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text, want string
		line, col  int
	}{
		{"", "ORA-00900: invalid SQL statement", 1, 1},
		{"selec 1 from dual", "ORA-00900: invalid SQL statement", 1, 1},
		{"select from dual", "ORA-00936: missing expression", 1, 8},
		{"select 1,\n  from dual", "ORA-00936: missing expression", 2, 3},
		{"select 1 dual", "ORA-00923: FROM keyword not found where expected", 1, 14},
		{"select a = b from dual", "ORA-00923: FROM keyword not found where expected", 1, 10},
		{"select 1 from dual;", "ORA-00911: invalid character", 1, 19},
		{"select 1 from dual as d", "ORA-00933: SQL command not properly ended", 1, 20},
		{"select 1 from dual where 1", "ORA-00920: invalid relational operator", 1, 27},
		{"select 1 from dual where (a > 1 and b) = 2", "ORA-00920: invalid relational operator", 1, 38},
		{"select f(1 from dual", "ORA-00907: missing right parenthesis", 1, 12},
		{"select 1 from table", "ORA-00906: missing left parenthesis", 1, 20},
		{"select 1 from where", "ORA-00903: invalid table name", 1, 15},
		{"select 'x from dual", "ORA-01756: quoted string not properly terminated", 1, 8},
		{"select \"x from dual", "ORA-01740: missing double quote in identifier", 1, 8},
		{"select 1 \"\" from dual", "ORA-01741: illegal zero-length identifier", 1, 10},
		{"select 1 from dual /* x", "ORA-01742: comment not terminated properly", 1, 20},
		{"select ? from dual", "ORA-00911: invalid character", 1, 8},
		{"select :date from dual", "ORA-01745: invalid host/bind variable name", 1, 8},
		{"select 1 from dual order 1", "ORA-00924: missing BY keyword", 1, 26},
		{"select a from t where a is 1", "ORA-00908: missing NULL keyword", 1, 28},
		{"select a x, b y from t group by a.select", "ORA-01747: invalid user.table.column, table.column, or column specification", 1, 35},
		{"select 1 into :x from dual", "ORA-00905: missing keyword", 1, 10},
		{"select a" + strings.Repeat("b", 128) + " from dual", "ORA-00972: identifier is too long", 1, 8},
		{"insert t values (1)", "ORA-00925: missing INTO keyword", 1, 8},
		{"insert into t (a) value (1)", "ORA-00926: missing VALUES keyword", 1, 19},
		{"insert into t values (1), (2)", "ORA-00933: SQL command not properly ended", 1, 25},
		{"update t a = 1", "ORA-00971: missing SET keyword", 1, 12},
		{"update t set a 1", "ORA-00927: missing equal sign", 1, 16},
		{"create tabel t (a number)", "ORA-00901: invalid CREATE command", 1, 8},
		{"create table t", "ORA-00922: missing or invalid option", 1, 15},
		{"create table if not exists t (a number)", "ORA-00922: missing or invalid option", 1, 17},
		{"create table t (a number, comment varchar2(3))", "ORA-00904: : invalid identifier", 1, 27},
		{"create table t (a number) foo", "ORA-00922: missing or invalid option", 1, 27},
		{"create table t (a number check (a = :1))", "ORA-01027: bind variables not allowed for data definition operations", 1, 37},
		{"alter table t foo", "ORA-01735: invalid ALTER TABLE option", 1, 15},
		{"drop tables t", "ORA-00950: invalid DROP option", 1, 6},
		{"grant select on t u", "ORA-00946: missing TO keyword", 1, 19},
		{"insert into t select a from u returning a into :x", "ORA-00933: SQL command not properly ended", 1, 31},
		{"select interval '1' second to day from dual", "ORA-30089: missing or invalid <datetime field>", 1, 31},
		{"create table t (a, b number)", "ORA-02263: need to specify the datatype for this column", 1, 17},
		{"alter table t add a default 1", "ORA-02263: need to specify the datatype for this column", 1, 19},
		{"call p", "ORA-06576: not a valid function or procedure name", 1, 7},
		{"create table t (a number generated always as identity start with 1)", "ORA-00907: missing right parenthesis", 1, 55},
		{"select 1 from (select 1 from dual for update)", "ORA-00907: missing right parenthesis", 1, 35},
		{"lock table t in mode", "ORA-00905: missing keyword", 1, 17},
		{"begin null; end", "ORA-06550: line 1, column 15:\nPLS-00103: Encountered the symbol \"end-of-file\" when expecting one of the following:\n\n   ;", 1, 15},
		{"begin\n  if 1 = 1 them null; end if;\nend;", "ORA-06550: line 2, column 12:\nPLS-00103: Encountered the symbol \"THEM\" when expecting one of the following:\n\n   then", 2, 12},
		{"begin null; end; x", "ORA-06550: line 1, column 18:\nPLS-00103: Encountered the symbol \"X\"", 1, 18},
		{"begin null; end;\n/", "ORA-06550: line 2, column 1:\nPLS-00103: Encountered the symbol \"/\"", 2, 1},
		{"begin select a from dual; end;", "ORA-06550: line 1, column 7:\nPLS-00428: an INTO clause is expected in this SELECT statement", 1, 7},
		{"begin update t set where a = 1; end;", "ORA-06550: line 1, column 20:\nPL/SQL: ORA-01747: invalid user.table.column, table.column, or column specification", 1, 20},
		{"begin p(distinct 1); end;", "ORA-06550: line 1, column 9:\nPLS-00103: Encountered the symbol \"DISTINCT\" when expecting one of the following:\n\n   ( - + case cast date interval new not null prior q sql timestamp <a number> <a string> <an identifier> <a double-quoted delimited-identifier> <a bind variable>", 1, 9},
		{"begin x := 1 ? 2; end;", "ORA-06550: line 1, column 14:\nPLS-00103: Encountered the symbol \"?\"", 1, 14},
		{"declare c constant number; begin null; end;", "ORA-06550: line 1, column 9:\nPLS-00322: declaration of a constant 'C' must contain an initialization assignment", 1, 9},
		{"begin null; exception when others then null; when no_data_found then null; end;",
			"ORA-06550: line 1, column 46:\nPLS-00370: OTHERS handler must be last among the exception handlers of a block", 1, 46},
		{"begin x := 1 in (select 1 from dual); end;", "ORA-06550: line 1, column 18:\nPLS-00405: subquery not allowed in this context", 1, 18},
		{"begin if exists (select 1 from dual) then null; end if; end;",
			"ORA-06550: line 1, column 10:\nPLS-00204: function or pseudo-column 'EXISTS' may be used inside a SQL statement only", 1, 10},
		{"begin for r in (select a into b from t) loop null; end loop; end;", "ORA-06550: line 1, column 26:\nPL/SQL: ORA-00905: missing keyword", 1, 26},
		{"begin insert into t values 5; end;", "ORA-06550: line 1, column 28:\nPLS-00103: Encountered the symbol \"5\" when expecting one of the following:\n\n   <an identifier> <a double-quoted delimited-identifier> <a bind variable>", 1, 28},
		{"declare procedure p(a out number := 1) is begin null; end; begin null; end;",
			"ORA-06550: line 1, column 34:\nPLS-00230: OUT and IN OUT formal parameters may not have default expressions", 1, 34},
		{"declare pragma foo; begin null; end;", "ORA-06550: line 1, column 16:\nPLS-00127: Pragma FOO is not a supported pragma", 1, 16},
	} {
		_, err := Statement(c.text)
		require.Error(t, err, c.text)
		require.Equal(t, c.want, err.Error(), c.text)
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, [2]int{c.line, c.col}, [2]int{e.Line, e.Column}, c.text)
		require.Equal(t, strings.Count(c.text[:e.Offset], "\n")+1, e.Line, c.text)
	}
}

// An error in a stored unit counts lines from its first word, and leaves enough to create an invalid object.
func TestUnitErrors(t *testing.T) {
	for _, c := range []struct {
		text, want string
		line, col  int
	}{
		{"create or replace\npackage p as\n  x number\nend;", "PLS-00103: Encountered the symbol \"END\" when expecting one of the following:\n\n   ;", 3, 1},
		{"create procedure p is begin insert into t values (); end;", "PL/SQL: ORA-00936: missing expression", 1, 44},
		{"create procedure p is begin :x := 1; end;", "PLS-00049: bad bind variable 'X'", 1, 22},
		{"create procedure p is begin null; end q;", "PLS-00113: END identifier 'Q' must match 'P' at line 1, column 11", 1, 32},
		{"create procedure p(a varchar2(10)) is begin null; end;", "PLS-00103: Encountered the symbol \"(\" when expecting one of the following:\n\n   )", 1, 23},
		{"create package p as procedure a is begin null; end; end;",
			"PLS-00103: Encountered the symbol \"IS\" when expecting one of the following:\n\n   ;", 1, 26},
		{"create package body p as procedure a is begin null; end; x number; end;",
			"PLS-00103: Encountered the symbol \"X\" when expecting one of the following:\n\n   begin end function pragma procedure", 1, 51},
	} {
		s, err := Statement(c.text)
		var e *Error
		require.ErrorAs(t, err, &e, c.text)
		require.Equal(t, c.want, e.Message(), c.text)
		require.Equal(t, [2]int{c.line, c.col}, [2]int{e.Line, e.Column}, c.text)
		require.True(t, e.Compile)
		u := s.(*ast.CreateUnit)
		require.Equal(t, "P", u.Name.String())
		require.True(t, strings.HasSuffix(c.text, u.Source))
	}
	s, err := Statement("create package")
	require.Nil(t, s)
	require.EqualError(t, err, "ORA-04050: invalid or missing procedure, function, or package name")
	var raised *sqlerr.Error
	require.ErrorAs(t, err, &raised)
	require.Equal(t, int32(4050), raised.Number)
}

func TestRefusals(t *testing.T) {
	for _, text := range []string{
		"select * from t@remote",
		"select * from t as of timestamp systimestamp",
		"select * from t sample (10)",
		"select * from xmltable('/a' passing x)",
		"select 1f from dual",
		"select a, sum(b) from t group by rollup(a)",
		"select a from t group by grouping sets ((a), ())",
		"with function f return number is begin return 1; end; select f from dual",
		"select 1 from a join b join c on b.x = c.x on a.x = b.x",
		"create table t (a references p)",
		"select a from t where a in (select b from u order by b)",
		"alter table t drop primary key drop index",
		"insert into t values (1) log errors",
		"update (select * from t) set a = 1",
		"create or replace trigger x instead of insert on t begin null; end;",
		"create table t (a number) partition by hash (a)",
		"create table t (a long raw)",
		"create materialized view v as select 1 from dual",
		"create package p as pragma serially_reusable; end;",
		"create function f return number pipelined is begin null; end;",
		"begin pipe row (1); end;",
		"begin $if true $then null; $end end;",
		"explain plan for select 1 from dual",
		"alter session set events '10046 trace name context forever'",
		"commit force '1.2.3'",
		"set role none",
		"insert /*+ append */ into t values (1)",
		"select *\nfrom (select /*+ index(t ix) result_cache */ 1 from t)",
		"begin\n  commit;\n  commit write nowait;\nend;",
		"commit write batch",
		"set transaction name 'x'",
		"drop index i online",
		"truncate table t reuse storage",
		"truncate table t cascade",
		"revoke select on t from u cascade constraints",
		"grant select (a) on t to u",
		"grant r to u with admin option",
		"create function f return number result_cache is begin return 1; end;",
		"create package p is\n  function f return number result_cache;\nend;",
		"create table t (a number) compress",
		"create table t (a number) organization index",
		"create table t (a number invisible)",
		"create table t (a number, constraint f foreign key (a) references p (b) on delete set null)",
		"alter table t rename to u",
		"alter table t add (b number references p)",
		"alter system kill session '1,2' noreplay",
		"alter system disconnect session '1,2' immediate",
		"create user u identified by p profile q",
		"create type t as table of number",
		"drop type t",
		"insert all into t (a) values (1) into u (a) values (2) select * from dual",
		"insert into t select first_value(a) ignore nulls over (order by b) from t",
		"lock table t in share row exclusive mode",
		"select a from t order siblings by a",
		"select a from t fetch first 10 percent rows only",
		"select a from t where a = some (1, 2)",
		"select a from t where a member of b",
		"begin select a into b from t where a like2 'x'; end;",
		"select connect_by_root a from t connect by prior a = b",
		"select * from json_table(:x, '$' columns (a number path '$.a'))",
		"select * from t match_recognize (order by a pattern (x) define x as a > 1)",
		"begin goto x; end;",
		"create table u as select * from t",
		"merge into t using u on (t.a = u.a) when matched then update set b = 1",
		"alter table t drop (a, b)",
		"update t set (a, b) = (select 1, 2 from dual)",
		"select trim(leading '0' from a), 1 from t",
		"select sum(a) over (order by b rows between 1 preceding and current row) from t",
		"select a from t natural join u",
		"select a from t full join u using (a)",
		"select t.a from t cross apply (select t.a from dual)",
		"create trigger r before insert on t for each row begin :new.a := 1; end;",
		"create trigger r before insert on t for each row begin if inserting then null; end if; end;",
		"create trigger r before insert on t for each row when (new.a > 1) begin null; end;",
		"begin forall i in indices of x insert into t values (i); end;",
		"begin insert into t values r; end;",
		"begin update t set row = r; end;",
		"begin update t set a = 1 where current of c; end;",
		"declare type v is varray(10) of number; begin null; end;",
		"declare subtype s is number(10); begin null; end;",
		"declare cursor c return t%rowtype; begin null; end;",
		"select " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000) + " from dual",
		"begin " + strings.Repeat("begin ", 1000),
	} {
		s, err := Statement(text)
		require.Nil(t, s, text)
		var e *Error
		require.ErrorAs(t, err, &e, text)
		require.True(t, e.Refused(), "%s: %v", text, err)
		var raised *sqlerr.Error
		require.True(t, errors.As(err, &raised))
		require.EqualValues(t, sqlerr.NotSupportedNumber, raised.Number)
		require.Equal(t, e.Text, raised.Text)
	}
}

func TestBinds(t *testing.T) {
	var names []string
	for _, b := range Binds("begin :b := :1 || ':x' || :a_1; -- :c\n /* :d */ x := q'[:e]' || :B; end;") {
		names = append(names, b.Name)
	}
	require.Equal(t, []string{"B", "1", "A_1", "B"}, names)
	require.Empty(t, Binds("select 1 from dual"))
}

// TestTaken: names, literals, functions and parameters of hints are the user's.
func TestTaken(t *testing.T) {
	for _, text := range []string{
		"select zqz(:b, 'it''s', 1.5e3) as \"Zqz\" from zqz.zqz z where z.zqz = date '2020-01-01'",
		"select /*+ index(zqz (a b)) full(t) */ 1 from zqz",
		"alter session set zqz = 'x'",
		"grant create session to zqz",
		"create or replace package body zqz is zqz zqz.zqz%type; begin commit write immediate wait; end;",
	} {
		_, err := Statement(text)
		require.NoError(t, err, "%s", text)
	}
}

// Words that are not reserved are names.
func TestNotReserved(t *testing.T) {
	for _, text := range []string{
		"select name, value, type, status, job, queue, result, key, type.object, begin, case_id, end from package",
		"select left.a, full.b from left, full",
		"select t.type, t.rowid, t.count, t.first from offset t",
		"create table job (key number, name varchar2(10), primary number, timestamp timestamp, interval number, language number)",
		"declare loop_count number; result number; status number; message number; exit_code number; data number; name number; begin result := 1; message.name := 2; end;",
		"declare wait number := 1; time number; begin wait := time; p(day => 1, table_name => 2); end;",
		"begin close.x := 1; end;",
	} {
		_, err := Statement(text)
		require.NoError(t, err, text)
	}
}

// Hostile texts end quickly: nothing is parsed over and over.
func TestHostileTexts(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 1<<18),
		"select 1 from " + strings.Repeat("(", 1<<18),
		"select " + strings.Repeat("(", 390) + "select 1 from dual" + strings.Repeat(")", 390) + " from dual",
		"select 1 from " + strings.Repeat("(", 390) + "select 1 from dual" + strings.Repeat(")", 390),
		"select " + strings.Repeat("-", 1<<20),
		"select " + strings.Repeat("- ", 1<<20) + "1 from dual",
		"select 1 from dual where " + strings.Repeat("not ", 1<<20),
		"select " + strings.Repeat("case when a = ", 1<<18),
		"select " + strings.Repeat("f(", 1<<18),
		"begin " + strings.Repeat("<<a>> ", 1<<18),
		"begin " + strings.Repeat("if a then ", 1<<18),
		"begin " + strings.Repeat("loop ", 1<<18),
		"declare " + strings.Repeat("procedure p is ", 1<<18),
		"select " + strings.Repeat("a.", 1<<18),
		"select 1 from dual" + strings.Repeat(" union select 1 from dual", 1<<15),
		"select q'" + strings.Repeat("[", 1<<20),
		strings.Repeat("/*", 1<<20),
	} {
		start := time.Now()
		_, _ = Statement(text)
		require.Less(t, time.Since(start), 10*time.Second, text[:30])
	}
}

func FuzzStatement(f *testing.F) {
	for _, file := range corpus(f) {
		for _, text := range statements(f, file) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Statement(text)
		if err == nil {
			require.NotNil(t, s)
			dump(s)
			return
		}
		var e *Error
		require.ErrorAs(t, err, &e)
		require.LessOrEqual(t, e.Offset, len(text))
		require.Positive(t, e.Line)
		require.Positive(t, e.Column)
	})
}

func BenchmarkStatement(b *testing.B) {
	var texts []string
	size := 0
	for _, file := range corpus(b) {
		for _, text := range statements(b, file) {
			texts = append(texts, text)
			size += len(text)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			if _, err := Statement(text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
