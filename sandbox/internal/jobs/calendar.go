package jobs

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// calendar is a repeat interval: FREQ=…;INTERVAL=…;BY….
type calendar struct {
	step time.Duration  // set if it has only INTERVAL and a FREQ below WEEKLY
	rule *rrule.ROption // set otherwise
}

// Names in the calendar syntax and their RFC 5545 equivalents.
var (
	frequencies = map[string]time.Duration{"SECONDLY": time.Second, "MINUTELY": time.Minute, "HOURLY": time.Hour, "DAILY": 24 * time.Hour, "WEEKLY": 0, "MONTHLY": 0, "YEARLY": 0}
	weekdays    = regexp.MustCompile(`(MO|TU|WE|TH|FR|SA|SU)[NEDUIT]\b`)
	months      = strings.NewReplacer("JAN", "1", "FEB", "2", "MAR", "3", "APR", "4", "MAY", "5", "JUN", "6", "JUL", "7", "AUG", "8", "SEP", "9", "OCT", "10", "NOV", "11", "DEC", "12")
)

// parseCalendar reads a repeat interval. Error 27412; syntax that RFC 5545 lacks is refused.
func parseCalendar(text string) (calendar, error) {
	if !strings.Contains(text, "=") {
		return calendar{}, sqlerr.NotSupported("repeat interval %q: PL/SQL expressions and named schedules", text)
	}
	frequency, interval := "", int64(1)
	var rules []string
	for part := range strings.SplitSeq(strings.ToUpper(text), ";") {
		name, val, _ := strings.Cut(part, "=")
		name, val = strings.TrimSpace(name), strings.TrimSpace(val)
		switch {
		case name == "" && val == "":
		case name == "FREQ" || name == "FREQUENCY":
			if _, ok := frequencies[val]; !ok {
				return calendar{}, message.ORA(27412, val)
			}
			frequency = val
		case name == "INTERVAL":
			n, err := strconv.ParseInt(val, 10, 64)
			if err != nil {
				return calendar{}, message.ORA(27412, val)
			}
			if n < 1 || n > 99 { // DBMS_SCHEDULER, Calendaring Syntax: 1 through 99
				return calendar{}, sqlerr.NotSupported("repeat interval with INTERVAL=%d", n)
			}
			interval = n
		case name == "BYDAY":
			rules = append(rules, "BYDAY="+weekdays.ReplaceAllString(strings.ReplaceAll(val, " ", ""), "$1"))
		case name == "BYMONTH":
			rules = append(rules, "BYMONTH="+months.Replace(strings.ReplaceAll(val, " ", "")))
		case name == "BYMONTHDAY", name == "BYYEARDAY", name == "BYWEEKNO", name == "BYHOUR", name == "BYMINUTE", name == "BYSECOND", name == "BYSETPOS":
			rules = append(rules, name+"="+strings.ReplaceAll(val, " ", ""))
		case strings.HasPrefix(name, "BY"), name == "INCLUDE", name == "EXCLUDE", name == "INTERSECT", name == "PERIODS":
			return calendar{}, sqlerr.NotSupported("repeat interval with %s", name)
		default:
			return calendar{}, message.ORA(27412, name)
		}
	}
	if frequency == "" {
		return calendar{}, message.ORA(27412, text)
	}
	if unit := frequencies[frequency]; unit > 0 && len(rules) == 0 {
		return calendar{step: time.Duration(interval) * unit}, nil
	}
	rules = append(rules, "FREQ="+frequency, "INTERVAL="+strconv.FormatInt(interval, 10))
	rule, err := rrule.StrToROption(strings.Join(rules, ";"))
	if err == nil {
		_, err = rrule.NewRRule(*rule)
	}
	if err != nil {
		return calendar{}, message.ORA(27412, text)
	}
	return calendar{rule: rule}, nil
}

// next returns the first date of the calendar after a point in time; zero if there is none. The start date is its reference and supplies
// what the calendar leaves out.
func (c calendar) next(start, after time.Time) time.Time {
	start = start.Truncate(time.Second)
	if c.rule != nil {
		rule := *c.rule
		rule.Dtstart = start
		r, err := rrule.NewRRule(rule)
		if err != nil {
			return time.Time{}
		}
		return r.After(after, false)
	}
	if start.After(after) {
		return start
	}
	since := after.Sub(start)
	return after.Add(c.step - since%c.step)
}

// Next implements DBMS_SCHEDULER.EVALUATE_CALENDAR_STRING. Errors: 27412.
func Next(text string, start, after time.Time) (time.Time, error) {
	c, err := parseCalendar(text)
	if err != nil {
		return time.Time{}, err
	}
	return c.next(start, after), nil
}
