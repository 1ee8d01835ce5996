package broker

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// The columns of the transmission queue, in the order of sys.transmission_queue; what follows
// is internal.
const (
	sentConversation = iota
	sentToService
	sentToInstance
	sentFromService
	sentContractName
	sentEnqueued
	sentSequence
	sentTypeName
	sentIsError
	sentIsEnd
	sentBody
	sentStatus
	sentPriority
	sentOrder
	sentTypeID
	sentWidth
)

// TransmissionColumns are the columns of Database.Transmissions by name, in order: those of sys.transmission_queue.
func TransmissionColumns() []string {
	return []string{
		"conversation_handle", "to_service_name", "to_broker_instance", "from_service_name", "service_contract_name",
		"enqueue_time", "message_sequence_number", "message_type_name", "is_conversation_error", "is_end_of_dialog",
		"message_body", "transmission_status", "priority",
	}
}

// Endpoints returns the rows of sys.conversation_endpoints; the first columns are EndpointColumns.
func (d *Database) Endpoints() *store.Table { return d.endpoints }

// Transmissions returns the rows of sys.transmission_queue; the first columns are TransmissionColumns.
func (d *Database) Transmissions() *store.Table { return d.transmissions }

func (d *Database) createTables() {
	d.endpoints = d.in.st.NewTable(store.TableSpec{Name: "sys.conversation_endpoints", DB: int64(d.ID), NoEscalation: true, Tidy: true})
	d.transmissions = d.in.st.NewTable(store.TableSpec{Name: "sys.transmission_queue", DB: int64(d.ID), NoEscalation: true})
	d.in.st.Alone(func(tx *store.Txn) {
		d.byHandle = d.endpoints.MustIndex(tx, store.IndexSpec{
			Name: "handle", Unique: true, Clustered: true, Columns: []int{endpointHandle},
			Key: func(r value.Row) []byte { return []byte(r[endpointHandle].Str()) },
		})
		d.byConversation = d.endpoints.MustIndex(tx, store.IndexSpec{
			Name: "conversation", Unique: true, Columns: []int{endpointConversation, endpointInitiator},
			Key: func(r value.Row) []byte {
				return conversationKey(r[endpointConversation].GUIDBytes(), r[endpointInitiator].Int64() != 0)
			},
		})
		d.byGroup = d.endpoints.MustIndex(tx, store.IndexSpec{
			Name: "group", Columns: []int{endpointGroup},
			Key: func(r value.Row) []byte { return []byte(r[endpointGroup].Str()) },
		})
		d.byOrder = d.transmissions.MustIndex(tx, store.IndexSpec{
			Name: "order", Unique: true, Clustered: true, Columns: []int{sentOrder},
			Key: func(r value.Row) []byte { return intKey(r[sentOrder].Int64()) },
		})
		d.bySender = d.transmissions.MustIndex(tx, store.IndexSpec{
			Name: "sender", Unique: true, Columns: []int{sentConversation, sentOrder},
			Key: func(r value.Row) []byte {
				return append([]byte(r[sentConversation].Str()), intKey(r[sentOrder].Int64())...)
			},
		})
	})
}

// createQueueTable creates the table of a queue: in queuing order, and by group and conversation.
func (q *Queue) createQueueTable(tx *store.Txn) {
	q.table = q.Database.in.st.NewTable(store.TableSpec{Name: q.Schema + "." + q.Name, DB: int64(q.Database.ID), NoEscalation: true, Tidy: true})
	q.table.MustIndex(tx, store.IndexSpec{
		Name: "queue_clustered_index", Unique: true, Clustered: true, Columns: []int{columnOrder},
		Key: func(r value.Row) []byte { return intKey(r[columnOrder].Int64()) },
	})
	q.byGroup = q.table.MustIndex(tx, store.IndexSpec{
		Name: "queue_secondary_index", Unique: true, Columns: []int{columnGroup, columnConversation, columnOrder},
		Key: func(r value.Row) []byte {
			return append([]byte(r[columnGroup].Str()+r[columnConversation].Str()), intKey(r[columnOrder].Int64())...)
		},
	})
}

func conversationKey(conversation Handle, initiator bool) []byte {
	return append(conversation[:], byte(flag(initiator)))
}

// look reads an endpoint as it is, committed or not, without any lock.
func (d *Database) look(tx *store.Txn, h Handle) (*endpoint, error) {
	return d.oneEndpoint(tx, store.Access{Index: d.byHandle, Lo: h[:], Hi: h[:], Mode: store.Dirty, Seek: true})
}

// hold reads an endpoint and keeps its row locked until the end of the transaction.
func (d *Database) hold(tx *store.Txn, h Handle) (*endpoint, error) {
	return d.oneEndpoint(tx, store.Access{
		Index: d.byHandle, Lo: h[:], Hi: h[:], Mode: store.Locking, Lock: store.X, Keep: true, Seek: true,
	})
}

// holdFar is hold for the other side of a conversation, in the given mode. Unless it is to wait, a
// row that somebody else is changing is *store.LockTimeout.
func (d *Database) holdFar(tx *store.Txn, e *endpoint, m store.LockMode, wait bool) (*endpoint, error) {
	key := conversationKey(e.conversation, !e.initiator)
	far, err := d.oneEndpoint(tx, store.Access{
		Index: d.byConversation, Lo: key, Hi: key, Mode: store.Locking, Lock: store.S, Covered: true, NoWait: !wait, Seek: true,
	})
	if err != nil || far == nil {
		return nil, err
	}
	return d.oneEndpoint(tx, store.Access{
		Index: d.byHandle, Lo: far.handle[:], Hi: far.handle[:], Mode: store.Locking, Lock: m, Keep: true, NoWait: !wait, Seek: true,
	})
}

func (d *Database) oneEndpoint(tx *store.Txn, a store.Access) (*endpoint, error) {
	id, row, err := tx.First(d.endpoints, a)
	if row == nil {
		return nil, err
	}
	return decodeEndpoint(id, row), nil
}

func (d *Database) save(tx *store.Txn, e *endpoint) error {
	return tx.Update(d.endpoints, e.id, e.row())
}

// own locks the conversation group of an endpoint, waiting for it, and then the endpoint itself.
// Error 8426 when there is none.
func (d *Database) own(tx *store.Txn, h Handle) (*endpoint, error) {
	e, err := d.look(tx, h)
	for err == nil && e != nil {
		if err := d.lockGroup(tx, e.group, tx.Session().Wait()); err != nil {
			return nil, err
		}
		if s := d.ServiceByID(e.service); s != nil {
			d.in.work(tx).touch(s.Queue)
		}
		group := e.group
		if e, err = d.look(tx, h); err != nil || e == nil || e.group != group {
			continue
		}
		if e, err = d.hold(tx, h); e != nil { // with its group locked, nobody moves it
			return e, err
		}
	}
	if err == nil {
		err = message.MS(8426, h)
	}
	return nil, err
}

func (d *Database) groupResource(g Handle) store.Resource {
	return store.Resource{Class: store.ConversationGroup, DB: int64(d.ID), Key: string(g[:])}
}

func (d *Database) lockGroup(tx *store.Txn, g Handle, w store.LockWait) error {
	return d.in.st.Lock(tx.Owner(), d.groupResource(g), store.X, w)
}

func (q *Queue) resource() store.Resource {
	return store.Resource{Class: store.Queue, DB: int64(q.Database.ID), Object: int64(q.ID)}
}

func (q *Queue) lock(tx *store.Txn, m store.LockMode, w store.LockWait) error {
	return q.Database.in.st.Lock(tx.Owner(), q.resource(), m, w)
}
