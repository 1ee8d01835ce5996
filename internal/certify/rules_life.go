package certify

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// lifeRules are about the installation.
func lifeRules() []Probe {
	const capability = "install and uninstall"
	return []Probe{
		rule(Probe{
			Name: "stop-and-start", Capability: capability, alone: true,
			Assumed:   "When the scheduler is stopped, what runs ends, and nothing else begins before the next start",
			Otherwise: "Tasks run during a maintenance",
			ask:       askStop,
		}, anyway),
		rule(Probe{
			Name: "install-again", Capability: capability,
			Assumed:   "To install the same version again changes nothing, and tasks go on",
			Otherwise: "Each installation interrupts what runs",
			ask: func(ctx context.Context, b *bed) (string, error) {
				db, ids, err := b.started(ctx, b.sleeping(0, 5*time.Second))
				if err != nil {
					return "", err
				}
				r, err := db.Install(ctx, dialects.InstallOptions{LockTimeout: 10 * time.Second})
				if err != nil {
					return "", err
				}
				if _, err := b.untilStatus(ctx, ids[0], ended...); err != nil {
					return "", err
				}
				logs, err := db.Logs(ctx, dialects.Filter{TaskID: ids[0]})
				if err != nil {
					return "", err
				}
				return judgeAgain(logs, r), nil
			},
		}, changed),
		uninstall,
	}
}

func askStop(ctx context.Context, b *bed) (_ string, err error) {
	db, ids, err := b.started(ctx, b.sleeping(0, 3*time.Second))
	if err != nil {
		return "", err
	}
	if err := db.Stop(ctx, dialects.StopDrain); err != nil {
		return "", err
	}
	second, again, err := b.whileStopped(ctx, db, ids[0])
	if err2 := db.Start(ctx); err == nil {
		err = err2
	}
	if err != nil {
		return "", err
	}
	if _, err := b.untilStatus(ctx, second, ended...); err != nil {
		return "", err
	}
	var logs []dialects.LogEntry
	for _, id := range []int64{ids[0], second} {
		its, err := db.Logs(ctx, dialects.Filter{TaskID: id})
		if err != nil {
			return "", err
		}
		logs = append(logs, its...)
	}
	return judgeStop(logs, second, again, b.slack), nil
}

// whileStopped enqueues a task, waits until another has ended, and a while longer. It returns the server's time then.
func (b *bed) whileStopped(ctx context.Context, db dialects.Scheduler, other int64) (id int64, now time.Time, err error) {
	ids, err := db.Exec(ctx, []dialects.NewTask{{SQL: b.say.nothing}})
	if err != nil {
		return 0, now, err
	}
	if _, err := b.untilStatus(ctx, other, ended...); err != nil {
		return 0, now, err
	}
	if err := sleep(ctx, 2*time.Second); err != nil {
		return 0, now, err
	}
	s, err := db.Status(ctx)
	return ids[0], s.Now, err
}

const changed = "broken: something was changed"

// judgeAgain wants an installation that changed nothing, and a task that ran through it.
func judgeAgain(logs []dialects.LogEntry, r dialects.InstallReport) string {
	switch {
	case len(r.Applied) > 0:
		return changed
	case !once(logs, 1, "Succeeded"):
		return wrong
	}
	return held
}

const (
	nothingLeft = "nothing left"
	objectsLeft = "broken: something is left"
	stayed      = "broken: it failed"
)

// uninstall is judged when everything was removed.
var uninstall = Probe{
	Name: "uninstall", Capability: "install and uninstall", Needed: true,
	Assumed:   "Uninstalling removes everything that was installed",
	Otherwise: "Drop by hand what is left",
	Answers:   []Answer{{Seen: nothingLeft, Verdict: Works}, {Seen: objectsLeft, Verdict: Fails}, {Seen: stayed, Verdict: Fails}},
}

// judge replaces the result of uninstall.
func (p *place) judge(ctx context.Context, r *Report) {
	i := slices.IndexFunc(r.Results, func(x Result) bool { return x.Probe == uninstall.Name })
	if i < 0 {
		return
	}
	count, err := column(ctx, p.db, p.say.traces)
	switch {
	case err != nil:
		r.Results[i] = uninstall.result("", p.why(err))
	case p.stays != nil && slices.Equal(count, []string{"0"}) && (is[*dialects.PreflightError](p.stays) || is[*dialects.PartialError](p.stays) || disconnected(p.stays)):
		r.Results[i] = uninstall.result("", "the first try waited for something, or lost its connection; what follows left nothing")
	case p.stays != nil:
		r.Results[i] = uninstall.result(stayed, "")
	case !slices.Equal(count, []string{"0"}):
		r.Results[i] = uninstall.result(objectsLeft, "")
	default:
		r.Results[i] = uninstall.result(nothingLeft, "")
	}
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
