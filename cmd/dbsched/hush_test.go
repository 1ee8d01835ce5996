package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/cli"
)

// marker is a password that nothing may show.
const marker = "HuShMaRkEr9"

// How a database with its password may be written where it does not belong. Those of the first group are recognized anywhere.
var (
	recognized = []string{
		"sqlserver://sa:" + marker + "@127.0.0.1:1?database=d", "oracle://app:" + marker + "@127.0.0.1:1/x", "SQLServer://sa:" + marker + "@127.0.0.1:1",
		" \"sqlserver://sa:" + marker + "@127.0.0.1:1\"", "sqlserver://sa:a/" + marker + "#b@127.0.0.1:1", "sqlserver://sa:a " + marker + "@127.0.0.1:1",
		"sqlserver://127.0.0.1:1?user+id=sa&password=" + marker, "mssql://sa:" + marker + "@127.0.0.1:1", "postgres://u:" + marker + "@127.0.0.1/x",
		"jdbc:sqlserver://127.0.0.1:1;user=sa;password=" + marker, "jdbc:oracle:thin:app/" + marker + "@127.0.0.1:1/x",
		"Server=127.0.0.1,1;User Id=sa;Password=" + marker + ";", "host=127.0.0.1 password=" + marker, "Data Source=h; PWD = {" + marker + "}",
	}
	hidden = []string{"app/" + marker + "@127.0.0.1:1/x", "app/" + marker + "@prod", "sa:" + marker + "@127.0.0.1", "sqlserver:sa:a:" + marker + "@127.0.0.1"}
)

// typed is one way to type a form into a command.
type typed struct {
	command *cobra.Command
	args    []string
	flag    string // empty: an argument without a flag
}

// unknown is a flag that no command has.
const unknown = "unknown"

// everywhere returns the form as each argument and as the value of each flag of each command, of a tree that is walked.
func everywhere(cmd *cobra.Command, form string) (all []typed) {
	path := strings.Fields(cmd.CommandPath())[1:]
	add := func(flag string, args ...string) {
		all = append(all, typed{cmd, slices.Concat(path, args), flag})
	}
	// What the command requires, so that it gets further.
	var needed []string
	for range strings.Count(cmd.Use, " ") {
		needed = append(needed, "1")
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, required := f.Annotations[cobra.BashCompOneRequiredFlag]; required {
			needed = append(needed, "--"+f.Name+"=1")
		}
	})
	for i := range 4 {
		add("", append(slices.Repeat([]string{"1"}, i), form)...)
	}
	for i, arg := range needed {
		with := slices.Clone(needed)
		if !strings.HasPrefix(arg, "--") {
			with[i] = form
			add("", with...)
		}
	}
	add("", slices.Concat(needed, []string{"--", form})...)
	flag := func(f *pflag.Flag) {
		add(f.Name, slices.Concat(needed, []string{"--" + f.Name + "=" + form})...)
		add(f.Name, slices.Concat([]string{"--" + f.Name, form}, needed)...)
		if f.Shorthand != "" {
			add(f.Name, slices.Concat(needed, []string{"-" + f.Shorthand + form})...)
			add(f.Name, slices.Concat(needed, []string{"-" + f.Shorthand, form})...)
		}
	}
	cmd.LocalFlags().VisitAll(flag)
	cmd.InheritedFlags().VisitAll(flag)
	add(unknown, "--"+form)
	add(unknown, "-"+form)
	for _, c := range cmd.Commands() {
		all = append(all, everywhere(c, form)...)
	}
	return all
}

// echo is a dialect whose every error repeats what it was given, as a server's may.
type echo struct {
	fakeDialect
	opened []dialects.Target
}

func (*echo) Schemes() []string { return []string{"sqlserver", "oracle"} }

func (e *echo) Open(_ context.Context, t dialects.Target) (dialects.Scheduler, error) {
	e.opened = append(e.opened, t)
	r := &refusing{}
	r.connected(t)
	return r, nil
}

// refusing is a scheduler that does nothing, and says with what.
type refusing struct{ fakeScheduler }

func (r *refusing) FindProcess(_ context.Context, name string) (int64, error) {
	return 0, dialects.Usagef("there is no process %q", name)
}

func (r *refusing) Schedules(_ context.Context, name string) ([]dialects.Schedule, error) {
	return nil, errors.New("there is no schedule " + name)
}

// TestNoArgumentShowsAPassword: wherever in the command line a connection with a password stands, what is printed does not hold it, and no
// server gets it as a name. Commands and flags are those of the program, so one that is added is tested.
func TestNoArgumentShowsAPassword(t *testing.T) {
	groups := commands(func(_ context.Context, c sandboxConfig) (sandboxServer, error) {
		return nil, dialects.Usagef("cannot listen on %q: %s", c.Listen, c.Dialect)
	})
	// program returns the program; say collects what it prints.
	program := func(list dialects.List) (app *cli.App, say *bytes.Buffer) {
		say = &bytes.Buffer{}
		return &cli.App{
			Dialects: list, In: strings.NewReader(""), Out: say, Err: say, Terminal: func(any) int { return 0 },
			Getenv: func(name string) string {
				return map[string]string{"DBSCHED_DSN": "sqlserver://127.0.0.1:1", "DBSCHED_CONFIG": "none.yaml"}[name]
			},
		}, say
	}
	try := func(form string, known bool, c typed) {
		e := &echo{}
		list := dialects.List{e}
		dsn := slices.Contains([]string{"dsn", "runner-dsn"}, c.flag)
		if dsn || slices.Contains([]string{"console", "metrics"}, c.command.Name()) { // these would serve if they could connect
			list = registry.All()
		}
		app, say := program(list)
		code := app.Main(t.Context(), c.args, groups...)
		require.NotContains(t, strings.ToLower(say.String()), strings.ToLower(marker), "%q", c.args)
		if known && !dsn && c.flag != unknown {
			require.Equal(t, cli.ExitUsage, code, "%q", c.args)
			require.Contains(t, say.String(), "Did you forget --dsn?", "%q", c.args)
			require.Empty(t, e.opened, "%q", c.args)
		}
		for _, target := range e.opened {
			require.NotContains(t, target.Schema, marker, "%q", c.args)
		}
	}
	app, _ := program(registry.All())
	root := app.Root(groups)
	root.InitDefaultCompletionCmd()
	// Each place takes one form of each group in turn, and one command all of them.
	count := 0
	for _, group := range [][]string{recognized, hidden} {
		places := make([][]typed, len(group))
		for i, form := range group {
			places[i] = everywhere(root, form)
		}
		for at, place := range places[0] {
			for i, form := range group {
				if at%len(group) == i || place.command.Name() == "verify" {
					try(form, &group[0] == &recognized[0], places[i][at])
					count++
				}
			}
		}
	}
	require.Greater(t, count, 3000)
}

// TestWhatOnlyLooksLikeADatabase is accepted: SQL, names and paths.
func TestWhatOnlyLooksLikeADatabase(t *testing.T) {
	for _, args := range [][]string{
		{"exec", "CREATE LOGIN x WITH PASSWORD = 'y'", "--order=1"}, {"exec", "select 'sqlserver://sa:x@h'", "--order=1"}, {"exec", "update t set a=1; set password=2", "--order=1"},
		{"wait", "etl://load"}, {"wait", "a/b@c"}, {"hook", "dbo.[x=y]"}, {"timeline", "at 10:30 a@b"},
	} {
		r := run{}
		r.do(t, append(args, "--dsn=fake://h")...)
		require.NotContains(t, r.err, "Did you forget", args)
		require.NotEmpty(t, r.scheduler.calls, "%q: %s", args, r.err)
	}
}

// TestErrorsDoNotControlTheTerminal: nothing on stderr does, whoever wrote the text.
func TestErrorsDoNotControlTheTerminal(t *testing.T) {
	const text = "evil\x1b[2J\u202e\u009b\r\x07"
	r := run{}
	r.do(t, "schedule", "pause", text, dsn)
	require.Zero(t, r.code, r.err)
	require.Equal(t, "schedule evil [2J     is disabled\n", r.err)
	for _, args := range [][]string{{"schedule", "show", text}, {text}, {"status", text}, {"task", text}, {"exec", text, "--order=" + text}, {"status", "--target=" + text}} {
		r := run{}
		r.scheduler.err = errors.New("the server says " + text)
		r.do(t, append(args, dsn)...)
		require.NotZero(t, r.code)
		require.NotRegexp(t, "[\x1b\u202e\u009b\r\x07]", r.err+r.out, args)
	}
	r = run{}
	r.scheduler.installed.Warnings = []string{"beware of " + text}
	r.do(t, "install", dsn)
	require.Contains(t, r.err, "dbsched: warning: beware of evil [2J")
	require.NotRegexp(t, "[\x1b\u202e\u009b\r\x07]", r.err)

	// JSON means the same.
	r = run{}
	r.scheduler.processes = []dialects.Process{{ID: 1, Name: text + "\U000e0001é\n"}}
	r.do(t, "processes", "-o", "json", dsn)
	require.NotRegexp(t, "[\x1b\u202e\u009b\r\x07\U000e0001]", r.out)
	require.Equal(t, text+"\U000e0001é\n", decoded[[]dialects.Process](t, r.out)[0].Name)
	r = run{}
	r.do(t, "schedule", "pause", text, "-o", "json", dsn)
	require.NotRegexp(t, "[\x1b\u202e\u009b\r\x07]", r.out)
}

// TestNamesOfOneLine: a list of names is not cut at a line end.
func TestNamesOfOneLine(t *testing.T) {
	for _, args := range [][]string{
		{"render", "--trust", "--to=a", "--users=e\nGO\nEXEC evil"}, {"render", "--trust", "--users=e", "--to=a\nb"}, {"tasks", "--status=Failed\nPending"}, {"render", "--trust", "--to=a", "--users=e\u202e"},
	} {
		r := run{}
		r.do(t, append(args, dsn)...)
		require.Equal(t, cli.ExitUsage, r.code, args)
		require.Contains(t, r.err, "a value contains a line end", args)
		require.Empty(t, r.out)
	}
	r := run{}
	r.do(t, "render", "--trust", `--users=a,"b,c"`, "--users=d", "--to=x")
	require.Contains(t, r.out, fmt.Sprintf("%q in %q", []string{"a", "b,c", "d"}, []string{"x"}))
}
