package broker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func TestSelfDialogTargetEndsFirst(t *testing.T) {
	r := newRig(t)
	var h Handle
	r.run(func(s *session) {
		s.service("S", plain())
		h = s.dialog("S", "S")
		require.Equal(t, []string{"initiator SO"}, s.endpoints())
		s.send(h, "wake")
		require.Equal(t, []string{"initiator CO", "target CO"}, s.endpoints())
		m := s.one("S")
		require.Equal(t, "wake", m.Body.Str())
		require.Equal(t, "S", m.ServiceName)
		require.NotEqual(t, h, m.Conversation, "the target has a handle of its own")
		s.end(m.Conversation)
		require.Equal(t, []string{"initiator DI", "target CD"}, s.endpoints())
		e := s.one("S")
		require.Equal(t, TypeEndDialog, e.TypeName)
		require.Equal(t, h, e.Conversation)
		require.NotEqual(t, m.Group, e.Group, "each side has a group of its own")
		s.end(h)
		require.Equal(t, []string{"target CD"}, s.endpoints())
	})
	r.k.Advance(29 * time.Minute)
	require.Equal(t, []string{"target CD"}, r.endpoints())
	r.k.Advance(2 * time.Minute)
	require.Empty(t, r.endpoints())
	require.Zero(t, r.queue("S").Table().Rows())
}

func TestInitiatorEndsFirstLeavesTheTargetClosed(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialogFor("S", "S", 2*time.Hour)
		s.send(h, "fire")
		s.end(h)
		require.Equal(t, []string{"target DI"}, s.endpoints())
		ms := s.receive("S")
		require.Equal(t, []string{TypeDefault, TypeEndDialog}, types(ms))
		s.end(ms[0].Conversation)
		require.Equal(t, []string{"target CD"}, s.endpoints())
	})
	r.k.Advance(time.Hour)
	require.Equal(t, []string{"target CD"}, r.endpoints(), "30 minutes are not enough: nobody acknowledged")
	r.k.Advance(time.Hour)
	require.Empty(t, r.endpoints())
}

func TestEndBeforeAnythingWasSent(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "nobody")
		s.end(h)
		require.Empty(t, s.endpoints())
		s.requireError(s.trySend(h, "x"), 8426)
	})
}

func TestEndWithError(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "S")
		s.send(h, "x")
		m := s.one("S")
		s.end(m.Conversation, EndSpec{WithError: true, Code: 42, Description: "a < b"})
		require.Equal(t, []string{"initiator ER", "target CD"}, s.endpoints())
		e := s.one("S")
		require.Equal(t, TypeError, e.TypeName)
		text := charset.FromUTF16([]byte(e.Body.Str()))
		require.Contains(t, text, "<Code>42</Code><Description>a &lt; b</Description>")
		err := s.trySend(h, "more")
		s.requireError(err, 8429)
		require.ErrorContains(t, err, "'ER'")
		s.end(h)
		require.Equal(t, []string{"target CD"}, s.endpoints())
	})
}

func TestCleanupTellsNobody(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "S")
		s.send(h, "one")
		m := s.one("S")
		s.end(m.Conversation, EndSpec{Cleanup: true})
		require.Equal(t, []string{"initiator CO"}, s.endpoints())
		s.send(h, "two") // the far side is gone: the sender gets an error
		require.Equal(t, []string{"initiator ER"}, s.endpoints())
		require.Contains(t, charset.FromUTF16([]byte(s.one("S").Body.Str())), "<Code>-8462</Code>")
		s.end(h)
		require.Empty(t, s.endpoints())
	})
}

func TestStatesRefuse(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "S")
		s.send(h, "x")
		target := s.one("S").Conversation
		s.end(target)
		end := func(h Handle) error {
			return s.stmt(func(tx *store.Txn) error { return s.d.EndConversation(tx, h, EndSpec{}) })
		}
		s.requireError(end(target), 8427)
		s.requireError(s.trySend(h, "y"), 8429)
		s.requireError(s.stmt(func(tx *store.Txn) error { return s.d.ConversationTimer(tx, h, time.Second) }), 8458)
		s.requireError(end(Handle{1}), 8426)
	})
}

func TestContracts(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		var c *Contract
		s.must(s.stmt(func(tx *store.Txn) error {
			a, err := s.d.CreateMessageType(tx, "ask", 1)
			s.must(err)
			b, err := s.d.CreateMessageType(tx, "tell", 1)
			s.must(err)
			require.Equal(t, int32(firstUserID), a.ID)
			_, err = s.d.CreateContract(tx, "none", 1, []ContractMessage{{Type: b.ID, By: ByTarget}})
			s.requireError(err, 8492)
			c, err = s.d.CreateContract(tx, "talk", 1, []ContractMessage{{a.ID, ByInitiator}, {b.ID, ByTarget}})
			s.must(err)
			s.requireError(s.d.DropMessageType(tx, a), 3716)
			return nil
		}))
		var h Handle
		s.must(s.stmt(func(tx *store.Txn) (err error) {
			h, err = s.d.BeginDialog(tx, BeginSpec{From: s.d.Service("S"), To: "S", Contract: c})
			return err
		}))
		send := func(kind, body string) error {
			return s.stmt(func(tx *store.Txn) error { return s.d.Send(tx, h, kind, value.NewBytes([]byte(body))) })
		}
		s.requireError(send("", "x"), 8431)
		s.requireError(send("tell", ""), 8432)
		s.requireError(send("what", ""), 8428)
		s.must(send("ask", "<a/>"))
		require.Equal(t, []string{"initiator ER"}, s.endpoints(), "service S does not take contract talk")
		require.Contains(t, charset.FromUTF16([]byte(s.one("S").Body.Str())), "<Code>-8408</Code>")
	})
}

func TestTransactions(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		s.begin()
		h := s.dialog("S", "S")
		s.send(h, "one")
		mark := s.tx.Mark()
		s.send(h, "undone")
		s.tx.RollbackTo(mark)
		s.send(h, "two")
		seen := s.session("other", func(o *session) { require.Empty(t, o.receive("S"), "not committed") })
		s.delay(time.Second)
		require.True(t, seen.done)
		s.commit()
		require.Equal(t, []string{"one", "two"}, bodies(s.receive("S")))

		s.begin()
		s.send(h, "three")
		require.Equal(t, []string{"three"}, bodies(s.receive("S")), "its own")
		s.rollback()
		require.Empty(t, s.receive("S"))

		s.send(h, "four")
		s.begin()
		ms := s.receive("S")
		s.end(ms[0].Conversation)
		s.rollback()
		require.Equal(t, []string{"four"}, bodies(s.receive("S")), "back in the queue")
		require.Equal(t, []string{"initiator CO", "target CO"}, s.endpoints())
	})
}

func TestGroupLocks(t *testing.T) {
	r := newRig(t)
	var a, b Handle
	r.run(func(s *session) {
		s.service("S", plain())
		a, b = s.dialog("S", "S"), s.dialog("S", "S")
		s.send(a, "a1")
		s.send(a, "a2")
		s.send(b, "b1")
		s.begin()
		first := s.one("S")
		require.Contains(t, []string{"a1", "b1"}, first.Body.Str())
		var rest []string
		s.session("second", func(o *session) {
			for {
				o.begin()
				ms := o.receive("S")
				if len(ms) == 0 {
					return
				}
				rest = append(rest, bodies(ms)...)
				o.delay(time.Second)
				o.commit()
			}
		})
		s.delay(3 * time.Second)
		if first.Body.Str() == "a1" {
			require.Equal(t, []string{"b1"}, rest, "a2 belongs to the locked group")
		} else {
			require.Equal(t, []string{"a1", "a2"}, rest)
		}
		blocked := s.session("sender of the other side", func(o *session) { o.send(a, "a3") })
		s.delay(time.Second)
		require.True(t, blocked.done, "the initiator's group is another one")
		s.commit()
	})
}

func TestOpenSenderDoesNotBlockOthers(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		s.begin()
		s.send(s.dialog("S", "S"), "open")
		o := s.session("other", func(o *session) {
			o.send(o.dialog("S", "S"), "quick")
			require.Equal(t, []string{"quick"}, bodies(o.receive("S")))
		})
		s.delay(time.Second)
		require.True(t, o.done)
		s.rollback()
		require.Empty(t, s.receive("S"))
	})
}

func TestNewBrokerForgetsEverything(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("S", plain())
		h := s.dialog("S", "S")
		s.send(h, "x")
		s.timer(h, 5)
	})
	before := r.d.GUID()
	require.NoError(t, r.d.NewBroker())
	require.NotEqual(t, before, r.d.GUID())
	require.True(t, r.d.Enabled())
	r.k.Advance(time.Minute)
	require.Empty(t, r.endpoints())
	require.Zero(t, r.queue("S").Table().Rows())
}

func TestDropService(t *testing.T) {
	r := newRig(t)
	r.run(func(s *session) {
		s.service("I", plain())
		s.service("T", plain())
		h := s.dialog("I", "T")
		s.send(h, "x")
		drop := func(tx *store.Txn) error { return s.d.DropQueue(tx, s.queue("T")) }
		s.requireError(s.stmt(drop), 3716)
		s.begin()
		s.must(s.stmt(func(tx *store.Txn) error { return s.d.DropService(tx, s.d.Service("T")) }))
		s.must(s.stmt(drop))
		require.Nil(t, s.d.Service("T"))
		s.rollback()
		require.NotNil(t, s.d.Service("T"))
		require.NotNil(t, s.queue("T"))
		require.Equal(t, []string{"initiator CO", "target CO"}, s.endpoints())
		s.must(s.stmt(func(tx *store.Txn) error { return s.d.DropService(tx, s.d.Service("T")) }))
		s.must(s.stmt(drop))
		require.Equal(t, []string{"initiator ER"}, s.endpoints())
		require.Contains(t, charset.FromUTF16([]byte(s.one("I").Body.Str())), "<Code>-8470</Code>")
	})
}

func TestSameSeedSameHistory(t *testing.T) {
	history := func(seed uint64, g kernel.Granularity) uint64 {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: g})
		r.procs["P"] = drain("Q", 3*time.Second)
		r.run(func(s *session) {
			s.service("Q", activated("P", 3))
			s.service("S", plain())
			for range 5 {
				s.session("sender", func(o *session) {
					for range 4 {
						h := o.dialog("S", "Q")
						o.send(h, "x")
						o.delay(time.Second)
					}
				})
			}
			s.delay(time.Minute)
			require.Zero(t, s.queue("Q").Table().Rows())
		})
		return r.k.TraceHash()
	}
	for _, g := range []kernel.Granularity{kernel.AtStatements, kernel.AtLocks, kernel.AtRows} {
		for seed := range uint64(5) {
			require.Equal(t, history(seed, g), history(seed, g))
		}
		require.NotEqual(t, history(1, g), history(2, g))
	}
}
