package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/testing/enginescript"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TestOracleConformance plays the scripts of testdata/conformance (see package enginescript). A script covers one documented behavior; its
// first comment names the book and the chapter. Sessions log in as APP, or as the script says. The transcript shows a query's columns and
// rows, the rows of DML, lines of DBMS_OUTPUT after "> ", errors after "! ".
func TestOracleConformance(t *testing.T) {
	for name, file := range scripts(t) {
		t.Run(name, func(t *testing.T) { play(t, file, 1) })
	}
}

// open lists the scripts that show what the documentation leaves open: who loses a deadlock, which consumer is served.
var open = []string{"dbmslock", "deadlock", "queuewait", "uniquewait"}

// TestOracleConformanceUnderSeeds runs the scripts with other seeds: documented behavior does not depend on the seed.
func TestOracleConformanceUnderSeeds(t *testing.T) {
	for name, file := range scripts(t) {
		for _, seed := range []uint64{2, 5} {
			if !slices.Contains(open, name) {
				t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) { play(t, file, seed) })
			}
		}
	}
}

// scripts returns the script files by name.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/conformance/*.txt")
	require.NoError(t, err)
	out := map[string]string{}
	for _, file := range files {
		out[strings.TrimSuffix(filepath.Base(file), ".txt")] = file
	}
	return out
}

func play(t *testing.T, file string, seed uint64) {
	t.Helper()
	srv := newServer(t, seed)
	enginescript.Play(t, file, enginescript.Engine{Kernel: srv.k, Login: func(user string) (enginescript.Session, error) {
		s, err := srv.Login(cmp.Or(user, "APP"))
		if err != nil {
			return nil, errors.New(errorText(err))
		}
		s.Submit(func(s *Session) {
			_, err := s.Execute("begin dbms_output.enable(null); end;", nil)
			require.NoError(t, err)
		}, func() {})
		return scripted{s}, nil
	}})
}

// scripted runs a session of a script.
type scripted struct{ *Session }

// Begin implements enginescript.Session.
func (c scripted) Begin(statement string) *enginescript.Run {
	run := &enginescript.Run{}
	c.Submit(func(s *Session) { run.Lines = execute(s, statement) }, func() { run.Finished = true })
	return run
}

// execute runs a statement in its session and returns what the transcript shows of it.
func execute(s *Session, text string) (lines []string) {
	add := func(prefix, text string) {
		for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			lines = append(lines, prefix+l)
		}
	}
	c, err := s.Execute(text, nil)
	if err == nil && c.Rows != nil {
		names := make([]string, len(c.Columns))
		for i, col := range c.Columns {
			names[i] = col.Name
		}
		for first := true; ; first = false {
			var row value.Row
			var ok bool
			row, ok, err = s.Fetch(c.Rows)
			if first && err == nil {
				add("", strings.Join(names, " | "))
			}
			if !ok {
				break
			}
			cells := make([]string, len(c.Columns))
			for i := range cells {
				cells[i] = cell(s, row[i], c.Columns[i].Type)
			}
			add("", strings.Join(cells, " | "))
		}
		c.Rows.Close()
	}
	for _, l := range output(s) {
		add("> ", l)
	}
	switch {
	case err != nil:
		add("! ", errorText(err))
	case c.Kind == plsql.DynamicDML:
		add("", fmt.Sprintf("rows: %d", c.Count))
	case c.Invalid:
		add("", "created with compilation errors")
	}
	return lines
}

// output fetches the lines of DBMS_OUTPUT, as SQL*Plus does after each call.
func output(s *Session) (lines []string) {
	for {
		line := &plsql.Bind{Name: "LINE", Mode: ast.ModeOut, Type: datatype.Sized(datatype.Varchar2, 32767)}
		status := &plsql.Bind{Name: "STATUS", Mode: ast.ModeOut, Type: datatype.Type{ID: datatype.Number}}
		_, err := s.Execute("begin dbms_output.get_line(:line, :status); end;", []*plsql.Bind{line, status})
		if err != nil || status.Value.Int64() != 0 {
			return lines
		}
		lines = append(lines, line.Value.Str())
	}
}

func cell(s *Session, v value.Value, t datatype.Type) string {
	if v.IsNull() {
		return "NULL"
	}
	text, err := datatype.Text(v, t, s.Format(false))
	if err != nil {
		return v.String()
	}
	return text
}
