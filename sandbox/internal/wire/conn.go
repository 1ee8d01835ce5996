package wire

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"time"
)

// Conn is one client's connection. One goroutine reads packets and notices at any time if the client cancels or is gone;
// another one executes requests, one after another.
type Conn struct {
	Net    net.Conn
	Number uint64
	Options

	mu      sync.Mutex
	session canceler
	running *Answer // the request that Do works on
	busy    bool    // an answer is in progress
	closing bool    // the connection ends with that answer
	close   sync.Once
}

// LoginTimer closes the connection unless it is stopped in time.
func (c *Conn) LoginTimer() *time.Timer {
	return time.AfterFunc(c.LoginTimeout, func() { _ = c.Net.Close() })
}

// Attach records the session that belongs to the connection.
func (c *Conn) Attach(s canceler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = s
}

func (c *Conn) closeSession() {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s != nil {
		c.close.Do(s.Close)
	}
}

// Hooks are a protocol's halves of a connection.
type Hooks struct {
	Read func() error                    // reads packets until that fails
	Work func(ctx context.Context) error // executes requests; ctx ends with the connection
	End  func(err error)                 // tells whoever waits for the other half that it has ended; nil: nobody waits
}

// Run runs a connection to its end, and ends its session.
func (c *Conn) Run(ctx context.Context, h Hooks) error {
	if h.End == nil {
		h.End = func(error) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var readErr error
	var reader sync.WaitGroup
	reader.Go(func() {
		end := h.Read()
		if !errors.Is(end, io.EOF) && !errors.Is(end, net.ErrClosed) {
			readErr = end
		}
		cancel() // nobody is listening anymore: end what is running
		c.closeSession()
		h.End(end)
	})
	err := h.Work(ctx)
	_ = c.Net.Close() // ends the reader
	h.End(net.ErrClosed)
	reader.Wait()
	c.closeSession()
	if errors.Is(err, io.EOF) || errors.Is(err, readErr) {
		err = nil // readErr already has it
	}
	return errors.Join(err, readErr)
}

// Answer executes a call, which answers through a, and then finish sends the end of the answer unless the server stops meanwhile.
// done says that the connection must be closed.
func (c *Conn) Answer(ctx context.Context, a *Answer, call func(), finish func() error) (done bool, err error) {
	defer a.cancel()
	c.mu.Lock()
	c.running, c.busy = a, true
	c.mu.Unlock()
	call()
	if ctx.Err() != nil { // the call may have ended halfway
		return true, nil
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	err = finish()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
	return c.closing || err == nil && a.Fatal, err
}

// Cancel cancels the running call, if there is one.
func (c *Conn) Cancel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		c.running.cancel()
		c.session.Cancel()
	}
}

// Disconnect is called by the engine to end the connection, after the current answer if there is one.
func (c *Conn) Disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing = true; !c.busy {
		_ = c.Net.Close()
	}
}

// Guard runs a session's code. A panic there is logged and reported by fail; it ends only this connection.
func (c *Conn) Guard(fn func(), fail func(p any)) {
	defer func() {
		if p := recover(); p != nil {
			c.Logger.Error("panic in a session", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			fail(p)
		}
	}()
	fn()
}
