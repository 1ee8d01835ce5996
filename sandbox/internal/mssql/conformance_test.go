package mssql_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/testing/enginescript"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TestConformance plays the scripts of testdata/conformance (see package enginescript). A script that starts with "# server 2025" runs on a
// server of that version. Sessions log in as sa, or as the script says; every password is x.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("testdata/conformance/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			srv := newSimulated(t, 1, func(o *mssql.Options) { o.Version2025 = strings.HasPrefix(string(text), "# server 2025\n") })
			enginescript.Play(t, file, enginescript.Engine{Kernel: srv.Kernel(), Login: func(user string) (enginescript.Session, error) {
				s, err := srv.Login(cmp.Or(user, "sa"), "x", "test")
				return client{s}, err
			}})
		})
	}
}

// client shows a session's responses.
type client struct{ *mssql.Session }

// Begin implements enginescript.Session.
func (c client) Begin(batch string) *enginescript.Run {
	run := &enginescript.Run{}
	rec := &mssql.Recorder{}
	c.Submit(rec, func(s *mssql.Session) { s.RunBatch(batch) }, func() { run.Finished, run.Lines = true, lines(rec) })
	return run
}

// newSimulated starts an engine on a simulated kernel.
func newSimulated(t *testing.T, seed uint64, with ...func(*mssql.Options)) *mssql.Server {
	t.Helper()
	o := mssql.Options{Password: "x"}
	for _, fn := range with {
		fn(&o)
	}
	return newThat(t, seed, nil, o)
}

// newThat starts a server that differs.
func newThat(t *testing.T, seed uint64, set differ.Set, o mssql.Options) *mssql.Server {
	t.Helper()
	k := kernel.New(kernel.Options{Clock: kernel.Simulated, Seed: seed, Differ: set})
	srv, err := mssql.New(k, o)
	require.NoError(t, err)
	t.Cleanup(k.Close)
	return srv
}

// lines returns what a script shows for a batch.
func lines(rec *mssql.Recorder) (out []string) {
	add := func(format string, args ...any) {
		out = append(out, strings.Split(fmt.Sprintf(format, args...), "\n")...)
	}
	for _, set := range rec.Sets {
		names := make([]string, len(set.Columns))
		for i, c := range set.Columns {
			names[i] = c.Name
		}
		add("%s", strings.Join(names, " | "))
		for _, row := range set.Rows {
			cells := make([]string, len(row))
			for i, v := range row {
				cells[i] = cell(v, set.Columns[i].Type)
			}
			add("%s", strings.Join(cells, " | "))
		}
	}
	for _, m := range rec.Messages {
		add("message: %s", m.Text)
	}
	for _, e := range rec.Errors {
		add("error: %s", e.Error())
	}
	if len(rec.Counts) > 0 {
		add("counts: %v", rec.Counts)
	}
	return out
}

func cell(v value.Value, t datatype.Type) string {
	if v.IsNull() {
		return "NULL"
	}
	s, err := datatype.Convert(v, t, datatype.Type{ID: datatype.NVarChar, Len: datatype.Max}, 121, datatype.Explicit)
	if err != nil {
		return v.String()
	}
	return s.Str()
}
