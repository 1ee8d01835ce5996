package mssql

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// runTryCatch executes a TRY block and, after an error that it may see, the CATCH block.
// What it does not see: errors of severity 10 or lower (they are messages), 20 or higher, attentions, KILL, and
// errors in compiling a statement of its own frame
// (learn.microsoft.com, "TRY...CATCH (Transact-SQL)", "Errors Unaffected by a TRY...CATCH Construct").
func (s *Session) runTryCatch(f *frame, n *ast.TryCatchStatement) (flow, error) {
	fl, err := s.runTry(f, n)
	if err == nil {
		return fl, nil
	}
	r := s.asRaised(f, err)
	if r.reported || r.Uncaught || r.Severity >= 20 || (r.compile && r.frame == f) {
		return flow{}, err
	}
	s.lastError = r.Number
	s.caught = append(s.caught, r.sqlError)
	depth := len(s.caught)
	defer func() { s.caught = s.caught[:min(depth-1, len(s.caught))] }()
	if n.CatchStatements == nil {
		return flow{}, nil
	}
	return s.runList(f, n.CatchStatements.Statements)
}

func (s *Session) runTry(f *frame, n *ast.TryCatchStatement) (fl flow, err error) {
	s.tries = append(s.tries, f)
	depth := len(s.tries)
	defer func() { s.tries = slices.Delete(s.tries, min(depth-1, len(s.tries)), len(s.tries)) }()
	if n.TryStatements == nil {
		return flow{}, nil
	}
	return s.runList(f, n.TryStatements.Statements)
}

// current returns the error that the innermost running CATCH block handles, or nil.
func (s *Session) current() *sqlerr.Error {
	if len(s.caught) == 0 {
		return nil
	}
	return s.caught[len(s.caught)-1]
}

// throw executes THROW.
func (s *Session) throw(f *frame, n *ast.ThrowStatement) {
	if n.ErrorNumber == nil {
		e := s.current()
		if e == nil {
			panic(message.MS(10704).Ending(sqlerr.Batch))
		}
		c := *e
		c.Scope = max(c.Scope, sqlerr.Batch)
		panic(query.Raised(&raised{sqlError: &c, frame: f}))
	}
	vals := s.scalars(f, n, n.ErrorNumber, n.Message, n.State)
	number := vals[0].Int64()
	if vals[0].IsNull() || number < 50000 || number > 2147483647 {
		panic(message.MS(35100, number).At(16, 10))
	}
	// "% is a reserved character in the message text of a THROW statement and must be escaped" (THROW, Remarks).
	text := textOf(vals[1])
	if strings.Contains(strings.ReplaceAll(text, "%%", ""), "%") {
		panic(sqlerr.NotSupported("THROW of a text with one %% alone: %s", text))
	}
	panic(query.Raised(&raised{frame: f, sqlError: &sqlerr.Error{
		Number: int32(number), Severity: 16, State: uint8(vals[2].Int64()), Text: strings.ReplaceAll(text, "%%", "%"), Scope: sqlerr.Batch,
	}}))
}

func textOf(v value.Value) string {
	if v.IsNull() {
		return ""
	}
	return v.Str()
}
