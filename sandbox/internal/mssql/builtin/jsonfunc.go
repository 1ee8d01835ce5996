package builtin

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func jsonFuncs() []Func {
	tMax := nvarchar(datatype.Max)
	// read makes JSON_VALUE and JSON_QUERY; the path is $ if it is left out.
	read := func(name string, least int, result datatype.Type, fn func(text, path string) (value.Value, error)) Func {
		return Func{
			Name: name, MinArgs: least, MaxArgs: 2, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) { return result, jsonArgs(name, args) },
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				text, err := textArg(args[0], types[0])
				if err != nil {
					return null, err
				}
				path := "$"
				if len(args) == 2 {
					if path, err = textArg(args[1], types[1]); err != nil {
						return null, err
					}
				}
				return fn(text, path)
			},
		}
	}
	return []Func{
		read("json_value", 2, nvarchar(4000), JSONValue),
		read("json_query", 1, tMax, JSONQuery),
		{
			Name: "isjson", MinArgs: 1, MaxArgs: 1, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) { return tInt, jsonArgs("isjson", args) },
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				text, err := textArg(args[0], types[0])
				if err != nil {
					return null, err
				}
				n, err := parseJSON(text, 1)
				if err == nil && (n.kind == JSONObject || n.kind == JSONArray) {
					return value.NewInt(1), nil
				}
				return value.NewInt(0), nil
			},
		},
		{
			Name: "json_modify", MinArgs: 3, MaxArgs: 3,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				if err := jsonArgs("json_modify", args[:2]); err != nil {
					return datatype.Type{}, err
				}
				switch t := args[2]; {
				case t.IsNumeric(), t.IsCharacter(), t.IsDateTime(), t.ID == datatype.UniqueIdentifier, t.ID == datatype.Untyped:
					return tMax, nil
				default:
					return datatype.Type{}, datatype.ErrArgument(t, 3, "json_modify")
				}
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				if args[0].IsNull() || args[1].IsNull() {
					return null, nil
				}
				return JSONModify(args[0].Str(), args[1].Str(), args[2], types[2], false)
			},
		},
	}
}

// jsonArgs requires strings.
func jsonArgs(name string, args []datatype.Type) error {
	for i, t := range args {
		if !t.IsCharacter() && t.ID != datatype.Untyped {
			return datatype.ErrArgument(t, i+1, name)
		}
	}
	return nil
}

// JSONValue is JSON_VALUE: the scalar at a path as text.
func JSONValue(text, path string) (value.Value, error) {
	p, n, err := locate(text, path)
	if err != nil || n == nil {
		return null, err
	}
	switch {
	case n.kind == JSONNull:
		return null, nil
	case n.kind == JSONArray || n.kind == JSONObject:
		if p.strict {
			return null, jsonError(13623, 2, "Scalar value cannot be found in the specified JSON path.")
		}
		return null, nil
	case datatype.Len16(n.text) > 4000:
		if p.strict {
			return null, jsonError(13625, 1, "String value in the specified JSON path would be truncated.")
		}
		return null, nil
	}
	return value.NewString(n.text), nil
}

// JSONQuery is JSON_QUERY: the object or array at a path, as it is written.
func JSONQuery(text, path string) (value.Value, error) {
	p, n, err := locate(text, path)
	if err != nil || n == nil || n.kind == JSONNull {
		return null, err
	}
	if n.kind != JSONArray && n.kind != JSONObject {
		if p.strict {
			return null, jsonError(13624, 2, "Object or array cannot be found in the specified JSON path.")
		}
		return null, nil
	}
	return value.NewString(text[n.start:n.end]), nil
}

// locate parses both and follows the path; nil means nothing there (lax).
func locate(text, path string) (jsonPath, *node, error) {
	p, err := parsePath(path, false)
	if err != nil {
		return p, nil, err
	}
	root, err := parseJSON(text, 1)
	if err != nil {
		return p, nil, err
	}
	n := p.find(root)
	if n == nil && p.strict {
		return p, nil, errProperty(1)
	}
	return p, n, nil
}

// JSONModify is JSON_MODIFY: it sets, inserts, appends or (lax and NULL) deletes a
// member, and leaves the rest of the text as it is. isJSON says that the new value is
// itself JSON, because it comes from JSON_QUERY, JSON_MODIFY or FOR JSON: then it is
// not quoted.
func JSONModify(text, path string, v value.Value, t datatype.Type, isJSON bool) (value.Value, error) {
	p, err := parsePath(path, true)
	if err != nil {
		return null, err
	}
	if len(p.steps) == 0 && !p.add {
		return null, sqlerr.New(13619, "Unsupported JSON path found in argument 2 of JSON_MODIFY.")
	}
	root, err := parseJSON(text, 7)
	if err != nil {
		return null, err
	}
	written, err := jsonLiteral(v, t, isJSON)
	if err != nil {
		return null, err
	}
	splice := func(start, end int, with string) (value.Value, error) {
		return value.NewString(text[:start] + with + text[end:]), nil
	}
	n := p.find(root)
	if p.add {
		switch {
		case n != nil && n.kind == JSONArray:
			return splice(n.end-1, n.end-1, comma(len(n.items))+written)
		case n != nil && p.strict:
			return null, jsonError(13621, 1, "Array cannot be found in the specified JSON path.")
		case n != nil:
			return value.NewString(text), nil
		}
		written = "[" + written + "]"
	}
	switch {
	case n != nil && (!v.IsNull() || p.strict):
		return splice(n.start, n.end, written)
	case n == nil && p.strict:
		return null, errProperty(2)
	}
	last := p.steps[len(p.steps)-1]
	parent := jsonPath{steps: p.steps[:len(p.steps)-1]}.find(root)
	switch {
	case n != nil && last.index >= 0: // NULL in an array stays as null
		return splice(n.start, n.end, "null")
	case n != nil:
		start, end := memberSpan(text, parent, last.name)
		return splice(start, end, "")
	case parent == nil || parent.kind != JSONObject || last.index >= 0 || v.IsNull() && !p.add:
		return value.NewString(text), nil
	}
	with := comma(len(parent.members)) + `"` + string(AppendJSONEscaped(nil, last.name)) + `":` + written
	return splice(parent.end-1, parent.end-1, with)
}

func comma(n int) string {
	if n == 0 {
		return ""
	}
	return ","
}

// memberSpan returns the text of a member with the comma that goes with it.
func memberSpan(text string, object *node, name string) (start, end int) {
	for i, m := range object.members {
		if m.name != name {
			continue
		}
		switch {
		case i+1 < len(object.members):
			return m.start, object.members[i+1].start
		case i > 0:
			return object.members[i-1].value.end, m.value.end
		}
		return m.start, m.value.end
	}
	return 0, 0
}

// jsonLiteral writes a value as JSON_MODIFY does: numbers bare, bit as true or false,
// everything else quoted.
func jsonLiteral(v value.Value, t datatype.Type, isJSON bool) (string, error) {
	switch {
	case v.IsNull():
		return "null", nil
	case isJSON:
		return v.Str(), nil
	case t.ID == datatype.Bit && v.N != 0:
		return "true", nil
	case t.ID == datatype.Bit:
		return "false", nil
	}
	style := datatype.NoStyle
	switch {
	case t.IsDateTime():
		style = 126
	case t.IsApproximate():
		style = 2
	case t.IsMoney():
		style = 2
	}
	s, err := datatype.Convert(v, t, nvarchar(datatype.Max), style, datatype.Explicit)
	if err != nil {
		return "", err
	}
	if t.IsNumeric() {
		return s.Str(), nil
	}
	var b strings.Builder
	b.WriteByte('"')
	b.Write(AppendJSONEscaped(nil, s.Str()))
	b.WriteByte('"')
	return b.String(), nil
}
