package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects"
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
	if err := v.each(ctx, pairs(status), unitStatusQuery(names)); err != nil {
		return err
	}
	if err := v.each(ctx, pairs(wrong), unitErrorQuery); err != nil {
		return err
	}
	lines := map[unit][]string{}
	for _, query := range []string{unitTextQuery(names), viewTextQuery(names)} {
		if err := readUnits(ctx, v.db, query, lines); err != nil {
			return err
		}
	}
	// Unless the public package works, an installation cannot stop the workers.
	remedy := "dbsched install"
	if v.set.started && status[unit{"PACKAGE BODY", templates.OraclePackage}] == "INVALID" {
		remedy = "dbsched stop\ndbsched install\ndbsched start"
	}
	before, count := len(v.checks), 0
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
			v.add(dialects.Check{Level: altered, Text: fmt.Sprintf("%s %s was altered", u.kind, u.name),
				Means: "It may not work as tested. The repair replaces all objects.", Remedy: remedy, Diff: unitDiff(u, want, is)})
		case status[u] != "VALID":
			invalid = append(invalid, u)
		}
	}
	if missing != nil {
		v.add(dialects.Check{Level: dialects.Fail, Text: "missing: " + strings.Join(missing, ", "), Means: "Statements that use them fail.", Remedy: remedy})
	}
	// Units that use something missing or altered are invalid until it is repaired.
	if follows := v.broken() || len(v.checks) > before; follows && invalid != nil {
		v.info(fmt.Sprintf("invalid, perhaps because of the FAIL: %s", unitNames(invalid)))
	} else if missing := v.missingParts(ctx); missing && invalid != nil {
		v.info(fmt.Sprintf("invalid, perhaps because of missing tables, indexes or sequences: %s", unitNames(invalid)))
	} else {
		for _, u := range invalid {
			v.add(invalidUnit(u, wrong[u]))
		}
	}
	if len(v.checks) == before {
		text := fmt.Sprintf("%d %s are valid", count, what)
		if !v.foreign {
			text += " and unaltered"
		}
		v.ok(text)
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

// part is what the migrations create besides units, and the statement that creates it.
type part struct{ kind, name, statement string }

// partsQuery lists the installed objects. An index can exist and not be used.
const partsQuery = `select o.object_type, o.object_name, 'VALID'
from user_objects o
where o.object_type in ('TABLE', 'SEQUENCE') and substr(o.object_name, 1, :in_length) = :in_prefix
union all
select 'INDEX', i.index_name, case when i.status = 'UNUSABLE' or i.funcidx_status = 'DISABLED' then 'UNUSABLE' when i.visibility = 'INVISIBLE' then 'INVISIBLE' else 'VALID' end
from user_indexes i
where substr(i.index_name, 1, :in_length2) = :in_prefix2`

func (v *verification) readParts(ctx context.Context) (map[unit]string, error) {
	there := map[unit]string{}
	length, prefix := int64(len(templates.DefaultPrefix)), templates.DefaultPrefix
	return there, v.each(ctx, pairs(there), partsQuery, sql.Named("in_length", length), sql.Named("in_prefix", prefix), sql.Named("in_length2", length), sql.Named("in_prefix2", prefix))
}

// missingParts reports whether a table, sequence or index is missing: dropping one makes units invalid (SQL Language Reference, DROP INDEX).
// If they cannot be seen, another check says so.
func (v *verification) missingParts(ctx context.Context) bool {
	there, err := v.readParts(ctx)
	return err == nil && slices.ContainsFunc(v.src.parts(), func(p part) bool { return there[unit{p.kind, p.name}] == "" })
}

func (v *verification) checkTables(ctx context.Context) error {
	there, err := v.readParts(ctx)
	if err != nil {
		return err
	}
	before := len(v.checks)
	counts := map[string]int{}
	for _, p := range v.src.parts() {
		counts[p.kind]++
		c := dialects.Check{Level: dialects.Fail, Text: p.kind + " " + p.name + " is missing", Remedy: p.statement}
		switch status := there[unit{p.kind, p.name}]; {
		case status == "" && p.kind == "TABLE":
			c.Means = "The packages that use it fail. dbsched install does not create it again."
		case status == "" && p.kind == "SEQUENCE":
			c.Means = "No new numbers are available. dbsched install does not create it again; the repair starts a thousand above the highest number in use."
			if c.Remedy, err = v.sequenceStatement(ctx, p); err != nil {
				return err
			}
		case status == "":
			c.Means = "Claims and sweeps read whole tables while all workers wait for their locks. dbsched install does not create it again."
		case status == "UNUSABLE":
			c.Text, c.Remedy = p.kind+" "+p.name+" is unusable", "alter index "+strings.ToLower(p.name)+" rebuild"
			c.Means = "Statements that need it fail or read whole tables."
		case status == "INVISIBLE":
			c.Text, c.Remedy = p.kind+" "+p.name+" is invisible", "alter index "+strings.ToLower(p.name)+" visible"
			c.Means = "Statements that need it read whole tables."
		default:
			continue
		}
		v.add(c)
	}
	if len(v.checks) == before {
		v.ok(fmt.Sprintf("%d tables, %d indexes and %d sequences exist", counts["TABLE"], counts["INDEX"], counts["SEQUENCE"]))
	}
	return nil
}

var (
	madePart = regexp.MustCompile(`(?i)create (?:global temporary )?table (\w+)|(create sequence (\w+)[^']*)|step\('(create (?:unique )?index (\w+) on [^']*)'\)` +
		`|(constraint (\w+) (?:primary key|unique) \([^)]*\)(?: using index \(create unique index \w+ on \w+ \([^)]*\)[^)]*\))?)|drop (?:table|index|sequence) (\w+)`)
	startWith = regexp.MustCompile(` start with \d+`)
)

// parts returns the tables, sequences and indexes of the migrations, in their order, and golang-migrate's table. Constraints have
// indexes with their own names.
func (src source) parts() []part {
	all := []part{{"TABLE", schemaVersion(), "flashback table " + strings.ToLower(schemaVersion()) + " to before drop"}}
	for _, m := range src.migrations {
		table := ""
		for statement := range strings.SplitSeq(m.SQL, ";\n") { // the pattern is slow on long texts
			for _, g := range madePart.FindAllStringSubmatch(statement, -1) {
				switch {
				case g[1] != "":
					table = g[1]
					all = append(all, part{"TABLE", strings.ToUpper(table), "flashback table " + table + " to before drop"})
				case g[3] != "":
					all = append(all, part{"SEQUENCE", strings.ToUpper(g[3]), g[2]})
				case g[5] != "":
					all = append(all, part{"INDEX", strings.ToUpper(g[5]), g[4]})
				case g[7] != "":
					all = append(all, part{"INDEX", strings.ToUpper(g[7]), "alter table " + table + " add " + g[6]})
				default:
					all = slices.DeleteFunc(all, func(p part) bool { return p.name == strings.ToUpper(g[8]) })
				}
			}
		}
	}
	return all
}

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

// sequenceStatement returns a statement that creates a sequence which continues above the numbers in use.
func (v *verification) sequenceStatement(ctx context.Context, p part) (string, error) {
	var next int64
	column := numbered()[strings.TrimPrefix(strings.ToLower(p.name), object(""))]
	if err := v.db.QueryRowContext(ctx, numberQuery(column)).Scan(&next); err != nil {
		return "", err
	}
	text := startWith.ReplaceAllString(p.statement, "")
	name := "create sequence " + strings.ToLower(p.name)
	return fmt.Sprintf("%s start with %d%s", name, next, strings.TrimPrefix(text, name)), nil
}
