package integration

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/certify"
)

// TestServerIsAsAssumed: the server answers as dbsched assumes, or in a way that dbsched is ready for: what `dbsched certify` shows. docs/live.md lists the
// points; most are those that the documentation leaves open.
func TestServerIsAsAssumed(t *testing.T) {
	each(t, setup{bare: true}, func(h *harness) {
		on := certify.On{Dialect: h.dialect, Target: dialects.Target{Dial: h.server.dial(), DSN: h.server.dsnAs("dbsched-test")}}
		r, err := certify.Run(h.Context(), on, certify.Options{Invasive: true, Quick: true, Step: func(string) {}})
		require.NoError(h, err)
		require.Empty(h, r.Left)
		for _, x := range r.Results {
			h.Logf("LIVE %s, %s: %s %s%s", h.dialect.Name(), x.Probe, x.Verdict, x.Seen, x.Why)
			if x.Verdict == certify.Fails || h.server.box != nil && x.Verdict == certify.Unknown {
				h.Errorf("%s: %s", x.Probe, x.Means)
			}
		}
	})
}
