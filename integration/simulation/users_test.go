package simulation

import (
	"slices"
	"time"
)

// rights: the second user sees all its own tasks, and no others. Those of a user that was dropped are not those of the next one of the same name.
func (c *checker) rights() {
	if c.second == nil {
		return
	}
	var own []int64
	for _, t := range c.tasks {
		if !c.seconds(t.number) {
			continue
		}
		switch c.before(t.number) {
		case no:
			own = append(own, t.id)
		case unknown:
			c.second = slices.DeleteFunc(slices.Clone(c.second), func(id int64) bool { return id == t.id })
		}
	}
	if !slices.Equal(own, c.second) {
		c.failf("the second user sees the tasks %v, and has %v", c.second, own)
	}
}

// replacedAt returns between which moments the second user was replaced.
func (c *checker) replacedAt() (from, to time.Time, known certainty) {
	for i, s := range c.steps {
		if began, ok := c.began[i]; ok && s.order == newUser {
			done, ended := c.done[i]
			if known = c.reports[i]; !ended {
				done = forever
			}
			return began, done, known
		}
	}
	return forever, forever, no
}

// before reports whether a task was enqueued by a user that has been replaced.
func (c *checker) before(task int) certainty {
	from, to, known := c.replacedAt()
	began, done := c.began[c.by[task]], c.done[c.by[task]]
	switch {
	case known == no || began.After(to):
		return no
	case known == yes && !done.IsZero() && done.Before(from):
		return yes
	}
	return unknown
}

// replaced: the tasks of a user that was replaced do not begin: they fail with an error that says so. No other task does.
func (c *checker) replaced() {
	from, to, _ := c.replacedAt()
	number := map[int64]int{}
	for _, t := range c.tasks {
		number[t.id] = t.number
	}
	for _, r := range c.runs {
		if c.seconds(r.task) && c.before(r.task) == yes && r.begin.After(to.Add(apart)) {
			c.failf("task %d began, and its user had been replaced", r.task)
		}
	}
	for _, l := range c.logs {
		n := number[l.task]
		if l.errorNumber == 51021 && c.asked[n].number > 0 && (!c.seconds(n) || c.before(n) == no || from.Equal(forever)) {
			c.failf("attempt %d of task %d did not find its user, who was there", l.attempt, n)
		}
	}
}

// denied: while its right is revoked, the second user enqueues nothing.
func (c *checker) denied() {
	for i, s := range c.steps {
		done, ended := c.done[i]
		if s.process == nil || !s.process.second || c.dialect != "mssql" || !ended || c.enqueued[s.process.number] != yes {
			continue
		}
		may := true
		for j, o := range c.steps {
			switch {
			case o.order == revoke && c.reports[j] == yes && c.done[j].Before(c.began[i]):
				may = false
			case (o.order == grant || o.order == newUser) && !c.began[j].IsZero() && !c.began[j].After(done):
				may = true
			}
		}
		if !may {
			c.failf("the second user enqueued process %d, and had no right to", s.process.number)
		}
	}
}
