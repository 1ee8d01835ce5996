package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestSchedulePhase: what counts elapsed time goes on at the same minutes and seconds, however many instants were missed, and whatever is done about them.
func TestSchedulePhase(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		begin := h.now().Truncate(time.Second).Add(-17 * time.Second)
		steps := map[string]time.Duration{"every 1 minutes": time.Minute, "every 7 minutes": 7 * time.Minute, "every 2 hours": 2 * time.Hour, "every day": 24 * time.Hour}
		phase := func(name, calendar string) time.Duration {
			return h.scheduleOf(name).NextAt.Sub(begin) % steps[calendar]
		}
		for calendar := range sorted(steps) {
			for _, missed := range dialects.MissedPolicies() {
				h.schedule(dialects.NewSchedule{Name: calendar + " " + missed, Calendar: calendar, Begin: begin, Missed: missed, Tasks: nothing})
			}
			require.Zero(h, phase(calendar+" Once", calendar))
		}
		h.schedule(dialects.NewSchedule{Name: "own", Calendar: "every 7 minutes", Tasks: nothing}) // counts from when it is created
		own := *h.scheduleOf("own").NextAt
		require.WithinDuration(h, h.now().Add(7*time.Minute), own, 2*time.Second)
		h.away(26*time.Hour + 30*time.Second + 500*time.Millisecond)
		for calendar := range sorted(steps) {
			for _, missed := range dialects.MissedPolicies() {
				require.Zero(h, phase(calendar+" "+missed, calendar), calendar+" "+missed)
				require.True(h, h.scheduleOf(calendar+" "+missed).NextAt.After(h.now()))
				require.NoError(h, h.sched.DropSchedule(h.Context(), calendar+" "+missed))
			}
		}
		require.Zero(h, h.scheduleOf("own").NextAt.Sub(own)%(7*time.Minute))
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "own", false))
		h.pause(13 * time.Hour)
		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), "own", true))
		h.pause(2 * h.soon)
		require.Zero(h, h.scheduleOf("own").NextAt.Sub(own)%(7*time.Minute))
	})
}

// TestScheduleMissedMany: of more than a hundred missed instants, Once fires the last, All the last hundred, and one row stands for the others.
func TestScheduleMissedMany(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		for name, calendar := range sorted(map[string]string{"a": "* * * * *", "b": "*/5 * * * *", "c": "every 3 minutes", "d": "*/2 0-3 * * *", "e": "0 12 * * *"}) {
			h.schedule(dialects.NewSchedule{Name: "Once " + name, Calendar: calendar, Tasks: nothing})
			h.schedule(dialects.NewSchedule{Name: "None " + name, Calendar: calendar, Missed: "None", Tasks: nothing})
		}
		h.schedule(dialects.NewSchedule{Name: "All", Calendar: "* * * * *", Missed: "All", Overlap: "Allow", Tasks: nothing})
		first := map[string]time.Time{}
		for _, s := range h.schedules() {
			first[s.Name] = *s.NextAt
		}
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pauseUntil(h.now().Truncate(24 * time.Hour).Add(60*time.Hour + 30*time.Second))
		back := h.now()
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(50 * time.Second)
		last := map[string]time.Time{
			"a": back.Truncate(time.Minute), "b": back.Truncate(5 * time.Minute), "d": back.Truncate(24 * time.Hour).Add(3*time.Hour + 58*time.Minute), "e": back.Truncate(time.Minute),
		}
		for c := range sorted(first) {
			if c == "All" {
				continue
			}
			policy, name := c[:4], c[5:]
			fired := h.firings(c)
			i := len(fired) - 1
			for ; fired[i].DueAt.After(back); i-- { // those that have come since
			}
			require.LessOrEqual(h, i, 99, c)
			if at, ok := last[name]; ok {
				require.Equal(h, at, fired[i].DueAt, c)
			} else {
				require.Less(h, back.Sub(fired[i].DueAt), 3*time.Minute, c)
			}
			late := back.Sub(fired[i].DueAt) > time.Minute
			require.Equal(h, policy == "None" && late, fired[i].Status == "Missed", c)
			if policy == "Once" && late {
				require.Equal(h, "for all that were missed", fired[i].Detail, c)
			}
			for _, f := range fired[:i] {
				require.Equal(h, "Missed", f.Status, c)
			}
			if name != "e" {
				require.Equal(h, 1, i, c)
				require.Equal(h, first[c], fired[0].DueAt, c)
				require.Regexp(h, `^and all others until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$`, fired[0].Detail)
			}
		}

		h.pause(5 * time.Minute)
		all := h.firings("All")
		require.Equal(h, "Missed", all[0].Status)
		for i, f := range all[1:] {
			require.Equal(h, back.Truncate(time.Minute).Add(time.Duration(i-99)*time.Minute), f.DueAt)
			require.Equal(h, "Succeeded", f.Status)
		}
	})
}

// schedules reads all schedules.
func (h *harness) schedules() []dialects.Schedule {
	h.Helper()
	all, err := h.sched.Schedules(h.Context(), "")
	require.NoError(h, err)
	return all
}

// TestScheduleOfYears: after ten years and a half in which nothing ran, finding the last of five million instants costs little.
func TestScheduleOfYears(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.onSandbox("nobody sets a real server's clock")
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		h.schedule(dialects.NewSchedule{Name: "each minute", Calendar: "* * * * *", Tasks: nothing})
		h.schedule(dialects.NewSchedule{Name: "leap days", Calendar: "* 0-11 29 2 *", Missed: "All", Tasks: nothing})
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.server.box.SetClock(3833 * 24 * time.Hour)
		before := h.server.box.Counters()
		back := h.now()
		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(2*h.soon + 50*time.Second)
		require.Equal(h, back.Truncate(time.Minute), h.firings("each minute")[1].DueAt)
		require.Less(h, h.server.box.Counters().Statements-before.Statements, int64(400_000))
		leap := h.firings("leap days")
		require.Len(h, leap, 101)
		year := back.Year() - back.Year()%4
		require.Equal(h, time.Date(year, 2, 29, 11, 59, 0, 0, time.UTC), leap[100].DueAt)
		require.Equal(h, time.Date(year, 2, 29, 10, 20, 0, 0, time.UTC), leap[1].DueAt)
	})
}

// TestScheduleBeginAndEnd: nothing fires before the begin or after the end, both of which count.
func TestScheduleBeginAndEnd(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		hour := h.now().Truncate(time.Hour).Add(time.Hour)
		begin, end := hour.Add(3*time.Hour), hour.Add(5*time.Hour)
		for name, calendar := range sorted(map[string]string{"cron": "0 * * * *", "elapsed": "every 60 minutes"}) {
			h.schedule(dialects.NewSchedule{Name: name, Calendar: calendar, Begin: begin, End: end, Tasks: nothing})
			s := h.scheduleOf(name)
			require.Equal(h, begin, *s.NextAt, name)
			require.Equal(h, begin, s.BeginAt)
			require.Equal(h, end, *s.EndAt)
			next, err := h.sched.NextInstants(h.Context(), s.When(s.Zone), time.Time{}, 10)
			require.NoError(h, err)
			require.Equal(h, []time.Time{begin, begin.Add(time.Hour), end}, next)
		}
		h.pauseUntil(end.Add(2*time.Hour + 30*time.Minute))
		for _, name := range []string{"cron", "elapsed"} {
			fired := h.firings(name)
			require.Len(h, fired, 3, name)
			require.Equal(h, begin, fired[0].DueAt)
			require.Equal(h, end, fired[2].DueAt)
			s := h.scheduleOf(name)
			require.Nil(h, s.NextAt)
			require.Empty(h, s.NextLocal)
			require.Equal(h, "Enabled", s.Status)
			next, err := h.sched.NextInstants(h.Context(), s.When(s.Zone), time.Time{}, 10)
			require.NoError(h, err)
			require.Empty(h, next)

			// It continues as if it had never ended, but for what lies in between.
			require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: name, End: dialects.NoEnd()}))
			require.Equal(h, end.Add(3*time.Hour), *h.scheduleOf(name).NextAt)
		}
		h.pauseUntil(end.Add(3*time.Hour + h.soon + 10*time.Second))
		for _, name := range []string{"cron", "elapsed"} {
			require.Len(h, h.firings(name), 4, name)
			require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: name, Begin: end.Add(24 * time.Hour)}))
			require.Equal(h, end.Add(24*time.Hour), *h.scheduleOf(name).NextAt)
			never := dialects.NewSchedule{Name: name, End: end}
			require.ErrorContains(h, h.sched.AlterSchedule(h.Context(), never), h.errorText(74), "after the begin")
			require.Equal(h, end.Add(24*time.Hour), *h.scheduleOf(name).NextAt)
		}
	})
}

// TestCalendarsThatNeverFire: whoever asks, the answer is the same.
func TestCalendarsThatNeverFire(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		h.schedule(dialects.NewSchedule{Name: "good", Calendar: "@daily", Tasks: nothing})
		for _, calendar := range []string{"0 0 31 2 *", "* * 31 4,6,9,11 */7"} {
			for name, err := range sorted(map[string]error{
				"next":   second(h.sched.NextInstants(h.Context(), dialects.When{Calendar: calendar, Zone: "UTC"}, time.Time{}, 5)),
				"create": h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{Name: "bad", Calendar: calendar, Tasks: nothing}),
				"alter":  h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "good", Calendar: calendar}),
			}) {
				require.ErrorAs(h, err, new(*dialects.ServerError), name)
				require.ErrorContains(h, err, fmt.Sprintf("dbsched %s: ", h.errorText(74)), name)
				require.ErrorContains(h, err, calendar+`" cannot be read: it never fires: no such day exists`, name)
			}
		}
		require.Equal(h, "@daily", h.scheduleOf("good").Calendar)
	})
}

// TestScheduleZones: the case of letters does not matter, and a zone that the server no longer knows harms nothing but its own schedule.
func TestScheduleZones(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		at := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
		for n, name := range []string{"Europe/Warsaw", "EUROPE/WARSAW", "europe/warsaw", "America/Port_of_Spain", "AMERICA/NEW_YORK"} {
			zone, loc, err := h.sched.Zone(h.Context(), name)
			require.NoError(h, err)
			require.NotNil(h, loc, name)
			for i, spelled := range []string{zone, strings.ToUpper(zone)} {
				schedule := fmt.Sprint(n, " ", i)
				next, err := h.sched.NextInstants(h.Context(), dialects.When{Calendar: "0 6 * * *", Zone: spelled}, at, 1)
				require.NoError(h, err, spelled)
				require.Equal(h, "06:00", next[0].In(loc).Format("15:04"))
				h.schedule(dialects.NewSchedule{Name: schedule, Calendar: "0 6 * * *", Zone: spelled, Tasks: nothing})
				require.Contains(h, h.scheduleOf(schedule).NextLocal, " 06:00:00")
			}
		}

		h.session().exec(h.say.unknownZone)
		h.schedule(dialects.NewSchedule{Name: "good", Calendar: "0 6 * * *", Tasks: nothing})
		for _, s := range h.schedules() {
			require.Equal(h, s.Name == "good", s.NextLocal != "", s.Name)
		}
		checks := h.scheduleChecks()
		require.Equal(h, dialects.Warn, checks[0].Level)
		require.Contains(h, checks[0].Text, "in a time zone that the server does not know: ")

		// It fires by hand all the same, under its time in UTC.
		lost := h.schedules()[0].Name
		require.NoError(h, h.sched.Start(h.Context()))
		require.NoError(h, h.sched.RunSchedule(h.Context(), lost))
		h.pause(2*h.soon + 5*time.Second)
		fired := h.firings(lost)
		require.Equal(h, "Succeeded", fired[0].Status, h.report())
		require.Equal(h, lost+" "+fired[0].DueAt.Format("2006-01-02 15:04"), h.processOf(fired[0].ProcessID).Name)
	})
}

// TestScheduleOfOtherRules: the next instant is found anew each day, in case the rules of its time zone have changed since.
func TestScheduleOfOtherRules(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		right := map[string]time.Time{}
		for _, name := range []string{"early", "late"} {
			h.schedule(dialects.NewSchedule{Name: name, Calendar: "0 6 1 * *", Tasks: nothing})
			right[name] = *h.scheduleOf(name).NextAt
		}
		h.pause(2 * h.soon)
		stored := map[string]string{"mssql": "NextAt = DATEADD(hour, %d, NextAt)", "oracle": "next_at = next_at + numtodsinterval(%d, 'HOUR')"}[h.dialect.Name()]
		h.session().exec(h.changeSchedule(fmt.Sprintf(stored, -1), "early"))
		h.session().exec(h.changeSchedule(fmt.Sprintf(stored, 1), "late"))
		h.pause(25 * time.Hour)
		for name, at := range right {
			require.Equal(h, at, *h.scheduleOf(name).NextAt, name)
			require.Empty(h, h.firings(name))
		}
	})
}
