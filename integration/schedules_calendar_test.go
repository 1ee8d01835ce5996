package integration

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/adhocore/gronx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// calendarCase is a calendar in a time zone, with the next five instants after a time.
type calendarCase struct {
	calendar, zone, after string
	want                  []string // UTC; nil: a library reads the calendar
}

// calendarCases returns the table: leap years, ends of months, both clock changes in four zones, L, #, steps.
func calendarCases() []calendarCase {
	var all []calendarCase
	for _, zone := range []string{"Europe/Warsaw", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"} {
		for _, after := range map[string][]string{
			"Europe/Warsaw":       {"2026-03-28T12:00:00", "2026-10-24T12:00:00"},
			"America/New_York":    {"2026-03-07T12:00:00", "2026-10-31T12:00:00"},
			"Australia/Lord_Howe": {"2026-04-04T01:00:00", "2026-10-03T01:00:00"},
			"Asia/Kolkata":        {"2026-02-28T23:59:30"},
		}[zone] {
			for _, calendar := range []string{
				"30 2 * * *", "30 1 * * *", "15 2,3 * * *", "0 2 * * SUN", "45 1 * * *", "0 0 * * *", "59 23 * * *",
				"*/15 * * * *", "30 * * * *", "*/10 2 * * *", "*/20 1-3 * * *", "5 */2 * * *", "0-59/30 2 * * *", "@hourly", "@daily",
			} {
				all = append(all, calendarCase{calendar: calendar, zone: zone, after: after})
			}
		}
	}
	for _, calendar := range []string{
		"0 12 29 2 *", "0 0 29 FEB *", "0 0 31 * *", "0 0 30 * *", "0 6 L * *", "0 6 L 2 *", "0 6 15,L * *", "0 8 * * 5#2", "0 8 * * FRI#5", "0 8 * * MON#1,MON#3",
		"0 0 1 1 *", "@yearly", "@monthly", "@weekly", "0 9 * * MON-FRI", "0 9 * * 1,3,5", "0 9 * * 0", "0 9 * * 7", "0 9 1,15 * FRI", "0 9 13 * FRI",
		"0 0 1 JAN,APR,JUL,OCT *", "0 0 1 */3 *", "7-23/4 5 * * *", "1,2,3 4-6 7-9 10-12 *", "*/7 * * * *", "*/7 23,0 * * *", "0 22-23 31 12 *", "* * * * *",
		"0 0 28-31 * *", "0 17 L MAR,JUN,SEP,DEC *",
	} {
		all = append(all, calendarCase{calendar: calendar, zone: "Europe/Warsaw", after: "2027-02-27T22:58:30"})
	}
	return append(all,
		// A day of the month that begins with * and a day of the week must both match: crontab(5) of Vixie's cron. gronx takes either.
		calendarCase{"0 0 */2 * 1", "UTC", "2026-11-01T00:00:00", []string{"2026-11-09T00:00", "2026-11-23T00:00", "2026-12-07T00:00", "2026-12-21T00:00", "2027-01-11T00:00"}},
		calendarCase{"0 0 13 * */5", "UTC", "2026-11-01T00:00:00", []string{"2026-11-13T00:00", "2026-12-13T00:00", "2027-06-13T00:00", "2027-08-13T00:00", "2028-02-13T00:00"}},
		calendarCase{"0 0 * * FRI-SUN", "UTC", "2026-11-01T00:00:00", []string{"2026-11-06T00:00", "2026-11-07T00:00", "2026-11-08T00:00", "2026-11-13T00:00", "2026-11-14T00:00"}},
		// Elapsed time ignores time zones.
		calendarCase{"every 7 minutes", "Europe/Warsaw", "2026-10-24T23:50:00", []string{"2026-10-24T23:57", "2026-10-25T00:04", "2026-10-25T00:11", "2026-10-25T00:18", "2026-10-25T00:25"}},
		calendarCase{"every 6 hours", "Europe/Warsaw", "2026-10-24T20:30:00", []string{"2026-10-25T02:30", "2026-10-25T08:30", "2026-10-25T14:30", "2026-10-25T20:30", "2026-10-26T02:30"}},
		calendarCase{"every day", "America/New_York", "2026-10-31T06:00:00", []string{"2026-11-01T06:00", "2026-11-02T06:00", "2026-11-03T06:00", "2026-11-04T06:00", "2026-11-05T06:00"}},
		calendarCase{"Every  2 Days", "UTC", "2028-02-28T06:00:00", []string{"2028-03-01T06:00", "2028-03-03T06:00", "2028-03-05T06:00", "2028-03-07T06:00", "2028-03-09T06:00"}},
		// In the gap: the first instant after it; two local times there are one instant. In the overlap: only the first time.
		calendarCase{"15,45 2 29 3 *", "Europe/Warsaw", "2026-03-28T00:00:00", []string{"2026-03-29T01:00", "2027-03-29T00:15", "2027-03-29T00:45", "2028-03-29T00:15", "2028-03-29T00:45"}},
		calendarCase{"30 1 * * *", "America/New_York", "2026-11-01T06:10:00", []string{"2026-11-02T06:30", "2026-11-03T06:30", "2026-11-04T06:30", "2026-11-05T06:30", "2026-11-06T06:30"}},
		calendarCase{"15 2 4 10 *", "Australia/Lord_Howe", "2026-10-01T00:00:00", []string{"2026-10-03T15:30", "2027-10-03T15:15", "2028-10-03T15:15", "2029-10-03T15:45", "2030-10-03T15:45"}},
		calendarCase{"0 0 29 2 */7", "UTC", "2026-01-01T00:00:00", []string{"2032-02-29T00:00", "2060-02-29T00:00", "2088-02-29T00:00"}},
	)
}

// calendarsFile holds the table and its answers, from the library and from the documentation; cmd/dbsched reads it, too.
const calendarsFile = "testdata/calendars.txt"

// TestCalendars compares how the engine and a library read calendars, minute by minute.
func TestCalendars(t *testing.T) {
	cases := calendarCases()
	require.GreaterOrEqual(t, len(cases), 120)
	lines := "# Calendar, time zone, a time and the next instants after it (UTC). Written by go test ./integration -run TestCalendars -update; do not edit.\n"
	for i := range cases {
		c := &cases[i]
		if c.want == nil {
			c.want = c.instants(t)
		}
		lines += strings.Join(append([]string{c.calendar, c.zone, c.after}, c.want...), "\t") + "\n"
	}
	if *update {
		require.NoError(t, os.WriteFile(calendarsFile, []byte(lines), 0o644))
	}
	file, err := os.ReadFile(calendarsFile)
	require.NoError(t, err)
	require.Equal(t, lines, string(file), "go test ./integration -run TestCalendars -update")
	each(t, setup{stopped: true}, func(h *harness) {
		for _, c := range cases {
			after, err := time.Parse(utcSecond, c.after)
			require.NoError(h, err)
			zone, _, err := h.sched.Zone(h.Context(), c.zone)
			require.NoError(h, err)
			got, err := h.sched.NextInstants(h.Context(), dialects.When{Calendar: c.calendar, Zone: zone}, after, len(c.want))
			require.NoError(h, err, "%s in %s", c.calendar, c.zone)
			var texts []string
			for _, at := range got {
				texts = append(texts, at.Format(utcMinute))
			}
			assert.Equal(h, c.want, texts, "%s in %s after %s", c.calendar, c.zone, c.after)
		}
		zone, _, err := h.sched.Zone(h.Context(), "UTC")
		require.NoError(h, err)
		got, err := h.sched.NextInstants(h.Context(), dialects.When{Calendar: "* * * * *", Zone: zone}, time.Time{}, 1)
		require.NoError(h, err)
		require.WithinDuration(h, h.now(), got[0], time.Minute, "without a time, the server's counts")
	})
}

// instants steps through the minutes after a time. gronx says which local times match, Go's time package what is local.
func (c calendarCase) instants(t *testing.T) []string {
	t.Helper()
	loc, err := time.LoadLocation(c.zone)
	require.NoError(t, err)
	at, err := time.Parse(utcSecond, c.after)
	require.NoError(t, err)
	cron := gronx.New()
	// 7 is Sunday; gronx counts to 6 in lists only.
	fields := strings.Fields(map[string]string{"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *"}[c.calendar])
	if len(fields) == 0 {
		fields = strings.Fields(c.calendar)
	}
	due := func(expr string, local time.Time) bool {
		// The same local time in UTC, where every local time exists.
		due, err := cron.IsDue(expr, time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), 0, 0, time.UTC))
		require.NoError(t, err, c.calendar)
		return due
	}
	all := strings.Join(fields, " ")
	days := "* * " + strings.Join(fields[2:], " ")
	every := strings.HasPrefix(fields[0], "*") || strings.HasPrefix(fields[1], "*")
	known := map[string]bool{}
	dayDue := func(local time.Time) bool {
		day := local.Format(time.DateOnly)
		if _, ok := known[day]; !ok {
			known[day] = due(days, local)
		}
		return known[day]
	}
	var found []string
	for at = at.Truncate(time.Minute).Add(time.Minute); len(found) < 5; at = at.Add(time.Minute) {
		local := at.In(loc)
		if !dayDue(local) && !dayDue(local.Add(12*time.Hour)) {
			at = at.Add(11 * time.Hour)
			continue
		}
		_, before := at.Add(-time.Minute).In(loc).Zone()
		_, now := local.Zone()
		fires := dayDue(local) && due(all, local)
		if !every {
			// Again: the same local time existed less than a day ago.
			for back := time.Minute; fires && back <= 3*time.Hour; back += time.Minute {
				fires = at.Add(-back).In(loc).Format(utcMinute) != local.Format(utcMinute)
			}
			for skipped := now - before; skipped > 0; skipped -= 60 { // the gap before this minute
				fires = fires || due(all, local.Add(-time.Duration(skipped)*time.Second).In(time.FixedZone("", now)))
			}
		}
		if fires {
			found = append(found, at.Format(utcMinute))
		}
	}
	return found
}
