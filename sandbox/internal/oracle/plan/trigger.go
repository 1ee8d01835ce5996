package plan

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Firing is what a trigger learns about its firing.
type Firing struct {
	Table    *catalog.Object
	Event    ast.TriggerEvent
	Set      []int             // columns that UPDATE sets
	Old, New value.Row         // for a row trigger; nil: no row before, or after
	Mutating []*catalog.Object // tables that a row trigger may not see
}

// firing is what the statement triggers of a table fire for.
type firing struct {
	x     *target
	event ast.TriggerEvent
	set   []int
}

// fire fires the triggers of a statement (both rows nil) or row. The order of several is undefined.
func (x *target) fire(fr *query.Frame, after bool, event ast.TriggerEvent, set []int, old, row value.Row) {
	each := old != nil || row != nil
	due := x.triggers(func(t *ast.Trigger) bool {
		of := func(n ast.Name) bool { return slices.Contains(set, x.table.Column(n.Text)) }
		return t.After == after && t.Row == each && slices.Contains(t.Events, event) && (event != ast.Updating || t.Of == nil || slices.ContainsFunc(t.Of, of))
	})
	for len(due) > 0 {
		i := 0
		if len(due) > 1 {
			i = env(fr).Task().Kernel().Choose("triggers", len(due))
		}
		f := &Firing{Table: x.object, Event: event, Set: set, Old: old, New: row}
		if after { // the row is in the table and no longer changes
			f.New = slices.Clone(row)
		}
		switch {
		case !each, event == ast.Inserting && !after && x.oneRow:
		default:
			f.Mutating = []*catalog.Object{x.object}
		}
		query.Check(env(fr).Fire(due[i], f))
		due = slices.Delete(due, i, i+1)
	}
}

// triggers returns the enabled triggers of the table that match.
func (x *target) triggers(fits func(*ast.Trigger) bool) (out []*catalog.Object) {
	for _, o := range x.object.Triggers {
		if u := o.Def.(*catalog.Unit); !u.Disabled && fits(u.Node.Trigger) {
			out = append(out, o)
		}
	}
	return out
}
