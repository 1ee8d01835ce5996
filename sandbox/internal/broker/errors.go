package broker

import "github.com/dbsched/dbsched/sandbox/internal/sqlerr"

// Numbers and texts: learn.microsoft.com, "Database engine events and errors", 8000 to 9999.

func errHandleNotFound(h Handle) error {
	return sqlerr.New(8426, "The conversation handle \"%s\" is not found.", h)
}

func errState(number int32, statement string, s State) error {
	return sqlerr.New(number, "The conversation endpoint is not in a valid state for %s. The current endpoint state is '%s'.", statement, s)
}

func errQueueDisabled(q *Queue) error {
	return sqlerr.New(9617, "The service queue \"%s\" is currently disabled.", q.Name)
}

func errQueueDropped(q *Queue) error {
	return sqlerr.New(208, "Invalid object name '%s.%s'.", q.Schema, q.Name)
}

func errExists(name string) error {
	return sqlerr.New(2714, "There is already an object named '%s' in the database.", name)
}

func errBound(kind, name, by string) error {
	return sqlerr.New(3716, "The %s '%s' cannot be dropped because it is bound to one or more %s.", kind, name, by)
}

// errSystemObject refuses changes to what every database has.
func errSystemObject() error { return sqlerr.New(9663, "The system object cannot be modified.") }

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

// What sys.transmission_queue.transmission_status says of a message that waits: the texts of
// messages 9791, 9793, 9795, 9749 and 28021.
const (
	statusBrokerDisabled  = "The broker is disabled in the sender's database."
	statusServiceUnknown  = "The target service name could not be found. Ensure that the service name is specified correctly and/or the routing information has been supplied."
	statusInstanceUnknown = "Could not find the target broker in the local SQL Server instance."
	statusBusy            = "Target queue is busy; message(s) queued for delivery."
	statusQueueDisabled   = "One or more messages could not be delivered to the local service targeted by this dialog."
)
