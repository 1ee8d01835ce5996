package dialects

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// listed is a scheduler with only schedules.
type listed struct {
	Scheduler
	all    []Schedule
	counts ScheduleCounts
	err    error
	read   int // how often the schedules were listed
}

func (l *listed) ScheduleCounts(context.Context) (ScheduleCounts, error) { return l.counts, l.err }
func (l *listed) Schedules(context.Context, string) ([]Schedule, error) {
	l.read++
	return l.all, nil
}

func TestScheduleCheck(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	due, soon := now.Add(-90*time.Second), now.Add(-30*time.Second)
	l := &listed{}
	check := func(st Status) []Check {
		st.Now = now
		checks, err := ScheduleCheck(t.Context(), l, st)
		require.NoError(t, err)
		return checks
	}
	require.Equal(t, []Check{{Name: "schedules", Level: OK, Text: "none"}}, check(Status{}))
	l.counts = ScheduleCounts{Enabled: 1204, Disabled: 2}
	require.Equal(t, []Check{{Name: "schedules", Level: OK, Text: "1204 enabled, 2 paused"}}, check(Status{}))
	require.Equal(t, 1, l.read, "only if there are any")

	for i := range 7 {
		l.all = append(l.all, Schedule{Name: fmt.Sprint("s", i), Status: "Suspended", NextAt: &due})
	}
	l.all = append(l.all, Schedule{Name: "late", Status: "Enabled", NextAt: &due, NextLocal: "9"}, Schedule{Name: "soon", Status: "Enabled", NextAt: &soon, NextLocal: "9"},
		Schedule{Name: "off", Status: "Disabled", NextAt: &due, NextLocal: "9"}, Schedule{Name: "ended", Status: "Enabled"})
	l.counts = ScheduleCounts{Enabled: 2, Disabled: 1, Suspended: 7, Late: 1, NextAt: &due, Next: "late"}
	suspended := Check{
		Name: "schedules", Level: Warn, Text: "suspended: s0, s1, s2, s3, s4 and 2 others", Means: "They do not fire. dbsched schedule list says why.", Remedy: "dbsched schedule resume NAME",
	}
	require.Equal(t, []Check{{
		Name: "schedules", Level: Fail, Text: "late by up to 1m30s: late", Means: "They do not fire. The dispatcher does not run, waits for a lock, or fails.",
		Remedy: "dbsched alarms, then the checks above",
	}, suspended}, check(Status{}))
	require.Equal(t, []Check{{
		Name: "schedules", Level: Info, Text: "due, but this database is a copy of db on a: late", Means: "They fire when it runs again, as their policy for missed firings says.", Remedy: "dbsched start --here, or --moved if it has moved",
	}, suspended}, check(Status{Blocked: Copied, CopyOf: "db on a"}))

	l.all = []Schedule{{Name: "lost", Status: "Disabled", NextAt: &due}, {Name: "lost too", Status: "Enabled", NextAt: &soon}}
	require.Equal(t, []Check{{
		Name: "schedules", Level: Warn, Text: "in a time zone that the server does not know: lost, lost too", Means: "They are suspended when they are due.", Remedy: "dbsched schedule alter NAME --zone ZONE",
	}}, check(Status{}))

	l.err = errors.New("denied")
	_, err := ScheduleCheck(t.Context(), l, Status{})
	require.ErrorIs(t, err, l.err)
}

func TestScheduleCounts(t *testing.T) {
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	var c ScheduleCounts
	require.Zero(t, c.All())
	require.Empty(t, c.String())
	require.Zero(t, c.LateBy(at))
	c.Add("Suspended", 3, 2, &at, "x") // none of these is late
	c.Add("Disabled", 2, 2, &at, "x")
	require.Equal(t, ScheduleCounts{Disabled: 2, Suspended: 3}, c)
	c.Add("Enabled", 12, 1, &at, "nightly")
	require.Equal(t, "12 enabled, 2 paused, 3 suspended, 1 late", c.String())
	require.EqualValues(t, 17, c.All())
	require.Equal(t, time.Minute, c.LateBy(at.Add(time.Minute)))
	require.Zero(t, c.LateBy(at.Add(-time.Minute)))
}

// TestPlanned: the tasks of a schedule by wave, as both engines store them.
func TestPlanned(t *testing.T) {
	require.Equal(t, []Planned{{100, "load", "a", "max_attempts 3, resource r"}, {200, "", "b", ""}},
		Schedule{Tasks: `[{"sql":"b","execution_order":200},{"sql":"a","execution_order":100,"name":"load","resource":"r","max_attempts":3}]`}.Planned())
	require.Equal(t, []Planned{{1, "", "a", "MaxAttempts 3"}}, Schedule{Tasks: `[{"SQL":"a","ExecutionOrder":1,"MaxAttempts":3}]`}.Planned())
	require.Nil(t, Schedule{Tasks: "no JSON"}.Planned())
}
