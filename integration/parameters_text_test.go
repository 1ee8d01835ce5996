package integration

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestTextsOfTheCaller: an error repeats what the caller wrote, whatever the engine's own formats are.
func TestTextsOfTheCaller(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		nothing := []dialects.NewTask{h.task(1, h.say.nothing)}
		require.NoError(h, h.sched.DefineRound(h.Context(), dialects.NewRound{Name: "100%d", Members: []string{"a"}, SuccessorSQL: h.say.nothing}))
		for _, words := range []string{"5%s", "load 5%d of 50%", "%", "%%", "100% done"} {
			for _, err := range []error{
				h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{Name: "n", Calendar: words, Tasks: nothing}),
				h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{Name: "n", Calendar: "@daily", Zone: words, Tasks: nothing}),
				second(h.sched.NextInstants(h.Context(), dialects.When{Calendar: words, Zone: "UTC"}, time.Time{}, 1)),
				second(h.sched.ReportRound(h.Context(), words, "a", true)),
				second(h.sched.ReportRound(h.Context(), "100%d", words, true)),
			} {
				require.ErrorContains(h, err, "dbsched "+h.errorText(0)[:2])
				require.ErrorContains(h, err, `"`+words+`"`)
			}
			bad := dialects.NewTask{SQL: h.say.nothing, Order: 1, Parameters: `{"` + words + `": 1}`}
			require.ErrorContains(h, h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{Name: "n", Calendar: "@daily", Tasks: []dialects.NewTask{bad}}), words)
		}
	})
}

// TestCalendarDigits: only 0 to 9 are digits, and a calendar of letters that take several bytes is refused like any other.
func TestCalendarDigits(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		for _, calendar := range []string{
			"0 ² * * *", "¼ 1 * * *", "1² 1 * * *", "0 0 * * FRI#²", "every ² hours", "every 1² hours", "*/² * * * *", strings.Repeat("日", 200), strings.Repeat("日", 201),
			"0 0 * * " + strings.Repeat("日", 190),
		} {
			require.ErrorContains(h, second(h.sched.NextInstants(h.Context(), dialects.When{Calendar: calendar, Zone: "UTC"}, time.Time{}, 1)), "dbsched "+h.errorText(74), calendar)
			err := h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{Name: "n", Calendar: calendar, Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
			require.ErrorContains(h, err, "dbsched "+h.errorText(74), calendar)
		}
		long := strings.Repeat("x", 300)
		for number, s := range sorted(map[int]dialects.NewSchedule{75: {Zone: long}, 8: {Overlap: long}, 73: {Name: long}}) {
			s.Name, s.Calendar, s.Tasks = cmp.Or(s.Name, "n"), "@daily", []dialects.NewTask{h.task(1, h.say.nothing)}
			require.ErrorContains(h, h.sched.CreateSchedule(h.Context(), s), "dbsched "+h.errorText(number))
		}
		s := dialects.NewSchedule{Name: "n", Calendar: "@daily", Process: dialects.NewProcess{OnError: long}, Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}}
		require.ErrorContains(h, h.sched.CreateSchedule(h.Context(), s), "dbsched "+h.errorText(8))
	})
}
