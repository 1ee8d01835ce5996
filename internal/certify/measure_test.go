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

// TestKilledWhileMeasuring: what a program has left that was killed in a bench is removed.
func TestKilledWhileMeasuring(t *testing.T) {
	for dialect, more := range map[string]struct{ schema, text string }{
		"mssql":  {"dbsched_bench", "CREATE SCHEMA dbsched_bench_seed"},
		"oracle": {"", "create table ahoy_par (n number)"},
	} {
		t.Run(dialect, func(t *testing.T) {
			sandboxtest.Run(t, lying(dialect), "permitted", permit, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				p := placeOn(t, box)
				defer p.close()
				for _, text := range []string{p.engine.make, p.say.table(sign), more.text} {
					_, err := p.db.ExecContext(t.Context(), text)
					require.NoError(t, err)
				}
				target := p.on.Target
				target.Schema = more.schema
				s, err := p.on.Dialect.Open(t.Context(), target)
				require.NoError(t, err)
				defer s.Close()
				_, err = s.Install(t.Context(), dialects.InstallOptions{Lanes: 2})
				require.NoError(t, err)
				require.NoError(t, s.Start(t.Context()))
				_, err = s.Exec(t.Context(), []dialects.NewTask{{SQL: p.on.Dialect.Sleep(2 * time.Second)}})
				require.NoError(t, err)

				left, err := p.clean(t.Context())
				require.NoError(t, err)
				require.Empty(t, left)
				require.NoError(t, bench.Check(t.Context(), bench.Connect{Dialect: p.on.Dialect, Target: p.on.Target}))
				require.NoError(t, p.vacant(t.Context()))
			})
		})
	}
}

// TestSomebodyElsesBench: what is of a bench is not removed where certify has measured nothing.
func TestSomebodyElsesBench(t *testing.T) {
	sandboxtest.Run(t, lying("mssql"), "permitted", permit, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		p := placeOn(t, box)
		defer p.close()
		for _, text := range []string{p.engine.make, "CREATE SCHEMA dbsched_bench_seed"} {
			_, err := p.db.ExecContext(t.Context(), text)
			require.NoError(t, err)
		}
		left, err := p.clean(t.Context())
		require.NoError(t, err)
		require.Empty(t, left)
		require.Error(t, bench.Check(t.Context(), bench.Connect{Dialect: p.on.Dialect, Target: p.on.Target}))
	})
}

// TestMeasuring: it ends with its context, and what prevents it is told without names.
func TestMeasuring(t *testing.T) {
	installed(t, lying("mssql"), func(t *testing.T, p *place) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		_, _, err := p.measure(ctx, Options{sizes: bench.Options{Workers: []int{1}, Tasks: 1, PerWorker: 1, Samples: 1}, Step: func(string) { stop() }})
		require.ErrorIs(t, err, context.Canceled)

		_, err = p.db.ExecContext(t.Context(), "DROP TABLE "+mssqlProbes+".Commits")
		require.NoError(t, err)
		all, why, err := p.measure(t.Context(), Options{sizes: bench.Options{Workers: []int{1}, Tasks: 1, PerWorker: 1, Samples: 300, Without: []string{"polling"}}, Step: func(string) {}})
		require.NoError(t, err)
		require.Equal(t, "it took too long", why)
		require.Greater(t, len(all), 3, "what it reached is told")

		for _, text := range []string{"DROP TABLE " + mssqlProbes + ".Commits", "DROP TABLE " + mssqlProbes + "." + sign, "CREATE SCHEMA dbsched_bench"} {
			_, err = p.db.ExecContext(t.Context(), text)
			require.NoError(t, err)
		}
		all, why, err = p.measure(t.Context(), Options{Step: func(string) {}})
		require.NoError(t, err)
		require.Len(t, all, 2) // the installation, which they need for a third, was removed to measure
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
