package datatype

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// moment is what a date or time string says.
type moment struct {
	ticks   int64 // local, since 0001-01-01; 1900-01-01 where no date is given
	zone    int   // minutes
	hasZone bool
}

// modeledForm has the forms that are modeled (learn.microsoft.com "datetime2", "Supported string literal formats for datetime2"): those of ISO 8601
// and ODBC, without hyphens, and mm/dd/yyyy. otherForm has the others, which a server reads by style, language and DATEFORMAT.
var (
	modeledForm = regexp.MustCompile(`^(?:(\d{4})-(\d\d?)-(\d\d?)|(\d{4})(\d\d)(\d\d)|(\d\d?)/(\d\d?)/(\d{4}))?(T| *)` +
		`(?:(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,7}))?)?)?(?: *(Z|z|[+-]\d\d?:\d\d))?$`)
	otherForm = regexp.MustCompile(`^(?i)[\d\s./,:+TZ-]*\d[\d\s./,:+TZ-]*$|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d *[ap]m\b`)
)

// parseMoment reads s for conversion to the given type and style.
func parseMoment(s string, from, to Type, style int) (m moment, err error) {
	switch style {
	case NoStyle, 0, 100, 20, 120, 21, 25, 121, 23, 112, 126, 127:
	default:
		return m, sqlerr.NotSupported("dates read in style %d", style)
	}
	s = strings.Trim(s, " ")
	p, old := modeledForm.FindStringSubmatch(s), to.ID == DateTime
	if p == nil && otherForm.MatchString(s) {
		return m, sqlerr.NotSupported("the form of the date '%s'", s)
	}
	if p == nil {
		return m, errDateString()
	}
	n := func(i int) int {
		k, _ := strconv.Atoi(p[i]) // "" is 0
		return k
	}
	dated, clock, isT, slashes, zone := p[1]+p[4]+p[9] != "", p[11] != "", p[10] == "T", p[9] != "", p[15]
	switch {
	case style >= 20 && slashes, style >= 126 && dated && clock && !isT:
		return m, sqlerr.NotSupported("the form of the date '%s'", s)
	case zone != "" && (old && len(zone) > 1 || !clock), old && len(p[14]) > 3, isT && (!clock || slashes || old && p[13] == ""), s != "" && !dated && !clock:
		return m, errDateString()
	}
	year, month, day := n(1)+n(4)+n(9), n(2)+n(5)+n(7), n(3)+n(6)+n(8)
	m.ticks = epoch1900
	if dated {
		m.ticks = DateTicks(max(year, 1), max(month, 1), max(day, 1))
	}
	bad := dated && !ValidDate(year, month, day) || n(11) > 23 || n(12) > 59 || n(13) > 59
	m.ticks += int64(n(11))*TicksPerHour + int64(n(12))*TicksPerMinute + int64(n(13))*TicksPerSecond + int64(n(14))*pow10s[7-len(p[14])]
	if m.hasZone = zone != ""; len(zone) > 1 {
		h, minutes, _ := strings.Cut(zone[1:], ":")
		hours, _ := strconv.Atoi(h)
		m.zone, _ = strconv.Atoi(minutes)
		bad = bad || m.zone > 59
		m.zone += hours * 60
		bad = bad || m.zone > 14*60
		if zone[0] == '-' {
			m.zone = -m.zone
		}
	}
	switch {
	case bad && old:
		return m, errDateRange(from, to)
	case bad:
		return m, errDateString()
	}
	return m, nil
}
