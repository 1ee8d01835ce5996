package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/cli"
)

// TestCommitOf: a build of one's own is named by the commit that the Go tool noted.
func TestCommitOf(t *testing.T) {
	revision, clean := debug.BuildSetting{Key: "vcs.revision", Value: "abc123"}, debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	for want, settings := range map[string][]debug.BuildSetting{
		"":                     {{Key: "GOOS", Value: "linux"}},
		"abc123":               {revision, clean},
		"abc123, with changes": {{Key: "vcs.modified", Value: "true"}, revision},
	} {
		require.Equal(t, want, commitOf(settings))
	}
}

// TestVersionWithoutCommit: tests are built without a commit, as with -buildvcs=false.
func TestVersionWithoutCommit(t *testing.T) {
	require.Empty(t, buildCommit())
	var r run
	r.do(t, "version")
	require.Regexp(t, `(?m)^commit +built from source, commit unknown$`, r.out)
	r.do(t, "version", "-o", "json")
	require.Contains(t, r.out, `"commit": "unknown"`)
	require.Equal(t, ", built from source, commit unknown", build(&cli.App{}))
}
