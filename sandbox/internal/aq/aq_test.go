package aq

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

func TestAdministration(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: DefaultMaxRetries})
		require.Equal(t, 3, s.commits)
		s.requireError(s.in.CreateTable(s, TableSpec{Owner: "APP", Name: "Q_T", PayloadType: "RAW"}), 24001)
		s.requireError(s.in.CreateTable(s, TableSpec{Owner: "APP", Name: "X", PayloadType: "SYS.ANYDATA"}), sqlerr.NotSupportedNumber)
		s.requireError(s.in.CreateQueue(s, QueueSpec{Owner: "APP", Name: "X", Table: "NONE"}), 24002)
		s.requireError(s.in.CreateQueue(s, QueueSpec{Owner: "APP", Name: "Q", Table: "Q_T"}), 24006)
		s.requireError(s.in.Start(s, "APP", "NONE", true, true), 24010)
		s.requireError(s.in.Start(s, "APP", "AQ$_Q_T_E", true, true), 24017)
		s.requireError(s.in.DropQueue(s, "APP", "Q"), 24011)
		s.requireError(s.in.DropTable(s, "APP", "Q_T", false), 24012)
		s.requireError(s.in.DropTable(s, "APP", "NONE", true), 24002)
		info := slices.Collect(s.in.Queues("APP"))
		require.Len(t, info, 2)
		require.True(t, info[0].Exception)
		require.False(t, info[0].DequeueEnabled)
		require.Equal(t, int64(DefaultMaxRetries), info[1].MaxRetries)
		require.Empty(t, slices.Collect(s.in.Queues("OTHER")))

		s.send("Q", "a")
		s.must(s.in.Stop(s, "APP", "Q", true, true, true))
		_, err := s.try("Q", Options{})
		s.requireError(err, 25226)
		q, _ := s.in.Queue("APP", "Q")
		s.requireError(s.stmt(func(tx *store.Txn) error {
			_, err := s.in.Enqueue(tx, q, false, Properties{}, nil)
			return err
		}), 25207)
		s.requireError(s.stmt(func(tx *store.Txn) error {
			_, err := s.in.Enqueue(tx, slices.Collect(s.in.Tables(""))[0].queues[0], false, Properties{}, nil)
			return err
		}), 25206)
		s.must(s.in.DropQueue(s, "APP", "Q"))
		require.Empty(t, s.states("Q_T"))
		_, err = s.try("Q", Options{})
		s.requireError(err, 25205)
		s.must(s.in.DropOwner(s, "APP"))
		require.Empty(t, slices.Collect(s.in.Tables("")))
	})
	require.Nil(t, slices.Collect(r.st.Locks()))
}

func TestEnqueueIsSeenWithItsCommit(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{})
		s.send("Q", "mine")
		o := s.session("other", func(o *session) {
			o.none("Q", Options{})
			require.Equal(t, "mine", o.get("Q", Options{Wait: time.Hour}))
			require.Equal(t, 10*time.Second, o.since())
			o.rollback()
		})
		s.delay(10 * time.Second)
		s.commit()
		s.delay(time.Second)
		require.True(t, o.done)

		s.send("Q", "undone")
		s.rollback()
		require.Len(t, s.states("Q_T"), 1)
		q, _ := s.in.Queue("APP", "Q")
		s.must(s.stmt(func(tx *store.Txn) error {
			_, err := s.in.Enqueue(tx, q, true, Properties{}, []byte("at once"))
			return err
		}))
		s.rollback()
		require.Len(t, s.states("Q_T"), 2)
	})
}

func TestOwnUncommittedMessageCanBeDequeued(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{})
		s.send("Q", "a")
		require.Equal(t, "a", s.get("Q", Options{}))
		s.commit()
		require.Empty(t, s.states("Q_T"))
	})
}

func TestLockedMessagesAreSkipped(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: 5})
		s.send("Q", "a")
		s.send("Q", "b")
		s.commit()
		require.Equal(t, "a", s.get("Q", Options{First: true}))
		s.session("other", func(o *session) {
			require.Equal(t, "a", o.get("Q", Options{First: true, Mode: Browse}), "a reader sees what is committed")
			require.Equal(t, "b", o.get("Q", Options{First: true}))
			o.none("Q", Options{First: true, Wait: 2 * time.Second})
			require.Equal(t, 2*time.Second, o.since())
			require.Equal(t, "a", o.get("Q", Options{First: true, Wait: Forever}), "after the other's rollback")
			o.commit()
		})
		s.delay(5 * time.Second)
		s.rollback()
		s.delay(time.Second)
		require.Empty(t, s.states("Q_T"))
	})
}

func TestOrder(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{})
		want := []string{"a", "b", "c"}
		for i, text := range want {
			s.send("Q", text, Properties{Priority: int64(-i)})
		}
		s.commit()
		var browsed, got []string
		for range want {
			browsed = append(browsed, s.get("Q", Options{Mode: Browse}))
		}
		s.none("Q", Options{Mode: Browse})
		require.Equal(t, want, browsed)
		for range want {
			got = append(got, s.get("Q", Options{First: true}))
		}
		require.Equal(t, want, got)
	})
}

func TestNextMessageLooksBehindTheLastOne(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: 5})
		for _, n := range []string{"a", "b", "c"} {
			s.send("Q", n)
		}
		s.commit()
		require.Equal(t, "a", s.get("Q", Options{}))
		s.rollback()
		require.Equal(t, "b", s.get("Q", Options{}), "behind the last one, though that is back")
		require.Equal(t, "a", s.get("Q", Options{First: true}))
		require.Equal(t, "c", s.get("Q", Options{}))
		s.rollback()
		require.Equal(t, "a", s.get("Q", Options{}), "nothing is behind: from the start")
	})
}

func TestCorrelation(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: 5})
		s.send("Q", "none")
		s.send("Q", "1", Properties{Correlation: "L1"})
		s.send("Q", "2", Properties{Correlation: "L2"})
		s.commit()
		s.none("Q", Options{Correlation: "L3"})
		require.Equal(t, "2", s.get("Q", Options{Correlation: "L2"}))
		require.Equal(t, "none", s.get("Q", Options{}))
		require.Equal(t, "1", s.get("Q", Options{}))
	})
}

func TestRollbackCountsAttempts(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: 1})
		s.send("Q", "a")
		s.commit()
		s.get("Q", Options{})
		s.rollback()
		m := s.states("Q_T")["a"]
		require.Equal(t, int64(1), m.Attempts)
		require.Equal(t, "READY", m.State.String())
		s.get("Q", Options{First: true})
		s.rollback()
		m = s.states("Q_T")["a"]
		require.Equal(t, "EXPIRED", m.State.String())
		require.Equal(t, "APP.AQ$_Q_T_E", m.Queue.String())
		s.none("Q", Options{Wait: time.Minute})
		_, err := s.try("AQ$_Q_T_E", Options{})
		s.requireError(err, 25226)
		s.must(s.in.Start(s, "APP", "AQ$_Q_T_E", false, true))
		require.Equal(t, "a", s.get("AQ$_Q_T_E", Options{}))
		s.rollback()
		require.Equal(t, "a", s.get("AQ$_Q_T_E", Options{}), "no attempts are counted there")
		s.commit()
		require.Empty(t, s.states("Q_T"))
	})
}

func TestAttemptsOfKilledSessionsDoNotCount(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{})
		s.send("Q", "a")
		s.commit()
		victim := s.session("victim", func(o *session) {
			o.get("Q", Options{})
			o.delay(time.Hour)
		})
		s.delay(time.Second)
		victim.task.Kill()
		require.Equal(t, "a", s.get("Q", Options{Wait: Forever}), "max_retries 0 would have moved it")
		require.Zero(t, s.states("Q_T")["a"].Attempts)

		waiting := s.session("waiting", func(o *session) { o.get("Q", Options{Wait: Forever}) })
		s.delay(time.Second)
		waiting.task.Kill()
		s.delay(time.Second)
		q, _ := s.in.Queue("APP", "Q")
		require.True(t, waiting.done)
		require.Zero(t, q.waiters.Len())
	})
}

func TestSavepointRollbackCountsAnAttempt(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: 5})
		s.send("Q", "a")
		s.commit()
		s.must(s.stmt(func(*store.Txn) error { return nil }))
		mark := s.tx.Mark()
		s.get("Q", Options{})
		s.tx.RollbackTo(mark)
		s.commit()
		require.Equal(t, int64(1), s.states("Q_T")["a"].Attempts)
		s.must(s.stmt(func(*store.Txn) error { return nil }))
		mark = s.tx.Mark()
		s.get("Q", Options{})
		s.tx.RollbackTo(mark)
		s.tx.NewStatement()
		s.get("Q", Options{})
		s.commit()
		require.Empty(t, s.states("Q_T"))
	})
}

func TestStopQueue(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{})
		idle := s.session("idle", func(o *session) {
			_, err := o.try("Q", Options{Wait: Forever})
			o.requireError(err, 25226)
		})
		busy := s.session("busy", func(o *session) {
			o.must(o.stmt(func(tx *store.Txn) error {
				q, err := o.in.Queue("APP", "Q")
				o.must(err)
				_, err = o.in.Enqueue(tx, q, false, Properties{}, nil)
				return err
			}))
			o.delay(time.Minute)
			o.rollback()
		})
		s.delay(time.Second)
		s.requireError(s.in.Stop(s, "APP", "Q", true, true, false), 24018)
		s.must(s.in.Stop(s, "APP", "Q", true, true, true))
		require.Equal(t, time.Minute, s.since())
		s.delay(time.Second)
		require.True(t, idle.done && busy.done)
	})
}

func TestAWaitCanBeInterrupted(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{})
		o := s.session("other", func(o *session) {
			_, err := o.try("Q", Options{Wait: Forever})
			require.ErrorIs(t, err, store.ErrInterrupted)
		})
		s.delay(time.Second)
		o.task.Interrupt()
		s.delay(time.Second)
		require.True(t, o.done)
	})
	require.Nil(t, slices.Collect(r.st.Locks()))
}

func TestRefused(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.requireError(s.in.CreateTable(s, TableSpec{Owner: "APP", Name: "T", PayloadType: "RAW", SortList: "PRIORITY"}), sqlerr.NotSupportedNumber)
		s.queue("Q", Settings{})
		_, err := s.try("Q", Options{Mode: Locked})
		s.requireError(err, sqlerr.NotSupportedNumber)
		_, err = s.try("Q", Options{Correlation: "x%"})
		s.requireError(err, sqlerr.NotSupportedNumber)
		s.requireError(s.in.DropQueue(s, "APP", "AQ$_Q_T_E"), sqlerr.NotSupportedNumber)
	})
}

func TestWhoIsServedIsTheSeedsChoice(t *testing.T) {
	served := map[string]bool{}
	for seed := range uint64(20) {
		r := newRig(t, kernel.Options{Seed: seed})
		r.run(func(s *session) {
			s.queue("Q", Settings{})
			for _, name := range []string{"one", "two", "three"} {
				s.session(name, func(o *session) {
					o.get("Q", Options{Wait: Forever})
					served[name] = true
					o.delay(time.Hour)
				})
			}
			s.delay(time.Second)
			s.send("Q", "a")
			s.commit()
			s.delay(time.Second)
		})
	}
	require.Len(t, served, 3)
}

// TestConsumersUnderKills has consumers serve messages while sessions are killed, transactions
// rolled back and the queue stopped and started. Every committed message is served exactly once.
func TestConsumersUnderKills(t *testing.T) {
	for seed := range uint64(60) {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: kernel.Granularity(seed % 3)})
		sent, served := map[string]bool{}, map[string]int{}
		wait := []time.Duration{3 * time.Second, Forever}[seed/3%2] // forever: no wake-up may be lost
		var live []*session
		chance := func(n int) bool { return r.k.Choose("test", n) == 0 }
		r.run(func(s *session) {
			s.queue("Q", Settings{MaxRetries: 1<<31 - 1})
			consumer := func(lane string) func(o *session) {
				return func(o *session) {
					for {
						text, err := o.try("Q", Options{Wait: wait, First: chance(2), Correlation: lane})
						if err != nil {
							o.rollback()
							o.delay(time.Second)
							continue
						}
						if chance(5) {
							o.rollback()
							continue
						}
						if chance(3) {
							o.delay(time.Second)
						}
						o.tx.OnCommit(func() { served[text]++ })
						o.commit()
					}
				}
			}
			lanes := []string{"", "lane1", ""}
			for i := range 6 {
				live = append(live, s.session("consumer", consumer(lanes[i%3])))
			}
			for c := range 4 {
				s.session("producer", func(o *session) {
					for i := range 8 {
						id := string(rune('A'+c)) + string(rune('0'+i))
						err := o.stmt(func(tx *store.Txn) error {
							q, err := o.in.Queue("APP", "Q")
							if err == nil {
								p := Properties{Correlation: []string{"", "lane1", "lane2"}[i%3]}
								_, err = o.in.Enqueue(tx, q, chance(4), p, []byte(id))
							}
							return err
						})
						if err != nil {
							o.rollback()
							continue
						}
						sent[id] = true
						o.delay(time.Duration(r.k.Choose("test", 500)) * time.Millisecond)
						o.commit()
					}
				})
			}
			for range 10 {
				s.delay(time.Second)
				i := r.k.Choose("test", len(live))
				live[i].task.Kill()
				live[i] = s.session("consumer", consumer(lanes[i%3]))
				if chance(4) {
					s.must(s.in.Stop(s, "APP", "Q", true, true, true))
					s.delay(time.Second)
					s.must(s.in.Start(s, "APP", "Q", true, true))
				}
			}
			s.delay(5 * time.Minute)
			for id := range sent {
				require.Equal(t, 1, served[id], "seed %d: %s", seed, id)
			}
			require.NotEmpty(t, sent)
			require.Len(t, served, len(sent), "seed %d", seed)
			require.Empty(t, s.states("Q_T"))
			for _, o := range live {
				o.task.Kill()
			}
			s.delay(time.Second)
			require.Empty(t, r.in.works, "seed %d", seed)
		})
		require.Nil(t, slices.Collect(r.st.Locks()), "seed %d", seed)
		r.k.Close()
	}
}
