package jobimport

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// Intervals in PL/SQL, without blanks and in upper case, by how the day begins.
var (
	now       = `(?:SYSDATE|SYSTIMESTAMP|CURRENT_TIMESTAMP)`
	elapsed   = regexp.MustCompile(`^` + now + `\+([0-9/*.]+)$`)
	interval1 = regexp.MustCompile(`^` + now + `\+INTERVAL'([0-9]+)'(MINUTE|HOUR|DAY)$`)
	daily     = regexp.MustCompile(`^TRUNC\(SYSDATE(\+1)?(?:,'DDD?')?\)(.*)$`)
	hourly    = regexp.MustCompile(`^TRUNC\(SYSDATE(?:\+(?:1/24|60/1440))?,'HH(?:24|12)?'\)(.*)$`)
	weekday   = regexp.MustCompile(`^NEXT_DAY\(TRUNC\(SYSDATE\),'(SUN|MON|TUE|WED|THU|FRI|SAT)[A-Z]*'\)(.*)$`)
	monthly   = regexp.MustCompile(`^(?:ADD_MONTHS\(TRUNC\(SYSDATE,'MM'\),1\)|LAST_DAY\(TRUNC\(SYSDATE\)\)\+1|TRUNC\(LAST_DAY\(SYSDATE\)\+1\)|TRUNC\(LAST_DAY\(SYSDATE\)\)\+1)(.*)$`)
)

// interval reads simple intervals of DBMS_JOB, and reports whether the interval counts elapsed time; the calendar is empty for
// any other (Administrator's Guide: "'SYSDATE + 7'", "'TRUNC(SYSDATE + 1/24, ”HH”)'", "'NEXT_DAY(TRUNC(SYSDATE), ”MONDAY”)'").
func interval(text string) (calendar string, counts bool) {
	text = strings.ToUpper(strings.Join(strings.Fields(text), ""))
	if m := interval1.FindStringSubmatch(text); m != nil {
		return every(m[1] + map[string]string{"MINUTE": "/1440", "HOUR": "/24", "DAY": ""}[m[2]]), true
	}
	if m := elapsed.FindStringSubmatch(text); m != nil {
		return every(m[1]), true
	}
	if m := hourly.FindStringSubmatch(text); m != nil {
		at, ok := minutes(m[1])
		if strings.HasPrefix(text, "TRUNC(SYSDATE,") { // the current hour: the next is an hour later
			at -= 60
		}
		if ok && at >= 0 && at < 60 {
			return fmt.Sprintf("%d * * * *", at), false
		}
		return "", false
	}
	var days, rest string
	late := 0
	if m := weekday.FindStringSubmatch(text); m != nil {
		days, rest = "* * "+m[1], m[2]
	} else if m := monthly.FindStringSubmatch(text); m != nil {
		days, rest = "1 * *", m[1]
	} else if m := daily.FindStringSubmatch(text); m != nil {
		days, rest = "* * *", m[1]+m[2]
		late = 24 * 60 // the day has begun: the next is a day later
	} else {
		return "", false
	}
	at, ok := minutes(rest)
	if at -= late; !ok || at < 0 || at >= 24*60 {
		return "", false
	}
	return fmt.Sprintf("%d %d %s", at%60, at/60, days), false
}

// every formats a number of days.
func every(days string) string {
	n, ok := product(days)
	if !ok {
		return ""
	}
	n.Mul(n, big.NewRat(1440, 1))
	if !n.IsInt() || n.Sign() <= 0 || n.Num().BitLen() > 31 {
		return ""
	}
	switch m := n.Num().Int64(); {
	case m > 366*1440:
		return ""
	case m%1440 == 0:
		return fmt.Sprintf("every %d days", m/1440)
	case m%60 == 0:
		return fmt.Sprintf("every %d hours", m/60)
	default:
		return fmt.Sprintf("every %d minutes", m)
	}
}

// minutes reads what is added to a day: +1+2/24, in minutes.
func minutes(text string) (int, bool) {
	sum := new(big.Rat)
	for text != "" {
		if text[0] != '+' {
			return 0, false
		}
		text = text[1:]
		end := strings.IndexByte(text+"+", '+')
		n, ok := product(text[:end])
		if !ok {
			return 0, false
		}
		sum.Add(sum, n)
		text = text[end:]
	}
	sum.Mul(sum, big.NewRat(1440, 1))
	if !sum.IsInt() || sum.Num().BitLen() > 31 {
		return 0, false
	}
	return int(sum.Num().Int64()), true
}

var factor = regexp.MustCompile(`^([*/]?)([0-9]+(?:\.[0-9]+)?)`)

// product reads numbers with * and / between them.
func product(text string) (*big.Rat, bool) {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	result := big.NewRat(1, 1)
	for first := true; text != ""; first = false {
		m := factor.FindStringSubmatch(text)
		if m == nil || first != (m[1] == "") {
			return nil, false
		}
		n, ok := new(big.Rat).SetString(m[2])
		if !ok || m[1] == "/" && n.Sign() == 0 {
			return nil, false
		}
		if m[1] == "/" {
			n.Inv(n)
		}
		result.Mul(result, n)
		text = text[len(m[0]):]
	}
	return result, true
}
