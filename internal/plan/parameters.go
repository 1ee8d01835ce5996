package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// binding is what an engine binds to a task: the rules of function ReadParameters, on Oracle of package body values, as far
// as they can be checked here. The server refuses the rest, such as a decimal out of range.
type binding struct {
	name  *regexp.Regexp
	rule  string   // for parameter names
	types []string // as people write them
}

var bindings = map[string]binding{
	"mssql": {
		name: regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`), rule: "a letter or _, then letters, digits and _, at most 100, without @",
		types: []string{
			"bit", "tinyint", "smallint", "int", "bigint", "decimal(p,s)", "money", "float", "date", "time", "datetime2", "datetimeoffset",
			"uniqueidentifier", "nvarchar", "nvarchar(max)", "varchar", "varchar(max)", "varbinary", "varbinary(max)",
		},
	},
	"oracle": {
		name: regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,29}$`), rule: "a letter, then letters, digits and _, at most 30, without colon",
		types: []string{
			"number", "integer", "int", "binary_double", "varchar2", "clob", "raw", "date", "timestamp", "timestamp with time zone",
		},
	},
}

// decimals is decimal(p,s) as the server sees it.
var decimals = regexp.MustCompile(`^decimal\(([0-9]+),([0-9]+)\)$`)

// knows reports whether a type, in lower case and without blanks, can be bound.
func (b binding) knows(typ string) bool {
	if m := decimals.FindStringSubmatch(typ); m != nil && slices.Contains(b.types, "decimal(p,s)") {
		digits, err := strconv.Atoi(m[1])
		scale, wrong := strconv.Atoi(m[2])
		return err == nil && wrong == nil && digits >= 1 && digits <= 38 && scale <= digits
	}
	return typ != "decimal(p,s)" && slices.ContainsFunc(b.types, func(t string) bool { return strings.ReplaceAll(t, " ", "") == typ })
}

// integers are the bits of SQL Server's integer types; tinyint has no sign.
var integers = map[string]int{"smallint": 16, "int": 32, "bigint": 64}

// wants says what a JSON value of a type must look like; empty if it does.
func wants(dialect, typ, value string) string {
	first := value[0] // text, true or false, null, or otherwise a number
	isNumber := strings.IndexByte(`"tfn`, first) < 0
	switch {
	case first == 'n' || typ == "":
	case dialect == "oracle" && slices.Contains([]string{"number", "integer", "int"}, typ):
		if first == '"' {
			return "a number, true or false"
		}
	case typ == "bit":
		if first != 't' && first != 'f' {
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
	case typ == "money", typ == "float", typ == "binary_double", strings.HasPrefix(typ, "decimal"):
		if !isNumber {
			return "a number"
		}
	case first != '"':
		return "a text: write it in quotes"
	case dialect == "mssql" && typ == "date":
		if _, err := time.Parse(`"2006-01-02"`, value); err != nil {
			return "a date like 2026-01-31"
		}
	}
	return ""
}

// parameter checks one parameter of a task against the rules of the plan's dialect; names are those before it.
func (r *reader) parameter(key ast.Node, member, value string, names map[string]bool) {
	b, ok := bindings[r.dialect]
	if !ok {
		return
	}
	name, typ, _ := strings.Cut(member, " ")
	typ = strings.ReplaceAll(strings.ToLower(typ), " ", "")
	lower := strings.ToLower(name)
	switch want := wants(r.dialect, typ, value); {
	case !b.name.MatchString(name):
		r.problem(key, "parameter %q of %s: %q is not a name for a parameter: %s", member, r.where, name, b.rule)
	case names[lower]:
		r.problem(key, "parameter %q of %s: the name %s appears twice", member, r.where, name)
	case typ != "" && !b.knows(typ):
		r.problem(key, "parameter %q of %s: the type is not supported. Use one of: %s", member, r.where, strings.Join(b.types, ", "))
	case want != "":
		r.problem(key, "parameter %q of %s: the value is not %s", member, r.where, want)
	}
	names[lower] = true
}
