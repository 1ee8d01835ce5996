package broker

import (
	"errors"
	"math"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// CurrentDatabase is the broker instance of TO SERVICE '…', 'CURRENT DATABASE'.
const CurrentDatabase = "CURRENT DATABASE"

// BeginSpec are the clauses of BEGIN DIALOG CONVERSATION.
type BeginSpec struct {
	From       *Service
	To         string         // compared byte by byte
	ToInstance string         // empty, CurrentDatabase or the text of a broker's GUID
	Contract   *Contract      // nil: DEFAULT
	Lifetime   *time.Duration // whole seconds; nil: not given
	Encryption bool           // the statement's default is ON, which is refused here
	Principal  int32          // the user that begins the dialog
}

// BeginDialog creates the initiator's endpoint of a new conversation (state SO) and locks its
// conversation group. Errors: 8411; lock errors of the store.
func (d *Database) BeginDialog(tx *store.Txn, b BeginSpec) (Handle, error) {
	if b.Encryption {
		return Handle{}, sqlerr.NotSupported("BEGIN DIALOG WITH ENCRYPTION = ON, the default (dialog security)")
	}
	now := d.in.k.Now()
	e := &endpoint{
		handle: d.newHandle(), conversation: d.newHandle(), initiator: true,
		contract: d.Contract(ContractDefault).ID, service: b.From.ID, state: StartedOutbound,
		lifetime: now.Add(maxLifetime).Truncate(tick), farService: b.To, farInstance: b.ToInstance, principal: b.Principal,
	}
	if b.Contract != nil {
		e.contract = b.Contract.ID
	}
	if b.ToInstance == CurrentDatabase {
		e.farInstance = d.guid.String()
	}
	if l := b.Lifetime; l != nil {
		if *l < time.Second || *l > maxLifetime {
			return Handle{}, message.MS(8411, int64(*l/time.Second), 1, math.MaxInt32)
		}
		e.lifetime = now.Add(*l).Truncate(tick)
	}
	e.group = d.newHandle()
	if err := d.lockGroup(tx, e.group, tx.Session().Wait()); err != nil {
		return Handle{}, err
	}
	d.in.work(tx).touch(b.From.Queue)
	if _, err := tx.Insert(d.endpoints, e.row()); err != nil {
		return Handle{}, err
	}
	if b.Lifetime != nil {
		tx.OnCommit(func() { d.armLifetime(e.handle, e.lifetime) })
	}
	return e.handle, nil
}

func (d *Database) serviceName(id int32) string {
	if s := d.ServiceByID(id); s != nil {
		return s.Name
	}
	return ""
}

// OwnerOf returns the principal that owns one side of a conversation, and whether there is such a side, without waiting for it.
func (d *Database) OwnerOf(tx *store.Txn, conversation Handle) (principal int32, found bool, err error) {
	e, err := d.look(tx, conversation)
	if err != nil || e == nil {
		return 0, false, err
	}
	return e.principal, true, nil
}

// EndSpec are the clauses of END CONVERSATION.
type EndSpec struct {
	WithError   bool
	Code        int32  // with WithError; greater than 0
	Description string // with WithError
	Cleanup     bool   // WITH CLEANUP
}

// EndConversation ends one side of a conversation and removes its messages from the queue.
//
// What remains (posts of the Service Broker team, 2006 to 2014, and learn.microsoft.com,
// "sys.conversation_endpoints"): an initiator's endpoint is removed once both sides know; a
// target's stays closed (CD) for another 30 minutes if the target ended first, and until its
// LIFETIME expires if the initiator did ("fire and forget"). Errors: 8426, 8427.
func (d *Database) EndConversation(tx *store.Txn, conversation Handle, s EndSpec) error {
	e, err := d.own(tx, conversation)
	if err != nil {
		return err
	}
	if s.Cleanup {
		return d.remove(tx, e)
	}
	switch e.state {
	case DisconnectedOutbound, Closed:
		return errState(8427, "END CONVERSATION", e.state)
	case StartedOutbound: // nobody else knows about it
		return d.remove(tx, e)
	case DisconnectedInbound, Failed:
		return d.close(tx, e)
	case Conversing:
	}
	p := parcel{kind: d.MessageType(TypeEndDialog), sequence: e.sendSequence, end: true}
	if s.WithError {
		p = parcel{kind: d.MessageType(TypeError), sequence: e.sendSequence, failure: true, body: errorBody(s.Code, s.Description)}
		if err := d.dropUnsent(tx, e.handle); err != nil {
			return err
		}
		tx.NewStatement() // see that they are gone
	}
	e.endSequence = e.sendSequence
	e.sendSequence++
	delivered, err := d.post(tx, e, p)
	if err != nil {
		return err
	}
	if delivered {
		return d.close(tx, e)
	}
	e.state = DisconnectedOutbound
	return d.quiet(tx, e)
}

// quiet saves an endpoint that its application has ended: no more messages, no timer.
func (d *Database) quiet(tx *store.Txn, e *endpoint) error {
	if err := d.dropMessages(tx, e); err != nil {
		return err
	}
	e.timer = time.Time{}
	tx.OnCommit(func() { d.disarm(e.handle) })
	return d.save(tx, e)
}

// closedFor is how long the endpoint of a closed target stays.
const closedFor = 30 * time.Minute

// close completes an endpoint that has ended and whose other side knows it.
func (d *Database) close(tx *store.Txn, e *endpoint) error {
	if e.initiator {
		if err := d.closeTarget(tx, e); err != nil {
			return err
		}
		return d.remove(tx, e)
	}
	e.state = Closed
	far, err := d.holdFar(tx, e, store.S, true)
	if err != nil {
		return err
	}
	if far == nil && !e.lifetime.After(d.in.k.Now()) { // its lifetime has already expired
		e.security = d.in.k.Now().Add(closedFor).Truncate(tick)
	}
	expiry := e.lifetime
	if !e.security.IsZero() {
		expiry = e.security
	}
	tx.OnCommit(func() { d.armLifetime(e.handle, expiry) })
	return d.quiet(tx, e)
}

// closeTarget starts the last 30 minutes of a target that ended before the initiator did.
func (d *Database) closeTarget(tx *store.Txn, e *endpoint) error {
	far, err := d.holdFar(tx, e, store.X, true)
	if err != nil || far == nil || far.state != Closed || !far.security.IsZero() {
		return err
	}
	far.security = d.in.k.Now().Add(closedFor).Truncate(tick)
	tx.OnCommit(func() { d.armLifetime(far.handle, far.security) })
	return d.save(tx, far)
}

// remove deletes an endpoint with its messages, in the queue and in the transmission queue.
func (d *Database) remove(tx *store.Txn, e *endpoint) error {
	if err := d.dropMessages(tx, e); err != nil {
		return err
	}
	if err := d.dropUnsent(tx, e.handle); err != nil {
		return err
	}
	tx.OnCommit(func() {
		d.disarm(e.handle)
		d.disarmLifetime(e.handle)
	})
	return tx.Delete(d.endpoints, e.id)
}

// dropMessages deletes an endpoint's messages from its queue.
func (d *Database) dropMessages(tx *store.Txn, e *endpoint) error {
	s := d.ServiceByID(e.service)
	if s == nil {
		return nil
	}
	key := append(e.group[:], e.handle[:]...)
	return tx.DeleteAll(s.Queue.table, store.Access{
		Index: s.Queue.byGroup, Lo: key, Hi: key, Mode: store.Locking, Lock: store.X, Keep: true, Seek: true,
	})
}

// dropUnsent deletes an endpoint's messages from the transmission queue.
func (d *Database) dropUnsent(tx *store.Txn, h Handle) error {
	return tx.DeleteAll(d.transmissions, store.Access{
		Index: d.bySender, Lo: h[:], Hi: h[:], Mode: store.Locking, Lock: store.X, Keep: true, Seek: true,
	})
}

// dropConversations removes the endpoints of a dropped service or contract; the other side of
// each that was not ended gets an Error message.
func (d *Database) dropConversations(tx *store.Txn, match func(*endpoint) bool, code int32, text string) error {
	var handles []Handle
	if err := tx.Each(d.endpoints, store.Access{Index: d.byHandle, Mode: store.Dirty}, func(id store.RowID, row value.Row) bool {
		if e := decodeEndpoint(id, row); match(e) {
			handles = append(handles, e.handle)
		}
		return true
	}); err != nil {
		return err
	}
	for _, h := range handles {
		e, err := d.own(tx, h)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if e.state == Conversing {
			far, err := d.holdFar(tx, e, store.X, true)
			if err != nil {
				return err
			}
			if far != nil && (far.state == Conversing || far.state == StartedOutbound) && !match(far) {
				if err := d.fail(tx, far, code, text); err != nil {
					return err
				}
			}
		}
		if err := d.remove(tx, e); err != nil {
			return err
		}
	}
	return nil
}

func isNotFound(err error) bool {
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && e.Number == 8426
}

// sameInstance reports whether a dialog's broker instance is this database's.
func (d *Database) sameInstance(e *endpoint) bool {
	return e.farInstance == "" || strings.EqualFold(e.farInstance, d.guid.String())
}
