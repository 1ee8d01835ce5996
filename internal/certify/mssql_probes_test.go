package certify

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// mssqlCensus lists what a database and its server have.
var mssqlCensus = []string{
	"SELECT s.name, o.name, o.type FROM sys.objects AS o INNER JOIN sys.schemas AS s ON s.schema_id = o.schema_id WHERE o.is_ms_shipped = 0",
	"SELECT s.name, s.principal_id FROM sys.schemas AS s",
	"SELECT p.name, p.type FROM sys.database_principals AS p",
	"SELECT m.role_principal_id, m.member_principal_id FROM sys.database_role_members AS m",
	"SELECT p.class, p.major_id, p.grantee_principal_id, p.permission_name, p.state FROM sys.database_permissions AS p WHERE p.major_id >= 0",
	"SELECT s.name FROM sys.services AS s",
	"SELECT q.name FROM sys.service_queues AS q",
	"SELECT c.name FROM sys.service_contracts AS c",
	"SELECT m.name FROM sys.service_message_types AS m",
	"SELECT e.conversation_handle FROM sys.conversation_endpoints AS e",
	"SELECT t.conversation_handle FROM sys.transmission_queue AS t",
	"SELECT c.name FROM sys.certificates AS c",
	"SELECT c.name FROM master.sys.certificates AS c",
	"SELECT t.name FROM sys.types AS t WHERE t.is_user_defined = 1",
	"SELECT p.name, p.type FROM sys.server_principals AS p",
	"SELECT p.grantee_principal_id, p.permission_name, p.state FROM sys.server_permissions AS p",
	"SELECT m.role_principal_id, m.member_principal_id FROM sys.server_role_members AS m",
	"SELECT d.name, d.is_broker_enabled, d.service_broker_guid, d.owner_sid FROM sys.databases AS d",
	"SELECT j.name FROM msdb.dbo.sysjobs AS j",
	"SELECT h.instance_id FROM msdb.dbo.sysjobhistory AS h",
	"SELECT s.name FROM msdb.dbo.sysschedules AS s",
}

// TestMSSQLProbes: everything works, on a server and in a database that are special in many ways. DBSCHED_CERTIFY=all tries one way at a time.
func TestMSSQLProbes(t *testing.T) {
	kinds := map[string]sandbox.Options{
		"many": {Dialect: "mssql", OptimizedLocking: true, ReadCommittedSnapshot: true, Collation: "Latin1_General_BIN2", AgentStopped: true, Group: [16]byte{1}},
	}
	if thorough() {
		kinds = map[string]sandbox.Options{
			"2022":              {Dialect: "mssql"},
			"2025":              {Dialect: "mssql", OptimizedLocking: true, ReadCommittedSnapshot: true},
			"binary":            {Dialect: "mssql", Collation: "Latin1_General_BIN2"},
			"the Agent is off":  {Dialect: "mssql", AgentStopped: true},
			"a group's replica": {Dialect: "mssql", Group: [16]byte{1}},
		}
	}
	for name, o := range kinds {
		t.Run(name, func(t *testing.T) { requireAllWorks(t, o) })
	}
}

// TestMSSQLKilledRun: what a run has left that was killed, in the database and outside it, is removed, with the help of dbsched's own
// removal or without. DBSCHED_CERTIFY=all leaves what all probes make, and not only that of those that leave most.
func TestMSSQLKilledRun(t *testing.T) {
	most := []string{"kill-grants", "trusted-module", "start-job-refused", "revert-in-a-task", "next-activation"}
	for name, damage := range map[string]string{
		"as it is":            "SELECT 1;",
		"foreign":             "CREATE VIEW dbsched_certify.Foreign_One AS SELECT 1 AS N;", // dbsched does not remove what is not its own
		"almost not there":    "DROP TABLE dbsched_certify.Settings;",
		"without its version": "DROP TABLE dbsched_certify.SchemaVersion;",
	} {
		t.Run(name, func(t *testing.T) {
			sandboxtest.Run(t, sandbox.Options{}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				t.Helper()
				on := on(t, box)
				before := census(t, on)
				place := placeOn(t, box)
				require.NoError(t, place.occupy(t.Context()))
				require.NoError(t, place.make(t.Context()))
				for _, p := range place.probes {
					if !thorough() && !slices.Contains(most, p.Name) {
						continue
					}
					_, _, err := place.ask(t.Context(), p, Options{Invasive: true})
					require.NoError(t, err)
					if p.Name == "start-job-refused" { // the job itself, as before its end
						_, err := place.db.ExecContext(t.Context(), "DECLARE @Name nvarchar(128) = "+mssqlOutside+"job'; EXEC msdb.dbo.sp_add_job @job_name = @Name;")
						require.NoError(t, err)
					}
				}
				_, err := place.db.ExecContext(t.Context(), damage)
				require.NoError(t, err)
				place.close()

				require.ErrorContains(t, Check(t.Context(), on), "dbsched certify --clean")
				left, err := Clean(t.Context(), on)
				require.NoError(t, err)
				require.Empty(t, left)
				require.Equal(t, before, census(t, on))
			})
		})
	}
}

// TestMSSQLOwnerAlone: the owner of a database who has no right on the server is told which probes need one; all others work, and nothing is left.
func TestMSSQLOwnerAlone(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		admin := on(t, box)
		db, err := admin.Dialect.OpenDB(t.Context(), dialects.Target{DSN: box.DSN(), Dial: box.Dial, Schema: mssqlSchema})
		require.NoError(t, err)
		for _, text := range []string{"CREATE LOGIN ann WITH PASSWORD = 'Pw-1234-x';", "ALTER AUTHORIZATION ON DATABASE::sandbox TO ann;"} {
			_, err := db.ExecContext(t.Context(), text)
			require.NoError(t, err)
		}
		require.NoError(t, db.Close())
		before := census(t, admin)
		dsn, err := url.Parse(box.DSN())
		require.NoError(t, err)
		dsn.User = url.UserPassword("ann", "Pw-1234-x")
		r, err := Run(t.Context(), On{admin.Dialect, dialects.Target{DSN: dsn.String(), Dial: box.Dial}}, Options{Invasive: true, Quick: true, Step: func(string) {}})
		require.NoError(t, err)
		require.Empty(t, r.Left)
		missing := map[string]string{}
		for _, x := range r.Results {
			switch {
			case x.Elsewhere != "":
			case x.Verdict == NotTried:
				missing[x.Probe] = x.Why
			default:
				require.Equal(t, usual(x), x.Verdict, "%+v", x)
			}
		}
		require.Equal(t, map[string]string{
			"killed-worker":           "it needs ALTER ANY CONNECTION and VIEW SERVER STATE, or the session had ended",
			"kill-activated":          "it needs ALTER ANY CONNECTION and VIEW SERVER STATE, or the session had ended",
			"kill-grants":             "it needs sysadmin (error 51085)",
			"start-job-refused":       "it needs SQLAgentUserRole in msdb (error 229)",
			"trusted-module":          "it needs CREATE ANY DATABASE (error 262)",
			"trust-of-another":        "it needs CREATE ANY DATABASE (error 262)",
			"trust-of-administrators": "it needs CREATE ANY DATABASE (error 262)",
			"broker-in-use":           "it needs CREATE ANY DATABASE (error 262)",
		}, missing)
		require.Equal(t, before, census(t, admin))
	})
}

// TestMSSQLInTheWay: a sentence for each server and database where nothing can be tried.
func TestMSSQLInTheWay(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		db, err := on(t, box).Dialect.OpenDB(t.Context(), dialects.Target{DSN: box.DSN(), Dial: box.Dial, Schema: mssqlSchema})
		require.NoError(t, err)
		defer db.Close()
		const edition, updateability = "SERVERPROPERTY('EngineEdition')", "DATABASEPROPERTYEX(DB_NAME(), 'Updateability')"
		for _, c := range []struct{ edition, updateability, want string }{
			{edition, updateability, ""},
			{"5", "N'READ_ONLY'", "This is Azure SQL Database"},
			{"12", updateability, "This is Azure SQL Database"},
			{"8", "N'READ_ONLY'", "This database is read-only"},
		} {
			found, err := column(t.Context(), db, strings.NewReplacer(edition, c.edition, updateability, c.updateability).Replace(mssqlInTheWay))
			require.NoError(t, err)
			if c.want == "" {
				require.Empty(t, found)
				continue
			}
			require.Len(t, found, 1)
			require.Contains(t, found[0], c.want)
		}
	})
}
