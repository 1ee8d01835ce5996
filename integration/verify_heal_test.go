package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestSettingsLost: without its settings nothing new runs, and no command says that it has changed something. An installation brings them
// back, stopped and with default values, which it lists; lanes, tasks and their results are what they were, and a task that ran all the
// while runs once.
func TestSettingsLost(t *testing.T) {
	each(t, setup{lanes: 5}, func(h *harness) {
		h.mayFail = true
		ctx := h.Context()
		require.NoError(h, h.sched.SetPolicy(ctx, dialects.Priority))
		long := h.exec(h.sleep(1, 5*time.Minute))[0]
		h.untilRunning(1, 2*h.restart)
		h.session().exec(h.say.loseSettings)
		next := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(time.Minute)
		require.Equal(h, "Pending", h.statusOf(next))

		st := h.status()
		require.Equal(h, dialects.NoSettings, st.Blocked)
		_, command := st.WhyBlocked()
		require.Equal(h, "dbsched install", command)
		days := int64(7)
		for what, err := range map[string]error{
			"start": h.sched.Start(ctx), "start here": h.sched.StartHere(ctx), "workers": h.sched.SetWorkers(ctx, 2), "policy": h.sched.SetPolicy(ctx, dialects.Fifo),
			"options": h.sched.SetOptions(ctx, dialects.Options{RetentionDays: &days}), "hook": h.sched.SetAlarmHook(ctx, ""),
		} {
			require.ErrorContains(h, err, h.errorText(39), what)
		}
		require.NoError(h, h.sched.Stop(ctx, dialects.StopDrain), "it is")

		h.pause(5 * time.Minute)
		report, err := h.sched.Install(ctx, dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, 5, report.Lanes)
		warnings := strings.Join(report.Warnings, "\n")
		for _, text := range []string{"4 workers", "policy RoundRobin", "retention-days 30", "The scheduler is stopped", "dbsched start"} {
			require.Contains(h, warnings, text)
		}
		st = h.status()
		require.False(h, st.Started)
		require.Equal(h, 4, st.MaxWorkers)
		require.Equal(h, 5, st.MaxLanes)
		require.Empty(h, st.CopyOf)
		require.NoError(h, h.sched.Start(ctx))
		h.drain(10 * time.Minute)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses([]int64{long, next}))
		require.Len(h, h.logs(), 2, "each ran once")
	})
}

// TestProcessesLost: the default process and that of schedules come back with the tasks that they have.
func TestProcessesLost(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.mayFail = true
		task := h.task(1, h.say.nothing)
		task.NotBefore = h.now().Add(time.Hour)
		later := h.exec(task, h.task(2, h.say.nothing))
		h.session().exec(h.say.loseProcesses)
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		h.pause(2 * time.Hour)
		require.Equal(h, []string{"Succeeded", "Succeeded"}, h.statuses(later))
		p := h.process(dialects.NewProcess{Name: "after"})
		require.Greater(h, p, int64(1), "numbers go on")
		require.NoError(h, h.sched.CreateSchedule(h.Context(), dialects.NewSchedule{Name: "s", Calendar: "* * * * *", Zone: "UTC", Tasks: []dialects.NewTask{h.task(1, h.say.nothing)}}))
		h.pause(2 * time.Minute)
		all, err := h.sched.Processes(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.GreaterOrEqual(h, len(all), 3, "the schedule fires")
	})
}

// TestProbeBesideDamage: what does not touch tasks keeps nobody from knowing whether tasks run.
func TestProbeBesideDamage(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		h.session().exec(h.say.loseIndex)
		all, err := h.sched.Verify(h.Context(), dialects.VerifyOptions{ProbeTimeout: time.Minute})
		require.NoError(h, err)
		levels := map[string]dialects.Level{}
		failed := 0
		for _, c := range all {
			levels[c.Name] = c.Level
			if c.Level == dialects.Fail {
				failed++
			}
		}
		require.Equal(h, 1, failed, "%v", all)
		require.Equal(h, dialects.OK, levels["probe"], "%v", all)

		h.session().exec(h.say.loseSettings)
		all, err = h.sched.Verify(h.Context(), dialects.VerifyOptions{ProbeTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, "not run: what failed above keeps every task from running", h.check(all, "probe").Text)
	})
}

// TestConstraintThatRowsViolate: what came in while a constraint was missing is not deleted. The server says what it is.
func TestConstraintThatRowsViolate(t *testing.T) {
	each(t, setup{lanes: 2, stopped: true}, func(h *harness) {
		s := h.session()
		for _, text := range h.say.violate {
			s.exec(text)
		}
		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.ErrorAs(h, err, new(*dialects.PartialError))
		s.exec(h.say.comply)
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Empty(h, h.bad(0))
	})
}

// TestUninstallContinues: an uninstallation that was interrupted at any step, while a task ran, is continued by the next one.
func TestUninstallContinues(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			for steps, most := 1, 2; steps < most; steps++ { // most is known after the first
				e.run(t, setup{bare: true}, func(h *harness) {
					h.mayFail = true
					before := h.inventory()
					_, err := h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
					require.NoError(h, err)
					require.NoError(h, h.sched.Start(h.Context()))
					h.exec(h.sleep(1, 5*time.Second))
					h.untilRunning(1, 2*h.restart)
					said, c := 0, &cutter{dial: h.server.dial()}
					sched := h.openAs(dialects.Target{Schema: h.schema, Dial: c.connect, Notify: func(line string) {
						if !strings.HasPrefix(line, "waiting") {
							said++
						}
						if said == steps {
							c.arm(0) // the server's answer is lost
						}
					}})
					_, err = sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
					if most = max(most, steps+2); err == nil {
						most = 0 // it has fewer steps
					}
					_, err = h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
					require.NoError(h, err, "after %d steps", steps)
					require.Equal(h, before, h.inventory(), "after %d steps", steps)
				})
			}
		})
	}
}

// TestUninstallDamaged: what is damaged can still be removed.
func TestUninstallDamaged(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			e.run(t, setup{lanes: 2}, func(h *harness) {
				h.mayFail = true
				h.session().exec(h.say.loseSettings)
				h.pause(time.Minute)
				_, err := h.sched.Uninstall(h.Context(), dialects.UninstallOptions{DrainTimeout: time.Minute})
				require.NoError(h, err)
				_, err = h.sched.Install(h.Context(), dialects.InstallOptions{Lanes: 2})
				require.NoError(h, err)
			})
		})
	}
}
