package ddl_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

type row = []value.Value

func TestCreateTable(t *testing.T) {
	s := start(t).as("APP")
	s.must(`create table tasks (
		id number(10) not null,
		name varchar2(20 char) default 'none' not null,
		status varchar2(10) constraint status_ck check (status in ('A', 'B')),
		due timestamp(6) with time zone,
		pending_id number generated always as (case when status = 'A' then id end) virtual,
		upper_name as (upper(name)),
		constraint tasks_pk primary key (id),
		constraint tasks_uk unique (name, status),
		constraint tasks_ck check (id > 0 or name is null)
	) initrans 16 pctfree 5 nologging`,
		"create index tasks_pending_ix on tasks (pending_id)",
		"create index tasks_lower_ix on tasks (upper_name, id)")

	require.Equal(t, []string{
		"ID NUMBER 22 10 0 N 1", "NAME VARCHAR2 80 - - N 2", "STATUS VARCHAR2 10 - - Y 3", "DUE TIMESTAMP(6) WITH TIME ZONE 13 - 6 Y 4",
		"PENDING_ID NUMBER 22 - - Y 5"}, s.view("USER_TAB_COLUMNS", "COLUMN_NAME DATA_TYPE DATA_LENGTH DATA_PRECISION DATA_SCALE NULLABLE COLUMN_ID")[:5])
	require.Equal(t, []string{
		"TASKS_LOWER_IX FUNCTION-BASED NORMAL NONUNIQUE NO", "TASKS_PENDING_IX FUNCTION-BASED NORMAL NONUNIQUE NO",
		"TASKS_PK NORMAL UNIQUE YES", "TASKS_UK NORMAL UNIQUE YES",
	}, s.view("USER_INDEXES", "INDEX_NAME INDEX_TYPE UNIQUENESS CONSTRAINT_INDEX"))
	require.Equal(t, []string{"TASKS_LOWER_IX UPPER_NAME 1 ASC", "TASKS_LOWER_IX ID 2 ASC", "TASKS_PENDING_IX PENDING_ID 1 ASC", "TASKS_PK ID 1 ASC",
		"TASKS_UK NAME 1 ASC", "TASKS_UK STATUS 2 ASC"}, s.view("USER_IND_COLUMNS", "INDEX_NAME COLUMN_NAME COLUMN_POSITION DESCEND"))
	require.Len(t, s.view("USER_CONSTRAINTS", "CONSTRAINT_NAME"), 6)
	require.Contains(t, s.view("USER_CONSTRAINTS", "CONSTRAINT_TYPE SEARCH_CONDITION GENERATED"), `C "ID" IS NOT NULL GENERATED NAME`)
	require.Equal(t, []string{"INDEX TASKS_LOWER_IX", "INDEX TASKS_PENDING_IX", "INDEX TASKS_PK", "INDEX TASKS_UK", "TABLE TASKS"},
		sorted(s.view("USER_OBJECTS", "OBJECT_TYPE OBJECT_NAME")))

	require.NoError(t, s.insert("TASKS", row{num(1), str("a"), str("A")}, row{num(2), str("b"), str("B")}))
	require.Equal(t, []string{"1 a A - 1 A", "2 b B - - B"}, s.rows("TASKS"))
	def := s.cat.Object("APP", "TASKS").Def.(*catalog.Table)
	require.Equal(t, 1, def.Indexes[2].Data.Len(), "keys that are all NULL are not stored")
	require.Error(t, s.insert("TASKS", row{num(1), str("c"), str("A")}))
}

func TestTableErrors(t *testing.T) {
	e := start(t)
	s := e.as("APP").must("create table t (a number, b varchar2(10), constraint t_ck check (a > 0))", "create index ix on t (a)")
	e.as("OTHER").must("create table o (a number)")
	for _, c := range []struct{ text, want string }{
		{"create table t (a number)", "ORA-00955: name is already used by an existing object"},
		{"create table x (a number, a number)", "ORA-00957: duplicate column name"},
		{"create table x (a number, constraint t_ck check (a > 0))", "ORA-02264: name already used by an existing constraint"},
		{"create table x (a number primary key, b number primary key)", "ORA-02260: table can have only one primary key"},
		{"create table x (a number primary key, unique (a))", "ORA-02261: such unique or primary key already exists in the table"},
		{"create table x (a number, primary key (c))", `ORA-00904: "C": invalid identifier`},
		{"create table x (a clob primary key)", "ORA-02329: column of datatype CLOB cannot be unique or a primary key"},
		{"create table x (a number, check (a > sysdate))", "ORA-02436: date or system variable wrongly specified in CHECK constraint"},
		{"create table x (a number, b number check (a > 0))", "ORA-02438: Column check constraint cannot reference other columns"},
		{"create table x (a number, check (a > (select 1 from dual)))", "ORA-02251: subquery not allowed here"},
		{"create table x (a number, b number default a)", "ORA-00984: column not allowed here"},
		{"create table x (a number, b as (sysdate))", "ORA-54002: only pure functions can be specified in a virtual column expression"},
		{"create table x (a number, b as (a + 1), c as (b + 1))", "ORA-54012: virtual column is referenced in a column expression"},
		{"create table x (a number generated always as identity, b number generated always as identity)", "ORA-30669: table can have only one identity column"},
		{"create table x (a varchar2(5) generated always as identity)", "ORA-30675: identity column must be a numeric type"},
		{"create table x (a nosuch)", "ORA-00902: invalid datatype"},
		{"create table x (a varchar2(5000))", "ORA-00910: specified length too long for its datatype"},
		{"create table x (a number) tablespace nowhere", "ORA-00959: tablespace 'NOWHERE' does not exist"},
		{"create table x (a number) initrans 0", "ORA-02207: invalid INITRANS option value"},
		{"create table x (a number) organization index", "organization"},
		{"create table x (a number unique deferrable)", "deferrable"},
		{"create table other.x (a number)", "ORA-01031: insufficient privileges"},
		{"create table nobody.x (a number)", "ORA-01918: user 'NOBODY' does not exist"},
		{"create index ix on t (b)", "ORA-00955: name is already used by an existing object"},
		{"create index ix2 on t (a)", "ORA-01408: such column list already indexed"},
		{"create index ix2 on t (c)", `ORA-00904: "C": invalid identifier`},
		{"create index ix2 on t (b, b)", "ORA-00957: duplicate column name"},
		{"create index ix2 on t (b || user)", "the sandbox does not model"},
		{"create index ix2 on nosuch (b)", "ORA-00942: table or view does not exist"},
		{"create index ix2 on other.o (a)", "ORA-00942: table or view does not exist"},
		{"create index ix2 on t (b) unusable", "UNUSABLE of an index"},
		{"drop index nosuch", "ORA-01418: specified index does not exist"},
		{"drop table nosuch", "ORA-00942: table or view does not exist"},
		{"drop table sys.dual", "ORA-01031: insufficient privileges"},
		{"drop view t", "ORA-00942: table or view does not exist"},
		{"drop package nosuch", "ORA-04043: object NOSUCH does not exist"},
		{"truncate table nosuch", "ORA-00942: table or view does not exist"},
		{"comment on column t.c is 'x'", `ORA-00904: "C": invalid identifier`},
		{"alter table t add a number", "ORA-01430: column being added already exists in table"},
		{"alter table t drop constraint nosuch", "ORA-02443: Cannot drop constraint  - nonexistent constraint"},
		{"alter table t drop primary key", "ORA-02441: Cannot drop nonexistent primary key"},
	} {
		s.fails(c.text, c.want)
	}
	require.Equal(t, []string{"IX", "T"}, sorted(s.view("USER_OBJECTS", "OBJECT_NAME")), "a statement that fails leaves nothing")
	require.Equal(t, []string{"A", "B"}, s.view("USER_TAB_COLS", "COLUMN_NAME"))
}

func TestAlterTable(t *testing.T) {
	s := start(t).as("APP").must("create table t (a number, b varchar2(3), c number as (a * 2))")
	require.NoError(t, s.insert("T", row{num(1), str("x")}, row{num(2), str("yyy")}))
	s.fails("alter table t add d number not null", "ORA-01758: table must be empty to add mandatory (NOT NULL) column")
	s.must("alter table t add d number default 7 not null")
	require.Equal(t, []string{"1 x 2 7", "2 yyy 4 7"}, s.rows("T"))
	require.Equal(t, []string{"A NUMBER Y", "B VARCHAR2 Y", "C NUMBER Y", "D NUMBER N"}, s.view("USER_TAB_COLUMNS", "COLUMN_NAME DATA_TYPE NULLABLE"))

	s.must("alter table t add constraint t_pk primary key (a)", "alter table t add (constraint t_ck check (d > 5), e date)")
	s.fails("alter table t add constraint t_ck2 check (a > 1)", "ORA-02293: cannot validate (APP.T_CK2) - check constraint violated")
	s.fails("alter table t add constraint t_uk unique (d)", "ORA-02299: cannot validate (APP.T_UK) - duplicate keys found")
	s.fails("create unique index t_d on t (d)", "ORA-01452: cannot CREATE UNIQUE INDEX; duplicate keys found")
	s.fails("drop index t_pk", "ORA-02429: cannot drop index used for enforcement of unique/primary key")
	require.Error(t, s.insert("T", row{num(2), str("x")}))

	s.must("alter table t drop primary key", "alter table t drop constraint t_ck", "create index t_ix on t (b)", "drop index t_ix")
	require.Equal(t, []string{"A", "B", "C", "D", "E"}, s.view("USER_TAB_COLS", "COLUMN_NAME"), "the hidden column goes with its index")
	s.must("comment on table t is 'three'", "comment on column t.d is 'it''s'")
	require.Equal(t, []string{"T three"}, s.view("USER_TAB_COMMENTS", "TABLE_NAME COMMENTS"))
	require.Contains(t, s.view("USER_COL_COMMENTS", "COLUMN_NAME COMMENTS"), "D it's")
	s.must("truncate table t")
	require.Empty(t, s.rows("T"))
	s.must("drop table t purge")
	require.Empty(t, s.view("USER_OBJECTS", "OBJECT_NAME"))
}

func TestLocksAndSnapshots(t *testing.T) {
	e := start(t)
	s := e.as("APP").must("create table t (a number)")
	require.NoError(t, s.insert("T", row{num(1)}))
	old := e.cat.Object("APP", "T").Def.(*catalog.Table)

	other := e.st.NewSession(nil)
	tx := other.Begin()
	_, err := tx.Insert(old.Data, value.Row{num(2)})
	require.NoError(t, err)
	s.fails("alter table t add b number", "ORA-00054: resource busy and acquire with NOWAIT specified or timeout expired")
	s.fails("drop table t", "ORA-00054: resource busy and acquire with NOWAIT specified or timeout expired")
	s.fails("create index ix on t (a)", "ORA-00054: resource busy and acquire with NOWAIT specified or timeout expired")
	tx.Rollback()

	reader := other.Begin()
	sn := reader.Snapshot()
	cur := reader.Open(old.Data, store.Access{Mode: store.Versioned, Snapshot: sn})
	_, _, ok, err := cur.Next()
	require.NoError(t, err)
	require.True(t, ok)
	s.must("alter table t add b number default 5", "create index ix on t (b)") // an open query blocks nobody
	require.Empty(t, read(t, cur))
	now := e.cat.Object("APP", "T").Def.(*catalog.Table)
	require.NotSame(t, old.Data, now.Data)
	require.Greater(t, now.Since, sn.Seq)
	require.LessOrEqual(t, now.Since, e.st.Sequence())
	reader.Rollback()

	s.must("create global temporary table g (a number) on commit delete rows")
	e.inUse = true
	s.fails("drop table g", "ORA-14452: attempt to create, alter or drop an index on temporary table already in use")
	s.must("truncate table g", "drop table g")
}

func TestIdentityAndDefaults(t *testing.T) {
	s := start(t).as("APP").must("create sequence q start with 5", "create table t (a varchar2(5))")
	require.NoError(t, s.insert("T", row{str("x")}, row{str("y")}))
	s.must("alter table t add id number generated by default on null as identity (start with 10)", "alter table t add b number default q.nextval")
	require.Equal(t, []string{"x 10 5", "y 11 6"}, s.rows("T"))
	require.Len(t, s.view("USER_SEQUENCES", "SEQUENCE_NAME"), 2)
}

func TestSequences(t *testing.T) {
	s := start(t).as("APP")
	for _, c := range []struct{ text, want string }{
		{"create sequence q increment by 0", "the sandbox does not model INCREMENT BY other than 1"},
		{"create sequence q maxvalue 5", "the sandbox does not model"},
		{"create sequence q start with 0", "ORA-04006: START WITH cannot be less than MINVALUE"},
		{"create sequence q cache 1", "ORA-04010: the number of values to CACHE must be greater than 1"},
		{"create sequence q cycle", "the sandbox does not model"},
		{"create sequence q cache 5 nocache", "ORA-02278: duplicate or conflicting CACHE specifications"},
		{"drop sequence q", "ORA-02289: sequence does not exist"},
	} {
		s.fails(c.text, c.want)
	}
	s.must("create sequence q start with 3 increment by 1 nocache nocycle order")
	q := s.cat.Object("APP", "Q").Def.(*catalog.Sequence)
	require.Equal(t, []int64{3, 4}, []int64{q.Next(), q.Next()})
}

func TestViewsAndSynonyms(t *testing.T) {
	e := start(t)
	s := e.as("APP").must("create table t (a number not null, b varchar2(5))", "create view v as select a, b from t",
		"create or replace view v (x, y) as select a, b || 'z' from t", "create view w as select x from v with read only")
	require.Equal(t, []string{"V X NUMBER", "V Y VARCHAR2", "W X NUMBER"}, s.view("USER_TAB_COLUMNS", "TABLE_NAME COLUMN_NAME DATA_TYPE")[2:])
	require.Equal(t, []string{"V APP T", "W APP V"}, s.view("USER_DEPENDENCIES", "NAME REFERENCED_OWNER REFERENCED_NAME"))
	s.fails("create or replace view v as select x from w", "ORA-01731: circular view definition encountered")
	s.fails("create view v as select a from t", "ORA-00955: name is already used by an existing object")
	s.fails("create view z as select a + 1 from t", "ORA-00998: must name this expression with a column alias")
	s.fails("create view z (p, q) as select a from t", "ORA-01730: invalid number of column names specified")
	s.fails("create view z as select a, b a from t", "ORA-00957: duplicate column name")
	s.fails("create view z as select a from nosuch", "ORA-00942: table or view does not exist")

	s.must("create table s (a number, b number)", "create view all_s as select s.*, a + 1 more from s", "alter table s add c number")
	require.Equal(t, []string{"A", "B", "MORE"}, s.view("USER_TAB_COLUMNS", "COLUMN_NAME")[:3], "what * stands for is fixed")
	s.must("drop view all_s", "drop table s")

	s.must("create force view z as select c from later")
	require.Equal(t, []string{"Z 0 ORA-00942: table or view does not exist"}, s.view("USER_ERRORS", "NAME LINE TEXT"))
	s.must("alter table t add c number", "create table later (c number)")
	invalid := func() (out []string) {
		for o := range e.cat.Objects("APP") {
			if o.Invalid {
				out = append(out, o.Name)
			}
		}
		return out
	}
	require.Equal(t, []string{"Z"}, invalid(), "a view never has columns that came later")
	s.must("create index t_ix on t (a)", "truncate table t")
	require.Equal(t, []string{"Z"}, invalid())
	s.must("drop table later")
	require.Equal(t, []string{"Z"}, invalid())

	s.must("create synonym tt for t", "create or replace synonym tt for v", "create synonym dangling for nowhere.x")
	s.fails("create synonym tt for v", "ORA-00955: name is already used by an existing object")
	s.fails("create public synonym tt for v", "ORA-01031: insufficient privileges")
	s.fails("create synonym t for t", "ORA-01471: cannot create a synonym with same name as object")
	s.fails("drop synonym nosuch", "ORA-01434: private synonym to be dropped does not exist")
	require.Equal(t, []string{"DANGLING NOWHERE X", "TT APP V"}, s.view("USER_SYNONYMS", "SYNONYM_NAME TABLE_OWNER TABLE_NAME"))
	s.must("drop synonym tt", "drop view w", "drop view v")
}

func TestUsersAndGrants(t *testing.T) {
	e := start(t)
	sys := e.as("SYS")
	sys.must("create user app identified by Secret default tablespace users quota unlimited on users", "create user poor identified by x",
		"create role clerk", "grant connect, resource to app", "grant create session, create table to poor", "grant clerk to poor")
	for _, c := range []struct{ text, want string }{
		{"create user app identified by x", "ORA-01920: user name 'APP' conflicts with another user or role name"},
		{"create role app", "ORA-01921: role name 'APP' conflicts with another user or role name"},
		{"create user x identified by x default tablespace nowhere", "ORA-00959: tablespace 'NOWHERE' does not exist"},
		{"create user x identified by x quota 10M on users", "a quota in bytes"},
		{"alter user nobody account lock", "ORA-01918: user 'NOBODY' does not exist"},
		{"grant create table to nobody", "ORA-01917: user or role 'NOBODY' does not exist"},
		{"grant nosuch to app", "ORA-01919: role 'NOSUCH' does not exist"},
		{"grant create nonsense to app", "ORA-00990: missing or invalid privilege"},
		{"grant unlimited tablespace to clerk", "ORA-01931: cannot grant UNLIMITED TABLESPACE to a role"},
		{"grant clerk to clerk", "ORA-01934: circular role grant detected"},
		{"revoke create view from app", "ORA-01952: system privileges not granted to 'APP'"},
		{"revoke clerk from app", "ORA-01951: ROLE 'CLERK' not granted to 'APP'"},
		{"drop role nosuch", "ORA-01919: role 'NOSUCH' does not exist"},
		{"drop user nobody", "ORA-01918: user 'NOBODY' does not exist"},
	} {
		sys.fails(c.text, c.want)
	}
	app, poor := e.as("APP"), e.as("POOR")
	app.must("create table t (a number)", "create sequence q", "grant select on t to clerk", "grant select, insert on t to poor with grant option")
	poor.must("create table p (a number)") // no segment yet
	poor.fails("create table p2 (a number) segment creation immediate", "ORA-01950: no privileges on tablespace 'USERS'")
	poor.fails("create user x identified by x", "ORA-01031: insufficient privileges")
	poor.fails("grant create table to app", "ORA-01031: insufficient privileges")
	poor.fails("grant delete on app.t to sys", "ORA-01031: insufficient privileges")
	poor.fails("grant select on app.q to sys", "ORA-00942: table or view does not exist")
	poor.fails("drop table app.t", "ORA-01031: insufficient privileges")
	poor.fails("create index ix on app.t (a)", "ORA-01031: insufficient privileges")
	poor.must("grant select on app.t to public")
	app.fails("grant execute on t to poor", "ORA-02224: EXECUTE privilege not allowed for tables")
	app.fails("grant insert on q to poor", "ORA-02205: only SELECT and ALTER privileges are valid for sequences")
	app.fails("grant select on t to app", "ORA-01749: you may not GRANT/REVOKE privileges to/from yourself")
	app.fails("grant select on t to clerk with grant option", "ORA-01926: cannot GRANT to a role WITH GRANT OPTION")
	app.fails("revoke delete on t from poor", "ORA-01927: cannot REVOKE privileges you did not grant")
	require.Equal(t, []string{"CLERK SELECT APP NO", "POOR INSERT APP YES", "POOR SELECT APP YES", "PUBLIC SELECT POOR NO"},
		app.view("USER_TAB_PRIVS", "GRANTEE PRIVILEGE GRANTOR GRANTABLE"))
	app.must("revoke select on t from poor")
	require.Equal(t, []string{"CLERK SELECT", "POOR INSERT"}, app.view("USER_TAB_PRIVS", "GRANTEE PRIVILEGE"), "what was passed on goes, too")

	require.Equal(t, []string{"POOR CREATE SESSION NO", "POOR CREATE TABLE NO"}, poor.view("USER_SYS_PRIVS", "USERNAME PRIVILEGE ADMIN_OPTION"))
	require.Equal(t, []string{"CLERK"}, poor.view("SESSION_ROLES", "ROLE"))
	require.Equal(t, []string{"USERS -1"}, app.view("USER_TS_QUOTAS", "TABLESPACE_NAME MAX_BYTES"))
	sys.must("alter user poor account lock password expire quota unlimited on users")
	require.Equal(t, []string{"POOR EXPIRED & LOCKED USERS"}, poor.view("USER_USERS", "USERNAME ACCOUNT_STATUS DEFAULT_TABLESPACE"))
	poor.must("create table p2 (a number) segment creation immediate")

	sys.fails("drop user app", "ORA-01922: CASCADE must be specified to drop 'APP'")
	e.connect = "APP"
	sys.fails("drop user app cascade", "ORA-01940: cannot drop a user that is currently connected")
	e.connect = ""
	sys.must("drop user app cascade", "drop role clerk", "grant dba to poor")
	require.Nil(t, e.cat.Object("APP", "T"))
	require.True(t, e.cat.Has(catalog.Rights{User: "POOR"}, "UNLIMITED TABLESPACE"))
}

func TestIndexes(t *testing.T) {
	s := start(t).as("APP").must("create table t (a number, b varchar2(5))", "create unique index t_ux on t (b, a)",
		"create index t_ix2 on t (a) online", "alter index t_ix2 rebuild", "alter index t_ix2 invisible")
	require.NoError(t, s.insert("T", row{num(1), str("x")}, row{}, row{}))
	require.Error(t, s.insert("T", row{num(1), str("x")}))
	require.Equal(t, []string{"T_IX2 INVISIBLE", "T_UX VISIBLE"}, s.view("USER_INDEXES", "INDEX_NAME VISIBILITY"))
	s.fails("create index t_fx on t (upper(b))", "the sandbox does not model")
	s.fails("create index t_dx on t (a desc)", "the sandbox does not model")
	s.fails("alter index t_ix2 rename to t_ix", "the sandbox does not model")
	s.fails("alter table t add constraint t_uk unique (a)", "a key that a non-unique index enforces")
	s.must("drop index t_ux", "drop index t_ix2", "alter table t add constraint t_uk unique (a) using index (create unique index t_own on t (a))")
	require.Equal(t, "T_OWN", s.cat.Object("APP", "T").Def.(*catalog.Table).Constraint("T_UK").Index.Name)
	s.must("alter table t drop constraint t_uk keep index")
	require.Equal(t, ast.KindIndex, s.cat.Index("APP", "T_OWN").Kind)
}

// TestSameName has sessions create objects with one name at the same time: one of them gets it.
func TestSameName(t *testing.T) {
	for seed := range uint64(20) {
		e := seeded(t, kernel.Options{Seed: seed, Granularity: kernel.AtLocks})
		s := e.as("APP")
		var ends []string
		for _, text := range []string{"create table t (a number primary key)", "create table t (b number)", "create sequence t", "create view t as select 1 a from dual"} {
			s.spawn(&ends, text)
		}
		e.k.RunReady()
		slices.Sort(ends)
		require.Len(t, ends, 4)
		require.Equal(t, "done", ends[3])
		require.Contains(t, ends[2], "name is already used by an existing object")
		require.NotNil(t, e.cat.Object("APP", "T"))
	}
}
