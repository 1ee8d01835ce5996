package builtin

import (
	"strconv"
	"strings"
)

// jsonPath is a parsed path (learn.microsoft.com "JSON path expressions").
type jsonPath struct {
	strict bool
	add    bool // append, for JSON_MODIFY
	steps  []jsonStep
}

// jsonStep goes to a member of an object, or with index >= 0 to an item of an array.
type jsonStep struct {
	name  string
	index int
}

// parsePath reads [append] [lax|strict] $ followed by .name, ."name" and [n].
func parsePath(s string, modify bool) (jsonPath, error) {
	var p jsonPath
	at := 0
	blank := func() {
		for at < len(s) && s[at] == ' ' {
			at++
		}
	}
	word := func(w string) bool {
		if strings.HasPrefix(s[at:], w) && at+len(w) < len(s) && s[at+len(w)] == ' ' {
			at += len(w)
			blank()
			return true
		}
		return false
	}
	blank()
	p.add = modify && word("append")
	if word("strict") {
		p.strict = true
	} else {
		word("lax")
	}
	if at == len(s) || s[at] != '$' {
		return p, errJSONPath(s, at)
	}
	at++
	for at < len(s) {
		switch s[at] {
		case '.':
			at++
			name, n, ok := pathName(s[at:])
			if !ok {
				return p, errJSONPath(s, at+n)
			}
			at += n
			p.steps = append(p.steps, jsonStep{name: name, index: -1})
		case '[':
			end := at + 1
			for end < len(s) && s[end] >= '0' && s[end] <= '9' {
				end++
			}
			if end == at+1 || end == len(s) || s[end] != ']' {
				return p, errJSONPath(s, end)
			}
			n, err := strconv.Atoi(s[at+1 : end])
			if err != nil {
				return p, errJSONPath(s, at+1)
			}
			at = end + 1
			p.steps = append(p.steps, jsonStep{index: n})
		case ' ':
			blank()
			if at < len(s) {
				return p, errJSONPath(s, at)
			}
		default:
			return p, errJSONPath(s, at)
		}
	}
	return p, nil
}

// pathName reads a name, quoted or of letters, digits, $ and _, and returns its length;
// on failure, n is the position of the error.
func pathName(s string) (name string, n int, ok bool) {
	if s != "" && s[0] == '"' {
		q := jsonParser{s: s}
		name, ok = q.string()
		return name, q.at, ok
	}
	for n < len(s) {
		c := s[n]
		letter := c == '_' || c >= 0x80 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '$'
		if !letter && (n == 0 || c < '0' || c > '9') {
			break
		}
		n++
	}
	return s[:n], n, n > 0
}

// find follows the path from a node; nil if it leads nowhere. If several members have
// the same name, the first counts.
func (p jsonPath) find(n *node) *node {
	for _, step := range p.steps {
		if n = step.from(n); n == nil {
			return nil
		}
	}
	return n
}

func (s jsonStep) from(n *node) *node {
	if s.index >= 0 {
		if n.kind == JSONArray && s.index < len(n.items) {
			return n.items[s.index]
		}
		return nil
	}
	if n.kind == JSONObject {
		for _, m := range n.members {
			if m.name == s.name {
				return m.value
			}
		}
	}
	return nil
}
