package expression

import (
	"bytes"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Reference is a foreign key as one of its tables sees it.
type Reference struct {
	Mine, Theirs []int // columns here, and in the other table
	Index        int   // of the other table, one whose key begins with Theirs; -1: all its rows are read
	ordered      []int // positions in Mine, in the order of the index's key
}

// Refer makes a reference. keys are the keys of the other table's indexes.
func Refer(mine, theirs []int, keys [][]int) Reference {
	r := Reference{Mine: mine, Theirs: theirs, Index: -1}
	for n, key := range keys {
		var order []int
		for _, ord := range key[:min(len(key), len(theirs))] {
			if i := slices.Index(theirs, ord); i >= 0 {
				order = append(order, i)
			}
		}
		if len(order) == len(theirs) {
			r.Index, r.ordered = n, order
			break
		}
	}
	return r
}

// Image appends the image of a value of the i-th of a reference's columns; part is its place in the index's key, or -1.
type Image func(dst []byte, v value.Value, i, part int) []byte

// Each yields the rows of the other table that have the values of a row of this one, locked as a says, until yield returns false.
func (r *Reference) Each(tx *store.Txn, other *store.Table, a store.Access, row value.Row, image Image, yield func(store.RowID, value.Row) bool) error {
	a.Statement = tx.Statement() + 1 // include rows that this statement wrote
	if a.Index != nil {
		var key []byte
		for part, i := range r.ordered {
			key = image(key, row[r.Mine[i]], i, part)
		}
		a.Lo, a.Hi, a.Seek = key, key, true
	}
	return tx.Each(other, a, func(id store.RowID, found value.Row) bool {
		for i, c := range r.Theirs {
			if !bytes.Equal(image(nil, row[r.Mine[i]], i, -1), image(nil, found[c], i, -1)) {
				return true
			}
		}
		return yield(id, found)
	})
}
