package ddl_test

import (
	"errors"
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
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// engine is a catalog, a store and users with sessions.
type engine struct {
	t       *testing.T
	k       *kernel.Kernel
	st      *store.Store
	cat     *catalog.Catalog
	inUse   bool // temporary tables
	connect string
}

// session runs statements of one user, as the engine's session does for package ddl.
type session struct {
	*engine
	user string
	sess *store.Session
	tx   *store.Txn
}

func start(t *testing.T) *engine {
	t.Helper()
	return seeded(t, kernel.Options{})
}

func seeded(t *testing.T, o kernel.Options) *engine {
	t.Helper()
	k := kernel.New(o)
	return &engine{t: t, k: k, st: store.New(k, store.Options{}), cat: catalog.New(k)}
}

// as returns a session of a user. It creates a missing user, with the rights of a developer and with quota.
func (e *engine) as(user string) *session {
	if e.cat.User(user) == nil {
		u := &catalog.User{Name: user, Quotas: []string{"USERS"}}
		require.NoError(e.t, e.cat.CreateUser(u))
		for _, p := range strings.Split("CREATE SESSION,CREATE TABLE,CREATE VIEW,CREATE SEQUENCE,CREATE SYNONYM,CREATE PROCEDURE", ",") {
			e.cat.GrantSystem(u, p, false)
		}
	}
	return &session{engine: e, user: user, sess: e.st.NewSession(nil)}
}

// spawn runs statements in a separate task and records how they ended.
func (s *session) spawn(out *[]string, text string) {
	s.k.Go(text, func(task *kernel.Task) {
		c := &session{engine: s.engine, user: s.user, sess: s.st.NewSession(task)}
		c.sess.LockTimeout = -1
		end := "done"
		if err := c.run(text); err != nil {
			end = err.Error()
		}
		*out = append(*out, end)
	}, func(p any, stack []byte) { s.t.Errorf("%v\n%s", p, stack) })
}

// run executes statements and commits each; it returns the first error.
func (s *session) run(texts ...string) error {
	for _, text := range texts {
		st, err := parser.Statement(text)
		if err == nil {
			s.tx = s.sess.Begin()
			if err = ddl.Execute(s, st); err == nil {
				s.tx.Commit()
			} else {
				s.tx.Rollback()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// must executes statements that must succeed.
func (s *session) must(texts ...string) *session {
	s.t.Helper()
	for _, text := range texts {
		require.NoError(s.t, s.run(text), text)
	}
	return s
}

// fails executes a statement that must fail with an error as clients see it: ORA-00942: text.
func (s *session) fails(text, want string) {
	s.t.Helper()
	err := s.run(text)
	require.Error(s.t, err, text)
	var e *sqlerr.Error
	if errors.As(err, &e) && e.Number != sqlerr.NotSupportedNumber {
		require.Equal(s.t, want, fmt.Sprintf("ORA-%05d: %s", e.Number, e.Text), text)
		return
	}
	require.Contains(s.t, err.Error(), want, text)
}

// insert adds rows given as SQL expressions of the plain columns, as INSERT does, without testing CHECKs.
func (s *session) insert(table string, rows ...[]value.Value) error {
	t := s.cat.Object(s.user, table).Def.(*catalog.Table)
	tx := s.sess.Begin()
	for _, r := range rows {
		row := make(value.Row, len(t.Columns))
		copy(row, r)
		for i, c := range t.Columns {
			if c.Virtual != nil {
				e, err := plan.CompileRow(s.Scope(s.Rights(), s.user), t, c.Virtual.Expr)
				require.NoError(s.t, err)
				row[i] = e.Eval(s, row)
			}
		}
		if _, err := tx.Insert(t.Data, row); err != nil {
			tx.Rollback()
			return err
		}
	}
	tx.Commit()
	return nil
}

// rows returns a table's rows as text.
func (s *session) rows(table string) []string {
	t := s.cat.Object(s.user, table).Def.(*catalog.Table)
	tx := s.sess.Begin()
	defer tx.Commit()
	return read(s.t, tx.Open(t.Data, store.Access{Mode: store.Versioned, Snapshot: tx.Snapshot()}))
}

func read(t *testing.T, cur *store.Cursor) []string {
	t.Helper()
	defer cur.Close()
	out := []string{}
	for {
		_, row, ok, err := cur.Next()
		require.NoError(t, err)
		if !ok {
			return out
		}
		out = append(out, show(row))
	}
}

func show(row value.Row) string {
	var cells []string
	for _, v := range row {
		switch v.Kind {
		case value.Null:
			cells = append(cells, "-")
		case value.String:
			cells = append(cells, v.Str())
		case value.Int, value.Decimal:
			cells = append(cells, datatype.FormatNumber(v))
		default:
			cells = append(cells, v.String())
		}
	}
	return strings.Join(cells, " ")
}

// view returns the rows of a dictionary view, with the columns named.
func (s *session) view(name, columns string) []string {
	o, _, err := s.cat.Resolve(s.Rights(), s.user, &ast.Ref{Parts: []ast.Name{{Text: name}}})
	require.NoError(s.t, err)
	require.NotNil(s.t, o, name)
	def := o.Def.(*catalog.SystemView)
	out := []string{}
	for row := range def.Rows(s.ViewContext()) {
		require.Len(s.t, row, len(def.Columns), name)
		var some value.Row
		for c := range strings.FieldsSeq(columns) {
			i := 0
			for def.Columns[i].Name != c {
				i++
			}
			some = append(some, row[i])
		}
		out = append(out, show(some))
	}
	return out
}

func num(i int64) value.Value  { return value.NewInt(i) }
func str(t string) value.Value { return value.NewString(t) }

// scope implements plan.Scope.
type scope struct {
	cat    *catalog.Catalog
	rights catalog.Rights
	schema string
}

func (c scope) Table(ref *ast.Ref, privilege string) (*catalog.Object, error) {
	o, _, err := c.cat.Resolve(c.rights, c.schema, ref)
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, catalog.ErrNoTable()
	}
	if !c.cat.Allowed(c.rights, privilege, o) {
		return nil, catalog.ErrPrivileges()
	}
	return o, nil
}

func (scope) Operand(ast.Expr, func(ast.Expr) *plan.Expr) (*plan.Expr, error) { return nil, nil }

// Within implements plan.OwnerScope.
func (c scope) Within(owner string) plan.Scope {
	return scope{c.cat, catalog.Rights{User: owner}, owner}
}

func (scope) PLSQL() bool          { return false }
func (scope) Linguistic() bool     { return false }
func (scope) Uses(*catalog.Object) {}

func (s *session) Catalog() *catalog.Catalog                        { return s.cat }
func (s *session) Rights() catalog.Rights                           { return catalog.Rights{User: s.user, Roles: true} }
func (s *session) Schema() string                                   { return s.user }
func (s *session) Scope(r catalog.Rights, schema string) plan.Scope { return scope{s.cat, r, schema} }
func (s *session) LockTimeout() time.Duration                       { return 0 }
func (s *session) TemporaryInUse(*catalog.Table) bool               { return s.inUse }
func (s *session) ClearTemporary(*catalog.Table)                    { s.inUse = false }
func (s *session) Verifier(_, password string) (any, error)         { return password, nil }
func (s *session) Connected(user string) bool                       { return user == s.connect }
func (s *session) DropOwner(string) error                           { return nil }

func (s *session) Txn() *store.Txn          { return s.tx }
func (s *session) Snapshot() store.Snapshot { return s.tx.Snapshot() }
func (s *session) Serializable() bool       { return false }
func (s *session) Format(bool) *datatype.Env {
	return datatype.NewEnv(datatype.DaysOf(2026, 11, 20) * datatype.TicksPerDay)
}
func (s *session) Table(t *catalog.Table) (*store.Table, func(*catalog.Index) *store.Index) {
	return t.Data, func(x *catalog.Index) *store.Index { return x.Data }
}
func (s *session) NextVal(q *catalog.Sequence) value.Value                { return value.NewInt(q.Next()) }
func (s *session) CurrVal(*catalog.Sequence, string) (value.Value, error) { return value.Value{}, nil }
func (s *session) ViewContext() catalog.ViewContext {
	return catalog.ViewContext{User: s.user, Rights: s.Rights(), Catalog: s.cat}
}
func (s *session) Track(*plan.Rows)         {}
func (s *session) Untrack(*plan.Rows)       {}
func (s *session) Defer(plan.Deferred) bool { return false }
func (s *session) Task() *kernel.Task       { return nil }

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

func (*session) Linguistic() bool { return false }
