package certify

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// on returns the server that a test tries.
func on(t *testing.T, box *sandbox.Server) On {
	t.Helper()
	d, err := registry.All().ByDSN(box.DSN())
	require.NoError(t, err)
	return On{d, dialects.Target{DSN: box.DSN(), Dial: box.Dial}}
}

// TestRun: everything that one connection can try is tried, works, and leaves nothing.
func TestRun(t *testing.T) {
	for _, dialect := range []string{"mssql", "oracle"} {
		t.Run(dialect, func(t *testing.T) {
			sandboxtest.Run(t, sandbox.Options{Dialect: dialect}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
				r, err := Run(t.Context(), on(t, box), Options{Step: func(line string) { t.Log(line) }})
				require.NoError(t, err)
				require.Empty(t, r.Left)
				for _, x := range r.Results {
					if x.Verdict != NotTried {
						require.Equal(t, Works, x.Verdict, "%+v", x)
					}
				}
			})
		})
	}
}
