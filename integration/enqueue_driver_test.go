package integration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// first runs a statement as the first one of a transaction that a driver begins by itself, and ends it as the driver does: JDBC's
// setAutoCommit(false) and ODBC's autocommit off are IMPLICIT_TRANSACTIONS on SQL Server; Oracle has only this mode.
func (s *session) first(commit bool, run func()) {
	s.h.Helper()
	end := "ROLLBACK TRANSACTION;"
	if commit {
		end = "COMMIT TRANSACTION;"
	}
	switch {
	case !s.h.autonomous:
		s.exec("SET IMPLICIT_TRANSACTIONS ON;")
		run()
		s.exec("IF @@TRANCOUNT > 0 " + end + " SET IMPLICIT_TRANSACTIONS OFF;")
	case commit:
		s.begin()
		run()
		s.commit()
	default:
		s.begin()
		run()
		s.rollback()
	}
}

// TestFirstStatement: a procedure that joins the caller's transaction also begins it, and ends with it. All others work as the first
// statement, and their effects stay when the transaction is undone.
func TestFirstStatement(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		s, other := h.marks(), h.session()
		var p int64
		create := func() { p = number(h, s.ask(h.say.createProcess("p", true))) }
		enqueue := func() { s.enqueue(1, h.say.mark(1)) }

		s.first(false, enqueue)
		h.pause(2 * time.Minute)
		require.Empty(h, h.tasks())
		s.first(true, func() {
			enqueue()
			h.pause(2 * time.Second)
			require.Empty(h, other.rows(h.say.markRead), "nothing runs before the commit")
			require.NoError(h, other.try(h.say.enqueue(0, 1, h.say.mark(2))), "nobody waits")
		})
		h.drain(time.Minute)
		require.ElementsMatch(h, [][]string{{"1"}, {"2"}}, other.rows(h.say.markRead))

		s.first(false, create)
		require.Error(h, other.try(h.say.enqueue(p, 1, h.say.nothing)))
		s.first(true, create)
		other.exec(h.say.enqueue(p, 1, h.say.mark(3)))
		for _, call := range []string{h.say.release(p), h.say.close(p)} {
			s.first(false, func() { s.exec(call) })
			h.pause(time.Minute)
			require.Len(h, other.rows(h.say.markRead), 2)
			other.exec(h.say.enqueue(p, 1, h.say.nothing))
		}
		s.first(true, func() { s.exec(h.say.release(p)) })
		s.first(true, func() { s.exec(h.say.close(p)) })
		h.until(time.Minute, "the process runs", func() bool { return len(other.rows(h.say.markRead)) == 3 })

		s.first(false, func() { s.exec(h.say.setWorkers(2)) })
		require.Equal(h, 2, h.status().MaxWorkers)
		s.first(false, func() { s.exec(h.say.options(map[string]int{"LingerSeconds": 3})) })
		require.Equal(h, "3", other.rows(h.say.optionsRead)[0][0])
		s.first(false, func() { s.exec(h.say.sweep) })
		s.first(false, func() { require.Equal(h, "0", s.ask(h.say.waitResult(p, 1))) })
		h.pause(time.Second)
		s.first(false, func() { s.exec(h.say.purge(0)) })
		require.Empty(h, h.logs())
		h.requireNoAlarms()
	})
}
