package migrations_test

import (
	"fmt"

	"github.com/dbsched/dbsched/migrations"
)

// The migrations of an installation, in the order of their versions.
func ExampleUp() {
	files, err := migrations.MSSQL("jobs", nil)
	if err != nil {
		panic(err)
	}
	all, err := migrations.Up(files)
	if err != nil {
		panic(err)
	}
	for _, m := range all {
		fmt.Println(m.Version, m.File)
	}
	// Output: 1 0001_tables.up.sql
}
