package mssql

import (
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/transaction"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Kind is the kind of a statement that has ended.
type Kind uint8

// The kinds of statements that clients tell apart.
const (
	Other Kind = iota
	Select
	Insert
	Update
	Delete
	Definition
)

// Done is how a statement ended.
type Done struct {
	Rows        int64
	Counted     bool // Rows means something: SET NOCOUNT is OFF
	InProcedure bool // in a procedure or in dynamic SQL
	Kind        Kind
}

// Sink takes what a session sends to its client. It is called with the baton and must not block.
type Sink interface {
	Columns(cols []plan.Column)
	Row(row value.Row)
	Done(d Done)
	Error(e *sqlerr.Error)
	// Info sends a message of severity 10 or lower, PRINT among them.
	Info(e *sqlerr.Error)
	// Flush sends at once what is buffered (RAISERROR … WITH NOWAIT).
	Flush()
	ReturnStatus(status int32)
	ReturnValue(name string, ordinal int, t datatype.Type, v value.Value)
	Database(before, after string)
	Transaction(ev transaction.Event, id int64)
}

// discard is the sink of sessions nobody listens to: activated procedures. Messages and errors
// go to the server's error log, as in SQL Server
// (learn.microsoft.com, "Internal Activation Context").
type discard struct{ log func(text string) }

func (discard) Columns([]plan.Column)                               {}
func (discard) Row(value.Row)                                       {}
func (discard) Done(Done)                                           {}
func (d discard) Error(e *sqlerr.Error)                             { d.log(e.Error()) }
func (d discard) Info(e *sqlerr.Error)                              { d.log(e.Text) }
func (discard) Flush()                                              {}
func (discard) ReturnStatus(int32)                                  {}
func (discard) ReturnValue(string, int, datatype.Type, value.Value) {}
func (discard) Database(string, string)                             {}
func (discard) Transaction(transaction.Event, int64)                {}

// capture is the sink of INSERT … EXEC: rows are kept, everything else goes through.
type capture struct {
	Sink
	rows []value.Row
	cols []plan.Column
}

func (c *capture) Columns(cols []plan.Column) { c.cols = cols }
func (c *capture) Row(r value.Row)            { c.rows = append(c.rows, append(value.Row(nil), r...)) }
func (c *capture) Done(Done)                  {}
