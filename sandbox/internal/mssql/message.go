package mssql

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/builtin"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// print sends text, cut off after 8,000 bytes (learn.microsoft.com, "PRINT (Transact-SQL)").
func (s *Session) print(f *frame, n *ast.PrintStatement) {
	v, t, err := s.typed(f, n, n.Expression)
	query.Check(err)
	v = query.Must(datatype.Convert(v, t, datatype.Type{ID: datatype.NVarChar, Len: 4000, Coll: s.collation()}, datatype.NoStyle, datatype.Implicit))
	s.info(0, 0, 1, lineOf(n), textOf(v))
}

// raiseError runs RAISERROR: a message up to severity 10, above it an error that CATCH sees. It never ends the batch
// and XACT_ABORT does not apply to it, but severity 20 and more ends the connection
// (learn.microsoft.com, "RAISERROR (Transact-SQL)").
func (s *Session) raiseError(f *frame, n *ast.RaiseErrorStatement) {
	msg, msgType, err := s.typed(f, n, n.FirstParameter)
	query.Check(err)
	vals := s.scalars(f, n, n.SecondParameter, n.ThirdParameter)
	number, text := int32(50000), textOf(msg)
	if !msgType.IsCharacter() {
		panic(sqlerr.NotSupported("RAISERROR with a message number"))
	}
	args := make([]value.Value, len(n.OptionalParameters))
	types := make([]datatype.Type, len(args))
	for i, p := range n.OptionalParameters {
		args[i], types[i], err = s.typed(f, n, p)
		query.Check(err)
	}
	text = builtin.FormatMessage(text, args, types)
	severity, state := vals[0].Int64(), vals[1].Int64()
	if state < 0 {
		state = 1
	}
	severity, state = max(0, min(severity, 25)), min(state, 255)
	options := strings.ToLower(n.RaiseErrorOptions)
	for option := range strings.SplitSeq(options, ",") {
		switch strings.TrimSpace(option) {
		case "", "none", "nowait", "seterror":
		case "log":
			if !s.token().Sysadmin {
				panic(message.MS(2778))
			}
			s.srv.log(text)
		default:
			panic(sqlerr.NotSupported("RAISERROR ... WITH %s", option))
		}
	}
	nowait := strings.Contains(options, "nowait")
	if severity <= 10 {
		s.info(number, uint8(severity), uint8(state), lineOf(n), text)
		s.lastError = 0
		if strings.Contains(options, "seterror") {
			s.lastError = number
		}
		if nowait {
			s.out.Flush()
		}
		return
	}
	if severity > 18 && (!strings.Contains(options, "log") || !s.token().Sysadmin) {
		panic(message.MS(2754))
	}
	e := &sqlerr.Error{Number: number, Severity: uint8(severity), State: uint8(state), Text: text}
	if severity >= 20 {
		e.Scope = sqlerr.Connection
	}
	panic(query.Raised(&raised{sqlError: e, frame: f, user: severity < 20}))
}

// nameOrValue returns the text of a name that is an identifier, a literal or a variable.
func (s *Session) nameOrValue(f *frame, key any, n *ast.IdentifierOrValueExpression) (string, error) {
	switch {
	case n == nil:
		return "", nil
	case n.Identifier != nil:
		return n.Identifier.Value, nil
	case n.ValueExpression != nil:
		v, err := s.scalar(f, key, n.ValueExpression)
		return textOf(v), err
	}
	return n.Value, nil
}

// objectOfKind resolves a name to an object of a kind.
func (s *Session) objectOfKind(f *frame, name *ast.SchemaObjectName, kind catalog.Kind) *catalog.Object {
	o := query.Must(scope{s, f}.Resolve(name))
	if o.Kind != kind {
		query.Check(invalidObject(name))
		return nil
	}
	return o
}
