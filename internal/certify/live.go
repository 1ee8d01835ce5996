package certify

import (
	"fmt"
	"strings"
)

// Table lists in Markdown what dbsched assumes of an engine.
func Table(dialect string) string {
	var b strings.Builder
	b.WriteString("| Assumed | If it is different | Probe |\n|---|---|---|\n")
	for _, p := range Probes(dialect) {
		if p.promise {
			continue
		}
		assumed := p.Assumed
		if p.Needed {
			assumed = "Needed: " + lower(assumed)
		}
		how := "`" + p.Name + "`"
		switch {
		case p.ask == nil:
			how = p.Elsewhere
		case p.Invasive != "":
			how += ", with `--invasive`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", assumed, p.Otherwise, how)
	}
	return b.String()
}

// lower begins a sentence in the middle of another, unless it begins with code or a name.
func lower(s string) string {
	if first, _, _ := strings.Cut(s, " "); first != strings.ToUpper(first) || len(first) == 1 {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
