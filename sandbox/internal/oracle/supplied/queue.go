package supplied

import (
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// caller adapts the session to packages aq and jobs.
type caller struct{ s Session }

func (c caller) Session() *store.Session { return c.s.StoreSession() }
func (c caller) User() string            { return c.s.User() }
func (c caller) Manages() bool           { return has(c.s, "MANAGE SCHEDULER") }
func (c caller) Commit() error           { return c.s.Commit(&ast.Commit{}) }

// has reports whether the current rights include a system privilege.
func has(s Session, privilege string) bool {
	v := s.ViewContext()
	return v.Catalog.Has(v.Rights, privilege)
}

// objectName parses [schema.]name; the schema is the current one if none is given. False: the text has another form.
func (c *call) objectName(text string) (owner, name string, ok bool) {
	names, ok := qualifiedName(text)
	switch {
	case ok && len(names) == 1:
		return c.s.Schema(), names[0].Text, true
	case ok && len(names) == 2:
		return names[0].Text, names[1].Text, true
	}
	return "", "", false
}

var queuing = natives{"ENQUEUE": enqueue, "DEQUEUE": dequeue}

// queue finds the queue of a call of DBMS_AQ and checks that its user may use it: its own queues, or any.
// Errors: 1031, 24000, 25205.
func (c *call) queue(privilege string) (*aq.Queue, error) {
	owner, name, err := c.queueName("QUEUE_NAME")
	if err != nil {
		return nil, err
	}
	q, err := c.s.Queues().Queue(owner, name)
	if err == nil && c.s.ViewContext().User != owner && !has(c.s, privilege) {
		return nil, catalog.ErrPrivileges()
	}
	return q, err
}

// option reads a number from an options record; NULL becomes a value that no option has.
func option(r *plsql.Record, name string) int64 {
	if v := r.Get(name); !v.IsNull() {
		return v.Int64()
	}
	return -9
}

// plainOptions refuses fields of features that are not modeled.
func plainOptions(r *plsql.Record, names ...string) error {
	for _, n := range names {
		if !r.Get(n).IsNull() {
			return sqlerr.NotSupported("%s of a message or its options", n)
		}
	}
	if d := option(r, "DELIVERY_MODE"); d != 1 {
		return sqlerr.NotSupported("delivery mode %d", d)
	}
	return nil
}

// The visibilities of DBMS_AQ.
const (
	immediate = 1
	onCommit  = 2
)

func visibility(r *plsql.Record) (int64, error) {
	v := option(r, "VISIBILITY")
	if v != immediate && v != onCommit {
		return 0, sqlerr.NotSupported("visibility %s", r.Get("VISIBILITY"))
	}
	return v, nil
}

func enqueue(c *call) error {
	q, err := c.queue("ENQUEUE ANY QUEUE")
	if err != nil {
		return err
	}
	options, properties := c.Record("ENQUEUE_OPTIONS"), c.Record("MESSAGE_PROPERTIES")
	if err := plainOptions(options, "RELATIVE_MSGID", "SEQUENCE_DEVIATION", "TRANSFORMATION"); err != nil {
		return err
	}
	if err := plainOptions(properties, "TRANSACTION_GROUP", "EXCEPTION_QUEUE"); err != nil {
		return err
	}
	if option(properties, "DELAY") != 0 || option(properties, "EXPIRATION") != -1 {
		return sqlerr.NotSupported("delay and expiration of a message")
	}
	when, err := visibility(options)
	if err != nil {
		return err
	}
	p := aq.Properties{
		Priority: option(properties, "PRIORITY"), Correlation: properties.Get("CORRELATION").Str(), User: c.s.ViewContext().User,
	}
	return c.s.Run(func() error {
		id, err := c.s.Queues().Enqueue(c.s.Txn(), q, when == immediate, p, []byte(c.text("PAYLOAD")))
		c.Set("MSGID", datatype.NewRaw(id[:]))
		return failure(err)
	})
}

// The navigations of DBMS_AQ.
const (
	firstMessage = 1
	nextMessage  = 3
)

func dequeue(c *call) error {
	q, err := c.queue("DEQUEUE ANY QUEUE")
	if err != nil {
		return err
	}
	r := c.Record("DEQUEUE_OPTIONS")
	if err := plainOptions(r, "CONSUMER_NAME", "DEQ_CONDITION", "TRANSFORMATION", "MSGID"); err != nil {
		return err
	}
	when, err := visibility(r)
	if err != nil {
		return err
	}
	mode, navigation, wait := option(r, "DEQUEUE_MODE"), option(r, "NAVIGATION"), option(r, "WAIT")
	switch {
	case mode != int64(aq.Browse) && mode != int64(aq.Remove):
		return sqlerr.NotSupported("dequeue mode %d", mode)
	case navigation != firstMessage && navigation != nextMessage:
		return sqlerr.NotSupported("navigation %d", navigation)
	case wait < -1:
		return sqlerr.NotSupported("wait %s", r.Get("WAIT"))
	}
	o := aq.Options{
		Mode: aq.Mode(mode), First: navigation == firstMessage, Immediate: when == immediate, Wait: time.Duration(wait) * time.Second,
		Correlation: r.Get("CORRELATION").Str(),
	}
	if wait < 0 {
		o.Wait = aq.Forever
	}
	return c.s.Run(func() error {
		m, err := c.s.Queues().Dequeue(c.s.Txn(), c.s.Consumer(), q, o)
		if err != nil {
			return failure(err)
		}
		describe(m, c.Record("MESSAGE_PROPERTIES"))
		c.Set("PAYLOAD", datatype.NewRaw(m.Payload))
		c.Set("MSGID", datatype.NewRaw(m.ID[:]))
		return nil
	})
}

// describe fills MESSAGE_PROPERTIES_T.
func describe(m *aq.Message, r *plsql.Record) {
	r.Set("PRIORITY", value.NewInt(m.Priority))
	r.Set("DELAY", value.NewInt(0))
	r.Set("EXPIRATION", value.NewInt(-1))
	r.Set("CORRELATION", datatype.NewText(m.Correlation))
	r.Set("ATTEMPTS", value.NewInt(m.Attempts))
	r.Set("EXCEPTION_QUEUE", value.Value{})
	r.Set("ENQUEUE_TIME", catalog.DateOf(m.Enqueued))
	r.Set("STATE", value.NewInt(int64(m.State)))
}

// queueName parses the name of a queue or queue table. Error: 24000.
func (c *call) queueName(param string) (owner, name string, err error) {
	owner, name, ok := c.objectName(c.text(param))
	if !ok {
		err = message.ORA(24000, c.text(param), param)
	}
	return owner, name, err
}
