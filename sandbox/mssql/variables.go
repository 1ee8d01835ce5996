package mssql

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/value"
)

// typeOf resolves a type in a declaration: a system type, an alias type or a table type.
func (s *Session) typeOf(db *catalog.Database, ref ast.DataTypeReference) (variable, error) {
	var name *ast.SchemaObjectName
	var params []ast.ScalarExpression
	switch r := ref.(type) {
	case *ast.SqlDataTypeReference:
		name, params = r.Name, r.Parameters
		switch r.SqlDataTypeOption { // what synonyms of several words stand for
		case "VarChar", "NVarChar", "VarBinary", "Float", "NChar":
			name = &ast.SchemaObjectName{BaseIdentifier: &ast.Identifier{Value: r.SqlDataTypeOption}}
		}
		if strings.EqualFold(r.SqlDataTypeOption, "Cursor") {
			return variable{t: datatype.Type{ID: datatype.Cursor}}, nil
		}
	case *ast.UserDataTypeReference:
		name, params = r.Name, r.Parameters
	case *ast.XmlDataTypeReference:
		return variable{t: datatype.Type{ID: datatype.XML}}, nil
	}
	if name == nil {
		return variable{}, sqlerr.NotSupported("data type %T", ref)
	}
	base := name.BaseIdentifier.Value
	if name.SchemaIdentifier == nil || strings.EqualFold(name.SchemaIdentifier.Value, "sys") {
		facets := make([]int, 0, len(params))
		for _, p := range params {
			facets = append(facets, facet(p))
		}
		t, err := datatype.FromName(base, facets...)
		if err == nil {
			if t.IsCharacter() {
				t.Coll = db.Collation
			}
			return variable{t: t}, nil
		}
		if name.SchemaIdentifier != nil || len(params) > 0 {
			return variable{}, err
		}
	}
	schemas := []string{s.defaultSchema(), "dbo"}
	if name.SchemaIdentifier != nil {
		schemas = []string{name.SchemaIdentifier.Value}
	}
	for _, schema := range schemas {
		if ut := db.TypeByName(schema, base); ut != nil {
			if ut.Table != nil {
				return variable{t: datatype.Type{ID: datatype.Table}, table: ut.Table.Table(), kind: ut.Table}, nil
			}
			return variable{t: ut.Base}, nil
		}
	}
	return variable{}, sqlerr.New(2715, "Column, parameter, or variable #%d: Cannot find data type %s.", 1, nameText(name)).At(16, 3).Ending(sqlerr.Batch)
}

// facet reads a literal in a type's facets: 10, max.
func facet(e ast.ScalarExpression) int {
	switch l := e.(type) {
	case *ast.IntegerLiteral:
		if n, err := strconv.Atoi(l.Value); err == nil {
			return n
		}
	case *ast.MaxLiteral:
		return datatype.Max
	}
	return 0
}

// declareVariables runs a DECLARE: only initial values do anything, the slots are there already.
func (s *Session) declareVariables(f *frame, n *ast.DeclareVariableStatement) error {
	for _, d := range n.Declarations {
		if d.Value == nil {
			continue
		}
		set := &ast.SetVariableStatement{
			Fragment: d.Fragment, Variable: &ast.VariableReference{Name: d.VariableName.Value}, Expression: d.Value, AssignmentKind: "Equals",
		}
		if err := s.assign(f, d, set); err != nil {
			return err
		}
	}
	return nil
}

// assign computes an expression and stores it in a variable, converted to the variable's type.
func (s *Session) assign(f *frame, key any, n *ast.SetVariableStatement) error {
	a, err := planned(s, f, key, func(sc scope) (*plan.Assign, error) { return plan.CompileSetAssign(sc, n) })
	if err != nil {
		return err
	}
	if err := s.checkUses(f, a.Uses); err != nil {
		return err
	}
	if len(a.Uses) == 0 {
		return a.Run(s)
	}
	return s.atomic(false, func() error { return a.Run(s) })
}

func (s *Session) setVariable(f *frame, n *ast.SetVariableStatement) error {
	switch {
	case n.CursorDefinition != nil:
		return s.setCursorVariable(f, n)
	case n.Identifier != nil || n.SeparatorType != "":
		return sqlerr.NotSupported("method calls in SET")
	}
	return s.assign(f, n, n)
}

// scalar computes one expression in a frame.
func (s *Session) scalar(f *frame, key any, e ast.ScalarExpression) (value.Value, error) {
	v, _, err := s.typed(f, key, e)
	return v, err
}

// typed computes one expression and tells its type.
func (s *Session) typed(f *frame, key any, e ast.ScalarExpression) (value.Value, datatype.Type, error) {
	type exprKey struct{ parent, e any }
	c, err := planned(s, f, exprKey{key, e}, func(sc scope) (*plan.Expr, error) { return plan.CompileExpr(sc, e) })
	if err != nil {
		return value.Value{}, datatype.Type{}, err
	}
	if err := s.checkUses(f, c.Uses); err != nil {
		return value.Value{}, datatype.Type{}, err
	}
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
func (s *Session) scalars(f *frame, key any, es ...ast.ScalarExpression) ([]value.Value, error) {
	out := make([]value.Value, len(es))
	for i, e := range es {
		if e == nil {
			continue
		}
		var err error
		if out[i], err = s.scalar(f, key, e); err != nil {
			return nil, err
		}
	}
	return out, nil
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
	if err := s.startStatement(f, st); err != nil {
		return false, false, err
	}
	err = plan.Catch(func() error {
		p, err := planned(s, f, st, func(sc scope) (*plan.Predicate, error) { return plan.CompilePredicate(sc, e) })
		if err != nil {
			return err
		}
		if err := s.checkUses(f, p.Uses); err != nil {
			return err
		}
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
	s.lastError = 0
	return truth, false, nil
}

// lookup finds a variable of a frame.
func (f *frame) lookup(name string) (int, *variable, error) {
	slot, ok := f.code.slots[foldName(name)]
	if !ok {
		return 0, nil, sqlerr.New(137, "Must declare the scalar variable \"%s\".", name).At(15, 2).Ending(sqlerr.Batch)
	}
	return slot, &f.code.variables[slot], nil
}

// store puts a value into a variable, converted to its type.
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
