package certify

import (
	"context"
	"errors"
	"time"
)

// oracleEnds are the probes of jobs that are ending, and start again.
func oracleEnds() []Probe {
	return []Probe{
		{
			Name: "run-ending-job", Capability: "recovery",
			Assumed:   "`RUN_JOB` of an ending job is ORA-27478",
			Otherwise: "Ordered again within a minute",
			Answers: []Answer{
				{Seen: "ORA-27478", Verdict: Works},
				{Seen: "no error, and a run", Verdict: Handled, Means: "The order waits for the end of the last run."},
				{Seen: "no error, and no run", Verdict: Handled},
			},
			ask: oracleRunEndingJob,
		},
		{
			Name: "repeats-after-success", Capability: "recovery",
			Assumed:   "The dispatcher's job starts again within a minute after a run that succeeded",
			Otherwise: "What is enqueued meanwhile waits for it",
			Answers:   []Answer{{Seen: "at the next time", Verdict: Works}, {Seen: "late", Verdict: Handled}, {Seen: "not within a minute", Verdict: Handled}},
			ask:       oracleRepeats,
		},
	}
}

// oracleRunEndingJob orders three short runs. From the begin of each it orders the next one, again and again, until the job takes the order: whoever orders
// between the end of a run and the job's being free must be refused, or get a run.
func oracleRunEndingJob(ctx context.Context, b *bed) (string, error) {
	s, err := b.oracleSession(ctx, "create table certify_endings (n number)",
		"create table certify_orders (lost number, refused number)",
		oracleJob("ENDING", "begin insert into certify_endings (n) values (1); commit; dbms_session.sleep(0.3); end;", false),
		oracleRun("ENDING"))
	if err != nil { // such jobs do not start at all
		return "", err
	}
	if err := until(ctx, time.Minute, func() (bool, error) {
		n, err := s.value(ctx, "select count(*) from certify_endings")
		return n == "1", err
	}); err != nil {
		return "", err
	}
	seen, err := oracleAnswer(s.exec(ctx, `declare
    l_refused pls_integer := 0;
    l_runs pls_integer := 0;
    l_until timestamp with time zone := systimestamp + interval '60' second;
    l_lost pls_integer := 0;
    e_running exception; pragma exception_init(e_running, -27478);
begin
    for i in 1 .. 3 loop
        loop
            begin
                dbms_scheduler.run_job('CERTIFY_ENDING', use_current_session => false);
                exit;
            exception
                when e_running then
                    l_refused := l_refused + 1;
            end;
            if systimestamp > l_until then
                raise_application_error(-20999, 'late');
            end if;
            dbms_session.sleep(0.01);
        end loop;
        for j in 1 .. 1000 loop
            select count(*) into l_runs from certify_endings;
            exit when l_runs > i;
            dbms_session.sleep(0.02);
        end loop;
        if l_runs <= i then
            l_lost := 1;
            exit;
        end if;
    end loop;
    insert into certify_orders (lost, refused) values (l_lost, l_refused);
    commit;
end;`))
	switch {
	case err != nil:
		return "", err
	case seen == "ORA-20999":
		return "", errLate
	case seen != "no error":
		return seen, nil
	}
	return s.value(ctx, "select case when o.lost > 0 then 'no error, and no run' when o.refused = 0 then 'no error, and a run' else 'ORA-27478' end from certify_orders o")
}

// oracleRepeats watches a job whose first run lasts longer than its interval: then it starts again at the next time, like the dispatcher's job, whose
// interval is a minute.
func oracleRepeats(ctx context.Context, b *bed) (string, error) {
	s, err := b.oracleSession(ctx, "create table certify_repeats_seen (began_at timestamp with time zone, ended_at timestamp with time zone)",
		"begin dbms_scheduler.create_job(job_name => 'CERTIFY_REPEATS', job_type => 'PLSQL_BLOCK', job_action => "+oracleLiteral(`declare
    l_began timestamp with time zone := systimestamp;
begin
    dbms_session.sleep(5);
    insert into certify_repeats_seen (began_at, ended_at) values (l_began, systimestamp);
    commit;
end;`)+", repeat_interval => 'FREQ=SECONDLY;INTERVAL=3', enabled => true, auto_drop => false); end;")
	if err != nil {
		return "", err
	}
	wait := until(ctx, 80*time.Second, func() (bool, error) {
		n, err := s.value(ctx, "select count(*) from certify_repeats_seen")
		return n == "2", err
	})
	if err := s.exec(ctx, "begin dbms_scheduler.disable('CERTIFY_REPEATS', force => true); end;"); err != nil {
		return "", err
	}
	n, err := s.value(ctx, "select count(*) from certify_repeats_seen")
	switch {
	case err != nil:
		return "", err
	case errors.Is(wait, errLate) && n == "1":
		return "not within a minute", nil
	case wait != nil:
		return "", wait
	}
	return s.value(ctx, `select case when max(r.began_at) - min(r.ended_at) <= interval '15' second then 'at the next time' else 'late' end from certify_repeats_seen r`)
}
