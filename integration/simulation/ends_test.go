package simulation

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// toEnd is how long a session may take to end when it must, and its lane's lock to be seen free.
var toEnd = map[string]time.Duration{"mssql": time.Second, "oracle": 2 * time.Second}

// stopsAtOnce: an attempt that must end does, if dbsched may end sessions: when its time is over, when it is cancelled, and when the scheduler stops now.
func (c *checker) stopsAtOnce(f *photo) {
	if !c.undisturbed() || c.dialect == "mssql" && c.has(killRight) {
		return
	}
	d := c.diary(f)
	for _, t := range f.all["Tasks"] {
		for _, l := range d.logs[t.num("TaskId")] {
			if l.num("LaneId") > lastLane {
				continue // nobody ends who called TaskScheduler
			}
			began, ended := l.time("StartedAt"), l.time("EndedAt")
			if t.has("TimeoutSeconds") {
				d.endsBy("timeout", l, began.Add(time.Duration(t.num("TimeoutSeconds"))*time.Second+timed))
			}
			for i, s := range c.steps {
				done, ok := c.done[i]
				if c.reports[i] != yes || !ok || began.After(c.began[i]) || ended.Before(done) {
					continue
				}
				n := asks(t)
				p := c.home(n)
				if s.order == stopNow || s.order == cancelTask && s.n == n || s.order == cancelAll && p != nil && s.n == p.number {
					d.endsBy(string(s.order), l, done)
				}
			}
		}
	}
}

// endsBy: an attempt ends soon after a moment. While no dispatcher is there, or the scheduler is stopped, nobody looks at the time.
func (d *diary) endsBy(why string, l line, at time.Time) {
	ended := l.time("EndedAt")
	var most time.Duration
	for _, s := range d.starts {
		if s.touches(at, ended) {
			most += s.to.Sub(s.from)
		}
	}
	late := ended.Sub(at) - most
	if why == "timeout" {
		for _, s := range d.off {
			if s.touches(at, ended) {
				return
			}
		}
	}
	if late > toEnd[d.dialect] {
		d.failf("task id %d must end at %s (%s), and ended at %s", l.num("TaskId"), at.Format("15:04:05.000"), why, ended.Format("15:04:05.000"))
	}
}

// endsAtOnce: a process that is closed ends with its last task, and one that is cancelled at once.
func (c *checker) endsAtOnce(f *photo) {
	if !c.undisturbed() || c.has(stop) || c.has(stopNow) || c.has(aCall) {
		return
	}
	d := c.diary(f)
	for id, p := range d.process {
		n, _ := strconv.Atoi(strings.TrimPrefix(p.text("Name"), "p"))
		made := c.made[n]
		if made == nil || d.again[id] || !p.has("FinishedAt") {
			continue
		}
		var at time.Time
		later := func(m time.Time) {
			if m.After(at) {
				at = m
			}
		}
		cancelled := false
		for i, s := range c.steps {
			done, ended := c.done[i]
			switch {
			case s.process != nil && c.enqueued[s.process.number] != no && (s.process == made || s.process.into == n),
				slices.Contains([]order{closeProcess, releaseProcess}, s.order) && s.n == n && c.reports[i] == yes:
				if ended {
					later(done)
				}
			case s.order == cancelAll && s.n == n:
				cancelled = true
			}
		}
		for _, t := range d.of[id] {
			later(t.time("FinishedAt"))
		}
		if cancelled {
			continue
		}
		finished := p.time("FinishedAt")
		late := finished.Sub(at)
		for _, s := range d.busy {
			if s.touches(at, finished) {
				late -= s.to.Sub(s.from)
			}
		}
		if late > instant[c.dialect] {
			c.failf("process %s could end at %s, and ended at %s", p.text("Name"), at.Format("15:04:05.000"), finished.Format("15:04:05.000"))
		}
	}
}

// firesAtOnce: a schedule fires at its instant, unless the scheduler or the schedule was stopped, or a process of it had to end first.
func (c *checker) firesAtOnce(f *photo) {
	if !c.undisturbed() || c.has(disable) || !c.has(schedule) {
		return
	}
	d := c.diary(f)
	enqueued := map[int64]time.Time{}
	for _, t := range f.all["Tasks"] {
		enqueued[t.num("TaskId")] = t.time("EnqueuedAt")
	}
	for _, g := range c.firings {
		n, _ := strconv.Atoi(strings.TrimPrefix(g.name, "s"))
		due, at := epoch.Add(time.Duration(g.due)*time.Second), enqueued[g.task]
		if g.task == 0 || at.IsZero() || firingRule(n).overlap() == "Queue" {
			continue
		}
		late := at.Sub(due)
		for _, s := range slices.Concat(d.busy, d.off) {
			if s.touches(due, at) {
				late -= s.to.Sub(s.from)
			}
		}
		if at.Before(due) || late > timed+instant[c.dialect] {
			c.failf("schedule %s had to fire at %s, and did at %s", g.name, due.Format("15:04:05.000"), at.Format("15:04:05.000"))
		}
	}
}
