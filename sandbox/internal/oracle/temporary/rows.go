// Package temporary keeps a session's rows of global temporary tables.
package temporary

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Rows holds a session's rows by table.
type Rows map[*catalog.Table]*rows

type rows struct {
	data    *store.Table
	indexes map[*catalog.Index]*store.Index
	tx      *store.Txn // the transaction that owns them, for a table whose rows a commit deletes
}

// Of returns the rows of a table for a transaction, creating them in a transaction that begin begins; it raises ORA-14450.
func (m Rows) Of(t *catalog.Table, st *store.Store, begin func() *store.Txn, tx *store.Txn) (*store.Table, func(*catalog.Index) *store.Index) {
	r := m[t]
	if r == nil {
		own := begin()
		data, indexes, err := ddl.NewRows(st, own, t)
		own.Commit()
		query.Check(err)
		r = &rows{data: data, indexes: indexes}
		m[t] = r
	}
	if !t.PreserveRows {
		if r.tx != nil && r.tx != tx && !r.tx.Done() && r.data.Rows() > 0 {
			query.Raise(message.ORA(14450))
		}
		r.tx = tx
	}
	return r.data, func(ix *catalog.Index) *store.Index { return r.indexes[ix] }
}

// End empties the tables whose rows live as long as a transaction. It is called before a commit and after
// a rollback, which has already removed the rows.
func (m Rows) End(tx *store.Txn, commit bool) {
	for t, r := range m {
		if t.PreserveRows || r.tx != tx {
			continue
		}
		if commit && r.data.Rows() > 0 {
			delete(m, t) // the next use creates an empty one
			continue
		}
		r.tx = nil
	}
}

// Has reports whether there are rows of a table.
func (m Rows) Has(t *catalog.Table) bool { return m[t] != nil && m[t].data.Rows() > 0 }
