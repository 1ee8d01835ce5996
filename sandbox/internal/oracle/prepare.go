package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// statementKey finds a statement in the shared pool.
type statementKey struct {
	text   string
	rights catalog.Rights
	schema string
}

// Parsed is a parsed text. It is never changed.
type Parsed struct {
	err      error
	node     ast.Statement
	syntax   error // for a unit with an invalid text: it is created anyway
	kind     plsql.DynamicKind
	binds    []string
	offsets  []int    // where each bind is
	distinct []string // for a block: each name once
}

// prepared is a parsed statement, and its last compilation. All sessions share it.
type prepared struct {
	statementKey
	Parsed
	version      int64 // of the catalog that it was compiled with
	types        []bindType
	linguistic   bool // compiled for a session with linguistic comparison
	query        *plan.Statement
	block        *plsql.Block
	dependencies []*catalog.Object
}

// bindType is what matters about a bind to the compiler.
type bindType struct {
	scalar    datatype.Type
	cursor    bool
	array     bool
	composite *plsql.Type
}

// poolSize is how many statements the shared pool keeps.
const poolSize = 2000

// parse finds a statement in the shared pool, or parses it.
func (s *Session) parse(text string) (*prepared, error) {
	if part := s.srv.site.Refused; part != "" && strings.Contains(text, part) {
		return nil, message.ORA(18)
	}
	k := statementKey{text, s.here().rights, s.currentSchema()}
	if p := s.srv.statements[k]; p != nil {
		return p, nil
	}
	read := s.srv.opts.Texts.Of(text, func() Parsed { return parsed(text) })
	if read.err != nil {
		return nil, read.err
	}
	p := &prepared{statementKey: k, Parsed: read}
	if p.kind == plsql.DynamicDDL {
		return p, nil
	}
	if len(s.srv.statements) >= poolSize {
		clear(s.srv.statements)
	}
	s.srv.statements[k] = p
	return p, nil
}

// parsed reads a text.
func parsed(text string) (p Parsed) {
	p.node, p.err = parser.Statement(text)
	if u, ok := p.node.(*ast.CreateUnit); ok && u != nil && p.err != nil {
		p.syntax, p.err = p.err, nil
	}
	if p.err != nil {
		return Parsed{err: syntaxError(p.err)}
	}
	if p.kind = kindOf(p.node); p.kind == plsql.DynamicDDL {
		return p // :NEW and the like in a unit's text are not binds
	}
	for _, b := range parser.Binds(text) {
		p.binds = append(p.binds, b.Name)
		p.offsets = append(p.offsets, b.Offset)
		if !slices.Contains(p.distinct, b.Name) {
			p.distinct = append(p.distinct, b.Name)
		}
	}
	return p
}

// syntaxError returns a client's error for a text that does not parse.
func syntaxError(err error) error {
	e, ok := errors.AsType[*parser.Error](err)
	if !ok {
		return err
	}
	return plan.At(e.Unwrap(), e.Pos)
}

func kindOf(n ast.Statement) plsql.DynamicKind {
	switch n.(type) {
	case *ast.Query:
		return plsql.DynamicQuery
	case *ast.Insert, *ast.Update, *ast.Delete:
		return plsql.DynamicDML
	case *ast.Block, *ast.Labeled, *ast.CallStatement:
		return plsql.DynamicBlock
	case *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.SetTransaction, *ast.SetConstraints, *ast.LockTable, *ast.AlterSession, *ast.KillSession:
		return plsql.DynamicOther
	}
	return plsql.DynamicDDL
}

// placeholders returns the names of the binds that an execution supplies: in a block one for each distinct name.
func (p *prepared) placeholders() []string {
	if p.kind == plsql.DynamicBlock {
		return p.distinct
	}
	return p.binds
}

// returningInto returns how many of the placeholders are in RETURNING … INTO.
func (p *prepared) returningInto() int {
	var r *ast.Returning
	switch n := p.node.(type) {
	case *ast.Insert:
		r = n.Returning
	case *ast.Update:
		r = n.Returning
	case *ast.Delete:
		r = n.Returning
	}
	if r == nil || r.Into == nil {
		return 0
	}
	return len(r.Into.Targets)
}

// compile compiles the statement for binds of these types, unless it is already compiled. Values do not matter.
func (s *Session) compile(p *prepared, binds []*plsql.Bind) error {
	types := make([]bindType, len(binds))
	for i, b := range binds {
		types[i] = bindType{b.Type, b.Cursor, b.Array > 0, b.Composite}
		if b.Array > 0 && p.kind != plsql.DynamicBlock {
			return sqlerr.NotSupported("associative arrays as bind variables of SQL")
		}
		if p.kind != plsql.DynamicBlock {
			types[i].scalar.Len = graduated(b.Type.Len)
		}
	}
	if p.version == s.srv.catalog.Version() && slices.Equal(p.types, types) && p.linguistic == s.Linguistic() && (p.query != nil || p.block != nil) {
		return nil
	}
	lib := library{srv: s.srv, rights: p.rights, schema: p.schema, linguistic: s.Linguistic()}
	p.query, p.block = nil, nil
	var err error
	switch p.kind {
	case plsql.DynamicBlock:
		if p.block, err = plsql.CompileBlock(&lib, p.node, binds); err == nil {
			s.srv.covers("", p.text, p.block.Statements)
		}
	case plsql.DynamicQuery, plsql.DynamicDML:
		// A clause may be bound more than once: the place in the text distinguishes the occurrences.
		sc := &statementScope{library: lib, binds: binds, place: func(b *ast.Bind) int { return slices.Index(p.offsets, b.Offset) }}
		p.query, err = plan.CompileStatement(sc, p.node)
		lib.uses = sc.uses
	}
	// Validating a view or a unit during compilation may have raised the version: the result is valid for the current one.
	p.version, p.types, p.linguistic, p.dependencies = s.srv.catalog.Version(), types, lib.linguistic, lib.uses
	return err
}

// graduated returns the bind length that statements are compiled for: one of a few, so that values of many lengths share a
// statement, as a server does (V$SQL_SHARED_CURSOR, BIND_LENGTH_UPGRADEABLE).
func graduated(n int32) int32 {
	for _, g := range []int32{32, 128, 2000, 4000, 32767} {
		if n <= g {
			return min(g, n*g) // 0, without a limit, stays
		}
	}
	return n
}

// dynamic is a statement prepared for a session.
type dynamic struct {
	s   *Session
	p   *prepared
	ran *plan.Statement // what Execute ran; others may have recompiled it since
}

var _ plsql.Dynamic = (*dynamic)(nil)

// Prepare implements plsql.Host.
func (s *Session) Prepare(text string) (plsql.Dynamic, error) {
	p, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	d := &dynamic{s: s, p: p}
	if p.kind <= plsql.DynamicBlock && len(p.binds) == 0 {
		if err := s.compile(p, nil); err != nil { // errors are raised at the parse
			return nil, err
		}
	}
	return d, nil
}

// Kind implements plsql.Dynamic.
func (d *dynamic) Kind() plsql.DynamicKind { return d.p.kind }

// Placeholders implements plsql.Dynamic.
func (d *dynamic) Placeholders() []string { return d.p.placeholders() }

// describe compiles a statement whose binds have no type yet.
func (d *dynamic) describe() error {
	if d.p.query != nil && d.p.version == d.s.srv.catalog.Version() {
		return nil
	}
	binds := make([]*plsql.Bind, len(d.p.placeholders()))
	for i := range binds {
		binds[i] = &plsql.Bind{Mode: ast.ModeIn, Type: datatype.Sized(datatype.Varchar2, 4000)}
	}
	return d.s.compile(d.p, binds)
}

// Columns implements plsql.Dynamic.
func (d *dynamic) Columns() []plan.Column {
	if d.p.kind != plsql.DynamicQuery || d.describe() != nil {
		return nil
	}
	return d.p.query.Columns
}

// Returning implements plsql.Dynamic.
func (d *dynamic) Returning() []plan.Column {
	if d.p.returningInto() == 0 || d.describe() != nil {
		return nil
	}
	return d.p.query.Returning
}

// Execute implements plsql.Dynamic.
func (d *dynamic) Execute(binds []*plsql.Bind) (*plsql.Result, error) {
	s, p := d.s, d.p
	want := len(p.placeholders()) - p.returningInto()
	switch {
	case len(binds) < want:
		return nil, message.ORA(1008)
	case len(binds) > want && len(binds) != len(p.placeholders()):
		return nil, message.ORA(1006)
	}
	s.statement = p.text
	s.srv.k.Note("begin", p.text)
	defer s.srv.k.Note("end", p.text)
	switch p.kind {
	case plsql.DynamicBlock:
		return &plsql.Result{}, s.runBlock(p, binds)
	case plsql.DynamicDDL:
		return &plsql.Result{}, s.runDDL(p)
	case plsql.DynamicOther:
		return &plsql.Result{}, s.Statement(p.node)
	}
	res := &plsql.Result{}
	err := s.Run(func() error {
		for {
			err := d.run(binds, res)
			if !errors.Is(err, plan.ErrStale) {
				return err
			}
		}
	})
	return res, err
}

// run compiles and runs a query or DML.
func (d *dynamic) run(binds []*plsql.Bind, res *plsql.Result) error {
	s, p := d.s, d.p
	if err := s.compile(p, binds); err != nil {
		return err
	}
	q, env := p.query, &execution{s, binds}
	d.ran = q
	s.srv.views(p.dependencies)
	if s.Current().Isolation == transaction.ReadOnly && (p.kind == plsql.DynamicDML || q.Locks) {
		return message.ORA(1456)
	}
	if p.kind == plsql.DynamicQuery {
		rows, err := q.Open(env)
		res.Rows = rows
		return err
	}
	var keep func(value.Row)
	if len(q.Returning) > 0 {
		keep = func(r value.Row) { res.Returning = append(res.Returning, r) }
	}
	n, err := q.Execute(env, keep)
	res.Count = n
	return err
}

// runBlock runs an anonymous block or CALL. What it depends on is pinned while it runs.
func (s *Session) runBlock(p *prepared, binds []*plsql.Bind) error {
	if err := s.step(); err != nil {
		return err
	}
	if err := s.compile(p, binds); err != nil {
		return err
	}
	s.srv.views(p.dependencies)
	for _, o := range p.dependencies {
		if _, ok := o.Def.(*catalog.Unit); !ok {
			continue
		}
		units := []*catalog.Object{o}
		if body := s.srv.catalog.Body(o.Owner, o.Name); body != nil {
			units = append(units, body)
		}
		for _, u := range units {
			release, err := s.hold(u)
			if err != nil {
				return err
			}
			defer release()
		}
	}
	return p.block.Run(s, binds)
}

// Statement implements plsql.Host: transaction control and session settings.
func (s *Session) Statement(n ast.Statement) error {
	if err := s.step(); err != nil {
		return err
	}
	switch n := n.(type) {
	case *ast.Commit:
		return s.Commit(n)
	case *ast.Rollback:
		if n.To != nil {
			return s.RollbackTo(n.To.Text)
		}
		return s.Rollback()
	case *ast.Savepoint:
		s.Savepoint(n.Name.Text)
		return nil
	case *ast.SetTransaction:
		return s.Current().Set(n)
	case *ast.SetConstraints:
		return s.Current().Immediate()
	case *ast.LockTable:
		return s.lockTable(n)
	case *ast.AlterSession:
		if n.System {
			return s.alterSystem(n)
		}
		return s.alterSession(n)
	case *ast.KillSession:
		return s.killSession(n)
	}
	return sqlerr.NotSupported("statement %T", n)
}

// errorText returns an error as the client sees it.
func errorText(err error) string {
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return plsql.ErrorText(e)
	}
	return fmt.Sprint(err)
}
