package oracle

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/schema"
)

// verification runs the checks, in order.
type verification struct {
	*scheduler
	dialects.Findings
	opts  dialects.VerifyOptions
	guest bool // the user is not the owner
	over  bool // the rest cannot be checked
	idle  bool // what was found keeps every task from running

	src     source
	version int // of the tables
	set     settings
	found   []schema.Difference // in the tables
	// compared says that found is known.
	compared bool
	// settingless says that the settings row is missing.
	settingless bool
	foreign     bool // another version of the program installed the packages
	status      dialects.Status
	// statusErr is why there is no status.
	statusErr error
	held      *held
	runs      bool // the dispatcher is running
}

// step is one check.
type step struct {
	name  string
	make  func(context.Context) error
	guest bool // other users than the owner can make it, too
}

// steps returns all checks, in their order.
func (v *verification) steps() []step {
	return []step{
		{"server", v.checkServer, true},
		{"container", v.checkContainer, true},
		{"installation", v.checkInstallation, true},
		{"grants", v.checkGrants, false},
		{"profile", v.checkProfile, false},
		{"edition", v.checkEdition, false},
		{"packages", v.checkPackages, false},
		{"views", v.checkViews, false},
		{"tables", v.checkTables, false},
		{"queue", v.checkQueues, false},
		{"queue messages", v.checkMessages, false},
		{"job queue", v.checkJobQueue, false},
		{"job scheduler", v.checkJobScheduler, true},
		{"parameters", v.checkParameters, false},
		{"dispatcher", v.checkDispatcher, false},
		{"dispatcher memory", v.checkMemory, false},
		{"last run", v.checkLastRun, false},
		{"lane jobs", v.checkLaneJobs, false},
		{"scheduler", v.checkScheduler, true},
		{"moves", v.checkMoves, false},
		{"sweep", v.checkSweep, false},
		{"lanes", v.checkLanes, false},
		{"alarms", v.Adds(v.scheduler, &v.status, dialects.AlarmCheck), true},
		{"schedules", v.Adds(v.scheduler, &v.status, dialects.ScheduleCheck), true},
		{"users", v.checkOwners, false},
		{"ending tasks", v.checkEnding, false},
		{"probe", v.checkProbe, false},
	}
}

// Verify checks that the installation is complete and works.
func (s *scheduler) Verify(ctx context.Context, opts dialects.VerifyOptions) ([]dialects.Check, error) {
	v := &verification{scheduler: s, Findings: dialects.Findings{Report: opts.Report}, opts: opts, guest: s.schema != s.target.user}
	var unseen []string
	for _, check := range v.steps() {
		if v.guest && !check.guest {
			unseen = append(unseen, check.name)
			continue
		}
		v.Name = check.name
		if err := check.make(ctx); err != nil {
			if err = v.notSeen(ctx, err); err != nil {
				return v.Checks, err
			}
		}
		if v.over {
			return v.Checks, nil
		}
	}
	if v.guest {
		v.Name = "rights"
		v.Info("not checked: " + strings.Join(unseen, ", ") + ". Only the owner, " + v.Schema() + ", can check these")
	}
	return v.Checks, nil
}

// notSeen reports that a check could not run, unless the connection is lost or ctx has ended.
func (v *verification) notSeen(ctx context.Context, err error) error {
	r, refused := asRefusal(err)
	if !refused || ctx.Err() != nil || loginFailure(r.Number) || sessionLost(r.Number) {
		return v.Failed(ctx, v.Name, err)
	}
	v.NotSeen(r.Error(), unseen(r))
	return nil
}

// unseen recognizes the errors of a missing right: no such table or view, insufficient privileges, a package that is not declared.
func unseen(r *Refusal) bool {
	return slices.Contains([]int{942, 1031, 4043, 41900}, r.Number) || sysPackage.MatchString(r.Text)
}

// mendable reports whether every failed check has a safe repair. Then what follows from them can be repaired afterwards.
func (v *verification) mendable() bool {
	return !slices.ContainsFunc(v.Checks, func(c dialects.Check) bool { return c.Level == dialects.Fail && !c.Safe })
}

// every runs a query and reads its rows.
func (v *verification) every(ctx context.Context, read func(*sql.Rows) error, query string, params ...any) error {
	return client.Each(ctx, v.DB, query, params, read)
}

// names reads a query of one column.
func (v *verification) names(ctx context.Context, query string, params ...any) (all []string, err error) {
	err = v.every(ctx, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		all = append(all, name)
		return err
	}, query, params...)
	return all, err
}

// compiling is the repair that compiles a unit.
var compiling = regexp.MustCompile(`^alter (package|view) (\w+) compile( body)?$`)

// Mend applies the safe repair of a check.
func (s *scheduler) Mend(ctx context.Context, c dialects.Check) error {
	m := compiling.FindStringSubmatch(c.Remedy)
	if m == nil || s.DryRun != nil {
		return s.Client.Mend(ctx, c)
	}
	conn, err := s.DB.Conn(ctx)
	if err != nil {
		return s.Failed(ctx, "connecting", err)
	}
	defer conn.Close()
	name := strings.ToUpper(m[2])
	err = whenUnused(ctx, conn, grantWait, c.Remedy)
	if errors.Is(err, errInUse) {
		return &dialects.PreflightError{Target: s.Target(), Findings: s.inUse(ctx, conn, name, "dbsched verify --fix")}
	}
	if err == nil {
		err = compiled(ctx, conn, strings.ToUpper(m[1]+m[3]), name)
	}
	return s.Failed(ctx, c.Remedy, err)
}
