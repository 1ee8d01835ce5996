package tds

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Options adjust a server. The zero value is a good one.
type Options struct {
	Logger            *slog.Logger  // nil: silence. Passwords are never logged
	TLS               *tls.Config   // nil: a throw-away self-signed certificate
	RequireEncryption bool          // turn clients away that want none
	MaxMessage        int           // bytes of a request; 0: 256 MiB
	LoginTimeout      time.Duration // from the connection to the end of the login; 0: 30 s
}

const (
	defaultMaxMessage   = 256 << 20
	defaultLoginTimeout = 30 * time.Second
)

type server struct {
	engine  Engine
	banner  Banner
	options Options
}

// Serve accepts connections and serves them until ctx ends; then it closes the
// listener and all connections, waits for their sessions to end and returns nil. It
// returns an error when it cannot accept connections.
func Serve(ctx context.Context, listener net.Listener, engine Engine, options Options) error {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.TLS == nil {
		config, err := throwAwayTLS()
		if err != nil {
			_ = listener.Close()
			return err
		}
		options.TLS = config
	}
	if options.MaxMessage == 0 {
		options.MaxMessage = defaultMaxMessage
	}
	if options.LoginTimeout == 0 {
		options.LoginTimeout = defaultLoginTimeout
	}
	s := &server{engine: engine, banner: engine.Banner(), options: options}

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
			return fmt.Errorf("tds: accept: %w", err)
		}
		conns.Go(func() { s.serve(ctx, number, nc) })
	}
}

// serve runs one connection.
func (s *server) serve(ctx context.Context, number uint64, nc net.Conn) {
	defer nc.Close()
	stop := context.AfterFunc(ctx, func() { _ = nc.Close() })
	defer stop()
	log := s.options.Logger.With("client", nc.RemoteAddr().String())
	log.Debug("tds: connection opened")
	c := &conn{server: s, number: number, net: nc, log: log}
	if err := c.serve(ctx); err != nil && ctx.Err() == nil {
		log.Warn("tds: connection failed", "error", err)
		return
	}
	log.Debug("tds: connection closed")
}
