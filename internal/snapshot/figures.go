package snapshot

import (
	"errors"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

func asServerError(err error) (*dialects.ServerError, bool) {
	return errors.AsType[*dialects.ServerError](err)
}

// Figures are the numbers above a list.
type Figures struct {
	Due      int64         // tasks that only wait for a worker
	Oldest   time.Duration // of the oldest of them, since it was enqueued
	Later    int64         // tasks that wait for a time, a resource, a lower order or a release
	NextDue  *time.Time    // when the first of them becomes due
	Ended    int64         // attempts that ended in the last hour, by the server's count
	Failed   int64         // of them, those that ended badly
	StartP95 time.Duration // 95 of 100 tasks of the attempts in Newest started within this time from when they could; -1: none did
	Newest   int           // how many attempts of the last hour are known, if not all; else 0
}

// Figures computes the numbers of a snapshot.
func (s *Snapshot) Figures() (f Figures) {
	now := s.Status.Now
	for _, q := range s.Queue {
		if q.Status == "Running" || q.Status == "Stopping" {
			continue
		}
		f.Due += q.Runnable
		f.Later += q.Tasks - q.Runnable
		if q.OldestRunnable != nil {
			f.Oldest = max(f.Oldest, now.Sub(*q.OldestRunnable))
		}
		if q.NextDue != nil && (f.NextDue == nil || q.NextDue.Before(*f.NextDue)) {
			f.NextDue = q.NextDue
		}
	}
	hour := now.Add(-time.Hour)
	f.Ended, f.Failed = s.Hour.All-s.Hour.Running, s.Hour.Failed
	f.StartP95 = Quantile(Starts(s.Attempts, hour), 0.95)
	if s.Hour.All > int64(len(s.Attempts)) {
		f.Newest = len(s.Attempts)
	}
	return f
}

// Overran counts the running attempts beyond their timeouts.
func (s *Snapshot) Overran() (n int) {
	for _, e := range s.Attempts {
		if e.FinishedAt == nil && e.Overran != nil {
			n++
		}
	}
	return n
}

// Starts returns how long tasks that began a wave had waited since the end of the wave before: what dbsched and the engine cost between waves.
// Attempts are by id; those that began before since are left out.
func Starts(attempts []dialects.LogEntry, since time.Time) (waits []time.Duration) {
	type wave struct {
		order int
		end   time.Time // of the last task so far
		whole bool      // none of its tasks is running
	}
	waves := map[int64]*wave{}
	for _, e := range attempts {
		w := waves[e.ProcessID]
		if w == nil {
			w = &wave{order: e.Order, whole: true}
			waves[e.ProcessID] = w
		} else if e.Order > w.order {
			ready := w.end
			if e.EnqueuedAt != nil && e.EnqueuedAt.After(ready) {
				ready = *e.EnqueuedAt
			}
			if w.whole && e.Attempt == 1 && !e.StartedAt.Before(since) && !e.StartedAt.Before(ready) {
				waits = append(waits, e.StartedAt.Sub(ready))
			}
			*w = wave{order: e.Order, whole: true}
		}
		if e.FinishedAt == nil {
			w.whole = false
		} else if e.FinishedAt.After(w.end) {
			w.end = *e.FinishedAt
		}
	}
	return waits
}

// Quantile returns the value that a share of all values do not exceed; -1 if there are none.
func Quantile(all []time.Duration, share float64) time.Duration {
	if len(all) == 0 {
		return -1
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}
