package dialects

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestElsewhere: where the database is now is no place to which it may move.
func TestElsewhere(t *testing.T) {
	require.Equal(t, []string{"SRV2", "SRV3"}, Elsewhere("SRV1,SRV2,SRV3", "srv1"))
	require.Equal(t, []string{"SRV1", "SRV3"}, Elsewhere("SRV1,SRV2,SRV3", "SRV2"), "it has moved")
	require.Equal(t, []string{"SRV2"}, Elsewhere("SRV2", "SRV22"))
	require.Empty(t, Elsewhere("SRV1", "SRV1"))
	require.Nil(t, Elsewhere("", "SRV1"))
	require.Equal(t, "after a move the database goes on on any of SRV2, SRV3", MovesCheck(Status{AlsoOn: []string{"SRV2", "SRV3"}}).Text)
}
