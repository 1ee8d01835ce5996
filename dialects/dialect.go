// Package dialects defines what dbsched needs from a database engine, without any engine's
// own words: a [Dialect] knows how to render and reach one engine, a [Scheduler]
// is one schema of one database seen through it. Any difference between engines is a
// method here, never a test for a name elsewhere.
package dialects

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"time"
)

// Dialect is one database engine, without a connection to it.
type Dialect interface {
	// Name is what --dialect takes.
	Name() string
	// Schemes are the URL schemes whose DSNs belong to this dialect.
	Schemes() []string
	// DefaultSchema is where dbsched is installed by default; empty when
	// that is the schema of the user who connects.
	DefaultSchema() string
	// Version is the version of the SQL that this program installs: a digest of it, the same for the same SQL.
	Version() (string, error)
	// Redact returns the DSN fit for display: no password, no secret option, and
	// nothing of a DSN that cannot be parsed.
	Redact(dsn string) string
	// Exposed says that others on the network can read or change what a connection sends, and what to write in the DSN against it. It is empty
	// if the server is this machine or proves who it is, and for a DSN that cannot be parsed.
	Exposed(dsn string) string
	// Render writes the whole installation as one script for the engine's own
	// command-line client. It needs no connection.
	Render(w io.Writer, layout Layout) error
	// RenderGrants writes what an administrator runs before another user can install.
	// It needs no connection.
	RenderGrants(w io.Writer, layout Layout) error
	// RenderKillScript writes what an administrator of the server runs, once, so that dbsched may end the sessions of running
	// tasks. It needs no connection, and fails with a UsageError where dbsched may already do so.
	RenderKillScript(w io.Writer, layout Layout) error
	// RenderTrust writes what the owners of databases run, each in their own, so that tasks of named users may leave dbsched's
	// database. It needs no connection, and fails with a UsageError for names that a script cannot hold, and for engines without such a script.
	RenderTrust(w io.Writer, layout Layout, trust Trust) error
	// RenderRunner writes what the runner of a layout runs after the owner has run what Render writes. It needs no
	// connection, and fails with a UsageError where tasks need no runner.
	RenderRunner(w io.Writer, layout Layout) error
	// WriteBatch writes one batch the way Render does.
	WriteBatch(w io.Writer, b Batch) error
	// Sleep returns a statement that does nothing for d: the body of demonstration tasks.
	Sleep(d time.Duration) string
	// CheckTask refuses, with a UsageError, the SQL of a task that cannot mean what it says.
	CheckTask(sql string) error
	// Parameters are the rules for the parameters of tasks.
	Parameters() Parameters
	// Open connects. It fails with a UsageError for a DSN or schema name that cannot
	// be used, and with a ConnectError when the server cannot be reached or refuses
	// the login.
	Open(ctx context.Context, target Target) (Scheduler, error)
	// OpenDB connects as Open does, for SQL that is not dbsched's: a pool of one connection.
	OpenDB(ctx context.Context, target Target) (*sql.DB, error)
}

// Target is where a command connects.
type Target struct {
	DSN    string
	Schema string // empty: the schema of the user who connects, if the dialect takes that
	// DryRun, when set, receives every statement that would change something,
	// instead of the server. Reading works as usual.
	DryRun func(Batch)
	// Dial, when set, makes the connections, instead of the network.
	Dial DialFunc
	// Password, when set, returns the password of a login that needs one and whose DSN has none.
	Password func(context.Context, Login) (string, error)
	// Later, when set, holds migrations that follow the program's own, from a future version: for tests of upgrades.
	Later fs.FS
	// Templates, when set, are used instead of the program's own, to install and to uninstall: for tests of mistakes in them.
	Templates fs.FS
	// Notify, when set, receives progress messages, one line at a time.
	Notify func(line string)
}

// Login is what a password is for.
type Login struct {
	Name   string // server and user, fit for display
	Runner bool   // the user that runs tasks
}

// DialFunc connects to an address.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// DialContext is what the drivers call.
func (f DialFunc) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return f(ctx, network, address)
}

// Layout is what must be known to render the objects.
type Layout struct {
	Schema string
	Lanes  int // MaxLanes: the most workers that SetWorkers can ever set
	// Runner is the user that runs tasks, if other than the enqueuer; empty: the owner.
	Runner string
	// Later and Templates are as in Target.
	Later, Templates fs.FS
}

// Trust says whose tasks may leave dbsched's database, and where they may go.
type Trust struct {
	Users   []string // of dbsched's database; none to revoke
	Targets []string // the other databases
	Revoke  bool     // revoke it from all users
}

// Batch is a text that is sent to the server in one piece.
type Batch struct {
	Name string // the template or migration, or the procedure called
	SQL  string
}

// Scheduler is dbsched in one schema of one database. Every method that sends
// something fails with a ServerError when the server refuses it, and with a ConnectError
// when the connection is lost.
type Scheduler interface {
	// Target names server, database and user, never the password.
	Target() string
	// Schema is the schema dbsched is, or will be, installed in.
	Schema() string
	Close() error

	// Install brings the schema to what this program renders; it changes nothing
	// that is already right. A PreflightError lists all obstacles.
	Install(ctx context.Context, opts InstallOptions) (InstallReport, error)
	// Uninstall removes everything that Install created and nothing else.
	Uninstall(ctx context.Context, opts UninstallOptions) (UninstallReport, error)

	// Verify checks whether the installation is sound and works, and returns what each check found, in a fixed
	// order. It changes nothing except for the probe task, which it removes. What a user may not see is a check of level Info.
	Verify(ctx context.Context, opts VerifyOptions) ([]Check, error)
	// Mend runs the remedy of a check that is Safe.
	Mend(ctx context.Context, c Check) error

	// Start starts the scheduler; it is idempotent, as Stop is.
	Start(ctx context.Context) error
	// StartHere is Start in a copy of the database in which the scheduler was started, where Start fails. Schedules are suspended there.
	StartHere(ctx context.Context) error
	// StartMoved is Start in the database itself, when its server or name is another: Start takes it for a copy.
	StartMoved(ctx context.Context) error
	// StartAlsoOn is Start, and names the servers (on Oracle, the databases) to which this database may move without a new start. They
	// replace the earlier names.
	StartAlsoOn(ctx context.Context, names []string) error
	Stop(ctx context.Context, mode StopMode) error
	SetWorkers(ctx context.Context, n int) error
	SetPolicy(ctx context.Context, policy Policy) error
	Status(ctx context.Context) (Status, error)

	// Exec enqueues the tasks in one transaction and returns their ids in order.
	Exec(ctx context.Context, tasks []NewTask) ([]int64, error)
	CreateProcess(ctx context.Context, p NewProcess) (int64, error)
	// CloseProcess declares that no more tasks come: the process can finish.
	CloseProcess(ctx context.Context, id int64) error
	// WaitProcess waits on the server until no task of the process is unfinished,
	// and reports whether that was within timeout (whole seconds).
	WaitProcess(ctx context.Context, id int64, timeout time.Duration) (finished bool, err error)
	// Submit creates a process suspended, enqueues its tasks, releases and closes it, all in
	// one transaction: all of it exists, or nothing. The tasks' ProcessID is set here.
	Submit(ctx context.Context, p NewProcess, tasks []NewTask) (Submitted, error)
	// FindProcess resolves the value of --process, a name or an id.
	FindProcess(ctx context.Context, nameOrID string) (int64, error)

	// CancelTask cancels a task; a running one ends when its session does. A task that has
	// ended stays as it is.
	CancelTask(ctx context.Context, id int64) error
	CancelProcess(ctx context.Context, id int64) error
	// RetryTask runs a task again that has not succeeded, RetryProcess all such tasks.
	RetryTask(ctx context.Context, id int64) error
	RetryProcess(ctx context.Context, id int64) error

	// EndCommand returns the command with which an administrator lets dbsched end the sessions of running tasks; empty if it may, or if the
	// user may not see that.
	EndCommand(ctx context.Context) (string, error)

	// Alarms lists what a person should look at. AcknowledgeAlarms acknowledges those up to an id, 0 for all.
	Alarms(ctx context.Context, f Filter) ([]Alarm, error)
	// AlarmKinds counts the unacknowledged alarms by kind.
	AlarmKinds(ctx context.Context) (map[string]int64, error)
	AcknowledgeAlarms(ctx context.Context, upTo int64) error
	// AcknowledgeAlarm acknowledges one alarm.
	AcknowledgeAlarm(ctx context.Context, id int64) error
	// Purge deletes what ended more than the given number of days ago.
	Purge(ctx context.Context, days int) error
	// Options reads the settings that SetOptions changes; nil leaves one as it is.
	Options(ctx context.Context) (Options, error)
	SetOptions(ctx context.Context, o Options) error
	// SetAlarmHook sets the procedure that is called for each alarm; "" removes it.
	SetAlarmHook(ctx context.Context, procedure string) error

	// DefineResource defines a semaphore, or changes its capacity.
	DefineResource(ctx context.Context, name string, capacity int) error
	// DropResource removes a semaphore without requests.
	DropResource(ctx context.Context, name string) error
	// ReleaseResource ends a request for a resource, whether it was granted or not.
	ReleaseResource(ctx context.Context, request int64) error

	Processes(ctx context.Context, f Filter) ([]Process, error)
	Tasks(ctx context.Context, f Filter) ([]Task, error)
	Logs(ctx context.Context, f Filter) ([]LogEntry, error)
	// Attempts counts what Logs lists without a limit.
	Attempts(ctx context.Context, f Filter) (Attempts, error)
	Lanes(ctx context.Context) ([]Lane, error)
	// Queue counts the unfinished tasks. Its cost grows with their number.
	Queue(ctx context.Context) ([]Queued, error)
	// Resources lists resources by name, each with its line in order: one row for each
	// request, or one without a request.
	Resources(ctx context.Context) ([]ResourceRequest, error)

	// Grant lets a user of the database use this installation, or also administer it; Revoke revokes both.
	Grant(ctx context.Context, user string, admin bool) error
	Revoke(ctx context.Context, user string) (Revoked, error)

	Rounds
	Schedules
}

// Revoked is what a revoked user leaves.
type Revoked struct {
	Schedules int64 // that were suspended
	Rounds    int64 // that enqueue nothing from now on
}

// InstallOptions are the choices of an installation.
type InstallOptions struct {
	Lanes int // 0: as many as are installed, or DefaultLanes
	// ForceEnableBroker lets the installation disconnect other sessions from the
	// database when messaging is off and enabling it requires exclusive access. It has
	// no effect where messaging is never off.
	ForceEnableBroker bool
	// RunnerDSN is how to log in as the user that runs tasks, where that is a choice; empty: as installed, or
	// as the owner. It fails with a UsageError on SQL Server, where every task runs as its enqueuer.
	RunnerDSN string
	// LockTimeout is how long to wait for another installation to end.
	LockTimeout time.Duration
	// DrainTimeout is how long running tasks may take to finish when the code
	// that runs them changes.
	DrainTimeout time.Duration
	// Now cancels the tasks that are running then, instead of letting them finish. Their sessions also have DrainTimeout to end.
	Now bool
}

// StopMode is how an installation stops running tasks.
func (o InstallOptions) StopMode() StopMode {
	if o.Now {
		return StopNow
	}
	return StopDrain
}

// UninstallOptions are the choices of an uninstallation.
type UninstallOptions struct {
	// DrainTimeout is how long running tasks may take to finish.
	DrainTimeout time.Duration
	LockTimeout  time.Duration
}

// InstallReport is what an installation did.
type InstallReport struct {
	Database  string   `json:"database"`
	Schema    string   `json:"schema"`
	Lanes     int      `json:"lanes"`
	Migration int      `json:"migration"` // the version the tables have now
	Applied   []string `json:"applied"`   // batches sent, in order
	Unchanged int      `json:"unchanged"` // batches that were already right
	Warnings  []string `json:"warnings,omitempty"`
}

// UninstallReport is what an uninstallation removed.
type UninstallReport struct {
	Database string   `json:"database"`
	Schema   string   `json:"schema"`
	Removed  []string `json:"removed"`
}

// StopMode says what happens to running tasks.
type StopMode string

// The two ways to stop.
const (
	StopDrain StopMode = "Drain" // running tasks finish
	StopNow   StopMode = "Now"   // running tasks are abandoned: none is retried
)

// Policy decides which process gets the next free worker.
type Policy string

// The policies.
const (
	Fifo       Policy = "Fifo"       // oldest process first
	Priority   Policy = "Priority"   // highest priority first, ties by age
	RoundRobin Policy = "RoundRobin" // fewest running tasks for its weight first
)

// Status is the scheduler at one moment.
type Status struct {
	Target  string `json:"target"`
	Schema  string `json:"schema"`
	Version string `json:"installed_version"`
	Started bool   `json:"started"`
	CopyOf  string `json:"copy_of,omitempty"` // in a copy, where nothing runs: the database in which the scheduler was started
	// AlsoOn is where else the database may move without a new start.
	AlsoOn     []string `json:"also_on,omitempty"`
	Policy     Policy   `json:"policy"`
	MaxWorkers int      `json:"max_workers"`
	MaxLanes   int      `json:"max_lanes"`
	Workers    int      `json:"workers"` // sessions that hold a lane, working or not
	Running    int64    `json:"tasks_running"`
	Unfinished int64    `json:"tasks_unfinished"`  // including the running ones
	Alarms     int64    `json:"alarms"`            // not acknowledged
	Blocked    Block    `json:"blocked,omitempty"` // why no task runs
	// Now is the server's time, on which ages are based.
	Now time.Time `json:"now"`
}

// Block is why no task runs.
type Block string

// The blocks; "" is none. Which ones exist depends on the engine.
const (
	Stopped      Block = "Stopped"
	Copied       Block = "Copy"         // the database is a copy of the scheduler's home
	BrokerOff    Block = "BrokerOff"    // SQL Server: Service Broker is off
	NoWorkers    Block = "NoWorkers"    // no worker is allowed
	NoDispatcher Block = "NoDispatcher" // the dispatcher is overdue
	NoSettings   Block = "NoSettings"   // the settings row is missing
	Unknown      Block = "Unknown"      // the status cannot be read
)

// WhyBlocked returns why no task runs, and the next command. Both are empty if tasks run.
func (st Status) WhyBlocked() (text, next string) {
	switch st.Blocked {
	case "":
		return "", ""
	case Stopped:
		return "the scheduler is stopped", "dbsched start"
	case Copied:
		return "this database is a copy of " + st.CopyOf, "dbsched start --here, or --moved if it has moved"
	case BrokerOff:
		return "Service Broker is off in this database", "dbsched install"
	case NoWorkers:
		return "the number of workers is 0", fmt.Sprintf("dbsched workers N (1 to %d)", st.MaxLanes)
	case NoDispatcher:
		return "the dispatcher is overdue", "dbsched verify"
	case NoSettings:
		return "the settings of the scheduler are missing", "dbsched install"
	case Unknown:
	}
	return string(st.Blocked), "dbsched verify"
}

// AlsoOn is a list of names as the start procedures take it; "-" means none.
func AlsoOn(names []string) string {
	return cmp.Or(strings.Join(names, ","), "-")
}

// Elsewhere splits a list of names as the start procedures store it, and leaves out the server (on Oracle, the database) itself.
func Elsewhere(names, here string) (all []string) {
	for name := range strings.SplitSeq(names, ",") {
		if name != "" && !strings.EqualFold(name, here) {
			all = append(all, name)
		}
	}
	return all
}

// Alarm is something that a person should look at.
type Alarm struct {
	ID             int64      `json:"id"`
	RaisedAt       time.Time  `json:"raised_at"`
	Kind           string     `json:"kind"`
	ProcessID      int64      `json:"process_id,omitempty"`
	TaskID         int64      `json:"task_id,omitempty"`
	TaskName       string     `json:"task_name,omitempty"`
	Lane           int        `json:"lane,omitempty"`
	Text           string     `json:"text"`
	AcknowledgedAt *time.Time `json:"acknowledged_at"`
	AcknowledgedBy string     `json:"acknowledged_by,omitempty"`
}

// NewTask is a task to enqueue; the zero value of an optional field means the default.
type NewTask struct {
	SQL             string
	Name            string // what people call it; need not be unique
	Order           int
	ProcessID       int64 // 0: the default process
	Priority        int
	MaxAttempts     int
	RetryDelay      time.Duration
	Timeout         time.Duration // whole seconds that one attempt may run
	NotBefore       time.Time
	ExpectedSeconds int
	OnOrphan        string // Retry, Fail or empty for the default
	Resource        string // the semaphore it needs
	Access          string // how it uses the semaphore; empty for the default
	Transactional   bool   // one transaction with its own completion
	DedupKey        string // at most one unfinished task has it
	Parameters      string // a JSON object of values bound to the SQL
}

// NewProcess is a process to create.
type NewProcess struct {
	Name        string
	Priority    int
	Weight      int
	MaxParallel int
	OnError     string // Continue, Halt or empty for the default
}

// Submitted is a process with its tasks, as the server numbered them.
type Submitted struct {
	ProcessID int64
	TaskIDs   []int64 // in the order of the tasks
}

// Filter narrows a list; zero values do not filter.
type Filter struct {
	ProcessID int64
	TaskID    int64    // of tasks and attempts
	Name      string   // of tasks
	Statuses  []string // one of them
	// Since and Until bound when tasks were enqueued and attempts began; Until itself is not included.
	Since, Until time.Time
	Text         string // is in the SQL of a task, or in the SQL or error of an attempt; case-insensitive
	Limit        int    // the newest this many; 0 means all
	// Page selects a page of Limit tasks, from 1: those that failed come first, then those that run, then the others by id.
	Page int
	// Unacknowledged selects only the unacknowledged alarms.
	Unacknowledged bool
	// Open selects the processes that have not ended, and those that ended since then.
	Open time.Time
	// After selects the attempts with a greater id, and those in Also: what is new, and what may have ended.
	After int64
	Also  []int64
	// From selects the attempts from an id on, and Ended those that have not ended or have ended since then.
	From  int64
	Ended time.Time
	// Besides leaves out the attempts of a process.
	Besides int64
	// Brief cuts SQL and errors of attempts at 400 characters.
	Brief bool
}

// Process is a row of the list of processes. Times are UTC; nil is "not yet".
type Process struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	Status     string     `json:"status"`
	OnError    string     `json:"on_error"` // Continue or Halt
	Priority   int        `json:"priority"`
	Unfinished int64      `json:"tasks_unfinished"` // including the running ones
	Running    int64      `json:"tasks_running"`
	Order      *int       `json:"lowest_order"` // of the unfinished tasks
	Succeeded  int64      `json:"tasks_succeeded"`
	Failed     int64      `json:"tasks_failed"`
	CreatedBy  string     `json:"created_by"`
	CreatedAt  time.Time  `json:"created_at"`
	FinishedAt *time.Time `json:"finished_at"`
	Seconds    *float64   `json:"seconds,omitempty"` // from its creation to its end
}

// Task is a row of the list of tasks.
type Task struct {
	ID         int64      `json:"id"`
	ProcessID  int64      `json:"process_id"`
	Order      int        `json:"order"`
	Status     string     `json:"status"`
	Reason     string     `json:"reason,omitempty"`
	Priority   int        `json:"priority"`
	Attempt    int        `json:"attempt"`
	Name       string     `json:"name,omitempty"`
	SQL        string     `json:"sql"`
	EnqueuedBy string     `json:"enqueued_by"`
	EnqueuedAt time.Time  `json:"enqueued_at"`
	DueAt      *time.Time `json:"due_at"`             // when a Waiting task becomes Pending, if that is a time
	Lane       int        `json:"lane,omitempty"`     // of the last attempt
	Resource   string     `json:"resource,omitempty"` // the semaphore it needs
	StartedAt  *time.Time `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	Seconds    *float64   `json:"seconds,omitempty"`         // from the start of the last attempt to its end
	Overran    *float64   `json:"overran_seconds,omitempty"` // for how long the last attempt ran, or runs, after its timeout
	TaskOptions
}

// TaskOptions are what else the enqueuer chose, and how far the task is with it.
type TaskOptions struct {
	Timeout         *int64 `json:"timeout_seconds,omitempty"` // that one attempt may run; nil: no limit
	StopOutcome     string `json:"stop_outcome,omitempty"`    // of a Stopping task: its final status unless it still succeeds
	ExpectedSeconds int64  `json:"expected_seconds,omitempty"`
	MaxAttempts     int    `json:"max_attempts"`
	Failures        int64  `json:"failures,omitempty"` // attempts that failed
	OnOrphan        string `json:"on_orphan"`
	Orphans         int64  `json:"orphans,omitempty"` // attempts whose worker died
	Access          string `json:"access,omitempty"`  // how it uses the resource
	Transactional   bool   `json:"transactional,omitempty"`
	DedupKey        string `json:"dedup_key,omitempty"`
	DuplicateOf     int64  `json:"duplicate_of,omitempty"` // of a Skipped duplicate: the task with the same key
	Parameters      string `json:"parameters,omitempty"`   // a JSON object
}

// LogEntry is one attempt of one task.
type LogEntry struct {
	ID           int64      `json:"id"`
	TaskID       int64      `json:"task_id"`
	ProcessID    int64      `json:"process_id"`
	Order        int        `json:"order"`
	Attempt      int        `json:"attempt"`
	Name         string     `json:"name,omitempty"` // of the task
	SQL          string     `json:"sql"`
	Lane         int        `json:"lane"`
	SessionID    int        `json:"session_id"`
	EnqueuedAt   *time.Time `json:"enqueued_at"` // of the task, unless it was deleted
	Resource     string     `json:"-"`           // that the task needs, unless it was deleted
	StartedAt    time.Time  `json:"started_at"`
	FinishedAt   *time.Time `json:"finished_at"`
	Seconds      *float64   `json:"seconds,omitempty"`         // from its start to its end
	Timeout      *int64     `json:"timeout_seconds,omitempty"` // of the task, unless it was deleted
	Overran      *float64   `json:"overran_seconds,omitempty"` // for how long it ran, or runs, after its timeout
	Outcome      string     `json:"outcome"`
	TaskStatus   string     `json:"task_status,omitempty"` // of the task, unless it was deleted
	ErrorNumber  int        `json:"error_number,omitempty"`
	ErrorMessage string     `json:"error_message,omitempty"`
	ErrorUnit    string     `json:"error_procedure,omitempty"`
	ErrorLine    int        `json:"error_line,omitempty"`
}

// Attempts are the numbers of some attempts. Times are nil, and Oldest is 0, if there is none.
type Attempts struct {
	All     int64
	Running int64
	Failed  int64 // those that ended badly, and not because a user cancelled them
	Lanes   int64 // on which they ran
	Oldest  int64 // the least id
	Begin   *time.Time
	End     *time.Time // the last end so far
}

// Seconds is the time between two instants; nil if either has not come.
func Seconds(from, to *time.Time) *float64 {
	if from == nil || to == nil {
		return nil
	}
	s := to.Sub(*from).Seconds()
	return &s
}

// Queued is the unfinished tasks of one status.
type Queued struct {
	Status string    `json:"status"`           // Pending, Waiting, Running or Stopping
	Reason string    `json:"reason,omitempty"` // of Waiting tasks
	Tasks  int64     `json:"tasks"`
	Oldest time.Time `json:"oldest_enqueued_at"`
	// NextDue is when the first of them becomes Pending, if that is a time.
	NextDue *time.Time `json:"next_due_at"`
	// Runnable are those that no lower order of their process holds back; OldestRunnable is when the first of them was enqueued.
	Runnable       int64      `json:"runnable"`
	OldestRunnable *time.Time `json:"oldest_runnable_enqueued_at"`
}

// Lane is a worker slot.
type Lane struct {
	Lane      int    `json:"lane"`
	State     string `json:"state"`
	SessionID int    `json:"session_id,omitempty"`
	TaskID    int64  `json:"task_id,omitempty"`
}

// ResourceRequest is a place in the line of a resource or, with no Request, a resource without
// requests. The requester is empty for users that are not allowed to see it.
type ResourceRequest struct {
	Resource    string     `json:"resource"`
	Capacity    int        `json:"capacity"`
	Held        int        `json:"held"`    // requests that hold it
	Waiting     int        `json:"waiting"` // requests that wait for it
	Request     int64      `json:"request_id,omitempty"`
	Status      string     `json:"status,omitempty"` // Waiting, Reserved or Granted
	Access      string     `json:"access,omitempty"` // Shared or Exclusive
	Requester   string     `json:"requester,omitempty"`
	RequestedBy string     `json:"requested_by,omitempty"`
	ProcessID   int64      `json:"process_id,omitempty"`
	TaskID      int64      `json:"task_id,omitempty"`
	SessionID   int        `json:"session_id,omitempty"`
	RequestedAt *time.Time `json:"requested_at"`
	GrantedAt   *time.Time `json:"granted_at"`
	LeaseUntil  *time.Time `json:"lease_until"`
}
