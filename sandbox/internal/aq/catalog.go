package aq

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TableSpec describes a queue table to create.
type TableSpec struct {
	Owner, Name string
	PayloadType string // RAW; others are refused
	SortList    string // empty or ENQ_TIME
	Comment     string
}

// QueueTable holds the messages of its queues.
type QueueTable struct {
	in      *Instance
	spec    TableSpec
	created time.Time
	queues  []*Queue // the default exception queue first, then in order of creation
	rows    *store.Table
	byID    *store.Index
}

// Spec returns the specification that the queue table was created from.
func (t *QueueTable) Spec() TableSpec { return t.spec }

// Created returns when the queue table was created.
func (t *QueueTable) Created() time.Time { return t.created }

// Settings are what CREATE_QUEUE specifies for a queue.
type Settings struct {
	MaxRetries int64 // failed attempts allowed
	Comment    string
}

// DefaultMaxRetries is CREATE_QUEUE's default of max_retries (USER_QUEUES shows it).
const DefaultMaxRetries = 5

// QueueSpec describes a queue to create.
type QueueSpec struct {
	Owner, Name string
	Table       string // queue table of the same owner
	Settings
}

// Queue is a queue. Its identity stays the same from CREATE_QUEUE to DROP_QUEUE; its settings change.
type Queue struct {
	table       *QueueTable
	id          int64
	name        string
	isException bool
	settings    Settings
	enqueue     bool
	dequeue     bool
	dropped     bool
	waiters     store.Waiters
}

// String returns the queue's name with its owner, as messages show it.
func (q *Queue) String() string { return q.table.spec.Owner + "." + q.name }

func (q *Queue) resource() store.Resource {
	return store.Resource{Class: store.Queue, Object: q.id}
}

// QueueInfo is a row of ALL_QUEUES.
type QueueInfo struct {
	ID                             int64 // QID
	Owner, Name, Table             string
	Exception                      bool // EXCEPTION_QUEUE, not NORMAL_QUEUE
	EnqueueEnabled, DequeueEnabled bool
	Settings
}

// Info describes the queue.
func (q *Queue) Info() QueueInfo {
	return QueueInfo{
		ID: q.id, Owner: q.table.spec.Owner, Name: q.name, Table: q.table.spec.Name, Exception: q.isException,
		EnqueueEnabled: q.enqueue, DequeueEnabled: q.dequeue, Settings: q.settings,
	}
}

// Tables returns the queue tables by owner and name; only one owner's if owner is not empty.
func (in *Instance) Tables(owner string) iter.Seq[*QueueTable] {
	return func(yield func(*QueueTable) bool) {
		for _, t := range slices.Clone(in.tables) {
			if (owner == "" || t.spec.Owner == owner) && !yield(t) {
				return
			}
		}
	}
}

// Queues returns the queues by owner, queue table and creation; only one owner's if owner is not empty.
func (in *Instance) Queues(owner string) iter.Seq[QueueInfo] {
	return func(yield func(QueueInfo) bool) {
		for t := range in.Tables(owner) {
			for _, q := range slices.Clone(t.queues) {
				if !yield(q.Info()) {
					return
				}
			}
		}
	}
}

// Messages returns the messages of the queue table, as a statement of the transaction sees them:
// the view AQ$<queue table>. They are ordered by queue and then as they are dequeued.
func (t *QueueTable) Messages(tx *store.Txn) []*Message {
	sn := tx.Snapshot()
	defer tx.Release(sn)
	var out []*Message
	_ = tx.Each(t.rows, store.Access{Mode: store.Versioned, Snapshot: sn}, func(_ store.RowID, r value.Row) bool {
		out = append(out, messageOf(r))
		return true
	}) // an error is possible only while the queue table is being dropped
	return out
}

func (in *Instance) table(owner, name string) *QueueTable {
	for _, t := range in.tables {
		if t.spec.Owner == owner && t.spec.Name == name {
			return t
		}
	}
	return nil
}

func (in *Instance) queue(owner, name string) *Queue {
	for _, t := range in.tables {
		for _, q := range t.queues {
			if t.spec.Owner == owner && q.name == name {
				return q
			}
		}
	}
	return nil
}

// missing returns the error of a queue or queue table that does not exist.
func (in *Instance) missing(e *sqlerr.Error) error {
	if in.k.Differs(differ.UnknownQueue4043) {
		return message.ORA(4043, "")
	}
	return e
}

// Queue returns the queue that ENQUEUE or DEQUEUE names. Error: 25205.
func (in *Instance) Queue(owner, name string) (*Queue, error) {
	if q := in.queue(owner, name); q != nil {
		return q, nil
	}
	return nil, in.missing(message.ORA(25205, owner, name))
}

// CreateTable creates a queue table and its default exception queue, AQ$_<name>_E, which is not
// started. Errors: 24001; the caller's Commit.
func (in *Instance) CreateTable(c Caller, s TableSpec) error {
	if s.PayloadType != "RAW" {
		return sqlerr.NotSupported("queue payload type %s", s.PayloadType)
	}
	if s.SortList != "" && s.SortList != "ENQ_TIME" {
		return sqlerr.NotSupported("sort list %s of a queue table", s.SortList)
	}
	if err := c.Commit(); err != nil {
		return err
	}
	if in.table(s.Owner, s.Name) != nil {
		return message.ORA(24001, s.Owner, s.Name)
	}
	t := &QueueTable{in: in, spec: s, created: in.k.Now(), rows: in.st.NewTable(store.TableSpec{Name: s.Owner + "." + s.Name, NoEscalation: true})}
	in.st.Alone(func(tx *store.Txn) {
		t.index(tx, "AQ$_"+s.Name+"_I", true, func(r value.Row) []byte { return messageOf(r).key() })
		t.byID = t.index(tx, "AQ$_"+s.Name+"_P", false, func(r value.Row) []byte { return messageOf(r).ID[:] })
	})
	t.add("AQ$_"+s.Name+"_E", true, Settings{})
	in.tables = append(in.tables, t)
	slices.SortFunc(in.tables, func(a, b *QueueTable) int {
		return cmp.Or(cmp.Compare(a.spec.Owner, b.spec.Owner), cmp.Compare(a.spec.Name, b.spec.Name))
	})
	return nil
}

func (t *QueueTable) index(tx *store.Txn, name string, clustered bool, key func(value.Row) []byte) *store.Index {
	return t.rows.MustIndex(tx, store.IndexSpec{Name: name, Unique: true, Clustered: clustered, Key: key})
}

func (t *QueueTable) add(name string, exception bool, s Settings) {
	t.in.qid++
	t.queues = append(t.queues, &Queue{table: t, id: t.in.qid, name: name, isException: exception, settings: s})
}

// DropTable drops a queue table. Unless forced, it requires that its queues, except the default exception
// queue, were dropped before; if forced, it stops them first and so waits for their
// outstanding transactions. Errors: 24002, 24012; the caller's Commit; those of Stop.
func (in *Instance) DropTable(c Caller, owner, name string, force bool) error {
	if err := c.Commit(); err != nil {
		return err
	}
	t := in.table(owner, name)
	if t == nil {
		if in.k.Differs(differ.UnknownQueueSucceeds) {
			return nil
		}
		return in.missing(message.ORA(24002, owner, name))
	}
	if !force && len(t.queues) > 1 {
		return message.ORA(24012, owner, name)
	}
	for _, q := range slices.Clone(t.queues) {
		if err := in.stop(c, q, true, true, true); err != nil {
			return err
		}
		t.forget(q)
	}
	in.tables = slices.DeleteFunc(slices.Clone(in.tables), func(o *QueueTable) bool { return o == t })
	return nil
}

// CreateQueue creates a queue, which is not started. Errors: 24002, 24006; the caller's Commit.
func (in *Instance) CreateQueue(c Caller, s QueueSpec) error {
	if err := c.Commit(); err != nil {
		return err
	}
	t := in.table(s.Owner, s.Table)
	switch {
	case t == nil:
		return message.ORA(24002, s.Owner, s.Table)
	case in.queue(s.Owner, s.Name) != nil:
		return message.ORA(24006, s.Owner, s.Name)
	}
	t.add(s.Name, false, s.Settings)
	return nil
}

// DropQueue drops a stopped queue with its messages. Errors: 24010, 24011; the caller's Commit; those of locks.
func (in *Instance) DropQueue(c Caller, owner, name string) error {
	q, err := in.administer(c, owner, name)
	if err != nil {
		return err
	}
	if q == q.table.queues[0] {
		return sqlerr.NotSupported("dropping the default exception queue of a queue table")
	}
	if q.enqueue || q.dequeue {
		return message.ORA(24011, q)
	}
	tx := c.Session().Begin()
	defer tx.Rollback()
	if err := q.lock(tx, store.X, c.Session().Wait()); err != nil {
		return err
	}
	if err := tx.DeleteAll(q.table.rows, store.Access{Lo: prefix(q), Hi: prefix(q), Lock: store.X, Keep: true}); err != nil {
		return err
	}
	tx.OnCommit(func() { q.table.forget(q) })
	tx.Commit()
	return nil
}

// forget removes a dropped queue; sessions that wait for its messages get an error.
func (t *QueueTable) forget(q *Queue) {
	q.dropped = true
	t.queues = slices.DeleteFunc(slices.Clone(t.queues), func(o *Queue) bool { return o == q })
	q.wake()
}

// Start enables a queue for ENQUEUE, for DEQUEUE or for both; false leaves a setting as it is.
// Errors: 24010, 24017; the caller's Commit.
func (in *Instance) Start(c Caller, owner, name string, enqueue, dequeue bool) error {
	q, err := in.administer(c, owner, name)
	if err != nil {
		return err
	}
	if enqueue && q.isException {
		return message.ORA(24017, q.name)
	}
	q.enqueue, q.dequeue = q.enqueue || enqueue, q.dequeue || dequeue
	q.wake()
	return nil
}

// Stop disables a queue for ENQUEUE, for DEQUEUE or for both; false leaves a setting as it is. With
// wait it waits for the outstanding transactions, and later ones queue up behind it.
// Errors: 24010, 24018; the caller's Commit; those of locks.
func (in *Instance) Stop(c Caller, owner, name string, enqueue, dequeue, wait bool) error {
	q, err := in.administer(c, owner, name)
	if err != nil {
		return err
	}
	return in.stop(c, q, enqueue, dequeue, wait)
}

func (in *Instance) stop(c Caller, q *Queue, enqueue, dequeue, wait bool) error {
	w := store.LockWait{For: -1}
	if !wait {
		w = store.LockWait{}
	}
	tx := c.Session().Begin()
	defer tx.Rollback()
	if err := q.lock(tx, store.X, w); err != nil {
		if !wait && store.IsBusy(err) {
			return message.ORA(24018, q)
		}
		return err
	}
	q.enqueue, q.dequeue = q.enqueue && !enqueue, q.dequeue && !dequeue
	tx.Commit()
	q.wake()
	return nil
}

// administer commits the caller and returns the queue. Error: 24010.
func (in *Instance) administer(c Caller, owner, name string) (*Queue, error) {
	if err := c.Commit(); err != nil {
		return nil, err
	}
	if q := in.queue(owner, name); q != nil {
		return q, nil
	}
	return nil, in.missing(message.ORA(24010, owner, name))
}

// DropOwner drops everything that belongs to a user who is being dropped. Errors: those of DropTable.
func (in *Instance) DropOwner(c Caller, owner string) error {
	for t := range in.Tables(owner) {
		if err := in.DropTable(c, owner, t.spec.Name, true); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) lock(tx *store.Txn, m store.LockMode, w store.LockWait) error {
	return q.table.in.st.Lock(tx.Owner(), q.resource(), m, w)
}
