package dialects

import (
	"context"
	"time"
)

// Rounds are the completion gates of a schema: sets of outside jobs after which something is started.
type Rounds interface {
	// DefineRound defines a round or changes it; reports so far are discarded.
	// Without members it is removed.
	DefineRound(ctx context.Context, r NewRound) error
	// ReportRound reports that a member has succeeded or failed, and returns the outcome.
	// The last success of a generation starts the successor, once; if that is a job, it starts it with the
	// rights of this connection, and waits until it runs.
	ReportRound(ctx context.Context, round, member string, succeeded bool) (RoundOutcome, error)
	// Rounds lists the rounds by name.
	Rounds(ctx context.Context) ([]Round, error)
}

// NewRound is a round to define; the zero value of an optional field means the default.
type NewRound struct {
	Name    string
	Members []string
	// SuccessorJob is a job of the server's own job scheduler; SuccessorSQL the text of a task. One is given.
	SuccessorJob string
	SuccessorSQL string
	Order        int           // of that task; 0: the default
	ProcessID    int64         // of that task; 0: the default process
	MaxAge       time.Duration // how long a report counts, whole seconds
	StartTimeout time.Duration // how soon the job must be seen to run, whole seconds
}

// RoundOutcome is the outcome of a report.
type RoundOutcome string

// The outcomes.
const (
	RoundWaiting  RoundOutcome = "Waiting"  // others have not succeeded yet
	RoundStarted  RoundOutcome = "Started"  // it was the last success; the successor was started
	RoundReported RoundOutcome = "Reported" // a failure; there is an alarm
	RoundFailed   RoundOutcome = "Failed"   // it was the last success, and the successor did not start; there is an alarm
	RoundUnknown  RoundOutcome = "Unknown"  // … and was not seen to start; there is an alarm
)

// Round is a row of the list of rounds. Times are UTC; nil is "not yet".
type Round struct {
	ID             int64      `json:"id"`
	Name           string     `json:"name"`
	Generation     int64      `json:"generation"` // that is being reported, from 1
	Members        int        `json:"members"`
	Succeeded      int        `json:"members_succeeded"`
	Failed         int        `json:"members_failed"`
	FirstReportAt  *time.Time `json:"first_report_at"`
	SuccessorJob   string     `json:"successor_job,omitempty"`
	SuccessorSQL   string     `json:"successor_sql,omitempty"`
	MaxAgeSeconds  int64      `json:"max_age_seconds"`
	StartSeconds   int64      `json:"start_seconds"`
	LastGeneration int64      `json:"last_generation,omitempty"` // that has ended
	LastStatus     string     `json:"last_status,omitempty"`     // Starting, Started, Failed or Unknown
	LastFiredAt    *time.Time `json:"last_fired_at"`
	LastFiredBy    string     `json:"last_fired_by,omitempty"` // the last member
	LastTaskID     int64      `json:"last_task_id,omitempty"`
	LastDetail     string     `json:"last_detail,omitempty"`
	DefinedBy      string     `json:"defined_by"`
	// Reports lists all members, by name, with what each reported for this generation.
	Reports []RoundReport `json:"reports"`
}

// RoundReport is what a member reported for the current generation; nil if it has not reported.
type RoundReport struct {
	Member     string     `json:"member"`
	Succeeded  *bool      `json:"succeeded"`
	ReportedAt *time.Time `json:"reported_at"`
}
