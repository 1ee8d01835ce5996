package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// Install updates the schema to what this program renders. It can be repeated: a module is
// sent only if its text on the server differs, every other batch checks itself whether there
// is something to do, and a second run repairs a broken installation.
func (s *scheduler) Install(ctx context.Context, opts dialects.InstallOptions) (dialects.InstallReport, error) {
	if opts.RunnerDSN != "" {
		return dialects.InstallReport{}, noRunner()
	}
	report := dialects.InstallReport{Schema: s.schema, Applied: []string{}}
	f, err := s.facts(ctx)
	if err != nil {
		return report, err
	}
	report.Database = f.Database
	if findings := f.findings(); len(findings) > 0 {
		return report, &dialects.PreflightError{Target: s.Target(), Findings: findings}
	}
	if !f.Broker {
		if err := s.enableBroker(ctx, f, opts.ForceEnableBroker); err != nil {
			return report, err
		}
		report.Applied = append(report.Applied, "Service Broker turned on")
	}
	lost := false
	err = s.withInstallLock(ctx, opts.LockTimeout, func(conn *sql.Conn) error {
		p, err := s.plan(ctx, conn, opts.Lanes)
		if err != nil {
			return err
		}
		lost = p.lost
		report.Lanes, report.Migration = p.lanes, p.latest
		if s.DryRun != nil {
			return s.showPlan(ctx, conn, p, opts.StopMode())
		}
		if _, err := conn.ExecContext(ctx, sessionOptions); err != nil {
			return s.Failed(ctx, "SET", err)
		}
		if err := s.quietly(ctx, conn, p, opts, &report); err != nil {
			return err
		}
		return s.warnUnresolved(ctx, conn, &report)
	})
	if err != nil || s.DryRun != nil {
		return report, err
	}
	more, err := s.warnings(ctx, lost)
	report.Warnings = append(report.Warnings, more...)
	return report, err
}

// plan is the work of an installation.
type plan struct {
	source
	lanes   int
	version int                    // of the current tables; 0: nothing is installed
	adopted bool                   // that version is not recorded, but all of its tables are there
	repairs []client.Repair        // of tables
	lost    bool                   // the settings row is missing
	latest  int                    // of the tables after the installation
	pending []migrations.Migration // in order
	modules map[string]string
}

// plan compares the rendered batches with the database.
func (s *scheduler) plan(ctx context.Context, conn *sql.Conn, lanes int) (plan, error) {
	var p plan
	version, dirty, err := s.tableVersion(ctx, conn)
	if err != nil {
		return p, err
	}
	if version == 0 {
		if p.source, err = render(dialects.Layout{Schema: s.schema, Lanes: 1, Later: s.Later, Templates: s.Templates}); err != nil {
			return p, err
		}
		if version, err = s.adoptable(ctx, conn, p.source); err != nil {
			return p, err
		}
		p.adopted = version > 0
	}
	p.version = version
	if p.lanes, err = s.chooseLanes(ctx, conn, version, lanes); err != nil {
		return p, err
	}
	if p.source, err = render(dialects.Layout{Schema: s.schema, Lanes: p.lanes, Later: s.Later, Templates: s.Templates}); err != nil {
		return p, err
	}
	p.latest = p.migrations[len(p.migrations)-1].Version
	if version > p.latest {
		return p, dialects.Usagef("schema %s was installed by a newer dbsched (its tables have version %d, this program supports up to %d). Use that version or a newer one", s.schema, version, p.latest)
	}
	if dirty {
		file := p.migrations[max(version, 1)-1].File
		return p, &dialects.PreflightError{Target: s.Target(), Findings: []dialects.Finding{s.dirtyFinding(version, file)}}
	}
	p.pending = slices.DeleteFunc(slices.Clone(p.migrations), func(m migrations.Migration) bool { return m.Version <= version })
	if version > 0 {
		if p.repairs, err = s.inspect(ctx, conn, p); err != nil {
			return p, err
		}
		if err := conn.QueryRowContext(ctx, s.lostQuery()).Scan(&p.lost); err != nil && !missing(err) {
			return p, s.Failed(ctx, "Settings", err)
		}
	}
	p.modules, err = s.installedModules(ctx, conn)
	return p, err
}

// lostQuery tells whether the settings row is missing although an installation has written it, together with the lanes.
func (s *scheduler) lostQuery() string {
	return "SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM " + s.object("Lanes") + " AS l WITH (NOLOCK)) AND NOT EXISTS (SELECT 1 FROM " + s.object("Settings") + " AS s WITH (NOLOCK)) THEN 1 ELSE 0 END AS bit);"
}

// missing reports whether a table or column is missing.
func missing(err error) bool {
	e, refused := asServerError(err)
	return refused && (e.Number == 208 || e.Number == 207)
}

// lanesQuery reads the installed number of lanes; without a settings row, how many lanes there are.
func (s *scheduler) lanesQuery() string {
	return "SELECT ISNULL((SELECT s.MaxLanes FROM " + s.object("Settings") + " AS s WHERE s.SettingsId = 1),\n" +
		"    ISNULL((SELECT MAX(l.LaneId) FROM " + s.object("Lanes") + " AS l WHERE l.LaneId <= 99), 0));"
}

// chooseLanes returns the requested number of lanes, or the installed number, or the
// default. Lanes can only be added: a removed lane could be running a task.
func (s *scheduler) chooseLanes(ctx context.Context, on client.Querier, version, wanted int) (int, error) {
	installed := 0
	if version > 0 {
		err := on.QueryRowContext(ctx, s.lanesQuery()).Scan(&installed)
		if err != nil && !missing(err) { // that is another's finding
			return 0, s.Failed(ctx, "Settings", err)
		}
	}
	switch {
	case wanted == 0 && installed > 0:
		return installed, nil
	case wanted == 0:
		return dialects.DefaultLanes, nil
	case wanted < installed:
		return 0, dialects.Usagef("%d lanes are installed, and lanes cannot be removed. To run fewer tasks at once: dbsched workers %d", installed, wanted)
	}
	return wanted, nil
}

// unchanged reports whether b is a module with the same text on the server.
func (p plan) unchanged(b templates.Batch) bool {
	if b.Kind != templates.KindModule {
		return false
	}
	installed, ok := p.modules[b.Object.Name]
	return ok && installed == normalize(b.SQL)
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
	p.show(s.DryRun)
	if st.replaced && st.started {
		err = errors.Join(err, s.Send(ctx, conn, client.New("StartScheduler")))
	}
	return err
}

// show prints the batches that apply would send.
func (p plan) show(emit func(dialects.Batch)) {
	for _, b := range p.before {
		emit(dialects.Batch{Name: b.Name, SQL: b.SQL})
	}
	for _, r := range p.repairs {
		for _, statement := range r.Statements {
			emit(dialects.Batch{Name: r.Name, SQL: statement})
		}
	}
	for _, m := range p.pending {
		emit(dialects.Batch{Name: m.File, SQL: m.SQL})
	}
	for _, b := range p.after {
		if !p.unchanged(b) {
			emit(dialects.Batch{Name: b.Name, SQL: b.SQL})
		}
	}
}

// sessionOptions start a session that changes definitions. XACT_ABORT is off in a new
// session, and a batch that fails halfway must not continue.
const sessionOptions = "SET XACT_ABORT ON;\nSET LOCK_TIMEOUT 30000;\nSET ANSI_NULLS, QUOTED_IDENTIFIER ON;"

// apply sends the plan: owner, schema and roles, then the tables, then everything else.
func (s *scheduler) apply(ctx context.Context, conn *sql.Conn, p plan, report *dialects.InstallReport) error {
	total := len(p.before) + len(p.pending) + len(p.after)
	done := 0
	failed := func(name string, err error) error {
		if done == 0 {
			return err
		}
		return &dialects.PartialError{Applied: report.Applied, Failed: name, Left: total - done - 1, Err: err,
			Next: "Changes made so far remain. Fix the cause and install again: it continues from there."}
	}
	was, err := s.catalog(ctx, conn)
	if err != nil {
		return err
	}
	run := func(batches []templates.Batch) error {
		for _, b := range batches {
			if p.unchanged(b) {
				report.Unchanged++
				done++
				continue
			}
			s.Notify(fmt.Sprintf("%d of %d: %s", done+1, total, b.Name))
			if _, err := conn.ExecContext(ctx, b.SQL); err != nil {
				return failed(b.Name, s.Failed(ctx, b.Name, err))
			}
			done++
			// Batches that check themselves are reported only for a new installation.
			if b.Kind == templates.KindModule || p.version == 0 {
				report.Applied = append(report.Applied, b.Name)
			} else {
				report.Unchanged++
			}
		}
		return nil
	}
	if err := run(p.before); err != nil {
		return err
	}
	if p.adopted {
		if err := s.adopt(ctx, p.version); err != nil {
			return failed(migrations.VersionTable, err)
		}
		report.Applied = append(report.Applied, "row of "+migrations.VersionTable)
	}
	if name, err := s.Repair(ctx, conn, p.repairs, report); err != nil {
		return failed(name, err)
	}
	if len(p.pending) > 0 {
		files, err := s.migrateUp(ctx, p.files, p.pending)
		report.Applied = append(report.Applied, files...)
		done += len(files)
		if err != nil {
			return failed(p.pending[len(files)].File, err)
		}
	}
	if err := run(p.after); err != nil {
		return err
	}
	if p.version == 0 {
		return nil
	}
	is, err := s.catalog(ctx, conn)
	if err != nil {
		return err
	}
	report.Applied = append(report.Applied, client.News(was, is)...)
	return nil
}
