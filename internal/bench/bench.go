// Package bench measures how fast dbsched runs tasks, compared with the published designs that it grew from: the same work, in the same
// run, on the same server, measured by the server's clock.
package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// Options say how much is measured.
type Options struct {
	Workers   []int    // numbers of workers to measure with
	Tasks     int      // tasks that do nothing, for the throughput
	PerWorker int      // one-second tasks for each worker
	Samples   int      // single tasks, and transitions from one wave to the next
	Without   []string // designs that are not measured
}

// Result is one figure, or three percentiles, of one design.
type Result struct {
	Workers int    `json:"workers"`
	Measure string `json:"measure"` // one of the measures
	Design  string `json:"design"`
	Samples int    `json:"samples"` // tasks, or transitions between waves
	// PerSecond is tasks per second from the call that enqueues them to the end of the last; nil if no time passed on the clock.
	PerSecond *float64 `json:"tasks_per_second,omitempty"`
	P50       *float64 `json:"p50_ms,omitempty"`
	P95       *float64 `json:"p95_ms,omitempty"`
	P99       *float64 `json:"p99_ms,omitempty"`
	// Ratio is how many times as long as dbsched the design takes; nil if either takes no time.
	Ratio *float64 `json:"times_dbsched,omitempty"`
}

// The measures.
const (
	Seconds = "1 s tasks"
	Nothing = "no-op tasks"
	Start   = "enqueue to start"
	Wave    = "wave to wave"
)

// Connect is the server, and who connects.
type Connect struct {
	Dialect dialects.Dialect
	Target  dialects.Target
}

// Check reports what prevents a measurement: it writes nothing, and fails with a UsageError.
func Check(ctx context.Context, c Connect) error {
	e, err := engineOf(c.Dialect)
	if err != nil {
		return err
	}
	c.Target.Schema = e.schema
	db, err := c.Dialect.OpenDB(ctx, c.Target)
	if err != nil {
		return err
	}
	defer db.Close()
	var found []string
	rows, err := db.QueryContext(ctx, e.inTheWay)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		found = append(found, text)
	}
	if err := rows.Err(); err != nil || len(found) == 0 {
		return err
	}
	return dialects.Usagef("bench cannot run here; nothing was changed:\n  %s", strings.Join(found, "\n  "))
}

// Where says what Run creates and removes.
func Where(d dialects.Dialect) string {
	e, err := engineOf(d)
	if err != nil {
		return ""
	}
	return e.makes
}

// Run measures; step is called with what is being done. Everything created is removed, also after a failure or an interruption.
func Run(ctx context.Context, c Connect, o Options, step func(string)) ([]Result, error) {
	e, err := engineOf(c.Dialect)
	if err != nil {
		return nil, err
	}
	c.Target.Schema = e.schema
	var all []Result
	for _, workers := range o.Workers {
		for _, d := range e.designs(c) {
			if slices.Contains(o.Without, d.name()) {
				continue
			}
			say := func(what string) {
				step(fmt.Sprintf("%s, %s: %s", d.name(), workersText(workers), what))
			}
			results, err := measure(ctx, c, d, workers, o, say)
			all = append(all, results...)
			if err != nil {
				return all, fmt.Errorf("%s with %s: %w", d.name(), workersText(workers), err)
			}
		}
	}
	compare(all)
	slices.SortStableFunc(all, func(a, b Result) int {
		order := []string{Seconds, Nothing, Start, Wave}
		return slices.Index(order, a.Measure) - slices.Index(order, b.Measure)
	})
	return all, nil
}

// Remove removes what a Run with these options has left that was killed, where nobody else measures.
func Remove(ctx context.Context, c Connect, o Options) error {
	e, err := engineOf(c.Dialect)
	if err != nil {
		return err
	}
	c.Target.Schema = e.schema
	for _, d := range e.designs(c) {
		if !slices.Contains(o.Without, d.name()) {
			err = errors.Join(err, d.found(ctx), d.down(ctx))
		}
	}
	return err
}

func workersText(n int) string {
	if n == 1 {
		return "1 worker"
	}
	return fmt.Sprintf("%d workers", n)
}

// cleaning is how long removing may take after an interruption.
const cleaning = 2 * time.Minute

// measure measures one design with one number of workers. The one-second tasks come first, when no worker exists yet.
func measure(ctx context.Context, c Connect, d design, workers int, o Options, say func(string)) (results []Result, err error) {
	defer func() {
		say("removing it")
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
		defer cancel()
		err = errors.Join(err, d.down(ctx))
	}()
	say("setting up")
	if err := d.up(ctx, workers); err != nil {
		return nil, err
	}
	add := func(r Result) {
		r.Workers, r.Design = workers, d.name()
		results = append(results, r)
	}
	for _, w := range []struct {
		measure string
		text    string
		tasks   int
	}{
		{Seconds, c.Dialect.Sleep(time.Second), o.PerWorker * workers},
		{Nothing, d.nothing(), o.Tasks},
	} {
		say(w.measure)
		r, err := d.run(ctx, work{w.text, 1, w.tasks})
		if err != nil {
			return results, err
		}
		add(throughput(w.measure, r))
	}
	var waits []time.Duration
	for i := range o.Samples {
		say(fmt.Sprintf("%s, %d of %d", Start, i+1, o.Samples))
		// For a design that polls at fixed times, start at any moment between two polls.
		if err := d.pause(ctx, time.Duration(1+i*37%100)*10*time.Millisecond); err != nil {
			return results, err
		}
		r, err := d.run(ctx, work{d.nothing(), 1, 1})
		if err != nil {
			return results, err
		}
		waits = append(waits, max(0, r.tasks[0].started.Sub(r.called)))
	}
	add(percentiles(Start, waits))
	if d.waves() {
		say(Wave)
		r, err := d.run(ctx, work{d.nothing(), o.Samples + 1, workers})
		if err != nil {
			return results, err
		}
		add(percentiles(Wave, gaps(r.tasks)))
	}
	return results, nil
}
