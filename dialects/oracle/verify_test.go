package oracle

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// TestParts: everything that the migrations create is known, and how.
func TestParts(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 2, Later: os.DirFS("../../integration/testdata/later/oracle")})
	require.NoError(t, err)
	parts, err := src.parts(2, 2)
	require.NoError(t, err)
	names, made := map[string][]string{}, map[string]schema.Part{}
	for _, p := range parts {
		require.NotContains(t, made, p.Key())
		names[p.Kind] = append(names[p.Kind], p.Name)
		made[p.Key()] = p
	}
	slices.Sort(names["table"])
	slices.Sort(names["sequence"])
	require.Equal(t, migrations.OracleTables(templates.DefaultPrefix), names["table"])
	require.Equal(t, migrations.OracleSequences(templates.DefaultPrefix), names["sequence"])
	for _, name := range names["sequence"] {
		require.Contains(t, numbered(), strings.ToLower(strings.TrimPrefix(name, templates.DefaultPrefix)))
	}
	for key, want := range map[string]string{
		"index DS_TASKS_LATER_IX":     "create index ds_tasks_later_ix on ds_tasks (later)",
		"index DS_TASKS_DUE_IX":       "create index ds_tasks_due_ix on ds_tasks (due_utc) initrans 64",
		"key DS_RESOURCES_NAME_UK":    "alter table ds_resources add constraint ds_resources_name_uk unique (name)",
		"key DS_LOGS_PK":              "alter table ds_logs add constraint ds_logs_pk primary key (log_id) using index (create unique index ds_logs_pk on ds_logs (log_id) initrans 64)",
		"sequence DS_TASK_SEQ":        "create sequence ds_task_seq cache 100 order",
		"check DS_TASKS_STOP_CK":      "alter table ds_tasks add constraint ds_tasks_stop_ck check (stop_outcome in ('TimedOut', 'Cancelled'))",
		"default DS_TASKS.LATER":      "alter table ds_tasks modify (later default 7)",
		"not null DS_TASKS.LATER":     "alter table ds_tasks modify (later not null)",
		"column DS_TASKS.DUE_UTC":     "alter table ds_tasks add (due_utc timestamp(6) generated always as (sys_extract_utc(due_at)) virtual)",
		"default DS_SETTINGS.STARTED": "alter table ds_settings modify (started default 'N')",
		"check DS_SETTINGS_POLICY_CK": "alter table ds_settings add constraint ds_settings_policy_ck check (policy in ('Fifo', 'Priority', 'RoundRobin'))",
		"column DS_TASKS.CLAIM_ORDER": "alter table ds_tasks add (claim_order number generated always as (case when status = 'Pending' then execution_order end) virtual)",
	} {
		require.Equal(t, []string{want}, made[key].Make, key)
	}
	require.Equal(t, "VARCHAR2(200)", made["column DS_TASKS.DEDUP_KEY"].Is)
	require.Equal(t, "DS_TASKS (an expression)", made["index DS_TASKS_FINISHED_IX"].Is, "TIMESTAMP WITH TIME ZONE")
	require.True(t, made["table DS_TASKS"].Data)
	require.False(t, made["table DS_WAKE_SENT"].Data)
	earlier, err := src.parts(2, 1)
	require.NoError(t, err)
	require.Less(t, len(earlier), len(parts))
}

// TestRecycleBin: what comes back from the recycle bin under another name is renamed, not made again.
func TestRecycleBin(t *testing.T) {
	d := dictionary{map[string]string{}, map[string]string{}, map[string]string{}}
	d.add("key", "BIN$0$1", "DS_LOGS", []string{"LOG_ID"}, "")
	d.indexOf["BIN$0$1"] = "BIN$0$2"
	d.add("check", "BIN$0$3", "DS_LOGS 'Failed'", nil, "")
	d.add("index", "BIN$0$4", "DS_TASKS", []string{"LANE_ID"}, "")
	for _, c := range []struct {
		part schema.Part
		want []string
	}{
		{schema.Part{Kind: "key", Name: "DS_LOGS_PK", Is: "DS_LOGS (LOG_ID)"}, []string{`alter table ds_logs rename constraint "BIN$0$1" to ds_logs_pk`, `alter index "BIN$0$2" rename to ds_logs_pk`}},
		{schema.Part{Kind: "check", Name: "DS_LOGS_OUTCOME_CK", Is: "DS_LOGS 'Failed'"}, []string{`alter table ds_logs rename constraint "BIN$0$3" to ds_logs_outcome_ck`}},
		{schema.Part{Kind: "index", Name: "DS_TASKS_WORKER_IX", Is: "DS_TASKS (LANE_ID)"}, []string{`alter index "BIN$0$4" rename to ds_tasks_worker_ix`}},
	} {
		found := schema.Difference{Part: c.part, Gone: true}
		d.refine(&found)
		require.Equal(t, c.want, found.Repair())
	}
}

// TestActions: what jobs must run is found in the batches that create them.
func TestActions(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 2, Runner: "WORKER"})
	require.NoError(t, err)
	version, err := contentVersion()
	require.NoError(t, err)
	for _, action := range []string{src.action("job dispatcher"), src.laneAction(2)} {
		require.True(t, strings.HasPrefix(action, "declare\n"), action)
		require.True(t, strings.HasSuffix(action, "end;"), action)
		require.Contains(t, action, "'"+version+"'")
	}
	require.Contains(t, src.laneAction(2), "co_lane constant pls_integer := 2;")
}

func TestEarlyReleases(t *testing.T) {
	for version, warns := range map[string]bool{"19.3.0.0.0": true, "19.7.1.0.0": true, "19.8.0.0.0": false, "19.12.0.0.0": false, "19.0.0.0.0": false, "21.3.0.0.0": false, "": false} {
		require.Equal(t, warns, early.MatchString(version), version)
	}
}
