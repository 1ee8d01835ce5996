package oracle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCrash: what was committed but lost in a crash, under ten seeds.
func TestCrash(t *testing.T) {
	const never, sometimes = false, true
	for _, c := range []struct {
		name, block string
		wait        time.Duration // until the crash
		then        string        // another session's statement before it
		lost        bool
	}{
		{"plain", "commit; dbms_session.sleep(60);", 0, "", sometimes},
		{"wait", "commit write immediate wait; dbms_session.sleep(60);", 0, "", never},
		{"dynamic", "execute immediate 'commit'; dbms_session.sleep(60);", 0, "", sometimes},
		{"the call's end", "commit;", 0, "", never},
		{"the log writer's turn", "commit; dbms_session.sleep(60);", 4 * time.Second, "", never},
		{"another's commit", "commit; dbms_session.sleep(60);", 0, "insert into other values (1)", never},
		{"another's definition", "commit; dbms_session.sleep(60);", 0, "create table made (n number)", never},
		{"not committed", "dbms_session.sleep(60);", 0, "", sometimes},
	} {
		t.Run(c.name, func(t *testing.T) {
			lost := 0
			for seed := range uint64(10) {
				srv := newServer(t, seed)
				a, b := srv.client(t, "APP"), srv.client(t, "APP")
				a.exec("create table t (n number)")
				a.exec("create table other (n number)")
				a.begin("begin insert into t values (1); " + c.block + " end;")
				srv.k.Advance(10*time.Millisecond + c.wait)
				if c.then != "" {
					b.exec(c.then)
					b.exec("commit")
				}
				srv.CrashAtCommit(1)
				b.begin("begin insert into other values (2); commit; dbms_session.sleep(60); end;")
				srv.k.Advance(time.Second)
				require.Equal(t, 1, srv.Crashes())
				require.True(t, a.s.Ended() && b.s.Ended())
				rows := srv.client(t, "APP").exec("select n from t")
				if len(rows) == 0 {
					lost++
				}
				require.Equal(t, len(rows) == 0 && c.name != "not committed", len(srv.Lost()) > 0 && srv.Lost()[len(srv.Lost())-1] == "APP.T")
			}
			if c.lost {
				require.NotZero(t, lost)
			} else {
				require.Zero(t, lost)
			}
		})
	}
}

// TestCrashAndJobs: what ran is gone, a repeating job continues, and nobody can log in meanwhile.
func TestCrashAndJobs(t *testing.T) {
	srv := newServer(t, 1)
	a := srv.client(t, "APP")
	a.exec("create table t (n number)")
	a.exec("begin dbms_scheduler.create_job('J', 'PLSQL_BLOCK', 'begin insert into t values (1); commit; dbms_session.sleep(1000); end;', repeat_interval => 'FREQ=MINUTELY', enabled => true); end;")
	srv.CrashAtCommit(1)
	srv.k.Advance(10 * time.Second)
	require.Equal(t, 1, srv.Crashes())
	require.True(t, a.s.Ended())
	b := srv.client(t, "APP")
	require.Equal(t, []string{`"STOPPED"`}, b.exec("select status from user_scheduler_job_run_details"))
	srv.k.Advance(2 * time.Minute)
	require.Equal(t, []string{"1"}, b.exec("select count(*) from user_scheduler_running_jobs"))
}
