package plan

import (
	"errors"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Kind is what a statement does.
type Kind uint8

// The kinds of statements.
const (
	Select Kind = iota
	Insert
	Update
	Delete
)

// Column is a column of a result.
type Column struct {
	Name     string
	Type     datatype.Type
	Nullable bool
}

// Statement is a compiled query or DML statement. It is immutable: many may run it at the same time, until the
// catalog's version changes.
type Statement struct {
	Kind      Kind
	Columns   []Column  // of a query's rows
	Returning []Column  // of the rows that RETURNING returns
	Into      *ast.Into // where a SELECT's or RETURNING's values go: for the caller to fill
	Locks     bool      // a query FOR UPDATE
	Access    []string  // how tables are read, in the words of execution plans; for tests and explanations

	size expression.Size
	defs []definition
	into *catalog.Table // the table that DML changes
	op   query.Op       // of a query
	out  []query.Expr   // its columns
	lock *rowLock       // FOR UPDATE
	// change does what a DML statement does and calls emit with each row that RETURNING returns.
	change func(fr *query.Frame, emit func(value.Row)) int64
}

// CompileStatement compiles a *ast.Query, *ast.Insert, *ast.Update, or *ast.Delete.
func CompileStatement(sc Scope, s ast.Statement) (out *Statement, err error) {
	err = compile(sc, func(c *compiler) {
		if c.Memo() != runMemo {
			panic("plan: the run's memo is not the first one")
		}
		out = &Statement{}
		b := c.binder()
		switch x := s.(type) {
		case *ast.Query:
			out.query(b, x)
		case *ast.Insert:
			b.insert(out, x)
		case *ast.Update:
			b.update(out, x)
		case *ast.Delete:
			b.delete(out, x)
		default:
			panic(sqlerr.NotSupported("statement %T", s))
		}
		out.size, out.Access, out.defs = c.Size(), c.paths, c.defs
		c.tables = nil // only binding needs it
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Statement) query(b *binder, q *ast.Query) {
	b.c.locking = q.Lock != nil
	blk := b.query(q)
	s.Into = blk.into
	if q.Lock != nil {
		s.lock, s.Locks = b.rowLock(q.Lock, blk), true
	}
	op, exprs := blk.plan()
	s.op, s.out = op, expression.Evals(exprs)
	for i, e := range exprs {
		s.Columns = append(s.Columns, Column{Name: blk.cols[i].name, Type: e.Type, Nullable: e.Null})
	}
}

// ErrStale is what Open and Execute return when DDL has changed a table since the statement was compiled: compile
// it again.
var ErrStale = errors.New("plan: a table was changed since the statement was compiled")

func (s *Statement) stale() bool {
	return slices.ContainsFunc(s.defs, func(d definition) bool { return d.object.Def != d.def })
}

// Execute runs a DML statement and returns how many rows it changed; returning, if not nil, is called with the values of
// RETURNING for each row. The caller has begun a new statement of the transaction, and undoes its changes if there is
// an error. Rows that others changed since the statement's snapshot make it restart, keeping its locks (Concepts,
// "Data Concurrency and Consistency", write consistency); in a serializable transaction it is ORA-08177.
func (s *Statement) Execute(env Env, returning func(value.Row)) (n int64, err error) {
	for {
		tx := env.Txn()
		mark := tx.Mark()
		var rows []value.Row
		err = query.Catch(func() error {
			// While the table is locked, no DDL can intervene (SQL Language Reference, "Automatic Locks in DML Operations").
			data, _ := env.Table(s.into)
			query.Check(tx.LockTable(data, store.IX))
			if s.stale() {
				return ErrStale
			}
			fr := s.start(env)
			defer runOf(fr).end()
			n = s.change(fr, func(row value.Row) { rows = append(rows, row) })
			return nil
		})
		if errors.Is(err, errChanged) {
			tx.RollbackStatement(mark)
			continue
		}
		if err != nil {
			return 0, Worded(err)
		}
		if returning != nil {
			for _, row := range rows {
				returning(row)
			}
		}
		return n, nil
	}
}
