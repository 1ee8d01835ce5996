package integration

import "testing"

// needs runs a scenario on the dialects whose dbsched has a feature, and names those that lack it. A feature is there when the
// dialect has words for it.
func needs(t *testing.T, feature string, has func(statements) bool, s setup, scenario func(h *harness)) {
	t.Helper()
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			if !has(e.say(e.schema)) {
				t.Skipf("dbsched on %s has no %s yet", e.dialect.Name(), feature)
			}
			t.Parallel()
			scenario(newHarness(t, e, s))
		})
	}
}
