package parser

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSyntax: wrong texts are reported as wrong and right ones are not, whether or not they are modeled.
func TestSyntax(t *testing.T) {
	lines, err := os.ReadFile("testdata/syntax.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(lines)) {
		want, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if want == "" || want == "#" {
			continue
		}
		_, err := Statement(strings.TrimSpace(text))
		got := "taken"
		if e := (*Error)(nil); errors.As(err, &e) {
			got = map[bool]string{true: "refused", false: "wrong"}[e.Refused()]
		}
		require.Equal(t, want, got, "%s: %v", text, err)
	}
}
