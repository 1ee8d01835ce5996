package mssql

import (
	"errors"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// sqlError is embedded under this name, because Error is a method.
type sqlError = sqlerr.Error

// raised is an error on its way up through the statements of a session: to the nearest
// TRY that may see it, or to the end of the batch.
type raised struct {
	*sqlError
	frame    *frame          // where it was raised
	compile  bool            // raised while a statement was compiled: TRY blocks of the same frame do not see it
	reported bool            // the client has been told
	user     bool            // RAISERROR: XACT_ABORT does not apply
	before   []*sqlerr.Error // what the same statement raised first: CATCH does not see them
}

// attention ends a batch without a message: the client asked for it.
var errAttention = &sqlerr.Error{Number: 3617, Severity: 16, State: 1, Text: "The request was cancelled.", Scope: sqlerr.Batch, Uncaught: true}

// asRaised converts an error of any layer to a SQL Server error.
func (s *Session) asRaised(f *frame, err error) *raised {
	var r *raised
	if errors.As(err, &r) {
		return r
	}
	r = &raised{sqlError: s.asSQLError(err), frame: f}
	if c, ok := errors.AsType[*ddl.Chain](err); ok {
		r.before = c.Errors[:len(c.Errors)-1]
	}
	return r
}

func (s *Session) asSQLError(err error) *sqlerr.Error {
	var e *sqlerr.Error
	if errors.As(err, &e) {
		return e
	}
	var deadlock *store.Deadlock
	var timeout *store.LockTimeout
	var conflict *store.UpdateConflict
	switch {
	case errors.As(err, &deadlock):
		e = message.MS(1205, s.spid).
			At(13, 51).Ending(sqlerr.Transaction)
	case errors.As(err, &timeout):
		e = message.MS(1222).At(16, 51)
	case errors.As(err, &conflict):
		e = message.MS(3960, conflict.Table.Name(), s.db.Name).At(16, 5).Ending(sqlerr.Transaction)
	case errors.Is(err, store.ErrFull):
		e = message.MS(9002, s.db.Name, "LOG_BACKUP").At(17, 2)
	case errors.Is(err, store.ErrInterrupted):
		return errAttention
	default:
		e = sqlerr.New(sqlerr.NotSupportedNumber, "sandbox: internal error: %v", err).Ending(sqlerr.Batch)
		e.Uncaught = true
	}
	e.Cause = err
	return e
}

// fail decides what an uncaught or catchable error does to the transaction, and whether the
// statements after it run. It returns nil when they do.
func (s *Session) fail(f *frame, err error) error {
	r := s.asRaised(f, err)
	if r.frame == nil {
		r.frame = f
	}
	s.lastError = r.Number
	if f.object != nil && f.object.Kind.IsFunction() {
		return r // a function ends with its error, and so does the statement that calls it ("User-defined functions")
	}
	broken := s.broken
	s.broken = Other
	if r.reported {
		if broken != Other {
			s.done(broken, 0, false)
		}
		return r
	}
	scope := r.Scope
	if arithmetic[r.Number] && !s.set.ANSIWarnings {
		// "SET ARITHABORT": ON ends the batch; OFF gives NULL and a message.
		if scope = sqlerr.Batch; !s.set.ArithAbort {
			r.sqlError = sqlerr.NotSupported("an arithmetic error under SET ANSI_WARNINGS OFF and SET ARITHABORT OFF")
		}
	}
	abort := s.set.XactAbort && !r.user && !r.Refuses() // a refusal leaves the transaction as it was
	aborting := scope != sqlerr.Statement || abort || r.Dooms
	if s.caughtAbove(r) {
		if aborting && s.tran.Count > 0 && !r.user {
			s.tran.Doomed = true
		}
		if broken != Other {
			s.done(broken, 0, false) // without an error: the result set ends like any other
		}
		return r
	}
	for _, e := range r.before {
		first := *e
		first.Line, first.Unit = r.Line, r.Unit
		s.report(&raised{sqlError: &first, frame: r.frame})
	}
	if s.report(r) {
		s.done(broken, 0, false) // a statement has one DONE, which follows its error ([MS-TDS] 2.2.7.6)
	}
	if s.tran.Count > 0 && (scope == sqlerr.Transaction || scope == sqlerr.Connection || abort) {
		s.tran.RollbackAll()
	}
	if scope == sqlerr.Connection {
		s.dead = true
	}
	if aborting || r.compile {
		r.reported = true
		return r
	}
	return nil
}

// arithmetic are overflow, division by zero and domain errors.
var arithmetic = map[int32]bool{220: true, 232: true, 3606: true, 3607: true, 8115: true, 8134: true}

func isAttention(e *sqlerr.Error) bool { return e == errAttention || e.Number == errAttention.Number }

// caughtAbove reports whether a TRY block of this session will see the error.
func (s *Session) caughtAbove(r *raised) bool {
	if r.Uncaught && !r.Refuses() || r.Severity >= 20 {
		return false
	}
	outside := len(s.frames) // a refusal is seen by a TRY around the dynamic SQL that raised it
	for r.Refuses() && outside > 0 {
		if outside--; s.frames[outside].dynamic {
			break
		}
	}
	for _, t := range s.tries {
		if r.Uncaught && slices.Index(s.frames, t) >= outside {
			continue
		}
		if !r.compile || t != r.frame {
			return true
		}
	}
	return false
}

// report sends an error to the client, unless it was sent before, and reports whether it did.
func (s *Session) report(r *raised) bool {
	if r.reported || isAttention(r.sqlError) {
		return false
	}
	r.reported = true
	s.out.Error(r.sqlError)
	return true
}
