//go:build !nosandbox

package main

import (
	"context"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// startSandbox starts the embedded engine.
func startSandbox(ctx context.Context, c sandboxConfig) (sandboxServer, error) {
	server, err := sandbox.Start(ctx, sandbox.Options{
		Dialect: c.Dialect, Listen: c.Listen, Clock: c.Clock, Seed: c.Seed, Password: c.Password,
	})
	if err != nil {
		return nil, dialects.Usagef("%v", err)
	}
	return server, nil
}
