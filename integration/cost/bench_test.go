// Package cost measures what dbsched's scheduler costs and how fairly it schedules, in units that mean the same on any machine: the
// sandbox counts statements, rows, locks, messages and activations. testdata/results.txt holds the figures; a test fails when one
// of them has changed, or when it misses the target in docs/benchmarks.md. Wall-clock time is never judged.
package cost

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// full lets the tests fill the tables as far as the targets say; without it, slow ones use a tenth.
var full = os.Getenv("DBSCHED_COST_FULL") == "1"

// engine is what the measurements need from a dialect.
type engine struct {
	dialect dialects.Dialect
	box     sandbox.Options
	program string // the DSN option that names the program
	schema  string

	nothing    string // task that does nothing
	enqueueing string // enqueues it in the caller's transaction
	rising     string // enqueues it %d times in a transaction, each time with a higher priority
	holding    string // holds the locks that a claim holds
	// numbers creates a table of the numbers from 1 to 100,000, and more duplicates the rows that were filled from it.
	numbers []string
	// pending, delayed and finished add n tasks to the default process with lower priority than any measured one: half of the
	// pending ones in the first wave and half in later ones.
	pending, delayed, finished string
	rows                       string // name of the table of processes in the sandbox
	schedules                  string // adds n copies of the existing schedules, due two days later

	sessions string // how many sessions the scheduler has
	resting  int64  // how many it has when idle: on Oracle the dispatcher's, blocked in its dequeue
}

func engines() []engine { return []engine{mssqlEngine(), oracleEngine()} }

// each runs a measurement on both engines, configured by with.
func each(t *testing.T, lanes int, measure func(b *bench), with ...func(*sandbox.Options)) {
	t.Helper()
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			for _, set := range with {
				set(&e.box)
			}
			e.run(t, lanes, measure)
		})
	}
}

// onMSSQL runs a measurement on SQL Server only.
func onMSSQL(t *testing.T, lanes int, measure func(b *bench)) {
	t.Helper()
	t.Parallel()
	mssqlEngine().run(t, lanes, measure)
}

// bench is a sandbox with a stopped installation.
type bench struct {
	*testing.T
	engine
	box   *sandbox.Server
	sched dialects.Scheduler
	db    *sql.DB // of the owner
}

// run runs a measurement on a stopped installation; without lanes nothing is installed.
func (e engine) run(t *testing.T, lanes int, measure func(b *bench)) {
	t.Helper()
	o := e.box
	o.Seed = 1
	prepare := sandboxtest.Nothing
	if lanes > 0 {
		prepare = func(t *testing.T, box *sandbox.Server) {
			t.Helper()
			sched, err := e.dialect.Open(t.Context(), dialects.Target{DSN: box.DSN(), Dial: box.Dial, Schema: e.schema})
			require.NoError(t, err)
			_, err = sched.Install(t.Context(), dialects.InstallOptions{Lanes: lanes})
			require.NoError(t, err)
			require.NoError(t, sched.SetWorkers(t.Context(), lanes))
			require.NoError(t, sched.Close())
		}
	}
	sandboxtest.Run(t, o, fmt.Sprint(lanes, " lanes"), prepare, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		b := &bench{T: t, engine: e, box: box}
		var err error
		b.db, err = sandboxtest.Open(e.dialect.Name(), b.dsn(), box.Dial)
		require.NoError(t, err)
		t.Cleanup(func() { _ = b.db.Close() })
		b.sched, err = e.dialect.Open(t.Context(), dialects.Target{DSN: b.dsn(), Dial: box.Dial, Schema: e.schema})
		require.NoError(t, err)
		t.Cleanup(func() { _ = b.sched.Close() })
		measure(b)
	})
}

func (b *bench) dsn() string {
	b.Helper()
	u, err := url.Parse(b.box.DSN())
	require.NoError(b, err)
	q := u.Query()
	q.Set(b.program, "dbsched-cost")
	u.RawQuery = q.Encode()
	return u.String()
}

// exec runs statements as the owner.
func (b *bench) exec(statements ...string) {
	b.Helper()
	for _, text := range statements {
		_, err := b.db.ExecContext(b.Context(), text)
		require.NoError(b, err, text)
	}
}

// number reads one number as the owner.
func (b *bench) number(query string) (n int64) {
	b.Helper()
	require.NoError(b, b.db.QueryRowContext(b.Context(), query).Scan(&n), query)
	return n
}

// pause lets the server's clock run for d.
func (b *bench) pause(d time.Duration) {
	b.Helper()
	_, err := b.db.ExecContext(b.Context(), b.dialect.Sleep(d))
	require.NoError(b, err)
}

// until lets the clock run until a condition holds.
func (b *bench) until(what string, limit time.Duration, holds func() bool) {
	b.Helper()
	for d := time.Duration(0); !holds(); d += limit / 100 {
		require.Less(b, d, limit, what)
		b.pause(limit / 100)
	}
}

func (b *bench) start() {
	b.Helper()
	require.NoError(b, b.sched.Start(b.Context()))
}

func (b *bench) workers(n int) {
	b.Helper()
	require.NoError(b, b.sched.SetWorkers(b.Context(), n))
}

func (b *bench) status() dialects.Status {
	b.Helper()
	s, err := b.sched.Status(b.Context())
	require.NoError(b, err)
	return s
}

// enqueue adds tasks in one transaction.
func (b *bench) enqueue(tasks ...dialects.NewTask) []int64 {
	b.Helper()
	ids, err := b.sched.Exec(b.Context(), tasks)
	require.NoError(b, err)
	return ids
}

// spent is how the counters changed while do ran.
func (b *bench) spent(do func()) sandbox.Counters {
	b.Helper()
	before := b.box.Counters()
	do()
	return minus(b.box.Counters(), before)
}

func minus(a, b sandbox.Counters) sandbox.Counters {
	modes := a.ByMode
	for m := range modes {
		modes[m] -= b.ByMode[m]
	}
	return sandbox.Counters{
		Statements: a.Statements - b.Statements, Queries: a.Queries - b.Queries, RowsSeek: a.RowsSeek - b.RowsSeek, RowsScanned: a.RowsScanned - b.RowsScanned,
		RowsWritten: a.RowsWritten - b.RowsWritten, Locks: a.Locks - b.Locks, LockWaits: a.LockWaits - b.LockWaits,
		Messages: a.Messages - b.Messages, Activations: a.Activations - b.Activations, Transactions: a.Transactions - b.Transactions,
		Flushes: a.Flushes - b.Flushes, LogRecords: a.LogRecords - b.LogRecords,
		ByMode: modes,
	}
}

// shared counts how often a statement locked rows of a table for reading, as far as a worker can wait for it.
func shared(c sandbox.Counters) (n int64) {
	if found := regexp.MustCompile(`\bIS:(\d+)`).FindStringSubmatch(c.ByMode.String()); found != nil {
		n, _ = strconv.ParseInt(found[1], 10, 64) // digits
	}
	return n
}

// read is how many rows were read.
func read(c sandbox.Counters) int64 { return c.RowsSeek + c.RowsScanned }
