package integration

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestReportsOfManyRoundsGrowOld: each report counts for the time of its round and no longer, without any further report; the alarm names those whose
// report is withdrawn, and those that have not succeeded.
func TestReportsOfManyRoundsGrowOld(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		s := h.session()
		for name, members := range sorted(map[string][]string{"hour": {"a", "b", "c", "d"}, "none": {"e"}, "two": {"x", "y"}, "failures": {"m", "n"}}) {
			age := time.Hour
			if name == "two" {
				age = 2 * time.Hour
			}
			h.round(dialects.NewRound{Name: name, Members: members, SuccessorSQL: h.say.nothing, Order: 1, MaxAge: age})
		}
		reported := func(round string) (all []string) {
			for _, m := range having(h.rowsOf(s, "round_member_info"), "round", round) {
				if m["reportedat"] != "NULL" {
					all = append(all, m["member"])
				}
			}
			slices.Sort(all)
			return all
		}
		late := func() (texts []string) {
			for _, a := range h.alarms() {
				if a[0] == "RoundLate" {
					texts = append(texts, a[1])
				}
			}
			return texts
		}
		began := h.now()
		h.reports("hour", "a", true, dialects.RoundWaiting)
		h.reports("hour", "b", false, dialects.RoundReported)
		h.reports("hour", "d", true, dialects.RoundWaiting)
		h.reports("two", "x", true, dialects.RoundWaiting)
		h.reports("failures", "m", false, dialects.RoundReported)
		h.pauseUntil(began.Add(time.Hour - 2*time.Second))
		s.exec(h.say.sweep)
		require.Equal(h, []string{"a", "b", "d"}, reported("hour"))
		require.Equal(h, []string{"m"}, reported("failures"))
		require.Empty(h, late())
		h.pause(5 * time.Second)
		s.exec(h.say.sweep)
		require.Empty(h, reported("hour"))
		require.Empty(h, reported("failures"))
		require.Equal(h, []string{"x"}, reported("two"))
		require.Len(h, late(), 1, "a failure that has grown old is no news")
		require.Regexp(h, `"hour".* 3600 seconds .*"a", "d".*"b", "c"\.`, late()[0])

		// They have to report again.
		for _, m := range []string{"b", "c", "a"} {
			h.reports("hour", m, true, dialects.RoundWaiting)
		}
		h.reports("hour", "d", true, dialects.RoundStarted)
		h.pauseUntil(began.Add(2*time.Hour + 3*time.Second))
		s.exec(h.say.sweep)
		require.Empty(h, reported("two"))
		require.Len(h, late(), 2)
		require.Regexp(h, `"two".* 7200 seconds .*"x".*"y"\.`, late()[1])
		h.drain(time.Minute)
		require.Len(h, h.logs(), 1)

		// A report that comes too late for another's counts alone.
		h.reports("hour", "a", true, dialects.RoundWaiting)
		h.pause(time.Hour - 5*time.Second)
		h.reports("hour", "b", true, dialects.RoundWaiting)
		require.Equal(h, []string{"a", "b"}, reported("hour"))
		h.pause(7 * time.Second)
		h.reports("hour", "c", true, dialects.RoundWaiting)
		require.Equal(h, []string{"b", "c"}, reported("hour"))
		require.Len(h, late(), 3)
	})
}
