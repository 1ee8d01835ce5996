package mssql

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// separator is a line that sqlcmd and SSMS do not send; quoted is where T-SQL may have such a line: strings, quoted names and comments.
var (
	separator = regexp.MustCompile(`(?im)^[ \t]*GO([ \t]+\d+)?[ \t\r]*$`)
	quoted    = regexp.MustCompile(`(?s)'[^']*'|"[^"]*"|\[[^\]]*\]|--[^\n]*|/\*.*?\*/`)
)

// CheckTask refuses GO, which the server would take for a name.
func (Dialect) CheckTask(sql string) error {
	code := quoted.ReplaceAllStringFunc(sql, func(text string) string { return "x" + strings.Repeat("\n", strings.Count(text, "\n")) })
	if at := separator.FindStringIndex(code); at != nil {
		return dialects.Usagef("line %d of the SQL is GO, which separates batches in sqlcmd. A task is one batch: enqueue each on its own", 1+strings.Count(code[:at[0]], "\n"))
	}
	return nil
}

var parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// Parameters are the rules of function ReadParameters.
func (Dialect) Parameters() dialects.Parameters {
	return dialects.Parameters{
		Name: parameterName, Rule: "a letter or _, then letters, digits and _, at most 100, without @",
		Types: []string{
			"bit", "tinyint", "smallint", "int", "bigint", "decimal(p,s)", "money", "float", "date", "time", "datetime2", "datetimeoffset",
			"uniqueidentifier", "nvarchar", "nvarchar(max)", "varchar", "varchar(max)", "varbinary", "varbinary(max)",
		},
		Want: want,
	}
}

// integers are the bits of the integer types; tinyint has no sign.
var integers = map[string]int{"smallint": 16, "int": 32, "bigint": 64}

func want(typ, value string) string {
	switch {
	case typ == "bit":
		if value[0] != 't' && value[0] != 'f' {
			return "true or false"
		}
	case typ == "tinyint":
		if _, err := strconv.ParseUint(value, 10, 8); err != nil {
			return "a whole number from 0 to 255"
		}
	case integers[typ] != 0:
		if _, err := strconv.ParseInt(value, 10, integers[typ]); err != nil {
			return "a whole number of " + strconv.Itoa(integers[typ]) + " bits"
		}
	case typ == "money", typ == "float", strings.HasPrefix(typ, "decimal"):
		return dialects.WantNumber(value)
	case typ == "date" && dialects.WantText(value) == "":
		if _, err := time.Parse(`"2006-01-02"`, value); err != nil {
			return "a date like 2026-01-31"
		}
	default:
		return dialects.WantText(value)
	}
	return ""
}
