package supplied

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func (s *session) request(id, mode, timeout int, release bool) int64 {
	return s.must("DBMS_LOCK.REQUEST", given("ID", id, "LOCKMODE", mode, "TIMEOUT", timeout, "RELEASE_ON_COMMIT", release)).Int64()
}

// The matrix of DBMS_LOCK, "Lock Compatibility".
func TestLockModesAreCompatibleAsDocumented(t *testing.T) {
	want := [6]string{"++++++", "+++++-", "+++---", "++-+--", "++----", "+-----"} // held NL SS SX S SSX X; requested the same
	r := newRig(t)
	r.do(func(holder *session) {
		for held := 1; held <= 6; held++ {
			require.Zero(t, holder.request(1, held, 0, false))
			for asked := 1; asked <= 6; asked++ {
				done := false
				r.session(func(s *session) {
					got := s.request(1, asked, 0, false)
					require.Equal(t, want[held-1][asked-1] == '+', got == lockSuccess, "%d against %d", asked, held)
					done = true
				})
				holder.must("DBMS_LOCK.SLEEP", given("SECONDS", 1))
				require.True(t, done)
			}
			require.Zero(t, holder.must("DBMS_LOCK.RELEASE", given("ID", 1)).Int64())
		}
	})
}

func TestLockReturns(t *testing.T) {
	newRig(t).do(func(s *session) {
		require.EqualValues(t, lockSuccess, s.request(5, 6, 0, false))
		require.EqualValues(t, lockOwnership, s.request(5, 2, 0, false), "own already")
		require.EqualValues(t, lockParameter, s.request(1<<30, 6, 0, false))
		require.EqualValues(t, lockParameter, s.request(6, 7, 0, false))
		require.NoError(t, s.Commit(nil))
		require.EqualValues(t, lockOwnership, s.request(5, 6, 0, false), "survives the commit")
		require.EqualValues(t, lockSuccess, s.request(6, 6, 0, true))
		require.EqualValues(t, lockOwnership, s.request(6, 6, 0, true))
		require.NoError(t, s.Commit(nil))
		require.EqualValues(t, lockOwnership, s.must("DBMS_LOCK.RELEASE", given("ID", 6)).Int64(), "release_on_commit")
		s.fails(sqlerr.NotSupportedNumber, "DBMS_LOCK.RELEASE#2", given("LOCKHANDLE", "abc"))
	})
}

func TestLockDeadlock(t *testing.T) {
	r := newRig(t)
	var results []int64
	cross := func(first, second int) func(s *session) {
		return func(s *session) {
			require.Zero(t, s.request(first, 6, 0, false))
			s.must("DBMS_LOCK.SLEEP", given("SECONDS", 1))
			results = append(results, s.request(second, 6, lockMaxWait, false))
		}
	}
	r.session(cross(1, 2))
	r.session(cross(2, 1))
	require.NoError(t, r.k.RunUntil(func() bool { return len(results) == 2 }))
	require.ElementsMatch(t, []int64{lockDeadlock, lockSuccess}, results)
}

func TestSession(t *testing.T) {
	r := newRig(t)
	r.do(func(s *session) {
		id := s.must("DBMS_SESSION.UNIQUE_SESSION_ID", given())
		alive := func(id any) bool { return s.must("DBMS_SESSION.IS_SESSION_ALIVE", given("UNIQUEID", id)).IsTrue() }
		require.LessOrEqual(t, len(id.Str()), 24)
		require.True(t, alive(id))
		require.False(t, alive(UniqueID(77, 7)))
		require.False(t, alive("x"))
		s.fails(38148, "DBMS_SESSION.SLEEP", given("SECONDS", -1))
		s.fails(38148, "DBMS_SESSION.SLEEP", given("SECONDS", 3601))
		at := r.k.Now()
		s.must("DBMS_SESSION.SLEEP", given("SECONDS", value.NewDecimal(5, 2)))
		require.Equal(t, 50*time.Millisecond, r.k.Now().Sub(at))
		s.task.Interrupt()
		s.fails(1013, "DBMS_SESSION.SLEEP", given("SECONDS", 5))
		s.must("DBMS_APPLICATION_INFO.SET_MODULE", given("MODULE_NAME", "dbsched", "ACTION_NAME", "P1"))
		s.must("DBMS_SESSION.SET_IDENTIFIER", given("CLIENT_ID", "me"))
		require.Equal(t, []string{"dbsched", "P1", "me"}, []string{s.state.Module, s.state.Action, s.state.Identifier})
		s.must("DBMS_SESSION.CLEAR_IDENTIFIER", given())
		require.Empty(t, s.state.Identifier)
		s.fails(sqlerr.NotSupportedNumber, "DBMS_SESSION.RESET_PACKAGE", given())
	})
}

func TestAssert(t *testing.T) {
	newRig(t).do(func(s *session) {
		name := func(n string, capitalize bool) string {
			return s.must("DBMS_ASSERT.ENQUOTE_NAME", given("STR", n, "CAPITALIZE", capitalize)).Str()
		}
		require.Equal(t, `"EMP"`, name("emp", true))
		require.Equal(t, `"emp"`, name("emp", false))
		require.Equal(t, `"Emp"`, name(`"Emp"`, true))
		s.fails(44003, "DBMS_ASSERT.ENQUOTE_NAME", given("STR", `a"b`, "CAPITALIZE", true))
		require.Equal(t, "'a''b'", s.must("DBMS_ASSERT.ENQUOTE_LITERAL", given("STR", "a''b")).Str())
		s.fails(6502, "DBMS_ASSERT.ENQUOTE_LITERAL", given("STR", "a'b"))
		require.Equal(t, "a$1", s.must("DBMS_ASSERT.SIMPLE_SQL_NAME", given("STR", "a$1")).Str())
		for _, bad := range []string{"1a", "a b", "a;", `"a`, ""} {
			s.fails(44003, "DBMS_ASSERT.SIMPLE_SQL_NAME", given("STR", bad))
		}
		s.must("DBMS_ASSERT.QUALIFIED_SQL_NAME", given("STR", `app."T".c`))
		for _, good := range []string{"t@link", `app.t@"a@b".example.com@svc`} {
			s.must("DBMS_ASSERT.QUALIFIED_SQL_NAME", given("STR", good))
		}
		for _, bad := range []string{"app..t", "t@", "t@a@b@c", "@a", "t a"} {
			s.fails(44004, "DBMS_ASSERT.QUALIFIED_SQL_NAME", given("STR", bad))
		}
		s.must("DBMS_ASSERT.SCHEMA_NAME", given("STR", "APP"))
		s.fails(44001, "DBMS_ASSERT.SCHEMA_NAME", given("STR", "app"))
		s.must("DBMS_ASSERT.SQL_OBJECT_NAME", given("STR", "dual"))
		s.fails(44002, "DBMS_ASSERT.SQL_OBJECT_NAME", given("STR", "nothing"))
	})
}

func TestOutput(t *testing.T) {
	newRig(t).do(func(s *session) {
		put := func(text string) { s.must("DBMS_OUTPUT.PUT_LINE", given("A", text)) }
		get := func() (string, int64) {
			a := given()
			s.must("DBMS_OUTPUT.GET_LINE", a)
			return a["LINE"].Str(), a["STATUS"].Int64()
		}
		put("lost: not enabled")
		s.must("DBMS_OUTPUT.ENABLE", given("BUFFER_SIZE", 2000))
		s.must("DBMS_OUTPUT.PUT", given("A", "a"))
		put("b")
		put("")
		put("c")
		line, status := get()
		require.Equal(t, "ab", line)
		require.Zero(t, status)
		put("new") // unread lines are gone
		line, _ = get()
		require.Equal(t, "new", line)
		_, status = get()
		require.EqualValues(t, 1, status)
		s.fails(20000, "DBMS_OUTPUT.PUT", given("A", string(make([]byte, 2001))))
		s.must("DBMS_OUTPUT.ENABLE", given())
		s.fails(20000, "DBMS_OUTPUT.PUT", given("A", string(make([]byte, 32768))))
	})
}

func TestHash(t *testing.T) {
	newRig(t).do(func(s *session) {
		hash := func(name string) int64 {
			return s.must("DBMS_UTILITY.GET_HASH_VALUE", given("NAME", name, "BASE", 100, "HASH_SIZE", 64)).Int64()
		}
		require.Equal(t, hash("a"), hash("a"))
		require.True(t, hash("b") >= 100 && hash("b") < 164)
	})
}

func TestLOBs(t *testing.T) {
	newRig(t).do(func(s *session) {
		clob := value.NewString("größer größer")
		require.EqualValues(t, 13, s.must("DBMS_LOB.GETLENGTH#2", given("LOB_LOC", clob)).Int64())
		require.Equal(t, "öße", s.must("DBMS_LOB.SUBSTR#2", given("LOB_LOC", clob, "AMOUNT", 3, "OFFSET", 3)).Str())
		require.True(t, s.must("DBMS_LOB.SUBSTR#2", given("LOB_LOC", clob, "AMOUNT", 3, "OFFSET", 0)).IsNull())
		require.True(t, s.must("DBMS_LOB.SUBSTR#2", given("LOB_LOC", clob, "AMOUNT", 3, "OFFSET", 99)).IsNull())
	})
}

// prepared is a statement for DBMS_SQL.
type prepared struct {
	kind         plsql.DynamicKind
	placeholders []string
	columns      []plan.Column
	executed     int
	binds        []*plsql.Bind
}

func (p *prepared) Kind() plsql.DynamicKind  { return p.kind }
func (p *prepared) Placeholders() []string   { return p.placeholders }
func (p *prepared) Columns() []plan.Column   { return p.columns }
func (p *prepared) Returning() []plan.Column { return nil }
func (p *prepared) Execute(binds []*plsql.Bind) (*plsql.Result, error) {
	p.executed++
	p.binds = binds
	for _, b := range binds {
		if b.Name == "OUT" {
			b.Value = value.NewInt(9)
		}
	}
	return &plsql.Result{Count: 3}, nil
}

func TestDynamicSQL(t *testing.T) {
	newRig(t).do(func(s *session) {
		p := &prepared{}
		s.dynamic = func(text string) (plsql.Dynamic, error) {
			if text == "bad" {
				return nil, message.ORA(900)
			}
			return p, nil
		}
		c := s.must("DBMS_SQL.OPEN_CURSOR", given())
		with := func(pairs ...any) args { return given(append([]any{"C", c}, pairs...)...) }
		require.True(t, s.must("DBMS_SQL.IS_OPEN", with()).IsTrue())
		require.False(t, s.must("DBMS_SQL.IS_OPEN", given()).IsTrue())
		s.fails(1003, "DBMS_SQL.EXECUTE", with())
		s.fails(900, "DBMS_SQL.PARSE", with("STATEMENT", "bad"))

		p.kind = plsql.DynamicDDL
		s.must("DBMS_SQL.PARSE", with("STATEMENT", "create table t (a number)"))
		require.Equal(t, 1, p.executed, "DDL runs when it is parsed")
		require.Zero(t, s.must("DBMS_SQL.EXECUTE", with()).Int64())
		require.Equal(t, 1, p.executed)

		p.kind, p.placeholders = plsql.DynamicDML, []string{"A", "OUT", "A"}
		s.must("DBMS_SQL.PARSE", with("STATEMENT", "update"))
		s.must("VALUES.BIND_VARIABLE#2", with("NAME", ":a", "VALUE", "text"))
		s.fails(1006, "VALUES.BIND_VARIABLE", with("NAME", "b", "VALUE", 1))
		s.fails(1008, "DBMS_SQL.EXECUTE", with())
		s.must("VALUES.BIND_VARIABLE", with("NAME", "out", "VALUE", 1))
		require.EqualValues(t, 3, s.must("DBMS_SQL.EXECUTE", with()).Int64())
		require.Len(t, p.binds, 3)
		require.Equal(t, datatype.Sized(datatype.Varchar2, 4), p.binds[0].Type)
		require.Same(t, p.binds[0], p.binds[2])
		s.fails(1002, "DBMS_SQL.FETCH_ROWS", with())

		p.kind, p.placeholders = plsql.DynamicQuery, nil
		p.columns = []plan.Column{{Name: "C", Type: datatype.Of(datatype.CLOB)}, {Name: "N", Type: datatype.NumberOf(5, 2)}}
		s.must("DBMS_SQL.PARSE", with("STATEMENT", "select"))
		s.fails(1007, "VALUES.DEFINE_COLUMN", with("POSITION", 3))
		s.must("VALUES.DEFINE_COLUMN#2", with("POSITION", 2, "COLUMN_SIZE", 100))
		s.fails(sqlerr.NotSupportedNumber, "VALUES.DEFINE_COLUMN#2", with("POSITION", 1, "COLUMN_SIZE", 100))

		s.user = "SYSTEM"
		s.fails(29470, "DBMS_SQL.EXECUTE", with())
		s.user = "APP"
		closing := with()
		s.must("DBMS_SQL.CLOSE_CURSOR", closing)
		require.True(t, closing["C"].IsNull())
		s.fails(29471, "DBMS_SQL.IS_OPEN", with())
		s.fails(29471, "DBMS_SQL.OPEN_CURSOR", given())
	})
}

func TestDescriptions(t *testing.T) {
	text := datatype.Of(datatype.Varchar2)
	for _, c := range []struct {
		t    datatype.Type
		want description
	}{
		{datatype.Of(datatype.Number), description{code: 2, size: 22, scale: -127}},
		{datatype.NumberOf(10, 2), description{code: 2, size: 22, precision: 10, scale: 2}},
		{datatype.Sized(datatype.Varchar2, 20), description{code: 1, size: 20, charset: utf8Set, form: 1}},
		{datatype.Type{ID: datatype.Varchar2, Len: 20, Chars: true}, description{code: 1, size: 80, charset: utf8Set, form: 1}},
		{datatype.Sized(datatype.NVarchar2, 20), description{code: 1, size: 40, charset: utf16Set, form: 2}},
		{datatype.Sized(datatype.Char, 3), description{code: 96, size: 3, charset: utf8Set, form: 1}},
		{datatype.Sized(datatype.Raw, 16), description{code: 23, size: 16}},
		{datatype.Of(datatype.CLOB), description{code: 112, size: 4000, charset: utf8Set, form: 1}},
		{datatype.Of(datatype.BLOB), description{code: 113, size: 4000}},
		{datatype.Of(datatype.Date), description{code: 12, size: 7}},
		{datatype.Of(datatype.Timestamp), description{code: 180, size: 11, scale: 6}},
		{datatype.Of(datatype.TimestampTZ), description{code: 181, size: 13, scale: 6}},
		{datatype.Of(datatype.IntervalDS), description{code: 183, size: 11, precision: 2, scale: 6}},
		{datatype.Of(datatype.BinaryFloat), description{code: 100, size: 4}},
		{datatype.Of(datatype.BinaryDouble), description{code: 101, size: 8}},
	} {
		require.Equal(t, c.want, describeType(c.t), c.t)
		if !c.t.IsLOB() {
			require.NoError(t, datatype.CheckImplicit(c.t, text), "%s is defined as text", c.t)
		}
	}
}

func TestScheduler(t *testing.T) {
	r := newRig(t)
	r.do(func(s *session) {
		create := func(name string, more ...any) args {
			return given(append([]any{"JOB_NAME", name, "JOB_TYPE", "plsql_block", "JOB_ACTION", "begin null; end;", "JOB_CLASS",
				"DEFAULT_JOB_CLASS", "AUTO_DROP", true, "NUMBER_OF_ARGUMENTS", 0}, more...)...)
		}
		one := func(name string) args {
			return given("NAME", name, "JOB_NAME", name, "COMMIT_SEMANTICS", "STOP_ON_FIRST_ERROR")
		}
		s.must("DBMS_SCHEDULER.CREATE_JOB", create("app.j1"))
		require.NotZero(t, s.commits)
		s.fails(27477, "DBMS_SCHEDULER.CREATE_JOB", create("J1"))
		s.fails(27452, "DBMS_SCHEDULER.CREATE_JOB", create("1j"))
		s.fails(27486, "DBMS_SCHEDULER.CREATE_JOB", create("system.j"))
		s.fails(sqlerr.NotSupportedNumber, "DBMS_SCHEDULER.CREATE_JOB", create("j2", "NUMBER_OF_ARGUMENTS", 1))
		s.fails(sqlerr.NotSupportedNumber, "DBMS_SCHEDULER.DROP_JOB", one("j1,j2"))
		s.fails(27476, "DBMS_SCHEDULER.ENABLE", one("none"))
		s.must("DBMS_SCHEDULER.SET_ATTRIBUTE#2", given("NAME", "j1", "ATTRIBUTE", "job_action", "VALUE", "null;"))
		s.fails(sqlerr.NotSupportedNumber, "DBMS_SCHEDULER.SET_ATTRIBUTE", given("NAME", "j1", "ATTRIBUTE", "auto_drop", "VALUE", false))
		s.fails(sqlerr.NotSupportedNumber, "DBMS_SCHEDULER.SET_ATTRIBUTE#2", given("NAME", "j1", "ATTRIBUTE", "max_runs", "VALUE", "3"))
		s.fails(27469, "DBMS_SCHEDULER.SET_ATTRIBUTE#2", given("NAME", "j1", "ATTRIBUTE", "color", "VALUE", "red"))
		for j := range r.jobs.Jobs("APP") {
			require.Equal(t, "J1", j.Name)
			require.Equal(t, "null;", j.Action)
		}
		s.fails(sqlerr.NotSupportedNumber, "DBMS_SCHEDULER.RUN_JOB", given("JOB_NAME", "j1", "USE_CURRENT_SESSION", true))
		s.must("DBMS_SCHEDULER.RUN_JOB", given("JOB_NAME", "j1", "USE_CURRENT_SESSION", false))
		s.must("DBMS_SESSION.SLEEP", given("SECONDS", 10))
		s.fails(27478, "DBMS_SCHEDULER.RUN_JOB", given("JOB_NAME", "j1", "USE_CURRENT_SESSION", false))
		s.fails(27486, "DBMS_SCHEDULER.SET_SCHEDULER_ATTRIBUTE", given("ATTRIBUTE", "scheduler_disabled", "VALUE", "true"))
		r.cat.GrantSystem(r.cat.User("APP"), "MANAGE SCHEDULER", false)
		s.must("DBMS_SCHEDULER.SET_SCHEDULER_ATTRIBUTE", given("ATTRIBUTE", "scheduler_disabled", "VALUE", "true"))
		s.must("DBMS_SCHEDULER.CREATE_JOB", create("j3", "JOB_CLASS", "sys.default_job_class"))
	})
}

func TestQueueAdministration(t *testing.T) {
	newRig(t).do(func(s *session) {
		table := func(pairs ...any) args {
			return given(append([]any{"QUEUE_TABLE", "qt", "QUEUE_PAYLOAD_TYPE", "raw", "AUTO_COMMIT", true}, pairs...)...)
		}
		queue := given("QUEUE_NAME", "app.q", "QUEUE_TABLE", "qt", "QUEUE_TYPE", 0, "RETRY_DELAY", 0, "RETENTION_TIME", 0, "ENQUEUE", true,
			"DEQUEUE", true, "WAIT", true, "AUTO_COMMIT", true)
		s.fails(sqlerr.NotSupportedNumber, "DBMS_AQADM.CREATE_QUEUE_TABLE", table("MULTIPLE_CONSUMERS", true))
		s.must("DBMS_AQADM.CREATE_QUEUE_TABLE", table("MULTIPLE_CONSUMERS", false))
		s.fails(24001, "DBMS_AQADM.CREATE_QUEUE_TABLE", table())
		s.fails(1031, "DBMS_AQADM.CREATE_QUEUE_TABLE", table("QUEUE_TABLE", "system.qt"))
		s.fails(24000, "DBMS_AQADM.CREATE_QUEUE_TABLE", table("QUEUE_TABLE", "a.b.c"))
		s.must("DBMS_AQADM.CREATE_QUEUE", queue)
		s.fails(24006, "DBMS_AQADM.CREATE_QUEUE", queue)
		s.must("DBMS_AQADM.START_QUEUE", queue)
		q, err := s.queues.Queue("APP", "Q")
		require.NoError(t, err)
		require.EqualValues(t, aq.DefaultMaxRetries, q.Info().MaxRetries)
		s.fails(24011, "DBMS_AQADM.DROP_QUEUE", queue)
		s.must("DBMS_AQADM.STOP_QUEUE", queue)
		s.must("DBMS_AQADM.DROP_QUEUE", queue)
		s.must("DBMS_AQADM.DROP_QUEUE_TABLE", table("FORCE", false))
	})
}
