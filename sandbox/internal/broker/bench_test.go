package broker

import (
	"testing"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// BenchmarkRoundTrip is a self-dialog from BEGIN DIALOG to the initiator's END: seven statements.
func BenchmarkRoundTrip(b *testing.B) {
	k := kernel.New(kernel.Options{})
	in := New(k, store.New(k, store.Options{}), Options{})
	d := in.AddDatabase(5, true)
	b.ReportAllocs()
	k.Go("bench", func(t *kernel.Task) {
		sess := in.st.NewSession(t)
		auto := func(fn func(tx *store.Txn) error) {
			tx := sess.Begin()
			if err := fn(tx); err != nil {
				b.Error(err)
			}
			tx.Commit()
		}
		var q *Queue
		auto(func(tx *store.Txn) (err error) {
			if q, err = d.CreateQueue(tx, QueueSpec{ID: 1, Schema: "dbo", Name: "Q", QueueSettings: plain()}); err == nil {
				_, err = d.CreateService(tx, "S", 1, q, []int32{6})
			}
			return err
		})
		receive := func() (m Message) {
			auto(func(tx *store.Txn) error {
				ms, err := d.Receive(tx, q, ReceiveSpec{Top: 1})
				m = ms[0]
				return err
			})
			return m
		}
		for b.Loop() {
			var h Handle
			auto(func(tx *store.Txn) (err error) {
				h, err = d.BeginDialog(tx, BeginSpec{From: d.Service("S"), To: "S"})
				return err
			})
			auto(func(tx *store.Txn) error { return d.Send(tx, h, "", value.NewBytes([]byte("x"))) })
			m := receive()
			auto(func(tx *store.Txn) error { return d.EndConversation(tx, m.Conversation, EndSpec{}) })
			receive()
			auto(func(tx *store.Txn) error { return d.EndConversation(tx, h, EndSpec{}) })
		}
	}, nil)
	k.RunReady()
}
