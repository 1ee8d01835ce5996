package metrics

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/VictoriaMetrics/metricsql"
	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/snapshot"
)

var now = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

func attempt(id int64, order, number int, outcome string, from, to time.Duration) dialects.LogEntry {
	end := now.Add(to)
	return dialects.LogEntry{ID: id, ProcessID: 7, Order: order, Attempt: number, Outcome: outcome, StartedAt: now.Add(from), FinishedAt: &end}
}

// exporter returns one whose database returns the snapshots in turn; nil is an error.
func exporter(snapshots ...*snapshot.Snapshot) (e *Exporter, scrape func() string) {
	e = New(func(context.Context) (*snapshot.Snapshot, error) {
		s := snapshots[0]
		snapshots = snapshots[1:]
		if s == nil {
			return nil, errors.New("gone")
		}
		return s, nil
	}, slog.New(slog.DiscardHandler))
	h := e.Handler()
	return e, func() string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		text, _ := io.ReadAll(w.Body)
		return string(text)
	}
}

func full() *snapshot.Snapshot {
	old, due := now.Add(-time.Minute), now.Add(time.Hour)
	return &snapshot.Snapshot{
		Status: dialects.Status{Now: now, Workers: 3, MaxWorkers: 4, Blocked: dialects.BrokerOff},
		Queue: []dialects.Queued{
			{Status: "Pending", Tasks: 5, Runnable: 2, OldestRunnable: &old}, {Status: "Waiting", Reason: "Delay", Tasks: 1, NextDue: &due}, {Status: "Running", Tasks: 3},
		},
		Lanes:     []snapshot.Lane{{Lane: dialects.Lane{State: "Busy"}}, {Lane: dialects.Lane{State: "Busy"}}, {Lane: dialects.Lane{State: "Idle"}}},
		Processes: []dialects.Process{{Status: "Open", Name: "secret"}, {Status: "Succeeded", FinishedAt: &old}},
		Resources: []dialects.ResourceRequest{{Status: "Waiting", Resource: "secret"}, {Resource: "free"}},
		Schedules: dialects.ScheduleCounts{Enabled: 12, Disabled: 1, Suspended: 2, Late: 3, NextAt: &old, Next: "secret"},
		Kinds:     map[string]int64{"Copy": 1, "CannotEnd": 1204},
		Attempts: []dialects.LogEntry{
			attempt(1, 100, 1, "Succeeded", -time.Second, 0), {ID: 4, ProcessID: 8, Order: 100, Outcome: "Running", StartedAt: old, Overran: new(57.0)},
			{ID: 5, ProcessID: 8, Order: 100, Outcome: "Running", StartedAt: old},
		},
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := full()
		second.Hidden = []string{"schedules", "attempts"}
		second.Status.Now = now.Add(10 * time.Second)
		second.Ended = []dialects.LogEntry{attempt(2, 200, 1, "Failed", 500*time.Millisecond, time.Second), attempt(3, 200, 2, "Succeeded", time.Second, 2*time.Second)}
		second.Attempts = append(second.Attempts, second.Ended...)
		_, scrape := exporter(full(), second, nil)
		text := scrape()
		for _, line := range []string{
			"dbsched_up 1", `dbsched_blocked{reason="BrokerOff"} 1`, `dbsched_blocked{reason="Stopped"} 0`, "dbsched_workers 3", "dbsched_workers_max 4",
			`dbsched_lanes{state="Busy"} 2`, `dbsched_tasks{reason="Delay",status="Waiting"} 1`, `dbsched_tasks{reason="",status="Pending"} 5`, "dbsched_tasks_runnable 2", "dbsched_tasks_overran 1",
			"dbsched_oldest_runnable_seconds 60", `dbsched_processes{status="Open"} 1`, `dbsched_resource_requests{status="Waiting"} 1`,
			`dbsched_schedules{status="Enabled"} 12`, `dbsched_schedules{status="Disabled"} 1`, `dbsched_schedules{status="Suspended"} 2`, "dbsched_schedules_late 3",
			"dbsched_schedule_late_seconds 60", `dbsched_alarms{kind="CannotEnd"} 1204`, `dbsched_attempts_total{outcome="Failed"} 0`, "dbsched_retries_total 0",
		} {
			require.Contains(t, text, line+"\n")
		}
		require.NotContains(t, text, "secret")
		require.Equal(t, text, scrape(), "scraped again at once, the database is not read")
		time.Sleep(Interval)
		text = scrape()
		for _, line := range []string{
			`dbsched_attempts_total{outcome="Failed"} 1`, `dbsched_attempts_total{outcome="Succeeded"} 1`, "dbsched_retries_total 1", "dbsched_attempt_seconds_sum 1.5",
			"dbsched_wave_wait_seconds_count 1", "dbsched_wave_wait_seconds_sum 0.5",
		} {
			require.Contains(t, text, line+"\n")
		}
		require.NotContains(t, text, "dbsched_schedule", "what the user may not see is no 0")
		require.NotContains(t, text, "dbsched_tasks_overran")
		time.Sleep(Interval)
		text = scrape()
		require.Contains(t, text, "dbsched_up 0\n")
		require.NotContains(t, text, "dbsched_workers ")
		require.Contains(t, text, "dbsched_retries_total 1\n", "counters stay")
	})
}

// TestFilesNameMetrics: the alert rules and the dashboard use PromQL on existing metrics.
func TestFilesNameMetrics(t *testing.T) {
	_, scrape := exporter(full())
	text := scrape()
	var exprs []string
	rules, err := os.ReadFile("../../docs/monitoring/alerts.yaml")
	require.NoError(t, err)
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	require.NoError(t, yaml.UnmarshalWithOptions(rules, &file, yaml.DisallowUnknownField()))
	for _, r := range file.Groups[0].Rules {
		require.Contains(t, []string{"critical", "warning", "info"}, r.Labels["severity"], r.Alert)
		require.NotEmpty(t, r.Annotations["summary"], r.Alert)
		exprs = append(exprs, r.Expr)
	}
	require.Greater(t, len(exprs), 5)
	dashboard, err := os.ReadFile("../../docs/monitoring/dashboard.json")
	require.NoError(t, err)
	var d struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(dashboard, &d))
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			exprs = append(exprs, strings.ReplaceAll(target.Expr, "$__rate_interval", "5m"))
		}
	}
	var used []string
	for _, expr := range exprs {
		_, err := metricsql.Parse(expr)
		require.NoError(t, err, expr)
		used = append(used, regexp.MustCompile(`dbsched_\w+`).FindAllString(expr, -1)...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	for _, name := range used {
		require.Contains(t, text, "\n"+name, "%s is no metric", name)
	}
	for _, m := range regexp.MustCompile(`# TYPE (dbsched_\w+)`).FindAllStringSubmatch(text, -1) {
		if slices.Contains([]string{"dbsched_workers_max", "dbsched_next_due_timestamp_seconds", "dbsched_read_seconds"}, m[1]) {
			continue
		}
		require.True(t, slices.ContainsFunc(used, func(name string) bool { return strings.HasPrefix(name, m[1]) }), "%s is not on the dashboard", m[1])
	}
}
