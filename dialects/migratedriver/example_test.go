package migratedriver_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	_ "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects/migratedriver"
	"github.com/dbsched/dbsched/sandbox"
)

// A driver for an engine says how to lock, how to run a migration, and how to keep the version.
func ExampleNew() {
	ctx := context.Background()
	server, err := sandbox.Start(ctx, sandbox.Options{Clock: "fast", Seed: 1})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	db, err := sql.Open("sqlserver", server.DSN())
	if err != nil {
		panic(err)
	}
	driver, err := migratedriver.New(ctx, db, func(conn *sql.Conn) (migratedriver.Engine, error) {
		do := func(statement string) func() error {
			return func() error { _, err := conn.ExecContext(ctx, statement); return err }
		}
		return migratedriver.Engine{
			Lock:    do("EXEC sp_getapplock N'migrations', N'Exclusive', N'Session', 0;"),
			Unlock:  do("EXEC sp_releaseapplock N'migrations', N'Session';"),
			Run:     func(script string) error { return do(script)() },
			Version: "SELECT v.Version, v.Dirty FROM dbo.Version AS v;",
			Delete:  "DELETE FROM dbo.Version;",
			Insert:  "INSERT INTO dbo.Version (Version, Dirty) VALUES (@p1, @p2);",
		}, do("CREATE TABLE dbo.Version (Version int NOT NULL, Dirty bit NOT NULL);")()
	})
	if err != nil {
		panic(err)
	}
	defer driver.Close()
	if err := driver.Run(strings.NewReader("CREATE TABLE dbo.Orders (Id int NOT NULL);")); err != nil {
		panic(err)
	}
	if err := driver.SetVersion(1, false); err != nil {
		panic(err)
	}
	fmt.Println(driver.Version())
	// Output: 1 false <nil>
}
