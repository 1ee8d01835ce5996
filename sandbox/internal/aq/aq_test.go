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
		s.requireError(s.in.CreateQueue(s, QueueSpec{Owner: "APP", Name: "E", Table: "Q_T", Exception: true, Settings: Settings{MaxRetries: 1}}), 24074)
		s.requireError(s.in.Start(s, "APP", "NONE", true, true), 24010)
		s.requireError(s.in.Start(s, "APP", "AQ$_Q_T_E", true, true), 24017)
		s.requireError(s.in.DropQueue(s, "APP", "Q"), 24011)
		s.requireError(s.in.DropTable(s, "APP", "Q_T", false), 24012)
		s.requireError(s.in.DropTable(s, "APP", "NONE", true), 24002)
		s.must(s.in.AlterQueue(s, "APP", "Q", func(o *Settings) { o.MaxRetries = 9 }))
		info := slices.Collect(s.in.Queues("APP"))
		require.Len(t, info, 2)
		require.True(t, info[0].Exception)
		require.False(t, info[0].DequeueEnabled)
		require.Equal(t, int64(9), info[1].MaxRetries)
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
		s.requireError(s.stmt(func(tx *store.Txn) error {
			_, err := s.in.Enqueue(tx, q, false, Properties{Delay: -time.Second}, nil)
			return err
		}), 25203)
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
			_, err := s.in.Enqueue(tx, q, true, Properties{Expiration: -1}, []byte("at once"))
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
	for _, c := range []struct {
		sort string
		want []string
	}{
		{"", []string{"low", "high", "mid", "low2"}},
		{"PRIORITY,ENQ_TIME", []string{"high", "mid", "low", "low2"}},
	} {
		r := newRig(t, kernel.Options{})
		r.run(func(s *session) {
			s.queue("Q", Settings{}, c.sort)
			s.send("Q", "low", Properties{Priority: 5})
			s.send("Q", "high", Properties{Priority: -1})
			s.send("Q", "mid", Properties{Priority: 2})
			s.send("Q", "low2", Properties{Priority: 5})
			s.commit()
			var browsed []string
			for range c.want {
				browsed = append(browsed, s.get("Q", Options{Mode: Browse}))
			}
			s.none("Q", Options{Mode: Browse})
			require.Equal(t, c.want, browsed)
			var got []string
			for range c.want {
				got = append(got, s.get("Q", Options{First: true}))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestNextMessageLooksBehindTheLastOne(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{}, "PRIORITY,ENQ_TIME")
		for _, n := range []string{"b", "c", "d"} {
			s.send("Q", n, Properties{Priority: int64(n[0])})
		}
		s.commit()
		require.Equal(t, "b", s.get("Q", Options{}))
		s.send("Q", "a", Properties{Priority: 'a'})
		s.commit()
		require.Equal(t, "c", s.get("Q", Options{}))
		require.Equal(t, "a", s.get("Q", Options{First: true}))
		require.Equal(t, "d", s.get("Q", Options{}))
		s.send("Q", "a2", Properties{Priority: 'a'})
		require.Equal(t, "a2", s.get("Q", Options{}), "nothing is behind: from the start")
	})
}

func TestCorrelationAndMessageID(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: 5})
		s.send("Q", "none")
		s.send("Q", "1", Properties{Correlation: "lane-1"})
		two := s.send("Q", "2", Properties{Correlation: "lane-2", Delay: time.Hour})
		s.send("Q", "12", Properties{Correlation: "lane-12"})
		s.commit()
		s.none("Q", Options{Correlation: "lane-3"})
		require.Equal(t, "12", s.get("Q", Options{Correlation: "lane-12"}))
		require.Equal(t, "1", s.get("Q", Options{Correlation: "lane-_"}))
		s.rollback()
		require.Contains(t, []string{"1", "12"}, s.get("Q", Options{Correlation: "%-1%"}))
		require.Equal(t, "2", s.get("Q", Options{MsgID: &two}), "its id overrides the delay")
		_, err := s.try("Q", Options{MsgID: &two})
		s.requireError(err, 25263)
		s.session("other", func(o *session) { o.none("Q", Options{MsgID: &two}) })
		s.delay(time.Second)
	})
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		text, pattern string
		want          bool
	}{
		{"abc", "abc", true}, {"abc", "ab", false}, {"abc", "a%", true}, {"abc", "%c", true}, {"abc", "%b", false},
		{"abc", "a_c", true}, {"abc", "____", false}, {"abc", "%%%", true}, {"", "%", true}, {"", "_", false},
		{"aXbXc", "a%X_", true}, {"äb", "_b", true}, {"abab", "%ab", true},
	} {
		require.Equal(t, c.want, like(c.text, c.pattern), "%s like %s", c.text, c.pattern)
	}
}

func TestRollbackCountsAttempts(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{MaxRetries: 1, RetryDelay: 10 * time.Second})
		s.send("Q", "a")
		s.commit()
		s.get("Q", Options{})
		s.rollback()
		m := s.states("Q_T")["a"]
		require.Equal(t, int64(1), m.Attempts)
		require.Equal(t, "WAIT", m.State.String())
		s.none("Q", Options{})
		begin := s.since()
		s.get("Q", Options{Wait: Forever})
		require.GreaterOrEqual(t, s.since()-begin, 10*time.Second-time.Millisecond)
		s.rollback()
		m = s.states("Q_T")["a"]
		require.Equal(t, "EXPIRED", m.State.String())
		require.Equal(t, "APP.AQ$_Q_T_E", m.Queue.String())
		require.Equal(t, "APP.Q", m.Original.String())
		require.Equal(t, ReasonRetries, m.Reason)
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

func TestDates(t *testing.T) {
	r := newRig(t, kernel.Options{})
	r.run(func(s *session) {
		s.queue("Q", Settings{Retention: time.Minute})
		s.must(s.in.CreateQueue(s, QueueSpec{Owner: "APP", Name: "X", Table: "Q_T", Exception: true}))
		s.send("Q", "late", Properties{Delay: 30 * time.Second, Expiration: time.Minute, ExceptionOwner: "APP", ExceptionQueue: "X"})
		s.commit()
		s.none("Q", Options{Wait: 29 * time.Second})
		begin := s.since()
		require.Equal(t, "late", s.get("Q", Options{Wait: Forever, Mode: Browse}))
		require.LessOrEqual(t, s.since()-begin, time.Second+timeManagerLag)
		s.delay(2 * time.Minute)
		m := s.states("Q_T")["late"]
		require.Equal(t, Expired, m.State)
		require.Equal(t, "APP.X", m.Queue.String())
		require.Equal(t, ReasonExpired, m.Reason)

		s.send("Q", "kept")
		s.commit()
		require.Equal(t, "kept", s.get("Q", Options{User: "APP"}))
		s.commit()
		s.none("Q", Options{First: true})
		require.Equal(t, Processed, s.states("Q_T")["kept"].State)
		require.Equal(t, "APP", s.states("Q_T")["kept"].DequeuedBy)
		s.delay(2 * time.Minute)
		require.NotContains(t, s.states("Q_T"), "kept")

		s.requireError(s.stmt(func(tx *store.Txn) error {
			q, _ := s.in.Queue("APP", "Q")
			_, err := s.in.Enqueue(tx, q, false, Properties{ExceptionOwner: "APP", ExceptionQueue: "NONE"}, nil)
			return err
		}), sqlerr.NotSupportedNumber)
		s.send("Q", "gone", Properties{Delay: time.Hour})
		s.must(s.in.DropTable(s, "APP", "Q_T", true))
		s.delay(2 * time.Hour)
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
				_, err = o.in.Enqueue(tx, q, false, Properties{Expiration: -1}, nil)
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
		s.requireError(s.in.CreateTable(s, TableSpec{Owner: "APP", Name: "T", PayloadType: "RAW", SortList: "COMMIT_TIME"}), sqlerr.NotSupportedNumber)
		s.queue("Q", Settings{})
		_, err := s.try("Q", Options{Mode: Locked})
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
		wait := []time.Duration{3 * time.Second, Forever}[seed/3%2] // for ever: no wake-up may be lost
		var live []*session
		chance := func(n int) bool { return r.k.Choose("test", n) == 0 }
		r.run(func(s *session) {
			s.queue("Q", Settings{MaxRetries: 1<<31 - 1, RetryDelay: time.Duration(seed%2) * time.Second})
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
			lanes := []string{"", "lane1", "lane%"}
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
								p := Properties{Expiration: -1, Correlation: []string{"", "lane1", "lane2"}[i%3], Delay: time.Duration(i%2) * time.Second}
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

func TestThePatternsOrderIsTheSeedsChoice(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(40) {
		r := newRig(t, kernel.Options{Seed: seed, Granularity: kernel.Granularity(seed % 3)})
		r.run(func(s *session) {
			s.queue("Q", Settings{})
			for _, n := range []string{"a", "b", "c", "d", "e"} {
				s.send("Q", n, Properties{Correlation: "x" + n})
			}
			s.commit()
			var all []string
			seen[s.get("Q", Options{Correlation: "x%"})] = true
			for range 4 {
				all = append(all, s.get("Q", Options{Correlation: "x_"}))
			}
			slices.Sort(all)
			require.Len(t, slices.Compact(all), 4)
			s.none("Q", Options{Correlation: "x%"})
		})
	}
	require.Len(t, seen, candidates)
}
