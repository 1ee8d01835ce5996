package tds

import (
	"context"
	"net"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Options adjust a server. The zero value is ready to use.
type Options = wire.Options

// Serve serves an engine until ctx ends, as [wire.Serve] does.
func Serve(ctx context.Context, listener net.Listener, engine Engine, o Options) error {
	return wire.Serve(ctx, listener, "tds", o, func(ctx context.Context, c *wire.Conn) error {
		return (&conn{Conn: c, engine: engine, banner: engine.Banner()}).serve(ctx)
	})
}
