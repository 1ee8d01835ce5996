package oracle

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Fold converts a name that a client wrote to its form in the catalog: upper case unless it is in double quotes.
func Fold(name string) string {
	if len(name) >= 2 && strings.HasPrefix(name, `"`) && strings.HasSuffix(name, `"`) {
		return name[1 : len(name)-1]
	}
	return strings.ToUpper(name)
}

// Login opens a session of a user whose password has been checked. Its coroutine serves requests until Close.
func (srv *Server) Login(name string) (*Session, error) {
	if srv.down {
		return nil, errDown()
	}
	u := srv.catalog.User(Fold(name))
	switch {
	case u == nil:
		return nil, message.ORA(1017).Ending(sqlerr.Connection)
	case u.Locked:
		return nil, message.ORA(28000).Ending(sqlerr.Connection)
	case !srv.catalog.Has(catalog.Rights{User: u.Name, Roles: true}, "CREATE SESSION"):
		return nil, message.ORA(1045, u.Name).Ending(sqlerr.Connection)
	}
	s := srv.newSession(u)
	srv.spawn(s, "session", func() { s.inbox.Serve(s.task, func() bool { return true }) })
	return s, nil
}

// Submit queues a request; finished runs when it is done, even if the session was killed meanwhile.
func (s *Session) Submit(request func(*Session), finished func()) {
	s.inbox.Submit(func() { request(s) }, finished)
}

// Cancel is a break: the running call ends with ORA-01013, the transaction stays open.
func (s *Session) Cancel() { s.inbox.Cancel() }

// Close ends the session. If the client disappeared, its transaction is rolled back.
func (s *Session) Close() { s.task.Kill() }

// Crashed reports whether the session ends because the instance has crashed.
func (s *Session) Crashed() bool { return s.srv.down }

// Ended reports whether the session is gone.
func (s *Session) Ended() bool { return s.task.Done() }

// Call is the result of a client's execution.
type Call struct {
	Kind    plsql.DynamicKind
	Columns []plan.Column // for a query
	Rows    *plan.Rows    // for a query; whoever has fetched everything, or does not need more, closes it
	Count   int64         // rows affected by DML
	LastRow value.Value   // the ROWID of the last row

	Returning [][]value.Value // for DML with RETURNING … INTO: the values of each of the last placeholders
	Modes     []ast.ParamMode // for a block: how it uses its binds
	Invalid   bool            // a unit was created with compilation errors
}

// Execute runs a client's statement: an atomic call, except for what it committed itself. binds has one for each
// placeholder in the text's order (in a block one for each distinct name). Values of OUT binds are stored in them.
func (s *Session) Execute(text string, binds []*plsql.Bind) (c *Call, err error) {
	c = &Call{}
	return c, s.atomic(func() error {
		d, err := s.Prepare(text)
		if err != nil {
			return err
		}
		dd := d.(*dynamic)
		p := dd.p
		c.Kind, s.lastRow = p.kind, [2]int64{}
		res, err := d.Execute(binds[:min(len(binds), max(0, len(binds)-p.returningInto()))])
		if p.block != nil {
			c.Modes = p.block.Modes
		}
		if err != nil {
			return err
		}
		c.Count, c.Rows, c.Invalid = res.Count, res.Rows, s.warned
		s.warned = false
		if s.lastRow[0] > 0 && p.kind == plsql.DynamicDML {
			c.LastRow = datatype.NewRowid(s.lastRow[0], s.lastRow[1])
		}
		if p.kind == plsql.DynamicQuery {
			c.Columns = dd.ran.Columns
		}
		if n := p.returningInto(); n > 0 {
			c.Returning = make([][]value.Value, n)
			for i := range n {
				to := binds[len(binds)-n+i].Type
				for _, row := range res.Returning {
					v, err := datatype.Convert(row[i], dd.ran.Returning[i].Type, to, s.Format(false)) // a bind of text takes a number
					if err != nil {
						return err
					}
					c.Returning[i] = append(c.Returning[i], v)
				}
			}
		}
		return nil
	})
}

// DescribeColumns parses a statement and returns the columns of a query, without running it.
func (s *Session) DescribeColumns(text string) (cols []plan.Column, query bool, err error) {
	err = s.atomic(func() error {
		d, err := s.Prepare(text)
		if err != nil {
			return err
		}
		dd := d.(*dynamic)
		if query = dd.p.kind == plsql.DynamicQuery; query {
			if err := dd.describe(); err != nil {
				return err
			}
			cols = dd.p.query.Columns
		}
		return nil
	})
	return cols, query, err
}

// Placeholders returns the names of a statement's binds, and how many of the last ones RETURNING … INTO fills.
func (s *Session) Placeholders(text string) (names []string, returning int, err error) {
	err = s.atomic(func() error {
		p, err := s.parse(text)
		if err == nil {
			names, returning = p.placeholders(), p.returningInto()
		}
		return err
	})
	return names, returning, err
}

// atomic runs a client's call: if it fails, what it changed since its start, or since its last commit, is undone.
func (s *Session) atomic(fn func() error) error {
	defer s.endCall()
	undo := s.Call()
	err := s.mapped(query.Catch(fn))
	if err != nil {
		undo()
	}
	return err
}

// Fetch returns the next row of a query.
func (s *Session) Fetch(r *plan.Rows) (row value.Row, ok bool, err error) {
	err = query.Catch(func() error {
		row, ok, err = r.Next()
		return err
	})
	return row, ok, s.mapped(err)
}

// EndTransaction commits or rolls back, as a driver's call does.
func (s *Session) EndTransaction(commit bool) error {
	return s.atomic(func() error {
		if err := s.step(); err != nil {
			return err
		}
		if commit {
			return s.Commit(nil)
		}
		return s.Rollback()
	})
}
