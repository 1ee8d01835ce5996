package plan

import (
	"github.com/dbsched/dbsched/sandbox/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/value"
)

// Kind is what a statement does.
type Kind uint8

// The kinds of statements.
const (
	Select Kind = iota
	Insert
	Update
	Delete
	Merge
)

// Column is a column of a result.
type Column struct {
	Name     string
	Type     datatype.Type
	Nullable bool
}

// Statement is a compiled query or DML statement. It is immutable: many may run it at the same time, until the
// catalogue's version changes.
type Statement struct {
	Kind      Kind
	Columns   []Column  // of a query's rows
	Returning []Column  // of the rows that RETURNING gives
	Into      *ast.Into // where a SELECT's or RETURNING's values go: for the caller to fill
	Locks     bool      // a query FOR UPDATE
	Access    []string  // how tables are read, in the words of execution plans; for tests and explanations
}

// CompileStatement compiles a *ast.Query, *ast.Insert, *ast.Update, *ast.Delete or *ast.Merge.
func CompileStatement(sc Scope, s ast.Statement) (*Statement, error) {
	_, _ = sc, s
	return nil, sqlerr.NotSupported("statement %T", s)
}

// Open starts a query and takes its snapshot; FOR UPDATE locks its rows here. The caller closes the rows; the
// environment is told of them (Track) as long as they are open.
func (s *Statement) Open(env Env) (*Rows, error) {
	_ = env
	return nil, sqlerr.NotSupported("queries")
}

// Execute runs a DML statement and returns how many rows it changed; returning, if not nil, gets the values of
// RETURNING of each. The caller has begun a new statement of the transaction, and undoes what was done if there is
// an error. Rows that others changed since the statement's snapshot make it start anew, its locks kept (Concepts,
// "Data Concurrency and Consistency", write consistency); in a serializable transaction it is ORA-08177.
func (s *Statement) Execute(env Env, returning func(value.Row)) (int64, error) {
	_, _ = env, returning
	return 0, sqlerr.NotSupported("DML")
}
