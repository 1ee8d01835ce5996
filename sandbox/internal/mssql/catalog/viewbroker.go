package catalog

import (
	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func (s *Server) brokerViews() {
	s.view("service_message_types", func(v *viewer) {
		for t := range v.broker().MessageTypes() {
			if v.seesBroker(ClassMessageType, t.ID, t.Owner) {
				desc := map[broker.Validation]string{broker.ValidationNone: "NONE", broker.ValidationEmpty: "EMPTY", broker.ValidationXML: "XML"}[t.Validation]
				v.emit(t.Name, t.ID, t.Owner, string(rune(t.Validation))+" ", desc, nil)
			}
		}
	})
	s.view("service_contracts", func(v *viewer) {
		for c := range v.broker().Contracts() {
			if v.seesBroker(ClassContract, c.ID, c.Owner) {
				v.emit(c.Name, c.ID, c.Owner)
			}
		}
	})
	s.view("services", func(v *viewer) {
		for sv := range v.broker().Services() {
			if v.seesBroker(ClassService, sv.ID, sv.Owner) {
				v.emit(sv.Name, sv.ID, sv.Owner, sv.Queue.ID)
			}
		}
	})
	s.view("service_queues", func(v *viewer) {
		for o := range v.objects(ofKind(Queue)) {
			q, ok := o.Def.(*broker.Queue)
			if !ok {
				continue
			}
			set := q.Settings()
			a := set.Activation
			v.emit(append(objectCells(o), a.MaxReaders, orNull(a.Procedure), orNull(a.ExecuteAs), a.Enabled,
				set.Enabled, set.Enabled, false, set.PoisonHandled)...)
		}
	})
	s.view("conversation_endpoints", func(v *viewer) {
		width := len(broker.EndpointColumns())
		v.stored(v.broker().Endpoints(), func(r value.Row) bool { return v.yield(r[:width:width]) })
	})
	s.view("transmission_queue", func(v *viewer) {
		width := len(broker.TransmissionColumns())
		v.stored(v.broker().Transmissions(), func(r value.Row) bool { return v.yield(r[:width:width]) })
	})
}

// broker returns the broker of the database whose view is read.
func (v *viewer) broker() *broker.Database {
	if v.db.Broker == nil {
		return &broker.Database{}
	}
	return v.db.Broker
}

// seesBroker: the reader has some permission on a broker object. Objects that every database has are visible to all.
func (v *viewer) seesBroker(c Class, id, owner int32) bool {
	if v.Token.Dbo || v.Token.Sysadmin || id < 65536 {
		return true
	}
	names := []string{"REFERENCES", "VIEW DEFINITION", "ALTER", "CONTROL", "TAKE OWNERSHIP"}
	if c == ClassService {
		names[0] = "SEND"
	}
	return v.db.sees(v.Token, Securable{Class: c, ID: id, Owner: owner}, names)
}

// stored reads the rows of a view that has its own table: with the locks, or from the versions,
// that the reader's isolation level requires. The caller leaves out rows whose services the reader
// may not see; SELECT on such a view is checked like any other.
func (v *viewer) stored(t *store.Table, fn func(value.Row) bool) {
	if t == nil || v.Txn == nil {
		return
	}
	a := v.Access
	if a.Mode == store.Locking && a.Lock == store.NL {
		a.Lock = store.S
	}
	if err := v.Txn.Each(t, a, func(_ store.RowID, r value.Row) bool { return fn(r) }); err != nil {
		if v.Fail != nil {
			v.Fail(err)
		}
		panic(err)
	}
}
