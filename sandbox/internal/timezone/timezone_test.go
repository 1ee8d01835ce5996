package timezone_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/timezone"
)

// Each region has one name and one number, and all have rules except those that only Oracle has.
func TestRegions(t *testing.T) {
	text, err := os.ReadFile("regions.txt")
	require.NoError(t, err)
	numbers := map[string]bool{}
	without := 0
	for line := range strings.Lines(string(text)) {
		number, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		require.False(t, numbers[number], line)
		numbers[number] = true
		l, known := timezone.Find(strings.ToUpper(name))
		require.True(t, known, line)
		if l == nil {
			without++
			continue
		}
		require.Equal(t, name, l.String())
		require.Same(t, l, timezone.ByNumber(timezone.Number(l)))
	}
	require.Equal(t, 10, without)
	for _, name := range []string{"Mars/Olympus", "", "\x002"} { // the last: numbers are not names
		_, known := timezone.Find(name)
		require.False(t, known, "%q", name)
	}
}
