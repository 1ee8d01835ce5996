package tns

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
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
	options.MaxMessage = cmp.Or(options.MaxMessage, defaultMaxMessage)
	options.MaxCursors = cmp.Or(options.MaxCursors, defaultMaxCursors)
	options.MaxVersion = cmp.Or(options.MaxVersion, highestVersion)
	options.MaxVersion = min(options.MaxVersion, highestVersion)
	options.LoginTimeout = cmp.Or(options.LoginTimeout, defaultLoginTimeout)
	return &server{engine: engine, banner: engine.Banner(), options: options}
}

// Serve serves an engine until ctx ends, as [wire.Serve] does.
func Serve(ctx context.Context, listener net.Listener, engine Engine, options Options) error {
	s := newServer(engine, options)
	return wire.Serve(ctx, listener, "tns", s.options.Logger, func(ctx context.Context, number uint64, nc net.Conn, log *slog.Logger) error {
		return newConn(s, number, nc, log).serve(ctx)
	})
}
