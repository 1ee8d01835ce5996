package wire

import (
	"context"
	"errors"
	"fmt"
)

// ErrCancelled is returned by the methods of an Answer when the client has canceled the request: what is written is no longer sent.
var ErrCancelled = errors.New("wire: the client has cancelled the request")

// Answer buffers the answer to a request up to the size of a packet. The first failure to send sticks: after it nothing more is sent,
// Err returns it, and the session is closed.
type Answer struct {
	Buf   []byte
	Fatal bool // the connection must be closed afterward

	out    *Packets
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

// NewAnswer returns an answer to a request; out nil: nobody reads it.
func NewAnswer(ctx context.Context, out *Packets) Answer {
	a := Answer{out: out}
	a.ctx, a.cancel = context.WithCancel(ctx)
	return a
}

// Room returns how much of an answer a packet carries; 0: nobody reads it.
func (a *Answer) Room() int {
	if a.out == nil {
		return 0
	}
	return a.out.Room
}

// Cancel ends the context.
func (a *Answer) Cancel() { a.cancel() }

// Context is done when the client cancels the request or the connection is gone.
func (a *Answer) Context() context.Context { return a.ctx }

// Err returns why nothing more can be sent: ErrCancelled or what broke the connection.
func (a *Answer) Err() error {
	if a.err == nil && a.ctx.Err() != nil {
		return ErrCancelled
	}
	return a.err
}

// Broken returns what broke the connection; a canceled request still gets an end.
func (a *Answer) Broken() error { return a.err }

// Fail records that sending has failed.
func (a *Answer) Fail(err error) {
	if err != nil && a.err == nil {
		a.err = fmt.Errorf("send: %w", err)
	}
}

// Spill sends the full packets in the buffer.
func (a *Answer) Spill() {
	if a.out == nil {
		a.Buf = a.Buf[:0]
		return
	}
	var err error
	a.Buf, err = a.out.full(a.Buf)
	a.Fail(err)
}

// Flush sends what is buffered.
func (a *Answer) Flush() {
	if len(a.Buf) > 0 {
		a.Fail(a.out.Send(a.Buf, false))
		a.Buf = a.Buf[:0]
	}
}

// Finish sends what is buffered as the end of the answer.
func (a *Answer) Finish() error {
	if a.err == nil {
		a.Fail(a.out.Message(a.Buf))
		a.Buf = nil
	}
	return a.err
}
