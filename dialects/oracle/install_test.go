package oracle

import (
	"context"
	"math"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

var installOptions = dialects.InstallOptions{Lanes: 2, LockTimeout: 10 * time.Second, DrainTimeout: 10 * time.Second}

func TestInstallTwiceChangesNothing(t *testing.T) {
	s := open(t, serve(t))
	first, err := s.Install(t.Context(), installOptions)
	require.NoError(t, err)
	require.Contains(t, first.Applied, "0001_tables.up.sql")
	require.Contains(t, first.Applied, "jobs lanes")
	was := names(t, s)

	second, err := s.Install(t.Context(), dialects.InstallOptions{LockTimeout: time.Second})
	require.NoError(t, err)
	require.Empty(t, second.Applied)
	require.Equal(t, 2, second.Lanes)
	require.Equal(t, was, names(t, s))
}

// The script for SQL*Plus, which can be run again, does the same as the command.
func TestRenderedScriptInstalls(t *testing.T) {
	s := open(t, serve(t))
	var script strings.Builder
	require.NoError(t, Dialect{}.Render(&script, dialects.Layout{Schema: "app", Lanes: 2}))
	command := regexp.MustCompile(`(?m)^(?:set|prompt|whenever) .*\n`) // of SQL*Plus; none of dbsched's lines starts like that
	for range 2 {
		for _, part := range split(command.ReplaceAllString(script.String(), "")) {
			exec(t, s, part.text)
		}
	}
	report, err := s.Install(t.Context(), installOptions)
	require.NoError(t, err)
	require.Empty(t, report.Applied, "the script and the command differ")
	require.NoError(t, s.Start(t.Context()))
}

// Whatever has happened to a unit, it is created again, even if stopping calls it, and nothing is left invalid.
func TestInstallMendsUnits(t *testing.T) {
	s := open(t, serve(t))
	_, err := s.Install(t.Context(), installOptions)
	require.NoError(t, err)
	was := names(t, s)
	for _, damage := range []string{
		"create or replace package ds_wake as\n    procedure other;\nend ds_wake;",
		"drop package body dbsched",
		"drop view ds_log_info",
		"create or replace package body ds_control as nonsense; end;",
		"create or replace package body ds_wake as nonsense; end;",
		"create or replace package body dbsched as nonsense; end;",
		"drop package dbsched",
	} {
		require.NoError(t, s.Start(t.Context()), damage)
		exec(t, s, damage)
		report, err := s.Install(t.Context(), installOptions)
		require.NoError(t, err, damage)
		require.NotEmpty(t, report.Applied, damage)
		require.Equal(t, was, names(t, s), damage)
	}
}

// An installation that loses its connections before any statement that changes something can be run again to its end, or
// uninstalled.
func TestInstallKilledAtEveryStatement(t *testing.T) {
	debug.SetGCPercent(300) // there is much garbage, and little live memory
	t.Cleanup(func() { debug.SetGCPercent(100) })
	var want []string
	var texts sandbox.Texts
	install := func(t *testing.T, dsn string) {
		t.Helper()
		s := open(t, dsn)
		_, err := s.Install(t.Context(), installOptions)
		require.NoError(t, err)
		now := names(t, s)
		if want == nil {
			want = now
		}
		require.Equal(t, want, now)
	}
	uninstall := func(t *testing.T, dsn string) {
		t.Helper()
		s := open(t, dsn)
		_, err := s.Uninstall(t.Context(), dialects.UninstallOptions{LockTimeout: 10 * time.Second, DrainTimeout: 10 * time.Second})
		require.NoError(t, err)
		require.Empty(t, names(t, s))
	}
	dsn := start(t, &texts).DSN()
	s, c := openCut(t, dsn, math.MaxInt)
	_, err := s.Install(t.Context(), installOptions)
	require.NoError(t, err)
	all := math.MaxInt - c.left
	require.Greater(t, all, 50)
	install(t, dsn)
	for n := range all {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			dsn := start(t, &texts).DSN()
			s, _ := openCut(t, dsn, n)
			if _, err := s.Install(t.Context(), installOptions); err == nil {
				require.Equal(t, all-1, n, "only the lock could not be given back")
			}
			if n%2 == 0 {
				install(t, dsn)
			} else {
				uninstall(t, dsn)
			}
		})
	}
}

// A unit that does not compile fails the installation with the place and the cause.
func TestInstallReportsWhatDoesNotCompile(t *testing.T) {
	s := open(t, serve(t))
	conn, err := s.DB.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	err = s.sendBatch(t.Context(), conn, templates.Batch{
		Name: "body wake", Kind: templates.KindModule, Object: templates.Object{Type: "package", Name: "DS_WAKE"},
		SQL: "create or replace package ds_wake as\n    x nowhere%type;\nend ds_wake;",
	}, time.Minute)
	require.ErrorAs(t, err, new(*dialects.ServerError))
	require.ErrorContains(t, err, "body wake: PACKAGE DS_WAKE does not compile:\n  line 2, column 7: PLS-00201: identifier 'NOWHERE' must be declared")
}

// A second installation waits for the first, and says so when it takes too long.
func TestInstallWaitsForAnother(t *testing.T) {
	dsn := serve(t)
	one, two := open(t, dsn), open(t, dsn)
	conn, err := one.DB.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	id := lockID("installation", one.Schema())
	require.NoError(t, request(t.Context(), conn, id, time.Second))
	opts := installOptions
	opts.LockTimeout = time.Second
	_, err = two.Install(t.Context(), opts)
	require.ErrorAs(t, err, new(*dialects.PreflightError))
	require.ErrorContains(t, err, "another installation of schema")
	require.NoError(t, release(t.Context(), conn, id))
	_, err = two.Install(t.Context(), installOptions)
	require.NoError(t, err)
}

func TestCancelledInstallSaysSo(t *testing.T) {
	s := open(t, serve(t))
	ctx, cancel := context.WithCancel(t.Context())
	s.Notify = func(line string) {
		if line == "0001_tables.up.sql" {
			cancel()
		}
	}
	_, err := s.Install(ctx, installOptions)
	require.ErrorIs(t, err, context.Canceled)
	s.Notify = func(string) {}
	_, err = s.Install(t.Context(), installOptions)
	require.NoError(t, err)
}
