package certify

import (
	"fmt"
	"io"
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
	counts := map[Verdict]int{}
	for _, x := range r.Results {
		counts[x.Verdict]++
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
	r.measures(&b)
	for _, left := range r.Left {
		fmt.Fprintf(&b, "still there: %s\n", left)
	}
	fmt.Fprintf(&b, "%d as assumed, %d handled, %d unknown, %d failed, %d not tried, in %d s\n",
		counts[Works], counts[Handled], counts[Unknown], counts[Fails], counts[NotTried], (r.Took+999)/1000)
	_, err := io.WriteString(w, b.String())
	return err
}
