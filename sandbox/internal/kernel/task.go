package kernel

import (
	"cmp"
	"fmt"
	"iter"
	"log/slog"
	"runtime/debug"
	"time"
)

type taskState uint8

const (
	ready taskState = iota
	running
	blocked
	done
)

// Reason says why Block returned.
type Reason uint8

// Why Block returned.
const (
	Woken       Reason = iota // somebody called Wake
	TimedOut                  // the deadline passed
	Interrupted               // somebody called Interrupt
)

// killed is what a kill unwinds a task with.
type killed struct{}

// Task is a coroutine: a session of an engine, or one of an engine's own helpers.
type Task struct {
	k     *Kernel
	id    uint64
	name  string
	state taskState
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	dying       bool
	interrupt   bool
	reason      Reason
	value       any
	timer       *Timer
	onPanic     func(p any, stack []byte)
	unwinding   bool
	unstoppable bool // the current Block ignores Interrupt
}

// Go starts a task; it runs when the baton gets to it. onPanic, if not nil, is told about a
// panic in fn, which ends that task and no other.
func (k *Kernel) Go(name string, fn func(*Task), onPanic func(p any, stack []byte)) *Task {
	k.serial++
	t := &Task{k: k, id: k.serial, name: name, onPanic: onPanic}
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		defer t.recovered()
		fn(t)
	})
	k.live[t.id] = t
	k.ready = append(k.ready, t)
	return t
}

// Logged is an onPanic that logs the panic of a session and hands it on.
func Logged(log *slog.Logger, session int, failed func(p any)) func(p any, stack []byte) {
	return func(p any, stack []byte) {
		cmp.Or(log, slog.Default()).Error("internal error", "session", session, "panic", p, "stack", string(stack))
		failed(p)
	}
}

func (t *Task) recovered() {
	p := recover()
	if p == nil {
		return
	}
	if _, ok := p.(killed); ok {
		return
	}
	if t.onPanic != nil {
		t.k.panics++
		t.onPanic(p, debug.Stack())
		return
	}
	panic(fmt.Sprintf("kernel: task %s: %v\n%s", t.name, p, debug.Stack()))
}

// resume gives the baton to t until it blocks, yields or ends.
func (k *Kernel) resume(t *Task) {
	if t.state == done {
		return
	}
	before := k.running
	k.running, t.state = t, running
	k.event("run", t.id)
	_, more := t.next()
	k.running = before
	if !more {
		t.state = done
		delete(k.live, t.id)
	}
}

// ID is unique among the tasks of a kernel and grows with age.
func (t *Task) ID() uint64 { return t.id }

// Name is what Go was given.
func (t *Task) Name() string { return t.name }

// Kernel returns the kernel that runs the task.
func (t *Task) Kernel() *Kernel { return t.k }

// Done reports whether the task has ended.
func (t *Task) Done() bool { return t.state == done }

// Dying reports whether the task was killed; its deferred clean-up may still run.
func (t *Task) Dying() bool { return t.dying }

// Spend lets a virtual duration pass: the cost of what the task just did.
// On a Real clock the work itself takes the time.
func (t *Task) Spend(d time.Duration) {
	if t.k.opts.Clock != Real {
		t.k.now = t.k.now.Add(d)
	}
}

// Switch offers the baton to others at a point of the given granularity.
func (t *Task) Switch(g Granularity) {
	if t.unwinding {
		return
	}
	t.unwindIfKilled()
	if g > t.k.opts.Granularity {
		return
	}
	t.k.Note("point", "")
	t.state = ready
	t.k.ready = append(t.k.ready, t)
	t.pause()
}

// Step lets a statement's time pass and others run, and reports whether the task should stop what it does.
func (t *Task) Step(cost time.Duration) (interrupted bool) {
	t.Spend(cost)
	t.Switch(AtStatements)
	return t.ClearInterrupt()
}

// Wait describes what Block waits for.
type Wait struct {
	For         time.Duration // at most; negative: without limit; zero: only yield
	Kind        TimerKind     // kind of the deadline's timer
	Unstoppable bool          // Interrupt does not end it (a kill does)
}

// Block suspends the task until Wake, the deadline or Interrupt; the value is what Wake gave.
// A killed task never returns from Block: it unwinds. While it unwinds, Block returns at once.
func (t *Task) Block(w Wait) (Reason, any) {
	if t.unwinding {
		return Interrupted, nil
	}
	t.unwindIfKilled() // it killed itself: nobody would ever wake it
	if t.interrupt && !w.Unstoppable {
		t.interrupt = false
		return Interrupted, nil
	}
	t.reason, t.value = TimedOut, nil
	if w.For == 0 {
		t.Switch(AtStatements)
		return t.reason, t.value
	}
	if w.For > 0 {
		t.timer = t.k.After(w.For, w.Kind, func() {
			t.timer = nil
			t.makeReady(TimedOut, nil)
		})
	}
	t.state = blocked
	t.unstoppable = w.Unstoppable
	t.pause()
	t.unstoppable = false
	return t.reason, t.value
}

func (t *Task) pause() {
	if !t.yield(struct{}{}) {
		t.dying = true
	}
	t.state = running
	t.unwindIfKilled()
}

func (t *Task) unwindIfKilled() {
	if t.dying && !t.unwinding {
		t.unwinding = true
		panic(killed{})
	}
}

// Wake ends the task's Block with a value. A task that is not blocked is left alone (false).
func (t *Task) Wake(v any) bool { return t.makeReady(Woken, v) }

func (t *Task) makeReady(r Reason, v any) bool {
	if t.state != blocked {
		return false
	}
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	t.reason, t.value, t.state = r, v, ready
	t.k.ready = append(t.k.ready, t)
	return true
}

// Interrupt ends the task's Block, or its next one, with Interrupted: an attention.
func (t *Task) Interrupt() {
	if t.state == blocked && !t.unstoppable {
		t.makeReady(Interrupted, nil)
		return
	}
	t.interrupt = true
}

// ClearInterrupt forgets an interrupt that nothing noticed, and reports whether there was one.
func (t *Task) ClearInterrupt() bool {
	was := t.interrupt
	t.interrupt = false
	return was
}

// Kill ends the task: it unwinds from where it is, running its deferred clean-up. One that has not begun unwinds from its first switch point.
func (t *Task) Kill() {
	if t.dying || t.state == done {
		return
	}
	t.dying = true
	switch t.state {
	case blocked:
		t.makeReady(Interrupted, nil)
	case running: // a task that kills itself unwinds at its next switch point
	case ready, done:
	}
}

// Die unwinds the calling task as if it had been killed.
func (t *Task) Die() {
	t.dying, t.unwinding = true, true
	panic(killed{})
}

// IsKill reports whether a recovered panic is a kill that is unwinding: re-panic it.
func IsKill(p any) bool {
	_, ok := p.(killed)
	return ok
}
