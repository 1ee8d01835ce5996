package oracle

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// Install updates the schema to what this program renders. It can be repeated: a unit is sent
// only if its text on the server differs, every other batch checks itself whether there is
// something to do, and a second run repairs a broken installation.
func (s *scheduler) Install(ctx context.Context, opts dialects.InstallOptions) (dialects.InstallReport, error) {
	report := dialects.InstallReport{Schema: s.Schema(), Applied: []string{}}
	err := s.mustOwn("install")
	if err != nil {
		return report, err
	}
	if report.Database, err = s.database(ctx); err != nil {
		return report, err
	}
	if err := s.preflight(ctx, opts.Lanes); err != nil {
		return report, err
	}
	run, err := s.openRunner(ctx, opts.RunnerDSN)
	if err != nil {
		return report, err
	}
	defer run.close()
	lost := false
	err = s.withInstallLock(ctx, opts.LockTimeout, func(conn *sql.Conn) error {
		p, err := s.plan(ctx, conn, opts.Lanes, run)
		if err != nil {
			return err
		}
		lost = p.left.lost
		if err := run.check(ctx, p.source); err != nil {
			return err
		}
		report.Lanes, report.Migration = p.lanes, p.latest
		if s.DryRun != nil {
			return s.showPlan(ctx, conn, p, opts.StopMode())
		}
		if _, err := conn.ExecContext(ctx, sessionOptions); err != nil {
			return s.Failed(ctx, "alter session", err)
		}
		if err := s.quietly(ctx, conn, p, opts, &report, func() error { return s.apply(ctx, conn, p, run, opts.DrainTimeout, &report) }); err != nil {
			return err
		}
		return s.warnOfLimits(ctx, conn, &report)
	})
	if err == nil && s.DryRun == nil {
		var more []string
		more, err = s.warnings(ctx, lost)
		report.Warnings = append(report.Warnings, more...)
	}
	return report, err
}

// sessionOptions start a session that changes definitions: wait for a short transaction of
// another session instead of failing (ORA-00054).
const sessionOptions = `alter session set ddl_lock_timeout = 30 plsql_warnings = 'DISABLE:ALL'`

// plan is the work of an installation.
type plan struct {
	source
	lanes   int
	left    lostSettings
	repairs []client.Repair // of tables
	adopted bool            // the version is not recorded, but all of its tables are there
	version int             // of the current tables; 0: nothing is installed
	dirty   bool            // the migration to version was begun but not finished
	latest  int             // of the tables after the installation
	pending []migrations.Migration
	units   map[unit]string
}

// plan compares the rendered batches with the database.
func (s *scheduler) plan(ctx context.Context, conn *sql.Conn, lanes int, run *runner) (plan, error) {
	var p plan
	var err error
	if p.version, p.dirty, err = s.tableVersion(ctx, conn); err != nil {
		return p, err
	}
	if p.version == 0 {
		if p.source, err = render(dialects.Layout{Schema: s.Schema(), Lanes: 1, Later: s.Later, Templates: s.Templates}); err != nil {
			return p, err
		}
		if p.version, err = s.adoptable(ctx, conn, p.source); err != nil {
			return p, err
		}
		p.adopted = p.version > 0
	}
	if p.hasTables() {
		if p.left, err = s.lostSettings(ctx, conn); err != nil && !missing(err) { // a missing table is another's finding
			return p, err
		}
	}
	if p.lanes, err = s.chooseLanes(ctx, conn, p, lanes); err != nil {
		return p, err
	}
	who, err := s.chooseRunner(ctx, conn, p, run)
	if err != nil {
		return p, err
	}
	if p.source, err = render(dialects.Layout{Schema: s.Schema(), Lanes: p.lanes, Runner: who, Later: s.Later, Templates: s.Templates}); err != nil {
		return p, err
	}
	p.latest = p.migrations[len(p.migrations)-1].Version
	if p.version > p.latest {
		return p, dialects.Usagef("schema %s was installed by a newer dbsched (its tables have version %d, this program supports up to %d). Use that version or a newer one", s.Schema(), p.version, p.latest)
	}
	p.pending = slices.DeleteFunc(slices.Clone(p.migrations), func(m migrations.Migration) bool {
		return m.Version < p.version || m.Version == p.version && !p.dirty
	})
	if p.hasTables() {
		complete := p.version
		if p.dirty {
			complete--
		}
		if p.repairs, err = s.inspect(ctx, conn, p, complete); err != nil {
			return p, err
		}
	}
	p.units, err = s.installedUnits(ctx, conn, p.source)
	return p, err
}

// hasTables reports whether all tables of the first version exist.
func (p plan) hasTables() bool { return p.version > 1 || p.version == 1 && !p.dirty }

func lanesQuery() string {
	return "select s.max_lanes from " + object("settings") + " s where s.settings_id = 1"
}

// chooseLanes returns the requested number of lanes, or the installed number, or the default.
func (s *scheduler) chooseLanes(ctx context.Context, conn *sql.Conn, p plan, wanted int) (int, error) {
	installed := 0
	if wanted == 0 && p.hasTables() {
		err := conn.QueryRowContext(ctx, lanesQuery()).Scan(&installed)
		if errors.Is(err, sql.ErrNoRows) {
			installed, err = p.left.lanes, nil
		}
		if err != nil && !missing(err) {
			return 0, s.Failed(ctx, object("settings"), err)
		}
	}
	switch {
	case wanted > 0:
		return wanted, nil
	case installed > 0:
		return installed, nil
	}
	return dialects.DefaultLanes, nil
}

// missing reports whether a table or column is missing.
func missing(err error) bool {
	r, ok := asRefusal(err)
	return ok && (r.Number == 942 || r.Number == 904)
}

// replacesUnits reports whether any unit differs from what it should be. Then all are sent: a new
// specification invalidates everything that was compiled with the old one.
func (p plan) replacesUnits() bool {
	return slices.ContainsFunc(p.after, func(b templates.Batch) bool { return b.Kind == templates.KindModule && !p.unchanged(b) })
}

// showPlan prints the batches that would be sent.
func (s *scheduler) showPlan(ctx context.Context, conn *sql.Conn, p plan, mode dialects.StopMode) error {
	st, err := s.state(ctx, conn, p)
	if err != nil {
		return err
	}
	if st.replaced && (st.started || mode == dialects.StopNow) {
		err = s.Send(ctx, conn, client.Stop(mode)) // this shows it
	}
	for _, r := range p.repairs {
		for _, statement := range r.Statements {
			s.DryRun(dialects.Batch{Name: r.Name, SQL: statement})
		}
	}
	for _, m := range p.pending {
		s.DryRun(dialects.Batch{Name: m.File, SQL: m.SQL})
	}
	for _, b := range p.toSend() {
		s.DryRun(dialects.Batch{Name: b.Name, SQL: b.SQL})
	}
	if st.replaced && st.started {
		err = errors.Join(err, s.Send(ctx, conn, client.New("StartScheduler")))
	}
	return err
}

// toSend returns what follows the migrations, without units that are already right.
func (p plan) toSend() []templates.Batch {
	if p.replacesUnits() {
		return p.after
	}
	return slices.DeleteFunc(slices.Clone(p.after), func(b templates.Batch) bool { return b.Kind == templates.KindModule })
}

// apply sends the plan: the tables, then everything else.
func (s *scheduler) apply(ctx context.Context, conn *sql.Conn, p plan, run *runner, limit time.Duration, report *dialects.InstallReport) error {
	batches := p.toSend()
	total := len(p.pending) + len(batches)
	done := 0
	report.Unchanged = len(p.after) - len(batches)
	// Nothing can be rolled back: completed steps of a migration remain, and a unit that does not compile has replaced the last one.
	failed := func(name string, err error) error {
		return &dialects.PartialError{Applied: report.Applied, Failed: name, Left: total - done - 1, Err: err,
			Next: "Completed steps remain. Fix the cause and install again: it continues from there."}
	}
	was, err := s.catalog(ctx, conn)
	if err != nil {
		return err
	}
	if p.adopted {
		if err := s.adopt(ctx, p.version); err != nil {
			return failed(schemaVersion(), err)
		}
		report.Applied = append(report.Applied, "row of "+schemaVersion())
	}
	if name, err := s.Repair(ctx, conn, p.repairs, report); err != nil {
		return failed(name, err)
	}
	if len(p.pending) > 0 {
		files, err := s.migrateUp(ctx, p)
		report.Applied = append(report.Applied, files...)
		done += len(files)
		if err != nil {
			return failed(p.pending[min(len(files), len(p.pending)-1)].File, err)
		}
	}
	for _, b := range batches {
		s.Notify(fmt.Sprintf("%d of %d: %s", done+1, total, b.Name))
		on := conn
		if b.Kind == templates.KindRunner && run != nil {
			on = run.conn
		}
		if err := s.sendBatch(ctx, on, b, limit); err != nil {
			return failed(b.Name, err)
		}
		done++
		// Batches that check themselves are reported only for a new installation.
		if p.version == 0 || b.Kind == templates.KindModule && !p.unchanged(b) {
			report.Applied = append(report.Applied, b.Name)
		} else {
			report.Unchanged++
		}
	}
	if p.version == 0 {
		return nil
	}
	is, err := s.catalog(ctx, conn)
	if err != nil {
		return err
	}
	report.Applied = append(report.Applied, client.News(was, is)...)
	for _, gone := range client.News(is, was) { // surplus lanes
		report.Applied = append(report.Applied, gone+" removed")
	}
	return nil
}

// sendBatch sends a batch and checks that its unit compiles. It waits until limit for calls that entered a unit after the check of
// the public package.
func (s *scheduler) sendBatch(ctx context.Context, conn *sql.Conn, b templates.Batch, limit time.Duration) error {
	if b.Kind != templates.KindModule && b.Kind != templates.KindGrant {
		_, err := conn.ExecContext(ctx, b.SQL)
		return s.Failed(ctx, b.Name, err)
	}
	err := whenUnused(ctx, conn, limit, b.SQL)
	if errors.Is(err, errInUse) {
		var why []string
		for _, f := range s.inUse(ctx, conn, cmp.Or(b.Object.Name, templates.OraclePackage), longerDrain) {
			why = append(why, f.Text+"\n    "+f.Remedy)
		}
		return &dialects.ServerError{Doing: b.Name, Err: errors.New(strings.Join(why, "\n"))}
	}
	if err == nil && b.Kind == templates.KindModule {
		err = compiled(ctx, conn, strings.ToUpper(b.Object.Type), b.Object.Name)
	}
	return s.Failed(ctx, b.Name, err)
}

// catalogQuery lists the parts of an installation other than packages and views, and anything
// else with a name like dbsched's. Two objects that are created and dropped together count as one: a package body
// and its package, a queue and its table.
const catalogQuery = `select o.object_type, o.object_name
from user_objects o
where o.object_type in (%s)
  and (o.object_name = :in_package or substr(o.object_name, 1, :in_length) = :in_prefix)
union all
select 'JOB', j.owner || '.' || j.job_name
from all_scheduler_jobs j
where j.owner <> user and j.comments like 'dbsched: worker slot %% of ' || user
order by 1, 2`

const (
	catalogTypes    = `'JOB', 'QUEUE', 'SEQUENCE', 'TABLE'`
	everythingTypes = catalogTypes + `, 'PACKAGE', 'PACKAGE BODY', 'VIEW'`
)

// catalog lists everything except units.
func (s *scheduler) catalog(ctx context.Context, on client.Querier) ([]string, error) {
	return s.objects(ctx, on, catalogTypes)
}

func (s *scheduler) objects(ctx context.Context, on client.Querier, types string) ([]string, error) {
	params := []any{sql.Named("in_package", templates.OraclePackage), sql.Named("in_length", int64(len(templates.DefaultPrefix))), sql.Named("in_prefix", templates.DefaultPrefix)}
	return client.Read(ctx, s.Client, on, "reading the catalog", fmt.Sprintf(catalogQuery, types), params, func(rows *sql.Rows) (string, error) {
		var kind, name string
		err := rows.Scan(&kind, &name)
		return strings.ToLower(kind) + " " + name, err
	})
}
