package mssql

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	contract "github.com/golang-migrate/migrate/v4/database/testing"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox"
)

// strange is a schema name that every statement must quote.
const strange = "o'brien & sons"

// inSchema opens a scheduler on a sandbox that has the schema, and returns it with a function that opens drivers.
func inSchema(t *testing.T, box *sandbox.Server, dial dialects.DialFunc) (*scheduler, func() database.Driver) {
	t.Helper()
	opened, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: box.DSN(), Dial: dial, Schema: strange})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	s := opened.(*scheduler)
	_, err = s.DB.ExecContext(t.Context(), "CREATE SCHEMA [o'brien & sons];")
	require.NoError(t, err)
	return s, func() database.Driver {
		d, err := newDriver(t.Context(), s.pool(), strange)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		return d
	}
}

// served is inSchema on a sandbox that is served over TCP.
func served(t *testing.T) (*scheduler, func() database.Driver) {
	t.Helper()
	box, err := sandbox.Start(t.Context(), sandbox.Options{Seed: 1, Clock: "fast"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, box.Close()) })
	return inSchema(t, box, nil)
}

// tablesAndTypes counts the objects and types of the schema.
func tablesAndTypes(t *testing.T, s *scheduler) (n int) {
	t.Helper()
	require.NoError(t, s.DB.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM (SELECT o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'o''brien & sons')
UNION ALL SELECT t.name FROM sys.types AS t WHERE t.schema_id = SCHEMA_ID(N'o''brien & sons')) AS v;`).Scan(&n))
	return n
}

// The suite that golang-migrate requires its own drivers to pass.
func TestDriverContract(t *testing.T) {
	s, open := served(t)
	contract.Test(t, open(), []byte("CREATE TABLE [o'brien & sons].T (N int NOT NULL PRIMARY KEY);\nINSERT INTO [o'brien & sons].T (N) VALUES (1);"))
	require.Zero(t, tablesAndTypes(t, s), "Drop leaves nothing")
}

func TestDriverMigratesUpAndDown(t *testing.T) {
	s, open := served(t)
	files, err := migrations.MSSQL(strange, nil)
	require.NoError(t, err)
	src, err := iofs.New(files, ".")
	require.NoError(t, err)
	m, err := migrate.NewWithInstance("iofs", src, "mssql", open())
	require.NoError(t, err)
	contract.TestMigrateUp(t, m)
	require.NoError(t, m.Down())
	require.Equal(t, 2, tablesAndTypes(t, s), "the version table and its key")
	require.NoError(t, m.Up())
	contract.TestMigrateDrop(t, m)
	require.Zero(t, tablesAndTypes(t, s))
}

func TestDriverLocksOutOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := sandboxtest.Start(t, sandbox.Options{Seed: 1})
		_, open := inSchema(t, box, box.Dial)
		one, two := open(), open()
		require.NoError(t, one.Lock())
		require.ErrorIs(t, one.Lock(), database.ErrLocked)
		since := time.Now()
		require.ErrorContains(t, two.Lock(), "held by another session")
		require.Equal(t, migrateWait, time.Since(since).Round(time.Second))
		require.ErrorIs(t, two.Unlock(), database.ErrNotLocked)
		require.NoError(t, one.Unlock())
		require.NoError(t, two.Lock())
		require.NoError(t, two.Unlock())
	})
}

func TestDriverReportsWhatIsRefused(t *testing.T) {
	_, open := served(t)
	d := open()
	var failed database.Error
	require.ErrorAs(t, d.Run(strings.NewReader("SELECT nowhere;")), &failed)
	require.ErrorContains(t, failed.OrigErr, "Invalid column name 'nowhere'")
	_, err := d.Open("sqlserver://sa:hush@h?database=d")
	require.EqualError(t, err, "this driver needs a connection, not a URL")
}
