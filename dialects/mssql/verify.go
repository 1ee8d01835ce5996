package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// verification runs the checks of one verification, in order.
type verification struct {
	*scheduler
	dialects.Findings
	opts   dialects.VerifyOptions
	over   bool // the rest cannot be checked
	idle   bool // what was found keeps every task from running
	facts  facts
	sight  sight
	status dialects.Status
}

// sight is what the user may see.
type sight struct {
	schema bool // the definitions of all that is in dbsched's schema
	rest   bool // and of what belongs to no schema: roles, services, rights
}

const sightQuery = `SELECT CAST(ISNULL(HAS_PERMS_BY_NAME(QUOTENAME(@schema), N'SCHEMA', N'VIEW DEFINITION'), 0) AS bit),
    CAST(ISNULL(HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'VIEW DEFINITION'), 0) AS bit);`

// step is one check.
type step struct {
	name string
	make func(context.Context) error
	sees func() bool // what it needs; nil: nothing
}

// steps returns all checks, in their order.
func (v *verification) steps() []step {
	schema, rest := func() bool { return v.sight.schema }, func() bool { return v.sight.rest }
	return []step{
		{"database", v.checkDatabase, nil},
		{"installation", v.checkInstallation, nil},
		{"modules", v.checkModules, schema},
		{"objects", v.checkParts, rest},
		{"queues", v.checkQueues, schema},
		{"owner", v.checkOwner, rest},
		{"impersonation", v.checkImpersonation, rest},
		{"transmission queue", v.checkTransmission, rest},
		{"conversations", v.checkConversations, rest},
		{"queue monitors", v.checkMonitors, schema},
		{"orphans", v.checkOrphans, nil},
		{"users", v.checkOwners, rest},
		{"scheduler", v.checkScheduler, nil},
		{"moves", v.checkMoves, nil},
		{"timer", v.checkTimer, nil},
		{"ending tasks", v.checkEnding, rest},
		{"alarms", v.Adds(v.scheduler, &v.status, dialects.AlarmCheck), nil},
		{"schedules", v.Adds(v.scheduler, &v.status, dialects.ScheduleCheck), nil},
		{"probe", v.checkProbe, nil},
	}
}

// Verify checks that the installation is complete and works.
func (s *scheduler) Verify(ctx context.Context, opts dialects.VerifyOptions) ([]dialects.Check, error) {
	v := &verification{scheduler: s, Findings: dialects.Findings{Report: opts.Report}, opts: opts}
	var unseen []string
	for _, check := range v.steps() {
		v.Name = check.name
		if check.sees != nil && !check.sees() {
			unseen = append(unseen, check.name)
			continue
		}
		if check.name == "probe" && unseen != nil {
			v.Add(dialects.Check{Name: "rights", Level: dialects.Info, Text: "not checked: " + strings.Join(unseen, ", ") + ". This requires VIEW DEFINITION on the database",
				Remedy: "GRANT VIEW DEFINITION TO " + templates.QuoteIdent(v.facts.User) + ";"})
		}
		if err := check.make(ctx); err != nil {
			if err = v.notSeen(ctx, err); err != nil {
				return v.Checks, err
			}
		}
		if v.over {
			break
		}
	}
	return v.Checks, nil
}

// found reports whether a check has found something wrong; without a name, whether any has failed.
func (v *verification) found(name string) bool {
	return slices.ContainsFunc(v.Checks, func(c dialects.Check) bool {
		return c.Level == dialects.Fail && (name == "" || c.Name == name) || c.Level == dialects.Warn && c.Name == name
	})
}

// notSeen reports that a check could not run, unless the connection is lost or ctx has ended.
func (v *verification) notSeen(ctx context.Context, err error) error {
	e, refused := asServerError(err)
	if !refused || ctx.Err() != nil || loginFailure(e.Number) {
		return v.Failed(ctx, v.Name, err)
	}
	v.NotSeen(e.Message, denied(e.Number))
	return nil
}

// denied recognizes the errors of a missing right.
func denied(number int32) bool {
	return slices.Contains([]int32{229, 230, 262, 297, 300, 371, 916, 15247}, number)
}

// checkDatabase checks server and database.
func (v *verification) checkDatabase(ctx context.Context) (err error) {
	if v.facts, err = v.scheduler.facts(ctx); err != nil {
		return err
	}
	if err := v.DB.QueryRowContext(ctx, sightQuery, sql.Named("schema", v.schema)).Scan(&v.sight.schema, &v.sight.rest); err != nil {
		return err
	}
	v.sight.schema = v.sight.schema || v.sight.rest
	f := v.facts
	f.Owner = true // checking needs no db_owner
	findings := f.findings()
	for _, found := range findings {
		v.Add(dialects.Check{Level: dialects.Fail, Text: found.Text, Means: "Tasks do not run as they should.", Remedy: found.Remedy})
	}
	if len(findings) == 0 {
		v.OK(fmt.Sprintf("SQL Server %s, database %s, compatibility level %d", f.Version, f.Database, f.Compatibility))
	}
	if f.Broker {
		v.Add(dialects.Check{Name: "broker", Level: dialects.OK, Text: "Service Broker is on"})
		return nil
	}
	v.idle = true
	v.Add(dialects.Check{Name: "broker", Level: dialects.Fail, Text: "Service Broker is off in this database", Means: "No message is delivered: no task starts.",
		Remedy: "ALTER DATABASE CURRENT SET ENABLE_BROKER WITH NO_WAIT; -- fails while other sessions use the database"})
	return nil
}

func (v *verification) schedulerVersionQuery() string {
	return "SELECT v.Version FROM " + v.object("SchedulerInfo") + " AS v;"
}

// checkInstallation finds what is installed, and reports it. If nothing is, or the user may not see it, there is nothing else to check.
func (v *verification) checkInstallation(ctx context.Context) error {
	end := func(level dialects.Level, text, means, remedy string) error {
		v.over = true
		v.Add(dialects.Check{Level: level, Text: text, Means: means, Remedy: remedy})
		return nil
	}
	var is sql.NullString
	err := v.DB.QueryRowContext(ctx, v.schedulerVersionQuery()).Scan(&is)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if !v.sight.schema && err != nil {
		e, refused := asServerError(err)
		if !refused || e.Number != 208 && !denied(e.Number) {
			return v.Failed(ctx, "SchedulerInfo", err)
		}
		return end(dialects.Info, fmt.Sprintf("user %s cannot see whether dbsched is installed in schema %s", v.facts.User, v.schema),
			"The user is in none of its roles, and has no right to see definitions in the schema.",
			fmt.Sprintf("-- if it is installed:\nALTER ROLE %s ADD MEMBER %s;", templates.QuoteIdent(v.schema+"_reader"), templates.QuoteIdent(v.facts.User)))
	}
	if v.sight.schema {
		version, dirty, refusal := v.tableVersion(ctx, v.DB)
		switch {
		case refusal != nil:
			if e, refused := asServerError(refusal); !refused || !denied(e.Number) {
				return refusal
			}
		case version == 0:
			return v.notInstalled(ctx, end)
		case dirty:
			v.Add(dialects.Check{Level: dialects.Fail, Text: "an installation was interrupted", Means: "The tables may be incomplete.", Remedy: "dbsched install"})
		}
	}
	own, err2 := contentVersion()
	if err2 != nil {
		return err2
	}
	v.Name = "version"
	switch {
	case err != nil: // reported as a missing or altered view
	case is.String == "": // reported as a missing row
	case is.String != own:
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("version %s is installed, this program has version %s", is.String, own), Means: "The checks below compare with this program's objects.", Remedy: "dbsched install"})
	default:
		v.OK(own)
	}
	return nil //nolint:nilerr // see above
}

// notInstalled reports that the version of the tables is not known.
func (v *verification) notInstalled(ctx context.Context, end func(level dialects.Level, text, means, remedy string) error) error {
	there, err := v.there(ctx, v.DB)
	if err != nil {
		return err
	}
	if _, ok := there["table Settings"]; ok {
		return end(dialects.Fail, "the table "+migrations.VersionTable+" or its row is missing", "The version of the tables is not known.", "dbsched install")
	}
	return end(dialects.Fail, "dbsched is not installed in schema "+v.schema, "", "dbsched install --schema "+v.schema)
}

// checkModules compares procedures, functions and views with what is rendered.
func (v *verification) checkModules(ctx context.Context) error {
	src, err := render(dialects.Layout{Schema: v.schema, Lanes: 1, Later: v.Later, Templates: v.Templates})
	if err != nil {
		return err
	}
	modules, err := v.installedModules(ctx, v.DB)
	if err != nil {
		return err
	}
	same, hidden := 0, 0
	for _, b := range src.after {
		if b.Kind != templates.KindModule {
			continue
		}
		switch installed, there := modules[b.Object.Name]; {
		case !there: // reported with the other missing parts
		case installed == "":
			hidden++
		case installed != normalize(b.SQL):
			v.Add(dialects.Check{Name: b.Object.Type + " " + b.Object.Name, Level: dialects.Fail, Text: "was altered", Means: "It may not work as tested.", Remedy: "dbsched install",
				Diff: dialects.Diff(normalize(b.SQL), installed)})
		default:
			same++
		}
	}
	switch {
	case hidden > 0:
		v.Info("not compared: this requires VIEW DEFINITION on the schema")
	case same > 0:
		v.OK(fmt.Sprintf("%d are unaltered", same))
	}
	return nil
}

// checkParts compares tables and everything else but modules with what the migrations and batches make.
func (v *verification) checkParts(ctx context.Context) error {
	lanes, err := v.chooseLanes(ctx, v.DB, 1, 0)
	if err != nil {
		return err
	}
	src, err := render(dialects.Layout{Schema: v.schema, Lanes: lanes, Later: v.Later, Templates: v.Templates})
	if err != nil {
		return err
	}
	version, _, err := v.tableVersion(ctx, v.DB)
	if e, refused := asServerError(err); err != nil && (!refused || !denied(e.Number)) {
		return err
	} else if err != nil {
		version = src.migrations[len(src.migrations)-1].Version
	}
	want, err := v.parts(src, lanes, version)
	if err != nil {
		return err
	}
	there, err := v.there(ctx, v.DB)
	if err != nil {
		return err
	}
	for _, table := range []string{"Settings", "Lanes", "Processes"} {
		if err := v.readParts(ctx, v.DB, v.rowQuery(table), there); err != nil {
			if _, refused := asServerError(err); !refused { // refused: the table is gone, or only dbo may read it
				return err
			}
			want = slices.DeleteFunc(want, func(p schema.Part) bool { return p.Kind == "row of "+table })
		}
	}
	found := schema.Compare(want, there)
	for _, d := range found {
		v.Add(v.difference(d))
		v.idle = v.idle || d.Data && d.Gone || d.Kind == "row of Settings"
	}
	if len(found) == 0 {
		v.OK(fmt.Sprintf("%d tables, columns, constraints, indexes, queues, roles, rights and rows are as installed", len(want)))
	}
	return nil
}

// difference reports a part that is missing or different.
func (v *verification) difference(d schema.Difference) dialects.Check {
	c := dialects.Check{Name: d.Key(), Level: dialects.Fail, Text: "is missing", Remedy: "dbsched install"}
	if !d.Gone {
		c.Text = fmt.Sprintf("is %s instead of %s", d.Got, d.Is)
	}
	if repair := d.Repair(); repair != nil {
		c.Remedy, c.Safe = strings.Join(repair, "\n"), d.Gone || d.Kind == "lock escalation" || d.Kind == "right"
	}
	switch d.Kind {
	case "table", "column":
		c.Means = "Statements that use it fail, or its values are not as they should be."
		if f := v.restore(d); f != nil {
			c.Remedy, c.Means = f.Remedy, "dbsched does not make it anew, because it would be empty."
			if !d.Gone {
				c.Means = "A conversion could change values, so dbsched leaves it to you."
			}
		}
	case "index":
		c.Means = "Statements that name it fail; others scan the table."
	case "key":
		c.Means = "The table may get duplicates, and statements that name it fail."
	case "check":
		c.Means = "The table may get values that nothing expects."
	case "default":
		c.Means = "Inserts that rely on it fail."
	case "lock escalation":
		c.Means = "A lock on the whole table may block all workers."
	case "right":
		c.Means = "Users of the role cannot do what they should."
		if d.Is == "DENY" {
			c.Means = "Users with rights on the whole database see or change what is private."
		}
	case "role":
		c.Means = "Its members have lost their rights. It comes back without members."
	case "row of Settings":
		c.Means = "No task runs. It comes back with default values; the scheduler is stopped then."
	case "row of Processes":
		c.Means = "Tasks of this process do not run."
	}
	return c
}

const queuesQuery = `SELECT q.name, q.is_receive_enabled, q.is_activation_enabled, ISNULL(q.activation_procedure, N''), q.is_enqueue_enabled,
    CAST(CASE WHEN q.max_readers = 1 AND q.execute_as_principal_id = -2 AND q.is_poison_message_handling_enabled = 0 THEN 1 ELSE 0 END AS bit)
FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(@schema) ORDER BY q.name;`

// checkQueues checks that each queue receives messages and activates its procedure.
func (v *verification) checkQueues(ctx context.Context) error {
	good := 0
	err := v.each(ctx, v.DB, queuesQuery, func(rows *sql.Rows) error {
		var name, procedure string
		var receives, activates, enqueues, limited bool
		if err := rows.Scan(&name, &receives, &activates, &procedure, &enqueues, &limited); err != nil {
			return err
		}
		alter, own := "ALTER QUEUE "+v.object(name)+" WITH STATUS = ON, ACTIVATION (STATUS = ON);", v.object(name+"_Activated")
		c := dialects.Check{Name: "queue " + name, Level: dialects.Fail, Means: "Its procedure does not run.", Remedy: alter, Safe: true}
		switch {
		case !receives || !enqueues:
			c.Text, c.Means = "is disabled", "Its messages are not read, and its procedure does not run."
		case !strings.HasSuffix(procedure, own):
			c.Text, c.Means, c.Safe = "activates "+procedure+" instead of "+own, "Its own procedure does not run.", false
			c.Remedy = "ALTER QUEUE " + v.object(name) + " WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = " + own + ", MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);"
		case !activates:
			c.Text = "activation is off"
		case !limited:
			c.Text, c.Means = "has more than one reader, another user, or poison message handling", "Workers may get in each other's way, or the queue may turn itself off."
			c.Remedy = "ALTER QUEUE " + v.object(name) + " WITH ACTIVATION (STATUS = ON, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER), POISON_MESSAGE_HANDLING (STATUS = OFF);"
		default:
			good++
			return nil
		}
		v.Add(c)
		return nil
	})
	if err == nil && good > 0 {
		v.OK(fmt.Sprintf("%d receive messages and activate their procedures", good))
	}
	return err
}

const ownerQuery = `SELECT ISNULL(USER_NAME(h.principal_id), N''), ISNULL(IS_ROLEMEMBER(N'db_owner', @owner), 0) FROM sys.schemas AS h WHERE h.name = @schema;`

// othersQuery lists the objects that do not belong to the owner of the schema.
const othersQuery = `SELECT o.name FROM sys.objects AS o INNER JOIN sys.schemas AS h ON h.schema_id = o.schema_id
WHERE h.name = @schema AND o.principal_id IS NOT NULL AND o.principal_id <> h.principal_id AND o.parent_object_id = 0 ORDER BY o.name;`

// giveBack returns the statement that makes the owner of the schema the owner of an object.
func (s *scheduler) giveBack(name string) string {
	return "ALTER AUTHORIZATION ON OBJECT::" + s.object(name) + " TO SCHEMA OWNER;"
}

// checkOwner checks that the owner owns the schema and is a member of db_owner: activated procedures run as this user.
func (v *verification) checkOwner(ctx context.Context) error {
	var name string
	var member int
	err := v.DB.QueryRowContext(ctx, ownerQuery, sql.Named("owner", v.owner()), sql.Named("schema", v.schema)).Scan(&name, &member)
	if err != nil {
		return v.Failed(ctx, "sys.schemas", err)
	}
	own := templates.QuoteIdent(v.owner())
	switch {
	case name != v.owner():
		v.Add(dialects.Check{Level: dialects.Fail, Text: "the schema is owned by " + name, Means: "Procedures that run as the owner have the wrong rights.",
			Remedy: "ALTER AUTHORIZATION ON SCHEMA::" + templates.QuoteIdent(v.schema) + " TO " + own + ";"})
		return nil
	case member == 0:
		v.Add(dialects.Check{Level: dialects.Fail, Text: name + " is not a member of db_owner", Means: "Tasks cannot run as the user that enqueued them.", Remedy: "ALTER ROLE [db_owner] ADD MEMBER " + own + ";"})
		return nil
	}
	others, err := v.strings(ctx, v.DB, othersQuery)
	for _, name := range others {
		v.Add(dialects.Check{Name: "owner of " + name, Level: dialects.Fail, Text: "is not the owner of the schema", Means: "Ownership chains are broken.", Remedy: v.giveBack(name)})
	}
	if err == nil && others == nil {
		v.OK(name + " owns the schema")
	}
	return err
}

const transmissionQuery = `SELECT COUNT(*), ISNULL(MAX(m.transmission_status), N'')
FROM sys.transmission_queue AS m
WHERE m.from_service_name IN (SELECT s.name FROM sys.services AS s INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
                              WHERE q.schema_id = SCHEMA_ID(@schema));`

// checkTransmission counts undelivered messages.
func (v *verification) checkTransmission(ctx context.Context) error {
	var n int
	var why string
	if err := v.DB.QueryRowContext(ctx, transmissionQuery, sql.Named("schema", v.schema)).Scan(&n, &why); err != nil {
		return v.Failed(ctx, "sys.transmission_queue", err)
	}
	if n > 0 {
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("%d undelivered messages: %s", n, why), Means: "The procedures that they should activate do not run.", Remedy: "dbsched start"})
	} else {
		v.OK("no undelivered messages")
	}
	return nil
}
