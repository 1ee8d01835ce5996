package oracle

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// olderScheduler responds like a schema in which another version is installed and started, and
// whose workers are busy for the first checks.
func olderScheduler(busy int) func(sent) answer {
	return func(c sent) answer {
		switch {
		case c.SQL == stoppableQuery():
			return answer{Rows: [][]any{{2, 1}}}
		case c.SQL == tableExists:
			return answer{Rows: [][]any{{1}}}
		case c.SQL == versionQuery(schemaVersion()):
			return answer{Rows: [][]any{{1, 0}}}
		case c.SQL == lanesQuery():
			return answer{Rows: [][]any{{3}}}
		case c.SQL == stateQuery():
			return answer{Rows: [][]any{{"Y", "sql-0000000000000000"}}}
		case c.SQL == busyLanes():
			if busy--; busy >= 0 {
				return answer{Out: map[string]any{"out_lanes": "2 78 12\n"}}
			}
		}
		if a, ok := whole(c); ok {
			return a
		}
		return freshSchema(c)
	}
}

// steps returns those of the sent calls that stop, look, wait, replace and start.
func (e scriptedServer) steps() []string {
	var all []string
	for _, text := range e.texts() {
		if strings.HasPrefix(text, "dbsched.") || strings.HasPrefix(text, "dbms_session.") || text == "create" && all[len(all)-1] != text {
			all = append(all, text)
		}
	}
	return all
}

func TestAnotherVersionIsReplacedQuietly(t *testing.T) {
	s, e := script(t, olderScheduler(2))
	report, err := s.Install(t.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
	require.NoError(t, err)
	require.Equal(t, 3, report.Lanes, "as many as there are")
	require.Equal(t, []string{"dbsched.stop_scheduler", "dbms_session.sleep", "dbms_session.sleep", "create", "dbsched.start_scheduler"}, e.steps())
}

// A migration that was cut off is run again: its journal knows how far it got.
func TestCutMigrationIsRunAgain(t *testing.T) {
	s, e := script(t, remembering(func(c sent) answer {
		switch c.SQL {
		case tableExists:
			return answer{Rows: [][]any{{1}}}
		case versionQuery(schemaVersion()):
			return answer{Rows: [][]any{{1, 1}}}
		}
		return freshSchema(c)
	}))
	report, err := s.Install(t.Context(), installOptions)
	require.NoError(t, err)
	require.Equal(t, "0001_tables.up.sql", report.Applied[0])
	var versions []string
	for _, c := range e.Log() {
		switch {
		case strings.HasPrefix(c.SQL, "insert into ds_schema_version"):
			versions = append(versions, fmt.Sprint(c.In["1"], " ", c.In["2"]))
		case strings.Contains(c.SQL, "co_migration constant"):
			versions = append(versions, "migration")
		}
	}
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 2})
	require.NoError(t, err)
	var want []string
	for _, m := range src.migrations {
		want = append(want, fmt.Sprint(m.Version, " 1"), "migration", fmt.Sprint(m.Version, " 0"))
	}
	require.Equal(t, want, versions)
}

func TestBusyWorkersKeepTheirVersion(t *testing.T) {
	s, e := script(t, olderScheduler(99))
	_, err := s.Install(t.Context(), dialects.InstallOptions{DrainTimeout: 400 * time.Millisecond})
	require.ErrorAs(t, err, new(*dialects.PreflightError))
	require.ErrorContains(t, err, "still running after 400ms, but the installation replaces its code: task 12, lane 2, session 78")
	require.ErrorContains(t, err, "the scheduler continues as before")
	require.Equal(t, []string{"dbsched.stop_scheduler", "dbms_session.sleep", "dbms_session.sleep", "dbsched.start_scheduler"}, e.steps())
}

// A database does not stay stopped because somebody pressed Ctrl-C while it drained.
func TestInterruptedDrainStartsAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	older := olderScheduler(99)
	s, e := script(t, func(c sent) answer {
		if strings.Contains(c.SQL, "dbms_session.sleep") {
			cancel()
			return answer{Stuck: true}
		}
		return older(c)
	})
	_, err := s.Install(ctx, dialects.InstallOptions{DrainTimeout: time.Minute})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []string{"dbsched.stop_scheduler", "dbms_session.sleep", "dbsched.start_scheduler"}, e.steps())
}

func TestDryRunShowsAndSendsNothing(t *testing.T) {
	s, e := script(t, olderScheduler(0))
	var shown []string
	s.DryRun = func(b dialects.Batch) { shown = append(shown, b.Name) }
	_, err := s.Install(t.Context(), dialects.InstallOptions{Lanes: 1})
	require.NoError(t, err)
	require.Equal(t, "stop_scheduler", shown[0])
	require.Contains(t, shown, "body run")
	require.Equal(t, "start_scheduler", shown[len(shown)-1])
	require.NoError(t, s.Stop(t.Context(), dialects.StopNow))
	require.Equal(t, "stop_scheduler", shown[len(shown)-1])
	require.Empty(t, e.steps())
}

func TestUninstallWaitsForWorkers(t *testing.T) {
	s, e := script(t, func(c sent) answer {
		if strings.HasPrefix(c.SQL, "select o.object_type") {
			return answer{Rows: [][]any{{"TABLE", "DS_TASKS"}}}
		}
		return olderScheduler(1)(c)
	})
	_, err := s.Uninstall(t.Context(), dialects.UninstallOptions{DrainTimeout: 200 * time.Millisecond})
	require.ErrorAs(t, err, new(*dialects.PartialError))
	require.ErrorContains(t, err, "sessions still running after 200ms: 1 (task 12, lane 2, session 78)")
	require.Equal(t, []string{"dbsched.stop_scheduler", "dbms_session.sleep"}, e.steps())
}

func TestUninstallOfNothing(t *testing.T) {
	s, e := script(t, freshSchema)
	report, err := s.Uninstall(t.Context(), dialects.UninstallOptions{})
	require.NoError(t, err)
	require.Empty(t, report.Removed)
	for _, c := range e.Log() {
		require.True(t, strings.HasPrefix(c.SQL, "select"), c.SQL)
	}
}
