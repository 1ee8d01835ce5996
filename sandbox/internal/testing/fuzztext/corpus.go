package fuzztext

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Break separates two statements of an input.
const Break = "\nGO\n"

// longest is the most bytes of a script in one input.
const longest = 2500

// Cases returns the statements of files like those of sandbox/testdata, several per input.
func Cases(tb testing.TB, pattern string) (texts []string) {
	tb.Helper()
	for _, text := range read(tb, pattern) {
		var in inputs
		var lines []string
		for line := range strings.Lines(text) {
			switch {
			case strings.HasPrefix(line, "-->"):
				if len(lines) > 0 {
					in.add(strings.TrimSpace(strings.Join(lines, "")))
				}
				lines = nil
			case strings.HasPrefix(line, "--") && len(lines) == 0:
			default:
				lines = append(lines, line)
			}
		}
		texts = append(texts, in...)
	}
	return texts
}

// Scripts returns what the scripts of package enginescript run, several statements per input.
func Scripts(tb testing.TB, pattern string) (texts []string) {
	tb.Helper()
	for _, text := range read(tb, pattern) {
		var in inputs
		for part := range strings.SplitSeq("\n"+text, "\nrun ") {
			_, part, _ = strings.Cut(part, "\n")
			if statement, _, ran := strings.Cut(part, "\n----\n"); ran {
				in.add(statement)
			}
		}
		texts = append(texts, in...)
	}
	return texts
}

// inputs are statements in their order, as many in one as fit.
type inputs []string

func (in *inputs) add(statement string) {
	if n := len(*in); n > 0 && len((*in)[n-1])+len(statement) <= longest {
		(*in)[n-1] += Break + statement
		return
	}
	*in = append(*in, statement)
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
