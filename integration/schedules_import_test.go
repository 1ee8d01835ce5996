package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestScheduleImport imports a job of the server's own scheduler: reading it changes nothing, and its schedule does what the job did.
func TestScheduleImport(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		source := map[string]func(*harness) foreignSource{"mssql": agentJob, "oracle": oracleChain}[h.dialect.Name()](h)
		for _, text := range source.grants {
			h.admin().exec(text)
		}
		s := h.session()
		s.exec(h.say.marks[0])
		for _, text := range source.make {
			s.exec(text)
		}
		if h.server.box == nil {
			h.Cleanup(func() {
				for _, text := range source.clean {
					_ = s.try(text)
				}
			})
		}

		before := s.rows(source.state)
		require.Len(h, before, 3)
		var tasks []dialects.NewTask
		for _, name := range []string{source.from.Name, ""} {
			source.from.Name = name
			jobs, err := h.sched.ForeignJobs(h.Context(), source.from)
			require.NoError(h, err)
			require.Len(h, jobs, 1, name)
			require.Empty(h, jobs[0].Obstacles)
			require.Equal(h, source.disable, jobs[0].Disable)
			got := jobs[0].Schedule
			require.Len(h, got.Tasks, 3)
			tasks, got.Tasks = got.Tasks, nil
			require.Equal(h, source.schedule, got)
		}
		require.Equal(h, before, s.rows(source.state), "nothing is changed")
		all, err := h.sched.Schedules(h.Context(), "")
		require.NoError(h, err)
		require.Empty(h, all, "nothing is installed")

		source.schedule.Tasks = tasks
		h.schedule(source.schedule)
		require.Equal(h, "Disabled", h.scheduleOf(source.schedule.Name).Status)
		s.exec(source.disable)
		require.Equal(h, "0", s.value(source.disabled))
		h.pause(time.Hour)
		require.Empty(h, h.firings(source.schedule.Name), "it waits for somebody who resumes it")
		require.Empty(h, s.rows(h.say.markRead))

		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), source.schedule.Name, true))
		h.pauseUntil(h.scheduleOf(source.schedule.Name).NextAt.Add(h.soon + time.Minute))
		fired := h.firings(source.schedule.Name)
		require.Len(h, fired, 1, h.report())
		require.Equal(h, "Succeeded", fired[0].Status, h.report())
		p := h.processOf(fired[0].ProcessID)
		require.EqualValues(h, 3, p.Succeeded)
		var orders []string
		var logs []dialects.LogEntry
		for _, l := range h.logs() {
			if l.ProcessID == p.ID {
				logs, orders = append(logs, l), append(orders, fmt.Sprint(l.Order/100))
			}
		}
		require.Equal(h, source.waves, strings.Join(orders, " "))
		h.requireWaves(logs)
		marks := s.rows(h.say.markRead)
		require.Equal(h, []string{"1"}, marks[0])
		require.ElementsMatch(h, [][]string{{"1"}, {"2"}, {"3"}}, marks)
		h.requireNoAlarms()
	})
}

// TestScheduleImportNames: a job that does not exist, and a scheduler that the engine does not have.
func TestScheduleImportNames(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		mine, others := dialects.Agent, dialects.Jobs
		if h.dialect.Name() == "oracle" {
			mine, others = others, mine
		}
		jobs, err := h.sched.ForeignJobs(h.Context(), dialects.Foreign{Scheduler: mine, Name: "no such job"})
		require.NoError(h, err)
		require.Empty(h, jobs)
		_, err = h.sched.ForeignJobs(h.Context(), dialects.Foreign{Scheduler: others})
		var usage *dialects.UsageError
		require.ErrorAs(h, err, &usage)
	})
}
