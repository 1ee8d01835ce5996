package query

import (
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Catch runs fn and returns the SQL error that it panicked with, or its own error. Kills and
// bugs go on as panics.
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

// raised wraps an error of a lower layer (a deadlock, a lock time-out) on its way up to Catch.
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

// Check raises err if it is one.
func Check(err error) {
	if err != nil {
		Raise(err)
	}
}

// Must returns v, or raises err if it is one.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}
