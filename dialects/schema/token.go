package schema

import "strings"

// token is a word, a name in brackets or quotes, a string, or a symbol of one character.
type token struct {
	kind     byte   // w word or number, q quoted name, s string, or the symbol itself
	text     string // without quotes or brackets
	from, to int    // its place in the text
}

// tokens reads SQL, without white space and comments.
func tokens(text string) (all []token) {
	for i := 0; i < len(text); {
		c, from := text[i], i
		switch {
		case c <= ' ':
			i++
			continue
		case strings.HasPrefix(text[i:], "--"):
			i = end(text, i, "\n")
			continue
		case strings.HasPrefix(text[i:], "/*"):
			i = end(text, i+2, "*/")
			continue
		case c == '\'':
			t := quoted(text, i, '\'')
			t.kind = 's'
			all, i = append(all, t), t.to
			continue
		case c == '[', c == '"':
			closing := byte('"')
			if c == '[' {
				closing = ']'
			}
			t := quoted(text, i, closing)
			all, i = append(all, t), t.to
			continue
		}
		for i < len(text) && wordly(text[i]) {
			i++
		}
		if i > from {
			all = append(all, token{'w', text[from:i], from, i})
			continue
		}
		i++
		all = append(all, token{c, text[from:i], from, i})
	}
	return all
}

func wordly(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '@' || c >= 0x80
}

// end returns the place after the next mark.
func end(text string, from int, mark string) int {
	if i := strings.Index(text[from:], mark); i >= 0 {
		return from + i + len(mark)
	}
	return len(text)
}

// quoted reads a name or string that begins at from; its closing character is doubled inside.
func quoted(text string, from int, closing byte) token {
	var out strings.Builder
	for i := from + 1; i < len(text); i++ {
		if text[i] == closing {
			if i+1 == len(text) || text[i+1] != closing {
				return token{'q', out.String(), from, i + 1}
			}
			i++
		}
		out.WriteByte(text[i])
	}
	return token{'q', out.String(), from, len(text)}
}

// is reports whether a token is one of these words, in any case.
func (t token) is(words ...string) bool {
	for _, w := range words {
		if t.kind == 'w' && strings.EqualFold(t.text, w) || string(t.kind) == w {
			return true
		}
	}
	return false
}

// reader goes through the tokens of a statement.
type reader struct {
	text string
	all  []token
	i    int
}

func read(text string) *reader { return &reader{text: text, all: tokens(text)} }

// at returns the token n places ahead.
func (r *reader) at(n int) token {
	if r.i+n < len(r.all) {
		return r.all[r.i+n]
	}
	return token{from: len(r.text), to: len(r.text)}
}

// accept goes past words if they come next.
func (r *reader) accept(words ...string) bool {
	for n, w := range words {
		if !r.at(n).is(w) {
			return false
		}
	}
	r.i += len(words)
	return true
}

// done reports whether nothing is left.
func (r *reader) done() bool { return r.i >= len(r.all) }

// name reads a name, and leaves out its schema.
func (r *reader) name() string {
	name := r.at(0).text
	for r.i++; r.accept("."); r.i++ {
		name = r.at(0).text
	}
	return name
}

// skip goes past the next token, or the parentheses that begin with it, and returns the text.
func (r *reader) skip() string {
	from, depth := r.at(0).from, 0
	for !r.done() {
		switch t := r.at(0); {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
		r.i++
		if depth == 0 {
			break
		}
	}
	return r.text[from:r.all[r.i-1].to]
}

// list reads what is in parentheses: the text of each member, as written.
func (r *reader) list() (members []string) {
	if !r.accept("(") {
		return nil
	}
	for !r.done() && !r.accept(")") {
		from := r.at(0).from
		for !r.done() && !r.at(0).is(",", ")") {
			r.skip()
		}
		members = append(members, strings.TrimSpace(r.text[from:r.all[r.i-1].to]))
		r.accept(",")
	}
	return members
}
