package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// Open is what an access to a table leaves open, as no hint decides it (learn.microsoft.com, "Table hints (Transact-SQL)").
type Open uint8

const (
	Granularity Open = 1 << iota // the server chooses between locks of rows, pages and the table
	Versions                     // READ_COMMITTED_SNAPSHOT, optimized locking or the isolation level decides whether it reads row versions
	Path                         // several rows may be found, and the server may scan and lock others for them
	Degree                       // several rows may be found, and several threads may look for them: in no order, and further than the first ones
)

// leave notes what hints leave open of an access to a stored table; one says that at most one row is found, by a unique key, and parallel that
// the statement's own hints let several threads look for rows.
func (h *tableHints) leave(fr *query.Frame, table, within *catalog.Object, one, parallel bool) {
	if h.has(nolock|tablock|tablockx) || table == nil || table.Table().Temp {
		return // nothing, or everything, is locked
	}
	var o Open
	if !h.has(rowlock) {
		o |= Granularity
	}
	if !h.has(repeatable | serializable | updlock | xlock | readCommittedLock) {
		o |= Versions
	}
	if !one && !h.forceSeek && h.index == nil {
		o |= Path
	}
	if !one && parallel {
		o |= Degree
	}
	if o != 0 {
		env(fr).LeftOpen(table, within, o)
	}
}

// within is the view or inline function that is being compiled; nil: none.
func (c *compiler) within() *catalog.Object {
	if len(c.via) == 0 {
		return nil
	}
	return c.via[len(c.via)-1]
}
