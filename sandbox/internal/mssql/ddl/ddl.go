// Package ddl executes the statements that define things: tables, indexes, views, modules,
// types, sequences, schemas, principals, permissions, broker objects and databases. It changes
// the catalog under the caller's transaction, so that everything but CREATE, ALTER and DROP
// DATABASE is undone with it; an error leaves partial changes, which the caller undoes by
// rolling back to the statement's mark.
//
// Whatever is created, altered or dropped is locked Sch-M until the transaction ends
// (learn.microsoft.com "Transaction locking and row versioning guide", schema locks). An option
// that is not modeled is refused.
package ddl

import (
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Session is what DDL asks of the session that runs a statement.
type Session interface {
	Compiler

	// Server is the instance's catalog.
	Server() *catalog.Server
	// Database is the current database.
	Database() *catalog.Database
	// TokenIn returns the session's token in a database; error 916 when it has no access.
	TokenIn(db *catalog.Database) (catalog.Token, error)
	// LoginID is the login behind the session's security context; 0 when only a database user is impersonated.
	LoginID() int32
	// DefaultSchema is the default schema of the current user in the current database.
	DefaultSchema() string
	// Txn is the transaction of the running statement.
	Txn() *store.Txn
	// StoreSession is the session that waits for locks.
	StoreSession() *store.Session
	// InTransaction reports whether the user has a transaction open (@@TRANCOUNT > 0): statements
	// about databases are refused then.
	InTransaction() bool
	// Now is the server's local time, as GETDATE() gives it.
	Now() time.Time
	// NewGUID returns a new unique identifier, decided by the seed.
	NewGUID() [16]byte
	// Text is the text of the batch that runs, to which the offsets of its nodes refer.
	Text() string
	// Setting reports the SET options that a definition depends on.
	Setting() Setting

	// Temp finds a temporary table of the session (#name), or nil.
	Temp(name string) *catalog.Object
	// PutTemp adds a temporary table, or replaces the one of the same id.
	PutTemp(o *catalog.Object)
	// RemoveTemp removes a temporary table.
	RemoveTemp(o *catalog.Object)

	// KillUsers ends all other sessions that use a database and returns when they have rolled back.
	KillUsers(db *catalog.Database) error
	// Users counts the other sessions that use a database.
	Users(db *catalog.Database) int
	// Leave moves the session to master if it is in the database, which is about to be dropped.
	Leave(db *catalog.Database)
	// Info sends an informational message.
	Info(e *sqlerr.Error)
}

// Setting are SET options that are in force when something is created.
type Setting struct {
	AnsiNulls        bool
	QuotedIdentifier bool
	AnsiNullDefault  bool // ANSI_NULL_DFLT_ON: columns are nullable unless declared otherwise
	AnsiWarnings     bool
	AnsiPadding      bool
	ArithAbort       bool
	ConcatNull       bool
	NumericRound     bool // NUMERIC_ROUNDABORT
}

// Compiler compiles what definitions contain.
type Compiler interface {
	// CompileCheck compiles a search condition over the columns of a table. The function returns Bool or
	// NULL and panics with *sqlerr.Error as compiled expressions do.
	CompileCheck(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) value.Value, error)
	// CompileFilter compiles the WHERE clause of a filtered index. The function takes a stored row.
	CompileFilter(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) bool, error)
	// CompileDefault compiles an expression without columns: its type and its value.
	CompileDefault(e ast.ScalarExpression) (datatype.Type, func() (value.Value, error), error)
	// BindSelect binds the query of a view or inline function, with the function's parameters, and
	// returns its columns, ids counted from 1.
	BindSelect(sel *ast.SelectStatement, params []catalog.Param) ([]catalog.Column, error)
	// CheckModule compiles a procedure or function as far as names resolve: what is not modeled is
	// refused when a module is created, not when it runs.
	CheckModule(o *catalog.Object) error
}

// Execute runs a DDL statement; done is false if the statement is not one of this package's.
func Execute(s Session, st ast.Statement) (done bool, err error) {
	done = true
	err = query.Catch(func() error {
		done = (&run{Session: s, db: s.Database(), tx: s.Txn()}).execute(st)
		return nil
	})
	return done, err
}

func (x *run) execute(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateTableStatement:
		x.createTable(n)
	case *ast.DropTableStatement:
		x.dropTables(n)
	case *ast.AlterTableAddTableElementStatement:
		query.Check(x.alterTableAdd(n))
	case *ast.AlterTableAlterColumnStatement:
		x.alterColumn(n)
	case *ast.AlterTableDropTableElementStatement:
		x.alterTableDrop(n)
	case *ast.AlterTableSetStatement:
		x.alterTableSet(n)
	case *ast.TruncateTableStatement:
		x.truncate(n)
	case *ast.CreateIndexStatement:
		x.createIndex(n)
	case *ast.DropIndexStatement:
		x.dropIndexes(n)
	case *ast.AlterIndexStatement:
		x.alterIndex(n)
	case *ast.UpdateStatisticsStatement:
		x.updateStatistics(n)
	default:
		return x.programmable(st) || x.security(st) || x.brokerStatement(st) || x.databaseStatement(st)
	}
	return true
}

// run is the execution of one statement.
type run struct {
	Session
	db *catalog.Database // the database that the statement is about: the current one, or that of a three-part name
	tx *store.Txn
}

// lock takes a lock that the transaction keeps.
func (x *run) lock(r store.Resource, m store.LockMode) {
	ss := x.StoreSession()
	query.Check(ss.Store().Lock(x.tx.Owner(), r, m, ss.Wait()))
}

// lockObject locks an object of a database by its id.
func (x *run) lockObject(db *catalog.Database, id int32, m store.LockMode) {
	x.lock(ObjectResource(db, id), m)
}

// ObjectResource is the resource of schema and table locks on an object.
func ObjectResource(db *catalog.Database, id int32) store.Resource {
	return store.Resource{Class: store.Object, DB: int64(db.ID), Object: int64(id)}
}

// may reports whether the session has a permission.
func (x *run) may(permission string, on catalog.Securable) bool {
	tok, err := x.TokenIn(x.db)
	return err == nil && x.db.Allowed(tok, permission, on)
}

// user is the session's principal id in the database.
func (x *run) user() int32 {
	tok, err := x.TokenIn(x.db)
	if err != nil {
		return catalog.PublicRole
	}
	return tok.User
}
