package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleAcquireInTransaction: a caller's transaction stays open, and is not part of the request, whatever happens to either.
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
		require.Equal(h, "timeout", s.ask(h.say.acquire("db", "Shared", 0, 0)))
		s.exec(h.say.releaseResource(id))
		require.Empty(h, h.requests("db"))
		require.Empty(h, h.session().rows(h.say.markRead))
		s.commit()
		require.Equal(h, [][]string{{"2"}}, h.session().rows(h.say.markRead))
	})
}

// TestOracleResourceNumbers: they are assigned under the lock of the resource: nobody gets one while an uncommitted session may
// have taken an earlier one.
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

// TestOracleTaskWaitsForItself: a task that acquires what it already holds gets an error, and so do a task and a session that wait
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

// TestOracleSerializableSessions: sessions that see one past instant as long as a transaction lasts wait for processes
// and resources like others, and none of them is granted what was granted to somebody else meanwhile.
func TestOracleSerializableSessions(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		serializable := func() *request {
			r := &request{h: h, s: h.session(), answer: make(chan string, 1)}
			r.s.exec("alter session set isolation_level = serializable")
			return r
		}
		p := h.process(dialects.NewProcess{Name: "p"})
		h.exec(dialects.NewTask{SQL: h.dialect.Sleep(2 * time.Second), Order: 1, ProcessID: p})
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		serializable().s.exec(fmt.Sprintf("declare r number; s varchar2(10); begin dbsched.wait_process(%d, 60, r, s); if r <> 0 then raise_application_error(-20999, s); end if; end;", p))

		h.resource("db", 1)
		first, second := serializable(), serializable()
		s := h.session()
		s.begin()
		s.exec("declare n number; begin select capacity into n from ds_resources where name = 'db' for update; end;") // both wait for it
		for _, r := range []*request{first, second} {
			go func() {
				got, err := h.say.ask(h.Context(), r.s.conn, h.say.acquire("db", "Exclusive", 60, 0))
				if err != nil {
					got = err.Error()
				}
				r.answer <- got
			}()
		}
		h.pause(3 * time.Second)
		s.commit()
		h.until(5*time.Second, "one holds it, one waits", func() bool {
			held, waiting := h.line("db")
			return len(held) == 1 && len(waiting) == 1
		})
		held, waiting := h.line("db")
		h.session().exec(h.say.releaseResource(held[0]))
		var answers []string
		for _, r := range []*request{first, second} {
			answers = append(answers, r.within(5*time.Second))
		}
		require.ElementsMatch(h, []string{fmt.Sprint(held[0]), fmt.Sprint(waiting[0])}, answers)
	})
}

// TestOracleSerializableAdministrators: a session with serializable transactions that waits for the settings sees what
// their holder has done, and does not fail with ORA-08177.
func TestOracleSerializableAdministrators(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		holder := h.session()
		for _, call := range []string{
			"set_workers(1)", "set_policy('Priority')", "set_options(in_linger_seconds => 3)", "stop_scheduler", "start_scheduler",
			"set_alarm_hook", "purge(1)", "sweep",
		} {
			s := h.session()
			s.exec("alter session set isolation_level = serializable")
			holder.begin()
			holder.exec("update ds_settings set changed_at = changed_at where settings_id = 1")
			done := make(chan error, 1)
			go func() { done <- s.try("begin dbsched." + call + "; end;") }()
			h.pause(2 * time.Second)
			holder.commit()
			require.NoError(h, <-done, call)
		}
		require.Equal(h, 1, h.status().MaxWorkers)
	})
}

// TestOracleLineOfAResource: an uncommitted change of a resource leaves its line unchanged: a requester waits, and gets what applies then.
func TestOracleLineOfAResource(t *testing.T) {
	onOracle(t, setup{}, func(h *harness) {
		h.resource("db", 2)
		a, b, holder := h.session(), h.session(), h.session()
		require.NotEqual(h, "timeout", a.ask(h.say.acquire("db", "Exclusive", 1, 0)))
		holder.begin()
		holder.exec("update ds_resources set capacity = 1")
		asked := make(chan string, 1)
		go func() { asked <- b.ask(h.say.acquire("db", "Shared", 6, 0)) }()
		h.pause(2 * time.Second)
		require.Empty(h, asked)
		require.Len(h, h.requests("db"), 1, "it has not joined the line")
		holder.commit()
		require.Equal(h, "timeout", <-asked)
	})
}
