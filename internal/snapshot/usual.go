package snapshot

import (
	"regexp"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// Usual is how long a process usually takes: its last runs under the same name except for digits, so that "load 2026-11-22" follows
// "load 2026-11-21".
type Usual struct {
	Runs        int // at least fewest, at most newest
	Median, P90 time.Duration
}

const (
	fewest  = 5  // runs needed to call something usual
	newest  = 20 // the runs that count
	history = 60 * 24 * time.Hour
	most1st = 5000 // processes of the first reading, from which the history comes
)

var digits = regexp.MustCompile(`\d+`)

// past records how long processes took.
type past struct {
	seen map[int64]bool
	took map[string][]time.Duration // by name without digits, the oldest first
}

func (p *past) add(all []dialects.Process) {
	if p.seen == nil {
		p.seen, p.took = map[int64]bool{}, map[string][]time.Duration{}
	}
	for _, one := range all {
		if one.Status != "Succeeded" || one.FinishedAt == nil || p.seen[one.ID] {
			continue
		}
		p.seen[one.ID] = true
		key := digits.ReplaceAllString(one.Name, "#")
		runs := append(p.took[key], one.FinishedAt.Sub(one.CreatedAt))
		p.took[key] = runs[max(0, len(runs)-newest):]
	}
}

// usual returns what is known of each of these processes.
func (p *past) usual(all []dialects.Process) map[int64]Usual {
	known := map[int64]Usual{}
	for _, one := range all {
		if runs := p.took[digits.ReplaceAllString(one.Name, "#")]; len(runs) >= fewest {
			known[one.ID] = Usual{len(runs), Quantile(runs, 0.5), Quantile(runs, 0.9)}
		}
	}
	return known
}

// AlarmCount returns how many alarms are not acknowledged: Alarms has the newest.
func (s *Snapshot) AlarmCount() int64 {
	if slices.Contains(s.Hidden, "alarms") {
		return 0
	}
	return max(s.Status.Alarms, int64(len(s.Alarms)))
}

// Active returns the processes with unfinished tasks, the newest first.
func (s *Snapshot) Active() (all []dialects.Process) {
	for _, p := range slices.Backward(s.Processes) {
		if p.FinishedAt == nil && p.Unfinished > 0 {
			all = append(all, p)
		}
	}
	return all
}

// Finished returns the processes that ended in the last day, the last first.
func (s *Snapshot) Finished() (all []dialects.Process) {
	for _, p := range s.Processes {
		if p.FinishedAt != nil {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b dialects.Process) int { return b.FinishedAt.Compare(*a.FinishedAt) })
	return all
}

// Expected returns when a process will end if it takes as long as usual; zero if that is unknown or past.
func (s *Snapshot) Expected(p dialects.Process) time.Time {
	if u, ok := s.Usual[p.ID]; ok && p.FinishedAt == nil {
		if end := p.CreatedAt.Add(u.Median); end.After(s.Status.Now) {
			return end
		}
	}
	return time.Time{}
}

// failed reports whether an attempt ended badly, and not because a user cancelled it.
func failed(e dialects.LogEntry) bool { return slices.Contains(dialects.BadOutcomes(), e.Outcome) }

// Failures returns the attempts that ended badly in the last hour, the last first; see [Snapshot.Bad].
func (s *Snapshot) Failures() (all []dialects.LogEntry) {
	hour := s.Status.Now.Add(-time.Hour)
	for _, e := range s.Bad {
		if e.FinishedAt != nil && e.FinishedAt.After(hour) {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b dialects.LogEntry) int { return b.FinishedAt.Compare(*a.FinishedAt) })
	return all
}
