package certify

import (
	"database/sql"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	go_ora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// oracleAdmin runs statements as an administrator.
func oracleAdmin(t *testing.T, box *sandbox.Server, statements ...string) {
	t.Helper()
	u, err := url.Parse(box.DSN())
	require.NoError(t, err)
	password, _ := u.User.Password()
	u.User, u.RawQuery = url.UserPassword("sys", password), url.Values{"DBA PRIVILEGE": {"SYSDBA"}}.Encode()
	connector := go_ora.NewConnector(u.String())
	connector.(*go_ora.OracleConnector).Dialer(dialects.DialFunc(box.Dial))
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, text := range statements {
		_, err := db.ExecContext(t.Context(), text)
		require.NoError(t, err, text)
	}
}

// oracleRights are those that invasive probes need.
var oracleRights = []string{
	"grant alter system, create user, drop user, grant any privilege, create any job to app",
	"grant select on sys.v_$session to app", "grant select on sys.v_$mystat to app", "grant select on sys.v_$statname to app", "grant select on sys.v_$pdbs to app",
}

// oracleCensus lists what the catalog shows of the schema and of users, but what the scheduler keeps of runs.
var oracleCensus = []string{
	"select o.object_type, o.object_name, o.status from user_objects o",
	"select j.job_name, j.state, j.enabled from user_scheduler_jobs j",
	"select r.job_name from user_scheduler_running_jobs r",
	"select p.program_name from user_scheduler_programs p",
	"select q.name, q.queue_table from user_queues q",
	"select q.queue_table from user_queue_tables q",
	"select s.synonym_name from user_synonyms s",
	"select s.sequence_name from user_sequences s",
	"select g.grantee, g.owner, g.table_name, g.privilege from user_tab_privs g",
	"select p.privilege from user_sys_privs p",
	"select r.granted_role from user_role_privs r",
	"select u.username, u.user_id from all_users u",
}

// TestOracleProbes: everything works, whatever comes first where the engine leaves it open.
// DBSCHED_CERTIFY=all tries more orders.
func TestOracleProbes(t *testing.T) {
	seeds := uint64(1)
	if thorough() {
		seeds = 5
	}
	for seed := range seeds {
		requireAllWorks(t, sandbox.Options{Dialect: "oracle", Seed: seed + 1})
	}
}

// TestOracleProbesWithoutRights: what needs a right that the user lacks is not tried, and says which.
func TestOracleProbesWithoutRights(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		r, err := Run(t.Context(), on(t, box), Options{Invasive: true, Quick: true, Step: func(string) {}})
		require.NoError(t, err)
		require.Equal(t, map[string]string{
			"commit-waits":      "a right is missing: SELECT on SYS.V_$MYSTAT, SELECT on SYS.V_$STATNAME",
			"killed-session":    "a right is missing: ALTER SYSTEM",
			"killed-worker":     "a right is missing (ORA-06550)",
			"namesake":          "a right is missing: CREATE USER, DROP USER",
			"call-of-the-owner": "a right is missing: CREATE USER, DROP USER, GRANT ANY PRIVILEGE, CREATE ANY JOB",
		}, oracleLacks(r))
	})
}

// oracleLacks returns the probes that a right is missing for.
func oracleLacks(r *Report) map[string]string {
	all := map[string]string{}
	for _, x := range r.Results {
		if x.Verdict == NotTried && strings.HasPrefix(x.Why, "a right is missing") {
			all[x.Probe] = x.Why
		}
	}
	return all
}

// TestOracleClean: what a run leaves that ends at any moment without cleaning is removed, and nothing else.
func TestOracleClean(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		oracleAdmin(t, box, oracleRights...)
		o := on(t, box)
		before := census(t, o)
		left := map[string]bool{}
		for _, moment := range []time.Duration{time.Second, 9 * time.Second, 10 * time.Second, 11 * time.Second} {
			oracleAbandon(t, o, moment)
			for _, line := range census(t, o) {
				left[line] = true
			}
			still, err := Clean(t.Context(), o)
			require.NoError(t, err, moment)
			require.Empty(t, still, moment)
			require.Equal(t, before, census(t, o), moment)
		}
		all := strings.Join(slices.Collect(maps.Keys(left)), "\n")
		for _, name := range []string{"DS_DISPATCHER", "DS_WAKE_QT", "CERTIFY_MARK", "CERTIFY_WAKE_QT", "CERTIFY_USED", "running_jobs r: CERTIFY_", "running_jobs r: DS_DISPATCHER"} {
			require.Contains(t, all, name)
		}
	})
}

// oracleAbandon runs everything, and is killed after a while.
func oracleAbandon(t *testing.T, o On, moment time.Duration) {
	t.Helper()
	f := &fuse{dial: o.Target.Dial, left: 1 << 30}
	o.Target.Dial = f.connect
	var done sync.WaitGroup
	done.Go(func() { _, _ = Run(t.Context(), o, Options{Invasive: true, Quick: true, Step: func(string) {}}) })
	time.Sleep(moment)
	f.blow()
	done.Wait()
}

// TestOracleCleanLeavesOthers: without the mark nothing is removed, and with it only what has certify's and dbsched's names.
func TestOracleCleanLeavesOthers(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		o := on(t, box)
		db, err := o.Dialect.OpenDB(t.Context(), o.Target)
		require.NoError(t, err)
		defer db.Close()
		exec := func(texts ...string) {
			for _, text := range texts {
				_, err := db.ExecContext(t.Context(), text)
				require.NoError(t, err, text)
			}
		}
		mine := []string{"create table mine (n number)", "create view my_view as select * from mine", "create sequence ours", "create table dsx (n number)",
			"begin dbms_aqadm.create_queue_table('MY_QT', 'RAW'); end;", oracleJobNamed("MY_JOB")}
		exec(mine...)
		exec("create table certify_x (n number)", "create table ds_x (n number)", oracleJobNamed("CERTIFY_J"))
		all := census(t, o)
		left, err := Clean(t.Context(), o)
		require.NoError(t, err)
		require.Empty(t, left)
		require.Equal(t, all, census(t, o), "there is no mark")

		exec("create table certify_mark (n number)", "create synonym certify_s for mine", "create or replace trigger certify_t before insert on mine for each row begin null; end;",
			"begin dbms_aqadm.create_queue_table('CERTIFY_QT', 'RAW'); dbms_aqadm.create_queue('CERTIFY_Q', 'CERTIFY_QT'); dbms_aqadm.start_queue('CERTIFY_Q'); end;",
			"create table certify_identity (n number generated always as identity, c clob)")
		left, err = Clean(t.Context(), o)
		require.NoError(t, err)
		require.Empty(t, left)
		for _, line := range census(t, o) {
			for _, name := range []string{"CERTIFY_", "DS_X"} {
				require.NotContains(t, line, name)
			}
		}
		for _, name := range []string{"MINE", "MY_VIEW", "OURS", "DSX", "MY_QT", "MY_JOB"} {
			require.Contains(t, strings.Join(census(t, o), "\n"), name)
		}
	})
}

// TestOracleCleanUsers: a user that a probe of this run has made goes, with its jobs; somebody else's with such a name stays.
func TestOracleCleanUsers(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		oracleAdmin(t, box, oracleRights...)
		o := on(t, box)
		db, err := o.Dialect.OpenDB(t.Context(), o.Target)
		require.NoError(t, err)
		defer db.Close()
		_, err = db.ExecContext(t.Context(), "create table certify_mark (n number)")
		require.NoError(t, err)
		oracleAdmin(t, box, oracleUser("certify_probe_invoker"), oracleUser("certify_probe_1_invoker"))
		before := slices.DeleteFunc(census(t, o), func(line string) bool { return strings.Contains(line, "CERTIFY_MARK") })
		var name string
		require.NoError(t, db.QueryRowContext(t.Context(), "select 'CERTIFY_PROBE_' || o.object_id || '_INVOKER' from user_objects o where o.object_name = 'CERTIFY_MARK'").Scan(&name))
		for _, text := range []string{oracleUser(name), "grant create session to " + name,
			strings.Replace(oracleJob("BUSY", "begin dbms_session.sleep(60); end;", false), "CERTIFY_BUSY", name+".CERTIFY_BUSY", 1),
			"begin dbms_scheduler.run_job('" + name + ".CERTIFY_BUSY', use_current_session => false); end;"} {
			_, err := db.ExecContext(t.Context(), text)
			require.NoError(t, err, text)
		}
		time.Sleep(5 * time.Second)
		require.NotEqual(t, before, census(t, o))
		left, err := Clean(t.Context(), o)
		require.NoError(t, err)
		require.Empty(t, left)
		require.Equal(t, before, census(t, o))
	})
}

func oracleJobNamed(name string) string {
	return fmt.Sprintf("begin dbms_scheduler.create_job(job_name => '%s', job_type => 'PLSQL_BLOCK', job_action => 'begin null; end;', enabled => false); end;", name)
}

// TestOracleInTheWay: what prevents a run is said before anything is written.
func TestOracleInTheWay(t *testing.T) {
	for name, c := range map[string]struct{ make, says string }{
		"table":     {"create table mine (n number)", "this one holds 1 objects, for example MINE"},
		"synonym":   {"create synonym mine for all_users", "for example MINE"},
		"job":       {oracleJobNamed("MINE"), "for example MINE"},
		"queue":     {"begin dbms_aqadm.create_queue_table('MINE', 'RAW'); end;", "certify needs an empty schema"},
		"procedure": {"create or replace procedure mine is begin null; end;", "for example MINE"},
		"mark":      {"create table certify_mark (n number)", "dbsched certify --clean"},
		"scheduler": {"", "The scheduler of the database is switched off"},
	} {
		t.Run(name, func(t *testing.T) {
			sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				o := on(t, box)
				require.NoError(t, Check(t.Context(), o))
				if c.make == "" {
					oracleAdmin(t, box, "begin dbms_scheduler.set_scheduler_attribute('SCHEDULER_DISABLED', 'TRUE'); end;")
				} else {
					db, err := o.Dialect.OpenDB(t.Context(), o.Target)
					require.NoError(t, err)
					_, err = db.ExecContext(t.Context(), c.make)
					require.NoError(t, err)
					require.NoError(t, db.Close())
				}
				before := census(t, o)
				for _, err := range []error{Check(t.Context(), o), func() error { _, err := Run(t.Context(), o, Options{Quick: true, Step: func(string) {}}); return err }()} {
					require.ErrorAs(t, err, new(*dialects.UsageError))
					require.ErrorContains(t, err, c.says)
				}
				require.Equal(t, before, census(t, o))
			})
		})
	}
}

// TestOracleNoJobs: a run ends in a database that runs no jobs, says why, and leaves nothing.
func TestOracleNoJobs(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		oracleAdmin(t, box, "alter system set job_queue_processes = 0")
		o := on(t, box)
		before := census(t, o)
		_, err := Run(t.Context(), o, Options{Quick: true, Step: func(string) {}})
		require.ErrorContains(t, err, "check parameter job_queue_processes")
		require.Equal(t, before, census(t, o))
	})
}

// TestOracleFacts: the report says what matters of the server, as far as it can be read.
func TestOracleFacts(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		facts := func() map[string]string {
			o := on(t, box)
			db, err := o.Dialect.OpenDB(t.Context(), o.Target)
			require.NoError(t, err)
			defer db.Close()
			found, err := oracleServer(t.Context(), db)
			require.NoError(t, err)
			all := map[string]string{}
			for _, f := range found {
				all[f.Name] = f.Value
			}
			return all
		}
		want := map[string]string{
			"version": "19.0.0.0.0", "edition": "dbsched sandbox, a model of Oracle Database 19c", "character set": "AL32UTF8", "container": "yes", "role": "primary", "cluster": "no",
			"limits of the profile": "none", "default edition": "ORA$BASE",
		}
		require.Equal(t, want, facts())
		oracleAdmin(t, box, "grant select on sys.v_$parameter to app")
		box.SetSite(sandbox.Site{Limits: map[string]string{"IDLE_TIME": "30", "SESSIONS_PER_USER": "10"}, Edition: "SECRET", Parameters: map[string]string{"job_queue_processes": "20"}})
		got := facts()
		require.Equal(t, "idle_time 30, sessions_per_user 10", got["limits of the profile"])
		require.Contains(t, got, "job_queue_processes")
		require.NotContains(t, fmt.Sprint(got), "SECRET")
	})
}

// TestOracleWhy: what can be done about an error is named, and nothing of its text.
func TestOracleWhy(t *testing.T) {
	for code, why := range map[int]string{
		20999: "the worker runs on another instance",
		2391:  "the profile allows too few sessions (SESSIONS_PER_USER)",
		18:    "the database has no more sessions",
		12520: "the database has no more sessions",
		41900: "a right is missing (ORA-41900)",
		6550:  "a right is missing (ORA-06550)",
		1555:  "ORA-01555",
	} {
		require.Equal(t, why, oracleWhy(&network.OracleError{ErrCode: code, ErrMsg: "SECRET: ORA-41904: missing"}))
	}
}

// TestOracleKillsNoStranger: what ends a worker ends no other session of the user.
func TestOracleKillsNoStranger(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		oracleAdmin(t, box, oracleRights...)
		o := on(t, box)
		db, err := o.Dialect.OpenDB(t.Context(), o.Target)
		require.NoError(t, err)
		defer db.Close()
		stranger, err := o.Dialect.OpenDB(t.Context(), o.Target) // one connection
		require.NoError(t, err)
		defer stranger.Close()
		var sid int
		const own = "select to_number(sys_context('USERENV', 'SID')) from dual"
		require.NoError(t, stranger.QueryRowContext(t.Context(), own).Scan(&sid))
		_, err = db.ExecContext(t.Context(), oracleWords().kill(sid))
		require.Equal(t, "the worker runs on another instance", oracleWhy(err))
		require.NoError(t, stranger.QueryRowContext(t.Context(), own).Scan(&sid))
	})
}

func TestJudgeCommitWaits(t *testing.T) {
	for _, c := range []struct {
		plain, wait int
		want        string
	}{
		{0, 20, "WAIT waits, plain commits do not"}, {2, 10, "WAIT waits, plain commits do not"}, {20, 20, "both wait"}, {10, 21, "both wait"},
		{0, 0, "WAIT does not wait"}, {1, 3, "WAIT does not wait"}, {15, 1, "WAIT does not wait"}, {0, 5, "some"},
	} {
		require.Equal(t, c.want, judgeCommitWaits(c.plain, c.wait, 20), "%+v", c)
	}
}
