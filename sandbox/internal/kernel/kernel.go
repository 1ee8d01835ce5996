// Package kernel runs the sandbox: one thread of control that passes a baton between
// coroutines, a virtual clock, timers, and the choices that a seed makes where an engine
// promises nothing. Whoever holds the baton may touch engine state without locks; nobody
// else may. The same seed and the same inputs give the same history.
package kernel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
)

// Clock says how virtual time relates to real time.
type Clock uint8

const (
	// Simulated time moves only by Spend and by jumps; the caller drives the kernel (RunUntil, Advance).
	Simulated Clock = iota
	// Fast jumps to the next demand timer while no client is thinking, and runs at real pace while one is.
	Fast
	// Real follows the wall clock.
	Real
)

// Granularity says where a running task may lose the baton without blocking.
type Granularity uint8

const (
	// AtStatements switches between statements only: what serving uses.
	AtStatements Granularity = iota
	// AtLocks also switches at every lock request, commit step and message post.
	AtLocks
	// AtRows also switches at every row read.
	AtRows
)

// Options configure a kernel.
type Options struct {
	Clock       Clock
	Seed        uint64      // decides every choice
	Start       time.Time   // virtual time at the start; zero means Epoch, or the wall clock for Real
	Granularity Granularity // where tasks may be switched
	Differ      differ.Set  // what the engine does otherwise
	// Settle returns when every client has posted what it has to say, or is blocked: synctest.Wait, in a test's bubble. With it
	// a Fast clock follows the bubble's, which stands still while anybody thinks, and the seed decides who is served first.
	Settle func()
	// Choose decides instead of the seed; nil: the seed.
	Choose func(point string, n int) int
	// Watch is told what tasks do: what Note reports, and "point" wherever a task may be switched. It may kill tasks, the running one too.
	Watch func(t *Task, what, text string)
	// Fail decides whether what a task is about to do fails. nil: nothing fails.
	Fail func(t *Task, what string) bool
	// Delay may lengthen a delay that the seed has decided. nil: it does not.
	Delay func(point string, d time.Duration) time.Duration
}

// Epoch is the virtual time at which a kernel starts unless told otherwise.
var Epoch = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// ErrStuck is returned by RunUntil when nothing can run, no demand timer is set and the condition does not hold.
var ErrStuck = errors.New("kernel: stuck: every task waits and no demand timer is set")

// Kernel is the run loop. Unless a method says otherwise it may only be called with the baton:
// from a task, from a function given to Post, or by the one goroutine that drives the kernel.
type Kernel struct {
	opts    Options
	differ  differ.Set
	now     time.Time
	ready   []*Task
	running *Task
	timers  timerHeap
	serial  uint64 // of tasks and timers, so that ties are broken by age
	rng     *rand.Rand
	trace   uint64
	live    map[uint64]*Task

	thinking int  // clients between calls
	stirred  bool // clients may have heard something since they were last waited for

	mu     sync.Mutex
	inbox  []post
	signal chan struct{}
	panics int64 // panics that ended a task
}

// post is a function that waits for the baton, and its sender.
type post struct {
	from uint64
	fn   func()
}

// New returns a kernel at its start time with nothing to run.
func New(o Options) *Kernel {
	if o.Start.IsZero() {
		o.Start = Epoch
		if o.Clock == Real {
			o.Start = wallNow()
		}
	}
	k := &Kernel{now: o.Start.UTC(), live: map[uint64]*Task{}, trace: 14695981039346656037}
	k.begin(o, 0x9e3779b97f4a7c15)
	return k
}

// Resume gives other options to a kernel that is not running. Time continues from where it is, and the choices differ from those
// that the same seed has already made.
func (k *Kernel) Resume(o Options) { k.begin(o, k.trace) }

// Restart is Resume for runs that are compared although what came before may differ: time continues at a full second, and the choices depend
// on the seed alone.
func (k *Kernel) Restart(o Options) {
	k.now = k.now.Truncate(time.Second).Add(time.Second)
	k.begin(o, 0xbf58476d1ce4e5b9)
}

func (k *Kernel) begin(o Options, stream uint64) {
	k.opts, k.differ = o, o.Differ
	k.rng = rand.New(rand.NewPCG(o.Seed, stream)) //nolint:forbidigo // the source of all choices
	k.signal = make(chan struct{}, 1)
	k.stirred = true
}

// AtRest reports whether no task is left: nothing runs, or waits for anything but time.
func (k *Kernel) AtRest() bool { return len(k.live) == 0 }

// wallNow is the one place where the sandbox reads the real clock.
func wallNow() time.Time { return time.Now().UTC() } //nolint:forbidigo // see above

// Now returns the virtual time (UTC).
func (k *Kernel) Now() time.Time {
	if k.opts.Clock == Real {
		if w := wallNow(); w.After(k.now) {
			k.now = w
		}
	}
	return k.now
}

// Differs reports whether the engine does something otherwise.
func (k *Kernel) Differs(d differ.Difference) bool { return k.differ[d] }

// Differ returns all that it does otherwise.
func (k *Kernel) Differ() differ.Set { return k.differ }

// Granularity returns where tasks may be switched.
func (k *Kernel) Granularity() Granularity { return k.opts.Granularity }

// Choose returns a number in [0, n), decided by the seed, for a point where the engine promises nothing.
func (k *Kernel) Choose(point string, n int) int {
	if n <= 1 {
		return 0
	}
	var c int
	if k.opts.Choose != nil {
		c = k.opts.Choose(point, n)
	} else {
		c = k.rng.IntN(n)
	}
	k.event(point, uint64(c)<<32|uint64(n))
	return c
}

// Ready returns the ids of the tasks that Choose("run") chooses from, in its order.
func (k *Kernel) Ready() []uint64 {
	ids := make([]uint64, len(k.ready))
	for i, t := range k.ready {
		ids[i] = t.id
	}
	return ids
}

// Duration returns a duration between low and high, decided by the seed.
func (k *Kernel) Duration(point string, low, high time.Duration) time.Duration {
	if high <= low {
		return low
	}
	d := low + time.Duration(k.rng.Int64N(int64(high-low)))
	if k.opts.Delay != nil {
		d = k.opts.Delay(point, d)
	}
	k.event(point, uint64(d))
	return d
}

// Random fills a byte slice from the seed (GUIDs, passwords of simulated clients).
func (k *Kernel) Random(b []byte) {
	for i := range b {
		b[i] = byte(k.rng.Uint32())
	}
}

// Tracef adds an event to the history's hash.
func (k *Kernel) Tracef(format string, args ...any) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d ", k.trace, k.now.UnixNano())
	fmt.Fprintf(h, format, args...)
	k.trace = h.Sum64()
}

// event is Tracef without formatting, for what happens often.
func (k *Kernel) event(what string, n uint64) {
	const prime = 1099511628211 // FNV-1a, as Tracef
	h := k.trace
	for _, v := range [2]uint64{uint64(k.now.UnixNano()), n} {
		for range 8 {
			h = (h ^ v&0xff) * prime
			v >>= 8
		}
	}
	for i := range len(what) {
		h = (h ^ uint64(what[i])) * prime
	}
	k.trace = h
}

// Note tells Watch what the running task does.
func (k *Kernel) Note(what, text string) {
	if k.opts.Watch != nil && k.running != nil {
		k.opts.Watch(k.running, what, text)
	}
}

// Fails reports whether what the running task is about to do is to fail.
func (k *Kernel) Fails(what string) bool {
	return k.opts.Fail != nil && k.running != nil && !k.running.dying && k.opts.Fail(k.running, what)
}

// Panics counts the panics that ended a task.
func (k *Kernel) Panics() int64 { return k.panics }

// TraceHash identifies the history so far: same seed and inputs, same hash.
func (k *Kernel) TraceHash() uint64 { return k.trace }

// Post hands a function to the kernel; it runs with the baton. Functions from the same sender run in the order posted.
// Safe for use by any goroutine.
func (k *Kernel) Post(from uint64, fn func()) {
	k.mu.Lock()
	k.inbox = append(k.inbox, post{from, fn})
	k.mu.Unlock()
	select {
	case k.signal <- struct{}{}:
	default:
	}
}

// Stir notes that clients are about to hear something: nothing more happens before they have had their say.
func (k *Kernel) Stir() { k.stirred = true }

func (k *Kernel) drainInbox() bool {
	if k.stirred && k.opts.Settle != nil {
		k.opts.Settle()
	}
	k.stirred = false
	k.mu.Lock()
	posts := k.inbox
	k.inbox = nil
	k.mu.Unlock()
	if k.opts.Settle != nil {
		k.shuffle(posts)
	}
	for _, p := range posts {
		p.fn()
		k.stirred = true
	}
	return len(posts) > 0
}

// shuffle puts what came at the same moment into an order that the seed decides.
func (k *Kernel) shuffle(posts []post) {
	slices.SortStableFunc(posts, func(a, b post) int { return cmp.Compare(a.from, b.from) })
	turns := map[uint64]uint64{}
	for _, p := range posts { // in the order of the senders
		if _, ok := turns[p.from]; !ok && len(posts) > 1 {
			turns[p.from] = k.rng.Uint64()
		}
	}
	slices.SortStableFunc(posts, func(a, b post) int { return cmp.Compare(turns[a.from], turns[b.from]) })
}

// Run serves until ctx ends; then every task is killed. It is for Fast and Real clocks.
func (k *Kernel) Run(ctx context.Context) error {
	defer k.killAll()
	for ctx.Err() == nil {
		if k.step() {
			continue
		}
		k.wait(ctx)
	}
	return context.Cause(ctx)
}

// step runs what can run now and reports whether there was anything.
func (k *Kernel) step() bool {
	did := k.drainInbox()
	did = k.fireDue() || did
	if len(k.ready) == 0 {
		return did
	}
	i := 0
	if k.opts.Granularity > AtStatements {
		i = k.Choose("run", len(k.ready))
	}
	t := k.ready[i]
	k.ready = append(k.ready[:i], k.ready[i+1:]...)
	k.resume(t)
	return true
}

// wait lets time pass when nothing can run.
func (k *Kernel) wait(ctx context.Context) {
	jump := k.opts.Clock == Fast && k.thinking == 0 && k.opts.Settle == nil
	if jump && k.jump() {
		return
	}
	var due <-chan time.Time
	if t := k.timers.peek(); t != nil {
		timer := time.NewTimer(max(0, t.at.Sub(k.Now())))
		defer timer.Stop()
		due = timer.C
	}
	before := wallNow()
	select {
	case <-ctx.Done():
	case <-k.signal:
	case <-due:
	}
	if k.opts.Clock == Fast {
		k.now = k.now.Add(wallNow().Sub(before))
	}
	k.stirred = true // clients have clocks, too
}

// jump moves time to the next timer, provided a demand timer is set; housekeeping timers
// before it fire on the way, but never attract a jump themselves.
func (k *Kernel) jump() bool {
	if !k.timers.hasDemand() {
		return false
	}
	if t := k.timers.peek(); t.at.After(k.now) {
		k.now = t.at
	}
	return true
}

// RunUntil drives a simulated kernel until cond holds; ErrStuck when that cannot happen any more.
func (k *Kernel) RunUntil(cond func() bool) error {
	for !cond() {
		if !k.step() && !k.jump() {
			return ErrStuck
		}
	}
	return nil
}

// RunReady drives a simulated kernel until nothing can run without time passing.
func (k *Kernel) RunReady() {
	for k.step() {
	}
}

// Advance drives a simulated kernel for d of virtual time.
func (k *Kernel) Advance(d time.Duration) {
	done := false
	k.After(d, Demand, func() { done = true })
	_ = k.RunUntil(func() bool { return done })
}

// Thinking changes the number of clients that are between calls: +1 when one starts to
// think, -1 when it calls or leaves. While it is above zero a Fast clock runs at real pace.
func (k *Kernel) Thinking(delta int) { k.thinking += delta }

// Kill ends the task with an id, if it exists.
func (k *Kernel) Kill(id uint64) {
	if t := k.live[id]; t != nil {
		t.Kill()
	}
}

// Close kills every task of a simulated kernel.
func (k *Kernel) Close() { k.killAll() }

func (k *Kernel) killAll() {
	for len(k.live) > 0 {
		var oldest *Task
		for _, t := range k.live { // the minimum does not depend on the order
			if oldest == nil || t.id < oldest.id {
				oldest = t
			}
		}
		oldest.Kill()
		for i := 0; i < 1000 && oldest.state != done; i++ {
			k.drainInbox()
			k.fireDue()
			if len(k.ready) > 0 {
				t := k.ready[0]
				k.ready = k.ready[1:]
				k.resume(t)
			} else if !k.jump() {
				break
			}
		}
		if oldest.state != done {
			oldest.stop()
			oldest.state = done
		}
		delete(k.live, oldest.id)
	}
}
