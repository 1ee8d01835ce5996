package ddl

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// build makes a table's new definition. Nothing is published before publish.
type build struct {
	*run
	o    *catalog.Object
	old  *catalog.Table // nil: a new table
	own  string         // its schema
	name string
	t    *catalog.Table // the new definition

	from    []int // for each column, its position in old; -1: it is new
	checked []*catalog.Constraint
	segment bool // a new table gets its space at once
	renewed bool // t.Data has rows that older snapshots do not see
	data    bool // rows or indexes change, so the rows are rewritten
	uses    []*catalog.Object
	created []*catalog.Object   // sequences of identity columns
	dropped []*catalog.Sequence // of identity columns that were dropped
}

// edit starts a change of a table and locks it.
func (x *run) edit(o *catalog.Object, t *catalog.Table) *build {
	query.Check(x.lock(t))
	c := *t
	c.Columns = slices.Clone(t.Columns)
	c.Indexes, c.Constraints = nil, nil
	b := &build{run: x, o: o, old: t, own: o.Owner, name: o.Name, t: &c}
	for i := range t.Columns {
		b.from = append(b.from, i)
	}
	same := map[*catalog.Index]*catalog.Index{}
	for _, ix := range t.Indexes {
		n := *ix
		n.Keys = slices.Clone(ix.Keys)
		same[ix] = &n
		c.Indexes = append(c.Indexes, &n)
	}
	for _, k := range t.Constraints {
		n := *k
		n.Columns = slices.Clone(k.Columns)
		n.Index = same[k.Index]
		c.Constraints = append(c.Constraints, &n)
	}
	return b
}

// column returns the position of a named column, or ORA-00904.
func (b *build) column(n ast.Name) int {
	i := b.t.Column(n.Text)
	if i < 0 {
		panic(invalidIdentifier(n.Text))
	}
	return i
}

// systemName returns a name for a constraint or index that was not given one.
func (b *build) systemName() string { return fmt.Sprintf("SYS_C%07d", b.cat.NewID()) }

// filler computes the rows of the table as it will be.
type filler struct {
	b        *build
	defaults []func() (value.Value, error) // of new columns; nil: NULL or virtual
	convert  []*datatype.Type              // the old types of columns whose type changes
	virtual  []*plan.RowExpr
	checks   []*plan.RowExpr // for each of b.checked; nil: no condition to test
}

// filler compiles what the rows need; this is done even without rows, to report errors.
func (b *build) filler() *filler {
	n := len(b.t.Columns)
	f := &filler{b: b, defaults: make([]func() (value.Value, error), n), convert: make([]*datatype.Type, n), virtual: make([]*plan.RowExpr, n)}
	sc := b.collector(b.own)
	for i := range b.t.Columns {
		col := &b.t.Columns[i]
		switch {
		case col.Virtual != nil:
			e := query.Must(plan.CompileRow(sc, b.t, col.Virtual.Expr))
			f.virtual[i] = e
		case b.from[i] < 0 && (col.Default != nil || col.Identity != nil):
			fn := b.defaultValue(col)
			f.defaults[i] = fn
		case b.from[i] >= 0 && b.old != nil && b.old.Columns[b.from[i]].Type != col.Type:
			f.convert[i] = &b.old.Columns[b.from[i]].Type
		}
	}
	for _, k := range b.checked {
		var e *plan.RowExpr
		if k.Kind == ast.Check {

			e = query.Must(plan.CompileRow(sc, b.t, k.Check.Expr))
		}
		f.checks = append(f.checks, e)
	}
	b.uses = sc.uses
	return f
}

// defaultValue returns the function that computes a new column's values in the existing rows.
func (b *build) defaultValue(col *catalog.Column) func() (value.Value, error) {
	if col.Identity != nil {
		s := col.Identity.Sequence
		return func() (value.Value, error) { return value.NewInt(s.Next()), nil }
	}
	e := query.Must(plan.CompileExpr(b.Scope(owned(b.own), b.own), col.Default.Expr))
	query.Check(datatype.CheckImplicit(e.Type, col.Type))
	name := datatype.Column{Schema: b.own, Table: b.name, Name: col.Name}
	return func() (value.Value, error) {
		v, err := e.Value(b.Session)
		if err != nil {
			return v, err
		}
		return datatype.Store(v, e.Type, col.Type, name, b.Format(false))
	}
}

// row returns the new row of an old one.
func (f *filler) row(old value.Row) value.Row {
	b := f.b
	env := b.Format(false)
	row := make(value.Row, len(b.t.Columns))
	for i := range row {
		col := &b.t.Columns[i]

		switch {
		case f.defaults[i] != nil:
			row[i] = query.Must(f.defaults[i]())
		case b.from[i] < 0:
		case f.convert[i] != nil:
			row[i] = query.Must(datatype.Store(old[b.from[i]], *f.convert[i], col.Type, datatype.Column{Schema: b.own, Table: b.name, Name: col.Name}, env))
		default:
			row[i] = old[b.from[i]]
		}
	}
	for i, e := range f.virtual {
		if e == nil {
			continue
		}
		col := &b.t.Columns[i]

		row[i] = query.Must(datatype.Store(e.Eval(b.Session, row), e.Type, col.Type, datatype.Column{Schema: b.own, Table: b.name, Name: col.Name}, env))
	}
	f.check(row)
	return row
}

// check tests the new constraints and that no column of a primary key is NULL.
func (f *filler) check(row value.Row) {
	for i, k := range f.b.checked {
		null := slices.ContainsFunc(k.Columns, func(c int) bool { return row[c].IsNull() })
		switch {
		case k.Kind == ast.NotNull && null && f.b.from[k.Columns[0]] < 0:
			panic(message.ORA(1758))
		case k.Kind == ast.NotNull && null:
			name := k.Name
			if k.Generated { // the error is raised before the name is chosen
				name = ""
			}
			panic(message.ORA(2296, f.b.own, name))
		case k.Kind == ast.PrimaryKey && null:
			panic(message.ORA(1449))
		case f.checks[i] != nil:
			if v := f.checks[i].Eval(f.b.Session, row); !v.IsNull() && !v.IsTrue() {
				panic(message.ORA(2293, f.b.own, k.Name))
			}
		}
	}
}

// publish rewrites the rows if they have changed, and updates the catalog when the transaction
// commits: a session that is killed before that has changed nothing. It is the last step.
func (b *build) publish() {
	f := b.filler()
	if b.old == nil || b.data {
		b.write(f)
	} else {
		b.verify(f)
	}
	if b.old != nil {
		b.onCommit(func() error {
			b.o.Uses = b.uses
			return b.cat.ReplaceTable(b.o, b.t, b.change())
		})
	} else {
		b.o.Temporary, b.o.Segment, b.o.Def, b.o.Uses = b.t.Temporary, b.segment, b.t, b.uses
		b.onCommit(func() error { return b.cat.Add(b.o) })
	}
	b.onCommit(func() error {
		for _, s := range b.dropped {
			b.removeSequence(b.own, s)
		}
		for _, s := range b.created {
			if err := b.cat.Add(s); err != nil {
				return err
			}
		}
		return nil
	})
}

// change compares the columns with the old ones.
func (b *build) change() catalog.TableChange {
	change, kept := catalog.SameRows, 0
	if b.t.Data != b.old.Data {
		change = catalog.MoreColumns
	}
	for i, c := range b.t.Columns {
		switch {
		case b.from[i] < 0:
			change = catalog.MoreColumns
		case b.old.Columns[b.from[i]].Name != c.Name, b.old.Columns[b.from[i]].Type != c.Type:
			return catalog.OtherColumns
		default:
			kept++
		}
	}
	if kept < len(b.old.Columns) {
		return catalog.OtherColumns
	}
	return change
}

// onCommit makes the commit change the catalog, when the new rows are visible and all locks are still held. It
// can no longer fail: names have been reserved.
func (b *build) onCommit(change func() error) {
	b.Txn().OnCommit(func() {
		if b.renewed {
			b.t.Since = b.Txn().Store().Sequence()
		}
		if err := change(); err != nil {
			panic(err)
		}
	})
}

// verify tests the new constraints on rows that stay as they are.
func (b *build) verify(f *filler) {
	if len(b.checked) == 0 {
		return
	}
	b.scan(b.old, f.check)
}

// scan reads the rows of the table: the old ones, or those already written. Nobody else writes: the table is locked.
func (b *build) scan(t *catalog.Table, fn func(value.Row)) {
	tx := b.Txn()
	query.Check(tx.Each(t.Data, store.Access{Mode: store.Dirty, Statement: tx.Statement() + 1}, func(_ store.RowID, row value.Row) bool {
		fn(row)
		return true
	}))
}

// write makes the table's new rows and indexes.
func (b *build) write(f *filler) {
	tx := b.Txn()
	b.t.Data = tx.Store().NewTable(store.TableSpec{Name: b.own + "." + b.name})
	b.t.Since = tx.Store().Sequence()
	insert := func(row value.Row) {
		query.Must(tx.Insert(b.t.Data, f.row(row)))
		b.renewed = true
	}
	if b.old != nil && !b.old.Temporary {
		b.scan(b.old, insert)
	}
	if b.t.Data.Rows() > 0 {
		b.t.Since++ // the coming commit; a commit without writes has no number
	}
	for _, ix := range b.t.Indexes {
		var err error
		ix.Data, err = b.t.Data.AddIndex(tx, b.t.IndexSpec(ix))
		var dup *store.UniqueViolation
		if errors.As(err, &dup) {
			b.duplicate(ix)
		}
		query.Check(err)
	}
}

// duplicate returns the error for an index that cannot be unique.
func (b *build) duplicate(ix *catalog.Index) {
	for _, k := range b.t.Constraints {
		switch {
		case k.Index != ix:
		case k.Kind == ast.PrimaryKey:
			panic(message.ORA(2437, b.own, k.Name))
		default:
			panic(message.ORA(2299, b.own, k.Name))
		}
	}
	panic(message.ORA(1452))
}
