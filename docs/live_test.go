package docs

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/certify"
)

// TestLiveIsGenerated: live.md lists the probes of each engine.
func TestLiveIsGenerated(t *testing.T) {
	text, err := os.ReadFile("live.md")
	require.NoError(t, err)
	want := string(text)
	for heading, dialect := range map[string]string{"SQL Server": "mssql", "Oracle": "oracle"} {
		table := regexp.MustCompile(`(?s)(## ` + heading + `\n\n)\|.*?\n(\n|$)`)
		require.Regexp(t, table, want)
		want = table.ReplaceAllString(want, "${1}"+escaped(certify.Table(dialect))+"${2}")
	}
	if *update {
		require.NoError(t, os.WriteFile("live.md", []byte(want), 0o644)) //nolint:gosec // a page of the documentation
		return
	}
	require.Equal(t, want, string(text), "run: go test ./docs -update")
}

// escaped returns a text as a replacement that means itself.
func escaped(s string) string { return regexp.MustCompile(`\$`).ReplaceAllString(s, "$$$$") }
