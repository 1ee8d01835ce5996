package integration

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// jobsRunning counts sessions of jobs.
func (h *harness) jobsRunning() string {
	h.Helper()
	return h.session().value("select count(*) from user_scheduler_running_jobs")
}

// killDispatcher ends the dispatcher's session.
func (h *harness) killDispatcher() {
	h.Helper()
	sid, err := strconv.Atoi(h.session().value("select session_id from user_scheduler_running_jobs where job_name = 'DS_DISPATCHER'"))
	require.NoError(h, err)
	h.admin().exec(h.say.kill(sid))
}

// TestOracleLateStop: attempts run out of time just as they end, again and again, and STOP_JOB, which names a job but no
// attempt, comes too late. It never ends the next task of that lane, whether handlers get its interrupt or not.
func TestOracleLateStop(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(strconv.FormatUint(seed+1, 10), func(t *testing.T) {
			onOracle(t, setup{lanes: 2, box: func(o *sandbox.Options) {
				if o.Seed = seed + 1; seed%2 == 1 {
					handledBreaks(o)
				}
			}}, func(h *harness) {
				var list []dialects.NewTask
				for i := range 60 {
					task := h.sleep(1, time.Second+time.Duration(i%7)*50*time.Millisecond)
					if i%3 == 0 {
						task.Timeout = time.Second
					}
					list = append(list, task)
				}
				ids := h.exec(list...)
				h.drain(10 * time.Minute)
				ends := map[string]int{}
				for i, id := range ids {
					logs := h.logsOf(id)
					require.Len(h, logs, 1, "task %d", id)
					require.Equal(h, h.statusOf(id), logs[0].Outcome)
					if i%3 == 0 {
						require.Contains(h, []string{"Succeeded", "TimedOut"}, logs[0].Outcome)
						ends[logs[0].Outcome]++
						if logs[0].Outcome == "TimedOut" {
							require.Equal(h, h.errorNumber(29), logs[0].ErrorNumber)
						}
					} else {
						require.Equal(h, "Succeeded", logs[0].Outcome, "task %d was not to end: %s", id, h.report())
					}
				}
				require.Positive(h, ends["TimedOut"])
				require.Empty(h, h.session().rows(h.say.alarms))
				h.until(time.Minute, "all lanes are free", func() bool { return h.condemned() == "0" })
			})
		})
	}
}

// TestOracleStubbornTask: a task that handles the interrupt is ended by force after a grace period, and retried as it specifies.
func TestOracleStubbornTask(t *testing.T) {
	onOracle(t, setup{lanes: 1, box: handledBreaks}, func(h *harness) {
		h.mayKill()
		slow := h.task(1, h.say.stubborn(time.Hour, false))
		slow.Timeout, slow.MaxAttempts, slow.RetryDelay = 5*time.Second, 2, time.Second
		ids := h.exec(slow, h.task(1, h.say.nothing))
		h.untilStatus(ids[0], "TimedOut", 2*time.Minute)
		logs := h.logsOf(ids[0])
		require.Len(h, logs, 2)
		for _, l := range logs {
			require.Equal(h, "TimedOut", l.Outcome)
			require.Equal(h, h.errorNumber(29), l.ErrorNumber)
			// STOP_JOB waits at most ten seconds, and force comes no earlier than five seconds after the first try.
			require.InDelta(h, 14, l.FinishedAt.Sub(l.StartedAt).Seconds(), 5)
		}
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(ids[1]))
		require.Empty(h, h.session().rows(h.say.alarms))
	})
}

// TestOracleForceIsRefused: without MANAGE SCHEDULER an alarm says once what is missing; meanwhile other lanes are served.
func TestOracleForceIsRefused(t *testing.T) {
	onOracle(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		id := h.exec(h.task(1, h.say.stubborn(5*time.Minute, true)))[0]
		h.untilRunning(1, 2*h.restart)
		h.cancel(id)
		h.pause(time.Minute)
		alarms := h.alarmsOf("CannotEnd")
		require.Len(h, alarms, 1)
		require.Contains(h, alarms[0], "ORA-27486")
		require.Contains(h, alarms[0], "MANAGE SCHEDULER granted directly to "+h.schema)
		for range 5 {
			next := h.exec(h.task(1, h.say.nothing))[0]
			h.startsWithin(next, h.now(), h.soon)
			h.pause(17 * time.Second)
		}
		require.Equal(h, "1", h.condemned())
		h.drain(10 * time.Minute)
		require.Equal(h, "Cancelled", h.statusOf(id))
		require.Equal(h, 1476, h.logsOf(id)[0].ErrorNumber, "what it says itself")
		h.until(65*time.Second, "the lane is free", func() bool { return h.condemned() == "0" })
		require.Len(h, h.alarmsOf("CannotEnd"), 1)
	})
}

// TestOracleStopperDies: the dispatcher is killed between the order and the outcome. The lane claims nothing and is not started
// until the next dispatcher has written the outcome; then it works again.
func TestOracleStopperDies(t *testing.T) {
	onOracle(t, setup{lanes: 1, box: handledBreaks}, func(h *harness) {
		ids := h.exec(h.task(1, h.say.stubborn(20*time.Second, false)), h.task(1, h.say.nothing))
		h.untilRunning(1, 2*h.restart)
		h.cancel(ids[0])
		h.until(2*time.Second, "the lane is condemned", func() bool { return h.condemned() == "1" })
		h.killDispatcher()
		h.untilStatus(ids[0], "Succeeded", 25*time.Second)
		if h.jobsRunning() == "0" {
			require.Equal(h, "Pending", h.statusOf(ids[1]), "nobody has freed the lane yet")
		}
		h.startsWithin(ids[1], h.now(), time.Minute+h.restart)
		h.drain(time.Minute)
		require.Equal(h, "0", h.condemned())

		// Once more, with a task that would run forever, and force.
		h.mayKill()
		ids = h.exec(h.task(1, h.say.stubborn(time.Hour, false)), h.task(1, h.say.nothing))
		h.untilRunning(1, 2*h.restart)
		h.cancel(ids[0])
		h.until(2*time.Second, "the lane is condemned", func() bool { return h.condemned() == "1" })
		h.killDispatcher()
		h.untilStatus(ids[0], "Cancelled", time.Minute+h.restart+15*time.Second)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(ids[1]))
		require.Equal(h, "0", h.condemned())
	})
}

// TestOracleCancelWhileStopped: a task that continues after a stop can still be cancelled; the dispatcher starts for that, and
// leaves. None is left running.
func TestOracleCancelWhileStopped(t *testing.T) {
	onOracle(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		h.mayKill()
		ids := h.exec(h.sleep(1, time.Hour), h.task(1, h.say.stubborn(time.Hour, false)), h.task(1, h.say.nothing))
		h.untilRunning(2, 2*h.restart)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.until(5*time.Second, "the dispatcher is gone", func() bool { return h.jobsRunning() == "2" })
		h.pause(time.Minute)
		h.cancel(ids[0])
		h.untilStatus(ids[0], "Cancelled", h.restart)
		h.cancel(ids[1])
		h.untilStatus(ids[1], "Cancelled", h.restart+20*time.Second)
		h.until(5*time.Second, "nobody is left", func() bool { return h.jobsRunning() == "0" })
		h.pause(2 * time.Minute)
		require.Equal(h, "0", h.jobsRunning())
		require.Equal(h, "Pending", h.statusOf(ids[2]))
		require.NoError(h, h.sched.Start(h.Context()))
		h.startsWithin(ids[2], h.now(), h.restart)
		require.Empty(h, h.session().rows(h.say.alarms))
	})
}

// TestOracleCancelManualWorker: a session that called task_scheduler has no job to stop. The task is marked, an
// alarm says so, and it ends by itself; its session continues with the next task.
func TestOracleCancelManualWorker(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.mayKill()
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		c := h.session()
		done := make(chan error, 1)
		go func() { done <- c.try(h.say.worker(5)) }()
		h.until(2*time.Second, "a worker", func() bool { return h.status().Workers == 1 })
		fails, works := h.task(1, h.say.fails(30*time.Second)), h.sleep(1, 30*time.Second)
		fails.MaxAttempts, works.Timeout = 3, 10*time.Second
		ids := h.exec(fails, works, h.task(1, h.say.nothing))
		h.untilRunning(1, 5*time.Second)
		h.cancel(ids[0])
		h.pause(10 * time.Second)
		require.Equal(h, "Stopping", h.statusOf(ids[0]))
		h.drain(2 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Succeeded", "Succeeded"}, h.statuses(ids))
		require.Len(h, h.logs(), 3)
		alarms := h.alarmsOf("CannotEnd")
		require.Len(h, alarms, 2)
		require.Contains(h, alarms[0], "task_scheduler")
		h.pause(10 * time.Second)
		require.NoError(h, <-done)
	})
}

// TestOracleCancelInATransaction: cancelling and retrying are their own transactions, whatever happens to the caller's; they wait five
// seconds for a session that holds the process.
func TestOracleCancelInATransaction(t *testing.T) {
	onOracle(t, setup{stopped: true}, func(h *harness) {
		ids := h.exec(h.task(1, h.say.nothing), h.task(1, h.say.nothing))
		p := h.process(dialects.NewProcess{Name: "p"})
		s := h.session()
		s.begin()
		s.enqueue(1, h.say.nothing)
		s.exec(fmt.Sprintf("begin dbsched.cancel_task(%d); end;", ids[0]))
		s.rollback()
		require.Equal(h, []string{"Cancelled", "Pending"}, h.statuses(ids))

		s.begin()
		s.exec("update ds_processes set priority = priority where process_id = 1")
		since := h.now()
		require.ErrorContains(h, h.sched.CancelTask(h.Context(), ids[1]), h.errorText(11))
		require.ErrorContains(h, h.sched.RetryTask(h.Context(), ids[0]), h.errorText(11))
		require.InDelta(h, 10, h.now().Sub(since).Seconds(), 1)
		s.rollback()

		for _, call := range []string{fmt.Sprintf("retry_task(%d)", ids[0]), fmt.Sprintf("cancel_process(%d)", p), fmt.Sprintf("retry_process(%d)", p)} {
			s.begin()
			s.enqueue(1, h.say.nothing)
			s.exec("begin dbsched." + call + "; end;")
			s.rollback()
		}
		require.Equal(h, []string{"Pending", "Pending"}, h.statuses(ids))
		require.Len(h, h.tasks(), 2)
		require.Equal(h, "Open", h.processOf(p).Status)
		h.cancel(ids[0])
		s.begin()
		s.enqueue(1, h.say.nothing)
		s.exec(fmt.Sprintf("begin dbsched.retry_task(%d); end;", ids[0]))
		s.commit()
		require.Len(h, h.tasks(), 3, "the caller's work is there")
		for _, call := range []string{"cancel_task", "retry_task"} {
			require.ErrorContains(h, h.session().try("begin dbsched."+call+"(null); end;"), h.errorText(24))
		}
		for _, call := range []string{"cancel_process", "retry_process"} {
			require.ErrorContains(h, h.session().try("begin dbsched."+call+"(null); end;"), h.errorText(4))
		}
	})
}

// TestOracleStopperLives: a lane is neither started nor taken back while another session that has condemned it is alive:
// its STOP_JOB may still be on its way.
func TestOracleStopperLives(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		stopper := h.session()
		stopper.exec("begin update ds_lanes set condemned_by = dbms_session.unique_session_id where lane_id = 1; commit; end;")
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(3 * time.Minute)
		require.Equal(h, "Pending", h.statusOf(id))
		require.Equal(h, "1", h.condemned())
		require.Equal(h, "0", h.session().value("select count(*) from user_scheduler_job_run_details where job_name = 'DS_LANE_01'"))
		sid, err := strconv.Atoi(stopper.value("select sys_context('USERENV', 'SID') from dual"))
		require.NoError(h, err)
		h.admin().exec(h.say.kill(sid))
		h.startsWithin(id, h.now(), time.Minute+h.soon)
	})
}

// TestOracleStartWhileItEndsSessions: the dispatcher that stays to end sessions is the one that continues.
func TestOracleStartWhileItEndsSessions(t *testing.T) {
	onOracle(t, setup{lanes: 2, box: handledBreaks}, func(h *harness) {
		ids := h.exec(h.task(1, h.say.stubborn(5*time.Minute, true)), h.task(2, h.say.nothing))
		h.untilRunning(1, 2*h.restart)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		h.pause(30 * time.Second)
		require.Equal(h, "2", h.jobsRunning())
		since := h.now()
		require.NoError(h, h.sched.Start(h.Context()))
		require.Less(h, h.now().Sub(since), 2*time.Second)
		h.drain(10 * time.Minute)
		require.Equal(h, []string{"Cancelled", "Succeeded"}, h.statuses(ids))
		require.Equal(h, "1", h.session().value("select count(*) from user_scheduler_running_jobs where job_name = 'DS_DISPATCHER'"))
	})
}

// TestOracleDispatcherDiesAfterAStop: while attempts must end after a stop, the engine starts a dispatcher again whose session has died. When they
// have ended it disables its job.
func TestOracleDispatcherDiesAfterAStop(t *testing.T) {
	onOracle(t, setup{lanes: 1, box: handledBreaks}, func(h *harness) {
		job := func(column string) string {
			return h.session().value("select j." + column + " from user_scheduler_jobs j where j.job_name = 'DS_DISPATCHER'")
		}
		id := h.exec(h.task(1, h.say.stubborn(5*time.Minute, true)))[0]
		h.untilRunning(1, 2*h.restart)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopNow))
		h.pause(30 * time.Second)
		h.killDispatcher()
		h.until(time.Minute+h.soon, "another dispatcher", func() bool { return job("state") == "RUNNING" })
		h.until(10*time.Minute, "the end of the task", func() bool { return h.statusOf(id) == "Cancelled" })
		h.until(time.Minute, "the end of the dispatcher", func() bool { return job("state") != "RUNNING" })
		require.Equal(h, "FALSE", job("enabled"))
	})
}

// TestOracleStopsOneByOne: STOP_JOB may wait for ten seconds; between two calls others get their lanes.
func TestOracleStopsOneByOne(t *testing.T) {
	onOracle(t, setup{lanes: 7, box: handledBreaks}, func(h *harness) {
		var list []dialects.NewTask
		for range 6 {
			list = append(list, h.task(1, h.say.stubborn(2*time.Minute, false)))
		}
		ids := h.exec(list...)
		h.untilRunning(6, 2*h.restart)
		for _, id := range ids {
			h.cancel(id)
		}
		h.pause(11 * time.Second) // the first has been tried
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), 10*time.Second+h.soon)
		h.drain(5 * time.Minute)
		require.Len(h, h.alarmsOf("CannotEnd"), 6)
	})
}

// TestOracleStopWaitsForClaims: after a stop no task starts, not even one that was being claimed.
func TestOracleStopWaitsForClaims(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.exec(h.sleep(1, 5*time.Second))
		h.untilRunning(1, h.ordered())
		id := h.exec(h.task(1, h.say.nothing))[0]
		holder, observer, stopped := h.session(), h.session(), make(chan error, 1)
		holder.begin()
		holder.exec(fmt.Sprintf("select t.task_id from ds_tasks t where t.task_id = %d for update", id)) // the claim waits for it
		h.pause(7 * time.Second)
		started := 0
		go func() {
			err := h.sched.Stop(h.Context(), dialects.StopDrain)
			stopped <- errors.Join(err, observer.conn.QueryRowContext(h.Context(), "select count(*) from ds_log_info").Scan(&started))
		}()
		h.pause(time.Second)
		holder.commit()
		require.NoError(h, <-stopped)
		h.pause(time.Minute)
		require.Len(h, h.logs(), 2)
		require.Equal(h, 2, started)
	})
}

// TestOracleStopGivesUp: a stop that is blocked by a transaction fails after half a minute, and the scheduler continues.
func TestOracleStopGivesUp(t *testing.T) {
	onOracle(t, setup{}, func(h *harness) {
		holder := h.session()
		holder.begin()
		holder.exec("update ds_settings set policy = policy")
		since := h.now()
		require.Error(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.InDelta(h, 30, h.now().Sub(since).Seconds(), 1)
		holder.rollback()
		require.True(h, h.status().Started)
	})
}

// TestOracleClaimPassesAHeldProcess: a process whose row is held keeps no worker from the tasks of another.
func TestOracleClaimPassesAHeldProcess(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		held, free := h.process(dialects.NewProcess{Name: "held"}), h.process(dialects.NewProcess{Name: "free"})
		h.exec(h.sleep(1, 5*time.Second))
		h.untilRunning(1, h.ordered())
		ids := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: held}, dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: free})
		h.pause(time.Second) // the dispatcher knows them, and has no lane free
		s := h.session()
		s.begin()
		s.exec(fmt.Sprintf("update ds_processes set priority = priority where process_id = %d", held))
		h.untilStatus(ids[1], "Succeeded", 10*time.Second)
		require.Empty(h, h.logsOf(ids[0]))
		s.rollback()
		h.drain(time.Minute)
	})
}

// TestOracleLaneOfOtherCode: a worker whose code is not the installed one starts no other task.
func TestOracleLaneOfOtherCode(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		ids := h.exec(h.sleep(1, 5*time.Second), h.task(1, h.say.nothing))
		h.untilRunning(1, h.ordered())
		s := h.session()
		version := s.value("select version from ds_settings")
		s.exec("update ds_settings set version = 'sql-0'")
		h.pause(2 * time.Minute)
		require.Equal(h, []string{"Succeeded", "Pending"}, h.statuses(ids))
		s.exec("update ds_settings set version = '" + version + "'")
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(3 * time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(ids[1]))
	})
}

// TestOracleAlarmOfALostTry: like TestMSSQLAlarmOfALostTry, for the tries that use force.
func TestOracleAlarmOfALostTry(t *testing.T) {
	onOracle(t, setup{lanes: 1, box: handledBreaks}, func(h *harness) {
		id := h.exec(h.task(1, h.say.stubborn(5*time.Minute, true)))[0]
		h.untilRunning(1, 2*h.restart)
		h.session().exec("update ds_tasks set stop_tries = 2 where status = 'Running'")
		h.cancel(id)
		h.pause(time.Minute)
		require.Len(h, h.alarmsOf("CannotEnd"), 1)
	})
}

// TestOracleCancelBeforeAHeldMark: a task is cancelled just as it runs out of time, and the dispatcher waits for its process, which another session
// holds, behind the cancelling one. It stays cancelled.
func TestOracleCancelBeforeAHeldMark(t *testing.T) {
	onOracle(t, setup{lanes: 1, box: handledBreaks}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "held"})
		id := h.exec(dialects.NewTask{SQL: h.say.stubborn(time.Minute, true), Order: 1, ProcessID: p, Timeout: 20 * time.Second, MaxAttempts: 3, RetryDelay: time.Second})[0]
		h.untilRunning(1, 2*h.restart)
		admin, holds := h.admin(), h.session()
		waiting := func(n, what string) {
			h.Helper()
			h.until(4*time.Second, what, func() bool {
				return admin.value("select count(*) from v$session s where s.blocking_session is not null") == n
			})
		}
		h.pause(h.logsOf(id)[0].StartedAt.Add(19 * time.Second).Sub(h.now()))
		holds.begin()
		holds.exec(fmt.Sprintf("update ds_processes p set p.weight = p.weight where p.process_id = %d", p))
		cancelled := make(chan error, 1)
		go func() { cancelled <- h.sched.CancelTask(h.Context(), id) }()
		waiting("1", "the order waits")
		waiting("2", "the dispatcher waits, too")
		holds.rollback()
		require.NoError(h, <-cancelled)
		h.untilStatus(id, "Cancelled", 2*time.Minute)
		h.pause(time.Minute)
		require.Len(h, h.logsOf(id), 1, "not tried again")
		require.Equal(h, "Cancelled", h.logsOf(id)[0].Outcome)
	})
}
