package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
	"github.com/dbsched/dbsched/internal/zones"
)

func scheduleCommand(app *cli.App) *cobra.Command {
	list := func(use, short string) *cobra.Command {
		return app.Bind(app.Connects(&cobra.Command{
			Use:   use,
			Short: short,
			Long: `A schedule starts a process at each instant of its calendar, inside the database. You see
your own schedules; administrators see all.`,
			Annotations: map[string]string{"see": "[schedules](concepts.md#schedules), [recipes](recipes.md)"},
		}), func([]string) cli.Options { return &schedulesOptions{} })
	}
	cmd := list("schedule", "List, add and change schedules")
	cmd.AddCommand(list("list", "List schedules"), showScheduleCommand(app), nextScheduleCommand(app), addScheduleCommand(app), alterScheduleCommand(app))
	for _, order := range scheduleOrders() {
		cmd.AddCommand(orderScheduleCommand(app, order))
	}
	cmd.AddCommand(removeScheduleCommand(app), importScheduleCommand(app))
	return cmd
}

type schedulesOptions struct{ cli.NoFlags }

// Run lists.
func (o *schedulesOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	type S = dialects.Schedule
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	all := func(db dialects.Scheduler, ctx context.Context) ([]S, error) { return db.Schedules(ctx, "") }
	return list(ctx, s, "schedules", all, []cli.Column[S]{
		{Title: "Schedule", Cell: func(r S) string { return r.Name }},
		{Title: "Status", Cell: func(r S) string { return r.Status }},
		{Title: "Calendar", Cut: true, Cell: func(r S) string { return r.Calendar }},
		{Title: "Zone", Spare: 2, Cell: func(r S) string { return r.Zone }},
		{Title: "Next", Cell: func(r S) string { return s.TimeOrNone(r.NextAt) }},
		{Title: "Last", Spare: 1, Cell: func(r S) string { return s.TimeOrNone(r.LastDueAt) }},
		{Title: "Outcome", Cell: func(r S) string { return r.LastStatus }},
		{Title: "Fired", Spare: 5, Right: true, Cell: func(r S) string { return count(r.Fired) }},
		{Title: "Skipped", Spare: 4, Right: true, Cell: func(r S) string { return count(r.Skipped) }},
		{Title: "Missed", Spare: 3, Right: true, Cell: func(r S) string { return count(r.Missed) }},
		{Title: "Owner", Spare: 6, Cell: func(r S) string { return r.OwnedBy }},
		{Title: "Reason", Spare: 7, Cut: true, Cell: func(r S) string { return r.Reason }},
	})
}

// schedule reads one schedule.
func schedule(ctx context.Context, db dialects.Scheduler, name string) (dialects.Schedule, error) {
	all, err := db.Schedules(ctx, name)
	if err == nil && len(all) == 0 {
		err = dialects.Usagef("there is no schedule %q, or you are not allowed to see it. To list schedules, run 'dbsched schedule list'", name)
	}
	if err != nil {
		return dialects.Schedule{}, err
	}
	return all[0], nil
}

type showScheduleOptions struct {
	Name  string
	Limit int
	Diff  string
}

func showScheduleCommand(app *cli.App) *cobra.Command {
	var o showScheduleOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "show NAME",
		Short: "Show a schedule, its tasks and its newest firings",
		Long: `Shows a schedule, its tasks and its newest firings. The status of a firing is that of its
process, or: Waiting for the process before it; Starting; Skipped, because that process
was unfinished; Missed, because nothing ran when it was due.

--diff compares it with a plan instead, and shows what 'dbsched schedule alter --file'
would change. The exit code is 1 if that is anything.`,
		Example: `  dbsched schedule show nightly
  dbsched schedule show nightly --diff plan.yaml`,
		Args: cobra.ExactArgs(1),
	})
	cmd.Flags().IntVar(&o.Limit, "limit", 10, "at most this many firings, the newest; 0 for all")
	cmd.Flags().StringVar(&o.Diff, "diff", "", "compare it with this plan, a file as for 'dbsched run'")
	return app.Bind(app.CompletesArguments(cmd, first(scheduleNames)), func(args []string) cli.Options {
		o.Name = args[0]
		return &o
	})
}

// Validate checks the limit.
func (o *showScheduleOptions) Validate() error {
	if o.Limit < 0 {
		return dialects.Usagef("--limit is %d; it must be 0 or more", o.Limit)
	}
	return nil
}

// planLines returns the tasks of a schedule, a line for each.
func planLines(r dialects.Schedule) (lines [][2]string) {
	for _, p := range r.Planned() {
		text := cli.SQL(format.Named(p.Name, p.SQL))
		if p.Options != "" {
			text += "  (" + p.Options + ")"
		}
		lines = append(lines, [2]string{"wave " + strconv.FormatInt(p.Order, 10), text})
	}
	if lines == nil {
		lines = [][2]string{{"tasks", r.Tasks}}
	}
	return lines
}

// Run shows it.
func (o *showScheduleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if o.Diff != "" {
		return diffSchedule(ctx, s, o.Name, o.Diff)
	}
	return s.Do(ctx, func(db dialects.Scheduler) error {
		type F = dialects.Firing
		r, err := schedule(ctx, db, o.Name)
		if err != nil {
			return err
		}
		firings, err := db.Firings(ctx, r.Name, o.Limit)
		if err != nil {
			return err
		}
		if s.JSON() {
			return s.One("schedule", struct {
				dialects.Schedule
				Firings []F `json:"firings"`
			}{r, append([]F{}, firings...)}, nil)
		}
		if err := s.One("schedule", r, slices.Concat(scheduleLines(s, r), [][2]string{
			{"fired", fmt.Sprintf("%d, skipped %d, missed %d", r.Fired, r.Skipped, r.Missed)},
			{"now", fmt.Sprintf("%d running, %d waiting", r.Running, r.Waiting)},
			{"overlap", r.Overlap}, {"missed", r.MissedPolicy}, {"on error", r.OnError}, {"weight", strconv.FormatInt(r.Weight, 10)},
			{"owner", r.OwnedBy},
		}, planLines(r))); err != nil {
			return err
		}
		if len(firings) == 0 {
			return nil
		}
		s.Print("")
		return cli.List(s, "firings", firings, []cli.Column[F]{
			{Title: "Firing", Right: true, Cell: func(f F) string { return strconv.FormatInt(f.ID, 10) }},
			{Title: "Due", Cell: func(f F) string { return s.Time(f.DueAt) }},
			{Title: "Status", Cell: func(f F) string { return f.Status }},
			{Title: "Process", Right: true, Cell: func(f F) string { return number(f.ProcessID) }},
			{Title: "Took", Spare: 1, Right: true, Cell: func(f F) string { return took(&f.LoggedAt, f.FinishedAt) }},
			{Title: "Detail", Cut: true, Cell: func(f F) string {
				if f.Manual && f.Detail == "" {
					return "by hand"
				}
				return f.Detail
			}},
		})
	})
}

// scheduleLines say when a schedule fires.
func scheduleLines(s *cli.Session, r dialects.Schedule) [][2]string {
	lines := [][2]string{{"schedule", r.Name}, {"status", r.Status}}
	if r.Reason != "" {
		lines = append(lines, [2]string{"reason", r.Reason})
	}
	lines = append(lines, [2]string{"calendar", r.Calendar}, [2]string{"zone", zones.WithIANA(r.Zone)}, [2]string{"next", s.TimeOrNone(r.NextAt)})
	if r.NextLocal != "" {
		lines = append(lines, [2]string{"next, local", r.NextLocal})
	}
	lines = append(lines, [2]string{"begin", s.Time(r.BeginAt)})
	if r.EndAt != nil {
		lines = append(lines, [2]string{"end", s.Time(*r.EndAt)})
	}
	if r.LastDueAt != nil {
		last := s.Time(*r.LastDueAt)
		if r.LastProcessID != 0 {
			last += fmt.Sprintf(", process %d", r.LastProcessID)
		}
		lines = append(lines, [2]string{"last", last + ": " + r.LastStatus})
	}
	return lines
}

type nextScheduleOptions struct {
	Name, Cron, Zone, Begin, End, After string
	Count                               int

	when  dialects.When
	after time.Time
}

func nextScheduleCommand(app *cli.App) *cobra.Command {
	var o nextScheduleOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "next [NAME]",
		Short: "List the next instants of a schedule or a calendar",
		Long: `Lists the next instants of a schedule, or of the calendar in --cron, as the database
computes them.`,
		Example: `  dbsched schedule next nightly
  dbsched schedule next --cron "0 6 L * *" --zone Europe/Warsaw --count 12`,
		Args: cobra.MaximumNArgs(1),
	})
	f := cmd.Flags()
	f.StringVar(&o.Cron, "cron", "", "a calendar instead of a schedule")
	f.StringVar(&o.Zone, "zone", "", "with --cron: its time zone (default UTC)")
	f.StringVar(&o.Begin, "begin", "", "with --cron: none before this time, from which intervals are counted: 2026-11-20T22:00:00Z (default: from --after)")
	f.StringVar(&o.End, "end", "", "with --cron: none after this time")
	f.IntVar(&o.Count, "count", 10, "how many instants, at most 100")
	f.StringVar(&o.After, "after", "", "instants after this time, 2026-03-28T12:00 (default: now, by the server)")
	return app.Bind(app.CompletesArguments(cmd, first(scheduleNames)), func(args []string) cli.Options {
		if len(args) == 1 {
			o.Name = args[0]
		}
		return &o
	})
}

// Validate checks the flags.
func (o *nextScheduleOptions) Validate() error {
	switch {
	case (o.Name == "") == (o.Cron == ""):
		return dialects.Usagef("give the name of a schedule, or --cron")
	case (o.Zone != "" || o.Begin != "" || o.End != "") && o.Cron == "":
		return dialects.Usagef("--zone, --begin and --end need --cron")
	case o.Count < 1 || o.Count > 100:
		return dialects.Usagef("--count is %d; it must be between 1 and 100", o.Count)
	}
	o.when = dialects.When{Calendar: o.Cron, Zone: o.Zone}
	var err error
	if o.when.Begin, err = instantFlag("begin", o.Begin); err != nil {
		return err
	}
	if o.when.End, err = instantFlag("end", o.End); err != nil {
		return err
	}
	o.after, err = moment("--after", o.After, time.Now())
	return err
}

// instant is one of the next instants of a calendar.
type instant struct {
	At    time.Time `json:"at"`
	Local string    `json:"local,omitempty"` // in the calendar's zone; empty if the program does not know it
}

// Run lists.
func (o *nextScheduleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if o.Name != "" {
			r, err := schedule(ctx, db, o.Name)
			if err != nil {
				return err
			}
			o.when = r.When(r.Zone)
		}
		zone, loc, err := db.Zone(ctx, o.when.Zone)
		if err != nil {
			return err
		}
		o.when.Zone = zone
		all, err := db.NextInstants(ctx, o.when, o.after, o.Count)
		if err != nil {
			return err
		}
		instants := make([]instant, len(all))
		for i, at := range all {
			instants[i] = instant{At: at}
			if loc != nil {
				instants[i].Local = at.In(loc).Format("Mon 2006-01-02 15:04:05 -07:00")
			}
		}
		return cli.List(s, "instants", instants, []cli.Column[instant]{
			{Title: "At", Cell: func(i instant) string { return s.Time(i.At) }},
			{Title: "In " + zones.WithIANA(zone), Spare: 1, Cell: func(i instant) string { return i.Local }},
		})
	})
}
