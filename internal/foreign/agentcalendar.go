package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

func clock(n int) string {
	if n%100 != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", n/10000, n/100%100, n%100)
	}
	return fmt.Sprintf("%02d:%02d", n/10000, n/100%100)
}

// calendar writes a schedule as five cron fields. An error says, worded as a predicate, why that cannot be done
// (learn.microsoft.com, "dbo.sysschedules").
func (a AgentSchedule) calendar() (cron string, notes []string, err error) {
	days, months, weekdays := "*", "*", "*"
	switch a.Type {
	case agentOnce:
		return "", nil, fmt.Errorf("runs once, on %s at %s", day(a.StartDate), clock(a.StartTime))
	case agentStart:
		return "", nil, errors.New("runs when the Agent starts")
	case agentIdle:
		return "", nil, errors.New("runs when the processors are idle")
	case agentDaily:
		if a.Interval > 1 {
			return "", nil, fmt.Errorf("runs every %d days, which a calendar does not count", a.Interval)
		}
	case agentWeekly:
		if a.Recurrence > 1 {
			return "", nil, fmt.Errorf("runs every %d weeks, which a calendar does not count", a.Recurrence)
		}
		if weekdays = weekly(a.Interval); weekdays == "" {
			return "", nil, errors.New("runs on no day of the week")
		}
	case agentMonthly:
		days = strconv.Itoa(a.Interval)
	case agentRelative:
		if days, weekdays, err = a.relative(); err != nil {
			return "", nil, err
		}
	default:
		return "", nil, fmt.Errorf("has the freq_type %d, which is not documented", a.Type)
	}
	if a.Type >= agentMonthly && a.Recurrence > 1 {
		if 12%a.Recurrence != 0 || a.NextRun == 0 {
			return "", nil, fmt.Errorf("runs every %d months, which a calendar does not count", a.Recurrence)
		}
		var all []int
		for m := a.NextRun / 100 % 100; len(all) < 12/a.Recurrence; m = (m+a.Recurrence-1)%12 + 1 {
			all = append(all, m)
		}
		slices.Sort(all)
		months = field(all, 1, 12)
	}
	minutes, hours, notes, err := a.times()
	return strings.Join([]string{minutes, hours, days, months, weekdays}, " "), notes, err
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
		return "", "", nil, fmt.Errorf("runs from %s over midnight to %s", clock(a.StartTime), clock(a.EndTime))
	case a.Subday > 1 && step <= 0:
		return "", "", nil, errors.New("has no interval within the day")
	case step%60 != 0:
		return "", "", nil, fmt.Errorf("runs every %d seconds: a calendar has minutes", step)
	}
	if from%60 != 0 {
		notes = append(notes, fmt.Sprintf("begins at %s: a calendar has minutes", clock(a.StartTime)))
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
			notes = append(notes, fmt.Sprintf("ends at %s: this calendar leaves that time itself out", clock(a.EndTime)))
		}
	}
	if !ok {
		return "", "", nil, fmt.Errorf("runs every %d minutes from %s to %s, which five fields cannot say", step/60, clock(a.StartTime), clock(a.EndTime))
	}
	return minutes, hours, notes, nil
}
