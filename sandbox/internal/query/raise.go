package query

import (
	"github.com/dbsched/dbsched/sandbox/internal/function"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Catch runs fn and returns the SQL error that it panicked with, or its own error. Kills and
// bugs remain panics.
func Catch(fn func() error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if e, ok := p.(*sqlerr.Error); ok && !kernel.IsKill(p) {
			err = e
			return
		}
		if e, ok := p.(raised); ok {
			err = e.error
			return
		}
		panic(p)
	}()
	return fn()
}

// raised wraps an error of a lower layer (a deadlock, a lock timeout) on its way up to Catch.
type raised struct{ error }

// Raise unwinds to Catch with err.
func Raise(err error) { panic(Raised(err)) }

// Raised is what to panic with to unwind to Catch with err.
func Raised(err error) any {
	if e, ok := err.(*sqlerr.Error); ok { //nolint:errorlint // only the error itself, not what it wraps
		return e
	}
	return raised{err}
}

// Check raises err unless it is nil.
func Check(err error) {
	if err != nil {
		Raise(err)
	}
}

// Must returns v, or raises err unless it is nil.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Raising is an accumulator that raises errors instead of returning them.
func Raising(of function.Accumulator) Acc { return raising{of} }

type raising struct{ of function.Accumulator }

func (r raising) Add(v value.Value) { Check(r.of.Add(v)) }

func (r raising) Result() value.Value { return Must(r.of.Result()) }
