package supplied

import (
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// rig is what sessions share, which tests drive in virtual time.
type rig struct {
	t       *testing.T
	k       *kernel.Kernel
	st      *store.Store
	cat     *catalog.Catalog
	queues  *aq.Instance
	jobs    *jobs.Scheduler
	natives map[string]native // PACKAGE.NAME
	live    map[int]bool
}

func newRig(t *testing.T) *rig {
	t.Helper()
	k := kernel.New(kernel.Options{Seed: 1})
	t.Cleanup(k.Close)
	st := store.New(k, store.Options{DetectAfter: time.Second})
	r := &rig{t: t, k: k, st: st, cat: catalog.New(k), queues: aq.New(k, st), live: map[int]bool{}, natives: map[string]native{}}
	r.jobs = jobs.New(k, st, jobs.Options{Starter: idle{}, Processes: 10})
	require.NoError(t, r.cat.CreateUser(&catalog.User{Name: "APP"}))
	r.cat.GrantSystem(r.cat.User("APP"), "CREATE JOB", false)
	for name, n := range map[string]natives{
		"DBMS_LOCK": locks, "DBMS_SESSION": sessions, "DBMS_SQL": dynamicSQL, "VALUES": dynamicValues(), "DBMS_OUTPUT": output,
		"DBMS_ASSERT": assertion, "DBMS_LOB": lobs, "DBMS_SCHEDULER": scheduler, "DBMS_AQADM": queueAdmin,
		"DBMS_AQ": queuing, "DBMS_UTILITY": utilities, "DBMS_APPLICATION_INFO": applicationInfo, "DBMS_TRANSACTION": transactions,
	} {
		for sub, fn := range n {
			r.natives[name+"."+sub] = fn
		}
	}
	return r
}

// idle starts jobs that never end.
type idle struct{}

func (idle) Start(*jobs.Run, func(jobs.Outcome)) jobs.Session { return jobs.Session{ID: 99, Serial: 1} }
func (idle) Stop(*jobs.Run, bool)                             {}

// session is a client: the host of its calls.
type session struct {
	plsql.Host
	*rig
	task     *kernel.Task
	st       *store.Session
	tx       *store.Txn
	sid      int
	state    State
	consumer aq.Consumer
	commits  int
	user     string
	dynamic  func(text string) (plsql.Dynamic, error)
}

var _ Session = (*session)(nil)

func (s *session) Txn() *store.Txn                     { return s.tx }
func (s *session) Task() *kernel.Task                  { return s.task }
func (s *session) Format(bool) *datatype.Env           { return datatype.NewEnv(0) }
func (s *session) StoreSession() *store.Session        { return s.st }
func (s *session) ID() (sid, serial int)               { return s.sid, 7 }
func (s *session) Alive(sid, serial int) bool          { return s.live[sid] && serial == 7 }
func (s *session) Packages() iter.Seq[*plsql.Instance] { return slices.Values[[]*plsql.Instance](nil) }
func (s *session) User() string                        { return s.user }
func (s *session) Schema() string                      { return s.user }
func (s *session) Supplied() *State                    { return &s.state }
func (s *session) Queues() *aq.Instance                { return s.queues }
func (s *session) Consumer() *aq.Consumer              { return &s.consumer }
func (s *session) Jobs() *jobs.Scheduler               { return s.jobs }
func (s *session) JobEnvironment() any                 { return nil }
func (s *session) TransactionID(begin bool) string     { return fmt.Sprintf("%t", begin) }

func (s *session) Prepare(text string) (plsql.Dynamic, error) { return s.dynamic(text) }

func (s *session) Commit(*ast.Commit) error {
	s.commits++
	s.tx.Commit()
	s.tx = s.st.Begin()
	return nil
}

func (s *session) Run(fn func() error) error {
	s.tx.NewStatement()
	return fn()
}

func (s *session) ViewContext() catalog.ViewContext {
	return catalog.ViewContext{User: s.user, Rights: catalog.Rights{User: s.user}, Catalog: s.cat}
}

// session starts a session of APP; run it with finish or the kernel.
func (r *rig) session(fn func(s *session)) *session {
	s := &session{rig: r, sid: len(r.live) + 1, user: "APP"}
	r.live[s.sid] = true
	s.task = r.k.Go("session", func(t *kernel.Task) {
		s.st = r.st.NewSession(t)
		s.tx = s.st.Begin()
		defer func() { r.live[s.sid] = false }()
		defer s.st.Close()
		fn(s)
	}, func(p any, stack []byte) { r.t.Errorf("%v\n%s", p, stack) })
	return s
}

// do runs one session to its end.
func (r *rig) do(fn func(s *session)) {
	r.t.Helper()
	s := r.session(fn)
	require.NoError(r.t, r.k.RunUntil(func() bool { return !r.live[s.sid] }))
}

// args are the arguments of a call and its results.
type args map[string]value.Value

func (a args) Arg(name string) value.Value         { return a[name] }
func (a args) Has(name string) bool                { _, ok := a[name]; return ok }
func (a args) Set(name string, v value.Value)      { a[name] = v }
func (a args) Return(v value.Value)                { a["RETURN"] = v }
func (a args) Record(string) *plsql.Record         { panic("no records here") }
func (a args) Collection(string) *plsql.Collection { panic("no collections here") }

// given makes arguments from names and Go values.
func given(pairs ...any) args {
	a := args{}
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		switch v := pairs[i+1].(type) {
		case bool:
			a[name] = value.NewBool(v)
		case int:
			a[name] = value.NewInt(int64(v))
		case string:
			a[name] = datatype.NewText(v)
		case value.Value:
			a[name] = v
		}
	}
	return a
}

// call runs a native and returns what the function returns.
func (s *session) call(name string, a args) (value.Value, error) {
	fn := s.natives[name]
	require.NotNil(s.t, fn, name)
	err := fn(&call{a, s})
	return a["RETURN"], err
}

// must is call that requires success.
func (s *session) must(name string, a args) value.Value {
	v, err := s.call(name, a)
	require.NoError(s.t, err, name)
	return v
}

// fails is call that requires an error with that number.
func (s *session) fails(number int32, name string, a args) {
	_, err := s.call(name, a)
	var e *sqlerr.Error
	require.ErrorAs(s.t, err, &e, name)
	require.Equal(s.t, number, e.Number, e.Text)
}

func (*session) Linguistic() bool { return false }
