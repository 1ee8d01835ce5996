package certify

import (
	"context"
	"time"
)

// oracleStops are the probes of how running jobs are stopped.
func oracleStops() []Probe {
	return []Probe{
		{
			Name: "stop-of-an-idle-job", Capability: "timeouts and cancel", Needed: true,
			Assumed:   "`STOP_JOB` of a job that does not run is ORA-27366",
			Otherwise: "Ended tasks look like failures",
			Answers:   []Answer{{Seen: "ORA-27366", Verdict: Works}, {Seen: "no error", Verdict: Handled, Means: "The end of a task is read from its lock, not from `STOP_JOB`."}},
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
				{Seen: "handled, STOPPED", Verdict: Handled, Means: "A task that handles every error gets the interrupt, and ends when it likes, or by force."},
				{Seen: "ORA-27366", Verdict: Handled, Means: "It has ended meanwhile."},
				{Seen: "ORA-27365", Verdict: Handled, Means: "A task that does not end in time is ended by force, which needs MANAGE SCHEDULER."},
			},
			ask: oracleStopJob,
		},
	}
}

func oracleStopJob(ctx context.Context, b *bed) (string, error) {
	// The log of jobs outlasts them: what earlier runs have left in it is not asked for.
	s, err := b.oracleSession(ctx, "create table certify_stops (what varchar2(7), after number default 0)",
		"insert into certify_stops (what, after) select null, nvl(max(d.log_id), 0) from user_scheduler_job_run_details d", "commit",
		oracleJob("STUBBORN", `begin
    insert into certify_stops (what) values ('begins');
    commit;
    dbms_session.sleep(30);
exception
    when others then
        insert into certify_stops (what) values ('handled');
        commit;
end;`, false), oracleRun("STUBBORN"))
	if err != nil {
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
		ended, err := s.value(ctx, "select count(*) from user_scheduler_job_run_details d where d.job_name = 'CERTIFY_STUBBORN' and d.log_id > (select max(n.after) from certify_stops n)")
		return ended == "1", err
	}); err != nil {
		return "", err
	}
	return s.value(ctx, `select (select case max(n.what) when 'handled' then 'handled' else 'bypassed' end from certify_stops n) || ', ' || max(d.status)
from user_scheduler_job_run_details d
where d.job_name = 'CERTIFY_STUBBORN' and d.log_id > (select max(n.after) from certify_stops n)`)
}
