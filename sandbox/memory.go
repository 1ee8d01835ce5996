package sandbox

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// memory is a listener whose connections are pipes within the process.
type memory struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newMemory() *memory {
	return &memory{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (m *memory) dial(ctx context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case m.conns <- &pipeEnd{Conn: server}:
		return &pipeEnd{Conn: client}, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (m *memory) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

// Addr implements net.Listener: an address that no driver has to look up.
func (m *memory) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// pipeEnd is one end of a connection. It ends as a TCP connection does, since drivers use that to detect a lost one: the first
// write after the other end has been closed succeeds, deadlines can still be set, and the errors are those of a socket.
type pipeEnd struct {
	net.Conn
	closed atomic.Bool // closed by this end
	broken atomic.Bool // something was written that nobody will read
}

// Close implements net.Conn.
func (p *pipeEnd) Close() error {
	p.closed.Store(true)
	return p.Conn.Close()
}

// Read implements net.Conn.
func (p *pipeEnd) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	return n, p.asTCP("read", err)
}

// Write implements net.Conn.
func (p *pipeEnd) Write(b []byte) (int, error) {
	n, err := p.Conn.Write(b)
	if errors.Is(err, io.ErrClosedPipe) && !p.closed.Load() && !p.broken.Swap(true) {
		return len(b), nil
	}
	return n, p.asTCP("write", err)
}

// SetDeadline implements net.Conn.
func (p *pipeEnd) SetDeadline(t time.Time) error { return p.unlessOpen(p.Conn.SetDeadline(t)) }

// SetReadDeadline implements net.Conn.
func (p *pipeEnd) SetReadDeadline(t time.Time) error { return p.unlessOpen(p.Conn.SetReadDeadline(t)) }

// SetWriteDeadline implements net.Conn.
func (p *pipeEnd) SetWriteDeadline(t time.Time) error {
	return p.unlessOpen(p.Conn.SetWriteDeadline(t))
}

func (p *pipeEnd) unlessOpen(err error) error {
	if !p.closed.Load() {
		return nil
	}
	return p.asTCP("set", err)
}

func (p *pipeEnd) asTCP(op string, err error) error {
	if !errors.Is(err, io.ErrClosedPipe) {
		return err
	}
	if p.closed.Load() {
		err = net.ErrClosed
	} else {
		err = os.NewSyscallError(op, syscall.EPIPE)
	}
	return &net.OpError{Op: op, Net: "tcp", Err: err}
}
