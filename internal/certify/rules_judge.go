package certify

import (
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// oneClock is the slack on a server with one clock: stored times are rounded.
const oneClock = 100 * time.Millisecond

// meet reports whether two attempts ran at the same time for longer than the slack, by which times of one server may differ.
func meet(a, b dialects.LogEntry, slack time.Duration) bool {
	from, to := a.StartedAt, *a.FinishedAt
	if b.StartedAt.After(from) {
		from = b.StartedAt
	}
	if b.FinishedAt.Before(to) {
		to = *b.FinishedAt
	}
	return to.Sub(from) > slack
}

// once reports whether there are n attempts, and all have this outcome.
func once(logs []dialects.LogEntry, n int, outcome string) bool {
	for _, l := range logs {
		if l.Outcome != outcome || l.FinishedAt == nil {
			return false
		}
	}
	return len(logs) == n
}

const (
	early    = "broken: a wave began before the one before it had ended"
	oneByOne = "tasks of a wave ran one after the other"
)

// judgeWaves wants each wave after all of the one before it, and tasks of a wave beside each other.
func judgeWaves(logs []dialects.LogEntry, tasks int, slack time.Duration) string {
	if !once(logs, tasks, "Succeeded") {
		return wrong
	}
	together := false
	for i, a := range logs {
		for _, b := range logs[i+1:] {
			first, second := a, b
			if b.Order < a.Order {
				first, second = b, a
			}
			switch {
			case first.Order == second.Order:
				together = together || meet(a, b, slack)
			case first.FinishedAt.Sub(second.StartedAt) > slack:
				return early
			}
		}
	}
	if !together {
		return oneByOne
	}
	return held
}

// spread is the time from the first start to the last.
func spread(logs []dialects.LogEntry) time.Duration {
	first, last := logs[0].StartedAt, logs[0].StartedAt
	for _, l := range logs {
		if l.StartedAt.Before(first) {
			first = l.StartedAt
		}
		if l.StartedAt.After(last) {
			last = l.StartedAt
		}
	}
	return last.Sub(first)
}

const (
	soon   = "all lanes soon"
	slowly = "lanes one after the other"
)

// judgeRamp wants tasks that sleep, one for each lane, to begin at about the same time.
func judgeRamp(logs []dialects.LogEntry, tasks int, ramp time.Duration) string {
	switch {
	case !once(logs, tasks, "Succeeded"):
		return wrong
	case spread(logs) > ramp:
		return slowly
	}
	return soon
}

const (
	attempts = "broken: another number of attempts"
	hasty    = "broken: a retry came too early"
)

// judgeRetry wants a number of failed attempts, each after a pause that doubles.
func judgeRetry(logs []dialects.LogEntry, tries int, pause, slack time.Duration) string {
	if len(logs) != tries {
		return attempts
	}
	if !once(logs, tries, "Failed") {
		return wrong
	}
	for i, l := range logs[1:] {
		if l.Attempt != i+2 {
			return attempts
		}
		if l.StartedAt.Sub(*logs[i].FinishedAt) < pause<<i-slack {
			return hasty
		}
	}
	return held
}

const (
	kept = "broken: a task that failed left work"
	lost = "broken: the work of a task that succeeded is not there"
)

// judgeCommits wants of two transactional tasks, each of which inserts a row, one to fail because it cannot commit. rows exist then.
func judgeCommits(logs []dialects.LogEntry, bad int64, rows string) string {
	for _, l := range logs {
		want := "Succeeded"
		if l.TaskID == bad {
			want = "Failed"
		}
		if l.Outcome != want {
			return wrong
		}
	}
	switch {
	case len(logs) != 2:
		return wrong
	case rows == "0":
		return lost
	case rows != "1":
		return kept
	}
	return held
}

const (
	shared   = "broken: another beside a task that had the resource alone"
	crowded  = "broken: more tasks at once than the resource has units"
	apart    = "tasks that may share the resource ran one after the other"
	capacity = 2
)

// judgeResource wants no task beside the writer, and readers beside each other, but not more than the capacity.
func judgeResource(logs []dialects.LogEntry, tasks int, writer int64, slack time.Duration) string {
	if !once(logs, tasks, "Succeeded") {
		return wrong
	}
	most := 0
	for _, a := range logs {
		beside := 0
		for _, b := range logs {
			switch {
			case a.TaskID == b.TaskID || !meet(a, b, slack):
			case a.TaskID == writer:
				return shared
			case !a.StartedAt.Before(b.StartedAt): // those that ran when a began
				beside++
			}
		}
		most = max(most, beside+1)
	}
	switch {
	case most > capacity:
		return crowded
	case most < 2:
		return apart
	}
	return held
}

const (
	stops   = "ended"
	marked  = "marked, ends by itself"
	goesOn  = "broken: it is not marked"
	wronged = "broken: it ended with another outcome"
)

// judgeEnd judges the only attempt of a task that was to be ended before it had slept its time. noted says whether it was seen to be marked.
func judgeEnd(logs []dialects.LogEntry, outcome string, sleeps, slack time.Duration, noted bool) string {
	if len(logs) != 1 || logs[0].FinishedAt == nil {
		return attempts
	}
	l := logs[0]
	ran := l.FinishedAt.Sub(l.StartedAt)
	switch {
	case l.Outcome == outcome && ran < sleeps-slack:
		return stops
	case !noted:
		return goesOn
	case l.Outcome == "Succeeded", l.Outcome == outcome:
		return marked
	}
	return wronged
}

// survived is a worker whose session went on although it was killed. One whose death is not noticed does not end at all.
const survived = "its session went on"

// judgeDeath wants an attempt whose worker was killed, and one more that succeeds.
func judgeDeath(logs []dialects.LogEntry) string {
	switch {
	case once(logs, 1, "Succeeded"):
		return survived
	case len(logs) != 2:
		return attempts
	case logs[0].Outcome != "Orphaned" || logs[1].Outcome != "Succeeded":
		return wrong
	}
	return held
}

const (
	wrongInstant = "broken: it fired at another instant"
	fireLate     = "broken: it fired late"
	firedLate    = "late" // and a slow server may do that
)

// judgeFiring wants the first firing of a schedule that fires each minute from begin on.
func judgeFiring(f dialects.Firing, begin time.Time, slack time.Duration) string {
	switch late := f.LoggedAt.Sub(f.DueAt); {
	case f.Manual || f.DueAt.Sub(begin)%time.Minute != 0 || late < -slack:
		return wrongInstant
	case late > time.Minute:
		return fireLate
	case f.Status != "Succeeded":
		return wrong
	case late > 10*time.Second:
		return firedLate
	}
	return held
}

const anyway = "broken: a task began while the scheduler was stopped"

// judgeStop wants the first task to end although the scheduler was stopped, and the second not to begin before it was started again.
func judgeStop(logs []dialects.LogEntry, second int64, again time.Time, slack time.Duration) string {
	if !once(logs, 2, "Succeeded") {
		return wrong
	}
	for _, l := range logs {
		if l.TaskID == second && l.StartedAt.Before(again.Add(-slack)) {
			return anyway
		}
	}
	return held
}
