package sandboxtest

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox"
)

// crowded are the tables with many rows of others: whoever scans them waits for others' locks, and locks what others need.
var crowded = []string{"Tasks", "Processes", "Schedules", "ScheduleFirings"}

// LeftOpen returns which accesses of dbsched's units in a schema leave open what they must not. docs/design.md: every access names its hints, and
// lists need FORCESEEK and MAXDOP 1.
func LeftOpen(schema string, all []sandbox.Left) (out []sandbox.Left) {
	for _, l := range all {
		if !strings.EqualFold(l.Schema, schema) {
			continue
		}
		if l.Table == "Settings" && slices.Contains(joining, l.Unit) {
			l.Versions = false
		}
		if !slices.Contains(crowded, l.Table) || l.Unit == "ComeHome" { // which changes all of them, while nobody works
			l.Path, l.Degree = false, false
		}
		if l.Granularity || l.Versions || l.Path || l.Degree {
			out = append(out, l)
		}
	}
	return out
}

// joining are the procedures that make a caller's SNAPSHOT transaction read first, in the caller's way.
var joining = []string{"CreateProcess", "ExecAsync", "ExecAsyncBatch", "ExecAsyncTable", "RequestProcess"}
