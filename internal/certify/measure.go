package certify

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/internal/bench"
)

// Measure is one figure.
type Measure struct {
	Name    string  `json:"name"`
	Workers int     `json:"workers,omitempty"`
	Design  string  `json:"design,omitempty"` // dbsched, or a published design that polls
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
}

// sizes are those of the benches. The design that takes the longest to remove is left out.
func sizes() bench.Options {
	return bench.Options{Workers: []int{1, 4, 16}, Tasks: 300, PerWorker: 1, Samples: 5, Without: []string{"one queue"}}
}

const (
	commits = 20               // of which the middle one counts
	enough  = 90 * time.Second // after that no more benches begin
	longest = 90 * time.Second // a bench with one number of workers
	sign    = "Benches"        // table that is there while there may be something of the benches
)

// measure measures, and returns why not all was measured. The benches need the place without the scratch installation. It fails only if ctx ends.
func (p *place) measure(ctx context.Context, o Options) (all []Measure, why string, err error) {
	all, err = p.short(ctx)
	if err == nil && !o.Quick {
		var more []Measure
		more, why, err = p.benches(ctx, o)
		all = append(all, more...)
	}
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		why = p.why(err)
	}
	return all, why, nil
}

// short are the measures that take no time.
func (p *place) short(ctx context.Context) ([]Measure, error) {
	b := &bed{place: p}
	defer b.close()
	s, err := b.session(ctx)
	if err != nil {
		return nil, err
	}
	const table = "Commits"
	if err := s.exec(ctx, p.say.table(table)); err != nil {
		return nil, err
	}
	trip, err := s.median(ctx, func(int) string { return p.say.nothing })
	if err != nil {
		return nil, err
	}
	commit, err := s.median(ctx, func(n int) string { return p.say.insert(table, n) })
	if err != nil {
		return nil, err
	}
	all := []Measure{
		{Name: "round trip of a statement", Value: milliseconds(trip), Unit: "ms"},
		{Name: "commit to the log", Value: milliseconds(max(0, commit-trip)), Unit: "ms"},
	}
	if n, ok := s.locks(ctx, p.say); ok {
		all = append(all, Measure{Name: "locks of an enqueue", Value: n})
	}
	return all, nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// median runs statements, each in a transaction of its own, and returns how long the middle one takes.
func (s *session) median(ctx context.Context, text func(n int) string) (time.Duration, error) {
	var all []time.Duration
	for n := range commits {
		began := time.Now()
		if err := s.exec(ctx, text(n+1)); err != nil {
			return 0, err
		}
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all[(len(all)-1)/2], nil
}

// locks counts those of a transaction that has enqueued a task, and undoes it. It needs a right that not everybody has.
func (s *session) locks(ctx context.Context, say words) (n float64, ok bool) {
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return 0, false
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, say.enqueue); err != nil {
		return 0, false
	}
	err = tx.QueryRowContext(ctx, say.locks).Scan(&n)
	return n, err == nil
}

// benches measures dbsched beside a design that polls.
func (p *place) benches(ctx context.Context, o Options) (all []Measure, why string, err error) {
	if o.sizes.Workers == nil {
		o.sizes = sizes()
	}
	began := time.Now()
	c := bench.Connect{Dialect: p.on.Dialect, Target: p.on.Target}
	o.Step("removing the scratch installation, to measure")
	if err := p.uninstall(ctx); err != nil {
		return nil, "", err
	}
	if err := bench.Check(ctx, c); err != nil {
		return nil, "something with the name of what the benches make is in the way", nil //nolint:nilerr // it names that
	}
	if _, err := p.db.ExecContext(ctx, p.say.table(sign)); err != nil {
		return nil, "", err
	}
	for _, workers := range o.sizes.Workers {
		if time.Since(began) > enough {
			return all, "it would take too long", nil
		}
		one := o.sizes
		one.Workers = []int{workers}
		limited, cancel := context.WithTimeout(ctx, longest)
		results, err := bench.Run(limited, c, one, func(line string) { o.Step("measuring: " + line) })
		late := limited.Err() != nil && ctx.Err() == nil
		cancel()
		for _, r := range results {
			if m, ok := figure(r); ok {
				all = append(all, m)
			}
		}
		switch {
		case err != nil && late:
			return all, "it took too long", nil
		case err != nil:
			return all, "", err
		}
	}
	return all, "", nil
}

// figure returns what a report shows of a result, if there is anything.
func figure(r bench.Result) (Measure, bool) {
	m := Measure{Name: r.Measure, Workers: r.Workers, Design: r.Design, Unit: "ms"}
	switch {
	case r.Measure == bench.Seconds && r.PerSecond != nil: // all of them, one for each worker: what is above a second is the ramp-up
		m.Name, m.Value = "ramp-up", max(0, 1000*(float64(r.Samples) / *r.PerSecond - 1))
	case r.Measure == bench.Nothing && r.PerSecond != nil:
		m.Value, m.Unit = *r.PerSecond, "/s"
	case r.P50 != nil:
		m.Value = *r.P50
	default:
		return m, false
	}
	return m, true
}

// removeBenches removes what is left of the benches, if there may be something among what is left.
func (p *place) removeBenches(ctx context.Context, left [][]string) error {
	if !slices.ContainsFunc(left, func(row []string) bool { return strings.HasSuffix(strings.ToLower(row[1]), strings.ToLower(sign)) }) {
		return nil
	}
	return bench.Remove(ctx, bench.Connect{Dialect: p.on.Dialect, Target: p.on.Target}, sizes())
}
