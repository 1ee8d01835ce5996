package integration

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sijms/go-ora/v2/network"
	"github.com/stretchr/testify/require"
)

// oracleNotes creates a table of notes, and a procedure that commits one on its own.
func (h *harness) oracleNotes() *session {
	h.Helper()
	s := h.session()
	s.exec("create table notes (id number generated always as identity primary key, text varchar2(200))")
	s.exec("create or replace procedure note (in_text in varchar2) is pragma autonomous_transaction; begin insert into notes (text) values (in_text); commit; end;")
	return s
}

const readOracleNotes = "select text from notes order by id"

// oracleJob creates a disabled job without a schedule, as lanes are.
func (s *session) oracleJob(name, action string, autoDrop bool) {
	s.h.Helper()
	s.exec(fmt.Sprintf("begin dbms_scheduler.create_job(job_name => '%s', job_type => 'PLSQL_BLOCK', job_action => %s, enabled => false, auto_drop => %t); end;",
		name, oracleLiteral(action), autoDrop))
}

// oracleNumber returns the number of an error: 0 for none.
func oracleNumber(err error) int {
	var e *network.OracleError
	if errors.As(err, &e) {
		return e.ErrCode
	}
	return 0
}

// TestLiveOracleRunDisabledJob: does RUN_JOB in the background start a job that is disabled and has no schedule?
//   - it runs: as the documentation of use_current_session says. Lanes are such jobs.
//   - an error: nothing in the design works, and nothing must be released before that is solved.
//
// And can it be started again and again?
func TestLiveOracleRunDisabledJob(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.oracleNotes()
		s.oracleJob("LIVE", "begin note('runs'); end;", false)
		for n := 1; n <= 3; n++ {
			s.exec("begin dbms_scheduler.run_job('LIVE', use_current_session => false); end;")
			h.until(time.Minute, "a run", func() bool {
				return len(s.rows(readOracleNotes)) == n && s.value("select count(*) from user_scheduler_running_jobs") == "0"
			})
		}
		h.answer("the state of a disabled job that has run", s.value("select enabled || ', ' || state from user_scheduler_jobs where job_name = 'LIVE'"), "FALSE, DISABLED")
	})
}

// TestLiveOracleAutoDrop: is a disabled job dropped when RUN_JOB has run it in the background, if auto_drop is TRUE?
//   - dropped, or kept: either is fine, since lanes are created with auto_drop => FALSE. Those must stay.
func TestLiveOracleAutoDrop(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.oracleNotes()
		s.oracleJob("LIVE_DROPPED", "begin note('runs'); end;", true)
		s.oracleJob("LIVE_KEPT", "begin note('runs'); end;", false)
		for _, name := range []string{"LIVE_DROPPED", "LIVE_KEPT"} {
			s.exec("begin dbms_scheduler.run_job('" + name + "', use_current_session => false); end;")
		}
		h.until(time.Minute, "both runs", func() bool { return len(s.rows(readOracleNotes)) == 2 })
		h.pause(5 * time.Second)
		require.Equal(h, "1", s.value("select count(*) from user_scheduler_jobs where job_name = 'LIVE_KEPT'"))
		got := "kept"
		if s.value("select count(*) from user_scheduler_jobs where job_name = 'LIVE_DROPPED'") == "0" {
			got = "dropped"
		}
		h.answer("a job with auto_drop that RUN_JOB has run", got, "dropped")
	})
}

// TestLiveOracleUnknownJob: which number does each call return for a job that does not exist? The messages' texts allow both.
//   - 27475 ("unknown job") or 27476 ("does not exist"): dbsched treats both the same.
//   - another one: Stop, an uninstallation and the end of a task would fail because somebody had dropped a job.
func TestLiveOracleUnknownJob(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		for _, c := range []struct {
			call    string
			sandbox int
		}{
			{"drop_job('NOBODY')", 27475},
			{"drop_job('NOBODY', force => true)", 27475},
			{"run_job('NOBODY', use_current_session => false)", 27475},
			{"stop_job('NOBODY')", 27475},
			{"enable('NOBODY')", 27476},
			{"disable('NOBODY', force => true)", 27476},
			{"set_attribute('NOBODY', 'job_action', 'begin null; end;')", 27476},
		} {
			got := oracleNumber(s.try("begin dbms_scheduler." + c.call + "; end;"))
			h.answer("ORA- of "+c.call, fmt.Sprint(got), fmt.Sprint(c.sandbox))
			h.oneOf(fmt.Sprint(got), "27475", "27476")
		}
	})
}

// TestLiveOracleStoppedTwice: what does STOP_JOB return for a job that exists and is not running?
//   - 27366: what dbsched expects when it comes too late.
//   - another one: the end of a task that has ended meanwhile would be treated as a failure.
func TestLiveOracleStoppedTwice(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		s.oracleJob("LIVE", "begin null; end;", false)
		got := fmt.Sprint(oracleNumber(s.try("begin dbms_scheduler.stop_job('LIVE'); end;")))
		h.answer("ORA- of STOP_JOB of a job that does not run", got, "27366")
		h.oneOf(got, "27366")
	})
}

// TestLiveOracleUnknownQueue: which number do calls return for a queue that does not exist?
//   - 25205 for messages and 24010 for administration: what the messages say. dbsched shows either, and treats neither as
//     success.
func TestLiveOracleUnknownQueue(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		const declare = "declare l_o dbms_aq.%s_options_t; l_p dbms_aq.message_properties_t; l_m raw(16); l_r raw(100) := hextoraw('00'); begin "
		for _, c := range []struct {
			name, text string
			sandbox    int
		}{
			{"ENQUEUE", fmt.Sprintf(declare, "enqueue") + "dbms_aq.enqueue('NOBODY', l_o, l_p, l_r, l_m); end;", 25205},
			{"DEQUEUE", fmt.Sprintf(declare, "dequeue") + "l_o.wait := dbms_aq.no_wait; dbms_aq.dequeue('NOBODY', l_o, l_p, l_r, l_m); end;", 25205},
			{"START_QUEUE", "begin dbms_aqadm.start_queue('NOBODY'); end;", 24010},
			{"STOP_QUEUE", "begin dbms_aqadm.stop_queue('NOBODY'); end;", 24010},
			{"DROP_QUEUE", "begin dbms_aqadm.drop_queue('NOBODY'); end;", 24010},
			{"DROP_QUEUE_TABLE", "begin dbms_aqadm.drop_queue_table('NOBODY', force => true); end;", 24002},
		} {
			got := oracleNumber(s.try(c.text))
			h.answer("ORA- of "+c.name+" without a queue", fmt.Sprint(got), fmt.Sprint(c.sandbox))
			require.NotZero(h, got)
		}
	})
}

// TestLiveOracleStopJob: what happens to a job whose action would handle every error when STOP_JOB interrupts it without force?
//   - the handler sees ORA-01013, and the run is logged as SUCCEEDED: such a task may then continue. dbsched does not rely on its end:
//     the outcome is written when the lane's lock is free, and after a grace period force ends it.
//   - the handler is skipped, and the run is STOPPED.
//   - ORA-27365: it did not end in time, and force has to end it.
//
// dbsched works with all three; in any case, the session must be gone in the end.
func TestLiveOracleStopJob(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.oracleNotes()
		s.oracleJob("LIVE", "begin note('begins'); dbms_session.sleep(60); note('ends'); exception when others then note('handled ' || sqlcode); end;", false)
		s.exec("begin dbms_scheduler.run_job('LIVE', use_current_session => false); end;")
		h.until(time.Minute, "a run", func() bool { return len(s.rows(readOracleNotes)) == 1 })
		err := s.try("begin dbms_scheduler.stop_job('LIVE'); end;")
		h.until(2*time.Minute, "its end", func() bool { return s.value("select count(*) from user_scheduler_running_jobs") == "0" })
		h.until(time.Minute, "its log", func() bool { return s.value("select count(*) from user_scheduler_job_run_details") == "1" })
		var notes []string
		for _, row := range s.rows(readOracleNotes) {
			notes = append(notes, row[0])
		}
		h.answer("STOP_JOB of an action that handles every error", fmt.Sprintf("ORA-%d, %s, %s", oracleNumber(err), strings.Join(notes, ", "),
			s.value("select status from user_scheduler_job_run_details")), "ORA-0, begins, STOPPED")
		h.oneOf(fmt.Sprint(oracleNumber(err)), "0", "27365", "27366")
	})
}

// TestLiveOracleDDLByParse: does DBMS_SQL.PARSE execute DDL, and EXECUTE not again? DS_RUN calls only PARSE.
//   - executed by PARSE: as documented.
//   - not: DDL tasks would succeed and do nothing. Nothing must be released before that is solved.
func TestLiveOracleDDLByParse(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(h.task(1, "create table made_by_a_task (n number)"))[0]
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id), h.report())
		require.Equal(h, "1", h.session().value("select count(*) from user_tables where table_name = 'MADE_BY_A_TASK'"))
	})
}

// TestLiveOracleEvaluate: does DBMS_SCHEDULER.EVALUATE_CALENDAR_STRING leave the transaction open, unlike others of its package?
//   - yes: a firing and its schedule's next instant are one transaction.
//   - no: a crash between them could lose or double a firing.
func TestLiveOracleEvaluate(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		s.exec("create table notes (n number)")
		s.exec("declare l timestamp with time zone; begin insert into notes (n) values (1); " +
			"dbms_scheduler.evaluate_calendar_string('FREQ=DAILY', systimestamp, systimestamp, l); rollback; end;")
		left := s.value("select count(*) from notes")
		h.Log("LIVE rows left after a rollback:", left)
		require.Equal(h, "0", left)
	})
}

// TestLiveOracleNextRun: does the next run of a job reuse the session of the last one?
//   - another session, or the same one without the state of packages and contexts: nothing can be left behind.
//   - the same, as it was: what a task leaves in packages survives in the next worker. The documentation says that tasks may find such state
//     (docs/limits.md), so dbsched works with it.
func TestLiveOracleNextRun(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.oracleNotes()
		s.exec("create or replace package left as n number := 0; end left;")
		s.oracleJob("LIVE", "begin left.n := left.n + 1; note(left.n || ' ' || dbms_session.unique_session_id); end;", false)
		for n := 1; n <= 2; n++ {
			s.exec("begin dbms_scheduler.run_job('LIVE', use_current_session => false); end;")
			h.until(time.Minute, "a run", func() bool {
				return len(s.rows(readOracleNotes)) == n && s.value("select count(*) from user_scheduler_running_jobs") == "0"
			})
		}
		notes := s.rows(readOracleNotes)
		got := "another session"
		if strings.Fields(notes[0][0])[1] == strings.Fields(notes[1][0])[1] {
			got = "the same session"
		}
		h.answer("the next run has", got, "another session")
		h.answer("the state of a package in it", strings.Fields(notes[1][0])[0], "1")
		h.oneOf(strings.Fields(notes[1][0])[0], "1", "2")
	})
}

// TestLiveOracleSessionGone: how long after ALTER SYSTEM KILL SESSION is the session's lock free, and its id no longer alive?
//   - at once, or within the sweep's minute: dead workers are found.
//   - never, until the client notices: KILL SESSION without IMMEDIATE only marks a busy session; a job's session notices by itself.
func TestLiveOracleSessionGone(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.exec(h.sleep(1, time.Hour))
		h.untilRunning(1, h.restart)
		lanes, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		s := h.session()
		session := s.value("select session_key from ds_lanes where lane_id = 1")
		alive := "declare l_b boolean := dbms_session.is_session_alive('" + session + "'); begin if not l_b then raise_application_error(-20999, 'gone'); end if; end;"
		require.NoError(h, s.try(alive))
		h.admin().exec(h.say.kill(lanes[0].SessionID))
		killed := h.now()
		h.until(2*time.Minute, "its end", func() bool { return oracleNumber(s.try(alive)) == 20999 })
		h.Logf("gone after %v", h.now().Sub(killed))
		h.until(3*time.Minute, "a new worker", func() bool { return len(h.logs()) == 2 })
	})
}

// TestLiveOracleCommitWaits: how often does a block of twenty transactions wait for the log? Statistic "redo synch writes" counts it.
//   - plain commits, at most once, at the end of the call: that is why every commit by dbsched says WRITE IMMEDIATE WAIT.
//   - plain commits, twenty times: nothing changes.
//   - WRITE IMMEDIATE WAIT, fewer than twenty times: a crash could undo what others have acted on. Nothing must be released before that is solved.
//
// TestOracleCrash shows what a crash does then.
func TestLiveOracleCommitWaits(t *testing.T) {
	onOracle(t, setup{bare: true}, func(h *harness) {
		s := h.admin()
		waits := func(commit string) int64 {
			const count = "select m.value from v$mystat m join v$statname n on n.statistic# = m.statistic# where n.name = 'redo synch writes'"
			table := "dbsched_live_" + fmt.Sprint(time.Now().UnixNano())
			s.exec("create table " + table + " (n number)")
			before := number(h, s.value(count))
			s.exec("begin for i in 1 .. 20 loop insert into " + table + " values (i); " + commit + "; end loop; end;")
			after := number(h, s.value(count))
			s.exec("drop table " + table)
			return after - before
		}
		h.Logf("LIVE oracle, twenty plain commits wait %d times", waits("commit"))
		got := waits("commit write immediate wait")
		h.Logf("LIVE oracle, twenty COMMIT WRITE IMMEDIATE WAIT wait %d times", got)
		require.GreaterOrEqual(h, got, int64(20))
	})
}
