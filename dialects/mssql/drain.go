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
		if err := s.Send(ctx, conn, client.New("StartScheduler")); !hasNumber(err, 51000+dialects.NumberCopy) { // in a copy nothing runs
			return err
		}
		return nil
	}
	if st.started || opts.Now {
		if err := s.halt(ctx, conn, opts.StopMode()); err != nil {
			return err
		}
	}
	return s.Replace(ctx, st.started, s.pool, func() error {
		busy, err := s.waitForLanes(ctx, conn, opts.DrainTimeout)
		if err == nil && len(busy) > 0 {
			err = s.TooBusy(busy, opts.DrainTimeout, st.started)
		}
		return err
	}, change)
}

// busyLanes lists the lanes whose lock is held, so their worker is alive.
const busyLanes = `SELECT l.LaneId, ISNULL(l.SessionId, 0), ISNULL(t.TaskId, 0)
FROM %s AS l
LEFT JOIN %s AS t ON t.LaneId = l.LaneId AND t.WorkerId = l.WorkerId AND t.WorkerId IS NOT NULL
WHERE APPLOCK_TEST(@locks, N'lane:' + CONVERT(nvarchar(10), l.LaneId), N'Exclusive', N'Session') = 0
ORDER BY l.LaneId;`

// busyLanes describes the live workers.
func (s *scheduler) busyLanes(ctx context.Context, conn *sql.Conn) ([]string, error) {
	query := s.asOwner(fmt.Sprintf(busyLanes, s.object("Lanes"), s.object("Tasks")))
	return client.Read(ctx, s.Client, conn, "waiting for workers", query, []any{sql.Named("locks", s.schema+"_locks"), sql.Named("owner", s.owner())}, func(rows *sql.Rows) (string, error) {
		var lane, session, task int64
		err := rows.Scan(&lane, &session, &task)
		text := fmt.Sprintf("lane %d, session %d", lane, session)
		if task != 0 {
			text = fmt.Sprintf("task %d, %s", task, text)
		}
		return text, err
	})
}

// waitForLanes waits until no worker is alive, and returns the live ones when the time is up.
func (s *scheduler) waitForLanes(ctx context.Context, conn *sql.Conn, limit time.Duration) ([]string, error) {
	return s.WaitForLanes(ctx, conn, limit, Dialect{}.Sleep(client.LookSlice)+";", s.busyLanes)
}
