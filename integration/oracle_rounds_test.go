package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// abandoned creates a generation completed long ago by a session that ended before it had requested the job's start, or after it had
// written that it would request it next.
func (h *harness) abandoned(round string, ordered bool) {
	h.Helper()
	at := "null"
	if ordered {
		at = "systimestamp - interval '5' minute"
	}
	s := h.session()
	s.exec(fmt.Sprintf(`insert into ds_round_firings (firing_id, round_id, generation, fired_at, fired_by, job_owner, job_name, start_seconds, ordered_at, runs_before)
select ds_firing_seq.nextval, r.round_id, r.generation, systimestamp - interval '5' minute, 'a', r.job_owner, r.job_name, r.start_seconds, %s, 0
from ds_rounds r where r.name = '%s'`, at, round))
	s.exec(fmt.Sprintf("update ds_rounds r set r.generation = r.generation + 1 where r.name = '%s'", round))
	s.exec("commit")
}

// TestOracleRoundNobodyOrdered: if the last reporter ended before it requested the job's start, the sweep requests it, once.
func TestOracleRoundNobodyOrdered(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "next"})
		h.abandoned("r", false)
		h.untilIdle("next", 1, 3*time.Minute)
		h.until(2*time.Minute, "a sweep", func() bool { return h.roundOf("r").LastStatus == "Started" })
		h.pause(5 * time.Minute)
		h.untilIdle("next", 1, time.Second)
		require.Empty(h, h.alarms())
	})
}

// TestOracleRoundJobStartsMeanwhile: a job that somebody else starts just before its round does (ORA-27478) was not started by its round,
// and is not started again. The session that starts it waits between looking at the job and starting it: its row is locked.
func TestOracleRoundJobStartsMeanwhile(t *testing.T) {
	onOracle(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "next"})
		h.abandoned("r", false)
		s, sweeper := h.session(), h.session()
		s.begin()
		s.exec("select f.firing_id from ds_round_firings f for update")
		done := make(chan error, 1)
		go func() { done <- sweeper.try(h.say.sweep) }()
		h.pause(time.Second)
		h.startJob("next")
		h.until(h.ordered(), "it runs", func() bool { return h.admin().value(h.say.jobs.busy("next")) == "1" })
		s.rollback()
		require.NoError(h, <-done)
		require.Equal(h, "Failed", h.roundOf("r").LastStatus)
		h.alarmed("RoundStart", `"next" was not started`, "already running")
		h.pause(5 * time.Minute)
		h.untilIdle("next", 1, time.Second)
		h.alarmed("RoundStart")
	})
}

// TestOracleRoundMayBeOrdered: a job whose start the last reporter may have requested, and that has not run since, is not started again.
func TestOracleRoundMayBeOrdered(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "next"})
		h.abandoned("r", true)
		h.until(2*time.Minute, "a sweep", func() bool { return h.roundOf("r").LastStatus == "Unknown" })
		h.alarmed("RoundStart", `"next" may not have started`, "ended before it had seen")
		h.pause(5 * time.Minute)
		h.alarmed("RoundStart")
		h.untilIdle("next", 0, time.Second)
	})
}

// TestOracleRoundLateStart: a job that the database does not start in time is an alarm, and runs once when it does.
func TestOracleRoundLateStart(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		if h.server.box == nil {
			h.Skip("the job queue of a real server is everybody's")
		}
		h.successor("next")
		h.job("long", h.say.jobs.pause(2*time.Minute))
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "next", StartTimeout: 5 * time.Second})
		h.startJob("long")
		h.pause(10 * time.Second)
		h.admin().exec("alter system set job_queue_processes = 2") // the dispatcher's and the long one's
		h.reportsLast("r", "a", dialects.RoundUnknown)
		h.alarmed("RoundStart", `"next" may not have started`, "within 5 seconds")
		h.pause(5 * time.Minute)
		h.untilIdle("next", 1, time.Minute)
		h.alarmed("RoundStart")
	})
}

// TestOracleRoundJobThatGoes: a job that is dropped after it has run (auto_drop) still counts as run.
func TestOracleRoundJobThatGoes(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		s.exec(`begin dbms_scheduler.create_job(job_name => 'once', job_type => 'PLSQL_BLOCK', job_action => 'insert into marks (n) values (1);', enabled => false, auto_drop => true); end;`)
		require.NoError(h, h.sched.DefineRound(h.Context(), dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "once"}))
		h.reportsLast("r", "a", dialects.RoundStarted)
		require.Equal(h, []string{"1"}, h.markedBy("once"))
		h.reports("r", "a", true, dialects.RoundFailed)
		h.alarmed("RoundStart", `"ONCE"`, "no such job")
		h.pause(10 * time.Minute)
		h.abandoned("r", true)
		h.until(2*time.Minute, "a sweep", func() bool { return h.roundOf("r").LastStatus == "Unknown" }) // it ran, but long before
	})
}

// TestOracleRoundSerializable: sessions that keep seeing the past still see the reports of others.
func TestOracleRoundSerializable(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			onOracle(t, setup{lanes: 1, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.successor("next")
				s := h.session()
				members := []string{"a", "b", "c"}
				for _, m := range members {
					h.job(m, "execute immediate 'alter session set isolation_level = serializable'", h.say.jobs.report("tie"))
				}
				h.round(dialects.NewRound{Name: "tie", Members: members, SuccessorJob: "next"})
				s.begin()
				s.exec("select r.name from ds_rounds r where r.name = 'tie' for update") // all three wait for it
				for _, m := range members {
					h.startJob(m)
				}
				h.pause(10 * time.Second)
				s.commit()
				h.untilIdle("next", 1, 2*time.Minute)
				require.Empty(h, h.alarms())
			})
		})
	}
}

// TestOracleRoundTie: two members that are both held up in the middle of their reports do not both take the other for
// missing.
func TestOracleRoundTie(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			onOracle(t, setup{lanes: 1, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.successor("next")
				s := h.session()
				for _, m := range []string{"a", "b"} {
					h.job(m, h.say.jobs.report("tie"))
				}
				h.round(dialects.NewRound{Name: "tie", Members: []string{"a", "b"}, SuccessorJob: "next"})
				s.begin()
				s.exec("select m.member from ds_round_members m for update")
				h.startJob("a")
				h.startJob("b")
				h.pause(10 * time.Second)
				s.commit()
				h.untilIdle("next", 1, 2*time.Minute)
				require.Empty(h, h.alarms())
			})
		})
	}
}

// TestOracleRoundOutsideTheTransaction: a report is its own transaction, whatever happens to the caller's.
func TestOracleRoundOutsideTheTransaction(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorSQL: h.say.mark(2)})
		s.begin()
		s.exec(h.say.mark(1))
		s.enqueue(1, h.say.mark(3))
		s.exec("begin dbsched.report_round('r', 'a'); end;")
		require.Equal(h, 1, h.roundOf("r").Succeeded)
		s.exec("begin dbsched.report_round('r', 'b'); end;")
		require.ErrorContains(h, s.try("begin dbsched.report_round('r', 'nobody'); end;"), "20052")
		h.drain(time.Minute)
		require.Equal(h, []string{"2"}, h.markedBy(""), "its own work is not committed")
		s.rollback()
		h.drain(time.Minute)
		require.Equal(h, []string{"2"}, h.markedBy(""))
		require.Equal(h, "Started", h.roundOf("r").LastStatus)
	})
}

// TestOracleRoundCrash crashes the instance at each commit of a round that starts a job: the job runs once, or an alarm says
// that it may not have; and never twice.
func TestOracleRoundCrash(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		if h.server.box == nil {
			h.Skip("nobody lets a real server crash")
		}
		h.successor("next")
		runs, crashes := 0, 0
		for at := 1; ; at++ {
			require.Less(h, at, 60, "it never ends without a crash")
			name := fmt.Sprint("r", at)
			h.round(dialects.NewRound{Name: name, Members: []string{"a"}, SuccessorJob: "next"})
			h.job("a"+name, "for x in (select * from dual) loop dbsched.report_round('"+name+"', 'a'); end loop")
			h.pause(10 * time.Second)
			h.startJob("a" + name)
			h.server.box.CrashAtCommit(at)
			crashed := h.untilCrash(crashes, 10*time.Second)
			h.server.box.CrashAtCommit(0)
			if crashed {
				crashes++
				h.reconnect()
			}
			h.pause(4 * time.Minute)
			r := h.roundOf(name)
			now := int(number(h, h.admin().value(h.say.jobs.runs("next"))))
			switch r.LastStatus {
			case "": // the crash came before the report's commit, and took the reporting job with it
				require.Equal(h, runs, now, "%d: %+v", at, r)
			case "Unknown":
				require.LessOrEqual(h, now-runs, 1, "%d: %+v", at, r)
			default:
				require.Equal(h, "Started", r.LastStatus, "%d: %+v", at, r)
				require.Equal(h, runs+1, now, "%d: %+v", at, r)
			}
			runs = now
			if !crashed {
				require.Equal(h, "Started", r.LastStatus)
				h.Logf("%d crashes", crashes)
				return
			}
		}
	})
}
