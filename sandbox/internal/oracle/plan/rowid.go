package plan

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

const rowidDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// RowIDText is the ROWID of a row: object, file, block and row in 18 digits of base 64 (Database Concepts, "Rowid Data
// Types"). The store numbers rows, so the block is what is left of the number.
func RowIDText(o *catalog.Object, id store.RowID) string {
	var text []byte
	for _, part := range []struct {
		n     int64
		width int
	}{{o.ID, 6}, {1, 3}, {int64(id) >> 9, 6}, {int64(id) & 511, 3}} {
		for i := part.width - 1; i >= 0; i-- {
			text = append(text, rowidDigits[part.n>>(6*i)&63])
		}
	}
	return string(text)
}

// rowOf returns the object and the row that a ROWID means.
func rowOf(text string) (object int64, id store.RowID) {
	number := func(s string) (n int64) {
		for _, c := range s {
			n = n<<6 | int64(strings.IndexRune(rowidDigits, c))
		}
		return n
	}
	return number(text[:6]), store.RowID(number(text[9:15])<<9 | number(text[15:]))
}

// rowidExpr is the pseudocolumn ROWID of a table at a slot.
func rowidExpr(o *catalog.Object, at slotRef) *Expr {
	slot := at.slot
	return &Expr{
		Type: datatype.Of(datatype.RowID), Nullable: true, name: "ROWID", refs: optimizer.SlotsOf(slot), key: rowidKey(slot),
		Eval: func(fr *query.Frame) value.Value {
			id := fr.Slots[slot].ID
			if id == query.Missing {
				return value.Value{}
			}
			return value.NewString(RowIDText(o, store.RowID(id)))
		},
	}
}

func rowidKey(slot int) string { return fmt.Sprintf("rowid%d", slot) }

// byRowID returns a relation that fetches the one row of a table that the conditions name by its ROWID, or r.
func (c *compiler) byRowID(r optimizer.Relation, conds []*Expr) optimizer.Relation {
	t, ok := r.(*optimizer.Table)
	if !ok {
		return r
	}
	for _, e := range conds {
		if e.shape != compare || e.op != "=" || e.perRow {
			continue
		}
		for i, a := range e.args {
			if other := e.args[1-i]; a.key == rowidKey(t.Slot) && !other.refs.Has(t.Slot) && other.Type.ID == datatype.RowID {
				return c.tables[t.Slot].fetch(other)
			}
		}
	}
	return r
}

// fetch reads the row with a ROWID.
func (x *tableRel) fetch(rowid *Expr) *optimizer.Source {
	get, slot := rowid.Eval, x.at.slot
	op := query.OpFunc(func(fr *query.Frame) query.Iter {
		v := get(fr)
		if v.IsNull() {
			return query.None{}.Open(fr)
		}
		object, id := rowOf(v.Str())
		if object != x.object.ID {
			fail(1410)
		}
		tx, data, a := x.open(fr, -1)
		row, found, err := tx.Fetch(data, id, a)
		query.Check(Worded(err))
		if !found {
			return query.None{}.Open(fr)
		}
		fr.Slots[slot] = query.Tuple{Row: row, ID: int64(id)}
		return query.One{}.Open(fr)
	})
	return &optimizer.Source{Op: op, Sets: x.rel.Slots(), Deps: rowid.refs, Rows: 1, Access: []string{x.rel.Name + ": by rowid"}}
}
