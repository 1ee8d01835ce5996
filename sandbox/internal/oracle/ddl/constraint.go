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
)

// addConstraint adds a constraint of the table, or of the column at a position (-1: none).
func (b *build) addConstraint(c *ast.Constraint, at int) {
	switch {
	case c.Deferred && c.Kind != ast.Check:
		panic(sqlerr.NotSupported("deferrable constraints but CHECK ... INITIALLY DEFERRED"))
	case c.UsingIndex != nil && c.Kind != ast.PrimaryKey && c.Kind != ast.Unique:
		panic(message.ORA(922))
	}
	if c.Kind == ast.Nullable {
		b.nullable(at)
		return
	}
	k := &catalog.Constraint{Kind: c.Kind, Disabled: c.Disabled, NoValidate: c.NoValidate, Deferred: c.Deferred}
	if c.Name != nil {
		k.Name = c.Name.Text
		b.freeConstraint(k.Name)
	} else {
		k.Name, k.Generated = b.systemName(), true
	}
	switch c.Kind {
	case ast.NotNull:
		b.notNull(k, at)
		return
	case ast.Check:
		b.addCheck(k, c, at)
		return
	}
	k.Columns = b.keyColumns(c, at)
	b.addKey(k, c)
}

// keyColumns returns the columns of a key.
func (b *build) keyColumns(c *ast.Constraint, at int) (out []int) {
	if at >= 0 {
		return []int{at}
	}
	for _, n := range c.Columns {
		i := b.column(n)
		if slices.Contains(out, i) {
			panic(message.ORA(957))
		}
		out = append(out, i)
	}
	return out
}

func (b *build) notNull(k *catalog.Constraint, at int) {
	col := &b.t.Columns[at]
	if !col.Nullable && b.isNotNull(at) {
		if col.Identity != nil || col.DefaultOnNull { // these have already made it NOT NULL
			return
		}
		panic(message.ORA(1442))
	}
	k.Columns = []int{at}
	b.t.Constraints = append(b.t.Constraints, k)
	b.enable(k)
}

func (b *build) isNotNull(at int) bool {
	return slices.ContainsFunc(b.t.Constraints, func(k *catalog.Constraint) bool {
		return k.Kind == ast.NotNull && k.Columns[0] == at && !k.Disabled
	})
}

// nullable implements NULL: it removes a NOT NULL.
func (b *build) nullable(at int) {
	col := &b.t.Columns[at]
	inKey := slices.ContainsFunc(b.t.Constraints, func(k *catalog.Constraint) bool {
		return k.Kind == ast.PrimaryKey && !k.Disabled && slices.Contains(k.Columns, at)
	})
	switch {
	case b.old == nil || b.from[at] < 0:
		if !col.Nullable && !inKey {
			panic(message.ORA(1451))
		}
		return
	case col.Nullable, inKey, col.Identity != nil:
		panic(message.ORA(1451))
	}
	b.t.Constraints = slices.DeleteFunc(b.t.Constraints, func(k *catalog.Constraint) bool { return k.Kind == ast.NotNull && k.Columns[0] == at })
	b.renull()
}

// renull sets Nullable according to the constraints.
func (b *build) renull() {
	for i := range b.t.Columns {
		b.t.Columns[i].Nullable = !slices.ContainsFunc(b.t.Constraints, func(k *catalog.Constraint) bool {
			return (k.Kind == ast.NotNull || k.Kind == ast.PrimaryKey) && !k.Disabled && slices.Contains(k.Columns, i)
		})
	}
}

func (b *build) addCheck(k *catalog.Constraint, c *ast.Constraint, at int) {
	pure(b.t, c.Check, 2436, "date or system variable wrongly specified in CHECK constraint")
	k.Check = &catalog.Expression{Text: c.Text, Expr: c.Check}
	k.Columns = columnsIn(b.t, c.Check)
	if at >= 0 && slices.ContainsFunc(k.Columns, func(i int) bool { return i != at }) {
		panic(message.ORA(2438))
	}
	query.Must(plan.CompileRow(b.Scope(owned(b.own), b.own), b.t, c.Check))
	b.t.Constraints = append(b.t.Constraints, k)
	b.enable(k)
}

// enable schedules a test of a constraint unless it is disabled or old rows are not validated.
func (b *build) enable(k *catalog.Constraint) {
	if !k.Disabled && !k.NoValidate {
		b.checked = append(b.checked, k)
	}
	b.renull()
}

// addKey adds a primary or unique key with its index.
func (b *build) addKey(k *catalog.Constraint, c *ast.Constraint) {
	if k.NoValidate && !k.Disabled {
		panic(sqlerr.NotSupported("ENABLE NOVALIDATE of a key"))
	}
	for _, i := range k.Columns {
		if t := b.t.Columns[i].Type; t.IsLOB() || t.ID == datatype.TimestampTZ {
			name := t.ID.String()
			if t.ID == datatype.TimestampTZ {
				name = "TIME STAMP WITH TIME ZONE"
			}
			panic(message.ORA(2329, name))
		}
	}
	for _, other := range b.t.Constraints {
		switch {
		case other.Kind == ast.PrimaryKey && k.Kind == ast.PrimaryKey:
			panic(message.ORA(2260))
		case other.Kind != ast.PrimaryKey && other.Kind != ast.Unique, !slices.Equal(other.Columns, k.Columns):
		default:
			panic(message.ORA(2261))
		}
	}
	b.t.Constraints = append(b.t.Constraints, k)
	if k.Disabled {
		b.renull()
		return
	}
	b.enforce(k, c.UsingIndex)
}

// enforce gives an enabled key its index.
func (b *build) enforce(k *catalog.Constraint, using *ast.UsingIndex) {
	b.data = true
	b.enable(k)
	if using != nil {
		if ref := using.Create.Table; ref.Parts[len(ref.Parts)-1].Text != b.name {
			panic(query.Raised(message.ORA(14196)))
		}
		ix := b.addIndex(using.Create)
		if !enforces(ix, k) || !ix.Unique {
			panic(query.Raised(message.ORA(14196)))
		}
		ix.ForKey = true
		k.Index = ix
		return
	}
	for _, ix := range b.t.Indexes {
		if enforces(ix, k) {
			if !ix.Unique {
				panic(sqlerr.NotSupported("a key that a non-unique index enforces"))
			}
			k.Index = ix
			return
		}
	}
	ix := &catalog.Index{Owner: b.own, Name: k.Name, Unique: true, Generated: k.Generated, ForKey: true}
	b.freeIndex(ix.Name)
	ix.Keys = append(ix.Keys, k.Columns...)
	b.t.Indexes = append(b.t.Indexes, ix)
	k.Index = ix
}

// enforces reports whether an index has the columns of a key first, in any order, and, if it is unique, no others.
func enforces(ix *catalog.Index, k *catalog.Constraint) bool {
	if len(ix.Keys) < len(k.Columns) || ix.Unique && len(ix.Keys) > len(k.Columns) {
		return false
	}
	columns := slices.Sorted(slices.Values(ix.Keys[:len(k.Columns)]))
	return slices.Equal(columns, slices.Sorted(slices.Values(k.Columns)))
}

// freeIndex reserves the name of a new index, or returns ORA-00955.
func (b *build) freeIndex(name string) {
	b.reserve("index", b.own, name)
	if b.cat.Index(b.own, name) != nil || slices.ContainsFunc(b.t.Indexes, func(ix *catalog.Index) bool { return ix.Name == name }) {
		panic(catalog.ErrNameUsed())
	}
}

// freeConstraint reserves the name of a new constraint, or returns ORA-02264.
func (b *build) freeConstraint(name string) {
	b.reserve("constraint", b.own, name)
	if other, _ := b.cat.Constraint(b.own, name); other != nil || b.t.Constraint(name) != nil {
		panic(catalog.ErrConstraintUsed())
	}
}

// which finds the constraint that ALTER TABLE … DROP, ENABLE or DISABLE means.
func (b *build) which(c *ast.Constraint) *catalog.Constraint {
	switch {
	case c.Name != nil:
		return b.t.Constraint(c.Name.Text)
	case c.Kind == ast.PrimaryKey:
		return b.t.PrimaryKey()
	}
	var columns []int
	for _, n := range c.Columns {
		i := b.column(n)
		columns = append(columns, i)
	}
	for _, k := range b.t.Constraints {
		if k.Kind == ast.Unique && slices.Equal(k.Columns, columns) {
			return k
		}
	}
	return nil
}

// disable disables a constraint, which drops the index that was made for it.
func (b *build) disable(k *catalog.Constraint, keep bool) {
	if ix := k.Index; ix != nil {
		k.Index = nil
		if ix.ForKey && !keep {
			b.removeIndex(ix)
		}
	}
	k.Disabled, k.NoValidate = true, false
	b.renull()
}

func (b *build) removeIndex(ix *catalog.Index) {
	b.data = true
	b.t.Indexes = slices.DeleteFunc(b.t.Indexes, func(other *catalog.Index) bool { return other == ix })
}
