package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// verification makes the checks of one verification, in order.
type verification struct {
	*scheduler
	opts   dialects.VerifyOptions
	checks []dialects.Check
	status dialects.Status
	plan   plan
}

// add notes and reports what a check found.
func (v *verification) add(c dialects.Check) {
	v.checks = append(v.checks, c)
	if v.opts.Report != nil {
		v.opts.Report(c)
	}
}

// ok is a check that found nothing.
func (v *verification) ok(name, text string) {
	v.add(dialects.Check{Name: name, Level: dialects.OK, Text: text})
}

// Verify looks whether the installation is sound and works.
func (s *scheduler) Verify(ctx context.Context, opts dialects.VerifyOptions) ([]dialects.Check, error) {
	v := &verification{scheduler: s, opts: opts}
	if s.mustOwn("verify") != nil {
		v.add(dialects.Check{Name: "objects", Level: dialects.Info, Text: "were not looked at: their owner, " + s.schema + ", sees them"})
	} else if installed, err := v.objects(ctx); err != nil || !installed {
		return v.checks, err
	}
	for _, check := range []func(context.Context) error{v.state, v.alarms, v.probe} {
		if err := check(ctx); err != nil {
			return v.checks, err
		}
	}
	return v.checks, nil
}

// objects looks at what is installed, and tells whether anything is.
func (v *verification) objects(ctx context.Context) (installed bool, err error) {
	conn, err := v.db.Conn(ctx)
	if err != nil {
		return false, v.failed(ctx, "verify", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var container string
	if err := conn.QueryRowContext(ctx, "select sys_context('USERENV', 'CON_NAME') || ' of ' || sys_context('USERENV', 'DB_NAME') from dual").Scan(&container); err != nil {
		return false, v.failed(ctx, "verify", err)
	}
	v.ok("database", container+", schema "+v.schema)
	if v.plan, err = v.scheduler.plan(ctx, conn, 0, nil); err != nil {
		return false, err
	}
	if v.plan.version == 0 {
		v.add(dialects.Check{Name: "installation", Level: dialects.Fail, Text: "dbsched is not installed in schema " + v.schema, Remedy: "dbsched install"})
		return false, nil
	}
	if v.plan.dirty {
		v.add(dialects.Check{Name: "installation", Level: dialects.Fail, Text: "an installation was cut off", Means: "The tables are not whole.", Remedy: "dbsched install"})
	}
	for _, check := range []func(context.Context, *sql.Conn) error{v.version, v.units, v.tables, v.queue, v.jobs, v.processes, v.orphans} {
		if err := check(ctx, conn); err != nil {
			return false, err
		}
	}
	return true, nil
}

// version compares the SQL that is installed with the program's.
func (v *verification) version(ctx context.Context, conn *sql.Conn) error {
	own, err := contentVersion()
	if err != nil {
		return err
	}
	var is sql.NullString
	err = conn.QueryRowContext(ctx, "select max(s.version) from "+object("settings")+" s").Scan(&is)
	switch {
	case err != nil:
		v.add(dialects.Check{Name: "version", Level: dialects.Fail, Text: "the settings cannot be read: " + v.failed(ctx, "verify", err).Error(), Remedy: "dbsched install"})
	case is.String != own:
		v.add(dialects.Check{Name: "version", Level: dialects.Warn, Text: fmt.Sprintf("%s is installed, and this program is %s", is.String, own), Means: "Objects are compared with those of this program.", Remedy: "dbsched install"})
	default:
		v.ok("version", own)
	}
	return nil
}

// unitStates lists our units with their state, and unitsWithErrors those that do not compile. DROP INDEX, for one, invalidates what
// uses its table (SQL Language Reference); that compiles anew when it is next called.
const (
	unitStates      = `select o.object_type || ' ' || o.object_name || ' ' || o.status from user_objects o where o.object_name in (%s)`
	unitsWithErrors = `select distinct e.type || ' ' || e.name from user_errors e where e.attribute = 'ERROR' and e.name in (%s)`
)

// units compares packages and views with what is rendered.
func (v *verification) units(ctx context.Context, conn *sql.Conn) error {
	states, err := v.lines(ctx, conn, fmt.Sprintf(unitStates, v.plan.names()))
	if err != nil {
		return err
	}
	broken, err := v.lines(ctx, conn, fmt.Sprintf(unitsWithErrors, v.plan.names()))
	if err != nil {
		return err
	}
	all := map[unit][]string{}
	anyState := strings.NewReplacer("o.status = 'VALID'", "o.status is not null")
	for _, query := range []string{sourceQuery(v.plan.names()), viewQuery(v.plan.names())} {
		if err := readUnits(ctx, conn, anyState.Replace(query), all); err != nil {
			return v.failed(ctx, "reading installed units", err)
		}
	}
	same := 0
	for _, b := range v.plan.after {
		if b.Kind != templates.KindModule {
			continue
		}
		u := unit{strings.ToUpper(b.Object.Type), b.Object.Name}
		name := strings.ToLower(u.kind) + " " + u.name
		text, there := all[u]
		is, want := normalize(strings.Join(text, "")), normalize(b.SQL)
		switch {
		case !there:
			v.add(dialects.Check{Name: name, Level: dialects.Fail, Text: "is not there", Means: "What calls it fails.", Remedy: "dbsched install"})
		case is != want:
			v.add(dialects.Check{Name: name, Level: dialects.Fail, Text: "was altered", Means: "What it does is not what is tested.", Remedy: "dbsched install", Diff: dialects.Diff(want, is)})
		case slices.Contains(states, u.kind+" "+u.name+" INVALID"):
			compile := "alter " + strings.ToLower(strings.TrimSuffix(u.kind, " BODY")) + " " + u.name + " compile"
			if strings.HasSuffix(u.kind, "BODY") {
				compile += " body"
			}
			c := dialects.Check{Name: name, Level: dialects.Info, Text: "is invalid, and compiles when it is next called", Remedy: compile, Safe: true}
			if slices.Contains(broken, u.kind+" "+u.name) {
				c.Level, c.Text, c.Means = dialects.Fail, "does not compile", "What calls it fails."
			}
			v.add(c)
		default:
			same++
		}
	}
	if same > 0 {
		v.ok("units", fmt.Sprintf("%d packages and views are as they were installed", same))
	}
	return nil
}

// made finds what a migration makes.
var made = regexp.MustCompile(`create (?:unique |global temporary )?(table|index|sequence) (\w+)`)

// tables looks for tables, indexes and sequences.
func (v *verification) tables(ctx context.Context, conn *sql.Conn) error {
	there, err := v.lines(ctx, conn, "select lower(o.object_type || ' ' || o.object_name) from user_objects o where o.object_type in ('TABLE', 'INDEX', 'SEQUENCE') and o.object_name like 'DS\\_%' escape '\\'")
	if err != nil {
		return err
	}
	n, missing := 0, 0
	for _, m := range v.plan.migrations {
		for _, object := range made.FindAllStringSubmatch(m.SQL, -1) {
			n++
			if name := object[1] + " " + strings.ToLower(object[2]); !slices.Contains(there, name) {
				missing++
				_, rest, _ := strings.Cut(m.SQL, object[0])
				statement, _, _ := strings.Cut(rest, "')")
				v.add(dialects.Check{Name: name, Level: dialects.Fail, Text: "is not there", Means: "What uses it fails, or scans.", Remedy: object[0] + strings.ReplaceAll(statement, "''", "'")})
			}
		}
	}
	if missing == 0 {
		v.ok("tables", fmt.Sprintf("%d tables, indexes and sequences are there", n))
	}
	return nil
}

const queueQuery = `select trim(q.enqueue_enabled) || ' ' || trim(q.dequeue_enabled) from user_queues q where q.name = 'DS_WAKE_Q'`

// queue must take and give messages.
func (v *verification) queue(ctx context.Context, conn *sql.Conn) error {
	all, err := v.lines(ctx, conn, queueQuery)
	if err != nil {
		return err
	}
	switch {
	case len(all) == 0:
		v.add(dialects.Check{Name: "queue", Level: dialects.Fail, Text: "DS_WAKE_Q is not there", Means: "Enqueueing fails.", Remedy: "dbsched install"})
	case all[0] != "YES YES":
		v.add(dialects.Check{Name: "queue", Level: dialects.Fail, Text: "DS_WAKE_Q is stopped", Means: "Enqueueing fails, or no task starts.",
			Remedy: "begin dbms_aqadm.start_queue(queue_name => 'DS_WAKE_Q', enqueue => true, dequeue => true); end;", Safe: true})
	default:
		v.ok("queue", "DS_WAKE_Q takes and gives messages")
	}
	return nil
}

// lines reads one column of text.
func (v *verification) lines(ctx context.Context, conn *sql.Conn, query string) (all []string, err error) {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, v.failed(ctx, "reading the catalog", err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, v.failed(ctx, "reading the catalog", err)
		}
		all = append(all, line)
	}
	return all, v.failed(ctx, "reading the catalog", rows.Err())
}

// Mend runs the remedy of a check that is safe.
func (s *scheduler) Mend(ctx context.Context, c dialects.Check) error {
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: c.Name, SQL: c.Remedy})
		return nil
	}
	_, err := s.db.ExecContext(ctx, c.Remedy)
	return s.failed(ctx, c.Name, err)
}
