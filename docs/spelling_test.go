package docs

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

// british are spellings that American English does not have. Words of the status Cancelled are not among them: the tables and views have it.
var british = regexp.MustCompile(`(?i)behaviour|colour|favour|honour|neighbour|catalogue|centre\b|centred\b|defence|licence|artefact|judgement|` +
	`(?:mod|lab|trav|sign)[ea]ll(?:ed|ing)|fulfil\b|programme\b|\bgrey|\bwhilst\b|\bamongst\b|\btowards\b|analyse(?:d|r|rs)?\b|analysing|` +
	`(?:author|capital|categor|character|custom|emphas|final|general|initial|item|local|material|maxim|minim|modern|neutral|normal|optim|organ|` +
	`priorit|real|recogn|serial|special|stabil|standard|summar|synchron|token|util|visual)is(?:e|es|ed|er|ers|ing|ation|ations)\b`)

// quoted are the lines that may hold such a spelling: words and titles that are others'. None so far.
var quoted = []string{}

// TestAmericanSpelling: SQL, pages and scripts are in American English. The linter (misspell) reads Go.
func TestAmericanSpelling(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if slices.Contains([]string{".git", ".cache", "bin", "dist", "node_modules", "fuzz"}, e.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".sql", ".md", ".txt", ".tmpl", ".html", ".css", ".js", ".sh", ".yaml", ".1"}, filepath.Ext(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			if n++; !slices.Contains(quoted, strings.TrimSpace(line)) {
				require.Empty(t, british.FindString(line), "%s:%d", path, n)
			}
		}
		return nil
	})
	require.NoError(t, err)
}
