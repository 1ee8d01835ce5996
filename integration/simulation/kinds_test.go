package simulation

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

var kindSeeds = flag.Int("kinds", 0, "histories of each dialect whose kinds TestKinds counts")

// TestKinds counts what the seeds' histories reach: a workload that never gets anywhere breaks no rule.
func TestKinds(t *testing.T) {
	if *kindSeeds == 0 {
		t.Skip("-kinds says how many")
	}
	for _, w := range []words{mssqlWords(), oracleWords()} {
		t.Run(w.dialect, func(t *testing.T) {
			im := image(t, w)
			seen := map[string]int{}
			for seed := range uint64(*kindSeeds) {
				h := play(w, im, seed, generate(seed), nil)
				for kind := range h.kinds() {
					seen[kind]++
				}
			}
			for _, kind := range slices.Sorted(maps.Keys(seen)) {
				t.Logf("%5d %s", seen[kind], kind)
			}
		})
	}
}

// kinds returns what a history has reached.
func (h *history) kinds() map[string]bool {
	k := map[string]bool{}
	for i, s := range h.steps {
		what := string(s.order)
		known := h.reports[i]
		if s.process != nil {
			known = h.enqueued[s.process.number]
			what = "process"
			if s.process.into > 0 {
				what = "more tasks"
			}
			if s.process.batch {
				what += " as batch"
			}
			if s.process.hasUndone() {
				what += " with savepoint"
			}
			if s.process.second {
				what += " of the second user"
			}
		}
		k[fmt.Sprintf("step %s: %s", what, []string{"no", "yes", "unknown"}[known])] = true
	}
	for _, t := range h.tasks {
		k["task "+t.status] = true
		if t.number == ofRound {
			k["task of round"] = true
		}
	}
	for _, l := range h.logs {
		k[fmt.Sprintf("attempt %s %d", l.outcome, l.errorNumber)] = true
	}
	for _, r := range h.runs {
		if r.held() {
			k["hold"] = true
		}
	}
	for _, f := range h.firings {
		k["firing "+f.status] = true
	}
	for _, a := range h.alarms {
		kind, _, _ := strings.Cut(a, ":")
		k["alarm "+kind] = true
	}
	for _, s := range h.seen[:max(0, len(h.seen)-1)] {
		kind, _, _ := strings.Cut(s, " of ")
		k["fault "+kind] = true
	}
	return k
}
