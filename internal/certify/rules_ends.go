package certify

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// endRules are about tasks that somebody, or their time limit, ends.
func (w words) endRules() []Probe {
	const capability = "timeouts and cancel"
	running := func(name, assumed string, ask func(ctx context.Context, b *bed) (string, error)) Probe {
		p := rule(Probe{Name: name, Capability: capability, Assumed: assumed, Otherwise: "Tasks run on and on, and nobody is told", ask: ask}, goesOn, wronged, attempts)
		p.Answers[0].Seen = stops
		p.Answers = slices.Insert(p.Answers, 1, Answer{Seen: marked, Verdict: Handled, Means: w.cannot})
		return p
	}
	return []Probe{
		rule(Probe{
			Name: "cancel-waiting", Capability: capability,
			Assumed:   "A task that is cancelled while it waits never runs",
			Otherwise: "What was cancelled happens",
			ask:       askWaiting,
		}, ran),
		running("cancel-running", "A task that is cancelled while it runs ends at once", func(ctx context.Context, b *bed) (string, error) {
			db, ids, err := b.started(ctx, b.sleeping(0, sleeps))
			if err != nil {
				return "", err
			}
			if err := db.CancelTask(ctx, ids[0]); err != nil {
				return "", err
			}
			if now, err := b.status(ctx, ids[0]); err != nil || now == "Succeeded" {
				return "", errors.Join(err, errGone)
			}
			return b.ends(ctx, db, ids[0], "Cancelled")
		}),
		running("timeout", "A task that runs for longer than its `Timeout` is ended", func(ctx context.Context, b *bed) (string, error) {
			task := b.sleeping(0, sleeps)
			task.Timeout, task.MaxAttempts = 2*time.Second, 1
			db, err := b.dbsched(ctx)
			if err != nil {
				return "", err
			}
			ids, err := db.Exec(ctx, []dialects.NewTask{task})
			if err != nil {
				return "", err
			}
			return b.ends(ctx, db, ids[0], "TimedOut")
		}),
	}
}

// askWaiting cancels a task before its time, and looks at it after.
func askWaiting(ctx context.Context, b *bed) (string, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	s, err := db.Status(ctx)
	if err != nil {
		return "", err
	}
	ids, err := db.Exec(ctx, []dialects.NewTask{{SQL: b.say.nothing, NotBefore: s.Now.Add(3 * time.Second)}})
	if err != nil {
		return "", err
	}
	if err := db.CancelTask(ctx, ids[0]); err != nil {
		return "", err
	}
	if now, err := b.status(ctx, ids[0]); err != nil || now == "Succeeded" {
		return "", errors.Join(err, errGone)
	}
	if err := sleep(ctx, 5*time.Second); err != nil {
		return "", err
	}
	now, err := b.status(ctx, ids[0])
	if err != nil {
		return "", err
	}
	logs, err := db.Logs(ctx, dialects.Filter{TaskID: ids[0]})
	if err != nil {
		return "", err
	}
	return judgeCancelled(logs, now), nil
}

const ran = "broken: it ran"

// judgeCancelled wants a task that never ran.
func judgeCancelled(logs []dialects.LogEntry, status string) string {
	switch {
	case len(logs) > 0:
		return ran
	case status != "Cancelled":
		return wrong
	}
	return held
}

// sleeps is how long a task sleeps that is to be ended.
const sleeps = 12 * time.Second

// ends waits for the end of such a task, and judges it.
func (b *bed) ends(ctx context.Context, db dialects.Scheduler, id int64, outcome string) (string, error) {
	noted, err := b.untilStatus(ctx, id, append([]string{"Stopping"}, ended...)...)
	if err != nil {
		return "", err
	}
	if _, err := b.untilStatus(ctx, id, ended...); err != nil {
		return "", err
	}
	logs, err := db.Logs(ctx, dialects.Filter{TaskID: id})
	if err != nil {
		return "", err
	}
	alarms, err := db.Alarms(ctx, dialects.Filter{})
	if err != nil {
		return "", err
	}
	told := slices.ContainsFunc(alarms, func(a dialects.Alarm) bool { return a.TaskID == id && a.Kind == "CannotEnd" })
	return judgeEnd(logs, outcome, sleeps, b.slack, noted == "Stopping" || told), nil
}
