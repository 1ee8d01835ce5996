package parser

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

type kind uint8

const (
	tEOF      kind = iota
	tWord          // unquoted identifier or keyword; text in upper case
	tQuoted        // "identifier"; text without quotes
	tNumber        // text as written
	tString        // text with quotes resolved
	tNational      // N'…'
	tBind          // :name; text in upper case without the colon
	tInquiry       // $$name
	tSymbol        // operator or punctuation
	tBad           // not a token; ora says why
)

type token struct {
	kind kind
	ora  int32 // for tBad
	text string
	pos  ast.Pos
	end  int // offset after it
}

// maxIdentifier is the maximum length of an identifier in bytes (SQL Language Reference, "Database Object Naming Rules").
const maxIdentifier = 128

type lexer struct {
	src       string
	off       int
	line      int
	lineStart int
	toks      []token
	hints     map[int]string // by the index of the verb's token
}

// lex splits src into tokens. Invalid input becomes a tBad token, so that an earlier error wins.
func lex(src string) *lexer {
	l := &lexer{src: src, line: 1, toks: make([]token, 0, len(src)/5+8)}
	for l.space() {
		l.next()
	}
	end := len(src)
	l.toks = append(l.toks, token{kind: tEOF, pos: l.at(end), end: end})
	return l
}

func (l *lexer) at(off int) ast.Pos {
	return ast.Pos{Offset: off, Line: l.line, Column: off - l.lineStart + 1}
}

func (l *lexer) peek(n int) byte {
	if l.off+n < len(l.src) {
		return l.src[l.off+n]
	}
	return 0
}

// skipTo moves to off, counting lines.
func (l *lexer) skipTo(off int) {
	for {
		i := strings.IndexByte(l.src[l.off:off], '\n')
		if i < 0 {
			break
		}
		l.off += i + 1
		l.line++
		l.lineStart = l.off
	}
	l.off = off
}

// space skips white space and comments, and reports whether anything follows.
func (l *lexer) space() bool {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.skipTo(l.off + 1)
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.off++
		case c == '-' && l.peek(1) == '-':
			end := strings.IndexByte(l.src[l.off:], '\n')
			if end < 0 {
				end = len(l.src) - l.off
			}
			l.hint(l.src[l.off+2 : l.off+end])
			l.off += end
		case c == '/' && l.peek(1) == '*':
			end := strings.Index(l.src[l.off+2:], "*/")
			if end < 0 {
				l.bad(1742, len(l.src))
				return false
			}
			l.hint(l.src[l.off+2 : l.off+2+end])
			l.skipTo(l.off + end + 4)
		default:
			return true
		}
	}
	return false
}

// hint keeps a comment that is a hint: one with a plus sign, right after the statement's verb.
func (l *lexer) hint(comment string) {
	if !strings.HasPrefix(comment, "+") || len(l.toks) == 0 {
		return
	}
	verb := len(l.toks) - 1
	switch t := l.toks[verb]; {
	case t.kind != tWord:
	case t.text == "SELECT", t.text == "INSERT", t.text == "UPDATE", t.text == "DELETE", t.text == "MERGE":
		if l.hints == nil {
			l.hints = map[int]string{}
		}
		if _, has := l.hints[verb]; !has { // only the first comment is read
			l.hints[verb] = strings.TrimSpace(comment[1:])
		}
	}
}

func (l *lexer) add(k kind, text string, end int) {
	l.toks = append(l.toks, token{kind: k, text: text, pos: l.at(l.off), end: end})
	l.skipTo(end)
}

func (l *lexer) bad(ora int32, end int) {
	l.toks = append(l.toks, token{kind: tBad, ora: ora, text: l.src[l.off:min(end, l.off+maxIdentifier)], pos: l.at(l.off), end: end})
	l.skipTo(end)
}

func (l *lexer) next() {
	c := l.src[l.off]
	switch {
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		l.number()
	case c == '\'':
		l.quoted(l.off, tString)
	case c == '"':
		l.delimited()
	case c == ':' && (isDigit(l.peek(1)) || l.letter(1)):
		l.bind()
	case c == ':' && l.peek(1) == '"' && strings.Contains(l.src[l.off+2:], `"`): // binds that are reserved words
		name, _, _ := strings.Cut(l.src[l.off+2:], `"`)
		l.add(tBind, name, l.off+len(name)+3)
	case c == '$' && l.peek(1) == '$' && l.letter(2):
		end := l.wordEnd(l.off + 2)
		l.add(tInquiry, strings.ToUpper(l.src[l.off+2:end]), end)
	case l.letter(0):
		l.word(c)
	default:
		l.symbol()
	}
}

func (l *lexer) word(c byte) {
	switch { // N'…', Q'[…]', NQ'[…]'
	case c|0x20 == 'n' && l.peek(1) == '\'':
		l.quoted(l.off+1, tNational)
		return
	case c|0x20 == 'q' && l.peek(1) == '\'':
		l.alternative(l.off+2, tString)
		return
	case c|0x20 == 'n' && l.peek(1)|0x20 == 'q' && l.peek(2) == '\'':
		l.alternative(l.off+3, tNational)
		return
	}
	end := l.wordEnd(l.off)
	if end-l.off > maxIdentifier {
		l.bad(972, end)
		return
	}
	l.add(tWord, strings.ToUpper(l.src[l.off:end]), end)
}

// quoted reads a literal whose opening quote is at open.
func (l *lexer) quoted(open int, k kind) {
	rest := open + 1
	for {
		i := strings.IndexByte(l.src[rest:], '\'')
		if i < 0 {
			l.bad(1756, len(l.src))
			return
		}
		rest += i + 1
		if rest >= len(l.src) || l.src[rest] != '\'' {
			break
		}
		rest++
	}
	text := l.src[open+1 : rest-1]
	if strings.Contains(text, "''") {
		text = strings.ReplaceAll(text, "''", "'")
	}
	l.add(k, text, rest)
}

// alternative reads q'[…]': from the delimiter at open to its counterpart and a quote.
func (l *lexer) alternative(open int, k kind) {
	delimiter, size := utf8.DecodeRuneInString(l.src[open:])
	if size == 0 || delimiter == ' ' || delimiter == '\t' || delimiter == '\r' || delimiter == '\n' {
		l.bad(1756, len(l.src))
		return
	}
	closing := l.src[open : open+size]
	switch delimiter {
	case '[':
		closing = "]"
	case '{':
		closing = "}"
	case '(':
		closing = ")"
	case '<':
		closing = ">"
	}
	i := strings.Index(l.src[open+size:], closing+"'")
	if i < 0 {
		l.bad(1756, len(l.src))
		return
	}
	from := open + size
	l.add(k, l.src[from:from+i], from+i+len(closing)+1)
}

// delimited reads "identifier", which has no escapes.
func (l *lexer) delimited() {
	i := strings.IndexByte(l.src[l.off+1:], '"')
	end := l.off + i + 2
	switch {
	case i < 0:
		l.bad(1740, len(l.src))
	case i == 0:
		l.bad(1741, end)
	case i > maxIdentifier:
		l.bad(972, end)
	default:
		l.add(tQuoted, l.src[l.off+1:end-1], end)
	}
}

func (l *lexer) bind() {
	end := l.wordEnd(l.off + 1)
	name := strings.ToUpper(l.src[l.off+1 : end])
	if end-l.off-1 > maxIdentifier {
		l.bad(972, end)
		return
	}
	if sqlReserved(name) { // :date, :level
		l.bad(1745, end)
		return
	}
	l.add(tBind, name, end)
}

// number reads 1, 1.5, .5, 1e-3; in 1..10 it stops before the dots.
func (l *lexer) number() {
	end := l.digits(l.off)
	if end < len(l.src) && l.src[end] == '.' && (end+1 >= len(l.src) || l.src[end+1] != '.') {
		end = l.digits(end + 1)
	}
	if end < len(l.src) && l.src[end]|0x20 == 'e' {
		exp := end + 1
		if exp < len(l.src) && (l.src[exp] == '+' || l.src[exp] == '-') {
			exp++
		}
		if exp < len(l.src) && isDigit(l.src[exp]) {
			end = l.digits(exp)
		}
	}
	if end < len(l.src) && (l.src[end]|0x20 == 'f' || l.src[end]|0x20 == 'd') && l.wordEnd(end) == end+1 {
		end++ // BINARY_FLOAT, BINARY_DOUBLE
	}
	l.add(tNumber, l.src[l.off:end], end)
}

func (l *lexer) digits(off int) int {
	for off < len(l.src) && isDigit(l.src[off]) {
		off++
	}
	return off
}

// two-character symbols; all others have one character.
const twoSigns = ":= => .. ** || <= >= <> != ^= ~= << >>"

func (l *lexer) symbol() {
	if l.off+1 < len(l.src) {
		two := l.src[l.off : l.off+2]
		if two[0] != ' ' && two[1] != ' ' && strings.Contains(twoSigns, two) {
			if two == "!=" || two == "^=" || two == "~=" {
				two = "<>"
			}
			l.add(tSymbol, two, l.off+2)
			return
		}
	}
	_, size := utf8.DecodeRuneInString(l.src[l.off:])
	one := l.src[l.off : l.off+size]
	if size == 1 && strings.Contains("()+-*/<>=,;.@%", one) {
		l.add(tSymbol, one, l.off+1)
		return
	}
	l.bad(911, l.off+size)
}

func (l *lexer) letter(n int) bool {
	c := l.peek(n)
	if c < utf8.RuneSelf {
		return 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.off+n:])
	return unicode.IsLetter(r)
}

// wordEnd returns the end of the letters, digits, _, $ and # that start at off.
func (l *lexer) wordEnd(off int) int {
	for off < len(l.src) {
		c := l.src[off]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$' || c == '#':
			off++
		case c < utf8.RuneSelf:
			return off
		default:
			r, size := utf8.DecodeRuneInString(l.src[off:])
			if !unicode.IsLetter(r) {
				return off
			}
			off += size
		}
	}
	return off
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
