package broker

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// CreateQueue adds a queue. The caller checks that its name is free among the objects of its schema,
// and that the activation procedure and user exist. Errors 9613, 9614.
func (d *Database) CreateQueue(tx *store.Txn, s QueueSpec) (*Queue, error) {
	q := &Queue{ID: s.ID, Schema: s.Schema, Name: s.Name, Database: d, settings: s.QueueSettings}
	q.monitor = &Monitor{q: q, state: Inactive}
	if err := q.checkActivation(s.QueueSettings); err != nil {
		return nil, err
	}
	if err := q.lock(tx, store.X, tx.Session().Wait()); err != nil {
		return nil, err
	}
	q.createQueueTable(tx)
	at, _ := slices.BinarySearchFunc(d.queues, q.ID, func(o *Queue, id int32) int { return int(o.ID) - int(id) })
	set(tx, &d.queues, slices.Insert(slices.Clone(d.queues), at, q))
	tx.Undo(func() { q.dropped = true })
	tx.OnCommit(q.settingsChanged)
	return q, nil
}

func (q *Queue) checkActivation(s QueueSettings) error {
	switch a := s.Activation; {
	case !a.Enabled:
		return nil
	case a.Procedure == "":
		return message.MS(9614, q.Name)
	case a.ExecuteAs == 0:
		return message.MS(9613, q.Name)
	}
	return nil
}

// AlterQueue changes a queue's settings, once every transaction that has received from it, or
// sent to it, has ended; until then new readers wait behind. Errors 9613, 9614; lock errors.
func (d *Database) AlterQueue(tx *store.Txn, q *Queue, s QueueSettings) error {
	if err := q.checkActivation(s); err != nil {
		return err
	}
	if err := q.lock(tx, store.X, tx.Session().Wait()); err != nil {
		return err
	}
	if q.dropped {
		return errQueueDropped(q)
	}
	before := q.settings
	q.settings = s
	tx.Undo(func() { q.settings = before })
	tx.OnCommit(func() {
		q.settingsChanged()
		if s.Enabled && !before.Enabled {
			q.rollbacks = 0
			q.release()
			d.deliverWaiting()
		}
	})
	return nil
}

// release releases the timers that fired while the queue was off.
func (q *Queue) release() {
	held := q.held
	q.held = nil
	for _, fire := range held {
		fire()
	}
}

// DropQueue removes a queue that no service uses, with its messages. Error 3716; lock errors.
func (d *Database) DropQueue(tx *store.Txn, q *Queue) error {
	if err := q.lock(tx, store.X, tx.Session().Wait()); err != nil {
		return err
	}
	if slices.ContainsFunc(d.services, func(s *Service) bool { return s.Queue == q }) {
		return message.MS(3716, "queue", q.Name, "service")
	}
	set(tx, &d.queues, without(d.queues, q))
	q.dropped = true
	tx.Undo(func() { q.dropped = false })
	tx.OnCommit(q.settingsChanged)
	return nil
}

// Enable turns message delivery on (ALTER DATABASE … SET ENABLE_BROKER); the caller makes sure that
// nobody else uses the database. Waiting messages are delivered, due timers fire.
func (d *Database) Enable() {
	if d.enabled {
		return
	}
	d.enabled = true
	d.in.dropped = slices.DeleteFunc(slices.Clone(d.in.dropped), func(m *Monitor) bool {
		return m.q.Database == d && len(m.running) == 0
	})
	held := d.held
	d.held = nil
	for _, fire := range held {
		fire()
	}
	for _, q := range d.queues {
		q.settingsChanged()
	}
	d.deliverWaiting()
}

// Disable turns message delivery off (ALTER DATABASE … SET DISABLE_BROKER): messages stay in the
// transmission queue, timers do not fire, nothing is activated. RECEIVE still works.
func (d *Database) Disable() {
	if !d.enabled {
		return
	}
	d.enabled = false
	for _, q := range d.queues {
		q.shut()
	}
}

// Restart shuts the broker down and starts it again, as SET MULTI_USER or ONLINE does: running
// procedures stay, but do not count for the new monitors.
func (d *Database) Restart() {
	if d.enabled {
		d.Disable()
		d.Enable()
	}
}

// NewBroker gives the database a new broker identifier, enabled; all conversations are gone,
// with their messages and timers, without notice to anyone (ALTER DATABASE … SET NEW_BROKER). It must
// be called when nobody else uses the database; otherwise *store.LockTimeout, and nothing has changed.
func (d *Database) NewBroker() error {
	if err := d.forget(); err != nil {
		return err
	}
	d.Disable()
	d.guid = d.newHandle()
	d.Enable()
	return nil
}

// forget removes all endpoints and messages.
func (d *Database) forget() error {
	tx := d.in.st.NewSession(nil).Begin()
	defer tx.Rollback()
	tables := []*store.Table{d.endpoints, d.transmissions}
	for _, q := range d.queues {
		tables = append(tables, q.table)
		q.held = nil
	}
	for _, t := range tables {
		if err := t.Truncate(tx); err != nil {
			return err
		}
	}
	tx.Commit()
	d.held = nil
	d.stopTimers()
	return nil
}
