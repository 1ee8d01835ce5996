package oracle

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// temporaryRows are this session's rows of a global temporary table.
type temporaryRows struct {
	data    *store.Table
	indexes map[*catalog.Index]*store.Index
	tx      *store.Txn // the transaction that has them, of a table whose rows a commit deletes
}

// Table implements plan.Env.
func (s *Session) Table(t *catalog.Table) (*store.Table, func(*catalog.Index) *store.Index) {
	if !t.Temporary {
		return t.Data, func(ix *catalog.Index) *store.Index { return ix.Data }
	}
	r := s.temporary[t]
	if r == nil {
		tx := s.st.Begin()
		data, indexes, err := ddl.NewRows(s.srv.store, tx, t)
		tx.Commit()
		query.Check(err)
		r = &temporaryRows{data: data, indexes: indexes}
		s.temporary[t] = r
	}
	if !t.PreserveRows {
		if r.tx != nil && r.tx != s.Txn() && !r.tx.Done() && r.data.Rows() > 0 {
			query.Raise(message.ORA(14450))
		}
		r.tx = s.Txn()
	}
	return r.data, func(ix *catalog.Index) *store.Index { return r.indexes[ix] }
}

// dropTemporary empties the tables whose rows live as long as the transaction. It is called before a commit and after
// a rollback, which has removed the rows already.
func (s *Session) dropTemporary(tx *store.Txn, commit bool) {
	for t, r := range s.temporary {
		if t.PreserveRows || r.tx != tx {
			continue
		}
		if commit && r.data.Rows() > 0 {
			delete(s.temporary, t) // whoever comes next makes an empty one
			continue
		}
		r.tx = nil
	}
}

// temporaryInUse reports whether a session has rows of a temporary table: DDL on it is refused then (ORA-14452).
func (srv *Server) temporaryInUse(t *catalog.Table) bool {
	used := false
	srv.sessions.Scan(func(_ int, s *Session) bool {
		r := s.temporary[t]
		used = used || r != nil && r.data.Rows() > 0
		return !used
	})
	return used
}
