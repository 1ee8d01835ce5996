package plsql

import (
	"errors"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxDepth is how deep calls may nest before PL/SQL runs out of storage, which keeps them from exhausting the Go stack.
const maxDepth = 2000

// ticksEvery is the number of loop iterations and calls between calls of Host.Tick.
const ticksEvery = 1000

// State is what PL/SQL keeps for a session: the error being handled, the implicit cursor's attributes, the
// running calls. The zero State is that of a new session.
type State struct {
	handling *sqlerr.Error
	stack    []*frame
	sql      implicit
	caller   sqlCaller
	rounds   int
}

// Handling returns the error that the innermost exception handler handles, or nil.
func (s *State) Handling() *sqlerr.Error { return s.handling }

// frame is an activation: a running subprogram or block with its variables, or a package with its state.
// It is the environment of plan's expressions and statements.
type frame struct {
	Host
	st       *State
	outer    *frame // of the subprogram or package around it
	unit     string // for error stacks: OWNER.NAME, "" for an anonymous block
	line     int    // of the running statement
	vars     []value.Value
	result   value.Value // for a function
	q        query.Frame
	noted    *sqlerr.Error // the error whose frames already include this one
	reraised *sqlerr.Error // the error that RAISE without a name last raised
	cursors  []*Cursor     // opened for the frame's variables
}

func newFrame(h Host, outer *frame, unit string, slots int) *frame {
	f := &frame{Host: h, st: h.State(), outer: outer, unit: unit, vars: make([]value.Value, slots)}
	f.q.Env = f
	return f
}

// bare returns a frame without variables: for expressions that use none.
func bare(h Host) *frame {
	f := &frame{Host: h, st: h.State()}
	f.q.Env = f
	return f
}

// act returns the activation that an expression runs in.
func act(fr *query.Frame) *frame {
	if f, ok := fr.Env.(*frame); ok {
		return f
	}
	return bare(HostOf(fr.Env))
}

// HostOf returns the session from the environment of an expression (query.Frame.Env), which may be
// an activation of PL/SQL.
func HostOf(env any) Host {
	if f, ok := env.(*frame); ok {
		return f.Host
	}
	return env.(Host)
}

// up returns the activation n levels further out.
func (f *frame) up(n int) *frame {
	for ; n > 0; n-- {
		f = f.outer
	}
	return f
}

func (f *frame) here() sqlerr.Frame { return sqlerr.Frame{Unit: f.unit, Line: f.line} }

// note adds the activation to the stack of an error that leaves it or is handled in it.
func (f *frame) note(e *sqlerr.Error) *sqlerr.Error {
	if f.noted != e {
		c := *e
		c.Frames = append(slices.Clip(e.Frames), f.here())
		e, f.noted = &c, &c
	}
	return e
}

// tick lets time pass regularly in code that runs without SQL.
func (f *frame) tick() {
	if f.st.rounds++; f.st.rounds%ticksEvery == 0 {
		raise(f.Tick())
	}
}

// call runs fn as the activation f: it is on the stack of calls, and errors get its line.
func (f *frame) call(fn func()) {
	st := f.st
	if len(st.stack) >= maxDepth {
		raise(message.ORA(6500))
	}
	st.stack = append(st.stack, f)
	handling := st.handling
	defer func() {
		st.stack = st.stack[:len(st.stack)-1]
		st.handling = handling
		for _, c := range f.cursors {
			if !c.escaped {
				c.Close()
			}
		}
	}()
	// Panic again from here, not from a deferred function, which would keep the stack until the outermost one ends.
	err := query.Catch(func() error { f.tick(); fn(); return nil })
	if e, ok := err.(*sqlerr.Error); ok { //nolint:errorlint // only the error itself
		err = f.note(e)
	}
	raise(err)
}

// raise unwinds with an error, if it is one.
func raise(err error) {
	if err != nil {
		query.Raise(err)
	}
}

// try runs fn and returns the error that an exception handler may handle; others propagate.
func (f *frame) try(fn func()) *sqlerr.Error {
	err := query.Catch(func() error { fn(); return nil })
	if err == nil {
		return nil
	}
	var e *sqlerr.Error
	if !errors.As(err, &e) || e.Uncaught && (e.Number != 1013 || !f.HandlesBreaks()) {
		query.Raise(err)
	}
	return e
}
