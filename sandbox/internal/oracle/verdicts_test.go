package oracle

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// saysSyntax matches the errors that an engine reports for a text's syntax.
var saysSyntax = regexp.MustCompile(`ORA-009(0[05678]|11|17|2\d|3[36])|PLS-00103`)

// tables creates what the texts use.
var tables = []string{
	"create table vv_a (id number primary key, parent_id number, name varchar2(100), kind varchar2(100), amount number, created date, doc clob)",
	"create table vv_b (id number primary key, a_id number, qty number, note varchar2(100))",
	"create sequence vv_seq", "insert into vv_a (id, name) values (1, 'x')", "insert into vv_b (id, a_id) values (1, 1)", "commit",
}

// TestVerdicts runs the texts of a file that VERDICTS names, one JSON object with "text" and "ok" per line: wrong syntax must be reported,
// and right syntax must not be reported as wrong.
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
			Text string
			OK   bool
		}
		require.NoError(t, json.Unmarshal(line, &v))
		c := newClient(t)
		for _, text := range tables {
			c.exec(text)
		}
		var call *Call
		var err error
		finished := false
		c.s.Submit(func(s *Session) {
			if call, err = s.Execute(v.Text, nil); err == nil && call.Rows != nil {
				call.Rows.Close()
			}
		}, func() { finished = true })
		require.NoError(t, c.srv.k.RunUntil(func() bool { return finished }), v.Text)
		require.Nil(t, c.s.fatal, v.Text)
		require.False(t, c.s.killed, v.Text)
		told := ""
		switch {
		case err != nil:
			told = errorText(err)
		case call.Invalid:
			told = strings.Join(c.exec("select text from user_errors order by sequence"), "\n")
		}
		kind := "right"
		switch {
		case v.OK && saysSyntax.MatchString(told):
			kind = "falsely refused"
		case !v.OK && told == "":
			kind = "falsely taken"
		case !v.OK && strings.Contains(told, "the sandbox does not model"):
			kind = "refused, not wrong"
		}
		counts[kind]++
		if kind != "right" {
			t.Logf("%s: %s\n%s", kind, v.Text, told)
		}
	}
	t.Log(counts)
	require.Len(t, counts, 1)
}
