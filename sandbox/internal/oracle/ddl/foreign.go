package ddl

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// addForeign adds a foreign key. Its parent is locked, too: so that nobody changes the rows that are looked up.
func (b *build) addForeign(k *catalog.Constraint, c *ast.Constraint) {
	o, t := b.o, b.t
	if ref := c.RefTable; ref.Parts[len(ref.Parts)-1].Text != b.name || len(ref.Parts) > 1 && ref.Parts[0].Text != b.own {
		o, t = b.table(ref, "REFERENCES")
		query.Check(b.lock(t))
	}
	switch {
	case b.t.Temporary || t.Temporary:
		panic(message.ORA(14455))
	case b.rows != nil:
		panic(message.ORA(2440))
	}
	var columns []int
	for _, n := range c.RefColumns {
		i := t.Column(n.Text)
		if i < 0 {
			panic(invalidIdentifier(n.Text))
		}
		columns = append(columns, i)
	}
	key := b.referenced(t, columns)
	if len(key.Columns) != len(k.Columns) {
		panic(message.ORA(2256))
	}
	for i, at := range k.Columns {
		mine, theirs := b.t.Columns[at], t.Columns[key.Columns[i]]
		switch {
		case mine.Type.ID != theirs.Type.ID && (!mine.Type.IsNumeric() || !theirs.Type.IsNumeric()):
			panic(message.ORA(2267))
		case mine.Virtual != nil || theirs.Virtual != nil:
			panic(sqlerr.NotSupported("foreign keys of virtual columns"))
		}
	}
	for _, other := range b.t.Constraints {
		switch {
		case other.Parent != o || other.Key != key.Name || !slices.Equal(other.Columns, k.Columns):
		case b.old == nil || b.old.Constraint(other.Name) == nil:
			panic(message.ORA(2274))
		default:
			panic(message.ORA(2275))
		}
	}
	k.Parent, k.Key, k.OnDelete = o, key.Name, c.OnDelete
	b.t.Constraints = append(b.t.Constraints, k)
	b.enable(k)
}

// referenced finds the key of a table that has the columns, or without columns its primary key.
func (b *build) referenced(t *catalog.Table, columns []int) *catalog.Constraint {
	sorted := func(list []int) []int { return slices.Sorted(slices.Values(list)) }
	for _, k := range t.Constraints {
		switch {
		case k.Kind != ast.PrimaryKey && (k.Kind != ast.Unique || columns == nil):
		case columns != nil && !slices.Equal(sorted(k.Columns), sorted(columns)):
		case k.Disabled, columns != nil && !slices.Equal(k.Columns, columns):
			panic(sqlerr.NotSupported("REFERENCES of a disabled key, or of its columns in another order"))
		default:
			return k
		}
	}
	if columns == nil {
		panic(message.ORA(2268))
	}
	panic(message.ORA(2270))
}

// orphan handles the foreign keys that refer to a key to be dropped, or to any key of a table (""): it drops them or fails.
func (x *run) orphan(o *catalog.Object, key string, cascade bool, broken *sqlerr.Error) {
	refers := func(k *catalog.Constraint) bool { return k.Parent == o && (key == "" || k.Key == key) }
	for child, k := range o.Referring() {
		if refers(k) && !cascade && (child != o || key != "") {
			panic(broken)
		}
	}
	for _, child := range o.Children {
		if t := *child.Def.(*catalog.Table); child != o && slices.ContainsFunc(t.Constraints, refers) {
			query.Check(x.lock(&t))
			t.Constraints = slices.DeleteFunc(slices.Clone(t.Constraints), refers)
			x.Txn().OnCommit(func() { query.Check(x.cat.ReplaceTable(child, &t, catalog.SameRows)) })
		}
	}
}
