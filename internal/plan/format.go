package plan

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// Format writes a schedule as a plan file, with comments before it: [Load] and [Plan.Scheduled] can read it back.
func Format(s dialects.NewSchedule, comments []string) string {
	var b strings.Builder
	for _, c := range comments {
		for i, line := range strings.FieldsFunc(c, format.Unseen) {
			b.WriteString("# " + strings.Repeat("  ", min(i, 1)) + line + "\n")
		}
	}
	pair := func(indent, key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s%s: %s\n", indent, key, value)
		}
	}
	number := func(indent, key string, n int) {
		if n != 0 {
			pair(indent, key, fmt.Sprint(n))
		}
	}
	moment := func(key string, at time.Time) {
		if !at.IsZero() {
			pair("  ", key, at.UTC().Format(time.RFC3339))
		}
	}
	pair("", "process", word(s.Name))
	number("", "weight", s.Process.Weight)
	number("", "max-parallel", s.Process.MaxParallel)
	pair("", "on-error", s.Process.OnError)
	if s.Calendar != "" {
		b.WriteString("schedule:\n")
		pair("  ", "cron", escaped(s.Calendar))
		pair("  ", "zone", word(s.Zone))
		moment("begin", s.Begin)
		moment("end", s.End)
		pair("  ", "overlap", s.Overlap)
		pair("  ", "missed", s.Missed)
	}
	b.WriteString("waves:\n")
	for i, t := range s.Tasks {
		if i == 0 || t.Order != s.Tasks[i-1].Order {
			fmt.Fprintf(&b, "  - order: %d\n    tasks:\n", t.Order)
		}
		first := "      - "
		if t.Name != "" {
			pair(first, "name", word(t.Name))
			first = "        "
		}
		fmt.Fprintf(&b, "%ssql: %s\n", first, block(t.SQL, "          "))
		number("        ", "max-attempts", t.MaxAttempts)
		if t.RetryDelay != 0 {
			pair("        ", "retry-delay", t.RetryDelay.String())
		}
		pair("        ", "parameters", t.Parameters) // JSON is YAML
	}
	return b.String()
}

// plain matches texts that YAML reads as texts without quotes.
var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./ ]*[A-Za-z0-9_.]$`)

func word(text string) string {
	if text == "" || plain.MatchString(text) && !regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|nan|inf)$`).MatchString(text) {
		return text
	}
	return escaped(text)
}

// escaped returns a text in quotes, without characters that end lines, control a terminal or are not seen.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range quoted(text) {
		switch {
		case !format.Unseen(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// block writes multi-line SQL unchanged, unless YAML would change something.
func block(sql, indent string) string {
	lines := strings.Split(sql, "\n")
	if len(lines) == 1 || strings.ContainsFunc(strings.ReplaceAll(sql, "\n", ""), format.Unseen) || strings.HasPrefix(sql, " ") || sql != strings.TrimSpace(sql) {
		return escaped(sql)
	}
	for i, l := range lines {
		if strings.TrimRight(l, " ") != l { // nobody sees blanks at the end of a line
			return escaped(sql)
		}
		if l != "" {
			lines[i] = indent + l
		}
	}
	return "|-\n" + strings.Join(lines, "\n")
}
