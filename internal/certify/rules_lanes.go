package certify

import (
	"context"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// safeRules are about what is committed.
func safeRules() []Probe {
	return []Probe{
		rule(Probe{
			Name: "transactional", Capability: "commits are safe",
			Assumed:   "A transactional task whose transaction cannot be committed fails, and leaves nothing; one that succeeds has committed",
			Otherwise: "Work is lost or half done, and the log says otherwise",
			ask: func(ctx context.Context, b *bed) (string, error) {
				const table = "RULE_COMMITS"
				client, err := b.session(ctx)
				if err != nil {
					return "", err
				}
				if err := client.exec(ctx, b.say.table(table)); err != nil {
					return "", err
				}
				s, logs, err := b.submit(ctx, "Continue",
					dialects.NewTask{SQL: b.say.spoil(table), Transactional: true}, dialects.NewTask{SQL: b.say.insert(table, 1), Transactional: true})
				if err != nil {
					return "", err
				}
				rows, err := client.value(ctx, b.say.count(table))
				if err != nil {
					return "", err
				}
				return judgeCommits(logs, s.TaskIDs[0], rows), nil
			},
		}, lost, kept),
	}
}

// laneRules are about workers.
func (w words) laneRules() []Probe {
	ramp := rule(Probe{
		Name: "ramp-up", Capability: "tasks run", first: true,
		Assumed:   "Tasks for all lanes begin within " + w.ramp.String() + " of each other",
		Otherwise: "Late ramp-up",
		ask:       askRamp,
	})
	ramp.Answers[0].Seen = soon
	ramp = slow(ramp, slowly)
	death := rule(Probe{
		Name: "killed-worker", Capability: "recovery", alone: true,
		Assumed:   "The task of a worker whose session was killed is noticed by a sweep, and runs again",
		Otherwise: "Tasks of dead workers stay Running",
		Invasive:  "the session of a worker of its own, which it kills",
		ask:       askDeath,
	}, attempts)
	death.Answers = append(death.Answers, Answer{Seen: survived, Verdict: Handled, Means: "KILL does not end a worker here: cancelled tasks end by themselves."})
	return []Probe{ramp, death}
}

// askRamp runs tasks that wait until all of them run, one in each lane, or until longer than that may take.
func askRamp(ctx context.Context, b *bed) (string, error) {
	const table, pause = "RULE_RAMP", 200 * time.Millisecond
	client, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	db, err := b.dbsched(ctx)
	if err != nil {
		return "", err
	}
	if err := client.exec(ctx, b.say.table(table)); err != nil {
		return "", err
	}
	task := dialects.NewTask{SQL: b.say.waits(table, b.on.Dialect.Sleep(pause), int((b.say.ramp+2*time.Second)/pause))}
	s, err := db.Submit(ctx, dialects.NewProcess{Name: "certify " + b.probe.Name}, slices.Repeat([]dialects.NewTask{task}, lanes))
	if err != nil {
		return "", err
	}
	if err := until(ctx, patience, func() (bool, error) {
		all, err := db.Tasks(ctx, dialects.Filter{ProcessID: s.ProcessID})
		return !slices.ContainsFunc(all, func(t dialects.Task) bool { return t.StartedAt == nil && !slices.Contains(ended, t.Status) }), err
	}); err != nil {
		return "", err
	}
	if err := client.exec(ctx, b.say.insert(table, 1)); err != nil {
		return "", err
	}
	logs, err := attemptsOf(ctx, db, s.ProcessID)
	if err != nil {
		return "", err
	}
	return judgeRamp(logs, lanes, b.say.ramp), nil
}

func askDeath(ctx context.Context, b *bed) (string, error) {
	client, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	db, ids, err := b.started(ctx, b.sleeping(0, 8*time.Second))
	if err != nil {
		return "", err
	}
	all, err := db.Lanes(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(l dialects.Lane) bool { return l.TaskID == ids[0] })
	if i < 0 {
		return "", errGone
	}
	if err := client.exec(ctx, b.say.kill(all[i].SessionID)); err != nil {
		return "", err
	}
	if err := until(ctx, patience, func() (bool, error) {
		if err := client.exec(ctx, b.say.sweep); err != nil {
			return false, err
		}
		now, err := b.status(ctx, ids[0])
		return now != "Running" && now != "Stopping", err
	}); err != nil {
		return "", err
	}
	if _, err := b.untilStatus(ctx, ids[0], ended...); err != nil {
		return "", err
	}
	logs, err := db.Logs(ctx, dialects.Filter{TaskID: ids[0]})
	if err != nil {
		return "", err
	}
	return judgeDeath(logs), nil
}
