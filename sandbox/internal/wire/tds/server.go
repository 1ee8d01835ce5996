package tds

import (
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
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

// Serve serves an engine until ctx ends, as [wire.Serve] does.
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
	options.MaxMessage = cmp.Or(options.MaxMessage, defaultMaxMessage)
	options.LoginTimeout = cmp.Or(options.LoginTimeout, defaultLoginTimeout)
	s := &server{engine: engine, banner: engine.Banner(), options: options}
	return wire.Serve(ctx, listener, "tds", options.Logger, func(ctx context.Context, number uint64, nc net.Conn, log *slog.Logger) error {
		c := &conn{server: s, number: number, net: nc, log: log}
		return c.serve(ctx)
	})
}
