package mssql

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// unitRules finds the errors that compiling a unit raises in its statements, which check gets in textual order.
type unitRules struct {
	unit   *unit
	loop   int // end of the WHILE seen last
	labels map[string]bool
	jumps  []*ast.GoToStatement
}

func (r *unitRules) check(st ast.Statement) *sqlerr.Error {
	switch n := st.(type) {
	case *ast.WhileStatement:
		r.loop = max(r.loop, n.EndOffset())
	case *ast.BreakStatement:
		if n.StartOffset >= r.loop {
			return message.MS(135)
		}
	case *ast.ContinueStatement:
		if n.StartOffset >= r.loop {
			return message.MS(136)
		}
	case *ast.LabelStatement:
		name := strings.TrimSuffix(n.Value, ":")
		if r.labels == nil {
			r.labels = map[string]bool{}
		}
		if r.labels[foldName(name)] {
			return message.MS(132, name)
		}
		r.labels[foldName(name)] = true
	case *ast.GoToStatement:
		r.jumps = append(r.jumps, n)
	case *ast.UseStatement:
		if r.unit.kind == "Proc" {
			return message.MS(154, "a USE database statement", "a procedure, function or trigger")
		}
	}
	if v, ok := changes(st).(*ast.VariableTableReference); ok {
		slot, known := r.unit.slots[foldName(v.Variable.Name)]
		if known && slot < len(r.unit.params) {
			return message.MS(10700, v.Variable.Name)
		}
	}
	return nil
}

// end returns the error that is known only after all statements have been seen.
func (r *unitRules) end() error {
	for _, n := range r.jumps {
		if !r.labels[foldName(n.LabelName.Value)] {
			return at(message.MS(133, n.LabelName.Value).Ending(sqlerr.Batch), lineOf(n))
		}
	}
	return nil
}

// changes is the table that a statement changes, or nil.
func changes(st ast.Statement) ast.TableReference {
	switch n := st.(type) {
	case *ast.InsertStatement:
		return n.InsertSpecification.Target
	case *ast.UpdateStatement:
		return n.UpdateSpecification.Target
	case *ast.DeleteStatement:
		return n.DeleteSpecification.Target
	}
	return nil
}

// checkFunction refuses what a function may not do (443, 557), and what the sandbox does not model of it (learn.microsoft.com, "CREATE FUNCTION").
func checkFunction(o *catalog.Object, st ast.Statement) error {
	switch st.(type) {
	case *ast.DeclareVariableStatement, *ast.DeclareTableVariableStatement, *ast.SetVariableStatement, *ast.SelectStatement, *ast.ReturnStatement,
		*ast.IfStatement, *ast.WhileStatement, *ast.BeginEndBlockStatement, *ast.BreakStatement, *ast.ContinueStatement, *ast.GoToStatement, *ast.LabelStatement:
		return nil
	}
	if _, own := changes(st).(*ast.VariableTableReference); own || !o.Kind.IsFunction() {
		return nil
	}
	return sqlerr.NotSupported("a function with statements other than assignments, control of flow and changes of table variables")
}
