package plsql

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// trigger compiles a trigger. Its variables are :NEW, :OLD, INSERTING, UPDATING and DELETING, and what UPDATING says of each column.
func (c *compiler) trigger(n *ast.CreateUnit) {
	o, err := c.lib.Table(n.Trigger.Table, "SELECT")
	raise(err)
	u, names := c.unit, c.names
	u.row = tableRow(o)
	for _, name := range []string{"NEW", "OLD"} { // without colon in WHEN
		names.list[":"+name] = c.variable(ast.Name{Text: name}, u.row)
	}
	flags := []string{"INSERTING", "UPDATING", "DELETING"}
	for _, f := range u.row.fields {
		flags = append(flags, "UPDATING "+f.name)
	}
	for _, name := range flags {
		c.variable(ast.Name{Text: name}, scalarType(datatype.Of(datatype.Boolean))).readOnly = true
	}
	if n.Trigger.When != nil {
		u.when = c.condition(n.Trigger.When)
	}
	delete(names.list, "NEW")
	delete(names.list, "OLD")
	isolated, body := autonomous(n.Body.Decls), c.block(n.Body, c.push(""))
	u.init = func(f *frame) flow {
		f.isolated(isolated, func() { body(f) })
		return next
	}
}

// Fire runs a trigger, which may change x.New.
func (u *Unit) Fire(h Host, x *plan.Firing) error {
	st, columns := h.State(), x.Table.Def.(*catalog.Table).Columns
	f := newFrame(h, nil, u.Owner+"."+u.Name, u.slots)
	pseudo := [2]*Record{}
	for i, row := range []value.Row{x.New, x.Old} {
		pseudo[i] = &Record{typ: u.row, values: make([]value.Value, 0, len(u.row.fields))}
		f.vars[i] = value.NewRef(pseudo[i])
		for ord, col := range columns {
			switch {
			case col.Hidden:
			case row == nil:
				pseudo[i].values = append(pseudo[i].values, value.Value{})
			default:
				pseudo[i].values = append(pseudo[i].values, row[ord])
			}
		}
	}
	for i, event := range []ast.TriggerEvent{ast.Inserting, ast.Updating, ast.Deleting} {
		f.vars[2+i] = value.NewBool(event == x.Event)
	}
	at := 0
	for ord, col := range columns {
		if !col.Hidden {
			f.vars[5+at] = value.NewBool(slices.Contains(x.Set, ord))
			at++
		}
	}
	before := *st
	st.caller, st.firing = aTrigger, append(slices.Clip(st.firing), x)
	defer func() { st.caller, st.firing, st.sql = before.caller, before.firing, before.sql }()
	err := query.Catch(func() error {
		leave, err := h.Enter(u)
		raise(err)
		defer leave()
		f.call(func() {
			if u.when == nil || u.when(f) {
				u.init(f)
			}
		})
		return nil
	})
	if err != nil {
		e := *asError(err)
		e.Frames = append(slices.Clip(e.Frames), sqlerr.Frame{Unit: f.unit, Trigger: true})
		return &e
	}
	for ord, at := 0, 0; x.New != nil && ord < len(columns); ord++ {
		if !columns[ord].Hidden {
			x.New[ord] = pseudo[0].values[at]
			at++
		}
	}
	return nil
}

// Mutating reports whether a statement that has fired row triggers which run now changes a table.
func (s *State) Mutating(o *catalog.Object) bool {
	return slices.ContainsFunc(s.firing, func(x *plan.Firing) bool { return slices.Contains(x.Mutating, o) })
}
