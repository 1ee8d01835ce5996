package simulation

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

var seeds = flag.Int("seeds", 200, "histories of each dialect")

// TestSeeds runs the histories of seeds on each dialect.
func TestSeeds(t *testing.T) {
	for _, w := range []words{mssqlWords(), oracleWords()} {
		t.Run(w.dialect, func(t *testing.T) {
			t.Parallel()
			im := image(t, w)
			begin := time.Now()
			for seed := range uint64(*seeds) {
				h := play(w, im, seed, generate(seed), nil)
				if broken := check(h); len(broken) > 0 {
					t.Errorf("seed %d: %s", seed, strings.Join(broken, "\n"))
				}
			}
			t.Log(time.Since(begin))
		})
	}
}

// image is an installation that is stopped, with what tasks call.
func image(t *testing.T, w words) *sandbox.Image {
	t.Helper()
	dialect, err := registry.All().ByName(w.dialect)
	require.NoError(t, err)
	im := sandboxtest.Image(t, sandbox.Options{Dialect: w.dialect, User: w.schema}, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		sched, err := dialect.Open(t.Context(), dialects.Target{Dial: box.Dial, DSN: box.DSN(), Schema: w.schema})
		require.NoError(t, err)
		_, err = sched.Install(t.Context(), dialects.InstallOptions{Lanes: 4})
		require.NoError(t, err)
		require.NoError(t, sched.Close())
		db, err := sandboxtest.Open(w.dialect, box.DSN(), box.Dial)
		require.NoError(t, err)
		for _, text := range w.prepare {
			_, err := db.ExecContext(t.Context(), text)
			require.NoError(t, err, text)
		}
		require.NoError(t, db.Close())
	})
	cover(w, im)
	return im
}

var seed = flag.Uint64("seed", 0, "of TestReplay")

// TestReplay plays one seed again and tells what happened.
func TestReplay(t *testing.T) {
	if *seed == 0 {
		t.Skip("-seed says which")
	}
	for _, w := range []words{mssqlWords(), oracleWords()} {
		t.Run(w.dialect, func(t *testing.T) {
			h := play(w, image(t, w), *seed, generate(*seed), nil)
			t.Logf("%v\n%s", h.workload, h.story())
			for _, b := range check(h) {
				t.Error(b)
			}
		})
	}
}
