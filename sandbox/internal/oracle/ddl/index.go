package ddl

import (
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
		at := b.column(n.Columns[i])
		if b.t.Columns[at].Type.IsLOB() {
			panic(message.ORA(2327))
		}
		if slices.Contains(ix.Keys, at) {
			panic(message.ORA(957))
		}
		ix.Keys = append(ix.Keys, at)
	}
	for _, other := range b.t.Indexes {
		if slices.Equal(other.Keys, ix.Keys) && other.Invisible == ix.Invisible {
			panic(message.ORA(1408))
		}
	}
	b.t.Indexes = append(b.t.Indexes, ix)
	return ix
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
	switch {
	case n.Action != "REBUILD":
		ix.Invisible = n.Action == "INVISIBLE"
	case b.t.Temporary:
		panic(message.ORA(14456))
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
	b.publish()
}
