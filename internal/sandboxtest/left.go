package sandboxtest

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox"
)

// crowded are the tables with many rows of others: whoever scans them waits for others' locks, and locks what others need.
var crowded = []string{"Tasks", "Processes", "Schedules", "ScheduleFirings"}

// LeftOpen returns which statements of dbsched's units in a schema leave open what they must not. docs/design-mssql.md: on SQL Server every access names its
// hints, and lists need FORCESEEK and MAXDOP 1; on Oracle every commit waits for its log, and nobody waits for a lock on a row for ever.
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
		if l.Granularity || l.Versions || l.Path || l.Degree || (l.Unsafe || l.Endless) && ours(l.Unit) {
			out = append(out, l)
		}
	}
	return out
}

// ours says whether a package of a schema on Oracle, which may hold others, is dbsched's.
func ours(unit string) bool { return unit == "DBSCHED" || strings.HasPrefix(unit, "DS_") }

// joining are the procedures that make a caller's SNAPSHOT transaction read first, in the caller's way.
var joining = []string{"CreateProcess", "ExecAsync", "ExecAsyncBatch", "ExecAsyncTable", "RequestProcess"}
