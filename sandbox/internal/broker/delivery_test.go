package broker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

func TestReplyWhileTheOtherSideIsBusyIsQueued(t *testing.T) {
	r := newRig(t)
	var h Handle
	r.run(func(s *session) {
		s.service("I", plain())
		s.service("T", plain())
		h = s.dialog("I", "T")
		s.send(h, "q")
		target := s.one("T").Conversation
		s.begin()
		s.timer(h, 100) // holds the initiator's endpoint
		o := s.session("target", func(o *session) {
			o.send(target, "r1")
			o.send(target, "r2")
			o.end(target)
		})
		s.delay(time.Second)
		require.True(t, o.done, "it does not wait")
		require.Len(t, s.waiting(), 3)
		require.Contains(t, s.waiting(), statusBusy)
		require.Equal(t, []string{"initiator CO", "target DO"}, s.endpoints())
		s.commit()
		s.delay(time.Second)
		require.Empty(t, s.waiting())
		require.Equal(t, []string{TypeDefault, TypeDefault, TypeEndDialog}, types(s.receive("I")))
		require.Equal(t, []string{"initiator DI", "target CD"}, s.endpoints())
	})
}

func TestTransmissionQueue(t *testing.T) {
	for _, c := range []struct {
		name, status   string
		before, repair func(s *session)
	}{
		{"queue disabled", statusQueueDisabled,
			func(s *session) { s.alter("T", func(q *QueueSettings) { q.Enabled = false }) },
			func(s *session) { s.alter("T", func(q *QueueSettings) { q.Enabled = true }) }},
		{"broker disabled", statusBrokerDisabled,
			func(s *session) { s.d.Disable() },
			func(s *session) { s.d.Enable() }},
		{"service unknown", statusServiceUnknown,
			func(s *session) {
				s.must(s.stmt(func(tx *store.Txn) error { return s.d.DropService(tx, s.d.Service("T")) }))
			},
			func(s *session) {
				s.must(s.stmt(func(tx *store.Txn) error {
					_, err := s.d.CreateService(tx, "T", 1, s.queue("T"), []int32{s.d.Contract(ContractDefault).ID})
					return err
				}))
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.run(func(s *session) {
				s.service("I", plain())
				s.service("T", plain())
				c.before(s)
				h := s.dialog("I", "T")
				s.send(h, "one")
				s.send(h, "two")
				require.Contains(t, s.waiting(), c.status)
				require.Len(t, s.waiting(), 2)
				s.delay(time.Second)
				require.Len(t, s.waiting(), 2)
				c.repair(s)
				s.delay(time.Second)
				require.Empty(t, s.waiting())
				require.Equal(t, []string{"one", "two"}, bodies(s.receive("T")))
			})
		})
	}
}

func TestUndeliverableAfterTheEnd(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("I", plain())
		drop := func(tx *store.Txn) error { return s.d.DropService(tx, s.d.Service("T")) }
		create := func(contracts ...int32) {
			s.must(s.stmt(func(tx *store.Txn) error {
				_, err := s.d.CreateService(tx, "T", 1, s.queue("I"), contracts)
				return err
			}))
		}
		leave := func() Handle {
			h := s.dialog("I", "T")
			s.send(h, "one")
			s.end(h)
			require.Equal(t, []string{"initiator DO"}, s.endpoints())
			require.Len(t, s.waiting(), 2)
			return h
		}
		leave()
		create()
		s.delay(time.Second)
		require.Empty(t, s.endpoints(), "the contract is refused, but nobody is there to hear it")
		require.Empty(t, s.waiting())
		s.must(s.stmt(drop))
		leave()
		create(s.d.Contract(ContractDefault).ID)
		s.delay(time.Second)
		require.Empty(t, s.waiting())
		require.Equal(t, []string{"target DI"}, s.endpoints())
		require.Equal(t, []string{TypeDefault, TypeEndDialog}, types(s.receive("I")))
		s.must(s.stmt(drop))

		h := s.dialog("I", "T")
		s.send(h, "one")
		s.send(h, "two")
		create()
		s.delay(time.Second)
		require.Equal(t, []string{"initiator ER"}, s.endpoints())
		require.Empty(t, s.waiting())
		require.Equal(t, []string{TypeError}, types(s.receive("I")))
	})
}

func TestOtherInstance(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		begin := func(instance string) (h Handle) {
			s.must(s.stmt(func(tx *store.Txn) (err error) {
				h, err = s.d.BeginDialog(tx, BeginSpec{From: s.d.Service("S"), To: "S", ToInstance: instance})
				return err
			}))
			return h
		}
		s.send(begin("7C0F4B0C-0000-0000-0000-000000000000"), "x")
		require.Equal(t, []string{statusInstanceUnknown}, s.waiting())
		s.send(begin(s.d.GUID().String()), "here")
		require.Equal(t, []string{"here"}, bodies(s.receive("S")))

		err := s.stmt(func(tx *store.Txn) error {
			_, err := s.d.BeginDialog(tx, BeginSpec{From: s.d.Service("S"), To: "S", Encryption: true})
			return err
		})
		s.requireError(err, 49999)
	})
}

func TestLifetime(t *testing.T) {
	r := newRig(t)
	var h Handle
	r.run(func(s *session) {
		s.service("S", plain())
		h = s.dialogFor("S", "S", time.Minute)
		s.send(h, "x")
		s.requireError(s.stmt(func(tx *store.Txn) error { return s.d.ConversationTimer(tx, h, time.Hour) }), 8410)
		err := s.stmt(func(tx *store.Txn) error {
			_, err := s.d.BeginDialog(tx, BeginSpec{From: s.d.Service("S"), To: "S", Lifetime: new(time.Duration)})
			return err
		})
		s.requireError(err, 8411)
	})
	r.k.Advance(2 * time.Minute)
	require.Equal(t, []string{"initiator ER", "target ER"}, r.endpoints())
	r.run(func(s *session) {
		ms := append(s.receive("S"), s.receive("S")...)
		require.ElementsMatch(t, []string{TypeDefault, TypeError, TypeError}, types(ms))
		for _, m := range ms {
			if m.TypeName == TypeError {
				require.Contains(t, charset.FromUTF16([]byte(m.Body.Str())), "<Code>-8489</Code>")
				s.end(m.Conversation)
			}
		}
	})
	r.k.Advance(time.Hour)
	require.Empty(t, r.endpoints())
}

func TestTimerIsOnePerEndpoint(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "S")
		for range 3 {
			s.timer(h, 10)
		}
		s.delay(9 * time.Second)
		require.Empty(t, s.receive("S"))
		s.timer(h, 5)
		s.delay(2 * time.Second)
		require.Empty(t, s.receive("S"), "set anew")
		s.delay(4 * time.Second)
		ms := s.receive("S")
		require.Equal(t, []string{TypeDialogTimer}, types(ms))
		require.Equal(t, h, ms[0].Conversation)
		require.Equal(t, []string{"initiator SO"}, s.endpoints(), "no target comes of it")

		s.begin()
		s.timer(h, 1)
		s.rollback()
		s.delay(5 * time.Second)
		require.Empty(t, s.receive("S"))

		s.timer(h, 1)
		s.begin()
		s.timer(h, 60) // the first expires while this is open
		s.delay(5 * time.Second)
		s.commit()
		s.delay(time.Second)
		require.Empty(t, s.receive("S"))

		s.timer(h, 1)
		s.end(h)
		s.delay(5 * time.Second)
		require.Zero(t, s.queue("S").Table().Rows())
	})
}

func TestTimerWaitsForItsQueue(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "S")
		s.timer(h, 1)
		s.alter("S", func(q *QueueSettings) { q.Enabled = false })
		s.delay(5 * time.Second)
		require.Zero(t, s.queue("S").Table().Rows())
		s.alter("S", func(q *QueueSettings) { q.Enabled = true })
		s.delay(time.Second)
		require.Equal(t, []string{TypeDialogTimer}, types(s.receive("S")))

		s.timer(h, 1)
		s.d.Disable()
		s.delay(5 * time.Second)
		require.Zero(t, s.queue("S").Table().Rows())
		s.d.Enable()
		s.delay(time.Second)
		require.Equal(t, []string{TypeDialogTimer}, types(s.receive("S")))
	})
}
