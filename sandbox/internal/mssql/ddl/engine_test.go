package ddl_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
)

var update = flag.Bool("update", false, "write the transcript anew")

// TestDefinitionsInTheEngine runs testdata/engine.sql, batches between lines "go", in a whole engine and
// compares what comes back: definitions as expressions use them, and as the system views show them.
func TestDefinitionsInTheEngine(t *testing.T) {
	k := kernel.New(kernel.Options{Clock: kernel.Simulated, Seed: 1})
	t.Cleanup(k.Close)
	srv, err := mssql.New(k, mssql.Options{Password: "x"})
	require.NoError(t, err)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	script, err := os.ReadFile("testdata/engine.sql")
	require.NoError(t, err)
	var out strings.Builder
	for batch := range strings.SplitSeq(string(script), "\ngo\n") {
		r, _ := s.Exec(batch)
		first, _, _ := strings.Cut(batch, "\n")
		fmt.Fprintf(&out, "# %s\n", first)
		for _, set := range r.Sets {
			for _, row := range set.Rows {
				fmt.Fprintln(&out, row)
			}
			fmt.Fprintln(&out, "--")
		}
		for _, e := range r.Errors {
			fmt.Fprintln(&out, e)
		}
	}
	const golden = "testdata/engine.out"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
		return
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}
