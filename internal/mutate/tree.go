package main

import "strings"

// statement is a statement of a template, by the indices of its tokens.
type statement struct {
	from, to   int // to is the index after its last token
	kind       statementKind
	conditions []span // of IF, WHILE, ELSIF
	branches   []span // what can be taken out without the rest: ELSE, ELSIF, a handler
	inside     [][]statement
}

type span struct{ from, to int }

type statementKind uint8

const (
	leaf     statementKind = iota // without statements inside
	compound                      // IF, WHILE, BEGIN
	control                       // an action of the template's own flow
	declare                       // of variables
)

// reader finds the statements of a template. It knows of a language just where its statements begin and end.
type reader struct {
	source string
	tokens []token
	oracle bool
}

// begins are the words that begin a statement of T-SQL, and so end a condition.
var begins = []string{
	"BEGIN", "SET", "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "EXEC", "EXECUTE", "RETURN", "IF", "WHILE", "THROW", "RAISERROR", "BREAK", "CONTINUE", "WAITFOR",
	"COMMIT", "ROLLBACK", "PRINT", "DECLARE", "GOTO", "SAVE", "RECEIVE", "SEND", "OPEN", "CLOSE", "FETCH", "DEALLOCATE", "KILL", "GRANT", "DENY", "REVOKE", "CREATE", "ALTER",
	"DROP", "TRUNCATE", "REVERT", "USE", "MOVE", "GET", "END", "ADD",
}

// statements returns the statements of the template: in PL/SQL, those of its bodies.
func (r *reader) statements() (out [][]statement) {
	at := 0
	if r.oracle {
		for at < len(r.tokens) {
			if !r.at(at).is("BEGIN") {
				at++
				continue
			}
			var s statement
			s, at = r.statement(at)
			out = append(out, []statement{s})
		}
		return out
	}
	if r.at(0).is("CREATE") {
		for at < len(r.tokens) && (!r.at(at).is("AS") || !r.alone(at)) {
			at++
		}
		at++
	}
	list, _ := r.list(at)
	return append(out, list)
}

// at returns a token; after the last one, an empty symbol.
func (r *reader) at(i int) token {
	if i < 0 || i >= len(r.tokens) {
		return token{kind: symbol}
	}
	return r.tokens[i]
}

// alone reports whether a token is alone on its lines.
func (r *reader) alone(i int) bool {
	t := r.at(i)
	before, after := r.source[strings.LastIndexByte(r.source[:t.start], '\n')+1:t.start], r.source[t.end:]
	after, _, _ = strings.Cut(after, "\n")
	after, _, _ = strings.Cut(after, "--")
	return strings.TrimSpace(before) == "" && strings.TrimSpace(after) == ""
}

// list reads statements up to the word that ends their list.
func (r *reader) list(at int) (list []statement, end int) {
	for at < len(r.tokens) {
		if t := r.at(at); t.is("END", "ELSE", "ELSIF", "EXCEPTION") && !r.at(at+1).is("CONVERSATION") || r.oracle && t.is("WHEN") {
			break
		}
		var s statement
		s, at = r.statement(at)
		list = append(list, s)
	}
	return list, at
}

// statement reads one.
func (r *reader) statement(at int) (statement, int) {
	s := statement{from: at, kind: compound}
	t := r.at(at)
	switch {
	case t.control():
		s.kind = control
		at++
	case t.kind == action && r.alone(at):
		s.kind = leaf
		at++
	case t.is("DECLARE") && r.oracle:
		for at < len(r.tokens) && !r.at(at).is("BEGIN") {
			at++
		}
		var block statement
		block, at = r.statement(at)
		s.inside = [][]statement{{block}}
	case t.is("DECLARE"):
		s.kind = declare
		at = r.leafEnd(at)
	case t.is("BEGIN") && (r.oracle || !r.at(at+1).is("TRAN", "TRANSACTION", "DIALOG", "CONVERSATION")):
		at = r.block(&s, at)
	case t.is("IF"):
		at = r.conditional(&s, at)
	case t.is("WHILE", "FOR", "LOOP") && r.oracle:
		at = r.loop(&s, at)
	case t.is("CASE") && r.oracle:
		at = r.choice(&s, at)
	case t.is("WHILE"):
		at = r.condition(&s, at+1)
		var body statement
		body, at = r.statement(at)
		s.inside = [][]statement{{body}}
	default:
		s.kind = leaf
		at = r.leafEnd(at)
	}
	s.to = max(at, s.from+1)
	return s, s.to
}

// leafEnd returns the index after the semicolon that ends a statement.
func (r *reader) leafEnd(at int) int {
	for depth := 0; at < len(r.tokens); at++ {
		switch t := r.at(at); {
		case t.is("END") && r.at(at+1).is("CONVERSATION"):
		case t.is("(", "CASE"):
			depth++
		case t.is(")"), t.is("END") && depth > 0:
			depth--
		case t.is(";") && depth <= 0:
			return at + 1
		case t.is("END") && depth <= 0:
			return at
		}
	}
	return at
}

// block reads BEGIN … END, with its handlers.
func (r *reader) block(s *statement, at int) int {
	at++
	if r.at(at).is("TRY", "CATCH") {
		at++
	}
	list, at := r.list(at)
	s.inside = append(s.inside, list)
	if r.at(at).is("EXCEPTION") {
		at++
		for r.at(at).is("WHEN") {
			from := at
			for at < len(r.tokens) && !r.at(at).is("THEN") {
				at++
			}
			list, at = r.list(at + 1)
			s.inside, s.branches = append(s.inside, list), append(s.branches, span{from, at})
		}
		if len(s.branches) == 1 { // a single one goes with its EXCEPTION
			s.branches[0].from--
		}
	}
	return r.blockEnd(at)
}

// blockEnd returns the index after END, what END ends, and a semicolon.
func (r *reader) blockEnd(at int) int {
	at++
	for at < len(r.tokens) && r.at(at).kind == word && (r.oracle || r.at(at).is("TRY", "CATCH")) {
		at++
	}
	if r.at(at).is(";") {
		at++
	}
	return at
}

// condition reads a condition up to what follows it.
func (r *reader) condition(s *statement, at int) int {
	from := at
	for depth := 0; at < len(r.tokens); at++ {
		t := r.at(at)
		if depth == 0 && (r.oracle && t.is("THEN", "LOOP") || !r.oracle && (t.is(begins...) || t.kind == action && r.alone(at))) {
			break
		}
		depth += t.depth()
	}
	s.conditions = append(s.conditions, span{from, at})
	return at
}

// conditional reads IF.
func (r *reader) conditional(s *statement, at int) int {
	at = r.condition(s, at+1)
	if !r.oracle {
		then, at := r.statement(at)
		s.inside = append(s.inside, []statement{then})
		if r.at(at).is("ELSE") {
			from := at
			var other statement
			other, at = r.statement(at + 1)
			s.inside, s.branches = append(s.inside, []statement{other}), append(s.branches, span{from, at})
		}
		return at
	}
	list, at := r.list(at + 1)
	s.inside = append(s.inside, list)
	for r.at(at).is("ELSIF", "ELSE") {
		from := at
		if r.at(at).is("ELSIF") {
			at = r.condition(s, at+1)
		}
		list, at = r.list(at + 1)
		s.inside, s.branches = append(s.inside, list), append(s.branches, span{from, at})
	}
	return r.blockEnd(at)
}

// loop reads a loop of PL/SQL.
func (r *reader) loop(s *statement, at int) int {
	if r.at(at).is("WHILE") {
		at = r.condition(s, at+1)
	}
	for depth := 0; at < len(r.tokens) && (depth > 0 || !r.at(at).is("LOOP")); at++ {
		depth += r.at(at).depth()
	}
	list, at := r.list(at + 1)
	s.inside = append(s.inside, list)
	return r.blockEnd(at)
}

// choice reads CASE as a statement of PL/SQL.
func (r *reader) choice(s *statement, at int) int {
	for at < len(r.tokens) && !r.at(at).is("WHEN") {
		at++
	}
	for r.at(at).is("WHEN", "ELSE") {
		from := at
		for at < len(r.tokens) && !r.at(at).is("THEN", "ELSE") {
			at++
		}
		var list []statement
		list, at = r.list(at + 1)
		s.inside, s.branches = append(s.inside, list), append(s.branches, span{from, at})
	}
	return r.blockEnd(at)
}
