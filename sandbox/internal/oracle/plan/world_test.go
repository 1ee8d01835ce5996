package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// world is a database with the user APP.
type world struct {
	t   *testing.T
	k   *kernel.Kernel
	st  *store.Store
	cat *catalog.Catalog
}

func newWorld(t *testing.T, script ...string) (*world, *session) {
	t.Helper()
	k := kernel.New(kernel.Options{Seed: 1})
	w := &world{t: t, k: k, st: store.New(k, store.Options{DetectAfter: 3 * time.Second}), cat: catalog.New(k)}
	for _, name := range []string{"APP", "OTHER"} {
		require.NoError(t, w.cat.CreateUser(&catalog.User{Name: name, DefaultTablespace: "USERS", Quotas: []string{"USERS"}}))
		w.cat.GrantSystem(w.cat.User(name), "CREATE SESSION", false)
		for _, p := range []string{"TABLE", "VIEW", "SEQUENCE"} {
			w.cat.GrantSystem(w.cat.User(name), "CREATE "+p, false)
		}
	}
	s := w.session("setup")
	for _, text := range script {
		s.ok(text)
	}
	return w, s
}

// session is a session in a separate task that does what the test says, step by step.
type session struct {
	w       *world
	task    *kernel.Task
	x       *store.Session
	tx      *store.Txn
	steps   []*step
	open    []*plan.Rows
	cursors map[string]*plan.Rows
	binds   map[string]value.Value
	user    string

	serializable bool
	snapshot     *store.Snapshot
	temporary    map[*catalog.Table]*temporary
}

// temporary is the session's rows of a temporary table.
type temporary struct {
	data    *store.Table
	indexes map[*catalog.Index]*store.Index
}

// step is a call: it is executed at once, or later if the session had to wait.
type step struct {
	fn   func() error
	done bool
	err  error
	out  string // rows, with commas between columns and semicolons between rows
	n    int64
	plan []string
}

func (w *world) session(name string) *session {
	s := &session{w: w, user: "APP", cursors: map[string]*plan.Rows{}, binds: map[string]value.Value{}, temporary: map[*catalog.Table]*temporary{}}
	s.task = w.k.Go(name, func(task *kernel.Task) {
		s.x = w.st.NewSession(task)
		for {
			if len(s.steps) == 0 {
				task.Block(kernel.Wait{For: -1})
				continue
			}
			c := s.steps[0]
			s.steps = s.steps[1:]
			c.err = query.Catch(c.fn)
			c.done = true
		}
	}, nil)
	w.k.RunReady()
	return s
}

// do runs a statement, and lets all sessions run until none can continue.
func (s *session) do(text string) *step {
	c := s.start(text)
	s.w.k.RunReady()
	return c
}

func (s *session) start(text string) *step {
	c := &step{}
	c.fn = func() error { return s.run(c, text) }
	return s.queue(c)
}

func (s *session) queue(c *step) *step {
	s.steps = append(s.steps, c)
	s.task.Wake(nil)
	return c
}

// step does something other than a statement.
func (s *session) step(fn func() error) *step {
	c := s.queue(&step{fn: fn})
	s.w.k.RunReady()
	return c
}

func (s *session) Txn() *store.Txn {
	if s.tx == nil || s.tx.Done() {
		s.tx = s.x.Begin()
	}
	return s.tx
}

func (s *session) end(end func(*store.Txn)) {
	for _, r := range s.open {
		r.Buffer()
	}
	s.open, s.snapshot = nil, nil
	end(s.Txn())
}

func (s *session) run(c *step, text string) error {
	switch text {
	case "commit":
		s.end((*store.Txn).Commit)
		return nil
	case "rollback":
		s.end((*store.Txn).Rollback)
		return nil
	}
	st, err := parser.Statement(text)
	require.NoError(s.w.t, err, text)
	switch st.(type) {
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete:
	default:
		s.end((*store.Txn).Commit)
		err := ddl.Execute(s, st)
		s.end((*store.Txn).Commit)
		return err
	}
	p, err := plan.CompileStatement(s.Scope(s.Rights(), s.user), st)
	if err != nil {
		return err
	}
	c.plan = p.Access
	tx := s.Txn()
	tx.NewStatement()
	mark := tx.Mark()
	if p.Kind != plan.Select {
		var out []string
		c.n, err = p.Execute(s, func(row value.Row) { out = append(out, s.text(row, p.Returning)) })
		c.out = strings.Join(out, ";")
		if err != nil {
			tx.RollbackStatement(mark)
		}
		return err
	}
	r, err := p.Open(s)
	if err != nil {
		return err
	}
	defer r.Close()
	c.out, err = s.fetch(r, -1)
	c.n = r.Count
	return err
}

// fetch reads some rows; negative: all.
func (s *session) fetch(r *plan.Rows, n int) (string, error) {
	var out []string
	for ; n != 0; n-- {
		row, ok, err := r.Next()
		if err != nil {
			return strings.Join(out, ";"), err
		}
		if !ok {
			break
		}
		out = append(out, s.text(row, r.Columns))
	}
	return strings.Join(out, ";"), nil
}

// cursor opens a query under a name.
func (s *session) cursor(name, text string) *step {
	return s.step(func() error {
		st, err := parser.Statement(text)
		require.NoError(s.w.t, err)
		p, err := plan.CompileStatement(s.Scope(s.Rights(), s.user), st)
		if err != nil {
			return err
		}
		s.Txn().NewStatement()
		s.cursors[name], err = p.Open(s)
		return err
	})
}

func (s *session) text(row value.Row, cols []plan.Column) string {
	out := make([]string, len(row))
	for i, v := range row {
		if v.IsNull() {
			out[i] = "-"
			continue
		}
		text, err := datatype.Text(v, cols[i].Type, s.Format(false))
		require.NoError(s.w.t, err)
		out[i] = text
	}
	return strings.Join(out, ",")
}

// ok runs statements that neither wait nor fail and returns the last one's result.
func (s *session) ok(texts ...string) (out *step) {
	s.w.t.Helper()
	for _, text := range texts {
		out = s.do(text)
		require.True(s.w.t, out.done, "waits: %s", text)
		require.NoError(s.w.t, out.err, text)
	}
	return out
}

// result returns the rows or the error.
func (c *step) result() string {
	var e *sqlerr.Error
	switch {
	case !c.done:
		return "waits"
	case c.err == nil && c.out == "":
		return fmt.Sprint(c.n)
	case c.err == nil:
		return c.out
	}
	e, ok := c.err.(*sqlerr.Error) //nolint:errorlint // always one
	switch {
	case !ok:
		return c.err.Error()
	case e.Number == sqlerr.NotSupportedNumber:
		return e.Text
	}
	return fmt.Sprintf("ORA-%05d: %s", e.Number, e.Text)
}

// plan.Env and ddl.Session.

func (s *session) Serializable() bool { return s.serializable }
func (s *session) Snapshot() store.Snapshot {
	if !s.serializable {
		return s.Txn().Snapshot()
	}
	if s.snapshot == nil {
		sn := s.Txn().Snapshot()
		s.Txn().GuardWrites(sn)
		s.snapshot = &sn
	}
	return *s.snapshot
}
func (s *session) Format(plsql bool) *datatype.Env {
	e := datatype.NewEnv(datatype.DaysOf(2026, 11, 20) * datatype.TicksPerDay)
	e.PLSQL = plsql
	return e
}
func (s *session) Table(t *catalog.Table) (*store.Table, func(*catalog.Index) *store.Index) {
	if !t.Temporary {
		return t.Data, func(ix *catalog.Index) *store.Index { return ix.Data }
	}
	if s.temporary[t] == nil {
		tx := s.x.Begin()
		data, indexes, err := ddl.NewRows(s.w.st, tx, t)
		query.Check(err)
		tx.Commit()
		s.temporary[t] = &temporary{data, indexes}
	}
	n := s.temporary[t]
	return n.data, func(ix *catalog.Index) *store.Index { return n.indexes[ix] }
}
func (s *session) NextVal(q *catalog.Sequence) value.Value { return value.NewInt(q.Next()) }
func (s *session) CurrVal(*catalog.Sequence, string) (value.Value, error) {
	return value.Value{}, sqlerr.NotSupported("CURRVAL")
}
func (s *session) ViewContext() catalog.ViewContext {
	return catalog.ViewContext{User: s.user, Rights: s.Rights(), Catalog: s.w.cat}
}
func (s *session) Defer(plan.Deferred) bool { return false }
func (s *session) Track(r *plan.Rows)       { s.open = append(s.open, r) }
func (s *session) Untrack(r *plan.Rows) {
	s.open = slices.DeleteFunc(s.open, func(o *plan.Rows) bool { return o == r })
}
func (s *session) Task() *kernel.Task                               { return s.task }
func (s *session) Catalog() *catalog.Catalog                        { return s.w.cat }
func (s *session) Rights() catalog.Rights                           { return catalog.Rights{User: s.user, Roles: true} }
func (s *session) Schema() string                                   { return s.user }
func (s *session) Scope(r catalog.Rights, schema string) plan.Scope { return scope{s, r, schema} }
func (s *session) LockTimeout() time.Duration                       { return 0 }
func (s *session) TemporaryInUse(*catalog.Table) bool               { return false }
func (s *session) ClearTemporary(*catalog.Table)                    {}
func (s *session) Verifier(string, string) (any, error)             { return nil, nil }
func (s *session) Connected(string) bool                            { return false }
func (s *session) DropOwner(string) error                           { return nil }

// scope is a schema with a user's rights, and binds.
type scope struct {
	*session
	rights catalog.Rights
	schema string
}

func (sc scope) Table(ref *ast.Ref, privilege string) (*catalog.Object, error) {
	o, _, err := sc.w.cat.Resolve(sc.rights, sc.schema, ref)
	switch {
	case err != nil:
		return nil, err
	case o == nil:
		return nil, catalog.ErrNoTable()
	case !sc.w.cat.Allowed(sc.rights, privilege, o):
		return nil, catalog.ErrPrivileges()
	}
	return o, nil
}

func (sc scope) Operand(e ast.Expr, _ func(ast.Expr) *plan.Expr) (*plan.Expr, error) {
	b, ok := e.(*ast.Bind)
	if !ok {
		return nil, nil
	}
	t := datatype.Of(datatype.Number)
	if sc.binds[b.Name].Kind == value.String {
		t = datatype.Of(datatype.Varchar2)
	}
	name := b.Name
	return plan.Fixed(":"+name, t, func(*query.Frame) value.Value { return sc.binds[name] }), nil
}

func (sc scope) PLSQL() bool                    { return false }
func (sc scope) Linguistic() bool               { return false }
func (sc scope) Uses(*catalog.Object)           {}
func (sc scope) Within(owner string) plan.Scope { return sc.Scope(catalog.Rights{User: owner}, owner) }

func (*session) Linguistic() bool { return false }
