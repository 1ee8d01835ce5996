//go:build nosandbox

package main

import (
	"context"

	"github.com/dbsched/dbsched/dialects"
)

// startSandbox says where to get a sandbox: this build has no engines.
func startSandbox(context.Context, sandboxConfig) (sandboxServer, error) {
	return nil, dialects.Usagef("this build has no sandbox. Use the program dbsched-sandbox from the same release, or: go run github.com/dbsched/dbsched/cmd/dbsched@latest sandbox")
}
