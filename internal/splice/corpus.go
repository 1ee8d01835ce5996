package splice

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Break stands between two statements of an input.
const Break = "\nGO\n"

// longest is how many bytes of a script are an input.
const longest = 2500

// Cases returns the statements of files like those of sandbox/testdata.
func Cases(tb testing.TB, pattern string) (texts []string) {
	tb.Helper()
	for _, text := range read(tb, pattern) {
		var lines []string
		for line := range strings.Lines(text) {
			switch {
			case strings.HasPrefix(line, "-->"):
				if len(lines) > 0 {
					texts = append(texts, strings.TrimSpace(strings.Join(lines, "")))
				}
				lines = nil
			case strings.HasPrefix(line, "--") && len(lines) == 0:
			default:
				lines = append(lines, line)
			}
		}
	}
	return texts
}

// Scripts returns what the scripts of package script run, in inputs of several statements.
func Scripts(tb testing.TB, pattern string) (texts []string) {
	tb.Helper()
	for _, text := range read(tb, pattern) {
		input := ""
		for part := range strings.SplitSeq("\n"+text, "\nrun ") {
			_, part, _ = strings.Cut(part, "\n")
			statement, _, ran := strings.Cut(part, "\n----\n")
			if !ran {
				continue
			}
			if input != "" && len(input)+len(statement) > longest {
				texts, input = append(texts, input), ""
			}
			if input != "" {
				input += Break
			}
			input += statement
		}
		if input != "" {
			texts = append(texts, input)
		}
	}
	return texts
}

func read(tb testing.TB, pattern string) (texts []string) {
	tb.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(tb, err)
	require.NotEmpty(tb, files, pattern)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(tb, err)
		texts = append(texts, string(text))
	}
	return texts
}
