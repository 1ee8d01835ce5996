package certify

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// TestOracleFewJobProcesses: what is late because the database runs few jobs at once says nothing about it.
func TestOracleFewJobProcesses(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		oracleAdmin(t, box, "alter system set job_queue_processes = 1", "grant select on sys.v_$parameter to app")
		r, err := Run(t.Context(), on(t, box), Options{Quick: true, Step: func(string) {}})
		require.NoError(t, err)
		few := 0
		for _, x := range r.Results {
			t.Logf("%+v", x)
			require.NotContains(t, []Verdict{Unknown, Fails}, x.Verdict, "%+v", x)
			if x.Why == "few job processes: job_queue_processes is less than 10" {
				few++
			}
		}
		require.Positive(t, few)
	})
}

// TestOracleLimits: fewer probes run beside each other where the database allows few jobs or sessions.
func TestOracleLimits(t *testing.T) {
	sandboxtest.Run(t, sandbox.Options{Dialect: "oracle"}, "nothing", sandboxtest.Nothing, func(t *testing.T, box *sandbox.Server) {
		t.Helper()
		p, err := open(t.Context(), on(t, box), engines["oracle"])
		require.NoError(t, err)
		defer p.close()
		require.Equal(t, beside, p.limits(t.Context(), p), "neither can be seen")
		oracleAdmin(t, box, "alter system set job_queue_processes = 12", "grant select on sys.v_$parameter to app")
		require.Equal(t, 3, p.limits(t.Context(), p))
		box.SetSite(sandbox.Site{Limits: map[string]string{"SESSIONS_PER_USER": "23"}})
		require.Equal(t, 2, p.limits(t.Context(), p))
		require.Empty(t, p.few)
		require.Equal(t, oneClock, p.slack)
		box.SetSite(sandbox.Site{Limits: map[string]string{"SESSIONS_PER_USER": "16"}})
		require.Equal(t, 1, p.limits(t.Context(), p))
		require.Contains(t, p.few, "few sessions")
	})
}

// TestOracleLater: of what several instances show, the worst counts.
func TestOracleLater(t *testing.T) {
	worst := ""
	for _, seen := range []struct{ one, worst string }{
		{"within 3 seconds", "within 3 seconds"}, {"later", "later"}, {"within 3 seconds", "later"}, {"not within 20 seconds", "not within 20 seconds"}, {"later", "not within 20 seconds"},
	} {
		worst = oracleLater(worst, seen.one)
		require.Equal(t, seen.worst, worst)
	}
}
