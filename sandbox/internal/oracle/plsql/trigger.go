package plsql

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// trigger compiles a trigger. Its variables are :NEW, :OLD, INSERTING, UPDATING and DELETING, and the value of UPDATING for each column.
func (c *compiler) trigger(n *ast.CreateUnit) {
	o, err := c.lib.Table(n.Trigger.Table, "SELECT")
	raise(err)
	u, names := c.unit, c.names
	u.row = tableRow(o)
	for _, name := range []string{"NEW", "OLD"} { // without colon in WHEN
		names.list[":"+name] = c.variable(ast.Name{Text: name}, u.row)
	}
	flags := []string{"INSERTING", "UPDATING", "DELETING"}
	for i, col := range catalog.ColumnsOf(o) {
		if !col.Hidden {
			u.columns = append(u.columns, i)
			flags = append(flags, "UPDATING "+col.Name)
		}
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
	st := h.State()
	f := newFrame(h, nil, u.Owner+"."+u.Name, u.slots)
	var pseudo [2]*Record
	for i, row := range []value.Row{x.New, x.Old} {
		pseudo[i] = &Record{typ: u.row, values: make([]value.Value, len(u.columns))}
		f.vars[i] = value.NewRef(pseudo[i])
		for j, ord := range u.columns {
			if row != nil {
				pseudo[i].values[j] = row[ord]
			}
			f.vars[5+j] = value.NewBool(slices.Contains(x.Set, ord))
		}
	}
	for i, event := range []ast.TriggerEvent{ast.Inserting, ast.Updating, ast.Deleting} {
		f.vars[2+i] = value.NewBool(event == x.Event)
	}
	before := *st
	st.caller, st.firing = noSQL, append(slices.Clip(st.firing), x)
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
	for j, ord := range u.columns {
		if x.New != nil {
			x.New[ord] = pseudo[0].values[j]
		}
	}
	return nil
}

// MayEnd returns ORA-04092 if a trigger runs in the transaction to be ended.
func (s *State) MayEnd(verb string) error {
	if len(s.firing) > 0 {
		return message.ORA(4092, verb)
	}
	return nil
}

// Mutating reports whether a table is being changed by a statement whose row triggers are running.
func (s *State) Mutating(o *catalog.Object) bool {
	return slices.ContainsFunc(s.firing, func(x *plan.Firing) bool { return slices.Contains(x.Mutating, o) })
}
