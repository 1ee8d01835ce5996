package sandboxtest

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/trace"
	"github.com/dbsched/dbsched/sandbox"
)

// Meter tells what a sandbox costs.
type Meter struct {
	box   *sandbox.Server
	began time.Time
	costs map[string]int64
}

// Measure begins to measure.
func Measure(box *sandbox.Server) Meter { return Meter{box, box.Now(), costs(box.Counters())} }

// Cost returns the virtual time and the counters since then.
func (m Meter) Cost() (took time.Duration, counters map[string]int64) {
	counters = costs(m.box.Counters())
	for name, n := range m.costs {
		counters[name] -= n
	}
	return m.box.Now().Sub(m.began), counters
}

// record adds what a sandbox did to the file named by DBSCHED_TRACES.
func record(t *testing.T, m Meter) {
	t.Helper()
	path := os.Getenv("DBSCHED_TRACES")
	if path == "" {
		return
	}
	of, _ := debug.ReadBuildInfo()
	did := trace.Trace{Package: of.Path, Test: t.Name(), Hash: fmt.Sprintf("%016x", m.box.TraceHash()), Outcomes: outcomes(m.box)}
	did.Took, did.Costs = m.Cost()
	line, err := json.Marshal(did)
	require.NoError(t, err)
	add(t, path, string(line)+"\n")
}

// costs names an engine's counters.
func costs(c sandbox.Counters) map[string]int64 {
	all := map[string]int64{
		"Statements": c.Statements, "Queries": c.Queries, "RowsSeek": c.RowsSeek, "RowsScanned": c.RowsScanned, "RowsWritten": c.RowsWritten,
		"Locks": c.Locks, "LockWaits": c.LockWaits, "Messages": c.Messages, "Activations": c.Activations, "Transactions": c.Transactions,
		"Flushes": c.Flushes, "LogRecords": c.LogRecords,
	}
	for mode := range strings.FieldsSeq(c.ByMode.String()) {
		colon := strings.LastIndexByte(mode, ':')
		all[mode[:colon]], _ = strconv.ParseInt(mode[colon+1:], 10, 64)
	}
	return all
}

// promised are the tables and columns that tell what became of users' work, with what identifies a row. Who did it (lanes, sessions, workers),
// how the claim found it, and the numbers of rows of the log, which tasks of the same moment may exchange, are not outcomes.
var promised = map[string]struct{ key, columns []string }{
	"Tasks": {[]string{"TaskId"}, []string{
		"ProcessId", "ExecutionOrder", "Status", "WaitReason", "DueAt", "Attempt", "Failures", "Orphans", "OutageSince", "StopOutcome", "DuplicateOf",
		"StartedAt", "FinishedAt",
	}},
	"Logs": {[]string{"TaskId", "Attempt"}, []string{
		"ProcessId", "StartedAt", "EndedAt", "Outcome", "ErrorNumber", "ErrorMessage", "ErrorProcedure", "ErrorLine", "RowsAffected",
	}},
	"Processes": {[]string{"ProcessId"}, []string{
		"Name", "Status", "CloseRequested", "Running", "TasksSucceeded", "TasksFailed", "CreatedAt", "FinishedAt", "ScheduleId", "FiringId",
	}},
	"ProcessRequests":  {[]string{"ProcessId", "Action"}, []string{"RequestedAt"}},
	"Resources":        {[]string{"ResourceId"}, []string{"Name", "Capacity"}},
	"ResourceRequests": {[]string{"RequestId"}, []string{"ResourceId", "Status", "Access", "TaskId", "LeaseUntil", "GrantedAt"}},
	"Rounds":           {[]string{"RoundId"}, []string{"Name", "Generation"}},
	"RoundMembers":     {[]string{"RoundId", "Member"}, []string{"ReportedAt", "Succeeded"}},
	"RoundFirings":     {[]string{"FiringId"}, []string{"RoundId", "Generation", "Status", "FiredAt", "FiredBy", "EndedAt", "TaskId", "Detail"}},
	"Schedules":        {[]string{"ScheduleId"}, []string{"Name", "Status", "Reason", "NextAt"}},
	"ScheduleFirings":  {[]string{"FiringId"}, []string{"ScheduleId", "DueAt", "Manual", "Status", "Detail", "LoggedAt", "TaskId"}},
	"Alarms":           {[]string{"AlarmId"}, []string{"RaisedAt", "Kind", "ProcessId", "TaskId", "UserName", "AlarmText", "AcknowledgedAt"}},
}

// outcomes reads them, without a statement: nothing that happens is changed by it.
func outcomes(box *sandbox.Server) trace.Outcomes {
	all := trace.Outcomes{}
	box.Rows(func(schema, table string, column func(string) string) {
		name := strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(table), "ds_"), "_", "")
		for as, of := range promised {
			if strings.ToLower(as) != name {
				continue
			}
			var key []string
			for _, c := range of.key {
				key = append(key, either(column, c))
			}
			row := map[string]string{}
			for _, c := range of.columns {
				if v := either(column, c); v != "" {
					row[c] = v
				}
			}
			all[schema+"."+as+" "+strings.Join(key, "/")] = row
		}
	})
	return all
}

// either returns the value of a column by its name on SQL Server, or by that on Oracle.
func either(column func(string) string, name string) string {
	if v := column(name); v != "" {
		return v
	}
	var snake strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			snake.WriteByte('_')
		}
		snake.WriteRune(r)
	}
	return column(strings.ToUpper(snake.String()))
}
