package integration

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

// round is a round of a scenario.
func (h *harness) round(r dialects.NewRound) {
	h.Helper()
	if r.SuccessorJob != "" {
		r.SuccessorJob = h.say.jobs.name(r.SuccessorJob)
	}
	require.NoError(h, h.sched.DefineRound(h.Context(), r))
}

// roundOf reads a round.
func (h *harness) roundOf(name string) dialects.Round {
	h.Helper()
	rounds, err := h.sched.Rounds(h.Context())
	require.NoError(h, err)
	for _, r := range rounds {
		if r.Name == name {
			return r
		}
	}
	require.Fail(h, "there is no such round", name)
	return dialects.Round{}
}

// reports makes a member report.
func (h *harness) reports(round, member string, succeeded bool, want dialects.RoundOutcome) {
	h.Helper()
	got, err := h.sched.ReportRound(h.Context(), round, member, succeeded)
	require.NoError(h, err)
	if got != want {
		require.Equal(h, want, got, "%s of %s: %+v", member, round, h.alarms())
	}
}

// reportsLast makes a member report that has to wait until a job runs.
func (h *harness) reportsLast(round, member string, want dialects.RoundOutcome) {
	h.Helper()
	got, err := h.sched.ReportRound(h.Context(), round, member, true)
	require.NoError(h, err)
	if got != want {
		require.Equal(h, want, got, "%+v", h.alarms())
	}
}

// job creates a job on the server.
func (h *harness) job(name string, steps ...string) {
	h.Helper()
	admin := h.admin()
	admin.exec(h.say.jobs.add(name, steps...))
	h.Cleanup(func() {
		if h.server.box == nil {
			admin.exec(h.say.jobs.remove(name))
		}
	})
}

// successor creates a job that leaves a mark and then takes a while.
func (h *harness) successor(name string) {
	h.Helper()
	for _, text := range h.say.marks {
		h.session().exec(text)
	}
	h.job(name, h.say.mark(1), h.say.jobs.pause(20*time.Second))
}

func (h *harness) startJob(name string) {
	h.Helper()
	h.admin().exec(h.say.jobs.start(name))
}

// untilIdle waits until a job has run n times and is not running.
func (h *harness) untilIdle(name string, n int, limit time.Duration) {
	h.Helper()
	admin := h.admin()
	h.until(limit, fmt.Sprintf("%d runs of %s", n, name), func() bool {
		return admin.value(h.say.jobs.runs(name)) == fmt.Sprint(n) && admin.value(h.say.jobs.busy(name)) == "0"
	})
}

// alarms returns those about rounds.
func (h *harness) alarms() [][]string {
	h.Helper()
	h.requireAlarmsName()
	return slices.DeleteFunc(h.session().rows(h.say.alarms), func(a []string) bool { return !strings.HasPrefix(a[0], "Round") })
}

// alarmed asserts that there is one alarm of a kind, and none of another, with these words in it.
func (h *harness) alarmed(kind string, words ...string) {
	h.Helper()
	alarms := h.alarms()
	require.Len(h, alarms, 1, "%v", alarms)
	require.Equal(h, kind, alarms[0][0], "%v", alarms)
	for _, w := range words {
		require.Contains(h, alarms[0][1], w)
	}
}

// markedBy reads what a job has left.
func (h *harness) markedBy(string) []string {
	h.Helper()
	out := []string{}
	for _, row := range h.session().rows(h.say.markRead) {
		out = append(out, row[0])
	}
	return out
}
