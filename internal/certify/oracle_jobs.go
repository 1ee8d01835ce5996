package certify

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// oracleJob returns the call that creates a disabled job without a schedule, as lanes are.
func oracleJob(name, action string, autoDrop bool) string {
	return fmt.Sprintf("begin dbms_scheduler.create_job(job_name => '%s', job_type => 'PLSQL_BLOCK', job_action => %s, enabled => false, auto_drop => %t); end;",
		oraclePrefix+name, oracleLiteral(action), autoDrop)
}

// oracleRun returns the call that starts one in the background.
func oracleRun(name string) string {
	return fmt.Sprintf("begin dbms_scheduler.run_job('%s', use_current_session => false); end;", oraclePrefix+name)
}

// oracleRunAgain starts a job in the background. The run before may be just ending (ORA-27478).
func (s *session) oracleRunAgain(ctx context.Context, name string) (err error) {
	late := until(ctx, time.Minute, func() (bool, error) {
		err = s.exec(ctx, oracleRun(name))
		seen, lost := oracleAnswer(err)
		return seen != "ORA-27478", lost
	})
	if late != nil {
		return late
	}
	return err
}

// oracleHasRun waits until a job does not run, and its table has a number of rows.
func (s *session) oracleHasRun(ctx context.Context, name, table string, n int) error {
	return until(ctx, time.Minute, func() (bool, error) {
		done, err := s.value(ctx, fmt.Sprintf("select (select count(*) from %s) || ' ' || (select count(*) from user_scheduler_running_jobs r where r.job_name = '%s') from dual", table, oraclePrefix+name))
		return done == strconv.Itoa(n)+" 0", err
	})
}

// oracleJobs are the probes of how jobs start.
func oracleJobs() []Probe {
	return []Probe{
		{
			Name: "run-disabled-job", Capability: "tasks run", Needed: true,
			Assumed:   "`RUN_JOB` repeatedly starts a disabled job without a schedule",
			Otherwise: "Lanes do not start",
			Answers: []Answer{
				{Seen: "3 runs", Verdict: Works},
				{Seen: "ORA-27492", Verdict: Fails, Means: "The database runs no jobs: job_queue_processes is 0, or the scheduler is switched off."},
				{Seen: "refused", Verdict: Fails},
				{Seen: "1 run", Verdict: Fails},
				{Seen: "2 runs", Verdict: Fails},
			},
			ask: oracleRunDisabledJob,
		},
		{
			Name: "auto-drop", Capability: "tasks run", Needed: true,
			Assumed:   "With `auto_drop => FALSE` such a job remains",
			Otherwise: "Lanes vanish",
			Answers: []Answer{
				{Seen: "it remains; with TRUE it is dropped", Verdict: Works},
				{Seen: "it remains; with TRUE, too", Verdict: Works, Means: "dbsched makes no job with TRUE."},
				{Seen: "it is dropped", Verdict: Fails},
			},
			ask: oracleAutoDrop,
		},
		{
			Name: "unknown-job", Capability: "recovery",
			Assumed:   "An unknown job is ORA-27475 or ORA-27476",
			Otherwise: "Either is handled; others fail",
			Answers:   []Answer{{Seen: "ORA-27475 or ORA-27476", Verdict: Works}, {Seen: "no error", Verdict: Fails}},
			ask:       oracleUnknownJob,
		},
		{
			Name: "next-run", Capability: "tasks run",
			Assumed:   "The next run of a job has another session",
			Otherwise: "Tasks find package state, as documented",
			Answers: []Answer{
				{Seen: "another session", Verdict: Works},
				{Seen: "the same session, without package state", Verdict: Works, Means: "Nothing is left behind in it."},
				{Seen: "the same session, with package state", Verdict: Handled},
			},
			ask: oracleNextRun,
		},
		{
			Name: "module-of-a-session", Capability: "recovery",
			Assumed:   "The module of a session is `dbsched` only if it has run a task",
			Otherwise: "ORA-02020 in a session's first task is tried again once",
			Answers:   []Answer{{Seen: "another one", Verdict: Works}, {Seen: "dbsched", Verdict: Handled}},
			ask:       oracleModule,
		},
	}
}

func oracleRunDisabledJob(ctx context.Context, b *bed) (string, error) {
	s, err := b.oracleSession(ctx, "create table certify_runs_seen (n number)", oracleJob("RUNS", "begin insert into certify_runs_seen (n) values (1); commit; end;", false))
	if err != nil {
		return "", err
	}
	for n := 1; n <= 3; n++ {
		seen, err := oracleAnswer(s.oracleRunAgain(ctx, "RUNS"))
		switch {
		case err != nil:
			return "", err
		case seen == "ORA-27492":
			return seen, nil
		case seen != "no error":
			return "refused", nil
		}
		switch err := s.oracleHasRun(ctx, "RUNS", "certify_runs_seen", n); {
		case errors.Is(err, errLate) && n == 1: // other jobs may use all processes
			return "", untried("no job started within a minute: check job_queue_processes and what other jobs use")
		case errors.Is(err, errLate):
			return []string{"1 run", "2 runs"}[n-2], nil
		case err != nil:
			return "", err
		}
	}
	return "3 runs", nil
}

func oracleAutoDrop(ctx context.Context, b *bed) (string, error) {
	s, err := b.oracleSession(ctx, "create table certify_drops (n number)",
		oracleJob("DROPPED", "begin insert into certify_drops (n) values (1); commit; end;", true),
		oracleJob("KEPT", "begin insert into certify_drops (n) values (1); commit; end;", false),
		oracleRun("DROPPED"), oracleRun("KEPT"))
	if err != nil {
		return "", err
	}
	for _, name := range []string{"DROPPED", "KEPT"} {
		if err := s.oracleHasRun(ctx, name, "certify_drops", 2); err != nil {
			return "", err
		}
	}
	if err := sleep(ctx, 3*time.Second); err != nil { // it may be dropped a little later
		return "", err
	}
	jobs, err := s.values(ctx, "select j.job_name from user_scheduler_jobs j where j.job_name in ('CERTIFY_DROPPED', 'CERTIFY_KEPT') order by j.job_name")
	switch fmt.Sprint(jobs) {
	case "[CERTIFY_KEPT]":
		return "it remains; with TRUE it is dropped", err
	case "[CERTIFY_DROPPED CERTIFY_KEPT]":
		return "it remains; with TRUE, too", err
	}
	return "it is dropped", err
}

func oracleUnknownJob(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	for _, call := range []string{
		"drop_job('CERTIFY_NOBODY')",
		"drop_job('CERTIFY_NOBODY', force => true)",
		"run_job('CERTIFY_NOBODY', use_current_session => false)",
		"stop_job('CERTIFY_NOBODY')",
		"enable('CERTIFY_NOBODY')",
		"disable('CERTIFY_NOBODY', force => true)",
		"set_attribute('CERTIFY_NOBODY', 'job_action', 'begin null; end;')",
	} {
		seen, err := oracleAnswer(s.exec(ctx, "begin dbms_scheduler."+call+"; end;"))
		if err != nil || seen != "ORA-27475" && seen != "ORA-27476" {
			return seen, err
		}
	}
	return "ORA-27475 or ORA-27476", nil
}

func oracleNextRun(ctx context.Context, b *bed) (string, error) {
	s, err := b.oracleSession(ctx, "create table certify_next_runs (state number, session_key varchar2(24))",
		"create or replace package certify_state as n number := 0; end certify_state;",
		oracleJob("NEXT", `declare
    l_key varchar2(24) := dbms_session.unique_session_id;
    l_state number;
begin
    certify_state.n := certify_state.n + 1;
    l_state := certify_state.n;
    insert into certify_next_runs (state, session_key) values (l_state, l_key);
    commit;
end;`, false))
	if err != nil {
		return "", err
	}
	for n := 1; n <= 2; n++ {
		if err := s.oracleRunAgain(ctx, "NEXT"); err != nil {
			return "", err
		}
		if err := s.oracleHasRun(ctx, "NEXT", "certify_next_runs", n); err != nil {
			return "", err
		}
	}
	return s.value(ctx, `select case when count(distinct n.session_key) = 2 then 'another session'
    when max(n.state) = 1 then 'the same session, without package state' else 'the same session, with package state' end
from certify_next_runs n`)
}

func oracleModule(ctx context.Context, b *bed) (string, error) {
	s, err := b.oracleSession(ctx, "create table certify_modules (name varchar2(64))",
		oracleJob("MODULE", `declare
    l_module varchar2(64);
    l_action varchar2(64);
begin
    dbms_application_info.read_module(l_module, l_action);
    insert into certify_modules (name) values (l_module);
    commit;
end;`, false), oracleRun("MODULE"))
	if err != nil {
		return "", err
	}
	if err := s.oracleHasRun(ctx, "MODULE", "certify_modules", 1); err != nil {
		return "", err
	}
	return s.value(ctx, "select case m.name when 'dbsched' then 'dbsched' else 'another one' end from certify_modules m")
}
