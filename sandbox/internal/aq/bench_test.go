package aq

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// BenchmarkRoundTrip enqueues and dequeues a message in two transactions, with n other messages in the queue.
func BenchmarkRoundTrip(b *testing.B) {
	for _, backlog := range []int{0, 10_000} {
		b.Run(fmt.Sprint(backlog), func(b *testing.B) {
			k := kernel.New(kernel.Options{})
			st := store.New(k, store.Options{})
			in := New(k, st)
			s := &session{rig: &rig{k: k, st: st, in: in}, sess: st.NewSession(nil)}
			require.NoError(b, in.CreateTable(s, TableSpec{Owner: "APP", Name: "T", PayloadType: "RAW"}))
			require.NoError(b, in.CreateQueue(s, QueueSpec{Owner: "APP", Name: "Q", Table: "T"}))
			require.NoError(b, in.Start(s, "APP", "Q", true, true))
			q, err := in.Queue("APP", "Q")
			require.NoError(b, err)
			enqueue := func() {
				tx := s.sess.Begin()
				_, err := in.Enqueue(tx, q, false, Properties{}, []byte("x"))
				require.NoError(b, err)
				tx.Commit()
			}
			for range backlog {
				enqueue()
			}
			for b.Loop() {
				enqueue()
				tx := s.sess.Begin()
				_, err := in.Dequeue(tx, &s.c, q, Options{Mode: Remove, First: true})
				require.NoError(b, err)
				tx.Commit()
			}
		})
	}
}
