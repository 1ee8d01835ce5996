package dialects

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pmezard/go-difflib/difflib"
)

// Level is the result of a check.
type Level string

// The levels.
const (
	OK   Level = "OK"
	Info Level = "INFO" // nothing to do
	Warn Level = "WARN" // works or was not checked; look at it
	Fail Level = "FAIL" // tasks do not run as they should
)

// Check is the result of one check of verify.
type Check struct {
	Name  string `json:"name"` // what was checked: a word or two in lower case, like "broker" or "lane queues"
	Level Level  `json:"level"`
	Text  string `json:"text"`            // the finding, in one clause without a period
	Means string `json:"means,omitempty"` // what follows for tasks, in sentences
	// Remedy is the repair: a statement for the engine's own client, or a command of this program.
	Remedy string `json:"remedy,omitempty"`
	Diff   string `json:"diff,omitempty"` // of an object that was altered: a unified diff from what was installed
	// Safe says that --fix may run Remedy, which then is a statement, or Statements: that changes nothing that may be intended.
	Safe       bool     `json:"safe,omitempty"`
	Statements []string `json:"-"` // those in Remedy, if there are several
}

// VerifyOptions are the options of Verify.
type VerifyOptions struct {
	// ProbeTimeout is how long the probe task may take, from enqueueing to its end; 0: no probe.
	ProbeTimeout time.Duration
	// Report, when set, is called with each check as it is done.
	Report func(Check)
}

// Diff returns the unified diff from installed to is.
func Diff(installed, is string) string { return NamedDiff("installed", installed, "is", is) }

// NamedDiff returns the unified diff between two texts under their names; "" if they are equal.
func NamedDiff(from, old, to, is string) string {
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: difflib.SplitLines(old), B: difflib.SplitLines(is), FromFile: from, ToFile: to, Context: 2,
	})
	if err != nil { // an in-memory writer has no errors
		return err.Error()
	}
	return text
}

// MovesCheck says where the database may go on without a new start.
func MovesCheck(st Status) Check {
	return Check{Name: "moves", Level: Info, Text: "after a move the database goes on on any of " + strings.Join(st.AlsoOn, ", "), Means: "A second copy there cannot be told apart, and would run the same tasks."}
}

// Findings are what a verification has found so far.
type Findings struct {
	Checks []Check
	Name   string      // of the current check
	Report func(Check) // see [VerifyOptions]
}

// Add records and reports what a check found; without a name, the current one.
func (f *Findings) Add(c Check) {
	c.Name = cmp.Or(c.Name, f.Name)
	f.Checks = append(f.Checks, c)
	if f.Report != nil {
		f.Report(c)
	}
}

// OK records that a check found nothing.
func (f *Findings) OK(text string) { f.Add(Check{Level: OK, Text: text}) }

// Info records what is not wrong.
func (f *Findings) Info(text string) { f.Add(Check{Level: Info, Text: text}) }

// Adds returns a check that both engines make. The status is read before it.
func (f *Findings) Adds(db Scheduler, st *Status, checks func(context.Context, Scheduler, Status) ([]Check, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		all, err := checks(ctx, db, *st)
		for _, c := range all {
			f.Add(c)
		}
		return err
	}
}

// NotSeen reports that a check could not run; denied: because a right is missing.
func (f *Findings) NotSeen(text string, denied bool) {
	text = FirstLine(text)
	switch {
	case denied:
		f.Info("not checked, because this user lacks the right: " + text)
	case f.Broken():
		f.Info("not checked, perhaps because of the FAIL above: " + text)
	default:
		f.Add(Check{Level: Warn, Text: "not checked: " + text})
	}
}

// FirstLine returns the first line of a text.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Broken reports whether one of these checks has failed; without names, whether any check has.
func (f *Findings) Broken(names ...string) bool {
	return slices.ContainsFunc(f.Checks, func(c Check) bool {
		return c.Level == Fail && (names == nil || slices.Contains(names, c.Name))
	})
}

// AlarmCheck reports the unacknowledged alarms of the last day. Copies of the database have their own check.
func AlarmCheck(ctx context.Context, db Scheduler, _ Status) ([]Check, error) {
	all, err := db.Alarms(ctx, Filter{Unacknowledged: true, Since: time.Now().Add(-24 * time.Hour), Limit: 100})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(a Alarm) bool { return a.Kind == "Copy" })
	if len(all) == 0 {
		return []Check{{Name: "alarms", Level: OK, Text: "no unacknowledged alarms in the last day"}}, nil
	}
	kinds := map[string]int{}
	for _, a := range all {
		kinds[a.Kind]++
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return []Check{{Name: "alarms", Level: Warn, Text: "unacknowledged in the last day: " + strings.Join(parts, ", "), Means: "Each alarm reports a problem to look into.", Remedy: "dbsched alarms, then dbsched alarms --ack"}}, nil
}

// OwnerCheck reports what was left by users who no longer exist.
func OwnerCheck(left []string) Check {
	c := Check{Name: "users", Level: OK, Text: "nothing belongs to users who no longer exist"}
	if len(left) > 0 {
		c = Check{
			Name: "users", Level: Warn, Text: "left by users who no longer exist: " + someOf(left),
			Means:  "Such schedules and rounds start nothing, such tasks fail, and such a hook is not called. A user created again with the same name is another user.",
			Remedy: "dbsched schedule alter, round define, cancel task or SetAlarmHook, as an existing user; for an administrator on Oracle, dbsched revoke USER",
		}
	}
	return c
}

// someOf lists the first five, and how many others there are.
func someOf(all []string) string {
	if len(all) > 5 {
		return strings.Join(all[:5], ", ") + fmt.Sprintf(" and %d others", len(all)-5)
	}
	return strings.Join(all, ", ")
}

// named lists the first schedules by name.
func named(all []Schedule) string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return someOf(names)
}

// ScheduleCheck reports schedules that are late or suspended, or cannot be computed.
func ScheduleCheck(ctx context.Context, db Scheduler, st Status) (checks []Check, err error) {
	counts, err := db.ScheduleCounts(ctx)
	if err != nil {
		return nil, err
	}
	var late, suspended, lost []Schedule
	if counts.All() > 0 {
		all, err := db.Schedules(ctx, "")
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if s.Status == "Suspended" {
				suspended = append(suspended, s)
			} else if s.Late(st.Now) > LateAfter {
				late = append(late, s)
			}
			if s.Status != "Suspended" && s.NextAt != nil && s.NextLocal == "" {
				lost = append(lost, s)
			}
		}
	}
	add := func(level Level, all []Schedule, text, means, remedy string) {
		if len(all) > 0 {
			checks = append(checks, Check{Name: "schedules", Level: level, Text: text + ": " + named(all), Means: means, Remedy: remedy})
		}
	}
	if why, next := st.WhyBlocked(); why != "" {
		add(Info, late, "due, but "+why, "They fire when it runs again, as their policy for missed firings says.", next)
	} else {
		add(Fail, late, fmt.Sprintf("late by up to %v", counts.LateBy(st.Now).Truncate(time.Second)),
			"They do not fire. The dispatcher does not run, waits for a lock, or fails.", "dbsched alarms, then the checks above")
	}
	if len(suspended) > 0 {
		name, means := "NAME", "They do not fire. dbsched schedule list says why."
		if len(suspended) == 1 {
			name, means = fmt.Sprintf("%q", suspended[0].Name), "It does not fire: "+strings.TrimSuffix(suspended[0].Reason, ".")+"."
		}
		add(Warn, suspended, "suspended", means, "dbsched schedule resume "+name)
	}
	add(Warn, lost, "in a time zone that the server does not know", "They are suspended when they are due.", "dbsched schedule alter NAME --zone ZONE")
	if checks == nil {
		text := "none"
		if counts.Late = 0; counts.All() > 0 { // what was late has fired since
			text = counts.String()
		}
		checks = []Check{{Name: "schedules", Level: OK, Text: text}}
	}
	return checks, nil
}

// SlowProbe is how long a probe can take without a warning, and how often a waiting one is reported.
const SlowProbe = 5 * time.Second

// AwaitProbe is WaitProcess that reports every [SlowProbe] how long it has waited.
func AwaitProbe(ctx context.Context, s Scheduler, process int64, timeout time.Duration, notify func(line string)) (finished bool, err error) {
	timeout = max(timeout.Truncate(time.Second), time.Second)
	for waited := time.Duration(0); ; {
		slice := min(timeout-waited, SlowProbe)
		if finished, err = s.WaitProcess(ctx, process, slice); finished || err != nil {
			return finished, err
		}
		if waited += slice; waited >= timeout {
			return false, nil
		}
		notify(fmt.Sprintf("the probe task has not ended after %v; waiting up to %v", waited, timeout))
	}
}

// ProbeEnded is the check of a probe that succeeded, some time after it was enqueued.
func ProbeEnded(took time.Duration) Check {
	c := Check{Name: "probe", Level: OK, Text: fmt.Sprintf("the probe task ended %d ms after it was enqueued", took.Milliseconds())}
	if took > SlowProbe {
		c.Level, c.Means, c.Remedy = Warn, "Tasks run, but this one waited: other tasks came first, or sessions start slowly. Tasks of yours wait as long.", "dbsched status\ndbsched processes"
	}
	return c
}

// Probe enqueues an empty task in its own process and waits until it ends. It returns the process, and the caller removes its rows:
// 0 if no probe ran, and a check without a name if the timeout is 0.
func Probe(ctx context.Context, s Scheduler, st Status, timeout time.Duration, nothing string, notify func(line string)) (c Check, process int64, err error) {
	c = Check{Name: "probe", Level: Info}
	switch {
	case timeout == 0:
		return Check{}, 0, nil
	case st.Blocked != "":
		c.Text = "not run: no task can run now (" + string(st.Blocked) + ")"
		return c, 0, nil
	case st.Running >= int64(st.MaxWorkers):
		c.Level, c.Text = Warn, "not run: all workers are busy"
		return c, 0, nil
	}
	began := time.Now()
	done, err := s.Submit(ctx, NewProcess{Name: "dbsched verify", Priority: 1_000_000}, []NewTask{{SQL: nothing, Order: 1}})
	if err != nil {
		c.Text = "not run: the task cannot be enqueued: " + err.Error()
		return c, 0, nil //nolint:nilerr // the check says so
	}
	finished, err := AwaitProbe(ctx, s, done.ProcessID, timeout, notify)
	if err != nil {
		return c, done.ProcessID, err
	}
	tasks, err := s.Tasks(ctx, Filter{ProcessID: done.ProcessID})
	switch {
	case err != nil:
	case !finished:
		c.Level, c.Text = Fail, fmt.Sprintf("the probe task did not end within %v", timeout)
		if len(tasks) == 1 {
			c.Text += "; its status is " + tasks[0].Status
		}
		c.Means, c.Remedy = "Tasks do not run, or they wait for other tasks.", "dbsched workers"
		err = s.CancelProcess(ctx, done.ProcessID)
	case len(tasks) != 1 || tasks[0].Status != "Succeeded":
		c.Level, c.Text, c.Remedy = Fail, "the probe task failed", fmt.Sprintf("dbsched logs --process %d", done.ProcessID)
		return c, 0, nil // its rows say why
	default:
		c = ProbeEnded(time.Since(began))
	}
	return c, done.ProcessID, err
}

// After returns the result of a check that was made although another one has failed: if so, that may be why this one fails, too.
func (c Check) After(failed bool) Check {
	if failed && c.Level == Fail {
		c.Level, c.Safe, c.Text = Info, false, c.Text+", perhaps because of the FAIL above"
	}
	return c
}
