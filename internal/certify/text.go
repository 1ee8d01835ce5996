package certify

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Text writes a report for people: the server, what works, and each probe that has something to say.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Server {
		fmt.Fprintf(&b, "%-24s %s\n", f.Name, f.Value)
	}
	b.WriteString("\n")
	for _, c := range r.Capabilities {
		fmt.Fprintf(&b, "%-24s %s", c.Name, c.Verdict)
		if len(c.Probes) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(c.Probes, ", "))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, x := range r.Results {
		if x.Verdict == Works || x.Elsewhere != "" {
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n  assumed: %s\n", x.Verdict, x.Probe, x.Assumed)
		for _, more := range []struct{ name, text string }{{"seen", x.Seen}, {"means", x.Means}, {"why", x.Why}} {
			if more.text != "" {
				fmt.Fprintf(&b, "  %s: %s\n", more.name, more.text)
			}
		}
	}
	if !strings.HasSuffix(b.String(), "\n\n") {
		b.WriteString("\n")
	}
	r.measures(&b)
	for _, left := range r.Left {
		fmt.Fprintf(&b, "still there: %s\n", left)
	}
	switch {
	case slices.Contains(r.Left, leftDatabase):
		b.WriteString("To remove it, run: dbsched certify --clean --database\n")
	case len(r.Left) > 0:
		b.WriteString("To remove it, run: dbsched certify --clean\n")
	}
	b.WriteString(r.Summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary counts the verdicts.
func (r *Report) Summary() string {
	counts := map[Verdict]int{}
	for _, x := range r.Results {
		counts[x.Verdict]++
	}
	return fmt.Sprintf("%d as assumed, %d handled, %d unknown, %d failed, %d not tried, in %d s",
		counts[Works], counts[Handled], counts[Unknown], counts[Fails], counts[NotTried], (r.Took+999)/1000)
}
