package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// table formats what became of mistakes: those that survived, and the rates by dialect, topic and kind.
func table(all []result, equivalent map[string]string) string {
	var b strings.Builder
	var tried []result
	for _, r := range all {
		reason, same := equivalent[r.ID]
		if same && r.Verdict == survived {
			fmt.Fprintf(&b, "\nequivalent: %s %s:%d %s: %s\n%s", r.ID, r.File, r.Line, r.Kind, reason, r.Diff)
			continue
		}
		tried = append(tried, r)
		if r.Verdict == survived {
			fmt.Fprintf(&b, "\nsurvived: %s %s:%d %s, %d scenarios\n%s", r.ID, r.File, r.Line, r.Kind, r.Tried, r.Diff)
		}
	}
	group := func(title string, of func(r result) string) {
		sum, dead := map[string]int{}, map[string]int{}
		for _, r := range tried {
			sum[of(r)]++
			if r.Verdict == killed {
				dead[of(r)]++
			}
		}
		fmt.Fprintf(&b, "\n| %s | Mistakes | Killed | Rate | 95 %% |\n|---|---|---|---|---|\n", title)
		for _, key := range slices.Sorted(maps.Keys(sum)) {
			low, high := interval(dead[key], sum[key])
			fmt.Fprintf(&b, "| %s | %d | %d | %.1f %% | %.0f to %.0f %% |\n", key, sum[key], dead[key], 100*float64(dead[key])/float64(sum[key]), 100*low, 100*high)
		}
	}
	group("Dialect", func(r result) string { return r.Dialect })
	group("Topic", func(r result) string { return mutant{file: r.File}.topic() })
	group("Kind", func(r result) string { return r.Dialect + ", " + r.Kind })
	return b.String()
}

// count counts the results with a verdict.
func count(tried []result, v verdict) (n int) {
	for _, r := range tried {
		if r.Verdict == v {
			n++
		}
	}
	return n
}

// interval is Wilson's score interval of a share, with 95 % confidence.
func interval(part, of int) (low, high float64) {
	const z = 1.96
	n, p := float64(of), float64(part)/float64(of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))
}
