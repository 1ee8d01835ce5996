package bench

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/dialects/oracle"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

func TestFigures(t *testing.T) {
	ms := func(all ...int) (out []time.Duration) {
		for _, n := range all {
			out = append(out, time.Duration(n)*time.Millisecond)
		}
		return out
	}
	r := percentiles(Start, ms(5, 1, 4, 2, 3, 6, 9, 8, 7, 10))
	require.Equal(t, []float64{5, 10, 10}, []float64{*r.P50, *r.P95, *r.P99})
	require.Nil(t, percentiles(Start, nil).P50)

	at := func(seconds float64) time.Time { return time.Unix(0, int64(seconds*1e9)) }
	tasks := []timing{{2, at(9), at(10)}, {1, at(1), at(5)}, {1, at(2), at(7)}, {2, at(8.5), at(9)}, {3, at(10), at(11)}}
	require.ElementsMatch(t, ms(1500, 0), gaps(tasks), "of wave 1 to 2, and of 2 to 3")
	require.InDelta(t, 0.5, *throughput(Nothing, ran{at(1), tasks}).PerSecond, 1e-9, "five tasks in ten seconds")
	require.Nil(t, throughput(Nothing, ran{at(11), tasks}).PerSecond, "no time has passed")

	f := func(n float64) *float64 { return &n }
	all := []Result{
		{Measure: Nothing, Design: "dbsched", PerSecond: f(100)}, {Measure: Nothing, Design: "other", PerSecond: f(50)},
		{Measure: Start, Design: "other", P50: f(30)}, {Measure: Start, Design: "dbsched", P50: f(10)},
		{Measure: Wave, Design: "other", P50: f(3)}, {Measure: Wave, Design: "dbsched", P50: f(0)},
	}
	compare(all)
	require.InDelta(t, 2, *all[1].Ratio, 1e-9, "twice the time for each task")
	require.InDelta(t, 3, *all[2].Ratio, 1e-9)
	for _, i := range []int{0, 3, 4, 5} {
		require.Nil(t, all[i].Ratio)
	}
}

// engines are those to measure on, with a query that lists everything that could be left.
var engines = []struct {
	dialect dialects.Dialect
	user    string
	left    string
	stray   []string // something with the same name as what bench creates
	message string
}{
	{
		mssql.Dialect{}, "",
		`SELECT name FROM sys.objects WHERE is_ms_shipped = 0 UNION ALL SELECT name FROM sys.schemas UNION ALL SELECT name FROM sys.database_principals
UNION ALL SELECT name FROM sys.services UNION ALL SELECT name FROM sys.types WHERE is_user_defined = 1 UNION ALL SELECT far_service FROM sys.conversation_endpoints`,
		[]string{"CREATE SCHEMA dbsched_bench_seed"}, "Schema dbsched_bench_seed exists",
	},
	{
		oracle.Dialect{}, "app", "select object_type || ' ' || object_name from user_objects union all select job_name from user_scheduler_jobs",
		[]string{"create table ahoy_par (n number)"}, "Object AHOY_PAR exists in your schema",
	},
}

// onEach gives a test a sandbox of each engine, and a query for its contents.
func onEach(t *testing.T, test func(t *testing.T, c Connect, db func() *sql.DB, stray []string, message string)) {
	t.Helper()
	for _, e := range engines {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			sandboxtest.Run(t, sandbox.Options{Dialect: e.dialect.Name(), User: e.user, Seed: 1}, "empty", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				db := func() *sql.DB {
					db, err := sandboxtest.Open(e.dialect.Name(), box.DSN(), box.Dial)
					require.NoError(t, err)
					return db
				}
				before := contents(t, db(), e.left)
				test(t, Connect{e.dialect, dialects.Target{DSN: box.DSN(), Dial: box.Dial}}, db, e.stray, e.message)
				require.Equal(t, before, contents(t, db(), e.left), "nothing is left")
			})
		})
	}
}

// contents lists what exists, and closes the pool: time stands still while a session does nothing.
func contents(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "select * from ("+query+") x order by 1")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		all = append(all, name)
	}
	require.NoError(t, rows.Err())
	return all
}

// TestRun: every design is measured with every number of workers, dbsched starts tasks sooner than designs that poll, and nothing is left.
func TestRun(t *testing.T) {
	onEach(t, func(t *testing.T, c Connect, _ func() *sql.DB, _ []string, _ string) {
		t.Helper()
		require.NoError(t, Check(t.Context(), c))
		var steps []string
		all, err := Run(t.Context(), c, Options{Workers: []int{1, 3}, Tasks: 20, PerWorker: 2, Samples: 5}, func(line string) { steps = append(steps, line) })
		require.NoError(t, err)
		require.Contains(t, steps, "dbsched, 1 worker: setting up")

		samples := map[string]int{}
		for _, r := range all {
			samples[r.Measure+" "+r.Design] += r.Samples
			if r.Measure == Start && r.Design != "dbsched" {
				require.Greater(t, *r.Ratio, 1.0, "%s polls", r.Design)
			} else if r.Measure == Wave && r.Design == "dbsched" {
				require.Less(t, *r.P99, 10.0, "a wave starts at once")
			}
		}
		for _, d := range map[string][]string{"mssql": {"dbsched", "polling table", "one queue"}, "oracle": {"dbsched", "polling jobs"}}[c.Dialect.Name()] {
			require.Equal(t, 8, samples[Seconds+" "+d])
			require.Equal(t, 40, samples[Nothing+" "+d])
			require.Equal(t, 10, samples[Start+" "+d])
		}
		require.Equal(t, 10, samples[Wave+" dbsched"])
		require.Zero(t, samples[Wave+" polling jobs"], "it has no waves")
	})
}

// TestRunIsInterrupted: it can be interrupted in each design, and removes what it created.
func TestRunIsInterrupted(t *testing.T) {
	onEach(t, func(t *testing.T, c Connect, _ func() *sql.DB, _ []string, _ string) {
		t.Helper()
		e, err := engineOf(c.Dialect)
		require.NoError(t, err)
		for _, d := range e.designs(c) {
			ctx, stop := context.WithCancel(t.Context())
			_, err := Run(ctx, c, Options{Workers: []int{2}, Tasks: 5, PerWorker: 1, Samples: 3}, func(line string) {
				if strings.HasPrefix(line, d.name()+", 2 workers: "+Start+", 2") {
					stop()
				}
			})
			require.ErrorIs(t, err, context.Canceled, d.name())
			require.NoError(t, Check(t.Context(), c), d.name())
		}
	})
}

// TestRemove: what a killed program has left of each design is removed, and nothing is no error.
func TestRemove(t *testing.T) {
	onEach(t, func(t *testing.T, c Connect, _ func() *sql.DB, _ []string, _ string) {
		t.Helper()
		e, err := engineOf(c.Dialect)
		require.NoError(t, err)
		c.Target.Schema = e.schema
		for _, d := range e.designs(c) {
			if d.name() == "polling table" {
				continue // its workers are the program's own sessions
			}
			require.NoError(t, d.up(t.Context(), 2))
			require.Error(t, Check(t.Context(), c), d.name())
			require.NoError(t, Remove(t.Context(), c, Options{}))
			require.NoError(t, Check(t.Context(), c), d.name())
			require.NoError(t, d.down(t.Context()))
		}
		require.NoError(t, Remove(t.Context(), c, Options{Without: []string{"one queue"}}))
	})
}

func TestCheckTellsWhatIsInTheWay(t *testing.T) {
	onEach(t, func(t *testing.T, c Connect, open func() *sql.DB, stray []string, message string) {
		t.Helper()
		db := open()
		defer db.Close()
		for _, text := range stray {
			_, err := db.ExecContext(t.Context(), text)
			require.NoError(t, err)
		}
		err := Check(t.Context(), c)
		var usage *dialects.UsageError
		require.ErrorAs(t, err, &usage)
		require.ErrorContains(t, err, message)
		for _, text := range stray {
			words := strings.Fields(text)
			_, err := db.ExecContext(t.Context(), "drop "+words[1]+" "+words[2])
			require.NoError(t, err)
		}
	})
}
