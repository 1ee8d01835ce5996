package broker

import (
	"iter"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Database is the broker of one database.
type Database struct {
	ID int32

	in      *Instance
	guid    Handle
	enabled bool

	types     []*MessageType // these four by id
	contracts []*Contract
	services  []*Service
	queues    []*Queue

	nextType, nextContract, nextService int32

	endpoints      *store.Table
	byHandle       *store.Index
	byConversation *store.Index
	byGroup        *store.Index
	transmissions  *store.Table
	byOrder        *store.Index
	bySender       *store.Index
	sent           int64 // last order number given in the transmission queue

	timers    map[Handle]*kernel.Timer // conversation timers by endpoint
	lifetimes map[Handle]*kernel.Timer // expiry, or removal of a closed target, by endpoint
	sending   map[Handle]bool          // endpoints whose waiting messages a task is delivering; true: deliver again
	held      []func()                 // timers that fired while the broker was off
}

func newDatabase(in *Instance, id int32, enabled bool) *Database {
	d := &Database{
		ID: id, in: in, enabled: enabled,
		nextType: firstUserID, nextContract: firstUserID, nextService: firstUserID,
		// The ids that every database shows in sys.service_message_types and sys.service_contracts.
		types: []*MessageType{
			{ID: 1, Name: TypeError, Owner: 1, Validation: ValidationXML, System: true},
			{ID: 2, Name: TypeEndDialog, Owner: 1, Validation: ValidationEmpty, System: true},
			{ID: 3, Name: TypeDialogTimer, Owner: 1, Validation: ValidationEmpty, System: true},
			{ID: 4, Name: notifications + "QueryNotification", Owner: 1, Validation: ValidationXML},
			{ID: 5, Name: notifications + "EventNotification", Owner: 1, Validation: ValidationXML},
			{ID: 14, Name: TypeDefault, Owner: 1, Validation: ValidationNone},
		},
		contracts: []*Contract{
			{ID: 6, Name: ContractDefault, Owner: 1, Messages: []ContractMessage{{Type: 14, By: ByAny}}},
			{ID: 4, Name: notifications + "PostQueryNotification", Owner: 1, Messages: []ContractMessage{{Type: 4, By: ByInitiator}}},
			{ID: 5, Name: notifications + "PostEventNotification", Owner: 1, Messages: []ContractMessage{{Type: 5, By: ByInitiator}}},
		},
		timers:    map[Handle]*kernel.Timer{},
		lifetimes: map[Handle]*kernel.Timer{},
		sending:   map[Handle]bool{},
	}
	d.guid = d.newHandle()
	d.createTables()
	return d
}

// newHandle returns a new random (version 4) identifier; the seed decides it.
func (d *Database) newHandle() Handle {
	var h Handle
	d.in.k.Random(h[:])
	h[7] = h[7]&0x0f | 0x40 // wire order: the third group is stored with its low byte first
	h[8] = h[8]&0x3f | 0x80
	return h
}

// Enabled reports whether message delivery is on: sys.databases.is_broker_enabled.
func (d *Database) Enabled() bool { return d.enabled }

// GUID is sys.databases.service_broker_guid.
func (d *Database) GUID() Handle { return d.guid }

// MessageTypes yields the message types by id.
func (d *Database) MessageTypes() iter.Seq[*MessageType] { return slices.Values(d.types) }

// Contracts yields the contracts by id.
func (d *Database) Contracts() iter.Seq[*Contract] { return slices.Values(d.contracts) }

// Services yields the services by id.
func (d *Database) Services() iter.Seq[*Service] { return slices.Values(d.services) }

// Queues yields the queues by object id.
func (d *Database) Queues() iter.Seq[*Queue] { return slices.Values(d.queues) }

// MessageType returns the message type of that name (compared byte by byte), or nil.
func (d *Database) MessageType(name string) *MessageType {
	return find(d.types, func(t *MessageType) bool { return t.Name == name })
}

// MessageTypeByID returns the message type of that id, or nil.
func (d *Database) MessageTypeByID(id int32) *MessageType {
	return find(d.types, func(t *MessageType) bool { return t.ID == id })
}

// Contract returns the contract of that name (compared byte by byte), or nil.
func (d *Database) Contract(name string) *Contract {
	return find(d.contracts, func(c *Contract) bool { return c.Name == name })
}

// ContractByID returns the contract of that id, or nil.
func (d *Database) ContractByID(id int32) *Contract {
	return find(d.contracts, func(c *Contract) bool { return c.ID == id })
}

// Service returns the service of that name (compared byte by byte), or nil.
func (d *Database) Service(name string) *Service {
	return find(d.services, func(s *Service) bool { return s.Name == name })
}

// ServiceByID returns the service of that id, or nil.
func (d *Database) ServiceByID(id int32) *Service {
	return find(d.services, func(s *Service) bool { return s.ID == id })
}

// Queue returns the queue of that object id, or nil.
func (d *Database) Queue(id int32) *Queue {
	return find(d.queues, func(q *Queue) bool { return q.ID == id })
}

func find[T any](list []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(list, match); i >= 0 {
		return list[i]
	}
	return nil
}

// set replaces a list under undo of tx. Lists are never changed in place.
func set[T any](tx *store.Txn, list *[]*T, now []*T) {
	before := *list
	*list = now
	tx.Undo(func() { *list = before })
}

func with[T any](list []*T, o *T) []*T { return append(slices.Clip(slices.Clone(list)), o) }

func without[T any](list []*T, o *T) []*T {
	return slices.DeleteFunc(slices.Clone(list), func(x *T) bool { return x == o })
}

// CreateMessageType adds a message type. Error 2714.
func (d *Database) CreateMessageType(tx *store.Txn, name string, owner int32) (*MessageType, error) {
	if d.MessageType(name) != nil {
		return nil, message.MS(2714, name)
	}
	t := &MessageType{ID: d.nextType, Name: name, Owner: owner, Validation: ValidationNone}
	d.nextType++
	set(tx, &d.types, with(d.types, t))
	return t, nil
}

// DropMessageType removes a message type that no contract uses. Errors 3716, 9663.
func (d *Database) DropMessageType(tx *store.Txn, t *MessageType) error {
	if t.ID < firstUserID {
		return message.MS(9663)
	}
	for _, c := range d.contracts {
		if slices.ContainsFunc(c.Messages, func(m ContractMessage) bool { return m.Type == t.ID }) {
			return message.MS(3716, "message type", t.Name, "contract")
		}
	}
	set(tx, &d.types, without(d.types, t))
	return nil
}

// CreateContract adds a contract. Errors 2714, 8403, 8492.
func (d *Database) CreateContract(tx *store.Txn, name string, owner int32, messages []ContractMessage) (*Contract, error) {
	if d.Contract(name) != nil {
		return nil, message.MS(2714, name)
	}
	startable := false
	for i, m := range messages {
		if slices.ContainsFunc(messages[:i], func(o ContractMessage) bool { return o.Type == m.Type }) {
			return nil, message.MS(8403, d.typeName(m.Type))
		}
		startable = startable || m.By&ByInitiator != 0
	}
	if !startable {
		return nil, message.MS(8492, name)
	}
	c := &Contract{ID: d.nextContract, Name: name, Owner: owner, Messages: slices.Clone(messages)}
	d.nextContract++
	set(tx, &d.contracts, with(d.contracts, c))
	return c, nil
}

func (d *Database) typeName(id int32) string {
	if t := d.MessageTypeByID(id); t != nil {
		return t.Name
	}
	return ""
}

// DropContract removes a contract that no service uses, with the conversations that still follow
// it. Errors 3716, 9663.
func (d *Database) DropContract(tx *store.Txn, c *Contract) error {
	if c.ID < firstUserID {
		return message.MS(9663)
	}
	for _, s := range d.services {
		if s.Accepts(c.ID) {
			return message.MS(3716, "service contract", c.Name, "service")
		}
	}
	match := func(e *endpoint) bool { return e.contract == c.ID }
	if err := d.dropConversations(tx, match, codeContractDropped, textContractDropped); err != nil {
		return err
	}
	set(tx, &d.contracts, without(d.contracts, c))
	return nil
}

// CreateService adds a service on a queue. The messages that wait for it are delivered once tx
// has committed. Errors 2714, 8404.
func (d *Database) CreateService(tx *store.Txn, name string, owner int32, q *Queue, contracts []int32) (*Service, error) {
	if d.Service(name) != nil {
		return nil, message.MS(2714, name)
	}
	if err := d.distinct(contracts); err != nil {
		return nil, err
	}
	s := &Service{ID: d.nextService, Name: name, Owner: owner, Queue: q, Contracts: slices.Clone(contracts)}
	d.nextService++
	set(tx, &d.services, with(d.services, s))
	tx.OnCommit(d.deliverWaiting)
	return s, nil
}

func (d *Database) distinct(contracts []int32) error {
	for i, c := range contracts {
		if slices.Contains(contracts[:i], c) {
			return message.MS(8404, d.ContractByID(c).Name)
		}
	}
	return nil
}

// DropService removes a service with its endpoints and messages; the remote side of each open
// conversation gets an Error message (learn.microsoft.com, "DROP SERVICE (Transact-SQL)").
func (d *Database) DropService(tx *store.Txn, s *Service) error {
	match := func(e *endpoint) bool { return e.service == s.ID }
	if err := d.dropConversations(tx, match, codeServiceDropped, textServiceDropped); err != nil {
		return err
	}
	set(tx, &d.services, without(d.services, s))
	return nil
}
