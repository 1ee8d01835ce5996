package plan

import (
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Column describes a column of a result set.
type Column struct {
	Name     string // empty when the expression has no name
	Type     datatype.Type
	Nullable bool
	Identity bool // comes straight from an identity column (SELECT INTO keeps the property)

	Updatable bool // comes straight from a column of a table that may be written
	Computed  bool // is an expression
}

// Use is a permission that a statement needs, and an object that must not change while it runs.
type Use struct {
	Object     *catalog.Object
	Permission string            // SELECT, INSERT, UPDATE, DELETE, EXECUTE, REFERENCES
	read       bool              // columns of it are read
	Via        []*catalog.Object // the views and inline functions through which it is reached, outermost first
}

// Expr is a compiled scalar expression without columns: for SET, IF, PRINT, RETURN, a default.
type Expr struct {
	Type datatype.Type
	Uses []Use
	size expression.Size
	eval query.Expr
}

// Eval computes the expression.
func (e *Expr) Eval(env Env) (v value.Value, err error) {
	err = query.Catch(func() error {
		v = e.eval(e.size.Frame(env))
		return nil
	})
	return v, err
}

// Predicate is a compiled search condition without columns: for IF and WHILE.
type Predicate struct {
	Uses []Use
	size expression.Size
	eval query.Expr
}

// Eval reports whether the condition is true (not false, not unknown).
func (p *Predicate) Eval(env Env) (ok bool, err error) {
	err = query.Catch(func() error {
		ok = p.eval(p.size.Frame(env)).IsTrue()
		return nil
	})
	return ok, err
}

// Assign is a compiled SET @variable = expression.
type Assign struct {
	Uses []Use
	Expr *Expr
	Slot int
	Type datatype.Type
}

// Run computes and assigns.
func (a *Assign) Run(env Env) error {
	v, err := a.Expr.Eval(env)
	if err == nil {
		*env.Var(a.Slot) = v
	}
	return err
}

// Statement is a compiled SELECT, INSERT, UPDATE or DELETE.
type Statement struct {
	Columns []Column // of the result set; nil when it returns none
	Uses    []Use
	// Counts says whether the statement sets @@ROWCOUNT and sends "n rows affected": all do except
	// a SELECT that only assigns, which sets it silently.
	Counts bool
	// NeedsRows is set for INSERT ... EXEC: RunWith gets the rows.
	NeedsRows bool
	// Access describes the access paths, one line per table reference, for tests and explanations:
	// "Tasks t: seek IX_Claim (ProcessId, ExecutionOrder) forward, covering".
	Access []string

	size expression.Size
	rows int // memo of the rows of INSERT … EXEC
	run  func(fr *query.Frame, sink func(value.Row) error) (int64, error)
}

// Run executes the statement: rows of its result set go to sink as they are made. It returns the
// number of rows affected (of a SELECT: returned). An error from sink ends it.
func (s *Statement) Run(env Env, sink func(value.Row) error) (int64, error) {
	return s.RunWith(env, nil, sink)
}

// RunWith is Run for an INSERT … EXEC: rows are what the procedure returned.
func (s *Statement) RunWith(env Env, rows []value.Row, sink func(value.Row) error) (n int64, err error) {
	err = query.Catch(func() error {
		fr := s.size.Frame(env)
		if s.NeedsRows {
			fr.Memos[s.rows] = rows
		}
		n, err = s.run(fr, sink)
		return err
	})
	return n, err
}

// Query is a compiled SELECT that is read row by row: for a cursor.
type Query struct {
	Columns []Column
	Uses    []Use
	Access  []string
	size    expression.Size
	root    query.Op
	output  func(fr *query.Frame) value.Row
}

// Rows is a running Query.
type Rows struct {
	q    *Query
	fr   *query.Frame
	iter query.Iter
}

// Open starts the query. Close must be called.
func (q *Query) Open(env Env) (r *Rows, err error) {
	err = query.Catch(func() error {
		fr := q.size.Frame(env)
		r = &Rows{q: q, fr: fr, iter: q.root.Open(fr)}
		return nil
	})
	return r, err
}

// Next returns the next row; false at the end.
func (r *Rows) Next() (row value.Row, ok bool, err error) {
	err = query.Catch(func() error {
		if ok = r.iter.Next(); ok {
			row = r.q.output(r.fr)
		}
		return nil
	})
	return row, ok && err == nil, err
}

// Close ends the query and releases the locks of its last rows.
func (r *Rows) Close() { r.iter.Close() }
