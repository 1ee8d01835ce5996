package ddl

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
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
		x.lockObject(x.db, id, store.SchM) // this transaction keeps the name until it ends
		x.db.Remove(x.tx, c)
	}
	return nil
}
