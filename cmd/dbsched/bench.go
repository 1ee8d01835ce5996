package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/bench"
	"github.com/dbsched/dbsched/internal/cli"
)

type benchOptions struct {
	bench.Options
	Sandbox string
	CSV     string
	start   sandboxStarter
}

func benchCommand(start sandboxStarter) func(*cli.App) *cobra.Command {
	return func(app *cli.App) *cobra.Command { return newBenchCommand(app, start) }
}

func newBenchCommand(app *cli.App, start sandboxStarter) *cobra.Command {
	o := benchOptions{start: start}
	cmd := app.Asks(app.Connects(&cobra.Command{
		Use:   "bench",
		Short: "Measure throughput and latency beside simpler designs",
		Long: `Measures how fast your server runs tasks: with dbsched, and in the same run with the
published designs that dbsched grew from. On SQL Server these are a task table polled by
sessions, and one queue with N readers; on Oracle, jobs that poll a task table.

For each number of workers, bench installs one design after the other, runs the same work
with each, and removes it:
  1 s tasks         tasks that wait one second, from a cold start
  no-op tasks       tasks that do nothing
  enqueue to start  one task at a time, while workers are idle
  wave to wave      from the last end in a wave to the first start in the next

Times are those of the server's clock. With the default sizes bench takes about ten minutes.
It needs the same rights as install, asks before it writes, and removes everything it made.
Use a test database.

With --sandbox, bench runs in an embedded sandbox whose clock advances only where SQL
waits. The figures then show the delays that a design causes, not the speed of a server.`,
		Example: `  dbsched bench --target test --csv bench.csv
  dbsched bench --sandbox mssql --workers 1,4`,
		Args: cobra.NoArgs,
	}))
	f := cmd.Flags()
	f.IntSliceVar(&o.Workers, "workers", []int{1, 4, 16}, "numbers of workers to measure with")
	f.IntVar(&o.Tasks, "tasks", 1000, "number of no-op tasks")
	f.IntVar(&o.PerWorker, "per-worker", 10, "number of 1 s tasks for each worker")
	f.IntVar(&o.Samples, "samples", 100, "number of single tasks, and of changes from wave to wave")
	f.StringVar(&o.Sandbox, "sandbox", "", "measure in an embedded sandbox of this engine instead")
	f.StringVar(&o.CSV, "csv", "", "also write the figures to this file")
	app.Completes(cmd, "sandbox", app.Dialects.Names()...)
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the sizes.
func (o *benchOptions) Validate() error {
	if len(o.Workers) == 0 {
		return dialects.Usagef("--workers is empty; give numbers such as 1,4,16")
	}
	for _, n := range o.Workers {
		if n < 1 || n > dialects.MaxLanes {
			return dialects.Usagef("--workers has %d; each number must be between 1 and %d", n, dialects.MaxLanes)
		}
	}
	for _, size := range []struct {
		flag    string
		n, most int
	}{{"tasks", o.Tasks, 100_000}, {"per-worker", o.PerWorker, 1000}, {"samples", o.Samples, 10_000}} {
		if size.n < 1 || size.n > size.most {
			return dialects.Usagef("--%s is %d; it must be between 1 and %d", size.flag, size.n, size.most)
		}
	}
	return nil
}

// Run measures after asking.
func (o *benchOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	c, end, err := o.connect(ctx, s)
	if err != nil {
		return false, err
	}
	defer end()
	if err := bench.Check(ctx, c); err != nil {
		return false, err
	}
	if o.Sandbox == "" {
		if err := s.Confirm(ctx, fmt.Sprintf("Create, use and remove %s on %s?", bench.Where(c.Dialect), c.Dialect.Redact(c.Target.DSN))); err != nil {
			return false, err
		}
	}
	file, err := o.create()
	if err != nil {
		return false, err
	}
	results, err := bench.Run(ctx, c, o.Options, s.Step)
	s.EndSteps()
	if err != nil {
		return false, errors.Join(err, file.Close())
	}
	if err := errors.Join(writeCSV(file, results), file.Close()); err != nil {
		return false, fmt.Errorf("the figures cannot be written: %w", err)
	}
	return true, cli.List(s, "bench", results, benchColumns)
}

// connect connects to the server, or starts a sandbox.
func (o *benchOptions) connect(ctx context.Context, s *cli.Session) (bench.Connect, func(), error) {
	if o.Sandbox == "" {
		d, t, err := s.Reach()
		t.Notify, t.Password = nil, once(t.Password)
		return bench.Connect{Dialect: d, Target: t}, func() {}, err
	}
	d, err := s.Dialect(o.Sandbox)
	if err != nil {
		return bench.Connect{}, nil, err
	}
	server, err := o.start(ctx, sandboxConfig{Dialect: o.Sandbox, Clock: "fast", Seed: 1, Listen: "127.0.0.1:0"})
	if err != nil {
		return bench.Connect{}, nil, err
	}
	return bench.Connect{Dialect: d, Target: dialects.Target{DSN: server.DSN()}}, func() { _ = server.Close() }, nil
}

// once asks for the password of a login only once.
func once(ask func(context.Context, dialects.Login) (string, error)) func(context.Context, dialects.Login) (string, error) {
	var answer *string
	return func(ctx context.Context, l dialects.Login) (string, error) {
		if answer == nil {
			p, err := ask(ctx, l)
			if err != nil {
				return "", err
			}
			answer = &p
		}
		return *answer, nil
	}
}

var benchColumns = []cli.Column[bench.Result]{
	{Title: "Measure", Cell: func(r bench.Result) string { return r.Measure }},
	{Title: "Workers", Right: true, Cell: func(r bench.Result) string { return strconv.Itoa(r.Workers) }},
	{Title: "Design", Cell: func(r bench.Result) string { return r.Design }},
	{Title: "Samples", Right: true, Cell: func(r bench.Result) string { return strconv.Itoa(r.Samples) }},
	{Title: "Tasks/s", Right: true, Cell: func(r bench.Result) string { return figure(r.PerSecond) }},
	{Title: "p50 ms", Right: true, Cell: func(r bench.Result) string { return figure(r.P50) }},
	{Title: "p95 ms", Right: true, Cell: func(r bench.Result) string { return figure(r.P95) }},
	{Title: "p99 ms", Right: true, Cell: func(r bench.Result) string { return figure(r.P99) }},
	{Title: "Times dbsched", Right: true, Cell: func(r bench.Result) string { return figure(r.Ratio) }},
}

// figure writes a number with three significant digits, or nothing.
func figure(n *float64) string {
	switch {
	case n == nil:
		return ""
	case *n >= 100:
		return strconv.FormatFloat(*n, 'f', 0, 64)
	case *n >= 10:
		return strconv.FormatFloat(*n, 'f', 1, 64)
	}
	return strconv.FormatFloat(*n, 'f', 2, 64)
}

// create creates the file for the figures before measuring, which takes long.
func (o *benchOptions) create() (*os.File, error) {
	f, err := os.Create(cmp.Or(o.CSV, os.DevNull))
	if err != nil {
		return nil, dialects.Usagef("the figures cannot be written: %v", err)
	}
	return f, nil
}

// writeCSV writes the columns of the table.
func writeCSV(to io.Writer, results []bench.Result) error {
	w := csv.NewWriter(to)
	line := func(cell func(cli.Column[bench.Result]) string) error {
		var cells []string
		for _, c := range benchColumns {
			cells = append(cells, cell(c))
		}
		return w.Write(cells)
	}
	err := line(func(c cli.Column[bench.Result]) string { return c.Title })
	for _, r := range results {
		err = errors.Join(err, line(func(c cli.Column[bench.Result]) string { return c.Cell(r) }))
	}
	w.Flush()
	return errors.Join(err, w.Error())
}
