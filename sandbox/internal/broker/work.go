package broker

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// work records what a transaction did that others must know when it ends.
type work struct {
	touched  []*Queue // some of whose groups it locked
	arrived  []*Queue // into which it put messages
	received []*Queue // from which it received messages
	senders  []sender // endpoints that have messages in the transmission queue
}

type sender struct {
	d *Database
	h Handle
}

// work returns the record of a transaction.
func (in *Instance) work(tx *store.Txn) *work { return in.works.Of(tx, in.ended) }

func (w *work) touch(q *Queue)   { w.touched = add(w.touched, q) }
func (w *work) arrive(q *Queue)  { w.arrived = add(w.arrived, q) }
func (w *work) receive(q *Queue) { w.received = add(w.received, q) }

func (w *work) send(d *Database, h Handle) { w.senders = add(w.senders, sender{d, h}) }

func add[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// poisonous is how many rollbacks of receiving transactions in a row disable a queue.
const poisonous = 5

// ended does everything that a transaction's end makes possible. Its locks have been released by now.
func (in *Instance) ended(w *work, committed bool) {
	for _, q := range w.received {
		if committed {
			q.rollbacks = 0
			continue
		}
		q.rollbacks++
		if q.rollbacks >= poisonous && q.settings.PoisonHandled && q.settings.Enabled && !q.dropped {
			q.disable()
		}
	}
	for _, q := range w.touched {
		q.wake()
		q.monitor.arrived()
	}
	for _, q := range w.arrived {
		if committed && !slices.Contains(w.touched, q) {
			q.wake()
			q.monitor.arrived()
		}
	}
	if committed {
		for _, s := range w.senders {
			s.d.deliver(s.h)
		}
	}
}

// disable turns a queue off outside any transaction: poison message handling.
func (q *Queue) disable() {
	q.settings.Enabled = false
	q.rollbacks = 0
	q.Database.in.k.Tracef("queue %d disabled", q.ID)
	q.settingsChanged()
	if hook := q.Database.in.opts.QueueDisabled; hook != nil {
		hook(q.Database, q)
	}
}
