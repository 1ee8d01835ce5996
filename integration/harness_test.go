package integration

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// setup says how a scenario wants dbsched installed; the zero value is four lanes, all of them workers, started.
type setup struct {
	lanes   int
	workers int // 0: as many as lanes
	stopped bool
	bare    bool   // nothing is installed
	schema  string // default: the dialect's usual one
	box     func(*sandbox.Options)
}

// engine is what a dialect provides to the suite. A field here covers what engines document differently.
type engine struct {
	dialect   dialects.Dialect
	box       sandbox.Options
	newServer func(t *testing.T, box *sandbox.Server, schema string, o sandbox.Options) *server
	say       func(schema string) statements

	parts  func(dialects.Layout) ([]schema.Part, error) // what verify knows of
	wrecks func([]schema.Part) []wreck                  // ways to damage them
	data   func([]schema.Part, wreck) map[string]string // query by table: rows that are kept

	schema  string   // where dbsched is installed unless a scenario chooses
	odd     []string // schema names that need quoting
	refused []string // schema names that are invalid

	errors int // what dbsched adds to its own error numbers
	// soon is how long a task may take to start when a worker has to be started for it, and restart how long after
	// Start, when what starts workers has to be started first.
	soon, restart time.Duration
	// replaced is how long a task may take to start that was given to a worker killed while waiting.
	replaced time.Duration
	// freed is how long a task may take to start that waits for a lane whose task is cancelled.
	freed time.Duration
	// keepsLanes says that an installation with fewer lanes than exist is refused.
	keepsLanes bool
	// autonomous says that a procedure that does not join a caller's transaction runs in its own; elsewhere it is refused inside one.
	autonomous bool
	// sweepRows and sweepStatements are what a minute without work costs: one sweep, with 16 lanes and no history
	// but two tasks.
	sweepRows, sweepStatements int64
	// crashStep is how many statements lie between two crashes of TestScheduleCrash, counting T-SQL ones that only set and decide. Every
	// statement is one with DBSCHED_EVERY_CRASH.
	crashStep int
	// seesUncommitted says that uncommitted tasks of a process are known.
	seesUncommitted bool
}

// engines returns the dialects that every scenario runs on: with DBSCHED_TEST_DIALECT only that one.
func engines() []engine {
	only := os.Getenv("DBSCHED_TEST_DIALECT")
	return slices.DeleteFunc([]engine{mssqlEngine(), oracleEngine()}, func(e engine) bool { return only != "" && e.dialect.Name() != only })
}

// errorNumber is the number of one of dbsched's own errors, as the documentation lists them without the dialect's part.
func (e engine) errorNumber(n int) int { return e.errors + n }

// errorText is that number as texts show it.
func (e engine) errorText(n int) string { return strconv.Itoa(e.errorNumber(n)) }

// statements is a dialect's SQL for what scenarios do beyond dialects.Scheduler.
type statements struct {
	// ask runs a statement that returns one value, in the transaction if there is one. Those statements are marked
	// "ask" here: how they return it is up to the dialect.
	ask func(ctx context.Context, c conn, text string) (string, error)
	// isolate sets a transaction's isolation level, where the driver cannot.
	isolate map[sql.IsolationLevel]string

	now        string                            // query: the server's time, UTC
	nothing    string                            // task that does nothing
	pause      func(d time.Duration) string      // statement that takes d and nothing else
	wait       func(process int64, s int) string // statement or task: WaitProcess
	waitResult func(process int64, s int) string // ask: WaitProcess; 2 for timeout

	enqueue       func(process int64, order int, task string) string // statement that joins the caller's transaction
	enqueueReturn func(process int64, order int, task string) string // ask: enqueue; the new task's id
	savepoint     string
	rollbackTo    string
	createProcess func(name string, suspended bool) string // ask: the new process's id
	release       func(process int64) string
	close         func(process int64) string
	worker        func(waitSeconds int) string // statement or task that makes the calling session a worker
	kill          func(session int) string     // statement of an administrator
	mayKill       []string                     // statements of an administrator: dbsched may end the sessions of its workers
	sweep         string
	setWorkers    func(n int) string // statement
	noDispatcher  string             // statement: the dispatcher does not run any more
	older         string             // statement: the installed code is not what it should be, but works

	marks      []string                            // statements that create a table that everybody may insert into
	mark       func(n int) string                  // task that inserts n into it
	marked     func(n int, d time.Duration) string // task that inserts n into it and commits after d
	markRead   string                              // query: its rows in order of insertion
	markDelete string

	acquire         func(name, access string, timeout, lease int) string // ask: the request's number, or "timeout"; lease 0: none
	releaseResource func(request int64) string
	holding         func(name string, d time.Duration) string // task that acquires a resource and takes d, and does not release it

	purge       func(days int) string              // statement: delete what ended days ago
	options     func(values map[string]int) string // statement: set options by name
	nextSweep   string                             // query: seconds until the next sweep
	optionsRead string                             // query: one row of them: linger, sweep, retention, retry delay, orphans, tasks per user, timeout

	roundFirings string             // query: how many firings of rounds there are
	deleteAlarms string             // statement of the owner
	manyAlarms   func(n int) string // statement of the owner: there are n more

	all     func(object string) string     // query: the rows of a view or table, whose name is written with underscores
	passing func(e edge, value int) string // statement: passes a value, or a text of that length, and what else is required

	inList func(e edge, value int) string // statement: enqueues a task with that value among others of a list

	dispatch    string // statement of the owner: dispatches what is due, as the dispatcher does
	unknownZone string // statement: every schedule is in a time zone that the server does not know
	copied      string // statement: the settings are another database's
	renamed     string // statement: … of another name

	outage      sandbox.Site // in which the server can begin no task
	outageError string       // part of the error

	loseSettings, loseProcesses, loseIndex string   // statements that damage an installation; no task needs the index
	violate                                []string // statements: without its constraint, a table gets a row against it
	comply                                 string   // statement: the row goes

	jobs *jobStatements // for the server's own job scheduler, whose jobs rounds can start

	early        string                       // task that fails until late has run
	late         string                       // statement
	fails        func(d time.Duration) string // task that fails after d
	failsWith    func(text string) string     // task that fails with the given text
	longestError int                          // characters of the longest error text that the engine passes on
	// stubborn is a task that runs for d, whatever short of mayKill is done to end it, and then fails or not.
	stubborn func(d time.Duration, fails bool) string

	alarms    string   // query: what a person should look at
	inventory []string // queries: everything in a database

	enqueueing

	failing  []failing // tasks that fail, and how the log shows it
	refusals []refusal // calls that are refused
}

// failing is a task that fails.
type failing struct {
	name, sql string
	number    int
	message   string // part of it
	unit      string // part of the procedure's name; empty: the task's own text
	line      int
}

// refusal is a call that must fail with a number, and write nothing.
type refusal struct {
	name, sql string
	number    int
	text      string // part of the message
	joins     bool   // may be called in a transaction, which it does not harm
}

// harness is an installation that a scenario drives.
type harness struct {
	*testing.T
	engine
	say       statements
	server    *server
	schema    string
	sched     dialects.Scheduler
	clock     *sql.Conn // waits on the server while a scenario lets time pass
	stopClock func()
	mayFail   bool // the dispatcher may fail
}

// each runs a scenario on every dialect.
func each(t *testing.T, s setup, scenario func(h *harness)) {
	t.Helper()
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			e.run(t, s, scenario)
		})
	}
}

// run runs a scenario: in virtual time on a sandbox that has an installation already, or on a real server.
func (e engine) run(t *testing.T, s setup, scenario func(h *harness)) {
	t.Helper()
	s = s.complete(e)
	if realDSN(t, e.dialect.Name()) != "" {
		scenario(newHarness(t, e, s, nil))
		return
	}
	name, prepare := "bare", sandboxtest.Nothing
	if !s.bare {
		name, prepare = fmt.Sprintf("%s, %d lanes, %d workers", s.schema, s.lanes, s.workers), func(t *testing.T, box *sandbox.Server) {
			t.Helper()
			sched, err := e.dialect.Open(t.Context(), dialects.Target{Dial: box.Dial, DSN: box.DSN(), Schema: s.schema})
			require.NoError(t, err)
			s.install(t, sched)
			require.NoError(t, sched.Close())
		}
	}
	o := e.options(t, s)
	o.Seed += furtherSeeds(t)
	o.Cover = o.Cover || costs.watched(t.Name())
	sandboxtest.Run(t, o, name, prepare, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		costs.watch(t, e.dialect.Name(), box)
		scenario(newHarness(t, e, s, box))
	})
}

// complete sets what a scenario leaves open.
func (s setup) complete(e engine) setup {
	if s.lanes == 0 {
		s.lanes = 4
	}
	if s.workers == 0 {
		s.workers = s.lanes
	}
	if s.schema == "" {
		s.schema = e.schema
	}
	if s.box == nil {
		s.box = func(*sandbox.Options) {}
	}
	return s
}

// install installs what a scenario wants.
func (s setup) install(t *testing.T, sched dialects.Scheduler) {
	t.Helper()
	_, err := sched.Install(t.Context(), dialects.InstallOptions{Lanes: s.lanes})
	require.NoError(t, err)
	require.NoError(t, sched.SetWorkers(t.Context(), s.workers))
}

// options are those of the sandbox that a scenario wants, or what a real server is to be like.
func (e engine) options(t *testing.T, s setup) sandbox.Options {
	t.Helper()
	o := e.box
	o.Seed = 1
	if o.Dialect == "mssql" {
		lockedLate(&o)
	} else {
		o.User = s.schema
	}
	s.box(&o)
	return o
}

// newHarness connects to a sandbox, or to the real server if there is none.
func newHarness(t *testing.T, e engine, s setup, box *sandbox.Server) *harness {
	t.Helper()
	h := &harness{T: t, engine: e, server: e.newServer(t, box, s.schema, e.options(t, s))}
	h.schema = h.server.schema
	h.say = e.say(h.schema)
	if box != nil {
		h.Cleanup(h.requireHints)
	}
	h.startClock()
	h.sched = h.open(h.schema)
	h.watchDispatcher()
	if s.bare {
		return h
	}
	if box == nil {
		s.install(t, h.sched)
	}
	if !s.stopped {
		require.NoError(h, h.sched.Start(h.Context()))
		if h.restart > h.soon {
			h.pause(h.restart - h.soon) // from now on a task's start can be measured
		}
	}
	return h
}

// open opens dbsched in a schema.
func (h *harness) open(schema string) dialects.Scheduler { return h.openWith(schema, nil) }

// next opens a future version of the program, which adds to the tables.
func (h *harness) next() dialects.Scheduler {
	h.Helper()
	return h.openWith(h.schema, h.later())
}

// later are the migrations of a future version.
func (h *harness) later() fs.FS { return os.DirFS("testdata/later/" + h.dialect.Name()) }

func (h *harness) openWith(schema string, later fs.FS) dialects.Scheduler {
	h.Helper()
	return h.openAs(dialects.Target{Schema: schema, Later: later})
}

// openAs opens a scheduler as a target says.
func (h *harness) openAs(target dialects.Target) dialects.Scheduler {
	h.Helper()
	if target.DSN = h.server.dsnAs("dbsched-test"); target.Dial == nil {
		target.Dial = h.server.dial()
	}
	sched, err := h.dialect.Open(h.Context(), target)
	require.NoError(h, err)
	h.Cleanup(func() { _ = sched.Close() })
	return sched
}

// beside opens another schema on the same server, empty.
func (h *harness) beside(schema string) *harness {
	h.Helper()
	other := *h
	own := *h.server
	own.dsn, own.schema = h.server.beside(schema)
	other.server, other.schema, other.say = &own, own.schema, h.engine.say(own.schema)
	other.sched = other.open(own.schema)
	return &other
}

// startClock opens the session that waits.
func (h *harness) startClock() {
	h.Helper()
	db := h.server.open("dbsched-test")
	h.clock = h.connect(db)
	h.stopClock = func() {
		require.NoError(h, h.clock.Close())
		require.NoError(h, db.Close())
	}
}

func (h *harness) connect(db *sql.DB) *sql.Conn {
	h.Helper()
	conn, err := db.Conn(h.Context())
	require.NoError(h, err)
	return conn
}

// pause lets the server's clock run for d.
func (h *harness) pause(d time.Duration) {
	h.Helper()
	const longest = time.Hour // limit of Oracle's DBMS_SESSION.SLEEP
	for ; d > 0; d -= longest {
		_, err := h.clock.ExecContext(h.Context(), h.say.pause(min(d, longest)))
		require.NoError(h, err)
	}
}

// now is the server's time.
func (h *harness) now() time.Time {
	h.Helper()
	var t time.Time
	require.NoError(h, h.clock.QueryRowContext(h.Context(), h.say.now).Scan(&t))
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// until waits on the server's clock until cond holds.
func (h *harness) until(limit time.Duration, what string, cond func() bool) {
	h.Helper()
	for end := h.now().Add(limit); !cond(); {
		if h.now().After(end) {
			require.Fail(h, "this did not come within "+limit.String()+": "+what, "%s", h.report())
		}
		h.pause(100 * time.Millisecond)
	}
}

// waitFor waits on the server until a process has nothing left to do.
func (h *harness) waitFor(process int64, limit time.Duration) {
	h.Helper()
	result, err := h.say.ask(h.Context(), h.clock, h.say.waitResult(process, int(limit/time.Second)))
	require.NoError(h, err)
	require.NotEqual(h, "2", result, "process %d has not ended within %v: %s", process, limit, h.report())
}

// drain waits until the default process has nothing left to do.
func (h *harness) drain(limit time.Duration) {
	h.Helper()
	h.waitFor(defaultProcess, limit)
}

const defaultProcess = 1

// report is what a person wants to see of a failed scenario. It is read only when shown.
func (h *harness) report() fmt.Stringer { return report{h} }

type report struct{ *harness }

// String implements fmt.Stringer.
func (h report) String() string {
	ctx := context.WithoutCancel(h.Context())
	var out string
	status, err := h.sched.Status(ctx)
	out += fmt.Sprintf("\n%+v %v", status, err)
	processes, _ := h.sched.Processes(ctx, dialects.Filter{})
	for _, p := range processes {
		out += fmt.Sprintf("\nprocess %d %s: %d unfinished, %d running", p.ID, p.Status, p.Unfinished, p.Running)
	}
	tasks, _ := h.sched.Tasks(ctx, dialects.Filter{})
	for _, t := range tasks {
		out += fmt.Sprintf("\ntask %d of %d, order %d, %s %s, attempt %d: %s", t.ID, t.ProcessID, t.Order, t.Status, t.Reason, t.Attempt, firstLine(t.SQL))
	}
	logs, _ := h.sched.Logs(ctx, dialects.Filter{})
	for _, l := range logs {
		out += fmt.Sprintf("\nlog %d: task %d order %d lane %d %s - %s %s %d %s %s line %d", l.ID, l.TaskID, l.Order, l.Lane, l.StartedAt.Format("15:04:05.000"),
			shortTime(l.FinishedAt), l.Outcome, l.ErrorNumber, l.ErrorMessage, l.ErrorUnit, l.ErrorLine)
	}
	if lanes, _ := h.sched.Lanes(ctx); lanes != nil {
		out += fmt.Sprintf("\nlanes %+v", lanes)
	}
	return out
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line[:min(len(line), 80)]
}

func shortTime(t *time.Time) string {
	if t == nil {
		return "?"
	}
	return t.Format("15:04:05.000")
}

// exec enqueues tasks in one transaction.
func (h *harness) exec(tasks ...dialects.NewTask) []int64 {
	h.Helper()
	ids, err := h.sched.Exec(h.Context(), tasks)
	require.NoError(h, err)
	return ids
}

// process creates a process.
func (h *harness) process(p dialects.NewProcess) int64 {
	h.Helper()
	id, err := h.sched.CreateProcess(h.Context(), p)
	require.NoError(h, err)
	return id
}

func (h *harness) task(order int, sql string) dialects.NewTask {
	return dialects.NewTask{SQL: sql, Order: order}
}

func (h *harness) sleep(order int, d time.Duration) dialects.NewTask {
	return h.task(order, h.dialect.Sleep(d))
}

// logs reads all attempts in order of start.
func (h *harness) logs() []dialects.LogEntry {
	h.Helper()
	logs, err := h.sched.Logs(h.Context(), dialects.Filter{})
	require.NoError(h, err)
	for _, l := range logs { // the number in a text of dbsched's own is that of the error, or 50000
		if m := ownText.FindStringSubmatch(l.ErrorMessage); m != nil && l.ErrorNumber != 50000 {
			require.Equal(h, m[1], strconv.Itoa(l.ErrorNumber), l.ErrorMessage)
		}
	}
	return logs
}

var ownText = regexp.MustCompile(`^(?:ORA-\d+: )?dbsched (\d{5}): `)

// logsOf reads the attempts of one task.
func (h *harness) logsOf(task int64) []dialects.LogEntry {
	h.Helper()
	return slices.DeleteFunc(h.logs(), func(l dialects.LogEntry) bool { return l.TaskID != task })
}

func (h *harness) tasks() []dialects.Task {
	h.Helper()
	tasks, err := h.sched.Tasks(h.Context(), dialects.Filter{})
	require.NoError(h, err)
	return tasks
}

// statusOf is the state of one task.
func (h *harness) statusOf(task int64) string {
	h.Helper()
	for _, t := range h.tasks() {
		if t.ID == task {
			return t.Status
		}
	}
	require.Fail(h, "there is no such task", "%d", task)
	return ""
}

// processOf reads one process.
func (h *harness) processOf(id int64) dialects.Process {
	h.Helper()
	list, err := h.sched.Processes(h.Context(), dialects.Filter{ProcessID: id})
	require.NoError(h, err)
	require.Len(h, list, 1)
	return list[0]
}

func (h *harness) status() dialects.Status {
	h.Helper()
	s, err := h.sched.Status(h.Context())
	require.NoError(h, err)
	return s
}

// running counts the tasks that run now.
func (h *harness) running() int {
	h.Helper()
	return int(h.status().Running)
}

// untilRunning waits until exactly n tasks run.
func (h *harness) untilRunning(n int, limit time.Duration) {
	h.Helper()
	h.until(limit, fmt.Sprintf("%d tasks running", n), func() bool { return h.running() == n })
}

// slack is how much later than at once something may happen.
const slack = time.Second

// startsWithin asserts that a task's first attempt began within d of a moment. It waits on the server, where a slow
// machine does not count.
func (h *harness) startsWithin(task int64, since time.Time, d time.Duration) {
	h.Helper()
	logs := h.logsOf(task)
	if len(logs) == 0 {
		h.pause(d)
		logs = h.logsOf(task)
	}
	require.NotEmpty(h, logs, "task %d does not start: %s", task, h.report())
	require.LessOrEqual(h, logs[0].StartedAt.Sub(since), d, "task %d started late", task)
}

// overlap is the greatest number of attempts that ran at the same moment.
func overlap(logs []dialects.LogEntry) int {
	most := 0
	for _, a := range logs {
		n := 0
		for _, b := range logs {
			if !b.StartedAt.After(a.StartedAt) && (b.FinishedAt == nil || b.FinishedAt.After(a.StartedAt)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// requireWaves asserts that every attempt of a process started after all of lower orders had ended.
func (h *harness) requireWaves(logs []dialects.LogEntry) {
	h.Helper()
	for _, a := range logs {
		for _, b := range logs {
			if a.ProcessID == b.ProcessID && a.Order > b.Order {
				require.NotNil(h, b.FinishedAt)
				require.False(h, a.StartedAt.Before(*b.FinishedAt), "task %d (order %d) started at %s, task %d (order %d) ended at %s",
					a.TaskID, a.Order, shortTime(&a.StartedAt), b.TaskID, b.Order, shortTime(b.FinishedAt))
			}
		}
	}
}

// sorted visits a map in the order of its keys: a scenario does the same every time.
func sorted[K cmp.Ordered, V any](m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
