package oracle

import (
	"regexp"

	"github.com/dbsched/dbsched/dialects"
)

// CheckTask finds nothing: a task is what EXECUTE IMMEDIATE takes.
func (Dialect) CheckTask(string) error { return nil }

var parameterName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,29}$`)

// Parameters are the rules of package body values.
func (Dialect) Parameters() dialects.Parameters {
	return dialects.Parameters{
		Name: parameterName, Rule: "a letter, then letters, digits and _, at most 30, without colon",
		Types: []string{
			"number", "integer", "int", "binary_double", "varchar2", "clob", "raw", "date", "timestamp", "timestamp with time zone",
		},
		Want: func(typ, value string) string {
			switch typ {
			case "number", "integer", "int":
				if value[0] == '"' {
					return "a number, true or false"
				}
				return ""
			case "binary_double":
				return dialects.WantNumber(value)
			}
			return dialects.WantText(value)
		},
	}
}
