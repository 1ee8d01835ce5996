package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
)

// state is what an installation finds.
type state struct {
	lanes     bool // the tables that say which sessions are alive exist
	stoppable bool // and so does the dispatcher's job
	started   bool
	// replaced: the code that workers run, or its tables, will change.
	replaced bool
}

// stoppableQuery counts the tables that say which lanes are alive, and the job that stopping disables.
func stoppableQuery() string {
	return `select count(case when o.object_type = 'TABLE' then 1 end), count(case when o.object_type <> 'TABLE' then 1 end)
from user_objects o
where (o.object_name = '` + strings.ToUpper(object("dispatcher")) + `' and o.object_type = 'JOB')
   or (o.object_name in ('` + strings.ToUpper(object("settings")) + `', '` + strings.ToUpper(object("lanes")) + `') and o.object_type = 'TABLE')`
}

func stateQuery() string {
	return "select s.started, s.version from " + object("settings") + " s where s.settings_id = 1"
}

// state compares the installed version, a digest of all SQL, with the program's. If they
// are equal, only lanes are added, which disturbs no worker.
func (s *scheduler) state(ctx context.Context, conn *sql.Conn, p plan) (state, error) {
	var st state
	var tables, others int
	if err := conn.QueryRowContext(ctx, stoppableQuery()).Scan(&tables, &others); err != nil {
		return st, s.Failed(ctx, "looking for the scheduler", err)
	}
	if st.lanes = tables == 2; !st.lanes {
		return st, nil
	}
	st.stoppable = others == 1
	own, err := contentVersion()
	if err != nil {
		return st, err
	}
	var started string
	var version sql.NullString
	err = conn.QueryRowContext(ctx, stateQuery()).Scan(&started, &version)
	if errors.Is(err, sql.ErrNoRows) { // the numbers of the locks change: nobody may hold one of the old
		st.replaced = true
		return st, nil
	}
	st.started = started == "Y"
	st.replaced = version.String != own || len(p.pending) > 0 || p.units != nil && p.replacesUnits()
	return st, s.Failed(ctx, object("settings"), err)
}

// quietly runs change while no worker runs, if it replaces the workers' code: a claim by the
// old code and a completion by the new code is an untested combination, and a package in use
// cannot be replaced at all. A started scheduler is started again, unless the change failed halfway. So is one of which something was
// repaired: its dispatcher may have been missing.
func (s *scheduler) quietly(ctx context.Context, conn *sql.Conn, p plan, opts dialects.InstallOptions, report *dialects.InstallReport, change func() error) error {
	st, err := s.state(ctx, conn, p)
	if err != nil {
		return err
	}
	if !st.replaced {
		if err := change(); err != nil || !st.started || len(report.Applied) == 0 {
			return err
		}
		err := s.Send(ctx, conn, client.New("StartScheduler"))
		if r, refused := asRefusal(err); refused && r.Number == 20000+dialects.NumberCopy { // in a copy nothing runs
			return nil
		}
		return err
	}
	switch {
	case p.left.lost && st.lanes:
		if st.stoppable {
			if _, err := conn.ExecContext(ctx, stopBlock()); err != nil {
				return s.Failed(ctx, "stopping the dispatcher", err)
			}
		}
		if _, err := conn.ExecContext(ctx, settingsBlock(), sql.Named("in_lanes", int64(p.left.lanes)), sql.Named("in_runner", sql.NullString{String: p.left.runner, Valid: p.left.runner != ""})); err != nil {
			return s.Failed(ctx, object("settings"), err)
		}
	case (st.started || opts.Now) && st.stoppable:
		if err := s.stop(ctx, conn, opts.StopMode()); err != nil {
			return err
		}
	}
	return s.Replace(ctx, st.started, s.pool, func() error {
		busy, err := s.waitForLanes(ctx, conn, opts.DrainTimeout)
		switch {
		case err != nil:
			return err
		case len(busy) > 0:
			return s.TooBusy(busy, opts.DrainTimeout, st.started)
		case st.stoppable && p.replacesUnits():
			return s.packageUnused(ctx, conn, opts.DrainTimeout, st.started)
		}
		return nil
	}, change)
}

// stop stops the scheduler. If its packages are missing or do not compile (ORA-04063, 04067, 06508, 06550), it changes the
// table and the jobs itself: workers leave after the task they are running, and the dispatcher, which cannot be woken, is stopped.
func (s *scheduler) stop(ctx context.Context, conn *sql.Conn, mode dialects.StopMode) error {
	s.Notify("stopping the scheduler")
	err := s.Send(ctx, conn, client.Stop(mode))
	if r, ok := asRefusal(err); ok && slices.Contains([]int{4063, 4067, 6508, 6550}, r.Number) {
		_, err = conn.ExecContext(ctx, stopBlock())
		return s.Failed(ctx, "stopping the scheduler without its packages", err)
	}
	return err
}

// stopBlock ignores that the job is not running (ORA-27366).
func stopBlock() string {
	job := "'" + strings.ToUpper(object("dispatcher")) + "'"
	return `begin
    update ` + object("settings") + ` s set s.started = 'N' where s.settings_id = 1;
    commit;
    dbms_scheduler.disable(` + job + `, force => true);
    begin
        dbms_scheduler.stop_job(` + job + `);
    exception
        when others then
            if sqlcode <> -27366 then
                raise;
            end if;
    end;
end;`
}

// busyLanes lists the lanes, and as lane 0 the dispatcher, whose lock a session holds: held means
// alive. It requests a mode that conflicts only with a worker's lock, and does not use the
// packages, which may be broken. If the settings are lost, and with them the numbers of the locks, a session that exists is alive. A line is lane,
// session and task.
func busyLanes() string {
	return `declare
    l_base number;
    l_result integer;
    l_lanes varchar2(32767);

    procedure probe (in_lane in number, in_session in number, in_task in number) is
    begin
        l_result := dbms_lock.request(id => l_base + in_lane, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);
        if l_result = 0 then
            l_result := dbms_lock.release(id => l_base + in_lane);
        elsif l_result = 1 then
            l_lanes := l_lanes || in_lane || ' ' || in_session || ' ' || in_task || chr(10);
        end if;
    end probe;
begin
    select max(s.lock_base) into l_base from ` + object("settings") + ` s where s.settings_id = 1;
    if l_base is not null then
        probe(0, 0, 0);
        for r in (select l.lane_id, nvl(l.session_id, 0) as session_id,
                         nvl((select /*+ index(t (lane_id)) */ max(t.task_id) from ` + object("tasks") + ` t where t.lane_id = l.lane_id and t.worker_id = l.worker_id), 0) as task_id
                  from ` + object("lanes") + ` l
                  order by l.lane_id)
        loop
            probe(r.lane_id, r.session_id, r.task_id);
        end loop;
    else
        for r in (select l.lane_id, l.session_id, l.session_key from ` + object("lanes") + ` l where l.session_key is not null order by l.lane_id) loop
            if dbms_session.is_session_alive(r.session_key) then
                l_lanes := l_lanes || r.lane_id || ' ' || nvl(r.session_id, 0) || ' 0' || chr(10);
            end if;
        end loop;
    end if;
    :out_lanes := l_lanes;
end;`
}

// busyLanes describes the live sessions of dbsched.
func (s *scheduler) busyLanes(ctx context.Context, conn *sql.Conn) ([]string, error) {
	var lines sql.NullString
	_, err := conn.ExecContext(ctx, busyLanes(), sql.Named("out_lanes", go_ora.Out{Dest: &lines, Size: 8000}))
	if err != nil {
		return nil, s.Failed(ctx, "waiting for workers", err)
	}
	var all []string
	for line := range strings.Lines(lines.String) {
		var lane, session, task int64
		if _, err := fmt.Sscan(line, &lane, &session, &task); err != nil {
			return nil, fmt.Errorf("waiting for workers: %q: %w", line, err)
		}
		text := fmt.Sprintf("lane %d, session %d", lane, session)
		switch {
		case lane == 0:
			text = "the dispatcher"
		case task != 0:
			text = fmt.Sprintf("task %d, %s", task, text)
		}
		all = append(all, text)
	}
	return all, nil
}

// waitForLanes waits until no worker is alive, and returns the live ones when the time is up.
func (s *scheduler) waitForLanes(ctx context.Context, conn *sql.Conn, limit time.Duration) ([]string, error) {
	return s.WaitForLanes(ctx, conn, limit, Dialect{}.Sleep(client.LookSlice), s.busyLanes)
}
