package broker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

func waitFor(d time.Duration) ReceiveSpec { return ReceiveSpec{Waiting: true, Wait: d} }

func TestWaitForReceive(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		at := s.since()
		require.Empty(t, s.receive("S", waitFor(5*time.Second)))
		require.Equal(t, 5*time.Second, s.since()-at)

		var got []string
		var when time.Duration
		o := s.session("reader", func(o *session) {
			got = bodies(o.receive("S", waitFor(-1)))
			when = o.since()
		})
		s.delay(time.Second)
		s.begin()
		s.send(s.dialog("S", "S"), "late")
		s.delay(time.Second)
		require.False(t, o.done, "not committed")
		s.commit()
		at = s.since()
		s.delay(time.Second)
		require.Equal(t, []string{"late"}, got)
		require.Equal(t, at, when, "woken at once")
	})
}

func TestWaitForReceiveWakesWhenAGroupIsFreed(t *testing.T) {
	for _, how := range []string{"commit", "rollback", "savepoint"} {
		t.Run(how, func(t *testing.T) {
			r := newRig(t)
			r.run(func(s *session) {
				s.service("S", plain())
				h := s.dialog("S", "S")
				s.send(h, "1")
				s.send(h, "2")
				s.begin()
				mark := s.tx.Mark()
				s.one("S")
				var got []string
				s.session("reader", func(o *session) { got = bodies(o.receive("S", waitFor(-1))) })
				s.delay(time.Second)
				require.Empty(t, got)
				want := []string{"1", "2"}
				switch how {
				case "commit":
					want = want[1:]
					s.commit()
				case "rollback":
					s.rollback()
				case "savepoint":
					s.tx.RollbackTo(mark)
					s.delay(time.Second)
					require.Empty(t, got, "the lock stays")
					s.commit()
				}
				s.delay(time.Second)
				require.Equal(t, want, got)
			})
		})
	}
}

func TestWaitForReceiveEndsWithTheQueue(t *testing.T) {
	for _, c := range []struct {
		name   string
		number int32
		do     func(s *session)
	}{
		{"disabled", 9617, func(s *session) { s.alter("S", func(q *QueueSettings) { q.Enabled = false }) }},
		{"dropped", 208, func(s *session) {
			s.must(s.stmt(func(tx *store.Txn) error {
				s.must(s.d.DropService(tx, s.d.Service("S")))
				return s.d.DropQueue(tx, s.queue("S"))
			}))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.run(func(s *session) {
				s.service("S", plain())
				var err error
				o := s.session("reader", func(o *session) { _, err = o.tryReceive("S", waitFor(-1)) })
				s.delay(time.Second)
				c.do(s)
				s.delay(time.Second)
				require.True(t, o.done)
				s.requireError(err, c.number)
			})
		})
	}
}

func TestReceiveIsInterruptible(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		var err error
		o := s.session("reader", func(o *session) { _, err = o.tryReceive("S", waitFor(-1)) })
		s.delay(time.Second)
		o.task.Interrupt()
		s.delay(time.Second)
		require.ErrorIs(t, err, store.ErrInterrupted)
		killed := s.session("killed", func(o *session) { o.receive("S", waitFor(-1)) })
		s.delay(time.Second)
		require.Equal(t, 1, s.queue("S").waiters.Len())
		killed.task.Kill()
		s.delay(time.Second)
		require.True(t, killed.done)
		require.Zero(t, s.queue("S").waiters.Len())
	})
}

func TestTopKeepsTheOrderOfAConversation(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "S")
		for _, b := range []string{"1", "2", "3"} {
			s.send(h, b)
		}
		require.Equal(t, []string{"1", "2"}, bodies(s.receive("S", ReceiveSpec{Top: 2})))
		m := s.one("S")
		require.Equal(t, "3", m.Body.Str())
		require.Equal(t, int64(2), m.Sequence)
	})
}

func TestAlterQueueConvoy(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		a, b := s.dialog("S", "S"), s.dialog("S", "S")
		s.send(a, "a")
		s.send(b, "b")
		s.begin()
		s.one("S")
		alter := s.session("alter", func(o *session) { o.alter("S", func(q *QueueSettings) { q.Activation.MaxReaders = 2 }) })
		s.delay(time.Second)
		var got []string
		reader := s.session("reader", func(o *session) { got = bodies(o.receive("S")) })
		sender := s.session("sender", func(o *session) { o.send(b, "c") })
		s.delay(time.Second)
		require.False(t, alter.done, "behind the open RECEIVE")
		require.False(t, reader.done, "behind ALTER QUEUE")
		require.True(t, sender.done, "the message waits, not the sender")
		require.Equal(t, []string{statusBusy}, s.waiting())
		s.commit()
		s.delay(time.Second)
		require.True(t, alter.done)
		require.True(t, reader.done)
		require.NotEmpty(t, got)
		require.Empty(t, s.waiting())
	})
}

func TestAlterQueueDoesNotWaitForWaiters(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		o := s.session("reader", func(o *session) { o.receive("S", waitFor(time.Minute)) })
		s.delay(time.Second)
		s.alter("S", func(q *QueueSettings) { q.Activation.MaxReaders = 2 })
		require.Less(t, s.since(), 2*time.Second)
		s.delay(2 * time.Minute)
		require.True(t, o.done)
	})
}

func TestPoison(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		s.send(s.dialog("S", "S"), "poison")
		spoil := func() {
			s.begin()
			s.one("S")
			s.rollback()
		}
		for range 4 {
			spoil()
		}
		s.begin()
		mark := s.tx.Mark()
		s.one("S")
		s.tx.RollbackTo(mark)
		s.commit() // a savepoint is no rollback; a commit resets the count
		for range 4 {
			spoil()
		}
		require.True(t, s.queue("S").Settings().Enabled)
		spoil()
		require.False(t, s.queue("S").Settings().Enabled)
		require.Equal(t, []string{"S"}, s.disabled)
		_, err := s.tryReceive("S", ReceiveSpec{})
		s.requireError(err, 9617)
		s.alter("S", func(q *QueueSettings) { q.Enabled, q.PoisonHandled = true, false })
		for range 20 {
			spoil()
		}
		require.True(t, s.queue("S").Settings().Enabled)
	})
}

func TestReadersNeverMissAMessage(t *testing.T) {
	for seed := range uint64(40) {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: kernel.AtRows})
		got := 0
		r.run(func(s *session) {
			s.service("Q", plain())
			s.service("S", plain())
			for range 3 {
				s.session("reader", func(o *session) {
					for {
						o.begin()
						got += len(o.receive("Q", ReceiveSpec{Top: 1, Waiting: true, Wait: -1}))
						if s.k.Choose("delay", 2) == 0 {
							o.delay(time.Millisecond)
						}
						o.commit()
					}
				})
			}
			for range 4 {
				s.session("sender", func(o *session) {
					h := o.dialog("S", "Q")
					for range 5 {
						o.send(h, "x")
					}
				})
			}
			s.delay(10 * time.Second)
			require.Equal(t, 20, got, "seed %d", seed)
			require.Zero(t, s.queue("Q").Table().Rows())
			require.Empty(t, s.waiting())
		})
		r.k.Close()
	}
}

func TestProjectSeesTheMessagesBeforeTheStatementIsOver(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		s.send(s.dialog("S", "S"), "x")
		var seen []string
		ms := s.receive("S", ReceiveSpec{Project: func(ms []Message) error { seen = bodies(ms); return nil }})
		require.Equal(t, []string{"x"}, seen)
		require.Equal(t, seen, bodies(ms))
		s.begin()
		s.send(s.dialog("S", "S"), "mine")
		o := s.session("other", func(o *session) {
			s.must(o.stmt(func(tx *store.Txn) error { require.Empty(t, o.queue("S").Rows(tx)); return nil }))
		})
		s.delay(time.Second)
		require.True(t, o.done)
		s.tx.NewStatement()
		require.Len(t, s.queue("S").Rows(s.tx), 1)
		s.commit()
		row := ms[0].Row()
		require.Len(t, row, queueWidth)
		require.Equal(t, "N ", row[columnValidation].Str())
		require.Len(t, EndpointColumns(), endpointWidth)
		require.Len(t, TransmissionColumns(), sentOrder)
	})
}

func TestAGroupFreedWhileTheReaderLooksIsNotMissed(t *testing.T) {
	for seed := range uint64(200) {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: kernel.AtRows})
		r.run(func(s *session) {
			s.service("S", plain())
			var hs []Handle
			for range 6 {
				hs = append(hs, s.dialog("S", "S"))
				s.timer(hs[len(hs)-1], len(hs))
			}
			s.delay(10 * time.Second)
			lock := func(o *session, hs []Handle) {
				o.begin()
				for _, h := range hs {
					o.timer(h, 60)
				}
			}
			s.session("other", func(o *session) {
				lock(o, hs[4:])
				o.delay(time.Hour)
			})
			lock(s, hs[:4])
			s.delay(time.Second)
			got := 0
			s.session("reader", func(o *session) { got = len(o.receive("S", waitFor(-1))) })
			for range seed % 30 {
				s.task.Switch(kernel.AtRows)
			}
			s.commit()
			s.delay(time.Second)
			require.NotZero(t, got, "seed %d", seed)
		})
		r.k.Close()
	}
}
