package plan_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var things = []string{
	`create table things (id number(5) constraint things_pk primary key, name varchar2(5) not null, amount number(6,2) default 1.5 constraint amount_ck check (amount > 0),
		twice number generated always as (amount * 2) virtual, note varchar2(20) default on null 'none')`,
	"create unique index things_twice on things (twice)",
	"create table ids (id number generated always as identity, x number)",
	"create view big as select * from things where amount > 10", "create view sums as select name, sum(amount) s from things group by name",
	"create sequence seq start with 10",
}

func TestDML(t *testing.T) {
	_, s := newWorld(t, things...)
	for _, c := range []struct{ text, want string }{
		{"insert into things (id, name) values (1, 'one')", "1"},
		{"select id, name, amount, twice, note from things", "1,one,1.5,3,none"},
		{"insert into things (id, name, amount, note) values (2, 'two', 2.126, null) returning id, amount, twice, note into :a, :b, :c, :d", "2,2.13,4.26,none"},
		{"insert into things values (3, 'three', 3, default, 'x')", "1"},
		{"insert into things values (3, 'three', 3, 3, 'x')", "ORA-54013: INSERT operation disallowed on virtual columns"},
		{"insert into things (id, twice) values (3, 3)", "ORA-54013: INSERT operation disallowed on virtual columns"},
		{"insert into things (id) values (4)", `ORA-01400: cannot insert NULL into ("APP"."THINGS"."NAME")`},
		{"insert into things (id, name) values (4, 'too long')", `ORA-12899: value too large for column "APP"."THINGS"."NAME" (actual: 8, maximum: 5)`},
		{"insert into things (id, name) values (123456, 'x')", "ORA-01438: value larger than specified precision allowed for this column"},
		{"insert into things (id, name, amount) values (4, 'x', 0)", "ORA-02290: check constraint (APP.AMOUNT_CK) violated"},
		{"insert into things (id, name, amount) values (1, 'x', 9)", "ORA-00001: unique constraint (APP.THINGS_PK) violated"},
		{"insert into things (id, name, amount) values (9, 'x', 3)", "ORA-00001: unique constraint (APP.THINGS_TWICE) violated"},
		{"insert into things (id, name) values (4)", "ORA-00947: not enough values"}, {"insert into things (id) values (4, 'x')", "ORA-00913: too many values"},
		{"insert into things (id, id) values (4, 4)", "ORA-00957: duplicate column name"}, {"insert into things (nix) values (4)", `ORA-00904: "NIX": invalid identifier`},
		{"insert into things (id, name) values (sysdate, 'x')", "ORA-00984: column not allowed here"},
		{"insert into things (id, name) values (date '2026-01-01', 'x')", "ORA-00932: inconsistent datatypes: expected NUMBER got DATE"},
		{"insert into things (id, name, amount) select id + 10, name, amount * 10 from things where not exists (select null from things where id > 10)", "3"},
		{"insert into things (id, name, amount) select seq.nextval + 100, 's', 99 + seq.nextval from dual", "the sandbox does not model a sequence's NEXTVAL behind another reference to the sequence in the same statement"},
		{"insert into ids (x) values (5) returning id into :a", "1"}, {"insert into ids (id, x) values (5, 5)", "ORA-32795: cannot insert into a generated always identity column"},
		{"insert into ids (x) select seq.nextval from dual connect by level <= 3", "3"}, {"select id, x from ids order by id", "1,5;2,10;3,11;4,12"},
		{"insert into sums values (1, 2)", "ORA-01732: data manipulation operation not legal on this view"}, {"insert into big (id) values (1)", "the sandbox does not model INSERT through view BIG"},

		{"update things set amount = amount + 1 where id = 1 returning amount, twice into :a, :b", "2.5,5"},
		{"update things set id = id + 1", "6"}, {"select id from things order by id", "2;3;4;12;13;14"},
		{"update things set name = null where id = 2", `ORA-01407: cannot update ("APP"."THINGS"."NAME") to NULL`},
		{"update things set twice = 1", "ORA-54017: UPDATE operation disallowed on virtual columns"}, {"update ids set id = 1", "ORA-32796: cannot update a generated always identity column"},
		{"update things set amount = -1 where id = 2", "ORA-02290: check constraint (APP.AMOUNT_CK) violated"},
		{"update things set id = 3 where id = 2", "ORA-00001: unique constraint (APP.THINGS_PK) violated"},
		{"update things set note = default where id = 2 returning note into :a", "none"}, {"update things set note = 'x' where rownum <= 2", "2"},
		{"update things set note = (select max(name) from things) where id = 2 returning note into :a", "two"}, {"update things set note = note, note = note", "ORA-00957: duplicate column name"},

		{"delete from things where id > 4 and rownum <= 2", "2"}, {"delete from things where id > 4 returning name into :a", "three"}, {"select count(*) from things", "3"},
	} {
		require.Equal(t, c.want, s.do(c.text).result(), c.text)
	}
}

func TestForUpdateErrors(t *testing.T) {
	_, s := newWorld(t, people...)
	for _, c := range []struct{ text, want string }{
		{"select distinct id from people for update", "ORA-01786: FOR UPDATE of this query expression is not allowed"},
		{"select count(*) from people for update", "ORA-01786: FOR UPDATE of this query expression is not allowed"},
		{"select id from people union all select id from teams for update", "ORA-01786: FOR UPDATE of this query expression is not allowed"},
		{"select id from people fetch first 1 row only for update", "ORA-02014: cannot select FOR UPDATE from view with DISTINCT, GROUP BY, etc."},
		{"select team from sums for update", "ORA-02014: cannot select FOR UPDATE from view with DISTINCT, GROUP BY, etc."},
		{"select id from people where rownum <= 1 for update", "1"}, {"select id from reds order by id for update", "1;2"},
	} {
		require.Equal(t, c.want, s.do(c.text).result(), c.text)
	}
}

// Rows that others have changed since the statement's snapshot make it restart.
func TestWriteConsistency(t *testing.T) {
	w, s := newWorld(t, people...)
	a, b := w.session("a"), w.session("b")
	a.ok("update people set team = 99 where id = 1")
	u := b.do("update people set name = 'x' where team = 10")
	require.False(t, u.done, "it waits for row 1")
	s.ok("insert into people (id, name, team) values (7, 'Eva', 10)", "commit")
	a.ok("commit")
	require.Equal(t, "2", u.result(), "row 1 is out, row 7 has come")
	b.ok("commit")
	require.Equal(t, "Ann;x;x", s.ok("select name from people where id in (1, 2, 7) order by id").out)

	a.ok("delete from people where id = 2")
	d := b.do("delete from people where id <= 3")
	a.ok("rollback")
	require.Equal(t, "3", d.result(), "nothing has changed")
	b.ok("rollback")

	a.ok("update people set name = 'y' where id = 2")
	b.serializable = true
	b.ok("select * from dual")
	u = b.do("update people set name = 'z' where id = 2")
	a.ok("commit")
	require.Equal(t, "ORA-08177: can't serialize access for this transaction", u.result())
}

func TestForUpdate(t *testing.T) {
	w, s := newWorld(t, people...)
	a, b := w.session("a"), w.session("b")
	a.ok("select id from people where id = 1 for update")
	for _, c := range []struct{ text, want string }{
		{"select id from people where id = 1 for update nowait", "ORA-00054: resource busy and acquire with NOWAIT specified or timeout expired"},
		{"select id from people where id <= 2 order by id for update skip locked", "2"},
		{"select id from people where id = 2 for update of name nowait", "2"},
	} {
		require.Equal(t, c.want, b.do(c.text).result(), c.text)
	}
	l := b.do("select id from people where id = 1 for update wait 10")
	require.False(t, l.done)
	w.k.Advance(11e9)
	w.k.RunReady()
	require.Equal(t, "ORA-30006: resource busy; acquire with WAIT timeout expired", l.result())
	l = b.do("select id, name from people where team = 10 order by id for update")
	a.ok("update people set team = 20, name = 'new' where id = 1", "commit")
	require.Equal(t, "2,Bob", l.result())
	b.ok("rollback")

	require.NoError(t, s.cursor("C", "select id from people order by id for update").err)
	s.step(func() error { _, err := s.fetch(s.cursors["C"], 2); return err })
	s.ok("commit")
	require.Equal(t, "ORA-01002: fetch out of sequence", s.step(func() error { _, err := s.fetch(s.cursors["C"], 1); return err }).result())
}

// A cursor keeps reading its snapshot after its transaction has ended.
func TestCursorAcrossCommit(t *testing.T) {
	_, s := newWorld(t, people...)
	s.cursor("C", "select id from people order by id")
	read := func(n int) string {
		var out string
		require.NoError(t, s.step(func() (err error) { out, err = s.fetch(s.cursors["C"], n); return err }).err)
		return out
	}
	require.Equal(t, "1", read(1))
	s.ok("delete from people", "commit")
	require.Equal(t, "2;3;4", read(-1))
	require.Empty(t, read(1))
}

func TestDeadlock(t *testing.T) {
	w, _ := newWorld(t, people...)
	a, b := w.session("a"), w.session("b")
	a.ok("update people set name = 'a' where id = 1")
	b.ok("update people set name = 'b' where id = 2")
	x, y := a.do("update people set name = 'a' where id = 2"), b.do("update people set name = 'b' where id = 1")
	w.k.Advance(5e9)
	w.k.RunReady()
	require.NotEqual(t, x.done, y.done)
	if !x.done {
		x = y
	}
	require.Equal(t, "ORA-00060: deadlock detected while waiting for resource", x.result())
}

func TestTemporaryTable(t *testing.T) {
	w, s := newWorld(t, "create global temporary table g (x number constraint g_pk primary key) on commit preserve rows")
	other := w.session("other")
	s.ok("insert into g values (1)", "insert into g values (2)")
	require.Equal(t, "ORA-00001: unique constraint (APP.G_PK) violated", s.do("insert into g values (2)").result())
	require.Equal(t, "2", s.ok("select count(*) from g").out)
	require.Equal(t, "0", other.ok("select count(*) from g").out)
}

func TestFreshTable(t *testing.T) {
	_, s := newWorld(t, "create table t (x number)")
	require.Equal(t, "0", s.ok("select count(*) from t").out)
}

// A view is read with its owner's names and rights.
func TestOwnersRights(t *testing.T) {
	w, s := newWorld(t, append(slices.Clone(people), "grant select on reds to other", "grant insert, select on people to other")...)
	_ = s
	other := w.session("other")
	other.user = "OTHER"
	for _, c := range []struct{ text, want string }{
		{"select count(*) from app.reds", "2"}, {"select count(*) from reds", "ORA-00942: table or view does not exist"},
		{"select count(*) from app.teams", "ORA-00942: table or view does not exist"}, {"delete from app.people", "ORA-01031: insufficient privileges"},
		{"insert into app.people (id, name) values (9, 'Zoe') returning id, low into :a, :b", "9,zoe"},
	} {
		require.Equal(t, c.want, other.do(c.text).result(), c.text)
	}
}

// SKIP LOCKED locks row by row as they are fetched, and rereads one that has changed meanwhile.
func TestSkipLocked(t *testing.T) {
	w, s := newWorld(t, people...)
	a := w.session("a")
	require.NoError(t, s.cursor("C", "select id, team from people where team = 10 order by id for update skip locked").err)
	var out string
	fetch := func() error { var err error; out, err = s.fetch(s.cursors["C"], 1); return err }
	require.NoError(t, s.step(fetch).err)
	require.Equal(t, "1,10", out)
	a.ok("update people set team = 20 where id = 2", "update people set team = 10 where id = 4", "commit")
	require.NoError(t, s.step(fetch).err)
	require.Equal(t, "4,10", out)
	require.NoError(t, s.step(fetch).err)
	require.Empty(t, out)
	require.Equal(t, "3", a.ok("select id from people where id > 1 order by id desc for update skip locked").out, "row 2 was locked before it was seen to have changed")
}

// An error comes when the row that has it is fetched, even from memory.
func TestBufferedError(t *testing.T) {
	_, s := newWorld(t, people...)
	require.NoError(t, s.cursor("C", "select 10 / (3 - id) from people order by id").err)
	s.ok("commit")
	var out string
	got := s.step(func() (err error) { out, err = s.fetch(s.cursors["C"], -1); return err }).result()
	require.Equal(t, "ORA-01476: divisor is equal to zero", got)
	require.Equal(t, "5;10", out)
}
