package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestScheduleIsAlteredInOnePoint: what is given changes, and all else stays, but the next instant if the calendar changes.
func TestScheduleIsAlteredInOnePoint(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		begin := h.now().Truncate(24 * time.Hour).Add(-48 * time.Hour)
		tasks := []dialects.NewTask{h.task(1, h.say.nothing)}
		read := func(name string) row { return only(h.rowsOf(s, "schedule_info"), "name", name) }
		h.schedule(dialects.NewSchedule{Name: "plain", Calendar: "@daily", Tasks: tasks})
		plain := read("plain")
		for column, want := range sorted(map[string]string{
			"calendar": "@daily", "status": "Enabled", "reason": "NULL", "endat": "NULL", "overlap": "Skip", "missedpolicy": "Once", "onerror": "Halt", "weight": "1", "maxparallel": "NULL", "waiting": "0", "running": "0", "fired": "0", "skipped": "0", "missed": "0",
			"laststatus": "NULL", "lastprocessid": "NULL", "zone": "UTC",
		}) {
			require.Equal(h, want, plain[column], column)
		}
		require.WithinDuration(h, h.now(), h.scheduleOf("plain").BeginAt, 2*time.Second)

		h.schedule(dialects.NewSchedule{
			Name: "full", Calendar: "0 6 * * *", Begin: begin, End: begin.Add(9000 * time.Hour), Overlap: "Queue", Missed: "None", Disabled: true, Tasks: tasks,
			Process: dialects.NewProcess{OnError: "Continue", Weight: 7, MaxParallel: 3},
		})
		full := read("full")
		for column, want := range sorted(map[string]string{
			"calendar": "0 6 * * *", "status": "Disabled", "overlap": "Queue", "missedpolicy": "None", "onerror": "Continue", "weight": "7", "maxparallel": "3",
		}) {
			require.Equal(h, want, full[column], column)
		}
		zone, _, err := h.sched.Zone(h.Context(), "America/New_York")
		require.NoError(h, err)
		for _, name := range []string{"plain", "full"} {
			for _, c := range []struct {
				change  dialects.NewSchedule
				columns map[string]string
			}{
				{dialects.NewSchedule{Overlap: "Allow"}, map[string]string{"overlap": "Allow"}},
				{dialects.NewSchedule{Overlap: "Skip"}, map[string]string{"overlap": "Skip"}},
				{dialects.NewSchedule{Missed: "All"}, map[string]string{"missedpolicy": "All"}},
				{dialects.NewSchedule{Missed: "Once"}, map[string]string{"missedpolicy": "Once"}},
				{dialects.NewSchedule{Process: dialects.NewProcess{OnError: "Continue"}}, map[string]string{"onerror": "Continue"}},
				{dialects.NewSchedule{Process: dialects.NewProcess{OnError: "Halt"}}, map[string]string{"onerror": "Halt"}},
				{dialects.NewSchedule{Process: dialects.NewProcess{OnError: "CONTINUE"}, Overlap: "QUEUE", Missed: "NONE"}, map[string]string{"onerror": "Continue", "overlap": "Queue", "missedpolicy": "None"}},
				{dialects.NewSchedule{Process: dialects.NewProcess{OnError: "halt"}, Overlap: "skip", Missed: "once"}, map[string]string{"onerror": "Halt", "overlap": "Skip", "missedpolicy": "Once"}},
				{dialects.NewSchedule{Process: dialects.NewProcess{Weight: 1000}}, map[string]string{"weight": "1000"}},
				{dialects.NewSchedule{Process: dialects.NewProcess{MaxParallel: 9}}, map[string]string{"maxparallel": "9"}},
				{dialects.NewSchedule{Calendar: "30 7 * * *"}, map[string]string{"calendar": "30 7 * * *", "nextat": "07:30:00.000000"}},
				{dialects.NewSchedule{Zone: zone}, map[string]string{"zone": zone, "nextat": ""}},
				{dialects.NewSchedule{Zone: "UTC"}, map[string]string{"zone": "UTC", "nextat": "07:30:00.000000"}},
				{dialects.NewSchedule{Begin: begin.Add(90 * 24 * time.Hour)}, map[string]string{"beginat": begin.Add(90 * 24 * time.Hour).UTC().Format(instantForm), "nextat": "07:30:00.000000"}},
				{dialects.NewSchedule{Begin: begin.Add(90*24*time.Hour + 7*time.Hour + 31*time.Minute)}, map[string]string{"beginat": begin.Add(90*24*time.Hour + 7*time.Hour + 31*time.Minute).UTC().Format(instantForm), "nextat": "07:30:00.000000"}},
				{dialects.NewSchedule{End: begin.Add(99*24*time.Hour + time.Minute)}, map[string]string{"endat": begin.Add(99*24*time.Hour + time.Minute).UTC().Format(instantForm)}},
				{dialects.NewSchedule{Tasks: []dialects.NewTask{h.task(3, h.say.nothing), h.task(4, h.say.nothing)}}, map[string]string{"tasks": ""}},
			} {
				before, at := read(name), h.scheduleOf(name)
				c.change.Name = name
				require.NoError(h, h.sched.AlterSchedule(h.Context(), c.change), "%+v", c.change)
				after, is := read(name), h.scheduleOf(name)
				for column, value := range sorted(after) {
					want, changes := c.columns[column]
					if _, moves := c.columns["nextat"]; moves && column == "nextlocal" || changes && want == "" {
						continue
					}
					if !changes {
						want = before[column]
					}
					if column == "nextat" && changes { // the day is asked below
						_, value, _ = strings.Cut(value, " ")
					}
					require.Equal(h, want, value, "%s of %s after %+v", column, name, c.change)
				}
				if c.columns["nextat"] == "" && c.columns["zone"] == "" {
					require.Equal(h, at.NextAt, is.NextAt, "%+v", c.change)
				} else {
					next, err := h.sched.NextInstants(h.Context(), is.When(is.Zone), h.now(), 1)
					require.NoError(h, err)
					require.Equal(h, next[0], *is.NextAt, "%+v", c.change)
					require.False(h, is.NextAt.Before(is.BeginAt))
				}
			}
		}
	})
}

// TestLateByAMinute: what fires within sixty seconds after its instant is not late; what comes later was missed.
func TestLateByAMinute(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.onSandbox("nobody stops a real server's clock")
		s := h.session()
		for _, late := range []bool{false, true} {
			calendar := map[bool]string{false: "0 10 * * *", true: "10 10 * * *"}[late]
			h.schedule(dialects.NewSchedule{Name: fmt.Sprint("late ", late), Calendar: calendar, Missed: "None", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		}
		h.pause(5 * time.Second)
		s.exec(h.say.noDispatcher)
		for _, late := range []bool{false, true} {
			name := fmt.Sprint("late ", late)
			at := *h.scheduleOf(name).NextAt
			const little = 20 * time.Millisecond
			h.pauseUntil(at.Add(time.Minute - little))
			if late {
				h.pause(2 * little)
			}
			s.exec(h.say.dispatch)
			fired := h.firings(name)
			require.Len(h, fired, 1)
			require.Equal(h, late, fired[0].Status == "Missed", "%v after %v: %s", h.now(), at, fired[0].Status)
		}
	})
}
