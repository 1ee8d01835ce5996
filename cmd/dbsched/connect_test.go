package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/logintest"
)

// TestASilentServerIsNoConnection: it gives exit code 3, on both engines.
func TestASilentServerIsNoConnection(t *testing.T) {
	for scheme, database := range map[string]string{"sqlserver": "?connection+timeout=1", "oracle": "/x?CONNECTION+TIMEOUT=1"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			s := logintest.Start(t, nil)
			r := run{all: registry.All()}
			r.do(t, "status", "--dsn="+scheme+"://u:hush@"+s.Addr+database)
			require.Equal(t, cli.ExitConnect, r.code, r.err)
			require.Contains(t, r.err, "the server accepted the connection but did not complete the login within 1s")
			require.NotContains(t, r.err, "hush")
		})
	}
}

// TestInterruptedWhileLoggingIn: Ctrl-C ends the command at once.
func TestInterruptedWhileLoggingIn(t *testing.T) {
	for scheme, database := range map[string]string{"sqlserver": "", "oracle": "/x"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			s := logintest.Start(t, nil)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-s.Taken; cancel() }()
			begun := time.Now()
			r := run{all: registry.All(), ctx: ctx}
			r.do(t, "status", "--dsn="+scheme+"://u:hush@"+s.Addr+database)
			require.Equal(t, cli.ExitInterrupted, r.code, r.err)
			require.Equal(t, "dbsched: interrupted\n", r.err)
			require.Less(t, time.Since(begun), 10*time.Second)
		})
	}
}

// askingDialect needs a password.
func askingDialect(r *run, l dialects.Login) *string {
	var got string
	r.dialect.open = func(target dialects.Target) (dialects.Scheduler, error) {
		var err error
		if got, err = target.Password(context.Background(), l); err != nil {
			return nil, err
		}
		return r.scheduler.connected(target), nil
	}
	return &got
}

func TestPassword(t *testing.T) {
	sa, runner := dialects.Login{Name: "h as sa"}, dialects.Login{Name: "h as RUN", Runner: true}
	environment := map[string]string{"DBSCHED_PASSWORD": "hush", "DBSCHED_RUNNER_PASSWORD": "hush2"}

	r := run{env: environment}
	got := askingDialect(&r, sa)
	r.do(t, "start", dsn)
	require.Zero(t, r.code, r.err)
	require.Equal(t, "hush", *got)
	require.NotContains(t, r.err+r.out, "hush")
	got = askingDialect(&r, runner)
	r.do(t, "start", dsn)
	require.Equal(t, "hush2", *got)

	r = run{terminal: 80, typed: func(context.Context) (string, error) { return "ty ped\r\n", nil }}
	got = askingDialect(&r, sa)
	r.do(t, "start", dsn)
	require.Zero(t, r.code, r.err)
	require.Equal(t, "ty ped", *got)
	require.Contains(t, r.err, "Password for h as sa: \n")
	require.NotContains(t, r.err+r.out, "ty ped")

	r = run{}
	askingDialect(&r, sa)
	r.do(t, "start", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "the login to h as sa needs a password, and there is no terminal to prompt on. Set DBSCHED_PASSWORD\n")
	askingDialect(&r, runner)
	r.do(t, "start", dsn)
	require.Contains(t, r.err, "Set DBSCHED_RUNNER_PASSWORD\n")

	r = run{terminal: 80, typed: func(context.Context) (string, error) { return "", errors.New("EOF") }}
	askingDialect(&r, sa)
	r.do(t, "start", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "no password was entered")
}

// targets writes a configuration file.
func targets(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const twoTargets = `# mine
targets:
  prod:
    dsn: fake://u:hush@prod
    schema: jobs
  test: {dsn: "fake://test"}
  empty: {schema: x}
`

func TestTarget(t *testing.T) {
	path := targets(t, twoTargets)
	r := run{env: map[string]string{"DBSCHED_CONFIG": path, "DBSCHED_DSN": "fake://env"}}
	for _, c := range []struct {
		args        []string
		dsn, schema string
	}{
		{[]string{"--target=prod"}, "fake://u:hush@prod", "jobs"},
		{[]string{"--target=prod", "--schema=other"}, "fake://u:hush@prod", "other"},
		{[]string{"--target=prod", "--dsn=fake://flag"}, "fake://flag", "jobs"},
		{[]string{"--target=test"}, "fake://test", "dbsched"},
		{[]string{"--target=empty", "--dsn=fake://flag"}, "fake://flag", "x"},
		{nil, "fake://env", "dbsched"},
	} {
		r.do(t, append([]string{"status"}, c.args...)...)
		require.Zero(t, r.code, r.err)
		require.Equal(t, c.dsn, r.dialect.target.DSN, c.args)
		require.Equal(t, c.schema, r.dialect.target.Schema, c.args)
		require.Empty(t, r.err)
	}

	// On other systems the user's own folder is elsewhere.
	home := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, home)
	}
	dir, err := os.UserConfigDir()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "dbsched"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dbsched", "config.yaml"), []byte("targets: {home: {dsn: fake://home}}"), 0o600))
	r = run{}
	r.do(t, "status", "--target=home")
	require.Equal(t, "fake://home", r.dialect.target.DSN, r.err)
}

func TestTargetsThatAreWrong(t *testing.T) {
	path := targets(t, twoTargets)
	for _, c := range []struct{ path, target, want string }{
		{path, "live", "there is no target live in " + path + ". Targets: empty, prod, test"},
		{path, "empty", "the target empty in " + path + " has no dsn"},
		{targets(t, ""), "prod", "Targets: none"},
		{targets(t, "targets:\n  prod:\n    dns: fake://u:hush@h\n"), "prod", "[3:5] unknown field. A target has a dsn and a schema\n"},
		{targets(t, "targets:\n  prod:\n    hush: x\n"), "prod", "is invalid: [3:5] unknown field"},
		{targets(t, "targets:\n  prod: *hush\n"), "prod", "it must be YAML of this form:\ntargets:\n  NAME:\n    dsn: URL"},
		{targets(t, "targets:\n  prod: {dsn: [hush]}\n"), "prod", "is invalid: [2:"},
		{targets(t, "targets:\n  prod:\n    dsn: hush\n    dsn: hush\n"), "prod", "is invalid: [4:"},
		{targets(t, "hush"), "prod", "is invalid: [1:1] it must be"},
		{targets(t, "targets:\n  prod: {dsn: \"hush\n"), "prod", "is invalid"},
		{targets(t, "targets:\n  prod: fake://u:hush@h\n"), "prod", "is invalid: [2:9]"},
		{targets(t, "targets: [fake://u:hush@h\n"), "prod", "is invalid: [1:"},
		{filepath.Join(t.TempDir(), "none.yaml"), "prod", "which does not exist. Create it with this content:\ntargets:\n  prod:\n    dsn: "},
	} {
		r := run{env: map[string]string{"DBSCHED_CONFIG": c.path}}
		r.do(t, "status", "--target="+c.target)
		require.Equal(t, cli.ExitUsage, r.code)
		require.Contains(t, r.err, c.want)
		require.NotContains(t, r.err, "hush")
	}
}

func TestAFileWithAPasswordThatOthersRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its rights are others")
	}
	path := targets(t, twoTargets)
	require.NoError(t, os.Chmod(path, 0o644))
	r := run{env: map[string]string{"DBSCHED_CONFIG": path}}
	r.do(t, "status", "--target=prod")
	require.Zero(t, r.code)
	require.Equal(t, "dbsched: warning: "+path+" contains a password and other users can read it. Run chmod 600 "+path+", or remove the password and set DBSCHED_PASSWORD\n", r.err)
	r.do(t, "status", "--target=test")
	require.Empty(t, r.err)
}

// TestDocumentedTargets: the configuration file shown in cli.md is valid.
func TestDocumentedTargets(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "cli.md"))
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "```yaml\ntargets:")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "```")
	r := run{env: map[string]string{"DBSCHED_CONFIG": targets(t, "targets:"+text)}}
	r.do(t, "status", "--target=nobody")
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "Targets: dwh, prod\n")
}

// TestExposedConnections: the commands that send what others run, or run for long, warn of a connection that others can read.
func TestExposedConnections(t *testing.T) {
	path := targets(t, "targets: {far: {dsn: fake://far}}")
	for _, c := range []struct {
		args []string
		want bool
	}{
		{[]string{"install", "--dsn=fake://far"}, true},
		{[]string{"install", "--dsn=fake://far", "-q"}, true},
		{[]string{"install", "--target=far"}, true},
		{[]string{"install", "--dsn=fake://near", "--runner-dsn=fake://far"}, true},
		{[]string{"console", "--dsn=fake://far"}, true},
		{[]string{"metrics", "--dsn=fake://far", "--listen=127.0.0.1:99999"}, true},
		{[]string{"install", "--dsn=fake://near"}, false},
		{[]string{"install"}, false},
		{[]string{"status", "--dsn=fake://far"}, false},
	} {
		r := run{env: map[string]string{"DBSCHED_CONFIG": path, "DBSCHED_DSN": "fake://near"}}
		r.dialect.risky = "far"
		r.scheduler.err = errors.New("refused")
		r.do(t, c.args...)
		require.Equal(t, c.want, strings.Contains(r.err, "dbsched: warning: others can read far\n"), "%q: %s", c.args, r.err)
	}
}
