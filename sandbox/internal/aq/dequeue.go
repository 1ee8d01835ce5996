package aq

import (
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Mode is a dequeue mode; the numbers are those of DBMS_AQ.
type Mode uint8

// The modes. Remove is the default of DEQUEUE_OPTIONS_T.
const (
	Browse       Mode = 1
	Locked       Mode = 2 // refused
	Remove       Mode = 3
	RemoveNoData Mode = 4 // refused
)

// Forever is the wait of DEQUEUE_OPTIONS_T that never ends.
const Forever time.Duration = -1

// Options are those of DEQUEUE_OPTIONS_T.
type Options struct {
	Mode        Mode
	First       bool          // navigation FIRST_MESSAGE; NEXT_MESSAGE is the default
	Immediate   bool          // visibility; a Browse has none
	Wait        time.Duration // Forever is the default; 0: NO_WAIT
	Correlation string        // empty: any
}

// Consumer holds what a session remembers from one dequeue to the next. The zero value is ready.
type Consumer struct {
	// Idles says that the consumer always stays waiting and that nobody waits for its timeouts: they are housekeeping,
	// and virtual time does not jump to them.
	Idles bool

	at map[*Queue]position
}

// position is where NEXT_MESSAGE continues, as long as the same is asked for.
type position struct {
	mode        Mode
	correlation string
	after       []byte // key of the last message
}

// Dequeue takes, or only reads, the next message of a queue that others have not locked, waiting
// for one if there is none. FIRST_MESSAGE starts from the beginning; NEXT_MESSAGE continues after the last
// message found, so that messages with a higher priority that have arrived since then have to wait
// until nothing is left after it.
// Errors: 25205, 25226, 25228, 25263; those of locks; store.ErrInterrupted.
func (in *Instance) Dequeue(tx *store.Txn, c *Consumer, q *Queue, o Options) (m *Message, err error) {
	switch {
	case o.Mode != Browse && o.Mode != Remove:
		return nil, sqlerr.NotSupported("dequeue mode %d", o.Mode)
	case strings.ContainsAny(o.Correlation, "%_"):
		return nil, sqlerr.NotSupported("a pattern as correlation")
	}
	err = visibly(tx, o.Immediate && o.Mode == Remove, func(tx *store.Txn) error {
		m, err = in.dequeue(tx, c, q, o)
		return err
	})
	return m, err
}

func (in *Instance) dequeue(tx *store.Txn, c *Consumer, q *Queue, o Options) (*Message, error) {
	s := tx.Session()
	deadline := in.k.Now().Add(max(0, o.Wait))
	at := c.position(q, o)
	for {
		held, err := q.share(tx)
		if err != nil {
			return nil, err
		}
		seen := q.waiters.Events
		m, err := in.try(tx, q, at, o)
		if err != nil || m == nil || o.Mode == Browse {
			q.unshare(tx, held)
		}
		if err != nil {
			return nil, err
		}
		if m != nil {
			at.after = m.key()
			c.remember(q, at)
			return m, nil
		}
		left := deadline.Sub(in.k.Now())
		if o.Wait < 0 {
			left = Forever
		} else if left <= 0 {
			c.forget(q)
			return nil, message.ORA(25228, q)
		}
		if seen != q.waiters.Events { // something arrived during the search
			continue
		}
		kind := kernel.Demand
		if c.Idles {
			kind = kernel.HouseKeeping
		}
		if err := q.block(s, left, kind); err != nil {
			return nil, err
		}
	}
}

// position returns where the dequeue starts searching.
func (c *Consumer) position(q *Queue, o Options) position {
	p, ok := c.at[q]
	if !ok || o.First || p.mode != o.Mode || p.correlation != o.Correlation {
		return position{mode: o.Mode, correlation: o.Correlation}
	}
	return p
}

func (c *Consumer) remember(q *Queue, p position) {
	if c.at == nil {
		c.at = map[*Queue]position{}
	}
	c.at[q] = p
}

func (c *Consumer) forget(q *Queue) { delete(c.at, q) }

// try takes a message that is available now; nil: there is none.
func (in *Instance) try(tx *store.Txn, q *Queue, at position, o Options) (*Message, error) {
	switch {
	case q.dropped:
		return nil, message.ORA(25205, q.table.spec.Owner, q.name)
	case !q.dequeue:
		return nil, message.ORA(25226, q)
	}
	m, err := in.next(tx, q, at.after, o)
	if m == nil && err == nil && at.after != nil && o.Mode == Remove {
		m, err = in.next(tx, q, nil, o) // nothing after it: look for what has arrived before it since then
	}
	return m, err
}

// next locks the first matching message after a key.
func (in *Instance) next(tx *store.Txn, q *Queue, after []byte, o Options) (*Message, error) {
	a := store.Access{Lo: prefix(q), Hi: prefix(q), Seek: true}
	if after != nil {
		a.Lo, a.LoOpen = after, true
	}
	if o.Mode == Browse {
		sn := tx.Snapshot()
		defer tx.Release(sn)
		a.Mode, a.Snapshot = store.Versioned, sn
	} else {
		a.Lock, a.SkipLocked = store.X, true
	}
	c := tx.Open(q.table.rows, a)
	defer c.Close()
	for {
		id, r, ok, err := c.Next()
		if err != nil || !ok {
			return nil, err
		}
		m := messageOf(r)
		switch {
		case o.Correlation != "" && m.Correlation != o.Correlation:
		case o.Mode == Remove:
			c.KeepRow()
			return m, in.take(tx, id, m)
		default:
			return m, nil
		}
	}
}

// take removes a message from its queue.
func (in *Instance) take(tx *store.Txn, id store.RowID, m *Message) error {
	q := m.Queue
	w := in.work(tx, q)
	if err := tx.Delete(q.table.rows, id); err != nil {
		return err
	}
	if !q.isException {
		tx.Undo(func() { w.failed = append(w.failed, attempt{q, m.ID}) })
	}
	return nil
}
