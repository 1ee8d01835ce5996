package mssql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dbsched/dbsched/dialects"
)

// quote delimits an identifier, as QUOTENAME does.
func quote(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }

// literal writes a Unicode string literal.
func literal(s string) string { return "N'" + strings.ReplaceAll(s, "'", "''") + "'" }

// maxSchema leaves room for the names derived from the schema's ("<schema>_owner",
// services and roles) within sysname's 128 characters.
const maxSchema = 64

// checkSchema refuses schema names that cannot be installed into. A ']' would have to be
// doubled in every rendered name, and the migration library writes the name into a
// string literal as it stands, so a quote would end it.
func checkSchema(name string) error {
	switch {
	case name == "":
		return dialects.Usagef("--schema is empty")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return dialects.Usagef("--schema %q holds control characters", name)
	case utf8.RuneCountInString(name) > maxSchema:
		return dialects.Usagef("--schema %q is longer than %d characters", name, maxSchema)
	case strings.ContainsAny(name, "]'"):
		return dialects.Usagef("--schema %q: names that contain ] or ' are not supported", name)
	case strings.Contains(name, "$("):
		return dialects.Usagef("--schema %q: sqlcmd would take $( for a variable", name)
	case strings.TrimSpace(name) != name:
		return dialects.Usagef("--schema %q begins or ends with a space", name)
	}
	switch lower := strings.ToLower(name); lower {
	case "dbo", "sys", "guest", "information_schema":
		return dialects.Usagef("--schema %s: dbsched needs a schema of its own, for uninstalling removes it", name)
	default:
		if strings.HasPrefix(lower, "db_") {
			return dialects.Usagef("--schema %s: names that begin with db_ are those of fixed roles", name)
		}
	}
	return nil
}

// trimBlank removes blank lines around a batch.
func trimBlank(s string) string { return strings.Trim(s, "\r\n\t ") }
