package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tidwall/btree"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TableSpec describes a new table.
type TableSpec struct {
	Name         string
	DB           int64 // database of its lock resources
	Object       int64 // id of its lock resource; 0: the store assigns it
	Volatile     bool  // a table variable: one session, no locks, survives rollbacks
	NoEscalation bool  // row locks are never replaced by a table lock
	Tidy         bool  // dead entries do not stay, whatever Options.Stalled says
	// Stamped: while it is true, a changed row is protected by the lock on the transaction that changed it,
	// and its own locks end with the statement (see stamped.go); nil: never.
	Stamped *bool
}

// Table holds rows.
type Table struct {
	s         *Store
	spec      TableSpec
	res       Resource
	heap      int64 // id of the heap's rows in lock resources
	rows      *rowMap
	last      RowID
	count     int
	changes   uint64 // increased by every change of a row or of an index, and by its commit
	indexes   []*Index
	dropped   []*Index // dropped by transactions that are still open
	clustered *Index
}

// IndexSpec describes a new index.
type IndexSpec struct {
	Name      string
	Unique    bool
	Clustered bool
	// Key returns a row's key: order-preserving and self-delimiting bytes, so that the key of
	// the first columns is a prefix. The store makes keys of a nonunique index
	// distinct with the row id.
	Key func(value.Row) []byte
	// Filter says which rows are in the index; nil: all. A clustered index has all.
	Filter func(value.Row) bool
	// Columns are the key columns and the included ones: updates of others leave the index
	// unchanged. nil: only changes of the key change the index.
	Columns []int
}

// Index is a B-tree over the rows of a table.
type Index struct {
	t         *Table
	id        int64
	name      string
	unique    bool
	clustered bool
	key       func(value.Row) []byte
	filter    func(value.Row) bool
	columns   []int
	tree      *btree.BTreeG[entry]
	changes   uint64 // increased by every change of the tree: iterators have to seek again
}

// NewTable returns an empty heap.
func (s *Store) NewTable(spec TableSpec) *Table {
	t := &Table{s: s, spec: spec, heap: s.nextID(), rows: &rowMap{}}
	t.spec.Object = cmp.Or(t.spec.Object, t.heap)
	t.res = Resource{Class: Object, DB: spec.DB, Object: t.spec.Object}
	return t
}

// Changes returns a number that increases with every change of a row and every commit of a change.
func (t *Table) Changes() uint64 { return t.changes }

// Name returns the table's name.
func (t *Table) Name() string { return t.spec.Name }

// Spec returns the specification that the table was created from.
func (t *Table) Spec() TableSpec { return t.spec }

// Resource returns what locks on the table are on.
func (t *Table) Resource() Resource { return t.res }

// HeapID returns the id in lock resources of the rows of a heap.
func (t *Table) HeapID() int64 { return t.heap }

// SetNoEscalation turns lock escalation off or on.
func (t *Table) SetNoEscalation(off bool) { t.spec.NoEscalation = off }

// Rows returns the number of rows, including those of open transactions.
func (t *Table) Rows() int { return t.count }

// Committed visits the newest committed state of all rows.
func (t *Table) Committed(visit func(value.Row)) {
	t.rows.Scan(func(_ RowID, head *version) bool {
		if v := head.settled(); v != nil && !v.deleted {
			visit(v.row)
		}
		return true
	})
}

// Indexes returns the indexes, in the order in which they were added, the clustered one first.
func (t *Table) Indexes() []*Index { return t.indexes }

// Clustered returns the clustered index, or nil for a heap.
func (t *Table) Clustered() *Index { return t.clustered }

// Name returns the index's name.
func (ix *Index) Name() string { return ix.name }

// ID returns the id of the index in lock resources.
func (ix *Index) ID() int64 { return ix.id }

// Table returns the table of the index.
func (ix *Index) Table() *Table { return ix.t }

// Unique reports whether two rows may not have the same key.
func (ix *Index) Unique() bool { return ix.unique }

// Len returns the number of entries, including those of old versions.
func (ix *Index) Len() int { return ix.tree.Len() }

// resource returns what a lock on an entry is on.
func (ix *Index) resource(e entry) Resource {
	r := Resource{Class: Key, DB: ix.t.spec.DB, Object: ix.id, Key: e.key}
	if !ix.unique {
		r.Row = int64(e.id)
	}
	return r
}

// base returns what a lock on the row itself is on: its clustered key, or its place in the heap.
func (t *Table) base(id RowID, key string) Resource {
	if t.clustered != nil {
		return t.clustered.resource(entry{key: key, id: id})
	}
	return Resource{Class: RID, DB: t.spec.DB, Object: t.heap, Row: int64(id)}
}

// enter adds an entry to the tree, unless one already exists for an older version.
func (ix *Index) enter(e entry) {
	if ix.t.stalled() && ix.t.s.opts.Block > 0 {
		ix.clean(e)
	}
	ix.tree.Set(e)
	ix.changes++
	ix.t.changes++
}

// entryOf returns the key of a row in the index, if it is there.
func (ix *Index) entryOf(row value.Row) (string, bool) {
	if ix.filter != nil && !ix.filter(row) {
		return "", false
	}
	return string(ix.key(row)), true
}

// AddIndex adds an index, under a Sch-M lock, and fills it; undone with the transaction.
// Errors: *UniqueViolation, those of Lock.
func (t *Table) AddIndex(tx *Txn, spec IndexSpec) (*Index, error) {
	if spec.Clustered && (t.clustered != nil || spec.Filter != nil) {
		return nil, fmt.Errorf("store: index %s: a table has one clustered index, of all its rows", spec.Name)
	}
	if err := tx.LockTable(t, SchM); err != nil {
		return nil, err
	}
	ix := &Index{
		t: t, id: t.s.nextID(), name: spec.Name, unique: spec.Unique, clustered: spec.Clustered,
		key: spec.Key, filter: spec.Filter, columns: spec.Columns, tree: newTree(),
	}
	if err := ix.fill(); err != nil {
		return nil, err
	}
	t.attach(ix)
	tx.push(undo{table: t, fn: func() { t.detach(ix) }})
	return ix, nil
}

func newTree() *btree.BTreeG[entry] {
	return btree.NewBTreeGOptions(entryLess, btree.Options{NoLocks: true})
}

// fill enters every version of every row, for snapshots that may still read them.
func (ix *Index) fill() error {
	var err error
	ix.t.rows.Scan(func(id RowID, head *version) bool {
		head.moved = head.moved || head.prev != nil // the versions may have different keys
		for v := head; v != nil; v = v.prev {
			if v.deleted {
				continue
			}
			if key, ok := ix.entryOf(v.row); ok {
				ix.tree.Set(newEntry(key, id))
			}
		}
		return true
	})
	if !ix.unique {
		return nil
	}
	ix.t.rows.Scan(func(id RowID, head *version) bool {
		if head.deleted {
			return true
		}
		if key, ok := ix.entryOf(head.row); ok && ix.taken(key, id) {
			err = &UniqueViolation{Table: ix.t, Index: ix, Row: head.row}
		}
		return err == nil
	})
	return err
}

func (t *Table) attach(ix *Index) {
	t.changes++
	if !ix.clustered {
		t.indexes = append(slices.Clip(t.indexes), ix)
		return
	}
	t.indexes = append([]*Index{ix}, t.indexes...)
	t.clustered = ix
	t.rekey(func(v *version) string { return string(ix.key(v.row)) })
}

func (t *Table) detach(ix *Index) {
	t.changes++
	t.indexes = slices.DeleteFunc(slices.Clone(t.indexes), func(other *Index) bool { return other == ix })
	if ix.clustered {
		t.clustered = nil
		t.rekey(func(*version) string { return "" })
	}
}

// rekey sets the clustered key of all versions. The Sch-M lock keeps everybody else out.
func (t *Table) rekey(key func(*version) string) {
	t.rows.Scan(func(_ RowID, v *version) bool {
		for ; v != nil; v = v.prev {
			v.key = key(v)
		}
		return true
	})
}

// DropIndex removes an index, under a Sch-M lock; undone with the transaction.
func (t *Table) DropIndex(tx *Txn, ix *Index) error {
	if err := tx.LockTable(t, SchM); err != nil {
		return err
	}
	if !slices.Contains(t.indexes, ix) {
		return fmt.Errorf("store: index %s of %s was dropped already", ix.name, t.Name())
	}
	t.detach(ix)
	t.dropped = append(t.dropped, ix) // still pruned until it is gone for good
	forget := func() {
		t.dropped = slices.DeleteFunc(t.dropped, func(other *Index) bool { return other == ix })
	}
	tx.push(undo{table: t, fn: func() { forget(); t.attach(ix) }})
	tx.OnCommit(forget)
	return nil
}

// Truncate removes all rows at once, under a Sch-M lock; undone with the transaction.
// Snapshots no longer see the rows either.
func (t *Table) Truncate(tx *Txn) error {
	if err := tx.LockTable(t, SchM); err != nil {
		return err
	}
	rows, count := t.rows, t.count
	trees := make([]*btree.BTreeG[entry], len(t.indexes))
	indexes := t.indexes
	for i, ix := range indexes {
		trees[i], ix.tree = ix.tree, newTree()
		ix.changes++
	}
	t.rows, t.count = &rowMap{}, 0
	t.changes++
	tx.push(undo{table: t, fn: func() {
		t.rows, t.count = rows, count
		t.changes++
		for i, ix := range indexes {
			ix.tree = trees[i]
			ix.changes++
		}
	}})
	return nil
}

// same reports whether two values are known to be equal; it may miss that they are equal.
func same(a, b value.Value) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind || a.N != b.N || a.Aux != b.Aux || a.Scale != b.Scale {
		return false
	}
	switch a.Kind {
	case value.String, value.Bytes, value.GUID:
		return a.Str() == b.Str()
	case value.Decimal:
		return a.Mantissa().Cmp(b.Mantissa()) == 0
	default:
		return false
	}
}
