package oracle

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// TestParts: a verification knows everything that the migrations create, and how.
func TestParts(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 2, Later: os.DirFS("../../integration/testdata/later/oracle")})
	require.NoError(t, err)
	names, statements := map[string][]string{}, map[string]string{}
	for _, p := range src.parts() {
		names[p.kind] = append(names[p.kind], p.name)
		statements[p.name] = p.statement
		require.NotContains(t, p.statement, "'", "a text of the migration is doubled")
	}
	for _, list := range names {
		slices.Sort(list)
		require.Equal(t, slices.Compact(slices.Clone(list)), list)
	}
	tables := append(migrations.OracleTables(templates.DefaultPrefix), schemaVersion())
	slices.Sort(tables)
	require.Equal(t, tables, names["TABLE"])
	require.Equal(t, migrations.OracleSequences(templates.DefaultPrefix), names["SEQUENCE"])
	for _, name := range names["SEQUENCE"] {
		require.Contains(t, numbered(), strings.ToLower(strings.TrimPrefix(name, templates.DefaultPrefix)))
	}
	require.Equal(t, "create index ds_tasks_later_ix on ds_tasks (later)", statements["DS_TASKS_LATER_IX"])
	require.Equal(t, "create index ds_tasks_due_ix on ds_tasks (due_utc) initrans 64", statements["DS_TASKS_DUE_IX"])
	require.Equal(t, "alter table ds_resources add constraint ds_resources_name_uk unique (name)", statements["DS_RESOURCES_NAME_UK"])
	require.Equal(t, "alter table ds_logs add constraint ds_logs_pk primary key (log_id) using index (create unique index ds_logs_pk on ds_logs (log_id) initrans 64)", statements["DS_LOGS_PK"])
	require.Equal(t, "create sequence ds_task_seq cache 100 order", statements["DS_TASK_SEQ"])
}

// TestActions: what jobs must run is found in the batches that create them.
func TestActions(t *testing.T) {
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 2, Runner: "WORKER"})
	require.NoError(t, err)
	version, err := contentVersion()
	require.NoError(t, err)
	for _, action := range []string{src.action("90_job_dispatcher"), src.laneAction(2)} {
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
