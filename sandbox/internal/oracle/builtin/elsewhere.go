package builtin

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

//go:embed elsewhere.txt
var elsewhere string

// Elsewhere refuses a function, or a value without parentheses, that Oracle documents but the sandbox lacks. It returns nil for any
// other name.
func Elsewhere(name string, call, plsql bool) error {
	for line := range strings.Lines(elsewhere) {
		kind, names, _ := strings.Cut(line, ": ")
		if call != (kind == "pseudo") && (!plsql || kind == "both") && slices.Contains(strings.Fields(names), name) {
			return sqlerr.NotSupported("%s", name)
		}
	}
	return nil
}
