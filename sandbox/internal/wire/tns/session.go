package tns

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Engine opens sessions. Its methods are called from many goroutines.
type Engine interface {
	// Banner says who the server claims to be.
	Banner() Banner
	// Serves reports whether the listener knows a service; an unknown one is
	// refused with ORA-12514 (ORA-12505 for a SID).
	Serves(service string) bool
	// Verifier returns what is stored for a user's password; nil: there is no such user,
	// and no password will match. The name is as the client wrote it: folding it is
	// up to the engine.
	Verifier(user string) *Verifier
	// Login is called when the password was correct. An error ends the connection; a
	// *sqlerr.Error (1045, 28000, …) is sent to the client, anything else is sent
	// as ORA-01017 and logged. ctx ends when the server does.
	Login(ctx context.Context, l Login) (Session, error)
}

// Banner is who the server claims to be.
type Banner struct {
	Product string // shown by clients and in traces
	Release [5]uint8
	DBName  string
}

// number returns the release as one number, in the layout of 18c and later
// (python-oracledb's auth.pyx, _get_version_tuple) or the one before (db_version.go).
func (b Banner) number() uint64 {
	r := b.Release
	if r[0] >= 18 {
		return uint64(r[0])<<24 | uint64(r[1])<<16 | uint64(r[2]&15)<<12 | uint64(r[3])<<4 | uint64(r[4]&15)
	}
	return uint64(r[0])<<24 | uint64(r[1]&15)<<20 | uint64(r[2]&15)<<12 | uint64(r[3]&15)<<8 | uint64(r[4])
}

func (b Banner) release() string {
	r := b.Release
	return fmt.Sprintf("%d.%d.%d.%d.%d", r[0], r[1], r[2], r[3], r[4])
}

// Session is one connection's session. After a break the client gets ORA-01013, whatever Do answers.
type Session = wire.Session[Request, *ResponseWriter, Environment]

// Environment is what a session starts with.
type Environment struct {
	SID    uint32
	Serial uint32
	// NLS_LANGUAGE and NLS_TERRITORY.
	Language, Territory string
}

// Login is what a client says about itself. It does not include the password.
type Login struct {
	User           string // as the client wrote it
	Service        string // SERVICE_NAME or SID from the connect descriptor
	SYSDBA         bool
	Program        string
	Machine        string
	Terminal       string
	OSUser         string
	ClientPID      string
	Driver         string
	Connection     uint64 // its number, in order of arrival
	ConnectionData string // the connect descriptor
	// Disconnect closes the connection, after the current answer if there is one, as ALTER SYSTEM KILL SESSION … IMMEDIATE
	// does. It may be called from any goroutine and more than once.
	Disconnect func()
}

// LogValue shows a login in a log.
func (l Login) LogValue() slog.Value {
	return slog.GroupValue(slog.String("user", l.User), slog.String("service", l.Service),
		slog.String("program", l.Program), slog.String("machine", l.Machine))
}

// Request is *Execute, *Fetch, *CloseResult, *Commit, *Rollback, *Ping, *Attributes or *Returning.
type Request any

// Execute is a statement to execute. The engine answers with Query, with Out or
// Returning, with Rows, or with nothing.
type Execute struct {
	Statement *Statement
	Binds     []Bind
	// Iterations holds the values of the binds, once per execution. There is always at
	// least one row; with array binds there are more.
	Iterations []value.Row
	// AutoCommit asks to commit if the statement succeeds.
	AutoCommit bool
	// BatchErrors asks to continue after a failed iteration and to report it with
	// ResponseWriter.Batch.
	BatchErrors bool
	// AllValues says that values were also sent for the variables of a RETURNING clause of array DML: then none are returned.
	AllValues bool
	// DescribeOnly asks to parse and, for a query, describe, but not to execute.
	DescribeOnly bool
}

// Statement is a parsed statement. A client that keeps it executes it repeatedly.
type Statement struct {
	SQL   string
	State any // whatever the engine wants to keep with it
}

// Bind describes a bind variable. It has no name on the wire: variables of SQL
// statements come once per placeholder, in PL/SQL blocks once per distinct name, in
// the order in which they appear.
type Bind struct {
	// Type is the variable's type at the client. Its Length is the limit for an OUT value
	// in bytes; 0: the client has no room for a value.
	Type Type
	// Array marks an index-by table; values are value.Refs of []value.Value.
	Array bool
	// MaxElements is the number of elements the client has room for.
	MaxElements int
	// Repeated says that an earlier placeholder with the same name has the value; here
	// it is NULL.
	Repeated bool

	prefetch bool // for a LOB: its length is requested before the locator
	late     bool // the value comes after those of the other variables
}

// Direction says whether a bind variable is read, written or both.
type Direction uint8

// The directions as the protocol numbers them.
const (
	DirOut   Direction = 16
	DirIn    Direction = 32
	DirInOut Direction = 48
)

// ResultSet is an open query: of a statement or a REF CURSOR.
type ResultSet struct {
	Columns []Column
	State   any // the engine's cursor
	// Number formats a number that a client wants as text.
	Number func(v value.Value) string
}

// Column describes a column of a result set.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
}

// Fetch asks for the next rows of a result set: for Max rows, or fewer if it ends,
// which ResponseWriter.EndOfData reports.
type Fetch struct {
	Result *ResultSet
	Max    int
}

// CloseResult says that a result set is no longer needed. It gets no answer.
type CloseResult struct{ Result *ResultSet }

// Commit ends the transaction.
type Commit struct{}

// Rollback undoes the transaction.
type Rollback struct{}

// Ping asks whether the session is alive; a killed one answers with ORA-00028.
type Ping struct{}

// Attributes are what an application says about itself along with a call; nil: unchanged.
type Attributes struct {
	Identifier, Module, Action, Info *string
	Schema                           string // the current schema; empty: unchanged
}

// Returning asks how many variables of a statement belong to its RETURNING clause.
type Returning struct {
	SQL   string
	Count int
}

// BatchError is an iteration of an array execution that failed.
type BatchError struct {
	Iteration int // 0-based
	Err       *sqlerr.Error
}
