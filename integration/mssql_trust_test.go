package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/sqlexp"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// other is a second database: etl and ben, users of dbsched with their own logins, may read and write its table Facts, not Secret.
type other struct {
	h      *harness
	name   string // of the database, quoted
	target string // unquoted
	logins map[string]string
}

// login creates a login with a name that starts that way.
func (o *other) login(name string) string {
	o.h.Helper()
	login := fmt.Sprintf("dbsched_test_%s_%d", name, o.h.now().UnixNano())
	o.h.session().exec("CREATE LOGIN " + login + fmt.Sprintf(" WITH PASSWORD = 'Pw-%d-x';", o.h.now().UnixNano()))
	return login
}

// exec runs statements in the second database.
func (o *other) exec(text string) {
	o.h.Helper()
	s := o.h.session()
	s.exec("USE " + o.name + ";")
	s.exec(text)
}

// script runs what render --trust prints, in one session, and returns the first error.
func (o *other) script(trust templates.Trust) error {
	o.h.Helper()
	if trust.Targets == nil {
		trust.Targets = []string{o.target}
	}
	batches, err := templates.MSSQLTrust(templates.Params{Schema: "dbsched"}, trust)
	require.NoError(o.h, err)
	s := o.h.session()
	for _, b := range batches {
		if err := s.try(b.SQL); err != nil {
			return err
		}
	}
	return nil
}

// run runs a user's task to its end and returns its error number, 0 if it succeeded.
func (o *other) run(user, task string) int {
	o.h.Helper()
	id := o.h.enqueueAs(user, 1, task)
	o.h.drain(time.Minute)
	logs := o.h.logsOf(id)
	last := logs[len(logs)-1]
	o.h.Logf("%s of %s: %d %s", task, user, last.ErrorNumber, last.ErrorMessage)
	return last.ErrorNumber
}

func (o *other) copies() string {
	return "INSERT INTO " + o.name + ".dbo.Facts (N) SELECT f.N + 100 FROM " + o.name + ".dbo.Facts AS f;"
}

// TestMSSQLTrust: a task of a named user reads and writes another database with the rights of its login there, after the script, and
// neither before it nor after it was revoked; nobody else does.
func TestMSSQLTrust(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		o := h.other()
		require.Equal(h, 916, o.run("etl", o.copies()))
		o.trust("etl")
		require.Equal(h, "NO_PRIVATE_KEY", h.admin().value("SELECT pvt_key_encryption_type_desc FROM sys.certificates WHERE name = N'dbsched_trust';"))
		require.Zero(h, o.run("etl", o.copies()))
		require.Zero(h, o.run("etl", "USE "+o.name+"; EXEC (N'INSERT INTO dbo.Facts (N) VALUES (1);');"))
		require.Equal(h, [][]string{{"1"}, {"42"}, {"142"}}, o.facts())
		for task, want := range map[string]int{
			"SELECT N FROM " + o.name + ".dbo.Secret;":            229,
			"DELETE FROM " + o.name + ".dbo.Facts;":               229,
			"EXEC msdb.dbo.sp_start_job @job_name = N'whatever';": 916,
			"SELECT SqlText FROM dbsched.Tasks;":                  229,
			"THROW 50001, N'mine', 1;":                            50001,
		} {
			require.Equal(h, want, o.run("etl", task), task)
		}
		require.Equal(h, 916, o.run("ben", o.copies()), "who was not named")

		// One transaction in both, with values bound to the batch.
		etl := h.as("etl")
		failing := number(h, etl.ask("DECLARE @Id bigint; EXEC dbsched.ExecAsync N'"+strings.ReplaceAll(o.insert(2), "'", "''")+" THROW 50002, N''no'', 1;', 1, @Transactional = 1, @TaskId = @Id OUTPUT; SELECT @Id;"))
		bound := number(h, etl.ask("DECLARE @Id bigint; EXEC dbsched.ExecAsync N'"+strings.ReplaceAll("INSERT INTO "+o.name+".dbo.Facts (N) VALUES (@N);", "'", "''")+"', 2, @Transactional = 1, @Parameters = N'{\"N\": 3}', @TaskId = @Id OUTPUT; SELECT @Id;"))
		h.drain(time.Minute)
		require.Equal(h, "Failed", h.statusOf(failing))
		require.Equal(h, "Succeeded", h.statusOf(bound), h.report())
		require.Equal(h, [][]string{{"1"}, {"3"}, {"42"}, {"142"}}, o.facts())

		// Later versions leave the modules as they are, and the script can be run again, for other users.
		h.session().exec(h.say.older)
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1, DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Zero(h, o.run("etl", o.insert(4)))
		o.trust("ben", "etl")
		require.Zero(h, o.run("ben", o.insert(5)))

		// msdb is a database like any other: etl may not start jobs there.
		both := []string{o.target, "msdb"}
		require.NoError(h, o.script(templates.Trust{Users: []string{"etl"}, Targets: both}))
		require.Equal(h, 229, o.run("etl", "EXEC msdb.dbo.sp_start_job @job_name = N'whatever';"))
		require.Zero(h, o.run("etl", o.insert(9)))
		require.NoError(h, o.script(templates.Trust{Revoke: true, Targets: both}))
		require.Equal(h, 916, o.run("etl", "EXEC msdb.dbo.sp_start_job @job_name = N'whatever';"))
		o.trust("ben")
		require.Equal(h, 916, o.run("etl", o.insert(6)))
		require.Zero(h, o.run("ben", o.insert(7)))

		require.NoError(h, o.script(templates.Trust{Revoke: true}))
		require.NoError(h, o.script(templates.Trust{Revoke: true}))
		require.Equal(h, 916, o.run("ben", o.insert(8)))
		for _, database := range []string{"", o.name + "."} {
			require.Equal(h, "0", h.admin().value("SELECT COUNT(*) FROM "+database+"sys.certificates AS c WHERE c.name LIKE N'dbsched[_]trust%';"))
		}
		require.Equal(h, "0", h.admin().value("SELECT COUNT(*) FROM "+o.name+".sys.database_principals AS p WHERE p.type = 'C';"))

		o.trust("ben")
		_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, "0", h.admin().value("SELECT COUNT(*) FROM sys.certificates AS c WHERE c.name = N'dbsched_trust';"))
		h.session().exec("DROP USER ben;")
	})
}

// TestMSSQLTrustedTaskWithoutResource: a signed module runs the task's own text, so nothing may call it for a task whose resource was dropped.
func TestMSSQLTrustedTaskWithoutResource(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.other().trust("etl")
		h.resource("db", 1)
		id := number(h, h.as("etl").ask("DECLARE @Id bigint; EXEC dbsched.ExecAsync N'THROW 50001, N''mine'', 1;', 1, @Resource = N'db', @TaskId = @Id OUTPUT; SELECT @Id;"))
		h.drain(time.Minute)
		require.NoError(h, h.sched.DropResource(h.Context(), "db"))
		require.NoError(h, h.sched.RetryTask(h.Context(), id))
		h.drain(time.Minute)
		logs := h.logsOf(id)
		require.Len(h, logs, 2)
		require.Equal(h, []int{50001, 51040}, []int{logs[0].ErrorNumber, logs[1].ErrorNumber})
	})
}

// TestMSSQLTrustGainsNothing: whatever a task of a named user tries, it has the rights of its login, and it lets nobody else out.
func TestMSSQLTrustGainsNothing(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		o := h.other()
		s := h.session()
		s.exec("CREATE TABLE dbo.Who (Id int IDENTITY(1, 1) NOT NULL PRIMARY KEY, Name nvarchar(128) NOT NULL, LoginName nvarchar(128) NULL);")
		s.exec("GRANT INSERT ON dbo.Who TO public;")
		s.exec("GRANT IMPERSONATE ON USER::ben TO etl;")
		s.exec("CREATE PROCEDURE dbo.AsBen WITH EXECUTE AS 'ben' AS SELECT N FROM " + o.name + ".dbo.Facts;")
		s.exec("GRANT EXECUTE ON dbo.AsBen TO etl;")
		s.exec("CREATE PROCEDURE dbo.AsOwner WITH EXECUTE AS OWNER AS SELECT N FROM " + o.name + ".dbo.Facts;")
		s.exec("GRANT EXECUTE ON dbo.AsOwner TO etl;")
		o.trust("etl")
		module := "dbsched.RunAs_" + s.value("SELECT DATABASE_PRINCIPAL_ID(N'etl');")

		const who = " INSERT INTO dbo.Who (Name, LoginName) VALUES (USER_NAME(), SUSER_SNAME());"
		for _, task := range []string{"REVERT; REVERT;", "EXEC (N'REVERT; REVERT;');", "EXECUTE AS USER = N'ben'; REVERT; REVERT; REVERT;"} {
			require.Zero(h, o.run("etl", task+o.insert(1)+who), task)
		}
		require.Equal(h, [][]string{{"etl", o.logins["etl"]}}, s.rows("SELECT DISTINCT Name, LoginName FROM dbo.Who;"))

		const refused = -1 // with an error that the documentation does not name
		read := "SELECT N FROM " + o.name + ".dbo.Facts;"
		for _, try := range []struct {
			task string
			want int
		}{
			{"REVERT; REVERT; EXECUTE AS USER = N'ben'; " + read, 916},
			{"EXEC (N'" + strings.ReplaceAll(read, "'", "''") + "') AS USER = N'ben';", 916},
			{"EXEC dbo.AsBen;", 916},
			{"EXEC dbo.AsOwner;", 916},
			{"EXECUTE AS USER = N'dbo';", 15517},
			{"EXECUTE AS USER = N'dbsched_owner';", 15517},
			{"EXECUTE AS LOGIN = N'" + o.logins["ben"] + "';", 15406},
			{"EXEC " + module + " 1, NULL, NULL, NULL, NULL, NULL, NULL;", 229},
			{"EXEC (N'ALTER PROCEDURE " + module + " AS SELECT 1;');", refused},
			{"DROP PROCEDURE " + module + ";", 3701},
		} {
			got := o.run("etl", try.task)
			if try.want == refused && got != 0 {
				got = refused
			}
			require.Equal(h, try.want, got, try.task)
		}

		// Not even the owner runs another task in it, or one that is not running.
		done := h.enqueueAs("etl", 1, "SELECT 1;")
		h.drain(time.Minute)
		h.exec(h.sleep(1, time.Hour))
		h.untilRunning(1, h.soon)
		for _, id := range []int64{done, done + 1, 4711} {
			require.ErrorContains(h, s.try(fmt.Sprintf("EXEC %s %d, NULL, NULL, NULL, NULL, NULL, NULL;", module, id)), "51048: this is not a running task of the user")
		}
		h.cancel(done + 1)
		h.pause(time.Hour)
		h.drain(time.Minute)

		// Altering it ends the trust.
		s.exec("DECLARE @Text nvarchar(max) = REPLACE(OBJECT_DEFINITION(OBJECT_ID(N'" + module + "')), N'CREATE PROCEDURE', N'CREATE OR ALTER PROCEDURE'); EXEC (@Text);")
		require.Equal(h, 916, o.run("etl", read))
		require.Zero(h, o.run("etl", "SELECT 1;"))
	})
}

// TestMSSQLTrustEnds: trust ends when the database, its owner or the user is not the trusted one.
func TestMSSQLTrustEnds(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		o := h.other()
		s := h.admin()
		database := s.value("SELECT QUOTENAME(DB_NAME());")
		owner := s.value("SELECT QUOTENAME(SUSER_SNAME(d.owner_sid)) FROM sys.databases AS d WHERE d.database_id = DB_ID();")
		o.trust("etl")
		require.Zero(h, o.run("etl", o.insert(1)))

		// Another login under the user's name.
		require.ErrorContains(h, s.try("DROP USER etl;"), "execution context")
		o.logins["else"] = o.login("else")
		s.exec("ALTER USER etl WITH LOGIN = " + o.logins["else"] + ";")
		require.Equal(h, 51048, o.run("etl", "SELECT 1;"))
		s.exec("ALTER USER etl WITH LOGIN = " + o.logins["etl"] + ";")
		require.Zero(h, o.run("etl", o.insert(2)))

		// Whoever restores a copy becomes its owner.
		o.logins["owner"] = o.login("owner")
		s.exec("ALTER AUTHORIZATION ON DATABASE::" + database + " TO " + o.logins["owner"] + ";")
		require.Equal(h, 51048, o.run("etl", "SELECT 1;"))
		s.exec("ALTER AUTHORIZATION ON DATABASE::" + database + " TO " + owner + ";")
		require.Zero(h, o.run("etl", o.insert(3)))

		// A copy whose broker was given a new number.
		require.NoError(h, h.sched.Close())
		h.turn("NEW_BROKER")
		h.sched = h.open(h.schema)
		require.NoError(h, h.sched.Start(h.Context()))
		s = h.admin()
		require.Equal(h, 51048, o.run("etl", "SELECT 1;"))
		require.Zero(h, o.run("ben", "SELECT 1;"))
		o.trust("etl")
		require.Zero(h, o.run("etl", o.insert(4)))

		s.exec("DROP LOGIN " + o.logins["etl"] + ";")
		require.Equal(h, 51048, o.run("etl", "SELECT 1;"))
	})
}

// TestMSSQLTrustRefusesAdministrators: administrators of the server are refused when the script is run, and at each run of a task.
func TestMSSQLTrustRefusesAdministrators(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		o := h.other()
		s := h.admin()
		for _, c := range []struct{ give, take string }{
			{"ALTER SERVER ROLE sysadmin ADD MEMBER %s;", "ALTER SERVER ROLE sysadmin DROP MEMBER %s;"},
			{"EXEC (N'USE master; GRANT CONTROL SERVER TO %s;');", "EXEC (N'USE master; REVOKE CONTROL SERVER TO %s;');"},
			{"EXEC (N'USE master; GRANT IMPERSONATE ANY LOGIN TO %s;');", "EXEC (N'USE master; REVOKE IMPERSONATE ANY LOGIN TO %s;');"},
		} {
			o.trust("etl")
			require.Zero(h, o.run("etl", o.insert(1)))
			if !h.modeled(s.try(fmt.Sprintf(c.give, o.logins["etl"]))) {
				continue
			}
			require.Equal(h, 51048, o.run("etl", o.insert(2)), c.give)
			require.ErrorContains(h, o.script(templates.Trust{Users: []string{"ben", "etl"}}), "51048", c.give)
			s.exec(fmt.Sprintf(c.take, o.logins["etl"]))
			require.Zero(h, o.run("etl", o.insert(3)), "the script that was refused has changed nothing")
		}
	})
}

// TestMSSQLTrustScriptRefuses: it refuses what cannot be trusted, and callers without the right, before it changes anything.
func TestMSSQLTrustScriptRefuses(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		o := h.other()
		h.user("nologin", "user")
		o.trust("etl")
		for _, user := range []string{"nologin", "nobody", "dbo", "guest", "dbsched_owner", "dbsched_user"} {
			require.ErrorContains(h, o.script(templates.Trust{Users: []string{"ben", user}}), "51087: ["+user+"]")
		}
		home := h.admin().value("SELECT DB_NAME();")
		require.ErrorContains(h, o.script(templates.Trust{Users: []string{"etl"}, Targets: []string{home}}), "51087: this is not the database")
		require.ErrorContains(h, o.script(templates.Trust{Users: []string{"etl"}, Targets: []string{"no such database"}}), "no such database")
		o.trust("etl")

		batches, err := templates.MSSQLTrust(templates.Params{Schema: "dbsched"}, templates.Trust{Users: []string{"ben"}, Targets: []string{o.target}})
		require.NoError(h, err)
		alone := h.session()
		alone.exec("USE " + o.name + ";")
		require.ErrorContains(h, alone.try(batches[len(batches)-1].SQL), "51087: part 1 was not run")

		// Nor does it do with what an earlier run has left in the session, if this one has failed.
		good, err := templates.MSSQLTrust(templates.Params{Schema: "dbsched"}, templates.Trust{Users: []string{"etl"}, Targets: []string{o.target}})
		require.NoError(h, err)
		bad, err := templates.MSSQLTrust(templates.Params{Schema: "dbsched"}, templates.Trust{Users: []string{"nologin"}, Targets: []string{o.target}})
		require.NoError(h, err)
		same := h.session()
		for _, b := range good {
			same.exec(b.SQL)
		}
		same.exec("USE " + templates.QuoteIdent(home) + ";")
		require.ErrorContains(h, same.try(bad[0].SQL), "51087: [nologin]")
		same.exec("USE " + o.name + ";")
		require.ErrorContains(h, same.try(bad[len(bad)-1].SQL), "51087: part 1 was not run")
		revoke, err := templates.MSSQLTrust(templates.Params{Schema: "dbsched"}, templates.Trust{Revoke: true, Targets: []string{o.target}})
		require.NoError(h, err)
		same.exec("USE " + templates.QuoteIdent(home) + ";")
		same.exec(good[0].SQL)
		same.exec("USE " + o.name + ";")
		require.ErrorContains(h, same.try(revoke[0].SQL), "51086")
		require.ErrorContains(h, same.try(revoke[len(revoke)-1].SQL), "51087: part 1 was not run")
		o.trust("etl")
		require.ErrorContains(h, h.as("ben").try(batches[0].SQL), "51083")
		require.ErrorContains(h, alone.try(batches[0].SQL), "51086")
		require.Zero(h, o.run("etl", o.insert(1)))
	})
}

// TestMSSQLTrustByOwners: each part is run by the owner of its database, who has no rights in the others or on the server.
func TestMSSQLTrustByOwners(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		o := h.other()
		for _, name := range []string{"home", "away"} {
			o.logins[name] = o.login(name)
		}
		h.session().exec("CREATE USER home FOR LOGIN " + o.logins["home"] + "; ALTER ROLE db_owner ADD MEMBER home;")
		o.exec("CREATE USER away FOR LOGIN " + o.logins["away"] + "; ALTER ROLE db_owner ADD MEMBER away;")
		run := func(trust templates.Trust) {
			trust.Targets = []string{o.target}
			batches, err := templates.MSSQLTrust(templates.Params{Schema: "dbsched"}, trust)
			require.NoError(h, err)
			home := h.session()
			home.exec("EXECUTE AS LOGIN = N'" + o.logins["home"] + "';")
			first := home.printed(batches[0].SQL)
			require.ErrorContains(h, home.try(batches[1].SQL), "not able to access the database")
			away := h.session()
			away.exec("USE " + o.name + ";")
			away.exec("EXECUTE AS LOGIN = N'" + o.logins["away"] + "';")
			_, lines, _ := strings.Cut(first, ":\n")
			away.exec(lines)
			for _, b := range batches[1:] {
				away.exec(b.SQL)
			}
		}
		run(templates.Trust{Users: []string{"etl"}})
		require.Zero(h, o.run("etl", o.insert(1)))
		run(templates.Trust{Revoke: true})
		require.Equal(h, 916, o.run("etl", o.insert(2)))
		require.Equal(h, "0", h.admin().value("SELECT COUNT(*) FROM "+o.name+".sys.certificates AS c;"))
	})
}

// printed runs a batch and returns what it prints.
func (s *session) printed(batch string) string {
	s.h.Helper()
	messages, text := &sqlexp.ReturnMessage{}, ""
	rows, err := s.conn.QueryContext(s.h.Context(), batch, messages)
	require.NoError(s.h, err)
	defer rows.Close()
	for {
		switch m := messages.Message(s.h.Context()).(type) {
		case sqlexp.MsgNotice:
			text += m.Message.String()
		case sqlexp.MsgError:
			require.NoError(s.h, m.Error)
		case sqlexp.MsgNextResultSet:
			if !rows.NextResultSet() {
				require.NoError(s.h, rows.Err())
				return text
			}
		default:
		}
	}
}
