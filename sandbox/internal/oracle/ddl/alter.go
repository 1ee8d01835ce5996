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
	if a := &n.Actions[0]; a.Kind == ast.ActionRename {
		if len(n.Actions) > 1 {
			panic(query.Raised(message.ORA(14047)))
		}
		x.renameObject(o, a.NewName.Text)
		return
	}
	b := x.edit(o, t)
	if b.t.ReadOnly && n.Actions[0].Kind != ast.ActionOption {
		panic(query.Raised(errReadOnly(o)))
	}
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
		b.dropColumns(a)
		return
	case ast.ActionDropConstraint:
		b.dropConstraint(a)
		return
	case ast.ActionRenameColumn:
		b.renameColumn(a.Names[0], *a.NewName)
		return
	case ast.ActionRenameConstraint:
		k := b.t.Constraint(a.Names[0].Text)
		if k == nil {
			panic(message.ORA(23292))
		}
		b.freeConstraint(a.NewName.Text)
		k.Name, k.Generated = a.NewName.Text, false
	case ast.ActionEnableConstraint, ast.ActionDisableConstraint:
		b.switchConstraint(a)
		return
	case ast.ActionOption:
		b.option(a.Option)
		return
	case ast.ActionRename:
		panic(query.Raised(message.ORA(14047)))
	}

}

func (b *build) option(o *ast.Option) {
	switch o.Name {
	case "READ ONLY", "READ WRITE":
		if b.t.Temporary {
			panic(message.ORA(14451))
		}
		b.t.ReadOnly = o.Name == "READ ONLY"
		return
	case "SEGMENT CREATION IMMEDIATE", "SEGMENT CREATION DEFERRED", "ORGANIZATION HEAP", "ROWDEPENDENCIES", "NOROWDEPENDENCIES", "TABLESPACE":
		panic(message.ORA(1735))
	}
	query.Must(b.tableOptions([]ast.Option{*o}, b.t.Temporary))
}

// modify changes a column's type, default, visibility or constraints.
func (b *build) modify(d *ast.ColumnDef) {
	at := b.column(d.Name)
	switch {
	case d.Virtual != nil:
		panic(sqlerr.NotSupported("MODIFY of a virtual column's expression"))
	case d.Identity != nil:
		panic(sqlerr.NotSupported("MODIFY of an identity column"))
	case d.Visible, d.Invisible:
		panic(sqlerr.NotSupported("MODIFY … %s", map[bool]string{true: "VISIBLE", false: "INVISIBLE"}[d.Visible]))
	}
	if d.Type != nil {
		query.Check(b.retype(at, d.Type))
	}
	if d.Default != nil {
		b.setDefault(at, d)
	}
	for i := range d.Constraints {
		b.addConstraint(&d.Constraints[i], at)
	}

}

// retype changes a column's type: longer at any time, shorter if the values fit, another if all are NULL.
func (b *build) retype(at int, d *ast.DataType) error {
	col := &b.t.Columns[at]
	t, err := plan.DataType(d, false, false)
	if err != nil || t == col.Type {
		return err
	}
	if col.Virtual != nil {
		return sqlerr.NotSupported("MODIFY of a virtual column's type")
	}
	for _, other := range b.t.Columns {
		if other.Virtual != nil && slices.Contains(columnsIn(b.t, other.Virtual.Expr), at) {
			if other.Generated {
				return message.ORA(30556)
			}
			return message.ORA(54033)
		}
	}
	old := col.Type
	if old.IsLOB() || t.IsLOB() {
		return message.ORA(22858)
	}
	family := old.ID == t.ID || old.IsText() && t.IsText() && old.IsNational() == t.IsNational() ||
		old.ID == datatype.Date && t.ID == datatype.Timestamp || old.ID == datatype.Timestamp && t.ID == datatype.Date
	if b.from[at] >= 0 && !b.t.Temporary {
		from := b.from[at]
		err := b.scan(func(row value.Row) error {
			v := row[from]
			switch {
			case v.IsNull():
				return nil
			case !family:
				return message.ORA(1439)
			case old.IsNumeric() && (t.Prec != 0 && t.Prec < old.Prec || t.Prec != 0 && old.Prec == 0 || t.Scale < old.Scale && t.Scale != datatype.Unset || old.Scale == datatype.Unset && t.Scale != datatype.Unset):
				return message.ORA(1440)
			case (old.ID == datatype.Timestamp || old.ID == datatype.TimestampTZ || old.IsInterval()) && (t.Scale < old.Scale || t.Prec < old.Prec):
				return message.ORA(30082)
			}
			if _, err := datatype.Store(v, old, t, datatype.Column{}, b.Format(false)); err != nil {
				return message.ORA(1441)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	col.Type = t
	b.data = true
	return nil
}

func (b *build) dropColumns(a *ast.TableAction) {
	for _, n := range a.Names {
		at := b.column(n)
		visible := 0
		for _, c := range b.t.Columns {
			if !c.Hidden {
				visible++
			}
		}
		if visible == 1 && !b.t.Columns[at].Hidden {
			panic(message.ORA(12983))
		}
		b.dropColumn(at, a.Cascade)
	}

}

// dropColumn drops a column with the indexes and constraints on it; one that others need, too, only with CASCADE
// CONSTRAINTS (SQL Language Reference, "ALTER TABLE", drop_column_clause).
func (b *build) dropColumn(at int, cascade bool) {
	for _, c := range b.t.Columns {
		if c.Virtual != nil && !c.Generated && slices.Contains(columnsIn(b.t, c.Virtual.Expr), at) {
			panic(message.ORA(54031))
		}
	}
	for _, k := range slices.Clone(b.t.Constraints) {
		if !slices.Contains(k.Columns, at) {
			continue
		}
		if len(k.Columns) > 1 && !cascade {
			panic(message.ORA(12991))
		}
		b.disable(k, false)
		b.t.Constraints = slices.DeleteFunc(b.t.Constraints, func(o *catalog.Constraint) bool { return o == k })
	}
	for _, ix := range slices.Clone(b.t.Indexes) {
		if slices.ContainsFunc(ix.Keys, func(k catalog.Key) bool {
			v := b.t.Columns[k.Column].Virtual
			return k.Column == at || b.t.Columns[k.Column].Generated && slices.Contains(columnsIn(b.t, v.Expr), at)
		}) {
			b.removeIndex(ix)
		}
	}
	id := b.t.Columns[at].ID
	b.dropHidden()
	b.removeColumn(slices.IndexFunc(b.t.Columns, func(c catalog.Column) bool { return c.ID == id }))
	b.renull()

}

// removeColumn takes a column out of the definition; nothing refers to it any more.
func (b *build) removeColumn(at int) {
	b.data = true
	if id := b.t.Columns[at].Identity; id != nil {
		b.dropped = append(b.dropped, id.Sequence)
	}
	b.t.Columns = slices.Delete(b.t.Columns, at, at+1)
	b.from = slices.Delete(b.from, at, at+1)
	for _, ix := range b.t.Indexes {
		for i := range ix.Keys {
			if ix.Keys[i].Column > at {
				ix.Keys[i].Column--
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
	b.disable(k, a.KeepIndex)
	b.t.Constraints = slices.DeleteFunc(b.t.Constraints, func(o *catalog.Constraint) bool { return o == k })
	b.checked = slices.DeleteFunc(b.checked, func(o *catalog.Constraint) bool { return o == k })

}

func (b *build) renameColumn(from, to ast.Name) {
	at := b.column(from)
	if b.t.Column(to.Text) >= 0 {
		panic(message.ORA(957))
	}
	for _, c := range b.t.Columns {
		if c.Virtual != nil && slices.Contains(columnsIn(b.t, c.Virtual.Expr), at) {
			panic(message.ORA(54032))
		}
	}
	for _, k := range b.t.Constraints {
		if k.Check != nil && slices.Contains(k.Columns, at) {
			panic(sqlerr.NotSupported("RENAME COLUMN of a column in a CHECK constraint"))
		}
	}
	b.t.Columns[at].Name = to.Text

}

func (b *build) switchConstraint(a *ast.TableAction) {
	c := &a.Constraints[0]
	k := b.which(c)
	if k == nil {
		name := "PRIMARY KEY"
		if c.Name != nil {
			name = c.Name.Text
		}
		if a.Kind == ast.ActionDisableConstraint {
			panic(message.ORA(2431, name))
		}
		panic(message.ORA(2430, name))
	}
	if a.Kind == ast.ActionDisableConstraint {
		if !k.Disabled {
			b.disable(k, false)
		}
		return
	}
	if !k.Disabled && (!k.NoValidate || c.NoValidate) {
		return
	}
	enabled := k.Disabled
	k.Disabled, k.NoValidate = false, c.NoValidate
	if k.Kind != ast.PrimaryKey && k.Kind != ast.Unique {
		b.enable(k)
		return
	}
	if c.NoValidate {
		panic(sqlerr.NotSupported("ENABLE NOVALIDATE of a key"))
	}
	if !enabled {
		return
	}
	b.enforce(k, c.UsingIndex)
}

func errReadOnly(o *catalog.Object) error {
	return message.ORA(12081, o.Owner, o.Name)
}
