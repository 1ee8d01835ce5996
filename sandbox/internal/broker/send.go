package broker

import (
	"cmp"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// parcel is a message on its way.
type parcel struct {
	kind     *MessageType
	body     value.Value
	sequence int64
	end      bool // EndDialog
	failure  bool // Error
}

// Send sends a message on a conversation. messageType empty means DEFAULT; an empty body, or
// none, becomes a message without body. Errors: 8426, 8428, 8429, 8431, 8432, 8433, 8434;
// lock errors of the store.
func (d *Database) Send(tx *store.Txn, conversation Handle, messageType string, body value.Value) error {
	if body.IsNull() {
		return message.MS(8433)
	}
	if body.N == 0 {
		body = value.Value{}
	}
	messageType = cmp.Or(messageType, TypeDefault)
	t := d.MessageType(messageType)
	if t == nil {
		return message.MS(8428, messageType)
	}
	e, err := d.own(tx, conversation)
	if err != nil {
		return err
	}
	if e.state != StartedOutbound && e.state != Conversing {
		return errState(8429, "SEND", e.state)
	}
	if err := d.maySend(e, t); err != nil {
		return err
	}
	p := parcel{kind: t, body: body, sequence: e.sendSequence}
	e.sendSequence++
	e.lastSender = tx.ID()
	e.state = Conversing
	tx.Session().Count(store.Counters{Messages: 1})
	if _, err := d.post(tx, e, p); err != nil {
		return err
	}
	return d.save(tx, e)
}

// maySend checks a message type against the conversation's contract.
func (d *Database) maySend(e *endpoint, t *MessageType) error {
	if c := d.ContractByID(e.contract); c != nil {
		for _, m := range c.Messages {
			switch {
			case m.Type != t.ID:
			case e.initiator && m.By&ByInitiator == 0:
				return message.MS(8432, t.Name)
			case !e.initiator && m.By&ByTarget == 0:
				return message.MS(8434, t.Name)
			default:
				return nil
			}
		}
	}
	return message.MS(8431, t.Name)
}

// obstacle is why a message cannot be delivered just now.
type obstacle struct {
	status string // as sys.transmission_queue shows it; empty: none
	// What another session has locked, if that is the reason: one of the two.
	queue *Queue
	far   bool // the endpoint of the other side
}

// post delivers a message directly if nothing is in the way, or else puts it into the
// transmission queue. delivered is true also if the other side has no use for it any more.
func (d *Database) post(tx *store.Txn, e *endpoint, p parcel) (delivered bool, err error) {
	_, behind, err := tx.First(d.transmissions, store.Access{
		Index: d.bySender, Lo: e.handle[:], Hi: e.handle[:], Mode: store.Dirty, Seek: true,
	})
	if err != nil {
		return false, err
	}
	var why obstacle
	if behind == nil { // order within the conversation: waiting messages go first
		if why, err = d.handOver(tx, e, p); err != nil || why.status == "" {
			return err == nil, err
		}
	}
	d.sent++
	row := make(value.Row, sentWidth)
	row[sentConversation] = value.NewGUID(e.handle)
	row[sentToService] = value.NewString(e.farService)
	if e.farInstance != "" {
		row[sentToInstance] = value.NewString(e.farInstance)
	}
	row[sentFromService] = value.NewString(d.serviceName(e.service))
	row[sentContractName] = value.NewString(d.contractName(e.contract))
	row[sentEnqueued] = timeValue(d.in.k.Now())
	row[sentSequence] = value.NewInt(p.sequence)
	row[sentTypeName] = value.NewString(p.kind.Name)
	row[sentIsError] = value.NewInt(flag(p.failure))
	row[sentIsEnd] = value.NewInt(flag(p.end))
	row[sentBody] = p.body
	row[sentStatus] = value.NewString(why.status)
	row[sentPriority] = value.NewInt(defaultPriority)
	row[sentOrder] = value.NewInt(d.sent)
	row[sentTypeID] = value.NewInt(int64(p.kind.ID))
	_, err = tx.Insert(d.transmissions, row)
	d.in.work(tx).send(d, e.handle)
	return false, err
}

func (d *Database) contractName(id int32) string {
	if c := d.ContractByID(id); c != nil {
		return c.Name
	}
	return ""
}

// handOver puts a message into the target's queue, creating the target's endpoint if it is the
// first. It waits for nobody. The caller holds e and saves it.
func (d *Database) handOver(tx *store.Txn, e *endpoint, p parcel) (obstacle, error) {
	if why, err := d.route(e); why.status != "" || err != nil {
		return why, err
	}
	mode := store.S
	if p.end || p.failure {
		mode = store.X
	}
	far, err := d.holdFar(tx, e, mode, false)
	if store.IsBusy(err) {
		return obstacle{status: statusBusy, far: true}, nil
	}
	if err != nil {
		return obstacle{}, err
	}
	switch {
	case far != nil, e.initiator && p.sequence == 0 && !p.failure: // there, or to be created
	case p.end, p.failure, e.state == DisconnectedOutbound: // both have ended
		return obstacle{}, nil
	default: // it existed and has been cleaned up
		return obstacle{}, d.fail(tx, e, codeFarUnusable, textFarUnusable)
	}
	s := d.Service(e.farService)
	if far != nil {
		s = d.ServiceByID(far.service)
	}
	if s == nil {
		return obstacle{status: statusServiceUnknown}, d.elsewhere(e)
	}
	if far != nil && far.state != Conversing && far.state != StartedOutbound {
		return obstacle{}, nil // it has ended or failed: nobody wants the message
	}
	if far == nil && !s.Accepts(e.contract) {
		return obstacle{}, d.fail(tx, e, codeContractNotSupported, "Target service '"+s.Name+"' does not support contract '"+d.contractName(e.contract)+"'.")
	}
	if err := s.Queue.lock(tx, store.S, store.LockWait{}); store.IsBusy(err) {
		return obstacle{status: statusBusy, queue: s.Queue}, nil
	} else if err != nil {
		return obstacle{}, err
	}
	if !s.Queue.settings.Enabled {
		return obstacle{status: statusQueueDisabled}, nil
	}
	if far == nil {
		if far, err = d.createTarget(tx, e, s); err != nil {
			return obstacle{}, err
		}
	}
	switch {
	case p.end:
		far.state = DisconnectedInbound
	case p.failure:
		far.state = Failed
	}
	if p.end || p.failure {
		if err := d.save(tx, far); err != nil {
			return obstacle{}, err
		}
	}
	return obstacle{}, s.Queue.put(tx, far, p, s)
}

// route decides whether the broker can deliver at all.
func (d *Database) route(e *endpoint) (obstacle, error) {
	switch {
	case !d.enabled:
		return obstacle{status: statusBrokerDisabled}, nil
	case d.sameInstance(e):
		return obstacle{}, nil
	}
	return obstacle{status: statusInstanceUnknown}, d.elsewhere(e)
}

// elsewhere refuses dialogs that another database of the instance would answer.
func (d *Database) elsewhere(e *endpoint) error {
	for _, o := range d.in.databases {
		if o != d && o.Service(e.farService) != nil && o.sameInstance(e) {
			return sqlerr.NotSupported("dialogs between databases (service %s)", e.farService)
		}
	}
	return nil
}

// createTarget creates the target's endpoint when the first message arrives: it has arrived whole,
// so the conversation is established.
func (d *Database) createTarget(tx *store.Txn, e *endpoint, s *Service) (*endpoint, error) {
	t := &endpoint{
		handle: d.newHandle(), conversation: e.conversation, contract: e.contract, group: d.newHandle(), service: s.ID,
		lifetime: e.lifetime, state: Conversing, farService: d.serviceName(e.service), farInstance: d.guid.String(),
		principal: s.Owner,
	}
	e.farInstance = d.guid.String()
	if e.lifetime.Before(d.in.k.Now().Add(maxLifetime / 2)) {
		tx.OnCommit(func() { d.armLifetime(t.handle, t.lifetime) })
	}
	var err error
	t.id, err = tx.Insert(d.endpoints, t.row())
	return t, err
}

// fail puts an endpoint into the error state and an Error message into its queue; what it still
// had to send is dropped. An endpoint that its application has ended already is just removed.
func (d *Database) fail(tx *store.Txn, e *endpoint, code int32, text string) error {
	if e.state == DisconnectedOutbound {
		e.state = Failed
		return d.remove(tx, e)
	}
	s := d.ServiceByID(e.service)
	if err := s.Queue.lock(tx, store.S, tx.Session().Wait()); err != nil {
		return err
	}
	e.state = Failed
	if err := d.save(tx, e); err != nil {
		return err
	}
	if err := d.dropUnsent(tx, e.handle); err != nil {
		return err
	}
	p := parcel{kind: d.MessageType(TypeError), failure: true, body: errorBody(code, text)}
	return s.Queue.put(tx, e, p, s)
}

// put adds a message to a queue for the endpoint that is to receive it.
func (q *Queue) put(tx *store.Txn, e *endpoint, p parcel, s *Service) error {
	d := q.Database
	q.order++
	m := Message{
		Status: statusReady, Priority: defaultPriority, Order: q.order, Group: e.group, Conversation: e.handle,
		Sequence: p.sequence, ServiceName: s.Name, ServiceID: s.ID,
		ContractName: d.contractName(e.contract), ContractID: e.contract,
		TypeName: p.kind.Name, TypeID: p.kind.ID, Validation: p.kind.Validation, Body: p.body, Enqueued: d.in.k.Now(),
	}
	d.in.work(tx).arrive(q)
	_, err := tx.Insert(q.table, m.Row())
	return err
}
