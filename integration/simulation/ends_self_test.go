package simulation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnds: attempts, processes and schedules that are late are noticed, and excused while the engine starts a session.
func TestEnds(t *testing.T) {
	all := func(h *history, f *photo) string {
		c := newChecker(h)
		c.stopsAtOnce(f)
		c.endsAtOnce(f)
		c.firesAtOnce(f)
		return strings.Join(c.broken, "\n")
	}
	const ends = "process p1 could end at 09:00:04.000, and ended at 09:00:05.000"
	closed := func(_ *history, f *photo) {
		f.all["Processes"][0].set("Name", "p1")
		f.all["Processes"][0].set("FinishedAt", stamp(5))
	}
	const fires = "schedule s0 had to fire at 09:00:01.000, and did at 09:00:03.000"
	fired := func(h *history, f *photo) {
		h.order(schedule, 0, 0)
		h.firings = []firing{{name: "s0", due: int64(at(1).Sub(epoch).Seconds()), status: "Succeeded", task: 13}}
		f.all["Tasks"] = append(f.all["Tasks"], rowOf("Tasks", "TaskId", "13", "ProcessId", "0", "EnqueuedAt", stamp(3)))
	}
	timeout := func(seconds string) func(*history, *photo) {
		return func(_ *history, f *photo) { f.all["Tasks"][1].set("TimeoutSeconds", seconds) }
	}
	for _, c := range []struct {
		name, rule string
		wrong      []func(h *history, f *photo)
	}{
		{"nothing to end", "", nil},
		{"a timeout", "", []func(*history, *photo){timeout("1")}},
		{"a late timeout", "task id 12 must end at 09:00:04.040 (timeout), and ended at 09:00:06.000", []func(*history, *photo){timeout("1"), func(_ *history, f *photo) { f.all["Logs"][1].set("EndedAt", stamp(6)) }}},
		{"a late timeout while the scheduler is stopped", "", []func(*history, *photo){timeout("1"), func(h *history, f *photo) {
			f.all["Logs"][1].set("EndedAt", stamp(6))
			h.order(stop, 0, 2.5)
		}}},
		{"nobody may end sessions", "", []func(*history, *photo){timeout("1"), func(h *history, f *photo) {
			f.all["Logs"][1].set("EndedAt", stamp(6))
			h.order(killRight, 0, 0)
		}}},
		{"a late cancellation", "task id 12 must end at 09:00:02.500 (cancel task), and ended at 09:00:04.000", []func(*history, *photo){func(h *history, _ *photo) { h.order(cancelTask, 2, 2.5) }}},
		{"a cancelled process", "(cancel process)", []func(*history, *photo){func(h *history, _ *photo) { h.order(cancelAll, 1, 2.5) }}},
		{"a stop", "(stop now)", []func(*history, *photo){func(h *history, _ *photo) { h.order(stopNow, 0, 2.5) }}},
		{"a process", ends, []func(*history, *photo){closed}},
		{"a process whose dispatcher starts", "", []func(*history, *photo){closed, func(h *history, _ *photo) { h.starts = []spell{{at(4), at(5)}} }}},
		{"a process that was closed later", "", []func(*history, *photo){closed, func(h *history, _ *photo) { h.order(closeProcess, 1, 5) }}},
		{"a schedule", fires, []func(*history, *photo){fired}},
		{"a schedule while the scheduler is stopped", "", []func(*history, *photo){fired, func(h *history, _ *photo) {
			h.order(stop, 0, 0.5)
			h.order(start, 0, 2.9)
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, f := timely()
			for _, wrong := range c.wrong {
				wrong(h, f)
			}
			if c.rule == "" {
				require.Empty(t, all(h, f))
			} else {
				require.Contains(t, all(h, f), c.rule)
			}
		})
	}
}
