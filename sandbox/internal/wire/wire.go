// Package wire holds what the servers of both protocols have in common: connections with their two goroutines, answers, packets,
// and a decoder. A protocol adds the meaning of its bytes.
package wire

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Options adjust a server. The zero value is ready to use.
type Options struct {
	Logger       *slog.Logger  // nil: silence. Passwords are never logged
	MaxMessage   int           // bytes of a request; 0: 256 MiB
	LoginTimeout time.Duration // from the connection to the end of the login; 0: 30 s
}

// MaxLogin is the maximum size of a message before the login, in bytes.
const MaxLogin = 1 << 17

// ProtocolError is a breach of the protocol by the client; it ends the connection.
type ProtocolError struct{ text string }

func (e *ProtocolError) Error() string { return e.text }

// Errorf returns a ProtocolError.
func Errorf(format string, args ...any) error {
	return &ProtocolError{fmt.Sprintf(format, args...)}
}

// Serve accepts connections and serves each in its own goroutine until ctx ends; then it closes the listener and all
// connections, waits for their sessions to end and returns nil. It returns an error when it cannot accept connections. Connections
// are numbered from 1; protocol names them in errors and in the log.
func Serve(ctx context.Context, listener net.Listener, protocol string, o Options, serve func(ctx context.Context, c *Conn) error) error {
	o.MaxMessage = cmp.Or(o.MaxMessage, 256<<20)
	o.LoginTimeout = cmp.Or(o.LoginTimeout, 30*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	var conns sync.WaitGroup
	defer conns.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	for number := uint64(1); ; number++ {
		nc, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			_ = listener.Close()
			return fmt.Errorf("%s: accept: %w", protocol, err)
		}
		conns.Go(func() {
			defer nc.Close()
			stop := context.AfterFunc(ctx, func() { _ = nc.Close() })
			defer stop()
			log := o.Logger.With("client", nc.RemoteAddr().String())
			log.Debug(protocol + ": connection opened")
			c := &Conn{Net: nc, Number: number, Options: o}
			c.Logger = log
			if err := serve(ctx, c); err != nil && ctx.Err() == nil {
				log.Warn(protocol+": connection failed", "error", err)
				return
			}
			log.Debug(protocol + ": connection closed")
		})
	}
}
