package broker

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Numbers and texts: learn.microsoft.com, "Database engine events and errors", 8000 to 9999.

func errState(number int32, statement string, s State) error {
	return sqlerr.New(number, "The conversation endpoint is not in a valid state for %s. The current endpoint state is '%s'.", statement, s)
}

func errQueueDisabled(q *Queue) error {
	return message.MS(9617, q.Name)
}

func errQueueDropped(q *Queue) error {
	return message.MS(208, fmt.Sprintf("%s.%s", q.Schema, q.Name))
}

// The codes of Error messages that Service Broker itself sends are negative message numbers.
const (
	codeContractNotSupported = -8408
	codeFarUnusable          = -8462
	codeServiceDropped       = -8470
	codeContractDropped      = -8487
	codeLifetime             = -8489
)

const (
	textFarUnusable     = "The remote conversation endpoint is either in a state where no more messages can be exchanged, or it has been dropped."
	textServiceDropped  = "Remote service has been dropped."
	textContractDropped = "The remote service contract has been dropped."
	textLifetime        = "The dialog has exceeded the specified LIFETIME."
)

// The values of sys.transmission_queue.transmission_status for a message that waits: the texts of
// messages 9791, 9793, 9795, 9749 and 28021.
const (
	statusBrokerDisabled  = "The broker is disabled in the sender's database."
	statusServiceUnknown  = "The target service name could not be found. Ensure that the service name is specified correctly and/or the routing information has been supplied."
	statusInstanceUnknown = "Could not find the target broker in the local SQL Server instance."
	statusBusy            = "Target queue is busy; message(s) queued for delivery."
	statusQueueDisabled   = "One or more messages could not be delivered to the local service targeted by this dialog."
)
