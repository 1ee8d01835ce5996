package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleAcquireInTransaction: a caller's transaction stays open, and is not part of the request, whatever becomes of either.
func TestOracleAcquireInTransaction(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.marks[0])
		h.resource("db", 1)
		s := h.session()
		s.begin()
		s.exec(h.say.mark(1))
		id := number(h, s.ask(h.say.acquire("db", "Shared", 0, 0)))
		require.Empty(h, h.session().rows(h.say.markRead))
		s.rollback()
		require.Empty(h, h.session().rows(h.say.markRead))
		require.Equal(h, id, h.requests("db")[0].Request)

		s.begin()
		s.exec(h.say.mark(2))
		require.Equal(h, "time-out", s.ask(h.say.acquire("db", "Shared", 0, 0)))
		s.exec(h.say.releaseResource(id))
		require.Empty(h, h.requests("db"))
		require.Empty(h, h.session().rows(h.say.markRead))
		s.commit()
		require.Equal(h, [][]string{{"2"}}, h.session().rows(h.say.markRead))
	})
}

// TestOracleResourceNumbers are given under the lock of the resource: nobody takes one while another who has not committed may
// have taken one before him.
func TestOracleResourceNumbers(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.resource("db", 1)
		h.resource("other", 1)
		s, c := h.session(), h.session()
		s.begin()
		s.exec("declare n number; begin select capacity into n from ds_resources where name = 'db' for update; end;")
		answer := make(chan string, 1)
		go func() {
			got, err := h.say.ask(h.Context(), c.conn, h.say.acquire("db", "Shared", 600, 0))
			answer <- fmt.Sprint(got, err)
		}()
		p := h.process(dialects.NewProcess{Name: "p"})
		id := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Second), Order: 1, ProcessID: p, Resource: "db"})[0]
		h.pause(3 * time.Second)
		require.Empty(h, h.requests("db"), "committed or not")
		require.Equal(h, "Pending", h.statusOf(id))
		h.acquire("other", "Shared", 0, 0).granted(time.Second)
		s.commit()
		h.until(3*time.Second, "both", func() bool { return len(h.requests("db")) == 2 })
		if held, _ := h.line("db"); h.requests("db")[0].TaskID == id {
			require.Len(h, held, 1)
			h.waitFor(p, time.Minute)
		}
		require.NotContains(h, <-answer, "dbsched")
	})
}

// TestOracleTaskWaitsForItself: a task that acquires what it holds already is told so, and so are a task and a session that wait
// for each other.
func TestOracleTaskWaitsForItself(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.resource("a", 1)
		h.resource("b", 1)
		own := h.exec(dialects.NewTask{SQL: h.say.holding("a", 0), Order: 1, Resource: "a"})[0]
		h.drain(10 * time.Second)
		require.Equal(h, h.errorNumber(42), h.logsOf(own)[0].ErrorNumber)

		s := h.acquire("b", "Shared", 600, 0)
		held := s.granted(time.Second)
		other := h.exec(dialects.NewTask{SQL: h.say.holding("b", 0), Order: 2, Resource: "a"})[0]
		h.until(10*time.Second, "the task waits", func() bool { _, waiting := h.line("b"); return len(waiting) == 1 })
		s.again("a", "Exclusive", 600, 0)
		require.Contains(h, s.within(5*time.Second), h.errorText(43))
		s.s.exec(h.say.releaseResource(held))
		h.drain(10 * time.Second)
		require.Equal(h, "Succeeded", h.statusOf(other))
		require.Empty(h, h.requests("a"))
		require.Empty(h, h.requests("b"))
	})
}
