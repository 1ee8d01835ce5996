package dialects

import "time"

// Level is how a check of verify came out.
type Level string

// The levels.
const (
	OK   Level = "OK"
	Info Level = "INFO" // good to know; nothing to do
	Warn Level = "WARN" // works, or not looked at, but somebody should look
	Fail Level = "FAIL" // tasks do not run as they should
)

// Check is what one check of verify found.
type Check struct {
	Name  string `json:"name"` // what was looked at: a word or two in lower case, like "broker" or "lane queues"
	Level Level  `json:"level"`
	Text  string `json:"text"`            // what is so, in one sentence
	Means string `json:"means,omitempty"` // what follows from it for tasks
	// Remedy is what mends it: a statement for the engine's own client, or a command of this program.
	Remedy string `json:"remedy,omitempty"`
	Diff   string `json:"diff,omitempty"` // of an object that was altered: a unified diff from what was installed
	// Safe says that --fix may run Remedy, which is a statement then: it changes nothing that somebody may have meant to be so.
	Safe bool `json:"safe,omitempty"`
}

// VerifyOptions are the choices of a verification.
type VerifyOptions struct {
	// ProbeTimeout is how long the probe task may take, from enqueueing to its end; 0: no probe.
	ProbeTimeout time.Duration
	// Report, when set, is called with each check as it is done.
	Report func(Check)
}
