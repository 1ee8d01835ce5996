package kernel

import (
	"container/heap"
	"time"
)

// TimerKind says whether a timer is worth jumping to.
type TimerKind uint8

const (
	// Demand timers are what somebody waits for: WAITFOR, a timeout, a lingering worker. Time jumps to them.
	Demand TimerKind = iota
	// HouseKeeping timers fire when time gets there; they never attract a jump.
	HouseKeeping
)

// Timer is a function that runs at a virtual time.
type Timer struct {
	k     *Kernel
	at    time.Time
	seq   uint64
	index int
	kind  TimerKind
	fn    func()
}

// After runs fn, with the baton, when d has passed.
func (k *Kernel) After(d time.Duration, kind TimerKind, fn func()) *Timer {
	k.serial++
	t := &Timer{k: k, at: k.Now().Add(d), seq: k.serial, kind: kind, fn: fn}
	heap.Push(&k.timers, t)
	return t
}

// Stop forgets the timer, if it has not fired.
func (t *Timer) Stop() {
	if t.index >= 0 {
		heap.Remove(&t.k.timers, t.index)
	}
}

// SetClock sets the clock forward or, with a negative d, back. Every timer keeps its remaining time.
func (k *Kernel) SetClock(d time.Duration) {
	k.now = k.now.Add(d)
	for _, t := range k.timers.list {
		t.at = t.at.Add(d)
	}
}

// At returns when the timer fires.
func (t *Timer) At() time.Time { return t.at }

// fireDue runs the oldest timer that is due, and reports whether there was one.
func (k *Kernel) fireDue() bool {
	t := k.timers.peek()
	if t == nil || t.at.After(k.Now()) {
		return false
	}
	heap.Pop(&k.timers)
	t.fn()
	return true
}

// timerHeap orders timers by time, then by age. It counts the demand timers it holds.
type timerHeap struct {
	list   []*Timer
	demand int
}

func (h *timerHeap) hasDemand() bool { return h.demand > 0 }

func (h *timerHeap) peek() *Timer {
	if len(h.list) == 0 {
		return nil
	}
	return h.list[0]
}

func (h *timerHeap) Len() int { return len(h.list) }

func (h *timerHeap) Less(i, j int) bool {
	a, b := h.list[i], h.list[j]
	if !a.at.Equal(b.at) {
		return a.at.Before(b.at)
	}
	return a.seq < b.seq
}

func (h *timerHeap) Swap(i, j int) {
	h.list[i], h.list[j] = h.list[j], h.list[i]
	h.list[i].index, h.list[j].index = i, j
}

func (h *timerHeap) Push(x any) {
	t := x.(*Timer)
	t.index = len(h.list)
	h.list = append(h.list, t)
	if t.kind == Demand {
		h.demand++
	}
}

func (h *timerHeap) Pop() any {
	last := len(h.list) - 1
	t := h.list[last]
	h.list[last] = nil
	h.list = h.list[:last]
	t.index = -1
	if t.kind == Demand {
		h.demand--
	}
	return t
}
