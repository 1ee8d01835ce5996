// Package broker is SQL Server's Service Broker as a state machine over package store: message
// types, contracts, queues and services; conversation endpoints, groups and messages; timers;
// the queue monitors that start activated procedures. It knows nothing about statements, names'
// collation, permissions or sessions: a dialect binds BEGIN DIALOG, SEND, RECEIVE … to it.
//
// Endpoints, messages and the transmission queue are rows of store tables, so that locks, undo,
// savepoints and visibility are those of any other row. Three more rules make it Service Broker:
//
//   - Every operation on a conversation takes the lock of its conversation group, on its own side
//     only, until the transaction ends. Adding an incoming message to a queue does not
//     (learn.microsoft.com, "Conversation group locks").
//   - A message to a service of the same database goes directly into the target's queue, within the
//     sender's transaction, if nothing is in its way at that moment; otherwise it goes to the
//     transmission queue, in order, and is delivered after the commit, when the way is free
//     (learn.microsoft.com, "SEND (Transact-SQL)", Remarks).
//   - RECEIVE holds the queue shared until its transaction ends, ALTER and DROP QUEUE hold it
//     exclusively; a RECEIVE that waits for messages holds nothing.
//
// Not modeled, and refused: dialog security (ENCRYPTION = ON), services in other databases, routes,
// remote service bindings, conversation priorities other than the default 5.
package broker

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Handle identifies a conversation endpoint, a conversation, a conversation group or a broker:
// the 16 bytes of a uniqueidentifier as they travel on the wire.
type Handle [16]byte

// String formats a handle as SQL Server shows a uniqueidentifier.
func (h Handle) String() string { return formatGUID(h) }

// Activator starts activated procedures. It is the engine's side of internal activation.
type Activator interface {
	// Activate starts a session that runs q's activation procedure as q's activation user
	// and returns its session id. It is called with the baton, outside any task, and must not
	// block. done must be called once, with the baton, when that session has ended, however it
	// ended; it may be called before Activate returns.
	Activate(q *Queue, done func()) (session int)
}

// Options configure the brokers of an instance.
type Options struct {
	Activator Activator // nil: nothing is ever activated
	// ActivationDelayLow and ActivationDelayHigh bound the delay between the decision to start a
	// reader and its start; the seed decides. Both zero: 1 to 20 ms.
	ActivationDelayLow, ActivationDelayHigh time.Duration
	// QueueDisabled, if not nil, is called for every queue that poison message handling has
	// disabled (the BROKER_QUEUE_DISABLED event); the change is already in force.
	QueueDisabled func(d *Database, q *Queue)
}

// Instance holds the brokers of all databases of an engine.
type Instance struct {
	k         *kernel.Kernel
	st        *store.Store
	opts      Options
	databases []*Database // by id
	dropped   []*Monitor  // monitors whose broker was shut down while their procedures ran
	works     store.Works[work]

	lastReader time.Time // when the last one starts, where they start one by one
}

// New returns an instance without databases.
func New(k *kernel.Kernel, st *store.Store, o Options) *Instance {
	if o.ActivationDelayLow == 0 && o.ActivationDelayHigh == 0 {
		o.ActivationDelayLow, o.ActivationDelayHigh = time.Millisecond, 20*time.Millisecond
	}
	return &Instance{k: k, st: st, opts: o, works: store.Works[work]{}}
}

// AddDatabase creates the broker of a database. CREATE DATABASE creates an enabled one with a new
// identifier; in master and model it is off.
func (in *Instance) AddDatabase(id int32, enabled bool) *Database {
	d := newDatabase(in, id, enabled)
	at, _ := slices.BinarySearchFunc(in.databases, id, func(d *Database, id int32) int { return int(d.ID - id) })
	in.databases = slices.Insert(in.databases, at, d)
	return d
}

// RemoveDatabase removes a dropped database, with its monitors, timers and waiting messages.
func (in *Instance) RemoveDatabase(d *Database) {
	d.Disable()
	d.stopTimers()
	d.held = nil
	in.dropped = slices.DeleteFunc(slices.Clone(in.dropped), func(m *Monitor) bool { return m.q.Database == d })
	in.databases = slices.DeleteFunc(in.databases, func(o *Database) bool { return o == d })
}
