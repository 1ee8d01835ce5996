package sandboxtest

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// Reaching reports whether DBSCHED_REACH names a file.
func Reaching() bool { return os.Getenv("DBSCHED_REACH") != "" }

// Reach is what has been executed, and what has not: places as UNIT:LINE.
type Reach struct{ executed, rest map[string]bool }

// Add adds what a sandbox, or a simulation, has executed, and the statements that it has at its end.
func (r *Reach) Add(executed []sandbox.Place, statements []sandbox.Statement) {
	if r.executed == nil {
		r.executed, r.rest = map[string]bool{}, map[string]bool{}
	}
	lengthened := map[string]string{}
	for _, p := range executed {
		name := Comment(p.Text)
		if p.Unit != "" {
			name = words.Replace(strings.ToUpper(p.Unit))
			if n := strings.Count(p.Text, "\n"); p.Line > 0 && lengths()[name] > 0 && lengths()[name] != n+1 {
				lengthened[name] = fmt.Sprintf("%s~%d", name, n+1)
				name = lengthened[name]
			}
		}
		if name != "" {
			r.executed[fmt.Sprintf("%s:%d", name, p.Line)] = true
		}
	}
	for _, st := range statements {
		unit, _, _ := strings.Cut(st.Unit, ".") // without Oracle's subprogram
		if unit = words.Replace(strings.ToUpper(unit)); !st.Ran {
			r.rest[fmt.Sprintf("%s:%d", cmp.Or(lengthened[unit], unit), st.Line)] = true
		}
	}
}

var words = strings.NewReplacer(" ", "_", "\t", "_")

// Comment names a batch or block by its first or second line, if it is a comment, with underscores instead of spaces and 40 bytes at most:
// all templates have one. "": it does not count.
func Comment(text string) string {
	const most = 40
	for _, line := range strings.SplitN(text, "\n", 3)[:min(2, strings.Count(text, "\n")+1)] {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "-- ") {
			return words.Replace(strings.ToUpper(line[:min(len(line), most)]))
		}
	}
	return ""
}

// lengths are how many lines dbsched's units have. A unit of that name and another length is named NAME~LENGTH: on Oracle one of an
// installation with a runner, where lines have other numbers, or another program's.
var lengths = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	p := templates.Params{Schema: "APP", Lanes: templates.MaxLanes, Version: "v"}
	for _, render := range []func(templates.Params) ([]templates.Batch, error){templates.MSSQL, templates.Oracle} {
		batches, err := render(p)
		if err != nil {
			panic(err)
		}
		for _, b := range batches {
			if name := strings.ToUpper(b.Object.Name); name != "" { // a package's body comes after it
				out[name] = strings.Count(b.SQL, "\n") + 1
			}
		}
	}
	return out
})

// Record adds a line to the file named by DBSCHED_REACH, if there is one: a name, the dialect, a number of statements, the lines that were
// executed, and those of existing units with a statement that was not, with tabs between. A line of several statements may be in both.
func (r *Reach) Record(t *testing.T, name, dialect string, statements int64) {
	t.Helper()
	if Reaching() {
		add(t, os.Getenv("DBSCHED_REACH"), fmt.Sprintf("%s\t%s\t%d\t%s\t%s\n", name, cmp.Or(dialect, "mssql"), statements, places(r.executed), places(r.rest)))
	}
}

// places formats a set.
func places(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), " ") }
