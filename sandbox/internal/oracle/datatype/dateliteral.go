package datatype

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// DateLiteral returns DATE 'YYYY-MM-DD'.
func DateLiteral(text string, env *Env) (value.Value, error) {
	return ParseDate(text, "YYYY-MM-DD", Of(Date), env)
}

// TimestampLiteral returns TIMESTAMP 'YYYY-MM-DD HH24:MI:SS[.FF][ zone]' and its type,
// which has a time zone if the text has one, and as many digits as the text, at least 0.
func TimestampLiteral(text string, env *Env) (value.Value, Type, error) {
	t, model := Of(Timestamp), "YYYY-MM-DD HH24:MI:SS"
	s := strings.TrimSpace(text)
	_, clock, _ := strings.Cut(s, " ")
	clock, zone, zoned := cutZone(strings.TrimSpace(clock))
	t.Scale = 9 // of all literals: the example of FROM_TZ shows nine digits
	if strings.Contains(clock, ".") {
		model += ".FF"
	}
	body := s
	if zoned {
		body = strings.TrimSpace(strings.TrimSuffix(s, zone))
	}
	v, err := ParseDate(body, model, Of(Timestamp), env)
	if err != nil || !zoned {
		return v, t, err
	}
	t.ID = TimestampTZ
	offset, err := ParseZone(zone)
	if err != nil {
		return v, t, err
	}
	v, err = offset.zoned(v.N)
	return v, t, err
}

// cutZone separates a time from the zone after it.
func cutZone(s string) (clock, zone string, ok bool) {
	i := strings.IndexFunc(s, func(r rune) bool { return r == '+' || r == '-' || r == ' ' || r < 0x80 && isAlpha(byte(r)) })
	if i < 0 {
		return s, "", false
	}
	zone = strings.TrimSpace(s[i:])
	return strings.TrimSpace(s[:i]), zone, zone != ""
}
