package tns

import (
	"context"
	"net"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Options adjust a server. The zero value is ready to use.
type Options = wire.Options

// maxCursors is the maximum number of open cursors in a session (OPEN_CURSORS).
const maxCursors = 300

// Serve serves an engine until ctx ends, as [wire.Serve] does.
func Serve(ctx context.Context, listener net.Listener, engine Engine, o Options) error {
	return wire.Serve(ctx, listener, "tns", o, func(ctx context.Context, c *wire.Conn) error {
		return newConn(c, engine).serve(ctx)
	})
}
