package agent

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// String formats an id as CONVERT does: the first three groups are stored the other way round.
func (id ID) String() string {
	return fmt.Sprintf("%02X%02X%02X%02X-%02X%02X-%02X%02X-%X-%X", id[3], id[2], id[1], id[0], id[5], id[4], id[7], id[6], id[8:10], id[10:])
}

// Texts: sys.messages. Those of 22022 are what SQLServerAgent sends.

// errAgent is what the extended procedure that talks to the service sends: TRY does not see it.
func errAgent(format string, args ...any) error {
	return &sqlerr.Error{Number: 22022, Severity: 16, State: 1, Uncaught: true, Text: "SQLServerAgent Error: " + fmt.Sprintf(format, args...)}
}

func errStopped() error {
	return &sqlerr.Error{
		Number: 22022, Severity: 16, State: 1, Uncaught: true,
		Text: "SQLServerAgent is not currently running so it cannot be notified of this action.",
	}
}
