package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestAlarmsNameWhatTheyAreAbout: an alarm says which resource, request, round, generation, member or schedule it is about, whose that is, and why.
func TestAlarmsNameWhatTheyAreAbout(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		// raised returns the only alarm since the last call.
		seen := 0
		raised := func(kind string) row {
			all := h.rowsOf(s, "alarms")
			require.Len(h, all, seen+1, "%v", all)
			seen++
			a := all[seen-1]
			require.Equal(h, kind, a["kind"])
			require.Equal(h, []string{"NULL", "NULL", "NULL"}, []string{a["processid"], a["taskid"], a["laneid"]}, a["alarmtext"])
			return a
		}
		text := func(kind, form string, values ...any) {
			require.Regexp(h, "^"+fmt.Sprintf(form, values...)+"$", raised(kind)["alarmtext"])
		}

		// Resources: whose session has ended, and whose lease.
		h.resource("db", 1)
		for _, lease := range []int{0, 20} {
			h.acquire("db", "Shared", 600, lease).granted(time.Second)
			r := h.requests("db")[0]
			why := "its lease ran out"
			if lease == 0 {
				why = fmt.Sprintf("its session %d ended", r.SessionID)
				h.killHolder("db")
			}
			h.pause(30 * time.Second)
			s.exec(h.say.sweep)
			text("StaleResource", `The resource .db. was taken from "%s" \(request %d\),? (before|which).*: %s\.`, r.Requester, r.Request, why)
		}

		// Rounds: what their alarms have in common is whose they are.
		ours := func(kind, form string, values ...any) {
			a := raised(kind)
			require.Equal(h, only(h.rowsOf(s, "rounds"), "name", "r")[map[string]string{"mssql": "definedbyname", "oracle": "definedby"}[h.dialect.Name()]], a["username"])
			require.Regexp(h, "^"+fmt.Sprintf(form, values...)+"$", a["alarmtext"])
		}
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorJob: "nobody", MaxAge: 45 * time.Second})
		for generation := 1; generation <= 2; generation++ {
			h.reports("r", "a", true, dialects.RoundWaiting)
			h.reports("r", "b", true, dialects.RoundFailed)
			last := h.roundOf("r")
			require.NotEmpty(h, last.LastDetail)
			ours("RoundStart", `Round "r", generation %d: job ".*(?i:nobody)" was not started: .*no such job.*`, generation)
			firings := h.rowsOf(s, "round_firings")
			f := firings[len(firings)-1]
			require.Equal(h, []string{fmt.Sprint(generation), "b", "Failed", last.LastDetail}, []string{f["generation"], f["firedby"], f["status"], f["detail"]})
			require.NotEqual(h, "NULL", f["endedat"])
		}
		h.reports("r", "b", false, dialects.RoundReported)
		ours("RoundFailed", `Round "r" does not start its successor: member "b" failed\. .*its success then counts\.`)
		h.reports("r", "a", true, dialects.RoundWaiting)
		h.pause(50 * time.Second)
		s.exec(h.say.sweep)
		ours("RoundLate", `Round "r" .* more than 45 seconds after the success of "a", no success was reported by "b"\. .*`)

		// A task that cannot be enqueued.
		p := h.process(dialects.NewProcess{Name: "closed"})
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorSQL: h.say.nothing, ProcessID: p})
		require.NoError(h, h.sched.CancelProcess(h.Context(), p))
		_, err := h.sched.ReportRound(h.Context(), "r", "a", true)
		require.ErrorContains(h, err, h.errorText(5))
		ours("RoundStart", `Round "r": the last report, by member "a", was rolled back because the task cannot be enqueued\. Report again after fixing this: .*%s.*`, h.errorText(5))
		require.Zero(h, h.roundOf("r").Succeeded)

		// Whatever else is refused is no alarm.
		_, err = h.sched.ReportRound(h.Context(), "r", "c", true)
		require.ErrorContains(h, err, h.errorText(52))
		_, err = h.sched.ReportRound(h.Context(), "none", "a", true)
		require.ErrorContains(h, err, h.errorText(51))

		// Schedules.
		h.schedule(dialects.NewSchedule{Name: "load", Calendar: "@hourly", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		h.pause(5 * time.Second)
		s.exec(h.say.unknownZone)
		s.exec(h.changeSchedule(map[string]string{"mssql": "LookAt = '2000-01-01'", "oracle": "look_at = date '2000-01-01'"}[h.dialect.Name()], "load"))
		s.exec(h.say.sweep)
		h.pause(30 * time.Second)
		is := h.scheduleOf("load")
		require.Equal(h, "Suspended", is.Status)
		require.Contains(h, is.Reason, "Alter its calendar or time zone")
		a := raised("ScheduleSuspended")
		require.Equal(h, `The schedule "load" is suspended: `+is.Reason+", then enable it.", a["alarmtext"])
		owner := only(h.rowsOf(s, "schedules"), "name", "load")[map[string]string{"mssql": "ownername", "oracle": "owner"}[h.dialect.Name()]]
		require.Equal(h, owner, a["username"])
	})
}
