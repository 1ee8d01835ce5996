package certify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// oracleInvasive are the probes that touch more than the schema. They first check their rights, so that they can remove what they make.
func oracleInvasive() []Probe {
	return []Probe{
		{
			Name: "killed-session", Capability: "kills",
			Assumed:   "A killed session loses its lock at once, and `IS_SESSION_ALIVE` reports it dead",
			Otherwise: "Orphans are found later",
			Answers: []Answer{
				{Seen: "within 10 seconds", Verdict: Works},
				{Seen: "within a minute", Verdict: Handled},
				{Seen: "not within a minute", Verdict: Fails, Means: "A killed worker is not noticed."},
			},
			Invasive: "the session of one of its own jobs, which it kills (needs ALTER SYSTEM)",
			ask:      oracleKill,
		},
		{
			Name: "namesake", Capability: "tasks run as their user", Needed: true,
			Assumed:   "A user that is dropped and created again has another `USER_ID`",
			Otherwise: "It owns what the first one left",
			Answers:   []Answer{{Seen: "another USER_ID", Verdict: Works}, {Seen: "the same USER_ID", Verdict: Fails}},
			Invasive:  "a user " + oracleUsers + "... without rights, which it makes and drops (needs CREATE USER and DROP USER)",
			ask:       oracleNamesake,
		},
		{
			Name: "call-of-the-owner", Capability: "tasks run as their user",
			Assumed:   "A unit with `AUTHID CURRENT_USER` may call units of its owner that its caller may not execute",
			Otherwise: "Transactional tasks of a runner fail",
			Answers: []Answer{
				{Seen: "allowed", Verdict: Works},
				{Seen: "ORA-06550", Verdict: Fails},
				{Seen: "ORA-06598", Verdict: Fails, Means: "Users here do not let others use their rights. The runner must: grant inherit privileges on user RUNNER to OWNER"},
			},
			Invasive: "a user " + oracleUsers + "... and a job of it, which it makes and drops (needs CREATE USER, DROP USER, GRANT ANY PRIVILEGE and CREATE ANY JOB)",
			ask:      oracleCallOfTheOwner,
		},
	}
}

// oracleUser returns the statement that makes a user with whose password nobody can log in: nobody knows it.
func oracleUser(name string) string {
	return fmt.Sprintf(`create user %s identified by "a1#%s"`, name, rand.Text()[:20])
}

// oracleUserName returns the name of a user that a probe makes, which oracleMadeUsers knows.
func (s *session) oracleUserName(ctx context.Context, name string) (string, error) {
	return s.value(ctx, "select '"+oracleUsers+"' || m.object_id || '_"+name+"' from user_objects m where m.object_name = 'CERTIFY_MARK' and m.object_type = 'TABLE'")
}

func oracleNamesake(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.oracleNeed(ctx, "CREATE USER", "DROP USER"); err != nil {
		return "", err
	}
	name, err := s.oracleUserName(ctx, "NAMESAKE")
	if err != nil {
		return "", err
	}
	id := "select u.user_id from all_users u where u.username = '" + name + "'"
	var ids [2]string
	for i := range ids {
		if err := s.exec(ctx, oracleUser(name)+" account lock"); err != nil {
			return "", err
		}
		if ids[i], err = s.value(ctx, id); err != nil {
			return "", err
		}
		if err := s.exec(ctx, "drop user "+name); err != nil {
			return "", err
		}
	}
	if ids[0] == ids[1] {
		return "the same USER_ID", nil
	}
	return "another USER_ID", nil
}

// oracleCallOfTheOwner lets another user's job call a unit as a runner's lanes call DS_RUN.
func oracleCallOfTheOwner(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.oracleNeed(ctx, "CREATE USER", "DROP USER", "GRANT ANY PRIVILEGE", "CREATE ANY JOB"); err != nil {
		return "", err
	}
	name, err := s.oracleUserName(ctx, "INVOKER")
	if err != nil {
		return "", err
	}
	owner, err := s.value(ctx, "select user from dual")
	if err != nil {
		return "", err
	}
	job := "'" + name + ".CERTIFY_CALLS'"
	action := fmt.Sprintf(`begin
    execute immediate 'begin %[1]s.certify_invoked; end;';
exception
    when others then
        %[1]s.certify_told(sqlcode);
end;`, owner)
	err = s.exec(ctx, "create table certify_calls_seen (code number)",
		"create or replace procedure certify_told (in_code in number) is begin insert into certify_calls_seen (code) values (in_code); commit; end;",
		"create or replace procedure certify_inner is begin insert into certify_calls_seen (code) values (0); commit; end;",
		"create or replace procedure certify_invoked authid current_user is begin certify_inner; end;",
		oracleUser(name), "grant create session to "+name, "grant execute on certify_told to "+name, "grant execute on certify_invoked to "+name,
		"begin dbms_scheduler.create_job(job_name => "+job+", job_type => 'PLSQL_BLOCK', job_action => "+oracleLiteral(action)+", enabled => false, auto_drop => false); end;",
		"begin dbms_scheduler.run_job("+job+", use_current_session => false); end;")
	if err != nil {
		return "", err
	}
	told := until(ctx, time.Minute, func() (bool, error) {
		n, err := s.value(ctx, "select count(*) from certify_calls_seen")
		return n == "1", err
	})
	if told != nil {
		return "", told
	}
	code, err := s.value(ctx, "select to_char(abs(c.code), 'FM00000') from certify_calls_seen c")
	if err != nil {
		return "", err
	}
	// The job's session may last a moment longer: a user is not dropped who is connected (ORA-01940).
	if err := until(ctx, 20*time.Second, func() (bool, error) {
		err := s.exec(ctx, "begin dbms_scheduler.drop_job("+job+", force => true); end;")
		seen, err := oracleAnswer(err)
		return seen != "ORA-27478", err
	}); err != nil {
		return "", err
	}
	if err := until(ctx, 20*time.Second, func() (bool, error) {
		seen, err := oracleAnswer(s.exec(ctx, "drop user "+name+" cascade"))
		return seen != "ORA-01940", err
	}); err != nil {
		return "", err
	}
	if code == "00000" {
		return "allowed", nil
	}
	return "ORA-" + code, nil
}

// oracleKill kills the session of a job that holds a lock and sleeps.
func oracleKill(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	if err := s.oracleNeed(ctx, "ALTER SYSTEM"); err != nil {
		return "", err
	}
	if err := s.oracleSees(ctx, "V$SESSION"); err != nil {
		return "", err
	}
	// The number of a lock is the database's: one of the highest, by the number of a table.
	err = s.exec(ctx, "create table certify_kills (lock_id number, sid number, instance number, session_key varchar2(24))", oracleJob("KILLED", `declare
    l_id integer;
    l_key varchar2(24) := dbms_session.unique_session_id;
begin
    dbms_application_info.set_action('CERTIFY_KILLED');
    select 1073000000 + mod(o.object_id, 741823) into l_id from user_objects o where o.object_name = 'CERTIFY_KILLS' and o.object_type = 'TABLE';
    if dbms_lock.request(id => l_id, lockmode => dbms_lock.x_mode, timeout => 0, release_on_commit => false) = 0 then
        insert into certify_kills (lock_id, sid, instance, session_key)
        values (l_id, sys_context('USERENV', 'SID'), sys_context('USERENV', 'INSTANCE'), l_key);
        commit;
        dbms_session.sleep(120);
    end if;
end;`, false))
	if err != nil {
		return "", err
	}
	// In a cluster the job must run on the instance that is asked for its session.
	cluster, err := oracleCluster(ctx, b.db)
	if err != nil {
		return "", err
	}
	if cluster == "yes" {
		if err := s.exec(ctx, "begin dbms_scheduler.set_attribute('CERTIFY_KILLED', 'instance_id', to_number(sys_context('USERENV', 'INSTANCE'))); end;"); err != nil {
			return "", err
		}
	}
	if err := s.exec(ctx, oracleRun("KILLED")); err != nil {
		return "", err
	}
	var victim []string
	if err := until(ctx, 30*time.Second, func() (bool, error) {
		found, err := rows(ctx, s.conn, "select k.lock_id, k.sid, k.session_key, k.instance from certify_kills k")
		if len(found) == 1 {
			victim = found[0]
		}
		return len(found) == 1, err
	}); err != nil {
		return "", err
	}
	id, err := s.values(ctx, "select v.sid || ',' || v.serial# from v$session v where v.username = user and v.action = 'CERTIFY_KILLED' and v.sid = "+victim[1]+
		" and sys_context('USERENV', 'INSTANCE') = "+victim[3])
	if err != nil {
		return "", err
	}
	if len(id) != 1 {
		return "", untried("the job runs on another instance")
	}
	// ORA-00031: marked to be killed.
	if seen, err := oracleAnswer(s.exec(ctx, "alter system kill session '"+id[0]+"' immediate")); err != nil || seen != "no error" && seen != "ORA-00031" {
		return seen, err
	}
	killed := time.Now()
	const held = "ORA-20999"
	gone := fmt.Sprintf(`declare
    l_code integer;
begin
    if dbms_session.is_session_alive('%s') then
        raise_application_error(-20999, 'alive');
    end if;
    l_code := dbms_lock.request(id => %[2]s, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);
    if l_code = 0 then
        l_code := dbms_lock.release(%[2]s);
    else
        raise_application_error(-20999, 'held');
    end if;
end;`, victim[2], victim[0])
	switch err := until(ctx, time.Minute, func() (bool, error) {
		err := s.exec(ctx, gone)
		if seen, _ := oracleAnswer(err); seen == held {
			return false, nil
		}
		return true, err
	}); {
	case errors.Is(err, errLate):
		return "not within a minute", nil
	case err != nil:
		return "", err
	case time.Since(killed) > 10*time.Second:
		return "within a minute", nil
	}
	return "within 10 seconds", nil
}
