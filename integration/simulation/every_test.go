package simulation

import (
	"testing"
	"time"
)

// TestCalls makes each call of testdata/calls in a history of its own.
func TestCalls(t *testing.T) {
	each(t, func(t *testing.T, w words) {
		t.Helper()
		im := image(t, w)
		for i, c := range w.calls {
			a := calm(w, nil)
			a.workload.steps = []step{{at: time.Second, order: aCall, n: i}}
			if _, broken := a.play(im); len(broken) > 0 {
				t.Errorf("%s: %v", c.text, broken)
			}
		}
	})
}
