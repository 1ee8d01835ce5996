package sandbox_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFidelity reads FIDELITY.md: every row has a kind of evidence and tests that exist.
func TestFidelity(t *testing.T) {
	tests := testNames(t)
	text, err := os.ReadFile("FIDELITY.md")
	require.NoError(t, err)
	counts := map[string]int{}
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		if !strings.HasPrefix(row, "|") || strings.HasPrefix(row, "|--") || strings.TrimSpace(cells[0]) == "behaviour" {
			continue
		}
		require.Len(t, cells, 3, "%s", row)
		kind := regexp.MustCompile(`^[a-z]+`).FindString(strings.TrimSpace(cells[1]))
		require.Contains(t, []string{"documented", "described", "recorded", "inferred"}, kind, "%s", row)
		counts[kind]++
		if strings.HasPrefix(strings.TrimSpace(cells[1]), "documented (read)") {
			counts["documented (read)"]++
		}
		for name := range strings.SplitSeq(cells[2], ",") {
			require.Contains(t, tests, strings.TrimSpace(name), "%s", row)
		}
	}
	for _, kind := range []string{"documented", "documented (read)", "described", "recorded", "inferred"} {
		t.Logf("%s: %d", kind, counts[kind])
	}
	require.NotEmpty(t, counts)
}

// TestConformanceScriptsAreEvidence: no script without a row.
func TestConformanceScriptsAreEvidence(t *testing.T) {
	text, err := os.ReadFile("FIDELITY.md")
	require.NoError(t, err)
	scripts, err := filepath.Glob("mssql/testdata/conformance/*.sql")
	require.NoError(t, err)
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".sql")
		if name != "syntax" { // what can be written, not what it does
			require.Contains(t, string(text), "TestConformance/"+name)
		}
	}
}

func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, root := range []string{".", "../integration"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case strings.HasSuffix(path, "_test.go"):
				text, err := os.ReadFile(path)
				for _, m := range test.FindAllStringSubmatch(string(text), -1) {
					names[m[1]] = true
				}
				return err
			case strings.HasSuffix(path, ".out") && slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "conformance"):
				names["TestConformance/"+strings.TrimSuffix(filepath.Base(path), ".out")] = true
			}
			return nil
		}))
	}
	return names
}
