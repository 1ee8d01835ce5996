package broker

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// drain receives one message after the other, works on each outside the transaction and
// returns when there is none.
func drain(queue string, work time.Duration) func(*session) {
	return func(s *session) {
		for {
			ms := s.receive(queue, ReceiveSpec{Top: 1})
			if len(ms) == 0 {
				return
			}
			s.delay(work)
		}
	}
}

func flood(s *session, n int) {
	for range n {
		s.send(s.dialog("S", "Q"), "x")
	}
}

func seconds(ds []time.Duration) []int {
	out := []int{}
	for _, d := range ds {
		out = append(out, int(d/time.Second))
	}
	return out
}

func TestRampUp(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = drain("Q", time.Hour)
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 4))
		require.Equal(t, Inactive, s.monitor("Q").State)
		flood(s, 10)
		s.delay(time.Minute)
		require.Equal(t, []int{0, 5, 10, 15}, seconds(s.starts), "one reader at once, one more every 5 s, never above the maximum")
		require.Equal(t, Receiving, s.monitor("Q").State)
		require.Len(t, s.in.ActivatedTasks(), 4)
		require.Equal(t, "P", s.in.ActivatedTasks()[0].Procedure)
	})
}

// The timer of service-broker-as-scheduler: a procedure sets it again and then works for a long time.
func TestMSSQLSeedRampUp(t *testing.T) {
	r := newRig(t)
	r.procs["ActivationQueueScheduler"] = func(s *session) {
		ms := s.receive("QueueScheduler", ReceiveSpec{Top: 1, Waiting: true, Wait: 5 * time.Second})
		if len(ms) == 0 {
			return
		}
		if ms[0].TypeName == TypeDialogTimer {
			s.timer(ms[0].Conversation, 10)
			s.delay(10 * time.Minute)
			return
		}
		s.end(ms[0].Conversation)
	}
	r.run(func(s *session) {
		s.service("QueueScheduler", activated("ActivationQueueScheduler", 3))
		h := s.dialog("QueueScheduler", "QueueScheduler")
		for range 3 {
			s.timer(h, 1)
		}
		s.delay(500 * time.Millisecond)
		require.Empty(t, s.starts)
		s.delay(2 * time.Minute)
		require.Equal(t, []int{1, 11, 21}, seconds(s.starts))
		require.Equal(t, 3, s.most)
		s.end(h)
		require.Empty(t, s.endpoints(), "nothing leaks")
	})
}

func TestSixteenQueuesStartAtOnce(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		for i := range 16 {
			name := fmt.Sprintf("Q%02d", i)
			r.procs[name] = drain(name, time.Minute)
			s.service(name, activated(name, 1))
		}
		s.begin()
		for i := range 16 {
			name := fmt.Sprintf("Q%02d", i)
			s.send(s.dialog("S", name), "x")
		}
		s.delay(time.Second)
		require.Empty(t, s.starts, "not before the commit")
		s.commit()
		at := s.since()
		s.delay(time.Second)
		require.Len(t, s.starts, 16)
		require.Equal(t, 16, s.most)
		for _, when := range s.starts {
			require.LessOrEqual(t, when-at, 20*time.Millisecond)
		}
	})
}

func TestReadersThatKeepUpAreEnough(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = func(s *session) {
		for len(s.receive("Q", ReceiveSpec{Top: 1, Waiting: true, Wait: 15 * time.Second})) > 0 {
		}
	}
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 5))
		for range 60 {
			flood(s, 1)
			s.delay(time.Second)
		}
		require.Len(t, s.starts, 1)
		require.Equal(t, 1, s.monitor("Q").Waiting)
		s.delay(time.Minute)
		m := s.monitor("Q")
		require.Equal(t, Inactive, m.State)
		require.Zero(t, m.Waiting)
		require.False(t, m.LastEmpty.IsZero())
		flood(s, 1)
		s.delay(time.Second)
		require.Len(t, s.starts, 2, "the next message starts a reader at once")
	})
}

func TestNotifiedTrap(t *testing.T) {
	for name, proc := range map[string]func(*session){
		"returns without RECEIVE": func(*session) {},
		"RECEIVE fails": func(s *session) {
			_, err := s.tryReceive("Q", ReceiveSpec{Project: func([]Message) error { return errors.New("CAST") }})
			require.Error(s.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.procs["P"] = proc
			r.run(func(s *session) {
				s.service("S", plain())
				s.service("Q", activated("P", 3))
				for range 10 {
					flood(s, 1)
					s.delay(10 * time.Second)
				}
				require.Len(t, s.starts, 1)
				require.Equal(t, Notified, s.monitor("Q").State)
				require.Empty(t, s.disabled, "no event")
				require.Empty(t, s.in.ActivatedTasks())
				r.procs["P"] = drain("Q", 0)
				s.delay(time.Minute)
				require.Len(t, s.starts, 1, "a better procedure is not noticed")
			})
			r.run(func(s *session) { s.one("Q") }) // somebody receives
			r.run(func(s *session) {
				s.delay(time.Second)
				require.Len(t, s.starts, 2)
				require.Zero(t, s.queue("Q").Table().Rows())
			})
		})
	}
}

func TestActivationOffAndOnCuresNotified(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = func(*session) {}
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 3))
		flood(s, 1)
		s.delay(time.Minute)
		r.procs["P"] = drain("Q", 0)
		s.alter("Q", func(q *QueueSettings) { q.Activation.Enabled = false })
		require.Empty(t, s.in.Monitors())
		s.delay(time.Minute)
		s.alter("Q", func(q *QueueSettings) { q.Activation.Enabled = true })
		s.delay(time.Second)
		require.Len(t, s.starts, 2)
		require.Zero(t, s.queue("Q").Table().Rows())
	})
}

func TestProcedureThatLeavesMessagesIsStartedAgain(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = func(s *session) { s.one("Q") }
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 1))
		flood(s, 5)
		s.delay(time.Second)
		require.Len(t, s.starts, 5)
		require.Zero(t, s.queue("Q").Table().Rows())
	})
}

func TestOneConversationStartsOneMoreReader(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = func(s *session) {
		s.begin()
		if len(s.receive("Q", ReceiveSpec{Top: 1, Waiting: true, Wait: -1})) > 0 {
			s.delay(time.Hour)
		}
		s.commit()
	}
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 10))
		h := s.dialog("S", "Q")
		for range 100 {
			s.send(h, "x")
		}
		s.delay(30 * time.Minute)
		require.Len(t, s.starts, 2, "the second waits in RECEIVE, so there is no third")
		require.Equal(t, 1, s.monitor("Q").Waiting)
	})
}

func TestPoisonedActivation(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = func(s *session) {
		s.begin()
		s.one("Q")
		s.rollback()
	}
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 1))
		flood(s, 1)
		s.delay(time.Minute)
		require.Len(t, s.starts, 5)
		require.Equal(t, []string{"Q"}, s.disabled)
		require.Empty(t, s.in.Monitors(), "a queue that is off has no monitor")
		r.procs["P"] = drain("Q", 0)
		s.alter("Q", func(q *QueueSettings) { q.Enabled = true })
		s.delay(time.Second)
		require.Len(t, s.starts, 6)
		require.Zero(t, s.queue("Q").Table().Rows())
	})
}

func TestBrokerRestartMayExceedTheMaximum(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = drain("Q", time.Hour)
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 1))
		flood(s, 2)
		s.delay(time.Second)
		require.Equal(t, 1, s.running)
		s.d.Restart()
		s.delay(time.Second)
		require.Equal(t, 2, s.running, "KB3163368")
		ms := s.in.Monitors()
		require.Len(t, ms, 2)
		require.Equal(t, Shut, ms[1].State)
		require.Len(t, s.in.ActivatedTasks(), 2)
		s.delay(3 * time.Hour)
		require.Zero(t, s.running)
		s.d.Restart()
		require.Len(t, s.in.Monitors(), 1)
	})
}

func TestNothingIsActivatedWhileTheBrokerIsOff(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = drain("Q", 0)
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 1))
		s.d.Disable()
		flood(s, 1)
		s.delay(time.Minute)
		require.Empty(t, s.starts)
		s.d.Enable()
		s.delay(time.Second)
		require.Len(t, s.starts, 1)
		require.Empty(t, s.waiting())
	})
}

func TestMonitorDoesNotKeepAnIdleSystemJumping(t *testing.T) {
	r := newRig(t)
	r.procs["P"] = drain("Q", 0)
	var holder *session
	r.run(func(s *session) {
		s.service("S", plain())
		s.service("Q", activated("P", 2))
		s.begin()
		h := s.dialog("S", "Q")
		s.send(h, "1")
		s.send(h, "2")
		holder = s.session("holder", func(o *session) {
			o.begin()
			o.receive("Q", ReceiveSpec{Top: 1, Waiting: true, Wait: -1})
			o.task.Block(kernel.Wait{For: -1})
		})
		s.delay(time.Second)
		s.commit()
	})
	require.ErrorIs(t, r.k.RunUntil(func() bool { return r.since() > time.Hour }), kernel.ErrStuck)
	holder.task.Kill()
	r.k.RunReady()
	require.NoError(t, r.k.RunUntil(func() bool { return r.queue("Q").Table().Rows() == 0 }))
}
