package integration

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestRolledBackEnqueueLeavesNothing: it leaves neither a task nor a start.
func TestRolledBackEnqueueLeavesNothing(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		c := h.session()
		c.begin()
		c.enqueue(1, h.say.nothing)
		c.enqueue(2, h.say.nothing)
		c.rollback()
		h.pause(2 * time.Minute)
		require.Empty(h, h.tasks())
		require.Empty(h, h.logs())
		require.Zero(h, h.status().Unfinished)
	})
}

// TestSavepoints: what came after a savepoint is gone, what came before runs at commit, and what comes after a rollback to
// the savepoint runs, too.
func TestSavepoints(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		for _, m := range h.say.marks {
			h.session().exec(m)
		}
		c := h.session()
		c.begin()
		c.exec(h.say.savepoint)
		c.enqueue(1, h.say.mark(1)) // the transaction's first one, undone with its wake-up
		c.exec(h.say.rollbackTo)
		c.enqueue(1, h.say.mark(2))
		c.exec(h.say.savepoint)
		c.enqueue(1, h.say.mark(3))
		c.exec(h.say.rollbackTo)
		c.enqueue(2, h.say.mark(4))
		h.pause(2 * time.Second)
		require.Empty(h, h.logs())
		since := h.now()
		c.commit()
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"2"}, {"4"}}, h.session().rows(h.say.markRead))
		require.Less(h, h.logs()[0].StartedAt.Sub(since), h.soon)

		c.begin()
		c.exec(h.say.savepoint)
		c.enqueue(1, h.say.mark(5))
		c.exec(h.say.rollbackTo)
		c.commit()
		h.pause(2 * time.Minute)
		require.Len(h, h.tasks(), 2)
	})
}

// TestOpenTransactionBlocksNobody: nobody waits for an enqueuer's open transaction, whatever its isolation, and its
// task, though of a lower order and number, does not exist until it commits.
func TestOpenTransactionBlocksNobody(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		for _, level := range []sql.IsolationLevel{sql.LevelDefault, sql.LevelReadCommitted, sql.LevelSerializable} {
			h.requireNobodyBlocked(func(c *session) { c.begin(level) }, level.String())
		}
	})
}

// TestManyTasksInOneTransaction: they start together at commit.
func TestManyTasksInOneTransaction(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		c := h.session()
		c.begin()
		for range 4 {
			c.enqueue(1, h.dialect.Sleep(10*time.Second))
			h.pause(time.Second)
		}
		require.Zero(h, h.running())
		since := h.now()
		c.commit()
		h.untilRunning(4, h.soon)
		h.drain(time.Minute)
		for _, l := range h.logs() {
			require.Less(h, l.StartedAt.Sub(since), h.soon)
		}
	})
}

// TestWavesGoOnBesideAnOpenTransaction: a process with an uncommitted task of a middle wave runs all other tasks, in all
// waves; the late task runs once it is committed.
func TestWavesGoOnBesideAnOpenTransaction(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "waves"})
		var list []dialects.NewTask
		for order := range 4 {
			for range 2 {
				list = append(list, dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: order, ProcessID: p})
			}
		}
		h.exec(list...)
		h.untilRunning(2, 2*h.restart)
		c := h.session()
		c.begin()
		id := number(h, c.ask(h.say.enqueueReturn(p, 2, h.say.nothing)))
		c.exec(h.say.enqueue(p, 0, h.say.nothing))
		h.until(45*time.Second+2*h.soon, "all waves end", func() bool { return h.processOf(p).Succeeded == 8 })
		h.requireWaves(h.logs())
		since := h.now()
		c.commit()
		h.waitFor(p, 30*time.Second)
		logs := h.logs()
		require.Len(h, logs, 10)
		require.Equal(h, 0, logs[8].Order, "of the late ones the lower order first")
		require.Equal(h, id, logs[9].TaskID)
		require.LessOrEqual(h, logs[9].StartedAt.Sub(since), h.soon)
	})
}

// TestCloseBesideAnOpenTransaction: a closed process waits for uncommitted tasks, and a rollback ends it, whatever happens to
// others; where nobody can see such tasks, it ends, and they are skipped when they are committed.
func TestCloseBesideAnOpenTransaction(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		closing := func(name string) (int64, *session, int64) {
			p := h.process(dialects.NewProcess{Name: name})
			c := h.session()
			c.begin()
			id := number(h, c.ask(h.say.enqueueReturn(p, 1, h.say.nothing)))
			h.exec(dialects.NewTask{SQL: h.dialect.Sleep(10 * time.Second), Order: 1, ProcessID: p})
			require.NoError(h, h.sched.CloseProcess(h.Context(), p))
			h.pause(3 * time.Minute)
			want := "Succeeded"
			if h.seesUncommitted {
				want = "Closing"
			}
			require.Equal(h, want, h.processOf(p).Status)
			require.EqualValues(h, 1, h.processOf(p).Succeeded)
			return p, c, id
		}
		kept, held, late := closing("kept")
		p, c, _ := closing("left")
		c.rollback()
		h.waitFor(p, 75*time.Second)
		require.Equal(h, "Succeeded", h.processOf(p).Status)
		require.EqualValues(h, 1, h.processOf(p).Succeeded)

		held.commit()
		if !h.seesUncommitted {
			h.until(70*time.Second, "the late task is skipped", func() bool { return h.statusOf(late) == "Skipped" })
			require.Empty(h, h.logsOf(late))
			return
		}
		h.waitFor(kept, 30*time.Second)
		require.EqualValues(h, 2, h.processOf(kept).Succeeded)
	})
}

// TestLateTaskOfAHaltedProcess: a task committed after its process has failed is skipped by a sweep.
func TestLateTaskOfAHaltedProcess(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halts"})
		c := h.session()
		c.begin()
		late := number(h, c.ask(h.say.enqueueReturn(p, 5, h.say.nothing)))
		h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: p})
		h.until(4*time.Second+h.restart, "the process fails", func() bool { return h.processOf(p).Status == "Failed" })
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), h.soon) // its worker does not wait for the transaction
		if h.server.box != nil {                                             // a transaction may stay open as long as it likes
			h.pause(3 * time.Hour)
		}
		c.commit()
		h.until(70*time.Second+h.soon, "the late task is skipped", func() bool { return h.statusOf(late) == "Skipped" })
		require.Empty(h, h.logsOf(late))
		require.EqualValues(h, 0, h.status().Unfinished)
	})
}

// TestWhoseTransaction: what joins the caller's transaction ends with it. Everything else is refused inside one, or is its
// own transaction, which stays when the caller's is undone and holds nothing meanwhile; the caller's is not affected.
func TestWhoseTransaction(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		s, other := h.marks(), h.session()
		processes := func() int {
			list, err := h.sched.Processes(h.Context(), dialects.Filter{})
			require.NoError(h, err)
			return len(list)
		}
		s.begin()
		p := number(h, s.ask(h.say.createProcess("p", true)))
		s.exec(h.say.enqueue(p, 1, h.say.mark(1)))
		s.exec(h.say.release(p))
		s.exec(h.say.close(p))
		s.rollback()
		require.Equal(h, 1, processes())
		require.Empty(h, h.tasks())

		var late int64
		for name, c := range sorted(map[string]struct {
			before func()
			call   string
			done   func() bool
		}{
			"options": {func() {}, h.say.options(map[string]int{"LingerSeconds": 3}), func() bool { return h.session().rows(h.say.optionsRead)[0][0] == "3" }},
			"purge": {func() {
				h.exec(h.task(1, h.say.nothing))
				h.drain(time.Minute)
				h.pause(time.Second)
			}, h.say.purge(0), func() bool { return len(h.logs()) == 0 }},
			"sweep":   {func() { _, late = h.lateTask() }, h.say.sweep, func() bool { return h.statusOf(late) == "Skipped" }},
			"workers": {func() {}, h.say.setWorkers(2), func() bool { return h.status().MaxWorkers == 2 }},
		}) {
			c.before()
			require.False(h, c.done(), name)
			s.begin()
			s.exec(h.say.mark(2))
			s.exec(h.say.enqueue(0, 1, h.say.mark(3)))
			err := s.try(c.call)
			require.Equal(h, h.autonomous, c.done(), "%s: it is done, and committed, or refused", name)
			require.Equal(h, [][]string{{"2"}}, s.rows(h.say.markRead), "%s: the caller's work is there", name)
			if h.autonomous {
				require.NoError(h, err, name)
				require.NoError(h, other.try(c.call), "%s: it holds what others need", name)
				s.rollback()
				require.True(h, c.done(), name)
				require.Empty(h, other.rows(h.say.markRead), "%s: the caller's work is undone", name)
			} else {
				require.ErrorContains(h, err, h.errorText(10), name)
				s.commit()
				h.drain(time.Minute)
				require.Equal(h, [][]string{{"2"}, {"3"}}, h.session().rows(h.say.markRead), name)
				s.exec(h.say.markDelete)
			}
		}
		h.drain(time.Minute)
		require.Empty(h, h.session().rows(h.say.markRead))
	})
}
