package integration

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/templates"
	"github.com/stretchr/testify/require"
)

// oracleWrecks are ways to damage each part.
func oracleWrecks(parts []schema.Part) (all []wreck) {
	add := func(p schema.Part, lost bool, how ...string) {
		all = append(all, wreck{name: p.Key(), how: how, names: p.Key(), lost: lost})
	}
	has := func(key string) bool {
		return slices.ContainsFunc(parts, func(p schema.Part) bool { return p.Key() == key })
	}
	for _, p := range parts {
		switch table, column, _ := strings.Cut(p.Name, "."); p.Kind {
		case "sequence":
			add(p, false, "drop sequence "+p.Name)
		case "table":
			add(p, p.Data, "drop table "+p.Name+" cascade constraints purge")
		case "column":
			var how []string
			for _, other := range needing(parts, p.Key()) {
				if text := oracleDrop(parts, other); text != "" {
					how = append(how, text)
				}
			}
			add(p, p.Data, append(how, "alter table "+table+" drop column "+column)...)
		case "not null":
			if !slices.ContainsFunc(parts, func(k schema.Part) bool {
				return k.Kind == "key" && strings.HasSuffix(k.Name, "_PK") && slices.Contains(k.Needs, "column "+p.Name)
			}) {
				add(p, false, fmt.Sprintf("alter table %s modify (%s null)", table, column))
			}
		case "default":
			add(p, false, fmt.Sprintf("alter table %s modify (%s default null)", table, column))
		case "key", "check":
			add(p, false, oracleDrop(parts, p))
		case "index":
			if !has("key " + p.Name) {
				add(p, false, "drop index "+p.Name)
			}
			all = append(all, wreck{name: p.Key() + " invisible", how: []string{"alter index " + p.Name + " invisible"}, names: "invisible"})
		case "row":
			n, table, _ := strings.Cut(p.Name, " of ")
			key := map[string]string{"DS_SETTINGS": "settings_id", "DS_LANES": "lane_id", "DS_PROCESSES": "process_id"}[table]
			all = append(all, wreck{name: p.Key(), how: []string{fmt.Sprintf("delete from %s where %s = %s", table, key, n)}, names: p.Key(), rows: table == "DS_PROCESSES"})
		case "package", "package body", "view":
			all = append(all, wreck{name: p.Key(), how: []string{"drop " + p.Kind + " " + p.Name}, names: "missing: " + strings.ToUpper(p.Kind) + " " + p.Name})
		case "queue table":
			all = append(all, wreck{name: p.Key(), how: []string{"begin dbms_aqadm.drop_queue_table('" + p.Name + "', force => true); end;"}, names: "the queue DS_WAKE_Q is missing"})
		case "queue":
			stop := "begin dbms_aqadm.stop_queue('" + p.Name + "', enqueue => true, dequeue => true); end;"
			all = append(all, wreck{name: p.Key() + " stopped", how: []string{stop}, names: "is not started"},
				wreck{name: p.Key(), how: []string{stop, "begin dbms_aqadm.drop_queue('" + p.Name + "'); end;"}, names: "the queue " + p.Name + " is missing"})
		case "job":
			all = append(all, wreck{name: p.Key(), how: []string{"begin dbms_scheduler.drop_job('" + p.Name + "', force => true); end;"}, names: p.Name},
				wreck{name: p.Key() + " altered", how: []string{"begin dbms_scheduler.set_attribute('" + p.Name + "', 'job_action', 'begin null; end;'); end;"}, names: p.Name})
		}
	}
	for _, g := range templates.OracleGrants() {
		if g.Checked && !g.Public && !g.InstallOnly {
			statement := g.Statement("APP")
			all = append(all, wreck{name: statement, how: []string{strings.NewReplacer("grant ", "revoke ", " to ", " from ").Replace(statement)}, names: statement, dba: true})
		}
	}
	return append(all,
		wreck{name: "version's row", how: []string{"delete from ds_schema_version"}, names: "DS_SCHEMA_VERSION"},
		wreck{name: "version's table", how: []string{"drop table ds_schema_version purge"}, names: "DS_SCHEMA_VERSION"},
		wreck{name: "check altered", how: []string{"alter table ds_tasks drop constraint ds_tasks_orphan_ck", "alter table ds_tasks add constraint ds_tasks_orphan_ck check (on_orphan in ('Retry', 'Fail', 'Wait'))"}, names: "check DS_TASKS_ORPHAN_CK"},
		wreck{name: "check disabled", how: []string{"alter table ds_tasks drop constraint ds_tasks_orphan_ck", "alter table ds_tasks add constraint ds_tasks_orphan_ck check (on_orphan in ('Retry', 'Fail')) disable"}, names: "disabled"},
		wreck{name: "default altered", how: []string{"alter table ds_tasks modify (attempt default 1)"}, names: "default DS_TASKS.ATTEMPT"},
		wreck{name: "index altered", how: []string{"drop index ds_tasks_due_ix", "create index ds_tasks_due_ix on ds_tasks (stop_tries)"}, names: "index DS_TASKS_DUE_IX"},
		wreck{name: "column longer", how: []string{"alter table ds_logs modify (error_procedure varchar2(400))"}, names: "column DS_LOGS.ERROR_PROCEDURE"},
	)
}

// oracleDrop returns the statement that drops a constraint, an index or a virtual column; empty for what goes with another.
func oracleDrop(parts []schema.Part, p schema.Part) string {
	table, _, _ := strings.Cut(strings.TrimPrefix(p.Needs[0], "column "), ".")
	switch table = strings.TrimPrefix(table, "table "); p.Kind {
	case "index":
		if p.Make == nil { // of a key
			return ""
		}
		return "drop index " + p.Name
	case "key", "check":
		return "alter table " + table + " drop constraint " + p.Name
	case "column":
		return "alter table " + table + " drop column " + strings.TrimPrefix(p.Name, table+".")
	}
	return ""
}

// oracleData returns a query for each table that keeps its rows. Where claims go on is no data: a repair may send them back to the beginning.
func oracleData(parts []schema.Part, w wreck) map[string]string {
	columns := map[string][]string{}
	for _, p := range parts {
		kept := p.Kind == "column" && p.Data && p.Name != "DS_PROCESSES.WAVE_ORDER"
		if table, column, _ := strings.Cut(p.Name, "."); kept && !slices.Contains([]string{"DS_SETTINGS", "DS_LANES", "DS_ALARMS"}, table) {
			columns[table] = append(columns[table], column)
		}
	}
	all := map[string]string{}
	for table, list := range columns {
		where := ""
		if w.rows && table == "DS_PROCESSES" {
			where = " where process_id > 1"
		}
		all[table] = "select " + strings.Join(list, ", ") + " from " + table + where + " order by 1, 2"
	}
	return all
}

// levels runs the checks, and returns by name the levels of those that are neither OK nor INFO.
func (h *harness) levels(probe time.Duration) (all []dialects.Check, bad map[string]dialects.Level) {
	h.Helper()
	all, err := h.sched.Verify(h.Context(), dialects.VerifyOptions{ProbeTimeout: probe})
	require.NoError(h, err)
	bad = map[string]dialects.Level{}
	for _, c := range all {
		if (c.Level == dialects.Warn || c.Level == dialects.Fail) && bad[c.Name] != dialects.Fail {
			bad[c.Name] = c.Level
		}
	}
	return all, bad
}

// check returns the last check with a name.
func (h *harness) check(all []dialects.Check, name string) (found dialects.Check) {
	h.Helper()
	for _, c := range all {
		if c.Name == name {
			found = c
		}
	}
	require.Equal(h, name, found.Name, "%v", all)
	return found
}
