package dialects

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOverran: an attempt counts from its own start, by the server's clock; what the timeout ended in time did not overrun.
func TestOverran(t *testing.T) {
	from := time.Date(2026, 11, 22, 2, 0, 0, 0, time.UTC)
	limit := int64(3)
	after := func(d time.Duration) *time.Time { at := from.Add(d); return &at }
	for name, c := range map[string]struct {
		status string
		limit  *int64
		from   *time.Time
		to     *time.Time
		now    time.Time
		want   float64 // 0: nil
	}{
		"succeeded late":           {"Succeeded", &limit, &from, after(60 * time.Second), from.Add(time.Hour), 57},
		"succeeded a moment late":  {"Succeeded", &limit, &from, after(3200 * time.Millisecond), from.Add(time.Hour), 0.2},
		"succeeded in time":        {"Succeeded", &limit, &from, after(3 * time.Second), from.Add(time.Hour), 0},
		"failed late":              {"Failed", &limit, &from, after(5 * time.Second), from.Add(time.Hour), 2},
		"no timeout":               {"Succeeded", nil, &from, after(time.Hour), from.Add(time.Hour), 0},
		"running":                  {"Running", &limit, &from, nil, from.Add(9 * time.Second), 6},
		"just to be ended":         {"Stopping", &limit, &from, nil, from.Add(6 * time.Second), 0},
		"not to be ended":          {"Stopping", &limit, &from, nil, from.Add(time.Minute), 57},
		"ended by the timeout":     {"TimedOut", &limit, &from, after(5 * time.Second), from.Add(time.Hour), 0},
		"timed out and ran on":     {"TimedOut", &limit, &from, after(time.Minute), from.Add(time.Hour), 57},
		"waits for a retry":        {"Waiting", &limit, &from, nil, from.Add(time.Hour), 0},
		"given up between two":     {"Cancelled", &limit, &from, after(time.Hour), from.Add(time.Hour), 0},
		"never started":            {"Skipped", &limit, nil, after(time.Hour), from.Add(time.Hour), 0},
		"claimed by a clock ahead": {"Running", &limit, &from, nil, from.Add(-time.Hour), 0},
	} {
		task := Task{Status: c.status, StartedAt: c.from, FinishedAt: c.to, TaskOptions: TaskOptions{Timeout: c.limit}}
		task.Measure(c.now)
		if c.want == 0 {
			require.Nil(t, task.Overran, name)
			continue
		}
		require.NotNil(t, task.Overran, name)
		require.InDelta(t, c.want, *task.Overran, 0.001, name)
		e := LogEntry{Outcome: c.status, StartedAt: *c.from, FinishedAt: c.to, Timeout: c.limit}
		e.Measure(c.now)
		require.Equal(t, task.Overran, e.Overran, name)
	}
	e := LogEntry{Outcome: "Cancelled", StartedAt: from, FinishedAt: after(time.Minute), Timeout: &limit}
	e.Measure(from.Add(time.Hour))
	require.InDelta(t, 57, *e.Overran, 0.001, "an attempt knows its own end")
}

// TestState: a running attempt of a task that is told to end is Stopping; one that has ended is what it was.
func TestState(t *testing.T) {
	end := time.Now()
	for want, e := range map[string]LogEntry{
		"Stopping": {Outcome: "Running", TaskStatus: "Stopping"}, "Running": {Outcome: "Running"}, "Failed": {Outcome: "Failed", FinishedAt: &end, TaskStatus: "Stopping"},
	} {
		require.Equal(t, want, e.State())
	}
}

// TestWhatCanBeDone: only what the server would not refuse, and what would change something.
func TestWhatCanBeDone(t *testing.T) {
	end := time.Now()
	type can struct{ retry, cancel bool }
	for status, want := range map[string]can{
		"Pending": {false, true}, "Waiting": {false, true}, "Running": {false, true}, "Succeeded": {}, "Failed": {true, false}, "TimedOut": {true, false},
		"Cancelled": {true, false}, "Skipped": {true, false},
	} {
		task := Task{ID: 1, ProcessID: 7, Status: status}
		if want.retry || status == "Succeeded" {
			task.FinishedAt = &end
		}
		require.Equal(t, want, can{task.Retryable(), task.Cancellable()}, status)
		task.ProcessID = 0
		require.False(t, task.Retryable(), "the task of a firing")
	}
	for outcome, want := range map[string]bool{"TimedOut": true, "Cancelled": false} {
		require.Equal(t, want, Task{Status: "Stopping", TaskOptions: TaskOptions{StopOutcome: outcome}}.Cancellable(), outcome)
	}
	for name, c := range map[string]struct {
		p    Process
		want can
	}{
		"open":                      {Process{ID: 7, Status: "Open", Unfinished: 1}, can{false, true}},
		"open with a failure":       {Process{ID: 7, Status: "Open", Unfinished: 1, Failed: 1}, can{true, true}},
		"open and idle":             {Process{ID: 7, Status: "Open"}, can{false, true}},
		"halted, one still runs":    {Process{ID: 7, Status: "Failed", FinishedAt: &end, Unfinished: 1, Failed: 1}, can{true, true}},
		"succeeded":                 {Process{ID: 7, Status: "Succeeded", FinishedAt: &end}, can{false, false}},
		"cancelled":                 {Process{ID: 7, Status: "Cancelled", FinishedAt: &end}, can{true, false}},
		"cancelled, one still runs": {Process{ID: 7, Status: "Cancelled", FinishedAt: &end, Unfinished: 1, Failed: 1}, can{false, false}},
		"the default process":       {Process{ID: 1, Status: "Open", Unfinished: 1, Failed: 1}, can{true, false}},
		"that of schedules":         {Process{ID: 0, Status: "Open", Unfinished: 1, Failed: 1}, can{false, false}},
	} {
		require.Equal(t, c.want, can{c.p.Retryable(), c.p.Cancellable()}, name)
	}
}
