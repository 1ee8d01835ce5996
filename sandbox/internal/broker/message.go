package broker

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// The columns of a queue's table, in the order of SELECT * and RECEIVE *
// (learn.microsoft.com, "CREATE QUEUE (Transact-SQL)", and what SELECT * shows since 2016).
const (
	columnStatus = iota
	columnPriority
	columnOrder
	columnGroup
	columnConversation
	columnSequence
	columnServiceName
	columnServiceID
	columnContractName
	columnContractID
	columnTypeName
	columnTypeID
	columnValidation
	columnBody
	columnEnqueued
	queueWidth
)

// The values of a queue's status column. RECEIVE returns messages of status 1 and shows them as 0.
const (
	statusReceived = 0
	statusReady    = 1
)

// Message is a message of a queue.
type Message struct {
	Status       int64
	Priority     int64
	Order        int64 // queuing_order
	Group        Handle
	Conversation Handle
	Sequence     int64 // in its conversation and direction, from 0
	ServiceName  string
	ServiceID    int32
	ContractName string
	ContractID   int32
	TypeName     string
	TypeID       int32
	Validation   Validation
	Body         value.Value // Bytes; NULL when the message has no body
	Enqueued     time.Time   // UTC

	row store.RowID
}

// Row returns the columns of the message in the order of SELECT *.
func (m *Message) Row() value.Row {
	r := make(value.Row, queueWidth)
	r[columnStatus] = value.NewInt(m.Status)
	r[columnPriority] = value.NewInt(m.Priority)
	r[columnOrder] = value.NewInt(m.Order)
	r[columnGroup] = value.NewGUID(m.Group)
	r[columnConversation] = value.NewGUID(m.Conversation)
	r[columnSequence] = value.NewInt(m.Sequence)
	r[columnServiceName] = value.NewString(m.ServiceName)
	r[columnServiceID] = value.NewInt(int64(m.ServiceID))
	r[columnContractName] = value.NewString(m.ContractName)
	r[columnContractID] = value.NewInt(int64(m.ContractID))
	r[columnTypeName] = value.NewString(m.TypeName)
	r[columnTypeID] = value.NewInt(int64(m.TypeID))
	r[columnValidation] = value.NewString(string(rune(m.Validation)) + " ") // nchar(2)
	r[columnBody] = m.Body
	r[columnEnqueued] = timeValue(m.Enqueued)
	return r
}

func decodeMessage(id store.RowID, r value.Row) Message {
	return Message{
		row:          id,
		Status:       r[columnStatus].Int64(),
		Priority:     r[columnPriority].Int64(),
		Order:        r[columnOrder].Int64(),
		Group:        r[columnGroup].GUIDBytes(),
		Conversation: r[columnConversation].GUIDBytes(),
		Sequence:     r[columnSequence].Int64(),
		ServiceName:  r[columnServiceName].Str(),
		ServiceID:    int32(r[columnServiceID].Int64()),
		ContractName: r[columnContractName].Str(),
		ContractID:   int32(r[columnContractID].Int64()),
		TypeName:     r[columnTypeName].Str(),
		TypeID:       int32(r[columnTypeID].Int64()),
		Validation:   Validation(r[columnValidation].Str()[0]),
		Body:         r[columnBody],
		Enqueued:     timeOf(r[columnEnqueued]),
	}
}

// inReceiveOrder sorts messages of one group as RECEIVE returns them: one conversation after the
// other, that with the oldest message first, each in the order in which it was sent. Messages that
// Service Broker adds locally (timers, errors) take their place in a conversation by queuing order.
func inReceiveOrder(ms []Message) {
	first := map[Handle]int64{}
	for _, m := range ms {
		if o, ok := first[m.Conversation]; !ok || m.Order < o {
			first[m.Conversation] = m.Order
		}
	}
	slices.SortFunc(ms, func(a, b Message) int {
		return cmp.Or(cmp.Compare(first[a.Conversation], first[b.Conversation]), cmp.Compare(a.Order, b.Order))
	})
}

func intKey(n int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(n)^1<<63)
}

// errorBody is the body of an Error message: UTF-16 XML with the code and the description.
func errorBody(code int32, text string) value.Value {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // writing to memory does not fail
	return value.NewBytes(charset.AppendUTF16(nil, fmt.Sprintf(
		`<?xml version="1.0"?><Error xmlns="%s"><Code>%d</Code><Description>%s</Description></Error>`, TypeError, code, &b)))
}
