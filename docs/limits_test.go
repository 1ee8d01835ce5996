package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestLimitsAreSaidAlike: what the SQL of both engines checks and says, and what documents say, is what dialects/limits.go says.
func TestLimitsAreSaidAlike(t *testing.T) {
	var policies []string
	for _, p := range dialects.Policies() {
		policies = append(policies, string(p))
	}
	oracleName := func(name string) string {
		return strings.ToLower(regexp.MustCompile(`\B[A-Z]`).ReplaceAllString(name, "_$0"))
	}
	mssql, oracle := sqlText(t, "mssql"), sqlText(t, "oracle")
	for name, words := range map[string][]string{
		"OnError": dialects.OnErrors(), "OnOrphan": dialects.OnOrphans(), "Access": dialects.Accesses(), "Overlap": dialects.Overlaps(), "Missed": dialects.MissedPolicies(), "Policy": policies,
	} {
		last := len(words) - 1
		want := []string{strings.Join(words[:last], ", ") + " or " + words[last]}
		const list = ` must be ((?:\w+, )*\w+ or \w+)`
		require.Equal(t, want, set(`@`+name+list, mssql), name)
		require.Equal(t, want, set(`in_`+oracleName(name)+list, oracle), name)
	}
	for name, r := range map[string][2]int{
		"Priority": {-dialects.MaxPriority, dialects.MaxPriority}, "Weight": {1, dialects.MaxWeight}, "MaxAttempts": {1, dialects.MaxAttempts},
		"Capacity": {1, dialects.MaxCapacity}, "RetryDelaySeconds": {0, int(dialects.MaxRetryDelay / time.Second)},
	} {
		require.Equal(t, []string{fmt.Sprintf("%d AND %d", r[0], r[1])}, set(`@`+name+` NOT BETWEEN (-?\d+ AND \d+)`, mssql), name)
		require.Equal(t, []string{fmt.Sprintf("%d to %d", r[0], r[1])}, set(`@`+name+` must be from (-?\d+ to \d+)`, mssql), name)
		require.Equal(t, []string{fmt.Sprintf("%d, %d", r[0], r[1])}, set(`in_`+oracleName(name)+`', [\w.]+, (-?\d+, \d+)`, oracle), name)
	}
	concepts := read(t, "docs/concepts.md")
	for _, word := range slices.Concat(dialects.ProcessStatuses(), dialects.TaskStatuses(), dialects.Outcomes(), policies, dialects.Overlaps(), dialects.MissedPolicies()) {
		if word != "Running" { // says itself
			require.Contains(t, concepts, "`"+word+"`")
		}
	}
	require.Contains(t, read(t, "docs/limits.md"), fmt.Sprintf("At most %d.", dialects.MaxLanes))
}
