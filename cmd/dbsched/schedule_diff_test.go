package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/cli"
)

// TestScheduleDiff: nothing differs right after a plan was stored, and then what somebody changed, on either side.
func TestScheduleDiff(t *testing.T) {
	t.Parallel()
	const text = `process: nightly
weight: 2
max-parallel: 3
on-error: continue
schedule: {cron: "0 2 * * *", zone: Europe/Warsaw, overlap: queue, missed: all, begin: 2026-01-01T00:00:00Z, end: 2030-01-01T00:00:00Z}
waves:
- order: 100
  tasks: [{sql: "a", max-attempts: 3, retry-delay: 10s, timeout: 1m}, "b"]
- order: 200
  tasks: ["c\nd"]
`
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name(), "--clock=fast")
			c.ok("install", "--lanes=1")
			file := planFile(t, text)
			c.ok("schedule", "add", "--file", file)
			do := func(args ...string) *run {
				r := run{all: registry.All(), env: map[string]string{"DBSCHED_DSN": c.dsn}}
				return r.do(t, append([]string{"schedule", "show", "nightly", "--diff", file}, args...)...)
			}
			r := do()
			require.Equal(t, cli.ExitDone, r.code, r.err+r.out)
			require.Empty(t, r.out)
			require.Contains(t, r.err, "schedule nightly is as "+file+" says")

			c.ok("schedule", "alter", "nightly", "--missed=None")
			changed := strings.NewReplacer("max-attempts: 3", "max-attempts: 4", `c\nd`, `c\ne`).Replace(text)
			require.NoError(t, os.WriteFile(file, []byte(changed), 0o600))
			r = do()
			require.Equal(t, cli.ExitNo, r.code, r.err)
			for _, line := range []string{"--- schedule nightly", "+++ " + file, "-missed: None", "+missed: All", " wave 200: c", "-d", "+e"} {
				require.Contains(t, "\n"+r.out, "\n"+line+"\n")
			}
			require.Regexp(t, `(?m)^-wave 100 \(.*3.*\): a$`, r.out)
			require.Regexp(t, `(?m)^\+wave 100 \(.*4.*\): a$`, r.out)
			require.NotContains(t, r.out, "zone", "it is the same, by another name")
			r = do("-o", "json")
			require.Equal(t, cli.ExitNo, r.code, r.err)
			require.Contains(t, decoded[map[string]string](t, r.out)["diff"], "\n+e\n")

			c.ok("schedule", "alter", "nightly", "--file", file)
			require.Equal(t, cli.ExitDone, do().code, "the diff is what alter changes")
		})
	}
}

// TestScheduleDiffFails: no plan, no schedule.
func TestScheduleDiffFails(t *testing.T) {
	r := run{scheduler: fakeScheduler{}}
	r.do(t, "schedule", "show", "gone", "--diff", planFile(t, ""), dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, `there is no schedule "gone"`)
	r.do(t, "schedule", "show", "n", "--diff", "no.yaml", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "no.yaml")
}

// TestZoneHasBothNames: beside the name that the server stores stands the one that people write.
func TestZoneHasBothNames(t *testing.T) {
	r := run{scheduler: fakeScheduler{schedules: []dialects.Schedule{{Name: "n", Zone: "Central European Standard Time"}}}}
	r.do(t, "schedule", "show", "n", dsn)
	require.Regexp(t, `(?m)^zone +Central European Standard Time \(Europe/Warsaw\)$`, r.out)
	r.do(t, "schedule", "next", "n", dsn)
	require.Contains(t, r.out, "In Central European Standard Time (Europe/Warsaw)")
}
