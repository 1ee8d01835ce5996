package bench

import (
	"slices"
	"time"
)

// throughput divides the tasks of a run by the time from its call to the end of the last.
func throughput(measure string, r ran) Result {
	result := Result{Measure: measure, Samples: len(r.tasks)}
	var last time.Time
	for _, t := range r.tasks {
		if t.finished.After(last) {
			last = t.finished
		}
	}
	if d := last.Sub(r.called); d > 0 {
		perSecond := float64(len(r.tasks)) / d.Seconds()
		result.PerSecond = &perSecond
	}
	return result
}

// percentiles returns those of durations, by nearest rank.
func percentiles(measure string, all []time.Duration) Result {
	result := Result{Measure: measure, Samples: len(all)}
	if len(all) == 0 {
		return result
	}
	slices.Sort(all)
	rank := func(percent int) *float64 {
		ms := float64(all[(len(all)*percent+99)/100-1]) / float64(time.Millisecond)
		return &ms
	}
	result.P50, result.P95, result.P99 = rank(50), rank(95), rank(99)
	return result
}

// gaps returns the times from the end of each wave to the first start of the next.
func gaps(tasks []timing) (all []time.Duration) {
	type wave struct{ first, last time.Time }
	waves := map[int]*wave{}
	for _, t := range tasks {
		w := waves[t.order]
		if w == nil {
			w = &wave{t.started, t.finished}
			waves[t.order] = w
		}
		if t.started.Before(w.first) {
			w.first = t.started
		}
		if t.finished.After(w.last) {
			w.last = t.finished
		}
	}
	for order, w := range waves {
		if next := waves[order+1]; next != nil {
			all = append(all, max(0, next.first.Sub(w.last)))
		}
	}
	return all
}

// compare sets the ratios.
func compare(all []Result) {
	for i, r := range all {
		for _, ours := range all {
			if ours.Design != "dbsched" || r.Design == ours.Design || ours.Measure != r.Measure || ours.Workers != r.Workers {
				continue
			}
			if all[i].Ratio = over(r.P50, ours.P50); r.P50 == nil {
				all[i].Ratio = over(ours.PerSecond, r.PerSecond)
			}
		}
	}
}

// over returns a divided by b, if both exist and neither is 0.
func over(a, b *float64) *float64 {
	if a == nil || b == nil || *a == 0 || *b == 0 {
		return nil
	}
	ratio := *a / *b
	return &ratio
}
