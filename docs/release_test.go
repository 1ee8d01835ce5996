package docs

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// workflow is what the tests look at in a workflow.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		Needs       string
		Environment string
		Permissions map[string]string
		Steps       []struct {
			Uses, Run string
			With      map[string]any
		}
	}
}

// workflows returns all of them by the name of the file.
func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	paths, err := filepath.Glob("../.github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	all := map[string]workflow{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var w workflow
		require.NoError(t, yaml.Unmarshal(text, &w), path)
		all[filepath.Base(path)] = w
	}
	return all
}

// TestActionsArePinned: a tag of an action can be moved to other code, and a checkout leaves its token for later steps unless told not to.
func TestActionsArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)
	for name, w := range workflows(t) {
		for job, j := range w.Jobs {
			for _, s := range j.Steps {
				if s.Uses == "" {
					continue
				}
				require.Regexp(t, pinned, s.Uses, "%s, %s", name, job)
				require.Regexp(t, regexp.QuoteMeta(s.Uses)+` # v\d+\.\d+\.\d+\n`, read(t, ".github/workflows/"+name), "the version beside it")
				if strings.HasPrefix(s.Uses, "actions/checkout@") {
					require.Equal(t, false, s.With["persist-credentials"], "%s, %s", name, job)
				}
			}
		}
	}
}

// TestOnlyPublishMayWrite: no job that runs code of this repository or of a package registry may write or sign, and nothing that the
// tests left behind goes into a release.
func TestOnlyPublishMayWrite(t *testing.T) {
	mayWrite := func(p map[string]string) bool { return slices.Contains(slices.Collect(maps.Values(p)), "write") }
	all := workflows(t)
	for name, w := range all {
		require.NotNil(t, w.Permissions, "%s: what is not said is what the repository's settings say", name)
		require.False(t, mayWrite(w.Permissions), name)
		for job, j := range w.Jobs {
			if !mayWrite(j.Permissions) {
				continue
			}
			require.Equal(t, "release.yml, publish", name+", "+job)
			require.Equal(t, "release", j.Environment, "somebody reviews it")
			for _, s := range j.Steps {
				require.False(t, strings.HasPrefix(s.Uses, "actions/checkout@"), "it has no code of ours to run")
				for _, tool := range []string{"npm", "pip", "mvn", "go run", "go test", "scripts/", ".ci/", "curl"} {
					require.NotContains(t, s.Run, tool)
				}
			}
		}
	}
	release := all["release.yml"].Jobs
	require.Equal(t, "check", release["build"].Needs)
	require.Equal(t, "build", release["publish"].Needs)
	for _, s := range release["build"].Steps {
		if strings.HasPrefix(s.Uses, "actions/setup-go@") {
			require.Equal(t, false, s.With["cache"], "other jobs fill the cache")
		}
		require.False(t, strings.HasPrefix(s.Uses, "actions/cache"))
	}
}

// TestReleasesArePinned: the compiler with its patch release, the base image, and every package that the tests install.
func TestReleasesArePinned(t *testing.T) {
	require.Regexp(t, `(?m)^toolchain go1\.\d+\.[1-9]\d*$`, read(t, "go.mod"))
	for _, from := range set(`(?m)^FROM (\S+)`, read(t, "build/Dockerfile")) {
		require.Regexp(t, `@sha256:[0-9a-f]{64}$`, from)
	}
	install := read(t, "integration/clients/install.sh")
	require.Contains(t, install, "--require-hashes")
	for _, line := range set(`(?m)^(.*npm (?:ci|install) .*)$`, install) {
		require.Contains(t, line, "--ignore-scripts")
	}
	locked := read(t, "integration/clients/requirements.txt")
	for _, name := range set(`(?m)^([^#\s]+==\S+)`, read(t, "integration/clients/requirements.in")) {
		require.Contains(t, strings.ToLower(locked), strings.ToLower(name)+" \\\n    --hash=sha256:")
	}
	for name, version := range pairs(`"([\w-]+)": "(?:npm:\w+@)?([\d.]+)"`, read(t, "integration/clients/package.json")) {
		require.Regexp(t, `"node_modules/`+name+`": \{\s+(?:"name": "\w+",\s+)?"version": "`+regexp.QuoteMeta(version)+`",\s+"integrity": "sha512-`, read(t, "integration/clients/package-lock.json"))
	}
	jars := read(t, "integration/clients/jars.sha256")
	for name, version := range pairs(`<artifactId>([\w-]+)</artifactId><version>([\w.]+)</version>`, read(t, "integration/clients/pom.xml")) {
		require.Contains(t, jars, "  jars/"+name+"-"+version+".jar\n")
	}
}

// pairs returns the first group of each match with its second.
func pairs(re, text string) map[string]string {
	found := map[string]string{}
	for _, m := range regexp.MustCompile(re).FindAllStringSubmatch(text, -1) {
		found[m[1]] = m[2]
	}
	return found
}
