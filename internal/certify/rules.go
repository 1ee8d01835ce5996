package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// words are what the probes of the rules and the measures need of an engine's SQL.
type words struct {
	nothing string                                 // task that does nothing
	fails   string                                 // task that fails
	table   func(name string) string               // statement that makes a table of numbers; spoil depends on it
	insert  func(name string, n int) string        // task, or statement, that inserts a number, 1 or more
	spoil   func(name string) string               // task that inserts, does not fail, and whose transaction cannot be committed
	count   func(name string) string               // query
	waits   func(name, sleep string, n int) string // task that sleeps until a table has a row, n times at most
	sweep   string                                 // statement that looks for dead workers now
	kill    func(session int) string               // statement that ends a session
	ramp    time.Duration                          // how soon after the first of them all lanes work
	cannot  string                                 // why a cancelled task may go on until it ends by itself
	enqueue string                                 // statement that enqueues a task
	locks   string                                 // query: how many locks this transaction holds
	traces  string                                 // query: how many objects of the scratch installation exist
}

// rules are the probes of what dbsched promises, through the scratch installation.
func rules(w words) []Probe {
	all := slices.Concat(w.laneRules(), orderRules(), safeRules(), w.endRules(), planRules(), lifeRules())
	for i := range all {
		all[i].promise = true
	}
	return all
}

// Answers of more than one rule.
const (
	held    = "held"
	endless = "broken: it does not end"
	wrong   = "broken: a task did not end as it should"
)

// rule completes a probe whose answer is that a rule holds, or what of it is broken.
func rule(p Probe, broken ...string) Probe {
	p.Needed = true
	p.Answers = []Answer{{Seen: held, Verdict: Works}}
	for _, seen := range append(broken, wrong, endless) {
		p.Answers = append(p.Answers, Answer{Seen: seen, Verdict: Fails})
	}
	ask := p.ask
	p.ask = func(ctx context.Context, b *bed) (string, error) {
		seen, err := ask(ctx, b)
		if errors.Is(err, errLate) && !errors.Is(err, errGone) {
			return endless, nil
		}
		return seen, err
	}
	return p
}

// slow adds what a server sees whose lanes wake late: no promise is broken, but time is lost.
func slow(p Probe, seen string) Probe {
	p.Answers = append(p.Answers, Answer{Seen: seen, Verdict: Handled, Means: "Slow server: lanes wake late."})
	return p
}

// errGone is a task that ended before it could be looked at.
var errGone = fmt.Errorf("%w: the task has ended", errLate)

// patience is how long a few short tasks may take on a slow server, beside those of other probes.
const patience = 90 * time.Second

// submit enqueues tasks in a process of their own, and waits until all have ended. It returns their attempts in the order in which they began.
func (b *bed) submit(ctx context.Context, onError string, tasks ...dialects.NewTask) (dialects.Submitted, []dialects.LogEntry, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return dialects.Submitted{}, nil, err
	}
	s, err := db.Submit(ctx, dialects.NewProcess{Name: "certify " + b.probe.Name, OnError: onError}, tasks)
	if err != nil {
		return s, nil, err
	}
	logs, err := attemptsOf(ctx, db, s.ProcessID)
	return s, logs, err
}

// attemptsOf waits until all tasks of a process have ended, and returns their attempts in the order in which they began.
func attemptsOf(ctx context.Context, db dialects.Scheduler, process int64) ([]dialects.LogEntry, error) {
	if finished, err := db.WaitProcess(ctx, process, patience); err != nil || !finished {
		return nil, late(err)
	}
	return db.Logs(ctx, dialects.Filter{ProcessID: process})
}

// sleeping is a task that sleeps.
func (b *bed) sleeping(order int, d time.Duration) dialects.NewTask {
	return dialects.NewTask{SQL: b.on.Dialect.Sleep(d), Order: order}
}

// status reads the status of a task.
func (b *bed) status(ctx context.Context, id int64) (string, error) {
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	all, err := db.Tasks(ctx, dialects.Filter{TaskID: id})
	if err != nil || len(all) != 1 {
		return "", err
	}
	return all[0].Status, nil
}

// untilStatus waits until a task has one of some statuses.
func (b *bed) untilStatus(ctx context.Context, id int64, statuses ...string) (now string, err error) {
	err = until(ctx, patience, func() (_ bool, err error) {
		now, err = b.status(ctx, id)
		return slices.Contains(statuses, now), err
	})
	return now, err
}

// ended are the statuses of tasks that have ended.
var ended = []string{"Succeeded", "Failed", "Cancelled", "TimedOut", "Skipped"}

// started runs tasks, and returns when the first of them runs.
func (b *bed) started(ctx context.Context, tasks ...dialects.NewTask) (db dialects.Scheduler, ids []int64, err error) {
	if db, err = b.dbsched(ctx); err != nil {
		return nil, nil, err
	}
	if ids, err = db.Exec(ctx, tasks); err != nil {
		return nil, nil, err
	}
	now, err := b.untilStatus(ctx, ids[0], append([]string{"Running", "Stopping"}, ended...)...)
	if err == nil && slices.Contains(ended, now) {
		err = errGone
	}
	return db, ids, err
}
