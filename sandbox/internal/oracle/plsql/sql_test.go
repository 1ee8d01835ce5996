package plsql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// people is a table with three rows.
func people(r *rig) *rig {
	r.must("create table p (id number primary key, name varchar2(10), age number)",
		"create sequence s", "create view v as select name, age from p where age > 1")
	require.Empty(r.t, r.run(`begin insert into p values (1, 'a', 10); insert into p values (2, 'b', 20); insert into p values (3, 'c', null); commit; end;`))
	return r
}

func sqlCases() []blockCase {
	return []blockCase{
		{`declare n number; begin select count(*) into n from p; o.put(n); o.put(sql%rowcount); end;`, "3\n1"},
		{`declare x varchar2(10); begin select name into x from p where id = 9; exception when no_data_found then o.put('none'); o.put(sql%rowcount); o.put(sql%notfound); end;`, "none\n0\nTRUE"},
		{"declare x varchar2(10);\nbegin\n select name\n into x from p; end;", "ORA-01422: exact fetch returns more than requested number of rows\nORA-06512: at line 3"},
		{`declare r p%rowtype; begin select * into r from p where id = 2; o.put(r.name || r.age); end;`, "b20"},
		{`declare r v%rowtype; begin select * into r from v where name = 'b'; o.put(r.name || r.age); end;`, "b20"},
		{`declare id number := 2; n p.name%type; begin select name into n from p where p.id = id and rownum = 1; o.put(n); end;`, "a"},
		{`declare i number := 2; n p.name%type; begin select name into n from p where id = i; o.put(n); end;`, "b"},
		{`begin update p set age = 1 where id in (1, 2); o.put(sql%rowcount); o.put(sql%found); rollback; o.put(sql%rowcount); end;`, "2\nTRUE\n0"},
		{`declare n number; m varchar2(10); begin update p set age = age + 1 where id = 1 returning age, name into n, m; o.put(n || m); rollback; end;`, "11a"},
		{`declare type t is table of number; l t; begin delete from p where age > 0 returning id bulk collect into l; o.put(l.count); o.put(l(1) + l(2)); rollback; end;`, "2\n3"},
		{`declare n number; begin update p set age = 1 returning age into n; exception when too_many_rows then o.put(sqlcode); select sum(age) into n from p; o.put(n); end;`, "-1422\n30"},
		{`begin insert into p values (1, 'x', 1); exception when dup_val_on_index then o.put(sqlcode); end;`, "-1"},
		{`begin insert into p values (5, 'x', 1); begin insert into p values (5, 'y', 1); exception when dup_val_on_index then null; end; for r in (select name from p where id = 5) loop o.put(r.name); end loop; rollback; end;`, "x"},
		{`declare n number := s.nextval; begin o.put(n); n := s.nextval + 1; o.put(n); end;`, "1\n3"},
		{`begin for r in (select id, name n from p order by id desc) loop o.put(r.id || r.n); end loop; end;`, "3c\n2b\n1a"},
		{`declare lim number := 1; cursor c (k number default 2) is select name from p where id > lim and id <= k order by id; begin for r in c loop o.put(r.name); end loop; for r in c(3) loop o.put(r.name); end loop; lim := 0; for r in c(1) loop o.put(r.name); end loop; end;`, "b\nb\nc\na"},
		{`declare cursor c is select name, age from p order by id; n p.name%type; a number; begin o.put(c%isopen); open c; o.put(c%found); loop fetch c into n, a; exit when c%notfound; o.put(n || a); end loop; o.put(c%rowcount); close c; fetch c into n, a; end;`,
			"FALSE\nNULL\na10\nb20\nc\n3\nORA-01001: invalid cursor\nORA-06512: at line 1"},
		{`declare cursor c is select * from p; r c%rowtype; begin open c; open c; exception when cursor_already_open then fetch c into r; o.put(r.name); end;`, "a"},
		{`declare id number := 1; cursor c is select name from p x where x.id = c1.id; cursor c1 is select 1 from dual; begin null; end;`, "ORA-06550: line 1, column 71:\nPL/SQL: ORA-00904: \"C1\".\"ID\": invalid identifier\nORA-06550: line 1, column 25:\nPL/SQL: Item ignored"},
		{`declare c sys_refcursor; n varchar2(10); v number := 2; procedure op (c out sys_refcursor) is begin open c for select name from p where id = v; end; begin op(c); v := 3; fetch c into n; o.put(n); fetch c into n; o.put(c%notfound); close c; end;`, "b\nTRUE"},
		{`declare c sys_refcursor; n varchar2(10); begin open c for 'select name from p where id = :1' using 3; fetch c into n; o.put(n); close c; fetch c into n; end;`, "c\nORA-01001: invalid cursor\nORA-06512: at line 1"},
		{`declare type t is table of p%rowtype; l t; begin select * bulk collect into l from p order by id; o.put(l.count || l(3).name); select * bulk collect into l from p where id = 9; o.put(l.count); end;`, "3c\n0"},
		{`declare type t is table of p.id%type index by pls_integer; l t; cursor c is select id from p order by id; begin open c; loop fetch c bulk collect into l limit 2; o.put(l.count); exit when c%notfound; end loop; end;`, "2\n1"},
		{`declare type t is table of number; l t := t(1, 2, 9); begin forall i in 1 .. l.count update p set age = i where id = l(i); o.put(sql%rowcount); o.put(sql%bulk_rowcount(1)); o.put(sql%bulk_rowcount(3)); rollback; end;`, "2\n1\n0"},
		{`declare cursor c is select id from p for update; n number; begin for r in c loop update p set age = r.id where id = r.id; end loop; select sum(age) into n from p; o.put(n); rollback; end;`, "6"},
		{`begin savepoint a; delete from p; o.put(sql%rowcount); rollback to a; for r in (select count(*) n from p) loop o.put(r.n); end loop; rollback to b; end;`, "3\n3\nORA-01086: savepoint 'B' never established in this session or is invalid\nORA-06512: at line 1"},
		{`declare n number; begin select o.twice(id) + o.twice(1) into n from p where o.twice(id) = 4; o.put(n); end;`, "6"},
		{`declare n number; function f (n number) return number is begin return n; end; begin select f(id) into n from p where id = 1; end;`, "ORA-06550: line 1, column 92:\nPLS-00231: function 'F' may not be used in SQL\nORA-06550: line 1, column 85:\nPL/SQL: SQL Statement ignored"},
		{`declare a number; b number; begin select id into a, b from p; end;`, "ORA-06550: line 1, column 35:\nPL/SQL: ORA-00947: not enough values\nORA-06550: line 1, column 35:\nPL/SQL: SQL Statement ignored"},
		{`declare b boolean := true; n number; begin select id into n from p where id = b; end;`, "ORA-06550: line 1, column 79:\nPLS-00382: expression is of wrong type\nORA-06550: line 1, column 44:\nPL/SQL: SQL Statement ignored"},
		{`declare x number; begin select age into x from p where id = 1 for update; o.put(x); commit; end;`, "10"},
	}
}

// TestSQL runs static SQL in blocks.
func TestSQL(t *testing.T) {
	t.Parallel()
	r := people(newRig(t))
	for _, c := range sqlCases() {
		require.Equal(t, c.want, r.run(c.text), c.text)
	}
}

func dynamicCases() []blockCase {
	return []blockCase{
		{`declare n number; begin execute immediate 'select count(*) from p' into n; o.put(n); end;`, "3"},
		{`declare n varchar2(9); begin execute immediate 'select name from p where id = :x and age = :y' into n using 1, 10; o.put(n); end;`, "a"},
		{`declare n number; begin execute immediate 'begin :a := :b * 2; :b := 1; end;' using out n, in 3; end;`, "ORA-06536: IN bind variable bound to an OUT position\nORA-06512: at line 1"},
		{`declare n number; m number := 3; begin execute immediate 'begin :a := :b * 2; :b := :a + 1; end;' using out n, in out m; o.put(n || '/' || m); end;`, "6/7"},
		{`declare c clob; begin execute immediate 'begin :1 := to_clob(:2) || ''x''; end;' using out c, in 'abc'; o.put(to_char(c)); end;`, "abcx"},
		{`begin execute immediate 'update p set age = :1 where id < :2' using 5, 3; o.put(sql%rowcount); rollback; end;`, "2"},
		{`declare n number; begin execute immediate 'update p set age = 5 where id = :i returning age + 1 into :o' using 1 returning into n; o.put(n); execute immediate 'update p set age = 6 where id = :i returning age + 1 into :o' using 1, out n; o.put(n); rollback; end;`, "6\n7"},
		{`declare n number; begin execute immediate 'select id from p where id = 9' into n; exception when no_data_found then o.put('none'); end;`, "none"},
		{`begin execute immediate 'select :1 from dual'; end;`, "ORA-01008: not all variables bound\nORA-06512: at line 1"},
		{`begin execute immediate 'select 1 from dual' using 1; end;`, "ORA-01006: bind variable does not exist\nORA-06512: at line 1"},
		{`declare a number; b number; begin execute immediate 'select id from p where id = 9' into a, b; end;`, "ORA-01007: variable not in select list\nORA-06512: at line 1"},
		{`begin execute immediate ''; end;`, "ORA-06535: statement string in EXECUTE IMMEDIATE is NULL or 0 length\nORA-06512: at line 1"},
		{`declare n number; begin execute immediate 'begin nothing; end;'; exception when others then o.put(sqlcode); end;`, "-6550"},
		{"begin\n execute immediate 'begin raise no_data_found; end;';\nend;", "ORA-01403: no data found\nORA-06512: at line 1\nORA-06512: at line 2"},
		{`declare type t is table of number; l t; begin execute immediate 'select id from p order by id' bulk collect into l; o.put(l(3)); end;`, "3"},
		{`begin execute immediate 'create table q (n number)'; execute immediate 'insert into q values (1)'; o.put(sql%rowcount); end;`, "1"},
		{`declare l o.pairs; begin execute immediate 'declare s varchar2(10); p o.pair; begin o.get(s, p, :l); end;' using out l; o.put(l(1).a); end;`, "42"},
		{`declare b boolean; begin execute immediate 'begin :b := :c is null; end;' using out b, '' ; o.put(b); end;`, "TRUE"},
	}
}

// TestDynamic runs EXECUTE IMMEDIATE.
func TestDynamic(t *testing.T) {
	t.Parallel()
	r := people(newRig(t))
	for _, c := range dynamicCases() {
		require.Equal(t, c.want, r.run(c.text), c.text)
	}
}

// TestBinds checks the directions of a block's binds.
func TestBinds(t *testing.T) {
	t.Parallel()
	r := people(newRig(t))
	bind := func(name string, v value.Value, typ datatype.Type) *plsql.Bind {
		return &plsql.Bind{Name: name, Value: v, Type: typ}
	}
	number, text := datatype.Of(datatype.Number), datatype.Sized(datatype.Varchar2, 3)
	a, b, c, d := bind("A", value.NewInt(2), number), bind("B", value.Value{}, number), bind("C", value.NewInt(1), number), bind("D", value.Value{}, text)
	require.Empty(t, r.run(`begin :b := :a * 2; :c := :c + :a; select name into :d from p where id = :a; end;`, a, b, c, d))
	modes := []ast.ParamMode{a.Mode, b.Mode, c.Mode, d.Mode}
	require.Equal(t, []ast.ParamMode{ast.ModeIn, ast.ModeOut, ast.ModeInOut, ast.ModeOut}, modes)
	require.Equal(t, []string{"2", "4", "3", "b"}, []string{show(a.Value), show(b.Value), show(c.Value), show(d.Value)})
	require.Contains(t, r.run(`begin :d := 'long'; end;`, d), "ORA-06502")
	require.Equal(t, "b", show(d.Value))
	l := bind("L", value.Value{}, text)
	p := &plsql.Bind{Name: "P", Cursor: true}
	require.Empty(t, r.run(`declare x o.pair; y o.pairs; begin o.get(:l, x, y); open :p for select id from p; end;`, l, p))
	require.Equal(t, ast.ModeOut, l.Mode)
	require.Equal(t, ast.ModeOut, p.Mode)
	cursor := p.Value.Any().(*plsql.Cursor)
	row, ok, err := cursor.Rows().Next()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "1", show(row[0]))
	cursor.Close()
	require.Contains(t, r.run(`begin o.put(:q); end;`), "PLS-00049: bad bind variable 'Q'")
}
