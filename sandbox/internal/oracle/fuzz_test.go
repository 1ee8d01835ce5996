package oracle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/parsecache"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/testing/fuzztext"
)

// world sets up what inputs work on.
var world = []string{
	`create table t (id number primary key, n number(9), s varchar2(20), d date, ts timestamp(3) with time zone, r raw(20), i interval day to second, f binary_double, c clob, g char(3))`,
	`create table u (id number generated always as identity, t number, name varchar2(10) default 'x' not null)`,
	`create index ix on u (name)`,
	`create sequence q`,
	`create view w as select t.id, t.s, u.name from t left join u on u.t = t.id`,
	`create function fn (p number) return number is begin return p * 2; end;`,
	`create procedure pr (p in number default 1, o in out varchar2) is begin o := o || p; end;`,
	`create package pk is v number := 1; e exception; type rec is record (a number, b varchar2(10)); procedure p; function f (x number) return varchar2; end;`,
	`create package body pk is procedure p is begin v := v + 1; end; function f (x number) return varchar2 is begin if x > 100 then raise e; end if; return 'f' || x; end; end;`,
	`insert into t values (1, 10, 'a', date '2026-01-02', timestamp '2026-01-02 03:04:05 +01:00', hextoraw('01'), interval '1' day, 1.5, 'text', 'x')`,
	`insert into t (id, s) values (2, 'B')`,
	`insert into u (t) values (1)`,
	`commit`,
}

// FuzzStatements runs statements and blocks that package fuzztext recombines: nothing panics or runs forever, a second
// engine returns the same, and a statement that fails leaves the transaction as it was.
func FuzzStatements(f *testing.F) {
	fuzztext.SkipInCensus(f)
	inputs := append(fuzztext.Scripts(f, "testdata/conformance/*.txt"), fuzztext.Cases(f, "../../testdata/oracle/*.sql")...)
	for _, text := range inputs {
		f.Add(text, []byte{})
	}
	texts := fuzztext.New(append(inputs, world...))
	var read parsecache.Texts[Parsed]
	f.Fuzz(func(t *testing.T, text string, steps []byte) {
		text = strings.ToValidUTF8(texts.Apply(text, steps), "\uFFFD")
		w := fuzztext.Begin(t)
		require.Equal(t, fuzzInput(t, w, &read, text), fuzzInput(t, w, &read, text), text)
		w.End(1<<30, text)
	})
}

// fuzzInput runs the statements of an input on a new engine and returns their outcomes.
func fuzzInput(t *testing.T, w *fuzztext.Watch, read *parsecache.Texts[Parsed], text string) string {
	t.Helper()
	k := kernel.New(kernel.Options{Clock: kernel.Simulated, Seed: 1})
	defer k.Close()
	srv, err := New(k, Options{Logger: w.Logger(), Texts: read})
	require.NoError(t, err)
	s, err := srv.Login("APP")
	require.NoError(t, err)
	for _, statement := range append(world, "begin dbms_output.enable(null); end;") {
		require.NoError(t, fuzzStatement(t, s, statement, &strings.Builder{}), statement)
	}
	var all strings.Builder
	for statement := range strings.SplitSeq(text, fuzztext.Break) {
		before := s.Current().ID(false)
		err := fuzzStatement(t, s, statement, &all)
		if s.Ended() || s.task.Dying() || srv.down {
			require.Zero(t, k.Panics(), "%q %s", statement, w.Log())
			require.True(t, s.killed || srv.down, "the session ended: %q %v", statement, err)
			break
		}
		e, ok := err.(*sqlerr.Error) //nolint:errorlint // wrapped errors are not of this kind
		if ok && (e.Refuses() || e.Number >= 900 && e.Number < 1000) && kindOf(parsed(statement).node) != plsql.DynamicDDL {
			require.Equal(t, before, s.Current().ID(false), "%q %v", statement, err)
		}
	}
	fmt.Fprint(&all, k.TraceHash())
	k.Close()
	require.Zero(t, k.Panics(), text)
	return all.String()
}

// patience is how many steps of the engine a statement may take before it is canceled.
const patience = 3000

// fuzzStatement runs a statement to its end, with a break if it takes too long.
func fuzzStatement(t *testing.T, s *Session, statement string, out *strings.Builder) (err error) {
	t.Helper()
	finished, steps := false, 0
	s.Submit(func(s *Session) {
		var c *Call
		if c, err = s.Execute(statement, nil); err != nil {
			return
		}
		fmt.Fprintln(out, c.Kind, c.Count, c.Invalid, c.Columns)
		for n := 0; c.Rows != nil && n < 1000; n++ {
			row, ok, e := s.Fetch(c.Rows)
			if e != nil || !ok {
				err = e
				break
			}
			fmt.Fprintln(out, row)
		}
		if c.Rows != nil {
			c.Rows.Close()
		}
		fmt.Fprintln(out, output(s))
	}, func() { finished = true })
	for range 2 {
		if e := s.srv.k.RunUntil(func() bool { steps++; return finished || steps > patience }); finished {
			break
		} else if e != nil || steps > patience {
			s.Cancel()
			steps = 0
		}
	}
	require.True(t, finished, "a break does not end this: %q", statement)
	if err != nil {
		fmt.Fprintln(out, errorText(err))
		require.NotContains(t, errorText(err), "internal error", statement)
	}
	return err
}
