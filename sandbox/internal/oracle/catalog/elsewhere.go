package catalog

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

//go:embed elsewhere.txt
var elsewhere string

var documented = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(elsewhere) {
		for name := range strings.FieldsSeq(strings.TrimPrefix(line, "#")) {
			names[name] = true
			if view, ok := strings.CutPrefix(name, "ALL_"); ok {
				names["USER_"+view], names["DBA_"+view], names["CDB_"+view] = true, true, true
			}
		}
	}
	return names
})

// Elsewhere refuses a table that SYS has in Oracle's documentation but not here.
func (c *Catalog) Elsewhere(name string) error {
	if c.Object(Sys, strings.TrimPrefix(name, "SYS.")) != nil || c.Find(Public, name, ast.KindSynonym) != nil {
		return nil // the rights do not allow seeing it
	}
	return Elsewhere(name)
}

// Elsewhere refuses a name that Oracle documents but the sandbox lacks: of a package, a dictionary view or a V$ view.
// It returns nil for any other.
func Elsewhere(name string) error {
	name, _, _ = strings.Cut(strings.TrimPrefix(strings.ReplaceAll(name, `"`, ""), "SYS."), ".")
	if documented()[name] || strings.HasPrefix(name, "V$") || strings.HasPrefix(name, "GV$") {
		return sqlerr.NotSupported("%s", name)
	}
	return nil
}
