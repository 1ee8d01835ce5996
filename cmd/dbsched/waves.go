package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// together is how close the first tasks of a wave must start to have started together: an
// engine may take five seconds to start a session, and a task of the demo lasts ten.
const together = 6 * time.Second

// succeeded is the outcome of an attempt that ended well.
const succeeded = "Succeeded"

// checkWaves tells what is wrong with the log of one process: a task that is missing or
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
			problems = append(problems, fmt.Sprintf("task %d ended %q %s", e.TaskID, e.Outcome, taskError(e)))
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

// timeline draws one line per lane, width cells wide, each task as a box that holds its id
// and order.
func timeline(logs []dialects.LogEntry, width int) string {
	var begin, end time.Time
	lanes := map[int][]dialects.LogEntry{}
	for _, e := range logs {
		if e.FinishedAt == nil {
			continue
		}
		if begin.IsZero() || e.StartedAt.Before(begin) {
			begin = e.StartedAt
		}
		if e.FinishedAt.After(end) {
			end = *e.FinishedAt
		}
		lanes[e.Lane] = append(lanes[e.Lane], e)
	}
	total := end.Sub(begin)
	if total <= 0 {
		return "(no task has ended)"
	}
	cell := func(t time.Time) int { return int(int64(t.Sub(begin)) * int64(width) / int64(total)) }
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s", "")
	ruler := []rune(strings.Repeat(" ", width+8))
	step := tick(total)
	for t := time.Duration(0); t <= total; t += step {
		copy(ruler[cell(begin.Add(t)):], []rune(t.String()))
	}
	b.WriteString(strings.TrimRight(string(ruler), " "))
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		row := []rune(strings.Repeat(" ", width+1))
		for _, e := range lanes[lane] {
			box(row, cell(e.StartedAt), cell(*e.FinishedAt), fmt.Sprintf("%d:%d", e.TaskID, e.Order))
		}
		fmt.Fprintf(&b, "\nlane %-3d%s", lane, strings.TrimRight(string(row), " "))
	}
	return b.String()
}

// tick is a round distance that leaves at most eight marks on the ruler.
func tick(total time.Duration) time.Duration {
	for _, step := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 5 * time.Second, 10 * time.Second, time.Minute, 10 * time.Minute} {
		if total <= 8*step {
			return step
		}
	}
	return time.Hour
}

// box draws ├─label─┤ from cell a up to, not including, cell b.
func box(row []rune, a, b int, label string) {
	b = max(b, a+1)
	for i := a; i < b; i++ {
		row[i] = '─'
	}
	row[a] = '├'
	if b-a > 1 {
		row[b-1] = '┤'
	}
	if text := []rune(label); len(text) <= b-a-2 {
		copy(row[a+1:], text)
	}
}
