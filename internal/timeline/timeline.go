// Package timeline lays out what a process did: lanes against time, its waves, its critical path, and where the time of the lanes
// went. It computes; text.go and html.go draw.
package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// Timeline is one process. Times are the server's.
type Timeline struct {
	Process  dialects.Process
	Attempts int64     // by the server's count; more than there are Bars if not all were read
	Begin    time.Time // first start
	End      time.Time // last end, or now while a task is running
	Lanes    []int     // those that ran a task, ascending
	Waves    []Wave    // ascending
	Bars     []Bar     // by start
	Critical []int     // indexes into Bars, from first to last
	Spent    Spent
	Lonely   *Lonely // the wave that one task delayed most; nil if none did for long
	Left     int64   // tasks that have to start, or to start again
}

// Bar is one attempt of one task.
type Bar struct {
	Task     int64
	Attempt  int
	Order    int
	Lane     int
	Start    time.Time
	End      time.Time     // now, if it is running
	Wait     time.Duration // from when only a worker or a resource was missing, to the start; 0 for a retry
	Resource string        // the semaphore that the task needs
	Outcome  string        // Running, Stopping, Succeeded, Failed, Orphaned, TimedOut, Cancelled or Outage
	Running  bool          // it has not ended
	Overran  *float64      // for how many seconds it ran after its timeout; nil: it did not
	Name     string        // of the task
	SQL      string
	Error    string
	Critical bool

	enqueued *time.Time
}

// Took is how long the attempt ran.
func (b Bar) Took() time.Duration { return b.End.Sub(b.Start) }

// Failed reports whether the attempt ended badly, and not because a user cancelled it.
func (b Bar) Failed() bool { return slices.Contains(dialects.BadOutcomes(), b.Outcome) }

// State is the outcome, and by how much the attempt overran its timeout.
func (b Bar) State() string { return b.Outcome + format.Overran(b.Overran) }

// Wave is the tasks of one execution order.
type Wave struct {
	Order      int
	Start, End time.Time // of its attempts
	Tasks      int       // that have started
	Failed     int       // attempts that ended badly
}

// Spent divides the time of all lanes, from Begin to End.
type Spent struct {
	Running  time.Duration // tasks ran
	Idle     time.Duration // no task of the wave was left to start
	Resource time.Duration // the remaining tasks waited for a resource
	Others   time.Duration // a task could have started, but the lane worked for another process
	Start    time.Duration // a task could have started
}

// Total is the sum: the number of lanes times the duration.
func (s Spent) Total() time.Duration { return s.Running + s.Idle + s.Resource + s.Others + s.Start }

// Lonely is a wave that waited for its last task alone.
type Lonely struct {
	Order int
	Bar   int           // index into Bars
	Alone time.Duration // from the end of the last but one
}

// Build lays out a process. Logs are all its attempts, others those that ran meanwhile for other processes, now is the server's time.
func Build(p dialects.Process, logs, others []dialects.LogEntry, now time.Time) *Timeline {
	t := &Timeline{Process: p, Attempts: int64(len(logs)), Left: p.Unfinished - p.Running}
	for _, e := range logs {
		b := Bar{
			Task: e.TaskID, Attempt: e.Attempt, Order: e.Order, Lane: e.Lane, Start: e.StartedAt, End: now,
			Resource: e.Resource, Outcome: e.State(), Running: e.FinishedAt == nil, Overran: e.Overran, Name: e.Name, SQL: e.SQL, Error: e.ErrorMessage, enqueued: e.EnqueuedAt,
		}
		if e.FinishedAt != nil {
			b.End = *e.FinishedAt
		}
		b.End = later(b.End, b.Start) // the clock was set back
		t.Bars = append(t.Bars, b)
	}
	if len(t.Bars) == 0 {
		return t
	}
	slices.SortFunc(t.Bars, func(a, b Bar) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Attempt, b.Attempt))
	})
	t.Begin, t.End = t.Bars[0].Start, t.Bars[0].End
	lanes := map[int]bool{}
	for _, b := range t.Bars {
		t.End = later(t.End, b.End)
		lanes[b.Lane] = true
	}
	for lane := range lanes {
		t.Lanes = append(t.Lanes, lane)
	}
	slices.Sort(t.Lanes)
	t.waves()
	t.waits()
	t.critical()
	t.spend(others, now)
	t.lonely()
	return t
}

// Recent lays out what ran in the time before now, in any process: lanes and bars only. If nothing ran in the first part of that
// time, that part is omitted.
func Recent(attempts []dialects.LogEntry, now time.Time, window time.Duration) *Timeline {
	t := &Timeline{Begin: now.Add(-window), End: now}
	for _, e := range attempts {
		b := Bar{
			Task: e.TaskID, Attempt: e.Attempt, Order: e.Order, Lane: e.Lane, Start: later(e.StartedAt, t.Begin), End: now,
			Outcome: e.State(), Running: e.FinishedAt == nil, Overran: e.Overran, Name: e.Name, SQL: e.SQL, Error: e.ErrorMessage,
		}
		if e.FinishedAt != nil {
			b.End = *e.FinishedAt
		}
		if b.End.Before(b.Start) {
			continue
		}
		t.Bars = append(t.Bars, b)
		if !slices.Contains(t.Lanes, b.Lane) {
			t.Lanes = append(t.Lanes, b.Lane)
		}
	}
	slices.Sort(t.Lanes)
	slices.SortStableFunc(t.Bars, func(a, b Bar) int { return a.Start.Compare(b.Start) })
	if len(t.Bars) > 0 {
		t.Begin = t.Bars[0].Start
	}
	return t
}

func (t *Timeline) waves() {
	at := map[int]int{} // order to index
	seen := map[int64]bool{}
	for _, b := range t.Bars {
		i, ok := at[b.Order]
		if !ok {
			i = len(t.Waves)
			at[b.Order] = i
			t.Waves = append(t.Waves, Wave{Order: b.Order, Start: b.Start, End: b.End})
		}
		w := &t.Waves[i]
		w.End = later(w.End, b.End)
		if !seen[b.Task] {
			seen[b.Task] = true
			w.Tasks++
		}
		if b.Failed() {
			w.Failed++
		}
	}
	slices.SortFunc(t.Waves, func(a, b Wave) int { return cmp.Compare(a.Order, b.Order) })
}

// waits finds how long before its start each first attempt could have started: since its task was enqueued and the wave before had ended.
func (t *Timeline) waits() {
	ended := make(map[int]time.Time, len(t.Waves)) // order to the end of all below
	var below time.Time
	for _, w := range t.Waves {
		ended[w.Order] = below
		below = later(below, w.End)
	}
	for i := range t.Bars {
		b := &t.Bars[i]
		if b.Attempt > 1 {
			continue
		}
		ready := later(ended[b.Order], t.Begin)
		if b.enqueued != nil {
			ready = later(ready, *b.enqueued)
		}
		b.Wait = max(0, b.Start.Sub(ready))
	}
}

// together is how soon after another's end a task on the same lane counts as having begun right then.
const together = 250 * time.Millisecond

// critical finds the path that determined how long the process took, from its last end back: to the attempt before it of the same
// task, to the task before it on the same lane if it began as that one ended, else to the last of the wave before.
func (t *Timeline) critical() {
	lastOn := map[int]int{}     // lane to its latest bar so far
	previous := map[int]int{}   // bar to the one before it on its lane
	attempts := map[int64]int{} // task to its latest bar so far
	retried := map[int]int{}    // bar to the attempt before it
	slowest := map[int]int{}    // order to the bar that ended last
	end := 0
	for i, b := range t.Bars {
		if p, ok := lastOn[b.Lane]; ok {
			previous[i] = p
		}
		lastOn[b.Lane] = i
		if p, ok := attempts[b.Task]; ok {
			retried[i] = p
		}
		attempts[b.Task] = i
		if s, ok := slowest[b.Order]; !ok || b.End.After(t.Bars[s].End) {
			slowest[b.Order] = i
		}
		if b.End.After(t.Bars[end].End) {
			end = i
		}
	}
	for i, ok := end, true; ok && !t.Bars[i].Critical; {
		b := &t.Bars[i]
		b.Critical = true
		t.Critical = append(t.Critical, i)
		p, on := previous[i]
		if r, again := retried[i]; again {
			i = r
		} else if on && b.Start.Sub(t.Bars[p].End) <= together && t.Bars[p].Order == b.Order {
			i = p
		} else {
			w, _ := slices.BinarySearchFunc(t.Waves, b.Order, func(w Wave, order int) int { return cmp.Compare(w.Order, order) })
			if ok = w > 0; ok {
				i = slowest[t.Waves[w-1].Order]
			}
		}
	}
	slices.Reverse(t.Critical)
}

// stretch is when a lane worked for another process.
type stretch struct{ from, to time.Time }

// stretches returns them by lane, ascending.
func stretches(others []dialects.LogEntry, now time.Time) map[int][]stretch {
	busy := map[int][]stretch{}
	for _, e := range others {
		s := stretch{e.StartedAt, now}
		if e.FinishedAt != nil {
			s.to = *e.FinishedAt
		}
		busy[e.Lane] = append(busy[e.Lane], s)
	}
	for _, all := range busy {
		slices.SortFunc(all, func(a, b stretch) int { return a.from.Compare(b.from) })
	}
	return busy
}

// within returns how much of the time from from to to the stretches cover.
func within(busy []stretch, from, to time.Time) (d time.Duration) {
	first, _ := slices.BinarySearchFunc(busy, from, func(s stretch, at time.Time) int { return s.to.Compare(at) })
	for _, s := range busy[first:] {
		if !s.from.Before(to) {
			break
		}
		end := s.to
		if end.After(to) {
			end = to
		}
		if begin := later(from, s.from); end.After(begin) {
			d += end.Sub(begin)
			from = end
		}
	}
	return d
}

// spend divides the time of the lanes. The tasks left to start are a step function of time; a gap on a lane is the sum of its steps.
func (t *Timeline) spend(others []dialects.LogEntry, now time.Time) {
	busy := stretches(others, now)
	type step struct {
		at             time.Time
		plain, sharing int // tasks that could start, without and with a resource
	}
	steps := []step{{at: t.Begin}}
	for _, b := range t.Bars {
		t.Spent.Running += b.Took()
		if b.Wait <= 0 {
			continue
		}
		s := step{plain: 1}
		if b.Resource != "" {
			s = step{sharing: 1}
		}
		steps = append(steps, step{b.Start.Add(-b.Wait), s.plain, s.sharing}, step{b.Start, -s.plain, -s.sharing})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	// From here on each step holds the state that begins with it.
	for i := 1; i < len(steps); i++ {
		steps[i].plain += steps[i-1].plain
		steps[i].sharing += steps[i-1].sharing
	}
	gap := func(lane int, from, to time.Time) {
		i, _ := slices.BinarySearchFunc(steps, from, func(s step, at time.Time) int { return s.at.Compare(at) })
		if i == len(steps) || steps[i].at.After(from) {
			i--
		}
		for ; from.Before(to); i++ {
			until := to
			if i+1 < len(steps) && steps[i+1].at.Before(to) {
				until = steps[i+1].at
			}
			if d := until.Sub(from); d > 0 {
				switch {
				case steps[i].plain > 0:
					taken := within(busy[lane], from, until)
					t.Spent.Others += taken
					t.Spent.Start += d - taken
				case steps[i].sharing > 0:
					t.Spent.Resource += d
				default:
					t.Spent.Idle += d
				}
				from = until
			}
		}
	}
	free := make(map[int]time.Time, len(t.Lanes))
	for _, lane := range t.Lanes {
		free[lane] = t.Begin
	}
	for _, b := range t.Bars {
		gap(b.Lane, free[b.Lane], b.Start)
		free[b.Lane] = later(free[b.Lane], b.End)
	}
	for _, lane := range t.Lanes {
		gap(lane, free[lane], t.End)
	}
}

// lonely finds the wave that waited longest for one task alone, if that was a tenth of the whole time.
func (t *Timeline) lonely() {
	last, second := map[int]int{}, map[int]time.Time{}
	for i, b := range t.Bars {
		l, ok := last[b.Order]
		switch {
		case !ok:
			last[b.Order] = i
		case b.End.After(t.Bars[l].End):
			second[b.Order] = t.Bars[l].End
			last[b.Order] = i
		default:
			second[b.Order] = later(second[b.Order], b.End)
		}
	}
	for _, w := range t.Waves {
		i := last[w.Order]
		if second[w.Order].IsZero() || t.Bars[i].Running {
			continue
		}
		alone := t.Bars[i].End.Sub(later(second[w.Order], t.Bars[i].Start))
		if alone*10 >= t.End.Sub(t.Begin) && (t.Lonely == nil || alone > t.Lonely.Alone) {
			t.Lonely = &Lonely{Order: w.Order, Bar: i, Alone: alone}
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Overran returns the attempts that ran beyond their timeouts, by start.
func (t *Timeline) Overran() (all []Bar) {
	for _, b := range t.Bars {
		if b.Overran != nil {
			all = append(all, b)
		}
	}
	return all
}

// OverranTasks returns the ids of their tasks.
func (t *Timeline) OverranTasks() []int64 {
	ids := []int64{}
	for _, b := range t.Overran() {
		if !slices.Contains(ids, b.Task) {
			ids = append(ids, b.Task)
		}
	}
	return ids
}

// CriticalTasks returns the ids of the tasks of the critical path, in order.
func (t *Timeline) CriticalTasks() []int64 {
	ids := []int64{}
	for _, i := range t.Critical {
		if id := t.Bars[i].Task; len(ids) == 0 || ids[len(ids)-1] != id {
			ids = append(ids, id)
		}
	}
	return ids
}
