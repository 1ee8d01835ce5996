// Package format formats durations, counts and statements for people.
package format

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Duration writes at most two units: 3 d 4 h, 1 h 31 m, 4 m 51 s, 14 s, 2.4 s, 12 ms.
func Duration(d time.Duration) string {
	if d < 0 {
		return "-" + Duration(-d)
	}
	two := func(d, big, small time.Duration, b, s string) string {
		text := fmt.Sprintf("%d %s", d/big, b)
		if rest := d % big / small; rest > 0 {
			text += fmt.Sprintf(" %d %s", rest, s)
		}
		return text
	}
	const day = 24 * time.Hour
	switch {
	case d >= day:
		return two(d, day, time.Hour, "d", "h")
	case d >= time.Hour:
		return two(d, time.Hour, time.Minute, "h", "m")
	case d >= time.Minute:
		return two(d, time.Minute, time.Second, "m", "s")
	case d >= 10*time.Second:
		return fmt.Sprintf("%d s", d/time.Second)
	case d >= time.Second:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Truncate(100*time.Millisecond).Seconds()), ".0") + " s"
	}
	return fmt.Sprintf("%d ms", d/time.Millisecond)
}

// Overran writes for how many seconds a task ran after its timeout, to follow its status; nothing if it did not.
func Overran(seconds *float64) string {
	if seconds == nil {
		return ""
	}
	return ", overran " + Duration(time.Duration(*seconds*float64(time.Second)))
}

// Count writes a number with thousands separators.
func Count[T int | int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Percent writes a share of a whole.
func Percent(part, whole time.Duration) string {
	if whole <= 0 {
		return "0 %"
	}
	return fmt.Sprintf("%d %%", (part*100+whole/2)/whole)
}

var call = regexp.MustCompile(`(?is)^\s*(?:exec(?:ute)?|call|begin)\s+([\w$#."\[\]]+)`)

// Label returns a short name for a task: its own, the procedure that it calls, or the beginning of its SQL.
func Label(name, sql string) string {
	if name != "" {
		return name
	}
	if m := call.FindStringSubmatch(sql); m != nil {
		return m[1]
	}
	return strings.Join(strings.Fields(sql), " ")
}

// Line returns a statement on one line.
func Line(sql string) string { return strings.Join(strings.Fields(sql), " ") }

// Named returns the SQL of a task on one line, after its name if it has one.
func Named(name, sql string) string {
	if name != "" {
		name += ": "
	}
	return name + Line(sql)
}

// Plural writes a count and its noun: 1 task, 1,204 tasks.
func Plural[T int | int64](n T, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}

// Clean replaces control characters, and those that are not seen but change how others are shown: text stored by users must not control a
// terminal, nor look like another.
func Clean(s string) string { return strings.Map(clean, s) }

// CleanLines is Clean for a text of several lines: it keeps line ends and tabs.
func CleanLines(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return clean(r)
	}, s)
}

// Unseen reports whether Clean replaces a character. Joiners stay: Persian, Indian scripts and emojis are written with them.
func Unseen(r rune) bool {
	const joiner, nonJoiner = '\u200d', '\u200c'
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && r != joiner && r != nonJoiner
}

func clean(r rune) rune {
	if Unseen(r) {
		return ' '
	}
	return r
}
