package integration

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/oracle"
	"github.com/dbsched/dbsched/templates"
)

// requireSound asserts that nothing needs repair, that a task runs, and that nothing of it is left.
func (h *harness) requireSound() []dialects.Check {
	h.Helper()
	before := h.probeRows()
	all, bad := h.levels(time.Minute)
	require.Empty(h, bad, "%v", all)
	probe := h.check(all, "probe")
	require.Equal(h, dialects.OK, probe.Level, "%v", probe)
	require.Regexp(h, `ended \d+ ms after`, probe.Text)
	require.Equal(h, before, h.probeRows())
	return all
}

// probeRows counts the rows of the tables where a task and its process are stored.
func (h *harness) probeRows() string {
	h.Helper()
	return h.session().value(`select (select count(*) from ds_tasks) || ' ' || (select count(*) from ds_logs) || ' ' || (select count(*) from ds_processes) || ' ' ||
    (select count(*) from ds_process_requests) || ' ' || (select count(*) from ds_alarms) from dual`)
}

// seesParameters grants the owner what verify looks at and a user does not have by default.
func (h *harness) seesParameters() {
	h.Helper()
	h.server.administrate("grant select on sys.v_$parameter to " + h.schema)
}

// TestOracleVerifySound: a sound installation has no findings that need repair, whatever its user may see.
func TestOracleVerifySound(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		all := h.requireSound()
		if h.server.box != nil { // elsewhere the user may have it through a role
			require.Equal(h, dialects.Info, h.check(all, "job queue").Level, "v$parameter is not everybody's")
		}
		h.seesParameters()
		all = h.requireSound()
		require.Equal(h, dialects.OK, h.check(all, "job queue").Level)
		ids := h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		h.requireSound()
		require.Equal(h, "Succeeded", h.statusOf(ids[0]), "that of others is left alone")
		h.requireNoAlarms()

		var reported []dialects.Check
		all, err := h.sched.Verify(h.Context(), dialects.VerifyOptions{Report: func(c dialects.Check) { reported = append(reported, c) }})
		require.NoError(h, err)
		require.Equal(h, all, reported)
		require.Equal(h, "ending tasks", all[len(all)-1].Name, "no probe")
	})
}

func TestOracleVerifySoundWithRunner(t *testing.T) {
	withRunner(t, func(h *harness, r *running) {
		h.seesParameters()
		all := h.requireSound()
		require.Contains(h, h.check(all, "installation").Text, "tasks run as "+r.names["runner"])
		require.Contains(h, h.check(all, "lane jobs").Text, "2 jobs of "+r.names["runner"])
	})
}

// damage is something broken, the only thing that verify must report about it, and how it is repaired.
type damage struct {
	check string
	level dialects.Level
	text  string // part of the finding's text
	how   []string
	dba   bool                           // broken, and repaired, by an administrator
	do    func(h *harness) (mend func()) // breaks it in another way; mend, unless nil, repairs it instead of the remedy
	safe  bool                           // --fix may repair it
	after time.Duration                  // until it is sound again
	diff  string                         // part of it
	alone bool                           // only on a server that nobody else uses
}

const dispatcherJob = "'DS_DISPATCHER'"

func oracleDamages() map[string]damage {
	altered := func(job string) string {
		return "begin dbms_scheduler.set_attribute(" + job + ", 'job_action', 'begin null; end;'); end;"
	}
	queue := func(enqueue, dequeue bool) string {
		return fmt.Sprintf("begin dbms_aqadm.stop_queue('DS_WAKE_Q', enqueue => %t, dequeue => %t); end;", enqueue, dequeue)
	}
	return map[string]damage{
		"dispatcher disabled": {check: "dispatcher", level: dialects.Fail, text: "is disabled", safe: true,
			how: []string{"begin dbms_scheduler.disable(" + dispatcherJob + ", force => true); end;"}},
		"dispatcher dropped": {check: "dispatcher", level: dialects.Fail, text: "is missing",
			how: []string{"begin dbms_scheduler.drop_job(" + dispatcherJob + ", force => true); end;"}},
		"dispatcher altered": {check: "dispatcher", level: dialects.Fail, text: "different action", diff: "+begin null; end;", how: []string{altered(dispatcherJob)}},
		"dispatcher seldom": {check: "dispatcher", level: dialects.Warn, text: "interval FREQ=DAILY",
			how: []string{"begin dbms_scheduler.set_attribute(" + dispatcherJob + ", 'repeat_interval', 'FREQ=DAILY'); end;"}},
		"enabled and stopped": {check: "dispatcher", level: dialects.Warn, text: "is enabled although the scheduler is stopped", do: func(h *harness) func() {
			require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
			h.session().exec("begin dbms_scheduler.enable(" + dispatcherJob + "); end;")
			return nil
		}},
		"lane altered": {check: "lane jobs", level: dialects.Fail, text: "DS_LANE_02", diff: "+begin null; end;", how: []string{altered("'DS_LANE_02'")}},
		"lane dropped": {check: "lane jobs", level: dialects.Fail, text: "missing: DS_LANE_02", how: []string{"begin dbms_scheduler.drop_job('DS_LANE_02'); end;"}},

		"body altered": {check: "packages", level: dialects.Fail, text: "PACKAGE BODY DS_BASE was altered", diff: "for update wait 2;", do: func(h *harness) func() {
			h.alterUnit("PACKAGE BODY", "DS_BASE", "for update wait 1;", "for update wait 2;")
			return nil
		}},
		"specification altered": {check: "packages", level: dialects.Fail, text: "PACKAGE DS_BASE was altered", diff: "+    co_more constant number := 1;", do: func(h *harness) func() {
			h.alterUnit("PACKAGE", "DS_BASE", "end ds_base;", "    co_more constant number := 1;\nend ds_base;")
			return nil
		}},
		"package invalid": {check: "packages", level: dialects.Warn, text: "is invalid", safe: true,
			how: []string{"drop sequence ds_round_seq", "create sequence ds_round_seq start with 1000"}},
		"package does not compile": {check: "packages", level: dialects.Fail, text: "DS_RUN is invalid", safe: true, do: func(h *harness) func() {
			s := h.session()
			s.exec("create package dbms_application_info as\n    c_nothing constant number := 0;\nend;")
			s.exec("alter package ds_run compile body")
			all, _ := h.levels(0)
			c := h.check(all, "packages")
			require.ErrorAs(h, h.sched.Mend(h.Context(), c), new(*oracle.CompileError))
			return func() {
				s.exec("drop package dbms_application_info")
				all, _ := h.levels(0)
				h.mend(all, false)
			}
		}},
		"package dropped": {check: "packages", level: dialects.Fail, text: "missing: PACKAGE DS_JSON", how: []string{"drop package ds_json"}},
		"view altered":    {check: "views", level: dialects.Warn, text: "DS_ROUND_INFO", diff: "+select 1 as nothing", how: []string{"create or replace view ds_round_info as select 1 as nothing from dual"}},
		"view dropped":    {check: "views", level: dialects.Fail, text: "missing: VIEW DS_LOG_INFO", how: []string{"drop view ds_log_info"}},

		"index dropped":      {check: "tables", level: dialects.Fail, text: "index DS_TASKS_CLAIM_IX is missing", safe: true, how: []string{"drop index ds_tasks_claim_ix"}},
		"constraint dropped": {check: "tables", level: dialects.Fail, text: "key DS_LOGS_PK is missing", safe: true, how: []string{"alter table ds_logs drop constraint ds_logs_pk"}},
		"sequence dropped":   {check: "tables", level: dialects.Fail, text: "sequence DS_TASK_SEQ is missing", safe: true, how: []string{"drop sequence ds_task_seq"}},

		"right missing":     {check: "grants", level: dialects.Fail, text: "direct grants are missing", dba: true, how: []string{"revoke create job from %s"}},
		"package forbidden": {check: "grants", level: dialects.Fail, text: "direct grants are missing", dba: true, how: []string{"revoke execute on sys.dbms_lock from %s"}, after: 15 * time.Minute},

		"queue without enqueue": {check: "queue", level: dialects.Fail, text: "enqueue NO, dequeue YES", safe: true, how: []string{queue(true, false)}},
		"queue without dequeue": {check: "queue", level: dialects.Fail, text: "enqueue YES, dequeue NO", safe: true, how: []string{queue(false, true)}, after: 15 * time.Minute},
		"queue stopped":         {check: "queue", level: dialects.Fail, text: "enqueue NO, dequeue NO", safe: true, how: []string{queue(true, true)}, after: 15 * time.Minute},

		"no job processes":      {check: "job queue", level: dialects.Fail, text: "is 0", dba: true, alone: true, how: []string{"alter system set job_queue_processes = 0"}},
		"few job processes":     {check: "job queue", level: dialects.Warn, text: "need 3", dba: true, alone: true, how: []string{"alter system set job_queue_processes = 2"}},
		"all jobs switched off": {check: "job scheduler", level: dialects.Fail, text: "SCHEDULER_DISABLED", dba: true, alone: true, how: []string{"begin dbms_scheduler.set_scheduler_attribute('SCHEDULER_DISABLED', 'TRUE'); end;"}},

		"copy":       {check: "scheduler", level: dialects.Fail, text: "copy of ELSEWHERE", how: []string{"update ds_settings set home = 'ELSEWHERE'"}},
		"no workers": {check: "scheduler", level: dialects.Warn, text: "0 of 0 workers", how: []string{"begin dbsched.set_workers(0); end;"}},
		"late sweep": {check: "sweep", level: dialects.Warn, text: "although the dispatcher runs", do: func(h *harness) func() {
			h.session().exec("update ds_settings set next_sweep_at = systimestamp - interval '5' minute")
			return func() { h.pause(2 * time.Minute) }
		}},

		"orphan": {check: "lanes", level: dialects.Warn, text: "sessions died in lane 1", do: func(h *harness) func() {
			id := h.exec(h.sleep(1, 5*time.Second))[0]
			h.untilRunning(1, h.soon)
			h.killWorker(id)
			return nil
		}, after: time.Minute},
		"lock taken": {check: "lanes", level: dialects.Warn, text: "of unused lanes: 2", do: func(h *harness) func() {
			s := h.session()
			s.exec("declare n number; begin select lock_base + 2 into n from ds_settings; n := dbms_lock.request(n); end;")
			return func() {
				s.exec("declare n number; begin select lock_base + 2 into n from ds_settings; n := dbms_lock.release(n); end;")
			}
		}},
		"alarm": {check: "alarms", level: dialects.Warn, text: "1 ProcessFailed", do: func(h *harness) func() {
			p := h.process(dialects.NewProcess{Name: "fails", OnError: "Halt"})
			h.exec(dialects.NewTask{SQL: h.say.fails(0), Order: 1, ProcessID: p}, dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
			h.until(h.soon, "it has failed", func() bool { return len(h.alarmsOf("ProcessFailed")) == 1 })
			return func() { require.NoError(h, h.sched.AcknowledgeAlarms(h.Context(), 0)) }
		}},

		"tables half made": {check: "installation", level: dialects.Fail, text: "interrupted", how: []string{"update ds_schema_version set dirty = 1"}},
		"other version": {check: "installation", level: dialects.Warn, text: "this program's is sql-", do: func(h *harness) func() {
			require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
			s := h.session()
			s.exec("update ds_settings set version = 'sql-0'")
			s.exec("create or replace view ds_round_info as select 1 as nothing from dual") // another version's may look different
			return nil
		}},
		"not installed": {check: "installation", level: dialects.Fail, text: "not installed", do: func(h *harness) func() {
			_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
			require.NoError(h, err)
			all, _ := h.levels(0)
			require.Len(h, all, 3, "there is nothing else to look at")
			return nil
		}},
		"settings lost": {check: "tables", level: dialects.Fail, text: "row 1 of DS_SETTINGS is missing", how: []string{"delete from ds_settings"}},
	}
}

// alterUnit replaces a unit with a changed text.
func (h *harness) alterUnit(kind, name, from, to string) {
	h.Helper()
	s := h.session()
	var text strings.Builder
	for _, row := range s.rows("select text from user_source where type = '" + kind + "' and name = '" + name + "' order by line") {
		text.WriteString(row[0])
	}
	require.Contains(h, text.String(), from)
	s.exec("create or replace " + strings.Replace(text.String(), from, to, 1))
}

// mend follows the remedies of checks.
func (h *harness) mend(all []dialects.Check, dba bool) {
	h.Helper()
	for _, c := range all {
		if c.Level == dialects.OK || c.Level == dialects.Info && !c.Safe {
			continue
		}
		if c.Safe {
			require.NoError(h, h.sched.Mend(h.Context(), c), "%v", c)
			continue
		}
		for line := range strings.Lines(c.Remedy) {
			h.follow(strings.TrimSpace(line), dba)
		}
	}
}

// follow runs one remedy.
func (h *harness) follow(remedy string, dba bool) {
	h.Helper()
	var n int
	switch {
	case remedy == "dbsched install":
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2, DrainTimeout: time.Minute})
		require.NoError(h, err)
	case remedy == "dbsched alarms, then dbsched alarms --ack": // of the probe
		require.NoError(h, h.sched.AcknowledgeAlarms(h.Context(), 0))
	case remedy == "dbsched start":
		require.NoError(h, h.sched.Start(h.Context()))
	case remedy == "dbsched start --here":
		require.NoError(h, h.sched.StartHere(h.Context()))
	case remedy == "dbsched stop":
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
	case strings.HasPrefix(remedy, "dbsched workers "):
		_, err := fmt.Sscanf(remedy, "dbsched workers %d", &n)
		require.NoError(h, err)
		require.NoError(h, h.sched.SetWorkers(h.Context(), n))
	case dba:
		if !strings.HasPrefix(remedy, "begin") {
			remedy = strings.TrimSuffix(remedy, ";")
		}
		h.server.administrate(remedy)
	default:
		h.session().exec(remedy)
	}
}

// TestOracleVerifyNamesDamage: for each damage verify names one check and the remedy; after that, all is sound.
func TestOracleVerifyNamesDamage(t *testing.T) {
	for name, d := range sorted(oracleDamages()) {
		t.Run(name, func(t *testing.T) {
			onOracle(t, setup{lanes: 2}, func(h *harness) {
				if d.alone && h.server.box == nil {
					h.Skip("it would stop everybody's jobs")
				}
				h.mayFail = true
				h.seesParameters()
				for _, text := range d.how {
					text = strings.ReplaceAll(text, "%s", h.schema)
					if d.dba {
						h.server.administrate(text)
					} else {
						h.session().exec(text)
					}
				}
				var mend func()
				if d.do != nil {
					mend = d.do(h)
				}
				if d.check == "queue" {
					h.pause(2 * time.Minute) // until all consequences show
				}
				all, bad := h.levels(time.Minute)
				require.Equal(h, map[string]dialects.Level{d.check: d.level}, bad, "%v", all)
				var texts, diffs string
				for _, c := range all {
					if c.Name == d.check && c.Level == d.level {
						texts += c.Text + "\n"
						diffs += c.Diff
						require.Equal(h, d.safe, c.Safe, c.Text)
						require.NotEmpty(h, c.Means, c.Text)
						require.NotEmpty(h, c.Remedy, c.Text)
					}
				}
				require.Contains(h, texts, d.text)
				require.Contains(h, diffs, d.diff)

				for try := 0; ; try++ {
					if mend != nil {
						mend()
					} else {
						h.mend(all, d.dba)
					}
					h.pause(d.after)
					if all, bad = h.levels(0); len(bad) == 0 || try == 3 {
						break
					}
				}
				require.NoError(h, h.sched.Start(h.Context()))
				h.requireSound()
			})
		})
	}
}

// TestOracleVerifyProbe: a probe that cannot run does not start a stopped scheduler, distinguishes lanes that others keep busy from those
// that dispatch no tasks, and leaves nothing.
func TestOracleVerifyProbe(t *testing.T) {
	onOracle(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		all, bad := h.levels(time.Minute)
		require.Empty(h, bad)
		require.Equal(h, "stopped; 0 of 2 workers, policy RoundRobin", h.check(all, "scheduler").Text)
		require.Equal(h, "not run: the scheduler is stopped", h.check(all, "probe").Text)
		require.False(h, h.status().Started)

		require.NoError(h, h.sched.Start(h.Context()))
		h.exec(h.sleep(1, 3*time.Minute), h.sleep(1, 3*time.Minute))
		h.untilRunning(2, h.restart)
		before := h.probeRows()
		all, bad = h.levels(20 * time.Second)
		require.Equal(h, map[string]dialects.Level{"probe": dialects.Warn}, bad, "%v", all)
		require.Contains(h, h.check(all, "probe").Text, "was Pending after 20s; lanes: 2 Busy")
		require.Equal(h, before, h.probeRows())
		h.drain(4 * time.Minute)

		h.exec(h.sleep(1, 12*time.Second), h.sleep(1, 12*time.Second))
		h.untilRunning(2, h.restart)
		all, bad = h.levels(time.Minute)
		require.Equal(h, map[string]dialects.Level{"probe": dialects.Warn}, bad, "it waited: %v", all)
		require.Regexp(h, `ended \d{4,5} ms after`, h.check(all, "probe").Text)
		h.drain(time.Minute)

		h.mayFail = true
		holder := h.session()
		holder.begin()
		holder.exec("select s.settings_id from ds_settings s for update")
		all, bad = h.levels(20 * time.Second)
		require.Equal(h, map[string]dialects.Level{"probe": dialects.Fail}, bad, "%v", all)
		require.Contains(h, h.check(all, "probe").Text, "the probe task was ")

		ctx, cancel := context.WithCancel(h.Context())
		done := make(chan error, 1)
		go func() {
			_, err := h.sched.Verify(ctx, dialects.VerifyOptions{ProbeTimeout: time.Hour})
			done <- err
		}()
		h.until(time.Minute, "it is enqueued", func() bool { return h.session().value("select count(*) from ds_tasks") == "5" })
		cancel()
		require.ErrorIs(h, <-done, context.Canceled)
		holder.rollback()
		h.pause(2 * time.Minute)
		require.Len(h, h.tasks(), 4, "those of before")
		require.Len(h, h.logs(), 4)
	})
}

// TestOracleVerifyRightsToInstall: rights needed only for installing may be revoked, as the documentation says.
func TestOracleVerifyRightsToInstall(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		for _, g := range templates.OracleGrants() {
			if g.InstallOnly {
				h.server.administrate(strings.NewReplacer("grant ", "revoke ", " to ", " from ").Replace(g.Statement(h.schema)))
			}
		}
		all := h.requireSound()
		require.Equal(h, dialects.Info, h.check(all, "grants").Level)
		require.Contains(h, h.check(all, "grants").Remedy, "grant execute on sys.dbms_aqadm to "+h.schema+";")
	})
}

// TestOracleVerifyLostTable: a missing table is named, and its consequences are no separate findings. The sandbox has no recycle bin.
func TestOracleVerifyLostTable(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		h.session().exec("drop table ds_administrators")
		all, bad := h.levels(time.Minute)
		require.Equal(h, map[string]dialects.Level{"tables": dialects.Fail}, bad, "%v", all)
		require.Contains(h, fmt.Sprint(all), "table DS_ADMINISTRATORS is missing")
		require.Contains(h, fmt.Sprint(all), "flashback table ds_administrators to before drop")
		require.Equal(h, "not run: what failed above keeps every task from running", h.check(all, "probe").Text)
	})
}

// TestOracleVerifyQueue: wake-ups that nobody has read are counted.
func TestOracleVerifyQueue(t *testing.T) {
	onOracle(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		waiting := func() (n int) {
			all, bad := h.levels(0)
			require.Empty(h, bad)
			_, err := fmt.Sscanf(h.check(all, "queue messages").Text, "%d wake-ups in the queues", &n)
			require.NoError(h, err)
			return n
		}
		before := waiting() // left by the installation
		for range 3 {
			h.exec(h.task(1, h.say.nothing))
		}
		require.Equal(h, before+3, waiting())
		require.NoError(h, h.sched.Start(h.Context()))
		h.drain(time.Minute)
		h.pause(time.Minute)
		require.Zero(h, waiting())
	})
}
