package plan

import (
	"errors"
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// place is the Cause of a compile error: where it is.
type place struct{ ast.Pos }

func (p *place) Error() string { return fmt.Sprintf("line %d, column %d", p.Line, p.Column) }

// Where returns the place, in the compiled text, of an error that a Compile function returned.
func Where(err error) (ast.Pos, bool) {
	var p *place
	if errors.As(err, &p) {
		return p.Pos, true
	}
	return ast.Pos{}, false
}

// located adds the compiler's place to an error.
func located(err error, c *compiler) error { return At(err, c.pos) }

// At adds its place to a SQL error.
func At(err error, pos ast.Pos) error {
	e, ok := err.(*sqlerr.Error) //nolint:errorlint // the error itself: wrapped ones are not SQL errors
	if !ok || e.Cause != nil {
		return err
	}
	at := *e
	at.Cause = &place{pos}
	return &at
}

// ErrPLS is an error of PL/SQL's compiler: number 6550, under which such errors reach a client, and a text that begins
// with PLS and the error's own number.
func ErrPLS(number int32, args ...any) *sqlerr.Error {
	return &sqlerr.Error{Number: 6550, Text: fmt.Sprintf("PLS-%05d: %s", number, message.PLS(number, args...).Text)}
}

// oraNumber is the number of a SQL error, 0 for any other.
func oraNumber(err error) int32 {
	var e *sqlerr.Error
	if errors.As(err, &e) {
		return e.Number
	}
	return 0
}

// fail unwinds with an error of SQL.
func fail(number int32, args ...any) { panic(message.ORA(number, args...)) }

// refuse unwinds with the refusal of what is not modeled.
func refuse(format string, args ...any) { panic(sqlerr.NotSupported(format, args...)) }
