package mssql_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// TestConformance runs the scripts of testdata/conformance and compares transcripts. A script is batches between lines
// "go". A batch may begin with directives, and with comments, which are left out:
//
//	-- @A          run in session A (default: A); sessions are opened when first named
//	-- @A as bob   open session A as login bob (password "x")
//	-- @join       wait for every session's batch to end, letting time pass
//	-- @advance 5s let virtual time pass
//	-- @cancel A   cancel A's running batch, as a client's attention does
//	-- @close A    close A's connection
//	-- @refused    nothing to learn for the table of package audit: it is an error
//
// A script that begins with "-- @2025" runs on a server of that version. A batch that blocks is shown as blocked, and its output where it ends.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("testdata/conformance/*.sql")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sql")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			got := transcript(t, string(text))
			golden := strings.TrimSuffix(file, ".sql") + ".out"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
				return
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// newSimulated starts an engine on a simulated kernel.
func newSimulated(t *testing.T, seed uint64, with ...func(*mssql.Options)) *mssql.Server {
	t.Helper()
	k := kernel.New(kernel.Options{Clock: kernel.Simulated, Seed: seed})
	o := mssql.Options{Password: "x"}
	for _, fn := range with {
		fn(&o)
	}
	srv, err := mssql.New(k, o)
	require.NoError(t, err)
	t.Cleanup(k.Close)
	return srv
}

type player struct {
	t        *testing.T
	srv      *mssql.Server
	sessions map[string]*mssql.Session
	open     []running
	out      strings.Builder
}

type running struct {
	who string
	rec *mssql.Recorder
}

func transcript(t *testing.T, script string) string {
	t.Helper()
	p := &player{t: t, srv: newSimulated(t, 1, func(o *mssql.Options) { o.Version2025 = strings.HasPrefix(script, "-- @2025\n") }), sessions: map[string]*mssql.Session{}}
	for _, batch := range strings.Split(script, "\ngo\n") {
		p.play(strings.TrimPrefix(batch, "\n"))
	}
	p.join()
	return p.out.String()
}

func (p *player) play(batch string) {
	who, login := "A", "sa"
	for {
		line, rest, _ := strings.Cut(batch, "\n")
		directive, ok := strings.CutPrefix(strings.TrimSpace(line), "-- @")
		if !ok && strings.HasPrefix(line, "--") {
			batch = rest
			continue
		}
		if !ok {
			break
		}
		batch = rest
		words := strings.Fields(directive)
		switch words[0] {
		case "join":
			p.join()
		case "advance":
			d, err := time.ParseDuration(words[1])
			require.NoError(p.t, err)
			p.srv.Kernel().Advance(d)
			p.flush()
		case "cancel":
			p.sessions[words[1]].Cancel()
			p.srv.Kernel().RunReady()
			p.flush()
		case "close":
			p.sessions[words[1]].Close()
			p.srv.Kernel().RunReady()
			p.flush()
		case "refused", "2025":
		default:
			who = words[0]
			if len(words) == 3 && words[1] == "as" {
				login = words[2]
			}
		}
	}
	if strings.TrimSpace(batch) == "" {
		return
	}
	s := p.sessions[who]
	if s == nil || s.Ended() {
		var err error
		s, err = p.srv.Login(login, "x", "test")
		if err != nil {
			fmt.Fprintf(&p.out, "[%s] login: %v\n", who, err)
			return
		}
		p.sessions[who] = s
	}
	p.open = append(p.open, running{who, s.Begin(batch)})
	p.srv.Kernel().RunReady()
	p.flush()
}

// flush shows what has ended; what has not is blocked.
func (p *player) flush() {
	var left []running
	for _, r := range p.open {
		if !r.rec.Finished {
			left = append(left, r)
			continue
		}
		p.show(r)
	}
	p.open = left
	for _, r := range left {
		fmt.Fprintf(&p.out, "[%s] blocked\n", r.who)
	}
}

func (p *player) join() {
	err := p.srv.Kernel().RunUntil(func() bool {
		for _, r := range p.open {
			if !r.rec.Finished {
				return false
			}
		}
		return true
	})
	p.flush()
	if err != nil {
		fmt.Fprintf(&p.out, "%v\n", err)
	}
}

func (p *player) show(r running) {
	p.out.WriteString("[" + r.who + "]\n")
	for _, set := range r.rec.Sets {
		names := make([]string, len(set.Columns))
		for i, c := range set.Columns {
			names[i] = c.Name
		}
		fmt.Fprintf(&p.out, "  %s\n", strings.Join(names, " | "))
		for _, row := range set.Rows {
			cells := make([]string, len(row))
			for i, v := range row {
				cells[i] = p.cell(v, set.Columns[i].Type)
			}
			fmt.Fprintf(&p.out, "  %s\n", strings.Join(cells, " | "))
		}
	}
	for _, m := range r.rec.Messages {
		fmt.Fprintf(&p.out, "  message: %s\n", m.Text)
	}
	for _, e := range r.rec.Errors {
		fmt.Fprintf(&p.out, "  error: %s\n", e.Error())
	}
	if len(r.rec.Counts) > 0 {
		fmt.Fprintf(&p.out, "  counts: %v\n", r.rec.Counts)
	}
}

func (p *player) cell(v value.Value, t datatype.Type) string {
	if v.IsNull() {
		return "NULL"
	}
	s, err := datatype.Convert(v, t, datatype.Type{ID: datatype.NVarChar, Len: datatype.Max}, 121, datatype.Explicit)
	if err != nil {
		return v.String()
	}
	return s.Str()
}
