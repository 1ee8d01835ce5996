package certify

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/bench"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// TestKilledWhileMeasuring: what a program has left that was killed in a bench is removed, and what others have is not.
func TestKilledWhileMeasuring(t *testing.T) {
	for dialect, more := range map[string]struct{ schema, text, remove string }{
		"mssql":  {"dbsched_bench", "CREATE SCHEMA dbsched_bench_seed", "DROP SCHEMA dbsched_bench_seed"},
		"oracle": {"", "create table ahoy_par (n number)", "drop table ahoy_par"},
	} {
		t.Run(dialect, func(t *testing.T) {
			sandboxtest.Run(t, sandbox.Options{Dialect: dialect}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				on := on(t, box)
				e, err := engineOf(on.Dialect)
				require.NoError(t, err)
				p, err := open(t.Context(), on, e)
				require.NoError(t, err)
				defer p.close()
				exec := func(text string) {
					_, err := p.db.ExecContext(t.Context(), text)
					require.NoError(t, err)
				}
				exec(more.text)
				if dialect == "mssql" { // it is somebody's: on Oracle nothing may be there
					exec(e.make)
					left, err := Clean(t.Context(), on)
					require.NoError(t, err)
					require.Empty(t, left)
					require.Error(t, bench.Check(t.Context(), bench.Connect{Dialect: on.Dialect, Target: on.Target}))
				} else {
					exec(more.remove)
					exec(e.make)
					exec(more.text)
				}
				if dialect == "mssql" {
					exec(e.make)
				}
				exec(e.say.table(sign))
				target := on.Target
				target.Schema = more.schema
				s, err := on.Dialect.Open(t.Context(), target)
				require.NoError(t, err)
				defer s.Close()
				_, err = s.Install(t.Context(), dialects.InstallOptions{Lanes: 2})
				require.NoError(t, err)
				require.NoError(t, s.Start(t.Context()))
				_, err = s.Exec(t.Context(), []dialects.NewTask{{SQL: on.Dialect.Sleep(2 * time.Second)}})
				require.NoError(t, err)

				left, err := Clean(t.Context(), on)
				require.NoError(t, err)
				require.Empty(t, left)
				require.NoError(t, bench.Check(t.Context(), bench.Connect{Dialect: on.Dialect, Target: on.Target}))
				require.NoError(t, p.vacant(t.Context()))
			})
		})
	}
}

// TestMeasuring: it ends with its context, and what prevents it is told without names.
func TestMeasuring(t *testing.T) {
	onlyRules(t, "mssql", func(t *testing.T, p *place) {
		t.Helper()
		require.NoError(t, p.make(t.Context()))
		ctx, stop := context.WithCancel(t.Context())
		_, _, err := p.measure(ctx, Options{sizes: bench.Options{Workers: []int{1}, Tasks: 1, PerWorker: 1, Samples: 1}, Step: func(string) { stop() }})
		require.ErrorIs(t, err, context.Canceled)

		for _, text := range []string{"DROP TABLE " + mssqlProbes+".Commits", "CREATE SCHEMA dbsched_bench"} {
			_, err = p.db.ExecContext(t.Context(), text)
			require.NoError(t, err)
		}
		all, why, err := p.measure(t.Context(), Options{Step: func(string) {}})
		require.NoError(t, err)
		require.Len(t, all, 3)
		require.Equal(t, "something with the name of what the benches make is in the way", why)
	})
}

// TestMeasuresAsText: one line for each measure and number of workers, one column for each design.
func TestMeasuresAsText(t *testing.T) {
	r := &Report{NotMeasured: "error 1", Measures: []Measure{
		{Name: "commit to the log", Value: 0.314, Unit: "ms"},
		{Name: "locks of an enqueue", Value: 12},
		{Name: "no-op tasks", Workers: 1, Design: "dbsched", Value: 1234.5, Unit: "/s"},
		{Name: "no-op tasks", Workers: 1, Design: "polling", Value: 12.345, Unit: "/s"},
		{Name: "ramp-up", Workers: 16, Design: "dbsched", Value: 20, Unit: "ms"},
	}}
	require.Contains(t, text(t, r), `
measured                                  dbsched        polling
commit to the log                         0.31 ms
locks of an enqueue                            12
no-op tasks, 1 worker                      1234/s        12.35/s
ramp-up, 16 workers                      20.00 ms
not all was measured: error 1
`)
}
