package parser

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/parser"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// cursorOptions are the words between CURSOR and FOR.
var cursorOptions = []string{
	"DYNAMIC", "FAST_FORWARD", "FORWARD_ONLY", "GLOBAL", "KEYSET", "LOCAL", "OPTIMISTIC", "READ_ONLY", "SCROLL", "SCROLL_LOCKS", "STATIC", "TYPE_WARNING",
}

// beforeParsing finds what the parser would not come to an end with.
func beforeParsing(tokens []token) error {
	for i, t := range tokens {
		if t.kind != tokenWord {
			continue
		}
		switch strings.ToUpper(t.text) {
		case "CURSOR":
			if err := cursorWords(tokens[i+1:], i > 1 && (tokens[i-1].text == "=" || !strings.HasPrefix(tokens[i-1].text, "@") && !strings.EqualFold(tokens[i-1].text, "AS"))); err != nil {
				return err
			}
		case "LOGIN":
			if i > 0 && strings.EqualFold(tokens[i-1].text, "ANY") { // a permission whose name the parser does not take
				return sqlerr.NotSupported("ANY LOGIN")
			}
		case "VIEW":
			if err := viewColumns(tokens[i+1:]); err != nil {
				return err
			}
		}
	}
	if err := neighbours(tokens); err != nil {
		return err
	}
	return endsRight(tokens)
}

// cursorWords checks what follows DECLARE name CURSOR. A variable's or parameter's type CURSOR has nothing to check.
func cursorWords(rest []token, definition bool) error {
	for _, t := range rest {
		word := strings.ToUpper(t.text)
		if word == "FOR" {
			return nil
		}
		if _, ok := slices.BinarySearch(cursorOptions, word); ok {
			continue
		}
		if !definition {
			return nil
		}
		return near(t)
	}
	if definition && len(rest) > 0 {
		return near(rest[len(rest)-1])
	}
	return nil
}

// viewColumns checks the list of columns that may follow the name of a view.
func viewColumns(rest []token) error {
	i := 0
	for i < len(rest) && (i%2 == 1) == (rest[i].text == ".") && rest[i].text != "(" && !strings.EqualFold(rest[i].text, "AS") {
		i++
	}
	if i >= len(rest) || rest[i].text != "(" {
		return nil
	}
	for i++; i < len(rest); i += 2 {
		if k := rest[i].kind; (k != tokenWord && k != tokenQuoted) || i+1 == len(rest) {
			return near(rest[i])
		}
		if rest[i].kind == tokenWord && parser.NewLexer(rest[i].text).NextToken().Type != parser.TokenIdent {
			if isReserved(rest[i].text) {
				return near(rest[i])
			}
			return sqlerr.NotSupported("the column %s of a view without brackets", rest[i].text)
		}
		switch rest[i+1].text {
		case ")":
			return nil
		case ",":
		default:
			return near(rest[i+1])
		}
	}
	return nil
}

// endsRight refuses a batch that ends where something must follow.
func endsRight(tokens []token) error {
	if len(tokens) == 0 {
		return nil
	}
	last := tokens[len(tokens)-1]
	switch strings.ToUpper(last.text) {
	case "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "AS", "BY", "SET", "INTO", "JOIN", "IN", "LIKE", "BETWEEN", "IS", "HAVING", "VALUES",
		"THEN", "WHEN", "ELSE", "IF", "WHILE", "CASE", "UNION", "EXCEPT", "INTERSECT", "EXEC", "EXECUTE", "PRINT", "GOTO", "WITH", "CREATE", "ALTER", "DROP",
		"INSERT", "UPDATE", "TOP", ",", ".", "=", "<", ">", "+", "-", "*", "/", "<=", ">=", "<>", "(":
		if last.text != "*" && last.kind != tokenQuoted && last.kind != tokenString {
			return near(last)
		}
	}
	return nil
}
