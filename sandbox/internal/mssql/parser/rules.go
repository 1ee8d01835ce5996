package parser

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// rules refuses what the parser accepts and the engine does not.
func rules(b *ast.Batch, tokens []token) error {
	r := ruler{tokens: tokens}
	r.walk(reflect.ValueOf(b), true)
	return r.err
}

type ruler struct {
	tokens []token
	err    error
}

var statementType = reflect.TypeFor[ast.Statement]()

func (r *ruler) walk(v reflect.Value, batch bool) {
	if r.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		r.walk(v.Elem(), batch)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		case *ast.Identifier:
			r.identifier(n)
		case *ast.SchemaObjectName:
			r.prefixes(n)
		case *ast.ExecutableProcedureReference:
			r.arguments(n)
		case *ast.PrintStatement:
			if _, query := n.Expression.(*ast.ScalarSubquery); query {
				at, _ := r.at(n)
				r.fail(r.tokens[at].line, message.MS(1046))
			}
		case *ast.QueryDerivedTable:
			r.unordered(n.QueryExpression)
		case *ast.CommonTableExpression:
			r.unordered(n.QueryExpression)
		case *ast.ScalarSubquery:
			r.unordered(n.QueryExpression)
		case *ast.CreateViewStatement:
			r.unordered(n.SelectStatement.QueryExpression)
		case *ast.AlterViewStatement:
			r.unordered(n.SelectStatement.QueryExpression)
		case *ast.CreateOrAlterViewStatement:
			r.unordered(n.SelectStatement.QueryExpression)
		}
		r.walk(v.Elem(), batch)
	case reflect.Slice:
		for i := range v.Len() {
			if st, ok := v.Index(i).Interface().(ast.Statement); ok && v.Type().Elem() == statementType {
				r.statement(st, i, batch)
			}
			r.walk(v.Index(i), false)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[ast.Fragment]() {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.walk(v.Field(i), batch)
			}
		}
	}
}

// unordered refuses ORDER BY where only TOP, OFFSET or FOR XML gives it a meaning (learn.microsoft.com, "ORDER BY clause").
func (r *ruler) unordered(q ast.QueryExpression) {
	n, ok := q.(*ast.QuerySpecification)
	if !ok || n.OrderByClause == nil || n.TopRowFilter != nil || n.OffsetClause != nil || n.ForClause != nil {
		return
	}
	line := 1
	if i, ok := r.at(n.OrderByClause); ok {
		line = r.tokens[i].line
	}
	r.fail(line, message.MS(1033).At(16, 1))
}

// arguments: after one with a name, all must have names (learn.microsoft.com, "EXECUTE (Transact-SQL)").
func (r *ruler) arguments(n *ast.ExecutableProcedureReference) {
	for i, p := range n.Parameters {
		if i > 0 && p.Variable == nil && n.Parameters[i-1].Variable != nil {
			at, _ := r.at(n.Parameters[i-1].Variable)
			r.fail(r.tokens[at].line, message.MS(119, i+1))
		}
	}
}

// prefixes: a name has at most four parts (learn.microsoft.com, "Transact-SQL syntax conventions", multipart names).
func (r *ruler) prefixes(n *ast.SchemaObjectName) {
	if len(n.Identifiers) <= 4 {
		return
	}
	parts := make([]string, len(n.Identifiers))
	for i, id := range n.Identifiers {
		parts[i] = id.Value
	}
	at, _ := r.at(n.Identifiers[0])
	r.fail(r.tokens[at].line, message.MS(117, "object", strings.Join(parts, "."), 3))
}

// at finds the first token of a node.
func (r *ruler) at(n any) (int, bool) {
	f, ok := n.(interface{ Frag() *ast.Fragment })
	if !ok || !f.Frag().HasSpan() {
		return 0, false
	}
	i, found := slices.BinarySearchFunc(r.tokens, f.Frag().StartOffset, func(t token, start int) int { return cmp.Compare(t.start, start) })
	return i, found
}

func (r *ruler) fail(line int, e *sqlerr.Error) {
	if r.err == nil {
		e = e.At(15, 1).Ending(sqlerr.Batch)
		e.Line = line
		r.err = e
	}
}

// statement checks the i-th statement of a list; batch: the list is the batch itself.
func (r *ruler) statement(st ast.Statement, i int, batch bool) {
	first, ok := r.at(st)
	if !ok {
		return
	}
	t := r.tokens[first]
	terminated := i == 0 || first == 0 || r.tokens[first-1].text == ";" || r.tokens[first-1].text == ":"
	switch n := st.(type) {
	case *ast.LabelStatement:
		if !strings.HasSuffix(n.Value, ":") {
			r.err = near(r.tokens[min(first+1, len(r.tokens)-1)])
		}
	case *ast.ExecuteStatement:
		// EXEC may be left out in the first statement of a batch only (learn.microsoft.com, "EXECUTE (Transact-SQL)").
		// The grammar has accepted the batch, so the parser has split a statement in two.
		if word := strings.ToUpper(t.text); word != "EXEC" && word != "EXECUTE" && (!batch || i > 0) {
			r.err = sqlerr.NotSupported("%s in this place", word)
		}
	case *ast.ThrowStatement, *ast.SendStatement, *ast.ReceiveStatement, *ast.GetConversationGroupStatement:
		// Their pages say that the statement before them must be terminated.
		if !terminated {
			r.err = near(t)
		}
	case *ast.SelectStatement, *ast.InsertStatement, *ast.UpdateStatement, *ast.DeleteStatement:
		r.with(t, terminated)
	default:
		r.firstInBatch(st, i, batch, t.line)
	}
}

func (r *ruler) with(t token, terminated bool) {
	if strings.EqualFold(t.text, "WITH") && !terminated {
		r.fail(t.line, message.MS(319))
	}
}

// firstInBatch: a module is defined by the only statement of a batch, or the first one (learn.microsoft.com, "CREATE PROCEDURE",
// "CREATE VIEW", "CREATE FUNCTION", "CREATE TRIGGER").
func (r *ruler) firstInBatch(st ast.Statement, i int, batch bool, line int) {
	name := reflect.TypeOf(st).Elem().Name()
	kind, ok := strings.CutSuffix(name, "Statement")
	if !ok || (i == 0 && batch) {
		return
	}
	verb := "CREATE/ALTER"
	for _, v := range []string{"CreateOrAlter", "Create", "Alter"} {
		if rest, found := strings.CutPrefix(kind, v); found {
			kind, ok = rest, false
			break
		}
	}
	switch {
	case ok:
		return
	case kind == "View":
		verb = strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(name, "Statement"), "View"))
		if verb == "CREATEORALTER" {
			verb = "CREATE/ALTER"
		}
		if !batch {
			r.err = message.MS(156, "VIEW").Ending(sqlerr.Batch)
			return
		}
	case kind == "Procedure", kind == "Function", kind == "Trigger":
		if !batch {
			r.fail(line, message.MS(156, strings.ToUpper(kind)).At(16, 1))
			return
		}
	default:
		return
	}
	r.fail(line, message.MS(111, verb, strings.ToUpper(kind)))
}

// identifier: the parser makes names of a few words for which it has no node. The grammar says where a name is not allowed.
func (r *ruler) identifier(id *ast.Identifier) {
	if id.QuoteType != "NotQuoted" || !isReserved(id.Value) {
		return
	}
	i, ok := r.at(id)
	if !ok || !strings.EqualFold(r.tokens[i].text, id.Value) {
		return
	}
	switch strings.ToUpper(id.Value) {
	case "PUBLIC", "CONVERT", "COALESCE", "NULLIF", "LEFT", "RIGHT", "CURRENT_TIMESTAMP", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER",
		"SELECT", "INSERT", "UPDATE", "DELETE", "EXECUTE", "ALTER", "CREATE", "VIEW", "REFERENCES", "TABLE", "CONTROL", "ANY", "SCHEMA",
		"PROCEDURE", "FUNCTION", "DATABASE", "ON", "OFF", "KEY", "CURSOR", "DEFAULT", "ALL", "SET":
		return // permissions, functions, options
	}
	r.err = sqlerr.NotSupported("%s in this place", strings.ToUpper(id.Value))
}
