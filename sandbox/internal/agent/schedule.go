package agent

import (
	"fmt"
	"slices"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Schedule is a row of sysschedules. Dates are yyyymmdd, times hhmmss, of the server's clock, which is UTC.
type Schedule struct {
	ID                                                           int
	UID                                                          ID
	Name, Owner                                                  string
	Enabled                                                      bool
	Type, Interval, Subday, SubdayInterval, Relative, Recurrence int
	StartDate, EndDate, StartTime, EndTime                       int
	Created                                                      time.Time
}

// The kinds of schedules: freq_type.
const (
	once     = 1
	daily    = 4
	weekly   = 8
	monthly  = 16
	relative = 32
)

// AddSchedule creates a schedule. Refused: schedules that are not based on time, or that skip weeks or months.
func (a *Agent) AddSchedule(s Schedule) (*Schedule, error) {
	switch {
	case !slices.Contains([]int{once, daily, weekly, monthly, relative}, s.Type):
		return nil, sqlerr.NotSupported("sp_add_schedule with @freq_type = %d", s.Type)
	case s.Type >= weekly && s.Recurrence != 1:
		return nil, sqlerr.NotSupported("sp_add_schedule with @freq_recurrence_factor = %d", s.Recurrence)
	case s.Interval < 1 || s.Type == weekly && s.Interval > 127 || s.Type == monthly && s.Interval > 31 || s.Type == relative && s.Interval > 10:
		return nil, sqlerr.NotSupported("sp_add_schedule with @freq_interval = %d", s.Interval)
	case s.Type == relative && !slices.Contains([]int{1, 2, 4, 8, 16}, s.Relative):
		return nil, sqlerr.NotSupported("sp_add_schedule with @freq_relative_interval = %d", s.Relative)
	case s.Type != once && (!slices.Contains([]int{0, 1, 2, 4, 8}, s.Subday) || s.Subday > 1 && s.SubdayInterval < 1 || s.EndTime < s.StartTime):
		return nil, sqlerr.NotSupported("sp_add_schedule with these times of the day")
	}
	if s.StartDate == 0 {
		s.StartDate = date(a.k.Now())
	}
	s.ID, s.Created = len(a.schedules)+1, a.k.Now()
	a.schedules = append(a.schedules, &s)
	return &s, nil
}

// Schedules returns the schedules in the order of their creation.
func (a *Agent) Schedules() []*Schedule { return a.schedules }

// Attach attaches a schedule to a job.
func (a *Agent) Attach(j *Job, s *Schedule) {
	if !slices.Contains(j.Schedules, s) {
		j.Schedules = append(slices.Clone(j.Schedules), s)
		a.await(j)
	}
}

// Enable enables or disables a job.
func (a *Agent) Enable(j *Job, enabled bool) {
	j.Enabled = enabled
	a.changed(j)
	a.await(j)
}

// Next returns when a schedule runs a job next, and which one; zero if none does.
func (a *Agent) Next(j *Job) (time.Time, *Schedule) {
	var first time.Time
	var by *Schedule
	for _, s := range j.Schedules {
		if at := s.next(a.k.Now()); j.Enabled && j.Local && s.Enabled && !at.IsZero() && (by == nil || at.Before(first)) {
			first, by = at, s
		}
	}
	return first, by
}

// await sets the timer to the next run of a job. While the service is stopped, no job runs by its schedule.
func (a *Agent) await(j *Job) {
	if j.timer != nil {
		j.timer.Stop()
		j.timer = nil
	}
	at, by := a.Next(j)
	if by == nil || a.opts.Stopped {
		return
	}
	j.timer = a.k.After(at.Sub(a.k.Now()), kernel.HouseKeeping, func() {
		j.timer = nil
		if j.run == nil { // otherwise it is already running
			r := &Run{Job: j, By: fmt.Sprintf("Schedule %d (%s)", by.ID, by.Name), first: j.StartStep}
			if err := checkSteps(j, j.StartStep); err != nil {
				a.record(History{Job: j.ID, StepName: OutcomeStep, Status: Failed, Started: a.k.Now(), Message: err.Error()})
			} else {
				a.begin(r, sourceScheduler)
			}
		}
		a.await(j)
	})
}

func date(t time.Time) int { return t.Year()*10000 + int(t.Month())*100 + t.Day() }

// midnight returns the start of a day given as yyyymmdd.
func midnight(n int) time.Time {
	return time.Date(n/10000, time.Month(n/100%100), n%100, 0, 0, 0, 0, time.UTC)
}

// next returns the first time of a schedule after a given time; zero if there is none.
func (s *Schedule) next(after time.Time) time.Time {
	day := midnight(max(s.StartDate, date(after)))
	for range 366 * 5 { // a 29th of February is among them
		if date(day) > s.EndDate {
			break
		}
		if s.on(day) {
			if at, ok := s.at(day, after); ok {
				return at
			}
		}
		day = day.AddDate(0, 0, 1)
	}
	return time.Time{}
}

// at returns the first time on a day after a given time.
func (s *Schedule) at(day, after time.Time) (time.Time, bool) {
	seconds := func(n int) time.Duration { return time.Duration(n/10000*3600+n/100%100*60+n%100) * time.Second }
	from, step := seconds(s.StartTime), time.Duration(s.SubdayInterval)*map[int]time.Duration{2: time.Second, 4: time.Minute, 8: time.Hour}[s.Subday]
	at := day.Add(from)
	if step > 0 && !at.After(after) {
		at = at.Add(after.Sub(at).Truncate(step) + step)
	}
	last := day.Add(from)
	if step > 0 {
		last = day.Add(seconds(s.EndTime))
	}
	return at, at.After(after) && !at.After(last)
}

// on reports whether a schedule runs on a day.
func (s *Schedule) on(day time.Time) bool {
	switch s.Type {
	case once:
		return date(day) == s.StartDate
	case daily:
		return int(day.Sub(midnight(s.StartDate)).Hours()/24)%s.Interval == 0
	case weekly:
		return s.Interval>>int(day.Weekday())&1 == 1
	case monthly:
		return day.Day() == s.Interval
	}
	var same []int // days of the month of that kind
	for d := day.AddDate(0, 0, 1-day.Day()); d.Month() == day.Month(); d = d.AddDate(0, 0, 1) {
		weekend := d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
		if s.Interval == int(d.Weekday())+1 || s.Interval == 8 || s.Interval == 9 && !weekend || s.Interval == 10 && weekend {
			same = append(same, d.Day())
		}
	}
	i, ok := map[int]int{1: 0, 2: 1, 4: 2, 8: 3, 16: len(same) - 1}[s.Relative]
	return ok && same[i] == day.Day()
}
