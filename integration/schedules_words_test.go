package integration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// calendarField is a field of a calendar, as docs/concepts.md describes it.
type calendarField struct {
	what      string
	low, high int
	names     []string // of the numbers from low
}

var calendarFields = []calendarField{
	{"minute", 0, 59, nil}, {"hour", 0, 23, nil}, {"day of the month", 1, 31, nil},
	{"month", 1, 12, []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}},
	{"day of the week", 0, 7, []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}},
}

// words returns words that can be read in this field, and words that cannot, at all its edges.
func (f calendarField) words() (good, bad []string) {
	low, high := strconv.Itoa(f.low), strconv.Itoa(f.high)
	good = []string{
		low, high, low + "-" + high, "*", "*/1", "*/2", "*/" + high, "*/99", low + "-" + high + "/3", high + "-" + high, low + "," + high, high + "," + low + "," + low,
		fmt.Sprintf("%d-%d/2,%d", f.low+1, f.high-1, f.high), "0" + strconv.Itoa(f.low+1), fmt.Sprint(f.low+1, "-0", f.low+3),
	}
	bad = []string{
		strconv.Itoa(f.high + 1), low + "-" + strconv.Itoa(f.high+1), "*/0", "*/", "*/-1", "*/x", "*/100", "/2", low + "/2", low + "-", "-" + high, "1-2-3", "**", "*-" + high,
		",", low + ",", "," + low, low + ",," + high, "x", "-1", "001", "1.5", "+1", "#1", "L-1", "LL", "1L", low + "-" + high + "/0", low + "-" + high + "/", "?", "100", "10000000000",
	}
	if f.what != "day of the week" { // where 7-0 is from Sunday to Sunday
		bad = append(bad, high+"-"+low, "3-2")
	}
	if f.low > 0 {
		bad = append(bad, "0", "0-"+high, "0"+low+"0")
	}
	if f.names == nil {
		bad = append(bad, "JAN", "MON")
	} else {
		first, last := f.names[0], f.names[len(f.names)-1]
		for _, name := range f.names {
			good = append(good, name, strings.ToLower(name))
		}
		good = append(good, first+"-"+last, f.names[1]+"-"+f.names[3]+"/2", first+","+last)
		bad = append(bad, first+f.names[1], first[1:]+f.names[1][:1], first[2:]+f.names[1][:2], first[:2], first+"S", "*/"+first, last+"-"+f.names[1], first+"-", "-"+first)
	}
	switch f.what {
	case "day of the month":
		good = append(good, "L", "l", "L,1", "15,L")
		bad = append(bad, "L-31", "1-L", "*/L", "5#1")
	case "day of the week":
		good = append(good, "5#1", "5#2", "5#5", "FRI#3", "7#1", "0#1", "SUN#4", "1#1,3#3", "FRI-SUN", "5-0", "1-0", "6-7", "FRI#1,MON", "SAT-SUN")
		bad = append(bad, "5#0", "5#6", "5#", "5#11", "8#1", "1-5#2", "5#2/2", "*#1", "JAN", "L", "5L", "5#x", "5#2#2")
	default:
		bad = append(bad, "L", "1#1")
	}
	if f.what == "month" {
		bad = append(bad, "MON", "SUN")
	}
	return good, bad
}

// number reads a number or name of the field.
func (f calendarField) number(text string) int {
	if i := slices.Index(f.names, strings.ToUpper(text)); i >= 0 {
		return f.low + i
	}
	return must(strconv.Atoi(text))
}

// matches reports whether a word of the field contains a number; nth is how many times its weekday has come in the month, last whether it is the last day.
func (f calendarField) matches(word string, n, nth int, last bool) bool {
	for part := range strings.SplitSeq(word, ",") {
		if strings.EqualFold(part, "L") {
			if last {
				return true
			}
			continue
		}
		part, week, ofWeek := strings.Cut(part, "#")
		span, by, stepped := strings.Cut(part, "/")
		from, to := f.low, f.high
		if span != "*" {
			first, second, isRange := strings.Cut(span, "-")
			if from = f.number(first); isRange {
				to = f.number(second)
			} else {
				to = from
			}
		} else if f.what == "day of the week" {
			to = 6
		}
		if f.what == "day of the week" && to == 0 && from > 0 {
			to = 7
		}
		step := 1
		if stepped {
			step = must(strconv.Atoi(by))
		}
		for at := from; at <= to; at += step {
			if same := at == n || f.what == "day of the week" && at%7 == n; same && (!ofWeek || week == strconv.Itoa(nth)) {
				return true
			}
		}
	}
	return false
}

// instantsOf returns the first instants of five fields after a time, in UTC.
func instantsOf(calendar string, after time.Time, count int) (found []string) {
	words := strings.Fields(calendar)
	day := after.Truncate(24 * time.Hour)
	for ; len(found) < count && day.Year() <= after.Year()+10; day = day.AddDate(0, 0, 1) {
		inMonth := calendarFields[2].matches(words[2], day.Day(), 0, day.AddDate(0, 0, 1).Day() == 1)
		inWeek := calendarFields[4].matches(words[4], int(day.Weekday()), (day.Day()+6)/7, false)
		both := strings.HasPrefix(words[2], "*") || strings.HasPrefix(words[4], "*")
		onDay := inMonth && inWeek || !both && (inMonth || inWeek)
		if !onDay || !calendarFields[3].matches(words[3], int(day.Month()), 0, false) {
			continue
		}
		for hour := range 24 {
			for minute := range 60 {
				at := day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
				if len(found) < count && at.After(after) && calendarFields[1].matches(words[1], hour, 0, false) && calendarFields[0].matches(words[0], minute, 0, false) {
					found = append(found, at.Format(utcMinute))
				}
			}
		}
	}
	return found
}

// TestCalendarWords: each word that a field can hold has the instants that the documentation says; every other is refused, with the place.
func TestCalendarWords(t *testing.T) {
	each(t, setup{stopped: true}, func(h *harness) {
		next := func(calendar string, after time.Time, count int) ([]string, error) {
			got, err := h.sched.NextInstants(h.Context(), dialects.When{Calendar: calendar, Zone: "UTC"}, after, count)
			var texts []string
			for _, at := range got {
				texts = append(texts, at.Format(utcMinute))
			}
			return texts, err
		}
		afters := []time.Time{time.Date(2027, 12, 30, 22, 58, 30, 0, time.UTC), time.Date(2028, 2, 27, 23, 59, 0, 0, time.UTC)}
		for i, f := range calendarFields {
			good, bad := f.words()
			fields := [][]string{strings.Fields("0 0 1 1 *"), strings.Fields("30 12 * * *")}[min(i/4, 1)]
			if i < 2 {
				fields = strings.Fields("59 23 * * *")
			}
			in := func(word string) string {
				all := slices.Clone(fields)
				all[i] = word
				return strings.Join(all, " ")
			}
			for n, word := range good {
				after := afters[n%2]
				got, err := next(in(word), after, 3)
				require.NoError(h, err, in(word))
				require.Equal(h, instantsOf(in(word), after, 3), got, "%s after %s", in(word), after)
			}
			for _, word := range bad {
				_, err := next(in(word), afters[0], 1)
				require.ErrorContains(h, err, h.errorText(74), in(word))
				require.ErrorContains(h, err, fmt.Sprintf("field %d (%s)", i+1, f.what), in(word))
				require.ErrorContains(h, err, fmt.Sprintf("from %d to %d", f.low, f.high), in(word))
			}
			_, err := next(strings.Join(fields[:i], " "), afters[0], 1)
			require.ErrorContains(h, err, h.errorText(74), "only %d fields", i)
			if i > 0 {
				require.ErrorContains(h, err, fmt.Sprintf("field %d of 5 (%s) is missing", i+1, f.what))
			}
		}

		// Both days, or one of them.
		for _, calendar := range []string{
			"0 0 13 * 5", "0 0 13 * *", "0 0 * * 5", "0 0 */3 * 5", "0 0 13 * */2", "0 0 L * 1", "0 0 1,L * MON#1", "0 0 28 2 1", "0 0 * 3 1#5", "10-50/20 9-17/8 1-7 */5 TUE", "0 0 31 * 0#1", "7 7 7 7 7",
		} {
			got, err := next(calendar, afters[1], 5)
			require.NoError(h, err, calendar)
			require.Equal(h, instantsOf(calendar, afters[1], 5), got, calendar)
		}

		same := map[string]string{
			" 5\t4 \n 3  2 * \r\n": "5 4 3 2 *", strings.Repeat(" ", 191) + "5 4 3 2 *": "5 4 3 2 *", "5 4 3 2 *" + strings.Repeat(" ", 191): "5 4 3 2 *", "@yearly": "0 0 1 1 *", "@ANNUALLY": "0 0 1 1 *", " @Monthly ": "0 0 1 * *", "@weekly": "0 0 * * 0",
			"@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
		}
		for calendar, as := range sorted(same) {
			got, err := next(calendar, afters[0], 3)
			require.NoError(h, err, calendar)
			require.Equal(h, instantsOf(as, afters[0], 3), got, calendar)
		}
		every := map[string]time.Duration{
			"every minute": time.Minute, "every 1 minutes": time.Minute, "EVERY 2 Minute": 2 * time.Minute, " every   527040  minutes ": 366 * 24 * time.Hour, "every hour": time.Hour, "every 8784 hours": 366 * 24 * time.Hour,
			"every 1 hours": time.Hour, "every day": 24 * time.Hour, "every 366 days": 366 * 24 * time.Hour, "every\t3\nDAYS": 72 * time.Hour, "every 000090 minutes": 90 * time.Minute,
		}
		for calendar, d := range sorted(every) {
			got, err := next(calendar, afters[1], 2)
			require.NoError(h, err, calendar)
			require.Equal(h, []string{afters[1].Add(d).Format(utcMinute), afters[1].Add(2 * d).Format(utcMinute)}, got, calendar)
		}
		for _, calendar := range []string{
			"every 527041 minutes", "every 0 minutes", "every 0 days", "every 367 days", "every 8785 hours", "every -1 minutes", "every 1.5 hours", "every 5", "every five minutes", "every 5 seconds",
			"every 9999999 minutes", "every minutely", "every 5 minutes more", "every 5minutes", "every 2 weeks", "@never", "@", "@daily 1", "5 4 3 2 * *", "5 4 3 2 * x", strings.Repeat(" ", 10), strings.Repeat("1,", 96) + "1 * * * *",
		} {
			_, err := next(calendar, afters[0], 1)
			require.ErrorContains(h, err, h.errorText(74), calendar)
		}
		for _, calendar := range []string{strings.Repeat(" ", 192) + "5 4 3 2 *", "5 4 3 2 *" + strings.Repeat(" ", 192), "", " ", strings.Repeat(" ", 201)} {
			_, err := next(calendar, afters[0], 1)
			require.ErrorContains(h, err, "1 to 200 characters", "%d characters", len(calendar))
		}
	})
}
