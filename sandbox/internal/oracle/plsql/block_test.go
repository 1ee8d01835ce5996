package plsql_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func blockCases() []blockCase {
	return []blockCase{
		{`begin o.put('a'); app.o.put(1); o.put(true); o.put(s => 'named'); end;`, "a\n1\nTRUE\nnamed"},
		{`declare a number := 2; b a%type := a * 3; c constant varchar2(3) := 'x'; begin b := b + 1; o.put(b || c); end;`, "7x"},
		{`declare n number; begin if n = 1 then o.put('one'); elsif n is null then o.put('null'); else o.put('else'); end if; end;`, "null"},
		{`declare n number := 2; begin case n when 1 then o.put('one'); when 2 then o.put('two'); end case; end;`, "two"},
		{`declare n number := 2; begin case when n = 1 then o.put('one'); else o.put('else'); end case; end;`, "else"},
		{`begin case 3 when 1 then null; end case; end;`, "ORA-06592: CASE not found while executing CASE statement\nORA-06512: at line 1"},
		{`begin for i in 1 .. 3 loop continue when i = 2; o.put(i); end loop; for i in reverse 1 .. 2 loop o.put(-i); end loop; for i in 2 .. 1 loop o.put('no'); end loop; end;`, "1\n3\n-2\n-1"},
		{`begin <<outer>> for i in 1 .. 3 loop for i in 5 .. 6 loop continue outer when outer.i = 1; exit outer when outer.i = 3; o.put(outer.i * i); end loop; end loop; end;`, "10\n12"},
		{`declare n number := 0; begin while n < 2 loop n := n + 1; end loop; loop n := n + 1; exit when n > 5; end loop; o.put(n); end;`, "6"},
		{`<<b>> declare x number := 1; begin declare x number := 2; begin o.put(b.x + x); end; end;`, "3"},
		{`declare b boolean := null; begin o.put(b); b := 1 < 2 and not false; o.put(b); o.put(b or null); end;`, "NULL\nTRUE\nTRUE"},
		{`declare n number(3, 1) := 12.34; begin o.put(n); n := 1234; end;`, "12.3\nORA-06502: PL/SQL: numeric or value error: number precision too large\nORA-06512: at line 1"},
		{`declare s varchar2(2); begin s := 'abc'; end;`, "ORA-06502: PL/SQL: numeric or value error: character string buffer too small\nORA-06512: at line 1"},
		{`declare n number; begin n := 'x'; end;`, "ORA-06502: PL/SQL: numeric or value error: character to number conversion error\nORA-06512: at line 1"},
		{`declare n number not null := 1; begin n := null; end;`, "ORA-06502: PL/SQL: numeric or value error\nORA-06512: at line 1"},
		{`declare i pls_integer := 2147483647; begin i := i + 1; end;`, "ORA-01426: numeric overflow\nORA-06512: at line 1"},
		{`declare i pls_integer := 7; begin i := i / 2; o.put(i); end;`, "4"},
		{`declare type r is record (a number := 5, b varchar2(5)); x r; y r; begin x.b := 'q'; y := x; x.a := 6; o.put(y.a || y.b || x.a); end;`, "5q6"},
		{`declare x o.pair; begin x := null; o.put(x.a); o.put(x.b); end;`, "NULL\nNULL"},
		{`declare type inner is record (n number := 1); type r is record (i inner); x r; begin x.i.n := x.i.n + 1; o.put(x.i.n); end;`, "2"},
		{`declare function f (n number) return number is begin return n * 2; end; procedure p (a number, b out varchar2, c in out number) is begin b := 'b' || a; c := c + f(a); end;
		  s varchar2(10); n number := 1; begin null; end;`, "ORA-06550: line 2, column 5:\nPLS-00103: Encountered the symbol \"S\" when expecting one of the following:\n\n   begin end function pragma procedure"},
		{`declare s varchar2(10); n number := 1; function f (n number) return number is begin return n * 2; end; procedure p (a number, b out varchar2, c in out number) is begin b := 'b' || a; c := c + f(a); end;
		  begin p(3, s, n); o.put(s); o.put(n); p(c => n, a => 1, b => s); o.put(s || n); end;`, "b3\n7\nb19"},
		{`declare n number := 1; procedure p (c in out number) is begin c := 2; raise no_data_found; end; begin p(n); exception when no_data_found then o.put(n); end;`, "1"},
		{`declare n number := 1; procedure outer_p is m number := 10; procedure inner_p is begin n := n + m; m := m + 1; end; begin inner_p; inner_p; end; begin outer_p; o.put(n); end;`, "22"},
		{`declare function odd (n number) return boolean; function even (n number) return boolean is begin return n = 0 or odd(n - 1); end; function odd (n number) return boolean is begin return n > 0 and even(n - 1); end; begin o.put(even(10)); o.put(odd(10)); end;`, "TRUE\nFALSE"},
		{`declare function f return number is begin null; end; begin o.put(f); end;`, "ORA-06503: PL/SQL: Function returned without value\nORA-06512: at line 1\nORA-06512: at line 1"},
		{`declare procedure p (a number) is begin o.put('n'); end; procedure p (a varchar2) is begin o.put('s'); end; procedure p (a date, b number default 1) is begin o.put('d'); end; begin p(1); p('1'); p(date '2026-01-01'); p(b => 2, a => null); end;`, "n\ns\nd\nd"},
		{`declare procedure p (n number) is begin if n < 3 then p(n + 1); end if; o.put(n); end; begin p(1); end;`, "3\n2\n1"},
		{`declare procedure p is begin p; end; begin p; exception when storage_error then o.put(sqlerrm); end;`, "ORA-06500: PL/SQL: storage error"},
		{`declare s varchar2(10); p o.pair; l o.pairs; begin o.put(p.a || p.b); o.get(s, p, l); o.put(s || p.b || l(1).a || l.count); o.put(o.twice(4)); o.put(o.twice); o.put(o.max_lines); end;`, "1b\ngotset421\n8\n200\n100"},
		{"begin\n o.fail;\nend;", "ORA-20500: native failed\nORA-06512: at \"APP.O\", line 10\nORA-06512: at line 2"},
		{`declare x number := 1; begin return; o.put('no'); end;`, ""},
		{`begin o.put(user); end;`, "APP"},
		{`declare d date := date '2026-02-03'; begin o.put(to_char(d + 1, 'YYYY-MM-DD')); end;`, "2026-02-04"},
		{`declare c clob := 'abc'; begin c := c || 'd'; o.put(to_char(substr(c, 2)) || length(c)); end;`, "bcd4"},
		{`declare v varchar2(10) := case when 1 = 1 then 'y' else 'n' end; begin o.put(v); end;`, "y"},
		{`declare n number; begin n := sqlcode; o.put(n); o.put(sqlerrm); o.put(sqlerrm(-1403)); o.put(sqlerrm(100)); o.put(sqlerrm(-20001)); end;`, "0\nORA-0000: normal, successful completion\nORA-01403: no data found\nORA-01403: no data found\nORA-20001: "},
	}
}

// TestBlocks runs blocks that need no tables.
func TestBlocks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, c := range blockCases() {
		require.Equal(t, c.want, r.run(c.text), c.text)
	}
}

func exceptionCases() []blockCase {
	return []blockCase{
		{`declare n number; begin n := 1 / 0; exception when value_error or zero_divide then o.put(sqlcode); o.put(sqlerrm); end;`, "-1476\nORA-01476: divisor is equal to zero"},
		{`declare e exception; begin raise e; exception when e then o.put(sqlcode); o.put(sqlerrm); end;`, "1\nUser-Defined Exception"},
		{`declare e exception; begin raise e; end;`, "ORA-06510: PL/SQL: unhandled user-defined exception\nORA-06512: at line 1"},
		{`declare e exception; pragma exception_init(e, -20007); begin begin raise_application_error(-20007, 'mine'); exception when e then o.put(sqlerrm); end; raise e; end;`, "ORA-20007: mine\nORA-20007: \nORA-06512: at line 1"},
		{`begin raise_application_error(-30000, 'x'); end;`, "ORA-21000: error number argument to raise_application_error of -30000 is out of range\nORA-06512: at line 1"},
		{"begin\n begin\n  raise no_data_found;\n exception\n  when no_data_found then raise_application_error(-20001, 'kept', true);\n end;\nend;", "ORA-20001: kept\nORA-06512: at line 5\nORA-01403: no data found\nORA-06512: at line 3"},
		{"begin\n begin\n  raise no_data_found;\n exception\n  when no_data_found then raise_application_error(-20001, 'new');\n end;\nend;", "ORA-20001: new\nORA-06512: at line 5"},
		{"begin\n begin\n  raise no_data_found;\n exception\n  when others then\n   raise;\n end;\nend;", "ORA-01403: no data found\nORA-06512: at line 6\nORA-06512: at line 3"},
		{"declare\n n number;\n procedure p is begin\n  n := 1 / 0;\n exception\n  when others then\n   n := 2 / 0;\n end;\nbegin\n p;\nend;", "ORA-01476: divisor is equal to zero\nORA-06512: at line 7\nORA-01476: divisor is equal to zero\nORA-06512: at line 4\nORA-06512: at line 10"},
		{"begin\n raise no_data_found;\nexception\n when others then\n  begin\n   raise too_many_rows;\n  exception\n   when others then raise zero_divide;\n  end;\nend;", "ORA-01476: divisor is equal to zero\nORA-06512: at line 8\nORA-01422: exact fetch returns more than requested number of rows\nORA-06512: at line 6\nORA-01403: no data found\nORA-06512: at line 2"},
		{"declare\n procedure p is begin\n  raise no_data_found;\n end;\nbegin\n p;\nend;", "ORA-01403: no data found\nORA-06512: at line 3\nORA-06512: at line 6"},
		{`begin declare n number(1) := 10; begin null; exception when others then o.put('no'); end; exception when value_error then o.put('outer'); end;`, "outer"},
		{`begin begin raise no_data_found; exception when no_data_found then raise too_many_rows; when too_many_rows then o.put('no'); end; exception when too_many_rows then o.put(sqlcode); end;`, "-1422"},
		{`begin raise no_data_found; exception when others then o.put(sqlcode); begin raise zero_divide; exception when others then o.put(sqlcode); end; o.put(sqlcode); end;`, "100\n-1476\n100"},
		{`declare procedure log is begin o.put(sqlerrm); end; begin raise no_data_found; exception when others then log; end;`, "ORA-01403: no data found"},
		{`begin begin raise no_data_found; exception when zero_divide then null; end; exception when others then o.put('outer'); end;`, "outer"},
		{`declare function f return number is begin raise no_data_found; exception when no_data_found then return 5; end; begin o.put(f); end;`, "5"},
		{`begin for i in 1 .. 3 loop begin if i = 2 then raise no_data_found; end if; o.put(i); exception when others then continue; end; end loop; end;`, "1\n3"},
		{`declare e1 exception; begin declare e1 exception; begin raise e1; end; exception when e1 then o.put('no'); when others then o.put('other'); end;`, "other"},
		{`declare e exception; pragma exception_init(e, 100); begin raise no_data_found; exception when e then o.put('yes'); end;`, "yes"},
	}
}

// TestExceptions runs blocks that raise and handle.
func TestExceptions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, c := range exceptionCases() {
		require.Equal(t, c.want, r.run(c.text), c.text)
	}
}

// TestCompileErrors checks that several errors are reported, each with what is ignored because of it.
func TestCompileErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, c := range []struct{ text, want string }{
		{"begin\n  foo(1);\nend;", "ORA-06550: line 2, column 3:\nPLS-00201: identifier 'FOO' must be declared\nORA-06550: line 2, column 3:\nPL/SQL: Statement ignored"},
		{"declare\n  n numbr;\nbegin\n  n := 1;\n  x := 2;\nend;", "ORA-06550: line 2, column 5:\nPLS-00201: identifier 'NUMBR' must be declared\nORA-06550: line 2, column 3:\nPL/SQL: Item ignored\n" +
			"ORA-06550: line 4, column 3:\nPLS-00320: the declaration of the type of this expression is incomplete or malformed\nORA-06550: line 4, column 3:\nPL/SQL: Statement ignored\n" +
			"ORA-06550: line 5, column 3:\nPLS-00201: identifier 'X' must be declared\nORA-06550: line 5, column 3:\nPL/SQL: Statement ignored"},
		{"begin o.put(1, 2); end;", "ORA-06550: line 1, column 7:\nPLS-00306: wrong number or types of arguments in call to 'PUT'\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"},
		{"begin o.nothing; end;", "ORA-06550: line 1, column 9:\nPLS-00302: component 'NOTHING' must be declared\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"},
		{"begin insert into nowhere values (1); end;", "ORA-06550: line 1, column 19:\nPL/SQL: ORA-00942: table or view does not exist\nORA-06550: line 1, column 7:\nPL/SQL: SQL Statement ignored"},
		{"declare c constant number := 1; begin c := 2; end;", "ORA-06550: line 1, column 39:\nPLS-00363: expression 'C' cannot be used as an assignment target\nORA-06550: line 1, column 39:\nPL/SQL: Statement ignored"},
		{"begin raise; end;", "ORA-06550: line 1, column 7:\nPLS-00367: a RAISE statement with no exception name must be inside an exception handler\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"},
		{"begin exit; end;", "ORA-06550: line 1, column 7:\nPLS-00376: illegal EXIT/CONTINUE statement; it must appear inside a loop\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"},
		{"declare b boolean; begin b := 'x'; end;", "ORA-06550: line 1, column 31:\nPLS-00382: expression is of wrong type\nORA-06550: line 1, column 26:\nPL/SQL: Statement ignored"},
		{"begin o.twice(1); end;", "ORA-06550: line 1, column 7:\nPLS-00221: 'O.TWICE' is not a procedure or is undefined\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"},
		{"begin goto x; end;", "the sandbox does not model goto in \"begin goto x;\""},
		{"declare procedure p; begin p; end;", "ORA-06550: line 1, column 19:\nPLS-00328: A subprogram body must be defined for the forward declaration of P."},
		{"declare procedure p (a number) is begin null; end; procedure p (b number) is begin null; end; begin p(1); end;", "ORA-06550: line 1, column 101:\nPLS-00307: too many declarations of 'P' match this call\nORA-06550: line 1, column 101:\nPL/SQL: Statement ignored"},
	} {
		require.Equal(t, c.want, r.run(c.text), c.text)
	}
}
