package builtin

import (
	"encoding/base64"
	"iter"
	"strconv"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// OpenJSONColumns are the columns of OPENJSON without a WITH clause: key (in a
// binary collation), value, type.
func OpenJSONColumns() [3]datatype.Type {
	return [3]datatype.Type{
		nvarchar(4000).WithCollation(datatype.BIN2), nvarchar(datatype.Max), tInt,
	}
}

// OpenJSON returns the rows of OPENJSON(text, path), each of three values: the members
// of the object or the items of the array at the path. path is "$" if the call has none.
func OpenJSON(text, path string) (iter.Seq[value.Row], error) {
	n, err := openJSON(text, path, 4, 1)
	if err != nil {
		return nil, err
	}
	return func(yield func(value.Row) bool) {
		for i, child := range children(n) {
			key := strconv.Itoa(i)
			if n.kind == JSONObject {
				key = n.members[i].name
			}
			if !yield(value.Row{value.NewString(key), childValue(text, child), value.NewInt(int64(child.kind))}) {
				return
			}
		}
	}, nil
}

// openJSON finds the object or array to open; nil: there are no rows.
func openJSON(text, path string, textState, scalarState uint8) (*node, error) {
	p, err := parsePath(path, false)
	if err != nil {
		return nil, err
	}
	root, err := parseJSON(text, textState)
	if err != nil {
		return nil, err
	}
	n := p.find(root)
	switch {
	case n == nil && p.strict:
		return nil, errProperty(3)
	case n == nil:
		return nil, nil
	case n.kind != JSONArray && n.kind != JSONObject:
		if p.strict {
			return nil, jsonError(13611, scalarState, "Value referenced by JSON path is not an array or object and cannot be opened with OPENJSON.")
		}
		return nil, nil
	}
	return n, nil
}

func children(n *node) []*node {
	if n == nil {
		return nil
	}
	if n.kind == JSONArray {
		return n.items
	}
	out := make([]*node, len(n.members))
	for i, m := range n.members {
		out[i] = m.value
	}
	return out
}

// childValue returns what the column value shows: scalars as text, objects and arrays as written.
func childValue(text string, n *node) value.Value {
	switch n.kind {
	case JSONNull:
		return null
	case JSONArray, JSONObject:
		return value.NewString(text[n.start:n.end])
	}
	return value.NewString(n.text)
}

// JSONColumn is a column of OPENJSON's WITH clause.
type JSONColumn struct {
	Name   string
	Type   datatype.Type
	Path   string // "" for $.Name
	AsJSON bool   // the column accepts objects and arrays; it is nvarchar(max)
}

// OpenJSONWith returns the rows of OPENJSON(text, path) WITH (columns): one for an
// object, one for each item of an array. An error ends the rows.
func OpenJSONWith(text, path string, columns []JSONColumn) (iter.Seq2[value.Row, error], error) {
	paths := make([]jsonPath, len(columns))
	for i, c := range columns {
		if c.AsJSON && (c.Type.ID != datatype.NVarChar || !c.Type.IsMax()) {
			return nil, message.MS(13618)
		}
		if c.Path == "" {
			paths[i] = jsonPath{steps: []jsonStep{{name: c.Name, index: -1}}}
			continue
		}
		var err error
		if paths[i], err = parsePath(c.Path, false); err != nil {
			return nil, err
		}
	}
	n, err := openJSON(text, path, 4, 2)
	if err != nil {
		return nil, err
	}
	var rows []*node
	switch {
	case n == nil:
	case n.kind == JSONObject:
		rows = []*node{n}
	default:
		rows = n.items
	}
	return func(yield func(value.Row, error) bool) {
		for _, item := range rows {
			row := make(value.Row, len(columns))
			for i, c := range columns {
				var err error
				if row[i], err = column(text, item, c, paths[i]); err != nil {
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

// column reads one column of one row.
func column(text string, item *node, c JSONColumn, p jsonPath) (value.Value, error) {
	n := p.find(item)
	if n == nil {
		if p.strict {
			return null, errProperty(6)
		}
		return null, nil
	}
	compound := n.kind == JSONArray || n.kind == JSONObject
	switch {
	case n.kind == JSONNull:
		return null, nil
	case c.AsJSON && !compound:
		if p.strict {
			return null, jsonError(13624, 1, "Object or array cannot be found in the specified JSON path.")
		}
		return null, nil
	case c.AsJSON:
		return value.NewString(text[n.start:n.end]), nil
	case compound:
		if p.strict {
			return null, jsonError(13623, 2, "Scalar value cannot be found in the specified JSON path.")
		}
		return null, nil
	case c.Type.IsBinary():
		b, err := base64.StdEncoding.DecodeString(n.text)
		if err != nil || n.kind != JSONString {
			return null, message.MS(13612).At(16, 5)
		}
		if !c.Type.IsMax() && len(b) > int(c.Type.Len) {
			return null, message.MS(13613)
		}
		return to(value.NewBytes(b), datatype.Sized(datatype.VarBinary, datatype.Max), c.Type)
	}
	if c.Type.IsCharacter() && !c.Type.IsMax() && charset.Len16(n.text) > int(c.Type.Len) {
		if p.strict {
			return null, jsonError(13625, 1, "String value in the specified JSON path would be truncated.")
		}
		return null, nil
	}
	return to(value.NewString(n.text), nvarchar(datatype.Max), c.Type)
}
