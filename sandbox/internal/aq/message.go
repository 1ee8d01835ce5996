package aq

import (
	"encoding/binary"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// MsgID identifies a message: RAW(16).
type MsgID [16]byte

// State is the state of a message; the numbers are those of DBMS_AQ and of the queue table.
type State uint8

// The states.
const (
	Ready   State = 0
	Expired State = 3 // moved to an exception queue
)

// String returns the state as the view AQ$<queue table> shows it.
func (s State) String() string {
	return [...]string{Ready: "READY", Expired: "EXPIRED"}[s]
}

// Properties are the properties in MESSAGE_PROPERTIES_T of a message to enqueue.
type Properties struct {
	Priority    int64  // DBMS_AQ's default is 1
	Correlation string // empty: none
	User        string // the user who enqueues
}

// Message is a message. It is immutable; a new state is a new Message.
type Message struct {
	Properties
	ID       MsgID
	Queue    *Queue // where it is now
	State    State
	Payload  []byte
	Enqueued time.Time
	Attempts int64  // RETRY_COUNT
	Original *Queue // set for a message in an exception queue; otherwise nil
	Reason   string // why it is there

	step int64 // order of enqueuing
}

// row returns the message as a row of its queue table.
func (m *Message) row() value.Row { return value.Row{value.NewRef(m)} }

func messageOf(r value.Row) *Message { return r[0].Any().(*Message) }

// key orders the messages of a queue table: by queue, then as enqueued.
func (m *Message) key() []byte { return appendInt(prefix(m.Queue), m.step) }

func prefix(q *Queue) []byte { return appendInt(nil, q.id) }

func appendInt(b []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(n)^1<<63)
}

// find locks a message in whichever queue of the queue table it is; nil: there is none. It does not wait.
func (t *QueueTable) find(tx *store.Txn, id MsgID) (store.RowID, *Message, error) {
	if len(t.queues) == 0 { // the table was dropped
		return 0, nil, nil
	}
	row, r, err := tx.First(t.rows, store.Access{Index: t.byID, Lo: id[:], Hi: id[:], Lock: store.X, Keep: true, NoWait: true, Seek: true})
	if r == nil {
		return 0, nil, err
	}
	return row, messageOf(r), nil
}
