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
	// Serves says whether the listener knows a service; one that it does not is
	// refused with ORA-12514 (ORA-12505 for a SID).
	Serves(service string) bool
	// Verifier returns what is kept of a user's password; nil: there is no such user,
	// and no password will be right. The name is as the client wrote it: folding it is
	// the engine's business.
	Verifier(user string) *Verifier
	// Login is called when the password was right. An error ends the connection; a
	// *sqlerr.Error (1045, 28000, …) is what the client is told, anything else is told
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

// Session is one connection's session. The client is told ORA-01013 of a break, whatever Do answers.
type Session = wire.Session[Request, *ResponseWriter, Environment]

// Environment is what a session starts with.
type Environment struct {
	SID    uint32
	Serial uint32
	// NLS_LANGUAGE and NLS_TERRITORY.
	Language, Territory string
}

// Login is what a client tells of itself. The password is not among it.
type Login struct {
	User           string // as the client wrote it
	Service        string // SERVICE_NAME or SID of the connect descriptor
	SYSDBA         bool
	Program        string
	Machine        string
	Terminal       string
	OSUser         string
	ClientPID      string
	Driver         string
	Connection     uint64 // its number, in the order in which connections came
	ConnectionData string // the connect descriptor
	// Disconnect closes the connection, after the answer under way if there is one, as ALTER SYSTEM KILL SESSION … IMMEDIATE
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

// Execute is a statement to be executed. The engine answers with Query, with Out or
// Returning, with Rows, or with nothing at all.
type Execute struct {
	Statement *Statement
	Binds     []Bind
	// Iterations holds the values of the binds, once per execution. There is always at
	// least one row; with array binds there are more.
	Iterations []value.Row
	// AutoCommit asks to commit if the statement succeeds.
	AutoCommit bool
	// BatchErrors asks to go on after an iteration that failed and to tell of it by
	// ResponseWriter.Batch.
	BatchErrors bool
	// AllValues says that values came for the variables of a RETURNING clause of array DML, too: then none are answered.
	AllValues bool
	// DescribeOnly asks to parse and, for a query, describe, but not to execute.
	DescribeOnly bool
}

// Statement is a parsed statement. A client that keeps it executes it again and again.
type Statement struct {
	SQL   string
	State any // whatever the engine wants to keep with it
}

// Bind describes a bind variable. It has no name on the wire: variables of SQL
// statements come once per placeholder, in PL/SQL blocks once per different name, in
// the order in which they appear.
type Bind struct {
	// Type is the variable's on the client's side. Its Length is what an OUT value may
	// have: in bytes; 0: the client has no room for any.
	Type Type
	// Array marks an index-by table; values are value.Refs of []value.Value.
	Array bool
	// MaxElements is how many elements the client has room for.
	MaxElements int
	// Repeated says that an earlier placeholder of the same name has the value; here
	// it is NULL.
	Repeated bool

	prefetch bool // of a LOB: its length is wanted before the locator
	late     bool // the value comes behind those of the other variables
}

// Direction says whether a bind variable is read, written or both.
type Direction uint8

// The directions as the protocol numbers them.
const (
	DirOut   Direction = 16
	DirIn    Direction = 32
	DirInOut Direction = 48
)

// ResultSet is an open query: of a statement, or behind a REF CURSOR.
type ResultSet struct {
	Columns []Column
	State   any // the engine's cursor
	// Number is how a number is shown that a client wants as text.
	Number func(v value.Value) string
}

// Column describes a column of a result set.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
}

// Fetch asks for the next rows of a result set: for Max of them, or less if it ends,
// which is told by ResponseWriter.EndOfData.
type Fetch struct {
	Result *ResultSet
	Max    int
}

// CloseResult tells that a result set is no longer needed. Nothing is to be answered.
type CloseResult struct{ Result *ResultSet }

// Commit ends the transaction.
type Commit struct{}

// Rollback undoes the transaction.
type Rollback struct{}

// Ping asks whether the session lives; a killed one answers with ORA-00028.
type Ping struct{}

// Attributes are what an application says of itself along with a call; nil: as before.
type Attributes struct {
	Identifier, Module, Action, Info *string
	Schema                           string // the current schema; empty: as before
}

// Returning asks how many variables of a statement are those of its RETURNING clause.
type Returning struct {
	SQL   string
	Count int
}

// BatchError is an iteration of an array execution that failed.
type BatchError struct {
	Iteration int // 0-based
	Err       *sqlerr.Error
}
