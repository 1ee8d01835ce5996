package builtin

import (
	"encoding/json"
	"errors"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

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

// node is one value: its text, of objects and arrays as it was written.
type node struct {
	kind  JSONKind
	text  string
	names []string // of the members of an object
	items []*node  // of an object or array
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

// parseJSON parses a whole text; state is the state of its errors.
func parseJSON(s string, state uint8) (*node, error) {
	err := json.Unmarshal([]byte(s), new(json.RawMessage))
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		at := int(bad.Offset) - 1
		shown := "." // at the end of the text
		if strings.HasPrefix(bad.Error(), "unexpected end") {
			at = len(s)
		} else {
			_, n := utf8.DecodeRuneInString(s[at:])
			shown = s[at : at+n]
		}
		return nil, jsonError(13609, state, "JSON text is not properly formatted. Unexpected character '%s' is found at position %d.", shown, charset.Len16(s[:at]))
	}
	r := jsonReader{s, json.NewDecoder(strings.NewReader(s))}
	r.tokens.UseNumber()
	return r.value(0)
}

// jsonReader reads a valid text.
type jsonReader struct {
	s      string
	tokens *json.Decoder
}

func (r *jsonReader) value(depth int) (*node, error) {
	if depth > maxJSONDepth {
		return nil, message.MS(13606)
	}
	n := &node{}
	switch t := query.Must(r.tokens.Token()).(type) {
	case json.Delim:
		start := int(r.tokens.InputOffset()) - 1
		for n.kind = JSONArray; r.tokens.More(); {
			if t == '{' {
				n.names = append(n.names, query.Must(r.tokens.Token()).(string))
			}
			item, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		if t == '{' {
			n.kind = JSONObject
		}
		query.Must(r.tokens.Token())
		n.text = r.s[start:r.tokens.InputOffset()]
	case string:
		n.kind, n.text = JSONString, t
	case json.Number:
		n.kind, n.text = JSONNumber, t.String()
	case bool:
		n.kind, n.text = JSONBool, strconv.FormatBool(t)
	}
	if strings.ContainsRune(n.text, utf8.RuneError) {
		return nil, sqlerr.NotSupported("half a character in JSON")
	}
	return n, nil
}

// member returns the first member of that name, nil if there is none.
func (n *node) member(name string) *node {
	for i, have := range n.names {
		if have == name {
			return n.items[i]
		}
	}
	return nil
}

// OpenJSONColumns are the columns of OPENJSON without a WITH clause: key (in a
// binary collation), value, type.
func OpenJSONColumns() [3]datatype.Type {
	return [3]datatype.Type{
		nvarchar(4000).WithCollation(datatype.BIN2), nvarchar(datatype.Max), tInt,
	}
}

// OpenJSON returns the rows of OPENJSON(text), each of three values: the members of the object or the items of the array.
func OpenJSON(text string) (iter.Seq[value.Row], error) {
	n, err := parseJSON(text, 4)
	if err != nil {
		return nil, err
	}
	return func(yield func(value.Row) bool) {
		for i, child := range n.items {
			key := strconv.Itoa(i)
			if n.kind == JSONObject {
				key = n.names[i]
			}
			shown := null
			if child.kind != JSONNull {
				shown = value.NewString(child.text)
			}
			if !yield(value.Row{value.NewString(key), shown, value.NewInt(int64(child.kind))}) {
				return
			}
		}
	}, nil
}

// JSONColumn is a column of OPENJSON's WITH clause.
type JSONColumn struct {
	Name   string
	Type   datatype.Type
	Path   string // "" for $.Name
	AsJSON bool   // it is an object or array
}

// simplePath is the form of JSON paths that is modeled.
var simplePath = regexp.MustCompile(`^\$\.[A-Za-z_][A-Za-z_0-9]*$`)

// OpenJSONWith returns the rows of OPENJSON(text) WITH (columns): one for an
// object, one for each item of an array. An error ends the rows.
func OpenJSONWith(text string, columns []JSONColumn) (iter.Seq2[value.Row, error], error) {
	for i, c := range columns {
		switch {
		case c.Type.IsBinary(), c.AsJSON && !c.Type.IsMax():
			return nil, sqlerr.NotSupported("a column of %s in OPENJSON", c.Type)
		case c.Path != "" && !simplePath.MatchString(c.Path):
			return nil, sqlerr.NotSupported("the JSON path '%s'", c.Path)
		case c.Path != "":
			columns[i].Name = c.Path[2:]
		}
	}
	n, err := parseJSON(text, 4)
	if err != nil {
		return nil, err
	}
	rows := n.items
	if n.kind == JSONObject {
		rows = []*node{n}
	}
	return func(yield func(value.Row, error) bool) {
		for _, item := range rows {
			row := make(value.Row, len(columns))
			for i, c := range columns {
				n := item.member(c.Name)
				if n == nil || n.kind == JSONNull || (n.kind >= JSONArray) != c.AsJSON || c.Type.IsCharacter() && !c.Type.IsMax() && charset.Len16(n.text) > int(c.Type.Len) {
					continue // NULL
				}
				var err error
				if row[i], err = to(value.NewString(n.text), nvarchar(datatype.Max), c.Type); err != nil {
					yield(nil, err)
					return
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}, nil
}
