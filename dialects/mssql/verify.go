package mssql

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

// verification runs the checks of one verification, in order.
type verification struct {
	*scheduler
	opts   dialects.VerifyOptions
	checks []dialects.Check
	status dialects.Status
}

// add records and reports what a check found.
func (v *verification) add(c dialects.Check) {
	v.checks = append(v.checks, c)
	if v.opts.Report != nil {
		v.opts.Report(c)
	}
}

// ok records a check that found nothing.
func (v *verification) ok(name, text string) {
	v.add(dialects.Check{Name: name, Level: dialects.OK, Text: text})
}

// found reports whether a check has found something wrong.
func (v *verification) found(name string) bool {
	return slices.ContainsFunc(v.checks, func(c dialects.Check) bool { return c.Name == name && c.Level != dialects.OK })
}

// Verify checks that the installation is complete and works.
func (s *scheduler) Verify(ctx context.Context, opts dialects.VerifyOptions) ([]dialects.Check, error) {
	v := &verification{scheduler: s, opts: opts}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return nil, s.failed("verify", err)
	}
	installed, err := v.server(ctx, conn)
	if err == nil && installed {
		for _, check := range []func(context.Context, *sql.Conn) error{v.modules, v.indexes, v.objects, v.queues, v.owner, v.impersonation, v.transmission, v.conversations, v.monitors, v.orphans, v.owners} {
			if err = check(ctx, conn); err != nil {
				break
			}
		}
	}
	if err = errors.Join(err, conn.Close()); err != nil || !installed {
		return v.checks, err
	}
	for _, check := range []func(context.Context) error{v.state, v.alarms, v.schedules, v.probe} {
		if err := check(ctx); err != nil {
			return v.checks, err
		}
	}
	return v.checks, nil
}

// server checks server, database and version, and reports whether dbsched is installed.
func (v *verification) server(ctx context.Context, conn *sql.Conn) (bool, error) {
	// A query on the pool would wait for conn.
	on := *v.scheduler
	f, err := on.factsOn(ctx, conn)
	if err != nil {
		return false, err
	}
	f.Owner = true // checking needs no db_owner
	findings := f.findings()
	for _, found := range findings {
		v.add(dialects.Check{Name: "database", Level: dialects.Fail, Text: found.Text, Means: "Tasks do not run as they should.", Remedy: found.Remedy})
	}
	if len(findings) == 0 {
		v.ok("database", fmt.Sprintf("SQL Server %s, database %s, compatibility level %d", f.Version, f.Database, f.Compatibility))
	}
	if f.Broker {
		v.ok("broker", "Service Broker is on")
	} else {
		v.add(dialects.Check{Name: "broker", Level: dialects.Fail, Text: "Service Broker is off in this database", Means: "No message is delivered: no task starts.",
			Remedy: "ALTER DATABASE CURRENT SET ENABLE_BROKER WITH NO_WAIT; -- fails while other sessions use the database"})
	}
	version, dirty, err := v.tableVersion(ctx, conn)
	switch {
	case err != nil:
		return false, err
	case version == 0:
		v.add(dialects.Check{Name: "installation", Level: dialects.Fail, Text: "dbsched is not installed in schema " + v.schema, Remedy: "dbsched install --schema " + v.schema})
		return false, nil
	case dirty:
		v.add(dialects.Check{Name: "installation", Level: dialects.Fail, Text: "an installation was interrupted", Means: "The tables may be incomplete.", Remedy: "dbsched install"})
	}
	own, err := contentVersion()
	if err != nil {
		return false, err
	}
	var is string
	switch err := conn.QueryRowContext(ctx, "SELECT v.Version FROM "+v.object("SchedulerInfo")+" AS v;").Scan(&is); {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		v.add(dialects.Check{Name: "version", Level: dialects.Fail, Text: "SchedulerInfo cannot be read: " + v.failed("SchedulerInfo", err).Error(), Remedy: "dbsched install"})
	case is != own:
		v.add(dialects.Check{Name: "version", Level: dialects.Warn, Text: fmt.Sprintf("version %s is installed, this program has version %s", is, own), Means: "The checks below compare with this program's objects.", Remedy: "dbsched install"})
	default:
		v.ok("version", own)
	}
	return true, nil
}

// modules compares procedures, functions and views with what is rendered.
func (v *verification) modules(ctx context.Context, conn *sql.Conn) error {
	p, err := v.plan(ctx, conn, 0)
	if err != nil {
		return err
	}
	same, visible := 0, 0
	for _, b := range p.after {
		if b.Kind != templates.KindModule {
			continue
		}
		installed, there := p.modules[b.Object.Name]
		switch {
		case !there:
			v.add(dialects.Check{Name: b.Object.Name, Level: dialects.Fail, Text: "is missing, or was not created with ANSI_NULLS ON and QUOTED_IDENTIFIER ON", Remedy: "dbsched install"})
		case installed == "":
			visible--
		case installed != normalize(b.SQL):
			v.add(dialects.Check{Name: b.Object.Name, Level: dialects.Fail, Text: "was altered", Means: "It may not work as tested.", Remedy: "dbsched install",
				Diff: dialects.Diff(normalize(b.SQL), installed)})
		default:
			same++
		}
	}
	switch {
	case visible < 0:
		v.add(dialects.Check{Name: "modules", Level: dialects.Info, Text: "not compared: this requires VIEW DEFINITION on the schema"})
	case same > 0:
		v.ok("modules", fmt.Sprintf("%d are unaltered", same))
	}
	return nil
}

var createIndex = regexp.MustCompile(`(?m)^CREATE (?:UNIQUE )?(?:CLUSTERED |NONCLUSTERED )?INDEX (\w+)`)

// indexes checks the indexes that the migrations create.
func (v *verification) indexes(ctx context.Context, conn *sql.Conn) error {
	src, err := render(dialects.Layout{Schema: v.schema, Lanes: 1, Later: v.later, Templates: v.templates})
	if err != nil {
		return err
	}
	there, err := v.strings(ctx, conn, `SELECT i.name FROM sys.indexes AS i INNER JOIN sys.tables AS t ON t.object_id = i.object_id
WHERE t.schema_id = SCHEMA_ID(@schema) AND i.name IS NOT NULL AND i.is_disabled = 0 ORDER BY i.name;`)
	if err != nil {
		return err
	}
	n := 0
	for _, m := range src.migrations {
		for _, index := range createIndex.FindAllStringSubmatch(m.SQL, -1) {
			n++
			if !slices.Contains(there, index[1]) {
				v.add(dialects.Check{Name: index[1], Level: dialects.Fail, Text: "the index is missing or disabled", Means: "Statements that name it fail; others scan the table.",
					Remedy: statement(m.SQL, index[0])})
			}
		}
	}
	return nil
}

// statement returns the one that begins with head.
func statement(script, head string) string {
	_, rest, _ := strings.Cut(script, head)
	end, _, _ := strings.Cut(rest, ";")
	return head + end + ";"
}

// objects checks that tables, services, types, contracts, roles and the owner exist.
func (v *verification) objects(ctx context.Context, conn *sql.Conn) error {
	p, err := v.plan(ctx, conn, 0)
	if err != nil {
		return err
	}
	is, err := v.catalogue(ctx, conn)
	if err != nil {
		return err
	}
	want, err := wanted(p.source, v.schema)
	if err != nil {
		return err
	}
	missing := 0
	for _, line := range want {
		if !slices.ContainsFunc(is, func(there string) bool { return there == line || strings.HasPrefix(there, line+" ") }) {
			missing++
			v.add(dialects.Check{Name: line, Level: dialects.Fail, Text: "is missing", Remedy: "dbsched install"})
		}
	}
	if missing == 0 {
		v.ok("objects", fmt.Sprintf("%d tables, queues, services and roles exist", len(want)))
	}
	return nil
}

var made = []struct {
	pattern *regexp.Regexp
	kind    string
}{
	{regexp.MustCompile(`CREATE TABLE \[?[^\s\]]+\]?\.\[?(\w+)\]?`), "table"},
	{regexp.MustCompile(`CREATE QUEUE \[?[^\s\]]+\]?\.\[?(\w+)\]?`), "queue"},
	{regexp.MustCompile(`CREATE ROLE \[([^\]]+)\]`), "role"},
}

// wanted lists what the catalogue must contain, as its queries write it.
func wanted(src source, schema string) ([]string, error) {
	var all []string
	note := func(text string) {
		for _, m := range made {
			for _, name := range m.pattern.FindAllStringSubmatch(text, -1) {
				if line := m.kind + " " + name[1]; !slices.Contains(all, line) {
					all = append(all, line)
				}
			}
		}
	}
	for _, b := range slices.Concat(src.before, src.after) {
		if b.Kind != templates.KindModule {
			note(b.SQL)
		}
	}
	for _, m := range src.migrations {
		note(m.SQL)
	}
	return append(all, "schema "+schema, "user "+schema+"_owner"), nil
}

const queuesQuery = `SELECT q.name, q.is_receive_enabled, q.is_activation_enabled, ISNULL(q.activation_procedure, N''), q.is_enqueue_enabled
FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(@schema) ORDER BY q.name;`

// queues checks that each queue receives messages and activates its procedure.
func (v *verification) queues(ctx context.Context, conn *sql.Conn) error {
	rows, err := conn.QueryContext(ctx, queuesQuery, sql.Named("schema", v.schema))
	if err != nil {
		return v.failed("sys.service_queues", err)
	}
	defer rows.Close()
	good := 0
	for rows.Next() {
		var name, procedure string
		var receives, activates, enqueues bool
		if err := rows.Scan(&name, &receives, &activates, &procedure, &enqueues); err != nil {
			return v.failed("sys.service_queues", err)
		}
		alter := "ALTER QUEUE " + v.object(name) + " WITH STATUS = ON, ACTIVATION (STATUS = ON);"
		own := v.object(name + "_Activated")
		switch {
		case !receives || !enqueues:
			v.add(dialects.Check{Name: "queue " + name, Level: dialects.Fail, Text: "is disabled", Means: "Its messages are not read, and its procedure does not run.", Remedy: alter, Safe: true})
		case procedure != own:
			v.add(dialects.Check{Name: "queue " + name, Level: dialects.Fail, Text: "activates " + procedure + " instead of " + own, Means: "Its own procedure does not run.",
				Remedy: "ALTER QUEUE " + v.object(name) + " WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = " + own + ");"})
		case !activates:
			v.add(dialects.Check{Name: "queue " + name, Level: dialects.Fail, Text: "activation is off", Means: "Its procedure does not run.", Remedy: alter, Safe: true})
		default:
			good++
		}
	}
	if good > 0 {
		v.ok("queues", fmt.Sprintf("%d receive messages and activate their procedures", good))
	}
	return v.failed("sys.service_queues", rows.Err())
}

const ownerQuery = `SELECT ISNULL(USER_NAME(h.principal_id), N''), ISNULL(IS_ROLEMEMBER(N'db_owner', @owner), 0),
    (SELECT COUNT(*) FROM sys.objects AS o WHERE o.schema_id = h.schema_id AND o.principal_id IS NOT NULL AND o.principal_id <> h.principal_id)
FROM sys.schemas AS h WHERE h.name = @schema;`

// owner checks that the owner owns the schema and is a member of db_owner: activated procedures run as this user.
func (v *verification) owner(ctx context.Context, conn *sql.Conn) error {
	var name string
	var member, others int
	err := conn.QueryRowContext(ctx, ownerQuery, sql.Named("owner", v.scheduler.owner()), sql.Named("schema", v.schema)).Scan(&name, &member, &others)
	if err != nil {
		return v.failed("sys.schemas", err)
	}
	own := templates.QuoteIdent(v.scheduler.owner())
	switch {
	case name != v.scheduler.owner():
		v.add(dialects.Check{Name: "owner", Level: dialects.Fail, Text: "the schema is owned by " + name, Means: "Procedures that run as the owner have the wrong rights.",
			Remedy: "ALTER AUTHORIZATION ON SCHEMA::" + templates.QuoteIdent(v.schema) + " TO " + own + ";"})
	case member == 0:
		v.add(dialects.Check{Name: "owner", Level: dialects.Fail, Text: name + " is not a member of db_owner", Means: "Tasks cannot run as the user that enqueued them.", Remedy: "ALTER ROLE [db_owner] ADD MEMBER " + own + ";"})
	case others > 0:
		v.add(dialects.Check{Name: "owner", Level: dialects.Fail, Text: fmt.Sprintf("%d objects in the schema have another owner", others), Means: "Ownership chains are broken.",
			Remedy: "-- for each object:\nALTER AUTHORIZATION ON OBJECT::" + templates.QuoteIdent(v.schema) + ".<name> TO SCHEMA OWNER;"})
	default:
		v.ok("owner", name+" owns the schema")
	}
	return nil
}

const transmissionQuery = `SELECT COUNT(*), ISNULL(MAX(m.transmission_status), N'')
FROM sys.transmission_queue AS m
WHERE m.from_service_name IN (SELECT s.name FROM sys.services AS s INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
                              WHERE q.schema_id = SCHEMA_ID(@schema));`

// transmission counts undelivered messages.
func (v *verification) transmission(ctx context.Context, conn *sql.Conn) error {
	var n int
	var why string
	if err := conn.QueryRowContext(ctx, transmissionQuery, sql.Named("schema", v.schema)).Scan(&n, &why); err != nil {
		return v.failed("sys.transmission_queue", err)
	}
	if n > 0 {
		v.add(dialects.Check{Name: "transmission queue", Level: dialects.Warn, Text: fmt.Sprintf("%d undelivered messages: %s", n, why), Means: "The procedures that they should activate do not run.", Remedy: "dbsched start"})
	} else {
		v.ok("transmission queue", "no undelivered messages")
	}
	return nil
}

// Mend applies the safe repair of a check.
func (s *scheduler) Mend(ctx context.Context, c dialects.Check) error {
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: c.Name, SQL: c.Remedy})
		return nil
	}
	_, err := s.db.ExecContext(ctx, c.Remedy)
	return s.failed(c.Name, err)
}
