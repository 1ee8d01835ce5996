package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/plan"
)

type importScheduleOptions struct {
	Agent, Jobs, Zone, To string
	Apply                 bool
}

func importScheduleCommand(app *cli.App) *cobra.Command {
	var o importScheduleOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "import",
		Short: "Make plans of jobs of SQL Server Agent or DBMS_SCHEDULER",
		Long: `Reads jobs of SQL Server Agent, or of DBMS_SCHEDULER and DBMS_JOB, and prints each as a plan
with a schedule. Comments say what has no counterpart, and why a plan would not do what its
job does. Steps become waves, and so do the steps of a chain.

Nothing is changed unless you say --apply. It creates the schedules, disabled, except of
plans that would not do what their jobs do, and prints how to disable each job and how to
enable its schedule.`,
		Example: `  dbsched schedule import --agent "Nightly load"
  dbsched schedule import --agent all --to plans
  dbsched schedule import --jobs SALES.CHAIN_JOB_1 --apply`,
		Annotations: map[string]string{"see": "[coming from SQL Agent or DBMS_SCHEDULER](recipes.md#coming-from-sql-agent-or-dbms_scheduler)"},
	})
	f := cmd.Flags()
	f.StringVar(&o.Agent, "agent", "", "SQL Server: a job of SQL Server Agent, or all")
	f.StringVar(&o.Jobs, "jobs", "", "Oracle: a job as NAME or OWNER.NAME, the number of one of DBMS_JOB, or all")
	f.StringVar(&o.Zone, "zone", "", "time zone of the server's clock, if the server does not tell it")
	f.StringVar(&o.To, "to", "", "write each plan as a file into this folder")
	f.BoolVar(&o.Apply, "apply", false, "create the schedules, disabled")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the flags.
func (o *importScheduleOptions) Validate() error {
	switch {
	case (o.Agent == "") == (o.Jobs == ""):
		return dialects.Usagef("say which jobs: --agent JOB or --agent all on SQL Server, --jobs NAME or --jobs all on Oracle")
	case o.Apply && o.To != "":
		return dialects.Usagef("choose one of --to and --apply. To create a schedule of a file, run 'dbsched schedule add --file FILE --disabled'")
	}
	return nil
}

// imported is a job with its plan.
type imported struct {
	Job       string   `json:"job"`
	Schedule  string   `json:"schedule"`
	Plan      string   `json:"plan"`
	Notes     []string `json:"notes"`
	Obstacles []string `json:"obstacles"`
	Created   bool     `json:"created"` // the schedule
	Disable   string   `json:"disable"` // statement, at the source
	Resume    string   `json:"resume"`  // command

	schedule dialects.NewSchedule
}

// Run prints plans, or creates schedules.
func (o *importScheduleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		all, err := o.read(ctx, db)
		if err != nil {
			return err
		}
		switch {
		case o.Apply:
			return o.apply(ctx, s, db, all)
		case o.To != "":
			return o.write(s, all)
		case s.JSON():
			return cli.List(s, "imports", all, nil)
		}
		for i, j := range all {
			if i > 0 {
				s.Print("---")
			}
			if _, err := fmt.Fprint(s.Out(), j.Plan); err != nil {
				return err
			}
		}
		return nil
	})
}

// read reads the jobs and turns them into plans.
func (o *importScheduleOptions) read(ctx context.Context, db dialects.Scheduler) ([]imported, error) {
	from := dialects.Foreign{Scheduler: dialects.Agent, Name: o.Agent}
	if o.Jobs != "" {
		from = dialects.Foreign{Scheduler: dialects.Jobs, Name: o.Jobs}
	}
	name := from.Name
	if strings.EqualFold(name, "all") {
		from.Name = ""
	}
	if o.Zone != "" {
		zone, _, err := db.Zone(ctx, o.Zone)
		if err != nil {
			return nil, err
		}
		from.Zone = zone
	}
	jobs, err := db.ForeignJobs(ctx, from)
	switch {
	case err != nil:
		return nil, err
	case len(jobs) == 0 && from.Name == "":
		return nil, dialects.Usagef("there are no jobs of %s, or you are not allowed to see them", from.Scheduler)
	case len(jobs) == 0:
		return nil, dialects.Usagef("there is no job %q of %s, or you are not allowed to see it", name, from.Scheduler)
	}
	all := []imported{}
	for _, j := range jobs {
		comments := []string{fmt.Sprintf("Job %q of %s, as a plan of dbsched.", j.Name, from.Scheduler)}
		comments = append(comments, j.Notes...)
		for _, text := range j.Obstacles {
			comments = append(comments, "NOT THE SAME: "+text)
		}
		all = append(all, imported{
			Job: j.Name, Schedule: j.Schedule.Name, Plan: plan.Format(j.Schedule, comments), Notes: append([]string{}, j.Notes...), Obstacles: append([]string{}, j.Obstacles...),
			Disable: j.Disable, Resume: "dbsched schedule resume " + shellWord(j.Schedule.Name), schedule: j.Schedule,
		})
	}
	return all, nil
}

// shellWord quotes a name for shells, if needed.
func shellWord(name string) string {
	if regexp.MustCompile(`^[A-Za-z0-9_.-]+$`).MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// apply creates the schedules of those that would do what the jobs do.
func (o *importScheduleOptions) apply(ctx context.Context, s *cli.Session, db dialects.Scheduler, all []imported) error {
	var failures []error
	var tasks []dialects.NewTask
	for i := range all {
		j := &all[i]
		if len(j.Obstacles) == 0 {
			err := db.CreateSchedule(ctx, j.schedule)
			if err != nil {
				failures = append(failures, fmt.Errorf("job %s: %w", j.Job, err))
				j.Obstacles = append(j.Obstacles, err.Error())
			}
			j.Created = err == nil && !s.DryRun()
			tasks = append(tasks, j.schedule.Tasks...)
		}
		if ctx.Err() != nil {
			break
		}
	}
	warnOfTimeouts(ctx, s, db, tasks)
	switch {
	case s.DryRun():
	case s.JSON():
		if err := cli.List(s, "imports", all, nil); err != nil {
			return err
		}
	default:
		for i, j := range all {
			if i > 0 {
				s.Print("")
			}
			if err := s.One("import", j, j.lines()); err != nil {
				return err
			}
		}
		warnIfBlocked(ctx, s, db)
	}
	return errors.Join(failures...)
}

// lines describe the outcome for a job.
func (j imported) lines() [][2]string {
	lines := [][2]string{{"job", j.Job}}
	if j.Created {
		lines = append(lines, [2]string{"created", "schedule " + j.Schedule + ", disabled"})
	} else {
		lines = append(lines, [2]string{"created", "nothing"})
	}
	for _, text := range j.Notes {
		lines = append(lines, [2]string{"note", text})
	}
	for _, text := range j.Obstacles {
		lines = append(lines, [2]string{"because", text})
	}
	if j.Created {
		lines = append(lines, [2]string{"stop the job", j.Disable}, [2]string{"then", j.Resume})
	}
	return lines
}

var notInFileNames = regexp.MustCompile(`[^\pL\pN._-]+`)

// write writes a file for each plan. It overwrites none.
func (o *importScheduleOptions) write(s *cli.Session, all []imported) error {
	if err := os.MkdirAll(o.To, 0o755); err != nil {
		return dialects.Usagef("the folder %s cannot be made: %v", o.To, err)
	}
	var written []string
	for _, j := range all {
		name := strings.Trim(notInFileNames.ReplaceAllString(j.Job, "-"), "-.")
		if name == "" {
			name = "job"
		}
		path := filepath.Join(o.To, name+".yaml")
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return dialects.Usagef("the plan of job %s cannot be written: %v", j.Job, err)
		}
		_, err = file.WriteString(j.Plan)
		if err = errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		written = append(written, path)
	}
	s.Done("written: %s", strings.Join(written, ", "))
	return nil
}
