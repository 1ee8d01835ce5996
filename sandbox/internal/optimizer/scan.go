package optimizer

import (
	"bytes"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// bounds is one range of an index.
type bounds struct {
	lo, hi         []byte
	loOpen, hiOpen bool
}

// ranges computes the ranges of a path for the current rows; none: no row can qualify.
func (x *path) ranges(fr *query.Frame, t *Table) []bounds {
	if !x.seeks() {
		return []bounds{{}}
	}
	prefixes := [][]byte{nil}
	for i := range x.eq {
		var next [][]byte
		for _, prefix := range prefixes {
			next = x.eq[i].extend(fr, t, prefix, x.index.Keys[i].Desc, next)
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

// extend appends to out the prefix with each value that the column may have.
func (b *Bound) extend(fr *query.Frame, t *Table, prefix []byte, desc bool, out [][]byte) [][]byte {
	switch {
	case b.Op == IsNull:
		return append(out, imageOf(prefix, t.NullKey, desc))
	case b.Op == Equal:
		if key, ok := b.image(fr, prefix, desc); ok {
			out = append(out, key)
		}
	case b.Keys != nil:
		for _, k := range b.Keys(fr) {
			out = append(out, imageOf(prefix, k, desc))
		}
	default:
		for i := range b.Parts {
			out = b.Parts[i].extend(fr, t, prefix, desc, out)
		}
	}
	return out
}

// image returns the prefix followed by the bound's value as the index has it.
func (b *Bound) image(fr *query.Frame, prefix []byte, desc bool) ([]byte, bool) {
	key, ok := b.Key(fr, slices.Clip(slices.Clone(prefix)))
	if ok && desc {
		complement(key[len(prefix):])
	}
	return key, ok
}

func imageOf(prefix, key []byte, desc bool) []byte {
	out := slices.Concat(prefix, key)
	if desc {
		complement(out[len(prefix):])
	}
	return out
}

func complement(key []byte) {
	for i := range key {
		key[i] = ^key[i]
	}
}

func (x *path) rangeOf(fr *query.Frame, t *Table, prefix []byte) (b bounds, ok bool) {
	b = bounds{lo: prefix, hi: prefix}
	if x.rangeCol < 0 {
		return b, true
	}
	desc := x.index.Keys[x.rangeCol].Desc
	// NULL is at one end, but no comparison matches it.
	if t.NullsHigh {
		b.hi, b.hiOpen = imageOf(prefix, t.NullKey, desc), true
	} else {
		b.lo, b.loOpen = imageOf(prefix, t.NullKey, desc), true
	}
	if a := x.lo; a != nil && a.Op != NotNull {
		if b.lo, ok = a.image(fr, prefix, desc); !ok {
			return b, false
		}
		b.loOpen = a.Op == Greater
	}
	if a := x.hi; a != nil {
		if b.hi, ok = a.image(fr, prefix, desc); !ok {
			return b, false
		}
		b.hiOpen = a.Op == Less
	}
	if desc {
		return bounds{lo: b.hi, loOpen: b.hiOpen, hi: b.lo, hiOpen: b.loOpen}, true
	}
	return b, true
}

// scanOp builds the operator. Conditions on the table alone are checked in it: a row that does not
// qualify releases its locks before the next one is read, unless they are kept anyway.
func scanOp(t *Table, x *path, pred query.Expr) query.Op {
	id := -1
	if x.index != nil {
		id = x.index.ID
	}
	return query.OpFunc(func(fr *query.Frame) query.Iter {
		tx, table, a := t.Open(fr, id, x.one)
		a.Desc, a.Seek, a.Covered = x.desc, x.seeks(), x.covered && x.index != nil
		return &scan{fr: fr, slot: t.Slot, tx: tx, table: table, access: a, ranges: x.ranges(fr, t), pred: pred}
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
	pred   query.Expr // nil: all rows qualify
	cursor *store.Cursor
}

// Next moves to the next row that qualifies.
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
		query.Check(err)
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

// Close ends the scan and releases its locks.
func (s *scan) Close() {
	if s.cursor != nil {
		s.cursor.Close()
		s.cursor = nil
	}
	s.ranges = nil
}
