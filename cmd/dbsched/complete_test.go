package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompletion: shell completion gets the values of flags and arguments, without a connection.
func TestCompletion(t *testing.T) {
	path := targets(t, twoTargets)
	for typed, want := range map[string]string{
		"logs --status F":           "Running Succeeded Failed Orphaned TimedOut Cancelled Outage",
		"logs --status=Failed,":     "Failed,Running Failed,Succeeded Failed,Failed Failed,Orphaned Failed,TimedOut Failed,Cancelled Failed,Outage",
		"status --target ":          "empty prod test",
		"status --dialect ":         "fake",
		"tasks --output ":           "table json",
		"policy ":                   "Fifo Priority RoundRobin",
		"cancel ":                   "task process",
		"exec x --order 1 --access": "--access",
		"demo --clock ":             "real fast",
	} {
		r := run{env: map[string]string{"DBSCHED_CONFIG": path}}
		r.do(t, append([]string{"__complete"}, strings.Split(typed, " ")...)...)
		require.Zero(t, r.code, r.err)
		var got []string
		for line := range strings.Lines(r.out) {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); !strings.HasPrefix(word, ":") {
				got = append(got, word)
			}
		}
		require.Equal(t, want, strings.Join(got, " "), typed)
		require.Empty(t, r.scheduler.calls)
	}
}
