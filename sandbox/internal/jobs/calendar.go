package jobs

import (
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// calendar is a repeat interval: FREQ=…;INTERVAL=….
type calendar struct{ step time.Duration }

// parseCalendar reads a repeat interval. Error 27412; what is more than FREQ and INTERVAL is refused.
func parseCalendar(text string) (calendar, error) {
	if !strings.Contains(text, "=") {
		return calendar{}, sqlerr.NotSupported("repeat interval %q: PL/SQL expressions and named schedules", text)
	}
	unit, interval := time.Duration(0), int64(1)
	for part := range strings.SplitSeq(strings.ToUpper(text), ";") {
		name, val, _ := strings.Cut(part, "=")
		name, val = strings.TrimSpace(name), strings.TrimSpace(val)
		switch {
		case name == "" && val == "":
		case name == "FREQ" || name == "FREQUENCY":
			unit = map[string]time.Duration{"SECONDLY": time.Second, "MINUTELY": time.Minute, "HOURLY": time.Hour, "DAILY": 24 * time.Hour}[val]
			switch {
			case val == "WEEKLY" || val == "MONTHLY" || val == "YEARLY":
				return calendar{}, sqlerr.NotSupported("repeat interval with FREQ=%s", val)
			case unit == 0:
				return calendar{}, message.ORA(27412, val)
			}
		case name == "INTERVAL":
			n, err := strconv.ParseInt(val, 10, 64)
			if err != nil {
				return calendar{}, message.ORA(27412, val)
			}
			if n < 1 || n > 99 { // DBMS_SCHEDULER, Calendaring Syntax: 1 through 99
				return calendar{}, sqlerr.NotSupported("repeat interval with INTERVAL=%d", n)
			}
			interval = n
		case strings.HasPrefix(name, "BY"), name == "INCLUDE", name == "EXCLUDE", name == "INTERSECT", name == "PERIODS":
			return calendar{}, sqlerr.NotSupported("repeat interval with %s", name)
		default:
			return calendar{}, message.ORA(27412, name)
		}
	}
	if unit == 0 {
		return calendar{}, message.ORA(27412, text)
	}
	return calendar{time.Duration(interval) * unit}, nil
}

// next returns the first date of the calendar after a point in time. The start date is its reference.
func (c calendar) next(start, after time.Time) time.Time {
	start = start.Truncate(time.Second)
	if start.After(after) {
		return start
	}
	since := after.Sub(start)
	return after.Add(c.step - since%c.step)
}
