package plan

import (
	"bytes"
	"slices"

	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/query"
	"github.com/dbsched/dbsched/sandbox/store"
	"github.com/dbsched/dbsched/sandbox/value"
)

// checkParents checks the foreign keys of rows that were written, when all are: ORA-02291. changed has the columns
// that UPDATE set; nil: they are new.
func (x *target) checkParents(fr *query.Frame, rows []value.Row, changed []int) {
	for _, k := range x.table.Constraints {
		if k.Kind != ast.ForeignKey || k.Disabled || changed != nil && !meets(k.Columns, changed) {
			continue
		}
		parent := k.RefTable.Def.(*catalog.Table)
		for _, row := range rows {
			if key, ok := imageOfKey(row, x.table, k.Columns); ok && !hasKey(fr, parent, k.RefColumns, key) {
				fail(2291, "integrity constraint (%s.%s) violated - parent key not found", x.object.Owner, k.Name)
			}
		}
	}
}

// checkChildren refuses to take away keys that rows of other tables refer to: ORA-02292. changed as in checkParents.
func (x *target) checkChildren(fr *query.Frame, rows []value.Row, changed []int) {
	if len(rows) == 0 {
		return
	}
	for o, k := range env(fr).ViewContext().Catalog.References(x.object) {
		if k.Disabled || changed != nil && !meets(k.RefColumns, changed) {
			continue
		}
		child := o.Def.(*catalog.Table)
		for _, row := range rows {
			key, ok := imageOfKey(row, x.table, k.RefColumns)
			if !ok || hasKey(fr, x.table, k.RefColumns, key) || !hasKey(fr, child, k.Columns, key) {
				continue
			}
			if k.OnDelete != "" && changed == nil {
				refuse("ON DELETE %s", k.OnDelete)
			}
			fail(2292, "integrity constraint (%s.%s) violated - child record found", o.Owner, k.Name)
		}
	}
}

func meets(a, b []int) bool {
	return slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
}

// imageOfKey is the image of some columns of a row; false: one is NULL, and then a foreign key says nothing.
func imageOfKey(row value.Row, t *catalog.Table, columns []int) (key []byte, ok bool) {
	for _, c := range columns {
		if row[c].IsNull() {
			return nil, false
		}
		key = datatype.AppendKey(key, row[c], t.Columns[c].Type, false, false)
	}
	return key, true
}

// hasKey looks for a row with a key. What others have not committed is waited for if the answer depends on it.
func hasKey(fr *query.Frame, t *catalog.Table, columns []int, key []byte) bool {
	tx := env(fr).Txn()
	search := func(a store.Access) bool {
		a.Statement = tx.Statement() + 1 // what this statement has written counts
		data, index := env(fr).Table(t)
		for _, ix := range t.Indexes {
			plain := len(ix.Keys) >= len(columns)
			for i, c := range columns {
				plain = plain && ix.Keys[i] == catalog.Key{Column: c}
			}
			if plain {
				a.Index, a.Lo, a.Hi, a.Seek = index(ix), key, key, true
				break
			}
		}
		cur := tx.Open(data, a)
		defer cur.Close()
		for {
			_, row, ok, err := cur.Next()
			query.Check(Worded(err))
			if !ok {
				return false
			}
			if k, ok := imageOfKey(row, t, columns); ok && bytes.Equal(k, key) {
				return true
			}
		}
	}
	now := tx.Snapshot()
	defer tx.Release(now)
	settled := search(store.Access{Mode: store.Versioned, Snapshot: now})
	if settled == search(store.Access{Mode: store.Dirty}) {
		return settled
	}
	return search(store.Access{Mode: store.Locking, Lock: store.S})
}
