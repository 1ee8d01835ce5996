package templates_test

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/templates"
)

// A script of the whole installation, for sqlcmd.
func ExamplePrint() {
	batches, err := templates.MSSQL(templates.Params{Schema: "jobs", Lanes: 2, Version: "example"})
	if err != nil {
		panic(err)
	}
	var script strings.Builder
	if err := templates.Print(&script, batches); err != nil {
		panic(err)
	}
	for line := range strings.Lines(script.String()) {
		if strings.HasPrefix(line, "CREATE OR ALTER PROCEDURE [jobs].ExecAsync\n") {
			fmt.Print(line)
		}
	}
	// Output: CREATE OR ALTER PROCEDURE [jobs].ExecAsync
}
