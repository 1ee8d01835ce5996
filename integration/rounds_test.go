package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// TestSeedCoordinatingParallelJobCompletion: four jobs that end at any time start the next one, once.
func TestSeedCoordinatingParallelJobCompletion(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{lanes: 1, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.successor("Job 2")
				members := []string{"Job 1a", "Job 1b", "Job 1c", "Job 1d"}
				for i, m := range members {
					h.job(m, h.say.jobs.pause(time.Duration(5+20*(i%3))*time.Second), h.say.jobs.report("load"))
				}
				h.round(dialects.NewRound{Name: "load", Members: members, SuccessorJob: "Job 2", MaxAge: time.Hour})
				for _, m := range members {
					h.startJob(m)
				}
				h.pause(20 * time.Second)
				require.Equal(h, []string{}, h.markedBy("Job 2"))
				h.untilIdle("Job 2", 1, 5*time.Minute)
				h.pause(3 * time.Minute)
				h.untilIdle("Job 2", 1, time.Second)
				for _, m := range members {
					h.untilIdle(m, 1, time.Second)
				}
				r := h.roundOf("load")
				require.Equal(h, "Started", r.LastStatus)
				require.EqualValues(h, 1, r.LastGeneration)
				require.EqualValues(h, 2, r.Generation)
				require.Zero(h, r.Succeeded+r.Failed)
				require.Empty(h, h.alarms())
			})
		})
	}
}

// TestRoundTie: two members that report at the same instant start the successor once, and neither gets an error.
func TestRoundTie(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{lanes: 1, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.successor("next")
				s := h.session()
				for _, text := range h.say.jobs.gate {
					s.exec(text)
				}
				members := []string{"a", "b", "c"}
				for _, m := range members {
					h.job(m, h.say.jobs.pass+" "+h.say.jobs.report("tie"))
				}
				h.round(dialects.NewRound{Name: "tie", Members: members, SuccessorJob: "next"})
				s.begin()
				s.exec(h.say.jobs.shut)
				for _, m := range members {
					h.startJob(m)
				}
				h.pause(10 * time.Second) // all three wait at the gate
				require.Zero(h, h.roundOf("tie").Succeeded)
				s.commit()
				h.untilIdle("next", 1, 2*time.Minute)
				h.pause(2 * time.Minute)
				require.Equal(h, []string{"1"}, h.markedBy("next"))
				require.Equal(h, "Started", h.roundOf("tie").LastStatus)
				require.EqualValues(h, 2, h.roundOf("tie").Generation)
				require.Empty(h, h.alarms())
			})
		})
	}
}

// TestRoundFailedMember: a failed member is an alarm, and nothing is started until it has succeeded.
func TestRoundFailedMember(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorJob: "next"})
		h.reports("r", "a", false, dialects.RoundReported)
		h.alarmed("RoundFailed", `"r"`, `"a"`)
		h.reports("r", "b", true, dialects.RoundWaiting)
		h.pause(2 * time.Minute)
		require.Empty(h, h.markedBy("next"))
		r := h.roundOf("r")
		require.Equal(h, 1, r.Failed)
		require.Equal(h, []string{"a", "b"}, []string{r.Reports[0].Member, r.Reports[1].Member})
		require.False(h, *r.Reports[0].Succeeded)
		require.True(h, *r.Reports[1].Succeeded)
		h.reportsLast("r", "a", dialects.RoundStarted)
		h.untilIdle("next", 1, time.Minute)
	})
}

// TestRoundMissingMember: when the others' reports have become too old, the sweep says so; they no longer count.
func TestRoundMissingMember(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b", "c"}, SuccessorJob: "next", MaxAge: 5 * time.Minute})
		h.reports("r", "a", true, dialects.RoundWaiting)
		h.pause(2 * time.Minute)
		require.Empty(h, h.alarms())
		h.reports("r", "b", true, dialects.RoundWaiting)
		h.pause(4*time.Minute + 30*time.Second)
		h.alarmed("RoundLate", `success of "a"`, `"c"`, "300 seconds")
		require.Equal(h, 1, h.roundOf("r").Succeeded, "b's report counts")
		h.reports("r", "c", true, dialects.RoundWaiting)
		h.reportsLast("r", "a", dialects.RoundStarted)
		h.untilIdle("next", 1, time.Minute)
	})
}

// TestRoundTooOldReport: a report that is too old does not count, with or without a sweep.
func TestRoundTooOldReport(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorJob: "next", MaxAge: time.Minute})
		h.reports("r", "a", true, dialects.RoundWaiting)
		h.pause(time.Minute + time.Second)
		require.Empty(h, h.alarms())
		h.reports("r", "b", true, dialects.RoundWaiting)
		h.alarmed("RoundLate", `"a"`, `"b"`)
		require.Empty(h, h.markedBy("next"))
		h.reportsLast("r", "a", dialects.RoundStarted)
		h.untilIdle("next", 1, time.Minute)
	})
}

// TestRoundSuccessorAlreadyRunning: a successor that runs before its time is an alarm, and is not started again after it.
func TestRoundSuccessorAlreadyRunning(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorJob: "next"})
		h.startJob("next")
		h.pause(10 * time.Second)
		h.reports("r", "a", true, dialects.RoundWaiting)
		h.reports("r", "b", true, dialects.RoundFailed)
		h.alarmed("RoundStart", `"next"`, "running")
		require.Equal(h, "Failed", h.roundOf("r").LastStatus)
		h.pause(5 * time.Minute)
		h.untilIdle("next", 1, time.Second)
	})
}

// TestRoundUnknownJob: a successor that does not exist is an alarm.
func TestRoundUnknownJob(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "nobody"})
		h.reports("r", "a", true, dialects.RoundFailed)
		h.alarmed("RoundStart", `"nobody"`, "no such job")
	})
}

// TestRoundAgentStopped: a start that the server's scheduler refuses is an alarm, once, and is not repeated.
func TestRoundAgentStopped(t *testing.T) {
	each(t, setup{lanes: 1, box: func(o *sandbox.Options) { o.AgentStopped = true }}, func(h *harness) {
		if h.server.box == nil {
			h.Skip("nobody stops the service of a real server")
		}
		h.successor("next")
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "next"})
		if h.say.jobs.stop != "" {
			h.admin().exec(h.say.jobs.stop)
		}
		got, err := h.sched.ReportRound(h.Context(), "r", "a", true)
		if h.say.jobs.refusal != "" {
			require.ErrorContains(h, err, h.say.jobs.refusal)
		} else {
			require.NoError(h, err)
			require.Equal(h, dialects.RoundFailed, got)
		}
		h.alarmed("RoundStart", `"next" was not started`)
		h.pause(5 * time.Minute)
		h.alarmed("RoundStart")
		require.Equal(h, "Failed", h.roundOf("r").LastStatus)
		require.EqualValues(h, 2, h.roundOf("r").Generation)
	})
}

// TestRoundReporterDies: if the session that started a job has ended, the job itself may show the outcome. If it
// does not, the sweep raises an alarm. Nobody starts it again.
func TestRoundReporterDies(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			each(t, setup{lanes: 1, box: func(o *sandbox.Options) { o.Seed = seed + 1 }}, func(h *harness) {
				h.successor("next")
				h.job("a", h.say.jobs.report("r"))
				h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorJob: "next", StartTimeout: 10 * time.Second})
				h.startJob("a")
				h.until(time.Minute, "a start", func() bool { return h.roundOf("r").LastStatus == "Starting" })
				admin := h.admin()
				admin.exec(h.say.kill(int(number(h, admin.value(h.say.jobs.reporter("a"))))))
				if h.say.jobs.finds {
					h.until(3*time.Minute, "a start", func() bool { return h.roundOf("r").LastStatus == "Started" })
					h.pause(5 * time.Minute)
					require.Empty(h, h.alarms())
					require.Equal(h, []string{"1"}, h.markedBy("next"))
					return
				}
				h.until(3*time.Minute, "an alarm", func() bool { return len(h.alarms()) > 0 })
				h.alarmed("RoundStart", `"next" may not have started`)
				h.pause(5 * time.Minute)
				h.alarmed("RoundStart")
				require.Equal(h, "Unknown", h.roundOf("r").LastStatus)
				require.LessOrEqual(h, len(h.markedBy("next")), 1)
			})
		})
	}
}

// TestRoundGenerations: each generation fires once, and a report counts for one generation only.
func TestRoundGenerations(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		for _, text := range h.say.marks {
			h.session().exec(text)
		}
		h.job("next", h.say.mark(1)) // it has ended before anybody looks
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorJob: "next"})
		for generation := range 3 {
			h.reports("r", "a", true, dialects.RoundWaiting)
			h.reports("r", "a", true, dialects.RoundWaiting) // reporting twice counts once
			h.reportsLast("r", "b", dialects.RoundStarted)
			require.EqualValues(h, generation+1, h.roundOf("r").LastGeneration)
			h.untilIdle("next", generation+1, time.Minute)
		}
		require.Empty(h, h.alarms())
	})
}

// TestRoundTask: the successor may be a task, which is enqueued with the last report or not at all.
func TestRoundTask(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		for _, text := range h.say.marks {
			h.session().exec(text)
		}
		p := h.process(dialects.NewProcess{Name: "after"})
		h.round(dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorSQL: h.say.mark(7), Order: 3, ProcessID: p})
		for range 2 {
			h.reports("r", "b", true, dialects.RoundWaiting)
			h.reports("r", "a", true, dialects.RoundStarted)
		}
		h.waitFor(p, time.Minute)
		require.Equal(h, []string{"7", "7"}, h.markedBy(""))
		task := h.tasks()[0]
		require.Equal(h, []any{p, 3}, []any{task.ProcessID, task.Order})
		require.Equal(h, h.tasks()[1].ID, h.roundOf("r").LastTaskID)

		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.pause(time.Second)
		h.reports("r", "b", true, dialects.RoundWaiting)
		_, err := h.sched.ReportRound(h.Context(), "r", "a", true)
		require.ErrorContains(h, err, h.errorText(5))
		h.alarmed("RoundStart", `member "a", was `, h.errorText(5))
		require.Equal(h, 1, h.roundOf("r").Succeeded)
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorSQL: h.say.mark(8)})
		h.reports("r", "a", true, dialects.RoundStarted)
		h.drain(time.Minute)
		require.Equal(h, []string{"7", "7", "8"}, h.markedBy(""))
	})
}

// TestRoundRemoved: a round without members does not exist.
func TestRoundRemoved(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		h.round(dialects.NewRound{Name: "r", Members: []string{"a"}, SuccessorSQL: h.say.nothing})
		h.reports("r", "a", true, dialects.RoundStarted)
		_, err := h.sched.ReportRound(h.Context(), "r", "b", true)
		require.ErrorContains(h, err, h.errorText(52))
		h.round(dialects.NewRound{Name: "r"})
		rounds, err := h.sched.Rounds(h.Context())
		require.NoError(h, err)
		require.Empty(h, rounds)
		_, err = h.sched.ReportRound(h.Context(), "r", "a", true)
		require.ErrorContains(h, err, h.errorText(51))
	})
}
