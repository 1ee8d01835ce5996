package dialects

import (
	"math"
	"time"

	"github.com/dbsched/dbsched/templates"
)

// What an installation and its users may choose at most. The server checks it again.
const (
	DefaultLanes    = templates.DefaultLanes // that an installation gets by default
	MaxLanes        = templates.MaxLanes     // that it can have: every lane is several database objects
	MaxPriority     = 1_000_000              // of a task or process; the lowest is its negative
	MaxWeight       = 1000                   // of a process
	MaxAttempts     = 100                    // of a task
	MaxRetryDelay   = 24 * time.Hour
	MaxTimeout      = math.MaxInt32 * time.Second
	MaxCapacity     = 1_000_000 // of a resource
	MaxProcessName  = 128       // characters, also of a resource
	MaxScheduleName = 100       // characters
	MaxCalendar     = 200       // characters of a calendar
	MaxDedupKey     = 200       // characters
	MaxTaskName     = 128       // characters
)

// Numbers of errors that the program knows, without what the engine adds: 51000 on SQL Server, 20000 on Oracle.
const (
	NumberStandby  = 16 // a database that is read-only
	NumberCopy     = 19 // start in a copy
	NumberCalendar = 74 // it cannot be read
	FirstPreflight = 80 // the first of those of a server that is not ready
	LastPreflight  = 86
)

// OrderStep is the distance of execution orders that a program chooses: room for others in between.
const OrderStep = 100

// Policies returns all policies.
func Policies() []Policy { return []Policy{Fifo, Priority, RoundRobin} }

// OnErrors returns what a process can do after a failed task, the default first.
func OnErrors() []string { return []string{"Halt", "Continue"} }

// OnOrphans returns what can happen to a task whose worker died, the default first.
func OnOrphans() []string { return []string{"Retry", "Fail"} }

// Accesses returns how a task can use its resource, the default first.
func Accesses() []string { return []string{"Shared", "Exclusive"} }

// Overlaps returns what a schedule can do at an instant while its previous process is unfinished, the default first.
func Overlaps() []string { return []string{"Skip", "Queue", "Allow"} }

// MissedPolicies returns what a schedule can do with instants that have passed while nothing ran, the default first.
func MissedPolicies() []string { return []string{"Once", "None", "All"} }

// OpenStatuses returns the statuses of an unfinished process, and ProcessStatuses all.
func OpenStatuses() []string { return []string{"Suspended", "Open", "Closing"} }

// ProcessStatuses returns the statuses of a process.
func ProcessStatuses() []string { return append(OpenStatuses(), "Succeeded", "Failed", "Cancelled") }

// UnfinishedStatuses returns the statuses of an unfinished task, and TaskStatuses all.
func UnfinishedStatuses() []string { return []string{"Pending", "Waiting", "Running", "Stopping"} }

// TaskStatuses returns the statuses of a task.
func TaskStatuses() []string {
	return append(UnfinishedStatuses(), "Succeeded", "Failed", "TimedOut", "Cancelled", "Skipped")
}

// Outcomes returns how an attempt can end.
func Outcomes() []string {
	return []string{"Succeeded", "Failed", "Orphaned", "TimedOut", "Cancelled", "Outage"}
}

// BadOutcomes are the outcomes of attempts that ended badly, and not because a user cancelled them.
func BadOutcomes() []string { return []string{"Failed", "TimedOut", "Orphaned", "Outage"} }
