package builtin

import (
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
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
