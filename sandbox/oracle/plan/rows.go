package plan

import (
	"github.com/dbsched/dbsched/sandbox/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/store"
	"github.com/dbsched/dbsched/sandbox/value"
)

// Rows is an open query: a cursor. It is the state of its snapshot that is read, whatever happens meanwhile.
type Rows struct {
	Count   int64    // rows fetched so far
	Columns []Column // as Statement.Columns
}

// Next returns the next row; false: there is none. ORA-01002: rows FOR UPDATE after the end of the transaction.
func (r *Rows) Next() (value.Row, bool, error) { return nil, false, nil }

// Close ends it; it may be called more than once.
func (r *Rows) Close() {}

// Buffer reads the rest into memory, for rows that outlive their transaction: the session calls it before that ends.
// Rows of a query FOR UPDATE can be fetched no more then. An error comes when Next gets there.
func (r *Rows) Buffer() {}

// RowID returns which row of a table the row fetched last comes from (WHERE CURRENT OF); false: there is none,
// or the query does not lock the table's rows.
func (r *Rows) RowID(t *catalog.Table) (store.RowID, bool) {
	_ = t
	return 0, false
}
