package plsql

import (
	"errors"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// implicit is the implicit cursor: what SQL%… says about the last SQL statement, wherever in the session it ran.
type implicit struct {
	ran      bool // otherwise the attributes are NULL
	rows     int64
	bulkRows []item // for each index of FORALL
	errors   []bulkError
}

type bulkError struct{ index, code int64 }

// staticSQL is a static SQL statement.
type staticSQL struct {
	*plan.Statement
	again func(linguistic bool) *plan.Statement
}

// compileSQL compiles a static SQL statement.
func (c *compiler) compileSQL(s ast.Statement) staticSQL {
	names := *c
	_, names.query = s.(*ast.Query)
	compile := func(linguistic bool) *plan.Statement {
		c := names
		c.linguistic = linguistic
		st, err := plan.CompileStatement(scope{&c, true}, s)
		raise(err)
		return st
	}
	return staticSQL{compile(false), compile}
}

// run runs the statement. DDL that changes a table breaks the parse locks of statements and units that use it (SQL Language Reference,
// "Automatic Locks in DDL Operations"): a running unit continues, and the statement is reparsed.
func (s staticSQL) run(f *frame, fn func(st *plan.Statement) error) error {
	st := s.Statement
	if f.Linguistic() {
		st = s.again(true)
	}
	for {
		err := fn(st)
		if !errors.Is(err, plan.ErrStale) {
			return err
		}
		st = s.again(f.Linguistic())
	}
}

// selectInto compiles SELECT … INTO.
func (c *compiler) selectInto(q *ast.Query) func(f *frame) {
	st := c.compileSQL(q)
	if st.Into == nil {
		fail(q, 428)
	}
	in := c.into(st.Into, st.Columns, func(more bool) { raiseAt(q, errCount(more)) })
	return func(f *frame) {
		var rows []value.Row
		var columns []plan.Column
		f.st.sql = implicit{ran: true}
		raise(f.Run(func() error {
			return st.run(f, func(st *plan.Statement) error {
				r, err := st.Open(f)
				if err != nil {
					return err
				}
				defer r.Close()
				columns = st.Columns
				rows, err = fetchAll(r, in.bulk)
				return err
			})
		}))
		f.finishInto(in, rows, columns)
	}
}

// errCount returns the error for an INTO clause with more targets than values, or fewer.
func errCount(more bool) error {
	if more {
		return message.ORA(947)
	}
	return message.ORA(913)
}

// fetchAll reads the rows of SELECT INTO; without BULK COLLECT, a second row is enough to fail.
func fetchAll(r *plan.Rows, bulk bool) ([]value.Row, error) {
	var rows []value.Row
	for bulk || len(rows) < 2 {
		row, ok, err := r.Next()
		if err != nil || !ok {
			return rows, err
		}
		rows = append(rows, slices.Clone(row))
	}
	return rows, nil
}

// finishInto stores what SELECT INTO found: ORA-01403, ORA-01422.
func (f *frame) finishInto(in *into, rows []value.Row, columns []plan.Column) {
	f.st.sql = implicit{ran: true, rows: int64(len(rows))}
	if !in.bulk && len(rows) != 1 {
		if len(rows) == 0 {
			raise(message.ORA(1403))
		}
		f.st.sql.rows = 1 // as documented for TOO_MANY_ROWS
		raise(message.ORA(1422))
	}
	in.fill(f, rows, columns)
}

// dml compiles INSERT, UPDATE and DELETE.
func (c *compiler) dml(s ast.Statement) func(f *frame) {
	do := c.change(s)
	return func(f *frame) {
		f.st.sql = implicit{ran: true}
		n, rows, finish := do(f)
		f.st.sql.rows = n
		finish(rows)
	}
}

// change compiles a DML statement; the closure runs it, and returns the count, the rows of RETURNING and a function that stores
// them in its variables.
func (c *compiler) change(s ast.Statement) func(f *frame) (int64, []value.Row, func([]value.Row)) {
	st := c.compileSQL(s)
	var in *into
	if st.Into != nil {
		in = c.into(st.Into, st.Returning, func(more bool) { raiseAt(s, errCount(more)) })
	}
	return func(f *frame) (n int64, rows []value.Row, finish func([]value.Row)) {
		f.mayWrite()
		finish = func([]value.Row) {}
		var returning func(value.Row)
		if in != nil {
			returning = func(r value.Row) { rows = append(rows, slices.Clone(r)) }
		}
		raise(f.Run(func() (err error) {
			err = st.run(f, func(st *plan.Statement) (err error) {
				if in != nil {
					rows, finish = nil, func(rows []value.Row) { in.fill(f, rows, st.Returning) }
				}
				n, err = st.Execute(f, returning)
				return err
			})
			if err == nil && in != nil && !in.bulk && len(rows) > 1 {
				err = message.ORA(1422)
			}
			return err
		}))
		return n, rows, finish
	}
}

// Run is Host.Run; it also catches what plan raises while a statement is prepared.
func (f *frame) Run(fn func() error) error {
	return f.Host.Run(func() error { return query.Catch(fn) })
}
