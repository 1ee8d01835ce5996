package plsql_test

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
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// rig is one session of user APP over a catalog and a store, with the package O, whose native PUT writes lines.
type rig struct {
	t        *testing.T
	cat      *catalog.Catalog
	sess     *store.Session
	txs      []*store.Txn // autonomous transactions on top
	marks    map[string]store.Mark
	open     []*plan.Rows
	state    plsql.State
	packages map[*plsql.Unit]*plsql.Instance
	users    []string // current user, innermost last
	out      []string
	commits  int
	ticks    int
	tickErr  error
}

// blockCase is a block and its output, with the error last.
type blockCase struct{ text, want string }

const outputSpec = `package o is
  type pair is record (a number := 1, b varchar2(10) default 'b');
  type pairs is table of pair index by binary_integer;
  max_lines constant pls_integer := 100;
  procedure put (s in varchar2);
  procedure put (n in number);
  procedure put (b in boolean);
  procedure get (s out varchar2, p in out pair, l out pairs);
  function twice (n in number default max_lines) return number;
  procedure fail;
  procedure trace;
end o;`

func newRig(t *testing.T) *rig {
	t.Helper()
	k := kernel.New(kernel.Options{})
	r := &rig{t: t, cat: catalog.New(k), packages: map[*plsql.Unit]*plsql.Instance{}, marks: map[string]store.Mark{}, users: []string{"APP"}}
	app := &catalog.User{Name: "APP", Quotas: []string{"USERS"}}
	require.NoError(t, r.cat.CreateUser(app))
	for _, p := range []string{"CREATE TABLE", "CREATE VIEW", "CREATE SEQUENCE", "CREATE PROCEDURE"} {
		r.cat.GrantSystem(app, p, false)
	}
	r.sess = store.New(k, store.Options{}).NewSession(nil)
	r.txs = []*store.Txn{r.sess.Begin()}
	r.create("create or replace " + outputSpec)
	u := r.unit("O")
	require.NoError(t, u.SetNatives(map[string]plsql.Native{
		"PUT":   func(c *plsql.NativeCall) error { r.out = append(r.out, show(c.Arg("S"))); return nil },
		"PUT#2": func(c *plsql.NativeCall) error { r.out = append(r.out, show(c.Arg("N"))); return nil },
		"PUT#3": func(c *plsql.NativeCall) error { r.out = append(r.out, show(c.Arg("B"))); return nil },
		"GET": func(c *plsql.NativeCall) error {
			c.Set("S", value.NewString("got"))
			c.Record("P").Set("B", value.NewString("set"))
			e := c.Collection("L").NewElement()
			e.Set("A", value.NewInt(42))
			c.Collection("L").Put(1, value.NewRef(e))
			return nil
		},
		"TWICE": func(c *plsql.NativeCall) error {
			v, err := datatype.AddNumbers(c.Arg("N"), c.Arg("N"))
			c.Return(v)
			return err
		},
		"TRACE": func(c *plsql.NativeCall) error {
			if e := c.Host.State().Handling(); e != nil {
				r.out = append(r.out, plsql.ErrorStack(e)+"--", plsql.Backtrace(e)+"--")
			}
			return nil
		},
		"FAIL": func(*plsql.NativeCall) error { return sqlerr.New(20500, "native failed") },
	}))
	return r
}

func show(v value.Value) string {
	switch v.Kind {
	case value.Null:
		return "NULL"
	case value.Bool:
		return map[bool]string{true: "TRUE", false: "FALSE"}[v.IsTrue()]
	case value.Int, value.Decimal:
		return datatype.FormatNumber(v)
	}
	return v.Str()
}

func (r *rig) unit(name string) *plsql.Unit {
	o := r.cat.Object("APP", name)
	u, _ := o.Def.(*catalog.Unit).Compiled.(*plsql.Unit)
	return u
}

// create creates a table or unit and returns the errors of a unit.
func (r *rig) create(text string) []string {
	r.t.Helper()
	st, err := parser.Statement(text)
	require.NoError(r.t, err, text)
	n, ok := st.(*ast.CreateUnit)
	if !ok {
		require.NoError(r.t, r.ddl(st), text)
		return nil
	}
	name := n.Name.Parts[0].Text
	var spec *plsql.Unit
	if n.Kind == ast.KindPackageBody {
		spec = r.unit(name)
		require.NotNil(r.t, spec)
	}
	u, errs := plsql.CompileUnit(library{r}, "APP", n, spec)
	o := &catalog.Object{Owner: "APP", Name: name, Kind: n.Kind, Def: &catalog.Unit{Kind: n.Kind, Node: n}}
	if u != nil {
		o.Def.(*catalog.Unit).Compiled = u
		u.Object = o
	}
	if old := r.cat.Object("APP", name); n.Kind == ast.KindPackageBody {
		if old := r.cat.Body("APP", name); old != nil {
			r.cat.Remove(old)
		}
	} else if old != nil {
		r.cat.Remove(old)
	}
	require.NoError(r.t, r.cat.Add(o))
	var out []string
	for _, e := range errs {
		out = append(out, fmt.Sprintf("%d:%d %s", e.Line, e.Position, e.Text))
	}
	return out
}

// ddl runs a DDL statement in a separate transaction that commits.
func (r *rig) ddl(st ast.Statement) error {
	if err := r.end(r.Txn().Commit); err != nil {
		return err
	}
	err := ddl.Execute(r, st)
	return errors.Join(err, r.end(r.Txn().Commit))
}

func (r *rig) must(texts ...string) *rig {
	r.t.Helper()
	for _, text := range texts {
		require.Empty(r.t, r.create(text), text)
	}
	return r
}

// run runs a block and returns its output, and its error as a client sees it.
func (r *rig) run(text string, binds ...*plsql.Bind) string {
	r.t.Helper()
	r.out = nil
	err := r.block(text, binds)
	if err != nil {
		r.out = append(r.out, plsql.ErrorText(err))
	}
	return strings.Join(r.out, "\n")
}

func (r *rig) block(text string, binds []*plsql.Bind) error {
	st, err := parser.Statement(text)
	if err != nil {
		return err
	}
	b, err := plsql.CompileBlock(library{r}, st, binds)
	if err != nil {
		return err
	}
	err = b.Run(r, binds)
	for i, m := range b.Modes {
		binds[i].Mode = m
	}
	return err
}

// The library.

func (r *rig) rights() catalog.Rights { return catalog.Rights{User: "APP", Roles: true} }

type library struct{ *rig }

func (r library) Table(ref *ast.Ref, _ string) (*catalog.Object, error) {
	o, rest, err := r.cat.Resolve(r.rights(), "APP", ref)
	if err != nil || o == nil || len(rest) > 0 {
		return nil, catalog.ErrNoTable()
	}
	if _, ok := o.Def.(*catalog.Unit); ok {
		return nil, catalog.ErrNoTable()
	}
	return o, nil
}

func (r library) Operand(e ast.Expr, sub func(ast.Expr) *plan.Expr) (*plan.Expr, error) {
	if ref, ok := e.(*ast.Ref); ok && ref.Word() == "USER" {
		return plan.Fixed("USER", datatype.Sized(datatype.Varchar2, 128), func(fr *query.Frame) value.Value {
			s := plsql.HostOf(fr.Env).(*rig)
			return value.NewString(s.users[len(s.users)-1])
		}), nil
	}
	return nil, nil
}

func (library) Uses(*catalog.Object) {}

func (r library) Unit(ref *ast.Ref) (*plsql.Unit, []ast.Name, error) {
	o, rest, err := r.cat.Resolve(r.rights(), "APP", ref)
	if err != nil || o == nil {
		return nil, nil, err
	}
	d, ok := o.Def.(*catalog.Unit)
	if !ok {
		return nil, nil, nil
	}
	u, _ := d.Compiled.(*plsql.Unit)
	if u == nil {
		return nil, nil, plsql.ErrInvalidUnit(o.Owner, o.Name)
	}
	return u, rest, nil
}

// topScope is the scope of SQL that is not part of PL/SQL.
type topScope struct {
	library
	binds []*plsql.Bind
	at    []ast.Bind
}

func (*topScope) PLSQL() bool      { return false }
func (*topScope) Linguistic() bool { return false }

func (s *topScope) Operand(e ast.Expr, sub func(ast.Expr) *plan.Expr) (*plan.Expr, error) {
	if x, ok := e.(*ast.Bind); ok {
		i := slices.IndexFunc(s.at, func(at ast.Bind) bool { return at.Offset == x.Offset })
		if i >= len(s.binds) {
			return nil, sqlerr.New(1008, "not all variables bound")
		}
		b := s.binds[i]
		return plan.Fixed(fmt.Sprint("bind", i), b.Type, func(*query.Frame) value.Value { return b.Value }), nil
	}
	if x, err := s.library.Operand(e, sub); x != nil || err != nil {
		return x, err
	}
	return plsql.CallInSQL(s.library, e, sub)
}

// The host.

func (r *rig) Txn() *store.Txn           { return r.txs[len(r.txs)-1] }
func (r *rig) Snapshot() store.Snapshot  { return r.Txn().Snapshot() }
func (*rig) Serializable() bool          { return false }
func (*rig) Defer(plan.Deferred) bool    { return false }
func (r *rig) State() *plsql.State       { return &r.state }
func (*rig) Task() *kernel.Task          { return nil }
func (r *rig) Catalog() *catalog.Catalog { return r.cat }
func (r *rig) Rights() catalog.Rights    { return r.rights() }
func (*rig) Schema() string              { return "APP" }
func (*rig) LockTimeout() time.Duration  { return 0 }
func (r *rig) Scope(catalog.Rights, string) plan.Scope {
	return &topScope{library: library{r}}
}
func (*rig) TemporaryInUse(*catalog.Table) bool   { return false }
func (*rig) ClearTemporary(*catalog.Table)        {}
func (*rig) Verifier(string, string) (any, error) { return nil, nil }
func (*rig) Connected(string) bool                { return false }
func (*rig) DropOwner(string) error               { return nil }

func (*rig) Format(plsql bool) *datatype.Env {
	e := datatype.NewEnv(datatype.DaysOf(2026, 11, 20) * datatype.TicksPerDay)
	e.PLSQL = plsql
	return e
}

func (r *rig) Table(t *catalog.Table) (*store.Table, func(*catalog.Index) *store.Index) {
	return t.Data, func(x *catalog.Index) *store.Index { return x.Data }
}

func (r *rig) NextVal(s *catalog.Sequence) value.Value { return value.NewInt(s.Next()) }

func (*rig) CurrVal(*catalog.Sequence, string) (value.Value, error) {
	return value.Value{}, errors.New("no CURRVAL here")
}

func (r *rig) ViewContext() catalog.ViewContext {
	return catalog.ViewContext{User: "APP", Rights: r.rights(), Catalog: r.cat}
}
func (r *rig) Track(rows *plan.Rows) { r.open = append(r.open, rows) }
func (r *rig) Untrack(rows *plan.Rows) {
	r.open = slices.DeleteFunc(r.open, func(o *plan.Rows) bool { return o == rows })
}

func (r *rig) end(fn func()) error {
	for _, o := range slices.Clone(r.open) {
		o.Buffer()
	}
	fn()
	r.txs[len(r.txs)-1] = r.sess.Begin()
	return nil
}

func (r *rig) Commit(*ast.Commit) error { r.commits++; return r.end(r.Txn().Commit) }
func (r *rig) Rollback() error          { return r.end(r.Txn().Rollback) }
func (r *rig) Savepoint(name string)    { r.marks[name] = r.Txn().Mark() }

func (r *rig) RollbackTo(name string) error {
	m, ok := r.marks[name]
	if !ok {
		return sqlerr.New(1086, "savepoint '%s' never established in this session or is invalid", name)
	}
	r.Txn().RollbackTo(m)
	return nil
}

func (r *rig) Autonomous() func(bool) error {
	r.txs = append(r.txs, r.sess.Begin())
	return func(normal bool) error {
		tx := r.Txn()
		left := tx.UndoLen() > 0
		tx.Rollback()
		r.txs = r.txs[:len(r.txs)-1]
		if left && normal {
			return sqlerr.New(6519, "active autonomous transaction detected and rolled back")
		}
		return nil
	}
}

func (r *rig) Run(fn func() error) error {
	tx := r.Txn()
	tx.NewStatement()
	mark := tx.Mark()
	err := query.Catch(fn)
	if err != nil {
		tx.RollbackStatement(mark)
	}
	return err
}

func (r *rig) HandlesBreaks() bool           { return false }
func (r *rig) Tick() error                   { r.ticks++; return r.tickErr }
func (*rig) Statement(s ast.Statement) error { return sqlerr.NotSupported("%T", s) }

func (r *rig) Enter(u *plsql.Unit) (func(), error) {
	user := u.Owner
	if u.CurrentUser {
		user = r.users[len(r.users)-1]
	}
	r.users = append(r.users, user+" in "+u.Name)
	return func() { r.users = r.users[:len(r.users)-1] }, nil
}

func (r *rig) Package(u *plsql.Unit) (*plsql.Instance, error) {
	if i := r.packages[u]; i != nil {
		return i, nil
	}
	var body *plsql.Unit
	if o := r.cat.Body("APP", u.Name); o != nil {
		body, _ = o.Def.(*catalog.Unit).Compiled.(*plsql.Unit)
	}
	if body == nil && u.NeedsBody() {
		return nil, sqlerr.New(4067, "not executed, package body \"%s.%s\" does not exist", u.Owner, u.Name)
	}
	i := plsql.NewInstance(u, body)
	r.packages[u] = i
	if err := i.Initialize(r); err != nil {
		delete(r.packages, u)
		return nil, err
	}
	return i, nil
}

// prepared is a dynamic statement.
type prepared struct {
	r     *rig
	text  string
	node  ast.Statement
	binds []string
}

func (r *rig) Prepare(text string) (plsql.Dynamic, error) {
	st, err := parser.Statement(text)
	if err != nil {
		var e *parser.Error
		errors.As(err, &e)
		return nil, e.Unwrap()
	}
	p := &prepared{r: r, text: text, node: st}
	for _, b := range parser.Binds(text) {
		if p.Kind() != plsql.DynamicBlock || !slices.Contains(p.binds, b.Name) {
			p.binds = append(p.binds, b.Name)
		}
	}
	return p, nil
}

func (p *prepared) Kind() plsql.DynamicKind {
	switch p.node.(type) {
	case *ast.Query:
		return plsql.DynamicQuery
	case *ast.Block:
		return plsql.DynamicBlock
	case *ast.CreateTable, *ast.Drop:
		return plsql.DynamicDDL
	}
	return plsql.DynamicDML
}

func (p *prepared) Placeholders() []string { return p.binds }

func (p *prepared) statement(binds []*plsql.Bind) (*plan.Statement, error) {
	return plan.CompileStatement(&topScope{library: library{p.r}, binds: binds, at: parser.Binds(p.text)}, p.node)
}

func (p *prepared) described() *plan.Statement {
	binds := make([]*plsql.Bind, len(p.binds))
	for i := range binds {
		binds[i] = &plsql.Bind{}
	}
	st, err := p.statement(binds)
	if err != nil {
		return &plan.Statement{}
	}
	return st
}

func (p *prepared) Columns() []plan.Column { return p.described().Columns }

func (p *prepared) Returning() []plan.Column {
	if p.Kind() != plsql.DynamicDML {
		return nil
	}
	return p.described().Returning
}

func (p *prepared) Execute(binds []*plsql.Bind) (*plsql.Result, error) {
	res := &plsql.Result{}
	switch p.Kind() {
	case plsql.DynamicBlock:
		return res, p.r.block(p.text, binds)
	case plsql.DynamicDDL:
		return res, p.r.ddl(p.node)
	}
	return res, p.r.Run(func() error {
		st, err := p.statement(binds)
		if err != nil {
			return err
		}
		if p.Kind() == plsql.DynamicQuery {
			res.Rows, err = st.Open(p.r)
			return err
		}
		res.Count, err = st.Execute(p.r, func(row value.Row) { res.Returning = append(res.Returning, row) })
		return err
	})
}

// bind is a client's VARCHAR2.
func (*rig) bind(name, text string) *plsql.Bind {
	return &plsql.Bind{Name: name, Type: datatype.Sized(datatype.Varchar2, 100), Value: datatype.NewText(text)}
}

func (*rig) Linguistic() bool { return false }
