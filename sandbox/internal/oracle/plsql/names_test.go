package plsql_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTypes declares things by types of all kinds, valid and invalid.
func TestTypes(t *testing.T) {
	t.Parallel()
	r := people(newRig(t))
	for _, c := range []struct{ decl, body, want string }{
		{"a varchar2(100) := 'x'; b a%type := 'y'; c p.id%type := 3; d app.p.name%type := 'n'", "o.put(a || b || c || d);", "xy3n"},
		{"a timestamp with time zone := timestamp '2026-01-01 00:00:00 +02:00'; b interval day(9) to second(6) := interval '90' minute", "o.put(to_char(a + b, 'HH24:MI TZH')); o.put(extract(hour from b));", "01:30 +02\n1"},
		{"type rc is ref cursor return p%rowtype; c rc; x c%rowtype", "open c for select * from p where id = 2; fetch c into x; o.put(x.name);", "b"},
		{"type rc is ref cursor return p%rowtype; c rc", "open c for select id from p;", "PLS-00382: expression is of wrong type"},
		{"type rc is ref cursor return p%rowtype; c rc", "open c for 'select * from p';", "PLS-00455: cursor 'C' cannot be used in dynamic SQL OPEN statement"},
		{"x p%rowtype; type r is record (a number, b varchar2(10), c number); y r", "x.id := 1; x.name := 'n'; y := x; o.put(y.a || y.b); y.c := 5; x := y; o.put(x.age);", "1n\n5"},
		{"type r1 is record (a number); type r2 is record (a number); x r1; y r2", "x := y;", "PLS-00382: expression is of wrong type"},
		{"x p%rowtype; procedure q (r p%rowtype) is begin o.put(r.name); end", "select * into x from p where id = 3; q(x);", "c"},
		{"x varchar2", "null;", "PLS-00215: String length constraints must be in range (1 .. 32767)"},
		{"x number(99)", "null;", "PLS-00216: NUMBER precision constraint must be in range (1 .. 38)"},
		{"x p.nothing%type", "null;", "PLS-00302: component 'NOTHING' must be declared"},
		{"x q.id%type", "null;", "PLS-00201: identifier 'Q.ID' must be declared"},
		{"x q%rowtype", "null;", "PLS-00201: identifier 'Q' must be declared"},
		{"x number; y x%rowtype", "null;", "PLS-00310: with %ROWTYPE attribute, 'X' must name a table, cursor or cursor-variable"},
		{"x number; y x", "null;", "PLS-00488: invalid variable declaration: object 'X' must be a type or subtype"},
		{"x number; x varchar2(1)", "null;", "PLS-00371: at most one declaration for 'X' is permitted"},
		{"type r is record (a number, a number)", "null;", "PLS-00410: duplicate fields in RECORD,TABLE or argument list are not permitted"},
		{"type c is table of number index by date", "null;", "PLS-00315: Implementation restriction: unsupported table index type"},
		{"e exception; pragma exception_init(e, -1403)", "null;", "PLS-00701: illegal ORACLE error number -1403 for PRAGMA EXCEPTION_INIT"},
		{"e number; pragma exception_init(e, -1)", "null;", "PLS-00124: name of exception expected for first arg in exception_init pragma"},
		{"x p%rowtype", "x.foo := 1;", "PLS-00302: component 'FOO' must be declared"},
		{"x number", "x.foo := 1;", "PLS-00487: Invalid reference to variable 'X'"},
		{"x number", "x(1) := 1;", "PLS-00224: object 'X' must be of type function or array to be used this way"},
		{"x o.pair", "x := o.pair(1, 'a');", "the sandbox does not model qualified expressions"},
		{"x number", "raise x;", "PLS-00485: in exception handler, 'X' must be an exception name"},
		{"x number", "open x;", "PLS-00456: item 'X' is not a cursor"},
		{"x number", "fetch x into x;", "PLS-00456: item 'X' is not a cursor"},
		{"x number", "o.max_lines := 1;", "PLS-00363: expression 'O.MAX_LINES' cannot be used as an assignment target"},
		{"procedure p (x number) is begin x := 1; end", "null;", "PLS-00363: expression 'X' cannot be used as an assignment target"},
		{"function f return number is begin return; end", "null;", "PLS-00503: RETURN <value> statement required for this return from function"},
		{"procedure p is begin return 1; end", "null;", "PLS-00372: In a procedure, RETURN statement cannot contain an expression"},
		{"procedure p (x number) is begin null; end; procedure p (x number) is begin null; end", "null;", "PLS-00305: previous use of 'P' (at line 1) conflicts with this use"},
		{"cursor c (n number) is select 1 x from dual", "open c;", "PLS-00306: wrong number or types of arguments in call to 'C'"},
		{"cursor c is select 1 x, 2 y from dual; n number", "open c; fetch c into n;", "PLS-00394: wrong number of values in the INTO list of a FETCH statement"},
		{"n number", "select id bulk collect into n from p;", "PLS-00497: cannot mix between single row and multi-row (BULK) in INTO list"},
		{"l o.pairs; n number", "select l into n from dual;", "PLS-00642: local collection types not allowed in SQL statements"},
		{"x number", "exit when x = 1;", "PLS-00376: illegal EXIT/CONTINUE statement; it must appear inside a loop"},
		{"x number", "for i in 1 .. 2 loop i := 1; end loop;", "PLS-00363: expression 'I' cannot be used as an assignment target"},
	} {
		got := r.run("declare " + c.decl + ";\nbegin " + c.body + " end;")
		if strings.HasPrefix(c.want, "PLS-") {
			require.Contains(t, got, ":\n"+c.want+"\nORA-06550", c.decl+" / "+c.body)
			continue
		}
		require.Equal(t, c.want, got, c.decl+" / "+c.body)
	}
}

// TestStacks checks what handlers and callers learn about an error's origin.
func TestStacks(t *testing.T) {
	t.Parallel()
	r := newRig(t).must("create procedure inner_p is\nbegin\n  raise_application_error(-20001, 'deep');\nend;",
		"create procedure outer_p is\nbegin\n  inner_p;\nexception\n  when others then\n    o.trace;\n    raise;\nend;")
	require.Equal(t, strings.Join([]string{
		"ORA-20001: deep", `ORA-06512: at "APP.INNER_P", line 3`, "--",
		`ORA-06512: at "APP.INNER_P", line 3`, `ORA-06512: at "APP.OUTER_P", line 3`, "--",
		"ORA-20001: deep", `ORA-06512: at "APP.OUTER_P", line 7`, `ORA-06512: at "APP.INNER_P", line 3`, `ORA-06512: at "APP.OUTER_P", line 3`, "ORA-06512: at line 2",
	}, "\n"), r.run("begin\n outer_p;\nend;"))
	require.Empty(t, r.run("begin o.trace; end;"))
}

// TestFunctionsInSQL calls functions from SQL that is not part of PL/SQL, and from queries and DML in blocks.
func TestFunctionsInSQL(t *testing.T) {
	t.Parallel()
	r := people(newRig(t)).must(
		"create function none (n number) return varchar2 is x varchar2(10); begin select name into x from p where id = n; return x; end;",
		"create function writes return number is begin insert into p (id) values (77); return 1; end;",
		"create function commits return number is begin commit; return 1; end;",
		"create function apart return number is pragma autonomous_transaction; begin delete from p where id = 99; commit; return 1; end;",
		"create function outs (n out number) return number is begin return 1; end;",
		"create procedure pr (n number, m out varchar2) is begin m := 'm' || n; end;")
	require.NotEmpty(t, r.create("create function bad return number is begin return x; end;"))
	dynamic := func(text string) string {
		return r.run("declare x varchar2(100); begin execute immediate '" + text + "' into x; o.put(x); end;")
	}
	for _, c := range []struct{ text, want string }{
		{"select none(2) || nvl(none(9), ''-'') from dual", "b-"},
		{"select count(*) from p where none(id) > ''a''", "2"},
		{"select apart from dual", "1"},
		{"select o.twice(n => id) from p where id = 2", "4"},
		{"select commits from dual", "ORA-14552: cannot perform a DDL, commit or rollback inside a query or DML \nORA-06512: at \"APP.COMMITS\", line 1\nORA-06512: at line 1"},
		{"select writes from dual", "the sandbox does not model DML in a function that a SQL statement calls\nORA-06512: at \"APP.WRITES\", line 1\nORA-06512: at line 1"},
		{"select none(1, 2) from dual", "ORA-06553: PLS-306: wrong number or types of arguments in call to 'NONE'\nORA-06512: at line 1"},
		{"select o.max_lines from dual", "ORA-06553: PLS-221: 'O.MAX_LINES' is not a procedure or is undefined\nORA-06512: at line 1"},
		{"select bad from dual", "ORA-06575: Package or function APP.BAD is in an invalid state\nORA-06512: at line 1"},
		{"select nothing(1) from dual", "ORA-00904: \"NOTHING\": invalid identifier\nORA-06512: at line 1"},
	} {
		require.Equal(t, c.want, dynamic(c.text), c.text)
	}
	require.Contains(t, r.run("declare n number; begin select writes into n from dual; end;"), "ORA-14551: cannot perform a DML operation inside a query \nORA-06512: at \"APP.WRITES\", line 1")
	require.Contains(t, r.run("declare n number; m number; begin select outs(m) into n from dual; end;"), "ORA-06572: Function OUTS has out arguments")
	b := r.bind("B", "")
	require.Empty(t, r.run("call pr(5, :b)", b))
	require.Equal(t, "m5", show(b.Value))
	require.Empty(t, r.run("call none(3) into :b", b))
	require.Equal(t, "c", show(b.Value))
}
