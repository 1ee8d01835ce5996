package sandbox

import (
	"context"
	"sync"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
)

// await runs fn on the kernel's thread of control and returns when it has run; false if done was closed first.
func await(k *kernel.Kernel, from uint64, done <-chan struct{}, fn func()) bool {
	ran := make(chan struct{})
	k.Post(from, func() {
		defer close(ran)
		fn()
	})
	select {
	case <-ran:
		return true
	case <-done:
		return false
	}
}

// client is a connection's session and what the clock knows about it. Its fields are used only on the kernel's thread of control.
type client struct {
	k          *kernel.Kernel
	number     uint64 // of the connection
	session    session
	disconnect func()
	thinking   bool
	gone       bool
}

// session is the engine's side.
type session interface {
	OnEnd(fn func())
	Cancel()
	Close()
}

// begin records that the session exists.
func (c *client) begin(s session) {
	c.session = s
	s.OnEnd(c.ended)
	c.think(true)
}

// Cancel implements the wires' session interfaces.
func (c *client) Cancel() { c.k.Post(c.number, c.session.Cancel) }

// Close implements the wires' session interfaces.
func (c *client) Close() {
	c.k.Post(c.number, func() {
		c.left()
		c.session.Close()
	})
}

// do has the session execute a request, and writes its output to w: submit queues the request and calls finished when it is done,
// and lost tells the client that the session is gone.
func do[W interface{ Context() context.Context }](c *client, w W, submit func(out *stream[W], finished func(answered bool)), lost func(out *stream[W])) {
	out := newStream[W](c.k)
	c.k.Post(c.number, func() {
		if w.Context().Err() != nil {
			out.end()
			return
		}
		c.think(false)
		submit(out, func(answered bool) {
			if !answered {
				lost(out)
			}
			c.think(true)
			out.end()
		})
	})
	out.copyTo(w)
}

// think records whether the client is between calls.
func (c *client) think(on bool) {
	if on == c.thinking || (on && c.gone) {
		return
	}
	c.thinking = on
	if on {
		c.k.Thinking(1)
	} else {
		c.k.Thinking(-1)
	}
}

// left records that the client is gone.
func (c *client) left() {
	c.gone = true
	c.think(false)
}

// ended is called when the session is gone, for instance because it was killed.
func (c *client) ended() {
	c.left()
	if c.disconnect != nil {
		c.k.Stir()
		go c.disconnect()
	}
}

// stream carries output from the engine, which must not wait for a socket, to the connection's goroutine, which
// writes it to a W.
type stream[W any] struct {
	k      *kernel.Kernel
	mu     sync.Mutex
	events []func(W)
	ended  bool
	signal chan struct{}
}

func newStream[W any](k *kernel.Kernel) *stream[W] {
	return &stream[W]{k: k, signal: make(chan struct{}, 1)}
}

func (o *stream[W]) add(fn func(W)) {
	o.mu.Lock()
	o.events = append(o.events, fn)
	o.mu.Unlock()
	o.wake()
}

func (o *stream[W]) end() {
	o.mu.Lock()
	o.ended = true
	o.mu.Unlock()
	o.wake()
}

func (o *stream[W]) wake() {
	o.k.Stir()
	select {
	case o.signal <- struct{}{}:
	default:
	}
}

// copyTo writes output until the request has ended.
func (o *stream[W]) copyTo(w W) {
	for {
		o.mu.Lock()
		events, ended := o.events, o.ended
		o.events = nil
		o.mu.Unlock()
		for _, fn := range events {
			fn(w)
		}
		if ended && len(events) == 0 {
			return
		}
		if len(events) == 0 {
			<-o.signal
		}
	}
}
