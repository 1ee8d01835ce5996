package jobs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// The job types that are modeled.
const (
	TypeBlock     = "PLSQL_BLOCK"
	TypeProcedure = "STORED_PROCEDURE"
	TypeChain     = "CHAIN" // its runs are not modeled
)

// Spec holds a job's attributes, as CREATE_JOB and SET_ATTRIBUTE give them. CREATE_JOB's defaults are
// class DEFAULT_JOB_CLASS and AutoDrop true; the other defaults are the zero values.
type Spec struct {
	Owner, Name             string
	Type, Action            string
	ProgramOwner, Program   string // named program, which Type and Action come from
	ScheduleOwner, Schedule string // named schedule, which Start, Repeat and End come from
	ChainOwner, Chain       string
	Start                   time.Time // start_date; zero: as soon as enabled
	Repeat                  string    // repeat_interval; empty: once
	End                     time.Time // end_date; zero: none
	Class                   string    // job class
	AutoDrop                bool
	Comments                string
	Environment             any // what the dialect keeps from the creator's session: NLS settings
}

// State is the state of a job as the job views show it.
type State string

// The states.
const (
	Disabled  State = "DISABLED"
	Scheduled State = "SCHEDULED"
	Running   State = "RUNNING"
	Completed State = "COMPLETED" // its last run of a series is done
	Failed    State = "FAILED"    // its only run failed
	Succeeded State = "SUCCEEDED" // its only run succeeded
	Stopped   State = "STOPPED"   // its only run was stopped
)

// job is a job. A change of its attributes while it runs takes effect with the next run.
type job struct {
	Spec
	number   int64 // counts all jobs ever created
	creator  string
	enabled  bool
	state    State // unless it runs
	every    calendar
	anchor   time.Time // reference of the calendar: Start, or when it was enabled
	next     time.Time // next run; zero: none
	runs     int64
	failures int64
	last     time.Time // start of the last run
	duration time.Duration
	dropped  bool

	timer   *kernel.Timer // until the next run, or its delay
	pending bool          // a start has been decided: its delay is running, or it waits for a slave
	manual  bool          // … and RUN_JOB has asked for it
	asked   time.Time     // … for that time
	again   bool          // RUN_JOB was called while it ran, and waits for the end of that (differ.RunningJobWaits)
	run     *Run
	waiters []*kernel.Task // sessions in STOP_JOB
}

// Create creates a job. Errors: 27412, 27451, 27465, 27476, 27477; the caller's Commit.
func (s *Scheduler) Create(c Caller, spec Spec, enabled bool) error {
	spec.Class = cmp.Or(spec.Class, DefaultClass)
	if err := c.Commit(); err != nil {
		return err
	}
	i, found := s.search(spec.Owner, spec.Name)
	if found {
		return message.ORA(27477, spec.Owner, spec.Name)
	}
	if err := s.resolve(&spec); err != nil {
		return err
	}
	j := &job{Spec: spec, creator: c.User(), state: Disabled}
	if err := s.check(j); err != nil {
		return err
	}
	s.made++
	j.number = s.made
	s.jobs = slices.Insert(slices.Clone(s.jobs), i, j)
	if enabled {
		s.enable(j)
	}
	return nil
}

// check validates a job's attributes.
func (s *Scheduler) check(j *job) (err error) {
	switch j.Type {
	case TypeBlock, TypeProcedure, TypeChain:
	case "EXECUTABLE", "SQL_SCRIPT", "BACKUP_SCRIPT", "EXTERNAL_SCRIPT":
		return sqlerr.NotSupported("job type %s", j.Type)
	default:
		return message.ORA(27465, j.Type, "JOB_TYPE")
	}
	switch {
	case j.Action == "":
		return message.ORA(27451)
	case j.Class != DefaultClass:
		return errMissing("SYS", j.Class)
	}
	j.every = calendar{}
	if j.Repeat != "" {
		j.every, err = parseCalendar(j.Repeat)
	}
	return err
}

// Drop drops a job; a running one only if forced, and then it is stopped first.
// Errors: 27475, 27478; the caller's Commit; those of Stop.
func (s *Scheduler) Drop(c Caller, owner, name string, force bool) error {
	j, err := s.existing(c, owner, name, errUnknownJob)
	if err != nil {
		if s.find(owner, name) == nil && s.k.Differs(differ.UnknownJobSucceeds) {
			return nil
		}
		return err
	}
	if j.run != nil {
		if !force {
			return errRunning(j)
		}
		if err := s.stop(c, j, false); err != nil {
			return err
		}
	}
	if !j.dropped { // it may have dropped itself while being stopped
		s.remove(j)
	}
	return nil
}

// Enable enables a job: it runs at its next date, or at once. Enabling it again does nothing.
// Errors: 27476; the caller's Commit.
func (s *Scheduler) Enable(c Caller, owner, name string) error {
	j, err := s.existing(c, owner, name, errMissing)
	if err == nil && !j.enabled {
		s.enable(j)
	}
	if err != nil {
		if found, refused := s.enableObject(owner, name, true); found {
			return refused
		}
	}
	return err
}

// Disable disables a job; a running one only if forced, and its run continues.
// Errors: 27476, 27478; the caller's Commit.
func (s *Scheduler) Disable(c Caller, owner, name string, force bool) error {
	j, err := s.existing(c, owner, name, errMissing)
	if err != nil {
		if found, refused := s.enableObject(owner, name, false); found {
			return refused
		}
		return err
	}
	if j.run != nil && !force {
		return errRunning(j)
	}
	s.disable(j, Disabled)
	return nil
}

// existing commits the caller's transaction and returns the job.
func (s *Scheduler) existing(c Caller, owner, name string, missing func(owner, name string) error) (*job, error) {
	if err := c.Commit(); err != nil {
		return nil, err
	}
	if j := s.find(owner, name); j != nil {
		return j, nil
	}
	switch {
	case s.k.Differs(differ.UnknownJob27476):
		missing = errMissing
	case s.k.Differs(differ.UnknownJob27452):
		return nil, message.ORA(27452, name)
	}
	return nil, missing(owner, name)
}

// SetAttribute sets an attribute of a job. An enabled job whose schedule changes is disabled and enabled again, unless the value
// is refused. Errors: 27412, 27451, 27465, 27469, 27476; the caller's Commit.
func (s *Scheduler) SetAttribute(c Caller, owner, name, attribute, value string) error {
	j, err := s.existing(c, owner, name, errMissing)
	if err != nil {
		return err
	}
	changed := &job{Spec: j.Spec}
	switch attribute = strings.ToUpper(attribute); attribute {
	case "JOB_ACTION":
		changed.Action = value
	case "REPEAT_INTERVAL":
		changed.Repeat = value
	case "JOB_CLASS":
		changed.Class = value
	case "ALLOW_RUNS_IN_RESTRICTED_MODE", "AUTO_DROP", "COMMENTS", "CONNECT_CREDENTIAL_NAME", "CREDENTIAL_NAME", "DATABASE_ROLE",
		"DESTINATION", "DESTINATION_NAME", "END_DATE", "EVENT_SPEC", "FOLLOW_DEFAULT_TIMEZONE", "INSTANCE_ID", "INSTANCE_STICKINESS",
		"JOB_PRIORITY", "JOB_TYPE", "JOB_WEIGHT", "LOGGING_LEVEL", "MAX_FAILURES", "MAX_RUNS", "MAX_RUN_DURATION", "NUMBER_OF_ARGUMENTS",
		"PARALLEL_INSTANCES", "PROGRAM_NAME", "RAISE_EVENTS", "RESTARTABLE", "RESTART_ON_FAILURE", "RESTART_ON_RECOVERY",
		"SCHEDULE_LIMIT", "SCHEDULE_NAME", "START_DATE", "STOP_ON_WINDOW_CLOSE", "STORE_OUTPUT":
		return sqlerr.NotSupported("job attribute %s", attribute)
	default:
		return message.ORA(27469, attribute, "job")
	}
	if err := s.check(changed); err != nil {
		return err
	}
	j.Spec, j.every = changed.Spec, changed.every
	if j.enabled && attribute == "REPEAT_INTERVAL" {
		s.enable(j)
	}
	return nil
}
