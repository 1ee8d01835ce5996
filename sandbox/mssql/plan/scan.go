package plan

import (
	"bytes"
	"slices"

	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/store"
	"github.com/dbsched/dbsched/sandbox/value"
)

// bounds is one range of an index.
type bounds struct {
	lo, hi         []byte
	loOpen, hiOpen bool
}

// ranges computes the ranges of a path for the current rows; none: no row can qualify.
func (x *path) ranges(fr *query.Frame, t *tableRel) []bounds {
	if !x.seeks() {
		return []bounds{{}}
	}
	keys := t.table.Indexes[x.index].Keys
	prefixes := [][]byte{nil}
	for i, s := range x.eq {
		typ, desc := t.table.Columns[s.ord].Type, keys[i].Desc
		var vals []value.Value
		vt := typ
		switch {
		case s.many != nil:
			vals = s.many(fr)
			if s.cond.shape == inQuery {
				vt = s.cond.many.typ
			}
		case s.null:
			vals = []value.Value{{}}
		default:
			v := s.with.eval(fr)
			if v.IsNull() {
				return nil
			}
			vals, vt = []value.Value{v}, s.with.typ
		}
		var next [][]byte
		for _, prefix := range prefixes {
			for _, v := range vals {
				next = append(next, datatype.AppendKey(slices.Clip(slices.Clone(prefix)), v, keyType(vt, typ), desc))
			}
		}
		if prefixes = next; len(prefixes) == 0 {
			return nil
		}
	}
	if x.multi {
		slices.SortFunc(prefixes, bytes.Compare)
		prefixes = slices.CompactFunc(prefixes, bytes.Equal)
	}
	out := make([]bounds, 0, len(prefixes))
	for _, prefix := range prefixes {
		b, ok := x.rangeOf(fr, t, prefix)
		if !ok {
			return nil
		}
		out = append(out, b)
	}
	return out
}

// keyType is the type to make a key with: the compared one, which has the keys of the column's.
func keyType(compared, col datatype.Type) datatype.Type {
	if compared.IsCharacter() || compared.IsUntyped() {
		return col
	}
	return compared
}

func (x *path) rangeOf(fr *query.Frame, t *tableRel, prefix []byte) (b bounds, ok bool) {
	b = bounds{lo: prefix, hi: prefix}
	if x.rangeCol < 0 {
		return b, true
	}
	key := t.table.Indexes[x.index].Keys[x.rangeCol]
	typ := t.table.Columns[key.Column].Type
	at := func(v value.Value, vt datatype.Type) []byte {
		return datatype.AppendKey(slices.Clip(slices.Clone(prefix)), v, keyType(vt, typ), key.Desc)
	}
	// NULL is lower than everything, but no comparison finds it.
	lo, loOpen := at(value.Value{}, typ), true
	hi, hiOpen := prefix, false
	if len(prefix) == 0 {
		hi = nil
	}
	if s := x.lo; s != nil && !s.null {
		v := s.with.eval(fr)
		if v.IsNull() {
			return b, false
		}
		lo, loOpen = at(v, s.with.typ), s.op == datatype.Greater
	}
	if s := x.hi; s != nil {
		v := s.with.eval(fr)
		if v.IsNull() {
			return b, false
		}
		hi, hiOpen = at(v, s.with.typ), s.op == datatype.Less
	}
	if key.Desc {
		return bounds{lo: hi, loOpen: hiOpen, hi: lo, hiOpen: loOpen}, true
	}
	return bounds{lo: lo, loOpen: loOpen, hi: hi, hiOpen: hiOpen}, true
}

// access builds the operator. Conditions on the table alone are checked in it: a row that does not
// qualify gives back its locks before the next one is read, unless they are kept anyway.
func (p *planner) access(t *tableRel, x *path, rest []*expr) query.Op {
	pred := query.Expr(nil)
	if cond := allOf(rest); cond != nil {
		pred = cond.eval
	}
	slot, hints, in, variable := t.at.slot, t.hints, t.intent, t.variable
	data := func(fr *query.Frame) (*store.Table, *store.Index) {
		tab := t.table
		if variable >= 0 {
			tab = env(fr).TableVar(variable)
		}
		if x.index < 0 {
			return tab.Data, nil
		}
		return tab.Data, tab.Indexes[x.index].Data
	}
	return query.OpFunc(func(fr *query.Frame) query.Iter {
		a := hints.access(fr, in)
		st, ix := data(fr)
		a.Index, a.Desc, a.Seek = ix, x.desc, x.seeks()
		a.Covered = x.covered && x.index >= 0
		return &scan{fr: fr, slot: slot, tx: env(fr).Txn(), table: st, access: a, ranges: x.ranges(fr, t), pred: pred, keep: in == toUpdate}
	})
}

// scan reads ranges of an index one after the other.
type scan struct {
	fr     *query.Frame
	slot   int
	tx     *store.Txn
	table  *store.Table
	access store.Access
	ranges []bounds
	pred   query.Expr
	keep   bool // rows that qualify stay locked
	cursor *store.Cursor
}

func (s *scan) Next() bool {
	for {
		if s.cursor == nil {
			if len(s.ranges) == 0 {
				return false
			}
			a, b := s.access, s.ranges[0]
			s.ranges = s.ranges[1:]
			a.Lo, a.Hi, a.LoOpen, a.HiOpen = b.lo, b.hi, b.loOpen, b.hiOpen
			s.cursor = s.tx.Open(s.table, a)
		}
		id, row, ok, err := s.cursor.Next()
		if err != nil {
			raise(err)
		}
		if !ok {
			s.cursor.Close()
			s.cursor = nil
			continue
		}
		s.fr.Slots[s.slot] = query.Tuple{Row: row, ID: int64(id)}
		if s.pred == nil || s.pred(s.fr).IsTrue() {
			return true
		}
		s.cursor.DropRow()
	}
}

// KeepRow keeps the locks of the present row to the end of the transaction.
func (s *scan) KeepRow() {
	if s.cursor != nil {
		s.cursor.KeepRow()
	}
}

func (s *scan) Close() {
	if s.cursor != nil {
		s.cursor.Close()
		s.cursor = nil
	}
	s.ranges = nil
}
