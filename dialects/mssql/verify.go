package mssql

import (
	"context"

	"github.com/dbsched/dbsched/dialects"
)

// verification makes the checks of one verification, in order.
type verification struct {
	*scheduler
	opts   dialects.VerifyOptions
	checks []dialects.Check
}

// add notes and reports what a check found.
func (v *verification) add(c dialects.Check) {
	v.checks = append(v.checks, c)
	if v.opts.Report != nil {
		v.opts.Report(c)
	}
}

// Verify looks whether the installation is sound and works.
func (s *scheduler) Verify(ctx context.Context, opts dialects.VerifyOptions) ([]dialects.Check, error) {
	v := &verification{scheduler: s, opts: opts}
	v.add(dialects.Check{Name: "server", Level: dialects.OK, Text: s.Target() + " answers"})
	return v.checks, nil
}

// Mend runs the remedy of a check that is safe.
func (s *scheduler) Mend(ctx context.Context, c dialects.Check) error {
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: c.Name, SQL: c.Remedy})
		return nil
	}
	_, err := s.db.ExecContext(ctx, c.Remedy)
	return s.failed(c.Name, err)
}
