package builtin

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// JSON is parsed into nodes that know their position in the text, so that JSON_QUERY
// returns and JSON_MODIFY keeps the text as it was written.

// JSONKind is the type of a JSON value, numbered as OPENJSON does.
type JSONKind uint8

// The kinds.
const (
	JSONNull JSONKind = iota
	JSONString
	JSONNumber
	JSONBool
	JSONArray
	JSONObject
)

// node is one value.
type node struct {
	kind       JSONKind
	start, end int // of its text
	text       string
	members    []member // of an object
	items      []*node  // of an array
}

// member is a name and its value; start is where the name's quote is.
type member struct {
	name  string
	start int
	value *node
}

// maxJSONDepth is the deepest nesting that the server parses.
const maxJSONDepth = 128

// jsonError is an error of one of the JSON functions: if it is not caught, it ends the batch,
// and a surrounding transaction can only be rolled back.
func jsonError(number int32, state uint8, format string, args ...any) *sqlerr.Error {
	e := sqlerr.New(number, format, args...).At(16, state).Ending(sqlerr.Batch)
	e.Dooms = true
	return e
}

func errJSONText(s string, at int, state uint8) error {
	return jsonError(13609, state, "JSON text is not properly formatted. Unexpected character '%s' is found at position %d.",
		charAt(s, at), charset.Len16(s[:min(at, len(s))]))
}

func errJSONPath(s string, at int) error {
	return jsonError(13607, 4, "JSON path is not properly formatted. Unexpected character '%s' is found at position %d.",
		charAt(s, at), charset.Len16(s[:min(at, len(s))]))
}

// charAt returns the character that an error names, a period at the end of the text.
func charAt(s string, at int) string {
	if at >= len(s) {
		return "."
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	return s[at : at+n]
}

func errProperty(state uint8) error {
	return jsonError(13608, state, "Property cannot be found on the specified JSON path.")
}

// parseJSON parses a whole text; state is the state of its errors.
func parseJSON(s string, state uint8) (*node, error) {
	p := jsonParser{s: s}
	p.blank()
	n, ok := p.value(0)
	if ok {
		p.blank()
		ok = p.at == len(s)
	}
	if p.deep {
		return nil, message.MS(13606)
	}
	if !ok {
		return nil, errJSONText(s, p.at, state)
	}
	return n, nil
}

type jsonParser struct {
	s    string
	at   int
	deep bool
}

func (p *jsonParser) blank() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonParser) next(c byte) bool {
	p.blank()
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// value parses one value; on failure the position is that of the error.
func (p *jsonParser) value(depth int) (*node, bool) {
	if depth > maxJSONDepth {
		p.deep = true
		return nil, false
	}
	p.blank()
	n := &node{start: p.at}
	if p.at == len(p.s) {
		return nil, false
	}
	ok := false
	switch c := p.s[p.at]; {
	case c == '{':
		n.kind = JSONObject
		ok = p.object(n, depth)
	case c == '[':
		n.kind = JSONArray
		ok = p.array(n, depth)
	case c == '"':
		n.kind = JSONString
		n.text, ok = p.string()
	case c == '-' || c >= '0' && c <= '9':
		n.kind = JSONNumber
		ok = p.number()
		n.text = p.s[n.start:p.at]
	default:
		for _, word := range []string{"true", "false", "null"} {
			if c == word[0] {
				ok = p.word(word)
				n.kind, n.text = JSONBool, word
				if word == "null" {
					n.kind = JSONNull
				}
			}
		}
	}
	n.end = p.at
	return n, ok
}

func (p *jsonParser) word(w string) bool {
	for i := range len(w) {
		if p.at == len(p.s) || p.s[p.at] != w[i] {
			return false
		}
		p.at++
	}
	return true
}

func (p *jsonParser) object(n *node, depth int) bool {
	p.at++
	if p.next('}') {
		return true
	}
	for {
		p.blank()
		start := p.at
		if p.at == len(p.s) || p.s[p.at] != '"' {
			return false
		}
		name, ok := p.string()
		if !ok || !p.next(':') {
			return false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return false
		}
		n.members = append(n.members, member{name: name, start: start, value: v})
		if p.next('}') {
			return true
		}
		if !p.next(',') {
			return false
		}
	}
}

func (p *jsonParser) array(n *node, depth int) bool {
	p.at++
	if p.next(']') {
		return true
	}
	for {
		v, ok := p.value(depth + 1)
		if !ok {
			return false
		}
		n.items = append(n.items, v)
		if p.next(']') {
			return true
		}
		if !p.next(',') {
			return false
		}
	}
}

// string reads a quoted string and resolves its escapes.
func (p *jsonParser) string() (string, bool) {
	p.at++
	start := p.at
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case c == '"':
			p.at++
			return p.s[start : p.at-1], true
		case c < ' ':
			return "", false
		case c == '\\':
			return p.escaped(start)
		}
		p.at++
	}
	return "", false
}

// escaped continues reading a string at its first escape.
func (p *jsonParser) escaped(start int) (string, bool) {
	out := p.s[start:p.at]
	from := p.at
	for p.at < len(p.s) {
		c := p.s[p.at]
		switch {
		case c == '"':
			out = charset.Join(out, p.s[from:p.at])
			p.at++
			return out, true
		case c < ' ':
			return "", false
		case c != '\\':
			p.at++
			continue
		}
		out = charset.Join(out, p.s[from:p.at])
		p.at++
		if p.at == len(p.s) {
			return "", false
		}
		i := strings.IndexByte(`"\/bfnrt`, p.s[p.at])
		switch {
		case i >= 0:
			out += "\"\\/\b\f\n\r\t"[i : i+1]
			p.at++
		case p.s[p.at] == 'u' && p.at+5 <= len(p.s):
			u, err := strconv.ParseUint(p.s[p.at+1:p.at+5], 16, 16)
			if err != nil {
				return "", false
			}
			out = charset.Join(out, charset.FromUnits([]uint16{uint16(u)}))
			p.at += 5
		default:
			return "", false
		}
		from = p.at
	}
	return "", false
}

func (p *jsonParser) digits() bool {
	start := p.at
	for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}

func (p *jsonParser) number() bool {
	if p.s[p.at] == '-' {
		p.at++
	}
	if p.at < len(p.s) && p.s[p.at] == '0' {
		p.at++
	} else if !p.digits() {
		return false
	}
	if p.at < len(p.s) && p.s[p.at] == '.' {
		p.at++
		if !p.digits() {
			return false
		}
	}
	if p.at < len(p.s) && (p.s[p.at] == 'e' || p.s[p.at] == 'E') {
		p.at++
		if p.at < len(p.s) && (p.s[p.at] == '+' || p.s[p.at] == '-') {
			p.at++
		}
		return p.digits()
	}
	return true
}
