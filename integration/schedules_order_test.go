package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestScheduleOrdersInEachState: what enabling, disabling, running and dropping do to a schedule in each state with a firing that waits, and that they do
// nothing to another schedule.
func TestScheduleOrdersInEachState(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		orders := map[string]func(name string) error{
			"enable":  func(name string) error { return h.sched.SetScheduleEnabled(h.Context(), name, true) },
			"disable": func(name string) error { return h.sched.SetScheduleEnabled(h.Context(), name, false) },
			"run":     func(name string) error { return h.sched.RunSchedule(h.Context(), name) },
			"drop":    func(name string) error { return h.sched.DropSchedule(h.Context(), name) },
		}
		// The schedule's state and reason, how many firings wait, and whether the dispatcher looks at it; then each firing.
		wants := map[string]string{
			"Enabled enable": "Enabled NULL 1 true, Waiting NULL", "Enabled disable": "Disabled NULL 0 false, Skipped the schedule was disabled", "Enabled run": "Enabled NULL 2 true, Waiting NULL, Waiting NULL",
			"Disabled enable": "Enabled NULL 1 true, Waiting NULL", "Disabled disable": "Disabled NULL 0 false, Skipped the schedule was disabled", "Disabled run": "Disabled NULL 2 true, Waiting NULL, Waiting NULL",
			"Suspended enable": "Enabled NULL 1 true, Waiting NULL", "Suspended disable": "Suspended why 0 false, Skipped the schedule was disabled", "Suspended run": "Suspended why 2 true, Waiting NULL, Waiting NULL",
		}
		for _, status := range []string{"Enabled", "Disabled", "Suspended"} {
			for order, give := range sorted(orders) {
				name := status + " " + order
				for _, each := range []string{name, "other " + name} {
					h.schedule(dialects.NewSchedule{Name: each, Calendar: "0 0 1 1 *", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
					require.NoError(h, h.sched.RunSchedule(h.Context(), each))
					if status != "Enabled" {
						reason := map[string]string{"Disabled": "NULL", "Suspended": "'why'"}[status]
						s.exec(h.changeSchedule(fmt.Sprintf("Status = '%s', Reason = %s, %s = NULL", status, reason, map[string]string{"mssql": "LookAt", "oracle": "Look_At"}[h.dialect.Name()]), each))
					}
				}
				before := h.firingsAndSchedule(s, "other "+name)
				h.pause(2 * time.Second)
				require.NoError(h, give(name), name)
				if order == "drop" {
					require.Equal(h, "gone, Skipped the schedule was dropped", h.firingsAndSchedule(s, name), name)
				} else {
					require.Equal(h, wants[name], h.firingsAndSchedule(s, name), name)
				}
				require.Equal(h, before, h.firingsAndSchedule(s, "other "+name), name)
				if order == "run" {
					fired := h.firings(name)
					require.WithinDuration(h, h.now(), fired[1].DueAt, time.Second)
					require.True(h, fired[1].Manual)
				}
			}
		}
	})
}

// firingsAndSchedule describes a schedule and its firings.
func (h *harness) firingsAndSchedule(s *session, name string) string {
	h.Helper()
	text := "gone"
	if r := only(h.rowsOf(s, "schedules"), "name", name); r != nil {
		text = fmt.Sprint(r["status"], " ", r["reason"], " ", r["waiting"], " ", r["lookat"] != "NULL")
		require.Equal(h, r["waiting"], only(h.rowsOf(s, "schedule_info"), "name", name)["waiting"])
	}
	all := []string{text}
	for _, f := range having(h.rowsOf(s, "schedule_firings"), "name", name) {
		all = append(all, f["status"]+" "+f["detail"])
	}
	return strings.Join(all, ", ")
}

// TestScheduleSetsItsProcesses: the process of a firing has the settings that its schedule has at that time, and ends by itself.
func TestScheduleSetsItsProcesses(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		h.schedule(dialects.NewSchedule{Name: "s", Calendar: "@yearly", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}})
		for i, want := range []dialects.NewProcess{{OnError: "Halt", Weight: 1}, {OnError: "Continue", Weight: 9, MaxParallel: 2}, {OnError: "Halt", Weight: 1000, MaxParallel: 7}} {
			if i > 0 {
				require.NoError(h, h.sched.AlterSchedule(h.Context(), dialects.NewSchedule{Name: "s", Process: want}))
			}
			require.NoError(h, h.sched.RunSchedule(h.Context(), "s"))
			h.pause(2*h.restart + 5*time.Second)
			fired := h.firings("s")
			require.Len(h, fired, i+1)
			p := only(h.rowsOf(h.session(), "process_info"), "processid", fmt.Sprint(fired[i].ProcessID))
			most := fmt.Sprint(want.MaxParallel)
			if want.MaxParallel == 0 {
				most = "NULL"
			}
			require.Equal(h, []string{want.OnError, fmt.Sprint(want.Weight), most, "0", "Succeeded"}, []string{p["onerror"], p["weight"], p["maxparallel"], p["priority"], p["status"]})
			require.Regexp(h, `^s \d{4}-\d\d-\d\d \d\d:\d\d$`, p["name"])
		}
	})
}
