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

// isoForm has the forms that are modeled (learn.microsoft.com "datetime2", "Supported string literal formats for datetime2"): those of ISO 8601
// and ODBC, and without hyphens. otherForm has the others, which a server reads by style, language and DATEFORMAT.
var (
	isoForm   = regexp.MustCompile(`^(?:(\d{4})-(\d\d?)-(\d\d?)|(\d{4})(\d\d)(\d\d))?(T| *)(?:(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,7}))?)?)? *(Z|z|[+-]\d\d?:\d\d)?$`)
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
	p, old := isoForm.FindStringSubmatch(s), to.ID == DateTime
	switch {
	case p == nil && otherForm.MatchString(s), p != nil && style >= 126 && p[7] != "T" && p[8] != "" && p[1]+p[4] != "":
		return m, sqlerr.NotSupported("the form of the date '%s'", s)
	case p == nil, p[12] != "" && (old && len(p[12]) > 1 || p[8] == ""), old && len(p[11]) > 3, p[7] == "T" && (p[8] == "" || old && p[10] == ""), s != "" && p[1]+p[4]+p[8] == "":
		return m, errDateString()
	}
	n := func(i int) int {
		k, _ := strconv.Atoi(p[i]) // "" is 0
		return k
	}
	year, month, day := n(1)+n(4), n(2)+n(5), n(3)+n(6)
	m.ticks = epoch1900
	if p[1]+p[4] != "" {
		m.ticks = DateTicks(max(year, 1), max(month, 1), max(day, 1))
	}
	bad := p[1]+p[4] != "" && !ValidDate(year, month, day) || n(8) > 23 || n(9) > 59 || n(10) > 59
	m.ticks += int64(n(8))*TicksPerHour + int64(n(9))*TicksPerMinute + int64(n(10))*TicksPerSecond + int64(n(11))*pow10s[7-len(p[11])]
	if zone := p[12]; len(zone) > 1 {
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
	m.hasZone = p[12] != ""
	switch {
	case bad && old:
		return m, errDateRange(from, to)
	case bad:
		return m, errDateString()
	}
	return m, nil
}
