package dialects

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// alikeLines is how many lines of both engines may be alike in a row.
const alikeLines = 15

// TestNothingTwice: what both dialects say alike stands once, in a package below them.
func TestNothingTwice(t *testing.T) {
	left, right := code(t, "mssql"), code(t, "oracle")
	for i := range left {
		for j := range right {
			n := 0
			for i+n < len(left) && j+n < len(right) && left[i+n].text == right[j+n].text {
				n++
			}
			// A longer run begins before.
			if n >= alikeLines && (i == 0 || j == 0 || left[i-1].text != right[j-1].text) {
				t.Errorf("%d lines of %s and %s are alike", n, left[i].at, right[j].at)
			}
		}
	}
}

type line struct{ text, at string }

// code returns the lines of a package that are neither blank, nor comments, nor imports.
func code(t *testing.T, folder string) (all []line) {
	t.Helper()
	files, err := filepath.Glob(folder + "/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		head, body, _ := strings.Cut(string(source), "\n)\n")
		all = append(all, line{file, file}) // no run goes on in the next file
		number := strings.Count(head, "\n") + 2
		for text := range strings.Lines(body) {
			number++
			text, _, _ = strings.Cut(text, " // ")
			if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "//") {
				all = append(all, line{text, fmt.Sprintf("%s:%d", file, number)})
			}
		}
	}
	return all
}
