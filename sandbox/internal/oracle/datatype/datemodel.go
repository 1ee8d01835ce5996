package datatype

import (
	"slices"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// element is one element of a datetime format model ("Datetime Format Elements").
type element struct {
	code   string // upper case as in dateCodes; "" for a literal
	text   string // as written, whose case names follow; for a literal its text
	quoted bool   // a literal in quotes
	fm     bool   // fill mode is off here: no padding blanks, no leading zeros
}

// dateCodes are the elements, longer ones before those that they start with; those in refusedCodes are not modeled.
var (
	dateCodes = []string{
		"SYYYY", "SSSSS", "Y,YYY", "MONTH", "YYYY", "IYYY", "RRRR", "HH24", "HH12", "A.M.", "P.M.", "A.D.", "B.C.",
		"YEAR", "YYY", "IYY", "DAY", "DDD", "MON", "TZH", "TZM", "TZR", "TZD", "SCC", "FF1", "FF2", "FF3", "FF4", "FF5",
		"FF6", "FF7", "FF8", "FF9", "YY", "IY", "RR", "MM", "MI", "DD", "DY", "DL", "DS", "TS", "HH", "SS", "AM", "PM",
		"AD", "BC", "CC", "WW", "IW", "RM", "FF", "EE", "FX", "Y", "I", "D", "J", "Q", "W", "X", "E",
	}
	refusedCodes = []string{
		"SYYYY", "Y,YYY", "A.D.", "B.C.", "YEAR", "IYY", "TZD", "SCC", "IY", "DL", "DS", "TS", "AD", "BC", "RM", "EE", "FX", "I", "E",
	}
)

// parseDateModel splits a format model into elements: ORA-01821 for anything else. Elements
// that the sandbox does not model are refused.
func parseDateModel(model string) ([]element, error) {
	var list []element
	fm := false
	for s := model; s != ""; {
		up := fold(s)
		switch {
		case strings.HasPrefix(up, "FM"):
			fm, s = !fm, s[2:]
			continue
		case s[0] == '"':
			text, rest, ok := strings.Cut(s[1:], `"`)
			if !ok {
				return nil, message.ORA(1801)
			}
			list = append(list, element{text: text, quoted: true, fm: fm})
			s = rest
			continue
		case s[0] < 0x80 && !isAlnum(s[0]):
			list = append(list, element{text: s[:1], fm: fm})
			s = s[1:]
			continue
		}
		code := ""
		for _, c := range dateCodes {
			if strings.HasPrefix(up, c) {
				code = c
				break
			}
		}
		if code == "" {
			return nil, message.ORA(1821)
		}
		if slices.Contains(refusedCodes, code) {
			return nil, sqlerr.NotSupported("datetime format element %s", code)
		}
		e := element{code: code, text: s[:len(code)], fm: fm}
		s = s[len(code):]
		if up := fold(s); strings.HasPrefix(up, "SP") || strings.HasPrefix(up, "TH") {
			return nil, sqlerr.NotSupported("datetime format suffix %s", up[:2])
		}
		list = append(list, e)
	}
	return list, nil
}

func isAlnum(c byte) bool { return isDigit(c) || isAlpha(c) }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

var (
	monthNames = [...]string{"JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER"}
	dayNames   = [...]string{"SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"}
)

// ParseWeekday returns the day whose name or abbreviation text begins with, 0 for Sunday; -1 for none.
func ParseWeekday(text string) int {
	return slices.IndexFunc(dayNames[:], func(name string) bool { return strings.HasPrefix(fold(text), name[:3]) })
}

// likeCase writes an upper-case word in the case of the element: MON, Mon or mon.
func likeCase(word, as string) string {
	switch {
	case as[0] >= 'a' && as[0] <= 'z':
		return strings.ToLower(word)
	case len(as) > 1 && as[1] >= 'a' && as[1] <= 'z':
		return word[:1] + strings.ToLower(word[1:])
	}
	return word
}
