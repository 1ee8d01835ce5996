package jobs

import (
	"iter"
	"slices"
	"time"
)

// Info is a row of ALL_SCHEDULER_JOBS.
type Info struct {
	Spec
	Number       int64 // counts all jobs ever created: a later job with the same name has another number
	Creator      string
	Enabled      bool
	State        State
	RunCount     int64
	FailureCount int64
	LastStart    time.Time     // zero: it never ran
	LastDuration time.Duration // of the last run that has ended
	NextRun      time.Time     // zero: none
}

// RunningJob is a row of ALL_SCHEDULER_RUNNING_JOBS.
type RunningJob struct {
	Owner, Name string
	LogID       int64
	Session     Session
	Slave       int           // J000 …
	Elapsed     time.Duration // since the start
}

// LogEntry is a row of ALL_SCHEDULER_JOB_LOG.
type LogEntry struct {
	ID          int64
	Date        time.Time
	Owner, Name string
	Class       string
	Status      State
	Info        string // ADDITIONAL_INFO
}

// RunDetails is a row of ALL_SCHEDULER_JOB_RUN_DETAILS.
type RunDetails struct {
	LogID       int64
	Date        time.Time
	Owner, Name string
	Status      State // SUCCEEDED, FAILED, STOPPED
	Error       int32 // ERROR#
	Requested   time.Time
	Started     time.Time
	Duration    time.Duration // RUN_DURATION shows whole seconds
	Session     Session
	Slave       int
	Info        string // ADDITIONAL_INFO, ERRORS
}

// Jobs returns the jobs by owner and name; only one owner's if owner is not empty.
func (s *Scheduler) Jobs(owner string) iter.Seq[Info] {
	return func(yield func(Info) bool) {
		for _, j := range slices.Clone(s.jobs) {
			if (owner == "" || j.Owner == owner) && !yield(j.info()) {
				return
			}
		}
	}
}

func (j *job) info() Info {
	i := Info{
		Spec: j.Spec, Number: j.number, Creator: j.creator, Enabled: j.enabled, State: j.state, RunCount: j.runs, FailureCount: j.failures,
		LastStart: j.last, LastDuration: j.duration, NextRun: j.next,
	}
	if j.run != nil {
		i.State = Running
	}
	return i
}

// RunningJobs returns the active runs in job slaves, by start; only one owner's if owner is not empty.
func (s *Scheduler) RunningJobs(owner string) iter.Seq[RunningJob] {
	return func(yield func(RunningJob) bool) {
		for _, r := range slices.Clone(s.slaves) {
			if r.job.run != r || owner != "" && r.Owner != owner {
				continue
			}
			row := RunningJob{Owner: r.Owner, Name: r.Name, LogID: r.LogID, Session: r.Session, Slave: r.Slave, Elapsed: s.k.Now().Sub(r.Started)}
			if !yield(row) {
				return
			}
		}
	}
}

// Log returns the job log in the order in which it was written; only one owner's if owner is not empty.
func (s *Scheduler) Log(owner string) iter.Seq[LogEntry] {
	return owned(s.log, owner, func(e LogEntry) string { return e.Owner })
}

// Details returns the run details in the order in which they were written; only one owner's if owner is not empty.
func (s *Scheduler) Details(owner string) iter.Seq[RunDetails] {
	return owned(s.details, owner, func(d RunDetails) string { return d.Owner })
}

func owned[T any](rows []T, owner string, of func(T) string) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, r := range rows {
			if (owner == "" || of(r) == owner) && !yield(r) {
				return
			}
		}
	}
}

// record logs the end of a run.
func (s *Scheduler) record(r *Run, status State, number int32, info string) {
	now := s.k.Now()
	s.log = append(s.log, LogEntry{
		ID: r.LogID, Date: now, Owner: r.Owner, Name: r.Name, Class: r.Class, Status: status, Info: info,
	})
	s.details = append(s.details, RunDetails{
		LogID: r.LogID, Date: now, Owner: r.Owner, Name: r.Name, Status: status, Error: number, Requested: r.asked,
		Started: r.Started, Duration: now.Sub(r.Started), Session: r.Session, Slave: r.Slave, Info: info,
	})
}
