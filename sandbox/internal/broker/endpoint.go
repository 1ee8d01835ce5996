package broker

import (
	"cmp"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// State is the state of a conversation endpoint: the two letters of sys.conversation_endpoints.state.
type State string

// The states of an endpoint. SI (started inbound) does not occur between services of one
// instance: a first message arrives whole.
const (
	StartedOutbound      State = "SO"
	Conversing           State = "CO"
	DisconnectedInbound  State = "DI"
	DisconnectedOutbound State = "DO"
	Failed               State = "ER"
	Closed               State = "CD"
)

// Description is sys.conversation_endpoints.state_desc.
func (s State) Description() string {
	return cmp.Or(map[State]string{
		StartedOutbound: "STARTED_OUTBOUND", Conversing: "CONVERSING", DisconnectedInbound: "DISCONNECTED_INBOUND",
		DisconnectedOutbound: "DISCONNECTED_OUTBOUND", Failed: "ERROR",
	}[s], "CLOSED")
}

// The columns of the endpoints table, in the order of sys.conversation_endpoints; what follows
// EndpointColumns columns is internal.
const (
	endpointHandle = iota
	endpointConversation
	endpointInitiator
	endpointContract
	endpointGroup
	endpointService
	endpointLifetime
	endpointState
	endpointStateDesc
	endpointFarService
	endpointFarInstance
	endpointPrincipal
	endpointFarPrincipal
	endpointOutboundKey
	endpointInboundKey
	endpointSecurityTimestamp
	endpointTimer
	endpointSendSequence
	endpointLastSender
	endpointEndSequence
	endpointReceiveSequence
	endpointReceiveFragment
	endpointSystemSequence
	endpointFirstDisordered
	endpointLastDisordered
	endpointLastFragment
	endpointIsSystem
	endpointPriority
	endpointWidth
)

// EndpointColumns are the columns of Database.Endpoints by name, in order: those of sys.conversation_endpoints.
func EndpointColumns() []string {
	return []string{
		"conversation_handle", "conversation_id", "is_initiator", "service_contract_id", "conversation_group_id", "service_id",
		"lifetime", "state", "state_desc", "far_service", "far_broker_instance", "principal_id", "far_principal_id",
		"outbound_session_key_identifier", "inbound_session_key_identifier", "security_timestamp", "dialog_timer",
		"send_sequence", "last_send_tran_id", "end_dialog_sequence", "receive_sequence", "receive_sequence_frag",
		"system_sequence", "first_out_of_order_sequence", "last_out_of_order_sequence", "last_out_of_order_frag", "is_system", "priority",
	}
}

// defaultPriority is the priority of conversations without a conversation priority.
const defaultPriority = 5

// endpoint is a decoded row of the endpoints table.
type endpoint struct {
	id store.RowID

	handle       Handle
	conversation Handle
	initiator    bool
	contract     int32
	group        Handle
	service      int32
	lifetime     time.Time
	state        State
	farService   string
	farInstance  string // empty: NULL
	principal    int32
	timer        time.Time // zero: not set
	security     time.Time // zero: not set; for a closed target, when it goes away
	sendSequence int64     // of the next message
	endSequence  int64
	lastSender   int64 // transaction id
}

func (e *endpoint) row() value.Row {
	noKey := value.NewGUID(Handle{})
	r := make(value.Row, endpointWidth)
	r[endpointHandle] = value.NewGUID(e.handle)
	r[endpointConversation] = value.NewGUID(e.conversation)
	r[endpointInitiator] = value.NewInt(flag(e.initiator))
	r[endpointContract] = value.NewInt(int64(e.contract))
	r[endpointGroup] = value.NewGUID(e.group)
	r[endpointService] = value.NewInt(int64(e.service))
	r[endpointLifetime] = timeValue(e.lifetime)
	r[endpointState] = value.NewString(string(e.state))
	r[endpointStateDesc] = value.NewString(e.state.Description())
	r[endpointFarService] = value.NewString(e.farService)
	if e.farInstance != "" {
		r[endpointFarInstance] = value.NewString(e.farInstance)
	}
	r[endpointPrincipal] = value.NewInt(int64(e.principal))
	r[endpointFarPrincipal] = value.NewInt(-1)
	r[endpointOutboundKey], r[endpointInboundKey] = noKey, noKey
	r[endpointSecurityTimestamp] = timeValue(e.security)
	r[endpointTimer] = timeValue(e.timer)
	r[endpointSendSequence] = value.NewInt(e.sendSequence)
	r[endpointLastSender] = value.NewBytes(transactionID(e.lastSender))
	r[endpointEndSequence] = value.NewInt(e.endSequence)
	for _, c := range []int{
		endpointReceiveSequence, endpointReceiveFragment, endpointSystemSequence,
		endpointFirstDisordered, endpointLastDisordered, endpointLastFragment,
	} {
		r[c] = value.NewInt(0)
	}
	r[endpointIsSystem] = value.NewInt(0)
	r[endpointPriority] = value.NewInt(defaultPriority)
	return r
}

func decodeEndpoint(id store.RowID, r value.Row) *endpoint {
	return &endpoint{
		id:           id,
		handle:       r[endpointHandle].GUIDBytes(),
		conversation: r[endpointConversation].GUIDBytes(),
		initiator:    r[endpointInitiator].Int64() != 0,
		contract:     int32(r[endpointContract].Int64()),
		group:        r[endpointGroup].GUIDBytes(),
		service:      int32(r[endpointService].Int64()),
		lifetime:     timeOf(r[endpointLifetime]),
		state:        State(r[endpointState].Str()),
		farService:   r[endpointFarService].Str(),
		farInstance:  r[endpointFarInstance].Str(),
		principal:    int32(r[endpointPrincipal].Int64()),
		timer:        timeOf(r[endpointTimer]),
		security:     timeOf(r[endpointSecurityTimestamp]),
		sendSequence: r[endpointSendSequence].Int64(),
		endSequence:  r[endpointEndSequence].Int64(),
		lastSender:   senderOf(r[endpointLastSender]),
	}
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// unset is how SQL Server shows a time that is not set in a column that is not nullable.
var unset = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)

// tick is the resolution of stored times.
const tick = 100 * time.Nanosecond

// ticksPerSecond are the ticks of value.NewTime; secondsToUnix the seconds from year 1 to 1970.
const (
	ticksPerSecond = 10_000_000
	secondsToUnix  = 62_135_596_800
)

func timeValue(t time.Time) value.Value {
	if t.IsZero() {
		t = unset
	}
	return value.NewTime((t.Unix()+secondsToUnix)*ticksPerSecond+int64(t.Nanosecond())/100, 0)
}

func timeOf(v value.Value) time.Time {
	t := time.Unix(v.N/ticksPerSecond-secondsToUnix, v.N%ticksPerSecond*100).UTC()
	if t.Equal(unset) {
		return time.Time{}
	}
	return t
}

// transactionID is last_send_tran_id, binary(6).
func transactionID(id int64) []byte {
	return []byte{byte(id), byte(id >> 8), byte(id >> 16), byte(id >> 24), byte(id >> 32), byte(id >> 40)}
}

func senderOf(v value.Value) (id int64) {
	for i, b := range []byte(v.Str()) {
		id |= int64(b) << (8 * i)
	}
	return id
}
