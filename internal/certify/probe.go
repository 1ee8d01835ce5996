package certify

import (
	"context"
	"regexp"
	"slices"
)

// Probe is one thing that dbsched assumes of a server, and how the server is asked.
type Probe struct {
	Name       string // identifies it in reports, in docs/live.md and in tests
	Capability string // what a user has by it
	Assumed    string // a sentence
	Needed     bool   // dbsched does not work without it
	Otherwise  string // what a different answer means
	Answers    []Answer
	Invasive   string // what it touches outside the scratch schema; empty: nothing
	Elsewhere  string // tests that try it where one connection cannot
	promise    bool   // it is about dbsched itself, not about the engine
	first      bool   // it needs all lanes, and leaves them awake to others
	alone      bool   // it stops or changes the installation
	ask        func(ctx context.Context, b *bed) (seen string, err error)
}

// Answer is one that is known. The first of a probe is the assumed one.
type Answer struct {
	Seen    string
	Verdict Verdict
	Means   string // empty: what the probe says
}

// Verdict says how dbsched gets on with an answer.
type Verdict string

// The verdicts, from the best to the worst. NotTried says nothing about the server.
const (
	Works    Verdict = "works"     // as assumed
	Handled  Verdict = "handled"   // different, and dbsched is ready for it
	NotTried Verdict = "not tried" // not asked, or it did not answer
	Unknown  Verdict = "unknown"   // an answer that nobody expected
	Fails    Verdict = "fails"     // dbsched cannot work with it
)

// Result is what became of a probe.
type Result struct {
	Probe      string  `json:"probe"`
	Capability string  `json:"capability"`
	Assumed    string  `json:"assumed"`
	Seen       string  `json:"seen,omitempty"`
	Verdict    Verdict `json:"verdict"`
	Means      string  `json:"means,omitempty"`
	Why        string  `json:"why,omitempty"` // of a probe that was not tried
	Needed     bool    `json:"needed,omitempty"`
	Elsewhere  string  `json:"-"` // see Probe
	Took       int64   `json:"took_ms"`
}

// number is what may be shown of an answer that is not known: anything else could be somebody's name.
var number = regexp.MustCompile(`^(ORA-|error )?[0-9]{1,9}$`)

// result judges an answer. why is not empty if there is none.
func (p Probe) result(seen, why string) Result {
	r := Result{Probe: p.Name, Capability: p.Capability, Assumed: p.Assumed, Needed: p.Needed, Elsewhere: p.Elsewhere, Seen: seen, Verdict: NotTried, Why: why}
	if why != "" {
		r.Seen = ""
		return r
	}
	if i := slices.IndexFunc(p.Answers, func(a Answer) bool { return a.Seen == seen }); i >= 0 {
		if r.Verdict, r.Means = p.Answers[i].Verdict, p.Answers[i].Means; r.Means == "" && i > 0 {
			r.Means = p.Otherwise
		}
		return r
	}
	if !number.MatchString(seen) {
		r.Seen = "something else"
	}
	r.Verdict, r.Means = Unknown, "Nobody has seen this answer yet: please send the report."
	return r
}

// untried is why a question does not arise on a server, or cannot be asked, if that is not an error of the server. It holds no names.
type untried string

func (u untried) Error() string { return string(u) }

// Probes lists all of an engine, also those that one connection cannot try.
func Probes(dialect string) []Probe { return engines[dialect].probes }
