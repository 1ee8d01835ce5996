package console

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/web"
)

// tasked is a scheduler with one process of tasks.
type tasked struct {
	fake
	process dialects.Process
	tasks   []dialects.Task
	logs    []dialects.LogEntry
	end     string
}

func (f *tasked) Processes(context.Context, dialects.Filter) ([]dialects.Process, error) {
	return []dialects.Process{f.process}, nil
}

func (f *tasked) Tasks(_ context.Context, by dialects.Filter) (all []dialects.Task, err error) {
	for _, t := range f.tasks {
		if by.TaskID == 0 || by.TaskID == t.ID {
			all = append(all, t)
		}
	}
	return all, nil
}

func (f *tasked) Logs(_ context.Context, by dialects.Filter) (all []dialects.LogEntry, err error) {
	for _, e := range f.logs {
		if by.TaskID == 0 || by.TaskID == e.TaskID {
			all = append(all, e)
		}
	}
	return all, nil
}

func (f *tasked) Attempts(context.Context, dialects.Filter) (dialects.Attempts, error) {
	n := int64(len(f.logs))
	return dialects.Attempts{All: n, Failed: n, Oldest: 1}, nil
}

func (f *tasked) EndCommand(context.Context) (string, error) { return f.end, nil }

// signedIn returns a browser of a console that may change things.
func signedIn(db dialects.Scheduler) *browser {
	b := &browser{h: handler(db, web.Fixed("t"), io.Discard), host: "localhost"}
	b.get("/?token=t")
	return b
}

// TestMarksWhatOverran: tables, the page of a task and that of a process mark what ran after its timeout, and show Stopping.
func TestMarksWhatOverran(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := at.Add(time.Minute)
		db := &tasked{
			process: dialects.Process{ID: 7, Name: "load", Status: "Open", Unfinished: 1, Running: 1},
			tasks: []dialects.Task{
				{ID: 1, ProcessID: 7, Status: "Succeeded", StartedAt: &at, FinishedAt: &ended, Overran: new(57.0)},
				{ID: 2, ProcessID: 7, Status: "Stopping", StartedAt: &at, Overran: new(7.0)},
			},
			logs: []dialects.LogEntry{
				{ID: 1, TaskID: 1, ProcessID: 7, Attempt: 1, Lane: 1, Outcome: "Succeeded", StartedAt: at, FinishedAt: &ended, Overran: new(57.0), TaskStatus: "Succeeded"},
				{ID: 2, TaskID: 2, ProcessID: 7, Attempt: 1, Lane: 2, Outcome: "Running", StartedAt: at, Overran: new(7.0), TaskStatus: "Stopping"},
			},
		}
		b := signedIn(db)
		for path, texts := range map[string][]string{
			"/tasks":     {"succeeded , overran 57 s", "stopping , overran 7 s"},
			"/logs":      {"succeeded , overran 57 s", "stopping , overran 7 s"},
			"/process/7": {"succeeded , overran 57 s", "stopping , overran 7 s", "2 attempts overran"},
			"/task/1":    {"succeeded , overran 57 s", "Succeeded , overran 57 s"},
			"/task/2":    {"stopping , overran 7 s", "Stopping , overran 7 s"},
		} {
			page := text(t, b.get(path))
			for _, want := range texts {
				require.Contains(t, page, want, path)
			}
		}
		require.Contains(t, b.get("/").Body.String(), `"x":"Stopping, overran 7 s","v":true`, "the lanes of the first page")
	})
}

// TestOptionsOfATask: its page shows all that the enqueuer chose.
func TestOptionsOfATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &tasked{process: dialects.Process{ID: 7}, tasks: []dialects.Task{{
			ID: 1, ProcessID: 7, Status: "Waiting", Reason: "Retry", DueAt: &at, Priority: 5, Attempt: 2, Order: 300, Resource: "warehouse",
			TaskOptions: dialects.TaskOptions{
				Timeout: new(int64(7200)), ExpectedSeconds: 90, MaxAttempts: 3, Failures: 1, OnOrphan: "Fail", Orphans: 1, Access: "Exclusive", Transactional: true,
				DedupKey: "day 22", DuplicateOf: 12, Parameters: `{"Day": "<b>"}`,
			},
		}}}
		page := signedIn(db).get("/task/1")
		for _, want := range []string{
			"wave 300", "due 2026-11-22 09:00:00", "priority 5", "attempt 2 of 3, 1 failed, 1 whose worker died", "timeout 2h0m0s", "on orphan Fail", "expected 1m30s",
			"resource warehouse, Exclusive", "transactional yes", "dedup key day 22", "duplicate of task 12", `parameters {&#34;Day&#34;: &#34;&lt;b&gt;&#34;}`,
		} {
			require.Contains(t, text(t, page), want)
		}
	})
}

// TestButtonsThatCanWork: a page has only those, and says what cancelling does where sessions cannot be ended.
func TestButtonsThatCanWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := at.Add(-time.Minute)
		for name, c := range map[string]struct {
			task   dialects.Task
			end    string
			want   []string
			absent []string
		}{
			"succeeded":           {dialects.Task{ProcessID: 7, Status: "Succeeded", FinishedAt: &ended}, "", nil, []string{"/task/1/retry", "/task/1/cancel"}},
			"failed":              {dialects.Task{ProcessID: 7, Status: "Failed", FinishedAt: &ended}, "", []string{"/task/1/retry"}, []string{"/task/1/cancel"}},
			"failed of a firing":  {dialects.Task{ProcessID: 0, Status: "Failed", FinishedAt: &ended}, "", nil, []string{"/task/1/retry", "/task/1/cancel"}},
			"waiting":             {dialects.Task{ProcessID: 7, Status: "Waiting"}, "sign it", []string{"/task/1/cancel"}, []string{"/task/1/retry", "sign it"}},
			"running":             {dialects.Task{ProcessID: 7, Status: "Running"}, "", []string{"/task/1/cancel", "if it runs, it is stopped"}, []string{"/task/1/retry", "goes on"}},
			"running, for ever":   {dialects.Task{ProcessID: 7, Status: "Running"}, "sign it", []string{"/task/1/cancel", "What runs goes on until it ends by itself. To let dbsched end it: sign it"}, []string{"it is stopped"}},
			"cancelled, but runs": {dialects.Task{ProcessID: 7, Status: "Stopping", TaskOptions: dialects.TaskOptions{StopOutcome: "Cancelled"}}, "sign it", nil, []string{"/task/1/retry", "/task/1/cancel"}},
		} {
			c.task.ID = 1
			page := signedIn(&tasked{tasks: []dialects.Task{c.task}, end: c.end}).get("/task/1").Body.String()
			for _, want := range c.want {
				require.Contains(t, page, want, name)
			}
			for _, absent := range c.absent {
				require.NotContains(t, page, absent, name)
			}
		}
		page := signedIn(&tasked{process: dialects.Process{ID: 7, Status: "Open", Unfinished: 2, Running: 1}, end: "sign it"}).get("/process/7").Body.String()
		require.Contains(t, page, "Waiting tasks do not run. What runs goes on until it ends by itself. To let dbsched end it: sign it")
		require.NotContains(t, page, "/process/7/retry")
		page = signedIn(&tasked{process: dialects.Process{ID: 7, Status: "Open", Unfinished: 2, Running: 1}}).get("/process/7").Body.String()
		require.Contains(t, page, "Waiting tasks do not run. Running ones are stopped.")
		require.NotContains(t, signedIn(&tasked{process: dialects.Process{ID: 1, Status: "Open", Unfinished: 2}}).get("/process/1").Body.String(), "/process/1/cancel")
	})
}

// TestBannerOffersARetryThatCanWork: not for an attempt that another follows or followed, nor for the task of a firing.
func TestBannerOffersARetryThatCanWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := at.Add(-time.Minute)
		failed := dialects.LogEntry{ID: 1, TaskID: 1, ProcessID: 7, Attempt: 1, Outcome: "Failed", StartedAt: ended, FinishedAt: &ended, TaskStatus: "Failed"}
		again, waits, fires := failed, failed, failed
		again.ID, again.Attempt, again.Outcome, again.FinishedAt, again.TaskStatus = 2, 2, "Running", nil, "Running"
		waits.TaskStatus, fires.ProcessID = "Waiting", 0
		for name, c := range map[string]struct {
			logs []dialects.LogEntry
			want bool
		}{
			"failed": {[]dialects.LogEntry{failed}, true}, "runs again": {[]dialects.LogEntry{failed, again}, false}, "waits for the next": {[]dialects.LogEntry{waits}, false},
			"of a firing": {[]dialects.LogEntry{fires}, false},
		} {
			page := signedIn(&tasked{logs: c.logs}).get("/").Body.String()
			require.Contains(t, page, "Task 1 failed.", name)
			if c.want {
				require.Contains(t, page, "/task/1/retry", name)
			} else {
				require.NotContains(t, page, "/task/1/retry", name)
			}
		}
	})
}
