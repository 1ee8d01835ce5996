package plsql

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// into is a compiled INTO clause: where the values of a row go. Without columns, as in dynamic SQL, they are checked
// when the row arrives.
type into struct {
	bulk    bool
	record  bool // one target that is a record, or a collection of records, gets all values
	targets []*designator
}

// into compiles targets. columns are those of the rows to come, nil in dynamic SQL; mismatch is called if the numbers
// differ.
func (c *compiler) into(n *ast.Into, columns []plan.Column, mismatch func(more bool)) *into {
	in := &into{bulk: n.Bulk}
	for _, e := range n.Targets {
		d := c.target(e)
		t := d.typ
		if n.Bulk {
			if t.kind != collectionKind {
				fail(e, 497)
			}
			if t.index != nil && t.index.scalar.ID != datatype.PLSInteger {
				fail(e, 657)
			}
			t = t.elem
		}
		if t.kind == recordKind {
			in.record = true
			if len(n.Targets) > 1 {
				fail(e, 494)
			}
		} else if t.kind != scalarKind {
			fail(e, 597, text(e))
		}
		in.targets = append(in.targets, d)
	}
	if columns == nil {
		return in
	}
	if n := in.width(); n != len(columns) {
		mismatch(n > len(columns))
	}
	for i, col := range columns {
		if err := datatype.CheckImplicit(col.Type, in.typ(i).scalar); err != nil {
			fail(n.Targets[min(i, len(n.Targets)-1)], 386, text(n.Targets[min(i, len(n.Targets)-1)]))
		}
	}
	return in
}

// row returns the type of one target's value.
func (in *into) row(i int) *Type {
	t := in.targets[i].typ
	if in.bulk {
		return t.elem
	}
	return t
}

// width returns how many values a row must have.
func (in *into) width() int {
	if in.record {
		return len(in.row(0).fields)
	}
	return len(in.targets)
}

// typ returns the type of the target for the i-th value.
func (in *into) typ(i int) *Type {
	if in.record {
		return in.row(0).fields[i].typ
	}
	return in.row(i)
}

// store puts the values of a row into the targets. ORA-00932 and ORA-01007 are those of dynamic SQL, which was not
// checked before.
func (in *into) store(f *frame, row value.Row, columns []plan.Column) {
	in.each(f, row, columns, func(d *designator, v value.Value) { *d.ref(&f.q, true) = v })
}

func (in *into) each(f *frame, row value.Row, columns []plan.Column, put func(d *designator, v value.Value)) {
	if in.width() != len(row) {
		raise(message.ORA(1007))
	}
	convert := func(i int) value.Value {
		return in.typ(i).store(f, row[i], scalarType(columns[i].Type))
	}
	if in.record {
		t := in.row(0)
		r := &Record{typ: t, values: make([]value.Value, len(row))}
		for i := range row {
			r.values[i] = convert(i)
		}
		put(in.targets[0], value.NewRef(r))
		return
	}
	for i, d := range in.targets {
		put(d, convert(i))
	}
}

// begin empties the collections of BULK COLLECT.
func (in *into) begin(f *frame) {
	for _, d := range in.targets {
		*d.ref(&f.q, true) = value.NewRef(&Collection{typ: d.typ})
	}
}

// add appends a row to the collections of BULK COLLECT.
func (in *into) add(f *frame, row value.Row, columns []plan.Column) {
	in.each(f, row, columns, func(d *designator, v value.Value) {
		c := d.ref(&f.q, true).Any().(*Collection)
		c.items = append(c.items, item{key: value.NewInt(int64(len(c.items) + 1)), v: v})
	})
}

// fill stores all rows of BULK COLLECT, or the one row of DML's RETURNING or SELECT INTO.
func (in *into) fill(f *frame, rows []value.Row, columns []plan.Column) {
	if in.bulk {
		in.begin(f)
		for _, r := range rows {
			in.add(f, r, columns)
		}
		return
	}
	if len(rows) > 1 {
		raise(message.ORA(1422))
	}
	if len(rows) == 1 {
		in.store(f, rows[0], columns)
	}
}
