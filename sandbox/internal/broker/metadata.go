package broker

import (
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// The names that Service Broker itself knows. Message type names compare byte by byte, and they
// begin with http, not https, whatever some pages say.
const (
	TypeDefault     = "DEFAULT"
	TypeError       = "http://schemas.microsoft.com/SQL/ServiceBroker/Error"
	TypeEndDialog   = "http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog"
	TypeDialogTimer = "http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer"

	ContractDefault = "DEFAULT"

	notifications = "http://schemas.microsoft.com/SQL/Notifications/"
)

// firstUserID is the lowest id of user-defined message types, contracts and services.
const firstUserID = 65536

// Validation says what a message body must be; the value is the letter of the queue's validation column.
type Validation byte

// The validations of message types. Validation against a schema collection is not modeled.
const (
	ValidationNone  Validation = 'N'
	ValidationEmpty Validation = 'E'
	ValidationXML   Validation = 'X' // well-formed XML
)

// MessageType is an immutable message type; ALTER replaces it.
type MessageType struct {
	ID         int32
	Name       string
	Owner      int32 // principal id
	Validation Validation
	System     bool // sent by Service Broker only
}

// SentBy says which side may send a message type.
type SentBy uint8

// Who may send a message type under a contract.
const (
	ByInitiator SentBy = 1 << iota
	ByTarget
	ByAny = ByInitiator | ByTarget
)

// ContractMessage is a message type of a contract.
type ContractMessage struct {
	Type int32 // MessageType.ID
	By   SentBy
}

// Contract is an immutable contract.
type Contract struct {
	ID       int32
	Name     string
	Owner    int32 // principal id
	Messages []ContractMessage
}

// Service is an immutable service; ALTER SERVICE replaces it.
type Service struct {
	ID        int32
	Name      string
	Owner     int32 // principal id
	Queue     *Queue
	Contracts []int32 // ids of the contracts on which it may be a target
}

// Accepts reports whether conversations on the contract may target the service.
func (s *Service) Accepts(contract int32) bool {
	return slices.Contains(s.Contracts, contract)
}

// Activation are a queue's activation settings as CREATE or ALTER QUEUE gave them.
type Activation struct {
	Enabled    bool
	Procedure  string // [database].[schema].[name] or [schema].[name], as sys.service_queues shows it; empty: none
	MaxReaders int
	ExecuteAs  int32 // principal id; ExecuteAsOwner for OWNER; 0: none given
}

// ExecuteAsOwner is sys.service_queues.execute_as_principal_id of EXECUTE AS OWNER.
const ExecuteAsOwner int32 = -2

// QueueSettings are what ALTER QUEUE can change.
type QueueSettings struct {
	Enabled       bool // STATUS
	PoisonHandled bool // POISON_MESSAGE_HANDLING
	Activation    Activation
}

// QueueSpec describes a queue to create.
type QueueSpec struct {
	ID           int32 // object id
	Schema, Name string
	QueueSettings
}

// Queue is a queue. Its identity stays the same from CREATE to DROP; its settings change.
type Queue struct {
	ID   int32  // object id
	Name string // without schema: what errors show

	Schema   string
	Database *Database

	settings  QueueSettings
	table     *store.Table
	byGroup   *store.Index
	dropped   bool
	order     int64 // last queuing_order given
	rollbacks int   // consecutive rollbacks of transactions that received
	waiters   store.Waiters
	held      []func() // timers that fired while the queue was off
	monitor   *Monitor
}

// Settings returns the queue's settings, as an open transaction may have changed them.
func (q *Queue) Settings() QueueSettings { return q.settings }

// Table returns the rows of the queue for SELECT; the columns are those of SELECT *.
func (q *Queue) Table() *store.Table { return q.table }

// Dropped reports whether the queue was dropped.
func (q *Queue) Dropped() bool { return q.dropped }

// formatGUID formats 16 bytes in wire order as SQL Server shows a uniqueidentifier.
func formatGUID(g [16]byte) string {
	b := []byte{g[3], g[2], g[1], g[0], g[5], g[4], g[7], g[6]}
	s := strings.ToUpper(hex.EncodeToString(append(b, g[8:]...)))
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// maxLifetime is the lifetime of a dialog that gives none: the largest int, in seconds.
const maxLifetime = (1<<31 - 1) * time.Second
