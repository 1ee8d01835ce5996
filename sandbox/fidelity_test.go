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

// kinds are the kinds of evidence, as FIDELITY.md explains them.
var kinds = []string{"documented", "documented (read)", "described", "recorded", "inferred", "open"}

// conformance are the tests that run scripts, by the folder of their engine.
var conformance = map[string]string{"mssql": "TestConformance", "oracle": "TestOracleConformance"}

// TestFidelity reads FIDELITY.md: every row has a kind of evidence and tests that exist.
func TestFidelity(t *testing.T) {
	tests := testNames(t)
	text, err := os.ReadFile("FIDELITY.md")
	require.NoError(t, err)
	counts := map[string]map[string]int{}
	engine := ""
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		if name, ok := strings.CutPrefix(row, "# "); ok {
			engine = strings.TrimSpace(name)
			counts[engine] = map[string]int{}
		}
		if !strings.HasPrefix(row, "|") || strings.HasPrefix(row, "|--") || strings.TrimSpace(cells[0]) == "behavior" {
			continue
		}
		require.Len(t, cells, 3, "%s", row)
		kind := regexp.MustCompile(`^[a-z]+`).FindString(strings.TrimSpace(cells[1]))
		require.Contains(t, kinds, kind, "%s", row)
		if strings.HasPrefix(strings.TrimSpace(cells[1]), "documented (read)") {
			kind = "documented (read)"
		}
		counts[engine][kind]++
		for name := range strings.SplitSeq(cells[2], ",") {
			require.True(t, tests[strings.TrimSpace(name)], "no test %s: %s", name, row)
		}
	}
	for _, engine := range []string{"SQL Server", "Oracle"} {
		require.NotEmpty(t, counts[engine])
		for _, kind := range kinds {
			t.Logf("%s, %s: %d", engine, kind, counts[engine][kind])
		}
	}
}

// TestConformanceScriptsAreEvidence: no script without a row.
func TestConformanceScriptsAreEvidence(t *testing.T) {
	text, err := os.ReadFile("FIDELITY.md")
	require.NoError(t, err)
	for engine, test := range conformance {
		scripts, err := filepath.Glob(filepath.Join("internal", engine, "testdata/conformance/*.txt"))
		require.NoError(t, err)
		require.NotEmpty(t, scripts)
		for _, script := range scripts {
			name := strings.TrimSuffix(filepath.Base(script), ".txt")
			if name != "syntax" && name != "definitions" { // they cover what can be written, not what it does
				row := regexp.MustCompile(test + "/" + name + `\b`)
				require.True(t, row.Match(text), "no row for %s", script)
			}
		}
	}
}

func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, root := range []string{".", "../integration", "../internal/certify"} {
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
			case strings.HasSuffix(path, ".txt") && slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "conformance"):
				engine := strings.Split(filepath.ToSlash(path), "/")[1]
				names[conformance[engine]+"/"+strings.TrimSuffix(filepath.Base(path), ".txt")] = true
			}
			return nil
		}))
	}
	return names
}
