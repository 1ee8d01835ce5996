package sandboxtest

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dbsched/dbsched/sandbox"
)

// Reaching reports whether DBSCHED_REACH names a file.
func Reaching() bool { return os.Getenv("DBSCHED_REACH") != "" }

// Reach is what has been executed, and what has not.
type Reach struct{ executed, rest map[sandbox.Place]bool }

// Add adds what a sandbox, or a simulation, has executed, and the statements that it has at its end.
func (r *Reach) Add(executed []sandbox.Place, statements []sandbox.Statement) {
	if r.executed == nil {
		r.executed, r.rest = map[sandbox.Place]bool{}, map[sandbox.Place]bool{}
	}
	for _, p := range executed {
		if p.Unit = nameOf(p.Unit); p.Unit != "" {
			r.executed[p] = true
		}
	}
	for _, st := range statements {
		unit, _, _ := strings.Cut(st.Unit, ".") // without Oracle's subprogram
		if !st.Ran {
			r.rest[sandbox.Place{Unit: nameOf(unit), Line: st.Line}] = true
		}
	}
}

// nameOf names a unit. Batches and blocks count if their first or second line is a comment, which then, with underscores instead of spaces
// and 40 bytes at most, is their name: all templates have one.
func nameOf(unit string) string {
	const most = 40
	words := strings.NewReplacer(" ", "_", "\t", "_")
	lines := strings.SplitN(unit, "\n", 3)
	if len(lines) == 1 {
		return words.Replace(strings.ToUpper(unit))
	}
	for _, line := range lines[:2] {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "-- ") {
			return words.Replace(strings.ToUpper(line[:min(len(line), most)]))
		}
	}
	return ""
}

// Record adds a line to the file named by DBSCHED_REACH, if there is one: a name, the dialect, a number of statements, the lines that were
// executed, and those of existing units with a statement that was not, with tabs between. A line of several statements may be in both.
func (r *Reach) Record(t *testing.T, name, dialect string, statements int64) {
	t.Helper()
	if Reaching() {
		add(t, os.Getenv("DBSCHED_REACH"), fmt.Sprintf("%s\t%s\t%d\t%s\t%s\n", name, cmp.Or(dialect, "mssql"), statements, places(r.executed), places(r.rest)))
	}
}

// places formats lines as UNIT:LINE.
func places(set map[sandbox.Place]bool) string {
	var b strings.Builder
	for _, p := range slices.SortedFunc(maps.Keys(set), func(a, b sandbox.Place) int { return cmp.Or(cmp.Compare(a.Unit, b.Unit), a.Line-b.Line) }) {
		fmt.Fprintf(&b, " %s:%d", p.Unit, p.Line)
	}
	return strings.TrimPrefix(b.String(), " ")
}
