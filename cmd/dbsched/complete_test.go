package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestCompletion: shell completion gets the values of flags and arguments, without a connection.
func TestCompletion(t *testing.T) {
	path := targets(t, twoTargets)
	for typed, want := range map[string]string{
		"logs --status F":           "Running Succeeded Failed Orphaned TimedOut Cancelled Outage",
		"logs --status=Failed,":     "Failed,Running Failed,Succeeded Failed,Failed Failed,Orphaned Failed,TimedOut Failed,Cancelled Failed,Outage",
		"status --target ":          "empty prod test",
		"status --dialect ":         "fake",
		"tasks --output ":           "table json",
		"policy ":                   "Fifo Priority RoundRobin",
		"cancel ":                   "task process",
		"wait ":                     "", // no database is named
		"exec x --order 1 --access": "--access",
		"demo --clock ":             "real fast",
	} {
		r := run{env: map[string]string{"DBSCHED_CONFIG": path}}
		require.Equal(t, want, strings.Join(r.completed(t, strings.Split(typed, " ")...), " "), typed)
		require.Empty(t, r.scheduler.calls)
	}
}

// TestCompletionOfNames: with a database, names and ids come from it.
func TestCompletionOfNames(t *testing.T) {
	r := run{env: map[string]string{"DBSCHED_DSN": "fake://h"}, scheduler: fakeScheduler{
		processes: []dialects.Process{
			{ID: 9, Name: "nightly load", Status: "Open"}, {ID: 8, Name: "twice", Status: "Open"}, {ID: 7, Name: "Twice", Status: "Suspended"},
			{ID: 6, Name: "done", Status: "Failed"}, {ID: 5, Name: "12", Status: "Open"}, {ID: 4, Status: "Closing"}, {ID: 3, Name: "a\x1b[31m", Status: "Open"},
		},
		tasks:     []dialects.Task{{ID: 41, Status: "Running", SQL: "exec a"}, {ID: 42, Status: "Failed", SQL: "exec\n\tb"}},
		schedules: []dialects.Schedule{{Name: "nightly"}, {Name: "Noon"}, {Name: "weekly"}},
		resources: []dialects.ResourceRequest{{Resource: "disk", Request: 3}, {Resource: "disk", Request: 4, TaskID: 41}, {Resource: "report server"}},
		rounds:    []dialects.Round{{Name: "load", Reports: []dialects.RoundReport{{Member: "Load A"}, {Member: "Load B"}}}, {Name: "other"}},
	}}
	for typed, want := range map[string]string{
		"wait,":                         "nightly load|8|7|6|5|4|3",
		"timeline,ni":                   "nightly load",
		"timeline,NI":                   "nightly load",
		"timeline,1,":                   "", // it takes one
		"cancel,process,":               "nightly load|8|7|6|5|4|3",
		"retry,task,":                   "41|42",
		"cancel,task,41,4":              "41|42",
		"cancel,p":                      "task|process", // the shell chooses
		"task,":                         "41|42",
		"exec,select 1,--process,":      "nightly load|8|7|6|5|4|3",
		"exec,select 1,--resource,":     "disk|report server",
		"tasks,--process=ni":            "nightly load",
		"schedule,show,n":               "nightly|Noon",
		"schedule,next,":                "nightly|Noon|weekly",
		"schedule,alter,w":              "weekly",
		"schedule,run,w":                "weekly",
		"schedule,pause,w":              "weekly",
		"schedule,remove,w":             "weekly",
		"schedule,add,":                 "",
		"schedule,add,new,--resource,d": "disk",
		"resource,define,":              "disk|report server",
		"resource,drop,r":               "report server",
		"resource,release,":             "3", // not a task's
		"round,define,":                 "load|other",
		"round,define,x,--process,":     "nightly load|8|7|6|5|4|3",
		"round,report,LOAD,":            "Load A|Load B",
		"round,report,nothing,":         "",
		"round,report,load,Load A,":     "",
		"round,remove,o":                "other",
	} {
		before, last := typed[:strings.LastIndex(typed, ",")], typed[strings.LastIndex(typed, ",")+1:]
		require.Equal(t, want, strings.Join(r.completed(t, append(strings.Split(before, ","), last)...), "|"), typed)
	}
	require.NotContains(t, r.do(t, "__complete", "wait", "").out, "\x1b")
	require.Contains(t, r.out, "nightly load\tprocess 9, Open\n")
	require.Contains(t, r.out, "6\tdone, Failed\n")
	require.Contains(t, r.do(t, "__complete", "task", "").out, "42\tFailed: b\n")
}

// TestCompletionStaysSilent: a completion asks for no password, and neither fails nor waits for long.
func TestCompletionStaysSilent(t *testing.T) {
	r := run{terminal: 80, typed: func(context.Context) (string, error) { panic("it asks for a password") }}
	r.dialect.open = func(target dialects.Target) (dialects.Scheduler, error) {
		_, err := target.Password(t.Context(), dialects.Login{Name: "u@h"})
		return nil, err
	}
	require.Empty(t, r.completed(t, "wait", "--dsn=fake://h", ""))
	require.NotContains(t, r.err, "assword")

	synctest.Test(t, func(t *testing.T) {
		r := run{scheduler: fakeScheduler{block: true}}
		begin := time.Now()
		require.Empty(t, r.completed(t, "wait", "--dsn=fake://h", ""))
		require.Equal(t, 3*time.Second, time.Since(begin))
	})
}

// completed returns what a shell is offered for the last of some arguments.
func (r *run) completed(t *testing.T, args ...string) (got []string) {
	t.Helper()
	r.do(t, append([]string{"__complete"}, args...)...)
	require.Zero(t, r.code, r.err)
	for line := range strings.Lines(r.out) {
		if word, _, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t"); !strings.HasPrefix(word, ":") {
			got = append(got, word)
		}
	}
	return got
}
