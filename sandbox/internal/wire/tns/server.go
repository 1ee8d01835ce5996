package tns

import (
	"context"
	"net"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Options adjust a server. The zero value is a good one.
type Options = wire.Options

// maxCursors is how many cursors a session may have open (OPEN_CURSORS).
const maxCursors = 300

// Serve serves an engine until ctx ends, as [wire.Serve] does.
func Serve(ctx context.Context, listener net.Listener, engine Engine, o Options) error {
	return wire.Serve(ctx, listener, "tns", o, func(ctx context.Context, c *wire.Conn) error {
		return newConn(c, engine).serve(ctx)
	})
}
