package oracle

import (
	"context"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox/sqlerr"
	"github.com/dbsched/dbsched/sandbox/tns"
	"github.com/dbsched/dbsched/sandbox/value"
)

// scripted is a server that speaks Oracle's protocol and knows no SQL: a test says what it
// answers. What goes over the wire is the real driver's.
type scripted struct {
	answer func(sent) answer

	mu  sync.Mutex
	log []sent
}

// sent is one request.
type sent struct {
	sql  string // or commit, rollback
	in   map[string]any
	auto bool // the driver asked to commit
}

// answer is what a statement ends with.
type answer struct {
	out   map[string]any
	rows  [][]any
	err   *sqlerr.Error
	stuck bool // until it is cancelled
}

func (e *scripted) Banner() tns.Banner {
	return tns.Banner{Product: "scripted", Release: [5]uint8{19}, DBName: "X"}
}
func (e *scripted) Serves(string) bool                 { return true }
func (e *scripted) Verifier(user string) *tns.Verifier { return verifier() }
func (e *scripted) Login(context.Context, tns.Login) (tns.Session, error) {
	return scriptedSession{e}, nil
}

var verifier = sync.OnceValue(func() *tns.Verifier { return tns.NewVerifier11g("hush") })

type scriptedSession struct{ *scripted }

func (scriptedSession) Environment() tns.Environment {
	return tns.Environment{SID: 1, Serial: 2, Language: "AMERICAN", Territory: "AMERICA"}
}
func (scriptedSession) Cancel() {}
func (scriptedSession) Close()  {}

// Do logs a request and answers it.
func (s scriptedSession) Do(req tns.Request, w *tns.ResponseWriter) {
	switch r := req.(type) {
	case *tns.Commit:
		s.record(sent{sql: "commit"})
	case *tns.Rollback:
		s.record(sent{sql: "rollback"})
	case *tns.Fetch:
		for _, row := range r.Result.State.([]value.Row) {
			_ = w.Row(row)
		}
		w.EndOfData()
	case *tns.Execute:
		if strings.HasPrefix(r.Statement.SQL, "ALTER SESSION SET NLS_LANGUAGE") {
			return // of connecting
		}
		if r.Statement.SQL == "SELECT SYSTIMESTAMP FROM DUAL" {
			respond(w, answer{rows: [][]any{{time.Unix(0, 0)}}}, nil)
			return
		}
		c, names := decode(r)
		respond(w, s.record(c), names)
	}
}

func (e *scripted) record(c sent) answer {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.log = append(e.log, c)
	if e.answer == nil {
		return answer{}
	}
	return e.answer(c)
}

var placeholder = regexp.MustCompile(`:([a-z0-9]\w*)`)

func decode(r *tns.Execute) (sent, []string) {
	c := sent{sql: r.Statement.SQL, in: map[string]any{}, auto: r.AutoCommit}
	var names []string
	for i := range r.Binds {
		name := placeholder.FindAllStringSubmatch(c.sql, -1)[i][1]
		names = append(names, name)
		v := r.Iterations[0][i]
		switch {
		case strings.HasPrefix(name, "out_"):
		case r.Binds[i].Type.ID == tns.Number:
			c.in[name] = v.Int64()
		case r.Binds[i].Type.ID == tns.TimestampTZ:
			c.in[name] = time.Unix(v.N/1e7-62_135_596_800, v.N%1e7*100).UTC()
		default:
			c.in[name] = v.Str()
		}
		if r.Binds[i].Type.ID == tns.CLOB {
			c.in["clob"] = name
		}
	}
	return c, names
}

func respond(w *tns.ResponseWriter, a answer, names []string) {
	switch {
	case a.stuck:
		<-w.Context().Done()
	case a.err != nil:
		w.Error(a.err)
	case a.rows != nil:
		var list []value.Row
		for _, row := range a.rows {
			var values value.Row
			for _, v := range row {
				values = append(values, encode(v))
			}
			list = append(list, values)
		}
		set := &tns.ResultSet{State: list}
		for i := range max(1, len(append(a.rows, nil)[0])) {
			set.Columns = append(set.Columns, tns.Column{Name: "C", Nullable: true, Type: columnType(a.rows, i)})
		}
		_ = w.Query(set)
	case len(names) > 0:
		use, values := make([]tns.Direction, len(names)), make(value.Row, len(names))
		for i, name := range names {
			use[i] = tns.DirIn
			if strings.HasPrefix(name, "out_") {
				use[i], values[i] = tns.DirOut, encode(a.out[name])
			}
		}
		if strings.Contains(strings.Join(names, " "), "out_") {
			_ = w.Out(use, values)
		}
	}
}

func encode(v any) value.Value {
	switch v := v.(type) {
	case int:
		return value.NewInt(int64(v))
	case string:
		return value.NewString(v)
	case time.Time:
		return value.NewTime((v.Unix()+62_135_596_800)*1e7+int64(v.Nanosecond())/100, 0)
	}
	return value.Value{}
}

func columnType(rows [][]any, i int) tns.Type {
	for _, row := range rows {
		switch row[i].(type) {
		case int:
			return tns.Type{ID: tns.Number, Scale: -127}
		case time.Time:
			return tns.Type{ID: tns.TimestampTZ, Scale: 6}
		case string:
			return tns.Type{ID: tns.Varchar2, Length: 4000}
		}
	}
	return tns.Type{ID: tns.Varchar2, Length: 4000}
}

// script serves answers for the time of a test, and connects to them.
func script(t *testing.T, answers func(sent) answer) (*scheduler, *scripted) {
	t.Helper()
	e := &scripted{answer: answers}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tns.Serve(ctx, listener, e, tns.Options{}) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return open(t, "oracle://app:hush@"+listener.Addr().String()+"/x"), e
}

// texts are the first words of all that was sent.
func (e *scripted) texts() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []string
	for _, c := range e.log {
		text := strings.TrimPrefix(strings.Fields(strings.ReplaceAll(c.sql, "(", " "))[0], "begin")
		if strings.HasPrefix(c.sql, "begin ") {
			text = strings.Fields(strings.NewReplacer("(", " ", ";", " ").Replace(c.sql))[1]
		}
		all = append(all, text)
	}
	return all
}

func TestExecIsOneTransaction(t *testing.T) {
	s, e := script(t, func(sent) answer { return answer{out: map[string]any{"out_task_id": 101}} })
	at := time.Date(2026, 11, 20, 23, 0, 0, 125e6, time.FixedZone("", 3600))
	ids, err := s.Exec(t.Context(), []dialects.NewTask{{
		SQL: "begin null; end;", Order: -1, ProcessID: 3, MaxAttempts: 2, RetryDelay: time.Minute, NotBefore: at, DedupKey: "k", Parameters: `{"a": 1}`, Transactional: true,
	}})
	require.NoError(t, err)
	require.Equal(t, []int64{101}, ids)
	require.Equal(t, []string{"dbsched.exec_async", "commit"}, e.texts())
	require.Equal(t, map[string]any{"in_sql": "begin null; end;", "in_execution_order": int64(-1), "in_process_id": int64(3), "in_max_attempts": int64(2),
		"in_retry_delay_seconds": int64(60), "in_not_before": at.UTC(), "in_dedup_key": "k", "in_parameters": `{"a": 1}`}, e.log[0].in)
	require.Contains(t, e.log[0].sql, "in_transactional => true")
	require.False(t, e.log[0].auto)

	long := strings.Repeat("x", 40_000) + "é"
	_, err = s.Exec(t.Context(), []dialects.NewTask{{SQL: long, Order: 2}})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"in_sql": long, "in_execution_order": int64(2), "clob": "in_sql"}, e.log[2].in)
}

func TestManyTasksAreOneCall(t *testing.T) {
	answers := []string{"[" + strings.Repeat("7,", maxBatch-1) + "7]", "[9]"}
	s, e := script(t, func(c sent) answer {
		if c.sql == "commit" {
			return answer{}
		}
		a := answers[0]
		answers = answers[1:]
		return answer{out: map[string]any{"out_task_ids": a}}
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
		"dedup_key": "k", "parameters": {"a": 1}}]`, e.log[1].in["in_tasks"].(string))
}

func TestRefusedExecRollsBack(t *testing.T) {
	s, e := script(t, func(c sent) answer {
		if strings.Contains(c.sql, "exec_async_batch") {
			return answer{err: sqlerr.New(20004, "dbsched 20004: task 2: there is no process 9.")}
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
		return answer{out: map[string]any{"out_result": map[bool]int{true: 2, false: 0}[left >= 0], "out_status": "Open"}}
	})
	finished, err := s.WaitProcess(t.Context(), 7, 12*time.Second)
	require.NoError(t, err)
	require.True(t, finished)
	require.Len(t, e.log, 3)
	require.Equal(t, map[string]any{"in_process_id": int64(7), "in_timeout_seconds": int64(5)}, e.log[0].in)
	require.Equal(t, int64(2), e.log[2].in["in_timeout_seconds"])

	left = 99
	finished, err = s.WaitProcess(t.Context(), 7, 6*time.Second)
	require.NoError(t, err)
	require.False(t, finished)
	require.Len(t, e.log, 5)
}

func TestCancelledCallLeavesTheSessionUsable(t *testing.T) {
	s, e := script(t, func(c sent) answer { return answer{stuck: strings.Contains(c.sql, "start_scheduler")} })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Start(ctx), context.DeadlineExceeded)
	require.NoError(t, s.SetPolicy(t.Context(), dialects.Fifo))
	require.Equal(t, []string{"dbsched.start_scheduler", "dbsched.set_policy"}, e.texts())
	require.True(t, e.log[1].auto, "a call of its own commits")
}

func TestListsReadNulls(t *testing.T) {
	at := time.Date(2026, 11, 20, 22, 0, 0, 1e6, time.UTC)
	s, e := script(t, func(c sent) answer {
		switch {
		case strings.Contains(c.sql, "ds_log_info"):
			return answer{rows: [][]any{
				{2, 11, 1, 100, 1, "begin x; end;", 1, 77, at, at, nil, "Running", 0, nil, nil, 0},
				{1, 10, 1, 100, 1, "begin y; end;", 2, 78, nil, at, at.Add(time.Second), "Failed", 6512, "ORA-06512: at line 1", "APP.P", 3},
			}}
		case strings.Contains(c.sql, "ds_scheduler_info"):
			return answer{rows: [][]any{{nil, "Y", nil, "RoundRobin", 4, 16, 2, 1, 5, 3, nil, at}}}
		case strings.Contains(c.sql, "or v.name"):
			return answer{rows: [][]any{{9}, {8}}}
		}
		return answer{rows: [][]any{}}
	})
	logs, err := s.Logs(t.Context(), dialects.Filter{ProcessID: 1, Statuses: []string{"Failed"}, Limit: 2})
	require.NoError(t, err)
	end := at.Add(time.Second)
	require.Equal(t, []dialects.LogEntry{
		{ID: 1, TaskID: 10, ProcessID: 1, Order: 100, Attempt: 1, SQL: "begin y; end;", Lane: 2, SessionID: 78, StartedAt: at, FinishedAt: &end, Seconds: dialects.Seconds(&at, &end), Outcome: "Failed",
			ErrorNumber: 6512, ErrorMessage: "ORA-06512: at line 1", ErrorUnit: "APP.P", ErrorLine: 3},
		{ID: 2, TaskID: 11, ProcessID: 1, Order: 100, Attempt: 1, SQL: "begin x; end;", Lane: 1, SessionID: 77, EnqueuedAt: &at, StartedAt: at, Outcome: "Running"},
	}, logs)
	require.Equal(t, map[string]any{"in_process": int64(1), "in_status1": "Failed", "in_limit": int64(2)}, e.log[0].in)

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
		if strings.HasPrefix(c.sql, "select sys_context") {
			return answer{rows: [][]any{{"PDB1"}}}
		}
		return answer{err: sqlerr.New(20083, "dbsched 20083: rights are missing. Have a DBA run: grant create job to APP; grant execute on sys.dbms_lock to APP;\nORA-06512: at line 90")}
	})
	_, err := s.Install(t.Context(), installOptions)
	var refused *dialects.PreflightError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "grant create job to APP;\ngrant execute on sys.dbms_lock to APP;", refused.Findings[0].Remedy)
	require.Len(t, e.log, 2, "nothing else was sent")
}

// freshSchema answers as an empty schema in which everything succeeds.
func freshSchema(c sent) answer {
	switch {
	case strings.HasPrefix(c.sql, "select sys_context"):
		return answer{rows: [][]any{{"X"}}}
	case c.sql == tableExists:
		return answer{rows: [][]any{{0}}}
	case c.sql == stoppableQuery():
		return answer{rows: [][]any{{0, 0}}}
	case strings.HasPrefix(c.sql, "select"):
		return answer{rows: [][]any{}}
	case strings.Contains(c.sql, ":out_result"):
		return answer{out: map[string]any{"out_result": 0}}
	}
	return answer{}
}

// remembering answers as rest does, but remembers which version of the tables it is told.
func remembering(rest func(sent) answer) func(sent) answer {
	told := false
	rows := [][]any{}
	return func(c sent) answer {
		switch {
		case strings.HasPrefix(c.sql, "delete from ds_schema_version"):
			told, rows = true, [][]any{}
		case strings.HasPrefix(c.sql, "insert into ds_schema_version"):
			rows = [][]any{{int(c.in["1"].(int64)), int(c.in["2"].(int64))}}
		case c.sql == versionQuery(schemaVersion()) && told:
			return answer{rows: rows}
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
		for ; at < len(e.log) && !found; at++ {
			found = e.log[at].sql == text
		}
		require.True(t, found, "%.80s", text)
	}
	locks := 0
	for _, c := range e.log {
		if c.sql == requestLock || c.sql == releaseLock {
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
		if c.sql == unitErrors && c.in["in_name"] == "DS_RUN" && c.in["in_type"] == "PACKAGE BODY" {
			return answer{rows: [][]any{{12, 7, "PLS-00201: identifier 'X' must be declared"}, {12, 7, "PL/SQL: Statement ignored"}}}
		}
		return freshSchema(c)
	})
	_, err := s.Install(t.Context(), installOptions)
	var partial *dialects.PartialError
	require.ErrorAs(t, err, &partial)
	require.Equal(t, "31_body_run", partial.Failed)
	require.ErrorContains(t, err, "PACKAGE BODY DS_RUN does not compile:\n  line 12, column 7: PLS-00201: identifier 'X' must be declared\n  line 12, column 7: PL/SQL: Statement ignored")
	last := e.log[len(e.log)-1]
	require.Equal(t, releaseLock, last.sql, "the lock is given back")
	require.Equal(t, unitErrors, e.log[len(e.log)-2].sql, "nothing came after")
}

func TestInstallWaitsForTheLock(t *testing.T) {
	left := 2
	s, e := script(t, func(c sent) answer {
		if c.sql == requestLock {
			if left--; left >= 0 {
				return answer{out: map[string]any{"out_result": 1}}
			}
		}
		return freshSchema(c)
	})
	opts := installOptions
	opts.LockTimeout = 2 * time.Second
	_, err := s.Install(t.Context(), opts)
	require.ErrorAs(t, err, new(*dialects.PreflightError))
	require.ErrorContains(t, err, "did not end within 2s")
	require.Equal(t, requestLock, e.log[len(e.log)-1].sql)
	left = 1
	_, err = s.Install(t.Context(), opts)
	require.NoError(t, err)
}

func TestBusyLanesAreNamed(t *testing.T) {
	s, _ := script(t, func(sent) answer {
		return answer{out: map[string]any{"out_lanes": "0 0 0\n1 77 0\n2 78 12\n"}}
	})
	conn, err := s.db.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	busy, err := s.busyLanes(t.Context(), conn)
	require.NoError(t, err)
	require.Equal(t, []string{"the dispatcher", "lane 1, session 77", "task 12, lane 2, session 78"}, busy)
}
