package certify

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// oracleJob returns the call that creates a disabled job without a schedule, as lanes are.
func oracleJob(name, action string, autoDrop bool) string {
	return fmt.Sprintf("begin dbms_scheduler.create_job(job_name => '%s', job_type => 'PLSQL_BLOCK', job_action => '%s', enabled => false, auto_drop => %t); end;",
		oraclePrefix+name, strings.ReplaceAll(action, "'", "''"), autoDrop)
}

// oracleJobs are the probes of DBMS_SCHEDULER.
func oracleJobs() []Probe {
	return []Probe{
		{
			Name: "run-disabled-job", Capability: "tasks run", Needed: true,
			Assumed:   "`RUN_JOB` repeatedly starts a disabled job without a schedule",
			Otherwise: "Lanes do not start",
			Answers:   []Answer{{Seen: "3 runs", Verdict: Works}, {Seen: "refused", Verdict: Fails}},
			ask: func(ctx context.Context, b *bed) (string, error) {
				s, err := b.session(ctx)
				if err != nil {
					return "", err
				}
				if err := s.exec(ctx, "create table certify_notes (n number)", oracleJob("RUNS", "begin insert into certify_notes (n) values (1); commit; end;", false)); err != nil {
					return "", err
				}
				for n := 1; n <= 3; n++ {
					if err := s.exec(ctx, "begin dbms_scheduler.run_job('CERTIFY_RUNS', use_current_session => false); end;"); err != nil {
						return "refused", nil //nolint:nilerr // that is the answer
					}
					if err := until(ctx, time.Minute, func() (bool, error) {
						done, err := s.value(ctx, "select count(*) || ' ' || (select count(*) from user_scheduler_running_jobs where job_name = 'CERTIFY_RUNS') from certify_notes")
						return done == strconv.Itoa(n)+" 0", err
					}); err != nil {
						return "", err
					}
				}
				return "3 runs", nil
			},
		},
	}
}

// oracleElsewhere are the assumptions that one connection cannot try.
func oracleElsewhere() []Probe { return []Probe{} }
