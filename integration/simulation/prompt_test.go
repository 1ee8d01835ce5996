package simulation

import (
	"cmp"
	"slices"
	"time"
)

// prompt: whatever may begin does so at once while a worker is free; only the engine may still be starting a session.
func (c *checker) prompt(f *photo) {
	if !c.undisturbed() {
		return
	}
	d := c.diary(f)
	for _, t := range f.all["Tasks"] {
		id := t.num("TaskId")
		for i, l := range d.logs[id] {
			from, ok := d.ready(t, i)
			if !ok {
				continue
			}
			began := l.time("StartedAt")
			if free := d.free(t, from, began); free > instant[c.dialect] {
				c.failf("attempt %d of task id %d could begin at %s, began at %s, and a worker was free for %v", i+1, id, from.Format("15:04:05.000"), began.Format("15:04:05.000"), free)
			}
		}
	}
}

// claims is how long a claim may take while sessions take turns at each of its statements.
const claims = 50 * time.Millisecond

// instant is how long "at once" may take: the start of a session, and the claim. On Oracle a lane's job cannot start again before its last run
// has ended.
var instant = map[string]time.Duration{"mssql": 50*time.Millisecond + claims, "oracle": 400*time.Millisecond + claims}

// timed is how late something may come that waits for a time.
const timed = time.Second

// undisturbed reports whether no fault, and nobody from outside, ended a session, delayed its start, or switched something off. On SQL Server the
// starts that faults delay are known; on Oracle a call may lock what the dispatcher needs.
func (c *checker) undisturbed() bool {
	late := slices.ContainsFunc(c.decided.faults, func(what string) bool { return what != "late" })
	if late || c.dialect == "oracle" && (c.faults > 0 || c.has(aCall)) {
		return false
	}
	return !slices.ContainsFunc(c.steps, func(s step) bool {
		return slices.Contains([]order{queueOff, brokerOff, brokerOn, jobsOff, jobsOn, stopJob}, s.order)
	})
}

// waitsToEnd is how long the dispatcher waits at most, in its turn, for the sessions that it ends.
const waitsToEnd = 600 * time.Millisecond

// diary is what the tables at the end say about each moment.
type diary struct {
	*checker
	attempts []line           // all
	logs     map[int64][]line // attempts by task id, in order
	of       map[int64][]line // tasks by process
	process  map[int64]line   // by id
	again    map[int64]bool   // processes of which somebody may have retried a task
	busy     []spell          // when a session started, or the dispatcher waited for the end of one
	off      []spell          // when the scheduler may have been stopped
	sessions []spell          // when a session asked for the resource or had it
	limits   []limit          // of workers
}

// spell is a time from its begin to its end.
type spell struct{ from, to time.Time }

// covers reports whether a spell has all of a time, touches some of it.
func (s spell) covers(from, to time.Time) bool  { return !s.from.After(from) && !s.to.Before(to) }
func (s spell) touches(from, to time.Time) bool { return s.from.Before(to) && s.to.After(from) }

// limit is how many workers there may be from a moment on.
type limit struct {
	from time.Time
	n    int
}

var forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func (c *checker) diary(f *photo) *diary {
	d := &diary{checker: c, attempts: f.all["Logs"], busy: slices.Clone(c.starts), logs: map[int64][]line{}, of: map[int64][]line{}, process: map[int64]line{}, again: map[int64]bool{}}
	for _, l := range d.attempts {
		d.logs[l.num("TaskId")] = append(d.logs[l.num("TaskId")], l)
		if ended := l.time("EndedAt"); l.is("Outcome", "TimedOut", "Cancelled") {
			d.busy = append(d.busy, spell{ended.Add(-waitsToEnd), ended})
		}
	}
	for _, all := range d.logs {
		slices.SortFunc(all, func(a, b line) int { return cmp.Compare(a.num("LogId"), b.num("LogId")) })
	}
	for _, p := range f.all["Processes"] {
		d.process[p.num("ProcessId")] = p
	}
	for _, t := range f.all["Tasks"] {
		p := t.num("ProcessId")
		d.of[p] = append(d.of[p], t)
		if n := asks(t); c.retried[n] {
			d.again[p] = true
		}
	}
	d.limits = []limit{{n: c.workers}}
	var since time.Time
	for i, s := range c.steps {
		began, ok := c.began[i]
		if !ok {
			continue
		}
		done, ended := c.done[i]
		if !ended {
			done = c.rest
		}
		switch s.order {
		case setWorkers:
			last := d.limits[len(d.limits)-1].n
			d.limits = append(d.limits, limit{began, min(last, s.n)}, limit{done, s.n})
		case stop, stopNow:
			if since.IsZero() {
				since = began
			}
		case start:
			if !since.IsZero() {
				d.off, since = append(d.off, spell{since, done}), time.Time{}
			}
		case hold:
			d.sessions = append(d.sessions, spell{began, done})
		}
	}
	if !since.IsZero() {
		d.off = append(d.off, spell{since, c.rest.Add(apart)})
	}
	d.limits = append(d.limits, limit{c.rest, max(1, d.workers)})
	return d
}

// asks returns the number of a task's text, or 0.
func asks(t line) int {
	if m := number.FindStringSubmatch(t.text("SqlText")); m != nil {
		return int(num(m[1]))
	}
	return 0
}

// ready returns from when on an attempt only needed a worker, and a place in its process and in the line of its resource.
func (d *diary) ready(row line, attempt int) (from time.Time, ok bool) {
	logs, process := d.logs[row.num("TaskId")], row.num("ProcessId")
	if d.again[process] || d.has(aCall) && (row.has("ResourceId") || row.has("DedupKey")) { // calls use them, too
		return from, false
	}
	later := func(m time.Time, late time.Duration) {
		if m = m.Add(late); m.After(from) {
			from = m
		}
	}
	for _, u := range d.of[process] {
		if end := u.time("FinishedAt"); u.num("ExecutionOrder") < row.num("ExecutionOrder") && !end.After(logs[attempt].time("StartedAt")) {
			later(end, 0)
		}
	}
	if attempt > 0 {
		before, failures := logs[attempt-1], int64(0)
		if !before.is("Outcome", "Failed", "TimedOut") {
			return from, false
		}
		for _, l := range logs[:attempt] {
			failures += int64(bit(l.is("Outcome", "Failed", "TimedOut")))
		}
		later(before.time("EndedAt"), 0)
		if pause := pauseOf(row.num("RetryDelaySeconds"), failures, 3600); pause > 0 {
			later(before.time("EndedAt"), pause+timed)
		}
		return from, true
	}
	later(row.time("EnqueuedAt"), 0)
	t, asked := d.asked[asks(row)]
	if !asked {
		return from, !d.has(aCall) // its transaction may stay open
	}
	p := d.home(t.number)
	for _, by := range []int{d.by[t.number], slices.IndexFunc(d.steps, func(s step) bool { return s.process == p })} {
		done, known := d.done[by]
		if !known {
			return from, false
		}
		later(done, 0)
	}
	if t.delay > 0 {
		later(start0.Add(time.Duration(t.delay)*time.Second), timed)
	}
	if p.suspended {
		released := forever
		for i, s := range d.steps {
			if m, ended := d.done[i]; ended && s.order == releaseProcess && s.n == p.number && m.Before(released) && d.reports[i] == yes {
				released = m
			}
		}
		later(released, 0)
	}
	return from, true
}

// free returns the longest time between two moments in which a task only needed a worker, and one was free, and no session was starting.
func (d *diary) free(row line, from, to time.Time) (longest time.Duration) {
	if to.Sub(from) <= 0 {
		return 0
	}
	moments := []time.Time{from, to}
	add := func(all ...time.Time) {
		for _, m := range all {
			if m.After(from) && m.Before(to) {
				moments = append(moments, m)
			}
		}
	}
	waits := d.waits(row)
	for _, l := range d.attempts {
		add(l.time("StartedAt"), l.time("EndedAt"))
	}
	for _, s := range slices.Concat(d.off, d.busy, waits) {
		add(s.from, s.to)
	}
	for _, l := range d.limits {
		add(l.from)
	}
	slices.SortFunc(moments, time.Time.Compare)
	for i, m := range moments[:len(moments)-1] {
		until := moments[i+1]
		within := func(s spell) bool { return s.touches(m, until) }
		if slices.ContainsFunc(d.off, within) || slices.ContainsFunc(d.busy, within) || slices.ContainsFunc(waits, within) || d.full(row, m, until) {
			from = until
		}
		longest = max(longest, until.Sub(from))
	}
	return longest
}

// full reports whether all workers had a task at a time, or as many as the task's process allows.
func (d *diary) full(row line, from, to time.Time) bool {
	busy, same, most := int64(0), int64(0), 0
	for _, l := range d.attempts {
		if (spell{l.time("StartedAt"), l.time("EndedAt")}).covers(from, to) {
			busy += int64(bit(l.num("LaneId") <= lastLane))
			same += int64(bit(l.num("ProcessId") == row.num("ProcessId")))
		}
	}
	for _, l := range d.limits {
		if !l.from.After(from) {
			most = l.n
		}
	}
	p := d.process[row.num("ProcessId")]
	return busy >= int64(most) || p.has("MaxParallel") && same >= p.num("MaxParallel")
}

// waits returns when a task may have waited for another one: for its resource, or the end of one with the same key.
func (d *diary) waits(row line) (all []spell) {
	key, resource := row.text("DedupKey"), row.text("ResourceId")
	if key == "" && resource == "" {
		return nil
	}
	for process, tasks := range d.of {
		for _, t := range tasks {
			if t.text("TaskId") == row.text("TaskId") {
				continue
			}
			until := t.time("FinishedAt")
			if until.IsZero() {
				until = forever
			}
			if key != "" && key == t.text("DedupKey") && process == row.num("ProcessId") && row.text("EnqueuedBy") == t.text("EnqueuedBy") {
				all = append(all, spell{t.time("EnqueuedAt"), until})
			}
			if resource == "" || resource != t.text("ResourceId") {
				continue
			}
			if d.process[process].has("MaxParallel") || d.again[process] { // it may have the resource before it may run
				all = append(all, spell{t.time("EnqueuedAt"), until})
			}
			for _, l := range d.logs[t.num("TaskId")] {
				all = append(all, spell{l.time("StartedAt"), l.time("EndedAt")})
			}
		}
	}
	if resource != "" {
		all = append(all, d.sessions...)
	}
	return all
}
