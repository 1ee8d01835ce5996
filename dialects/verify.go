package dialects

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pmezard/go-difflib/difflib"
)

// Level is how a check of verify came out.
type Level string

// The levels.
const (
	OK   Level = "OK"
	Info Level = "INFO" // good to know; nothing to do
	Warn Level = "WARN" // works, or not looked at, but somebody should look
	Fail Level = "FAIL" // tasks do not run as they should
)

// Check is what one check of verify found.
type Check struct {
	Name  string `json:"name"` // what was looked at: a word or two in lower case, like "broker" or "lane queues"
	Level Level  `json:"level"`
	Text  string `json:"text"`            // what is so, in one sentence
	Means string `json:"means,omitempty"` // what follows from it for tasks
	// Remedy is what mends it: a statement for the engine's own client, or a command of this program.
	Remedy string `json:"remedy,omitempty"`
	Diff   string `json:"diff,omitempty"` // of an object that was altered: a unified diff from what was installed
	// Safe says that --fix may run Remedy, which is a statement then: it changes nothing that somebody may have meant to be so.
	Safe bool `json:"safe,omitempty"`
}

// VerifyOptions are the choices of a verification.
type VerifyOptions struct {
	// ProbeTimeout is how long the probe task may take, from enqueueing to its end; 0: no probe.
	ProbeTimeout time.Duration
	// Report, when set, is called with each check as it is done.
	Report func(Check)
}

// Diff is the unified diff from what was installed to what is there.
func Diff(installed, is string) string {
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: difflib.SplitLines(installed), B: difflib.SplitLines(is), FromFile: "installed", ToFile: "is", Context: 2,
	})
	if err != nil { // of a writer in memory, which has none
		return err.Error()
	}
	return text
}

// AlarmCheck is the check of alarms that nobody has acknowledged. That the database is a copy has a check of its own.
func AlarmCheck(all []Alarm) Check {
	all = slices.DeleteFunc(all, func(a Alarm) bool { return a.Kind == "Copy" })
	if len(all) == 0 {
		return Check{Name: "alarms", Level: OK, Text: "none of the last day is unacknowledged"}
	}
	kinds := map[string]int{}
	for _, a := range all {
		kinds[a.Kind]++
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return Check{Name: "alarms", Level: Warn, Text: "of the last day, nobody has acknowledged " + strings.Join(parts, ", "), Means: "Something happened that a person should look at.", Remedy: "dbsched alarms, then dbsched alarms --ack"}
}

// Probe enqueues a task that does nothing, in a process of its own, and waits for its end. It returns the process, whose rows
// the caller removes; 0 if there was no probe, and a check without a name if none was asked for.
func Probe(ctx context.Context, s Scheduler, st Status, timeout time.Duration, nothing string) (c Check, process int64, err error) {
	c = Check{Name: "probe", Level: Info}
	switch {
	case timeout == 0:
		return Check{}, 0, nil
	case st.Blocked != "":
		c.Text = "was not run, because no task runs now: " + string(st.Blocked)
		return c, 0, nil
	case st.Running >= int64(st.MaxWorkers):
		c.Level, c.Text = Warn, "was not run, because all workers are busy"
		return c, 0, nil
	}
	began := time.Now()
	done, err := s.Submit(ctx, NewProcess{Name: "dbsched verify", Priority: 1_000_000}, []NewTask{{SQL: nothing, Order: 1}})
	if err != nil {
		c.Text = "was not run, because you may not enqueue: " + err.Error()
		return c, 0, nil //nolint:nilerr // who may not learns that
	}
	finished, err := s.WaitProcess(ctx, done.ProcessID, max(timeout.Truncate(time.Second), time.Second))
	if err != nil {
		return c, done.ProcessID, err
	}
	tasks, err := s.Tasks(ctx, Filter{ProcessID: done.ProcessID})
	switch {
	case err != nil:
	case !finished:
		c.Level, c.Text = Fail, fmt.Sprintf("a task did not end within %v", timeout)
		if len(tasks) == 1 {
			c.Text += ": it is " + tasks[0].Status
		}
		c.Means, c.Remedy = "Tasks do not run, or wait for others.", "dbsched workers"
		err = s.CancelProcess(ctx, done.ProcessID)
	case len(tasks) != 1 || tasks[0].Status != "Succeeded":
		c.Level, c.Text, c.Remedy = Fail, "a task that does nothing failed", fmt.Sprintf("dbsched logs --process %d", done.ProcessID)
		return c, 0, nil // its rows tell why
	default:
		c.Level, c.Text = OK, fmt.Sprintf("a task ran, and ended %v after it was enqueued", time.Since(began).Round(time.Millisecond))
	}
	return c, done.ProcessID, err
}
