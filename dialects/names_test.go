package dialects

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

// TestNoTestForAName: outside of this folder no code asks which engine it has; what differs is a method of [Dialect]. A program that makes
// databases to test with chooses one.
func TestNoTestForAName(t *testing.T) {
	asks := regexp.MustCompile(`[=!]= ?"(mssql|oracle)"|case "(mssql|oracle)"`)
	tests := []string{"../internal/mutate", "../internal/sandboxtest"}
	for _, root := range []string{"../cmd", "../internal"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && slices.Contains(tests, filepath.ToSlash(path)) {
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Empty(t, asks.FindAllString(string(text), -1), path)
			return nil
		}))
	}
}
