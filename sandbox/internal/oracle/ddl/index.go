package ddl

import (
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func (x *run) createIndex(n *ast.CreateIndex) error {
	o, t, err := x.table(n.Table, "INDEX")
	if err != nil {
		return err
	}
	owner := x.Schema()
	if len(n.Name.Parts) > 1 {
		owner = n.Name.Parts[0].Text
	}
	if owner != x.rights.User && !x.cat.Has(x.rights, "CREATE ANY INDEX") {
		return catalog.ErrPrivileges()
	}
	if owner != o.Owner {
		return sqlerr.NotSupported("an index in another schema than its table")
	}
	b, err := x.edit(o, t)
	if err != nil {
		return err
	}
	if _, err := b.addIndex(n); err != nil {
		return err
	}
	if o.Segment {
		if err := x.cat.CheckQuota(owner); err != nil {
			return err
		}
	}
	return b.publish()
}

// addIndex adds an index; its expressions become hidden virtual columns (SQL Language Reference, "CREATE INDEX",
// function-based indexes).
func (b *build) addIndex(n *ast.CreateIndex) (*catalog.Index, error) {
	name := n.Name.Parts[len(n.Name.Parts)-1].Text
	if err := b.freeIndex(name); err != nil {
		return nil, err
	}
	if err := b.indexOptions(n.Options); err != nil {
		return nil, err
	}
	b.data = true
	ix := &catalog.Index{
		Owner: b.own, Name: name, Unique: n.Unique,
		Invisible: slices.ContainsFunc(n.Options, func(o ast.Option) bool { return o.Name == "INVISIBLE" }),
	}
	for i := range n.Columns {
		at, err := b.indexKey(&n.Columns[i])
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(ix.Keys, func(k catalog.Key) bool { return k.Column == at }) {
			return nil, sqlerr.New(957, "duplicate column name")
		}
		ix.Keys = append(ix.Keys, catalog.Key{Column: at, Desc: n.Columns[i].Desc})
	}
	for _, other := range b.t.Indexes {
		if slices.Equal(other.Keys, ix.Keys) && other.Invisible == ix.Invisible {
			return nil, sqlerr.New(1408, "such column list already indexed")
		}
	}
	b.t.Indexes = append(b.t.Indexes, ix)
	return ix, nil
}

// indexKey returns the position of an indexed column, or of the hidden one that an expression is made, which another
// index may have made before.
func (b *build) indexKey(c *ast.IndexColumn) (int, error) {
	if ref, ok := c.Value.(*ast.Ref); ok && len(ref.Parts) == 1 {
		at, err := b.column(ref.Parts[0])
		if err == nil && b.t.Columns[at].Type.IsLOB() {
			err = sqlerr.New(2327, "cannot create index on expression with datatype LOB")
		}
		return at, err
	}
	if err := pure(b.t, c.Value, 1743, "only pure functions can be indexed"); err != nil {
		return 0, err
	}
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
	if err := b.typeVirtual(at); err != nil {
		return 0, err
	}
	if b.t.Columns[at].Type.IsLOB() {
		return 0, sqlerr.New(2327, "cannot create index on expression with datatype LOB")
	}
	return at, nil
}

// indexOptions checks options of an index. Those accepted are about storage and how it is built; an index that is
// UNUSABLE or NOSORT would matter.
func (b *build) indexOptions(list []ast.Option) error {
	for _, o := range list {
		switch o.Name {
		case "ONLINE", "REVERSE", "VISIBLE", "INVISIBLE", "COMPUTE STATISTICS":
		case "UNUSABLE", "NOSORT", "PCTUSED":
			return sqlerr.NotSupported("%s of an index", o.Name)
		case "TABLESPACE", "LOGGING", "NOLOGGING":
			if b.t.Temporary {
				return sqlerr.New(14451, "unsupported feature with temporary table")
			}
			fallthrough
		default:
			if err := physical(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// indexOf finds an index that is to be changed, its table and its lock. Errors: ORA-01418, ORA-01031, ORA-00054.
func (x *run) indexOf(ref *ast.Ref, privilege string) (*build, *catalog.Index, error) {
	o := x.cat.ResolveIn(x.rights, x.Schema(), ref, ast.KindIndex)
	if o == nil {
		return nil, nil, sqlerr.New(1418, "specified index does not exist")
	}
	if o.Owner != x.rights.User && !x.cat.Has(x.rights, privilege) {
		return nil, nil, catalog.ErrPrivileges()
	}
	table := o.Def.(*catalog.Index).Table
	b, err := x.edit(table, table.Def.(*catalog.Table))
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(b.t.Indexes, func(ix *catalog.Index) bool { return ix.ID == o.ID })
	return b, b.t.Indexes[i], nil
}

func (x *run) alterIndex(n *ast.AlterIndex) error {
	b, ix, err := x.indexOf(n.Name, "ALTER ANY INDEX")
	if err != nil {
		return err
	}
	if n.NewName != nil {
		if err := b.freeIndex(n.NewName.Text); err != nil {
			return err
		}
		ix.Name, ix.Generated = n.NewName.Text, false
		b.data = true // the store knows the name, too
		return b.publish()
	}
	for _, o := range n.Options {
		switch o.Name {
		case "REBUILD", "COALESCE":
			if b.t.Temporary {
				return sqlerr.New(14456, "cannot rebuild index on a temporary table")
			}
		case "VISIBLE", "INVISIBLE":
			ix.Invisible = o.Name == "INVISIBLE"
		default:
			if err := b.indexOptions([]ast.Option{o}); err != nil {
				return err
			}
		}
	}
	return b.publish()
}

func (x *run) dropIndex(n *ast.Drop) error {
	b, ix, err := x.indexOf(n.Name, "DROP ANY INDEX")
	if err != nil {
		return err
	}
	for _, k := range b.t.Constraints {
		if k.Index == ix {
			return sqlerr.New(2429, "cannot drop index used for enforcement of unique/primary key")
		}
	}
	b.removeIndex(ix)
	b.dropHidden()
	return b.publish()
}

// dropHidden removes the hidden columns that no index needs any more.
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
