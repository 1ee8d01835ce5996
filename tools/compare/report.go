package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/internal/trace"
)

// explanation is a line in a commit's message.
type explanation struct {
	outcomes bool
	tests    *regexp.Regexp
	why      string
}

// explanations reads those of the commits since base.
func explanations(ctx context.Context, base string) (all []explanation, err error) {
	for _, key := range []string{"Outcomes-differ", "Costs-differ"} {
		log, err := git(ctx, "log", "--format=%h%x00%(trailers:key="+key+",valueonly,unfold,separator=%x00)", base+"..HEAD")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(log) {
			fields := strings.Split(strings.TrimSpace(line), "\x00")
			for _, value := range fields[1:] {
				if value == "" {
					continue
				}
				pattern, reason, ok := strings.Cut(value, ": ")
				tests, err := regexp.Compile(pattern)
				if !ok || err != nil {
					return nil, fmt.Errorf("commit %s: %s: %q is no pattern of tests and reason", fields[0], key, value)
				}
				all = append(all, explanation{key == "Outcomes-differ", tests, fields[0] + " " + reason})
			}
		}
	}
	return all, nil
}

// explain notes what explains the differences. What explains other outcomes explains other costs, too.
func (r *report) explain(all []explanation) {
	for _, d := range r.different {
		for _, e := range all {
			if e.tests.MatchString(d.test) && (e.outcomes || len(d.outcomes) == 0) {
				d.why = e.why
				break
			}
		}
	}
}

// explained reports whether all differences are.
func (r *report) explained() bool {
	return !slices.ContainsFunc(r.different, func(d *difference) bool { return d.why == "" && !d.older })
}

const (
	mostTests = 20 // that are shown
	mostRows  = 8  // of each
)

// text is the report.
func (r *report) text(base string) string {
	var b strings.Builder
	var outcomes, costs, older []*difference
	for _, d := range r.different {
		switch {
		case d.older:
			older = append(older, d)
		case len(d.outcomes) > 0:
			outcomes = append(outcomes, d)
		default:
			costs = append(costs, d)
		}
	}
	fmt.Fprintf(&b, "Compared with %.8s: %d sandboxes did the same. Outcomes differ in %d, only costs in %d.\n", base, r.same, len(outcomes), len(costs))
	list(&b, "New", r.news)
	list(&b, "Gone", r.gone)
	if len(older) > 0 {
		list(&b, "Something differs, but that commit's tests do not tell what", tests(older))
	}
	if len(outcomes) > 0 {
		b.WriteString("\nOutcomes differ (- before, + now; times within a second are the same):\n")
		for _, d := range outcomes[:min(len(outcomes), mostTests)] {
			fmt.Fprintf(&b, "%s%s\n", d.test, because(d))
			for _, line := range d.outcomes[:min(len(d.outcomes), mostRows)] {
				b.WriteString("    " + line + "\n")
			}
			if n := len(d.outcomes) - mostRows; n > 0 {
				fmt.Fprintf(&b, "    and %d rows more\n", n)
			}
		}
		if len(outcomes) > mostTests {
			list(&b, "And in", tests(outcomes[mostTests:]))
		}
	}
	if len(costs)+len(outcomes) > 0 {
		b.WriteString("\nCosts differ by\n" + costTable(slices.Concat(costs, outcomes)))
	}
	if !r.explained() {
		b.WriteString("\nWhere no commit is named, nothing explains the difference. Mend it, or add a line to the message of the commit that means it:\n" +
			"Outcomes-differ: PATTERN: reason\nCosts-differ: PATTERN: reason\n")
	}
	return b.String()
}

func tests(all []*difference) (names []string) {
	for _, d := range all {
		names = append(names, d.test)
	}
	return names
}

// list writes names, if there are any.
func list(b *strings.Builder, title string, names []string) {
	if len(names) > 0 {
		fmt.Fprintf(b, "%s (%d): %s\n", title, len(names), strings.Join(names, ", "))
	}
}

// because writes what explains a difference.
func because(d *difference) string {
	if d.why == "" {
		return ""
	}
	return "  [" + d.why + "]"
}

// costTable writes the sum and the largest differences.
func costTable(all []*difference) string {
	total := &difference{test: fmt.Sprintf("all %d", len(all)), costs: map[string]int64{}}
	for _, d := range all {
		total.took += d.took
		for name, n := range d.costs {
			total.costs[name] += n
		}
	}
	slices.SortStableFunc(all, func(a, b *difference) int { return cmp.Compare(b.size(), a.size()) })
	width := len(total.test)
	largest := all[:min(len(all), mostTests)]
	for _, d := range largest {
		width = max(width, len(d.test))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s %12s", width, "", "time")
	for _, c := range trace.Columns {
		fmt.Fprintf(&b, " %12s", c[1])
	}
	for _, d := range append([]*difference{total}, largest...) {
		fmt.Fprintf(&b, "\n%-*s %12s", width, d.test, signed(d.took.Round(time.Millisecond)))
		for _, c := range trace.Columns {
			fmt.Fprintf(&b, " %12s", signed(d.costs[c[0]]))
		}
		b.WriteString(because(d))
	}
	return b.String() + "\n"
}

// size is how large a difference of costs is.
func (d *difference) size() (n int64) {
	for _, by := range d.costs {
		n += max(by, -by)
	}
	return n
}

// signed writes a difference; nothing if there is none.
func signed[N int64 | time.Duration](n N) string {
	switch {
	case n == 0:
		return ""
	case n > 0:
		return fmt.Sprintf("+%v", n)
	}
	return fmt.Sprint(n)
}
