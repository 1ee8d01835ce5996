package integration

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/stretchr/testify/require"
)

// mssqlWrecks are ways to damage each part.
func mssqlWrecks(parts []schema.Part) (all []wreck) {
	add := func(p schema.Part, lost bool, how ...string) {
		all = append(all, wreck{name: p.Key(), how: how, names: p.Key(), lost: lost})
	}
	services := func() (how []string) {
		for _, p := range parts {
			if p.Kind == "service" {
				how = append(how, "DROP SERVICE ["+p.Name+"];")
			}
		}
		return how
	}
	contract := "DROP CONTRACT [//dbsched/Contract];"
	for _, p := range parts {
		switch table, column, _ := strings.Cut(p.Name, "."); p.Kind {
		case "user":
			all = append(all, wreck{name: "owner's role", how: []string{"ALTER ROLE db_owner DROP MEMBER dbsched_owner;"}, names: "not a member of db_owner"})
		case "schema":
			all = append(all, wreck{name: "schema's owner", how: []string{"ALTER AUTHORIZATION ON SCHEMA::dbsched TO dbo;"}, names: "owned by dbo"},
				wreck{name: "object's owner", how: []string{"CREATE USER mallory WITHOUT LOGIN;", "ALTER AUTHORIZATION ON OBJECT::dbsched.SendWake TO mallory;"}, names: "owner of SendWake"},
				wreck{name: "version's row", how: []string{"DELETE FROM dbsched.SchemaVersion;"}, names: "SchemaVersion"},
				wreck{name: "version's table", how: []string{"DROP TABLE dbsched.SchemaVersion;"}, names: "SchemaVersion"})
		case "message type":
			add(p, false, append(services(), contract, "DROP MESSAGE TYPE [//dbsched/Wake];")...)
		case "contract":
			add(p, false, append(services(), contract)...)
		case "queue":
			add(p, false, "DROP SERVICE [//dbsched/"+p.Name+"];", "DROP QUEUE dbsched."+p.Name+";")
			off := "ALTER QUEUE dbsched." + p.Name + " WITH "
			all = append(all,
				wreck{name: p.Key() + " off", how: []string{off + "STATUS = OFF;"}, names: p.Key() + " FAIL is disabled"},
				wreck{name: p.Key() + " not activated", how: []string{off + "ACTIVATION (STATUS = OFF);"}, names: p.Key() + " FAIL activation is off"},
				wreck{name: p.Key() + " crowded", how: []string{off + "ACTIVATION (MAX_QUEUE_READERS = 2);"}, names: p.Key() + " FAIL has more than one reader"},
				wreck{name: p.Key() + " poisoned", how: []string{off + "POISON_MESSAGE_HANDLING (STATUS = ON);"}, names: p.Key() + " FAIL has more than one reader"},
				wreck{name: p.Key() + " of another", how: []string{off + "ACTIVATION (PROCEDURE_NAME = dbsched.Sweep);"}, names: p.Key() + " FAIL activates"})
		case "service":
			add(p, false, "DROP SERVICE ["+p.Name+"];")
		case "role":
			add(p, false, "DROP ROLE ["+p.Name+"];")
		case "type":
			all = append(all, wreck{name: p.Key(), how: []string{"DROP PROCEDURE dbsched.ExecAsyncTable;", "DROP TYPE dbsched." + p.Name + ";"}, names: p.Key()})
		case "table":
			add(p, true, "DROP TABLE dbsched."+p.Name+";")
		case "column":
			var how []string
			rigid := false
			for _, other := range needing(parts, p.Key()) {
				how = append(how, mssqlDrop(parts, other))
				rigid = rigid || other.Kind != "default"
			}
			add(p, true, append(how, "ALTER TABLE dbsched."+table+" DROP COLUMN "+column+";")...)
			if nullable, ok := strings.CutSuffix(p.Is, " NOT NULL"); ok && !rigid && p.Mend != nil {
				all = append(all, wreck{name: p.Key() + " may be NULL", how: []string{fmt.Sprintf("ALTER TABLE dbsched.%s ALTER COLUMN %s %s NULL;", table, column, nullable)}, names: p.Key()})
			}
		case "default", "check", "key", "index":
			add(p, false, mssqlDrop(parts, p))
		case "lock escalation":
			add(p, false, "ALTER TABLE dbsched."+p.Name+" SET (LOCK_ESCALATION = TABLE);")
		case "procedure", "function", "view":
			add(p, false, "DROP "+strings.ToUpper(p.Kind)+" dbsched."+p.Name+";")
		case "row of Settings", "row of Lanes", "row of Processes":
			table := strings.TrimPrefix(p.Kind, "row of ")
			key := map[string]string{"Settings": "SettingsId", "Lanes": "LaneId", "Processes": "ProcessId"}[table]
			all = append(all, wreck{name: p.Key(), how: []string{fmt.Sprintf("DELETE FROM dbsched.%s WHERE %s = %s;", table, key, p.Name)}, names: p.Key(), rows: table == "Processes"})
		case "right":
			words := strings.Fields(p.Name) // EXECUTE on ExecAsync of dbsched_user
			on := "dbsched." + words[2]
			if words[2] == "TaskTable" {
				on = "TYPE::" + on
			}
			add(p, false, fmt.Sprintf("REVOKE %s ON %s FROM %s;", words[0], on, words[4]))
		}
	}
	return append(all,
		wreck{name: "check altered", how: []string{"ALTER TABLE dbsched.Tasks DROP CONSTRAINT CK_Tasks_OnOrphan;", "ALTER TABLE dbsched.Tasks ADD CONSTRAINT CK_Tasks_OnOrphan CHECK (OnOrphan IN ('Retry', 'Fail', 'Wait'));"}, names: "check CK_Tasks_OnOrphan"},
		wreck{name: "check not checked", how: []string{"ALTER TABLE dbsched.Tasks DROP CONSTRAINT CK_Tasks_OnOrphan;", "ALTER TABLE dbsched.Tasks WITH NOCHECK ADD CONSTRAINT CK_Tasks_OnOrphan CHECK (OnOrphan IN ('Retry', 'Fail'));"}, names: "not checked"},
		wreck{name: "default altered", how: []string{"ALTER TABLE dbsched.Tasks DROP CONSTRAINT DF_Tasks_Attempt;", "ALTER TABLE dbsched.Tasks ADD CONSTRAINT DF_Tasks_Attempt DEFAULT (1) FOR Attempt;"}, names: "default DF_Tasks_Attempt"},
		wreck{name: "index altered", how: []string{"DROP INDEX IX_Tasks_Due ON dbsched.Tasks;", "CREATE INDEX IX_Tasks_Due ON dbsched.Tasks (ProcessId, DueAt) WHERE DueAt IS NOT NULL;"}, names: "index IX_Tasks_Due"},
		wreck{name: "column longer", how: []string{"ALTER TABLE dbsched.Logs ALTER COLUMN ErrorProcedure nvarchar(400) NULL;"}, names: "column Logs.ErrorProcedure"},
		wreck{name: "denied to a role", how: []string{"DENY EXECUTE ON dbsched.ExecAsync TO dbsched_user;"}, names: "right EXECUTE on ExecAsync of dbsched_user"},
	)
}

// mssqlDrop returns the statement that drops a constraint or an index.
func mssqlDrop(parts []schema.Part, p schema.Part) string {
	i := slices.IndexFunc(parts, func(t schema.Part) bool {
		return t.Kind == "table" && slices.ContainsFunc(p.Needs, func(key string) bool { return strings.HasPrefix(key, "column "+t.Name+".") || key == t.Key() })
	})
	if p.Kind == "index" {
		return "DROP INDEX " + p.Name + " ON dbsched." + parts[i].Name + ";"
	}
	return "ALTER TABLE dbsched." + parts[i].Name + " DROP CONSTRAINT " + p.Name + ";"
}

// mssqlData returns a query for each table that keeps its rows.
func mssqlData(parts []schema.Part, w wreck) map[string]string {
	columns := map[string][]string{}
	for _, p := range parts {
		if table, column, ok := strings.Cut(p.Name, "."); ok && p.Kind == "column" && !slices.Contains([]string{"Settings", "Lanes", "WakeSent", "Alarms"}, table) {
			columns[table] = append(columns[table], "CONVERT(nvarchar(max), "+column+")")
		}
	}
	all := map[string]string{}
	for table, list := range columns {
		where := ""
		if w.rows && table == "Processes" {
			where = " WHERE ProcessId > 1"
		}
		all[table] = "SELECT " + strings.Join(list, ", ") + " FROM dbsched." + table + where + " ORDER BY 1, 2;"
	}
	return all
}

// verify returns the checks, and by name those with WARN or FAIL.
func (h *harness) verify(probe time.Duration) (all []dialects.Check, bad map[string]dialects.Check) {
	h.Helper()
	all, err := h.sched.Verify(h.Context(), dialects.VerifyOptions{ProbeTimeout: probe})
	require.NoError(h, err)
	bad = map[string]dialects.Check{}
	for _, c := range all {
		if c.Level == dialects.Warn || c.Level == dialects.Fail {
			bad[c.Name] = c
		}
	}
	return all, bad
}
