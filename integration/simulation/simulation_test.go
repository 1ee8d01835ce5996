package simulation

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

var (
	seeds    = flag.Int("seeds", 200, "histories of each dialect")
	from     = flag.Uint64("from", 0, "the first seed")
	seed     = flag.Int64("seed", -1, "of TestReplay")
	dialect  = flag.String("dialect", os.Getenv("DBSCHED_TEST_DIALECT"), "only this one")
	only     = flag.Int("only", -1, "of an exhaustive mode: this history alone, and tell of it")
	smaller  = flag.Bool("smaller", false, "TestReplay makes a failing history smaller")
	long     = flag.Bool("long", false, "a campaign: one dialect after the other, on two cores, with a bar")
	reportTo = flag.String("report", "", "a file to which campaigns add their line")
)

// each runs a test on each dialect.
func each(t *testing.T, test func(t *testing.T, w words)) {
	t.Helper()
	for _, w := range []words{mssqlWords(), oracleWords()} {
		if *dialect == "" || *dialect == w.dialect {
			t.Run(w.dialect, func(t *testing.T) {
				if !*long {
					t.Parallel()
				}
				test(t, w)
			})
		}
	}
}

// TestSeeds plays the histories of seeds.
func TestSeeds(t *testing.T) {
	each(t, func(t *testing.T, w words) {
		t.Helper()
		campaign(t, w, "seeds", *seeds, func(i int) attempt { return seeded(w, *from+uint64(i)) })
	})
}

// small is the scenario of the exhaustive modes: 2 processes, 3 waves, 6 tasks, 2 workers.
func small() workload {
	const short = 300 * time.Millisecond
	return workload{workers: 2, steps: []step{
		{process: &process{number: 1, halt: true, weight: 1, tasks: []task{
			{number: 1, wave: 1, attempts: 1, takes: short},
			{number: 2, wave: 2, attempts: 2, fails: 1, resource: true},
			{number: 3, wave: 3, attempts: 1, transactional: true},
		}}},
		{at: short, process: &process{number: 2, weight: 2, maxParallel: 1, tasks: []task{
			{number: 4, wave: 1, attempts: 1, transactional: true, takes: short},
			{number: 5, wave: 2, attempts: 1, resource: true, exclusive: true, takes: short},
			{number: 6, wave: 3, attempts: 1, fails: 1},
		}}},
	}}
}

// calm returns the history of the small scenario in which everybody runs until they wait, except for some choices.
func calm(w words, others map[int]int) attempt {
	return attempt{w, 1, small(), func() chooser { return &steady{even: even{rand.New(rand.NewPCG(1, 1))}, others: others} }, ""}
}

// again returns the arguments of go test that replay a history of an exhaustive mode.
func again(test string, w words, i int) string {
	return fmt.Sprintf("-run %s -dialect %s -only %d", test, w.dialect, i)
}

// exhaustive plays a list of histories: all in a campaign, otherwise about some of them, evenly spread.
func exhaustive(t *testing.T, w words, what string, some int, all []attempt) {
	t.Helper()
	if *only >= 0 {
		tell(t, all[*only])
		return
	}
	k := max(1, len(all)/some) | 1 // odd, as kills and crashes alternate
	if *long {
		k = 1
	}
	campaign(t, w, what, (len(all)+k-1)/k, func(i int) attempt { return all[i*k] })
}

// TestFaults kills the running session, and crashes the instance, wherever something has changed that sessions share.
func TestFaults(t *testing.T) {
	const some = 200
	each(t, func(t *testing.T, w words) {
		t.Helper()
		h, broken := calm(w, nil).play(image(t, w))
		require.Empty(t, broken, "without any fault: %s", h.story())
		var all []attempt
		for _, point := range h.decided.changed {
			for _, what := range []string{"kill", "crash"} {
				a := calm(w, nil)
				a.workload.fault = fault{what: what, point: point}
				a.replay = again("TestFaults", w, len(all))
				all = append(all, a)
			}
		}
		exhaustive(t, w, "faults", some, all)
	})
}

// TestSchedules changes one choice of who runs: all schedules that differ from the calm one in a single turn, a preemption or not.
func TestSchedules(t *testing.T) {
	const some = 150
	each(t, func(t *testing.T, w words) {
		t.Helper()
		var all []attempt
		for i, n := range turns(t, calm(w, nil)) {
			for other := 1; other < n; other++ {
				a := calm(w, map[int]int{i: other})
				a.replay = again("TestSchedules", w, len(all))
				all = append(all, a)
			}
		}
		exhaustive(t, w, "schedules", some, all)
	})
}

// TestPairs changes two choices of who runs: a number of random pairs.
func TestPairs(t *testing.T) {
	const pairs, some = 5000, 50
	each(t, func(t *testing.T, w words) {
		t.Helper()
		n, r := turns(t, calm(w, nil)), rand.New(rand.NewPCG(1, 1))
		var all []attempt
		for range pairs {
			a := calm(w, map[int]int{r.IntN(len(n)): 1 + r.IntN(2), r.IntN(len(n)): 1 + r.IntN(2)})
			a.replay = again("TestPairs", w, len(all))
			all = append(all, a)
		}
		exhaustive(t, w, "pairs of turns", some, all)
	})
}

// turns returns, for each choice of who runs in a history, how many could.
func turns(t *testing.T, a attempt) (n []int) {
	t.Helper()
	h, broken := a.play(image(t, a.words))
	require.Empty(t, broken, "without any fault: %s", h.story())
	for _, c := range h.decided.choices {
		if c.run {
			n = append(n, c.n)
		}
	}
	return n
}

// TestReplay replays one seed and prints what happened.
func TestReplay(t *testing.T) {
	if *seed < 0 {
		t.Skip("-seed says which")
	}
	each(t, func(t *testing.T, w words) { t.Helper(); tell(t, seeded(w, uint64(*seed))) })
}

// tell plays an attempt and prints what happened.
func tell(t *testing.T, a attempt) {
	t.Helper()
	im := image(t, a.words)
	h, broken := a.play(im)
	if h != nil {
		t.Logf("%v\n%s\n%016x, choices: %s", h.workload, h.story(), h.hash, compact(h.decided.choices))
	}
	for _, b := range broken {
		t.Error(b)
	}
	if *smaller && len(broken) > 0 {
		t.Log(shrunk(im, a, broken))
	}
}

// TestSame: a seed gives the same history each time, byte for byte, also on another engine, and so do its choices.
func TestSame(t *testing.T) {
	each(t, func(t *testing.T, w words) {
		t.Helper()
		one, other := image(t, w), image(t, w)
		for s := range uint64(3) {
			a := seeded(w, s)
			h, broken := a.play(one)
			b := a
			b.chooser = func() chooser { return &repeated{choices: h.decided.choices} }
			for _, same := range []func() (*history, []string){
				func() (*history, []string) { return a.play(one) },
				func() (*history, []string) { return a.play(other) },
				func() (*history, []string) { return b.play(one) },
			} {
				h2, broken2 := same()
				require.Equal(t, h.hash, h2.hash, "seed %d", s)
				require.Equal(t, h.story(), h2.story(), "seed %d", s)
				require.Equal(t, broken, broken2, "seed %d", s)
			}
		}
	})
}

// image returns a stopped installation, with what tasks call.
func image(t *testing.T, w words) *sandbox.Image {
	t.Helper()
	im := imageOf(t, w, nil)
	cover(w, im)
	return im
}

// imageOf returns an installation of templates.
func imageOf(t *testing.T, w words, files fs.FS) *sandbox.Image {
	t.Helper()
	dialect, err := registry.All().ByName(w.dialect)
	require.NoError(t, err)
	return sandboxtest.Image(t, sandbox.Options{Dialect: w.dialect, User: w.schema}, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		sched, err := dialect.Open(t.Context(), dialects.Target{Dial: box.Dial, DSN: box.DSN(), Schema: w.schema, Templates: files})
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
		covered[w.dialect].install(box)
	})
}
