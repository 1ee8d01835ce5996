package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/bench"
	"github.com/dbsched/dbsched/internal/cli"
)

// TestBenchOnTheSandbox: it asks, measures to the end, writes the figures, and leaves nothing behind.
func TestBenchOnTheSandbox(t *testing.T) {
	t.Parallel()
	small := []string{"--workers=1,2", "--tasks=20", "--per-worker=1", "--samples=2"}
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name(), "--clock=fast")
			contents := func() []string {
				db := c.connect()
				defer db.Close() // time stands still while a session does nothing
				return e.contents(t, db)
			}
			before := contents()
			c.refused(2, "No terminal to confirm on", append([]string{"bench"}, small...)...)
			path := filepath.Join(t.TempDir(), "bench.csv")
			results := data[[]bench.Result](c, append([]string{"bench", "-y", "--csv", path}, small...)...)
			require.Equal(t, before, contents())

			for _, r := range results {
				if r.Measure == bench.Seconds {
					require.NotNil(t, r.PerSecond)
					require.InDelta(t, 1, *r.PerSecond, float64(r.Workers), "of %s", r.Design)
				}
			}
			f, err := os.Open(path)
			require.NoError(t, err)
			defer f.Close()
			lines, err := csv.NewReader(f).ReadAll()
			require.NoError(t, err)
			require.Len(t, lines, 1+len(results))
			require.Equal(t, []string{"Measure", "Workers", "Design"}, lines[0][:3])
			c.refused(2, "the figures cannot be written", append([]string{"bench", "-y", "--csv", filepath.Join(path, "below")}, small...)...)

			c.ok("install")
			if e.dialect.Name() == "oracle" {
				c.refused(2, "bench needs a user without dbsched", "bench", "-y")
			}
			c.ok(append([]string{"bench", "--sandbox", e.dialect.Name()}, small...)...)
		})
	}
}

func TestBenchSizes(t *testing.T) {
	for flag, message := range map[string]string{
		"--workers=0":    "--workers has 0; each number must be between 1 and 99",
		"--tasks=0":      "--tasks is 0; it must be between 1 and 100000",
		"--per-worker=0": "--per-worker is 0", "--samples=-1": "--samples is -1",
		"--sandbox=db2": "db2",
	} {
		var r run
		r.do(t, "bench", flag)
		require.Equal(t, cli.ExitUsage, r.code, flag)
		require.Contains(t, r.err, message)
	}
	require.Equal(t, []string{"", "0.12", "12.3", "1235"}, []string{figure(nil), figure(new(0.123)), figure(new(12.34)), figure(new(1234.6))})
}
