package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

func TestVerify(t *testing.T) {
	r := run{scheduler: fakeScheduler{checks: []dialects.Check{
		{Name: "broker", Level: dialects.Fail, Text: "It is off.", Means: "No task runs.", Remedy: "TURN ON;", Safe: true},
		{Name: "Lane_01", Level: dialects.Warn, Text: "It was altered.", Remedy: "dbsched install", Diff: "-a\n+b"},
		{Name: "timer", Level: dialects.OK, Text: "It is set."},
	}}}
	r.do(t, "verify", dsn)
	require.Equal(t, cli.ExitNo, r.code)
	require.Contains(t, r.out, "FAIL  broker: It is off.\n      No task runs.\n      TURN ON;\nWARN  Lane_01: It was altered.\n      dbsched install\n      -a\n      +b\nOK    timer: It is set.\n")
	require.Contains(t, r.out, "1 OK, 0 INFO, 1 WARN, 1 FAIL\n")
	require.Equal(t, []string{"verify, probe 30s", "close"}, r.scheduler.calls)

	r.do(t, "doctor", "--fix", dsn)
	require.Equal(t, cli.ExitUsage, r.code, "nobody can be asked")
	r.scheduler.calls = nil
	r.do(t, "verify", "--fix", "--yes", "--probe-timeout=0", dsn)
	require.Equal(t, []string{"verify, probe 0s", "mend broker", "verify, probe 0s", "close"}, r.scheduler.calls)
	require.Contains(t, r.err, "broker: It is off.\n    TURN ON;\nrepaired: broker\n")

	r.scheduler.checks = r.scheduler.checks[1:]
	r.scheduler.checks[0].Diff = strings.Repeat("-line\n", 100)
	r.do(t, "verify", dsn)
	require.Contains(t, r.out, "-line\n      … 61 more lines: dbsched verify -o json\nOK ")
	r.do(t, "verify", dsn)
	require.Equal(t, cli.ExitDone, r.code)
}

// TestVerifyOnTheSandbox: damage is a FAIL and exit code 1, and --fix repairs it.
func TestVerifyOnTheSandbox(t *testing.T) {
	t.Parallel()
	for dialect, damage := range map[string]struct{ sql, says string }{
		"mssql":  {"ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);", "FAIL  queue Dispatch: "},
		"oracle": {"begin dbms_scheduler.disable('DS_DISPATCHER', true); end;", "FAIL  dispatcher: "},
	} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, dialect)
			c.ok("install", "--lanes=2")
			c.ok("start")
			require.Regexp(t, "(?m)^OK +probe: .*\n.* OK, .*, 0 WARN, 0 FAIL\n$", c.ok("verify"))
			execute(t, c.connect(), damage.sql)
			o := c.run("doctor")
			require.Equal(t, 1, o.code, o.err)
			require.Contains(t, o.out, damage.says)
			require.Contains(t, o.out, " 1 FAIL\n")
			c.refused(2, "--yes", "verify", "--fix") // no terminal
			o = c.run("verify", "--fix", "--yes")
			require.Zero(t, o.code, o.out+o.err)
			require.Contains(t, o.err, "repaired: ")
			require.Contains(t, o.out, ", 0 FAIL\n")
		})
	}
}
