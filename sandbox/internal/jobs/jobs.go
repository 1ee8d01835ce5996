// Package jobs is Oracle's DBMS_SCHEDULER as a state machine: jobs with an inline action, their
// schedules, runs and logs, the coordinator that starts them and the job slaves they run in. It knows
// nothing about statements, the case of names, privileges or sessions: a dialect binds the package to it and
// runs the actions (see Starter).
//
// What a call changes is committed at once and for good: every call commits its caller's transaction
// first (Caller.Commit), as DDL does. So there is nothing to undo, and the definitions are plain
// values of the scheduler, changed only while holding the kernel's baton.
//
// Not modeled, and refused or impossible to ask for: runs of chains, windows, events,
// arguments, other job classes, lightweight jobs, credentials and remote destinations, calendars beyond
// FREQ=…;INTERVAL=…, PL/SQL repeat intervals, comma-separated lists of jobs, DROP_JOB (defer).
package jobs

import (
	"cmp"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Caller is the session that calls a procedure of DBMS_SCHEDULER.
type Caller interface {
	// Session is the session that waits, if there is something to wait for.
	Session() *store.Session
	// User is the schema name of the session's user.
	User() string
	// Manages reports whether the user has MANAGE SCHEDULER.
	Manages() bool
	// Commit commits the session's open transaction: every DBMS_SCHEDULER call that changes something does.
	Commit() error
}

// Session identifies the session of a job slave: SID and serial number.
type Session struct{ ID, Serial int }

// Outcome is how the session of a run ended.
type Outcome struct {
	Err    error  // the error that the action raised; nil: it succeeded
	Stack  string // … with its error stack, as ADDITIONAL_INFO shows it; empty: built from Err alone
	Killed bool   // the session was killed: there was nobody to report the end
}

// Starter runs actions. It is the engine's side of the scheduler.
type Starter interface {
	// Start starts a session that runs the job's action as its owner. It is called with the baton,
	// outside any task, and must not block. done must be called once, with the baton, when that session
	// and its transaction have ended, however they ended; it may be called before Start returns.
	Start(r *Run, done func(Outcome)) Session
	// Stop interrupts a run's session, so that its action gets ORA-01013; forced, it kills the session.
	// It is called with the baton and must not block.
	Stop(r *Run, force bool)
}

// Options configure a scheduler.
type Options struct {
	Starter Starter
	// Processes is JOB_QUEUE_PROCESSES: how many job slaves may run at a time.
	Processes int
	// DelayLow and DelayHigh bound the time from when a job is due until it starts; the seed decides.
	// Both zero: 50 ms to 5 s (no documentation gives a number).
	DelayLow, DelayHigh time.Duration
	// StopLate bounds the time from the call of STOP_JOB until it takes effect; the seed decides. Zero: at once.
	StopLate time.Duration
}

// Scheduler is an engine's scheduler.
type Scheduler struct {
	k        *kernel.Kernel
	st       *store.Store
	opts     Options
	disabled bool   // the attribute SCHEDULER_DISABLED
	jobs     []*job // by owner and name
	objects  []*Object
	made     int64  // number of the last job created
	slaves   []*Run // running, by start
	ready    []*job // due, past their delay, waiting for a slave
	ids      int64  // last log id
	epoch    int    // raised by a crash: reports from runs that started before are ignored
	log      []LogEntry
	details  []RunDetails
}

// New returns a scheduler without jobs.
func New(k *kernel.Kernel, st *store.Store, o Options) *Scheduler {
	if o.DelayLow == 0 && o.DelayHigh == 0 {
		o.DelayLow, o.DelayHigh = 50*time.Millisecond, 5*time.Second
	}
	return &Scheduler{k: k, st: st, opts: o}
}

// DefaultClass is the class of jobs that do not name one, and the only class: runs of its jobs are logged.
const DefaultClass = "DEFAULT_JOB_CLASS"

// Disabled returns the scheduler attribute SCHEDULER_DISABLED.
func (s *Scheduler) Disabled() bool { return s.disabled }

// SetDisabled sets SCHEDULER_DISABLED: while it is set, no job is started; running jobs continue.
// Error: the caller's Commit.
func (s *Scheduler) SetDisabled(c Caller, off bool) error {
	if err := c.Commit(); err != nil {
		return err
	}
	s.disabled = off
	s.dispatch()
	return nil
}

// Processes returns JOB_QUEUE_PROCESSES.
func (s *Scheduler) Processes() int { return s.opts.Processes }

// SetProcesses sets JOB_QUEUE_PROCESSES; 0 stops all starts. Running slaves continue.
func (s *Scheduler) SetProcesses(n int) {
	s.opts.Processes = n
	s.dispatch()
}

// available reports whether the coordinator starts jobs at all.
func (s *Scheduler) available() bool { return !s.disabled && s.opts.Processes > 0 }

func (s *Scheduler) find(owner, name string) *job {
	i, ok := s.search(owner, name)
	if !ok {
		return nil
	}
	return s.jobs[i]
}

func (s *Scheduler) search(owner, name string) (int, bool) {
	return slices.BinarySearchFunc(s.jobs, [2]string{owner, name}, func(j *job, at [2]string) int {
		return cmp.Or(cmp.Compare(j.Owner, at[0]), cmp.Compare(j.Name, at[1]))
	})
}

// remove removes a job. If it is running, the run continues to its end.
func (s *Scheduler) remove(j *job) {
	s.unschedule(j)
	j.dropped = true
	s.jobs = slices.DeleteFunc(slices.Clone(s.jobs), func(o *job) bool { return o == j })
}

// DropOwner removes the jobs of a user who has been dropped. Their log entries stay.
func (s *Scheduler) DropOwner(owner string) {
	for _, j := range slices.Clone(s.jobs) {
		if j.Owner == owner {
			s.remove(j)
		}
	}
	s.objects = slices.DeleteFunc(slices.Clone(s.objects), func(o *Object) bool { return o.Owner == owner })
}
