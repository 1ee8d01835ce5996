package builtin

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// JSON functions take strict JSON and paths of names and single positions, $.a."b c"[0];
// lax syntax, filters, wildcards and the automatic unwrapping of arrays are refused.
// A failure of the document or the path's result is an ordinary error: the caller turns
// it into NULL unless ERROR ON ERROR is written (NULL is the default of both clauses).

// JSONPath is a path of names and positions.
type JSONPath struct {
	steps []jsonStep
}

type jsonStep struct {
	name  string
	index int // from 0; -1 if it is a name
}

func errPath(path string) error {
	return sqlerr.New(40597, "JSON path expression syntax error ('%s')", path)
}

// ParseJSONPath reads a path: ORA-40597 if it does not start with $, refused beyond names and positions.
func ParseJSONPath(path string) (JSONPath, error) {
	var p JSONPath
	s := strings.TrimSpace(path)
	if s == "" || s[0] != '$' {
		return p, errPath(path)
	}
	for s = s[1:]; s != ""; {
		switch {
		case strings.HasPrefix(s, `."`):
			name, rest, ok := strings.Cut(s[2:], `"`)
			if !ok || strings.Contains(name, `\`) {
				return p, errPath(path)
			}
			p.steps, s = append(p.steps, jsonStep{name: name, index: -1}), rest
		case s[0] == '.':
			n := 1
			for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 1 && s[n] >= '0' && s[n] <= '9') {
				n++
			}
			if n == 1 || n < len(s) && s[n] != '.' && s[n] != '[' {
				return p, sqlerr.NotSupported("JSON path %s", path)
			}
			p.steps, s = append(p.steps, jsonStep{name: s[1:n], index: -1}), s[n:]
		case s[0] == '[':
			text, rest, ok := strings.Cut(s[1:], "]")
			i, err := strconv.Atoi(strings.TrimSpace(text))
			if !ok || err != nil || i < 0 {
				return p, sqlerr.NotSupported("JSON path %s", path)
			}
			p.steps, s = append(p.steps, jsonStep{index: i}), rest
		default:
			return p, sqlerr.NotSupported("JSON path %s", path)
		}
	}
	return p, nil
}

// find returns the value at the path, nil if there is none.
func (p JSONPath) find(doc string) (json.RawMessage, error) {
	if !json.Valid([]byte(doc)) {
		return nil, sqlerr.New(40441, "JSON syntax error")
	}
	at := json.RawMessage(strings.TrimSpace(doc))
	for _, step := range p.steps {
		var err error
		if at, err = step.take(at); at == nil || err != nil {
			return nil, err
		}
	}
	return bytes.TrimSpace(at), nil
}

func (s jsonStep) take(at json.RawMessage) (json.RawMessage, error) {
	switch {
	case s.index >= 0 && at[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(at, &list); err != nil || s.index >= len(list) {
			return nil, err
		}
		return bytes.TrimSpace(list[s.index]), nil
	case s.index == 0: // what is no array counts as one of one element
		return at, nil
	case s.index > 0:
		return nil, nil
	case at[0] == '[':
		return nil, sqlerr.NotSupported("a JSON path that goes through an array without a position")
	case at[0] != '{':
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(at))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		if name == s.name { // of names that are there twice the first
			return bytes.TrimSpace(v), nil
		}
	}
	return nil, nil
}

// JSONValue is JSON_VALUE(doc, path) of type VARCHAR2: a scalar as text, NULL for null.
// Errors: ORA-40441 for a document that is none, ORA-40462 if nothing is there,
// ORA-40456 for an object or array.
func JSONValue(doc string, p JSONPath) (value.Value, error) {
	at, err := p.find(doc)
	switch {
	case err != nil:
		return value.Value{}, err
	case at == nil:
		return value.Value{}, sqlerr.New(40462, "JSON_VALUE evaluated to no value")
	case at[0] == '{' || at[0] == '[':
		return value.Value{}, sqlerr.New(40456, "JSON_VALUE evaluated to non-scalar value")
	case at[0] == 'n':
		return value.Value{}, nil
	case at[0] == '"':
		var s string
		if err := json.Unmarshal(at, &s); err != nil {
			return value.Value{}, err
		}
		return datatype.NewText(s), nil
	case at[0] == 't' || at[0] == 'f':
		return value.NewString(string(at)), nil
	}
	if strings.ContainsAny(string(at), "eE") {
		return value.Value{}, sqlerr.NotSupported("JSON numbers with an exponent")
	}
	return value.NewString(string(at)), nil // as the document has it
}

// JSONQuery is JSON_QUERY(doc, path) without a wrapper: an object or array as JSON
// without white space. Errors: ORA-40441, ORA-40462, and ORA-40480 for a scalar.
func JSONQuery(doc string, p JSONPath) (value.Value, error) {
	at, err := p.find(doc)
	switch {
	case err != nil:
		return value.Value{}, err
	case at == nil:
		return value.Value{}, sqlerr.New(40462, "JSON_QUERY evaluated to no value")
	case at[0] != '{' && at[0] != '[':
		return value.Value{}, sqlerr.New(40480, "result cannot be returned without array wrapper")
	}
	var b bytes.Buffer
	if err := json.Compact(&b, at); err != nil {
		return value.Value{}, err
	}
	return value.NewString(b.String()), nil
}

// JSONExists is JSON_EXISTS(doc, path).
func JSONExists(doc string, p JSONPath) (bool, error) {
	at, err := p.find(doc)
	return at != nil, err
}

// IsJSON is doc IS JSON. Scalars, of which the versions think differently, and what
// only Oracle's lax syntax might take are refused.
func IsJSON(doc string) (bool, error) {
	s := strings.TrimSpace(doc)
	compound := s != "" && (s[0] == '{' || s[0] == '[')
	switch valid := json.Valid([]byte(doc)); {
	case valid && compound:
		return true, nil
	case valid:
		return false, sqlerr.NotSupported("IS JSON of a scalar")
	case compound:
		return false, sqlerr.NotSupported("IS JSON of what is no strict JSON")
	}
	return false, nil
}
