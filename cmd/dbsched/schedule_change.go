package main

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/plan"
)

// scheduleFlags are the flags that say when a schedule fires and what it starts.
type scheduleFlags struct {
	taskFlags
	Schedule   dialects.NewSchedule
	File       string
	begin, end string
}

const calendarHelp = `The calendar in --cron has five fields: minute, hour, day of the month, month and day of
the week; with names, lists, ranges, steps, L (the last day of the month) and 5#2 (the
second Friday). Or it is @hourly, @daily, @weekly, @monthly or @yearly, or every 15
minutes, 6 hours, 2 days. Oracle also takes calendar strings of DBMS_SCHEDULER.

A schedule starts one task (--sql) or a plan (--file), each time as a process of its own.`

func (o *scheduleFlags) bind(app *cli.App, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Schedule.Calendar, "cron", "", "when it fires (required, here or in the plan)")
	f.StringVar(&o.Schedule.Zone, "zone", "", "time zone, as the server calls it or in IANA's words, such as Europe/Warsaw (default UTC)")
	f.StringVar(&o.begin, "begin", "", "no firing before this time, from which every N minutes, hours or days is counted: 2026-11-20T22:00:00Z (default now)")
	f.StringVar(&o.end, "end", "", "no firing after this time; none removes it (default none)")
	f.StringVar(&o.Schedule.Overlap, "overlap", "", "if the process before is unfinished: "+strings.Replace(choice(dialects.Overlaps()), "Queue", "Queue (one waits)", 1))
	f.StringVar(&o.Schedule.Missed, "missed", "", "for instants that passed while nothing ran: "+choice(dialects.MissedPolicies()))
	f.StringVar(&o.Task.SQL, "sql", "", "the SQL of its task; - reads it from standard input")
	f.StringVar(&o.File, "file", "", "its plan, a file as for 'dbsched run'")
	f.StringVar(&o.Schedule.Process.OnError, "on-error", "", "after a failed task: "+choice(dialects.OnErrors()))
	f.IntVar(&o.Schedule.Process.Weight, "weight", 0, "share of its processes under policy RoundRobin (default 1)")
	f.IntVar(&o.Schedule.Process.MaxParallel, "max-parallel", 0, "most tasks of a process that run at once (default: no limit)")
	o.taskFlags.bind(app, cmd, "execution order (default 1)")
	app.Completes(cmd, "overlap", dialects.Overlaps()...)
	app.Completes(cmd, "missed", dialects.MissedPolicies()...)
	app.Completes(cmd, "on-error", dialects.OnErrors()...)
}

// Validate checks what needs no server.
func (o *scheduleFlags) Validate() error {
	s := &o.Schedule
	for _, w := range []struct {
		flag  string
		word  *string
		words []string
	}{
		{"--overlap", &s.Overlap, dialects.Overlaps()}, {"--missed", &s.Missed, dialects.MissedPolicies()}, {"--on-error", &s.Process.OnError, dialects.OnErrors()},
	} {
		if err := oneOf(w.flag, w.word, w.words...); err != nil {
			return err
		}
	}
	if err := o.times(); err != nil {
		return err
	}
	switch p := s.Process; {
	case p.Weight < 0 || p.Weight > dialects.MaxWeight || p.Weight == 0 && o.given("weight"):
		return dialects.Usagef("--weight is %d; it must be between 1 and %d", p.Weight, dialects.MaxWeight)
	case p.MaxParallel < 0 || p.MaxParallel > math.MaxInt32 || p.MaxParallel == 0 && o.given("max-parallel"):
		return dialects.Usagef("--max-parallel is %d; it must be at least 1", p.MaxParallel)
	case o.given("sql") && o.File != "":
		return dialects.Usagef("choose one of --sql and --file")
	}
	if o.given("sql") {
		if !o.given("order") {
			o.Task.Order = 1
		}
		return o.validate()
	}
	for _, flag := range o.flags() {
		if o.given(flag) {
			return dialects.Usagef("--%s needs --sql", flag)
		}
	}
	return nil
}

// times reads begin and end.
func (o *scheduleFlags) times() (err error) {
	if o.Schedule.Begin, err = instantFlag("begin", o.begin); err != nil {
		return err
	}
	if strings.EqualFold(o.end, "none") {
		o.Schedule.End = dialects.NoEnd()
		return nil
	}
	o.Schedule.End, err = instantFlag("end", o.end)
	return err
}

// read completes the schedule with what the file and the server know.
func (o *scheduleFlags) read(ctx context.Context, s *cli.Session, db dialects.Scheduler) error {
	if o.Task.SQL != "" {
		if err := o.readSQL(s); err != nil {
			return err
		}
		o.Schedule.Tasks = []dialects.NewTask{o.Task}
	}
	n := &o.Schedule
	if n.Zone == "" {
		return nil
	}
	zone, _, err := db.Zone(ctx, n.Zone)
	if err == nil && zone != n.Zone {
		s.Say("time zone %s is %s on this server", n.Zone, zone)
	}
	n.Zone = zone
	return err
}

// readPlan fills in what the plan says and the command line does not.
func (o *scheduleFlags) readPlan(s *cli.Session) error {
	if o.File == "" {
		return nil
	}
	d, err := s.Wanted()
	if err != nil {
		return err
	}
	p, err := plan.Load(o.File, d)
	if err != nil {
		return dialects.Usagef("%v", err)
	}
	of, err := p.Scheduled()
	if err != nil {
		return dialects.Usagef("%s: %v", o.File, err)
	}
	n := &o.Schedule
	for _, text := range []struct{ to, from *string }{
		{&n.Name, &of.Name}, {&n.Calendar, &of.Calendar}, {&n.Zone, &of.Zone}, {&n.Overlap, &of.Overlap}, {&n.Missed, &of.Missed}, {&n.Process.OnError, &of.Process.OnError},
	} {
		if *text.to == "" {
			*text.to = *text.from
		}
	}
	for _, number := range []struct{ to, from *int }{{&n.Process.Weight, &of.Process.Weight}, {&n.Process.MaxParallel, &of.Process.MaxParallel}} {
		if *number.to == 0 {
			*number.to = *number.from
		}
	}
	for _, at := range []struct{ to, from *time.Time }{{&n.Begin, &of.Begin}, {&n.End, &of.End}} {
		if at.to.IsZero() {
			*at.to = *at.from
		}
	}
	n.Tasks = of.Tasks
	return nil
}

// shown prints the schedule that the server has now.
func (o *scheduleFlags) shown(ctx context.Context, s *cli.Session, db dialects.Scheduler) error {
	if s.DryRun() {
		return nil
	}
	r, err := schedule(ctx, db, o.Schedule.Name)
	if err != nil {
		return err
	}
	return s.One("schedule", r, scheduleLines(s, r))
}

type addScheduleOptions struct{ scheduleFlags }

func addScheduleCommand(app *cli.App) *cobra.Command {
	var o addScheduleOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "add [NAME]",
		Short: "Create a schedule",
		Long: calendarHelp + `

The name may be missing if the plan names its process. Flags win over the plan.`,
		Example: `  dbsched schedule add nightly --cron "0 2 * * *" --zone Europe/Warsaw --sql "EXEC dbo.Load"
  dbsched schedule add --file plan.yaml
  dbsched schedule add "month end" --file plan.yaml --cron "0 6 L * *" --overlap Queue`,
		Annotations: map[string]string{"see": "[schedules](concepts.md#schedules)"},
		Args:        cobra.MaximumNArgs(1),
	})
	cmd.Flags().BoolVar(&o.Schedule.Disabled, "disabled", false, "it fires only after 'dbsched schedule resume'")
	o.bind(app, cmd)
	return app.Bind(cmd, func(args []string) cli.Options {
		if len(args) == 1 {
			o.Schedule.Name = args[0]
		}
		return &o
	})
}

// Validate checks what needs no server.
func (o *addScheduleOptions) Validate() error {
	switch {
	case o.File == "" && !o.given("sql"):
		return dialects.Usagef("say what the schedule starts: --sql or --file")
	case o.File == "" && strings.TrimSpace(o.Schedule.Name) == "":
		return dialects.Usagef("the schedule needs a name")
	case o.File == "" && o.Schedule.Calendar == "":
		return dialects.Usagef(`say when the schedule fires: --cron "0 2 * * *"`)
	}
	return o.scheduleFlags.Validate()
}

// Run creates it.
func (o *addScheduleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if err := o.readPlan(s); err != nil {
		return false, err
	}
	if o.Schedule.Calendar == "" {
		return false, dialects.Usagef(`%s has no schedule. Add one, or say when it fires: --cron "0 2 * * *"`, o.File)
	}
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := o.read(ctx, s, db); err != nil {
			return err
		}
		if err := db.CreateSchedule(ctx, o.Schedule); err != nil {
			return err
		}
		warnOfTimeouts(ctx, s, db, o.Schedule.Tasks)
		if !s.DryRun() {
			warnIfBlocked(ctx, s, db)
		}
		return o.shown(ctx, s, db)
	})
}

type alterScheduleOptions struct{ scheduleFlags }

func alterScheduleCommand(app *cli.App) *cobra.Command {
	var o alterScheduleOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "alter NAME",
		Short: "Change a schedule",
		Long: calendarHelp + `

What you do not name stays as it is. A process that has started is not changed. Tasks run
as the user who gave them to the schedule: with --sql or --file, that is you.`,
		Example: `  dbsched schedule alter nightly --cron "30 3 * * *"
  dbsched schedule alter nightly --file plan.yaml`,
		Args: cobra.ExactArgs(1),
	})
	o.bind(app, cmd)
	return app.Bind(app.CompletesArguments(cmd, first(scheduleNames)), func(args []string) cli.Options {
		o.Schedule.Name = args[0]
		return &o
	})
}

// Validate checks what needs no server.
func (o *alterScheduleOptions) Validate() error {
	err := o.scheduleFlags.Validate()
	if err == nil && !slices.ContainsFunc([]string{"cron", "zone", "begin", "end", "overlap", "missed", "sql", "file", "on-error", "weight", "max-parallel"}, o.given) {
		err = dialects.Usagef(`say what to change, such as --cron "30 3 * * *"`)
	}
	return err
}

// Run changes it.
func (o *alterScheduleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if err := o.readPlan(s); err != nil {
		return false, err
	}
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := o.read(ctx, s, db); err != nil {
			return err
		}
		if err := db.AlterSchedule(ctx, o.Schedule); err != nil {
			return err
		}
		warnOfTimeouts(ctx, s, db, o.Schedule.Tasks)
		return o.shown(ctx, s, db)
	})
}

// scheduleOrder is a command that needs only the name of a schedule.
type scheduleOrder struct {
	use, short, long, done string
	send                   func(ctx context.Context, db dialects.Scheduler, name string) error
}

func scheduleOrders() []scheduleOrder {
	return []scheduleOrder{
		{
			"pause", "Disable a schedule", "Disables a schedule: it no longer fires. Processes that have started continue.", "schedule %s is disabled",
			func(ctx context.Context, db dialects.Scheduler, name string) error {
				return db.SetScheduleEnabled(ctx, name, false)
			},
		},
		{
			"resume", "Enable a schedule", `Enables a schedule that is disabled or suspended. It fires at the next instant of its
calendar; those that have passed are not made up for.`, "schedule %s is enabled",
			func(ctx context.Context, db dialects.Scheduler, name string) error {
				return db.SetScheduleEnabled(ctx, name, true)
			},
		},
		{
			"run", "Fire a schedule now", `Fires a schedule now, even if it is disabled. Its calendar does not change. Unless the
schedule allows overlap, the firing waits for the process before it.`, "schedule %s fires now. To follow it, run 'dbsched schedule show %[1]q'",
			func(ctx context.Context, db dialects.Scheduler, name string) error { return db.RunSchedule(ctx, name) },
		},
	}
}

func orderScheduleCommand(app *cli.App, order scheduleOrder) *cobra.Command {
	cmd := app.Writes(&cobra.Command{Use: order.use + " NAME", Short: order.short, Long: order.long, Args: cobra.ExactArgs(1)})
	return app.Bind(app.CompletesArguments(cmd, first(scheduleNames)),
		func(args []string) cli.Options { return &orderScheduleOptions{order: order, Name: args[0]} })
}

type orderScheduleOptions struct {
	cli.NoFlags
	order scheduleOrder
	Name  string
}

// Run sends the order.
func (o *orderScheduleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Order(ctx, "", func(db dialects.Scheduler) error { return o.order.send(ctx, db, o.Name) }, o.order.done, o.Name)
}

type removeScheduleOptions struct {
	cli.NoFlags
	Name string
}

func removeScheduleCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.CompletesArguments(app.Destroys(&cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a schedule and its firings",
		Long:  `Removes a schedule and the history of its firings. Processes that have started continue.`,
		Args:  cobra.ExactArgs(1),
	}), first(scheduleNames)), func(args []string) cli.Options { return &removeScheduleOptions{Name: args[0]} })
}

// Run removes it, after asking.
func (o *removeScheduleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Order(ctx, "Remove schedule "+o.Name, func(db dialects.Scheduler) error { return db.DropSchedule(ctx, o.Name) }, "removed: schedule %s", o.Name)
}
