package jobimport

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// AgentSchedule is a row of sysschedules, with when sysjobschedules says that the job runs next. Dates are yyyymmdd, times hhmmss.
type AgentSchedule struct {
	Name                                                         string
	Enabled                                                      bool
	Type, Interval, Subday, SubdayInterval, Relative, Recurrence int
	StartDate, EndDate, StartTime, EndTime                       int
	NextRun                                                      int // date; 0: unknown
}

// The kinds of schedules: freq_type.
const (
	agentOnce     = 1
	agentDaily    = 4
	agentWeekly   = 8
	agentMonthly  = 16
	agentRelative = 32
	agentStart    = 64
	agentIdle     = 128
)

func day(n int) string { return fmt.Sprintf("%04d-%02d-%02d", n/10000, n/100%100, n%100) }

func hour(n int) string {
	if n%100 != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", n/10000, n/100%100, n%100)
	}
	return fmt.Sprintf("%02d:%02d", n/10000, n/100%100)
}

// calendar writes a schedule as five cron fields, or as days from the next run, which is then what they are counted from. An error says, worded
// as a predicate, why that cannot be done (learn.microsoft.com, "dbo.sysschedules").
func (a AgentSchedule) calendar(clock clockRules) (when dialects.When, notes []string, err error) {
	days, months, weekdays, every := "*", "*", "*", 0
	switch a.Type {
	case agentOnce:
		return when, nil, fmt.Errorf("runs once, on %s at %s", day(a.StartDate), hour(a.StartTime))
	case agentStart:
		return when, nil, errors.New("runs when the Agent starts")
	case agentIdle:
		return when, nil, errors.New("runs when the processors are idle")
	case agentDaily:
		if a.Interval > 1 {
			every = a.Interval
		}
	case agentWeekly:
		if weekdays = weekly(a.Interval); weekdays == "" {
			return when, nil, errors.New("runs on no day of the week")
		}
		if a.Recurrence > 1 {
			every = 7 * a.Recurrence
		}
	case agentMonthly:
		days = strconv.Itoa(a.Interval)
	case agentRelative:
		if days, weekdays, err = a.relative(); err != nil {
			return when, nil, err
		}
	default:
		return when, nil, fmt.Errorf("has the freq_type %d, which is not documented", a.Type)
	}
	if a.Type >= agentMonthly && a.Recurrence > 1 {
		if 12%a.Recurrence != 0 || a.NextRun == 0 {
			return when, nil, fmt.Errorf("runs every %d months, which a calendar does not count", a.Recurrence)
		}
		var all []int
		for m := a.NextRun / 100 % 100; len(all) < 12/a.Recurrence; m = (m+a.Recurrence-1)%12 + 1 {
			all = append(all, m)
		}
		slices.Sort(all)
		months = field(all, 1, 12)
	}
	minutes, hours, notes, err := a.times()
	if err == nil {
		when.Calendar = strings.Join([]string{minutes, hours, days, months, weekdays}, " ")
	}
	if err == nil && every > 0 {
		when.Calendar = fmt.Sprintf("every %d days", every)
		when.Begin, err = a.counted(every, weekdays, clock)
	}
	if err == nil {
		err = a.limits(&when, clock)
	}
	return when, notes, err
}

// counted returns the run from which days are counted. That is elapsed time, which leads to the same time of day only if the clocks never change.
func (a AgentSchedule) counted(days int, weekdays string, clock clockRules) (time.Time, error) {
	switch {
	case a.Type == agentDaily && a.Subday > 1, a.Type == agentWeekly && (a.Subday > 1 || len(weekdays) > len("SUN")):
		return time.Time{}, fmt.Errorf("runs every %d days, and then more than once", days)
	case a.NextRun == 0:
		return time.Time{}, fmt.Errorf("runs every %d days, and does not say when next", days)
	case !clock.constant(a.NextRun):
		return time.Time{}, fmt.Errorf("runs every %d days by a clock that changes in summer, or of which nothing is known: a calendar counts elapsed time", days)
	}
	return clock.at(a.NextRun, a.StartTime), nil
}

// limits sets begin and end: the first and the last day on which it runs.
func (a AgentSchedule) limits(when *dialects.When, clock clockRules) error {
	ends, begins := a.EndDate != 0 && a.EndDate != 99991231, a.StartDate > clock.today
	switch {
	case ends && a.EndDate < clock.today:
		return fmt.Errorf("ended on %s", day(a.EndDate))
	case (begins || ends) && clock.loc == nil:
		return errors.New("begins or ends by a clock of which nothing is known: name its time zone with --zone")
	}
	if begins && when.Begin.IsZero() {
		when.Begin = clock.at(a.StartDate, 0)
	}
	if ends {
		when.End = clock.at(a.EndDate, 235959)
	}
	return nil
}

// clockRules are those of the server's clock.
type clockRules struct {
	loc   *time.Location // nil: unknown
	today int
}

// at returns the instant of a date and a time of day.
func (c clockRules) at(date, clock int) time.Time {
	return time.Date(date/10000, time.Month(date/100%100), date%100, clock/10000, clock/100%100, clock%100, 0, c.loc).UTC()
}

// constant reports whether the clock will not be set forward or back in the years after a date, as far as anybody knows.
func (c clockRules) constant(date int) bool {
	if c.loc == nil {
		return false
	}
	first := c.at(date, 0)
	_, offset := first.In(c.loc).Zone()
	for days := range 5 * 366 {
		if _, now := first.AddDate(0, 0, days).In(c.loc).Zone(); now != offset {
			return false
		}
	}
	return true
}

// weekly names the days of a bit mask.
func weekly(mask int) string {
	names := []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}
	switch mask & 127 {
	case 127:
		return "*"
	case 62:
		return "MON-FRI"
	}
	var all []string
	for i, name := range names {
		if mask>>i&1 == 1 {
			all = append(all, name)
		}
	}
	return strings.Join(all, ",")
}

// relative returns the second Friday, or the last day, of a month.
func (a AgentSchedule) relative() (days, weekdays string, err error) {
	week := map[int]int{1: 1, 2: 2, 4: 3, 8: 4}[a.Relative]
	last := a.Relative == 16
	switch {
	case a.Interval >= 1 && a.Interval <= 7 && week > 0:
		return "*", fmt.Sprintf("%d#%d", a.Interval-1, week), nil
	case a.Interval >= 1 && a.Interval <= 7 && last:
		return "", "", errors.New("runs on the last of the days of one name in a month, which a calendar does not have")
	case a.Interval == 8 && week > 0:
		return strconv.Itoa(week), "*", nil
	case a.Interval == 8 && last:
		return "L", "*", nil
	case a.Interval == 9:
		return "", "", errors.New("runs on a working day of the month, which a calendar does not count")
	case a.Interval == 10:
		return "", "", errors.New("runs on a weekend day of the month, which a calendar does not count")
	}
	return "", "", fmt.Errorf("has freq_interval %d and freq_relative_interval %d, which are not documented", a.Interval, a.Relative)
}

// times returns the minutes and hours of a day when the schedule runs.
func (a AgentSchedule) times() (minutes, hours string, notes []string, err error) {
	seconds := func(n int) int { return n/10000*3600 + n/100%100*60 + n%100 }
	from, to, step := seconds(a.StartTime), seconds(a.EndTime), 0
	switch a.Subday {
	case 0, 1: // at the specified time
		to = from
	case 2:
		step = a.SubdayInterval
	case 4:
		step = a.SubdayInterval * 60
	case 8:
		step = a.SubdayInterval * 3600
	default:
		return "", "", nil, fmt.Errorf("has the freq_subday_type %d, which is not documented", a.Subday)
	}
	switch {
	case to < from:
		return "", "", nil, fmt.Errorf("runs from %s over midnight to %s", hour(a.StartTime), hour(a.EndTime))
	case a.Subday > 1 && step <= 0:
		return "", "", nil, errors.New("has no interval within the day")
	case step%60 != 0:
		return "", "", nil, fmt.Errorf("runs every %d seconds: a calendar has minutes", step)
	}
	if from%60 != 0 {
		return "", "", nil, fmt.Errorf("begins at %s: a calendar has minutes", hour(a.StartTime))
	}
	var all []int
	for at := from; at <= to; at += step {
		all = append(all, at/60)
		if step == 0 {
			break
		}
	}
	minutes, hours, ok := fields(all)
	if n := len(all) - 1; !ok && n > 0 && all[n]*60 == to { // does the end count as a time? The documentation does not say
		if minutes, hours, ok = fields(all[:n]); ok {
			notes = append(notes, fmt.Sprintf("ends at %s: this calendar leaves that time itself out", hour(a.EndTime)))
		}
	}
	if !ok {
		return "", "", nil, fmt.Errorf("runs every %d minutes from %s to %s, which five fields cannot say", step/60, hour(a.StartTime), hour(a.EndTime))
	}
	return minutes, hours, notes, nil
}
