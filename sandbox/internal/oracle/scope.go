package oracle

import (
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// library resolves names outside of what is compiled, with given rights and in a given schema.
type library struct {
	srv        *Server
	rights     catalog.Rights
	schema     string
	linguistic bool
	uses       []*catalog.Object
}

var _ plsql.Library = (*library)(nil)

// Linguistic implements plan.Scope.
func (l *library) Linguistic() bool { return l.linguistic }

// Uses implements plan.Scope.
func (l *library) Uses(o *catalog.Object) {
	if !slices.Contains(l.uses, o) {
		l.uses = append(l.uses, o)
	}
}

// Table implements plan.Scope.
func (l *library) Table(ref *ast.Ref, privilege string) (*catalog.Object, error) {
	o, rest, err := l.srv.catalog.Resolve(l.rights, l.schema, ref)
	if err != nil {
		return nil, err
	}
	if o == nil {
		if o, err = l.srv.queueTable(l.schema, ref); err != nil {
			return nil, err
		}
		if o != nil && !l.srv.catalog.Allowed(l.rights, privilege, o) {
			return nil, catalog.ErrNoTable()
		}
	}
	if o == nil {
		if err := l.srv.catalog.Elsewhere(ref.String()); err != nil {
			return nil, err
		}
	}
	if o == nil || len(rest) > 0 {
		return nil, catalog.ErrNoTable()
	}
	switch o.Def.(type) {
	case *catalog.Table, *catalog.View, *catalog.SystemView, *catalog.Sequence:
	default:
		return nil, catalog.ErrNoTable()
	}
	if !l.srv.catalog.Allowed(l.rights, privilege, o) {
		return nil, catalog.ErrPrivileges()
	}
	if _, ok := o.Def.(*catalog.View); ok && o.Invalid {
		if err := l.srv.compileView(l, o); err != nil {
			return nil, err
		}
	}
	l.Uses(o)
	return o, nil
}

// queueTable returns the view AQ$ over a queue table; the table itself is refused. Both are kept by package aq.
func (srv *Server) queueTable(owner string, ref *ast.Ref) (*catalog.Object, error) {
	name := ref.Parts[0].Text
	if len(ref.Parts) > 1 {
		owner, name = name, ref.Parts[1].Text
	}
	for t := range srv.queues.Tables(owner) {
		if t.Spec().Name == name {
			return nil, sqlerr.NotSupported("queue table %s as a table", ref)
		}
		if "AQ$"+t.Spec().Name == name {
			key := fmt.Sprintf("view %s.%s %d", owner, name, t.Created().UnixNano())
			if srv.otherObjects[key] == nil {
				srv.otherObjects[key] = &catalog.Object{ID: srv.catalog.NewID(), Owner: owner, Name: name, Kind: ast.KindView, Created: t.Created(), Def: messageView(t)}
			}
			return srv.otherObjects[key], nil
		}
	}
	return nil, nil
}

// Unit implements plsql.Library.
func (l *library) Unit(ref *ast.Ref) (*plsql.Unit, []ast.Name, error) {
	o, rest, err := l.srv.catalog.Resolve(l.rights, l.schema, ref)
	if err != nil || o == nil {
		return nil, nil, err
	}
	if _, ok := o.Def.(*catalog.Unit); !ok || !l.srv.catalog.Allowed(l.rights, "EXECUTE", o) {
		return nil, nil, nil
	}
	l.Uses(o)
	u, err := l.srv.compiled(o)
	if err != nil {
		return nil, nil, err
	}
	if u == nil {
		return nil, nil, plsql.ErrInvalidUnit(o.Owner, o.Name)
	}
	return u, rest, nil
}

// Operand implements plan.Scope: the functions of the session.
func (l *library) Operand(e ast.Expr, sub func(ast.Expr) *plan.Expr) (*plan.Expr, error) {
	switch x := e.(type) {
	case *ast.Ref:
		if word := x.Word(); word != "" {
			return sessionValue(word), nil
		}
	case *ast.Call:
		if ref, ok := x.Func.(*ast.Ref); ok && ref.Word() != "" {
			if ref.Word() == "CON_ID_TO_GUID" && l.srv.hasGUIDs() {
				return l.srv.containerGUID(), nil
			}
			return sessionFunction(ref.Word(), x, sub)
		}
	}
	return nil, nil
}

// Within implements plan.OwnerScope: the definitions of views, defaults and virtual columns use their owner's names.
func (l *library) Within(owner string) plan.Scope {
	return &statementScope{library: library{srv: l.srv, rights: catalog.Rights{User: owner}, schema: owner}, place: func(*ast.Bind) int { return -1 }}
}

// statementScope compiles a SQL statement at the top level: its binds are the client's.
type statementScope struct {
	library
	binds []*plsql.Bind // one for each occurrence
	place func(b *ast.Bind) int
}

// PLSQL implements plan.Scope.
func (*statementScope) PLSQL() bool { return false }

// Operand implements plan.Scope: binds, the session's functions, and functions of units.
func (s *statementScope) Operand(e ast.Expr, sub func(ast.Expr) *plan.Expr) (*plan.Expr, error) {
	switch x := e.(type) {
	case *ast.Bind:
		i := s.place(x)
		if i < 0 || i >= len(s.binds) {
			return nil, message.ORA(1008)
		}
		t := datatype.Type{}
		if s.binds[i] != nil {
			t = s.binds[i].Type
		}
		return plan.Fixed(fmt.Sprintf("bind %d", i), t, func(fr *query.Frame) value.Value { return fr.Env.(*execution).binds[i].Value }), nil
	case *ast.Ref, *ast.Call:
		if op, err := s.library.Operand(e, sub); op != nil || err != nil {
			return op, err
		}
		return plsql.CallInSQL(&s.library, e, sub)
	}
	return nil, nil
}

// execution is the environment of a statement with binds.
type execution struct {
	*Session
	binds []*plsql.Bind
}

// Changed records the last changed row.
func (e *execution) Changed(object, row int64) { e.lastRow = [2]int64{object, row} }
