package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// Uninstall removes what Install created. Its batches use the dictionary, so they also remove a
// broken installation, or one of another version.
func (s *scheduler) Uninstall(ctx context.Context, opts dialects.UninstallOptions) (dialects.UninstallReport, error) {
	report := dialects.UninstallReport{Schema: s.Schema(), Removed: []string{}}
	err := s.mustOwn("uninstall")
	if err != nil {
		return report, err
	}
	if report.Database, err = s.database(ctx); err != nil {
		return report, err
	}
	batches, err := templates.OracleUninstall(templates.Params{Schema: s.Schema(), Files: s.Templates})
	if err != nil {
		return report, err
	}
	if s.DryRun != nil {
		for _, b := range batches {
			s.DryRun(dialects.Batch{Name: b.Name, SQL: b.SQL})
		}
		return report, nil
	}
	// Without the lock: a user without dbsched may not have the right to DBMS_LOCK either.
	if there, err := s.objects(ctx, s.DB, everythingTypes); err != nil || len(there) == 0 {
		return report, err
	}
	return report, s.withInstallLock(ctx, opts.LockTimeout, func(conn *sql.Conn) error {
		list := func(ctx context.Context) ([]string, error) { return s.objects(ctx, conn, everythingTypes) }
		return client.Removed(ctx, &report, list, func() error { return s.remove(ctx, conn, batches, opts.DrainTimeout) })
	})
}

// remove runs the batches once all workers have left.
func (s *scheduler) remove(ctx context.Context, conn *sql.Conn, batches []templates.Batch, drain time.Duration) error {
	if err := s.stopForGood(ctx, conn, drain); err != nil {
		return err
	}
	for i, b := range batches {
		s.Notify(b.Name)
		if _, err := conn.ExecContext(ctx, b.SQL); err != nil {
			return &dialects.PartialError{Failed: b.Name, Left: len(batches) - i - 1, Err: s.Failed(ctx, b.Name, err),
				Next: "Fix the cause and uninstall again: it continues from there."}
		}
	}
	return nil
}

// stopForGood stops dispatching and waits until every worker has left.
func (s *scheduler) stopForGood(ctx context.Context, conn *sql.Conn, drain time.Duration) error {
	st, err := s.state(ctx, conn, plan{})
	if err != nil || !st.lanes {
		return err
	}
	if st.stoppable {
		if err := s.stop(ctx, conn, dialects.StopDrain); err != nil {
			return err
		}
	}
	busy, err := s.waitForLanes(ctx, conn, drain)
	if err != nil || len(busy) == 0 {
		return err
	}
	return &dialects.PartialError{
		Applied: []string{"stop_scheduler"}, Failed: "waiting for workers",
		Err:  fmt.Errorf("sessions still running after %v: %d (%s). The scheduler is stopped, and nothing was removed", drain, len(busy), strings.Join(busy, "; ")),
		Next: "Uninstall again and wait longer (--drain-timeout), or first end the sessions of the tasks (dbsched workers lists them).",
	}
}
