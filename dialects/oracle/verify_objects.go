package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/templates"
)

func unitStatusQuery(names string) string {
	return `select o.object_type, o.object_name, o.status
from user_objects o
where o.object_type in ('PACKAGE', 'PACKAGE BODY', 'VIEW') and o.object_name in (` + names + `)`
}

// Unlike an installation, which resends invalid units, a verification also compares the texts of invalid units.
func unitTextQuery(names string) string {
	return `select s.type, s.name, s.text
from user_source s
where s.type in ('PACKAGE', 'PACKAGE BODY') and s.name in (` + names + `)
order by s.type, s.name, s.line`
}

func viewTextQuery(names string) string {
	return `select 'VIEW', v.view_name, v.text_vc
from user_views v
where v.view_name in (` + names + `)`
}

// unitErrorQuery returns which units did not compile. An invalid one without errors is compiled when it is used next.
const unitErrorQuery = `select e.type, e.name, min(e.text) keep (dense_rank first order by e.sequence)
from user_errors e
where e.attribute = 'ERROR'
group by e.type, e.name`

func (v *verification) checkPackages(ctx context.Context) error {
	return v.checkUnits(ctx, "packages", dialects.Fail, func(b templates.Batch) bool { return b.Object.Type != "view" })
}

func (v *verification) checkViews(ctx context.Context) error {
	return v.checkUnits(ctx, "views", dialects.Warn, func(b templates.Batch) bool { return b.Object.Type == "view" })
}

// checkUnits compares units with what an installation sends. altered is the level for a valid unit with another text.
func (v *verification) checkUnits(ctx context.Context, what string, altered dialects.Level, among func(templates.Batch) bool) error {
	names := v.src.names()
	status, wrong := map[unit]string{}, map[unit]string{}
	if err := v.every(ctx, pairs(status), unitStatusQuery(names)); err != nil {
		return err
	}
	if err := v.every(ctx, pairs(wrong), unitErrorQuery); err != nil {
		return err
	}
	lines := map[unit][]string{}
	for _, query := range []string{unitTextQuery(names), viewTextQuery(names)} {
		if err := v.every(ctx, texts(lines), query); err != nil {
			return err
		}
	}
	// Unless the public package works, an installation cannot stop the workers.
	remedy := "dbsched install"
	if v.set.started && status[unit{"PACKAGE BODY", templates.OraclePackage}] == "INVALID" {
		remedy = "dbsched stop\ndbsched install\ndbsched start"
	}
	before, count := len(v.Checks), 0
	var missing []string
	var invalid []unit
	for _, b := range v.src.after {
		if b.Kind != templates.KindModule || !among(b) {
			continue
		}
		count++
		u := unit{strings.ToUpper(b.Object.Type), b.Object.Name}
		is, want := normalize(strings.Join(lines[u], "")), normalize(b.SQL)
		switch {
		case status[u] == "":
			missing = append(missing, u.kind+" "+u.name)
		case is != want && !v.foreign:
			v.Add(dialects.Check{Level: altered, Text: fmt.Sprintf("%s %s was altered", u.kind, u.name),
				Means: "It may not work as tested. The repair replaces all objects.", Remedy: remedy, Diff: unitDiff(u, want, is)})
		case status[u] != "VALID":
			invalid = append(invalid, u)
		}
	}
	if missing != nil {
		v.Add(dialects.Check{Level: dialects.Fail, Text: "missing: " + strings.Join(missing, ", "), Means: "Statements that use them fail.", Remedy: remedy})
	}
	// Units that use something missing or altered are invalid until it is repaired.
	if follows := v.Broken() || len(v.Checks) > before; follows && invalid != nil {
		v.Info(fmt.Sprintf("invalid, perhaps because of the FAIL: %s", unitNames(invalid)))
	} else if missing := v.missingParts(ctx); missing && invalid != nil {
		v.Info(fmt.Sprintf("invalid, perhaps because of missing tables, indexes or sequences: %s", unitNames(invalid)))
	} else {
		for _, u := range invalid {
			v.Add(invalidUnit(u, wrong[u]))
		}
	}
	if len(v.Checks) == before {
		text := fmt.Sprintf("%d %s are valid", count, what)
		if !v.foreign {
			text += " and unaltered"
		}
		v.OK(text)
	}
	return nil
}

// pairs reads rows of type, name and a text.
func pairs(into map[unit]string) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var u unit
		var text sql.NullString
		err := rows.Scan(&u.kind, &u.name, &text)
		into[u] = strings.TrimSpace(text.String)
		return err
	}
}

func unitNames(units []unit) string {
	var all []string
	for _, u := range units {
		all = append(all, u.kind+" "+u.name)
	}
	return strings.Join(all, ", ")
}

func unitDiff(u unit, want, is string) string {
	return dialects.Diff(want, is)
}

// invalidUnit reports a unit with the right text that is not valid.
func invalidUnit(u unit, wrong string) dialects.Check {
	c := dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("%s %s is invalid", u.kind, u.name), Means: "Oracle compiles it at its next use.", Safe: true}
	if wrong != "" {
		c.Level, c.Means = dialects.Fail, "The last compilation failed: "+wrong
	}
	kind, body := strings.ToLower(u.kind), ""
	if head, ok := strings.CutSuffix(kind, " body"); ok {
		kind, body = head, " body"
	}
	c.Remedy = "alter " + kind + " " + strings.ToLower(u.name) + " compile" + body
	return c
}

// missingParts reports whether a table, column, sequence or index is missing: dropping one makes units invalid (SQL Language Reference,
// DROP INDEX). If they cannot be seen, another check says so.
func (v *verification) missingParts(ctx context.Context) bool {
	found, err := v.differences(ctx)
	return err == nil && len(found) > 0
}

// differences compares the tables with what the migrations made, once.
func (v *verification) differences(ctx context.Context) ([]schema.Difference, error) {
	if v.compared {
		return v.found, nil
	}
	found, err := v.compare(ctx, v.DB, v.src, v.set.lanes, v.version)
	v.found, v.compared = found, err == nil
	return found, err
}

func (v *verification) checkTables(ctx context.Context) error {
	found, err := v.differences(ctx)
	if err != nil {
		return err
	}
	for _, d := range found {
		c := dialects.Check{Level: dialects.Fail, Text: d.Key() + " is missing", Remedy: "dbsched install"}
		if !d.Gone {
			c.Text = fmt.Sprintf("%s is %s instead of %s", d.Key(), d.Got, d.Is)
		}
		if repair := d.Repair(); repair != nil {
			c.Remedy, c.Statements = strings.Join(repair, ";\n"), repair
			if len(repair) > 1 {
				c.Remedy += ";"
			}
			c.Safe = d.Gone || d.Kind == "index" && strings.HasPrefix(d.Got, d.Is)
		}
		switch d.Kind {
		case "table", "column":
			c.Means = "The packages that use it fail, or its values are not as they should be."
			if f := v.restore(d); f != nil {
				v.idle = v.idle || d.Gone
				c.Remedy, c.Means = f.Remedy, "dbsched does not make it anew, because it would be empty."
				if !d.Gone {
					c.Means = "A conversion could change values, so dbsched leaves it to you."
				}
			}
		case "sequence":
			c.Means = "No new numbers are available. The repair starts a thousand above the highest number in use."
		case "index":
			c.Means = "Claims and sweeps read whole tables while all workers wait for their locks."
		case "key":
			c.Means = "The table may get duplicates, and its index is missing."
		case "check", "not null":
			c.Means = "The table may get values that nothing expects."
		case "default":
			c.Means = "Inserts that rely on it fail."
		case "row":
			c.Means = "Tasks of this process or lane do not run."
			if strings.HasSuffix(d.Name, " of DS_SETTINGS") {
				v.idle = true
				c.Means = "No task runs. It comes back with default values; the scheduler is stopped then."
			}
		}
		v.Add(c)
	}
	if len(found) == 0 {
		want, err := v.src.parts(v.set.lanes, v.version)
		if err != nil {
			return err
		}
		v.OK(fmt.Sprintf("%d tables, columns, constraints, indexes, sequences and rows are as installed", len(want)))
	}
	return nil
}

var startWith = regexp.MustCompile(` start with \d+`)

// numbered returns the columns that get their numbers from sequences.
func numbered() map[string][2]string {
	return map[string][2]string{
		"process_seq": {"processes", "process_id"}, "request_seq": {"process_requests", "request_id"}, "task_seq": {"tasks", "task_id"}, "log_seq": {"logs", "log_id"},
		"alarm_seq": {"alarms", "alarm_id"}, "resource_seq": {"resources", "resource_id"}, "line_seq": {"resource_requests", "request_id"},
		"round_seq": {"rounds", "round_id"}, "firing_seq": {"round_firings", "firing_id"}, "schedule_seq": {"schedules", "schedule_id"}, "schedule_firing_seq": {"schedule_firings", "firing_id"},
	}
}

func numberQuery(column [2]string) string {
	return fmt.Sprintf("select nvl(max(n.%s), 0) + 1000 from %s n", column[1], object(column[0]))
}

// sequenceStatement returns the statement that makes a sequence which continues above the numbers in use.
func (s *scheduler) sequenceStatement(ctx context.Context, on client.Querier, p schema.Part) ([]string, error) {
	var next int64
	column := numbered()[strings.TrimPrefix(strings.ToLower(p.Name), object(""))]
	if err := on.QueryRowContext(ctx, numberQuery(column)).Scan(&next); err != nil {
		return nil, s.Failed(ctx, column[0], err)
	}
	name := "create sequence " + strings.ToLower(p.Name)
	return []string{fmt.Sprintf("%s start with %d%s", name, next, strings.TrimPrefix(startWith.ReplaceAllString(p.Make[0], ""), name))}, nil
}
