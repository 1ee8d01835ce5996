package simulation

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"github.com/dbsched/dbsched/sandbox"
)

// attempt is everything that decides a history: replaying it gives the same one.
type attempt struct {
	words    words
	seed     uint64 // of the durations that the engine does not define
	workload workload
	chooser  func() chooser // creates a new one for each play
	replay   string         // the arguments of go test that replay it
}

// play returns the history, and the rules that it breaks.
func (a attempt) play(im *sandbox.Image) (h *history, broken []string) {
	defer func() {
		if p := recover(); p != nil {
			broken = []string{fmt.Sprintf("panic: %v", p)}
		}
	}()
	h = play(a.words, im, a.seed, a.workload, a.chooser())
	return h, check(h)
}

// seeded returns the history of a seed.
func seeded(w words, seed uint64) attempt {
	return attempt{w, seed, generate(seed), func() chooser { return byChance(seed) }, fmt.Sprintf("-run TestReplay -dialect %s -seed %d", w.dialect, seed)}
}

// tally counts what a campaign has seen.
type tally struct {
	mu         sync.Mutex
	histories  int
	traces     map[uint64]struct{}
	statements int64
	faults     map[string]int
	violations int
	kinds      map[string]bool
}

// most is how many violations stop a campaign. The first is enough with DBSCHED_TEMPLATES, which have a mistake that it notices.
var most = map[bool]int{false: 10, true: 1}[mistaken]

var mistaken = os.Getenv("DBSCHED_TEMPLATES") != ""

// campaign plays n attempts on one dialect.
func campaign(t *testing.T, w words, what string, n int, attempts func(i int) attempt) {
	t.Helper()
	workers := 1
	if *long {
		workers = min(2, runtime.GOMAXPROCS(0))
	}
	var images []*sandbox.Image // each serves one history at a time
	for range workers {
		images = append(images, image(t, w))
	}
	begin := time.Now()
	going := t.Context()
	if *long { // if interrupted, it reports what it has seen
		var done func()
		going, done = signal.NotifyContext(going, os.Interrupt, syscall.SIGTERM)
		defer done()
	}
	c := &tally{traces: map[uint64]struct{}{}, faults: map[string]int{}, kinds: map[string]bool{}}
	tick, stop := bar(w.dialect+" "+what, n)
	var next atomic.Int64
	var all sync.WaitGroup
	for _, im := range images {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && !c.enough() && going.Err() == nil; i = next.Add(1) - 1 {
				a := attempts(int(i))
				h, broken := a.play(im)
				if c.add(h, broken) {
					t.Errorf("seed %d: %s\nagain: go test ./integration/simulation -count=1 -v %s", a.seed, strings.Join(broken, "\n"), a.replay)
				}
				if c.first(broken) && !mistaken {
					t.Log(shrunk(im, a, broken))
				}
				tick()
			}
		})
	}
	all.Wait()
	stop()
	covered[w.dialect].record(t, w.dialect)
	line := fmt.Sprintf("%s %s: %v; %v, %v each", w.dialect, what, c, time.Since(begin).Round(time.Second), (time.Since(begin) * time.Duration(workers) / time.Duration(max(1, c.histories))).Round(10*time.Microsecond))
	if !*long {
		t.Log(line)
		return
	}
	fmt.Println(line)
	if *reportTo != "" {
		f, err := os.OpenFile(*reportTo, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		require.NoError(t, err)
		_, err = fmt.Fprintln(f, line)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
}

// add counts a history and reports whether it breaks a rule and must be reported.
func (c *tally) add(h *history, broken []string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.histories++
	if h != nil {
		c.traces[h.hash] = struct{}{}
		c.statements += h.statements
		for _, what := range h.decided.faults {
			c.faults[what]++
		}
	}
	if len(broken) > 0 {
		c.violations++
	}
	return len(broken) > 0 && c.violations <= most
}

func (c *tally) enough() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.violations >= most
}

// String formats a campaign's result in one line.
func (c *tally) String() string {
	var faults []string
	for _, what := range slices.Sorted(maps.Keys(c.faults)) {
		faults = append(faults, fmt.Sprintf("%s %d", what, c.faults[what]))
	}
	return fmt.Sprintf("%d histories, %d distinct traces, %d statements, faults: %s; %d violations", c.histories, len(c.traces), c.statements, cmp.Or(strings.Join(faults, ", "), "none"), c.violations)
}

// first reports whether a violation is the first of its kind: only that one is reported in full.
func (c *tally) first(broken []string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(broken) == 0 || c.kinds[kind(broken[0])] {
		return false
	}
	c.kinds[kind(broken[0])] = true
	return true
}

// shrunk describes the smallest history that breaks the same rule.
func shrunk(im *sandbox.Image, a attempt, broken []string) string {
	small, h := shrink(im, a, broken)
	if h == nil {
		return fmt.Sprintf("nothing smaller than %v", small.workload)
	}
	return fmt.Sprintf("the smallest that breaks this: %v\nchoices: %s\n%s\n%s", small.workload, compact(h.decided.choices), h.story(), strings.Join(check(h), "\n"))
}

// bar shows the progress of a long campaign, if somebody watches.
func bar(what string, n int) (tick, stop func()) {
	if !*long || !term.IsTerminal(int(os.Stderr.Fd())) {
		return func() {}, func() {}
	}
	w, tracker := progress.NewWriter(), &progress.Tracker{Message: what, Total: int64(n)}
	w.SetOutputWriter(os.Stderr)
	w.SetAutoStop(false)
	w.Style().Visibility.ETA = true
	w.AppendTracker(tracker)
	ended := make(chan struct{})
	go func() {
		w.Render()
		close(ended)
	}()
	return func() { tracker.Increment(1) }, func() {
		w.Stop()
		<-ended
	}
}
