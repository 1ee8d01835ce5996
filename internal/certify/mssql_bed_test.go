package certify

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMSSQLNoReader: an activation that never began is not taken for a late one.
func TestMSSQLNoReader(t *testing.T) {
	installed(t, lying("mssql"), func(t *testing.T, p *place) {
		t.Helper()
		b := &bed{place: p}
		defer b.close()
		s, err := b.session(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.exec(t.Context(), b.table("Noted", "N int NOT NULL")))
		require.ErrorIs(t, s.noted(t.Context(), b, "Noted", 2), noReader)
		require.NoError(t, s.exec(t.Context(), "INSERT INTO "+b.name("Noted")+" (N) VALUES (1)"))
		require.ErrorIs(t, s.noted(t.Context(), b, "Noted", 2), errLate)
	})
}
