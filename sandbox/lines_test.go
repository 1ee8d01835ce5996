package sandbox_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostLines is the maximum number of lines of code in the sandbox: Go and SQL, without tests, blank lines and comments. A change that
// removes lines lowers it.
const mostLines = 66783

// TestLines limits the size of the sandbox.
func TestLines(t *testing.T) {
	lines := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && (e.Name() == "testdata" || e.Name() == "testing") {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		test := strings.HasSuffix(path, "_test.go")
		switch filepath.Ext(path) {
		case ".go":
			text, err := os.ReadFile(path)
			if err != nil || test {
				return err
			}
			lines += goLines(text)
		case ".sql":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--") {
					lines++
				}
			}
		}
		return nil
	}))
	require.LessOrEqual(t, lines, mostLines, "less is better: what can go?")
	require.Greater(t, lines, mostLines-100, "mostLines can be %d now", lines)
}

// goLines counts the lines of a file that have a token.
func goLines(text []byte) int {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		first := file.Line(pos)
		for i := range strings.Count(literal, "\n") + 1 {
			lines[first+i] = true
		}
	}
}
