package broker

import (
	"time"

	"github.com/dbsched/dbsched/sandbox/store"
	"github.com/dbsched/dbsched/sandbox/value"
)

// BeginSpec are the clauses of BEGIN DIALOG CONVERSATION.
type BeginSpec struct {
	From                *Service
	To                  string        // compared byte by byte
	ToInstance          string        // empty, "CURRENT DATABASE" or the text of a broker's GUID
	Contract            *Contract     // nil: DEFAULT
	Lifetime            time.Duration // whole seconds; 0: not given, the greatest int of seconds
	Encryption          bool          // the statement's default is ON, which is refused here
	RelatedConversation Handle        // zero: not given
	RelatedGroup        Handle        // zero: not given
	Principal           int32         // of the conversation's owner
}

// BeginDialog creates the initiator's endpoint of a new conversation (state SO) and locks its
// conversation group. Errors: 8426, 8411, 9610.
func (d *Database) BeginDialog(tx *store.Txn, b BeginSpec) (Handle, error)

// Send sends a message (body NULL is 8433; the zero-length Bytes is an empty body) on a
// conversation. messageType empty is DEFAULT. Errors: 8426, 8428, 8429, 8430, 8431, 8432, 8433, 8434.
func (d *Database) Send(tx *store.Txn, conversation Handle, messageType string, body value.Value) error

// EndSpec are the clauses of END CONVERSATION.
type EndSpec struct {
	WithError   bool
	Code        int32  // with WithError; > 0
	Description string // with WithError
	Cleanup     bool
}

// EndConversation ends one side of a conversation. Errors: 8426, 8427.
func (d *Database) EndConversation(tx *store.Txn, conversation Handle, e EndSpec) error

// ConversationTimer sets the endpoint's one timer anew; 0 seconds … Errors: 8426, 8410, 8458.
func (d *Database) ConversationTimer(tx *store.Txn, conversation Handle, timeout time.Duration) error

// MoveConversation moves an endpoint, with its messages, to another conversation group of the
// same service. Errors: 8426, 8436, 8439.
func (d *Database) MoveConversation(tx *store.Txn, conversation, group Handle) error

// ReceiveSpec are the clauses of RECEIVE.
type ReceiveSpec struct {
	Top          int64 // < 0: no TOP
	Conversation Handle // WHERE conversation_handle = …; zero: none
	Group        Handle // WHERE conversation_group_id = …; zero: none
	Waiting      bool          // inside WAITFOR
	Wait         time.Duration // with Waiting: TIMEOUT; negative: without limit
	// Project, if not nil, evaluates the select list while the statement can still fail: if it
	// does, the queue monitor has seen no RECEIVE (an activated procedure whose RECEIVE fails
	// leaves its monitor NOTIFIED), and the caller undoes the statement.
	Project func([]Message) error
}

// Message is a received message: the columns of a queue.
type Message struct{}

// Receive receives messages of one conversation group and locks it. Errors: 9617, 8426, 8436,
// 208 when the queue was dropped meanwhile, store.ErrInterrupted.
func (d *Database) Receive(tx *store.Txn, q *Queue, r ReceiveSpec) ([]Message, error)

// GetConversationGroup locks the next group that has messages; ok is false when there is none.
func (d *Database) GetConversationGroup(tx *store.Txn, q *Queue, waiting bool, wait time.Duration) (group Handle, ok bool, err error)

// Metadata, all under undo of tx:
//   CreateMessageType(tx, name, owner, validation) (*MessageType, error)   AlterMessageType  DropMessageType
//   CreateContract(tx, name, owner, []ContractMessage) (*Contract, error)  DropContract
//   CreateQueue(tx, QueueSpec) (*Queue, error)  AlterQueue(tx, *Queue, QueueSettings) error  DropQueue(tx, *Queue) error
//   CreateService(tx, name, owner, *Queue, []int32) (*Service, error)  AlterService  DropService
//   MessageType(name), Contract(name), Service(name), Queue(id); MessageTypes(), Contracts(), Services(), Queues() iter.Seq
//   Endpoints() *store.Table, Transmissions() *store.Table (+ column constants), Queue.Table()
//   Enabled(), GUID(), Enable() error, Disable(), NewBroker()
//   Instance.Monitors() []MonitorInfo, Instance.ActivatedTasks() []ActivatedTask
