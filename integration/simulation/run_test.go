package simulation

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox"
)

// history is what has happened: what was seen while it did, and what the tables say at the end.
type history struct {
	workload
	runs       []run
	enqueued   map[int]certainty // by the number of the process
	points     int
	faults     int
	statements int64
	notified   bool // the reader of a queue was killed before it received, and nobody has needed the queue since
	settled    bool // no fault comes any more
	hash       uint64
	panics     int64

	tasks     []taskRow
	logs      []logRow
	processes []processRow
	marks     map[int]int
	alarms    []string
	left      []string // conversations, messages and sessions when all has been stopped
	seen      []string // faults
	trouble   []string // errors of orders and of the end
	ended     bool     // nothing is unfinished
}

// certainty is whether a transaction has committed.
type certainty int

const (
	no certainty = iota
	yes
	unknown // its session was lost
)

// run is one execution of a task's text.
type run struct {
	task       int
	session    uint64
	begin, end time.Time
	from, to   int // in the order of all begins and ends
}

type taskRow struct {
	id, process, wave                       int64
	status                                  string
	attempt, maxAttempts, orphans, failures int64
	number                                  int
}

type logRow struct {
	id, task, attempt, lane int64
	outcome                 string
	errorNumber             int64
	message                 string
}

type processRow struct {
	id                  int64
	name, status        string
	unfinished, running int64
}

// number finds which task a text runs.
var number = regexp.MustCompile(`(?i)^(?:EXEC dbo\.Work |begin work\()(\d+),`)

// play runs a workload.
func play(w words, im *sandbox.Image, seed uint64, wl workload, choose func(string, int) int) *history {
	h := &history{workload: wl, enqueued: map[int]certainty{}, marks: map[int]int{}}
	var s *sandbox.Simulation
	open := map[uint64]int{} // the run of a session
	moment := 0
	s = im.Simulate(sandbox.SimulationOptions{Seed: seed, Fine: true, Choose: choose, Watch: func(e sandbox.Event) {
		switch e.What {
		case "point":
			if h.points++; h.points == wl.fault.point && !h.settled {
				h.seen = append(h.seen, fmt.Sprintf("%s of session %d at %s", wl.fault.what, s.Sessions()[e.Task], e.At.Format("15:04:05.000")))
				switch wl.fault.what {
				case "kill":
					h.faults++
					s.Kill(e.Task)
				case "crash":
					h.faults++
					s.Crash()
				}
			}
		case "begin":
			if m := number.FindStringSubmatch(e.Text); m != nil {
				n, _ := strconv.Atoi(m[1])
				moment++
				open[e.Task] = len(h.runs)
				h.runs = append(h.runs, run{task: n, session: e.Task, begin: e.At, from: moment})
			}
		case "end":
			if number.MatchString(e.Text) {
				moment++
				r := &h.runs[open[e.Task]]
				r.end, r.to = e.At, moment
			}
		}
	}})
	defer s.Close()
	p := player{s: s, h: h, w: w}
	p.do(w.orders(setWorkers, wl.workers))
	p.do(w.orders(start, 0))
	p.steps()
	p.settle()
	p.read()
	state := fmt.Sprint(p.do(p.w.state))
	p.h.seen = append(p.h.seen, state)
	p.h.notified = strings.Contains(state, "NOTIFIED")
	p.leave()
	h.hash, h.panics, h.statements = s.TraceHash(), s.Panics(), s.Counters().Statements
	return h
}

// player drives one history.
type player struct {
	s     *sandbox.Simulation
	h     *history
	w     words
	calls []pending
}

type pending struct {
	caller  *sandbox.Caller
	process *process
	text    string
}

// do makes a call in a session of its own, and again if a fault has ended it.
func (p *player) do(text string) [][]string {
	const tries = 5
	for range tries {
		c, err := p.s.Open("")
		if err != nil {
			p.s.Advance(time.Second)
			continue
		}
		rows, err := c.Do(text)
		c.Close()
		if err == nil {
			return rows
		}
		p.s.Advance(time.Second)
		if !lost(err) {
			p.h.trouble = append(p.h.trouble, fmt.Sprintf("%s: %v", text, err))
			return nil
		}
	}
	return nil
}

// lost tells that a call was ended by a fault, and not by what it is.
func lost(err error) bool {
	return strings.Contains(err.Error(), "session has ended")
}

// refused are the documented refusals of an order that comes too late or too early: the process is locked, the task is not one to
// try again, the scheduler is stopped.
var refused = regexp.MustCompile(`dbsched (?:51|20)0(?:11|13|24|27|28):`)

// steps does what the workload says, each step in a session of its own, when its time has come.
func (p *player) steps() {
	begin := p.s.Now()
	for _, st := range p.h.steps {
		if d := begin.Add(st.at).Sub(p.s.Now()); d > 0 {
			p.s.Advance(d)
		}
		if st.order == clock {
			p.s.SetClock(time.Duration(st.n) * time.Second)
			begin = begin.Add(time.Duration(st.n) * time.Second)
			continue
		}
		c, err := p.s.Open("")
		if err != nil {
			continue // the instance is down
		}
		text := ""
		if st.process != nil {
			text = p.w.enqueue(*st.process)
		} else {
			text = p.w.orders(st.order, st.n)
		}
		c.Begin(text)
		p.calls = append(p.calls, pending{c, st.process, text})
	}
}

// settle lets all that can happen happen, when the faults are over.
func (p *player) settle() {
	p.s.Advance(20 * time.Second)
	for _, c := range p.calls {
		p.await(c)
	}
	p.h.settled = true
	p.do(p.w.orders(setWorkers, max(1, p.h.workers)))
	p.do(p.w.orders(start, 0))
	for range 20 {
		p.s.Advance(time.Minute)
		if rows := p.do(p.w.unfinished); len(rows) == 1 && rows[0][0] == "0" {
			p.h.ended = true
			return
		}
		if len(p.do(p.w.blocked)) > 0 { // what the status asks for
			p.h.seen = append(p.h.seen, "started anew")
			p.do(p.w.orders(start, 0))
		}
	}
}

// await learns how a call has ended.
func (p *player) await(c pending) {
	for range 100 {
		if c.caller.Over() {
			break
		}
		p.s.Advance(time.Second)
	}
	_, err := c.caller.Result()
	c.caller.Close()
	switch {
	case c.process == nil:
		if err != nil && !lost(err) && !refused.MatchString(err.Error()) {
			p.h.trouble = append(p.h.trouble, fmt.Sprintf("%s: %v", c.text, err))
		}
	case err == nil && !c.process.rolledBack:
		p.h.enqueued[c.process.number] = yes
	case err == nil:
		p.h.enqueued[c.process.number] = no
	case lost(err):
		p.h.enqueued[c.process.number] = unknown
	default:
		p.h.enqueued[c.process.number] = no
		p.h.trouble = append(p.h.trouble, fmt.Sprintf("enqueue process %d: %v", c.process.number, err))
	}
}

// read reads the tables.
func (p *player) read() {
	h := p.h
	for _, r := range p.do(p.w.tasks) {
		t := taskRow{id: num(r[0]), process: num(r[1]), wave: num(r[2]), status: r[3], attempt: num(r[4]), maxAttempts: num(r[5]), orphans: num(r[6]), failures: num(r[7])}
		if m := number.FindStringSubmatch(r[8]); m != nil {
			t.number, _ = strconv.Atoi(m[1])
		}
		h.tasks = append(h.tasks, t)
	}
	for _, r := range p.do(p.w.logs) {
		h.logs = append(h.logs, logRow{num(r[0]), num(r[1]), num(r[2]), num(r[3]), r[4], num(r[5]), r[6]})
	}
	for _, r := range p.do(p.w.processes) {
		h.processes = append(h.processes, processRow{num(r[0]), r[1], r[2], num(r[3]), num(r[4])})
	}
	for _, r := range p.do(p.w.marks) {
		h.marks[int(num(r[0]))] = int(num(r[1]))
	}
	for _, r := range p.do(p.w.alarms) {
		h.alarms = append(h.alarms, r[0]+": "+r[1])
	}
}

// leave stops all, and looks for what is left.
func (p *player) leave() {
	p.do(p.w.orders(stop, 0))
	p.s.Advance(time.Hour)
	for _, r := range p.do(p.w.rest) {
		p.h.left = append(p.h.left, strings.Join(r, " "))
	}
	p.s.Advance(time.Minute)
	if n := len(p.s.Sessions()); n > 0 {
		p.h.left = append(p.h.left, fmt.Sprintf("%d sessions", n))
	}
}

// num is a whole number; an empty text is none.
func num(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && s != "" {
		panic(fmt.Sprintf("a number was expected: %q", s))
	}
	return n
}

// story tells a history to a person.
func (h *history) story() string {
	var b strings.Builder
	for _, r := range h.runs {
		fmt.Fprintf(&b, "task %d ran from %s to %s in session %d\n", r.task, r.begin.Format("15:04:05.000"), r.end.Format("15:04:05.000"), r.session)
	}
	for _, t := range h.tasks {
		fmt.Fprintf(&b, "task %d: %+v\n", t.number, t)
	}
	for _, l := range h.logs {
		fmt.Fprintf(&b, "log %+v\n", l)
	}
	for _, p := range h.processes {
		fmt.Fprintf(&b, "process %+v\n", p)
	}
	fmt.Fprintf(&b, "alarms %q\ntrouble %q\n%v\n", h.alarms, h.trouble, h.seen)
	return b.String()
}
