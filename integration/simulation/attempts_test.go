package simulation

import (
	"cmp"
	"slices"
	"time"
)

// attempted: the log says in which session and when each run took place, and retries, delays and priorities decided when it began.
func (c *checker) attempted() {
	i := slices.IndexFunc(c.photos, func(f *photo) bool { return f.settled && !f.idle })
	if i >= 0 && !c.has(purge) && !c.has(clock) {
		c.prompt(c.photos[i])
		c.stopsAtOnce(c.photos[i])
		c.endsAtOnce(c.photos[i])
		c.firesAtOnce(c.photos[i])
	}
	if i < 0 || c.has(purge) || c.has(aCall) || c.has(clock) {
		return
	}
	logs := map[int][]line{}
	of := map[int64]int{}
	for _, t := range c.tasks {
		if len(c.rows[t.number]) == 1 {
			of[t.id] = t.number
		}
	}
	for _, l := range c.photos[i].all["Logs"] {
		if n, ok := of[l.num("TaskId")]; ok {
			logs[n] = append(logs[n], l)
		}
	}
	for _, all := range logs {
		slices.SortFunc(all, func(a, b line) int { return cmp.Compare(a.num("LogId"), b.num("LogId")) })
	}
	c.logsOf = logs
	c.triedToEnd(c.photos[i])
	c.ranAsLogged()
	c.paused()
	c.ranked()
}

// begins is how long after its row in the log a task may begin, and how long after its end that may be recorded.
const begins = 2 * time.Second

// ranAsLogged: each run is an attempt of the log, in the same session, at the same time.
func (c *checker) ranAsLogged() {
	for _, r := range c.runs {
		logs, ok := c.logsOf[r.task]
		if !ok {
			continue
		}
		if !slices.ContainsFunc(logs, func(l line) bool {
			wait := r.begin.Sub(l.time("StartedAt"))
			late := l.time("EndedAt").Sub(r.end)
			return int(l.num("SessionId")) == r.id && wait >= -time.Millisecond && wait < begins &&
				(c.faults > 0 || r.end.IsZero() || !l.is("Outcome", "Succeeded", "Failed") || late >= -time.Millisecond && late < begins)
		}) {
			c.failf("task %d ran from %s to %s in session %d, and its attempts were %v", r.task, r.begin.Format("15:04:05.000"), r.end.Format("15:04:05.000"), r.id, logs)
		}
	}
}

// paused: a retry begins when the pause after the failure is over, and a delayed task when its time has come.
func (c *checker) paused() {
	most := int64(3600)
	for _, s := range c.steps {
		if s.order == longestPause {
			most = int64(s.n)
		}
	}
	for number, logs := range c.logsOf {
		t, known := c.asked[number]
		if !known || c.retried[number] {
			continue
		}
		if from := start0.Add(time.Duration(t.delay) * time.Second); t.delay > 0 && len(logs) > 0 && logs[0].time("StartedAt").Before(from) {
			c.failf("task %d began at %s, before %s", number, logs[0].text("StartedAt"), from.Format("15:04:05"))
		}
		failures := int64(0)
		for i, l := range logs {
			failures += int64(bit(l.is("Outcome", "Failed", "TimedOut")))
			if i+1 == len(logs) || !l.is("Outcome", "Failed", "TimedOut") {
				continue
			}
			pause := pauseOf(int64(t.retryDelay), failures, most)
			if after := logs[i+1].time("StartedAt").Sub(l.time("EndedAt")); after < pause-time.Millisecond {
				c.failf("attempt %d of task %d began %v after the one before it, and the pause is %v", i+2, number, after, pause)
			}
		}
	}
}

// ranked: of tasks that one transaction has enqueued for a wave, those of a higher priority start first, and then the older ones.
func (c *checker) ranked() {
	if !c.calm() {
		return
	}
	for a, first := range c.logsOf {
		for b, second := range c.logsOf {
			t, u := c.asked[a], c.asked[b]
			if a == b || t.number == 0 || u.number == 0 || c.by[a] != c.by[b] || t.wave != u.wave || !c.plain(a) || !c.plain(b) {
				continue
			}
			before := cmp.Or(cmp.Compare(u.priority, t.priority), cmp.Compare(a, b)) < 0
			if before && first[0].num("LogId") > second[0].num("LogId") && second[0].time("StartedAt").Sub(c.done[c.by[b]]) > apart {
				c.failf("task %d began before task %d, which has priority %d", b, a, t.priority)
			}
		}
	}
}

// oldest: under Fifo, and under Priority if all are the same, no process begins a task while an older one has had a runnable one for a while.
func (c *checker) oldest() {
	at := -1
	for i, s := range c.steps {
		if s.order == policy {
			if at >= 0 || policies[s.n] == "RoundRobin" {
				return
			}
			at = i
		}
	}
	if at < 0 || !c.calm() {
		return
	}
	ids := map[string]int64{}
	for _, p := range c.processes {
		ids[p.name] = p.id
	}
	for _, a := range c.runs {
		p := c.home(a.task)
		if p == nil || a.begin.Before(c.done[at].Add(apart)) {
			continue
		}
		for _, b := range c.runs {
			q := c.home(b.task)
			if b.from <= a.from || q == nil || ids[q.name()] >= ids[p.name()] || !c.plain(b.task) || c.ran(b.task, a.from) {
				continue
			}
			if ready, ok := c.ready(b.task); ok && a.begin.Sub(ready) >= apart {
				c.failf("task %d of process %d began before task %d of process %d, which is older", a.task, p.number, b.task, q.number)
			}
		}
	}
}

// triedToEnd: a session that nobody may end is tried when its time is up, five times more after two seconds each, and then every minute. The timer may
// be a second late.
func (c *checker) triedToEnd(f *photo) {
	if c.dialect != "mssql" || c.faults > 0 || slices.ContainsFunc(c.steps, func(s step) bool {
		return slices.Contains([]order{start, stop, stopNow, queueOff, brokerOff, manual, cancelTask, cancelAll}, s.order)
	}) { // on Oracle sessions end
		return
	}
	for _, t := range f.all["Tasks"] {
		if m := number.FindStringSubmatch(t.text("SqlText")); m == nil || !t.has("TimeoutSeconds") {
			continue
		}
		logs := c.logsOf[int(num(number.FindStringSubmatch(t.text("SqlText"))[1]))]
		if len(logs) == 0 {
			continue
		}
		l := logs[len(logs)-1]
		late := l.time("EndedAt").Sub(l.time("StartedAt")) - time.Duration(t.num("TimeoutSeconds"))*time.Second
		if late < 0 {
			late = -time.Second // it ended in time
		}
		if least, most := tries(late, 1100*time.Millisecond), tries(late, 0); t.num("StopTries") < least || t.num("StopTries") > most {
			c.failf("the end of task id %d was tried %d times in %v, not %d to %d times", t.num("TaskId"), t.num("StopTries"), late, least, most)
		}
	}
}

// tries counts the attempts to end a session within a time, if each comes later than planned.
func tries(within, later time.Duration) (n int64) {
	for at := later; at <= within; n++ {
		pause := 2 * time.Second
		if n >= 5 {
			pause = time.Minute
		}
		at += pause + later
	}
	return n
}
