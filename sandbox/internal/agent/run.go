package agent

import (
	"fmt"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Start asks the service to run a job in the background: it is accepted or refused at once, and shown and begun some
// time later. A disabled job runs, too: disabling switches off its schedules. Errors: 14256, 14262, 22022; refused:
// jobs whose steps do not end the job themselves.
func (a *Agent) Start(j *Job, user string) error {
	if !j.Local {
		return message.MS(14256, j.Name, j.ID)
	}
	switch {
	case a.opts.Stopped:
		return errStopped()
	case j.run != nil && j.run.running:
		return errAgent("Request to run job %s (from User %s) refused because the job is already running from a request by User %s.", j.Name, user, j.run.User)
	case j.run != nil:
		return errAgent("Request to run job %s (from User %s) refused because the job already has a pending request from User %s.", j.Name, user, j.run.User)
	}
	if err := checkSteps(j, j.StartStep); err != nil {
		return err
	}
	a.begin(&Run{Job: j, User: user, By: "User " + user, first: j.StartStep}, sourceUser)
	return nil
}

// Who starts a job: run_requested_source.
const (
	sourceScheduler = 1
	sourceUser      = 4
)

// begin starts a run some time later.
func (a *Agent) begin(r *Run, source int) {
	j := r.Job
	j.run = r
	// The service writes the row, not the caller.
	a.later(func() {
		x := a.row(j)
		*x = Activity{Session: x.Session, Job: x.Job, Requested: a.now(), Source: source}
		a.later(func() {
			r.running, r.Started, x.Started = true, a.k.Now(), a.now()
			a.step(r, r.first)
		})
	})
}

// checkSteps refuses steps that a run would reach and whose outcome is not documented.
func checkSteps(j *Job, first int) error {
	if first < 1 || first > len(j.Steps) {
		return sqlerr.NotSupported("starting a job without the step to start with")
	}
	for _, s := range j.Steps {
		switch {
		case s.Subsystem != "TSQL":
			return sqlerr.NotSupported("starting a job with a step of the subsystem %s", s.Subsystem)
		case s.Retries > 0:
			return sqlerr.NotSupported("starting a job with a step that has retries")
		}
		for _, next := range []struct {
			action Action
			step   int
		}{{s.OnSuccess, s.SuccessStep}, {s.OnFail, s.FailureStep}} {
			if next.action == NextStep && s.ID == len(j.Steps) || next.action == GoToStep && (next.step < 1 || next.step > len(j.Steps)) {
				return sqlerr.NotSupported("a job step that is followed by none")
			}
		}
	}
	return nil
}

// later continues a run after a delay.
func (a *Agent) later(fn func()) {
	a.k.After(a.k.Duration("agent", time.Millisecond, a.opts.DelayHigh), kernel.Demand, fn)
}

// row is a job's activity in this session of the service.
func (a *Agent) row(j *Job) *Activity {
	for _, x := range a.activity {
		if x.Job == j.ID && x.Session == len(a.sessions) {
			return x
		}
	}
	a.cache(j)
	return a.activity[len(a.activity)-1]
}

// step runs a step in a session of its own.
func (a *Agent) step(r *Run, id int) {
	began := a.k.Now()
	r.Step = r.Job.Steps[id-1]
	x := a.row(r.Job)
	x.LastStep, x.StepStarted = id, a.now()
	a.opts.Starter.Start(r, r.Step, func(o Outcome) {
		status, next, to := Succeeded, r.Step.OnSuccess, r.Step.SuccessStep
		if o.Err != nil || o.Killed {
			status, next, to = Failed, r.Step.OnFail, r.Step.FailureStep
		}
		a.record(History{
			Job: r.Job.ID, Step: id, StepName: r.Step.Name, Error: o.Err, Message: stepMessage(r.Job.Owner, o, status),
			Status: status, Started: began, Duration: a.k.Now().Sub(began),
		})
		switch next {
		case QuitWithSuccess:
			a.finish(r, Succeeded)
		case QuitWithFailure:
			a.finish(r, Failed)
		case NextStep:
			a.later(func() { a.step(r, id+1) })
		default:
			a.later(func() { a.step(r, to) })
		}
	})
}

func stepMessage(owner string, o Outcome, status Status) string {
	text := "Executed as user: " + owner + "."
	if o.Output != "" {
		text += " " + o.Output
	}
	if o.Err != nil {
		text += fmt.Sprintf(" %s [SQLSTATE 42000] (Error %d).", o.Err.Text, o.Err.Number)
	}
	return text + "  The step " + word(status) + "."
}

func word(s Status) string {
	return map[Status]string{Failed: "failed", Succeeded: "succeeded"}[s]
}

// finish records the end of a run.
func (a *Agent) finish(r *Run, status Status) {
	began := r.Started
	if began.IsZero() {
		began = a.k.Now()
	}
	a.record(History{
		Job: r.Job.ID, StepName: OutcomeStep, Status: status, Started: began, Duration: a.k.Now().Sub(began),
		Message: fmt.Sprintf("The job %s.  The Job was invoked by %s.  The last step to run was step %d (%s).", word(status), r.By, r.Step.ID, r.Step.Name),
	})
	x := a.row(r.Job)
	x.Ended, x.HistoryID = a.now(), a.instances
	r.Job.run = nil
}

func (a *Agent) record(h History) {
	a.instances++
	h.InstanceID = a.instances
	a.history = append(a.history, h)
}
