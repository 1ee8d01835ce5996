package tds

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Engine opens sessions. Its methods are called from many goroutines.
type Engine interface {
	// Login is called when LOGIN7 has arrived. An error ends the connection; a
	// *sqlerr.Error (18456, 4060, …) is sent to the client, anything else is
	// sent as 18456 and logged. ctx ends when the server does.
	Login(ctx context.Context, l Login) (Session, error)
	// Banner says who the server claims to be.
	Banner() Banner
}

// Banner is who the server claims to be, in PRELOGIN, LOGINACK and every message.
type Banner struct {
	Product    string // LOGINACK's program name
	ServerName string // @@SERVERNAME; travels with every error and message
	Major      uint8
	Minor      uint8
	Build      uint16
}

// Session is one connection's session.
type Session = wire.Session[Request, *ResponseWriter, Environment]

// Environment is what a session starts with.
type Environment struct {
	Database  string
	Language  string // "us_english"
	Collation Collation
	SPID      uint16 // the session number in packet headers
}

// Login holds the contents of LOGIN7. Printing or logging it never shows the password.
type Login struct {
	User       string
	Password   string
	Database   string // empty: the login's default database
	Language   string
	AppName    string
	HostName   string
	ServerName string // as the client addressed the server
	ClientName string // the driver
	PacketSize int    // as negotiated, in bytes
	TDSVersion uint32 // as negotiated: 0x74000004 is 7.4
	ClientPID  uint32
	Connection uint64 // its number, in order of arrival
	ReadOnly   bool   // ApplicationIntent=ReadOnly
	Encrypted  bool   // the whole connection, not only the login packet
	// Disconnect closes the connection, after the current answer if there is one, as KILL does. It may be called from any
	// goroutine and more than once.
	Disconnect func()
}

// String shows a login without its password.
func (l Login) String() string {
	return fmt.Sprintf("user %q, database %q, application %q, host %q", l.User, l.Database, l.AppName, l.HostName)
}

// GoString prevents %#v from showing the password.
func (l Login) GoString() string { return "tds.Login{" + l.String() + "}" }

// LogValue prevents slog from showing the password.
func (l Login) LogValue() slog.Value {
	return slog.GroupValue(slog.String("user", l.User), slog.String("database", l.Database),
		slog.String("application", l.AppName), slog.String("host", l.HostName))
}

// Reset says whether a session must be reset before a request runs.
type Reset uint8

// The variants of sp_reset_connection, requested by a bit of the packet header
// ([MS-TDS] 2.2.3.1.2).
const (
	ResetNone     Reset = iota
	ResetAll            // RESETCONNECTION: roll back and reset
	ResetKeepTran       // RESETCONNECTIONSKIPTRAN: the transaction stays
)

// Request is *Batch, *RPC, *Transaction or *BulkLoad. A request with a Reset is
// acknowledged to the client before anything else is sent; the engine resets the
// session before it executes.
type Request interface {
	reset(Reset)
	resetting() Reset
}

// Resetting is a Request's Reset.
type Resetting struct{ Reset Reset }

func (r *Resetting) reset(v Reset)    { r.Reset = v }
func (r *Resetting) resetting() Reset { return r.Reset }

// Batch is a batch of SQL text.
type Batch struct {
	SQL string
	Resetting
}

// The well-known procedures that clients call by number ([MS-TDS] 2.2.6.6).
const (
	ProcCursor          = 1
	ProcCursorOpen      = 2
	ProcCursorPrepare   = 3
	ProcCursorExecute   = 4
	ProcCursorPrepExec  = 5
	ProcCursorUnprepare = 6
	ProcCursorFetch     = 7
	ProcCursorOption    = 8
	ProcCursorClose     = 9
	ProcExecuteSQL      = 10
	ProcPrepare         = 11
	ProcExecute         = 12
	ProcPrepExec        = 13
	ProcPrepExecRPC     = 14
	ProcUnprepare       = 15
)

// RPC is a remote procedure call.
type RPC struct {
	Proc      string // as the client wrote it, quoted or not; for a call by number, its name ("sp_executesql")
	ProcID    uint16 // the number when called by number, else 0
	Recompile bool   // WITH RECOMPILE
	Params    []Param
	Resetting
}

// Param is a parameter of a call.
type Param struct {
	Name    string // with its @; empty when passed by position
	Ordinal int    // 0-based position in the call
	Type    Type
	Value   value.Value
	Output  bool // passed by reference
	Default bool // the procedure's default is requested
	TVP     *TVP // set when Type is a table
}

// TVP is a table-valued parameter. Columns have no names: they match the table
// type's by position ([MS-TDS] 2.2.5.5.5.1).
type TVP struct {
	Schema  string // may be empty
	Name    string
	Null    bool // DEFAULT: an empty table
	Columns []Column
	Rows    []value.Row // NULL where the column has Default
}

// TransactionOp is the operation of a transaction manager request.
type TransactionOp uint8

// The operations of [MS-TDS] 2.2.6.9 that concern local transactions.
const (
	BeginTransaction    TransactionOp = 5
	CommitTransaction   TransactionOp = 7
	RollbackTransaction TransactionOp = 8
	SaveTransaction     TransactionOp = 9
)

// Isolation is an isolation level as a transaction manager request names it.
type Isolation uint8

// The isolation levels of [MS-TDS] 2.2.6.9.
const (
	IsolationUnchanged Isolation = iota
	ReadUncommitted
	ReadCommitted
	RepeatableRead
	Serializable
	Snapshot
)

// Transaction is a transaction manager request, as database/sql's Tx sends it.
type Transaction struct {
	Op         TransactionOp
	Name       string    // of the transaction or savepoint; may be empty
	Isolation  Isolation // of the transaction to begin, now or afterward
	BeginAfter bool      // after a commit or rollback begin the next transaction at once
	BeginName  string    // of the transaction to begin afterward
	Resetting
}

// BulkLoad is the data of a bulk load. The INSERT BULK statement came before it, as
// a separate Batch.
type BulkLoad struct {
	Columns []Column
	Rows    []value.Row
	Resetting
}

// Column is a column of a result set, a bulk load or a table-valued parameter.
type Column struct {
	Name      string
	Type      Type
	Nullable  bool // a column that is not nullable cannot carry NULL: it has a type without a length byte
	Identity  bool
	Computed  bool
	Updatable bool // may be updated (a base table's column); otherwise unknown
	Default   bool // table-valued parameters: the server fills in the column, rows have no value for it
}

// Command is DONE's CurCmd: the kind of statement that has ended. [MS-TDS] leaves the
// numbers undocumented; these are the ones clients know. go-mssqldb does not report
// the row count of a Select that had no columns (SELECT @a = 1).
type Command uint16

// The commands that clients distinguish.
const (
	CommandNone   Command = 0
	CommandSelect Command = 0xC1
	CommandInsert Command = 0xC3
	CommandDelete Command = 0xC4
	CommandUpdate Command = 0xC5
	CommandBulk   Command = 0xF0
	CommandDefine Command = 0xC6 // CREATE TABLE; clients treat all definitions alike
)

// Done says how a statement ended.
type Done struct {
	Rows     int64
	HasCount bool    // Rows is valid: not under SET NOCOUNT ON, not for statements without a count
	InProc   bool    // the statement is in a procedure, trigger or dynamic SQL
	Command  Command // CommandNone means CommandSelect after a result set
}

// Message is a message from PRINT, RAISERROR below severity 11 or the engine itself.
type Message struct {
	Number int32
	Class  uint8 // severity, 0 to 10
	State  uint8
	Text   string
	Proc   string // empty in an ad-hoc batch
	Line   int    // 1-based
}
