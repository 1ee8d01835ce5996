package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/timeline"
)

type demoOptions struct {
	sandboxConfig
	Workers int
	start   sandboxStarter
}

func demoCommand(start sandboxStarter) func(*cli.App) *cobra.Command {
	return func(app *cli.App) *cobra.Command { return newDemoCommand(app, start) }
}

func newDemoCommand(app *cli.App, start sandboxStarter) *cobra.Command {
	o := demoOptions{start: start}
	cmd := app.HasSchema(&cobra.Command{
		Use:   "demo",
		Short: "Try it: run nine tasks in five waves in a sandbox",
		Long: `Starts a sandbox, installs dbsched, runs nine tasks in five waves, and checks that each
wave waited for the one before (exit code 1 if not). With the fast clock, their fifty
seconds pass in a moment.`,
		Example: `  dbsched demo
  dbsched demo --dialect oracle --workers 2`,
	})
	o.bind(app, cmd, "fast")
	cmd.Flags().IntVar(&o.Workers, "workers", 3, "how many tasks can run at once")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks clock and workers.
func (o *demoOptions) Validate() error {
	if o.Workers < 1 || o.Workers > dialects.MaxLanes {
		return dialects.Usagef("--workers is %d; it must be between 1 and %d", o.Workers, dialects.MaxLanes)
	}
	return o.sandboxConfig.Validate()
}

// demoWaves are the tasks: how many of each order, and how long each takes.
var demoWaves = [...]struct {
	order, tasks int
	lasts        time.Duration
}{
	{100, 2, 10100 * time.Millisecond},
	{200, 3, 10200 * time.Millisecond},
	{300, 1, 10300 * time.Millisecond},
	{400, 2, 10400 * time.Millisecond},
	{500, 1, 10500 * time.Millisecond},
}

func demoTasks(d dialects.Dialect, process int64) []dialects.NewTask {
	var tasks []dialects.NewTask
	for _, w := range demoWaves {
		for range w.tasks {
			tasks = append(tasks, dialects.NewTask{SQL: d.Sleep(w.lasts), Order: w.order, ProcessID: process})
		}
	}
	return tasks
}

// demoResult is what the demo prints as JSON.
type demoResult struct {
	Logs     []dialects.LogEntry `json:"logs"`
	Passed   bool                `json:"passed"`
	Problems []string            `json:"problems"`
}

// Run runs the demo; false means that the check failed.
func (o *demoOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	d, err := s.Dialect(o.Dialect)
	if err != nil {
		return false, err
	}
	s.Step("starting the sandbox")
	server, err := o.start(ctx, o.sandboxConfig)
	if err != nil {
		return false, err
	}
	defer server.Close()
	db, err := s.OpenAt(ctx, d, server.DSN())
	if err != nil {
		return false, err
	}
	defer db.Close()
	tasks, err := o.enqueue(ctx, d, db)
	if err != nil {
		return false, err
	}
	err = o.follow(ctx, s, db, tasks)
	s.EndSteps()
	if err != nil {
		return false, err
	}
	logs, err := db.Logs(ctx, dialects.Filter{ProcessID: tasks[0].ProcessID})
	if err != nil {
		return false, err
	}
	problems := checkWaves(tasks, logs, o.Workers)
	if err := o.print(s, logs, problems); err != nil {
		return false, err
	}
	return len(problems) == 0, nil
}

// enqueue starts the scheduler and enqueues all tasks in one transaction, in a process
// of their own.
func (o *demoOptions) enqueue(ctx context.Context, d dialects.Dialect, db dialects.Scheduler) ([]dialects.NewTask, error) {
	if _, err := db.Install(ctx, dialects.InstallOptions{Lanes: o.Workers, LockTimeout: 10 * time.Second}); err != nil {
		return nil, err
	}
	if err := db.SetWorkers(ctx, o.Workers); err != nil {
		return nil, err
	}
	if err := db.Start(ctx); err != nil {
		return nil, err
	}
	process, err := db.CreateProcess(ctx, dialects.NewProcess{Name: "demo"})
	if err != nil {
		return nil, err
	}
	tasks := demoTasks(d, process)
	if _, err := db.Exec(ctx, tasks); err != nil {
		return nil, err
	}
	return tasks, db.CloseProcess(ctx, process)
}

// follow waits on the server, a second at a time, and shows the progress of the tasks. It
// never sleeps here: while this program is busy, the fast clock cannot jump.
func (o *demoOptions) follow(ctx context.Context, s *cli.Session, db dialects.Scheduler, tasks []dialects.NewTask) error {
	const patience = 600 // seconds of the server's clock
	process := tasks[0].ProcessID
	for waited := range patience {
		finished, err := db.WaitProcess(ctx, process, time.Second)
		if err != nil || finished {
			return err
		}
		logs, err := db.Logs(ctx, dialects.Filter{ProcessID: process})
		if err != nil {
			return err
		}
		done, now := 0, "none"
		for _, e := range logs {
			if e.FinishedAt != nil {
				done++
			} else {
				now = strconv.Itoa(e.Order)
			}
		}
		s.Step(fmt.Sprintf("%s %d of %d tasks done, order %s runs, %d s", cli.Bar(done, len(tasks), 30), done, len(tasks), now, waited+1))
	}
	return fmt.Errorf("the tasks did not finish within %d seconds", patience)
}

// print shows the log, the lanes over time and the check.
func (o *demoOptions) print(s *cli.Session, logs []dialects.LogEntry, problems []string) error {
	if s.JSON() {
		if problems == nil {
			problems = []string{}
		}
		return s.One("demo", demoResult{Logs: logs, Passed: len(problems) == 0, Problems: problems}, nil)
	}
	type E = dialects.LogEntry
	err := cli.List(s, "logs", logs, []cli.Column[E]{
		{Title: "LogId", Right: true, Cell: func(e E) string { return strconv.FormatInt(e.ID, 10) }},
		{Title: "TaskID", Right: true, Cell: func(e E) string { return strconv.FormatInt(e.TaskID, 10) }},
		{Title: "ExecutionOrder", Right: true, Cell: func(e E) string { return strconv.Itoa(e.Order) }},
		{Title: "TaskBody", Cell: func(e E) string { return cli.SQL(e.SQL) }},
		{Title: "SPID", Right: true, Cell: func(e E) string { return strconv.Itoa(e.SessionID) }},
		{Title: "StartTime", Cell: func(e E) string { return s.Time(e.StartedAt) }},
		{Title: "Endtime", Cell: func(e E) string { return s.TimeOrNone(e.FinishedAt) }},
	})
	if err != nil {
		return err
	}
	verdict := "every wave waited for the one before: yes"
	if len(problems) > 0 {
		verdict = "every wave waited for the one before: NO"
		for _, p := range problems {
			verdict += "\n  - " + p
		}
	}
	_, err = fmt.Fprintf(s.Out(), "\n%s\n%s\n", timeline.Build(dialects.Process{}, logs, nil, time.Now()).Chart(60), verdict)
	return err
}
