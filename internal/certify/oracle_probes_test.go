package certify

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	go_ora "github.com/sijms/go-ora/v2"
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
	"grant select on sys.v_$session to app", "grant select on sys.v_$mystat to app", "grant select on sys.v_$statname to app",
}

// oracleCensus returns all that the catalog shows of the schema and of users, but what the scheduler keeps of runs.
func oracleCensus(t *testing.T, o On) (all []string) {
	t.Helper()
	db, err := o.Dialect.OpenDB(t.Context(), o.Target)
	require.NoError(t, err)
	defer db.Close()
	for _, query := range []string{
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
	} {
		found, err := rows(t.Context(), db, query)
		require.NoError(t, err, query)
		for _, r := range found {
			all = append(all, query+": "+strings.Join(r, " "))
		}
	}
	slices.Sort(all)
	return all
}

// TestOracleProbes: with all rights, everything works that the sandbox can be asked, and nothing is left.
func TestOracleProbes(t *testing.T) {
	for seed := range uint64(3) {
		sandboxtest.Run(t, sandbox.Options{Dialect: "oracle", Seed: seed + 1}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
			oracleAdmin(t, box, oracleRights...)
			o := on(t, box)
			before := oracleCensus(t, o)
			r, err := Run(t.Context(), o, Options{Invasive: true, Step: func(string) {}})
			require.NoError(t, err)
			require.Empty(t, r.Left)
			require.Equal(t, before, oracleCensus(t, o))
			notTried := map[string]string{}
			for _, x := range r.Results {
				if x.Verdict == NotTried {
					notTried[x.Probe] = x.Why
				} else {
					require.Equal(t, Works, x.Verdict, "%+v", x)
				}
			}
			require.Equal(t, map[string]string{
				"guid-of-the-container": "the release is older than 21c",
				"wake-up-elsewhere":     "this is not a cluster",
				"grants-of-admin":       "this is not an Autonomous Database",
				"tns-name":              "takes more than one connection",
				"wallet":                "takes more than one connection",
			}, notTried)
			require.True(t, r.Sound())
		})
	}
}

// TestOracleProbesWithoutRights: what needs a right that the user lacks is not tried, and says which.
func TestOracleProbesWithoutRights(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		r, err := Run(t.Context(), on(t, box), Options{Invasive: true, Step: func(string) {}})
		require.NoError(t, err)
		require.Equal(t, map[string]string{
			"commit-waits":      "a right is missing (ORA-00942)",
			"killed-session":    "a right is missing: ALTER SYSTEM",
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

// TestOracleHandledBreaks: a server whose STOP_JOB does not bypass handlers is recognized.
func TestOracleHandledBreaks(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle", HandledBreaks: true}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		r, err := Run(t.Context(), on(t, box), Options{Step: func(string) {}})
		require.NoError(t, err)
		i := slices.IndexFunc(r.Results, func(x Result) bool { return x.Probe == "stop-job" })
		require.Equal(t, "handled, SUCCEEDED", r.Results[i].Seen)
		require.Equal(t, Handled, r.Results[i].Verdict)
		require.Empty(t, r.Left)
	})
}

// TestOracleClean: what a run leaves that ends at any moment without cleaning is removed, and nothing else.
func TestOracleClean(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		oracleAdmin(t, box, oracleRights...)
		o := on(t, box)
		before := oracleCensus(t, o)
		left := map[string]bool{}
		for _, moment := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond, time.Second, 2 * time.Second, 3 * time.Second,
			4 * time.Second, 5 * time.Second, 7 * time.Second, 9 * time.Second, 11 * time.Second, 13 * time.Second, 15 * time.Second} {
			oracleAbandon(t, o, moment)
			for _, line := range oracleCensus(t, o) {
				left[line] = true
			}
			still, err := Clean(t.Context(), o)
			require.NoError(t, err, moment)
			require.Empty(t, still, moment)
			require.Equal(t, before, oracleCensus(t, o), moment)
		}
		require.Greater(t, len(left), len(before)+100, "something was left")
	})
}

// oracleAbandon runs everything, and disappears after a while.
func oracleAbandon(t *testing.T, o On, moment time.Duration) {
	t.Helper()
	p, err := open(t.Context(), o, engines["oracle"])
	require.NoError(t, err)
	defer p.close()
	_, err = p.db.ExecContext(t.Context(), p.engine.make)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), moment)
	defer cancel()
	if _, err := p.sched.Install(ctx, dialects.InstallOptions{Lanes: lanes, LockTimeout: 10 * time.Second}); err != nil {
		return
	}
	if err := p.sched.Start(ctx); err != nil {
		return
	}
	_, _ = p.try(ctx, p.probes, Options{Invasive: true, Step: func(string) {}})
}

// TestOracleCleanLeavesOthers: without the mark nothing is removed, and with it only what has certify's and dbsched's names.
func TestOracleCleanLeavesOthers(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
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
		all := oracleCensus(t, o)
		left, err := Clean(t.Context(), o)
		require.NoError(t, err)
		require.Empty(t, left)
		require.Equal(t, all, oracleCensus(t, o), "there is no mark")

		exec("create table certify_mark (n number)", "create synonym certify_s for mine", "create or replace trigger certify_t before insert on mine for each row begin null; end;",
			"begin dbms_aqadm.create_queue_table('CERTIFY_QT', 'RAW'); dbms_aqadm.create_queue('CERTIFY_Q', 'CERTIFY_QT'); dbms_aqadm.start_queue('CERTIFY_Q'); end;",
			"create table certify_identity (n number generated always as identity, c clob)")
		left, err = Clean(t.Context(), o)
		require.NoError(t, err)
		require.Empty(t, left)
		for _, line := range oracleCensus(t, o) {
			for _, name := range []string{"CERTIFY_", "DS_X"} {
				require.NotContains(t, line, name)
			}
		}
		for _, name := range []string{"MINE", "MY_VIEW", "OURS", "DSX", "MY_QT", "MY_JOB"} {
			require.Contains(t, strings.Join(oracleCensus(t, o), "\n"), name)
		}
	})
}

func oracleJobNamed(name string) string {
	return fmt.Sprintf("begin dbms_scheduler.create_job(job_name => '%s', job_type => 'PLSQL_BLOCK', job_action => 'begin null; end;', enabled => false); end;", name)
}
