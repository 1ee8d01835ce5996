package mssql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// The grants script disconnects nobody where Service Broker is on, and grants nobody a right by itself.
func TestRenderGrants(t *testing.T) {
	var script strings.Builder
	require.NoError(t, Dialect{}.RenderGrants(&script, dialects.Layout{Schema: "s"}))
	require.Contains(t, script.String(), "is_broker_enabled = 0)\n    ALTER DATABASE CURRENT SET ENABLE_BROKER")
	require.Contains(t, script.String(), "\n-- ALTER ROLE db_owner ADD MEMBER")
	require.Error(t, Dialect{}.RenderGrants(&script, dialects.Layout{Schema: "a]b"}))
}

// TestRenderTrust refuses names that a script cannot hold before it writes anything.
func TestRenderTrust(t *testing.T) {
	long := strings.Repeat("x", 129)
	for _, names := range [][]string{{""}, {"a", "a"}, {"a$(b)"}, {"a\nGO"}, {"a\xff"}, {long}, {strings.Repeat("\U0001F600", 65)}} {
		for _, trust := range []dialects.Trust{{Users: names, Targets: []string{"t"}}, {Users: []string{"a"}, Targets: names}} {
			var script strings.Builder
			require.ErrorAs(t, Dialect{}.RenderTrust(&script, dialects.Layout{Schema: "s"}, trust), new(*dialects.UsageError), "%q", names)
			require.Empty(t, script.String())
		}
	}
	var script strings.Builder
	require.NoError(t, Dialect{}.RenderTrust(&script, dialects.Layout{Schema: "s"}, dialects.Trust{Users: []string{long[1:], "o'brien]"}, Targets: []string{"[a] 'b'"}}))
	require.Contains(t, script.String(), "USE [[a]] 'b'];\nGO\n")
	require.Contains(t, script.String(), "(N'o''brien]')")
}
