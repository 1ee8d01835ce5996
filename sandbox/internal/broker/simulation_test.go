package broker

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TestConversationsUnderKills has activated workers answer requests while sessions are killed,
// transactions rolled back, and the queue turned off and on. Every committed request must be
// processed exactly once, and no endpoint may be left over.
func TestConversationsUnderKills(t *testing.T) {
	for seed := range uint64(60) {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: kernel.Granularity(seed % 3)})
		sent, served := map[string]bool{}, map[string]int{}
		var live []*session
		chance := func(n int) bool { return r.k.Choose("test", n) == 0 }
		try := func(s *session, fn func(tx *store.Txn) error) error {
			err := s.stmt(fn)
			if _, lost := errors.AsType[*store.Deadlock](err); lost {
				s.rollback()
			}
			return err
		}
		r.procs["serve"] = func(s *session) {
			live = append(live, s)
			for {
				s.begin()
				ms, err := s.tryReceive("Q", ReceiveSpec{Top: 1, Waiting: true, Wait: time.Second})
				if err != nil || len(ms) == 0 {
					return
				}
				m := ms[0]
				if chance(20) {
					s.rollback()
					continue
				}
				if m.TypeName == TypeDefault {
					if try(s, func(tx *store.Txn) error { return s.d.Send(tx, m.Conversation, "", value.NewBytes([]byte("ok"))) }) != nil {
						return
					}
				}
				if try(s, func(tx *store.Txn) error { return s.d.EndConversation(tx, m.Conversation, EndSpec{}) }) != nil {
					return
				}
				s.tx.OnCommit(func() {
					if m.TypeName == TypeDefault {
						served[m.Body.Str()]++
					}
				})
				s.commit()
			}
		}
		r.procs["finish"] = func(s *session) {
			live = append(live, s)
			for {
				ms, err := s.tryReceive("S", ReceiveSpec{Top: 1, Waiting: true, Wait: time.Second})
				if err != nil || len(ms) == 0 {
					return
				}
				if ms[0].TypeName == TypeDefault {
					continue
				}
				_ = s.stmt(func(tx *store.Txn) error { return s.d.EndConversation(tx, ms[0].Conversation, EndSpec{}) })
			}
		}
		r.run(func(s *session) {
			s.service("Q", activated("serve", 3))
			s.service("S", activated("finish", 2))
			for c := range 4 {
				live = append(live, s.session("client", func(o *session) {
					for i := range 6 {
						o.begin()
						h := o.dialogFor("S", "Q", 10*time.Minute)
						id := string(rune('A'+c)) + string(rune('0'+i))
						o.send(h, id)
						if chance(4) {
							o.delay(time.Duration(r.k.Choose("test", 3000)) * time.Millisecond)
						}
						if chance(5) {
							o.rollback()
							continue
						}
						o.tx.OnCommit(func() { sent[id] = true })
						o.commit()
					}
				}))
			}
			for range 20 {
				s.delay(time.Duration(r.k.Choose("test", 2000)) * time.Millisecond)
				switch {
				case chance(3) && len(live) > 0:
					live[r.k.Choose("test", len(live))].task.Kill()
				case chance(4):
					s.alter("Q", func(q *QueueSettings) { q.Enabled = false })
					s.delay(time.Second)
				}
				s.alter("Q", func(q *QueueSettings) { q.Enabled = true })
			}
			s.delay(2 * time.Minute)
		})
		for id := range sent {
			require.Equal(t, 1, served[id], "seed %d: request %s", seed, id)
		}
		require.NotEmpty(t, sent)
		require.Len(t, served, len(sent), "seed %d", seed)
		require.Empty(t, r.waiting(), "seed %d", seed)
		r.k.Advance(2 * time.Hour)
		require.Zero(t, r.queue("Q").Table().Rows(), "seed %d", seed)
		// If a reader of S was killed between RECEIVE and END, its endpoint ends with the lifetime's Error.
		require.Empty(t, r.endpoints(), "seed %d", seed)
		require.Empty(t, r.in.works, "seed %d", seed)
		require.Zero(t, r.queue("Q").waiters.Len(), "seed %d", seed)
		require.True(t, slices.Collect(r.st.Locks()) == nil, "seed %d", seed)
		r.k.Close()
	}
}

func TestCrossingConversationsDoNotHang(t *testing.T) {
	for seed := range uint64(30) {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: kernel.AtRows})
		r.run(func(s *session) {
			s.service("A", plain())
			s.service("B", plain())
			h := s.dialog("A", "B")
			s.send(h, "x")
			far := s.one("B").Conversation
			talk := func(h Handle) func(o *session) {
				return func(o *session) {
					for range 10 {
						o.begin()
						for range 3 {
							err := o.trySend(h, "y")
							if _, refused := errors.AsType[*sqlerr.Error](err); refused {
								return
							}
							o.must(err)
						}
						o.commit()
					}
					o.end(h)
				}
			}
			one, two := s.session("one", talk(h)), s.session("two", talk(far))
			s.delay(time.Minute)
			require.True(t, one.done && two.done, "seed %d", seed)
			require.Empty(t, s.waiting(), "seed %d", seed)
		})
		r.k.Close()
	}
}
