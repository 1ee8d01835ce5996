package parser

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// documented matches errors by the documentation that the vendor's parser accepts: what comes before THROW ends with a semicolon (THROW,
// Remarks), and AS USER of EXECUTE names a user (EXECUTE, Syntax).
var documented = regexp.MustCompile(`\b(THROW|COMMIT) THROW\b|\) AS USER\s*$`)

// TestVerdicts parses the batches of a file that VERDICTS names, one JSON object with "sql" and "ok" in a line: wrong syntax must not be
// accepted, and right syntax not be reported as wrong. A refusal is neither.
func TestVerdicts(t *testing.T) {
	path := os.Getenv("VERDICTS")
	if path == "" {
		t.Skip("VERDICTS names no file")
	}
	lines, err := os.ReadFile(path)
	require.NoError(t, err)
	counts := map[string]int{}
	for line := range bytes.Lines(lines) {
		var v struct {
			SQL string
			OK  bool
		}
		require.NoError(t, json.Unmarshal(line, &v))
		_, err := Parse(v.SQL, nil)
		e := (*sqlerr.Error)(nil)
		kind := "right"
		switch {
		case errors.As(err, &e) && e.Refuses():
			kind = "refused"
		case v.OK && err != nil && documented.MatchString(v.SQL):
			kind = "documented"
		case v.OK && err != nil:
			kind = "falsely refused"
		case !v.OK && err == nil:
			kind = "falsely taken"
		}
		if counts[kind]++; strings.HasPrefix(kind, "falsely") {
			t.Errorf("%s: %s\n%v", kind, v.SQL, err)
		}
	}
	t.Log(counts)
}
