package plan

import (
	"errors"
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Rows is an open query: a cursor. It reads the state of its snapshot, whatever happens meanwhile.
type Rows struct {
	Count   int64    // rows fetched so far
	Columns []Column // as Statement.Columns

	s     *Statement
	env   Env
	fr    *query.Frame
	it    query.Iter // nil: what is left is in rest
	rest  []value.Row
	err   error           // after rest
	seen  map[string]bool // rows that SKIP LOCKED has returned
	lost  bool            // it locked rows, and the transaction has ended
	ended bool
}

// Open starts a query and takes its snapshot; FOR UPDATE locks its rows here, SKIP LOCKED as they are fetched. The
// caller closes the rows; the environment tracks them (Track) while they are open.
func (s *Statement) Open(env Env) (r *Rows, err error) {
	if s.stale() {
		return nil, ErrStale
	}
	r = &Rows{Columns: s.Columns, s: s, env: env}
	err = query.Catch(func() error {
		if s.lock != nil && !s.lock.skip {
			r.rest = s.lockRows(env)
			return nil
		}
		r.fr = s.start(env)
		r.it = s.op.Open(r.fr)
		return nil
	})
	if err != nil {
		return nil, Worded(err)
	}
	env.Track(r)
	return r, nil
}

// Next returns the next row; false: there is none. ORA-01002: rows FOR UPDATE after the end of the transaction.
func (r *Rows) Next() (value.Row, bool, error) {
	switch {
	case r.lost:
		return nil, false, message.ORA(1002)
	case r.ended:
		return nil, false, nil
	case r.it == nil && len(r.rest) > 0:
		row := r.rest[0]
		r.rest = r.rest[1:]
		r.Count++
		return row, true, nil
	case r.it == nil:
		r.ended = true
		return nil, false, r.err
	}
	row, ok, err := r.read()
	if !ok {
		r.stop()
		r.ended = true
		return nil, false, err
	}
	r.Count++
	return row, true, nil
}

// read takes one more row from the operators.
func (r *Rows) read() (row value.Row, ok bool, err error) {
	err = query.Catch(func() error {
		for ok = r.it.Next(); ok && r.s.lock != nil; ok = r.it.Next() {
			got, err := r.skip()
			if err != nil || got {
				break
			}
		}
		if ok {
			row = query.Eval(r.fr, r.s.out)
		}
		return nil
	})
	return row, ok && err == nil, Worded(err)
}

// skip locks the row for SKIP LOCKED; false: somebody else has locked it, or it has been returned before. If others
// have changed it, the query restarts: returned rows are locked and are not returned again.
func (r *Rows) skip() (got bool, err error) {
	key := fmt.Sprint(r.s.lock.ids(r.fr))
	if r.seen[key] {
		return false, nil
	}
	err = query.Catch(func() error { got = r.s.lock.all(r.fr, rowWait{skip: true}); return nil })
	if errors.Is(err, errChanged) {
		r.it.Close()
		runOf(r.fr).end()
		r.fr = r.s.start(r.env)
		r.it = r.s.op.Open(r.fr)
		return false, nil
	}
	query.Check(err)
	if got {
		if r.seen == nil {
			r.seen = map[string]bool{}
		}
		r.seen[key] = true
	}
	return got, nil
}

// stop ends the operators.
func (r *Rows) stop() {
	if r.it != nil {
		r.it.Close()
		r.it = nil
		runOf(r.fr).end()
	}
	r.env.Untrack(r)
}

// Close ends it; it may be called more than once.
func (r *Rows) Close() {
	r.stop()
	r.rest, r.ended = nil, true
}

// Buffer reads the rest into memory, for rows that outlive their transaction: the session calls it before the transaction ends.
// Rows of a query FOR UPDATE can then no longer be fetched. An error is returned when Next gets there.
func (r *Rows) Buffer() {
	if r.s.lock != nil {
		r.stop()
		r.rest, r.lost = nil, !r.ended
		return
	}
	for r.it != nil {
		row, ok, err := r.read()
		if !ok {
			r.err = err
			r.stop()
			break
		}
		r.rest = append(r.rest, row)
	}
}
