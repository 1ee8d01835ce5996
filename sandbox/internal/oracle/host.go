package oracle

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/supplied"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var _ supplied.Session = (*Session)(nil)

// NextVal implements plan.Env.
func (s *Session) NextVal(seq *catalog.Sequence) value.Value {
	n := seq.Next()
	s.currval[seq] = n
	return value.NewInt(n)
}

// CurrVal implements plan.Env.
func (s *Session) CurrVal(seq *catalog.Sequence, name string) (value.Value, error) {
	n, ok := s.currval[seq]
	if !ok {
		return value.Value{}, message.ORA(8002, name)
	}
	return value.NewInt(n), nil
}

// maxDepth is the maximum nesting of calls (ORA-00036 is for recursive SQL; PL/SQL fails with ORA-06500 when memory runs out).
const maxDepth = 1000

// Enter implements plsql.Host.
func (s *Session) Enter(u *plsql.Unit) (func(), error) {
	if len(s.rights) > maxDepth {
		return nil, message.ORA(6500)
	}
	f := *s.here()
	if u.Object != nil && u.Owner != catalog.Sys && f.rights.User != u.Owner {
		switch {
		case u.CurrentUser && s.srv.k.Differs(differ.NobodyInherits):
			return nil, message.ORA(6598)
		case s.srv.k.Differs(differ.CallersNeedExecute) && !s.srv.catalog.Allowed(f.rights, "EXECUTE", u.Object):
			return nil, &sqlerr.Error{Number: 6550, Text: "PLS-00904: insufficient privilege to access object " + u.Name}
		}
	}
	if !u.CurrentUser {
		f = frame{catalog.Rights{User: u.Owner}, u.Owner}
	}
	var release func()
	if u.Object != nil && u.Owner != catalog.Sys {
		var err error
		if release, err = s.hold(u.Object); err != nil {
			return nil, err
		}
	}
	s.rights = append(s.rights, f)
	return func() {
		s.rights = s.rights[:len(s.rights)-1]
		if release != nil {
			release()
		}
	}, nil
}

// Package implements plsql.Host.
func (s *Session) Package(u *plsql.Unit) (*plsql.Instance, error) {
	o := u.Object
	var body *catalog.Object
	if o.Owner != catalog.Sys {
		body = s.srv.catalog.Body(o.Owner, o.Name)
	}
	bodyStamp := int64(0)
	if body != nil {
		bodyStamp = body.Stamp
	}
	if p := s.packages[o.ID]; p != nil {
		if p.instance.Spec == u && p.body == bodyStamp && (body == nil || !body.Invalid) {
			return p.instance, nil
		}
		delete(s.packages, o.ID)
		if p.instance.Stateful() {
			return nil, errDiscarded(o, body != nil && bodyStamp != p.body)
		}
	}
	var compiled *plsql.Unit
	if body != nil {
		var err error
		if compiled, err = s.srv.compiled(body); err != nil {
			return nil, err
		}
		if compiled == nil {
			return nil, stacked(message.ORA(4063, "package body", o.Owner, o.Name), errNotFound(o))
		}
	} else if o.Owner != catalog.Sys && u.NeedsBody() {
		return nil, stacked(message.ORA(4067, o.Owner, o.Name), errNotFound(o))
	}
	p := &packageState{instance: plsql.NewInstance(u, compiled), body: bodyStamp}
	s.packages[o.ID] = p
	if err := p.instance.Initialize(s); err != nil {
		delete(s.packages, o.ID)
		return nil, err
	}
	return p.instance, nil
}

// stacked appends the lines of other errors to e's.
func stacked(e *sqlerr.Error, others ...*sqlerr.Error) *sqlerr.Error {
	for _, o := range others {
		e.Text += fmt.Sprintf("\nORA-%05d: %s", o.Number, o.Text)
	}
	return e
}

func errNotFound(o *catalog.Object) *sqlerr.Error {
	return message.ORA(6508, o.Owner, o.Name)
}

// errDiscarded is the stack of a package whose variables are lost because its specification or body was recompiled.
func errDiscarded(o *catalog.Object, body bool) error {
	kind := "package"
	if body {
		kind = "package body"
	}
	return stacked(message.ORA(4068), message.ORA(4061, kind, o.Owner, o.Name), message.ORA(4065, kind, o.Owner, o.Name), errNotFound(o))
}

// packageState is a package in a session.
type packageState struct {
	instance *plsql.Instance
	body     int64 // Stamp of the body
}

// Packages implements supplied.Session.
func (s *Session) Packages() iter.Seq[*plsql.Instance] {
	return func(yield func(*plsql.Instance) bool) {
		for _, id := range slices.Sorted(maps.Keys(s.packages)) {
			if !yield(s.packages[id].instance) {
				return
			}
		}
	}
}

// HandlesBreaks implements plsql.Host.
func (s *Session) HandlesBreaks() bool {
	k := s.srv.k
	return k.Differs(differ.BreaksAreHandled) || k.Differs(differ.HandledStopsFail) || k.Differs(differ.HandledStopsStop)
}

// Tick implements plsql.Host.
func (s *Session) Tick() error { return s.step() }

// caller adapts the session to packages aq and jobs.
type caller struct{ s *Session }

var (
	_ aq.Caller   = caller{}
	_ jobs.Caller = caller{}
)

// Session implements aq.Caller.
func (c caller) Session() *store.Session { return c.s.st }

// Commit implements aq.Caller.
func (c caller) Commit() error { return c.s.Commit(nil) }

// User implements jobs.Caller.
func (c caller) User() string { return c.s.here().rights.User }

// Manages implements jobs.Caller.
func (c caller) Manages() bool { return c.s.srv.catalog.Has(c.s.here().rights, "MANAGE SCHEDULER") }

// State implements plsql.Host.
func (s *Session) State() *plsql.State { return &s.plsql }

// StoreSession implements supplied.Session.
func (s *Session) StoreSession() *store.Session { return s.st }

// ID implements supplied.Session.
func (s *Session) ID() (sid, serial int) { return s.sid, s.serial }

// Alive implements supplied.Session.
func (s *Session) Alive(sid, serial int) bool {
	other := s.srv.Session(sid)
	return other != nil && other.serial == serial || s.srv.killed[[2]int{sid, serial}] && s.srv.k.Differs(differ.KilledSeemsAlive)
}

// User implements supplied.Session.
func (s *Session) User() string { return s.user.Name }

// Schema implements supplied.Session.
func (s *Session) Schema() string { return s.currentSchema() }

// Supplied implements supplied.Session.
func (s *Session) Supplied() *supplied.State { return &s.supplied }

// Shared implements supplied.Session.

// Queues implements supplied.Session.
func (s *Session) Queues() *aq.Instance { return s.srv.queues }

// Consumer implements supplied.Session.
func (s *Session) Consumer() *aq.Consumer { return &s.consumer }

// Jobs implements supplied.Session.
func (s *Session) Jobs() *jobs.Scheduler { return s.srv.jobs }

// JobEnvironment implements supplied.Session: a job runs with the NLS settings of the session that created it.
func (s *Session) JobEnvironment() any { return s.nls }
