package ddl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestCreateTable(t *testing.T) {
	s := newSession(t)
	s.must(`create table Tasks
(
    TaskID int identity(1,1) primary key,
    ExecutionOrder int null,
    TaskBody varchar(max) not null,
    Status varchar(20) not null default('Pending'),
    StartTime datetime not null default(getdate())
)
create index IX_ExecutionOrder on Tasks(ExecutionOrder)
create unique index IX_Status on Tasks(Status desc, TaskID) include (StartTime) where ExecutionOrder > 0 and Status in ('a', 'b')`)
	o := s.db.Object("dbo", "tasks")
	tab := o.Table()
	require.Equal(t, 0, tab.Identity)
	require.False(t, tab.Columns[0].Nullable)
	require.Equal(t, "('Pending')", tab.Columns[3].Default.Text)
	require.Equal(t, "(getdate())", tab.Columns[4].Default.Text)
	require.Len(t, tab.Indexes, 3)
	require.True(t, tab.Indexes[0].Clustered && tab.Indexes[0].PrimaryKey)
	require.Regexp(t, `^PK__Tasks__[0-9A-F]{16}$`, tab.Indexes[0].Name)
	require.Equal(t, "([ExecutionOrder]>(0) AND [Status] IN ('a', 'b'))", tab.Indexes[2].FilterText)
	require.Equal(t, []catalog.KeyColumn{{Column: 3, Desc: true}, {Column: 0}}, tab.Indexes[2].Keys)
	require.Len(t, tab.Data.Indexes(), 3)
	require.NotNil(t, s.db.Object("dbo", tab.Indexes[0].Name), "a constraint is an object")

	for _, c := range []struct{ sql, want string }{
		{"create table x (a int, A int)", "Msg 2705, Level 16, State 3"},
		{"create table nosuch.x (a int)", "Msg 2760"},
		{"create table x (a int null primary key)", "Msg 8111"},
		{"create table x (a int primary key, b int primary key)", "Msg 8110"},
		{"create table x (a varchar(max) primary key)", "Msg 1919"},
		{"create table x (a int constraint DF default 1 default 2)", ""},
		{"create table x (a int identity, b int identity)", "Msg 2744"},
		{"create table x (a varchar(5) identity)", "Msg 2749"},
		{"create table x (a int identity null)", "Msg 8147"},
		{"create table x (a int, constraint Tasks check (a > 0))", "Msg 1750"},
		{"create table x (a int check (b > 0), b int)", "Msg 8141"},
		{"create table x (a int sparse)", "does not model"},
		{"create table x (a int) with (memory_optimized = on)", "does not model"},
		{"create table x (a char(901) primary key)", "Msg 1944"},
		{"create clustered index i on Tasks(TaskID) where TaskID > 0", "Msg 1902"},
		{"create index IX_Status on Tasks(TaskID)", "Msg 1913, Level 16, State 1, Line 0: The operation failed because an index or statistics with name 'IX_Status' already exists on table 'Tasks'."},
		{"create clustered index c on Tasks(TaskID)", "Msg 1902"},
		{"create index i on Tasks(nosuch)", "Msg 1911"},
		{"create index i on nosuch(a)", "Msg 1088, Level 16, State 12"},
		{"create index i on Tasks(TaskID, TaskID)", "Msg 1909"},
		{"create index i on Tasks(TaskID) with (online = on)", "does not model"},
		{"drop index i on Tasks", "Msg 3701, Level 11, State 7, Line 0: Cannot drop the index 'Tasks.i', because it does not exist or you do not have permission."},
		{"drop table nosuch", "Msg 3701, Level 11, State 5, Line 0: Cannot drop the table 'nosuch', because it does not exist or you do not have permission."},
	} {
		if c.want == "" {
			continue // the parser refuses
		}
		s.fails(c.sql, c.want)
		require.Nil(t, s.db.Object("dbo", "x"), c.sql)
	}
	s.fails("drop index "+tab.Indexes[0].Name+" on Tasks", "Msg 3723")
	s.must("drop index IX_ExecutionOrder on Tasks; drop index if exists nosuch on Tasks; drop table if exists nosuch")
	require.Len(t, s.table("Tasks").Indexes, 2)
	s.must("drop table Tasks")
	require.Nil(t, s.db.Object("dbo", "Tasks"))
	n := 0
	for range s.db.Objects() {
		n++
	}
	require.Zero(t, n, "its constraints are gone, too")
}

func TestTablesComeAndGoWithTheTransaction(t *testing.T) {
	s := newSession(t)
	s.must("create table kept (a int primary key)")
	s.insert("kept", 1)
	s.begin()
	s.must(`create table t (a int); drop table kept; create table #x (a int)`)
	require.NotNil(t, s.temps["#x"])
	s.rollback()
	require.Nil(t, s.db.Object("dbo", "t"))
	require.Nil(t, s.temps["#x"])
	require.Len(t, s.rows("kept"), 1)
	s.begin()
	s.must("alter table kept add b int not null default 7; truncate table kept")
	require.Empty(t, s.table("kept").Data.Rows())
	s.rollback()
	require.Equal(t, []string{"a"}, names(s.table("kept")))
	require.Len(t, s.rows("kept"), 1)
}

func names(t *catalog.Table) (out []string) {
	for _, c := range t.Columns {
		out = append(out, c.Name)
	}
	return out
}

func TestLocksKeepOthersOut(t *testing.T) {
	s := newSession(t)
	s.must("create table t (a int)")
	other := *s
	other.ss = s.ss.Store().NewSession(nil)
	s.begin()
	s.must("drop table t")
	err := (&other).exec("create table t (a int)")
	require.ErrorContains(t, err, "lock request timed out", "it waits for the transaction that has dropped the name")
	s.rollback()
}

func TestAlterTable(t *testing.T) {
	s := newSession(t)
	s.must("create table t (a int constraint PK primary key, b varchar(3) not null, c int constraint DF default 5, constraint CK check (c > 0)); create index IX on t (b)")
	s.insert("t", 1, "x", 2)
	s.must("alter table t add d int, e int not null constraint DE default 9, f int default 3 with values, h int default 4")
	require.Equal(t, "[1 \"x\" 2 NULL 9 3 NULL]", sprint(s, "t"))
	s.must("alter table t drop constraint DE")
	require.Len(t, s.table("t").Data.Indexes(), 2)
	for _, c := range []struct{ sql, want string }{
		{"alter table nosuch add a int", "Msg 4902, Level 16, State 1, Line 0: Cannot find the object \"nosuch\" because it does not exist or you do not have permissions."},
		{"alter table t add a int", "Msg 2705, Level 16, State 4"},
		{"alter table t add z int not null", "Msg 4901"},
		{"alter table t add constraint X default 1 for c", "Msg 1781, Level 16, State 1, Line 0: Column already has a DEFAULT bound to it."},
		{"alter table t add constraint P2 primary key (b)", "Msg 1779"},
		{"alter table t with check add constraint X check (c > 5)", "Msg 547, Level 16, State 0, Line 0: The ALTER TABLE statement conflicted with the CHECK constraint \"X\". The conflict occurred in database \"Shop\", table \"dbo.t\"."},
		{"alter table t drop constraint nosuch", "Msg 3728"},
		{"alter table t switch to u", ""},
	} {
		if c.want != "" {
			s.fails(c.sql, c.want)
		}
	}
	s.must("alter table t with nocheck add constraint X check (c > 5)")
	require.True(t, s.table("t").Checks[1].NotTrusted)
	s.must("alter table t set (lock_escalation = disable)")
	require.True(t, s.table("t").NoEscalate)
	require.True(t, s.table("t").Data.Spec().NoEscalation)
	s.must("alter table t drop constraint if exists nosuch")
}

func sprint(s *session, name string) string {
	rows := s.rows(name)
	require.Len(s.t, rows, 1)
	return fmtRow(rows[0])
}

func TestUniqueIndexOverDuplicates(t *testing.T) {
	s := newSession(t)
	s.must("create table t (a int, b varchar(5))")
	s.insert("t", 1, "x")
	s.insert("t", 1, "x")
	s.fails("create unique index ix on t (a, b)", "Msg 1505, Level 16, State 1, Line 0: The CREATE UNIQUE INDEX statement terminated because a duplicate key was found for the object name 'dbo.t' and the index name 'ix'. The duplicate key value is (1, x).")
	require.Empty(t, s.table("t").Data.Indexes())
	s.set.QuotedIdentifier = false
	s.fails("create index ix on t (a) where a > 1", "Msg 1934")
}

func fmtRow(r value.Row) string { return fmt.Sprint([]value.Value(r)) }
