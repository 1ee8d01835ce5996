package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/dialects/oracle"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/internal/snapshot"
	"github.com/dbsched/dbsched/sandbox"
)

// dialed is a dialect whose connections go to a sandbox.
type dialed struct {
	dialects.Dialect
	dial dialects.DialFunc
}

func (d dialed) Open(ctx context.Context, target dialects.Target) (dialects.Scheduler, error) {
	target.Dial = d.dial
	return d.Dialect.Open(ctx, target)
}

// reading are the commands that only look, as somebody may type them.
func reading() [][]string {
	return [][]string{
		{"status"}, {"processes"}, {"timeline", "default"}, {"tasks"}, {"task", "1"}, {"logs"}, {"alarms"}, {"policy"}, {"options"}, {"hook"},
		{"resource", "list"}, {"round", "list"}, {"round", "show", "r"}, {"schedule"}, {"schedule", "list"}, {"schedule", "show", "yearly"}, {"schedule", "log"}, {"schedule", "next", "yearly"},
		{"verify", "--probe-timeout", "0"}, {"wait", "default", "--timeout", "1s"}, {"workers"}, {"version"}, {"install", "--dry-run"},
	}
}

// changing are the commands that change a setting: without settings none of them succeeds, because nothing would be changed.
func changing() [][]string {
	return [][]string{{"start"}, {"start", "--here"}, {"workers", "2"}, {"policy", "Priority"}, {"options", "--retention-days", "7"}}
}

// elsewhere are the commands that the test does not run: they do not read, do not end, or have subcommands.
var elsewhere = strings.Fields(`uninstall render grant revoke stop exec run cancel retry watch console metrics purge demo sandbox bench certify help completion
	cancel/task cancel/process retry/task retry/process resource/define resource/drop resource/release round/define round/remove round/report
	schedule/add schedule/alter schedule/drop schedule/remove schedule/pause schedule/resume schedule/run schedule/import completion/bash completion/fish completion/powershell completion/zsh`)

// TestEveryReadingCommandIsTried: one that is added later is tried, too.
func TestEveryReadingCommandIsTried(t *testing.T) {
	app := cli.New(dialects.List{mssql.Dialect{}, oracle.Dialect{}}, "test")
	var all []string
	var walk func(prefix string, cmds []*cobra.Command)
	walk = func(prefix string, cmds []*cobra.Command) {
		for _, c := range cmds {
			all = append(all, prefix+c.Name())
			walk(prefix+c.Name()+"/", c.Commands())
		}
	}
	walk("", app.Root(commands(startSandbox)).Commands())
	for _, name := range all {
		tried := slices.ContainsFunc(slices.Concat(reading(), changing()), func(args []string) bool {
			return strings.HasPrefix(strings.Join(args, "/")+"/", name+"/")
		})
		require.True(t, tried || slices.Contains(elsewhere, name), name)
	}
}

const speaksGo = `sql: |no rows in result set|context canceled|deadline exceeded|converting |unsupported Scan|\bEOF\b|driver: |runtime error|<nil>|strconv\.|panic|%!|nil pointer`

// TestNoCommandSpeaksGo: whatever is missing in an installation, each reading command says something that is for people.
// DBSCHED_DAMAGE=all tries everything that can be missing, otherwise ten on each engine.
func TestNoCommandSpeaksGo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect dialects.Dialect
		box     sandbox.Options
		parts   func(dialects.Layout) ([]schema.Part, error)
		schema  string
		drop    func(schema.Part) string
		columns string // query: the columns of a view
		null    string // a column without a value
		view    string // a view of them
	}{
		{
			mssql.Dialect{}, sandbox.Options{Dialect: "mssql"}, mssql.Parts, "dbsched",
			func(p schema.Part) string { return "DROP " + p.Kind + " dbsched." + p.Name },
			"SELECT c.name FROM sys.columns AS c WHERE c.object_id = OBJECT_ID(N'dbsched.%s') ORDER BY c.column_id", "CAST(NULL AS varchar(10)) AS %s", "CREATE OR ALTER VIEW dbsched.%s AS SELECT %s",
		},
		{
			oracle.Dialect{}, sandbox.Options{Dialect: "oracle", User: "app"}, oracle.Parts, "app",
			func(p schema.Part) string { return "drop " + p.Kind + " " + p.Name },
			"select c.column_name from user_tab_columns c where c.table_name = '%s' order by c.column_id", "cast(null as varchar2(10)) as %s", "create or replace view %s as select %s from dual",
		},
	} {
		parts, err := c.parts(dialects.Layout{Schema: c.schema, Lanes: 2})
		require.NoError(t, err)
		damages := map[string]func(t *testing.T, db *sql.DB){}
		for _, p := range parts {
			switch p.Kind {
			case "table", "view", "package", "procedure":
				damages["no "+p.Key()] = func(t *testing.T, db *sql.DB) {
					t.Helper()
					execute(t, db, c.drop(p))
				}
			}
			if p.Kind == "view" {
				damages["nothing in "+p.Key()] = func(t *testing.T, db *sql.DB) {
					t.Helper()
					var list []string
					rows, err := db.QueryContext(t.Context(), fmt.Sprintf(c.columns, p.Name))
					require.NoError(t, err)
					defer rows.Close()
					for rows.Next() {
						var name string
						require.NoError(t, rows.Scan(&name))
						list = append(list, fmt.Sprintf(c.null, name))
					}
					require.NoError(t, rows.Err())
					execute(t, db, fmt.Sprintf(c.view, p.Name, strings.Join(list, ", ")))
				}
			}
		}
		settings := "dbsched.Settings"
		if c.dialect.Name() == "oracle" {
			settings = "ds_settings"
		}
		damages["no settings"] = func(t *testing.T, db *sql.DB) {
			t.Helper()
			execute(t, db, "delete from "+settings)
		}
		chosen := slices.Sorted(maps.Keys(damages))
		if os.Getenv("DBSCHED_DAMAGE") == "" {
			rand.New(rand.NewPCG(7, 7)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
			chosen = append(chosen[:10], "no settings")
			slices.Sort(chosen)
			chosen = slices.Compact(chosen)
		}
		for _, name := range chosen {
			damage := damages[name]
			t.Run(c.dialect.Name()+" "+name, func(t *testing.T) {
				t.Parallel()
				sandboxtest.Run(t, c.box, "installed", func(t *testing.T, box *sandbox.Server) {
					t.Helper()
					sched, err := c.dialect.Open(t.Context(), dialects.Target{Dial: box.Dial, DSN: box.DSN(), Schema: c.schema})
					require.NoError(t, err)
					_, err = sched.Install(t.Context(), dialects.InstallOptions{Lanes: 2})
					require.NoError(t, err)
					require.NoError(t, sched.CreateSchedule(t.Context(), dialects.NewSchedule{Name: "yearly", Calendar: "0 0 1 1 *", Zone: "UTC", Tasks: []dialects.NewTask{{SQL: c.dialect.Sleep(time.Second), Order: 1}}}))
					require.NoError(t, sched.Close())
				}, func(t *testing.T, box *sandbox.Server) {
					t.Helper()
					db, err := c.dialect.OpenDB(t.Context(), dialects.Target{Dial: box.Dial, DSN: box.DSN(), Schema: c.schema})
					require.NoError(t, err)
					damage(t, db)
					require.NoError(t, db.Close())
					run := func(args ...string) (int, string) {
						var out bytes.Buffer
						app := cli.New(dialects.List{dialed{c.dialect, box.Dial}}, "test")
						app.Out, app.Err, app.In = &out, &out, strings.NewReader("")
						app.Getenv = func(name string) string { return map[string]string{"DBSCHED_DSN": box.DSN()}[name] }
						app.Terminal = func(any) int { return 0 }
						code := app.Main(t.Context(), args, commands(startSandbox)...)
						require.NotRegexp(t, speaksGo, out.String(), "%v", args)
						require.NotEmpty(t, out.String(), "%v", args)
						return code, out.String()
					}
					for _, args := range reading() {
						run(args...)
					}
					sched, err := c.dialect.Open(t.Context(), dialects.Target{Dial: box.Dial, DSN: box.DSN(), Schema: c.schema})
					require.NoError(t, err)
					_, err = snapshot.New(sched).Read(t.Context()) // what watch, console and metrics show
					require.NotRegexp(t, speaksGo, dialects.Words(err))
					require.NoError(t, sched.Close())
					for _, args := range changing() {
						if code, out := run(args...); name == "no settings" {
							require.Equal(t, cli.ExitRefused, code, "%v: %s", args, out)
							require.Contains(t, out, "dbsched install", "%v", args)
						}
					}
				})
			})
		}
	}
}
