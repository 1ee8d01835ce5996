package simulation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// aCall is one call from testdata/calls: administrative, for an unusual task, or refused.
const aCall order = "call" // n: its place in the list, modulo the length

// called is a line of testdata/calls: who calls, the dbsched error numbers of which one is expected, and the text.
type called struct {
	user string
	ends []string // 0: without error
	text string
	with []called // calls of other sessions at the same time
}

// calls reads the calls of a dialect. A line is "51003|0 text" (a word matches an
// engine error whose text contains it), or "user:51003 text" where another user calls. A line that begins with
// a blank continues the previous one; one that begins with + is called by another session at the same time.
func calls(dialect string) (all []called) {
	text, err := os.ReadFile("testdata/calls/" + dialect + ".txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == ' ' {
			all[len(all)-1].text += "\n" + line
			continue
		}
		ends, text, _ := strings.Cut(line, " ")
		ends, together := strings.CutPrefix(ends, "+")
		user, ends, other := strings.Cut(ends, ":")
		if !other {
			user, ends = "", user
		}
		c := called{user: user, ends: strings.Split(ends, "|"), text: text}
		if !together {
			all = append(all, c)
			continue
		}
		last := &all[len(all)-1]
		last.with = append(last.with, c)
	}
	return all
}

// call returns the nth call.
func (w words) call(n int) called { return w.calls[n%len(w.calls)] }

// own finds the number of a dbsched error.
var own = regexp.MustCompile(`dbsched (\d{5}):`)

// busy is the error after a lock timeout.
var busy = regexp.MustCompile(`dbsched (?:51|20)011:`)

// expects reports whether a call may end with an error, or none.
func (c called) expects(err error) bool {
	number := "0"
	if err != nil {
		m := own.FindStringSubmatch(err.Error())
		if m == nil {
			return slices.ContainsFunc(c.ends, func(end string) bool { return end[0] > '9' && strings.Contains(err.Error(), end) })
		}
		number = m[1]
	}
	return slices.Contains(c.ends, number)
}

// endsWith is a comment at the beginning of a task's text: how its attempts end unless something disturbs them.
var endsWith = regexp.MustCompile(`^(?:BEGIN|begin)? ?/\* (\d+) \*/`)

// someCalls sometimes adds calls.
func someCalls(seed uint64, w *workload) {
	r := rand.New(rand.NewPCG(seed, 2)) // a generator of their own, so that they change nothing else
	if r.IntN(3) > 0 {
		return
	}
	for range 1 + r.IntN(8) {
		w.steps = append(w.steps, step{at: time.Duration(r.IntN(9000)) * time.Millisecond, order: aCall, n: r.IntN(1 << 20)})
	}
}

// alwaysOpen are the processes that no history ends: one is created before it, the other belongs to the alarm hook.
var alwaysOpen = []string{"always", "alarm hook"}

// mayStay reports whether a process created by a call may exist at the end: a fault may have cut the call off before it closed the process, and so
// does SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE.
func (c *checker) mayStay(name string) bool {
	return slices.Contains(alwaysOpen, name) || name == "e" && (c.faults > 0 || c.has(brokerOff))
}

// noise are the numbers of errors caused by faults, and of those by which the scheduler reports that an attempt was ended.
var noise = []int64{1205, 1222, 1105, 9002, 3960, 3930, 60, 54, 1653, 30036, 30006, 28, 51023, 51028, 51029, 20023, 20028, 20029}

// verdicts: unusual tasks end as they must.
func (c *checker) verdicts() {
	expected := map[int64]int64{}
	for _, t := range c.tasks {
		if t.verdict >= 0 {
			expected[t.id] = t.verdict
		}
	}
	for _, l := range c.logs {
		if want, ok := expected[l.task]; ok && l.outcome != "Running" && l.errorNumber != want && !slices.Contains(noise, l.errorNumber) {
			c.failf("attempt %d of task id %d ended with error %d, not %d: %s", l.attempt, l.task, l.errorNumber, want, l.message)
		}
	}
}

// wrongEnd returns what is wrong with the end of a call, if anything.
func (p *player) wrongEnd(c pending, err error) string {
	call := c.call
	if err != nil && p.h.faults > 0 && busy.MatchString(err.Error()) {
		return ""
	}
	if call.expects(err) || err != nil && p.h.denies(call.text, err) || err != nil && (lost(err) || faulty.MatchString(err.Error())) || slices.Contains(call.ends, "0") && err != nil && refused.MatchString(err.Error()) {
		return ""
	}
	return fmt.Sprintf("%s: %v, and not dbsched %s", call.text, err, strings.Join(call.ends, " or "))
}

// make starts a call, and those that run at the same time.
func (p *player) make(first called, place int, st step) (all []pending) {
	for _, c := range append([]called{first}, first.with...) {
		caller, err := p.s.Open(c.user)
		if err != nil {
			continue // the instance is down
		}
		caller.Begin(c.text)
		all = append(all, pending{caller: caller, place: place, step: st, text: c.text, call: c})
	}
	return all
}

// TestCalls makes calls from testdata/calls, each in its own history: all in a campaign, or to compare what is executed.
func TestCalls(t *testing.T) {
	each(t, func(t *testing.T, w words) {
		t.Helper()
		var all []attempt
		for i := range w.calls {
			a := calm(w, nil)
			a.workload.steps = []step{{at: time.Second, order: aCall, n: i}}
			a.replay = again("TestCalls", w, i)
			all = append(all, a)
		}
		some := 50
		if *executed {
			some = len(all)
		}
		exhaustive(t, w, "calls", some, all)
	})
}
