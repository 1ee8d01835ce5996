package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// Uninstall removes what Install created. Its batches use the catalog, so they also remove
// a broken installation, or one of another version.
func (s *scheduler) Uninstall(ctx context.Context, opts dialects.UninstallOptions) (dialects.UninstallReport, error) {
	report := dialects.UninstallReport{Schema: s.schema, Removed: []string{}}
	f, err := s.facts(ctx)
	if err != nil {
		return report, err
	}
	report.Database = f.Database
	if !f.Owner {
		return report, &dialects.PreflightError{Target: s.Target(), Findings: f.findings()}
	}
	batches, err := templates.MSSQLUninstall(templates.Params{Schema: s.schema, Files: s.Templates})
	if err != nil {
		return report, err
	}
	if s.DryRun != nil {
		for _, b := range batches {
			s.DryRun(dialects.Batch{Name: b.Name, SQL: b.SQL})
		}
		return report, nil
	}
	return report, s.withInstallLock(ctx, opts.LockTimeout, func(conn *sql.Conn) error {
		list := func(ctx context.Context) ([]string, error) { return s.everything(ctx, conn) }
		return client.Removed(ctx, &report, list, func() error { return s.remove(ctx, conn, batches, opts.DrainTimeout) })
	})
}

// remove runs the batches. The first one refuses foreign objects; before the second one, it
// waits until all workers have left.
func (s *scheduler) remove(ctx context.Context, conn *sql.Conn, batches []templates.Batch, drain time.Duration) error {
	if _, err := conn.ExecContext(ctx, sessionOptions); err != nil {
		return s.Failed(ctx, "SET", err)
	}
	for i, b := range batches {
		if i == 1 {
			if err := s.stopForGood(ctx, conn, drain); err != nil {
				return err
			}
		}
		s.Notify(b.Name)
		if _, err := conn.ExecContext(ctx, b.SQL); err != nil {
			err = s.Failed(ctx, b.Name, err)
			if i == 0 {
				return err
			}
			return &dialects.PartialError{Failed: b.Name, Left: len(batches) - i - 1, Err: err,
				Next: "Fix the cause and uninstall again: it continues from there."}
		}
	}
	return nil
}

// everything lists all parts of an installation, including modules.
func (s *scheduler) everything(ctx context.Context, conn *sql.Conn) ([]string, error) {
	all, err := s.catalog(ctx, conn)
	if err != nil {
		return nil, err
	}
	modules, err := s.installedModules(ctx, conn)
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		all = append(all, "module "+name)
	}
	return all, err
}

// canStop checks whether enough of a scheduler exists to be stopped.
const canStop = `SELECT CAST(CASE WHEN OBJECT_ID(@stop, N'P') IS NULL OR OBJECT_ID(@lanes, N'U') IS NULL
    OR DATABASE_PRINCIPAL_ID(@locks) IS NULL THEN 0 ELSE 1 END AS bit);`

// canStop reports whether enough of a scheduler exists to be stopped.
func (s *scheduler) canStop(ctx context.Context, conn *sql.Conn) (bool, error) {
	var installed bool
	err := conn.QueryRowContext(ctx, canStop,
		sql.Named("stop", s.object("StopScheduler")), sql.Named("lanes", s.object("Lanes")), sql.Named("locks", s.schema+"_locks")).Scan(&installed)
	return installed, s.Failed(ctx, "looking for the scheduler", err)
}

// reachable checks whether the dispatcher can be sent a message.
const reachable = `SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM sys.services AS v WHERE v.service_queue_id = OBJECT_ID(@queue)) THEN 1 ELSE 0 END AS bit);`

// halt stops dispatching, also where the dispatcher's service is gone: it was lost, or an uninstallation was interrupted after that.
func (s *scheduler) halt(ctx context.Context, conn *sql.Conn, mode dialects.StopMode) error {
	s.Notify("stopping the scheduler")
	var ok bool
	if err := conn.QueryRowContext(ctx, reachable, sql.Named("queue", s.object("Dispatch"))).Scan(&ok); err != nil {
		return s.Failed(ctx, "looking for the dispatcher", err)
	}
	if ok {
		return s.Send(ctx, conn, client.Stop(mode))
	}
	_, err := conn.ExecContext(ctx, s.asOwner("UPDATE "+s.object("Settings")+" SET Started = 0;"), sql.Named("owner", s.owner()))
	return s.Failed(ctx, "stopping the scheduler", err)
}

// stopForGood stops dispatching and waits until every worker has left.
func (s *scheduler) stopForGood(ctx context.Context, conn *sql.Conn, drain time.Duration) error {
	installed, err := s.canStop(ctx, conn)
	if err != nil || !installed {
		return err
	}
	if err := s.halt(ctx, conn, dialects.StopDrain); err != nil {
		return err
	}
	busy, err := s.waitForLanes(ctx, conn, drain)
	if err != nil || len(busy) == 0 {
		return err
	}
	return &dialects.PartialError{
		Applied: []string{"StopScheduler"}, Failed: "waiting for workers",
		Err:  fmt.Errorf("workers still running after %v: %d (%s). The scheduler is stopped, and nothing was removed", drain, len(busy), strings.Join(busy, "; ")),
		Next: "Uninstall again and wait longer (--drain-timeout), or first end the sessions of the tasks (dbsched workers lists them).",
	}
}
