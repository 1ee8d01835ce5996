// Package agent is SQL Server Agent as a state machine: jobs with T-SQL steps, started by hand or by their schedules, their runs,
// what msdb shows of them, and the service that may be stopped. It knows nothing about statements, logins or sessions: a
// dialect binds the package to it and runs the steps (Starter).
//
// msdb's tables are plain values here, changed with the kernel's baton and not undone by a rollback: the dialect lets
// nobody change them inside a transaction.
//
// Not modeled, and refused or impossible to request: alerts, operators, notifications, runs of jobs with retries of steps
// or subsystems other than TSQL, proxies, schedules that skip weeks or months or are not based on time, job owners who are not sysadmin, target servers, limits of the history.
package agent

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// ID is a uniqueidentifier.
type ID [16]byte

// Outcome is how the session of a step ended.
type Outcome struct {
	Err    *sqlerr.Error // the first error of a severity above 10; nil: none
	Output string        // what the step printed
	Killed bool          // the session was killed
}

// Starter runs steps. It is the engine's side of the Agent.
type Starter interface {
	// Start starts a session that runs a step's command. It is called with the baton and must not block. done must be
	// called once, with the baton, when that session has ended, however it ended.
	Start(r *Run, step Step, done func(Outcome))
}

// Options configure an Agent.
type Options struct {
	Starter Starter
	// Stopped says that the service does not run.
	Stopped bool
	// DelayHigh bounds the time from an accepted request to the start of the job, and from step to step; the seed decides.
	// Zero: 2 s (no documentation gives a number).
	DelayHigh time.Duration
}

// Agent is the SQL Server Agent of an instance, with what it keeps in msdb.
type Agent struct {
	k         *kernel.Kernel
	opts      Options
	sessions  []time.Time
	jobs      []*Job
	schedules []*Schedule
	activity  []*Activity
	history   []History
	instances int // rows of history that there have been
}

// New returns an Agent without jobs, started unless the options say otherwise.
func New(k *kernel.Kernel, o Options) *Agent {
	o.DelayHigh = cmp.Or(o.DelayHigh, 2*time.Second)
	a := &Agent{k: k, opts: o}
	if !o.Stopped {
		a.enter()
	}
	return a
}

// Job is a row of sysjobs.
type Job struct {
	ID                ID
	Name, Description string
	Owner             string // login
	Enabled           bool   // starting it by hand ignores this
	StartStep         int
	Local             bool // sp_add_jobserver was called
	Created, Modified time.Time
	Version           int
	Steps             []Step
	Schedules         []*Schedule

	run   *Run
	timer *kernel.Timer // for the next scheduled run
}

// Action is what follows a step.
type Action int

// The actions.
const (
	QuitWithSuccess Action = 1
	QuitWithFailure Action = 2
	NextStep        Action = 3
	GoToStep        Action = 4
)

// Step is a row of sysjobsteps.
type Step struct {
	ID                       int // from 1
	UID                      ID
	Name, Command, Database  string
	Subsystem                string
	Retries, RetryInterval   int // minutes
	OnSuccess, OnFail        Action
	SuccessStep, FailureStep int // for GoToStep
}

// Activity is a row of sysjobactivity. Times are whole seconds; zero is NULL.
type Activity struct {
	Session, Source                        int // of syssessions; who started it last
	Job                                    ID
	Requested, Started, StepStarted, Ended time.Time
	LastStep                               int
	HistoryID                              int
}

// Status is the run_status of sysjobhistory.
type Status int

// The states of a run that has ended.
const (
	Failed    Status = 0
	Succeeded Status = 1
)

// History is a row of sysjobhistory: a step, or with step 0 a run as a whole.
type History struct {
	InstanceID int
	Job        ID
	Step       int
	StepName   string
	Error      *sqlerr.Error
	Message    string
	Status     Status
	Started    time.Time
	Duration   time.Duration
}

// Run is a run of a job.
type Run struct {
	Job     *Job
	User    string // the user who asked for it
	By      string // … in the words of the history
	Step    Step   // that runs or ran last
	Started time.Time

	first   int // the first step
	running bool
}

// OutcomeStep is the name of the step 0.
const OutcomeStep = "(Job outcome)"

// enter begins a session of the service, with a row of activity for every job.
func (a *Agent) enter() {
	a.sessions = append(a.sessions, a.now())
	for _, j := range a.jobs {
		a.cache(j)
	}
}

// cache tells the running service about a job.
func (a *Agent) cache(j *Job) {
	if !a.opts.Stopped && j.Local {
		a.activity = append(a.activity, &Activity{Session: len(a.sessions), Job: j.ID})
	}
}

// now is the time as msdb keeps it.
func (a *Agent) now() time.Time { return a.k.Now().Truncate(time.Second) }

// Jobs returns the jobs in the order of their creation.
func (a *Agent) Jobs() []*Job { return a.jobs }

// Activities returns the rows of sysjobactivity.
func (a *Agent) Activities() []*Activity { return a.activity }

// Histories returns the rows of sysjobhistory.
func (a *Agent) Histories() []History { return a.history }

// Sessions returns the start times of the service: session_id is the position, from 1.
func (a *Agent) Sessions() []time.Time { return a.sessions }

// Find returns a job by id, or by name if that is not empty. Exactly one must be given. Errors: 14262, 14294.
func (a *Agent) Find(name string, id *ID) (*Job, error) {
	name = strings.Trim(name, " ")
	if (name == "") == (id == nil) {
		return nil, message.MS(14294, "@job_id", "@job_name")
	}
	for _, j := range a.jobs {
		if id != nil && j.ID == *id || id == nil && same(j.Name, name) {
			return j, nil
		}
	}
	if id != nil {
		return nil, message.MS(14262, "@job_id", id.String())
	}
	return nil, message.MS(14262, "@job_name", name)
}

// same compares names as msdb's collation does, which ignores case.
func same(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(a, " "), strings.TrimRight(b, " "))
}

// Add creates a job. Names must be unique here, though real ones may repeat. Error: 14261 (which the real Agent raises,
// too, unless the job with the same name came from another server).
func (a *Agent) Add(j Job) error {
	j.Name = strings.Trim(j.Name, " ")
	for _, o := range a.jobs {
		if same(o.Name, j.Name) {
			return message.MS(14261, "@name", j.Name)
		}
	}
	j.Created, j.Modified, j.Version = a.k.Now(), a.k.Now(), 1
	a.jobs = append(a.jobs, &j)
	return nil
}

// Delete deletes a job with its history. Refused: one that runs, of which no page says what happens, and one with schedules.
func (a *Agent) Delete(j *Job) error {
	if j.run != nil || len(j.Schedules) > 0 {
		return sqlerr.NotSupported("deleting a job that runs or has schedules")
	}
	a.jobs = slices.DeleteFunc(slices.Clone(a.jobs), func(o *Job) bool { return o == j })
	a.activity = slices.DeleteFunc(slices.Clone(a.activity), func(x *Activity) bool { return x.Job == j.ID })
	a.history = slices.DeleteFunc(slices.Clone(a.history), func(h History) bool { return h.Job == j.ID })
	return nil
}

// AddStep appends a step to a job. Errors: 14261; refused: a step inserted before others.
func (a *Agent) AddStep(j *Job, s Step) error {
	s.ID = cmp.Or(s.ID, len(j.Steps)+1)
	if s.ID != len(j.Steps)+1 {
		return sqlerr.NotSupported("a job step that is not the next one")
	}
	for _, o := range j.Steps {
		if same(o.Name, s.Name) {
			return message.MS(14261, "@step_name", s.Name)
		}
	}
	j.Steps = append(slices.Clone(j.Steps), s)
	a.changed(j)
	return nil
}

// Target says that a job runs on this server. Error: 14269.
func (a *Agent) Target(j *Job, server string) error {
	if j.Local {
		return message.MS(14269, j.Name, server)
	}
	j.Local = true
	a.cache(j)
	a.await(j)
	return nil
}

func (a *Agent) changed(j *Job) { j.Modified, j.Version = a.k.Now(), j.Version+1 }
