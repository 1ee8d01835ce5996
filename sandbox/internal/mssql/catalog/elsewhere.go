package catalog

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed elsewhere.txt
var elsewhere string

// Elsewhere reports whether SQL Server has a system view or function of that name that is not modeled. All names that begin with dm_
// count as such.
func Elsewhere(schema, name string) bool {
	name = strings.ToLower(name)
	if schema == "" && (strings.HasPrefix(name, "sys") || strings.HasPrefix(name, "fn_")) { // they are found in every schema
		schema = "sys"
	}
	_, list, ok := strings.Cut(elsewhere, "\n"+strings.ToLower(schema)+": ")
	list, _, _ = strings.Cut(list, ":")
	return ok && schema != "" && (slices.Contains(strings.Fields(list), name) || strings.EqualFold(schema, "sys") && strings.HasPrefix(name, "dm_"))
}
