package main

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"
)

// lockDropped is the kind of mistakes in hints of locks and of access paths.
const lockDropped = "lock dropped"

// mutant is one mistake in a template: a piece of it that has another text.
type mutant struct {
	id         string // stays the same while its piece and its neighborhood do
	dialect    string
	file       string // below the templates' folder
	kind       string
	start, end int // the piece
	text       string
	line       int
}

// topic is the folder of the template.
func (m mutant) topic() string { return path.Dir(m.file) }

// in returns the template with the mistake.
func (m mutant) in(template string) string { return template[:m.start] + m.text + template[m.end:] }

// maker makes the mutants of one template.
type maker struct {
	reader

	dialect, file string
	out           []mutant
	seen          map[string]int
}

// mutants returns all mistakes of a template.
func mutants(dialect, file, source string) []mutant {
	m := maker{reader: reader{source, tokens(source), dialect == "oracle"}, dialect: dialect, file: file, seen: map[string]int{}}
	for _, list := range m.statements() {
		m.ofList(list)
	}
	for i := range m.tokens {
		m.ofToken(i)
	}
	slices.SortStableFunc(m.out, func(a, b mutant) int { return a.start - b.start })
	return m.out
}

// change adds the mutant that has another text for some tokens.
func (m *maker) change(kind string, from, to int, other string) {
	if to <= from {
		return
	}
	start, end := m.tokens[from].start, m.tokens[to-1].end
	old := m.source[start:end]
	if old == other {
		return
	}
	around := m.source[strings.LastIndexByte(m.source[:start], '\n')+1 : end]
	key := strings.Join([]string{m.file, kind, strings.Join(strings.Fields(around), " "), other}, "\x00")
	m.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, m.seen[key]))
	m.out = append(m.out, mutant{fmt.Sprintf("%x", sum[:5]), m.dialect, m.file, kind, start, end, other, 1 + strings.Count(m.source[:start], "\n")})
}

// textOf returns the text of some tokens.
func (m *maker) textOf(from, to int) string {
	if to <= from {
		return ""
	}
	return m.source[m.tokens[from].start:m.tokens[to-1].end]
}

// nothing is a statement that does nothing.
func (m *maker) nothing() string {
	if m.oracle {
		return "null;"
	}
	return "SET NOCOUNT ON;"
}

// ofList makes the mistakes in the statements of a list.
func (m *maker) ofList(list []statement) {
	for i, s := range list {
		if s.kind == control {
			continue
		}
		if s.kind != declare {
			m.change("statement deleted", s.from, s.to, m.nothing())
		}
		if i > 0 && s.kind == leaf && list[i-1].kind == leaf && !m.independent(list[i-1], s) {
			before := list[i-1]
			between := m.source[m.tokens[before.to-1].end:m.tokens[s.from].start]
			m.change("statements swapped", before.from, s.to, m.textOf(s.from, s.to)+between+m.textOf(before.from, before.to))
		}
		for _, c := range s.conditions {
			m.change("condition negated", c.from, c.to, "not ("+m.textOf(c.from, c.to)+")")
		}
		for _, b := range s.branches {
			m.change("branch deleted", b.from, b.to, "")
		}
		for _, inside := range s.inside {
			m.ofList(inside)
		}
	}
}

// independent reports whether two statements are both grants, or only set variables that the other one does not mention: their order means nothing.
func (m *maker) independent(a, b statement) bool {
	if verb := m.at(a.from); verb.is("GRANT", "DENY", "REVOKE") && m.at(b.from).is(verb.text) {
		return true
	}
	sets := func(s, other statement) bool {
		if !m.at(s.from).is("SET") || !strings.HasPrefix(m.at(s.from+1).text, "@") || !m.at(s.from+2).is("=") {
			return false
		}
		for i := s.from; i < s.to; i++ {
			if m.at(i).is("SELECT", "EXEC", "OUTPUT") {
				return false
			}
		}
		for i := other.from; i < other.to; i++ {
			if m.at(i).text == m.at(s.from+1).text {
				return false
			}
		}
		return true
	}
	if m.oracle {
		return m.assigns(a, b) && m.assigns(b, a)
	}
	return sets(a, b) && sets(b, a)
}

// pure are the functions of PL/SQL that have no effect besides their result.
var pure = []string{"COALESCE", "NVL", "NVL2", "SUBSTR", "SUBSTRB", "UPPER", "LOWER", "TRIM", "LEAST", "GREATEST", "LENGTH", "LENGTHB", "CAST", "MOD", "ROUND", "TRUNC"}

// assigns reports whether a statement only assigns to a variable, or a field of one, that the other one does not mention.
func (m *maker) assigns(s, other statement) bool {
	to := s.from + 1
	for ; to < s.to && !m.at(to).is(":="); to++ {
		if m.at(to).is("(", ";") {
			return false
		}
	}
	for i := to; i < s.to; i++ {
		if i+1 < s.to && m.at(i+1).is("(") && m.at(i).kind == word && !m.at(i).is(pure...) {
			return false
		}
	}
	target := m.textOf(s.from, to)
	return to < s.to && !strings.Contains(m.textOf(other.from, other.to), target)
}

// closers end an operand of AND and OR, wherever they are not inside parentheses or CASE.
var closers = append([]string{
	")", ";", ",", "AND", "OR", "THEN", "WHEN", "ELSE", "LOOP", "GROUP", "ORDER", "HAVING", "UNION", "EXCEPT", "MINUS", "INTERSECT", "OPTION", "RETURNING", "FOR", "OFFSET", "WITH", "JOIN", "INNER", "CROSS",
	"OUTER", "FULL", "WHERE", "ON", "CONNECT", "START", "AS", "INTO", "FROM", "OUTPUT",
}, begins...)

// openers come before the first operand.
var openers = []string{"(", "WHERE", "ON", "IF", "WHEN", "AND", "OR", "HAVING", "ELSIF", "WHILE", "UNTIL", "RETURN", ":=", "=>", ","}

// operandEnd returns the index after the operand that begins at a token.
func (m *maker) operandEnd(at int) int {
	between := 0
	for depth := 0; at < len(m.tokens); at++ {
		t := m.at(at)
		switch {
		case depth == 0 && t.is("BETWEEN"):
			between++
		case depth == 0 && t.is("AND") && between > 0:
			between--
		case depth == 0 && (t.is(closers...) || t.control() || t.kind == action && m.alone(at) || t.is("LEFT", "RIGHT") && !m.at(at+1).is("(")):
			return at
		}
		depth += t.depth()
	}
	return at
}

// operandStart returns the index of the first token of the operand that ends before a token, or -1.
func (m *maker) operandStart(at int) int {
	at--
	for depth := 0; at >= 0; at-- {
		t := m.at(at)
		switch {
		case depth == 0 && t.is(openers...) && (!t.is("AND") || !m.between(at)):
			return at + 1
		case depth == 0 && (t.is(";", "THEN", "ELSE", "BEGIN", "SELECT", "SET") || t.control()):
			return -1
		}
		depth -= t.depth()
	}
	return -1
}

// between reports whether an AND belongs to BETWEEN.
func (m *maker) between(at int) bool {
	at--
	for depth := 0; at >= 0; at-- {
		t := m.at(at)
		switch {
		case depth == 0 && t.is("BETWEEN"):
			return true
		case depth == 0 && t.is(openers...), t.is(";"):
			return false
		}
		depth -= t.depth()
	}
	return false
}

var comparisons = map[string][]string{
	"<": {"<=", ">"}, "<=": {"<", ">="}, ">": {">=", "<"}, ">=": {">", "<="}, "=": {"<>"}, "<>": {"="}, "!=": {"="},
}

// ofToken makes the mistakes that begin at a token.
func (m *maker) ofToken(i int) {
	t := m.at(i)
	switch {
	case t.is("AND", "OR") && !m.between(i):
		m.change("operand dropped", i, m.operandEnd(i+1), "")
		if from := m.operandStart(i); from >= 0 && from < i {
			m.change("operand dropped", from, i+1, "")
		}
		other := map[string]string{"AND": "OR", "OR": "AND"}[t.text]
		m.change("condition negated", i, i+1, other)
	case t.kind == symbol && comparisons[t.text] != nil:
		for _, other := range comparisons[t.text] {
			m.change("comparison turned", i, i+1, other)
		}
	case t.is("IS") && m.at(i+1).is("NULL"):
		m.change("condition negated", i, i+2, "IS NOT NULL")
	case t.is("IS") && m.at(i+1).is("NOT") && m.at(i+2).is("NULL"):
		m.change("condition negated", i, i+3, "IS NULL")
	case t.is("NOT") && m.at(i+1).is("EXISTS", "IN", "LIKE", "BETWEEN", "("):
		m.change("condition negated", i, i+1, "")
	case t.is("EXISTS") && !m.at(i-1).is("NOT", "IF") || t.is("IN", "LIKE") && m.at(i+1).is("(") && !m.at(i-1).is("NOT"):
		m.change("condition negated", i, i+1, "NOT "+t.text)
	case t.is("WHERE"):
		m.change("condition dropped", i, m.clauseEnd(i+1), "")
	case t.is("WHEN"):
		m.ofWhen(i)
	case t.kind == number && !m.ofType(i):
		m.constant(i)
	case t.is("ISNULL", "COALESCE", "NVL", "NULLIF") && m.at(i+1).is("("):
		if first, end := m.arguments(i + 1); len(first) > 1 {
			m.change("null handled otherwise", i, end, m.textOf(first[0].from, first[0].to))
		}
	case t.is("NULLS") && m.at(i+1).is("FIRST", "LAST"):
		m.change("null handled otherwise", i, i+2, map[string]string{"FIRST": "nulls last", "LAST": "nulls first"}[m.at(i+1).text])
	case t.is("ASC", "DESC"):
		m.change("comparison turned", i, i+1, map[string]string{"ASC": "DESC", "DESC": "ASC"}[t.text])
	case t.is("MIN", "MAX") && m.at(i+1).is("("):
		m.change("comparison turned", i, i+1, map[string]string{"MIN": "MAX", "MAX": "MIN"}[t.text])
	case t.is("SET"):
		m.ofSet(i)
	case t.is("FOR") && m.at(i+1).is("UPDATE"):
		end := i + 2
		for end < len(m.tokens) && !m.at(end).is(";", ")", "LOOP") {
			end++
		}
		m.change(lockDropped, i, end, "")
		if m.at(i+2).is("SKIP", "WAIT", "NOWAIT") {
			m.change(lockDropped, i+2, end, "")
		}
	case t.is("WRITE") && m.at(i-1).is("COMMIT"):
		m.change(lockDropped, i, m.leafEnd(i)-1, "")
	case t.is("EXECUTE") && m.at(i+1).is("AS") && m.at(i-1).is("WITH"):
		m.change("rights changed", i-1, i+3, "")
	case t.is("AUTHID") && m.at(i+1).is("CURRENT_USER", "DEFINER"):
		m.change("rights changed", i, i+2, map[string]string{"CURRENT_USER": "authid definer", "DEFINER": "authid current_user"}[m.at(i+1).text])
	case t.is("WITH") && m.at(i+1).is("("):
		m.ofHints(i)
	case t.is("OPTION") && m.at(i+1).is("("):
		_, end := m.arguments(i + 1)
		m.change(lockDropped, i, end, "")
	case (t.kind == word || t.kind == name) && m.at(i+1).is("(") && !t.is(closers...):
		m.ofCall(i)
	case t.is("EXEC", "EXECUTE") && !m.oracle && m.at(i+1).kind != symbol && !m.at(i+1).is("AS"):
		m.ofExec(i)
	}
}

// clauseEnd returns the index after a condition that AND and OR belong to.
func (m *maker) clauseEnd(at int) int {
	for {
		at = m.operandEnd(at)
		if !m.at(at).is("AND", "OR") {
			return at
		}
		at++
	}
}

// ofWhen makes the mistakes in a row of CASE: it is dropped, or its condition is negated.
func (m *maker) ofWhen(i int) {
	then := m.clauseEnd(i + 1)
	if !m.at(then).is("THEN") {
		return
	}
	m.change("condition negated", i+1, then, "not ("+m.textOf(i+1, then)+")")
	end, depth := then+1, 0
	for ; end < len(m.tokens); end++ {
		t := m.at(end)
		if depth == 0 && t.is("WHEN", "ELSE", "END", ";") || depth == 0 && t.control() {
			break
		}
		depth += t.depth()
	}
	if m.at(end).is("WHEN", "ELSE", "END") {
		m.change("row dropped", i, end, "")
	}
}

// ofType reports whether a number belongs to a data type.
func (m *maker) ofType(i int) bool {
	for i--; i >= 0 && !m.at(i).is("("); i-- {
		if m.at(i).kind != number && !m.at(i).is(",") {
			return false
		}
	}
	return m.at(i-1).is("CHAR", "NCHAR", "VARCHAR", "NVARCHAR", "VARCHAR2", "NVARCHAR2", "NUMBER", "DECIMAL", "NUMERIC", "VARBINARY", "BINARY", "RAW", "DATETIME2", "TIMESTAMP", "FLOAT", "TIME", "DAY", "SECOND", "DATETIMEOFFSET")
}

// constant moves a number by one.
func (m *maker) constant(i int) {
	t := m.at(i)
	if m.at(i-1).is("SELECT") && m.at(i-2).is("(") && m.at(i-3).is("EXISTS") { // whatever it selects, a row exists or not
		return
	}
	var n int64
	if _, err := fmt.Sscanf(t.text, "%d", &n); err != nil || fmt.Sprint(n) != t.text {
		return
	}
	m.change("constant moved", i, i+1, fmt.Sprint(n+1))
	// Oracle's SUBSTR takes position 0 for 1 ("SQL Language Reference", SUBSTR).
	if n > 0 && (!m.oracle || n > 1 || !m.position(i)) {
		m.change("constant moved", i, i+1, fmt.Sprint(n-1))
	}
}

// position reports whether a token is the second argument of SUBSTR.
func (m *maker) position(i int) bool {
	if !m.at(i - 1).is(",") {
		return false
	}
	depth := 0
	for i -= 2; i > 0 && depth >= 0; i-- {
		if depth -= m.at(i).depth(); depth == 0 && m.at(i).is(",") {
			return false
		}
	}
	return m.at(i).is("SUBSTR", "SUBSTRB")
}

// arguments returns those in the parentheses that open at a token, and the index after them.
func (m *maker) arguments(open int) (out []span, end int) {
	from, depth := open+1, 0
	for at := open; at < len(m.tokens); at++ {
		t := m.at(at)
		depth += t.depth()
		if depth == 1 && t.is(",") || depth == 0 {
			if at > from {
				out = append(out, span{from, at})
			}
			from = at + 1
		}
		if depth == 0 {
			return out, at + 1
		}
	}
	return out, len(m.tokens)
}

// ofCall makes the mistakes in the arguments of a call.
func (m *maker) ofCall(i int) {
	args, end := m.arguments(i + 1)
	if m.ofType(end - 2) {
		return
	}
	m.ofArguments(args, !m.at(i).is("IN", "GREATEST", "LEAST", "TABLE")) // each INSERT names its columns
}

// ofArguments drops arguments, and swaps neighbors where their order means something.
func (m *maker) ofArguments(args []span, ordered bool) {
	for n, a := range args {
		if n > 0 {
			before := args[n-1]
			m.change("argument dropped", before.to, a.to, "")
			between := m.source[m.tokens[before.to-1].end:m.tokens[a.from].start]
			if ordered && !m.at(a.from+1).is("=", "=>") { // that of named ones means nothing
				m.change("arguments swapped", before.from, a.to, m.textOf(a.from, a.to)+between+m.textOf(before.from, before.to))
			}
		}
	}
	if len(args) > 1 {
		m.change("argument dropped", args[0].from, args[0].to+1, "")
	}
}

// ofExec makes the mistakes in the arguments of EXEC.
func (m *maker) ofExec(i int) {
	end := m.leafEnd(i)
	at := i + 1
	if m.at(at + 1).is("=") { // of the return value
		at += 2
	}
	for m.at(at+1).is(".") || m.at(at).is(".") || m.at(at).kind == action {
		at++
	}
	var args []span
	from := at + 1
	for at = from; at < end; at++ {
		if m.at(at).is(",", ";") {
			if at > from {
				args = append(args, span{from, at})
			}
			from = at + 1
		}
	}
	m.ofArguments(args, true)
}

// ofSet drops a column of an update.
func (m *maker) ofSet(i int) {
	var columns []span
	from, depth, at := i+1, 0, i+1
	for ; at < len(m.tokens); at++ {
		t := m.at(at)
		depth += t.depth()
		ends := depth < 0 || depth == 0 && t.is(";", "WHERE", "FROM", "OUTPUT", "WHEN", "RETURNING", "ON", "OFF")
		if depth == 0 && t.is(",") || ends {
			columns = append(columns, span{from, at})
			from = at + 1
		}
		if ends {
			break
		}
	}
	if len(columns) < 2 {
		return
	}
	for n, c := range columns {
		if n == 0 {
			m.change("column dropped", c.from, c.to+1, "")
		} else {
			m.change("column dropped", c.from-1, c.to, "")
		}
	}
}

// ofHints drops a hint of a table.
func (m *maker) ofHints(i int) {
	hints, end := m.arguments(i + 1)
	if len(hints) == 1 {
		m.change(lockDropped, i, end, "")
		return
	}
	for n, h := range hints {
		if n == 0 {
			m.change(lockDropped, h.from, h.to+1, "")
		} else {
			m.change(lockDropped, h.from-1, h.to, "")
		}
	}
}
