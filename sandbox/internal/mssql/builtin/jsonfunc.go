package builtin

import (
	"encoding/json"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func jsonFuncs() []Func {
	return []Func{
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
		{ // learn.microsoft.com, "STRING_ESCAPE": quotation marks, both slashes, control characters
			Name: "string_escape", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				return nvarchar(datatype.Max), noLOB("string_escape", args, 1)
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				text, kind, err := twoTexts(args, types)
				if err != nil {
					return null, err
				}
				if !strings.EqualFold(kind, "json") {
					return null, sqlerr.NotSupported("STRING_ESCAPE to anything but 'json'")
				}
				var b strings.Builder
				e := json.NewEncoder(&b)
				e.SetEscapeHTML(false)
				err = e.Encode(text)
				quoted := strings.TrimSuffix(b.String(), "\n")
				return value.NewString(strings.ReplaceAll(quoted[1:len(quoted)-1], "/", `\/`)), err
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
