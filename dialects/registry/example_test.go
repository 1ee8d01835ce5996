package registry_test

import (
	"context"
	"fmt"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/sandbox"
)

// Install dbsched on whatever engine a DSN belongs to.
func ExampleAll() {
	ctx := context.Background()
	server, err := sandbox.Start(ctx, sandbox.Options{Clock: "fast", Seed: 1})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	dialect, err := registry.All().ByDSN(server.DSN())
	if err != nil {
		panic(err)
	}
	db, err := dialect.Open(ctx, dialects.Target{DSN: server.DSN(), Schema: dialect.DefaultSchema()})
	if err != nil {
		panic(err)
	}
	defer db.Close()
	fmt.Println(dialect.Name(), db.Schema())
	// Output: mssql dbsched
}
