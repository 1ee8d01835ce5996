// Package simulation runs the installed scheduler through histories determined by a seed: a workload, faults, and who runs when. A
// checker that shares no code with the SQL reads what has happened.
package simulation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// workload is what a history does. It is data, so that it can be printed and made smaller.
type workload struct {
	workers int
	steps   []step // in order of time
	fault   fault
	more    []fault
	lasts   time.Duration // how long the schedules fire, beyond the steps
}

// faults are all faults of the workload.
func (w workload) faults() []fault { return append([]fault{w.fault}, w.more...) }

// has reports whether the workload gives an order.
func (w workload) has(o order) bool {
	return slices.ContainsFunc(w.steps, func(s step) bool { return s.order == o })
}

// step is something that a client does at a given time: it enqueues a process, or gives an order.
type step struct {
	at      time.Duration
	process *process
	order   order
	n       int // of the order
}

// order is what an administrator or the machine does.
type order string

const (
	setWorkers order = "workers"
	stop       order = "stop"
	stopNow    order = "stop now"
	start      order = "start"
	sweep      order = "sweep"
	cancelTask order = "cancel task"    // n: its number
	cancelAll  order = "cancel process" // n: its number
	retryTask  order = "retry task"
	policy     order = "policy"
	clock      order = "clock" // n: seconds forward or back

	closeProcess   order = "close process" // n: its number, as for the next two
	releaseProcess order = "release process"
	retryProcess   order = "retry process"
	purge          order = "purge"         // what has ended is deleted
	manual         order = "manual worker" // n: how many idle seconds it stays
	hold           order = "hold"          // n: of a holding
	defineRound    order = "define round"  // n: members
	report         order = "report"        // n: member, negative: it failed
	schedule       order = "schedule"      // n: of a firingRule
	enable         order = "enable schedules"
	disable        order = "disable schedules"

	longestPause order = "longest pause" // n: seconds between a failure and the retry, at most

	revoke    order = "revoke" // the second user's right to call dbsched; SQL Server only, like the next two
	grant     order = "grant"
	newUser   order = "new user"   // the second user is dropped, and created again
	killRight order = "kill right" // n: 0: dbsched may no longer end sessions; SQL Server only

	queueOff  order = "queue off"  // n: of a lane, 0: of the dispatcher
	brokerOff order = "broker off" // SQL Server only, like the next
	brokerOn  order = "broker on"
	jobsOff   order = "jobs off" // Oracle only, like the next two
	jobsOn    order = "jobs on"
	stopJob   order = "stop job" // n: of a lane, 0: of the dispatcher
)

// One number each describes a session that holds the resource without being a task, and a schedule.
type (
	holding    int
	firingRule int
)

// Numbers for work outside the tasks of a process: that of a schedule, a session that holds the resource, and a round.
const (
	ofSchedule = 1000
	ofHolding  = 2000
	ofRound    = 3000
)

// name is that of the row.
func (p *process) name() string { return fmt.Sprintf("p%d", p.number) }

func (h holding) number() int          { return ofHolding + int(h) }
func (h holding) exclusive() bool      { return h&1 != 0 }
func (h holding) leased() bool         { return h&2 != 0 }
func (h holding) takes() time.Duration { return time.Duration(100+int(h>>2)%8*200) * time.Millisecond }

func (f firingRule) number() int     { return ofSchedule + int(f) }
func (f firingRule) name() string    { return fmt.Sprintf("s%d", int(f)) }
func (f firingRule) overlap() string { return []string{"Skip", "Queue", "Allow"}[int(f)%3] }
func (f firingRule) missed() string  { return []string{"Once", "None", "All"}[int(f)/3%3] }
func (f firingRule) minutes() int    { return 1 + int(f)/9%2 }
func (f firingRule) takes() time.Duration {
	return time.Duration([]int{0, 5, 75, 100}[int(f)/18%4]) * time.Second
}

func (f firingRule) calendar() string {
	switch {
	case int(f)/72%2 == 1:
		return fmt.Sprintf("every %d minutes", f.minutes())
	case f.minutes() == 1:
		return "* * * * *"
	}
	return fmt.Sprintf("*/%d * * * *", f.minutes())
}

// process is enqueued in one transaction, which may be rolled back.
type process struct {
	number      int
	halt        bool
	weight      int
	maxParallel int // 0: no limit
	suspended   bool
	rolledBack  bool
	into        int           // the number of the process into which another session enqueues the tasks; 0: they get one of their own
	open        bool          // its creator does not close it
	batch       bool          // the tasks come as one batch
	second      bool          // it belongs to the second user
	holds       time.Duration // how long the transaction stays open
	tasks       []task
}

// task is one call of the procedure Work, which records its number, takes a while, and fails the first times.
type task struct {
	number        int
	wave          int
	takes         time.Duration
	fails         int
	attempts      int
	retryDelay    int
	timeout       int // seconds; 0: none
	delay         int // seconds
	priority      int
	resource      bool
	exclusive     bool
	transactional bool
	failOrphan    bool
	key           int  // dedup key; 0: none
	undone        bool // enqueued after a savepoint to which the transaction rolls back
}

// fault is what happens at the nth moment when others may run.
type fault struct {
	what  string // of faultKinds, or nothing
	point int
	lasts time.Duration // of full and late
}

// faultKinds are: the session that is about to continue is killed, or another; the engine crashes; the next lock request that may wait
// loses a deadlock; the next that may wait for a limited time does not get it; there is no space for writing; activations and
// jobs start late.
var faultKinds = []string{"kill", "kill another", "crash", "deadlock", "lock timeout", "full", "late"}

// capacity is that of the resource named by tasks.
const capacity = 2

// generate creates the workload of a seed.
func generate(seed uint64) workload {
	r := rand.New(rand.NewPCG(seed, 1))
	w := workload{workers: 1 + r.IntN(4)}
	number := 0
	for p := range 1 + r.IntN(3) {
		pr := &process{number: p + 1, halt: r.IntN(2) == 0, weight: 1 + r.IntN(3), suspended: r.IntN(6) == 0, rolledBack: r.IntN(8) == 0}
		if r.IntN(3) == 0 {
			pr.maxParallel = 1 + r.IntN(2)
		}
		if r.IntN(4) == 0 {
			pr.holds = time.Duration(r.IntN(3000)) * time.Millisecond
		}
		for wave := range 1 + r.IntN(3) {
			for range 1 + r.IntN(4) {
				number++
				pr.tasks = append(pr.tasks, someTask(r, number, wave+1))
			}
		}
		pr.batch, pr.open, pr.second = r.IntN(4) == 0, r.IntN(5) == 0, r.IntN(6) == 0
		if pr.second {
			pr.weight = 1 // more is an administrator's
		}
		at := time.Duration(r.IntN(4000)) * time.Millisecond
		w.steps = append(w.steps, step{at: at, process: pr})
		for range r.IntN(6) / 3 {
			pr.open = pr.open || r.IntN(4) > 0
			another := &process{number: 10*pr.number + 1 + r.IntN(2), into: pr.number, second: pr.second, batch: r.IntN(2) == 0, rolledBack: r.IntN(8) == 0}
			if slices.ContainsFunc(w.steps, func(s step) bool { return s.process != nil && s.process.number == another.number }) {
				continue
			}
			for range 1 + r.IntN(3) {
				number++
				another.tasks = append(another.tasks, someTask(r, number, 1+r.IntN(3)))
			}
			w.steps = append(w.steps, step{at: at + time.Duration(r.IntN(1500))*time.Millisecond, process: another})
		}
		later := at + time.Duration(r.IntN(6000))*time.Millisecond
		if pr.suspended && r.IntN(2) == 0 {
			w.steps = append(w.steps, step{at: later, order: releaseProcess, n: pr.number})
		}
		if pr.open && r.IntN(2) == 0 {
			w.steps = append(w.steps, step{at: later, order: closeProcess, n: pr.number})
		}
	}
	for range r.IntN(4) {
		w.steps = append(w.steps, someOrder(r, number))
	}
	someRound(r, &w)
	someSchedules(r, &w)
	someFaults(r, &w)
	someCalls(seed, &w)
	someLooks(seed, &w)
	someRetries(seed, &w)
	someRights(seed, &w)
	someUsers(seed, &w)
	sortSteps(w.steps)
	return w
}

func someTask(r *rand.Rand, number, wave int) task {
	t := task{number: number, wave: wave, attempts: 1}
	if r.IntN(2) == 0 {
		t.takes = time.Duration(r.IntN(2000)) * time.Millisecond
	}
	if r.IntN(40) == 0 {
		t.takes, t.timeout = 90*time.Second, 1+r.IntN(5)
	}
	if r.IntN(4) == 0 {
		t.fails, t.attempts, t.retryDelay = r.IntN(3), 1+r.IntN(3), r.IntN(3)
	}
	if t.timeout == 0 && r.IntN(10) == 0 {
		t.timeout = 1 + r.IntN(2)
	}
	if r.IntN(8) == 0 {
		t.delay = r.IntN(5)
	}
	if r.IntN(4) == 0 {
		t.resource, t.exclusive = true, r.IntN(3) == 0
	}
	t.transactional = r.IntN(4) == 0
	t.failOrphan = r.IntN(6) == 0
	t.priority = r.IntN(3)
	if r.IntN(6) == 0 {
		t.key = 1 + r.IntN(2)
	}
	t.undone = r.IntN(10) == 0
	return t
}

// someLooks adds moments at which the tables are photographed.
func someLooks(seed uint64, w *workload) {
	r := rand.New(rand.NewPCG(seed, 3)) // a generator of their own, as for calls
	for range 1 + r.IntN(2) {
		w.steps = append(w.steps, step{at: time.Duration(200+r.IntN(9000)) * time.Millisecond, order: look})
	}
}

// someRetries sometimes makes a task fail so often that its pauses grow, and sometimes limits them.
func someRetries(seed uint64, w *workload) {
	r := rand.New(rand.NewPCG(seed, 4))
	if r.IntN(6) > 0 {
		return
	}
	for _, s := range w.steps {
		if s.process != nil && len(s.process.tasks) > 0 && r.IntN(2) == 0 {
			t := &s.process.tasks[r.IntN(len(s.process.tasks))]
			t.fails, t.attempts, t.retryDelay = 2+r.IntN(3), 3+r.IntN(3), 1+r.IntN(3)
			t.takes = min(t.takes, 2*time.Second)
		}
	}
	if r.IntN(2) == 0 {
		w.steps = append(w.steps, step{order: longestPause, n: 2 + r.IntN(4)})
	}
}

// someRights often takes away the right to end sessions, and sometimes gives it back, or takes it later.
func someRights(seed uint64, w *workload) {
	r := rand.New(rand.NewPCG(seed, 5))
	has := r.IntN(2)
	if has == 0 {
		w.steps = append(w.steps, step{order: killRight, n: 0})
	}
	if r.IntN(6) == 0 {
		w.steps = append(w.steps, step{at: time.Duration(1000+r.IntN(5000)) * time.Millisecond, order: killRight, n: 1 - has})
	}
}

// someUsers sometimes lets an administrator add tasks to the second user's processes, takes away that user's rights for a while, or replaces the user.
func someUsers(seed uint64, w *workload) {
	r := rand.New(rand.NewPCG(seed, 6))
	both := false
	for _, s := range w.steps {
		if p := s.process; p != nil && p.second && p.into > 0 && r.IntN(2) == 0 {
			p.second = false
		} else if p != nil && p.second {
			both = true
		}
	}
	at := time.Duration(500+r.IntN(5000)) * time.Millisecond
	switch n := r.IntN(6); {
	case !both:
	case n < 2:
		w.steps = append(w.steps, step{at: at, order: newUser})
	case n == 2:
		w.steps = append(w.steps, step{at: at, order: revoke}, step{at: at + time.Duration(r.IntN(4000))*time.Millisecond, order: grant})
	}
}

// someFaults adds none, one or more.
func someFaults(r *rand.Rand, w *workload) {
	n := max(0, r.IntN(6)-2)
	for i := range n {
		f := fault{what: faultKinds[r.IntN(len(faultKinds))], point: 1 + r.IntN(4000), lasts: time.Duration(1+r.IntN(60)) * time.Second}
		if f.what == "full" {
			f.lasts /= 3
		}
		if i == 0 {
			w.fault = f
		} else {
			w.more = append(w.more, f)
		}
	}
	if r.IntN(5) > 0 {
		return
	}
	at := time.Duration(r.IntN(4000)) * time.Millisecond
	back := at + time.Duration(r.IntN(20000))*time.Millisecond
	switch r.IntN(3) {
	case 0:
		w.steps = append(w.steps, step{at: at, order: queueOff, n: r.IntN(5)}, step{at: at, order: stopJob, n: r.IntN(5)})
	case 1:
		w.steps = append(w.steps, step{at: at, order: brokerOff}, step{at: at, order: jobsOff}, step{at: back, order: brokerOn}, step{at: back, order: jobsOn})
	case 2:
		w.steps = append(w.steps, step{at: at, order: brokerOff}, step{at: at, order: jobsOff})
	}
}

// someRound sometimes adds a round, and what its members report.
func someRound(r *rand.Rand, w *workload) {
	if r.IntN(6) > 0 {
		return
	}
	members := 1 + r.IntN(3)
	w.steps = append(w.steps, step{order: defineRound, n: members})
	at := 500 + r.IntN(2000)
	for m := range members {
		for range 1 + r.IntN(2) {
			n := 1 + m
			if r.IntN(6) == 0 {
				n = -n
			}
			w.steps = append(w.steps, step{at: time.Duration(at+r.IntN(2)*r.IntN(1000)) * time.Millisecond, order: report, n: n})
		}
	}
}

// someSchedules sometimes adds schedules, with minutes in which they fire, and in which the scheduler may be stopped.
func someSchedules(r *rand.Rand, w *workload) {
	if r.IntN(5) > 0 {
		return
	}
	w.lasts = time.Duration(60+r.IntN(240)) * time.Second
	for range 1 + r.IntN(2) {
		w.steps = append(w.steps, step{at: time.Duration(r.IntN(3000)) * time.Millisecond, order: schedule, n: r.IntN(144)})
	}
	some := func(a, b order) {
		from := r.IntN(int(w.lasts / time.Second))
		w.steps = append(w.steps, step{at: time.Duration(from) * time.Second, order: a}, step{at: time.Duration(from+1+r.IntN(150)) * time.Second, order: b})
	}
	if r.IntN(3) == 0 {
		some(stop, start)
	}
	if r.IntN(3) == 0 {
		some(disable, enable)
	}
}

func someOrder(r *rand.Rand, tasks int) step {
	s := step{at: time.Duration(r.IntN(8000)) * time.Millisecond}
	switch r.IntN(14) {
	case 0:
		s.order, s.n = setWorkers, r.IntN(5)
	case 1:
		s.order = stop
	case 2:
		s.order = stopNow
	case 3:
		s.order = sweep
	case 4:
		s.order, s.n = cancelTask, 1+r.IntN(tasks)
	case 5:
		s.order, s.n = cancelAll, 1+r.IntN(3)
	case 6:
		s.order, s.n = retryTask, 1+r.IntN(tasks)
	case 7:
		s.order, s.n = policy, r.IntN(3)
	case 8:
		s.order, s.n = clock, r.IntN(240)-120
	case 9:
		s.order, s.n = retryProcess, 1+r.IntN(3)
	case 10:
		s.order = purge
	case 11:
		s.order, s.n = manual, 1+r.IntN(3)
	case 12, 13:
		s.order, s.n = hold, r.IntN(32)
	}
	return s
}

// String describes a workload as a person would.
func (w workload) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d workers", w.workers)
	for _, f := range w.faults() {
		if f.what != "" {
			fmt.Fprintf(&b, ", %s at point %d (%v)", f.what, f.point, f.lasts)
		}
	}
	for _, s := range w.steps {
		if s.process == nil {
			fmt.Fprintf(&b, "\n%v %s %d", s.at, s.order, s.n)
			continue
		}
		p := *s.process
		fmt.Fprintf(&b, "\n%v process %d halt=%t weight=%d maxParallel=%d suspended=%t rolledBack=%t holds=%v into=%d open=%t batch=%t second=%t", s.at, p.number, p.halt, p.weight, p.maxParallel, p.suspended, p.rolledBack, p.holds, p.into, p.open, p.batch, p.second)
		for _, t := range p.tasks {
			fmt.Fprintf(&b, "\n    %+v", t)
		}
	}
	return b.String()
}
