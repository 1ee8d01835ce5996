package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// together is how close the first tasks of a wave must start to have started together: an
// engine may take five seconds to start a session, and a task of the demo lasts ten.
const together = 6 * time.Second

// succeeded is the outcome of an attempt that ended well.
const succeeded = "Succeeded"

// checkWaves returns what is wrong with the log of one process: a task that is missing or
// did not succeed, a wave that began before the one below it had ended, a wave whose
// tasks did not start together although workers were free.
func checkWaves(tasks []dialects.NewTask, logs []dialects.LogEntry, workers int) []string {
	var problems []string
	wanted, waves := map[int]int{}, map[int][]dialects.LogEntry{}
	for _, t := range tasks {
		wanted[t.Order]++
	}
	for _, e := range logs {
		waves[e.Order] = append(waves[e.Order], e)
		if e.FinishedAt == nil || e.Outcome != succeeded {
			problems = append(problems, fmt.Sprintf("%s ended %q %s", taskOf(e), e.Outcome, taskError(e)))
		}
	}
	var below time.Time
	belowOrder := 0
	for _, order := range slices.Sorted(maps.Keys(wanted)) {
		wave := waves[order]
		if len(wave) != wanted[order] {
			problems = append(problems, fmt.Sprintf("order %d ran %d tasks instead of %d", order, len(wave), wanted[order]))
		}
		if len(wave) == 0 {
			continue
		}
		slices.SortFunc(wave, func(a, b dialects.LogEntry) int { return a.StartedAt.Compare(b.StartedAt) })
		first := wave[0].StartedAt
		if first.Before(below) {
			problems = append(problems, fmt.Sprintf("order %d began %v before order %d had ended", order, below.Sub(first), belowOrder))
		}
		last := wave[min(len(wave), workers)-1].StartedAt
		if last.Sub(first) > together {
			problems = append(problems, fmt.Sprintf("the tasks of order %d started %v apart", order, last.Sub(first)))
		}
		for _, e := range wave {
			if e.FinishedAt != nil && e.FinishedAt.After(below) {
				below, belowOrder = *e.FinishedAt, order
			}
		}
	}
	return problems
}
