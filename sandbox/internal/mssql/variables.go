package mssql

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// typeOf resolves a type in a declaration: a system type, an alias type or a table type.
func (s *Session) typeOf(db *catalog.Database, ref ast.DataTypeReference) (variable, error) {
	f := &frame{code: &unit{Code: newCode(nil)}, db: db}
	t, table, err := ddl.TypeOf(definer{s, f}, ref)
	v := variable{t: t, kind: table}
	if table != nil {
		v.table = table.Table()
	}
	return v, err
}

// declareVariables runs a DECLARE: only initial values do anything, the slots already exist.
func (s *Session) declareVariables(f *frame, n *ast.DeclareVariableStatement) error {
	for _, d := range n.Declarations {
		if d.Value == nil {
			continue
		}
		set := &ast.SetVariableStatement{
			Fragment: d.Fragment, Variable: &ast.VariableReference{Name: d.VariableName.Value}, Expression: d.Value, AssignmentKind: "Equals",
		}
		s.assign(f, d, set)
	}
	return nil
}

// assign computes an expression and stores it in a variable, converted to the variable's type.
func (s *Session) assign(f *frame, key any, n *ast.SetVariableStatement) {
	a := query.Must(planned(s, f, key, func(sc scope) (*plan.Assign, error) { return plan.CompileSetAssign(sc, n) }))
	s.checkUses(f, a.Uses)
	if len(a.Uses) == 0 {
		query.Check(a.Run(s))
		return
	}
	query.Check(s.atomic(false, func() error { return a.Run(s) }))
}

func (s *Session) setVariable(f *frame, n *ast.SetVariableStatement) {
	switch {
	case n.CursorDefinition != nil:
		panic(sqlerr.NotSupported("SET @c = CURSOR"))
	case n.Identifier != nil || n.SeparatorType != "":
		panic(sqlerr.NotSupported("method calls in SET"))
	}
	s.assign(f, n, n)
}

// scalar computes one expression in a frame.
func (s *Session) scalar(f *frame, key any, e ast.ScalarExpression) (value.Value, error) {
	v, _, err := s.typed(f, key, e)
	return v, err
}

// typed computes one expression and returns its type, too.
func (s *Session) typed(f *frame, key any, e ast.ScalarExpression) (value.Value, datatype.Type, error) {
	type exprKey struct{ parent, e any }
	c, err := planned(s, f, exprKey{key, e}, func(sc scope) (*plan.Expr, error) { return plan.CompileExpr(sc, e) })
	if err != nil {
		return value.Value{}, datatype.Type{}, err
	}
	s.checkUses(f, c.Uses)
	var v value.Value
	eval := func() (err error) {
		v, err = c.Eval(s)
		return err
	}
	if len(c.Uses) == 0 {
		err = eval()
	} else {
		err = s.atomic(false, eval)
	}
	return v, c.Type, err
}

// scalars computes several expressions; a nil one gives NULL.
func (s *Session) scalars(f *frame, key any, es ...ast.ScalarExpression) []value.Value {
	out := make([]value.Value, len(es))
	for i, e := range es {
		if e == nil {
			continue
		}

		out[i] = query.Must(s.scalar(f, key, e))
	}
	return out
}

// converted computes an expression and converts it as an assignment to type t would.
func (s *Session) converted(f *frame, key any, e ast.ScalarExpression, t datatype.Type) (value.Value, error) {
	v, from, err := s.typed(f, key, e)
	if err != nil || v.IsNull() {
		return value.Value{}, err
	}
	return datatype.Convert(v, from, t, datatype.NoStyle, datatype.Implicit)
}

// predicate computes the condition of IF and WHILE. An error in it that ends only the statement skips it.
func (s *Session) predicate(f *frame, st ast.Statement, e ast.BooleanExpression) (truth, skipped bool, err error) {
	if err := s.startStatement(f); err != nil {
		return false, false, err
	}
	err = query.Catch(func() error {
		p, err := planned(s, f, st, func(sc scope) (*plan.Predicate, error) { return plan.CompilePredicate(sc, e) })
		if err != nil {
			return err
		}
		s.checkUses(f, p.Uses)
		eval := func() (err error) {
			truth, err = p.Eval(s)
			return err
		}
		if len(p.Uses) == 0 {
			return eval()
		}
		return s.atomic(false, eval)
	})
	if err != nil {
		r := s.asRaised(f, err)
		s.locate(f, st, r)
		return false, true, s.fail(f, r)
	}
	s.lastError, s.rowCount = 0, 0
	return truth, false, nil
}

// lookup finds a variable of a frame.
func (f *frame) lookup(name string) (int, *variable, error) {
	slot, ok := f.code.slots[foldName(name)]
	if !ok {
		return 0, nil, message.MS(137, name).At(15, 2).Ending(sqlerr.Batch)
	}
	return slot, &f.code.variables[slot], nil
}

// store assigns a value to a variable, converted to the variable's type.
func (f *frame) store(name string, v value.Value, from datatype.Type) error {
	slot, decl, err := f.lookup(name)
	if err != nil {
		return err
	}
	if decl.t.ID != datatype.Cursor {
		if v, err = datatype.Convert(v, from, decl.t, datatype.NoStyle, datatype.Implicit); err != nil {
			return err
		}
	}
	f.vars[slot] = v
	return nil
}
