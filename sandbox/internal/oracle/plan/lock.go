package plan

import (
	"errors"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// rowLock is a FOR UPDATE clause.
type rowLock struct {
	tables []*tableRel
	nowait bool
	skip   bool
	wait   *Expr // seconds of WAIT; nil: forever
}

// rowWait is what to do about rows that others have locked.
type rowWait struct {
	timeout time.Duration // negative: forever
	skip    bool
}

// forever is how DML waits.
var forever = rowWait{timeout: -1}

// rowLock binds FOR UPDATE of a query.
func (b *binder) rowLock(x *ast.RowLock, blk *block) *rowLock {
	if !blk.single {
		if blk.limited {
			fail(2014)
		}
		fail(1786)
	}
	l := &rowLock{nowait: x.Wait == ast.Nowait, skip: x.Wait == ast.SkipLocked}
	if x.Time != nil {
		l.wait = ConvertTo(b.plain().with().expr(x.Time), datatype.Of(datatype.Number), false)
	}
	for _, ref := range x.Of {
		e := b.column(ref)
		if e == nil {
			panic(b.unknown(ref))
		}
		for _, slot := range e.Refs.List() {
			if t := b.c.tables[slot]; t != nil && !slices.Contains(l.tables, t) {
				l.tables = append(l.tables, t)
			}
		}
	}
	if len(x.Of) == 0 {
		b.lockable(blk.rel, l)
	}
	return l
}

// lockable finds the tables in FROM whose rows FOR UPDATE locks.
func (b *binder) lockable(r optimizer.Relation, l *rowLock) {
	switch x := r.(type) {
	case *optimizer.Table:
		l.tables = append(l.tables, b.c.tables[x.Slot])
	case *optimizer.Join:
		b.lockable(x.Left, l)
		b.lockable(x.Right, l)
	case *optimizer.Filtered:
		b.lockable(x.Of, l)
	case *optimizer.Source:
		if _, derived := x.Op.(*query.Project); derived {
			fail(2014)
		}
	}
}

// ids holds the rows that a query's current row was made from; 0 where an outer join has none.
func (l *rowLock) ids(fr *query.Frame) []store.RowID {
	out := make([]store.RowID, len(l.tables))
	for i, t := range l.tables {
		out[i] = store.RowID(max(0, fr.Slots[t.at.Slot].ID))
	}
	return out
}

// all locks the rows that the current row was made from; false: one of them is skipped.
func (l *rowLock) all(fr *query.Frame, w rowWait) bool {
	r := runOf(fr)
	for _, t := range l.tables {
		found := fr.Slots[t.at.Slot]
		if found.ID == query.Missing {
			continue
		}
		data, _ := r.env.Table(t.table)
		if !r.lock(data, found, w) {
			return false
		}
	}
	return true
}

// lockRows finds the rows of a query FOR UPDATE and locks them; it restarts, keeping its locks, until all are
// as in its snapshot.
func (s *Statement) lockRows(env Env) (rows []value.Row) {
	for {
		fr := s.start(env)
		w := forever
		switch {
		case s.lock.nowait:
			w.timeout = 0
		case s.lock.wait != nil:
			w.timeout = time.Duration(floor(s.lock.wait.Eval(fr))) * time.Second
		}
		rows = nil
		var found [][]query.Tuple
		err := query.Catch(func() error {
			query.Each(fr, s.op, func() bool {
				rows = append(rows, query.Eval(fr, s.out))
				tuples := make([]query.Tuple, len(s.lock.tables))
				for i, t := range s.lock.tables {
					tuples[i] = fr.Slots[t.at.Slot]
				}
				found = append(found, tuples)
				return true
			})
			for _, tuples := range found {
				for i, t := range s.lock.tables {
					fr.Slots[t.at.Slot] = tuples[i]
				}
				s.lock.all(fr, w)
			}
			return nil
		})
		runOf(fr).end()
		if !errors.Is(err, errChanged) {
			query.Check(err)
			return rows
		}
	}
}
