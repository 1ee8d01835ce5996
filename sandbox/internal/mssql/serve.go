package mssql

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// serve runs a client's requests, one after the other.
func (s *Session) serve() {
	if err := s.enter(s.db); err != nil {
		return
	}
	s.inbox.Serve(s.task, func() bool { return !s.dead })
}

// Submit queues a request; finished runs when it is done, even if the session was killed meanwhile.
func (s *Session) Submit(out Sink, request func(*Session), finished func()) {
	s.inbox.Submit(func() {
		s.active, s.lastStart = true, s.srv.k.Now()
		s.out = out
		request(s)
		s.out = discard{s.srv.log}
		s.active, s.command = false, ""
	}, finished)
}

// Cancel is an attention: the running request ends, the transaction stays open
// unless XACT_ABORT is ON (learn.microsoft.com, "SET XACT_ABORT (Transact-SQL)").
func (s *Session) Cancel() { s.inbox.Cancel() }

// Close ends the session, canceling what runs.
func (s *Session) Close() { s.task.Kill() }

// Ended reports whether the session is gone.
func (s *Session) Ended() bool { return s.task.Done() }

// Killed returns the session that killed this one by KILL; 0: none.
func (s *Session) Killed() int { return s.killedBy }

// RunBatch executes a batch of SQL text.
func (s *Session) RunBatch(text string) {
	s.command = text
	s.runTop(func(*frame) error {
		u, err := s.compile("Adhoc", text, nil, "")
		if err != nil {
			return &raised{sqlError: s.asSQLError(err), user: true} // SET XACT_ABORT does not apply to compile errors
		}
		nf := s.newFrame(u)
		nf.level = 0
		s.frames = []*frame{nf}
		fl, err := s.runList(nf, u.statements)
		if err == nil && fl.kind == flowGoto {
			err = message.MS(133, fl.label).Ending(sqlerr.Batch)
		}
		s.closeLocals(nf)
		return err
	})
}

// RPCParam is a parameter of a remote procedure call.
type RPCParam struct {
	Name    string // with @; empty when passed by position
	Type    datatype.Type
	Value   value.Value
	Output  bool
	Default bool            // the procedure's default
	Kind    string          // for a table-valued parameter: the name of its table type
	Columns []datatype.Type // and the types of its columns
	Table   []value.Row     // and its rows
}

// RunRPC calls a procedure as a driver does.
func (s *Session) RunRPC(procedure string, params []RPCParam) {
	s.command = procedure
	s.runTop(func(f *frame) error {
		name, err := splitName(procedure)
		if err != nil {
			return err
		}
		args := make([]*argument, len(params))
		for i, p := range params {
			if p.Type.ID == datatype.Table && p.Kind == "" { // the procedure's parameter has the type
				o := s.findProcedure(f, name)
				at := slices.IndexFunc(o.Module().Params, func(q catalog.Param) bool { return strings.EqualFold(q.Name, p.Name) })
				if at < 0 || o.Module().Params[at].TableType == nil {
					return message.MS(8145, p.Name, o.Name)
				}
				p.Kind = o.Module().Params[at].Type.Table
			}
			args[i] = &argument{name: p.Name, v: p.Value, t: p.Type, output: p.Output, isDefault: p.Default}
			if p.Type.ID == datatype.Table {
				t, err := s.tableParameter(p)
				if err != nil {
					return err
				}
				args[i].table = t
			}
		}
		status, err := s.callByName(f, name, args)
		if err != nil {
			r := s.asRaised(f, err)
			s.locate(f, nil, r)
			return s.fail(f, r)
		}
		s.out.ReturnStatus(int32(status))
		for i, a := range args {
			if a.returned {
				v, err := datatype.Convert(a.ret, a.retType, params[i].Type, datatype.NoStyle, datatype.Implicit)
				if err != nil {
					return err
				}
				s.out.ReturnValue(a.name, i, params[i].Type, v)
			}
		}
		return nil
	})
}

// runTop runs a request in its own frame and reports uncaught errors.
func (s *Session) runTop(fn func(f *frame) error) {
	if s.dead { // the reset has closed it
		return
	}
	s.tries, s.caught, s.bulk = nil, nil, nil
	f := s.newFrame(&unit{Code: newCode(nil)})
	s.frames = []*frame{f}
	err := query.Catch(func() error { return fn(f) })
	if err != nil {
		s.failed(s.asRaised(f, err))
	}
	s.frames = nil
	if s.tran.Doomed {
		s.tran.RollbackAll()
		s.out.Error(&sqlerr.Error{Number: 3998, Severity: 16, State: 1, Line: 1, Text: "Uncommittable transaction is detected at the end of the batch. The transaction is rolled back."})
	}
}

// failed reports an error that no statement has handled.
func (s *Session) failed(r *raised) {
	if r.reported {
		return
	}
	if r.Line == 0 {
		c := *r.sqlError
		c.Line = 1
		r.sqlError = &c
	}
	s.report(r)
	if s.tran.Count > 0 && (r.Scope >= sqlerr.Transaction || (s.set.XactAbort && !r.user)) {
		s.tran.RollbackAll()
	}
}

// RunTransaction handles a transaction manager request of a driver.
func (s *Session) RunTransaction(kind string, iso uint8, name string) {
	s.command = kind
	s.runTop(func(*frame) error {
		switch kind {
		case "begin":
			if iso >= uint8(plan.ReadUncommitted) && iso <= uint8(plan.Snapshot) {
				s.tran.Level = plan.Isolation(iso)
			}
			s.tran.Begin(name)
			return nil
		case "commit":
			return s.tran.Commit()
		case "rollback":
			return s.tran.Rollback(name)
		case "save":
			return s.tran.Save(name)
		}
		return sqlerr.NotSupported("transaction manager request %s", kind)
	})
}

// ResetConnection handles the reset bit of a pooled connection's next request.
func (s *Session) ResetConnection(keepTransaction bool) { s.resetConnection(keepTransaction) }

// tableParameter builds a table-valued parameter from the rows that a driver sent.
func (s *Session) tableParameter(p RPCParam) (*catalog.Table, error) {
	name, err := splitName(p.Kind)
	if err != nil {
		return nil, err
	}
	schema := s.defaultSchema()
	if len(name) > 1 {
		schema = name[len(name)-2]
	}
	ut := s.db.TypeByName(schema, name[len(name)-1])
	if ut == nil || ut.Table == nil {
		return nil, message.MS(2715, 1, p.Kind).At(16, 3).Ending(sqlerr.Batch)
	}
	t := s.freshTable(ut.Table.Table(), p.Name)
	return t, s.atomic(false, func() error {
		for _, r := range p.Table {
			row := make(value.Row, len(t.Columns))
			for i := range row {
				if i >= len(r) {
					continue
				}
				v, err := datatype.Convert(r[i], p.Columns[i], t.Columns[i].Type, datatype.NoStyle, datatype.Implicit)
				if err != nil {
					return err
				}
				row[i] = v
			}
			if _, err := s.tran.Tx.Insert(t.Data, row); err != nil {
				return err
			}
		}
		return nil
	})
}
