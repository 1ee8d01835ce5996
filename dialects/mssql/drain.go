package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/templates"
)

// state is what an installation finds.
type state struct {
	started bool
	// replaced: the code that workers run, or its tables, will change.
	replaced bool
}

func (s *scheduler) stateQuery() string {
	return "SELECT s.Started, s.Version FROM " + s.object("Settings") + " AS s WHERE s.SettingsId = 1;"
}

// state compares the installed version, a digest of all SQL, with the program's. If they
// are equal, only lanes are added or repaired, which disturbs no worker.
func (s *scheduler) state(ctx context.Context, conn *sql.Conn, p plan) (state, error) {
	var st state
	if p.version == 0 {
		return st, nil
	}
	if installed, err := s.canStop(ctx, conn); err != nil || !installed {
		return st, err
	}
	own, err := contentVersion()
	if err != nil {
		return st, err
	}
	var version string
	err = conn.QueryRowContext(ctx, s.stateQuery()).Scan(&st.started, &version)
	if errors.Is(err, sql.ErrNoRows) {
		st.replaced = len(p.pending) > 0 || slices.ContainsFunc(p.after, func(b templates.Batch) bool { return b.Kind == templates.KindModule && !p.unchanged(b) })
		return st, nil
	}
	st.replaced = version != own || len(p.pending) > 0
	return st, s.Failed(ctx, "Settings", err)
}

// quietly runs change while no worker runs, if it replaces the workers' code: a claim by the
// old code and a completion by the new code is an untested combination. A started scheduler
// is started again, unless the change failed halfway. So is one of which something was repaired: its timer may have gone with a service.
func (s *scheduler) quietly(ctx context.Context, conn *sql.Conn, p plan, opts dialects.InstallOptions, report *dialects.InstallReport) error {
	change := func() error { return s.apply(ctx, conn, p, report) }
	st, err := s.state(ctx, conn, p)
	if err != nil {
		return err
	}
	if !st.replaced {
		if err := change(); err != nil || !st.started || len(report.Applied) == 0 {
			return err
		}
		if err := s.Send(ctx, conn, client.New("StartScheduler")); !hasNumber(err, 51019) { // in a copy nothing runs
			return err
		}
		return nil
	}
	// Even if ctx has ended, and conn with it: Ctrl-C must not leave the scheduler stopped.
	start := func(err error) error {
		if !st.started {
			return err
		}
		again, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		other := s.pool()
		defer other.Close()
		if failed := s.Send(again, other, client.New("StartScheduler")); failed != nil {
			return errors.Join(err, failed)
		}
		return err
	}
	if st.started || opts.Now {
		if err := s.halt(ctx, conn, opts.StopMode()); err != nil {
			return err
		}
	}
	busy, err := s.waitForLanes(ctx, conn, opts.DrainTimeout)
	if err != nil {
		return start(err)
	}
	if len(busy) > 0 {
		e := &dialects.PreflightError{Target: s.Target()}
		for _, b := range busy {
			e.Findings = append(e.Findings, dialects.Finding{Text: fmt.Sprintf("still running after %v, but the installation replaces its code: %s", opts.DrainTimeout, b)})
		}
		e.Findings = append(e.Findings, dialects.Finding{
			Text:   "the scheduler continues as before. Install when these tasks have ended, or wait longer for them",
			Remedy: "dbsched install --drain-timeout 1h",
		})
		if !st.started {
			e.Findings[len(busy)].Text = "install when these tasks have ended, or wait longer for them"
		}
		return start(e)
	}
	err = change()
	if e, ok := errors.AsType[*dialects.PartialError](err); ok {
		if st.started {
			e.Next += " The scheduler is stopped until then; afterwards: dbsched start"
		}
		return err
	}
	return start(err)
}

// busyLanes lists the lanes whose lock is held, so their worker is alive.
const busyLanes = `SELECT l.LaneId, ISNULL(l.SessionId, 0), ISNULL(t.TaskId, 0)
FROM %s AS l
LEFT JOIN %s AS t ON t.LaneId = l.LaneId AND t.WorkerId = l.WorkerId AND t.WorkerId IS NOT NULL
WHERE APPLOCK_TEST(@locks, N'lane:' + CONVERT(nvarchar(10), l.LaneId), N'Exclusive', N'Session') = 0
ORDER BY l.LaneId;`

// busyLanes describes the live workers.
func (s *scheduler) busyLanes(ctx context.Context, conn *sql.Conn) ([]string, error) {
	rows, err := conn.QueryContext(ctx, s.asOwner(fmt.Sprintf(busyLanes, s.object("Lanes"), s.object("Tasks"))), sql.Named("locks", s.schema+"_locks"), sql.Named("owner", s.owner()))
	if err != nil {
		return nil, s.Failed(ctx, "waiting for workers", err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var lane, session, task int64
		if err := rows.Scan(&lane, &session, &task); err != nil {
			return nil, s.Failed(ctx, "waiting for workers", err)
		}
		text := fmt.Sprintf("lane %d, session %d", lane, session)
		if task != 0 {
			text = fmt.Sprintf("task %d, %s", task, text)
		}
		all = append(all, text)
	}
	return all, s.Failed(ctx, "waiting for workers", rows.Err())
}

// waitSlice is how long the server waits between two checks of the lanes.
const waitSlice = 200 * time.Millisecond

// waitForLanes waits until no worker is alive, and returns the live ones when the time is
// up. The server does the waiting: its clock counts, and the client does not poll busily.
func (s *scheduler) waitForLanes(ctx context.Context, conn *sql.Conn, limit time.Duration) ([]string, error) {
	for waited := time.Duration(0); ; waited += waitSlice {
		busy, err := s.busyLanes(ctx, conn)
		if err != nil || len(busy) == 0 || waited >= limit {
			return busy, err
		}
		s.notify(fmt.Sprintf("waiting for %d workers", len(busy)))
		if _, err := conn.ExecContext(ctx, Dialect{}.Sleep(waitSlice)+";"); err != nil {
			return nil, s.Failed(ctx, "waiting for workers", err)
		}
	}
}
