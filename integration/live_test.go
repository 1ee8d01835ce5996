package integration

import (
	"fmt"
	"slices"
)

// Points that the documentation leaves open, and that only a server can settle, are tests named TestLive…: the comment of each says
// what either answer would mean. They run on the sandbox like everything else, where they show which answer it gives; docs/live.md
// lists them. An answer that dbsched cannot work with fails the test wherever it runs.

// answer records what the server does at such a point. The sandbox must give the known answer.
func (h *harness) answer(point, got, ofSandbox string) {
	h.Helper()
	h.Logf("LIVE %s, %s: %s", h.dialect.Name(), point, got)
	if h.server.box != nil && got != ofSandbox {
		h.Errorf("the sandbox should have answered %q", ofSandbox)
	}
}

// oneOf asserts that dbsched can work with an answer.
func (h *harness) oneOf(got string, answers ...string) {
	h.Helper()
	if !slices.Contains(answers, got) {
		h.Fatalf("dbsched cannot live with %s: only with %s", got, fmt.Sprint(answers))
	}
}
