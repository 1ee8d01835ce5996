package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Run is a run of a job in a job slave. It shows the job as it was when the run started.
type Run struct {
	Spec
	LogID   int64
	Slave   int // number of the slave: J000 …
	Session Session
	Started time.Time

	job     *job
	asked   time.Time
	stopper string // who called STOP_JOB
	forced  bool   // … with force: the scheduler considers it ended, but its session is not gone yet
}

// enable schedules a job to run at its next date.
func (s *Scheduler) enable(j *job) {
	if !j.enabled {
		j.runs, j.failures = 0, 0
	}
	s.unschedule(j)
	j.enabled, j.state = true, Scheduled
	now := s.k.Now()
	j.anchor = j.Start
	switch {
	case j.Start.IsZero():
		j.anchor, j.next = now, now
	case j.Repeat != "": // "start_date is used as a reference date" (DBMS_SCHEDULER, CREATE_JOB)
		after := j.Start.Add(-time.Second)
		if after.Before(now) {
			after = now
		}
		j.next = j.every.next(j.anchor, after)
	default:
		j.next = j.Start
	}
	s.schedule(j)
}

// disable keeps a job from running again.
func (s *Scheduler) disable(j *job, to State) {
	s.unschedule(j)
	j.enabled, j.state, j.next = false, to, time.Time{}
}

func (s *Scheduler) unschedule(j *job) {
	if j.timer != nil {
		j.timer.Stop()
		j.timer = nil
	}
	j.pending, j.manual = false, false
	s.ready = slices.DeleteFunc(s.ready, func(o *job) bool { return o == j })
}

// schedule sets the timer to a job's next run, or completes the job if its end date is before that.
// A session may wait for the only run of a job; a repeating job must not keep an idle
// system jumping from one run to the next.
func (s *Scheduler) schedule(j *job) {
	if j.run != nil || j.pending {
		return // checked again when the run ends
	}
	if !j.End.IsZero() && j.next.After(j.End) {
		s.complete(j, Completed)
		return
	}
	wait := j.next.Sub(s.k.Now())
	if wait <= 0 {
		s.request(j, j.next)
		return
	}
	kind := kernel.Demand
	if j.Repeat != "" {
		kind = kernel.HouseKeeping
	}
	j.timer = s.k.After(wait, kind, func() {
		j.timer = nil
		s.request(j, j.next)
	})
}

// complete ends a job's life: it is dropped or disabled.
func (s *Scheduler) complete(j *job, to State) {
	s.disable(j, to)
	if j.AutoDrop {
		s.remove(j)
	}
}

// request decides to start a job. The start itself happens after a delay.
func (s *Scheduler) request(j *job, asked time.Time) {
	j.pending, j.asked = true, asked
	j.timer = s.k.After(s.k.Duration("job start", s.opts.DelayLow, s.opts.DelayHigh), kernel.Demand, func() {
		j.timer = nil
		s.ready = append(s.ready, j)
		s.dispatch()
	})
}

// dispatch starts due jobs in free slaves, those that have waited longest first;
// the seed decides among equals.
func (s *Scheduler) dispatch() {
	for s.available() && len(s.slaves) < s.opts.Processes && len(s.ready) > 0 {
		order := func(a, b *job) int { return a.asked.Compare(b.asked) }
		slices.SortStableFunc(s.ready, order)
		n := 1
		for n < len(s.ready) && order(s.ready[0], s.ready[n]) == 0 {
			n++
		}
		i := s.k.Choose("job", n)
		j := s.ready[i]
		s.ready = slices.Delete(s.ready, i, i+1)
		s.start(j)
	}
}

func (s *Scheduler) start(j *job) {
	s.ids++
	r := &Run{Spec: j.Spec, LogID: s.ids, Slave: s.freeSlave(), Started: s.k.Now(), job: j, asked: j.asked}
	j.pending, j.manual, j.run, j.last = false, false, r, r.Started
	s.slaves = append(s.slaves, r)
	s.k.Tracef("job %s.%s", j.Owner, j.Name)
	s.st.Counters.Activations++
	epoch := s.epoch
	r.Session = s.opts.Starter.Start(r, func(o Outcome) {
		if epoch == s.epoch {
			s.ended(r, o)
		}
	})
}

// freeSlave returns the lowest number of a free job slave.
func (s *Scheduler) freeSlave() int {
	n := 0
	for slices.ContainsFunc(s.slaves, func(r *Run) bool { return r.Slave == n }) {
		n++
	}
	return n
}

// ended handles the end of a run's session.
func (s *Scheduler) ended(r *Run, o Outcome) {
	s.slaves = slices.DeleteFunc(slices.Clone(s.slaves), func(x *Run) bool { return x == r })
	if !r.forced {
		s.finish(r, o)
	}
	s.dispatch()
}

// finish records the end of a run and decides what happens to the job.
func (s *Scheduler) finish(r *Run, o Outcome) {
	j := r.job
	status, number, info := judge(r, o)
	switch stopped := r.stopper != "" && !r.forced; {
	case stopped && (s.k.Differs(differ.StopsFail) || s.k.Differs(differ.HandledStopsFail)):
		status = Failed
	case stopped && s.k.Differs(differ.HandledStopsStop):
		status = Stopped
	}
	s.record(r, status, number, info)
	j.run, j.duration = nil, s.k.Now().Sub(r.Started)
	for _, t := range j.waiters {
		t.Wake(nil)
	}
	if j.dropped {
		return
	}
	if !j.enabled { // RUN_JOB of a disabled job, or disabled while it ran
		j.count(status)
		if j.again {
			j.again, j.manual = false, true
			s.request(j, s.k.Now())
			return
		}
		drop := j.AutoDrop && !s.k.Differs(differ.DisabledJobsStay) || s.k.Differs(differ.DisabledJobsVanish)
		if j.state == Disabled && drop && j.Repeat == "" {
			s.remove(j) // it is not a repeating job and has run once
		}
		return
	}
	j.count(status)
	if j.Repeat == "" {
		s.complete(j, status)
		return
	}
	j.state, j.next = Scheduled, j.every.next(j.anchor, s.k.Now())
	if status == Succeeded && s.k.Differs(differ.RepeatsLate) {
		j.next = j.next.Add(5 * time.Minute)
	} else if status == Succeeded && s.k.Differs(differ.RepeatsSlowly) {
		j.next = j.next.Add(30 * time.Second)
	}
	s.schedule(j)
}

func (j *job) count(status State) {
	j.runs++
	switch status {
	case Failed:
		j.failures++
	case Succeeded:
		j.failures = 0 // only failures in a row count
	}
}

// judge says how a run ended: status, error number, additional information.
func judge(r *Run, o Outcome) (status State, number int32, info string) {
	if r.stopper != "" && (o.Err != nil || o.Killed) {
		how := ""
		if r.forced {
			how = " with force"
		}
		return Stopped, 0, fmt.Sprintf("REASON=\"Stop job%s called by user: '%s'\"", how, r.stopper)
	}
	if o.Killed {
		return Stopped, 0, "REASON=\"Job slave process was terminated\""
	}
	if o.Err == nil {
		return Succeeded, 0, ""
	}
	info = o.Err.Error()
	if e, ok := errors.AsType[*sqlerr.Error](o.Err); ok {
		number, info = e.Number, fmt.Sprintf("ORA-%05d: %s", e.Number, e.Text)
	}
	return Failed, number, cmp.Or(o.Stack, info)
}

// Run starts a job in the background, whether it is enabled or not: RUN_JOB with use_current_session
// false. What RUN_JOB does for a job whose start has already been decided is not documented: the seed
// decides whether it fails or is served by that start.
// Errors: 27475, 27478, 27492; the caller's Commit.
func (s *Scheduler) Run(c Caller, owner, name string) error {
	j, err := s.existing(c, owner, name, errUnknownJob)
	switch {
	case err != nil:
		return err
	case !s.available(), !j.enabled && s.k.Differs(differ.RunRefusesDisabled):
		return errUnavailable(j)
	case j.run != nil && s.k.Differs(differ.RunningJobIgnored), !j.enabled && j.runs > 0 && s.k.Differs(differ.DisabledJobsRunOnce):
		return nil
	case j.run != nil && s.k.Differs(differ.RunningJobWaits):
		j.again = true
		return nil
	case j.run != nil && s.k.Differs(differ.RunningJob27477):
		return message.ORA(27477, j.Owner, j.Name)
	case j.run != nil, j.pending && s.k.Choose("run_job", 2) == 0:
		return errRunning(j)
	case j.pending:
		return nil
	}
	if j.timer != nil {
		j.timer.Stop()
		j.timer = nil
	}
	j.manual = true
	s.request(j, s.k.Now())
	return nil
}

// How long STOP_JOB waits for a job that it has interrupted; no documentation gives a number.
const (
	stopLow  = 2 * time.Second
	stopHigh = 10 * time.Second
)

// Stop stops the run of a job: it interrupts its session and waits for a while until the session has ended;
// forced, it kills the session and does not wait.
// Errors: 27365, 27366, 27475, 27486; the caller's Commit; store.ErrInterrupted.
func (s *Scheduler) Stop(c Caller, owner, name string, force bool) error {
	j, err := s.existing(c, owner, name, errUnknownJob)
	if err != nil {
		return err
	}
	if force && !c.Manages() {
		return message.ORA(27486)
	}
	return s.stop(c, j, force)
}

func (s *Scheduler) stop(c Caller, j *job, force bool) error {
	task := c.Session().Task
	// It names a job, not a run: it stops whatever run is active when it takes effect.
	if late := s.opts.StopLate; late > 0 {
		if err := store.Sleep(task, s.k.Duration("stop_job takes effect", 0, late), kernel.Demand); err != nil {
			return err
		}
	}
	r := j.run
	if r == nil {
		switch {
		case s.k.Differs(differ.StopIdle27475):
			return errUnknownJob(j.Owner, j.Name)
		case s.k.Differs(differ.StopIdleSucceeds):
			return nil
		}
		return errNotRunning(j)
	}
	r.stopper = c.User()
	if force {
		r.forced = true
		s.finish(r, Outcome{Killed: true})
		s.opts.Starter.Stop(r, true)
		return nil
	}
	if !s.k.Differs(differ.StopsTooLate) {
		s.opts.Starter.Stop(r, false)
	}
	j.waiters = append(j.waiters, task)
	defer func() { // also runs when a kill unwinds the stack
		j.waiters = slices.DeleteFunc(slices.Clone(j.waiters), func(t *kernel.Task) bool { return t == task })
	}()
	deadline := s.k.Now().Add(s.k.Duration("stop_job", stopLow, stopHigh))
	for j.run == r {
		left := deadline.Sub(s.k.Now())
		if left <= 0 {
			return message.ORA(27365)
		}
		if err := store.Sleep(task, left, kernel.Demand); err != nil && j.run == r {
			return err
		}
	}
	return nil
}

// Restart does what the coordinator does when the instance is back up after a crash. The sessions
// of all runs are gone; anything their Starter still reports about them is ignored. Runs that were requested
// with RUN_JOB and had not begun may get lost: the seed decides.
func (s *Scheduler) Restart() {
	s.epoch++
	lost := s.slaves
	s.slaves, s.ready = nil, nil
	for _, r := range lost {
		if j := r.job; j.run == r && !j.dropped {
			s.record(r, Stopped, 0, "REASON=\"Job slave process was terminated\"")
			j.run, j.duration = nil, s.k.Now().Sub(r.Started)
			s.recovered(j)
		}
	}
	for _, j := range slices.Clone(s.jobs) {
		if !j.pending {
			continue
		}
		manual, asked := j.manual, j.asked
		s.unschedule(j)
		switch {
		case manual && s.k.Choose("run_job lost", 2) == 0:
			j.manual = true
			s.request(j, asked)
		case j.enabled:
			s.schedule(j)
		}
	}
}

// recovered decides what happens to a job whose run the crash ended.
func (s *Scheduler) recovered(j *job) {
	j.count(Stopped)
	switch {
	case !j.enabled:
	case j.Repeat == "":
		s.disable(j, Stopped)
	default:
		j.state, j.next = Scheduled, j.every.next(j.anchor, s.k.Now())
		s.schedule(j)
	}
}
