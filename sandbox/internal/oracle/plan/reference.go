package plan

import (
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

// reference is an enabled foreign key that refers to the changed table.
type reference struct {
	*catalog.Constraint
	child *catalog.Object
	to    *target // ON DELETE: the child whose rows then change
}

// references finds the foreign keys of the table, and those that refer to it unless rows are only inserted.
func (x *target) references(inserts bool) {
	related := func(o *catalog.Object) { x.c.defs = append(x.c.defs, definition{o, o.Def, true}) }
	for _, k := range x.table.Constraints {
		if k.Kind == ast.ForeignKey && !k.Disabled {
			x.parents = append(x.parents, k)
			related(k.Parent)
		}
	}
	for child, k := range x.object.Referring() {
		if inserts || k.Disabled {
			continue
		}
		r := reference{Constraint: k, child: child}
		related(child)
		if k.OnDelete != "" {
			r.to = x.c.targetOf(child, "", false)
		}
		x.children = append(x.children, r)
	}
}

// HasParent reports whether a table has the row that a foreign key's row refers to; one with a NULL refers to nothing.
func HasParent(tx *store.Txn, parent *catalog.Table, key []int, k *catalog.Constraint, row value.Row) bool {
	return slices.ContainsFunc(k.Columns, func(c int) bool { return row[c].IsNull() }) || exists(tx, parent, key, k.Columns, row)
}

func exists(tx *store.Txn, t *catalog.Table, theirs, mine []int, row value.Row) (found bool) {
	rowsOf(tx, t, theirs, mine, row, store.S, func(store.RowID, value.Row) bool { found = true; return false })
	return found
}

// rowsOf yields the rows of a table whose columns equal those of a given row, without NULLs. It waits for uncommitted changes
// of others: an index finds those with the key; without one, the whole table is locked meanwhile (Concepts, "Locks and Foreign Keys").
func rowsOf(tx *store.Txn, t *catalog.Table, theirs, mine []int, row value.Row, lock store.LockMode, yield func(store.RowID, value.Row) bool) {
	if slices.ContainsFunc(mine, func(c int) bool { return row[c].IsNull() }) {
		return
	}
	keys := make([][]int, len(t.Indexes))
	for i, ix := range t.Indexes {
		for _, k := range ix.Keys {
			if !k.Desc { // otherwise it is read another way
				keys[i] = append(keys[i], k.Column)
			}
		}
	}
	ref := expression.Refer(mine, theirs, keys)
	a := store.Access{Lock: lock, TableLock: store.S}
	if ref.Index >= 0 {
		a = store.Access{Lock: lock, Index: t.Indexes[ref.Index].Data, Covered: lock == store.S, Keep: lock != store.S}
	}
	owner, res := tx.Owner(), t.Data.Resource()
	before := tx.Store().ModeHeld(owner, res)
	query.Check(Worded(ref.Each(tx, t.Data, a, row, func(dst []byte, v value.Value, i, _ int) []byte {
		return datatype.AppendKey(dst, v, t.Columns[theirs[i]].Type, false, false)
	}, yield)))
	tx.Store().Downgrade(owner, res, before)
}

// refer records what the change of a row (nil: no row before, or after it) means for foreign keys. ords are the columns that
// were set; nil: all.
func (x *target) refer(fr *query.Frame, id store.RowID, old, row value.Row, ords []int) {
	r, tx := runOf(fr), env(fr).Txn()
	touches := func(columns []int) bool {
		return ords == nil || slices.ContainsFunc(columns, func(c int) bool { return slices.Contains(ords, c) })
	}
	for _, k := range x.parents {
		if row != nil && touches(k.Columns) {
			r.checks = append(r.checks, func() {
				now, ok, err := tx.Fetch(x.table.Data, id, store.Access{Mode: store.Dirty, Statement: tx.Statement() + 1})
				query.Check(err)
				if ok && !HasParent(tx, k.Parent.Def.(*catalog.Table), k.ParentKey(), k, now) {
					orphaned(fr, x.object, k, message.ORA(2291, x.object.Owner, k.Name))
				}
			})
		}
	}
	for _, k := range x.children {
		switch key := k.ParentKey(); {
		case old == nil || !touches(key):
		case row == nil && k.to != nil:
			r.actions = append(r.actions, func() { k.to.cascade(fr, k.Constraint, old, key) })
		default:
			r.checks = append(r.checks, func() {
				if !exists(tx, x.object.Def.(*catalog.Table), key, key, old) && exists(tx, k.child.Def.(*catalog.Table), k.Columns, key, old) {
					orphaned(fr, k.child, k.Constraint, message.ORA(2292, k.child.Owner, k.Name))
				}
			})
		}
	}
}

// orphaned returns the error for a foreign key that a row of a child violates.
func orphaned(fr *query.Frame, child *catalog.Object, k *catalog.Constraint, err error) {
	broken(fr, k.Deferred, Deferred{child.Owner + "." + k.Name, err, func() bool {
		return anyRow(fr, child.Def.(*catalog.Table).Data, func(_ store.RowID, row value.Row) bool {
			return !HasParent(env(fr).Txn(), k.Parent.Def.(*catalog.Table), k.ParentKey(), k, row)
		})
	}})
}

// cascade does what a foreign key specifies for the rows of a child when their parent is deleted.
func (x *target) cascade(fr *query.Frame, k *catalog.Constraint, old value.Row, key []int) {
	if x.triggers(func(t *ast.Trigger) bool { return !t.Row }) != nil {
		refuse("statement triggers of a table whose rows ON DELETE changes")
	}
	rowsOf(env(fr).Txn(), x.table, k.Columns, key, old, store.X, func(id store.RowID, row value.Row) bool {
		found := query.Tuple{Row: row, ID: int64(id)}
		if k.OnDelete == ast.Cascade {
			x.remove(fr, found)
			return true
		}
		var ch changes
		ch.add(fr, x, found, k.Columns, make(value.Row, len(k.Columns)))
		ch.write(fr, x)
		return true
	})
}

// settle carries out the actions of foreign keys when the statement's own rows are done, and then checks the keys (Concepts, "When the
// Database Checks Constraints for Validity").
func (r *run) settle() {
	for ; len(r.actions) > 0; r.actions = r.actions[1:] {
		r.actions[0]()
	}
	for _, check := range r.checks {
		check()
	}
}
