package certify

import (
	"context"
	"time"
)

// oracleStops are the probes of how running jobs are stopped.
func oracleStops() []Probe {
	return []Probe{
		{
			Name: "stop-of-an-idle-job", Capability: "timeouts and cancel",
			Assumed:   "`STOP_JOB` of a job that does not run is ORA-27366",
			Otherwise: "ORA-27475 or no error: handled, as the end of a task is read from its lock",
			Answers:   []Answer{{Seen: "ORA-27366", Verdict: Works}, {Seen: "ORA-27475", Verdict: Handled}, {Seen: "no error", Verdict: Handled}},
			ask: func(ctx context.Context, b *bed) (string, error) {
				s, err := b.oracleSession(ctx, oracleJob("IDLE", "begin null; end;", false))
				if err != nil {
					return "", err
				}
				return oracleAnswer(s.exec(ctx, "begin dbms_scheduler.stop_job('CERTIFY_IDLE'); end;"))
			},
		},
		{
			Name: "stop-job", Capability: "timeouts and cancel",
			Assumed:   "`STOP_JOB` bypasses an action that handles every error; the run is STOPPED",
			Otherwise: "Also handled: SUCCEEDED, or ORA-27365",
			Answers: []Answer{
				{Seen: "bypassed, STOPPED", Verdict: Works},
				{Seen: "bypassed, FAILED", Verdict: Works, Means: "dbsched does not read the outcome of the run."},
				{Seen: "handled, SUCCEEDED", Verdict: Handled, Means: "A task that handles every error gets the interrupt, and ends when it likes, or by force."},
				{Seen: "handled, FAILED", Verdict: Handled, Means: "A task that handles every error gets the interrupt, and ends when it likes, or by force."},
				{Seen: "handled, STOPPED", Verdict: Handled, Means: "A task that handles every error gets the interrupt, and ends when it likes, or by force."},
				{Seen: "ORA-27366", Verdict: Handled, Means: "It has ended meanwhile."},
				{Seen: "ORA-27365", Verdict: Handled, Means: "A task that does not end in time is ended by force, which needs MANAGE SCHEDULER."},
			},
			ask: oracleStopJob,
		},
	}
}

func oracleStopJob(ctx context.Context, b *bed) (string, error) {
	const run = `from user_scheduler_job_run_details d
where d.job_name = 'CERTIFY_STUBBORN' and d.log_id not in (select n.earlier from certify_stops n where n.earlier is not null)`
	// The log of jobs outlasts them: what earlier runs have left in it is not asked for.
	s, err := b.oracleSession(ctx, "create table certify_stops (what varchar2(7), earlier number)",
		"insert into certify_stops (earlier) select d.log_id from user_scheduler_job_run_details d where d.job_name = 'CERTIFY_STUBBORN'", "commit",
		oracleJob("STUBBORN", `begin
    insert into certify_stops (what) values ('begins');
    commit;
    dbms_session.sleep(30);
exception
    when others then
        insert into certify_stops (what) values ('handled');
        commit;
end;`, false))
	if err != nil {
		return "", err
	}
	// The class of jobs may log no runs. If this is refused, its level counts, which usually has them.
	if _, err := oracleAnswer(s.exec(ctx, "begin dbms_scheduler.set_attribute('CERTIFY_STUBBORN', 'logging_level', dbms_scheduler.logging_runs); end;")); err != nil {
		return "", err
	}
	if err := s.exec(ctx, oracleRun("STUBBORN")); err != nil {
		return "", err
	}
	if err := until(ctx, time.Minute, func() (bool, error) {
		n, err := s.value(ctx, "select count(n.what) from certify_stops n")
		return n == "1", err
	}); err != nil {
		return "", err
	}
	if seen, err := oracleAnswer(s.exec(ctx, "begin dbms_scheduler.stop_job('CERTIFY_STUBBORN'); end;")); err != nil || seen != "no error" {
		return seen, err
	}
	if err := until(ctx, time.Minute, func() (bool, error) {
		ended, err := s.value(ctx, "select count(*) "+run)
		return ended != "0", err
	}); err != nil {
		return "", err
	}
	return s.value(ctx, "select (select case max(n.what) when 'handled' then 'handled' else 'bypassed' end from certify_stops n) || ', ' || (select max(d.status) "+run+") from dual")
}
