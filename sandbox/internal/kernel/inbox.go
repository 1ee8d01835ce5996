package kernel

// Inbox holds the requests that a client's session has yet to serve, in the order they came. The zero
// value is ready; Serve gives it the task that works.
type Inbox struct {
	task    *Task
	pending []request
	idle    bool // blocked, waiting for a request
	active  bool // a request runs
	closed  bool
}

type request struct{ run, finished func() }

// Serve runs requests, one after the other, until more returns false after one of them. The task may be
// killed meanwhile: then Drain must be called.
func (b *Inbox) Serve(t *Task, more func() bool) {
	b.task = t
	for more() {
		if len(b.pending) == 0 {
			b.idle = true
			t.Block(Wait{For: -1, Unstoppable: true})
			b.idle = false
			continue
		}
		r := b.pending[0]
		b.pending = b.pending[1:]
		b.one(r)
	}
}

func (b *Inbox) one(r request) {
	defer r.finished()
	b.active = true
	b.task.ClearInterrupt()
	r.run()
	b.active = false
}

// Submit queues a request; finished is called when it is done, even if the session has ended before it.
func (b *Inbox) Submit(run, finished func()) {
	if b.closed || b.task != nil && b.task.Dying() {
		finished()
		return
	}
	b.pending = append(b.pending, request{run, finished})
	if b.idle {
		b.task.Wake(nil)
	}
}

// Cancel interrupts the request that runs, if one does: an attention, a break.
func (b *Inbox) Cancel() {
	if b.active {
		b.task.Interrupt()
	}
}

// Active reports whether a request runs.
func (b *Inbox) Active() bool { return b.active }

// Drain ends the inbox: requests that were not served are finished, as are all that come later.
func (b *Inbox) Drain() {
	b.closed = true
	pending := b.pending
	b.pending = nil
	for _, r := range pending {
		r.finished()
	}
}
