package sandbox_test

import (
	"context"
	"database/sql"
	"fmt"

	_ "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/sandbox"
)

// A SQL Server for a test: any client can connect with its DSN.
func ExampleStart() {
	server, err := sandbox.Start(context.Background(), sandbox.Options{Clock: "fast", Seed: 1})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	db, err := sql.Open("sqlserver", server.DSN())
	if err != nil {
		panic(err)
	}
	defer db.Close()
	var name string
	if err := db.QueryRow("SELECT DB_NAME();").Scan(&name); err != nil {
		panic(err)
	}
	fmt.Println(name)
	// Output: sandbox
}
