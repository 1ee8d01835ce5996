package builtin

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed elsewhere.txt
var elsewhere string

// Elsewhere reports whether SQL Server has a function with that name, in upper case, that is not modeled.
func Elsewhere(name string) bool { return documented()[name] }

var documented = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(elsewhere) {
		for name := range strings.FieldsSeq(strings.TrimPrefix(line, "#")) {
			names[name] = true
		}
	}
	return names
})
