package parser

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	tokenWord   tokenKind = iota // a keyword, a name, a @variable
	tokenQuoted                  // [name] or "name"
	tokenString
	tokenNumber
	tokenSymbol
)

// token is a token of T-SQL. The parser's nodes count in UTF-16 code units, hence start and end.
type token struct {
	kind       tokenKind
	text       string
	start, end int // in UTF-16 code units
	line       int
}

// scan splits a batch into tokens. The parser reads on where the engine complains: strings, comments and names that
// do not end (105, 113), characters that T-SQL does not have (102).
func scan(text string) ([]token, error) {
	s := scanner{text: text, line: 1}
	for s.skip(); s.err == nil && s.pos < len(text); s.skip() {
		s.token()
	}
	return s.tokens, s.err
}

// QuotedStrings reports whether a text has strings between double quotation marks. SET QUOTED_IDENTIFIER takes effect while a batch is read.
func QuotedStrings(text string, identifiers bool) bool {
	tokens, _ := scan(text)
	for i, t := range tokens {
		switch {
		case i > 0 && strings.EqualFold(tokens[i-1].text, "QUOTED_IDENTIFIER"):
			identifiers = strings.EqualFold(t.text, "ON")
		case t.kind == tokenQuoted && t.text[0] == '"' && !identifiers:
			return true
		}
	}
	return false
}

type scanner struct {
	text   string
	pos    int // in bytes
	at16   int // in UTF-16 code units
	line   int
	tokens []token
	err    error
}

func (s *scanner) fail(number int32, line int, format string, args ...any) {
	if s.err == nil {
		e := sqlerr.New(number, format, args...).At(15, 1).Ending(sqlerr.Batch)
		e.Line = line
		s.err = e
	}
}

// next consumes one character.
func (s *scanner) next() rune {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	s.pos += size
	s.at16++
	if r > 0xFFFF {
		s.at16++
	}
	if r == '\n' {
		s.line++
	}
	return r
}

func (s *scanner) peek(ahead int) byte {
	if s.pos+ahead < len(s.text) {
		return s.text[s.pos+ahead]
	}
	return 0
}

func (s *scanner) rune() rune {
	r, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	return r
}

// skip consumes white space and comments.
func (s *scanner) skip() {
	for s.pos < len(s.text) && s.err == nil {
		switch r := s.rune(); {
		case r != 0 && (r <= ' ' || unicode.IsSpace(r) || r == 0x200B || r == 0xFEFF):
			s.next()
		case r == '-' && s.peek(1) == '-':
			for s.pos < len(s.text) && s.peek(0) != '\n' {
				s.next()
			}
		case r == '/' && s.peek(1) == '*':
			s.comment()
		default:
			return
		}
	}
}

// comment consumes a /* comment */. The engine nests them, the parser does not.
func (s *scanner) comment() {
	line := s.line
	s.next()
	s.next()
	for s.pos < len(s.text) {
		switch {
		case s.peek(0) == '*' && s.peek(1) == '/':
			s.next()
			s.next()
			return
		case s.peek(0) == '/' && s.peek(1) == '*':
			e := sqlerr.NotSupported("a comment in a comment")
			e.Line = s.line
			s.err = e
			return
		}
		s.next()
	}
	s.fail(113, line, "Missing end comment mark '*/'.")
}

func wordStart(r rune) bool {
	return r == '_' || r == '@' || r == '#' || r == '$' || unicode.IsLetter(r)
}

func (s *scanner) token() {
	t := token{start: s.at16, line: s.line}
	from := s.pos
	switch r := s.rune(); {
	case r == '\'':
		s.quoted(&t, '\'')
	case (r == 'N' || r == 'n') && s.peek(1) == '\'':
		s.next()
		s.quoted(&t, '\'')
	case r == '[':
		s.quoted(&t, ']')
	case r == '"':
		s.quoted(&t, '"')
	case r == '$' && s.peek(1) >= '0' && s.peek(1) <= '9':
		s.next()
		s.number(&t)
	case wordStart(r):
		for s.pos < len(s.text) && (wordStart(s.rune()) || unicode.IsDigit(s.rune())) {
			s.next()
		}
	case r >= '0' && r <= '9' || r == '.' && s.peek(1) >= '0' && s.peek(1) <= '9':
		s.number(&t)
	case r < utf8.RuneSelf && strings.ContainsRune("*,.();:=<>{}+-/%|&^!~", r):
		t.kind = tokenSymbol
		s.next()
		if s.pos < len(s.text) && strings.Contains(" <> <= >= != !< !> += -= *= /= %= &= |= ^= :: ", " "+s.text[from:s.pos+1]+" ") {
			s.next()
		} else if strings.ContainsRune("<>!", r) { // there may be white space between them
			before := *s
			s.skip()
			if s.pos < len(s.text) && strings.Contains(" <> <= >= != !< !> ", " "+string(r)+string(s.rune())+" ") {
				e := sqlerr.NotSupported("white space in an operator")
				e.Line = s.line
				s.err = e
				return
			}
			*s = before
		}
	default:
		s.fail(102, s.line, "Incorrect syntax near '%c'.", r)
		return
	}
	t.text, t.end = s.text[from:s.pos], s.at16
	s.tokens = append(s.tokens, t)
}

// quoted consumes what ends with a character that is doubled inside.
func (s *scanner) quoted(t *token, end byte) {
	t.kind = tokenQuoted
	if end == '\'' {
		t.kind = tokenString
	}
	s.next()
	from := s.pos
	for s.pos < len(s.text) {
		if s.peek(0) != end {
			s.next()
			continue
		}
		s.next()
		if s.pos == len(s.text) || s.peek(0) != end {
			return
		}
		s.next()
	}
	s.fail(105, t.line, "Unclosed quotation mark after the character string '%s'.", s.text[from:])
}

func (s *scanner) number(t *token) {
	t.kind = tokenNumber
	if s.peek(0) == '0' && (s.peek(1) == 'x' || s.peek(1) == 'X') {
		s.next()
		for s.next(); strings.IndexByte("0123456789abcdefABCDEF", s.peek(0)) >= 0 && s.pos < len(s.text); {
			s.next()
		}
		return
	}
	digits := func() {
		for s.peek(0) >= '0' && s.peek(0) <= '9' {
			s.next()
		}
	}
	digits()
	if s.peek(0) == '.' {
		s.next()
		digits()
	}
	if s.peek(0) == 'e' || s.peek(0) == 'E' {
		s.next()
		if s.peek(0) == '+' || s.peek(0) == '-' {
			s.next()
		}
		digits()
	}
}

// balanced finds a parenthesis without its partner.
func balanced(tokens []token) error {
	var open []token
	for _, t := range tokens {
		switch {
		case t.kind == tokenSymbol && t.text == "(":
			open = append(open, t)
		case t.kind == tokenSymbol && t.text == ")":
			if len(open) == 0 {
				return near(t)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return near(tokens[len(tokens)-1])
	}
	return nil
}

// near is error 102, or 156 at a reserved word.
func near(t token) error {
	e := message.MS(102, strings.Trim(t.text, "'")).At(16, 1)
	if t.kind == tokenWord && isReserved(t.text) {
		e = message.MS(156, t.text).At(16, 1)
	}
	e = e.At(15, 1).Ending(sqlerr.Batch)
	e.Line = t.line
	return e
}
