package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLUninstallRefusesWhatIsForeign: whatever is in dbsched's schema, or belongs to its owner, and is not dbsched's, however it is called, stops an
// uninstallation before anything is dropped, and is named.
func TestMSSQLUninstallRefusesWhatIsForeign(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		foreign := map[string]struct{ make, drop string }{
			"Mine":              {"CREATE PROCEDURE dbsched.Mine AS RETURN 0;", "DROP PROCEDURE dbsched.Mine;"},
			"AView":             {"CREATE VIEW dbsched.AView AS SELECT 1 AS N;", "DROP VIEW dbsched.AView;"},
			"Zeta":              {"CREATE FUNCTION dbsched.Zeta () RETURNS int AS BEGIN RETURN 1; END;", "DROP FUNCTION dbsched.Zeta;"},
			"Inline":            {"CREATE FUNCTION dbsched.Inline () RETURNS TABLE AS RETURN (SELECT 1 AS N);", "DROP FUNCTION dbsched.Inline;"},
			"Waiting":           {"CREATE QUEUE dbsched.Waiting;", "DROP QUEUE dbsched.Waiting;"},
			"Lane_1":            {"CREATE QUEUE dbsched.Lane_1;", "DROP QUEUE dbsched.Lane_1;"},
			"Lane_011":          {"CREATE QUEUE dbsched.Lane_011;", "DROP QUEUE dbsched.Lane_011;"},
			"Lane007":           {"CREATE QUEUE dbsched.Lane007;", "DROP QUEUE dbsched.Lane007;"},
			"Lane_07":           {"CREATE TABLE dbsched.Lane_07 (N int NOT NULL);", "DROP TABLE dbsched.Lane_07;"},
			"Lane_07_Activated": {"CREATE VIEW dbsched.Lane_07_Activated AS SELECT 1 AS N;", "DROP VIEW dbsched.Lane_07_Activated;"},
			"Lane_7_Activated":  {"CREATE PROCEDURE dbsched.Lane_7_Activated AS RETURN 0;", "DROP PROCEDURE dbsched.Lane_7_Activated;"},
			"RunAs_x":           {"CREATE PROCEDURE dbsched.RunAs_x AS RETURN 0;", "DROP PROCEDURE dbsched.RunAs_x;"},
			"RunAs5":            {"CREATE PROCEDURE dbsched.RunAs5 AS RETURN 0;", "DROP PROCEDURE dbsched.RunAs5;"},
			"RunAs_5":           {"CREATE TABLE dbsched.RunAs_5 (N int NOT NULL);", "DROP TABLE dbsched.RunAs_5;"},
			"List":              {"CREATE TYPE dbsched.List AS TABLE (N int NOT NULL);", "DROP TYPE dbsched.List;"},
			"Theirs":            {"CREATE TABLE dbo.Theirs (N int NOT NULL);\nALTER AUTHORIZATION ON OBJECT::dbo.Theirs TO dbsched_owner;", "DROP TABLE dbo.Theirs;"},
		}
		before := h.inventory()[0]
		for name, f := range sorted(foreign) {
			for statement := range strings.SplitSeq(f.make, "\n") {
				s.exec(statement)
			}
			_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
			require.ErrorContains(h, err, "51095", name)
			require.ErrorContains(h, err, "["+name+"]", name)
			s.exec(f.drop)
			require.Equal(h, before, h.inventory()[0], "nothing was dropped")
		}
		require.True(h, h.status().Started)
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(id, h.now(), time.Second)

		// Lanes that are not used any more are dbsched's, and so are the modules of the trust script.
		for _, text := range []string{
			"CREATE QUEUE dbsched.Lane_64;", "CREATE PROCEDURE dbsched.Lane_64_Activated AS RETURN 0;", "CREATE PROCEDURE dbsched.RunAs_17 AS RETURN 0;", "CREATE PROCEDURE dbsched.RunAs_5 AS RETURN 0;",
		} {
			s.exec(text)
		}
		h.drain(time.Minute)
		_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Empty(h, s.rows("SELECT o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'dbsched');"))
	})
}

// TestMSSQLUninstallLeavesWhatIsOthers: queues, services, contracts, conversations, types, roles, members and certificates of others are as they were, even
// where their names are like dbsched's.
func TestMSSQLUninstallLeavesWhatIsOthers(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		s := h.session()
		for _, text := range []string{
			"CREATE USER anna WITHOUT LOGIN;", "CREATE ROLE dbsched_users;", "ALTER ROLE dbsched_users ADD MEMBER anna;", "ALTER ROLE db_datareader ADD MEMBER anna;", "CREATE SCHEMA dbsched2;",
			"CREATE TABLE dbsched2.Tasks (N int NOT NULL);", "CREATE PROCEDURE dbsched2.StopScheduler AS RETURN 0;", "CREATE TYPE dbsched2.TaskTable AS TABLE (N int NOT NULL);", "CREATE QUEUE dbsched2.Lane_01;", "CREATE QUEUE dbsched2.Dispatch;",
			"CREATE MESSAGE TYPE [dbsched2/Wake] VALIDATION = NONE;", "CREATE CONTRACT [dbsched2/Contract] ([dbsched2/Wake] SENT BY INITIATOR);", "CREATE SERVICE [dbsched2/Dispatch] ON QUEUE dbsched2.Dispatch ([dbsched2/Contract]);",
			"CREATE CERTIFICATE dbsched_kill2 ENCRYPTION BY PASSWORD = 'Aa1!aaaaaaaa' WITH SUBJECT = 'another';", "CREATE CERTIFICATE dbsched_trust2 ENCRYPTION BY PASSWORD = 'Aa1!aaaaaaaa' WITH SUBJECT = 'another';",
			"DECLARE @h uniqueidentifier; BEGIN DIALOG CONVERSATION @h FROM SERVICE [dbsched2/Dispatch] TO SERVICE 'nowhere' ON CONTRACT [dbsched2/Contract] WITH ENCRYPTION = OFF;", "GRANT SELECT ON dbsched2.Tasks TO anna;",
		} {
			s.exec(text)
		}
		all := func() []string {
			return append(h.inventory(), fmt.Sprint(s.rows("SELECT c.name FROM sys.certificates AS c ORDER BY c.name;")))
		}
		before := all()
		for _, lanes := range []int{1, 3} {
			_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: lanes})
			require.NoError(h, err)
			for _, role := range []string{"user", "reader", "admin"} {
				s.exec("ALTER ROLE dbsched_" + role + " ADD MEMBER anna; ALTER ROLE dbsched_" + role + " ADD MEMBER dbsched_users;")
			}
			require.NoError(h, h.sched.Start(h.Context()))
			h.exec(h.task(1, h.say.nothing))
			h.drain(time.Minute)
			_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
			require.NoError(h, err)
			require.Equal(h, before, all())
		}
	})
}
