package plan

import (
	"errors"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// target is the table that a DML statement changes.
type target struct {
	c      *compiler
	object *catalog.Object
	table  *catalog.Table
	name   string          // its alias
	at     expression.Slot // the row as it will be; for RETURNING of DELETE, as it was
	src    *source         // the source over at
	// virtual are the virtual columns, computed from the others; nil for other columns.
	virtual []query.Expr
	checks  []check
	emit    []query.Expr // RETURNING
}

// check is a CHECK constraint.
type check struct {
	name     string
	holds    query.Expr
	deferred bool
}

// Deferred is a constraint that a transaction has violated and must satisfy before it ends.
type Deferred struct {
	Name  string // with its owner
	Error error  // the error that violating it raises
	// Violated reports whether a row that the session sees now violates it.
	Violated func() bool
}

// target finds the table to change and checks the privilege for it.
func (b *binder) target(t *ast.Table, privilege string) *target {
	b.c.pos = t.Pos
	o := query.Must(b.c.sc.Table(t.Name, privilege))
	b.c.uses(o)
	switch def := o.Def.(type) {
	case *catalog.Table:
	case *catalog.View:
		sub := b.c.binder().inner()
		if blk := sub.query(def.Query); blk.simple && !blk.perRow {
			refuse("%s through view %s", privilege, o.Name)
		}
		fail(1732)
	case *catalog.SystemView:
		fail(1031)
	default:
		fail(942)
	}
	return b.c.targetOf(o, aliasOf(t.Alias))
}

// targetOf prepares a table to be changed.
func (c *compiler) targetOf(o *catalog.Object, alias string) *target {
	x := &target{c: c, object: o, table: o.Def.(*catalog.Table), name: alias}
	for _, t := range o.Triggers {
		if !t.Def.(*catalog.Unit).Disabled {
			refuse("changing rows of a table with a trigger, as the sandbox fires none: %s", t.Name)
		}
	}
	x.at = c.Slot(len(x.table.Columns))
	x.src = exposed(o, x.name)
	x.src.cols = tableColumns(x.table, x.at)
	x.src.addRowid(o, x.at)
	row := c.binder().with(x.src)
	row.noSeq = true
	x.virtual = make([]query.Expr, len(x.table.Columns))
	c.within(o.Owner, func() {
		for i := range x.table.Columns {
			if v := x.table.Columns[i].Virtual; v != nil {
				x.virtual[i] = x.toColumn(row.bind(v.Expr), i).Eval
			}
		}
		for _, k := range x.table.Constraints {
			if k.Kind == ast.Check && !k.Disabled {
				x.checks = append(x.checks, check{k.Name, row.cond(k.Check.Expr).Eval, k.Deferred})
			}
		}
	})
	return x
}

func (x *target) label(ord int) datatype.Column {
	return datatype.Column{Schema: x.object.Owner, Table: x.object.Name, Name: x.table.Columns[ord].Name}
}

// toColumn converts a value for a column: ORA-00932 at once, ORA-12899, 01438 and the like at run time.
func (x *target) toColumn(e *Expr, ord int) *Expr {
	if e.Composite != nil {
		refuse("a record or collection as the value of a column")
	}
	from, to, f, label := e.Type, x.table.Columns[ord].Type, e.Eval, x.label(ord)
	query.Check(datatype.CheckImplicit(from, to))
	return derive(to, "", []*Expr{e}, func(fr *query.Frame) value.Value {
		return query.Must(datatype.Store(f(fr), from, to, label, env(fr).Format(false)))
	})
}

// defaultOf returns what a column gets if no value is given.
func (x *target) defaultOf(ord int) *Expr {
	col := &x.table.Columns[ord]
	switch {
	case col.Identity != nil:
		seq := col.Identity.Sequence
		next := Volatile("identity", datatype.Of(datatype.Number), nil, func(fr *query.Frame) value.Value {
			return env(fr).NextVal(seq)
		})
		return x.toColumn(next, ord)
	case col.Default != nil:
		var e *Expr
		x.c.within(x.object.Owner, func() { e = x.toColumn(x.c.binder().expr(col.Default.Expr), ord) })
		return e
	}
	return Constant(value.Value{}, col.Type)
}

// data returns the stored table.
func (x *target) data(fr *query.Frame) *store.Table {
	data, _ := env(fr).Table(x.table)
	return data
}

// finish computes the virtual columns of a row whose other columns are set, and checks its constraints. changed has the
// columns that UPDATE sets; nil for a new row.
func (x *target) finish(fr *query.Frame, id store.RowID, row value.Row, changed []int) {
	fr.Slots[x.at.Slot] = query.Tuple{Row: row, ID: int64(id)}
	for i, eval := range x.virtual {
		if eval != nil {
			row[i] = eval(fr)
		}
	}
	for i := range x.table.Columns {
		if col := &x.table.Columns[i]; !col.Nullable && row[i].IsNull() {
			switch {
			case changed == nil:
				fail(1400, x.object.Owner, x.object.Name, col.Name)
			case slices.Contains(changed, i) || col.Virtual != nil:
				fail(1407, x.object.Owner, x.object.Name, col.Name)
			}
		}
	}
	for _, k := range x.checks {
		if v := k.holds(fr); v.IsNull() || v.IsTrue() {
			continue
		}
		name := x.object.Owner + "." + k.name
		violated := func(id store.RowID, row value.Row) bool {
			fr.Slots[x.at.Slot] = query.Tuple{Row: row, ID: int64(id)}
			v := k.holds(fr)
			return !v.IsNull() && !v.IsTrue()
		}
		broken(fr, k.deferred, Deferred{name, message.ORA(2290, name), func() bool { return anyRow(fr, x.data(fr), violated) }})
	}
}

// broken raises the error of a constraint, unless it is deferred to the end of the transaction.
func broken(fr *query.Frame, deferred bool, d Deferred) {
	if !deferred || !env(fr).Defer(d) {
		query.Check(d.Error)
	}
}

// anyRow reports whether there is such a row among those that the session sees now.
func anyRow(fr *query.Frame, t *store.Table, is func(store.RowID, value.Row) bool) (found bool) {
	tx := env(fr).Txn()
	tx.NewStatement()
	sn := tx.Snapshot()
	defer tx.Release(sn)
	query.Check(tx.Each(t, store.Access{Mode: store.Versioned, Snapshot: sn}, func(id store.RowID, row value.Row) bool {
		found = is(id, row)
		return !found
	}))
	return found
}

// stored maps an error of writing rows: ORA-00001 names the constraint, or the index if there is none.
func (x *target) stored(err error) {
	var twice *store.UniqueViolation
	if errors.As(err, &twice) {
		name := twice.Index.Name()
		for _, k := range x.table.Constraints {
			if k.Index != nil && k.Index.Name == name {
				name = k.Name
			}
		}
		fail(1, x.object.Owner, name)
	}
	query.Check(Worded(err))
}

// bindReturning binds RETURNING over the row after the change, or before a DELETE.
func (x *target) bindReturning(out *Statement, b *binder, r *ast.Returning) {
	if r == nil {
		return
	}
	row := b.c.binder().with(x.src)
	row.noSeq = true
	for _, v := range r.Values {
		if hasAggregate(v) {
			refuse("aggregates in RETURNING")
		}
		e := row.expr(v)
		out.Returning = append(out.Returning, Column{Name: e.Name, Type: e.Type, Nullable: e.Null})
		x.emit = append(x.emit, e.Eval)
	}
	out.Into = r.Into
}

// returned computes RETURNING of a row.
func (x *target) returned(fr *query.Frame, id store.RowID, row value.Row, emit func(value.Row)) {
	if e, ok := fr.Env.(interface{ Changed(object, row int64) }); ok { // a client's statement
		e.Changed(x.object.ID, int64(id))
	}
	if len(x.emit) > 0 {
		fr.Slots[x.at.Slot] = query.Tuple{Row: row, ID: int64(id)}
		emit(query.Eval(fr, x.emit))
	}
}
