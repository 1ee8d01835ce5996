package oracle

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Table implements plan.Env.
func (s *Session) Table(t *catalog.Table) (*store.Table, func(*catalog.Index) *store.Index) {
	if !t.Temporary {
		return t.Data, func(ix *catalog.Index) *store.Index { return ix.Data }
	}
	return s.temporary.Of(t, s.srv.store, s.st.Begin, s.Txn())
}

// temporaryInUse reports whether a session has rows in a temporary table: DDL on it is then refused (ORA-14452).
func (srv *Server) temporaryInUse(t *catalog.Table) bool {
	used := false
	srv.sessions.Scan(func(_ int, s *Session) bool {
		used = used || s.temporary.Has(t)
		return !used
	})
	return used
}
