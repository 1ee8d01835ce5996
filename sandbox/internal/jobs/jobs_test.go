package jobs

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func once(s *Spec)     { s.AutoDrop = true }
func minutely(s *Spec) { s.Repeat = "FREQ=MINUTELY;INTERVAL=1" }

func TestDefinitions(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.job("J", false)
		require.Equal(t, 1, s.commits)
		require.Equal(t, Disabled, s.info("J").State)
		require.Equal(t, DefaultClass, s.info("J").Class)
		s.requireError(s.s.Create(s, Spec{Owner: "APP", Name: "J"}, false), 27477)
		for _, c := range []struct {
			change func(*Spec)
			number int32
		}{
			{func(x *Spec) { x.Action = "" }, 27451},
			{func(x *Spec) { x.Type = "NONSENSE" }, 27465},
			{func(x *Spec) { x.Type = "CHAIN" }, sqlerr.NotSupportedNumber},
			{func(x *Spec) { x.Class = "NONE" }, 27476},
			{func(x *Spec) { x.Repeat = "FREQ=NEVER" }, 27412},
		} {
			spec := Spec{Owner: "APP", Name: "K", Type: TypeBlock, Action: "x"}
			c.change(&spec)
			s.requireError(s.s.Create(s, spec, true), c.number)
		}
		s.requireError(s.s.Drop(s, "APP", "NONE", false), 27475)
		s.requireError(s.s.Enable(s, "APP", "NONE"), 27476)
		s.requireError(s.s.Disable(s, "APP", "NONE", false), 27476)
		s.requireError(s.s.Run(s, "APP", "NONE"), 27475)
		s.requireError(s.s.Stop(s, "APP", "NONE", false), 27475)
		s.requireError(s.s.Stop(s, "APP", "J", false), 27366)
		s.job("A", false)
		var names []string
		for j := range s.s.Jobs("") {
			names = append(names, j.Name)
		}
		require.Equal(t, []string{"A", "J"}, names)
		s.must(s.s.Drop(s, "APP", "J", false))
		s.s.DropOwner("APP")
		require.Empty(t, slices.Collect(s.s.Jobs("")))
	})
}

func TestAttributes(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.job("J", false)
		set := func(name, value string) error { return s.s.SetAttribute(s, "APP", "J", name, value) }
		s.must(set("job_action", "p"))
		s.must(set("repeat_interval", "freq=hourly; interval=2"))
		s.must(set("job_class", DefaultClass))
		require.Equal(t, Spec{Owner: "APP", Name: "J", Type: TypeBlock, Action: "p", Repeat: "freq=hourly; interval=2", Class: DefaultClass}, s.info("J").Spec)
		s.requireError(set("JOB_ACTION", ""), 27451)
		s.requireError(set("NEXT_BIG_THING", "x"), 27469)
		s.requireError(set("MAX_RUNS", "3"), sqlerr.NotSupportedNumber)
		s.must(s.s.Enable(s, "APP", "J"))
		now := s.k.Now()
		require.Equal(t, now, s.info("J").NextRun)
		s.delay(time.Hour)
		s.must(set("REPEAT_INTERVAL", "FREQ=MINUTELY"))
		require.True(t, s.info("J").Enabled)
		require.Equal(t, s.k.Now(), s.info("J").NextRun)
	})
}

func TestCalendar(t *testing.T) {
	start := time.Date(2026, 1, 5, 9, 0, 0, 500, time.UTC)
	for _, c := range []struct {
		text   string
		step   time.Duration
		number int32
	}{
		{"FREQ=SECONDLY", time.Second, 0}, {"freq = minutely ; interval = 5;", 5 * time.Minute, 0}, {"FREQ=HOURLY;INTERVAL=2", 2 * time.Hour, 0},
		{"FREQ=DAILY", 24 * time.Hour, 0}, {"FREQ=DAILY;BYDATE=0105", 0, sqlerr.NotSupportedNumber}, {"FREQ=DAILY;BYHOUR=25", 0, 27412},
		{"SYSTIMESTAMP + 1", 0, sqlerr.NotSupportedNumber}, {"FREQ=DAILY;INTERVAL=0", 0, sqlerr.NotSupportedNumber},
		{"FREQ=DAILY;INTERVAL=100", 0, sqlerr.NotSupportedNumber},
		{"FREQ=DAILY;INTERVAL=x", 0, 27412}, {"FREQ=DAILY;WHAT=1", 0, 27412}, {"INTERVAL=1", 0, 27412},
	} {
		cal, err := parseCalendar(c.text)
		if c.number != 0 {
			(&rig{t: t}).requireError(err, c.number)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.step, cal.step)
		base := start.Truncate(time.Second)
		require.Equal(t, base, cal.next(start, start.Add(-time.Hour)))
		require.Equal(t, base.Add(c.step), cal.next(start, base))
		require.Equal(t, base.Add(3*c.step), cal.next(start, base.Add(2*c.step)))
		require.Equal(t, base.Add(3*c.step), cal.next(start, base.Add(3*c.step-1)))
	}
}

// TestCalendarRules runs the examples in DBMS_SCHEDULER, Calendaring Syntax.
func TestCalendarRules(t *testing.T) {
	start := time.Date(2026, 1, 5, 9, 30, 0, 0, time.UTC) // a Monday
	for text, want := range map[string]string{
		"FREQ=DAILY;BYDAY=FRI": "2026-01-09 09:30 2026-01-16 09:30", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FRI": "2026-01-09 09:30 2026-01-23 09:30",
		"FREQ=MONTHLY;BYMONTHDAY=-1": "2026-01-31 09:30 2026-02-28 09:30", "FREQ=YEARLY;BYMONTH=MAR;BYMONTHDAY=10": "2026-03-10 09:30 2027-03-10 09:30",
		"FREQ=MONTHLY;BYDAY=2WED;BYHOUR=2;BYMINUTE=0": "2026-01-14 02:00 2026-02-11 02:00", "FREQ=YEARLY;BYYEARDAY=60": "2026-03-01 09:30 2027-03-01 09:30",
		"FREQ=DAILY; BYHOUR=2,14; BYMINUTE=15": "2026-01-05 14:15 2026-01-06 02:15", "FREQ=MONTHLY;BYDAY=-1 FRI": "2026-01-30 09:30 2026-02-27 09:30",
	} {
		first, err := Next(text, start, start)
		require.NoError(t, err, text)
		second, err := Next(text, start, first)
		require.NoError(t, err, text)
		require.Equal(t, want, first.Format("2006-01-02 15:04")+" "+second.Format("2006-01-02 15:04"), text)
	}
}

func TestEnabledJobWithoutScheduleRunsOnce(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.job("KEPT", true)
		s.job("GONE", true, once)
		s.job("BAD", true, func(x *Spec) { x.Action = "BAD" })
		s.actions["BAD"] = fails
		require.Equal(t, Scheduled, s.info("KEPT").State)
		require.Empty(t, s.starts)
		s.delay(time.Second)
		require.Equal(t, []time.Duration{100 * time.Millisecond}, s.starts["KEPT"])
		require.Equal(t, Succeeded, s.info("KEPT").State)
		require.False(t, s.info("KEPT").Enabled)
		require.Equal(t, int64(1), s.info("KEPT").RunCount)
		require.Empty(t, s.info("GONE").Name)
		require.Equal(t, Failed, s.info("BAD").State)
		require.Equal(t, []State{Failed}, s.statuses("BAD"))
		require.Equal(t, []State{Succeeded}, s.statuses("GONE"), "the log outlives the job")
		i := slices.IndexFunc(slices.Collect(s.s.Details("")), func(d RunDetails) bool { return d.Name == "BAD" })
		d := slices.Collect(s.s.Details(""))[i]
		require.Equal(t, int32(20001), d.Error)
		require.Equal(t, "ORA-20001: boom", d.Info)
		require.Equal(t, 100*time.Millisecond, d.Started.Sub(d.Requested))
		require.Len(t, slices.Collect(s.s.Log("")), 3)
		s.must(s.s.Enable(s, "APP", "KEPT"))
		s.delay(time.Second)
		require.Len(t, s.starts["KEPT"], 2)
	})
}

func TestStartDelayIsTheSeedsChoice(t *testing.T) {
	seen := map[time.Duration]bool{}
	for seed := range uint64(20) {
		r := newRig(t, kernel.Options{Seed: seed})
		r.s = New(r.k, r.st, Options{Starter: r, Processes: 1})
		r.run(func(s *session) {
			s.job("J", true)
			s.delay(5 * time.Second)
			seen[s.starts["J"][0]] = true
			require.GreaterOrEqual(t, s.starts["J"][0], 50*time.Millisecond)
		})
	}
	require.Greater(t, len(seen), 10)
}

func TestRunInTheBackground(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.job("LANE", false)
		s.actions["LANE"] = lasts(10 * time.Second)
		s.must(s.s.Run(s, "APP", "LANE"))
		s.delay(time.Second)
		require.Equal(t, Running, s.info("LANE").State)
		run := slices.Collect(s.s.RunningJobs("APP"))
		require.Len(t, run, 1)
		require.Equal(t, 101, run[0].Session.ID)
		require.Equal(t, 900*time.Millisecond, run[0].Elapsed)
		require.Empty(t, slices.Collect(s.s.RunningJobs("OTHER")))
		s.requireError(s.s.Run(s, "APP", "LANE"), 27478)
		s.requireError(s.s.Drop(s, "APP", "LANE", false), 27478)
		s.requireError(s.s.Disable(s, "APP", "LANE", false), 27478)
		s.delay(10 * time.Second)
		require.Equal(t, Disabled, s.info("LANE").State)
		require.Equal(t, int64(1), s.info("LANE").RunCount)
		s.must(s.s.Run(s, "APP", "LANE"))
		s.delay(time.Second)
		require.Len(t, s.starts["LANE"], 2)
		require.Equal(t, 6, s.commits)
	})
}

func TestRunOfAJobThatIsAboutToStart(t *testing.T) {
	refused := 0
	for seed := range uint64(20) {
		r := newRig(t, kernel.Options{Seed: seed})
		r.run(func(s *session) {
			s.job("LANE", false)
			s.must(s.s.Run(s, "APP", "LANE"))
			if err := s.s.Run(s, "APP", "LANE"); err != nil {
				s.requireError(err, 27478)
				refused++
			}
			s.delay(time.Minute)
			require.Len(t, s.starts["LANE"], 1)
		})
	}
	require.NotZero(t, refused)
	require.Less(t, refused, 20)
}

func TestUnavailable(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.job("LANE", false)
		s.must(s.s.SetDisabled(s, true))
		s.requireError(s.s.Run(s, "APP", "LANE"), 27492)
		s.job("J", true)
		s.delay(time.Minute)
		require.Empty(t, s.starts)
		s.must(s.s.SetDisabled(s, false))
		require.False(t, s.s.Disabled())
		s.delay(time.Second)
		require.Len(t, s.starts["J"], 1)
		s.s.SetProcesses(0)
		s.requireError(s.s.Run(s, "APP", "LANE"), 27492)
		s.s.SetProcesses(1)
		require.Equal(t, 1, s.s.Processes())
	})
}

func TestJobSlavesAreLimited(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.s.SetProcesses(2)
		for _, n := range []string{"A", "B", "C", "D"} {
			s.job(n, false)
			s.actions[n] = lasts(10 * time.Second)
			s.must(s.s.Run(s, "APP", n))
		}
		s.delay(5 * time.Second)
		require.Equal(t, 2, s.running)
		require.Equal(t, Disabled, s.info("D").State)
		s.delay(time.Minute)
		require.Equal(t, 2, s.most)
		require.Len(t, s.starts, 4)
		slaves := map[int]bool{}
		for d := range s.s.Details("") {
			slaves[d.Slave] = true
		}
		require.Len(t, slaves, 2)
	})
}

func TestRepeating(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.actions["J"] = lasts(70 * time.Second)
		s.job("J", true, minutely, func(x *Spec) { x.End = s.k.Now().Add(270 * time.Second) })
		require.NoError(t, s.work(time.Second))
		require.Equal(t, Running, s.info("J").State)
		s.must(s.s.SetAttribute(s, "APP", "J", "JOB_CLASS", DefaultClass))
		s.delay(10 * time.Minute)
		require.Equal(t, []time.Duration{100 * time.Millisecond, 120100 * time.Millisecond, 240100 * time.Millisecond}, s.starts["J"])
		require.Equal(t, Completed, s.info("J").State)
		require.False(t, s.info("J").Enabled)

		s.job("END", true, minutely, func(x *Spec) { x.End = s.k.Now().Add(150 * time.Second); x.AutoDrop = true })
		s.delay(time.Hour)
		require.Len(t, s.starts["END"], 3)
		require.Empty(t, s.info("END").Name)
	})
}

func TestARepeatingJobDoesNotKeepAnIdleSystemJumping(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) { s.job("J", true, minutely) })
	require.ErrorIs(t, r.k.RunUntil(func() bool { return len(r.starts["J"]) > 1 }), kernel.ErrStuck)
	require.Len(t, r.starts["J"], 1)
}

func TestFailures(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.actions["J"] = fails
		s.job("J", true, minutely)
		s.delay(150 * time.Second)
		require.Len(t, s.starts["J"], 3)
		require.Equal(t, Scheduled, s.info("J").State)
		require.Equal(t, int64(3), s.info("J").FailureCount)
		s.must(s.s.Disable(s, "APP", "J", false))
		require.Equal(t, Disabled, s.info("J").State)
		s.must(s.s.Enable(s, "APP", "J"))
		require.Zero(t, s.info("J").FailureCount)
	})
}

func TestStop(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.actions["LANE"] = lasts(time.Hour)
		s.job("LANE", false)
		start := func() {
			s.must(s.s.Run(s, "APP", "LANE"))
			s.requireError(s.s.Stop(s, "APP", "LANE", false), 27366)
			s.delay(time.Second)
		}
		start()
		s.must(s.s.Stop(s, "APP", "LANE", false))
		require.Equal(t, []State{Stopped}, s.statuses("LANE"))
		require.Equal(t, `REASON="Stop job called by user: 'APP'"`, s.lastDetails().Info)
		require.Equal(t, Disabled, s.info("LANE").State)
		require.Zero(t, s.running)

		start()
		s.requireError(s.s.Stop(s, "APP", "LANE", true), 27486)
		s.manages = true
		s.must(s.s.Stop(s, "APP", "LANE", true))
		require.Equal(t, `REASON="Stop job with force called by user: 'APP'"`, s.lastDetails().Info)
		s.delay(time.Second)
		require.Zero(t, s.running)
		require.Len(t, s.statuses("LANE"), 2)

		s.actions["LANE"] = func(w *session) error {
			for range 30 {
				_ = w.work(time.Second) // handled: WHEN OTHERS THEN NULL
			}
			return nil
		}
		start()
		begin := s.since()
		s.requireError(s.s.Stop(s, "APP", "LANE", false), 27365)
		require.GreaterOrEqual(t, s.since()-begin, stopLow)
		require.Equal(t, Running, s.info("LANE").State)
		s.delay(time.Minute)
		require.Equal(t, Succeeded, s.lastDetails().Status)

		start()
		s.requireError(s.s.Drop(s, "APP", "LANE", true), 27365)
		s.actions["LANE"] = lasts(time.Hour)
		s.delay(time.Minute)
		start()
		s.must(s.s.Drop(s, "APP", "LANE", true))
		require.Empty(t, slices.Collect(s.s.Jobs("")))

		s.actions["ONCE"] = lasts(time.Hour)
		s.job("ONCE", true)
		s.job("EVERY", true, minutely)
		s.actions["EVERY"] = lasts(time.Hour)
		s.delay(time.Second)
		s.must(s.s.Stop(s, "APP", "ONCE", false))
		s.must(s.s.Stop(s, "APP", "EVERY", false))
		require.Equal(t, Stopped, s.info("ONCE").State)
		require.Equal(t, Scheduled, s.info("EVERY").State)
	})
}

// TestLateStop: a STOP_JOB that takes effect after the intended run has ended stops the next one.
func TestLateStop(t *testing.T) {
	struck := 0
	for seed := range uint64(40) {
		r := newRig(t, kernel.Options{Seed: seed})
		r.s.opts.DelayLow, r.s.opts.DelayHigh, r.s.opts.StopLate = time.Millisecond, time.Millisecond, 500*time.Millisecond
		r.run(func(s *session) {
			s.actions["LANE"] = lasts(10 * time.Second)
			s.job("LANE", false)
			s.must(s.s.Run(s, "APP", "LANE"))
			s.session("stopper", func(w *session) {
				w.delay(9700 * time.Millisecond)
				w.must(w.s.Stop(w, "APP", "LANE", false))
			})
			s.delay(10002 * time.Millisecond)
			if len(s.statuses("LANE")) == 1 && s.lastDetails().Status == Succeeded {
				s.must(s.s.Run(s, "APP", "LANE"))
				s.delay(time.Minute)
				if s.lastDetails().Status == Stopped {
					struck++
				}
			}
		})
	}
	require.Greater(t, struck, 5)
	require.Less(t, struck, 35)
}

func TestDisableDuringARun(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.actions["J"] = lasts(10 * time.Second)
		s.job("J", true, minutely)
		s.delay(time.Second)
		s.must(s.s.Disable(s, "APP", "J", true))
		require.Equal(t, Running, s.info("J").State)
		s.delay(time.Hour)
		require.Equal(t, Disabled, s.info("J").State)
		require.Equal(t, []State{Succeeded}, s.statuses("J"))
	})
}

func TestKilledSession(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.actions["J"] = lasts(time.Hour)
		s.job("J", true, minutely)
		s.delay(time.Second)
		for _, w := range s.sessions {
			w.task.Kill()
		}
		s.delay(time.Second)
		require.Equal(t, []State{Stopped}, s.statuses("J"))
		require.Equal(t, `REASON="Job slave process was terminated"`, s.lastDetails().Info)
		require.Equal(t, Scheduled, s.info("J").State)
		s.delay(time.Minute)
		require.Len(t, s.starts["J"], 2)
	})
}

func TestDroppedOwnerWhileItsJobRuns(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.actions["J"] = lasts(10 * time.Second)
		s.job("J", true, minutely)
		s.job("WAITS", true)
		s.delay(50 * time.Millisecond)
		s.delay(time.Second)
		s.s.DropOwner("APP")
		s.delay(time.Hour)
		require.Empty(t, slices.Collect(s.s.Jobs("")))
		require.Len(t, s.starts["J"], 1)
		require.Equal(t, []State{Succeeded}, s.statuses("J"))
	})
}

func TestCrash(t *testing.T) {
	r := newRig(t, kernel.Options{Seed: 3})
	crash := func(s *session) {
		for _, w := range s.sessions {
			w.task.Kill()
		}
		s.s.Restart()
	}
	r.run(func(s *session) {
		for _, n := range []string{"LANE", "ONCE", "EVERY"} {
			s.actions[n] = lasts(30 * time.Second)
		}
		s.s.SetProcesses(10)
		s.job("LANE", false)
		s.job("ONCE", true)
		s.job("EVERY", true, minutely)
		s.job("LATER", true, func(x *Spec) { x.Start = s.k.Now().Add(time.Hour) })
		s.must(s.s.Run(s, "APP", "LANE"))
		s.delay(time.Second)
		require.Equal(t, 3, s.running)
		s.job("STARTING", true)
		crash(s)
		require.Equal(t, Disabled, s.info("LANE").State)
		require.Equal(t, Stopped, s.info("ONCE").State)
		require.Equal(t, Scheduled, s.info("EVERY").State)
		require.Equal(t, []State{Stopped}, s.statuses("LANE"))
		require.Empty(t, slices.Collect(s.s.RunningJobs("")))
		s.delay(2 * time.Hour)
		require.Len(t, s.starts["LANE"], 1)
		require.Len(t, s.starts["ONCE"], 1)
		require.Greater(t, len(s.starts["EVERY"]), 2)
		require.Len(t, s.starts["LATER"], 1)
		require.Len(t, s.starts["STARTING"], 1)
	})
	lost := 0
	for seed := range uint64(20) {
		r := newRig(t, kernel.Options{Seed: seed})
		r.run(func(s *session) {
			s.job("LANE", false)
			s.must(s.s.Run(s, "APP", "LANE"))
			crash(s)
			s.delay(time.Minute)
			if len(s.starts["LANE"]) == 0 {
				lost++
			}
		})
	}
	require.NotZero(t, lost)
	require.Less(t, lost, 20)
}

// TestLanesUnderKills has sessions run and stop lanes while job slaves are killed and the instance
// crashes. A job never has two runs at a time, slaves never exceed their limit, and every start ends in the log.
func TestLanesUnderKills(t *testing.T) {
	for seed := range uint64(60) {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: kernel.Granularity(seed % 3)})
		r.s = New(r.k, r.st, Options{Starter: r, Processes: 3})
		lanes := []string{"A", "B", "C", "D", "E"}
		busy := map[string]int{}
		chance := func(n int) bool { return r.k.Choose("test", n) == 0 }
		for _, n := range lanes {
			r.actions[n] = func(w *session) error {
				busy[n]++
				defer func() { busy[n]-- }()
				require.Equal(t, 1, busy[n], "seed %d", seed)
				if err := w.work(time.Duration(r.k.Choose("test", 10_000)) * time.Millisecond); err != nil {
					return err
				}
				if chance(5) {
					return errBoom
				}
				return nil
			}
		}
		r.run(func(s *session) {
			s.manages = true
			for i, n := range lanes {
				if i < 3 {
					s.job(n, false)
				} else {
					s.job(n, true, minutely)
				}
			}
			tolerated := func(err error, numbers ...int32) {
				if err != nil {
					var e *sqlerr.Error
					require.ErrorAs(t, err, &e)
					require.Contains(t, numbers, e.Number)
				}
			}
			for range 60 {
				n := lanes[r.k.Choose("test", len(lanes))]
				switch r.k.Choose("test", 7) {
				case 6:
					if chance(3) {
						for _, w := range s.sessions {
							w.task.Kill()
						}
						s.s.Restart()
					}
				case 0, 1, 2:
					tolerated(s.s.Run(s, "APP", n), 27478)
				case 3:
					tolerated(s.s.Stop(s, "APP", n, false), 27366, 27365)
				case 4:
					for run := range s.s.RunningJobs("APP") {
						for r, w := range s.sessions {
							if r.LogID == run.LogID && run.Name == n {
								w.task.Kill()
							}
						}
					}
				default:
					s.delay(time.Duration(r.k.Choose("test", 5000)) * time.Millisecond)
				}
			}
			s.delay(5 * time.Minute)
			require.LessOrEqual(t, r.most, 3, "seed %d", seed)
			for _, n := range lanes {
				require.LessOrEqual(t, len(s.starts[n])-len(s.statuses(n)), 1, "seed %d", seed)
				require.Empty(t, r.s.find("APP", n).waiters)
			}
		})
		r.k.Close()
	}
}

func TestSameSeedSameHistory(t *testing.T) {
	hash := func() uint64 {
		r := newRig(t, kernel.Options{Seed: 7})
		r.s = New(r.k, r.st, Options{Starter: r, Processes: 2})
		r.run(func(s *session) {
			for _, n := range []string{"A", "B", "C", "D"} {
				s.job(n, true, minutely)
			}
			s.delay(10 * time.Minute)
		})
		return r.k.TraceHash()
	}
	require.Equal(t, hash(), hash())
}

func TestAutoDropAfterARunInTheBackground(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.job("J", false, once)
		s.must(s.s.Run(s, "APP", "J"))
		s.delay(time.Second)
		require.Len(t, s.starts["J"], 1)
		require.Empty(t, s.info("J").Name)
	})
}
