package integration

import (
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/sandbox/differ"
)

// What docs/live.md calls handled, on sandboxes that are different in that way (see make certify).

// that is a scenario's sandbox that is different.
func that(d differ.Difference) func(*sandbox.Options) {
	return func(o *sandbox.Options) { o.Differ = []differ.Difference{d} }
}

// different skips a scenario on a real server, which is as it is.
func (h *harness) different() {
	h.Helper()
	if h.server.box == nil {
		h.Skip("a real server is as it is")
	}
}
