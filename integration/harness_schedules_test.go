package integration

import (
	"flag"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/stretchr/testify/require"
)

const utcMinute, utcSecond = "2006-01-02T15:04", "2006-01-02T15:04:05"

var update = flag.Bool("update", false, "write testdata/costs.txt anew; with -run TestCalendars, calendars.txt")

// onSandbox skips what cannot be done to a real server.
func (h *harness) onSandbox(why string) {
	h.Helper()
	if h.server.box == nil {
		h.Skip(why)
	}
}

// requireOnce requires that each started firing has one process with that many tasks, and that no other process exists.
func (h *harness) requireOnce(name string, tasks int) {
	h.Helper()
	made := map[int64]int{}
	for _, f := range h.firings(name) {
		if f.ProcessID != 0 {
			made[f.ProcessID]++
		}
	}
	list, err := h.sched.Processes(h.Context(), dialects.Filter{})
	require.NoError(h, err)
	of := map[int64]int{}
	for _, t := range h.tasks() {
		of[t.ProcessID]++
	}
	for _, p := range list {
		if strings.HasPrefix(p.Name, name+" ") {
			require.Equal(h, 1, made[p.ID], "firings of process %d, %s", p.ID, p.Name)
			require.Equal(h, tasks, of[p.ID], "tasks of process %d, %s", p.ID, p.Name)
			delete(made, p.ID)
		}
	}
	require.Empty(h, made, "firings whose process is gone")
}

// foreignSource is a job of three steps in the server's own scheduler, created as in the vendor's examples.
type foreignSource struct {
	from     dialects.Foreign
	grants   []string // statements of an administrator
	make     []string
	state    string // query: everything that the server stores about it
	disable  string // what the import prints
	disabled string // query: 0 if it is disabled
	waves    string
	schedule dialects.NewSchedule // without its tasks
	clean    []string
}

// scheduleChecks returns the checks of verify about schedules.
func (h *harness) scheduleChecks() (found []dialects.Check) {
	h.Helper()
	all, err := h.sched.Verify(h.Context(), dialects.VerifyOptions{})
	require.NoError(h, err)
	for _, c := range all {
		if c.Name == "schedules" {
			found = append(found, c)
		}
	}
	return found
}

// changeSchedule returns a statement that changes the row of a schedule.
func (h *harness) changeSchedule(set, name string) string {
	table := "dbsched.Schedules"
	if h.dialect.Name() == "oracle" {
		table = "ds_schedules"
	}
	return "UPDATE " + table + " SET " + set + " WHERE Name = '" + name + "'"
}

// schedule creates a schedule.
func (h *harness) schedule(s dialects.NewSchedule) {
	h.Helper()
	require.NoError(h, h.sched.CreateSchedule(h.Context(), s))
}

// scheduleOf reads one schedule.
func (h *harness) scheduleOf(name string) dialects.Schedule {
	h.Helper()
	all, err := h.sched.Schedules(h.Context(), name)
	require.NoError(h, err)
	require.Len(h, all, 1, name)
	return all[0]
}

// firings reads the history of a schedule, oldest first.
func (h *harness) firings(name string) []dialects.Firing {
	h.Helper()
	all, err := h.sched.Firings(h.Context(), name, 0)
	require.NoError(h, err)
	return all
}

// outcomes returns the statuses of a schedule's firings, oldest first.
func (h *harness) outcomes(name string) string {
	h.Helper()
	var all []string
	for _, f := range h.firings(name) {
		all = append(all, f.Status)
	}
	return strings.Join(all, " ")
}

// pauseUntil lets the server's clock run until a time.
func (h *harness) pauseUntil(at time.Time) {
	h.Helper()
	h.pause(at.Sub(h.now()))
}

// scheduleWithoutResource defines the schedule q, whose firings create no process: the resource r of its task has been dropped.
func (h *harness) scheduleWithoutResource(overlap string) {
	h.Helper()
	h.resource("r", 1)
	task := h.task(1, h.say.nothing)
	task.Resource = "r"
	h.schedule(dialects.NewSchedule{Name: "q", Calendar: "@yearly", Overlap: overlap, Tasks: []dialects.NewTask{task}})
	require.NoError(h, h.sched.DropResource(h.Context(), "r"))
}

// away lets time pass while the scheduler is stopped.
func (h *harness) away(d time.Duration) {
	h.Helper()
	require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
	h.pause(d)
	require.NoError(h, h.sched.Start(h.Context()))
	h.pause(2*h.soon + 10*time.Second)
}

func second[T any](_ T, err error) error { return err }
