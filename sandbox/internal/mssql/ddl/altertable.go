package ddl

import (
	"slices"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// alterable finds the table of an ALTER TABLE and locks it.
func (x *run) alterable(n *ast.SchemaObjectName) *catalog.Object {
	o := query.Must(x.claim(n))
	if o == nil || o.DB == nil || !x.mayAlter(o) {
		panic(message.MS(4902, Written(n)))
	}
	if o.Kind != catalog.UserTable {
		panic(message.MS(4909, Written(n)))
	}
	return o
}

func (x *run) alterTableAdd(n *ast.AlterTableAddTableElementStatement) error {
	o := x.alterable(n.SchemaObjectName)
	b := x.extend(o)
	b.declare(n.Definition)
	old := o.Table()
	before := len(old.Columns)
	if err := query.Catch(func() error { return b.define(n.Definition) }); err != nil {
		if isNumber(err, 2705) {
			err = err.(*sqlerr.Error).At(16, 4) //nolint:errorlint,forcetypeassert // just tested
		}
		return err
	}
	fresh := b.fresh
	if len(b.table.Columns) > before {
		o = x.addColumns(b, o, before, n.Definition)
		b.table = o.Table()
	} else if err := b.attachNew(o); err != nil {
		return err
	}
	check := n.ExistingRowsCheckEnforcement != "NoCheck"
	t := untrusted(b.table, old, check)
	o = x.replace(o, t)
	b.fresh = fresh
	b.addConstraints()
	if !check {
		return nil
	}
	for _, c := range t.Checks[len(old.Checks):] {
		x.verifyCheck(o, c)
	}
	return nil
}

// untrusted marks new CHECK constraints that were added WITH NOCHECK.
func untrusted(t, old *catalog.Table, checked bool) *catalog.Table {
	if checked {
		return t
	}
	c := *t
	c.Checks = slices.Clone(t.Checks)
	for i := len(old.Checks); i < len(c.Checks); i++ {
		n := *c.Checks[i]
		n.NotTrusted = true
		c.Checks[i] = &n
	}
	return &c
}

// filler computes the value of one added column for one old row.
type filler func(old value.Row, row value.Row) (value.Value, error)

// addColumns rewrites the rows with the added columns.
func (x *run) addColumns(b *builder, o *catalog.Object, before int, d *ast.TableDefinition) *catalog.Object {
	t := b.table
	fills := make([]filler, 0, len(t.Columns)-before)
	for i := before; i < len(t.Columns); i++ {
		withValues := false
		if dc := d.ColumnDefinitions[i-before].DefaultConstraint; dc != nil {
			withValues = dc.WithValues
		}
		f := x.filler(t, i, withValues)
		if f == nil && o.Table().Data.Rows() > 0 {
			panic(message.MS(4901,

				t.Columns[i].Name, o.Name))
		}
		fills = append(fills, f)
	}
	return x.rebuild(o, t, func(r value.Row) (value.Row, error) {
		row := make(value.Row, before, len(t.Columns))
		copy(row, r)
		for _, f := range fills {
			v, err := f(r, row)
			if err != nil {
				return nil, err
			}
			row = append(row, v)
		}
		return row, nil
	})
}

// filler returns the function that fills an added column of old rows; nil if there is no value that it can hold.
func (x *run) filler(t *catalog.Table, i int, withValues bool) filler {
	c := &t.Columns[i]
	null := func(value.Row, value.Row) (value.Value, error) { return value.Value{}, nil }
	switch {
	case c.Identity != nil:
		return func(value.Row, value.Row) (value.Value, error) {
			return datatype.Convert(value.NewInt(c.Identity.Next()), datatype.Of(datatype.BigInt), c.Type, 0, datatype.Implicit)
		}
	case c.Default != nil && (withValues || !c.Nullable):
		from, eval, err := x.CompileDefault(c.Default.Expr)
		query.Check(err)
		v := query.Must(eval())
		v = query.Must(datatype.Convert(v, from, c.Type, 0, datatype.Implicit))
		return func(value.Row, value.Row) (value.Value, error) { return v, nil }
	case c.Nullable:
		return null
	}
	return nil
}

// verifyCheck tests the rows of a table against a CHECK constraint (547).
func (x *run) verifyCheck(o *catalog.Object, c *catalog.Check) {
	t := o.Table()
	test := query.Must(x.CompileCheck(t, c.Expr))
	query.Check(x.rows(t, func(r value.Row) error {
		if v := test(r); v.IsNull() || v.IsTrue() {
			return nil
		}
		column := ""
		if c.Column != 0 {
			column = ", column '" + t.Columns[t.ColumnByID(c.Column)].Name + "'"
		}
		return message.MS(547, "ALTER TABLE", "CHECK", c.Name, x.db.Name, o.QualifiedName(), column).At(16, 0)
	}))
}

func (x *run) alterTableSet(n *ast.AlterTableSetStatement) {
	o := x.alterable(n.SchemaObjectName)
	t := *o.Table()
	for _, opt := range n.Options {
		l, ok := opt.(*ast.LockEscalationTableOption)
		if !ok {
			panic(sqlerr.NotSupported("ALTER TABLE … SET (%T)", opt))
		}
		t.NoEscalate = l.Value == "Disable" // TABLE and AUTO are the same for a table without partitions
	}
	was := o.Table().NoEscalate
	t.Data.SetNoEscalation(t.NoEscalate)
	x.tx.Undo(func() { t.Data.SetNoEscalation(was) })
	x.replace(o, &t)
}
