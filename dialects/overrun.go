package dialects

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// grace is how long it may take to end an attempt whose timeout has passed, where dbsched may end sessions: the dispatcher looks about once a
// second, and the session rolls back.
const grace = 5 * time.Second

// Overran returns for how many seconds an attempt ran after its timeout, or runs until now, the server's, if it has not ended; nil if it
// kept to it, or is being ended or was, as TimedOut, within the grace.
func Overran(outcome string, timeoutSeconds *int64, from, to *time.Time, now time.Time) *float64 {
	if timeoutSeconds == nil || from == nil {
		return nil
	}
	end, least := now, grace
	if to != nil {
		end = *to
		if outcome != "TimedOut" {
			least = 0
		}
	}
	after := end.Sub(*from) - time.Duration(*timeoutSeconds)*time.Second
	if after <= least {
		return nil
	}
	s := after.Seconds()
	return &s
}

// Measure computes what follows from the times of a task and the server's clock. When a task was given up between two attempts, its own end
// is not that of the last one, which only the attempt has.
func (t *Task) Measure(now time.Time) {
	t.Seconds = Seconds(t.StartedAt, t.FinishedAt)
	if slices.Contains([]string{"Running", "Stopping", "Succeeded", "Failed", "TimedOut"}, t.Status) {
		t.Overran = Overran(t.Status, t.Timeout, t.StartedAt, t.FinishedAt, now)
	}
}

// Measure computes what follows from the times of an attempt and the server's clock.
func (e *LogEntry) Measure(now time.Time) {
	e.Seconds = Seconds(&e.StartedAt, e.FinishedAt)
	e.Overran = Overran(e.Outcome, e.Timeout, &e.StartedAt, e.FinishedAt, now)
}

// State is the outcome; Stopping while a running attempt is told to end.
func (e LogEntry) State() string {
	if e.FinishedAt == nil && e.TaskStatus == "Stopping" {
		return e.TaskStatus
	}
	return e.Outcome
}

// Options lists what the enqueuer chose for a task, and how far the task is with it: names and values.
func (t Task) Options() [][2]string {
	attempts := fmt.Sprintf("%d of %d", t.Attempt, t.MaxAttempts)
	if t.Failures > 0 {
		attempts += fmt.Sprintf(", %d failed", t.Failures)
	}
	if t.Orphans > 0 {
		attempts += fmt.Sprintf(", %d whose worker died", t.Orphans)
	}
	limit := "none"
	if t.Timeout != nil {
		limit = (time.Duration(*t.Timeout) * time.Second).String()
	}
	all := [][2]string{{"priority", strconv.Itoa(t.Priority)}, {"attempt", attempts}, {"timeout", limit}, {"on orphan", t.OnOrphan}}
	for _, o := range []struct {
		name, value string
		set         bool
	}{
		{"stops as", t.StopOutcome + ", unless it succeeds", t.StopOutcome != ""},
		{"expected", (time.Duration(t.ExpectedSeconds) * time.Second).String(), t.ExpectedSeconds > 0},
		{"resource", t.Resource + ", " + t.Access, t.Resource != ""},
		{"transactional", "yes", t.Transactional},
		{"dedup key", t.DedupKey, t.DedupKey != ""},
		{"duplicate of", "task " + strconv.FormatInt(t.DuplicateOf, 10), t.DuplicateOf != 0},
		{"parameters", t.Parameters, t.Parameters != ""},
	} {
		if o.set {
			all = append(all, [2]string{o.name, o.value})
		}
	}
	return all
}

// retryable are the statuses of tasks that can run again.
var retryable = []string{"Failed", "TimedOut", "Cancelled", "Skipped"}

// Retryable reports whether the task of an attempt could run again when the attempt was read.
func (e LogEntry) Retryable() bool {
	return e.ProcessID != 0 && slices.Contains(retryable, e.TaskStatus)
}

// Retryable reports whether RetryTask can run a task again: the tasks of process 0 make those of schedules.
func (t Task) Retryable() bool { return t.ProcessID != 0 && slices.Contains(retryable, t.Status) }

// Cancellable reports whether CancelTask changes anything.
func (t Task) Cancellable() bool { return t.FinishedAt == nil && t.StopOutcome != "Cancelled" }

// Running reports whether a session runs a task.
func (t Task) Running() bool { return t.Status == "Running" || t.Status == "Stopping" }

// Retryable reports whether RetryProcess can run tasks again: those of a cancelled process only after all have ended.
func (p Process) Retryable() bool {
	return p.ID != 0 && (p.Failed > 0 || p.Status == "Failed" || p.Status == "Cancelled") && (p.Status != "Cancelled" || p.Unfinished == 0)
}

// Cancellable reports whether CancelProcess changes anything. Processes 0 and 1 never end.
func (p Process) Cancellable() bool {
	return p.ID > 1 && p.Status != "Cancelled" && (p.FinishedAt == nil || p.Unfinished > 0)
}

// NotEnded says what happens to running tasks where dbsched may not end their sessions, and the command that changes that.
func NotEnded(command string) string {
	return "timeouts and cancellations do not end running tasks until a sysadmin allows it: " + command
}
