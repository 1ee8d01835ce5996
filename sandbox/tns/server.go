package tns

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Options adjust a server. The zero value is a good one.
type Options struct {
	Logger       *slog.Logger  // nil: silence. Passwords are never logged
	MaxMessage   int           // bytes of a request; 0: 256 MiB
	MaxCursors   int           // open ones in a session (OPEN_CURSORS); 0: 300
	MaxVersion   uint16        // the highest version of TNS to agree on; 0: 317
	LoginTimeout time.Duration // from the connection to the end of the login; 0: 30 s
}

const (
	defaultMaxMessage   = 256 << 20
	defaultMaxCursors   = 300
	defaultLoginTimeout = 30 * time.Second
	maxLogin            = 1 << 17 // bytes of a message before the login
)

type server struct {
	engine  Engine
	banner  Banner
	options Options
}

func newServer(engine Engine, options Options) *server {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.MaxMessage == 0 {
		options.MaxMessage = defaultMaxMessage
	}
	if options.MaxCursors == 0 {
		options.MaxCursors = defaultMaxCursors
	}
	if options.MaxVersion == 0 {
		options.MaxVersion = highestVersion
	}
	options.MaxVersion = min(options.MaxVersion, highestVersion)
	if options.LoginTimeout == 0 {
		options.LoginTimeout = defaultLoginTimeout
	}
	return &server{engine: engine, banner: engine.Banner(), options: options}
}

// Serve accepts connections and serves them until ctx ends; then it closes the
// listener and all connections, waits for their sessions to end and returns nil. It
// returns an error when it cannot accept connections.
func Serve(ctx context.Context, listener net.Listener, engine Engine, options Options) error {
	s := newServer(engine, options)
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
			return fmt.Errorf("tns: accept: %w", err)
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
	log.Debug("tns: connection opened")
	if err := newConn(s, number, nc, log).serve(ctx); err != nil && ctx.Err() == nil {
		log.Warn("tns: connection failed", "error", err)
		return
	}
	log.Debug("tns: connection closed")
}
