package integration

import (
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/stretchr/testify/require"
)

// wreck is one part of an installation, damaged.
type wreck struct {
	name  string   // what is damaged, and how
	how   []string // statements that do it
	names string   // part of what verify says
	lost  bool     // nothing but a restore brings it back, and an installation says so
	dba   bool     // an administrator does it, and follows the remedy
	rows  bool     // rows are lost that come back without what was in them
}

// needing returns the parts that cannot be without one, those that need others of them first.
func needing(all []schema.Part, key string) (found []schema.Part) {
	for _, p := range slices.Backward(all) {
		if slices.Contains(p.Needs, key) {
			for _, other := range needing(all, p.Key()) {
				if !slices.ContainsFunc(found, func(f schema.Part) bool { return f.Key() == other.Key() }) {
					found = append(found, other)
				}
			}
			if !slices.ContainsFunc(found, func(f schema.Part) bool { return f.Key() == p.Key() }) {
				found = append(found, p)
			}
		}
	}
	return found
}

// bad returns the checks of a verification with WARN or FAIL.
func (h *harness) bad(probe time.Duration) []dialects.Check {
	h.Helper()
	all, err := h.sched.Verify(h.Context(), dialects.VerifyOptions{ProbeTimeout: probe})
	require.NoError(h, err)
	return slices.DeleteFunc(all, func(c dialects.Check) bool { return c.Level != dialects.Warn && c.Level != dialects.Fail })
}
