package simulation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// check returns the rules that a history breaks. It knows what the workload asked for, what was seen while tasks ran, and the tables.
func check(h *history) []string {
	if h.endless {
		return []string{"the history does not end"}
	}
	c := newChecker(h)
	c.quiet()
	c.once()
	c.kept()
	c.waves()
	c.effects()
	c.limits()
	c.outcomes()
	c.keys()
	c.duplicates()
	c.counts()
	c.rounds()
	c.schedules()
	c.rights()
	c.replaced()
	c.denied()
	c.stopped()
	c.cancelled()
	c.halted()
	c.timedOut()
	c.line()
	c.fair()
	c.verdicts()
	c.tables()
	c.attempted()
	c.oldest()
	return c.broken
}

// newChecker knows what a history asked for.
func newChecker(h *history) *checker {
	c := &checker{history: h, asked: map[int]task{}, of: map[int]*process{}, by: map[int]int{}, made: map[int]*process{}, rows: map[int][]taskRow{}, logged: map[int64]int{}, retried: map[int]bool{}}
	for i, s := range h.steps {
		if s.process == nil {
			continue
		}
		if s.process.into == 0 {
			c.made[s.process.number] = s.process
		}
		for _, t := range s.process.tasks {
			c.asked[t.number], c.of[t.number], c.by[t.number] = t, s.process, i
		}
	}
	for number := range c.asked {
		c.retried[number] = slices.ContainsFunc(h.steps, func(s step) bool {
			return s.order == retryTask && s.n == number || s.order == retryProcess && s.n == c.home(number).number
		})
	}
	for _, t := range h.tasks {
		c.rows[t.number] = append(c.rows[t.number], t)
	}
	for _, l := range h.logs {
		c.logged[l.task]++
	}
	return c
}

type checker struct {
	*history
	asked   map[int]task
	of      map[int]*process // the process whose transaction enqueues a task
	by      map[int]int      // and the step that does
	made    map[int]*process // by number
	rows    map[int][]taskRow
	logged  map[int64]int  // attempts by task id
	logsOf  map[int][]line // attempts by number of the task, if it is there once
	retried map[int]bool   // numbers of tasks that somebody may have retried
	broken  []string
}

func (c *checker) failf(format string, args ...any) {
	c.broken = append(c.broken, fmt.Sprintf(format, args...))
}

// home returns the process of a task.
func (c *checker) home(task int) *process {
	p := c.of[task]
	if p != nil && p.into > 0 {
		return c.made[p.into]
	}
	return p
}

// seconds reports whether a task is the second user's. On Oracle there is only one.
func (c *checker) seconds(task int) bool {
	p := c.of[task]
	return p != nil && p.second && c.dialect == "mssql"
}

// stays reports whether a process may be unfinished at the end.
func (p *process) stays() bool { return p.suspended || p.open }

// quiet: the engine has no defect, every order is carried out, all that can run has ended, and nothing is left behind.
func (c *checker) quiet() {
	if len(c.open) > 0 {
		c.failf("statements leave open what is locked, or whether a commit lasts: %+v", c.open)
	}
	if c.panics > 0 {
		c.failf("%d sessions ended by a panic", c.panics)
	}
	for _, t := range c.trouble {
		c.failf("trouble: %s", t)
	}
	if !c.ended {
		c.failf("tasks are unfinished long after the last fault")
	} else if c.minutes-int(c.busy().Minutes()) > mostMinutes {
		c.failf("all took %d minutes to end after the last fault", c.minutes)
	}
	if c.dialect == "mssql" && slices.Contains(c.seen, startedAnew) && !c.killed() {
		c.failf("there was no dispatcher, and nobody had ended it")
	}
	for _, l := range c.left {
		if c.notified && c.killed() {
			continue // its message waits for the lane's next task
		}
		if strings.HasPrefix(l, "SO ") && slices.Contains(c.decided.faults, "full") {
			continue // SEND found no space, and its caller continues without the wake-up; the conversation's lifetime ends it
		}
		c.failf("left behind: %s", l)
	}
}

// busy returns how long tasks ran after the last fault: they may all wait for the only worker, one after another.
func (c *checker) busy() (lasts time.Duration) {
	until := c.rest
	for _, r := range c.runs { // in the order in which they began
		if r.held() || !r.end.After(until) {
			continue
		}
		if r.begin.After(until) {
			until = r.begin
		}
		lasts += r.end.Sub(until)
		until = r.end
	}
	return lasts
}

// noDispatcher reports whether a fault had ended the dispatcher before it received, so that its queue starts no other: until a worker leaves long
// enough afterwards, or somebody does what the status asks for, nobody looks. On Oracle: a fault had ended it while jobs were switched off.
func (c *checker) noDispatcher() bool {
	if c.has(jobsOff) && !c.has(jobsOn) && c.faultKilled() {
		return true
	}
	return slices.Contains(c.seen, startedAnew) || c.killed() && slices.ContainsFunc(slices.Concat(c.seen, c.alarms), func(s string) bool {
		return strings.Contains(s, "Dispatch 11 NOTIFIED") || strings.HasPrefix(s, "QueueDisabled: The queue Dispatch ")
	})
}

// killed reports whether a fault or an order ended a session.
func (c *checker) killed() bool {
	return c.has(queueOff) || c.has(brokerOff) || c.faultKilled()
}

// faultKilled reports whether a fault ended a session.
func (h *history) faultKilled() bool {
	return slices.ContainsFunc(h.decided.faults, func(what string) bool {
		return what == "kill" || what == "kill another" || what == "crash"
	})
}

// once: no two runs of a task overlap, and each run has an attempt in the log.
func (c *checker) once() {
	count := map[int]int{}
	for i, a := range c.runs {
		count[a.task]++
		for _, b := range c.runs[i+1:] {
			if a.task == b.task && b.from < a.to && (a.task < ofSchedule || a.task < ofHolding && firingRule(a.task-ofSchedule).overlap() != "Allow") {
				c.failf("task %d ran twice at once, in sessions %d and %d", a.task, a.session, b.session)
			}
		}
	}
	for number, n := range count {
		if number >= ofHolding || c.has(purge) {
			continue
		}
		logged := 0
		for _, r := range c.rows[number] {
			logged += c.logged[r.id]
		}
		if n > logged {
			c.failf("task %d ran %d times, and the log knows %d", number, n, logged)
		}
	}
}

// final are the statuses in which a task has ended.
var final = []string{"Succeeded", "Failed", "TimedOut", "Cancelled", "Skipped"}

// kept: a committed process has its tasks, an uncommitted one has none, and every task is in one final status.
func (c *checker) kept() {
	for number, t := range c.asked {
		rows, known := len(c.rows[number]), c.enqueued[c.of[number].number]
		if t.undone {
			known = no
		}
		switch known {
		case yes:
			if rows != 1 && t.key == 0 && !c.has(purge) || rows > 1 {
				c.failf("task %d was committed, and is there %d times", number, rows)
			}
		case no:
			if rows > 0 || c.marks[number] > 0 {
				c.failf("task %d was rolled back, and is there", number)
			}
		case unknown:
			if rows > 1 {
				c.failf("task %d is there %d times", number, rows)
			}
		}
	}
	for _, t := range c.tasks {
		waits := false
		if t.number > 0 && t.number < ofSchedule {
			if c.asked[t.number].number == 0 {
				c.failf("task %d was never asked for", t.id)
				continue
			}
			waits = c.home(t.number).suspended && t.status == "Waiting"
		}
		if !slices.Contains(final, t.status) && !waits {
			c.failf("task %d is %s at the end", t.number, t.status)
		}
		if most := t.maxAttempts + t.orphans + c.outages(t.id); t.attempt > most && !c.retried[t.number] && !c.has(purge) && (t.number > 0 || !c.has(aCall)) {
			c.failf("task %d had %d attempts, and %d are the most", t.number, t.attempt, most)
		}
	}
	for _, l := range c.logs {
		if l.outcome != "Succeeded" && l.outcome != "Running" && (l.errorNumber == 0 || l.message == "") {
			c.failf("attempt %d of task id %d is %s, and the log knows no error", l.attempt, l.task, l.outcome)
		}
		if l.outcome == "Running" {
			c.failf("attempt %d of task id %d runs at the end, the log says", l.attempt, l.task)
		}
	}
}

// apart is how long before another begins a transaction must have committed so that its tasks must be visible: the claim may have
// been a moment earlier.
const apart = 2 * time.Second

// waves: when a task runs, no task of a lower wave of its process runs or will, unless it came later.
func (c *checker) waves() {
	for i, a := range c.runs {
		for j, b := range c.runs {
			if c.home(a.task) == nil || c.home(b.task) != c.home(a.task) || c.asked[b.task].wave >= c.asked[a.task].wave || c.retried[b.task] {
				continue
			}
			if c.by[a.task] != c.by[b.task] {
				if done, ok := c.done[c.by[b.task]]; !ok || a.begin.Sub(done) < apart {
					continue
				}
			}
			if j > i || b.to > a.from {
				c.failf("task %d of wave %d ran before task %d of wave %d had finished", a.task, c.asked[a.task].wave, b.task, c.asked[b.task].wave)
			}
		}
	}
}

// effects: a transactional task's exist once if it succeeded, and not at all if not; others' at least once.
func (c *checker) effects() {
	ran := map[int]int{}
	for _, r := range c.runs {
		ran[r.task]++
	}
	for _, t := range c.tasks {
		if c.asked[t.number].number == 0 {
			continue
		}
		marks, transactional := c.marks[t.number], c.asked[t.number].transactional
		switch {
		case transactional && t.status == "Succeeded" && marks != 1:
			c.failf("transactional task %d succeeded, and has %d effects", t.number, marks)
		case transactional && t.status != "Succeeded" && marks != 0:
			c.failf("transactional task %d is %s, and has %d effects", t.number, t.status, marks)
		case t.status == "Succeeded" && marks == 0:
			c.failf("task %d succeeded without effect", t.number)
		case marks > ran[t.number]:
			c.failf("task %d ran %d times, and has %d effects", t.number, ran[t.number], marks)
		}
	}
}

// limits: never more tasks at once than workers, than a process allows, and than a resource has units.
func (c *checker) limits() {
	most := c.workers
	for _, s := range c.steps {
		if s.order == setWorkers {
			most = max(most, s.n)
		}
	}
	for _, s := range c.steps {
		if s.order == manual {
			most++
		}
	}
	for _, a := range c.runs {
		all, same, units, exclusive := 0, 0, 0, 0
		for _, b := range c.runs { // those running when a begins
			if b.from > a.from || b.to < a.from {
				continue
			}
			if b.held() {
				h := holding(b.task - ofHolding)
				if h.leased() && c.leaseEnded() {
					continue
				}
				units++
				exclusive += bit(h.exclusive())
				continue
			}
			all++
			if c.home(b.task) != nil && c.home(a.task) == c.home(b.task) {
				same++
			}
			if t := c.asked[b.task]; t.resource {
				units++
				exclusive += bit(t.exclusive)
			}
		}
		if all > most {
			c.failf("%d tasks ran at once when task %d began, and there were %d workers", all, a.task, most)
		}
		if p := c.home(a.task); p != nil && p.maxParallel > 0 && same > p.maxParallel {
			c.failf("%d tasks of process %d ran at once, and it allows %d", same, p.number, p.maxParallel)
		}
		if units > capacity || exclusive > 0 && units > 1 {
			c.failf("%d tasks, %d of them exclusive, held the resource when task %d began", units, exclusive, a.task)
		}
	}
}

// leaseEnded reports whether a lease ran out: its session continues, and no longer holds the resource. Only a clock set forward causes that.
func (c *checker) leaseEnded() bool {
	return slices.ContainsFunc(c.alarms, func(a string) bool { return strings.HasPrefix(a, "StaleResource") && strings.Contains(a, "its lease ") })
}

// outcomes: a process whose tasks have ended has ended, according to its OnError.
func (c *checker) outcomes() {
	for _, row := range c.processes {
		n, err := strconv.Atoi(strings.TrimPrefix(row.name, "p"))
		p := c.made[n]
		if err != nil || p == nil {
			if row.id > 1 && !slices.Contains(final, row.status) && !c.mayStay(row.name) {
				c.failf("process %s is %s at the end", row.name, row.status)
			}
			continue
		}
		anew := false
		for _, t := range c.tasks {
			anew = anew || t.process == row.id && c.retried[t.number]
		}
		for _, t := range c.tasks {
			if t.process == row.id && t.status == "Failed" && p.halt && !anew && row.status != "Failed" && row.status != "Cancelled" {
				c.failf("process %s halts on error, and is %s with a failed task %d", row.name, row.status, t.number)
			}
		}
		if row.running != 0 {
			c.failf("process %s has %d running tasks at the end", row.name, row.running)
		}
		if !p.stays() && !slices.Contains(final, row.status) && !anew && (!c.notified || c.faults == 0) {
			c.failf("process %s is %s at the end", row.name, row.status)
		}
	}
}

// keys: of two tasks of a process and user with the same key one has ended before the other begins, and one that does not exist got the id of
// another.
func (c *checker) keys() {
	first, last := map[int]int{}, map[int]int{}
	for _, r := range c.runs {
		if _, ok := first[r.task]; !ok {
			first[r.task] = r.from
		}
		last[r.task] = max(r.to, r.from)
	}
	for a, t := range c.asked {
		if t.key == 0 || t.undone {
			continue
		}
		known := false
		for b, u := range c.asked {
			if u.key != t.key || a == b || c.home(a) != c.home(b) || c.seconds(a) != c.seconds(b) {
				continue
			}
			known = known || len(c.rows[b]) > 0
			if first[a] > 0 && first[b] > first[a] && first[b] < last[a] && !c.retried[a] && !c.retried[b] {
				c.failf("task %d began before task %d, which has the same key, had ended", b, a)
			}
		}
		if c.enqueued[c.of[a].number] == yes && len(c.rows[a]) == 0 && !known && !c.has(purge) {
			c.failf("task %d is not there, and no other has its key", a)
		}
	}
}

// duplicates: a process that does not halt skips only tasks whose key another of its tasks has.
func (c *checker) duplicates() {
	for _, t := range c.tasks {
		p := c.home(t.number)
		if t.status != "Skipped" || p == nil || p.halt || c.has(cancelAll) {
			continue
		}
		other := false
		for n, u := range c.asked {
			other = other || n != t.number && c.home(n) == p && c.seconds(n) == c.seconds(t.number) && u.key == c.asked[t.number].key
		}
		if c.asked[t.number].key == 0 || !other {
			c.failf("task %d was skipped, and no other has its key", t.number)
		}
	}
}

// outages counts the attempts that the server could not begin.
func (c *checker) outages(task int64) (n int64) {
	for _, l := range c.logs {
		n += int64(bit(l.task == task && l.outcome == "Outage"))
	}
	return n
}

// counts: a task's failures and orphans are those in the log, and no worker is lost and no attempt fails to begin without a fault.
func (c *checker) counts() {
	failures, orphans := map[int64]int64{}, map[int64]int64{}
	for _, l := range c.logs {
		failures[l.task] += int64(bit(l.outcome == "Failed" || l.outcome == "TimedOut"))
		orphans[l.task] += int64(bit(l.outcome == "Orphaned"))
	}
	quiet := c.faults == 0 && !slices.ContainsFunc(c.steps, func(s step) bool {
		return slices.Contains([]order{stopJob, jobsOff, brokerOff, queueOff, manual, stopNow}, s.order)
	})
	for _, t := range c.tasks {
		if c.asked[t.number].number == 0 || c.retried[t.number] || c.has(purge) {
			continue
		}
		if t.failures != failures[t.id] || t.orphans != orphans[t.id] {
			c.failf("task %d has %d failures and %d orphans, and the log has %d and %d", t.number, t.failures, t.orphans, failures[t.id], orphans[t.id])
		}
		if quiet && orphans[t.id] > 0 {
			c.failf("task %d is an orphan, and nothing has killed its worker", t.number)
		}
		if quiet && c.outages(t.id) > 0 {
			c.failf("task %d could not begin, and the server had no trouble", t.number)
		}
	}
}

// rounds: the successor runs at most as often as all members may have reported, and at least once if all have certainly reported success.
func (c *checker) rounds() {
	members, failed := 0, false
	most, least := map[int]int{}, map[int]int{}
	for i, s := range c.steps {
		switch {
		case s.order == defineRound && c.reports[i] == yes:
			members = s.n
		case s.order == report && s.n < 0:
			failed = true
		case s.order == report:
			if c.reports[i] != no {
				most[s.n]++
			}
			if c.reports[i] == yes {
				least[s.n]++
			}
		}
	}
	if members == 0 {
		return
	}
	high, low := most[1], least[1]
	for m := range members {
		high, low = min(high, most[m+1]), min(low, least[m+1])
	}
	n := len(c.rows[ofRound])
	if n > high {
		c.failf("the round's successor was started %d times, and its members have reported %d times", n, high)
	}
	if n == 0 && low > 0 && !failed && !c.has(clock) && !c.has(purge) {
		c.failf("the round's successor was not started")
	}
}

// schedules: each instant of a calendar is in the history once, in order, and each that fires has one process.
func (c *checker) schedules() {
	last := map[string]int64{}
	fired := map[string]int{}
	for _, f := range c.firings {
		n, _ := strconv.Atoi(strings.TrimPrefix(f.name, "s"))
		every := int64(firingRule(n).minutes()) * 60
		before, ok := last[f.name]
		switch {
		case ok && f.due <= before:
			c.failf("schedule %s fired %d after %d", f.name, f.due, before)
		case ok && f.due != before+every && !c.has(purge):
			c.failf("schedule %s: %d follows %d", f.name, f.due, before)
		}
		last[f.name] = f.due
		if !slices.Contains(append([]string{"Missed"}, final...), f.status) {
			c.failf("the firing of schedule %s at %d is %s at the end", f.name, f.due, f.status)
		}
		if f.process > 0 {
			fired[f.name]++
		}
		if f.process == 0 && f.status == "Succeeded" && !c.has(purge) {
			c.failf("the firing of schedule %s at %d has no process", f.name, f.due)
		}
	}
	if c.has(purge) {
		return
	}
	for name, n := range fired {
		made := 0
		for _, p := range c.processes {
			made += bit(strings.HasPrefix(p.name, name+" "))
		}
		if made != n {
			c.failf("schedule %s has fired %d times, and made %d processes", name, n, made)
		}
	}
}

// mostMinutes is how long all that can run may take to end after the last fault, besides the time in which a task runs: late starts, sweeps,
// delays.
const mostMinutes = 6

// stopped: after a stop has returned no run begins until the next start.
func (c *checker) stopped() {
	for i, s := range c.steps {
		done, ok := c.done[i]
		if s.order != stop && s.order != stopNow || c.reports[i] != yes || !ok {
			continue
		}
		until := c.rest
		for j, t := range c.steps {
			if began, ok := c.began[j]; ok && t.order == start && (c.done[j].IsZero() || c.done[j].After(c.began[i])) && began.Before(until) {
				until = began
			}
		}
		for _, r := range c.runs {
			if !r.held() && r.begin.After(done.Add(apart)) && r.begin.Before(until) {
				c.failf("task %d began after the scheduler was stopped", r.task)
			}
		}
	}
}

// cancelled: a task that existed and was cancelled does not begin afterwards.
func (c *checker) cancelled() {
	for i, s := range c.steps {
		if s.order != cancelTask && s.order != cancelAll || c.reports[i] != yes {
			continue
		}
		for _, r := range c.runs {
			p := c.home(r.task)
			if p == nil || s.order == cancelTask && r.task != s.n || s.order == cancelAll && p.number != s.n || c.retried[r.task] {
				continue
			}
			there, ok := c.done[c.by[r.task]]
			if ok && there.Before(c.began[i]) && r.begin.After(c.done[i].Add(apart)) {
				c.failf("task %d began after it was cancelled", r.task)
			}
		}
	}
}

// halted: no task of a later wave runs in a process that halts on error and has a failed task.
func (c *checker) halted() {
	for _, t := range c.tasks {
		p := c.of[t.number]
		if p == nil || p.into > 0 || !p.halt || t.status != "Failed" && t.status != "TimedOut" || c.retried[t.number] {
			continue
		}
		for _, r := range c.runs {
			if c.of[r.task] == p && c.asked[r.task].wave > c.asked[t.number].wave && !c.retried[r.task] {
				c.failf("task %d ran although task %d of an earlier wave is %s and the process halts on error", r.task, t.number, t.status)
			}
		}
	}
}

// timedOut: no run outlasts its timeout by more than a sweep, unless the sessions of tasks cannot be ended (Purge may have deleted the alarm that
// says so), a fault had ended the dispatcher, or the scheduler was stopped meanwhile: then tasks finish, however long they take. Oracle restarts
// a dispatcher that has ended at its next minute; with a second fault it may be two.
func (c *checker) timedOut() {
	if c.noDispatcher() || c.has(purge) || slices.ContainsFunc(c.alarms, func(a string) bool { return strings.HasPrefix(a, "CannotEnd") }) {
		return
	}
	bySession := map[int64]bool{} // tasks whose session called TaskScheduler: nobody ends it
	for _, l := range c.logs {
		bySession[l.task] = bySession[l.task] || l.lane > lastLane
	}
	for _, r := range c.runs {
		t := c.asked[r.task]
		if slices.ContainsFunc(c.rows[r.task], func(row taskRow) bool { return bySession[row.id] }) {
			continue
		}
		most := time.Duration(t.timeout)*time.Second + 80*time.Second
		for _, s := range c.steps {
			if s.order == clock {
				most += time.Duration(max(0, -s.n)) * time.Second // the clock is set back
			}
		}
		struck := 0
		for _, at := range c.struck {
			struck += bit(at.After(r.begin.Add(-80*time.Second)) && at.Before(r.end))
		}
		most += time.Duration(max(0, struck-1)) * time.Minute
		if t.timeout > 0 && !r.end.IsZero() && r.end.Sub(r.begin) > most && !c.stops(r.begin, r.begin.Add(most)) {
			c.failf("task %d ran for %v, and its timeout is %d s", r.task, r.end.Sub(r.begin), t.timeout)
		}
	}
}

// stops reports whether somebody stopped the scheduler between two moments, and let running tasks finish.
func (c *checker) stops(from, to time.Time) bool {
	for i, s := range c.steps {
		if at, ok := c.began[i]; ok && (s.order == stop || s.order == stopNow && c.reports[i] != yes) && at.After(from) && at.Before(to) {
			return true
		}
	}
	return false
}

// lastLane is the number of the last lane; sessions that called TaskScheduler have higher ones.
const lastLane = 1000

// looks is how long a reading session may not notice that it has got the resource: if a task is before it in line, there is no lock to
// wait for, so it checks twice a second.
const looks = time.Second

// line: sessions get the resource in the order in which they requested it.
func (c *checker) line() {
	asked := map[int][]time.Time{}
	for i, s := range c.steps {
		if s.order == hold {
			asked[holding(s.n).number()] = append(asked[holding(s.n).number()], c.began[i])
		}
	}
	for i, a := range c.runs {
		for _, b := range c.runs[i+1:] {
			if len(asked[a.task]) == 1 && len(asked[b.task]) == 1 && asked[b.task][0].Add(apart).Before(asked[a.task][0]) &&
				(holding(a.task-ofHolding).exclusive() || holding(b.task-ofHolding).exclusive() || b.begin.Sub(a.begin) > looks) {
				c.failf("session %d got the resource before session %d, which had asked for it earlier", a.task, b.task)
			}
		}
	}
}

// calm reports whether nothing but time and the policy decided what ran.
func (c *checker) calm() bool {
	if c.faults > 0 || len(c.more) > 0 {
		return false
	}
	return !slices.ContainsFunc(c.steps, func(s step) bool {
		return s.process == nil && !slices.Contains([]order{policy, sweep, defineRound, report, hold, look, longestPause, killRight}, s.order)
	})
}

// plain reports whether a task needs only its turn: it waits for no time, resource or other user's worker.
func (c *checker) plain(task int) bool {
	t, p := c.asked[task], c.home(task)
	return p != nil && !p.suspended && !c.of[task].second && p.maxParallel == 0 && !t.resource && t.delay == 0 && t.key == 0
}

// ready returns when a task could first run: its transaction and the lower waves had ended.
func (c *checker) ready(task int) (at time.Time, ok bool) {
	at, ok = c.done[c.by[task]]
	for other, t := range c.asked {
		if c.home(other) != c.home(task) || t.wave >= c.asked[task].wave || t.undone {
			continue
		}
		if !c.plain(other) || t.fails > 0 || t.timeout > 0 {
			return at, false // nothing shows when it ended
		}
		for _, r := range c.runs {
			if r.task == other && r.end.After(at) {
				at = r.end
			}
		}
	}
	return at, ok
}

// fair: under RoundRobin, which is the default, no process begins a task while another, with fewer running tasks for its weight, has had a runnable one
// for a while. One task more or less may have been claimed at the same moment.
func (c *checker) fair() {
	at := -1
	for i, s := range c.steps {
		if s.order == policy {
			if at >= 0 || policies[s.n] != "RoundRobin" {
				return
			}
			at = i
		}
	}
	if !c.calm() {
		return
	}
	for _, a := range c.runs {
		p := c.home(a.task)
		if p == nil || at >= 0 && a.begin.Before(c.done[at].Add(apart)) {
			continue
		}
		for _, b := range c.runs {
			q := c.home(b.task)
			if b.from <= a.from || q == nil || q == p || !c.plain(b.task) {
				continue
			}
			if ready, ok := c.ready(b.task); !ok || a.begin.Sub(ready) < apart || c.ran(b.task, a.from) {
				continue
			}
			if c.running(p, a.from)*q.weight > (c.running(q, a.from)+1)*p.weight {
				c.failf("task %d of process %d began before task %d of process %d, which had fewer running tasks for its weight", a.task, p.number, b.task, q.number)
			}
		}
	}
}

// running counts the tasks of a process that are running at a moment.
func (c *checker) running(p *process, moment int) (n int) {
	for _, r := range c.runs {
		n += bit(c.home(r.task) == p && r.from < moment && r.to > moment)
	}
	return n
}

// ran reports whether a task began before a moment.
func (c *checker) ran(task, moment int) bool {
	return slices.ContainsFunc(c.runs, func(r run) bool { return r.task == task && r.from < moment })
}
