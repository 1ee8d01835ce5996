package certify

import (
	"context"
	"fmt"
	"strconv"
)

// oracleCommits are the probes of transactions.
func oracleCommits() []Probe {
	return []Probe{
		{
			Name: "commit-waits", Capability: "commits are safe",
			Assumed:   "Plain commits in PL/SQL do not wait for the log; `COMMIT WRITE IMMEDIATE WAIT` does",
			Otherwise: "If WAIT does not wait, visible work could be lost",
			Answers: []Answer{
				{Seen: "WAIT waits, plain commits do not", Verdict: Works},
				{Seen: "both wait", Verdict: Works, Means: "Every commit of dbsched says WAIT, so nothing changes."},
				{Seen: "WAIT does not wait", Verdict: Fails},
			},
			ask: oracleCommitWaits,
		},
		{
			Name: "calendar-keeps-transaction", Capability: "schedules", Needed: true,
			Assumed:   "`EVALUATE_CALENDAR_STRING` does not commit",
			Otherwise: "With a calendar string, a crash could lose or double a firing",
			Answers:   []Answer{{Seen: "the transaction stays open", Verdict: Works}, {Seen: "it commits", Verdict: Fails}},
			ask: func(ctx context.Context, b *bed) (string, error) {
				s, err := b.oracleSession(ctx, "create table certify_evaluated (n number)", `declare
    l_next timestamp with time zone;
begin
    insert into certify_evaluated (n) values (1);
    dbms_scheduler.evaluate_calendar_string('FREQ=DAILY', systimestamp, systimestamp, l_next);
    rollback;
end;`)
				if err != nil {
					return "", err
				}
				return s.value(ctx, "select case count(*) when 0 then 'the transaction stays open' else 'it commits' end from certify_evaluated")
			},
		},
	}
}

// oracleCommitWaits counts how often twenty transactions of one block wait for the log. Statistic "redo synch writes": Database Reference, Statistics
// Descriptions.
func oracleCommitWaits(ctx context.Context, b *bed) (string, error) {
	const (
		count   = "select m.value from v$mystat m inner join v$statname n on n.statistic# = m.statistic# where n.name = 'redo synch writes'"
		commits = 20
	)
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.oracleSees(ctx, "V$MYSTAT", "V$STATNAME"); err != nil {
		return "", err
	}
	if err := s.exec(ctx, "create table certify_commit_waits (n number)"); err != nil {
		return "", err
	}
	waits := func(commit string) (int, error) {
		before, err := s.value(ctx, count)
		if err != nil {
			return 0, err
		}
		if err := s.exec(ctx, fmt.Sprintf("begin for i in 1 .. %d loop insert into certify_commit_waits (n) values (i); %s; end loop; end;", commits, commit)); err != nil {
			return 0, err
		}
		after, err := s.value(ctx, count)
		if err != nil {
			return 0, err
		}
		from, err := strconv.Atoi(before)
		if err != nil {
			return 0, err
		}
		to, err := strconv.Atoi(after)
		return to - from, err
	}
	plain, err := waits("commit")
	if err != nil {
		return "", err
	}
	wait, err := waits("commit write immediate wait")
	return judgeCommitWaits(plain, wait, commits), err
}

// judgeCommitWaits compares how many of some commits waited. Several may share one wait, and the session's other work may wait, too.
func judgeCommitWaits(plain, wait, commits int) string {
	switch {
	case wait < commits/2 && wait <= plain+2:
		return "WAIT does not wait"
	case wait < commits/2:
		return "some"
	case plain >= commits/2:
		return "both wait"
	}
	return "WAIT waits, plain commits do not"
}
