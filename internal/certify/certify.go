// Package certify tries on a server what dbsched assumes of it: each [Probe] asks the server itself, in a scratch installation that is removed
// again, and compares the answer with the assumption.
package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/bench"
)

// On is the server, and who connects.
type On struct {
	Dialect dialects.Dialect
	Target  dialects.Target // Schema is not used
}

// Options say what is tried.
type Options struct {
	Invasive bool         // also what touches more than the scratch schema
	Quick    bool         // without the benches
	Version  string       // of the program, for the report
	Step     func(string) // receives what is being done
	sizes    bench.Options
}

// Lanes of the scratch installation, and how many probes run beside each other.
const (
	lanes  = 8
	beside = 8
)

// cleaning is how long removing may take after an interruption.
const cleaning = 5 * time.Minute

// Check reports what prevents a run: it writes nothing, and fails with a UsageError or PreflightError.
func Check(ctx context.Context, on On) error {
	e, err := engineOf(on.Dialect)
	if err != nil {
		return err
	}
	on.Target.DryRun = func(dialects.Batch) {} // an installation checks, and writes nothing
	place, err := open(ctx, on, e)
	if err != nil {
		return err
	}
	defer place.close()
	if err := place.vacant(ctx); err != nil {
		return err
	}
	_, err = place.sched.Install(ctx, dialects.InstallOptions{Lanes: lanes, LockTimeout: 10 * time.Second})
	return err
}

// Run tries everything, and removes everything that it made, also after a failure or an interruption. It fails with a UsageError before
// anything is written if it cannot run there.
func Run(ctx context.Context, on On, o Options) (*Report, error) {
	e, err := engineOf(on.Dialect)
	if err != nil {
		return nil, err
	}
	if err := Check(ctx, on); err != nil {
		return nil, err
	}
	began := time.Now()
	r := &Report{Program: o.Version, Dialect: on.Dialect.Name()}
	if err := work(ctx, on, e, o, r); err != nil {
		return nil, err
	}
	r.Capabilities, r.Took = capabilities(r.Results), time.Since(began).Milliseconds()
	return r, nil
}

// work marks the place, tries everything, and removes what was made. Before the mark there is nothing to remove: another one would be somebody else's.
func work(ctx context.Context, on On, e *engine, o Options, r *Report) (err error) {
	place, err := open(ctx, on, e)
	if err != nil {
		return err
	}
	defer place.close()
	if r.Server, err = e.server(ctx, place.db); err != nil {
		return err
	}
	if err := place.occupy(ctx); err != nil {
		return err
	}
	o.Step("installing in " + e.makes)
	release, err := place.hold(ctx)
	if err == nil {
		err = place.make(ctx)
	}
	if err == nil {
		r.Results, err = place.try(ctx, e.probes, o)
	}
	if err == nil {
		o.Step("measuring")
		r.Measures, r.NotMeasured, err = place.measure(ctx, o)
	}
	o.Step("removing what was made")
	if release != nil {
		release()
	}
	failed := remove(ctx, on, e, r)
	if err != nil {
		return errors.Join(err, failed)
	}
	return nil // the report says what is left
}

// remove cleans with connections of its own: those of before may have been idle for too long.
func remove(ctx context.Context, on On, e *engine, r *Report) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
	defer cancel()
	place, err := open(ctx, on, e)
	if err != nil {
		r.Left = []string{"all that was made: " + e.why(err)}
		return err
	}
	defer place.close()
	if r.Left, err = place.clean(ctx); err != nil && r.Left == nil {
		r.Left = []string{"something: " + e.why(err)}
	}
	place.judge(ctx, r)
	return err
}

// Clean removes what a run has left that was killed, and returns what it could not remove.
func Clean(ctx context.Context, on On) (left []string, err error) {
	e, err := engineOf(on.Dialect)
	if err != nil {
		return nil, err
	}
	place, err := open(ctx, on, e)
	if err != nil {
		return nil, err
	}
	defer place.close()
	if err := place.idle(ctx); err != nil {
		return nil, err
	}
	return place.clean(ctx)
}

// Unseen says what Clean may have overlooked, because the user may not see it.
func Unseen(ctx context.Context, on On) ([]string, error) {
	e, err := engineOf(on.Dialect)
	if err != nil || e.unseen == "" {
		return nil, err
	}
	on.Target.Schema = e.schema
	db, err := on.Dialect.OpenDB(ctx, on.Target)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return column(ctx, db, e.unseen)
}

// Makes says what Run creates and removes.
func Makes(d dialects.Dialect, quick bool) string {
	e, err := engineOf(d)
	switch {
	case err != nil:
		return ""
	case quick:
		return e.makes
	}
	return e.makes + ", and then " + bench.Where(d)
}

// Invades lists what Run touches outside with Invasive.
func Invades(d dialects.Dialect) (all []string) {
	for _, p := range Probes(d.Name()) {
		if p.Invasive != "" && !slices.Contains(all, p.Invasive) {
			all = append(all, p.Invasive)
		}
	}
	return all
}

// try runs the probes beside each other, but those that need all lanes before them, and those that stop or change the installation after them.
func (p *place) try(ctx context.Context, probes []Probe, o Options) ([]Result, error) {
	results := make([]Result, len(probes))
	var mu sync.Mutex
	done := 0
	one := func(ctx context.Context, i int) error {
		r, err := p.one(ctx, probes[i], o)
		mu.Lock()
		defer mu.Unlock()
		done++
		results[i] = r
		o.Step(fmt.Sprintf("%d of %d: %s", done, len(probes), probes[i].Name))
		return err
	}
	byItself := func(now func(Probe) bool) error {
		for i, probe := range probes {
			if now(probe) {
				if err := errors.Join(p.quiet(ctx), one(ctx, i)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	atOnce := beside
	if p.limits != nil {
		atOnce = p.limits(ctx, p)
	}
	if err := byItself(func(p Probe) bool { return p.first }); err != nil {
		return nil, err
	}
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, probe := range probes {
		if !probe.first && !probe.alone {
			group.Go(func() error {
				// Not all at once: nor do they poll at the same moments later.
				if err := sleep(inGroup, time.Duration(i)*1013*time.Microsecond); err != nil {
					return err
				}
				return one(inGroup, i)
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := byItself(func(p Probe) bool { return p.alone }); err != nil {
		return nil, err
	}
	return results, nil
}

// quiet waits until no task runs: those that nothing could end outlast their probes.
func (p *place) quiet(ctx context.Context) error {
	err := until(ctx, time.Minute, func() (bool, error) {
		s, err := p.sched.Status(ctx)
		return s.Running == 0, err
	})
	if errors.Is(err, errLate) {
		return nil
	}
	return err
}

// one runs one probe.
func (p *place) one(ctx context.Context, probe Probe, o Options) (Result, error) {
	began := time.Now()
	seen, why, err := p.ask(ctx, probe, o)
	if err != nil {
		return Result{}, err
	}
	if p.few != "" && (why == errLate.Error() || slices.Contains([]string{endless, oneByOne, apart}, seen)) {
		seen, why = "", p.few
	}
	r := probe.result(seen, why)
	r.Took = time.Since(began).Milliseconds()
	return r, nil
}

// ask returns what the server answers, or why it was not asked. It fails only if ctx ends.
func (p *place) ask(ctx context.Context, probe Probe, o Options) (seen, why string, err error) {
	switch {
	case probe.ask == nil:
		return "", "takes more than one connection", nil
	case probe.Invasive != "" && !o.Invasive:
		return "", "only with --invasive", nil
	}
	b := &bed{place: p, probe: probe}
	defer b.close()
	seen, err = probe.ask(ctx, b)
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err != nil:
		if reason, ok := errors.AsType[untried](err); ok {
			return "", string(reason), nil
		}
		return "", p.why(err), nil
	}
	return seen, "", nil
}
