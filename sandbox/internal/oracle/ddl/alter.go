package ddl

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

func (x *run) alterTable(n *ast.AlterTable) {
	o, t := x.table(n.Name, "ALTER")
	b := x.edit(o, t)
	for i := range n.Actions {
		b.action(&n.Actions[i])
	}
	b.publish()
}

func (b *build) action(a *ast.TableAction) {
	switch a.Kind {
	case ast.ActionAdd:
		b.addColumns(a.Columns)
		for i := range a.Constraints {
			b.addConstraint(&a.Constraints[i], -1)
		}
	case ast.ActionModify:
		for i := range a.Columns {
			b.modify(&a.Columns[i])
		}
	case ast.ActionDropColumn:
		for _, c := range a.Columns {
			b.dropColumn(b.column(c.Name), a.Cascade)
		}
	case ast.ActionDropConstraint:
		b.dropConstraint(a)
	}
}

// modify changes a column's type, default or constraints.
func (b *build) modify(d *ast.ColumnDef) {
	at := b.column(d.Name)
	if d.Virtual != nil || d.Identity != nil {
		panic(sqlerr.NotSupported("MODIFY of virtual and identity columns"))
	}
	if d.Type != nil {
		b.retype(at, query.Must(plan.DataType(d.Type, false, false)))
	}
	if d.Default != nil {
		b.setDefault(at, d)
	}
	b.columnConstraints([]ast.ColumnDef{*d}, at)
}

// computes reports whether a virtual column is computed from a column.
func (b *build) computes(at int) bool {
	return slices.ContainsFunc(b.t.Columns, func(c catalog.Column) bool {
		return c.Virtual != nil && slices.Contains(columnsIn(b.t, c.Virtual.Expr), at)
	})
}

// retype changes a column's type: longer always, shorter if the values fit, another if all are NULL.
func (b *build) retype(at int, t datatype.Type) {
	col := &b.t.Columns[at]
	old := col.Type
	switch {
	case t == old:
		return
	case old.IsLOB() || t.IsLOB():
		panic(message.ORA(22858))
	case col.Virtual != nil || b.computes(at):
		panic(sqlerr.NotSupported("MODIFY of the type of a column that a virtual one needs"))
	}
	scaled := t.Scale != datatype.Unset && (old.Scale == datatype.Unset || t.Scale < old.Scale || int(t.Prec)-int(t.Scale) < int(old.Prec)-int(old.Scale))
	less := old.IsNumeric() && t.Prec != 0 && (old.Prec == 0 || t.Prec < old.Prec || scaled)
	b.scan(b.old, func(row value.Row) {
		switch {
		case b.from[at] < 0 || row[b.from[at]].IsNull():
			return
		case old.ID != t.ID:
			panic(message.ORA(1439))
		case less:
			panic(message.ORA(1440))
		case !old.IsNumeric() && !old.IsText() && old.ID != datatype.Raw:
			panic(sqlerr.NotSupported("MODIFY of the precision of a column that has values"))
		}
		if _, err := datatype.Store(row[b.from[at]], old, t, datatype.Column{}, b.Format(false)); err != nil {
			panic(message.ORA(1441))
		}
	})
	col.Type, b.data = t, true
}

// dropColumn drops a column with the indexes and constraints on it; those that others need only with CASCADE CONSTRAINTS.
func (b *build) dropColumn(at int, cascade bool) {
	visible := func(c catalog.Column) bool { return !c.Hidden && c.ID != b.t.Columns[at].ID }
	switch {
	case !slices.ContainsFunc(b.t.Columns, visible):
		panic(message.ORA(12983))
	case b.computes(at):
		panic(sqlerr.NotSupported("DROP COLUMN of one that a virtual column needs"))
	}
	for _, k := range slices.Clone(b.t.Constraints) {
		if slices.Contains(k.Columns, at) {
			if len(k.Columns) > 1 && !cascade {
				panic(message.ORA(12991))
			}
			b.dropKey(k, false)
		}
	}
	for _, ix := range slices.Clone(b.t.Indexes) {
		if slices.Contains(ix.Keys, at) {
			b.removeIndex(ix)
		}
	}
	b.removeColumn(at)
	b.renull()
}

// removeColumn removes a column from the definition; nothing refers to it anymore.
func (b *build) removeColumn(at int) {
	b.data = true
	if id := b.t.Columns[at].Identity; id != nil {
		b.dropped = append(b.dropped, id.Sequence)
	}
	b.t.Columns = slices.Delete(b.t.Columns, at, at+1)
	b.from = slices.Delete(b.from, at, at+1)
	for _, ix := range b.t.Indexes {
		for i := range ix.Keys {
			if ix.Keys[i] > at {
				ix.Keys[i]--
			}
		}
	}
	for _, k := range b.t.Constraints {
		for i := range k.Columns {
			if k.Columns[i] > at {
				k.Columns[i]--
			}
		}
	}
}

func (b *build) dropConstraint(a *ast.TableAction) {
	k := b.which(&a.Constraints[0])
	if k == nil {
		switch {
		case a.Constraints[0].Name != nil:
			panic(message.ORA(2443))
		case a.Constraints[0].Kind == ast.PrimaryKey:
			panic(message.ORA(2441))
		}
		panic(message.ORA(2442))
	}
	b.dropKey(k, a.KeepIndex)
}

// dropKey removes a constraint.
func (b *build) dropKey(k *catalog.Constraint, keepIndex bool) {
	b.disable(k, keepIndex)
	b.t.Constraints = slices.DeleteFunc(b.t.Constraints, func(o *catalog.Constraint) bool { return o == k })
	b.checked = slices.DeleteFunc(b.checked, func(o *catalog.Constraint) bool { return o == k })
}
