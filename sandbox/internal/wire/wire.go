// Package wire accepts connections for the servers of both protocols.
package wire

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
)

// Serve accepts connections and has each served in a goroutine of its own until ctx ends; then it closes the listener and all
// connections, waits for their sessions to end and returns nil. It returns an error when it cannot accept connections. Connections
// are numbered from 1; protocol says whose they are, in errors and in the log.
func Serve(ctx context.Context, listener net.Listener, protocol string, logger *slog.Logger, serve func(ctx context.Context, number uint64, nc net.Conn, log *slog.Logger) error) error {
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
			log := logger.With("client", nc.RemoteAddr().String())
			log.Debug(protocol + ": connection opened")
			if err := serve(ctx, number, nc, log); err != nil && ctx.Err() == nil {
				log.Warn(protocol+": connection failed", "error", err)
				return
			}
			log.Debug(protocol + ": connection closed")
		})
	}
}
