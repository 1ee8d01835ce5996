package certify

import "slices"

// Report is what a server was seen to do. It holds no name of a user, database or host, and no text of theirs.
type Report struct {
	Program      string       `json:"dbsched"`
	Dialect      string       `json:"dialect"`
	Server       []Fact       `json:"server"`
	Capabilities []Capability `json:"capabilities"`
	Results      []Result     `json:"probes"`
	Measures     []Measure    `json:"measures,omitempty"`
	NotMeasured  string       `json:"not_measured,omitempty"` // why not all was measured
	Left         []string     `json:"left,omitempty"`         // what could not be removed
	Took         int64        `json:"took_ms"`
}

// Fact is a property of the server that matters to dbsched.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Capability is what a user has, judged by its probes.
type Capability struct {
	Name    string   `json:"name"`
	Verdict Verdict  `json:"verdict"`
	Probes  []string `json:"probes,omitempty"` // that decide it, if it does not work
}

// Sound reports whether nothing was seen that dbsched cannot work with.
func (r *Report) Sound() bool {
	return !slices.ContainsFunc(r.Results, func(r Result) bool { return r.Verdict == Fails }) && len(r.Left) == 0
}

// order of verdicts, the one that decides last.
var order = []Verdict{Works, Handled, NotTried, Unknown, Fails}

// capabilities judges each by the worst of its probes, in the order in which they come.
func capabilities(results []Result) (all []Capability) {
	for _, r := range results {
		if r.Elsewhere != "" {
			continue
		}
		i := slices.IndexFunc(all, func(c Capability) bool { return c.Name == r.Capability })
		if i < 0 {
			i = len(all)
			all = append(all, Capability{Name: r.Capability, Verdict: Works})
		}
		c := &all[i]
		switch d := slices.Index(order, r.Verdict) - slices.Index(order, c.Verdict); {
		case d > 0:
			c.Verdict, c.Probes = r.Verdict, []string{r.Probe}
		case d == 0 && r.Verdict != Works:
			c.Probes = append(c.Probes, r.Probe)
		}
	}
	return all
}
