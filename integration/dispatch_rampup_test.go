package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestSixteenLanesAtOnce: sixteen tasks enqueued in an idle scheduler all run within a second, or the time that the engine takes to start a job. The seed's one queue
// with sixteen readers needs 75 s (TestMSSQLSeedRampUp).
func TestSixteenLanesAtOnce(t *testing.T) {
	each(t, setup{lanes: 16}, func(h *harness) {
		h.pause(10 * time.Minute) // idle, and every worker has left
		var tasks []dialects.NewTask
		for range 16 {
			tasks = append(tasks, h.sleep(1, 30*time.Second))
		}
		since := h.now()
		for _, id := range h.exec(tasks...) {
			h.startsWithin(id, since, h.soon)
		}
		require.Equal(h, 16, h.running())
		h.drain(time.Minute)
		require.Equal(h, 16, overlap(h.logs()))
	})
}

// TestSixteenTransactions: sixteen transactions that all began before any of them committed. The first task keeps its
// lane for an hour; anything that waited behind it, or for it, would show.
func TestSixteenTransactions(t *testing.T) {
	each(t, setup{lanes: 16}, func(h *harness) {
		clients := make([]*session, 16)
		ids := make([]string, 16)
		for i := range clients {
			clients[i] = h.session()
			clients[i].begin()
			d := 45 * time.Minute
			if i == 0 {
				d = time.Hour
			}
			ids[i] = clients[i].ask(h.say.enqueueReturn(0, 1, h.dialect.Sleep(d)))
		}
		h.pause(2 * time.Second)
		require.Zero(h, h.running(), "nothing is committed")
		for i, c := range clients {
			h.pause(700 * time.Millisecond)
			c.commit()
			h.startsWithin(number(h, ids[i]), h.now(), h.soon)
			require.Equal(h, i+1, h.running())
		}
		require.Equal(h, 16, overlap(h.logs()))
	})
}

// TestSixteenTransactionsInReverse commits the youngest first: a lower number that is uncommitted holds up nobody.
func TestSixteenTransactionsInReverse(t *testing.T) {
	each(t, setup{lanes: 16}, func(h *harness) {
		clients := make([]*session, 16)
		ids := make([]string, 16)
		for i := range clients {
			clients[i] = h.session()
			clients[i].begin()
			ids[i] = clients[i].ask(h.say.enqueueReturn(0, i, h.dialect.Sleep(time.Second)))
		}
		for i := range clients {
			i = len(clients) - 1 - i
			clients[i].commit()
			h.startsWithin(number(h, ids[i]), h.now(), h.soon)
			h.drainBut(ids[:i], 10*time.Second)
		}
	})
}

// TestWaitingWorkerFirst: a task goes to a lane whose worker waits, not to one where a worker would have to be started.
func TestWaitingWorkerFirst(t *testing.T) {
	each(t, setup{lanes: 3}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"LingerSeconds": 5}))
		lane := 1
		for try := 0; lane == 1 && try < 10; try++ { // a task goes to whichever lane comes first
			h.pause(10 * time.Second) // no worker waits
			tasks := []dialects.NewTask{h.sleep(1, time.Second), h.sleep(1, time.Second), h.sleep(1, time.Second)}
			tasks[try%3] = h.sleep(1, 30*time.Second)
			long := h.exec(tasks...)[try%3]
			h.drain(time.Minute)
			lane = h.logsOf(long)[0].Lane
		}
		require.Greater(h, lane, 1)
		since := h.now()
		next := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(next, since, time.Second)
		require.Equal(h, lane, h.logsOf(next)[0].Lane)
	})
}
