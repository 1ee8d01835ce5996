package console

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/web"
)

var at = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// fake is a scheduler with only schedules.
type fake struct {
	dialects.Scheduler
	schedules []dialects.Schedule
	counts    dialects.ScheduleCounts
	refuse    error // of schedules
	zone      error
	ordered   []string
}

func (*fake) Status(context.Context) (dialects.Status, error) {
	return dialects.Status{Started: true, MaxWorkers: 2, Now: at}, nil
}
func (*fake) Processes(context.Context, dialects.Filter) ([]dialects.Process, error) { return nil, nil }
func (*fake) Tasks(context.Context, dialects.Filter) ([]dialects.Task, error)        { return nil, nil }
func (*fake) Queue(context.Context) ([]dialects.Queued, error)                       { return nil, nil }
func (*fake) Logs(context.Context, dialects.Filter) ([]dialects.LogEntry, error)     { return nil, nil }
func (*fake) Attempts(context.Context, dialects.Filter) (dialects.Attempts, error) {
	return dialects.Attempts{}, nil
}
func (*fake) Lanes(context.Context) ([]dialects.Lane, error)                    { return nil, nil }
func (*fake) Alarms(context.Context, dialects.Filter) ([]dialects.Alarm, error) { return nil, nil }
func (*fake) Resources(context.Context) ([]dialects.ResourceRequest, error)     { return nil, nil }
func (*fake) Rounds(context.Context) ([]dialects.Round, error)                  { return nil, nil }
func (f *fake) ScheduleCounts(context.Context) (dialects.ScheduleCounts, error) {
	return f.counts, f.refuse
}

func (f *fake) Schedules(_ context.Context, name string) (all []dialects.Schedule, err error) {
	for _, s := range f.schedules {
		if name == "" || s.Name == name {
			all = append(all, s)
		}
	}
	return all, f.refuse
}

func (*fake) Firings(context.Context, string, int) ([]dialects.Firing, error) {
	ended := at.Add(time.Minute)
	return []dialects.Firing{
		{ID: 1, DueAt: at, Status: "Skipped", LoggedAt: at}, {ID: 2, DueAt: at, Manual: true, Status: "Failed", LoggedAt: at, ProcessID: 7, FinishedAt: &ended},
	}, nil
}
func (f *fake) Zone(context.Context, string) (string, *time.Location, error) {
	return "UTC", nil, f.zone
}
func (*fake) NextInstants(context.Context, dialects.When, time.Time, int) ([]time.Time, error) {
	return []time.Time{at.Add(time.Hour)}, nil
}

func (f *fake) SetScheduleEnabled(_ context.Context, name string, enabled bool) error {
	f.ordered = append(f.ordered, name+map[bool]string{true: " on", false: " off"}[enabled])
	return nil
}

func (*fake) RunSchedule(context.Context, string) error { return errors.New("refused") }

// client sends requests to a console of the fake.
func client(f dialects.Scheduler) (send func(method, path string) *httptest.ResponseRecorder, log *strings.Builder) {
	log = &strings.Builder{}
	h := handler(f, web.Fixed("t"), log)
	b := &browser{h: h, host: "localhost"}
	b.get("/?token=t")
	return func(method, path string) *httptest.ResponseRecorder { return b.send(method, path) }, log
}

// text returns the page without its tags.
func text(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	require.Equal(t, http.StatusOK, w.Code)
	var b strings.Builder
	in := false
	for _, c := range w.Body.String() {
		if c == '<' {
			in = true
		}
		if !in {
			b.WriteRune(c)
		} else if c == '>' {
			in = false
			b.WriteRune(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func troubled() *fake {
	late, next := at.Add(-2*time.Minute), at.Add(time.Hour)
	return &fake{
		schedules: []dialects.Schedule{
			{Name: "copied", Status: "Suspended", Reason: "the database is a copy", Calendar: "@daily", Zone: "UTC", NextAt: &late},
			{Name: "late", Status: "Enabled", Calendar: "@daily", Zone: "UTC", NextAt: &late},
			{Name: "paused", Status: "Disabled", Calendar: "@daily", Zone: "UTC", NextAt: &late},
			{Name: "runs", Status: "Enabled", Running: 1, Calendar: "@daily", Zone: "UTC", NextAt: &next, LastDueAt: &late, LastStatus: "Open", LastProcessID: 9},
		},
		counts: dialects.ScheduleCounts{Enabled: 2, Disabled: 1, Suspended: 1, Late: 1, NextAt: &late, Next: "late"},
	}
}

func TestSchedules(t *testing.T) {
	send, _ := client(troubled())
	list := text(t, send("GET", "/schedules"))
	for _, row := range []string{
		"copied suspended @daily UTC late", "late late by 2 m @daily UTC 2026-11-22 08:58:00 paused", "paused paused @daily UTC runs", "runs running @daily UTC 2026-11-22 08:58:00 open 2026-11-22 10:00:00",
	} {
		require.Contains(t, list, row)
	}
	require.Contains(t, text(t, send("GET", "/")), "1 schedule late. late has been due for 2 m. Run dbsched verify .")
	one := text(t, send("GET", "/schedule?name=copied"))
	require.Contains(t, one, "It does not fire. the database is a copy.")
	require.Contains(t, one, "Firings 2 Due Outcome Process Took Detail 2026-11-22 09:00:00 failed process 7 1 m by hand 2026-11-22 09:00:00 skipped Tasks")
	require.Contains(t, one, "Next instants when it is enabled At In UTC 2026-11-22 10:00:00")
	require.Contains(t, one, "Resume It fires at the next instant of its calendar.")
	require.Equal(t, http.StatusNotFound, send("GET", "/schedule?name=gone").Code)
}

// TestScheduleWithoutZone: if the server no longer knows a zone, the rest of the page stays.
func TestScheduleWithoutZone(t *testing.T) {
	f := troubled()
	f.zone = dialects.Usagef("there is no time zone Mars")
	send, _ := client(f)
	require.Contains(t, text(t, send("GET", "/schedule?name=late")), "Next instants there is no time zone Mars Rules")
}

// TestSchedulesHidden: users who may not see schedules are told so, and schedules are not queried.
func TestSchedulesHidden(t *testing.T) {
	f := troubled()
	f.counts, f.refuse = dialects.ScheduleCounts{}, &dialects.ServerError{Err: errors.New("denied")}
	send, _ := client(f)
	for _, page := range []string{"/schedules", "/schedule?name=late"} {
		require.Contains(t, text(t, send("GET", page)), "You are not allowed to see schedules.")
	}
	require.NotContains(t, text(t, send("GET", "/")), "next schedule")
}

// TestScheduleActions: the log says what was requested, for which schedule, and with what result.
func TestScheduleActions(t *testing.T) {
	f := troubled()
	send, log := client(f)
	for _, action := range []string{"pause?name=a%26b", "resume?name=late", "run?name=late"} {
		require.Equal(t, http.StatusSeeOther, send("POST", "/schedule/"+action).Code)
	}
	require.Equal(t, []string{"a&b off", "late on"}, f.ordered)
	require.Contains(t, log.String(), `path="/schedule/pause?name=a%26b"`)
	require.Contains(t, log.String(), `result="Schedule \"late\" is enabled."`)
	require.Contains(t, log.String(), `path="/schedule/run?name=late" from=192.0.2.1:1234 result="Nothing was changed: refused"`)
}

// TestPlanOfASchedule: its tasks are listed by wave, and what is no list of tasks is shown as it is.
func TestPlanOfASchedule(t *testing.T) {
	f := troubled()
	f.schedules[0].Tasks = `[{"SQL":"EXEC <b>","ExecutionOrder":200,"MaxAttempts":3},{"SQL":"EXEC a","ExecutionOrder":100}]`
	f.schedules[1].Tasks = "no list"
	send, _ := client(f)
	require.Contains(t, text(t, send("GET", "/schedule?name=copied")), "Tasks 2 Wave SQL Options 100 EXEC a 200 EXEC &lt;b&gt; MaxAttempts 3")
	require.Contains(t, text(t, send("GET", "/schedule?name=late")), "Tasks no list")
}
