package mssql

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// definer is a session as package ddl sees it, in the frame of the DDL statement.
type definer struct {
	*Session
	f *frame
}

var _ ddl.Session = definer{}

// runDDL executes a DDL statement. Statements about databases are not transactional.
func (s *Session) runDDL(f *frame, st ast.Statement) error {
	// SET IMPLICIT_TRANSACTIONS lists none of the other DDL statements.
	if slices.ContainsFunc([]string{"Create", "AlterTable", "Drop", "Grant", "Revoke", "Truncate"}, func(verb string) bool {
		return strings.HasPrefix(fmt.Sprintf("%T", st), "*ast."+verb)
	}) {
		s.beginImplicitly()
	}
	known := false
	_, s.tmp.Creating = st.(*ast.CreateTableStatement)
	defer func() { s.tmp.Creating = false }()
	err := s.atomic(true, func() (err error) {
		known, err = ddl.Execute(definer{s, f}, st)
		return err
	})
	if err == nil && !known {
		return sqlerr.NotSupported("%T", st)
	}
	if err == nil && len(s.frames) == 1 && !s.set.NoCount {
		s.done(Definition, 0, false)
	}
	return err
}

// Server implements ddl.Session.
func (d definer) Server() *catalog.Server { return d.srv.catalog }

// Database implements ddl.Session.
func (d definer) Database() *catalog.Database { return d.f.db }

// TokenIn implements ddl.Session.
func (d definer) TokenIn(db *catalog.Database) (catalog.Token, error) { return d.who.TokenIn(db) }

// LoginID implements ddl.Session.
func (d definer) LoginID() int32 {
	if l := d.who.Current().Login; l != nil {
		return l.ID
	}
	return 0
}

// DefaultSchema implements ddl.Session.
func (d definer) DefaultSchema() string { return d.defaultSchema() }

// StoreSession implements ddl.Session.
func (d definer) StoreSession() *store.Session { return d.st }

// InTransaction implements ddl.Session.
func (d definer) InTransaction() bool { return d.tran.Count > 0 }

// Now implements ddl.Session.
func (d definer) Now() time.Time { return d.srv.k.Now() }

// NewGUID implements ddl.Session.
func (d definer) NewGUID() [16]byte { return d.srv.newGUID().GUIDBytes() }

// Text implements ddl.Session.
func (d definer) Text() string { return d.f.code.text }

// Setting implements ddl.Session.
func (d definer) Setting() ddl.Setting {
	return ddl.Setting{
		AnsiNulls: d.f.ansiNulls, QuotedIdentifier: d.f.quotedIdentifier, AnsiNullDefault: d.set.ANSINullDfltOn,
		AnsiWarnings: d.set.ANSIWarnings, AnsiPadding: d.set.ANSIPadding, ArithAbort: d.set.ArithAbort,
		ConcatNull: d.set.ConcatNullYieldsNull, NumericRound: d.set.NumericRoundAbort,
	}
}

// Temp implements ddl.Session.
func (d definer) Temp(name string) *catalog.Object { return d.tmp.Seen(name, d.f.level) }

// PutTemp implements ddl.Session.
func (d definer) PutTemp(o *catalog.Object) { d.tmp.Put(o, d.f.level) }

// RemoveTemp implements ddl.Session.
func (d definer) RemoveTemp(o *catalog.Object) { d.tmp.Remove(o) }

// KillUsers implements ddl.Session.
func (d definer) KillUsers(db *catalog.Database) error {
	for users := d.usersOf(db); len(users) > 0; users = d.usersOf(db) {
		for _, other := range users {
			if !other.task.Dying() { // sessions that arrive meanwhile are killed, too
				d.srv.killSession(other, d.spid)
			}
		}
		if reason, _ := d.block("LCK_M_X", kernel.Wait{For: time.Millisecond}); reason == kernel.Interrupted {
			return errAttention
		}
	}
	return nil
}

// Users implements ddl.Session.
func (d definer) Users(db *catalog.Database) int { return len(d.usersOf(db)) }

func (d definer) usersOf(db *catalog.Database) []*Session {
	var out []*Session
	d.srv.sessions.Scan(func(_ int, s *Session) bool {
		if s != d.Session && s.db == db {
			out = append(out, s)
		}
		return true
	})
	return out
}

// Leave implements ddl.Session.
func (d definer) Leave(db *catalog.Database) {
	if d.db == db {
		d.db = d.srv.catalog.DatabaseByName("master")
		d.f.db = d.db
	}
}

// Info implements ddl.Session.
func (d definer) Info(e *sqlerr.Error) { d.out.Info(e) }

// CompileCheck implements ddl.Compiler.
func (d definer) CompileCheck(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) value.Value, error) {
	p, err := plan.CompileRowPredicate(scope(d), t, e)
	if err != nil {
		return nil, err
	}
	return func(r value.Row) value.Value { return p(d.Session, r) }, nil
}

// CompileFilter implements ddl.Compiler.
func (d definer) CompileFilter(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) bool, error) {
	p, err := plan.CompileRowPredicate(scope(d), t, e)
	if err != nil {
		return nil, err
	}
	return func(r value.Row) bool { return p(nil, r).IsTrue() }, nil
}

// CompileDefault implements ddl.Compiler.
func (d definer) CompileDefault(e ast.ScalarExpression) (datatype.Type, func() (value.Value, error), error) {
	c, err := plan.CompileExpr(scope(d), e)
	if err != nil {
		return datatype.Type{}, nil, err
	}
	return c.Type, func() (value.Value, error) { return c.Eval(d.Session) }, nil
}

// BindSelect implements ddl.Compiler.
func (d definer) BindSelect(sel *ast.SelectStatement, params []catalog.Param) ([]catalog.Column, error) {
	u := &unit{Code: newCode(nil)}
	for _, p := range params {
		v := variable{name: p.Name, t: p.Type}
		if p.TableType != nil {
			v.table = p.TableType.Table()
		}
		if err := u.declare(v); err != nil {
			return nil, err
		}
	}
	nf := d.newFrame(u)
	q, err := plan.CompileCursor(scope{d.Session, nf}, sel)
	if err != nil {
		return nil, err
	}
	out := make([]catalog.Column, len(q.Columns))
	for i, c := range q.Columns {
		out[i] = catalog.Column{ID: int32(i + 1), Name: c.Name, Type: c.Type, Nullable: c.Nullable}
	}
	return out, nil
}

// CheckModule implements ddl.Compiler: every statement whose names resolve is compiled when the module is created.
func (d definer) CheckModule(o *catalog.Object) error {
	m := o.Module()
	if m.Body == nil {
		return nil
	}
	u := &unit{kind: "Proc", text: m.Text, Code: newCode(m.Body.Statements)}
	if err := d.prepare(u, o.DB, m.Params); err != nil {
		return err
	}
	nf := d.newFrame(u)
	nf.object, nf.db, nf.schema = o, o.DB, o.Schema
	nf.quotedIdentifier, nf.ansiNulls = m.QuotedIdentifier, m.AnsiNulls
	var err error
	eachStatement(u.statements, func(st ast.Statement) {
		if e := checkFunction(o, st); e != nil && err == nil {
			err = at(e, lineOf(st))
		}
		switch st.(type) {
		case *ast.SelectStatement, *ast.InsertStatement, *ast.UpdateStatement, *ast.DeleteStatement:
			if _, e := plan.CompileStatement(scope{d.Session, nf}, st); e != nil && err == nil && !deferred(e) {
				err = at(e, lineOf(st))
			}
		}
	})
	return err
}

// deferred reports whether a compile error waits until the statement is executed: an object that is missing now may
// exist by then (learn.microsoft.com, "CREATE PROCEDURE (Transact-SQL)", deferred name resolution).
func deferred(err error) bool {
	e, ok := err.(*sqlerr.Error) //nolint:errorlint // compilers return it bare
	return ok && (e.Number == 208 || e.Number == 2812)
}

// tableFrom builds the definition of a table variable.
func (s *Session) tableFrom(db *catalog.Database, def *ast.TableDefinition) (*catalog.Table, error) {
	f := &frame{code: &unit{Code: newCode(nil)}, db: db, schema: "dbo", ansiNulls: true, quotedIdentifier: true}
	return ddl.TableVariable(definer{s, f}, def)
}

// freshTable gives a table variable its own empty rows.
func (s *Session) freshTable(def *catalog.Table, name string) *catalog.Table {
	return ddl.NewRows(s.st, def, name)
}

// declareTableVariable does nothing: DECLARE is not executable, so in a loop a table variable
// keeps its rows.
func (s *Session) declareTableVariable(*frame, *ast.DeclareTableVariableStatement) {}

// createTableInto creates the table of a SELECT INTO.
func (s *Session) createTableInto(name *ast.SchemaObjectName, columns []catalog.Column) *catalog.Object {
	s.tmp.Creating = true
	defer func() { s.tmp.Creating = false }()
	return query.Must(ddl.CreateTableAs(definer{s, s.top()}, name, columns))
}
