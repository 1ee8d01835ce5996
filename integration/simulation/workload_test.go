// Package simulation runs the installed scheduler through histories that a seed decides: a workload, faults, and who runs when. A
// checker that shares no code with the SQL reads what has happened.
package simulation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// workload is what a history does. It is data, so that it can be printed and made smaller.
type workload struct {
	workers int
	steps   []step // in order of time
	fault   fault
}

// step is something that a client does at a time: it enqueues a process, or gives an order.
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
)

// process is enqueued in one transaction, which may be rolled back.
type process struct {
	number      int
	halt        bool
	weight      int
	maxParallel int // 0: no limit
	suspended   bool
	rolledBack  bool
	holds       time.Duration // the transaction stays open so long
	tasks       []task
}

// task is one call of the procedure Work, which notes its number, takes a while, and fails for the first times.
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
	key           int // dedup key; 0: none
}

// fault is what happens at the nth moment at which others may run.
type fault struct {
	what  string // kill, crash or nothing
	point int
}

// capacity is that of the resource that tasks name.
const capacity = 2

// generate makes the workload of a seed.
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
		w.steps = append(w.steps, step{at: time.Duration(r.IntN(4000)) * time.Millisecond, process: pr})
	}
	for range r.IntN(4) {
		w.steps = append(w.steps, someOrder(r, number))
	}
	switch r.IntN(3) {
	case 0:
		w.fault = fault{"kill", 1 + r.IntN(4000)}
	case 1:
		w.fault = fault{"crash", 1 + r.IntN(4000)}
	}
	sortSteps(w.steps)
	return w
}

func someTask(r *rand.Rand, number, wave int) task {
	t := task{number: number, wave: wave, attempts: 1}
	if r.IntN(2) == 0 {
		t.takes = time.Duration(r.IntN(2000)) * time.Millisecond
	}
	if r.IntN(4) == 0 {
		t.fails, t.attempts, t.retryDelay = r.IntN(3), 1+r.IntN(3), r.IntN(3)
	}
	if r.IntN(10) == 0 {
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
	if r.IntN(10) == 0 {
		t.key = 1 + r.IntN(2)
	}
	return t
}

func someOrder(r *rand.Rand, tasks int) step {
	s := step{at: time.Duration(r.IntN(8000)) * time.Millisecond}
	switch r.IntN(9) {
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
	}
	return s
}

// String shows a workload as a person would tell it.
func (w workload) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d workers", w.workers)
	if w.fault.what != "" {
		fmt.Fprintf(&b, ", a %s at point %d", w.fault.what, w.fault.point)
	}
	for _, s := range w.steps {
		if s.process == nil {
			fmt.Fprintf(&b, "\n%v %s %d", s.at, s.order, s.n)
			continue
		}
		p := *s.process
		fmt.Fprintf(&b, "\n%v process %d halt=%t weight=%d maxParallel=%d suspended=%t rolledBack=%t holds=%v", s.at, p.number, p.halt, p.weight, p.maxParallel, p.suspended, p.rolledBack, p.holds)
		for _, t := range p.tasks {
			fmt.Fprintf(&b, "\n    %+v", t)
		}
	}
	return b.String()
}
