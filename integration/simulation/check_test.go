package simulation

import (
	"fmt"
	"slices"
)

// check tells which rules a history breaks. It knows what the workload asked for, what was seen while tasks ran, and the tables.
func check(h *history) []string {
	c := checker{history: h, asked: map[int]task{}, of: map[int]*process{}, rows: map[int][]taskRow{}, logged: map[int64]int{}, retried: map[int]bool{}}
	for _, s := range h.steps {
		if s.order == retryTask {
			c.retried[s.n] = true
		}
		if s.process == nil {
			continue
		}
		for _, t := range s.process.tasks {
			c.asked[t.number], c.of[t.number] = t, s.process
		}
	}
	for _, t := range h.tasks {
		c.rows[t.number] = append(c.rows[t.number], t)
	}
	for _, l := range h.logs {
		c.logged[l.task]++
	}
	c.quiet()
	c.once()
	c.kept()
	c.waves()
	c.effects()
	c.limits()
	c.outcomes()
	return c.broken
}

type checker struct {
	*history
	asked   map[int]task
	of      map[int]*process
	rows    map[int][]taskRow
	logged  map[int64]int // attempts by task id
	retried map[int]bool  // numbers of tasks that somebody may have started anew
	broken  []string
}

func (c *checker) failf(format string, args ...any) {
	c.broken = append(c.broken, fmt.Sprintf(format, args...))
}

// quiet: the engine has no defect, every order is carried out, all that can run has ended, and nothing is left.
func (c *checker) quiet() {
	if c.panics > 0 {
		c.failf("%d sessions ended by a panic", c.panics)
	}
	for _, t := range c.trouble {
		c.failf("trouble: %s", t)
	}
	if !c.ended {
		c.failf("tasks are unfinished long after the last fault")
	}
	for _, l := range c.left {
		if c.notified && c.fault.what == "kill" {
			continue // its message waits for the lane's next task
		}
		c.failf("left behind: %s", l)
	}
}

// once: no two runs of a task overlap, and each run has an attempt in the log.
func (c *checker) once() {
	count := map[int]int{}
	for i, a := range c.runs {
		count[a.task]++
		for _, b := range c.runs[i+1:] {
			if a.task == b.task && b.from < a.to {
				c.failf("task %d ran twice at once, in sessions %d and %d", a.task, a.session, b.session)
			}
		}
	}
	for number, n := range count {
		logged := 0
		for _, r := range c.rows[number] {
			logged += c.logged[r.id]
		}
		if n > logged {
			c.failf("task %d ran %d times, and the log knows %d", number, n, logged)
		}
	}
}

// final are the states in which a task has ended.
var final = []string{"Succeeded", "Failed", "TimedOut", "Cancelled", "Skipped"}

// kept: a process that was committed has its tasks, one that was not has none, and every task is in one final state.
func (c *checker) kept() {
	for number, t := range c.asked {
		rows := len(c.rows[number])
		switch c.enqueued[c.of[number].number] {
		case yes:
			if rows != 1 && t.key == 0 || rows > 1 {
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
		if c.asked[t.number].number == 0 {
			c.failf("task %d was never asked for", t.id)
			continue
		}
		if p := c.of[t.number]; !slices.Contains(final, t.status) && !(p.suspended && t.status == "Waiting") {
			c.failf("task %d is %s at the end", t.number, t.status)
		}
		if most := t.maxAttempts + t.orphans; t.attempt > most && !c.retried[t.number] {
			c.failf("task %d had %d attempts, and %d are the most", t.number, t.attempt, most)
		}
	}
	for _, l := range c.logs {
		if l.outcome == "Running" {
			c.failf("attempt %d of task id %d runs at the end, the log says", l.attempt, l.task)
		}
	}
}

// waves: when a task runs, no task of a lower wave of its process runs or will.
func (c *checker) waves() {
	for i, a := range c.runs {
		p := c.of[a.task]
		for j, b := range c.runs {
			if c.of[b.task] != p || c.asked[b.task].wave >= c.asked[a.task].wave || c.retried[b.task] {
				continue
			}
			if j > i || b.to > a.from {
				c.failf("task %d of wave %d ran before task %d of wave %d had finished", a.task, c.asked[a.task].wave, b.task, c.asked[b.task].wave)
			}
		}
	}
}

// effects: those of a transactional task are there once if it succeeded, and not at all if not; others at least once.
func (c *checker) effects() {
	ran := map[int]int{}
	for _, r := range c.runs {
		ran[r.task]++
	}
	for _, t := range c.tasks {
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
	for _, a := range c.runs {
		all, same, units, exclusive := 0, 0, 0, 0
		for _, b := range c.runs { // those that run when a begins
			if b.from > a.from || b.to < a.from {
				continue
			}
			all++
			if c.of[a.task] == c.of[b.task] {
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
		if p := c.of[a.task]; p.maxParallel > 0 && same > p.maxParallel {
			c.failf("%d tasks of process %d ran at once, and it allows %d", same, p.number, p.maxParallel)
		}
		if units > capacity || exclusive > 0 && units > 1 {
			c.failf("%d tasks, %d of them exclusive, held the resource when task %d began", units, exclusive, a.task)
		}
	}
}

// outcomes: a process whose tasks have ended has ended, by the rules of OnError.
func (c *checker) outcomes() {
	for _, p := range c.processes {
		if p.id == 1 {
			continue
		}
		failed, anew, suspended := 0, false, false
		for _, t := range c.tasks {
			if t.process != p.id {
				continue
			}
			anew = anew || c.retried[t.number]
			suspended = c.of[t.number].suspended
			if t.status == "Failed" || t.status == "TimedOut" {
				failed++
			}
			if t.status == "Failed" && c.of[t.number].halt && !anew && p.status == "Succeeded" {
				c.failf("process %s halts on error, and is Succeeded with a failed task %d", p.name, t.number)
			}
		}
		if p.running != 0 {
			c.failf("process %s has %d running tasks at the end", p.name, p.running)
		}
		if !suspended && !slices.Contains(final, p.status) && !anew {
			c.failf("process %s is %s at the end", p.name, p.status)
		}
	}
}
