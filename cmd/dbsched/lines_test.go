package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/dialects/oracle"
)

// TestRenderedLines: a DBA reads all of it before installing it. Only a new feature may raise these numbers. Blank lines and comments
// do not count; a line of more than 150 characters counts as those that it should be.
func TestRenderedLines(t *testing.T) {
	for _, c := range []struct {
		dialect dialects.Dialect
		most    int
	}{{mssql.Dialect{}, 6445}, {oracle.Dialect{}, 7251}} {
		var text strings.Builder
		require.NoError(t, c.dialect.Render(&text, dialects.Layout{Schema: "app", Lanes: 16}))
		lines := 0
		for line := range strings.Lines(text.String()) {
			if code := strings.TrimSpace(line); code != "" && !strings.HasPrefix(code, "--") {
				lines += (len(strings.TrimRight(line, "\r\n")) + 149) / 150
			}
		}
		require.LessOrEqual(t, lines, c.most, c.dialect.Name())
	}
}
