package store

import (
	"encoding/binary"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// RowID identifies a row of a table for as long as it exists, whatever happens to its keys.
// Later rows have higher ids.
type RowID int64

// stamp is shared by the versions of one transaction: whether and when it was committed.
type stamp struct {
	seq int64 // commit sequence; 0: not committed
	txn int64 // id of the transaction
}

// version is one state of a row. It never changes, except that older ones are cut off.
type version struct {
	row     value.Row
	key     string // clustered key; empty in a heap
	by      *stamp
	prev    *version // the state before
	stmt    int32    // statement of the transaction
	deleted bool     // the row ends here; row is the previous state's
	moved   bool     // the row's entries changed in this chain: an entry must be compared with the version seen
}

// past returns the newest version that is not the transaction's own work of statement stmt or later.
func (v *version) past(own *stamp, stmt int32) *version {
	for v != nil && v.by == own && v.stmt >= stmt {
		v = v.prev
	}
	return v
}

// asOf returns the version that a snapshot sees, or the transaction's own from an earlier statement.
func (v *version) asOf(seq int64, own *stamp, stmt int32) *version {
	for ; v != nil; v = v.prev {
		if v.by == own {
			if v.stmt < stmt {
				return v
			}
		} else if c := v.by.seq; c != 0 && c <= seq {
			return v
		}
	}
	return nil
}

// settled returns the newest committed version.
func (v *version) settled() *version {
	for v != nil && v.by.seq == 0 {
		v = v.prev
	}
	return v
}

// entry is an item of an index tree. Entries of changed or deleted rows stay as long as
// some version needs them, so a unique index may have several with the same key.
type entry struct {
	head uint64 // the first bytes of the key: enough for most comparisons
	key  string
	id   RowID
}

func newEntry(key string, id RowID) entry {
	e := entry{key: key, id: id}
	if len(key) >= 8 {
		e.head = binary.BigEndian.Uint64([]byte(key[:8]))
	} else {
		for i := range len(key) {
			e.head |= uint64(key[i]) << (56 - 8*i)
		}
	}
	return e
}

func entryLess(a, b entry) bool {
	if a.head != b.head {
		return a.head < b.head
	}
	c := strings.Compare(a.key, b.key)
	return c < 0 || c == 0 && a.id < b.id
}

// stands reports whether a version of a row is under key in the index.
func (ix *Index) stands(v *version, key string) bool {
	switch {
	case v.deleted:
		return false
	case ix.t.clustered == ix:
		return v.key == key
	default:
		return (ix.filter == nil || ix.filter(v.row)) && string(ix.key(v.row)) == key
	}
}

// has is like stands, for a version of the chain below head, for which there is an entry with that key:
// if nothing in the chain was moved, all versions have that key.
func (ix *Index) has(v, head *version, key string) bool {
	return v != nil && !v.deleted && (!head.moved || ix.stands(v, key))
}

// live reports whether an entry counts for locking: its row has the key now, or had it before
// changes that are not yet committed. Nobody may put the same key there without waiting.
func (ix *Index) live(head *version, key string) bool {
	for v := head; v != nil; v = v.prev {
		if ix.has(v, head, key) {
			return true
		}
		if v.by.seq != 0 {
			return false
		}
	}
	return false
}

// prune drops the versions of a row that nobody can see from sequence h on, and their entries.
func (t *Table) prune(id RowID, h int64) {
	head, ok := t.rows.Get(id)
	if !ok {
		return
	}
	v := head
	for v != nil && (v.by.seq == 0 || v.by.seq > h) {
		v = v.prev
	}
	if v == nil {
		return
	}
	cut := v.prev
	v.prev = nil
	if v == head && v.deleted {
		t.rows.Delete(id)
		t.changes++
		moved := head.moved
		t.dropEntries(id, v, nil)
		for ; cut != nil && moved; cut = cut.prev {
			t.dropEntries(id, cut, nil)
		}
		return
	}
	if head.moved {
		for ; cut != nil; cut = cut.prev {
			t.dropEntries(id, cut, head)
		}
		v.moved = t.stalled()
	}
}

// dropEntries removes the entries of a version that has left the chain, unless a version that
// remains needs them, too.
func (t *Table) dropEntries(id RowID, gone, chain *version) {
	if t.stalled() {
		if chain != nil {
			chain.moved = true
		}
		return
	}
	for _, list := range [2][]*Index{t.indexes, t.dropped} {
		for _, ix := range list {
			if ix.filter != nil && !ix.filter(gone.row) {
				continue
			}
			key := gone.key
			if t.clustered != ix {
				key = string(ix.key(gone.row))
			}
			if !ix.needed(chain, key) {
				ix.tree.Delete(newEntry(key, id))
				ix.changes++
				t.changes++
			}
		}
	}
}

// stalled reports whether dead entries stay.
func (t *Table) stalled() bool { return t.s.opts.Stalled && !t.spec.Volatile && !t.spec.Tidy }

// clean removes the dead entries that share a block with an entry.
func (ix *Index) clean(e entry) {
	var dead []entry
	n := 0
	visit := func(other entry) bool {
		if head, _ := ix.t.rows.Get(other.id); !ix.needed(head, other.key) {
			dead = append(dead, other)
		}
		n++
		return n%(ix.t.s.opts.Block/2) != 0
	}
	ix.tree.Descend(e, visit)
	n = 0
	ix.tree.Ascend(e, visit)
	for _, other := range dead {
		ix.tree.Delete(other)
	}
}

func (ix *Index) needed(chain *version, key string) bool {
	for v := chain; v != nil; v = v.prev {
		if ix.stands(v, key) {
			return true
		}
	}
	return false
}
