package ddl

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func (x *run) alterTableDrop(n *ast.AlterTableDropTableElementStatement) {
	kind := "Constraint" // the kind of an element without a keyword: same as the element before it
	for _, e := range n.AlterTableDropTableElements {
		if e.TableElementType != "NotSpecified" {
			kind = e.TableElementType
		}
		o := x.alterable(n.SchemaObjectName)
		switch kind {
		case "Constraint":
			query.Check(x.dropConstraint(o, e.Name.Value, e.IsIfExists))
		case "Column":
			x.dropColumn(o, e.Name.Value, e.IsIfExists)
		default:
			panic(sqlerr.NotSupported("ALTER TABLE … DROP %s", kind))
		}
	}
}

func (x *run) dropConstraint(o *catalog.Object, name string, ifExists bool) error {
	t := *o.Table()
	same := func(other string) bool { return catalog.SameName(x.db.Collation, other, name) }
	var id int32
	if i := slices.IndexFunc(t.Indexes, func(ix *catalog.Index) bool { return ix.Constraint != 0 && same(ix.Name) }); i >= 0 {
		ix := t.Indexes[i]
		if err := t.Data.DropIndex(x.tx, ix.Data); err != nil {
			return err
		}
		id, t.Indexes = ix.Constraint, slices.Delete(slices.Clone(t.Indexes), i, i+1)
	} else if i := slices.IndexFunc(t.Checks, func(c *catalog.Check) bool { return same(c.Name) }); i >= 0 {
		id, t.Checks = t.Checks[i].ID, slices.Delete(slices.Clone(t.Checks), i, i+1)
	} else if i := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Default != nil && same(c.Default.Name) }); i >= 0 {
		id, t.Columns = t.Columns[i].Default.ID, slices.Clone(t.Columns)
		t.Columns[i].Default = nil
	} else {
		if ifExists {
			return nil
		}
		return chain(message.MS(3728, name), message.MS(3727).At(16, 0))
	}
	x.replace(o, &t)
	if c := x.db.ObjectByID(id); c != nil {
		x.lockObject(x.db, id, store.SchM) // this transaction keeps the name until it ends
		x.db.Remove(x.tx, c)
	}
	return nil
}

// dependents refuses a change of a column on which something depends (learn.microsoft.com, "ALTER TABLE (Transact-SQL)"). same: the type
// is unchanged; longer: the length is unchanged, too, or grows.
func (x *run) dependents(o *catalog.Object, i int, verb string, same, longer bool) {
	t := o.Table()
	name := t.Columns[i].Name
	var found Chain
	depends := func(is bool, kind, what string) {
		if is {
			found.Errors = append(found.Errors, message.MS(5074, kind, what, name))
		}
	}
	uses := func(text string) bool { return strings.Contains(text, quote(name)) }
	for _, ix := range t.Indexes {
		key := slices.ContainsFunc(ix.Keys, func(k catalog.KeyColumn) bool { return k.Column == i }) || slices.Contains(ix.Included, i) || uses(ix.FilterText)
		depends(key && (ix.PrimaryKey || !longer), map[bool]string{true: "object", false: "index"}[ix.Constraint != 0], ix.Name)
	}
	for _, c := range t.Checks {
		depends(uses(c.Text) && !longer, "object", c.Name)
	}
	if d := t.Columns[i].Default; d != nil {
		depends(!same, "object", d.Name)
	}
	if len(found.Errors) > 0 {
		query.Check(chain(&found, message.MS(4922, verb, name).At(16, 9)))
	}
}

func (x *run) dropColumn(o *catalog.Object, name string, ifExists bool) {
	t := *o.Table()
	i := t.Column(x.db.Collation, name)
	if i < 0 {
		if ifExists {
			return
		}
		panic(message.MS(4924, "ALTER TABLE DROP COLUMN", name, o.Name))
	}
	x.dependents(o, i, "DROP COLUMN", false, false)
	shift := func(ordinals ...int) []int {
		out := slices.Clone(ordinals)
		for j, c := range out {
			switch {
			case c > i:
				out[j]--
			case c == i:
				out[j] = -1
			}
		}
		return out
	}
	t.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
	t.Identity = shift(t.Identity)[0]
	t.Indexes = slices.Clone(t.Indexes)
	for j, ix := range t.Indexes {
		c := *ix
		c.Keys, c.Included = slices.Clone(c.Keys), shift(c.Included...)
		for k := range c.Keys {
			c.Keys[k].Column = shift(c.Keys[k].Column)[0]
		}
		if c.Filter != nil {
			c.Matches = query.Must(x.CompileFilter(&t, c.Filter))
		}
		t.Indexes[j] = &c
	}
	x.rebuild(o, &t, func(r value.Row) (value.Row, error) { return slices.Delete(slices.Clone(r), i, i+1), nil })
}

func (x *run) alterColumn(n *ast.AlterTableAlterColumnStatement) {
	o := x.alterable(n.SchemaObjectName)
	t, name, nullable := *o.Table(), n.ColumnIdentifier.Value, n.AlterTableAlterColumnOption != "NotNull"
	i := t.Column(x.db.Collation, name)
	if i < 0 {
		panic(message.MS(4924, "ALTER TABLE ALTER COLUMN", name, o.Name))
	}
	was := t.Columns[i]
	if n.DataType == nil || was.Identity != nil && nullable {
		panic(sqlerr.NotSupported("this form of ALTER TABLE … ALTER COLUMN"))
	}
	d := query.Must(x.typeOf(n.DataType, 1))
	to := x.collation(n.Collation, d.t)
	same := to.ID == was.Type.ID
	longer := same && to.Coll == was.Type.Coll && !to.IsFixedLength() && to.Len != 0 && was.Type.Len != datatype.Max && (to.Len == datatype.Max || to.Len >= was.Type.Len)
	x.dependents(o, i, "ALTER COLUMN", same, longer)
	t.Columns = slices.Clone(t.Columns)
	t.Columns[i].Type, t.Columns[i].UserType, t.Columns[i].Nullable = to, d.user, nullable
	table := x.db.Name + "." + o.QualifiedName()
	x.rebuild(o, &t, func(r value.Row) (value.Row, error) {
		if r[i].IsNull() && !nullable {
			return nil, message.MS(515, was.Name, table, "UPDATE").At(16, 2)
		}
		row := slices.Clone(r)
		var err error
		row[i], err = datatype.Assign(r[i], was.Type, to, was.Name, table)
		return row, err
	})
}
