package plsql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

const pkgSpec = `create or replace package pk is
  c constant number := 7;
  v number := c + 1;
  e_mine exception;
  pragma exception_init(e_mine, -20055);
  type rec is record (a number, b varchar2(5));
  type list is table of rec index by pls_integer;
  cursor cur (n number) is select n * c x from dual;
  procedure p (a number, b number default c);
  procedure p (a varchar2);
  function f (n number) return number;
  function who return varchar2;
  procedure boom;
  procedure tx (mode_in varchar2);
end pk;`

const pkgBody = `create or replace package body pk is
  hidden number := v * 10;
  procedure private_p (n number);
  procedure p (a number, b number default c) is
  begin
    hidden := hidden + 1;
    o.put('n' || a || b || pk.hidden || app.pk.c);
  end p;
  procedure p (a varchar2) is begin o.put('s' || a); private_p(2); end;
  function f (n number) return number is begin return n * c; end;
  function who return varchar2 is begin return user; end;
  procedure private_p (n number) is begin o.put('private' || n); end;
  procedure boom is
  begin
    raise e_mine;
  end;
  procedure tx (mode_in varchar2) is
    pragma autonomous_transaction;
  begin
    insert into a values (1);
    if mode_in = 'commit' then commit; elsif mode_in = 'rollback' then rollback; elsif mode_in = 'raise' then raise no_data_found; end if;
  end;
begin
  o.put('init');
  v := v + 100;
end pk;`

// TestPackages checks state, initialization, private members, overloads, constants and rights of a package.
func TestPackages(t *testing.T) {
	t.Parallel()
	r := newRig(t).must("create table a (n number)", pkgSpec, pkgBody,
		"create or replace procedure sp (n in out number, s varchar2 := 'x') authid current_user is\nbegin\n  n := n + 1;\n  if s = 'boom' then\n    pk.boom;\n  end if;\n  o.put(user);\nend;",
		"create or replace function sf (n number) return number is begin if n > 1 then return n * sf(n - 1); end if; return 1; end;")
	for _, c := range []struct{ text, want string }{
		{`begin o.put(pk.v); end;`, "init\n108"},
		{`begin pk.v := 5; pk.p(1); pk.p('x'); app.pk.p(b => 2, a => 3); o.put(pk.v); end;`, "n17817\nsx\nprivate2\nn32827\n5"},
		{`begin pk.private_p(1); end;`, "ORA-06550: line 1, column 10:\nPLS-00302: component 'PRIVATE_P' must be declared\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"},
		{`declare l pk.list; x pk.rec; begin x.a := 1; l(5) := x; l(5).b := 'q'; o.put(l(5).a || l(5).b || l.first); end;`, "1q5"},
		{`declare n number; begin select pk.f(2) + sf(3) into n from dual; o.put(n); o.put(pk.who); end;`, "20\nAPP in PK"},
		{"begin\n  pk.boom;\nexception\n  when pk.e_mine then o.put(sqlcode);\nend;", "-20055"},
		{"begin\n  pk.boom;\nend;", "ORA-20055: \nORA-06512: at \"APP.PK\", line 15\nORA-06512: at line 2"},
		{"declare n number := 1;\nbegin\n  sp(n); o.put(n);\n  sp(n, 'boom');\nend;", "APP in SP\n2\nORA-20055: \nORA-06512: at \"APP.PK\", line 15\nORA-06512: at \"APP.SP\", line 5\nORA-06512: at line 4"},
		{`begin for r in pk.cur(3) loop o.put(r.x); end loop; open pk.cur(4); end;`, "21"},
		{`declare n number; begin fetch pk.cur into n; o.put(n); close pk.cur; end;`, "28"},
		{`declare n number; begin pk.tx('commit'); pk.tx('rollback'); rollback; select count(*) into n from a; o.put(n); end;`, "1"},
		{"begin pk.tx('none'); exception when others then o.put(sqlcode); end;", "-6519"},
		{"begin pk.tx('raise'); exception when others then o.put(sqlcode); end;", "100"},
		{`declare pragma autonomous_transaction; begin insert into a values (2); end;`, "ORA-06519: active autonomous transaction detected and rolled back\nORA-06512: at line 1"},
		{`begin nosuch.p; end;`, "ORA-06550: line 1, column 7:\nPLS-00201: identifier 'NOSUCH.P' must be declared\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"},
	} {
		require.Equal(t, c.want, r.run(c.text), c.text)
	}
}

// TestUnitErrors checks the errors of units that do not compile, and units that name them.
func TestUnitErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	require.Equal(t, []string{"3:8 PLS-00201: identifier 'X' must be declared", "3:3 PL/SQL: Statement ignored", "5:3 PLS-00201: identifier 'Y' must be declared", "5:3 PL/SQL: Statement ignored"},
		r.create("create procedure bad is n number; begin\n  null;\n  n := x;\n  null;\n  y := 1;\nend;"))
	require.Contains(t, r.run("begin bad; end;"), "PLS-00905: object APP.BAD is invalid")
	r.must("create package half is procedure a; procedure b; end;")
	require.Equal(t, []string{"1:40 PLS-00323: subprogram or cursor 'B' is declared in a package specification and must be defined in the package body"},
		r.create("create package body half is procedure a is begin null; end; end;"))
	require.Contains(t, r.run("begin half.a; end;"), "ORA-04067")
	require.Equal(t, []string{"1:16 PLS-00201: identifier 'NOTHING' must be declared", "0:0 PL/SQL: Compilation unit analysis terminated"}, r.create("create function fx (a nothing) return number is begin return 1; end;"))
}

// TestUncatchable checks that no handler catches what must end the call.
func TestUncatchable(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := sqlerr.New(1013, "user requested cancel of current operation")
	stop.Uncaught = true
	r.tickErr = stop
	require.Equal(t, "ORA-01013: user requested cancel of current operation\nORA-06512: at line 1",
		r.run(`begin begin loop null; end loop; exception when others then o.put('no'); end; end;`))
	require.Equal(t, 1, r.ticks)
}

// TestCollections runs the methods of collections.
func TestCollections(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const decl = `declare type nt is table of number; type aa is table of number index by pls_integer;
		type sa is table of nt index by varchar2(10); a nt; i aa; s sa; n number; `
	for _, c := range []struct{ text, want string }{
		{`begin o.put(a is null); a := nt(); a.extend; a.extend(2); a(1) := 5; a(3) := 7; a.extend(2, 1); o.put(a.count || a(5)); a.delete(2); o.put(a.count); o.put(a.exists(2)); end;`, "TRUE\n55\n4\nFALSE"},
		{`begin a := nt(1, 2, 3, 4); a.delete(2); o.put(a.count); o.put(a.next(1)); o.put(a.prior(3)); a.trim; o.put(a.last); a.trim(2); o.put(a.last); a.delete; o.put(a.count); o.put(a.first); end;`, "3\n3\n1\n3\n1\n0\nNULL"},
		{`begin a := nt(1); o.put(a(2)); end;`, "ORA-06533: Subscript beyond count\nORA-06512: at line 3"},
		{`begin a := nt(1); o.put(a(0)); end;`, "ORA-06532: Subscript outside of limit\nORA-06512: at line 3"},
		{`begin a := nt(1, 2); a.delete(1); o.put(a(1)); end;`, "ORA-01403: no data found\nORA-06512: at line 3"},
		{`begin a(1) := 1; end;`, "ORA-06531: Reference to uninitialized collection\nORA-06512: at line 3"},
		{`begin i(-5) := 1; i(10) := 2; i(3) := 3; n := i.first; while n is not null loop o.put(n || ':' || i(n)); n := i.next(n); end loop; i.delete(0, 5); o.put(i.count); o.put(i.exists(3)); o.put(i(3)); end;`, "-5:1\n3:3\n10:2\n2\nFALSE\nORA-01403: no data found\nORA-06512: at line 3"},
		{`begin s('b') := nt(1, 2); s('a') := nt(); s('b').extend; s('b')(3) := 9; a := s('b'); a(1) := 100; o.put(s.first || s.count || s('b')(1) || s('b')(3)); end;`, "a219"},
		{`begin i(null) := 1; end;`, "ORA-06502: PL/SQL: numeric or value error: NULL index table key value\nORA-06512: at line 3"},
		{`procedure p (x in out nt) is begin x.extend; x(x.last) := 3; raise no_data_found; end; begin a := nt(1); p(a); exception when others then o.put(a.count); end;`, "1"},
		{`procedure p (x in out nocopy nt) is begin x.extend; x(x.last) := 3; end; begin a := nt(1); p(a); o.put(a(2)); end;`, "3"},
		{`function f return nt is begin return nt(4, 5); end; begin o.put(f()(2)); o.put(f().count); end;`, "5\n2"},
	} {
		require.Equal(t, c.want, r.run(decl+"\n"+c.text), c.text)
	}
}
