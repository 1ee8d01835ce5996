package textdiff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnified(t *testing.T) {
	require.Empty(t, Unified("a\nb", "a\nb"))
	require.Equal(t, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", Unified("a\nb\nc", "a\nB\nc"))
	require.Equal(t, "@@ -1,1 +1,2 @@\n a\n+b\n", Unified("a", "a\nb"))
	many := strings.Split("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", " ")
	a := strings.Join(many, "\n")
	many[1], many[17] = "two", "eighteen"
	require.Equal(t, "@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -15,6 +15,6 @@\n 15\n 16\n 17\n-18\n+eighteen\n 19\n 20\n", Unified(a, strings.Join(many, "\n")))
}
