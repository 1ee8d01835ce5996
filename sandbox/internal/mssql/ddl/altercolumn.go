package ddl

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func (x *run) alterTableDrop(n *ast.AlterTableDropTableElementStatement) {
	kind := "Constraint" // what an element without keyword is: that of the one before it
	for _, e := range n.AlterTableDropTableElements {
		if e.TableElementType != "NotSpecified" {
			kind = e.TableElementType
		}
		o := x.alterable(n.SchemaObjectName)
		switch kind {
		case "Constraint":
			query.Check(x.dropConstraint(o, e.Name.Value, e.IsIfExists))
		case "Column":
			query.Check(x.dropColumn(o, e.Name.Value, e.IsIfExists))
		default:
			panic(sqlerr.NotSupported("ALTER TABLE … DROP %s", kind))
		}
	}
}

func (x *run) dropConstraint(o *catalog.Object, name string, ifExists bool) error {
	fail := func(e *sqlerr.Error) error {
		return chain(e, message.MS(3727).At(16, 0))
	}
	t := *o.Table()
	same := func(other string) bool { return catalog.SameName(x.db.Collation, other, name) }
	var id int32
	if i := slices.IndexFunc(t.Indexes, func(ix *catalog.Index) bool { return ix.Constraint != 0 && same(ix.Name) }); i >= 0 {
		ix := t.Indexes[i]
		for other, f := range x.db.References(o.ID) {
			if f.RefIndex == ix.ID {
				return fail(message.MS(3725, ix.Name, other.Name, f.Name).At(16, 0))
			}
		}
		if err := t.Data.DropIndex(x.tx, ix.Data); err != nil {
			return err
		}
		id, t.Indexes = ix.Constraint, slices.Delete(slices.Clone(t.Indexes), i, i+1)
	} else if i := slices.IndexFunc(t.Checks, func(c *catalog.Check) bool { return same(c.Name) }); i >= 0 {
		id, t.Checks = t.Checks[i].ID, slices.Delete(slices.Clone(t.Checks), i, i+1)
	} else if i := slices.IndexFunc(t.ForeignKeys, func(f *catalog.Foreign) bool { return same(f.Name) }); i >= 0 {
		id, t.ForeignKeys = t.ForeignKeys[i].ID, slices.Delete(slices.Clone(t.ForeignKeys), i, i+1)
	} else if i := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Default != nil && same(c.Default.Name) }); i >= 0 {
		id, t.Columns = t.Columns[i].Default.ID, slices.Clone(t.Columns)
		t.Columns[i].Default = nil
	} else {
		switch {
		case ifExists:
			return nil
		case x.db.Object(o.Schema, name) != nil:
			return fail(message.MS(3728, name))
		}
		return fail(message.MS(3728, name))
	}
	x.replace(o, &t)
	if c := x.db.ObjectByID(id); c != nil {
		x.db.Remove(x.tx, c)
	}
	return nil
}

// dependents lists what hangs on a column, as 5074 words it: "index 'ix'" or "object 'DF_x'".
func (x *run) dependents(o *catalog.Object, i int) []string {
	t := o.Table()
	uses := func(e any) bool {
		for _, ref := range columnRefs(e) {
			if catalog.SameName(x.db.Collation, ref, t.Columns[i].Name) {
				return true
			}
		}
		return false
	}
	var out []string
	for _, ix := range t.Indexes {
		if slices.Contains(ix.Columns(), i) || ix.Filter != nil && uses(ix.Filter) {
			kind := "index"
			if ix.Constraint != 0 {
				kind = "object"
			}
			out = append(out, kind+" '"+ix.Name+"'")
		}
	}
	if d := t.Columns[i].Default; d != nil {
		out = append(out, "object '"+d.Name+"'")
	}
	for _, c := range t.Checks {
		if uses(c.Expr) {
			out = append(out, "object '"+c.Name+"'")
		}
	}
	for _, f := range t.ForeignKeys {
		if slices.Contains(f.Columns, i) {
			out = append(out, "object '"+f.Name+"'")
		}
	}
	for _, f := range x.db.References(o.ID) {
		if slices.Contains(f.RefColumns, i) {
			out = append(out, "object '"+f.Name+"'")
		}
	}
	for j := range t.Columns {
		if c := t.Columns[j].Computed; c != nil && uses(c.Expr) {
			out = append(out, "column '"+t.Columns[j].Name+"'")
		}
	}
	return out
}

// errDependents makes the errors of a column that something hangs on: 5074 for each, then 4922.
func errDependents(verb, column string, what []string) error {
	c := &Chain{}
	for _, w := range what {
		c.Errors = append(c.Errors, message.MS(5074, w, column))
	}
	c.Errors = append(c.Errors, message.MS(4922, verb, column).At(16, 9))
	return c
}

func (x *run) dropColumn(o *catalog.Object, name string, ifExists bool) error {
	t := o.Table()
	i := t.Column(x.db.Collation, name)
	if i < 0 {
		if ifExists {
			return nil
		}
		return message.MS(4924, "DROP COLUMN", name, o.Name)
	}
	if len(t.Columns) == 1 {
		return message.MS(4923, name, o.Name)
	}
	if what := x.dependents(o, i); len(what) > 0 {
		return errDependents("DROP", t.Columns[i].Name, what)
	}
	if by := x.schemaBound(o); by != nil {
		return errDependents("DROP", t.Columns[i].Name, []string{"object '" + by.Name + "'"})
	}
	next := x.without(t, i)
	o = x.rebuild(o, next, func(r value.Row) (value.Row, error) { return slices.Delete(slices.Clone(r), i, i+1), nil })
	x.shiftReferences(o.ID, i)
	return nil
}

// without returns a definition without column i; ordinals behind it move down.
func (x *run) without(t *catalog.Table, i int) *catalog.Table {
	next := *t
	next.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
	down := func(n int) int {
		if n > i {
			return n - 1
		}
		return n
	}
	next.Identity, next.RowVersion = down(t.Identity), down(t.RowVersion)
	if t.Identity == i {
		next.Identity = -1
	}
	if t.RowVersion == i {
		next.RowVersion = -1
	}
	next.Indexes = slices.Clone(t.Indexes)
	for j, ix := range next.Indexes {
		n := *ix
		n.Keys, n.Included, n.Data = slices.Clone(ix.Keys), slices.Clone(ix.Included), nil
		for k := range n.Keys {
			n.Keys[k].Column = down(n.Keys[k].Column)
		}
		for k := range n.Included {
			n.Included[k] = down(n.Included[k])
		}
		if n.Filter != nil {
			n.Matches = query.Must(x.CompileFilter(&next, n.Filter))
		}
		next.Indexes[j] = &n
	}
	next.ForeignKeys = slices.Clone(t.ForeignKeys)
	for j, f := range next.ForeignKeys {
		n := *f
		n.Columns = slices.Clone(f.Columns)
		for k := range n.Columns {
			n.Columns[k] = down(n.Columns[k])
		}
		next.ForeignKeys[j] = &n
	}
	return &next
}

// shiftReferences mends the foreign keys that refer to a table whose column i has gone.
func (x *run) shiftReferences(table int32, i int) {
	type change struct {
		o *catalog.Object
		t *catalog.Table
	}
	var changes []change
	for _, o := range x.db.Objects() {
		t, _ := o.Def.(*catalog.Table)
		if t == nil || !slices.ContainsFunc(t.ForeignKeys, func(f *catalog.Foreign) bool { return f.Referenced == table }) {
			continue
		}
		c := *t
		c.ForeignKeys = slices.Clone(t.ForeignKeys)
		for j, f := range c.ForeignKeys {
			if f.Referenced != table {
				continue
			}
			n := *f
			n.RefColumns = slices.Clone(f.RefColumns)
			for k, col := range n.RefColumns {
				if col > i {
					n.RefColumns[k] = col - 1
				}
			}
			c.ForeignKeys[j] = &n
		}
		changes = append(changes, change{o, &c})
	}
	for _, c := range changes {
		n := *c.o
		n.Def = c.t
		x.db.Replace(x.tx, &n)
	}
}

func (x *run) alterColumn(n *ast.AlterTableAlterColumnStatement) {
	if n.StorageOptions != nil || n.IsHidden || n.IsMasked || n.Encryption != nil || n.MaskingFunction != nil || n.GeneratedAlways != "" || n.DataType == nil {
		panic(sqlerr.NotSupported("ALTER COLUMN … ADD or DROP of a column's property"))
	}
	for _, opt := range n.Options {
		if o, ok := opt.(*ast.OnlineIndexOption); !ok || o.OptionState == "On" {
			panic(sqlerr.NotSupported("ALTER COLUMN … WITH %T", opt))
		}
	}
	o := x.alterable(n.SchemaObjectName)
	t := o.Table()
	name := n.ColumnIdentifier.Value
	i := t.Column(x.db.Collation, name)
	if i < 0 {
		panic(message.MS(4924, "ALTER COLUMN", name, o.Name))
	}
	old := t.Columns[i]
	switch {
	case old.Computed != nil:
		panic(message.MS(4928, old.Name, "COMPUTED"))
	case old.Type.ID == datatype.RowVersion:
		panic(message.MS(4928, old.Name, "timestamp"))
	}
	d := query.Must(x.typeOf(n.DataType, 1))
	c := old
	c.Type = x.collation(n.Collation, d.t)
	if n.Collation == nil && d.t.IsCharacter() && old.Type.IsCharacter() {
		c.Type = c.Type.WithCollation(x.db.Collation) // the default again, as documented
	}
	c.UserType = d.user
	switch n.AlterTableAlterColumnOption {
	case "NotNull":
		c.Nullable = false
	case "Null":
		c.Nullable = true
	case "", "NoOptionDefined":
		c.Nullable = x.Setting().AnsiNullDefault
		if d.nullable != nil {
			c.Nullable = *d.nullable
		}
	default:
		panic(sqlerr.NotSupported("ALTER COLUMN … %s", n.AlterTableAlterColumnOption))
	}
	x.alterDependents(o, i, c)
	if c.Identity != nil {
		if !c.Type.IsInteger() && (c.Type.ID != datatype.Decimal || c.Type.Scale != 0) {
			panic(message.MS(2749, c.Name).At(16, 2))
		}
		c.Nullable = false
	}
	query.Check(datatype.CheckImplicit(old.Type, c.Type))
	next := *t
	next.Columns = slices.Clone(t.Columns)
	next.Columns[i] = c
	next.Indexes = slices.Clone(t.Indexes)
	for j, ix := range next.Indexes {
		k := *ix
		k.Data = nil
		next.Indexes[j] = &k
	}
	full := x.db.Name + "." + o.QualifiedName()
	x.rebuild(o, &next, func(r value.Row) (value.Row, error) {
		row := slices.Clone(r)
		v, err := datatype.Assign(r[i], old.Type, c.Type, c.Name, full)
		if err != nil {
			return nil, err
		}
		if v.IsNull() && !c.Nullable {
			return nil, message.MS(515, c.Name, full, "UPDATE").At(16, 2)
		}
		row[i] = v
		return row, nil
	})
}

// alterDependents refuses to alter a column that something depends on, but for what is
// documented as allowed: a longer variable-length column, and other facets of the same type
// under a DEFAULT (learn.microsoft.com "ALTER TABLE", ALTER COLUMN).
func (x *run) alterDependents(o *catalog.Object, i int, c catalog.Column) {
	t := o.Table()
	old := t.Columns[i]
	same := old.Type.ID == c.Type.ID
	variable := same && (c.Type.ID == datatype.VarChar || c.Type.ID == datatype.NVarChar || c.Type.ID == datatype.VarBinary) && old.Type.Coll == c.Type.Coll
	longer := variable && !c.Type.IsMax() && !old.Type.IsMax() && c.Type.Len >= old.Type.Len
	var what []string
	for _, w := range x.dependents(o, i) {
		switch x.dependentKind(t, i, w) {
		case catalog.DefaultConstraint:
			if same {
				continue
			}
		case catalog.CheckConstraint:
			if variable || old.Type == c.Type {
				continue
			}
		case catalog.PrimaryKey, catalog.ForeignKey:
			if old.Type == c.Type && c.Nullable == old.Nullable {
				continue
			}
		default:
			if longer && c.Nullable == old.Nullable || old.Type == c.Type && c.Nullable == old.Nullable {
				continue
			}
		}
		what = append(what, w)
	}
	if len(what) > 0 {
		panic(query.Raised(errDependents("ALTER", old.Name, what)))
	}

}

// dependentKind tells what sort of thing a text of dependents is about.
func (x *run) dependentKind(t *catalog.Table, i int, text string) catalog.Kind {
	if d := t.Columns[i].Default; d != nil && text == "object '"+d.Name+"'" {
		return catalog.DefaultConstraint
	}
	for _, c := range t.Checks {
		if text == "object '"+c.Name+"'" {
			return catalog.CheckConstraint
		}
	}
	for _, ix := range t.Indexes {
		if text == "object '"+ix.Name+"'" && ix.PrimaryKey {
			return catalog.PrimaryKey
		}
		if text == "object '"+ix.Name+"'" || text == "index '"+ix.Name+"'" {
			return catalog.UniqueConstraint
		}
	}
	return catalog.ForeignKey
}
