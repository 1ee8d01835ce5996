package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

func roundCommand(app *cli.App) *cobra.Command {
	list := func(use, short string) *cobra.Command {
		return app.Bind(app.Connects(&cobra.Command{
			Use:   use,
			Short: short,
			Long: `A round waits for a set of outside jobs. Each job reports when it ends. When all have
succeeded, the round starts the next job, once: a job of SQL Server Agent or
DBMS_SCHEDULER, or a task.`,
			Annotations: map[string]string{"see": "[recipes](recipes.md)"},
		}), func([]string) cli.Options { return &roundsOptions{} })
	}
	cmd := list("round", "List, define and report rounds")
	cmd.AddCommand(list("list", "List rounds"), defineRoundCommand(app), reportRoundCommand(app), removeRoundCommand(app))
	return cmd
}

type roundsOptions struct{ cli.NoFlags }

// Run lists.
func (o *roundsOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	type R = dialects.Round
	return list(ctx, s, "rounds", dialects.Scheduler.Rounds, []cli.Column[R]{
		{Title: "Round", Cell: func(r R) string { return r.Name }},
		{Title: "Generation", Spare: 7, Right: true, Cell: func(r R) string { return strconv.FormatInt(r.Generation, 10) }},
		{Title: "Succeeded", Cut: true, Cell: func(r R) string { return reporters(r, "succeeded") }},
		{Title: "Failed", Cut: true, Cell: func(r R) string { return reporters(r, "failed") }},
		{Title: "Missing", Cut: true, Cell: func(r R) string { return reporters(r, "") }},
		{Title: "Since", Spare: 4, Cell: func(r R) string { return s.TimeOrNone(r.FirstReportAt) }},
		{Title: "Starts", Spare: 3, Cell: func(r R) string {
			if r.SuccessorJob != "" {
				return "job " + r.SuccessorJob
			}
			return cli.SQL(r.SuccessorSQL)
		}},
		{Title: "Last", Spare: 2, Cell: func(r R) string { return r.LastStatus }},
		{Title: "At", Spare: 5, Cell: func(r R) string { return s.TimeOrNone(r.LastFiredAt) }},
		{Title: "By", Spare: 6, Cell: func(r R) string { return r.LastFiredBy }},
		{Title: "Detail", Cut: true, Cell: func(r R) string { return r.LastDetail }},
	})
}

// reporters lists the members that reported this outcome; for "", those that have not reported.
func reporters(r dialects.Round, outcome string) string {
	var names []string
	for _, m := range r.Reports {
		has := ""
		if m.Succeeded != nil {
			has = map[bool]string{true: "succeeded", false: "failed"}[*m.Succeeded]
		}
		if has == outcome {
			names = append(names, m.Member)
		}
	}
	return strings.Join(names, ", ")
}

type defineRoundOptions struct {
	Round   dialects.NewRound
	Process string
}

func defineRoundCommand(app *cli.App) *cobra.Command {
	var o defineRoundOptions
	cmd := app.Destroys(&cobra.Command{
		Use:   "define NAME",
		Short: "Define a round, or change it; asks before it discards reports",
		Example: `  dbsched round define load --member "Load A" --member "Load B" --start-job Report
  dbsched round define load --member a --member b --start-sql "EXEC etl.Report" --max-age 4h`,
		Args: cobra.ExactArgs(1),
	})
	f := cmd.Flags()
	f.StringArrayVar(&o.Round.Members, "member", nil, "a job that must report; repeat for each (required)")
	f.StringVar(&o.Round.SuccessorJob, "start-job", "", "next job, if you are in db_owner or own the schema: of SQL Server Agent, or of DBMS_SCHEDULER as NAME or SCHEMA.NAME")
	f.StringVar(&o.Round.SuccessorSQL, "start-sql", "", "next task: its SQL")
	f.IntVar(&o.Round.Order, "order", 0, "with --start-sql: execution order (default 1)")
	f.StringVar(&o.Process, "process", "", "with --start-sql: process, by id or name (default: the default process)")
	app.CompletesFlag(cmd, "process", processNames(dialects.OpenStatuses()...))
	f.DurationVar(&o.Round.MaxAge, "max-age", 0, "how long a report is valid (default 12h)")
	f.DurationVar(&o.Round.StartTimeout, "start-within", 0, "how soon the started job must run (default 1m)")
	return app.Bind(app.CompletesArguments(cmd, first(roundNames)), func(args []string) cli.Options {
		o.Round.Name = args[0]
		return &o
	})
}

// Validate checks what needs no server.
func (o *defineRoundOptions) Validate() error {
	r := &o.Round
	switch {
	case strings.TrimSpace(r.Name) == "":
		return dialects.Usagef("the name is empty")
	case len(r.Members) == 0:
		return dialects.Usagef("no --member given. To remove a round, run dbsched round remove")
	case (strings.TrimSpace(r.SuccessorJob) == "") == (strings.TrimSpace(r.SuccessorSQL) == ""):
		return dialects.Usagef("name what comes next: --start-job or --start-sql")
	case r.SuccessorJob != "" && (r.Order != 0 || o.Process != ""):
		return dialects.Usagef("--order and --process need --start-sql")
	case r.Order < math.MinInt32 || r.Order > math.MaxInt32:
		return dialects.Usagef("--order is %d; it must fit 32 bits", r.Order)
	}
	seen := map[string]bool{}
	for _, m := range r.Members {
		switch {
		case strings.TrimSpace(m) == "":
			return dialects.Usagef("--member is empty")
		case seen[m]:
			return dialects.Usagef("--member %s appears twice", m)
		}
		seen[m] = true
	}
	if err := wholeSeconds("--max-age", r.MaxAge); err != nil {
		return err
	}
	return wholeSeconds("--start-within", r.StartTimeout)
}

// Run defines it.
func (o *defineRoundOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if o.Process != "" {
			id, err := findProcess(ctx, db, o.Process)
			if err != nil {
				return err
			}
			o.Round.ProcessID = id
		}
		all, err := db.Rounds(ctx)
		if err != nil {
			return err
		}
		for _, r := range all {
			if n := r.Succeeded + r.Failed; strings.EqualFold(r.Name, o.Round.Name) && n > 0 {
				if err := s.Confirm(ctx, fmt.Sprintf("Discard %s of round %s on %s?", format.Plural(n, "report"), r.Name, db.Target())); err != nil {
					return err
				}
			}
		}
		if err := db.DefineRound(ctx, o.Round); err != nil {
			return err
		}
		s.Done("round %s has %s", o.Round.Name, format.Plural(len(o.Round.Members), "member"))
		return nil
	})
}

type reportRoundOptions struct {
	cli.NoFlags
	Round, Member string
	Failed        bool
}

func reportRoundCommand(app *cli.App) *cobra.Command {
	var o reportRoundOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "report NAME MEMBER",
		Short: "Report that a member has succeeded or failed",
		Long: `Reports for a member and prints the outcome: Waiting (for others), Reported (a failure),
Started, or with exit code 1 Failed or Unknown, if the next job did not start. The last
report starts the next job: you need the right to start it, and the command waits until
it runs.`,
		Example: `  dbsched round report load "Load A"
  dbsched round report load "Load A" --failed`,
		Args: cobra.ExactArgs(2),
	})
	cmd.Flags().BoolVar(&o.Failed, "failed", false, "the member failed: raise an alarm and start nothing")
	return app.Bind(app.CompletesArguments(cmd, roundNames), func(args []string) cli.Options {
		o.Round, o.Member = args[0], args[1]
		return &o
	})
}

// Run reports.
func (o *reportRoundOptions) Run(ctx context.Context, s *cli.Session) (verdict bool, err error) {
	_, err = s.Do(ctx, func(db dialects.Scheduler) error {
		outcome, err := db.ReportRound(ctx, o.Round, o.Member, !o.Failed)
		if err != nil {
			return err
		}
		verdict = outcome != dialects.RoundFailed && outcome != dialects.RoundUnknown
		if s.DryRun() {
			return nil
		}
		report := map[string]string{"round": o.Round, "member": o.Member, "outcome": string(outcome)}
		lines := [][2]string{{"outcome", string(outcome)}}
		if !verdict {
			if reason := failure(ctx, db, o.Round); reason != "" {
				report["reason"], lines = reason, append(lines, [2]string{"reason", reason})
			}
		}
		return s.One("report", report, lines)
	})
	return verdict, err
}

// failure returns why the successor of a round did not start, if the user may read it.
func failure(ctx context.Context, db dialects.Scheduler, round string) string {
	all, err := db.Rounds(ctx)
	if i := slices.IndexFunc(all, func(r dialects.Round) bool { return strings.EqualFold(r.Name, round) }); err == nil && i >= 0 {
		return all[i].LastDetail
	}
	return ""
}

type removeRoundOptions struct {
	cli.NoFlags
	Name string
}

func removeRoundCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.CompletesArguments(app.Destroys(&cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a round and its reports",
		Args:  cobra.ExactArgs(1),
	}), first(roundNames)), func(args []string) cli.Options { return &removeRoundOptions{Name: args[0]} })
}

// Run removes it, after asking.
func (o *removeRoundOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Order(ctx, "Remove round "+o.Name, func(db dialects.Scheduler) error {
		// The server ignores the removal of a round that does not exist.
		if all, err := db.Rounds(ctx); err != nil {
			return err
		} else if !s.DryRun() && !slices.ContainsFunc(all, func(r dialects.Round) bool { return r.Name == o.Name }) {
			return dialects.Usagef("there is no round %q, or you are not allowed to see it", o.Name)
		}
		return db.DefineRound(ctx, dialects.NewRound{Name: o.Name})
	}, "removed: round %s", o.Name)
}
