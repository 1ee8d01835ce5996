package docs

import (
	"context"
	"database/sql"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/sandbox"
)

// installed returns a database in which dbsched is installed and started, and the examples' own objects are there.
func installed(t *testing.T) *sql.DB {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	box, err := sandbox.Start(ctx, sandbox.Options{Dialect: "mssql", Clock: "fast", Seed: 1})
	require.NoError(t, err)
	dialect, err := registry.All().ByDSN(box.DSN())
	require.NoError(t, err)
	scheduler, err := dialect.Open(t.Context(), dialects.Target{DSN: box.DSN(), Schema: "dbsched"})
	require.NoError(t, err)
	_, err = scheduler.Install(t.Context(), dialects.InstallOptions{Lanes: 8, LockTimeout: time.Second})
	require.NoError(t, err)
	require.NoError(t, scheduler.Start(t.Context()))
	require.NoError(t, scheduler.Close())

	db, err := sql.Open("sqlserver", box.DSN())
	require.NoError(t, err)
	db.SetMaxIdleConns(0) // an idle connection holds up the fast clock
	t.Cleanup(func() {
		_ = db.Close()
		cancel()
		require.NoError(t, box.Wait())
	})
	for _, batch := range []string{
		"CREATE USER etl WITHOUT LOGIN;", "CREATE USER monitor WITHOUT LOGIN;", "CREATE USER dba WITHOUT LOGIN;",
		"CREATE SCHEMA etl;", "CREATE PROCEDURE etl.LoadCustomers AS SELECT 1;", "CREATE PROCEDURE etl.LoadOrders AS SELECT 1;",
		"CREATE PROCEDURE etl.BuildFacts AS SELECT 1;", "CREATE PROCEDURE dbo.LoadOrders AS SELECT 1;",
	} {
		_, err := db.ExecContext(t.Context(), batch)
		require.NoError(t, err, batch)
	}
	return db
}

// batches returns the fenced blocks of T-SQL of a page, and the statements in its text.
func batches(text string) []string {
	var all []string
	for _, m := range regexp.MustCompile("(?ms)^```sql\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	for _, m := range regexp.MustCompile("`((?:SELECT|EXEC|EXECUTE|ALTER|CREATE) [^`]*;)`").FindAllStringSubmatch(withoutFences(text), -1) {
		all = append(all, m[1])
	}
	return all
}

// What quickstart.md and interface.md show works as it stands.
func TestExamplesRun(t *testing.T) {
	for _, page := range []string{"docs/quickstart.md", "docs/interface.md"} {
		t.Run(strings.TrimPrefix(page, "docs/"), func(t *testing.T) {
			db := installed(t)
			// The examples' process 7.
			_, err := db.ExecContext(t.Context(), "DECLARE @N int = 0; WHILE @N < 8 BEGIN EXEC dbsched.CreateProcess N'example'; SET @N = @N + 1; END;")
			require.NoError(t, err)
			all := batches(read(t, page))
			require.Greater(t, len(all), 5)
			for _, batch := range all {
				_, err := db.ExecContext(t.Context(), "EXEC dbsched.StartScheduler;") // another example may have stopped it
				require.NoError(t, err)
				_, err = db.ExecContext(t.Context(), batch)
				require.NoError(t, err, batch)
			}
			if page != "docs/quickstart.md" {
				return
			}
			var succeeded, others int
			err = db.QueryRowContext(t.Context(), `SELECT COUNT(CASE WHEN Status = 'Succeeded' THEN 1 END), COUNT(CASE WHEN Status <> 'Succeeded' THEN 1 END)
FROM dbsched.TaskInfo WHERE ProcessId > 1;`).Scan(&succeeded, &others)
			require.NoError(t, err)
			require.Equal(t, 3, succeeded, "tasks of the nightly load")
			require.Zero(t, others)
		})
	}
}
