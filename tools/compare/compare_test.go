package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/trace"
)

// did is what a sandbox did: a task with an outcome at a time.
func did(test, hash, outcome, at string, statements int64) trace.Trace {
	return trace.Trace{
		Test: test, Hash: hash, Took: time.Minute, Costs: map[string]int64{"Statements": statements, "Locks": 3},
		Outcomes: trace.Outcomes{"app.Tasks 1": {"Status": outcome, "FinishedAt": at}},
	}
}

func of(all ...trace.Trace) map[string][]trace.Trace {
	by := map[string][]trace.Trace{}
	for _, t := range all {
		by[t.Test] = append(by[t.Test], t)
	}
	return by
}

const nine, nineNow, later = "2026-01-05T09:00:00.2Z", "2026-01-05T09:00:00.207Z", "2026-01-05T09:00:05Z"

func TestCompare(t *testing.T) {
	before := of(did("Same", "a", "Succeeded", nine, 1), did("Costs", "a", "Succeeded", nine, 10), did("Outcome", "a", "Succeeded", nine, 1),
		did("Late", "a", "Succeeded", nine, 1), did("Gone", "a", "Succeeded", nine, 1), did("Twice", "a", "Succeeded", nine, 1), did("Order", "a", "Succeeded", nine, 1))
	after := of(did("Same", "a", "Succeeded", nine, 1), did("Costs", "b", "Succeeded", nineNow, 8), did("Outcome", "b", "Failed", nine, 1),
		did("Late", "b", "Succeeded", later, 1), did("New", "a", "Succeeded", nine, 1),
		did("Twice", "a", "Succeeded", nine, 1), did("Twice", "b", "Succeeded", nine, 1), did("Order", "b", "Succeeded", nine, 1))
	r := compare(before, after)
	require.Equal(t, []string{"New"}, r.news)
	require.Equal(t, []string{"Gone"}, r.gone)
	require.Equal(t, 3, r.same) // Same, Order, the first of Twice
	require.Equal(t, []string{"Costs", "Late", "Outcome", "Twice"}, tests(r.different))
	require.Empty(t, r.different[0].outcomes, "milliseconds are no outcome")
	require.Equal(t, map[string]int64{"Statements": -2}, r.different[0].costs)
	require.Equal(t, []string{"  app.Tasks 1 FinishedAt: " + nine + " -> " + later}, r.different[1].outcomes)
	require.Equal(t, []string{"  app.Tasks 1 Status: Succeeded -> Failed"}, r.different[2].outcomes)
	require.False(t, r.explained())
	text := r.text("0123456789")
	require.Contains(t, text, "Compared with 01234567: 3 sandboxes did the same. Outcomes differ in 3, only costs in 1.\nNew (1): New\nGone (1): Gone\n")
	require.Contains(t, text, "nothing explains the difference")
}

// TestOlderTraces compares with tests that told the hash alone.
func TestOlderTraces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "traces")
	require.NoError(t, os.WriteFile(path, []byte("TestA a 2026-01-05T09:00:31.5216Z {Statements:2772 Queries:875}\nTestB b 2026-01-05T09:00:31.5216Z {Statements:2772}\n"), 0o644))
	before, err := trace.Read(path)
	require.NoError(t, err)
	r := compare(before, of(did("TestA", "a", "Succeeded", nine, 1), did("TestB", "c", "Succeeded", nine, 1)))
	require.Equal(t, 1, r.same)
	require.True(t, r.explained())
	require.Contains(t, r.text("0123456789"), "Something differs, but that commit's tests do not tell what (1): TestB\n")
}

// TestExplanations reads the messages of commits.
func TestExplanations(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx := context.WithoutCancel(t.Context())
	commit := func(message string) string {
		cmd := exec.CommandContext(ctx, "git", "-c", "user.name=n", "-c", "user.email=n@localhost", "-c", "commit.gpgsign=false", "commit", "--allow-empty", "-q", "-m", message)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		id, err := git(ctx, "rev-parse", "--short", "HEAD")
		require.NoError(t, err)
		return id
	}
	_, err := git(ctx, "init", "-q")
	require.NoError(t, err)
	base := commit("First")
	parent, err := commitToCompare(ctx, "")
	require.NoError(t, err)
	require.Empty(t, parent)
	costs := commit("Claims read less\n\nThey did not need it.\n\nCosts-differ: ^Costs$: one row\n less")
	both := commit("Late tasks fail\n\nOutcomes-differ: Late|Outcome: they are too late\nCosts-differ: ^Twice$: nobody counts")
	parent, err = commitToCompare(ctx, "")
	require.NoError(t, err)
	require.Contains(t, parent, costs)

	why, err := explanations(ctx, base)
	require.NoError(t, err)
	r := &report{different: []*difference{
		{test: "Costs", costs: map[string]int64{"Locks": 1}}, {test: "Late", outcomes: []string{"x"}}, {test: "Outcome", costs: map[string]int64{"Locks": 1}}, {test: "Twice", outcomes: []string{"x"}},
	}}
	r.explain(why)
	require.Equal(t, costs+" one row less", r.different[0].why)
	require.Equal(t, both+" they are too late", r.different[1].why)
	require.Equal(t, both+" they are too late", r.different[2].why)
	require.Empty(t, r.different[3].why, "other costs do not explain another outcome")
	require.False(t, r.explained())

	commit("Bad\n\nCosts-differ: everything")
	_, err = explanations(ctx, base)
	require.ErrorContains(t, err, `Costs-differ: "everything" is no pattern of tests and reason`)
}
