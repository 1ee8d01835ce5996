package templates

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrSchemaName is wrapped by every refusal of a schema name.
var ErrSchemaName = errors.New("schema name refused")

// maxSchemaName leaves room for what is added to the schema name in the names
// of roles and services, which are limited to 128 characters.
const maxSchemaName = 100

// QuoteIdent returns name as a bracketed SQL Server identifier.
func QuoteIdent(name string) string {
	return "[" + strings.ReplaceAll(name, "]", "]]") + "]"
}

// QuoteString returns text as a Unicode string literal of SQL Server.
func QuoteString(text string) string {
	return "N'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// CheckSchemaName returns why name cannot be the schema of an installation. The
// error wraps [ErrSchemaName].
func CheckSchemaName(name string) error {
	refuse := func(why string) error { return fmt.Errorf("%w: %q %s", ErrSchemaName, name, why) }
	switch lower := strings.ToLower(name); {
	case name == "":
		return fmt.Errorf("%w: it is empty", ErrSchemaName)
	case !utf8.ValidString(name):
		return refuse("is not valid UTF-8")
	case utf8.RuneCountInString(name) > maxSchemaName:
		return refuse(fmt.Sprintf("is longer than %d characters", maxSchemaName))
	case strings.ContainsAny(name, "]"):
		return refuse("contains a closing bracket")
	case strings.Contains(name, "$("):
		return refuse("contains $(, which sqlcmd would replace")
	case strings.ContainsFunc(name, unicode.IsControl):
		return refuse("contains a control character")
	case strings.TrimSpace(name) != name:
		return refuse("begins or ends with a space")
	case lower == "dbo", lower == "sys", lower == "guest", lower == "information_schema", strings.HasPrefix(lower, "db_"):
		return refuse("is a schema of SQL Server itself")
	}
	return nil
}
