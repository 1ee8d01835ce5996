package integration

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// isolationLevels are all those that a caller's transaction may have.
var isolationLevels = []sql.IsolationLevel{sql.LevelReadUncommitted, sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable, sql.LevelSnapshot}

// TestMSSQLOpenTransactions: rule 2 for callers of every isolation level, with and without READ_COMMITTED_SNAPSHOT.
func TestMSSQLOpenTransactions(t *testing.T) {
	for name, rcsi := range sorted(map[string]bool{"locking": false, "versioning": true}) {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{bare: true, box: func(o *sandbox.Options) { o.ReadCommittedSnapshot = rcsi }}, func(h *harness) {
				h.session().exec("ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON;")
				h.installNow(4)
				for _, level := range isolationLevels {
					h.requireNobodyBlocked(func(c *session) { c.begin(level) }, level.String())
				}
				h.requireNoAlarms()
			})
		})
	}
}

// TestMSSQLSerializableCallersDoNotMeet: callers that have read dbsched's tables under SERIALIZABLE, through its views,
// hold nothing that keeps others from enqueueing.
func TestMSSQLSerializableCallersDoNotMeet(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		a, b := h.session(), h.session()
		a.begin(sql.LevelSerializable)
		b.begin(sql.LevelSerializable)
		for _, c := range []*session{a, b} {
			c.rows("SELECT COUNT(*) FROM dbsched.TaskInfo;")
			c.rows("SELECT COUNT(*) FROM dbsched.ProcessInfo;")
			c.enqueue(1, h.say.nothing)
		}
		b.enqueue(2, h.say.nothing)
		a.enqueue(2, h.say.nothing)
		a.commit()
		b.commit()
		h.drain(10 * time.Second)
		require.Len(h, h.logs(), 4)
	})
}

// TestMSSQLCallersOptions: a caller's SET options change nothing.
func TestMSSQLCallersOptions(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		for _, options := range []string{
			"SET QUOTED_IDENTIFIER OFF;",
			"SET ANSI_WARNINGS OFF;",
			"SET QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL OFF;",
			"SET NUMERIC_ROUNDABORT ON;",
			"SET XACT_ABORT ON;",
			"SET NOCOUNT ON;",
			"SET ROWCOUNT 1;",
			"SET LOCK_TIMEOUT 0;",
			"SET DATEFIRST 1;",
			"SET DATEFORMAT dmy;",
			"SET LANGUAGE Deutsch;",
			"SET DEADLOCK_PRIORITY LOW;",
			"SET TEXTSIZE 10;",
			"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;",
		} {
			c := h.session()
			if !h.modeled(c.try(options)) {
				continue
			}
			before := c.rows("SELECT @@OPTIONS, @@LOCK_TIMEOUT, @@DATEFIRST, @@LANGUAGE;")
			alone := number(h, c.ask(h.say.enqueueReturn(0, 1, h.say.nothing)))
			c.begin()
			inside := number(h, c.ask(h.say.enqueueReturn(0, 1, h.say.nothing)))
			c.commit()
			require.Equal(h, before, c.rows("SELECT @@OPTIONS, @@LOCK_TIMEOUT, @@DATEFIRST, @@LANGUAGE;"), options)
			h.drain(10 * time.Second)
			require.Equal(h, "Succeeded", h.statusOf(alone), options)
			require.Equal(h, "Succeeded", h.statusOf(inside), options)
		}
	})
}

// TestMSSQLOneWakeUpPerTransaction: one, however many tasks it adds, and none if it adds none.
func TestMSSQLOneWakeUpPerTransaction(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		h.pause(5 * time.Second)
		// Activation off: sent messages stay and can be counted.
		c := h.session()
		c.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);")
		waiting := func() string { return c.value("SELECT COUNT(*) FROM dbsched.Dispatch;") }
		require.Equal(h, "0", waiting())
		c.begin()
		for range 10 {
			c.enqueue(1, h.say.nothing)
		}
		c.commit()
		require.Equal(h, "1", waiting())
		c.begin()
		c.exec(h.say.savepoint)
		c.enqueue(1, h.say.nothing)
		c.exec(h.say.rollbackTo)
		c.commit()
		require.Equal(h, "1", waiting(), "a savepoint takes the wake-up back")
		c.begin()
		c.exec(h.say.savepoint)
		c.enqueue(1, h.say.nothing)
		c.exec(h.say.rollbackTo)
		c.enqueue(1, h.say.nothing)
		c.commit()
		require.Equal(h, "2", waiting(), "and the next task sends it again")
		c.enqueue(1, h.say.nothing)
		require.Equal(h, "3", waiting(), "a task without a transaction sends its own")
		c.begin()
		c.enqueue(1, h.say.nothing)
		c.rollback()
		require.Equal(h, "3", waiting())
		require.Equal(h, "3", c.value("SELECT COUNT(*) FROM dbsched.WakeSent;"))
	})
}

// TestMSSQLRollbackLeavesNoTrace: no row, no marker, no message, no conversation.
func TestMSSQLRollbackLeavesNoTrace(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		h.pause(5 * time.Second)
		c := h.session()
		trace := func() [][]string {
			return c.rows(`SELECT (SELECT COUNT(*) FROM dbsched.Tasks), (SELECT COUNT(*) FROM dbsched.WakeSent), (SELECT COUNT(*) FROM dbsched.Dispatch),
    (SELECT COUNT(*) FROM sys.conversation_endpoints AS e WHERE e.state <> 'CD'), (SELECT COUNT(*) FROM sys.transmission_queue),
    (SELECT COUNT(*) FROM dbsched.Processes), (SELECT COUNT(*) FROM dbsched.ProcessRequests);`)
		}
		before := trace()
		c.begin()
		p := number(h, c.ask(h.say.createProcess("p", true)))
		c.exec(h.say.enqueue(p, 1, h.say.nothing))
		c.enqueue(1, h.say.nothing)
		c.exec(h.say.release(p))
		c.exec(h.say.close(p))
		c.rollback()
		require.Equal(h, before, trace())
	})
}

// TestMSSQLFailedWakeUpLeavesTheTransaction: a wake-up that cannot be sent changes nothing in the caller's transaction, which begins once.
func TestMSSQLFailedWakeUpLeavesTheTransaction(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		c := h.marks()
		c.exec("EXEC dbsched.StopScheduler;")
		c.exec("DROP SERVICE [//dbsched/Dispatch];")
		c.begin()
		c.exec("INSERT INTO dbo.Marks (N) VALUES (1);")
		require.Error(h, c.try(h.say.enqueue(0, 1, h.say.nothing)))
		require.Equal(h, [][]string{{"1", "1"}}, c.rows("SELECT XACT_STATE(), @@TRANCOUNT;"))
		c.commit()
		require.Equal(h, "0", c.value("SELECT @@TRANCOUNT;"))
		require.Equal(h, [][]string{{"1"}}, c.rows(h.say.markRead))
	})
}

// TestMSSQLErrorsDoNotDoom: after a refused call inside TRY, or with XACT_ABORT ON, the transaction can still commit.
func TestMSSQLErrorsDoNotDoom(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		c := h.marks()
		for _, r := range h.say.refusals {
			if !r.joins {
				continue
			}
			for _, abort := range []string{"OFF", "ON"} {
				c.exec("SET XACT_ABORT " + abort + ";")
				c.begin()
				c.exec("INSERT INTO dbo.Marks (N) VALUES (1);")
				got := c.rows("BEGIN TRY " + r.sql + " SELECT 0, 0, 0; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE(), @@TRANCOUNT; END CATCH;")
				require.Equal(h, [][]string{{"50000", "1", "1"}}, got, r.name)
				c.exec("INSERT INTO dbo.Marks (N) VALUES (2);")
				c.commit()
				require.Equal(h, [][]string{{"1"}, {"2"}}, c.rows(h.say.markRead))
				c.exec(h.say.markDelete)
			}
		}
	})
}
