package plsql

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plan"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// raised is the Cause of an error that a program raised, or that occurred while an exception handler ran.
type raised struct {
	exception *exception    // a user-defined exception without a number
	replaces  bool          // RAISE_APPLICATION_ERROR without keep_errors: no other error stays on the stack
	under     *sqlerr.Error // the error that was being handled, which stays below it on the stack
	at        int           // how many of the error's frames are above that
	cause     error         // the error's own Cause
}

func (r *raised) Error() string { return "raised by a program" }

func (r *raised) Unwrap() error { return r.cause }

// over returns an error that occurred while another was handled, on top of the other.
func over(e, handled *sqlerr.Error) *sqlerr.Error {
	r := raised{cause: e.Cause}
	if old := raisedOf(e); old != nil {
		r = *old
	}
	if r.under != nil {
		r.under = over(r.under, handled)
	} else {
		r.under, r.at = handled, len(e.Frames)
	}
	c := *e
	c.Cause = &r
	return &c
}

func raisedOf(e *sqlerr.Error) *raised {
	r, _ := e.Cause.(*raised) //nolint:errorlint // only the error's own Cause counts
	return r
}

// line is an error's first line.
func line(e *sqlerr.Error) string { return fmt.Sprintf("ORA-%05d: %s", e.Number, e.Text) }

func frameLine(f sqlerr.Frame) string {
	if f.Unit == "" {
		return fmt.Sprintf("ORA-06512: at line %d", f.Line)
	}
	return fmt.Sprintf("ORA-06512: at %q, line %d", f.Unit, f.Line)
}

// ErrorText returns an error as clients see it: "ORA-20001: text", then a line "ORA-06512: at …" for each frame; after
// the frame whose handler raised it comes the error that was handled there (as the Language Reference shows in
// "Propagation of Exceptions Raised in Exception Handlers").
func ErrorText(err error) string {
	var e *sqlerr.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	var b strings.Builder
	if e.Number == sqlerr.NotSupportedNumber {
		b.WriteString(e.Text)
	} else {
		b.WriteString(line(e))
	}
	r := raisedOf(e)
	if r == nil {
		r = &raised{}
	}
	for i := range len(e.Frames) + 1 {
		if r.under != nil && i == min(r.at, len(e.Frames)) {
			b.WriteString("\n" + ErrorText(r.under))
		}
		if i < len(e.Frames) {
			b.WriteString("\n" + frameLine(e.Frames[i]))
		}
	}
	return b.String()
}

// ErrorStack is DBMS_UTILITY.FORMAT_ERROR_STACK for an error being handled: its lines without that of the activation
// whose handler it is. (This is so since 12.2, as results from real servers show: renenyffenegger.ch, "DBMS_UTILITY: FORMAT_xxx".)
func ErrorStack(e *sqlerr.Error) string {
	c := *e
	if n := len(c.Frames); n > 0 {
		c.Frames = c.Frames[:n-1]
	}
	return ErrorText(&c) + "\n"
}

// Backtrace is DBMS_UTILITY.FORMAT_ERROR_BACKTRACE for an error being handled.
func Backtrace(e *sqlerr.Error) string {
	var b strings.Builder
	for _, f := range e.Frames {
		b.WriteString(frameLine(f) + "\n")
	}
	return b.String()
}

// spot is the Cause of a compile error: where it is.
type spot struct{ ast.Pos }

func (s *spot) Error() string { return fmt.Sprintf("line %d, column %d", s.Line, s.Column) }

// fail unwinds with an error of the compiler at a place.
func fail(at ast.Node, number int32, args ...any) {
	e := *plan.ErrPLS(number, args...)
	e.Cause = &spot{at.Position()}
	panic(&e)
}

// raiseAt unwinds with an error, if err is one, at a place unless the error has its own.
func raiseAt(at ast.Node, err error) {
	if err == nil {
		return
	}
	e := *asError(err)
	if e.Cause == nil {
		e.Cause = &spot{at.Position()}
	}
	panic(&e)
}

// refuse unwinds with the refusal of what is not modeled.
func refuse(at ast.Node, format string, args ...any) {
	e := sqlerr.NotSupported(format, args...)
	e.Cause = &spot{at.Position()}
	panic(e)
}

// place returns the place of a compile error, def if it has none.
func place(err error, def ast.Pos) ast.Pos {
	var s *spot
	if errors.As(err, &s) {
		return s.Pos
	}
	if p, ok := plan.Where(err); ok && p.Line > 0 {
		return p
	}
	return def
}

// ErrInvalidUnit is PLS-00905, for Library.Unit.
func ErrInvalidUnit(owner, name string) error {
	return plan.ErrPLS(905, owner, name)
}

// compileError formats an error for USER_ERRORS.
func compileError(err error, def ast.Pos) catalog.CompileError {
	at := place(err, def)
	out := catalog.CompileError{Line: at.Line, Position: at.Column, Attribute: "ERROR", Text: err.Error()}
	var e *sqlerr.Error
	if errors.As(err, &e) {
		out.Number = int(e.Number)
		switch {
		case e.Number == sqlerr.NotSupportedNumber, strings.HasPrefix(e.Text, "PL/SQL: "):
			out.Text = e.Text
		case e.Number == 6550:
			out.Text = e.Text
			_, _ = fmt.Sscanf(e.Text, "PLS-%d", &out.Number)
		default:
			out.Text = fmt.Sprintf("PL/SQL: ORA-%05d: %s", e.Number, e.Text)
		}
	}
	return out
}
