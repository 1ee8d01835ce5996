package certify

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// orderRules are about which task runs when.
func orderRules() []Probe {
	const capability = "waves and resources"
	return []Probe{
		slow(rule(Probe{
			Name: "waves", Capability: capability,
			Assumed:   "No task begins before all tasks of a lower order have ended, and those of one order run beside each other",
			Otherwise: "Tasks could read what others have not written yet",
			ask: func(ctx context.Context, b *bed) (string, error) {
				var tasks []dialects.NewTask
				for order, sleep := range []time.Duration{3 * time.Second, time.Second, time.Second} { // the lanes have started, see ramp-up
					for range 3 - order {
						tasks = append(tasks, b.sleeping(order+1, sleep))
					}
				}
				_, logs, err := b.submit(ctx, "", tasks...)
				if err != nil {
					return "", err
				}
				return judgeWaves(logs, len(tasks), b.slack), nil
			},
		}, early), oneByOne),
		rule(Probe{
			Name: "halt", Capability: capability,
			Assumed:   "After a failure in a process with `OnError` Halt its later waves do not run",
			Otherwise: "Tasks run although what they need has failed",
			ask: func(ctx context.Context, b *bed) (string, error) {
				s, logs, err := b.submit(ctx, "Halt", dialects.NewTask{SQL: b.say.fails, Order: 1}, dialects.NewTask{SQL: b.say.nothing, Order: 2})
				if err != nil {
					return "", err
				}
				second, err := b.status(ctx, s.TaskIDs[1])
				if err != nil {
					return "", err
				}
				return judgeHalt(logs, second), nil
			},
		}, went),
		rule(Probe{
			Name: "retry", Capability: capability,
			Assumed:   "A task that fails runs `MaxAttempts` times, after pauses of `RetryDelay` that double",
			Otherwise: "A short outage fails tasks, or they are tried too soon",
			ask: func(ctx context.Context, b *bed) (string, error) {
				const tries, pause = 3, time.Second
				_, logs, err := b.submit(ctx, "", dialects.NewTask{SQL: b.say.fails, MaxAttempts: tries, RetryDelay: pause})
				if err != nil {
					return "", err
				}
				return judgeRetry(logs, tries, pause, b.slack), nil
			},
		}, attempts, hasty),
		rule(Probe{
			Name: "dedup", Capability: capability,
			Assumed:   "Of tasks with the same `DedupKey`, one is unfinished at most",
			Otherwise: "The same work is done twice",
			ask:       askDedup,
		}, twice, never),
		slow(rule(Probe{
			Name: "resource", Capability: capability,
			Assumed:   "Of tasks that need a resource, as many run as it has units, and one with `Access` Exclusive runs alone",
			Otherwise: "Tasks run together that must not",
			ask:       askResource,
		}, shared, crowded), apart),
	}
}

const went = "broken: a later wave ran"

// judgeHalt wants one failed attempt, and the task of the second wave skipped.
func judgeHalt(logs []dialects.LogEntry, second string) string {
	switch {
	case len(logs) > 1:
		return went
	case !once(logs, 1, "Failed") || second != "Skipped":
		return wrong
	}
	return held
}

const (
	twice = "broken: two tasks with one key"
	never = "broken: a key of a task that has ended keeps others out"
)

func askDedup(ctx context.Context, b *bed) (string, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	s, err := db.Status(ctx)
	if err != nil {
		return "", err
	}
	task := dialects.NewTask{SQL: b.say.nothing, DedupKey: "certify"}
	if task.ProcessID, err = db.CreateProcess(ctx, dialects.NewProcess{Name: "certify " + b.probe.Name}); err != nil {
		return "", err
	}
	later := task
	later.NotBefore = s.Now.Add(time.Hour)
	var ids []int64
	for _, t := range []dialects.NewTask{later, task} {
		one, err := db.Exec(ctx, []dialects.NewTask{t})
		if err != nil {
			return "", err
		}
		ids = append(ids, one...)
	}
	if ids[0] != ids[1] {
		if first, err := b.status(ctx, ids[0]); err != nil || slices.Contains(ended, first) {
			return "", errors.Join(err, errGone)
		}
		return twice, nil
	}
	if err := db.CancelTask(ctx, ids[0]); err != nil {
		return "", err
	}
	again, err := db.Exec(ctx, []dialects.NewTask{task})
	if err != nil {
		return "", err
	}
	if again[0] == ids[0] {
		return never, nil
	}
	if err := db.CloseProcess(ctx, task.ProcessID); err != nil {
		return "", err
	}
	switch now, err := b.untilStatus(ctx, again[0], ended...); {
	case err != nil:
		return "", err
	case now != "Succeeded":
		return wrong, nil
	}
	return held, nil
}

func askResource(ctx context.Context, b *bed) (string, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	const name, writer = "certify", 2
	if err := db.DefineResource(ctx, name, capacity); err != nil {
		return "", err
	}
	var tasks []dialects.NewTask
	for i := range 6 {
		task := b.sleeping(1, 1500*time.Millisecond+b.slack) // long enough to meet
		if task.Resource = name; i == writer {
			task.Access = "Exclusive"
		}
		tasks = append(tasks, task)
	}
	s, logs, err := b.submit(ctx, "", tasks...)
	if err != nil {
		return "", err
	}
	if err := db.DropResource(ctx, name); err != nil {
		return "", err
	}
	return judgeResource(logs, len(tasks), s.TaskIDs[writer], b.slack), nil
}
