package certify

import (
	"context"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// oracleTasks are the probes of the text of tasks.
func oracleTasks() []Probe {
	return []Probe{{
		Name: "ddl-by-parse", Capability: "tasks run", Needed: true,
		Assumed:   "`DBMS_SQL.PARSE` executes DDL",
		Otherwise: "DDL tasks do nothing",
		Answers:   []Answer{{Seen: "executed", Verdict: Works}, {Seen: "not executed", Verdict: Fails}, {Seen: "the task failed", Verdict: Fails, Means: "DDL tasks fail."}},
		ask: func(ctx context.Context, b *bed) (string, error) {
			s, err := b.session(ctx)
			if err != nil {
				return "", err
			}
			_, logs, err := b.submit(ctx, "", dialects.NewTask{SQL: "create table certify_by_a_task (n number)"})
			if err != nil {
				return "", err
			}
			for _, l := range logs {
				if l.Outcome != "Succeeded" {
					return "the task failed", nil
				}
			}
			return s.value(ctx, "select case count(*) when 1 then 'executed' else 'not executed' end from user_tables t where t.table_name = 'CERTIFY_BY_A_TASK'")
		},
	}}
}

// oracleUnits are the probes of stored PL/SQL.
func oracleUnits() []Probe {
	return []Probe{
		{
			Name: "replace-in-use", Capability: "upgrades",
			Assumed:   "Replacing or granting a package in use blocks later calls until it is cancelled",
			Otherwise: "If cancel is not noticed, they wait until ORA-04021",
			Answers: []Answer{
				{Seen: "until it is cancelled", Verdict: Works},
				{Seen: "not at all", Verdict: Works, Means: "An upgrade stalls nobody."},
				{Seen: "until the package is free", Verdict: Handled, Means: "Cancel is not noticed: an upgrade beside a call of minutes lets new calls wait until ORA-04021."},
				{Seen: "it is replaced in use", Verdict: Handled, Means: "An upgrade does not wait for calls."},
			},
			ask: oracleReplaceInUse,
		},
		{
			Name: "row-of-virtual-columns", Capability: "schedules", Needed: true,
			Assumed:   "The record of a cursor can be passed as `%ROWTYPE` of a table with virtual columns",
			Otherwise: "Schedules and rounds do not compile",
			Answers:   []Answer{{Seen: "passed", Verdict: Works}, {Seen: "it does not compile", Verdict: Fails}, {Seen: "other values", Verdict: Fails}},
			ask: func(ctx context.Context, b *bed) (string, error) {
				s, err := b.oracleSession(ctx,
					"create table certify_virtual (n number, v number generated always as (case when n > 1 then n end) virtual, t timestamp(6) with time zone,\n"+
						"    u timestamp(6) generated always as (sys_extract_utc(t)) virtual)",
					"create index certify_virtual_t on certify_virtual (t)", // has a hidden column
					"insert into certify_virtual (n, t) values (2, timestamp '2026-01-02 03:04:05.000000 +00:00')",
					"create table certify_passed (n number, v number, u timestamp(6))",
					`create or replace procedure certify_pass is
    procedure take (in_row in certify_virtual%rowtype) is
    begin
        insert into certify_passed (n, v, u) values (in_row.n, in_row.v, in_row.u);
    end take;
begin
    for r in (select c.* from certify_virtual c where c.n = 2 for update wait 5) loop
        take(r);
    end loop;
    commit;
end certify_pass;`)
				if err != nil {
					return "", err
				}
				if sound, err := s.oracleCompiled(ctx, "CERTIFY_PASS"); err != nil || !sound {
					return "it does not compile", err
				}
				if err := s.exec(ctx, "begin certify_pass; end;"); err != nil {
					return "", err
				}
				return s.value(ctx, `select case count(*) when 1 then 'passed' else 'other values' end
from certify_passed p
where p.n = 2 and p.v = 2 and p.u = timestamp '2026-01-02 03:04:05'`)
			},
		},
		{
			Name: "cast-to-seconds", Capability: "schedules",
			Assumed:   "In PL/SQL `CAST(x AS TIMESTAMP(0))` removes fractions of a second",
			Otherwise: "A task's parameter of type date may have fractions, which are lost",
			Answers: []Answer{
				{Seen: "rounded", Verdict: Works},
				{Seen: "cut", Verdict: Works, Means: "Fractions are noticed, too."},
				{Seen: "kept", Verdict: Handled},
				{Seen: "it does not compile", Verdict: Fails},
			},
			ask: func(ctx context.Context, b *bed) (string, error) {
				s, err := b.oracleSession(ctx, `create or replace function certify_cast return varchar2 is
    l_from timestamp(9) := timestamp '2026-01-02 03:04:05.6';
begin
    return case cast(l_from as timestamp(0))
        when timestamp '2026-01-02 03:04:06' then 'rounded'
        when timestamp '2026-01-02 03:04:05' then 'cut'
        else 'kept' end;
end certify_cast;`)
				if err != nil {
					return "", err
				}
				if sound, err := s.oracleCompiled(ctx, "CERTIFY_CAST"); err != nil || !sound {
					return "it does not compile", err
				}
				return s.value(ctx, "select certify_cast from dual")
			},
		},
	}
}

// oracleCompiled reports whether a unit has no errors: the driver does not say so.
func (s *session) oracleCompiled(ctx context.Context, unit string) (bool, error) {
	found, err := s.value(ctx, "select count(*) from user_errors e where e.attribute = 'ERROR' and e.name = '"+unit+"'")
	return found == "0", err
}

// oracleReplaceInUse replaces a package while a session is in it for fifteen seconds, cancels that after three, and measures how long a call waits that
// comes after one.
func oracleReplaceInUse(ctx context.Context, b *bed) (string, error) {
	const body = `create or replace package body certify_used as
    procedure stay is
    begin
        insert into certify_stays (n) values (1);
        commit;
        dbms_session.sleep(15);
    end stay;

    procedure pass is
    begin
        null;
    end pass;
end certify_used;`
	s, err := b.oracleSession(ctx, "create table certify_stays (n number)",
		"create or replace package certify_used as\n    procedure stay;\n    procedure pass;\nend certify_used;", body)
	if err != nil {
		return "", err
	}
	user, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	replacer, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	stayed, replaced := make(chan error, 1), make(chan bool, 1)
	go func() { stayed <- user.exec(ctx, "begin certify_used.stay; end;") }()
	inUse := until(ctx, 5*time.Second, func() (bool, error) {
		n, err := s.value(ctx, "select count(*) from certify_stays")
		return n == "1", err
	})
	short, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	began := time.Now()
	// Replaced by the same text, it may not be touched at all.
	other := strings.Replace(body, "null;", "null; -- another", 1)
	go func() { replaced <- replacer.exec(short, other) == nil && short.Err() == nil }()
	err = sleep(ctx, time.Second)
	if err == nil {
		err = s.exec(ctx, "begin certify_used.pass; end;")
	}
	waited := time.Since(began)
	atOnce, stay := <-replaced, <-stayed
	switch {
	case inUse != nil:
		return "", inUse
	case err != nil:
		return oracleAnswer(err)
	case stay != nil:
		return oracleAnswer(stay)
	case atOnce:
		return "it is replaced in use", nil
	case waited < 2*time.Second:
		return "not at all", nil
	case waited < 10*time.Second:
		return "until it is cancelled", nil
	}
	return "until the package is free", nil
}
