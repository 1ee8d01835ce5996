package ddl

import (
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func (x *run) createIndex(n *ast.CreateIndex) {
	o, t := x.table(n.Table, "INDEX")
	owner := x.Schema()
	if len(n.Name.Parts) > 1 {
		owner = n.Name.Parts[0].Text
	}
	if owner != x.rights.User && !x.cat.Has(x.rights, "CREATE ANY INDEX") {
		panic(catalog.ErrPrivileges())
	}
	if owner != o.Owner {
		panic(sqlerr.NotSupported("an index in another schema than its table"))
	}
	b := x.edit(o, t)
	b.addIndex(n)
	if o.Segment {
		query.Check(x.cat.CheckQuota(owner))
	}
	b.publish()
}

// addIndex adds an index; its expressions become hidden virtual columns (SQL Language Reference, "CREATE INDEX",
// function-based indexes).
func (b *build) addIndex(n *ast.CreateIndex) *catalog.Index {
	name := n.Name.Parts[len(n.Name.Parts)-1].Text
	b.freeIndex(name)
	b.indexOptions(n.Options)
	b.data = true
	ix := &catalog.Index{
		Owner: b.own, Name: name, Unique: n.Unique,
		Invisible: slices.ContainsFunc(n.Options, func(o ast.Option) bool { return o.Name == "INVISIBLE" }),
	}
	for i := range n.Columns {
		at := query.Must(b.indexKey(&n.Columns[i]))
		if slices.ContainsFunc(ix.Keys, func(k catalog.Key) bool { return k.Column == at }) {
			panic(message.ORA(957))
		}
		ix.Keys = append(ix.Keys, catalog.Key{Column: at, Desc: n.Columns[i].Desc})
	}
	for _, other := range b.t.Indexes {
		if slices.Equal(other.Keys, ix.Keys) && other.Invisible == ix.Invisible {
			panic(message.ORA(1408))
		}
	}
	b.t.Indexes = append(b.t.Indexes, ix)
	return ix
}

// indexKey returns the position of an indexed column, or of the hidden column for an expression, which another
// index may already have created.
func (b *build) indexKey(c *ast.IndexColumn) (int, error) {
	if ref, ok := c.Value.(*ast.Ref); ok && len(ref.Parts) == 1 {
		at := b.column(ref.Parts[0])
		if b.t.Columns[at].Type.IsLOB() {
			return 0, message.ORA(2327)
		}
		return at, nil
	}
	pure(b.t, c.Value, 1743, "only pure functions can be indexed")
	for i, col := range b.t.Columns {
		if col.Generated && col.Virtual.Text == c.Text {
			return i, nil
		}
	}
	if len(columnsIn(b.t, c.Value)) == 0 {
		return 0, sqlerr.NotSupported("an index on a constant")
	}
	b.t.NextColumn++
	at := len(b.t.Columns)
	b.t.Columns = append(b.t.Columns, catalog.Column{
		Name: fmt.Sprintf("SYS_NC%05d$", b.t.NextColumn), ID: b.t.NextColumn, Nullable: true, Hidden: true, Generated: true,
		Virtual: &catalog.Expression{Text: c.Text, Expr: c.Value},
	})
	b.from = append(b.from, -1)
	b.typeVirtual(at)
	if b.t.Columns[at].Type.IsLOB() {
		return 0, message.ORA(2327)
	}
	return at, nil
}

// indexOptions checks options of an index. Those accepted are about storage and how it is built; UNUSABLE would matter.
func (b *build) indexOptions(list []ast.Option) {
	for _, o := range list {
		switch o.Name {
		case "ONLINE", "VISIBLE", "INVISIBLE":
		case "UNUSABLE":
			panic(sqlerr.NotSupported("%s of an index", o.Name))
		case "TABLESPACE", "NOLOGGING":
			if b.t.Temporary {
				panic(message.ORA(14451))
			}
			fallthrough
		default:
			physical(o)
		}
	}
}

// indexOf finds an index to be changed and its table, and takes its lock. Errors: ORA-01418, ORA-01031, ORA-00054.
func (x *run) indexOf(ref *ast.Ref, privilege string) (*build, *catalog.Index) {
	o := x.cat.ResolveIn(x.rights, x.Schema(), ref, ast.KindIndex)
	if o == nil {
		panic(message.ORA(1418))
	}
	if o.Owner != x.rights.User && !x.cat.Has(x.rights, privilege) {
		panic(catalog.ErrPrivileges())
	}
	table := o.Def.(*catalog.Index).Table
	b := x.edit(table, table.Def.(*catalog.Table))
	i := slices.IndexFunc(b.t.Indexes, func(ix *catalog.Index) bool { return ix.ID == o.ID })
	return b, b.t.Indexes[i]
}

func (x *run) alterIndex(n *ast.AlterIndex) {
	b, ix := x.indexOf(n.Name, "ALTER ANY INDEX")
	if n.NewName != nil {
		b.freeIndex(n.NewName.Text)
		ix.Name, ix.Generated = n.NewName.Text, false
		b.data = true // the store has the name, too
		b.publish()
		return
	}
	for _, o := range n.Options {
		switch o.Name {
		case "REBUILD", "COALESCE":
			if b.t.Temporary {
				panic(message.ORA(14456))
			}
		case "VISIBLE", "INVISIBLE":
			ix.Invisible = o.Name == "INVISIBLE"
		default:
			b.indexOptions([]ast.Option{o})
		}
	}
	b.publish()
}

func (x *run) dropIndex(n *ast.Drop) {
	b, ix := x.indexOf(n.Name, "DROP ANY INDEX")
	for _, k := range b.t.Constraints {
		if k.Index == ix {
			panic(message.ORA(2429))
		}
	}
	b.removeIndex(ix)
	b.dropHidden()
	b.publish()
}

// dropHidden removes the hidden columns that no index needs anymore.
func (b *build) dropHidden() {
	for i := len(b.t.Columns) - 1; i >= 0; i-- {
		needed := slices.ContainsFunc(b.t.Indexes, func(ix *catalog.Index) bool {
			return slices.ContainsFunc(ix.Keys, func(k catalog.Key) bool { return k.Column == i })
		})
		if b.t.Columns[i].Generated && !needed {
			b.removeColumn(i)
		}
	}
}
