package integration

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/stretchr/testify/require"
)

// mayKill lets dbsched end the sessions of its workers.
func (h *harness) mayKill() {
	h.Helper()
	admin := h.admin()
	for _, text := range h.say.mayKill {
		admin.exec(text)
	}
}

func (h *harness) cancel(task int64) {
	h.Helper()
	require.NoError(h, h.sched.CancelTask(h.Context(), task))
}

// untilStatus waits until a task has a status.
func (h *harness) untilStatus(task int64, status string, limit time.Duration) {
	h.Helper()
	h.until(limit, fmt.Sprintf("task %d %s", task, status), func() bool { return h.statusOf(task) == status })
}

// alarmsOf returns the texts of the alarms of a kind.
func (h *harness) alarmsOf(kind string) []string {
	h.Helper()
	h.requireAlarmsName()
	var all []string
	for _, a := range h.session().rows(h.say.alarms) {
		if a[0] == kind {
			all = append(all, a[1])
		}
	}
	return all
}

// handledBreaks lets exception handlers of tasks get the interrupt.
func handledBreaks(o *sandbox.Options) {
	if o.Dialect == "oracle" {
		o.Differ = []differ.Difference{differ.BreaksAreHandled}
	}
}

// limited is a user with a limit of unfinished tasks, and others. The scheduler is stopped: nothing ends unless it is cancelled.
type limited struct {
	*harness
	user, other, admin *session
}

// adds adds tasks in one call, and reports whether that was refused; a few keep the limit by themselves.
func (l limited) adds(s *session, n int, key string) (ids []int64, refused bool) {
	l.Helper()
	list := make([]map[string]any, n)
	for i := range list {
		list[i] = map[string]any{"SQL": l.say.nothing, "ExecutionOrder": 1}
		if key != "" {
			list[i]["DedupKey"] = key
		}
	}
	if n == 1 && key == "" {
		if err := s.try(l.say.enqueue(0, 1, l.say.nothing)); err != nil {
			require.ErrorContains(l, err, l.errorText(38))
			return nil, true
		}
		tasks := l.tasks()
		return []int64{tasks[len(tasks)-1].ID}, false // unless s has not committed
	}
	ids, err := l.say.batch(l.Context(), s.on(), batchOf(l.harness, list...))
	if err != nil {
		require.ErrorContains(l, err, l.errorText(38))
	}
	return ids, err != nil
}

func (l limited) requireAdds(s *session, n int, why string) (ids []int64) {
	l.Helper()
	ids, refused := l.adds(s, n, "")
	require.False(l, refused, why)
	return ids
}

func (l limited) requireRefused(s *session, n int, why string) {
	l.Helper()
	_, refused := l.adds(s, n, "")
	require.True(l, refused, why)
}

// tasksPerUser: a user who is no administrator has at most MaxTasksPerUser unfinished tasks, whatever the form of the call and whichever of them end first.
func (l limited) tasksPerUser() {
	l.Helper()
	s := l.session()
	limit := func(n int) { s.exec(l.say.options(map[string]int{"MaxTasksPerUser": n})) }
	uncounted := l.requireAdds(l.user, 2, "there is no limit")
	limit(5)
	ids := l.requireAdds(l.user, 1, "those from before do not count")
	ids = append(ids, l.requireAdds(l.user, 2, "3")...)
	l.requireRefused(l.user, 3, "all or none")
	require.Len(l, l.tasks(), 5)
	ids = append(ids, l.requireAdds(l.user, 2, "5")...)
	l.requireRefused(l.user, 1, "6")
	l.requireRefused(l.user, 2, "7")
	l.requireAdds(l.other, 5, "everybody has a limit of their own")
	l.requireAdds(l.admin, 7, "administrators have none")
	l.requireAdds(s, 7, "nor has the owner")

	l.cancel(ids[0])
	l.user.begin()
	l.requireAdds(l.user, 1, "one has ended")
	l.requireRefused(l.user, 1, "own tasks count at once")
	l.user.rollback()
	l.user.begin()
	keyed, refused := l.adds(l.user, 1, "k")
	require.False(l, refused, "the other was rolled back")
	for range 3 {
		again, refused := l.adds(l.user, 2, "k")
		require.False(l, refused, "nothing is added")
		require.Equal(l, []int64{keyed[0], keyed[0]}, again)
	}
	l.requireRefused(l.user, 1, "6")
	l.user.commit()

	// Whichever end first: the count is exact.
	open := append(slices.Clone(ids[1:]), keyed...)
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		if n := 1 + random.IntN(3); random.IntN(2) == 0 {
			added, refused := l.adds(l.user, n, "")
			require.Equal(l, len(open)+n > 5, refused, "%d and %d", len(open), n)
			open = append(open, added...)
		} else if len(open) > 0 {
			i := random.IntN(len(open))
			l.cancel(open[i])
			open = slices.Delete(open, i, i+1)
		}
	}
	l.cancel(uncounted[0])

	limit(2000)
	l.requireAdds(l.user, 900, "the limit was raised")
	l.requireRefused(l.user, 1099, "5 + 900 + 1099 are more")
	if box := l.server.box; box != nil {
		rows := func(limit int) int64 {
			s.exec(l.say.options(map[string]int{"MaxTasksPerUser": limit}))
			before := box.Counters()
			for range 50 {
				l.user.exec(l.say.enqueue(0, 1, l.say.nothing))
			}
			c := box.Counters()
			return c.RowsSeek + c.RowsScanned - before.RowsSeek - before.RowsScanned
		}
		require.LessOrEqual(l, rows(2000)-rows(0), int64(50*10), "nothing is counted below the limit")
	}
	limit(0)
	l.requireAdds(l.user, 2001, "there is no limit")
	require.Error(l, l.user.try(l.say.options(map[string]int{"MaxTasksPerUser": 0})), "that is for administrators")
}

// floods is a user who raises alarms on purpose, and another one.
type floods struct {
	*harness
	user, other    *session
	define, report func(round string) string // statements: define a round with the member m; report that m failed
}

// alarmsPerUser: a user can raise twenty alarms in an hour, by whatever means. Those of others are recorded all the same.
func (f floods) alarmsPerUser() {
	f.Helper()
	s := f.session()
	all := func() [][]string { return s.rows(f.say.alarms) }
	report := func(c *session, round string) {
		c.exec(f.define(round))
		c.exec(f.report(round))
	}
	for i := range 30 {
		report(f.user, "lane "+string(rune('A'+i))+" broken")
	}
	require.Len(f, all(), 20)
	require.Contains(f, all()[19][1], "20th alarm", "the last one says so")
	require.NotContains(f, all()[18][1], "20th alarm")

	p := number(f.harness, f.user.ask(f.say.createProcess("hers", false)))
	f.user.exec(f.say.enqueue(p, 1, f.say.failing[0].sql))
	f.until(2*time.Minute, "her process fails", func() bool { return f.processOf(p).Status == "Failed" })
	require.Len(f, all(), 20, "nor by other means")
	report(f.other, "his")
	require.Len(f, all(), 21, "others raise theirs")
	for range 25 {
		p := f.process(dialects.NewProcess{Name: "the owner's"})
		f.exec(dialects.NewTask{SQL: f.say.failing[0].sql, Order: 1, ProcessID: p})
		f.waitFor(p, 2*time.Minute)
	}
	require.Len(f, all(), 46, "who administers it has no limit")
	f.pause(time.Hour)
	f.user.exec(f.report("lane A broken"))
	require.Len(f, all(), 47, "an hour later")
}

// ranks is a user, an administrator, and what they try: the statements of a dialect, with arguments like "weight = 2".
type ranks struct {
	*harness
	user, admin                   *session
	create, newSchedule, schedule func(args string) string // a process; a schedule s; a change of it
	weights                       string                   // query: the weights of its processes
}

// onlyAdministratorsComeFirst: a process that others wait for is an administrator's. A schedule keeps the weight that an administrator gave it.
func (r ranks) onlyAdministratorsComeFirst() {
	r.Helper()
	for _, args := range []string{"priority = 1", "weight = 2", "priority = -1, weight = 2"} {
		require.ErrorContains(r, r.user.try(r.create(args)), r.errorText(61), args)
		r.admin.exec(r.create(args))
	}
	r.user.exec(r.create("priority = -1, weight = 1"))
	require.ErrorContains(r, r.user.try(r.newSchedule("weight = 2")), r.errorText(61))
	r.user.exec(r.newSchedule("weight = 1"))
	require.ErrorContains(r, r.user.try(r.schedule("weight = 2")), r.errorText(61))
	r.admin.exec(r.schedule("weight = 7"))
	r.user.exec(r.schedule("max_parallel = 3"))
	r.until(3*time.Minute, "it fires", func() bool { return r.outcomes("s") == "Succeeded" })
	require.Equal(r, [][]string{{"7"}}, r.session().rows(r.weights))
	require.NotEqual(r, r.schema, r.scheduleOf("s").OwnedBy, "it is still the user's")
}
