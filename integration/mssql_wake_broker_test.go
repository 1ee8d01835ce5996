package integration

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLLanesInTheEngine: the workers are activations of their own queues, one each, as the engine's views show.
func TestMSSQLLanesInTheEngine(t *testing.T) {
	onMSSQL(t, setup{lanes: 16}, func(h *harness) {
		var list []dialects.NewTask
		for range 16 {
			list = append(list, h.sleep(1, time.Minute))
		}
		h.exec(list...)
		h.untilRunning(16, time.Second)
		c := h.session()
		rows := c.rows("SELECT a.procedure_name, COUNT(*) FROM sys.dm_broker_activated_tasks AS a WHERE a.procedure_name LIKE N'%Lane%' GROUP BY a.procedure_name ORDER BY a.procedure_name;")
		require.Len(h, rows, 16)
		for i, r := range rows {
			require.Equal(h, fmt.Sprintf("[dbsched].[Lane_%02d_Activated]", i+1), r[0])
			require.Equal(h, "1", r[1])
		}
		h.drain(2 * time.Minute)
		h.pause(time.Minute)
		require.Equal(h, "0", c.value("SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;"), "after lingering nobody is left")
	})
}

// TestMSSQLIdleCosts: an hour without work is one sweep a minute, no message but the timer's, nobody busy; see TestIdleCosts.
func TestMSSQLIdleCosts(t *testing.T) {
	onMSSQL(t, setup{lanes: 16}, func(h *harness) {
		h.exec(h.task(1, h.say.nothing), h.task(2, h.say.nothing))
		h.drain(10 * time.Second)
		h.pause(45 * time.Minute) // what the work left in the broker's tables is deleted
		before := h.counters()
		h.pause(time.Hour)
		after := h.counters()
		require.LessOrEqual(h, after.Activations-before.Activations, int64(61), "activations")
		require.GreaterOrEqual(h, after.Activations-before.Activations, int64(59), "a sweep a minute")
		require.LessOrEqual(h, after.Messages-before.Messages, int64(61), "messages")
		h.requireNoLeaks()
		h.requireNoAlarms()
	})
}

// TestMSSQLStoppedCostsNothing: a stopped scheduler costs nothing at all.
func TestMSSQLStoppedCostsNothing(t *testing.T) {
	onMSSQL(t, setup{lanes: 4}, func(h *harness) {
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(time.Minute)
		before := h.counters()
		h.pause(6 * time.Hour)
		after := h.counters()
		require.Zero(h, after.Activations-before.Activations)
		require.LessOrEqual(h, after.Statements-before.Statements, int64(12), "the pause itself")
		h.requireNoLeaks()
	})
}

// TestMSSQLNoLeaks: after much work of every kind nothing is left in the broker.
func TestMSSQLNoLeaks(t *testing.T) {
	onMSSQL(t, setup{}, func(h *harness) {
		h.marks()
		var list []dialects.NewTask
		for i := range 60 {
			list = append(list, h.task(i/4, h.say.nothing))
			if i%6 == 0 {
				bad := h.task(i/4, h.say.failing[0].sql)
				bad.MaxAttempts, bad.RetryDelay = 2, time.Second
				list = append(list, bad)
			}
		}
		h.exec(list...)
		for range 5 {
			h.exec(h.task(1, h.say.nothing))
			h.pause(20 * time.Second)
		}
		h.drain(time.Minute)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.NoError(h, h.sched.Start(h.Context()))
		require.NoError(h, h.sched.SetWorkers(h.Context(), 4))
		h.requireNoLeaks()
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.requireNoLeaks()
		h.requireNoAlarms()
	})
}

// TestMSSQLRollbacks: five rollbacks of a RECEIVE do not turn off a queue of dbsched, and every installation makes sure of that.
func TestMSSQLRollbacks(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		poison := "SELECT COUNT(*) FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(N'dbsched') AND q.is_poison_message_handling_enabled = 1;"
		require.Equal(h, "0", s.value(poison))
		s.exec("ALTER QUEUE dbsched.Lane_01 WITH POISON_MESSAGE_HANDLING (STATUS = ON);")
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Equal(h, "0", s.value(poison), "as in an installation that is older")

		h.pause(10 * time.Second)
		s.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);")
		id := h.exec(h.task(1, h.say.nothing))[0]
		for range 7 {
			s.begin()
			require.NotEmpty(h, s.rows("RECEIVE TOP (1) conversation_handle FROM dbsched.Dispatch;"))
			s.rollback()
		}
		s.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = ON);")
		h.startsWithin(id, h.now(), time.Second)
		h.requireNoAlarms()
	})
}

// TestMSSQLDisabledQueue: a queue that somebody disabled is turned on again, with an alarm; nothing is lost.
func TestMSSQLDisabledQueue(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		h.pause(10 * time.Second)
		s.exec("ALTER QUEUE dbsched.Lane_01 WITH STATUS = OFF;")
		h.exec(h.task(1, h.say.nothing), h.task(1, h.say.nothing), h.task(1, h.say.nothing))
		h.drain(2 * time.Minute)
		h.pause(2 * time.Minute)
		require.Equal(h, "1", s.value("SELECT CONVERT(int, q.is_receive_enabled) FROM sys.service_queues AS q WHERE q.name = N'Lane_01';"))
		require.Contains(h, s.rows("SELECT Kind FROM dbsched.AlarmInfo;"), []string{"QueueDisabled"})
		ids := h.exec(h.sleep(1, 10*time.Second), h.sleep(1, 10*time.Second))
		h.startsWithin(ids[0], h.now(), time.Second)
		h.startsWithin(ids[1], h.now(), time.Second)
	})
}

// TestMSSQLDisabledDispatch: with the dispatcher's queue disabled, messages wait; a start or a leaving worker repairs it.
func TestMSSQLDisabledDispatch(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		h.pause(10 * time.Second) // the turn that the start requested has ended
		s.exec("ALTER QUEUE dbsched.Dispatch WITH STATUS = OFF;")
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(10 * time.Second)
		require.Empty(h, h.logs())
		require.NoError(h, h.sched.Start(h.Context()))
		h.startsWithin(id, h.now(), 2*time.Second)
	})
}

// TestMSSQLSilentQueue: a queue whose reader ended before it received starts no other. For a lane's queue the sweep repairs that, for the
// dispatcher's a start does, which a status without a dispatcher asks for.
func TestMSSQLSilentQueue(t *testing.T) {
	for _, name := range []string{"Lane_01", "Dispatch"} {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 1}, func(h *harness) {
				s := h.session()
				h.pause(10 * time.Second)
				own := s.value("SELECT OBJECT_DEFINITION(OBJECT_ID(N'dbsched." + name + "_Activated'));")
				s.exec("ALTER PROCEDURE dbsched." + name + "_Activated AS RETURN;")
				id := h.exec(h.task(1, h.say.nothing))[0]
				h.pause(10 * time.Second)
				s.exec(regexp.MustCompile(`CREATE\s+PROCEDURE`).ReplaceAllString(own, "ALTER PROCEDURE"))
				h.pause(10 * time.Second)
				require.Empty(h, h.logs(), "the queue stays NOTIFIED")
				h.pause(4 * time.Minute)
				if name == "Dispatch" {
					require.Empty(h, h.logs())
					require.Equal(h, "NoDispatcher", s.value("SELECT Blocked FROM dbsched.SchedulerInfo;"))
					require.NoError(h, h.sched.Start(h.Context()))
				}
				h.drain(time.Minute)
				require.Equal(h, "Succeeded", h.statusOf(id))
				require.Contains(h, s.rows("SELECT Kind FROM dbsched.AlarmInfo;"), []string{"QueueDisabled"})
			})
		})
	}
}

// TestMSSQLFullLog: while RECEIVE fails, because the log is full, its reader tries again each second: the queue starts no other.
func TestMSSQLFullLog(t *testing.T) {
	for name, statement := range map[string]string{"Dispatch_Activated": "RECEIVE TOP (1)", "RunLane": "EXEC sys.sp_executesql @Text"} {
		t.Run(name, func(t *testing.T) {
			onMSSQL(t, setup{lanes: 1}, func(h *harness) {
				s := h.session()
				h.pause(10 * time.Second)
				text := s.value("SELECT OBJECT_DEFINITION(OBJECT_ID(N'dbsched." + name + "'));")
				text = regexp.MustCompile(`CREATE\s+PROCEDURE`).ReplaceAllString(text, "ALTER PROCEDURE")
				full := "IF OBJECT_ID(N'dbo.LogIsFull') IS NOT NULL RAISERROR (N'full', 17, 1);\n"
				require.Contains(h, text, statement)
				s.exec(strings.Replace(text, statement, full+statement, 1))
				s.exec("CREATE TABLE dbo.LogIsFull (N int);")
				id := h.exec(h.task(1, h.say.nothing))[0]
				h.pause(10 * time.Second)
				s.exec("DROP TABLE dbo.LogIsFull;")
				h.startsWithin(id, h.now(), 2*time.Second)
				h.requireNoAlarms()
				h.requireNoLeaks()
			})
		})
	}
}

// TestMSSQLForgottenTimer: a stop that was killed after it had committed leaves the timer's conversation to the dispatcher.
func TestMSSQLForgottenTimer(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.pause(10 * time.Second)
		h.session().exec("UPDATE dbsched.Settings SET Started = 0, TimerHandle = NULL, NextSweepAt = NULL;")
		h.requireNoLeaks()
		require.NoError(h, h.sched.Start(h.Context()))
		h.requireNoLeaks()
	})
}

// TestMSSQLWakeIsWhole: a session that ends between the two statements of a wake-up leaves no conversation.
func TestMSSQLWakeIsWhole(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		for _, wake := range []string{"SendWake", "SendWake 1"} {
			for n := range 8 {
				s := h.session()
				h.server.box.CrashAtStatement(n + 1)
				_ = s.try("EXEC dbsched." + wake + ";")
				h.server.box.CrashAtStatement(0)
				h.reconnect()
			}
		}
		h.requireNoLeaks()
	})
}

// TestMSSQLLostTimer: a dispatcher without its timer is repaired by the next worker that leaves.
func TestMSSQLLostTimer(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		h.pause(10 * time.Second)
		s.exec("DECLARE @h uniqueidentifier = (SELECT x.TimerHandle FROM dbsched.Settings AS x); BEGIN END CONVERSATION @h; END;")
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		h.pause(time.Minute)
		require.Equal(h, "1", s.value("SELECT COUNT(*) FROM sys.conversation_endpoints AS e INNER JOIN dbsched.Settings AS x ON x.TimerHandle = e.conversation_handle;"))
		due := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, NotBefore: h.now().Add(30 * time.Second)})[0]
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(due))
	})
}

// TestMSSQLManyEnqueuers: 200 transactions from 40 sessions at once; every task runs once.
func TestMSSQLManyEnqueuers(t *testing.T) {
	onMSSQL(t, setup{lanes: 4}, func(h *harness) {
		done := make(chan error)
		for range 40 {
			c := h.session()
			go func() {
				var text strings.Builder
				for range 5 {
					text.WriteString(h.say.enqueue(0, 1, h.say.nothing))
				}
				done <- c.try(text.String())
			}()
		}
		for range 40 {
			require.NoError(h, <-done)
		}
		h.drain(time.Minute)
		logs := h.logs()
		require.Len(h, logs, 200)
		seen := map[int64]bool{}
		for _, l := range logs {
			require.Equal(h, "Succeeded", l.Outcome)
			require.False(h, seen[l.TaskID], "task %d ran twice", l.TaskID)
			seen[l.TaskID] = true
		}
		h.requireNoAlarms()
	})
}

// TestMSSQLManualWorkerLeavesNothing: a session that was a worker keeps no lock and no lane.
func TestMSSQLManualWorkerLeavesNothing(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		first, second := h.session(), h.session()
		for range 3 {
			for _, c := range []*session{first, second} {
				id := h.exec(h.task(1, "SELECT 1;"))[0]
				h.pause(time.Second) // the dispatcher has seen it
				require.NoError(h, c.try(h.say.worker(0)))
				require.Equal(h, "Succeeded", h.statusOf(id))
				require.Equal(h, 1001, h.logsOf(id)[0].Lane)
				require.Equal(h, "0", h.session().value("SELECT COUNT(*) FROM sys.dm_tran_locks AS l WHERE l.resource_type = 'APPLICATION';"))
				require.Equal(h, "dbo", c.value("SELECT USER_NAME();"))
				require.Equal(h, "0", c.value("SELECT @@TRANCOUNT;"))
			}
		}
	})
}
