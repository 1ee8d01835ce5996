package aq

import (
	"encoding/binary"
	"strings"
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
	Ready     State = 0
	Waiting   State = 1 // its delay, or the delay after a failed attempt, is not over
	Processed State = 2 // dequeued, and kept for the queue's retention time
	Expired   State = 3 // moved to an exception queue
)

// String returns the state as the view AQ$<queue table> shows it.
func (s State) String() string {
	return [...]string{"READY", "WAIT", "PROCESSED", "EXPIRED"}[s]
}

// Why a message is in an exception queue: AQ$<queue table>.EXPIRATION_REASON.
const (
	ReasonRetries = "MAX_RETRY_EXCEEDED"
	ReasonExpired = "TIME_EXPIRATION"
)

// Properties are what MESSAGE_PROPERTIES_T says of a message to enqueue.
type Properties struct {
	Priority    int64         // lower goes first where the queue table sorts by it; DBMS_AQ's default is 1
	Delay       time.Duration // until the message can be dequeued
	Expiration  time.Duration // from when it is ready; negative: never
	Correlation string        // empty: none
	// ExceptionOwner and ExceptionQueue name where the message goes if it cannot be processed;
	// empty: the default exception queue of the queue table.
	ExceptionOwner, ExceptionQueue string
	User                           string // who enqueues
}

// Message is a message. It is immutable; a new state is a new Message.
type Message struct {
	Properties
	ID         MsgID
	Queue      *Queue // where it is now
	State      State
	Payload    []byte
	Enqueued   time.Time
	Dequeued   time.Time // zero: not processed
	DequeuedBy string
	Attempts   int64  // RETRY_COUNT
	Original   *Queue // of a message in an exception queue; else nil
	Reason     string // why it is there

	step int64     // order of enqueuing
	due  time.Time // when the time manager has to do something; zero: never
}

// ReadyAt returns when the message's delay ends; zero unless it waits.
func (m *Message) ReadyAt() time.Time {
	if m.State != Waiting {
		return time.Time{}
	}
	return m.due
}

// expires returns when a message that is ready from then on expires; zero: never.
func (m *Message) expires(from time.Time) time.Time {
	if m.Expiration < 0 {
		return time.Time{}
	}
	return from.Add(m.Expiration)
}

// fail moves a message to an exception queue.
func (m *Message) fail(to *Queue, reason string) {
	m.Original, m.Queue, m.State, m.Reason, m.due = m.Queue, to, Expired, reason, time.Time{}
}

// row returns the message as a row of its queue table.
func (m *Message) row() value.Row { return value.Row{value.NewRef(m)} }

func messageOf(r value.Row) *Message { return r[0].Any().(*Message) }

// key orders the messages of a queue table: by queue, then as the sort list says, then as enqueued.
func (m *Message) key() []byte {
	k := prefix(m.Queue)
	if m.Queue.table.spec.byPriority() {
		k = appendInt(k, m.Priority)
	}
	return appendInt(k, m.step)
}

func prefix(q *Queue) []byte { return appendInt(nil, q.id) }

func appendInt(b []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(n)^1<<63)
}

// find locks a message wherever it is in the queue table; nil: there is none. It does not wait.
func (t *QueueTable) find(tx *store.Txn, id MsgID) (store.RowID, *Message, error) {
	if len(t.queues) == 0 { // dropped
		return 0, nil, nil
	}
	row, r, err := tx.First(t.rows, store.Access{Index: t.byID, Lo: id[:], Hi: id[:], Lock: store.X, Keep: true, NoWait: true, Seek: true})
	if r == nil {
		return 0, nil, err
	}
	return row, messageOf(r), nil
}

// like matches text with a pattern of LIKE: % and _; there is no escape character.
func like(text, pattern string) bool {
	if !strings.ContainsAny(pattern, "%_") {
		return text == pattern
	}
	t, p := []rune(text), []rune(pattern)
	at, star, from := 0, -1, 0
	for i := 0; ; {
		switch {
		case at < len(p) && p[at] == '%':
			star, from = at, i
			at++
		case i < len(t) && at < len(p) && (p[at] == '_' || p[at] == t[i]):
			at++
			i++
		case i == len(t) && at == len(p):
			return true
		case star >= 0 && from < len(t):
			from++
			at, i = star+1, from
		default:
			return false
		}
	}
}
