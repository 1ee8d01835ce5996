package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// TestMSSQLQueuesAreAsPromised: each queue of dbsched's, as the catalog shows it: one reader that runs as its owner, whatever fails in it; installing again
// brings that back, one setting at a time, and touches no queue of others.
func TestMSSQLQueuesAreAsPromised(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		s.exec("CREATE SCHEMA other; ")
		s.exec("CREATE QUEUE other.Lane_03 WITH STATUS = OFF; CREATE QUEUE other.Dispatch WITH STATUS = ON;")
		const settings = "SELECT s.name, q.name, q.is_activation_enabled, q.activation_procedure, q.max_readers, q.execute_as_principal_id, q.is_receive_enabled, q.is_enqueue_enabled, q.is_retention_enabled, q.is_poison_message_handling_enabled " +
			"FROM sys.service_queues AS q INNER JOIN sys.schemas AS s ON s.schema_id = q.schema_id WHERE q.is_ms_shipped = 0 ORDER BY s.name, q.name;"
		sound := s.rows(settings)
		require.Len(h, sound, 5)
		for i, name := range []string{"Dispatch", "Lane_01", "Lane_02"} {
			require.Equal(h, []string{"dbsched", name, "true", "[dbsched].[" + name + "_Activated]", "1", "-2", "true", "true", "false", "false"}, sound[i], name)
		}
		for _, q := range []string{"Dispatch", "Lane_01"} {
			for _, change := range []string{
				"STATUS = OFF", "ACTIVATION (STATUS = OFF)", "POISON_MESSAGE_HANDLING (STATUS = ON)", "ACTIVATION (MAX_QUEUE_READERS = 2)", "ACTIVATION (EXECUTE AS 'dbo')",
				"ACTIVATION (PROCEDURE_NAME = dbsched.Lane_02_Activated)",
			} {
				s.exec("ALTER QUEUE dbsched." + q + " WITH " + change + ";")
				require.NotEqual(h, sound, s.rows(settings), change)
				_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2, DrainTimeout: time.Minute})
				require.NoError(h, err, change)
				require.Equal(h, sound, s.rows(settings), "%s %s", q, change)
			}
		}
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestMSSQLInstallationThatFails: an error in the last part arrives as it is, and leaves the session, the settings and the lanes as they were.
func TestMSSQLInstallationThatFails(t *testing.T) {
	onMSSQL(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		s := h.session()
		s.exec("ALTER TABLE dbsched.Lanes WITH NOCHECK ADD CONSTRAINT Fault CHECK (LaneId <> 4);")
		before := [][]row{h.rowsOf(s, "settings"), h.rowsOf(s, "lanes")}
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 5})
		require.ErrorContains(h, err, `"Fault"`)
		require.NotContains(h, err.Error(), "ROLLBACK")
		require.Equal(h, before, [][]row{h.rowsOf(s, "settings"), h.rowsOf(s, "lanes")})

		// The same by hand, in a session that goes on.
		batches, err := templates.MSSQL(templates.Params{Schema: "dbsched", Lanes: 5, Version: h.status().Version})
		require.NoError(h, err)
		byHand := h.session()
		failed := 0
		for _, b := range batches {
			if err := byHand.try(b.SQL); err != nil {
				failed++
				require.ErrorContains(h, err, `"Fault"`, b.Name)
				require.NotContains(h, err.Error(), "ncommittable")
			}
			require.Equal(h, [][]string{{"0", "dbo"}}, byHand.rows("SELECT @@TRANCOUNT, USER_NAME();"), b.Name)
		}
		require.Equal(h, 1, failed)
		require.Equal(h, before, [][]row{h.rowsOf(s, "settings"), h.rowsOf(s, "lanes")})
		s.exec("ALTER TABLE dbsched.Lanes DROP CONSTRAINT Fault;")
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 5})
		require.NoError(h, err)
		require.Equal(h, 5, h.status().MaxLanes)
	})
}

// TestMSSQLInstallScriptRefuses: the script that is printed, and the program, refuse what dbsched cannot be installed into, or would take over.
func TestMSSQLInstallScriptRefuses(t *testing.T) {
	onMSSQL(t, setup{bare: true}, func(h *harness) {
		run := func(s *session, schema string) error {
			batches, err := templates.MSSQL(templates.Params{Schema: schema, Lanes: 1, Version: "1.2.3"})
			require.NoError(h, err)
			for _, b := range batches {
				if err := s.try(b.SQL); err != nil {
					return err
				}
			}
			return nil
		}
		s := h.session()
		s.exec("CREATE USER anna WITHOUT LOGIN;")
		before := h.inventory()
		require.ErrorContains(h, run(h.as("anna"), "dbsched"), "dbsched 51083: ")
		for _, system := range []string{"master", "msdb", "tempdb"} {
			in := h.session()
			in.exec("USE " + system + ";")
			require.ErrorContains(h, run(in, "dbsched"), "dbsched 51082: ", system)
		}
		require.Equal(h, before, h.inventory())

		foreign := map[string]string{
			"_owner": "CREATE ROLE %s;", "_user": "CREATE USER %s WITHOUT LOGIN;", "_reader": "CREATE USER %s WITHOUT LOGIN;", "_admin": "CREATE USER %s WITHOUT LOGIN;", "_locks": "CREATE USER %s WITHOUT LOGIN;",
			"": "CREATE SCHEMA %[1]s AUTHORIZATION dbo;\nCREATE TABLE %[1]s.Mine (N int NOT NULL);",
		}
		login := fmt.Sprintf("dbsched_test_%d", h.now().UnixNano())
		s.exec("CREATE LOGIN " + login + " WITH PASSWORD = 'Quite-secret-1';")
		h.dropLogin(login)
		s.exec("CREATE USER withlogin_owner FOR LOGIN " + login + ";")
		foreign["withlogin"] = ""
		for name, text := range sorted(foreign) {
			schema := "x" + name
			if text == "" {
				schema = name
			}
			for statement := range strings.SplitSeq(text, "\n") {
				if statement != "" {
					s.exec(strings.ReplaceAll(strings.ReplaceAll(statement, "%[1]s", schema), "%s", schema+name))
				}
			}
			require.ErrorContains(h, run(h.session(), schema), "51084", schema)
			_, err := h.open(schema).Install(h.Context(), dialects.InstallOptions{Lanes: 1})
			require.ErrorContains(h, err, "51084", schema)
			require.Empty(h, s.rows("SELECT o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'"+schema+"') AND o.name <> N'Mine';"))
		}

		// A schema that is empty is taken; so is one that has been dbsched's.
		s.exec("CREATE SCHEMA dbsched AUTHORIZATION dbo;")
		for range 2 {
			_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 1})
			require.NoError(h, err)
			require.Equal(h, "dbsched_owner", s.value("SELECT USER_NAME(s.principal_id) FROM sys.schemas AS s WHERE s.name = N'dbsched';"))
			s.exec("ALTER AUTHORIZATION ON SCHEMA::dbsched TO dbo;")
		}
	})
}
