package mssql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// The script of grants disconnects nobody where Service Broker is on, and gives nobody a right by itself.
func TestRenderGrants(t *testing.T) {
	var script strings.Builder
	require.NoError(t, Dialect{}.RenderGrants(&script, dialects.Layout{Schema: "s"}))
	require.Contains(t, script.String(), "is_broker_enabled = 0)\n    ALTER DATABASE CURRENT SET ENABLE_BROKER")
	require.Contains(t, script.String(), "\n-- ALTER ROLE db_owner ADD MEMBER")
	require.Error(t, Dialect{}.RenderGrants(&script, dialects.Layout{Schema: "a]b"}))
}
