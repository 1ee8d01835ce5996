package certify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// mssqlCensus is all that a run could leave: names, and what hangs on them.
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

// census returns all rows of mssqlCensus.
func census(t *testing.T, on On) string {
	t.Helper()
	on.Target.Schema = mssqlSchema
	db, err := on.Dialect.OpenDB(t.Context(), on.Target)
	require.NoError(t, err)
	defer db.Close()
	var all strings.Builder
	for _, query := range mssqlCensus {
		found, err := rows(t.Context(), db, query)
		require.NoError(t, err, query)
		lines := make([]string, len(found))
		for i, row := range found {
			lines[i] = strings.Join(row, "\t")
		}
		all.WriteString(query + "\n" + strings.Join(lines, "\n") + "\n")
	}
	return all.String()
}

// TestMSSQLProbes: whoever may do everything can try everything, all of it works, and nothing of it is left.
func TestMSSQLProbes(t *testing.T) {
	for name, o := range map[string]sandbox.Options{
		"2022": {},
		"2025": {OptimizedLocking: true, ReadCommittedSnapshot: true},
	} {
		t.Run(name, func(t *testing.T) {
			sandboxtest.Run(t, o, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				on := on(t, box)
				before := census(t, on)
				r, err := Run(t.Context(), on, Options{Invasive: true, Step: func(line string) { t.Log(line) }})
				require.NoError(t, err)
				require.Empty(t, r.Left)
				for _, x := range r.Results {
					t.Logf("%s: %s, %s%s after %d ms", x.Probe, x.Verdict, x.Seen, x.Why, x.Took)
				}
				for _, x := range r.Results {
					if x.Elsewhere == "" {
						require.Equal(t, Works, x.Verdict, "%+v", x)
					}
				}
				t.Log(r.Server)
				require.Equal(t, before, census(t, on))
			})
		})
	}
}
