package parser

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/sqlc-dev/teesql/ast"
)

// hidden replaces names that the parser would take for other words with underscores, blanks COLLATE in expressions, and terminates the statement THROW. Everything else stays in its place, and on its line.
func hidden(text string, tokens []token, names []int) string {
	u := utf16.Encode([]rune(text))
	for _, i := range names {
		from, fill := tokens[i].start, uint16('_')
		switch {
		case isCollation(tokens, i):
			from, fill = tokens[i-1].start, ' '
		case isTimeout(tokens[:i]):
			fill = '0'
		}
		for at := from; at < tokens[i].end; at++ {
			if u[at] != '\n' {
				u[at] = fill
			}
		}
	}
	for i, t := range tokens {
		if i > 0 && strings.EqualFold(t.text, "END") && strings.EqualFold(tokens[i-1].text, "THROW") && (u[t.start-1] == ' ' || u[t.start-1] == '\t') {
			u[t.start-1] = ';' // the parser would read an expression
		}
		if i > 1 && t.kind == tokenString && strings.EqualFold(tokens[i-2].text, "DISK") && tokens[i-1].text == "=" && (u[t.start] == 'N' || u[t.start] == 'n') {
			u[t.start] = ' ' // the parser knows no N'…' there
		}
	}
	return string(utf16.Decode(u))
}

// operands finds operands that the parser does not read in an expression: a variable at the start of a longer list item (it knows no precedence
// then), a procedure's name or a timer's timeout in a variable, money, and numbers that begin or end with a point.
func operands(tokens []token) (list []int) {
	for i, t := range tokens {
		called := t.kind == tokenWord && t.text[0] == '@' && i+1 < len(tokens) && tokens[i+1].text != "=" && isCall(tokens[:i])
		number := t.kind == tokenNumber && (t.text[0] == '.' || t.text[0] == '$' || t.text[len(t.text)-1] == '.')
		first := t.kind == tokenWord && t.text[0] == '@' && i > 0 && i+1 < len(tokens) && tokens[i+1].kind == tokenSymbol && strings.Contains("+-*/%&|^", tokens[i+1].text) &&
			(slices.Contains([]string{"SELECT", "DISTINCT", "ALL", ",", ")"}, strings.ToUpper(tokens[i-1].text)) || tokens[i-1].kind == tokenNumber)
		if number || first || called || t.text[0] == '@' && isTimeout(tokens[:i]) {
			list = append(list, i)
		}
	}
	return list
}

// isCall: what follows is the name of a procedure.
func isCall(before []token) bool {
	i := len(before) - 1
	if i >= 2 && before[i].text == "=" && before[i-1].text[0] == '@' {
		i -= 2
	}
	return i >= 0 && before[i].kind == tokenWord && (strings.EqualFold(before[i].text, "EXEC") || strings.EqualFold(before[i].text, "EXECUTE"))
}

// isTimeout: what follows is the timeout of BEGIN CONVERSATION TIMER (@handle) TIMEOUT =.
func isTimeout(before []token) bool {
	i := len(before) - 6
	return i >= 0 && strings.EqualFold(before[i].text, "TIMER") && before[i+5].text == "="
}

// operand returns the node for a token that operands found.
func operand(t token, at ast.Fragment) ast.ScalarExpression {
	switch {
	case t.text[0] == '$':
		return &ast.MoneyLiteral{Fragment: at, LiteralType: "Money", Value: t.text}
	case t.kind == tokenNumber:
		return &ast.NumericLiteral{Fragment: at, LiteralType: "Numeric", Value: t.text}
	case strings.HasPrefix(t.text, "@@"):
		return &ast.GlobalVariableExpression{Fragment: at, Name: t.text}
	}
	return &ast.VariableReference{Fragment: at, Name: t.text}
}

// unhide restores the names of the nodes, and returns how many operands it found. A string continues after a backslash at the end of a line.
func unhide(v reflect.Value, tokens []token, hidden []int) (found int) {
	switch v.Kind() {
	case reflect.Interface:
		var at ast.Fragment
		switch n := v.Interface().(type) {
		case *ast.ColumnReferenceExpression:
			if n.MultiPartIdentifier != nil {
				at = n.MultiPartIdentifier.Identifiers[0].Fragment
			}
		case *ast.IntegerLiteral:
			at = n.Fragment
		}
		i := slices.IndexFunc(hidden, func(i int) bool { return at.HasSpan() && tokens[i].start == at.StartOffset })
		if i >= 0 && strings.ContainsAny(tokens[hidden[i]].text[:1], "@$.0123456789") {
			v.Set(reflect.ValueOf(operand(tokens[hidden[i]], at)))
			return 1
		}
		return unhide(v.Elem(), tokens, hidden)
	case reflect.Pointer:
		if v.IsNil() {
			return 0
		}
		switch n := v.Interface().(type) {
		case *ast.Identifier:
			for _, i := range hidden {
				if n.HasSpan() && tokens[i].start == n.StartOffset {
					n.Value = tokens[i].text
					return 0
				}
			}
		case *ast.StringLiteral:
			n.Value = strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(n.Value)
		case *ast.ProcedureReferenceName:
			unhide(v.Elem(), tokens, hidden)
			if p := n.ProcedureReference; p != nil && p.Name != nil && strings.HasPrefix(p.Name.BaseIdentifier.Value, "@") {
				n.ProcedureVariable, n.ProcedureReference = &ast.VariableReference{Fragment: p.Name.BaseIdentifier.Fragment, Name: p.Name.BaseIdentifier.Value}, nil
				return 1
			}
		default:
			return unhide(v.Elem(), tokens, hidden)
		}
	case reflect.Slice:
		for i := range v.Len() {
			found += unhide(v.Index(i), tokens, hidden)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Fragment" {
				found += unhide(v.Field(i), tokens, hidden)
			}
		}
	}
	return found
}
