package integration

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const open = 1<<31 - 1 // there is no highest value but that of the type

var edges = []edge{
	{procedure: "ExecAsync", parameter: "Priority", lowest: -1000000, highest: 1000000, number: 3},
	{procedure: "ExecAsync", parameter: "MaxAttempts", lowest: 1, highest: 100, number: 3},
	{procedure: "ExecAsync", parameter: "RetryDelaySeconds", lowest: 0, highest: 86400, number: 3},
	{procedure: "ExecAsync", parameter: "ExpectedSeconds", lowest: 0, highest: open, number: 3},
	{procedure: "ExecAsync", parameter: "TimeoutSeconds", lowest: 1, highest: open, number: 3},
	{procedure: "ExecAsync", parameter: "DedupKey", lowest: 1, highest: 200, text: true, number: 30},
	{procedure: "ExecAsync", parameter: "Name", lowest: 1, highest: 128, text: true, number: 59},
	{procedure: "CreateProcess", parameter: "Name", lowest: 1, highest: 128, text: true, number: 12},
	{procedure: "CreateProcess", parameter: "Priority", lowest: -1000000, highest: 1000000, number: 3},
	{procedure: "CreateProcess", parameter: "Weight", lowest: 1, highest: 1000, number: 3},
	{procedure: "CreateProcess", parameter: "MaxParallel", lowest: 1, highest: open, number: 3},
	{procedure: "WaitProcess", parameter: "TimeoutSeconds", lowest: 0, highest: 604800, number: 3},
	{procedure: "DefineResource", parameter: "Name", lowest: 1, highest: 128, text: true, number: 41},
	{procedure: "DefineResource", parameter: "Capacity", lowest: 1, highest: 1000000, number: 3},
	{procedure: "AcquireResource", parameter: "TimeoutSeconds", lowest: 0, highest: 604800, number: 3},
	{procedure: "AcquireResource", parameter: "LeaseSeconds", lowest: 1, highest: 604800, number: 3},
	{procedure: "AcquireResource", parameter: "Requester", lowest: 1, highest: 128, text: true, number: 41},
	{procedure: "DefineRound", parameter: "Round", lowest: 1, highest: 128, text: true, number: 50},
	{procedure: "DefineRound", parameter: "MaxAgeSeconds", lowest: 1, highest: 31536000, number: 3},
	{procedure: "DefineRound", parameter: "StartSeconds", lowest: 1, highest: 3600, number: 3},
	{procedure: "CreateSchedule", parameter: "Name", lowest: 1, highest: 100, text: true, number: 73},
	{procedure: "SetOptions", parameter: "LingerSeconds", lowest: 0, highest: 60, number: 3},
	{procedure: "SetOptions", parameter: "IdleSweepSeconds", lowest: 1, highest: 86400, number: 3},
	{procedure: "SetOptions", parameter: "RetentionDays", lowest: 1, highest: 36500, number: 3},
	{procedure: "SetOptions", parameter: "MaxRetryDelaySeconds", lowest: 0, highest: 86400, number: 3},
	{procedure: "SetOptions", parameter: "MaxOrphans", lowest: 0, highest: 100, number: 3},
	{procedure: "SetOptions", parameter: "OutageSeconds", lowest: 0, highest: 2592000, number: 3},
	{procedure: "SetOptions", parameter: "MaxTasksPerUser", lowest: 0, highest: open, number: 3},
	{procedure: "SetOptions", parameter: "DefaultTimeoutSeconds", lowest: 0, highest: open, number: 3},
	{procedure: "SetWorkers", parameter: "MaxWorkers", lowest: 0, highest: 0, number: 3}, // more than the lanes is another error, see TestRefusals
	{procedure: "Purge", parameter: "Days", lowest: 0, highest: 36500, number: 3},
}

// TestEdges: the lowest and the highest value of a parameter are taken, and none beyond them.
func TestEdges(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		s := h.session()
		p := number(h, s.ask(h.say.createProcess("ends", false)))
		require.EqualValues(h, 2, p)
		s.exec(h.say.close(p))
		h.waitFor(p, time.Minute)
		require.NoError(h, h.sched.DefineResource(h.Context(), "r", 1000))
		all := slices.Clone(edges)
		for _, e := range edges {
			if e.procedure == "ExecAsync" {
				e.batch = true
				all = append(all, e)
			}
		}
		for _, e := range all {
			name := e.procedure + "." + e.parameter
			if h.dialect.Name() == "oracle" && name == "SetOptions.LingerSeconds" {
				e.highest = 3600
			}
			for _, value := range []int{e.lowest, e.highest} {
				if e.procedure == "AcquireResource" {
					s = h.session() // one that holds it would wait for itself
				}
				s.exec(h.pass(e, value))
			}
			var beyond []int
			if h.dialect.Name() == "mssql" || !e.text { // an empty text is NULL on Oracle
				beyond = append(beyond, e.lowest-1)
			}
			if e.highest != open && e.highest != e.lowest {
				beyond = append(beyond, e.highest+1)
			}
			for _, value := range beyond {
				require.ErrorContains(h, s.try(h.pass(e, value)), h.errorText(e.number), "%s %d", name, value)
			}
		}
	})
}

// pass is a statement that passes a value.
func (h *harness) pass(e edge, value int) string {
	if e.batch {
		return h.say.inList(e, value)
	}
	return h.say.passing(e, value)
}
