package plan

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// files simulates the folder of a plan.
type files map[string]string

func (f files) open(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

func TestPlan(t *testing.T) {
	got, err := Parse("p.yaml", nil, []byte(`
process: nightly load
priority: -3
weight: 7
max-parallel: 4
on-error: continue
schedule: {cron: "0 2 * * *", zone: Europe/Warsaw, begin: 2026-01-31T06:00:00+01:00, end: "2027-01-01T00:00:00Z", overlap: queue, missed: ALL}
waves:
- tasks:
  - EXEC a
  - sql: |
      SELECT 1;
      SELECT 'ü: # no comment';
    priority: 9
    max-attempts: 2
    timeout: 1h30m
    transactional: true
    name: Build facts
  - file: b.sql
- order: 0x1000
  tasks: [{sql: "EXEC c", not-before: 2026-11-20T23:00:00+01:00, on-orphan: FAIL, resource: r, access: shared, dedup-key: k,
    parameters: {s: "a\"<b", n: 12345678901234567890.10, t: true, z: null}}]
- tasks: [EXEC d]
defaults: {max-attempts: 5, retry-delay: 90s, expected-seconds: 12}
`), files{"b.sql": "\ufeffEXEC b\n"}.open)
	require.NoError(t, err)
	base := dialects.NewTask{MaxAttempts: 5, RetryDelay: 90 * time.Second, ExpectedSeconds: 12}
	task := func(order int, sql string, with func(*dialects.NewTask)) dialects.NewTask {
		n := base
		n.Order, n.SQL = order, sql
		if with != nil {
			with(&n)
		}
		return n
	}
	require.Equal(t, dialects.NewProcess{Name: "nightly load", Priority: -3, Weight: 7, MaxParallel: 4, OnError: "Continue"}, got.Process)
	require.Equal(t, []dialects.NewTask{
		task(100, "EXEC a", nil),
		task(100, "SELECT 1;\nSELECT 'ü: # no comment';\n", func(n *dialects.NewTask) {
			n.Name, n.Priority, n.MaxAttempts, n.Timeout, n.Transactional = "Build facts", 9, 2, 90*time.Minute, true
		}),
		task(100, "EXEC b\n", nil),
		task(4096, "EXEC c", func(n *dialects.NewTask) {
			n.NotBefore = time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)
			n.OnOrphan, n.Resource, n.Access, n.DedupKey = "Fail", "r", "Shared", "k"
			n.Parameters = `{"s": "a\"<b", "n": 12345678901234567890.10, "t": true, "z": null}`
		}),
		task(4196, "EXEC d", nil),
	}, got.Tasks)
	require.Equal(t, []int{100, 4096, 4196}, got.Waves())
	require.Equal(t, dialects.NewSchedule{Calendar: "0 2 * * *", Zone: "Europe/Warsaw", Begin: time.Date(2026, 1, 31, 5, 0, 0, 0, time.UTC), End: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), Overlap: "Queue", Missed: "All"}, got.Schedule)
	_, err = got.Scheduled()
	require.ErrorContains(t, err, "priority 0")
	got.Process.Priority = 0
	_, err = got.Scheduled()
	require.ErrorContains(t, err, "not-before")
	got.Tasks = got.Tasks[:3]
	s, err := got.Scheduled()
	require.NoError(t, err)
	require.Equal(t, dialects.NewSchedule{
		Name: "nightly load", Calendar: "0 2 * * *", Zone: "Europe/Warsaw", Begin: got.Schedule.Begin, End: got.Schedule.End, Overlap: "Queue", Missed: "All", Tasks: got.Tasks, Process: got.Process,
	}, s)
}

func TestProblems(t *testing.T) {
	const head = "process: p\nwaves:\n- tasks:\n  - " // the task is at 4:5
	long := strings.Repeat("x", 129)
	for name, c := range map[string]struct {
		plan string
		want []string
	}{
		"empty":              {"", []string{"1:1: the plan is empty"}},
		"only comments":      {"# nothing\n", []string{"1:1: the plan is empty"}},
		"no mapping":         {"- a\n", []string{"1:1: the plan must be a mapping of keys to values, not a list"}},
		"two documents":      {"process: p\n---\nprocess: q\n", []string{"3:1: a plan is one YAML document"}},
		"no YAML":            {"process: [a\nwaves: x\n", []string{"this is not YAML: "}},
		"nothing there":      {"priority: 1\n", []string{"1:1: process is missing", "1:1: waves is missing"}},
		"wave without tasks": {"process: p\nwaves:\n- order: 5\n", []string{"3:3: tasks is missing in a wave"}},
		"empty lists":        {"process: p\nwaves: []\n", []string{"2:8: waves is empty"}},
		"no tasks":           {"process: p\nwaves:\n- tasks: []\n", []string{"3:10: tasks is empty"}},
		"null":               {"process: p\nwaves:\n", []string{"2:8: waves must be a list, not nothing"}},

		"unknown keys, all at once": {
			"prozess: p\nwaves:\n- odrer: 1\n  tasks:\n  - {sql: x, retries: 3}\n",
			[]string{
				`1:1: unknown key "prozess" in the plan. Valid keys: process, priority, weight, max-parallel, on-error, schedule, defaults, waves`,
				"1:1: process is missing", `3:3: unknown key "odrer" in a wave. Valid keys: order, tasks`,
				`5:14: unknown key "retries" in a task. Valid keys: name, sql, file, dedup-key, parameters, priority,`,
			},
		},
		"twice":              {"process: p\nprocess: q\nwaves: [{tasks: [x]}]\n", []string{"2:1: process appears twice"}},
		"numbers":            {"process: p\nweight: 0\npriority: 1000001\nmax-parallel: x\nwaves: [{tasks: [x]}]\n", []string{"2:9: weight is 0; it must be a whole number from 1 to 1000", "3:11: priority is 1000001; it must be a whole number from -1000000 to 1000000", "4:15: max-parallel is x; it must be a whole number from 1"}},
		"fraction":           {"process: p\nweight: 1.5\nwaves: [{tasks: [x]}]\n", []string{"2:9: weight is 1.5; it must be a whole number"}},
		"huge":               {"process: p\nweight: 99999999999999999999\nwaves: [{tasks: [x]}]\n", []string{"2:9: weight is 99999999999999999999; it must be a whole number from 1 to 1000"}},
		"name":               {"process: " + long + "\nwaves: [{tasks: [x]}]\n", []string{"1:10: process has 129 characters; it must have at most 128"}},
		"name is a number":   {"process: 2026\nwaves: [{tasks: [x]}]\n", []string{"1:10: process must be a text, not a number: write it in quotes"}},
		"name is blank":      {"process: ' '\nwaves: [{tasks: [x]}]\n", []string{"1:10: process is empty"}},
		"word":               {"process: p\non-error: stop\nwaves: [{tasks: [x]}]\n", []string{`2:11: on-error is "stop"; it must be Halt or Continue`}},
		"schedule":           {"process: p\nschedule: {zone: UTC, overlap: Never, missed: 1}\nwaves: [{tasks: [x]}]\n", []string{"2:11: cron is missing in the schedule", `2:32: overlap is "Never"; it must be Skip or Queue or Allow`, "2:47: missed must be a text, not a number"}},
		"waves out of order": {"process: p\nwaves:\n- order: 20\n  tasks: [x]\n- order: 20\n  tasks: [y]\n- order: 10\n  tasks: [z]\n", []string{"5:10: order is 20, after 20; list waves in the order", "7:10: order is 10, after 20"}},
		"order":              {"process: p\nwaves:\n- order: 2147483648\n  tasks: [x]\n", []string{"3:10: order is 2147483648; it must be a whole number from -2147483648 to 2147483647"}},
		"order overflows":    {"process: p\nwaves:\n- order: 2147483647\n  tasks: [x]\n- tasks: [y]\n", []string{"5:3: the order would be 2147483747"}},

		"no SQL":             {head + "priority: 1\n", []string{"4:5: a task needs sql or file"}},
		"both":               {head + "sql: x\n    file: b.sql\n", []string{"5:11: a task has sql or file, not both"}},
		"blank SQL":          {head + "sql: ' '\n", []string{"4:10: sql is empty"}},
		"blank short SQL":    {head + "''\n", []string{"4:5: the SQL of a task is empty"}},
		"SQL is a number":    {head + "sql: 1\n", []string{"4:10: sql must be a text, not a number"}},
		"task is a list":     {head + "[x]\n", []string{"4:5: a task must be a mapping of keys to values, not a list"}},
		"missing file":       {head + "file: c.sql\n", []string{"4:11: file c.sql cannot be read: file does not exist"}},
		"empty file":         {head + "file: empty.sql\n", []string{"4:11: file empty.sql is empty"}},
		"file in UTF-16":     {head + "file: wide.sql\n", []string{"4:11: file wide.sql is not UTF-8"}},
		"duration":           {head + "sql: x\n    timeout: soon\n    retry-delay: 1500ms\n", []string{`5:14: timeout is "soon"; write it like 30s or 1h30m`, "6:18: retry-delay is 1500ms; it must be whole seconds"}},
		"duration's range":   {head + "sql: x\n    timeout: 0s\n    retry-delay: 25h\n", []string{"5:14: timeout is 0s; it must be from 1s to ", "6:18: retry-delay is 25h; it must be from 1s to 24h0m0s"}},
		"duration's unit":    {head + "sql: x\n    timeout: 30\n", []string{"5:14: timeout is 30 without a unit"}},
		"attempts":           {head + "sql: x\n    max-attempts: 101\n", []string{"5:19: max-attempts is 101; it must be a whole number from 1 to 100"}},
		"instant":            {head + "sql: x\n    not-before: 2026-11-20 22:00\n", []string{`5:17: not-before is "2026-11-20 22:00"; it must look like 2026-11-20T22:00:00Z`}},
		"boolean":            {head + "sql: x\n    transactional: maybe\n", []string{"5:20: transactional must be true or false, not a text"}},
		"access":             {head + "sql: x\n    access: Shared\n", []string{"5:13: access needs a resource"}},
		"access of what":     {head + "sql: x\n    resource: r\n    access: all\n", []string{`6:13: access is "all"; it must be Shared or Exclusive`}},
		"parameters":         {head + "sql: x\n    parameters: {a: [1], a: 2, h: 0x10}\n", []string{"5:21: parameter a must be a text, a number, true, false or null, not a list", "5:26: parameter a appears twice", "5:35: parameter h is 0x10; write numbers in decimal digits"}},
		"parameters, a list": {head + "sql: x\n    parameters: [1]\n", []string{"5:17: parameters must be a mapping of names to values, not a list"}},
		"same name":          {"process: p\nwaves: [{tasks: [{sql: x, name: k}]},\n {tasks: [{sql: y, name: k}]}]\n", []string{`3:26: name "k" is already used at line 2`}},
		"long name":          {head + "{sql: x, name: " + long + "}\n", []string{"4:20: name has 129 characters; it must have at most 128"}},
		"same key":           {"process: p\nwaves: [{tasks: [{sql: x, dedup-key: k}]},\n {tasks: [{sql: y, dedup-key: k}]}]\n", []string{`3:31: dedup-key "k" is already used at line 2`}},
		"anchors":            {"process: &p p\nwaves: [{tasks: [*p]}]\n", []string{"1:10: process must be a text, not an anchor, alias or tag", "2:18: a task must be a mapping of keys to values, not an anchor, alias or tag"}},
		"merge keys":         {head + "<<: {sql: x}\n", []string{"4:5: unknown key \"<<\" in a task", "4:5: a task needs sql or file"}},
		"in defaults":        {"process: p\ndefaults: {sql: x, timeout: 1}\nwaves: [{tasks: [x]}]\n", []string{`2:12: unknown key "sql" in defaults`, "2:29: timeout is 1 without a unit"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Parse("p.yaml", nil, []byte(c.plan), files{"b.sql": "b", "empty.sql": "\ufeff \n", "wide.sql": "\xff\xfeS\x00"}.open)
			require.Nil(t, got)
			var problems *Error
			require.ErrorAs(t, err, &problems)
			lines := strings.Split(problems.Error(), "\n  ")
			require.Len(t, lines[1:], len(c.want), "%v", err)
			for i, want := range c.want {
				require.True(t, strings.Contains(lines[i+1], want), "%q is not in %q", want, lines[i+1])
			}
		})
	}
}

func TestErrorListsAllProblems(t *testing.T) {
	_, err := Parse("dir/p.yaml", nil, []byte("process: ''\nwaves: 7\n"), nil)
	require.EqualError(t, err, "dir/p.yaml: 2 problems; nothing was sent:\n  dir/p.yaml:1:10: process is empty\n  dir/p.yaml:2:8: waves must be a list, not a number")
	_, err = Parse("p.yaml", nil, []byte("process: p\n"), nil)
	require.EqualError(t, err, "p.yaml: 1 problem; nothing was sent:\n  p.yaml:1:1: waves is missing")
}

func TestPositionsBehindOtherCharacters(t *testing.T) {
	_, err := Parse("p.yaml", nil, []byte("process: p\r\n\r\nwaves: [{tasks: ['é€😀', {}]}]\r\n"), nil)
	require.ErrorContains(t, err, "p.yaml:3:25: a task needs sql or file")
}

func TestTabsAreFound(t *testing.T) {
	for text, at := range map[string]string{
		"process: p\nwaves:\n- order: 1\n\ttasks: [a]\n":                                  "4:1",
		"process: p\nwaves:\n- tasks:\n  - sql: a\n    \tname: b\n":                       "5:5",
		"process: p\nwaves:\n- tasks:\n  - |\n    begin\n    \ta tab in the SQL\n\tend\n": "7:1",
	} {
		_, err := Parse("p.yaml", nil, []byte(text), nil)
		require.ErrorContains(t, err, "p.yaml:"+at+": this is not YAML", text)
	}
}

// The examples have every key, and work as they are.
func TestExample(t *testing.T) {
	for _, dialect := range []string{"mssql", "oracle"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(Example(dialect)), 0o600))
		p, err := Load(filepath.Join(dir, "plan.yaml"), engines[dialect])
		require.NoError(t, err)
		require.Equal(t, []int{100, 200, 1000}, p.Waves())
		require.Len(t, p.Tasks, 6)

		var r reader
		var names []string
		for _, k := range r.common(&dialects.NewTask{}) {
			names = append(names, k.name)
		}
		for _, name := range append(names, "process", "priority", "weight", "max-parallel", "on-error", "schedule", "cron", "zone", "begin", "end", "overlap", "missed", "defaults", "waves", "order", "tasks", "sql", "file", "dedup-key", "parameters") {
			require.Contains(t, Example(dialect), name+":")
		}
		_, err = Load(filepath.Join(dir, "missing.yaml"), engines[dialect])
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	require.Empty(t, Example("other"))
}

// Whatever a file contains, reading it ends with a plan or with problems.
func FuzzParse(f *testing.F) {
	f.Add(Example("mssql"))
	for _, text := range []string{"a: &b [*b]", "? [a]\n: b", "process: !!str p", "{{", "waves:\n- tasks:\n  - |\n", "\ufeffprocess: p", "%YAML 1.2\n---\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("p.yaml", engines["mssql"], []byte(text), files{}.open)
		if err != nil {
			var problems *Error
			require.ErrorAs(t, err, &problems)
			require.NotEmpty(t, problems.Problems)
			return
		}
		require.NotEmpty(t, p.Tasks)
		require.NotEmpty(t, p.Process.Name)
	})
}
