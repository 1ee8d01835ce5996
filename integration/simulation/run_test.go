package simulation

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// history is what has happened: what was seen meanwhile, and what the tables say at the end.
type history struct {
	workload
	decided    *decisions
	runs       []run
	enqueued   map[int]certainty // by process number
	points     int
	faults     int
	struck     []time.Time // when faults came that may end the dispatcher
	starts     []spell     // of activations and jobs: from the order to the start
	statements int64
	notified   bool // the reader of a queue was killed before it received, and nobody has needed the queue since
	settled    bool // no more faults come
	hash       uint64
	panics     int64

	tasks     []taskRow
	logs      []logRow
	processes []processRow
	marks     map[int]int
	firings   []firing
	photos    []*photo
	second    []int64           // ids of the tasks that the second user sees
	reports   map[int]certainty // for steps that report to a round, by their place: whether the report counts
	began     map[int]time.Time // when each step's call began, by its place
	done      map[int]time.Time // and when it was seen to have ended
	rest      time.Time         // when the steps and their calls had ended
	minutes   int               // how long everything took to end after that
	dialect   string
	alarms    []string
	open      []sandbox.Left // accesses that hints leave open
	left      []string       // conversations, messages and sessions left when everything has stopped
	seen      []string       // faults
	trouble   []string       // errors of orders and of the end
	ended     bool           // nothing is unfinished
	endless   bool           // it has reached mostPoints
}

// mostPoints ends a history that does not end by itself: the longest have a tenth of that.
const mostPoints = 500_000

// certainty is whether a transaction is known to have committed.
type certainty int

const (
	no certainty = iota
	yes
	unknown // its session was lost
)

// run is one execution of a task's text.
type run struct {
	task       int
	id         int // of the session
	session    uint64
	begin, end time.Time // by a clock that nobody changes
	from, to   int       // position among all begins and ends
}

// held reports whether it is not a task, but a session's use of the resource.
func (r run) held() bool { return r.task >= ofHolding && r.task < ofRound }

type taskRow struct {
	id, process, wave                       int64
	status                                  string
	attempt, maxAttempts, orphans, failures int64
	number                                  int
	verdict                                 int64 // the error number with which it must end, if its text specifies one; else -1
}

type logRow struct {
	id, task, attempt, lane int64
	outcome                 string
	errorNumber             int64
	message                 string
}

// firing is a row of the history of schedules.
type firing struct {
	name          string
	due           int64 // seconds since the year began
	status        string
	detail        string
	process, task int64
}

type processRow struct {
	id                  int64
	name, status        string
	unfinished, running int64
}

// number finds which task a text runs.
var number = regexp.MustCompile(`(?i)^(?:EXEC dbo\.Work |begin work\()(\d+),`)

// play runs a workload. If c is nil, the seed's strategy decides what the engine leaves undefined.
func play(w words, im *sandbox.Image, seed uint64, wl workload, c chooser) *history {
	if c == nil {
		c = byChance(seed)
	}
	h := &history{workload: wl, enqueued: map[int]certainty{}, marks: map[int]int{}, reports: map[int]certainty{}, began: map[int]time.Time{}, done: map[int]time.Time{}, dialect: w.dialect, decided: &decisions{chooser: c}}
	p := &player{h: h, w: w, open: map[uint64]int{}}
	p.s = im.Simulate(sandbox.SimulationOptions{Seed: seed, Fine: true, Choose: h.decided.choose, Watch: p.watch, Fail: p.fail, Delay: p.delay})
	h.decided.of = p.s
	defer p.s.Close()
	p.do(w.orders(setWorkers, wl.workers))
	p.do(w.orders(start, 0))
	p.steps()
	p.settle()
	if f := p.photograph(p.w.snapshot); f != nil {
		f.settled = h.ended
	}
	p.read()
	state := fmt.Sprint(p.do(p.w.state))
	p.h.seen = append(p.h.seen, state)
	p.h.notified = strings.Contains(state, "NOTIFIED")
	p.leave()
	h.open = sandboxtest.LeftOpen(p.w.schema, p.s.Left())
	h.hash, h.panics, h.statements = p.s.TraceHash(), p.s.Panics(), p.s.Counters().Statements
	return h
}

// watch observes what sessions do.
func (p *player) watch(e sandbox.Event) {
	h := p.h
	at := e.At.Add(-p.skew)
	switch e.What {
	case "point":
		if h.points++; h.points > mostPoints {
			h.endless = true
			p.s.Kill(e.Task)
			return
		}
		h.decided.point(e.Task, h.points, h.settled)
		p.look()
		for _, f := range h.workload.faults() {
			if h.points == f.point && !h.settled {
				p.fault(f, e)
			}
		}
	case "begin":
		if m := number.FindStringSubmatch(e.Text); m != nil {
			n, _ := strconv.Atoi(m[1])
			p.moment++
			p.open[e.Task] = len(h.runs)
			h.runs = append(h.runs, run{task: n, id: p.s.Sessions()[e.Task], session: e.Task, begin: at, from: p.moment})
		}
	case "end":
		if number.MatchString(e.Text) {
			p.moment++
			r := &h.runs[p.open[e.Task]]
			r.end, r.to = at, p.moment
		}
	}
}

// fault applies a fault when a session is about to continue.
func (p *player) fault(f fault, e sandbox.Event) {
	switch f.what {
	case "kill":
		if _, ok := p.s.Sessions()[e.Task]; !ok {
			return // the engine's own work cannot be killed
		}
		p.s.Kill(e.Task)
	case "kill another":
		all := slices.Sorted(maps.Keys(p.s.Sessions()))
		if len(all) == 0 {
			return // nobody is connected
		}
		e.Task = all[f.point%len(all)]
		p.s.Kill(e.Task)
	case "crash":
		p.s.Crash()
	case "deadlock":
		p.fails = "lock"
	case "lock timeout":
		p.fails = "timed lock"
	case "full":
		p.full = max(p.full, e.At.Add(f.lasts).Sub(epoch)-p.skew)
	case "late":
		p.late = max(p.late, e.At.Add(f.lasts).Sub(epoch)-p.skew)
	default:
		return
	}
	p.h.faults++
	if slices.Contains(endsOne, f.what) {
		p.h.struck = append(p.h.struck, e.At.Add(-p.skew))
	}
	p.h.decided.faults = append(p.h.decided.faults, f.what)
	p.h.seen = append(p.h.seen, fmt.Sprintf("%s of session %d at %s", f.what, p.s.Sessions()[e.Task], e.At.Format("15:04:05.000")))
}

// endsOne are the faults that may end the dispatcher (without space it cannot receive its messages), or delay its start as long.
var endsOne = []string{"kill", "kill another", "crash", "full", "late"}

// epoch is the start of the clock that nobody changes.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// now is the time since then.
func (p *player) now() time.Duration { return p.s.Now().Sub(epoch) - p.skew }

// fail reports whether what a session is about to do fails.
func (p *player) fail(session int, what string) bool {
	switch {
	case p.h.settled:
		return false
	case what == "write":
		return p.now() < p.full
	case what == p.fails:
		p.fails = ""
		p.h.seen = append(p.h.seen, fmt.Sprintf("%s of session %d fails at %s", what, session, p.s.Now().Format("15:04:05.000")))
		return true
	}
	return false
}

// delay delays activations and starts of jobs.
func (p *player) delay(what string, d time.Duration) time.Duration {
	if !p.h.settled && p.now() < p.late {
		d += p.late - p.now()
	}
	if what == "activation" || what == "job start" {
		from := p.s.Now().Add(-p.skew)
		p.h.starts = append(p.h.starts, spell{from, from.Add(d)})
	}
	return d
}

// look records which calls have ended.
func (p *player) look() {
	for _, c := range p.calls {
		if _, ok := p.h.done[c.place]; !ok && c.caller.Over() {
			p.h.done[c.place] = p.s.Now().Add(-p.skew)
		}
	}
}

// player drives one history.
type player struct {
	s     *sandbox.Simulation
	h     *history
	w     words
	calls []pending

	open   map[uint64]int // the run of a session
	moment int
	skew   time.Duration // how far the server's clock was moved
	fails  string        // what fails at the next try
	full   time.Duration // until when there is no space
	late   time.Duration // until when activations and jobs wait
}

type pending struct {
	caller *sandbox.Caller
	place  int // of its step
	step   step
	text   string
	call   called // of the step, if that is one
}

// do makes a call in its own session, and again if a fault has ended it.
func (p *player) do(text string) [][]string { return p.as("", text) }

func (p *player) as(user, text string) [][]string {
	const tries = 30
	for range tries {
		c, err := p.s.Open(user)
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
		if !lost(err) && !faulty.MatchString(err.Error()) {
			p.h.trouble = append(p.h.trouble, fmt.Sprintf("%s: %v", text, err))
			return nil
		}
	}
	return nil
}

// lost reports whether a fault, and not the call itself, ended the call.
func lost(err error) bool {
	return strings.Contains(err.Error(), "session has ended")
}

// faulty matches the errors of faults. A worker that loses a deadlock over a lock that only a kill may contend for continues, and cannot release it.
var faulty = regexp.MustCompile(`deadlock|Lock request time out|is full due to|unable to extend|resource busy|it is not currently held`)

// refused matches the documented refusals of an order that comes too late or too early: the process is locked, closed or does not exist yet, the
// task cannot be retried, the scheduler is stopped, a deadlock of requests, a request or a round that no longer exists.
var refused = regexp.MustCompile(`dbsched (?:51|20)0(?:04|05|11|13|14|15|24|27|28|43|44|51|52|71|73):|is not running`)

// denied matches what a user gets whose rights are revoked, or who was replaced and adds tasks to the process of the former user.
var denied = regexp.MustCompile(`permission was denied|Cannot execute as the database principal|dbsched 51006:`)

// denies reports whether a call failed because the second user's rights were revoked, or the user was replaced.
func (h *history) denies(text string, err error) bool {
	return (h.has(newUser) || h.has(revoke)) && strings.Contains(text, "N'Second'") && denied.MatchString(err.Error())
}

// steps does what the workload says, each step in its own session, when its time has come.
func (p *player) steps() {
	begin := p.s.Now()
	for i, st := range p.h.steps {
		if d := begin.Add(st.at).Sub(p.s.Now()); d > 0 {
			p.s.Advance(d)
		}
		if st.order == clock {
			d := time.Duration(st.n) * time.Second
			p.s.SetClock(d)
			p.skew += d
			begin = begin.Add(d)
			continue
		}
		if st.order == look {
			p.photograph(p.w.snapshot)
			continue
		}
		var text string
		if st.order == aCall {
			p.calls = append(p.calls, p.make(p.w.call(st.n), i, st)...)
			continue
		}
		if st.process != nil {
			text = p.w.enqueue(*st.process)
		} else if text = p.w.orders(st.order, st.n); text == "" {
			continue // belongs to the other engine
		}
		c, err := p.s.Open(p.w.user(st.order))
		if err != nil {
			continue // the instance is down
		}
		p.h.began[i] = p.s.Now().Add(-p.skew)
		c.Begin(text)
		p.calls = append(p.calls, pending{caller: c, place: i, step: st, text: text})
	}
	if d := begin.Add(p.h.lasts).Sub(p.s.Now()); d > 0 {
		p.s.Advance(d)
	}
}

// startedAnew records that the status reported no dispatcher, and that somebody did what it asks for.
const startedAnew = "started anew"

// settle lets everything that can happen happen, when the faults have ended.
func (p *player) settle() {
	p.s.Advance(20 * time.Second)
	for _, c := range p.calls {
		p.await(c)
	}
	for _, o := range []order{brokerOn, jobsOn} {
		if text := p.w.orders(o, 0); text != "" && (p.h.has(brokerOff) || p.h.has(jobsOff)) {
			p.as(p.w.user(o), text)
		}
	}
	if p.h.has(schedule) {
		p.do(p.w.orders(disable, 0))
	}
	p.h.settled, p.h.rest = true, p.s.Now().Add(-p.skew)
	p.do(p.w.orders(setWorkers, max(1, p.h.workers)))
	p.do(p.w.orders(start, 0))
	for range mostMinutes + 32 { // what schedules have queued takes most of them
		p.h.minutes++
		p.s.Advance(time.Minute)
		if p.idle() {
			p.s.Advance(5 * time.Second) // a sweep at this moment may raise an alarm, whose hook adds a task
			if p.idle() {
				p.h.ended = true
				break
			}
		}
		p.startAnew()
	}
	if p.h.faultKilled() { // perhaps an activated procedure before its first RECEIVE, when all had ended: the status tells of it minutes later
		for range 5 {
			p.s.Advance(time.Minute)
			p.startAnew()
		}
	}
}

// startAnew does what the status asks for, if it reports that there is no dispatcher.
func (p *player) startAnew() {
	if len(p.do(p.w.blocked)) > 0 {
		p.h.seen = append(p.h.seen, startedAnew)
		p.do(p.w.orders(start, 0))
	}
}

// idle reports whether nothing is left to do.
func (p *player) idle() bool {
	rows := p.do(p.w.unfinished)
	return len(rows) == 1 && rows[0][0] == "0"
}

// await finds out how a call has ended.
func (p *player) await(c pending) {
	for range 100 {
		if c.caller.Over() {
			break
		}
		p.s.Advance(time.Second)
	}
	p.look()
	_, err := c.caller.Result()
	c.caller.Close()
	known := yes
	switch {
	case c.step.order == aCall:
		if wrong := p.wrongEnd(c, err); wrong != "" {
			p.h.trouble = append(p.h.trouble, wrong)
		}
	case err == nil:
	case lost(err), c.step.process == nil && faulty.MatchString(err.Error()):
		known = unknown
	case faulty.MatchString(err.Error()):
		known = no
	default:
		known = no
		if !refused.MatchString(err.Error()) && !p.h.denies(c.text, err) {
			p.h.trouble = append(p.h.trouble, fmt.Sprintf("%s: %v", c.text, err))
		}
	}
	if pr := c.step.process; pr != nil {
		if pr.rolledBack {
			known = no
		}
		p.h.enqueued[pr.number] = known
	}
	p.h.reports[c.place] = known
}

// read reads the tables.
func (p *player) read() {
	h := p.h
	for _, r := range p.do(p.w.tasks) {
		t := taskRow{id: num(r[0]), process: num(r[1]), wave: num(r[2]), status: r[3], attempt: num(r[4]), maxAttempts: num(r[5]), orphans: num(r[6]), failures: num(r[7]), verdict: -1}
		if m := endsWith.FindStringSubmatch(r[8]); m != nil {
			t.verdict = num(m[1])
		}
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
	for _, r := range p.do(p.w.firings) {
		h.firings = append(h.firings, firing{r[0], num(r[1]), r[2], r[3], num(r[4]), num(r[5])})
	}
	if p.w.second != "" {
		for _, r := range p.do(p.w.second) {
			h.second = append(h.second, num(r[0]))
		}
	}
	for _, r := range p.do(p.w.alarms) {
		h.alarms = append(h.alarms, r[0]+": "+r[1])
	}
}

// leave stops everything, and looks for what is left.
func (p *player) leave() {
	p.do(p.w.orders(stop, 0))
	p.s.Advance(time.Hour)
	if f := p.photograph(p.w.rested); f != nil {
		f.settled, f.idle = p.h.ended, true
	}
	for _, r := range p.do(p.w.rest) {
		p.h.left = append(p.h.left, strings.Join(r, " "))
	}
	p.s.Advance(time.Minute)
	if n := len(p.s.Sessions()); n > 0 {
		p.h.left = append(p.h.left, fmt.Sprintf("%d sessions", n))
	}
}

// num reads an integer; an empty text means none.
func num(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && s != "" {
		panic(fmt.Sprintf("a number was expected: %q", s))
	}
	return n
}

// story describes a history to a person.
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
	for _, f := range h.firings {
		fmt.Fprintf(&b, "firing %+v\n", f)
	}
	fmt.Fprintf(&b, "alarms %q\ntrouble %q\n%v\n", h.alarms, h.trouble, h.seen)
	return b.String()
}
