package oracle

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox/scripted"
)

type (
	sent           = scripted.Sent
	answer         = scripted.Answer
	scriptedServer struct{ *scripted.Server }
)

// script serves responses until the end of a test, and connects to them.
func script(t *testing.T, answers func(sent) answer) (*scheduler, scriptedServer) {
	t.Helper()
	e, err := scripted.Start(answers)
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return open(t, "oracle://app:hush@"+e.Address+"/x"), scriptedServer{e}
}

// texts returns the first words of everything that was sent.
func (e scriptedServer) texts() []string {
	var all []string
	for _, c := range e.Log() {
		text := strings.TrimPrefix(strings.Fields(strings.ReplaceAll(c.SQL, "(", " "))[0], "begin")
		if strings.HasPrefix(c.SQL, "begin ") {
			text = strings.Fields(strings.NewReplacer("(", " ", ";", " ").Replace(c.SQL))[1]
		}
		all = append(all, text)
	}
	return all
}

func TestExecIsOneTransaction(t *testing.T) {
	s, e := script(t, func(sent) answer { return answer{Out: map[string]any{"out_task_id": 101}} })
	at := time.Date(2026, 11, 20, 23, 0, 0, 125e6, time.FixedZone("", 3600))
	ids, err := s.Exec(t.Context(), []dialects.NewTask{{
		SQL: "begin null; end;", Order: -1, ProcessID: 3, MaxAttempts: 2, RetryDelay: time.Minute, NotBefore: at, DedupKey: "k", Parameters: `{"a": 1}`, Transactional: true,
	}})
	require.NoError(t, err)
	require.Equal(t, []int64{101}, ids)
	require.Equal(t, []string{"dbsched.exec_async", "commit"}, e.texts())
	require.Equal(t, map[string]any{"in_sql": "begin null; end;", "in_execution_order": int64(-1), "in_process_id": int64(3), "in_max_attempts": int64(2),
		"in_retry_delay_seconds": int64(60), "in_not_before": at.UTC(), "in_dedup_key": "k", "in_parameters": `{"a": 1}`}, e.Log()[0].In)
	require.Contains(t, e.Log()[0].SQL, "in_transactional => true")
	require.False(t, e.Log()[0].Auto)

	long := strings.Repeat("x", 40_000) + "é"
	_, err = s.Exec(t.Context(), []dialects.NewTask{{SQL: long, Order: 2}})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"in_sql": long, "in_execution_order": int64(2), "clob": "in_sql"}, e.Log()[2].In)
}

func TestManyTasksAreOneCall(t *testing.T) {
	answers := []string{"[" + strings.Repeat("7,", maxBatch-1) + "7]", "[9]"}
	s, e := script(t, func(c sent) answer {
		if c.SQL == "commit" {
			return answer{}
		}
		a := answers[0]
		answers = answers[1:]
		return answer{Out: map[string]any{"out_task_ids": a}}
	})
	at := time.Date(2026, 11, 20, 23, 0, 0, 125e6, time.FixedZone("", 3600))
	tasks := make([]dialects.NewTask, maxBatch+1)
	tasks[maxBatch] = dialects.NewTask{SQL: "x\ny", Order: 1, ProcessID: 2, Priority: 3, MaxAttempts: 4, RetryDelay: time.Minute, Timeout: time.Hour, NotBefore: at,
		ExpectedSeconds: 5, OnOrphan: "Fail", Resource: "r", Access: "Shared", Transactional: true, DedupKey: "k", Parameters: `{"a": 1}`}
	ids, err := s.Exec(t.Context(), tasks)
	require.NoError(t, err)
	require.Len(t, ids, maxBatch+1)
	require.Equal(t, int64(9), ids[maxBatch])
	require.Equal(t, []string{"dbsched.exec_async_batch", "dbsched.exec_async_batch", "commit"}, e.texts())
	require.JSONEq(t, `[{"sql": "x\ny", "execution_order": 1, "process_id": 2, "priority": 3, "max_attempts": 4, "retry_delay_seconds": 60, "timeout_seconds": 3600,
		"not_before": "2026-11-20T22:00:00.125Z", "expected_seconds": 5, "on_orphan": "Fail", "resource": "r", "access": "Shared", "transactional": true,
		"dedup_key": "k", "parameters": {"a": 1}}]`, e.Log()[1].In["in_tasks"].(string))
}

func TestRefusedExecRollsBack(t *testing.T) {
	s, e := script(t, func(c sent) answer {
		if strings.Contains(c.SQL, "exec_async_batch") {
			return answer{Number: 20004, Text: "dbsched 20004: task 2: there is no process 9."}
		}
		return answer{}
	})
	_, err := s.Exec(t.Context(), []dialects.NewTask{{SQL: "x", Order: 1}, {SQL: "x", Order: 2}, {SQL: "x", Order: 3}})
	require.ErrorAs(t, err, new(*dialects.ServerError))
	require.EqualError(t, err, "exec_async_batch: ORA-20004: dbsched 20004: task 2: there is no process 9.")
	require.Equal(t, []string{"dbsched.exec_async_batch", "rollback"}, e.texts())
}

func TestWaitProcessAsksInShortCalls(t *testing.T) {
	left := 2
	s, e := script(t, func(sent) answer {
		left--
		return answer{Out: map[string]any{"out_result": map[bool]int{true: 2, false: 0}[left >= 0], "out_status": "Open"}}
	})
	finished, err := s.WaitProcess(t.Context(), 7, 12*time.Second)
	require.NoError(t, err)
	require.True(t, finished)
	require.Len(t, e.Log(), 3)
	require.Equal(t, map[string]any{"in_process_id": int64(7), "in_timeout_seconds": int64(5)}, e.Log()[0].In)
	require.Equal(t, int64(2), e.Log()[2].In["in_timeout_seconds"])

	left = 99
	finished, err = s.WaitProcess(t.Context(), 7, 6*time.Second)
	require.NoError(t, err)
	require.False(t, finished)
	require.Len(t, e.Log(), 5)
}

func TestCancelledCallLeavesTheSessionUsable(t *testing.T) {
	s, e := script(t, func(c sent) answer { return answer{Stuck: strings.Contains(c.SQL, "start_scheduler")} })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Start(ctx), context.DeadlineExceeded)
	require.NoError(t, s.SetPolicy(t.Context(), dialects.Fifo))
	require.Equal(t, []string{"dbsched.start_scheduler", "dbsched.set_policy"}, e.texts())
	require.True(t, e.Log()[1].Auto, "a call of its own commits")
}

func TestListsReadNulls(t *testing.T) {
	at := time.Date(2026, 11, 20, 22, 0, 0, 1e6, time.UTC)
	s, e := script(t, func(c sent) answer {
		switch {
		case strings.Contains(c.SQL, "ds_log_info"):
			return answer{Rows: [][]any{
				{2, 11, 1, 100, 1, nil, "begin x; end;", 1, 77, at, "r", at, nil, "Running", 0, nil, nil, 0, 3, "Stopping", at.Add(time.Minute)},
				{1, 10, 1, 100, 1, "load", "begin y; end;", 2, 78, nil, nil, at, at.Add(time.Second), "Failed", 6512, "ORA-06512: at line 1", "APP.P", 3, nil, nil, at.Add(time.Minute)},
			}}
		case strings.Contains(c.SQL, "ds_scheduler_info"):
			return answer{Rows: [][]any{{nil, "Y", nil, nil, nil, "RoundRobin", 4, 16, 2, 1, 5, 3, nil, at}}}
		case strings.Contains(c.SQL, "OR v.name"):
			return answer{Rows: [][]any{{9}, {8}}}
		}
		return answer{Rows: [][]any{}}
	})
	logs, err := s.Logs(t.Context(), dialects.Filter{ProcessID: 1, Statuses: []string{"Failed"}, Limit: 2})
	require.NoError(t, err)
	end, limit, over := at.Add(time.Second), int64(3), 57.0
	require.Equal(t, []dialects.LogEntry{
		{ID: 1, TaskID: 10, ProcessID: 1, Order: 100, Attempt: 1, Name: "load", SQL: "begin y; end;", Lane: 2, SessionID: 78, StartedAt: at, FinishedAt: &end, Seconds: dialects.Seconds(&at, &end), Outcome: "Failed",
			ErrorNumber: 6512, ErrorMessage: "ORA-06512: at line 1", ErrorUnit: "APP.P", ErrorLine: 3},
		{ID: 2, TaskID: 11, ProcessID: 1, Order: 100, Attempt: 1, SQL: "begin x; end;", Lane: 1, SessionID: 77, EnqueuedAt: &at, Resource: "r", StartedAt: at, Outcome: "Running",
			Timeout: &limit, TaskStatus: "Stopping", Overran: &over},
	}, logs)
	require.Equal(t, map[string]any{"in_process": int64(1), "in_status1": "Failed", "in_limit": int64(2)}, e.Log()[0].In)

	status, err := s.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, dialects.Status{Target: s.Target(), Schema: "APP", Started: true, Policy: dialects.RoundRobin, MaxWorkers: 4, MaxLanes: 16, Workers: 2, Running: 1, Unfinished: 5, Alarms: 3, Now: at}, status)
	id, err := s.FindProcess(t.Context(), "nightly")
	require.NoError(t, err)
	require.EqualValues(t, 9, id)
	empty, err := s.Tasks(t.Context(), dialects.Filter{})
	require.NoError(t, err)
	require.Empty(t, empty)
}

func TestPreflightListsWhatIsMissing(t *testing.T) {
	s, e := script(t, func(c sent) answer {
		if strings.HasPrefix(c.SQL, "select sys_context") {
			return answer{Rows: [][]any{{"PDB1"}}}
		}
		return answer{Number: 20083, Text: "dbsched 20083: rights are missing. Have a DBA run: grant create job to APP; grant execute on sys.dbms_lock to APP;\nORA-06512: at line 90"}
	})
	_, err := s.Install(t.Context(), installOptions)
	var refused *dialects.PreflightError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "grant create job to APP;\ngrant execute on sys.dbms_lock to APP;", refused.Findings[0].Remedy)
	require.Len(t, e.Log(), 2, "nothing else was sent")
}

// freshSchema responds like an empty schema in which everything succeeds.
func freshSchema(c sent) answer {
	switch {
	case strings.HasPrefix(c.SQL, "select sys_context"):
		return answer{Rows: [][]any{{"X"}}}
	case c.SQL == tableExists:
		return answer{Rows: [][]any{{0}}}
	case c.SQL == stoppableQuery():
		return answer{Rows: [][]any{{0, 0}}}
	case strings.HasPrefix(c.SQL, "select"):
		return answer{Rows: [][]any{}}
	case strings.Contains(c.SQL, ":out_result"):
		return answer{Out: map[string]any{"out_result": 0}}
	}
	return answer{}
}

// remembering responds like rest, but remembers the table version that it is given.
func remembering(rest func(sent) answer) func(sent) answer {
	told := false
	rows := [][]any{}
	return func(c sent) answer {
		switch {
		case strings.HasPrefix(c.SQL, "delete from ds_schema_version"):
			told, rows = true, [][]any{}
		case strings.HasPrefix(c.SQL, "insert into ds_schema_version"):
			rows = [][]any{{int(c.In["1"].(int64)), int(c.In["2"].(int64))}}
		case c.SQL == versionQuery(schemaVersion()) && told:
			return answer{Rows: rows}
		}
		return rest(c)
	}
}

func TestInstallSendsEverythingInOrder(t *testing.T) {
	s, e := script(t, remembering(freshSchema))
	report, err := s.Install(t.Context(), installOptions)
	require.NoError(t, err)
	require.Equal(t, 2, report.Lanes)
	require.Equal(t, "0001_tables.up.sql", report.Applied[0])
	src, err := render(dialects.Layout{Schema: "APP", Lanes: 2})
	require.NoError(t, err)
	require.Len(t, report.Applied, len(src.after)+len(src.migrations))
	texts := []string{src.preflight[0].SQL}
	for _, m := range src.migrations {
		texts = append(texts, strings.TrimSpace(m.SQL))
	}
	at := 0
	for _, text := range append(texts, batchTexts(src)...) {
		found := false
		for ; at < len(e.Log()) && !found; at++ {
			found = e.Log()[at].SQL == text
		}
		require.True(t, found, "%.80s", text)
	}
	locks := 0
	for _, c := range e.Log() {
		if c.SQL == requestLock || c.SQL == releaseLock {
			locks++
		}
	}
	require.Equal(t, 2*(1+len(src.migrations)), locks, "the installation's, and golang-migrate's for each migration")
}

func batchTexts(src source) []string {
	var all []string
	for _, b := range src.after {
		all = append(all, b.SQL)
	}
	return all
}

func TestInstallStopsAtWhatDoesNotCompile(t *testing.T) {
	s, e := script(t, func(c sent) answer {
		if c.SQL == unitErrors && c.In["in_name"] == "DS_RUN" && c.In["in_type"] == "PACKAGE BODY" {
			return answer{Rows: [][]any{{12, 7, "PLS-00201: identifier 'X' must be declared"}, {12, 7, "PL/SQL: Statement ignored"}}}
		}
		return freshSchema(c)
	})
	_, err := s.Install(t.Context(), installOptions)
	var partial *dialects.PartialError
	require.ErrorAs(t, err, &partial)
	require.Equal(t, "body run", partial.Failed)
	require.ErrorContains(t, err, "PACKAGE BODY DS_RUN does not compile:\n  line 12, column 7: PLS-00201: identifier 'X' must be declared\n  line 12, column 7: PL/SQL: Statement ignored")
	last := e.Log()[len(e.Log())-1]
	require.Equal(t, releaseLock, last.SQL, "the lock is given back")
	require.Equal(t, unitErrors, e.Log()[len(e.Log())-2].SQL, "nothing came after")
}

func TestInstallWaitsForTheLock(t *testing.T) {
	left := 2
	s, e := script(t, func(c sent) answer {
		if c.SQL == requestLock {
			if left--; left >= 0 {
				return answer{Out: map[string]any{"out_result": 1}}
			}
		}
		return freshSchema(c)
	})
	opts := installOptions
	opts.LockTimeout = 2 * time.Second
	_, err := s.Install(t.Context(), opts)
	require.ErrorAs(t, err, new(*dialects.PreflightError))
	require.ErrorContains(t, err, "did not end within 2s")
	require.Equal(t, requestLock, e.Log()[len(e.Log())-1].SQL)
	left = 1
	_, err = s.Install(t.Context(), opts)
	require.NoError(t, err)
}

func TestBusyLanesAreNamed(t *testing.T) {
	s, _ := script(t, func(sent) answer {
		return answer{Out: map[string]any{"out_lanes": "0 0 0\n1 77 0\n2 78 12\n"}}
	})
	conn, err := s.DB.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	busy, err := s.busyLanes(t.Context(), conn)
	require.NoError(t, err)
	require.Equal(t, []string{"the dispatcher", "lane 1, session 77", "task 12, lane 2, session 78"}, busy)
}
