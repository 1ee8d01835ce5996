package oracle

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/query"
)

// Defer implements plan.Env.
func (s *Session) Defer(d plan.Deferred) bool {
	t := s.current()
	if t.immediate {
		return false
	}
	if !slices.ContainsFunc(t.deferred, func(o plan.Deferred) bool { return o.Name == d.Name }) {
		t.deferred = append(t.deferred, d)
	}
	return true
}

// broken returns the error of a deferred constraint that the transaction still violates.
func (t *transaction) broken() (err error) {
	caught := query.Catch(func() error {
		for _, d := range t.deferred {
			if d.Violated() {
				return d.Error()
			}
		}
		return nil
	})
	if caught == nil {
		t.deferred = nil
	}
	return caught
}

// constraintsImmediate is SET CONSTRAINTS ALL IMMEDIATE: what is deferred is checked now and from now on; it changes nothing
// if it fails (SQL Language Reference, SET CONSTRAINT[S]).
func (s *Session) constraintsImmediate() error {
	t := s.current()
	if err := t.broken(); err != nil {
		return err
	}
	t.immediate = true
	return nil
}

// rolledBack undoes a transaction that cannot be committed: ORA-02091, with its cause below.
func (s *Session) rolledBack(cause error) error {
	if err := s.Rollback(); err != nil {
		return err
	}
	return message.ORA(2091, plsql.ErrorText(cause))
}
