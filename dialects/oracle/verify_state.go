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
)

// held lists where the locks of dispatcher and lanes differ from the tables.
type held struct {
	dispatcher     bool // it runs
	dispatcherLock bool // another session has its lock
	dead, squatted []string
}

// lookBlock lists, one per line: "R" for a live dispatcher; "S n" for the lock of lane n (0: the dispatcher's) if it is held
// by no session of dbsched; "D n session task" for a lane whose session is dead. Like [busyLanes] it does not use
// the packages. A session that enters or leaves looks like one of the latter two for a moment.
func lookBlock() string {
	return `declare
    l_base number;
    l_result integer;
    l_lines varchar2(32767);
begin
    select max(s.lock_base) into l_base from ` + object("settings") + ` s where s.settings_id = 1;
    for r in (select 0 as lane_id, nvl2(s.dispatcher_session, 'Busy', 'Off') as state, s.dispatcher_session as session_key, 0 as session_id, 0 as task_id
              from ` + object("settings") + ` s
              where s.settings_id = 1
              union all
              select l.lane_id, l.state, l.session_key, nvl(l.session_id, 0),
                     nvl((select /*+ index(t (lane_id)) */ max(t.task_id) from ` + object("tasks") + ` t where t.lane_id = l.lane_id and t.worker_id = l.worker_id), 0)
              from ` + object("lanes") + ` l
              order by 1)
    loop
        l_result := dbms_lock.request(id => l_base + r.lane_id, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);
        if l_result = 0 then
            l_result := dbms_lock.release(id => l_base + r.lane_id);
        elsif l_result = 1 then
            l_result := -1;
        end if;
        if r.session_key is null then
            if l_result = -1 and r.state = 'Off' then
                l_lines := l_lines || 'S ' || r.lane_id || chr(10);
            end if;
        elsif l_result <> -1 and not dbms_session.is_session_alive(r.session_key) then
            if r.lane_id > 0 then
                l_lines := l_lines || 'D ' || r.lane_id || ' ' || r.session_id || ' ' || r.task_id || chr(10);
            end if;
        elsif r.lane_id = 0 then
            l_lines := l_lines || 'R' || chr(10);
        end if;
    end loop;
    :out_lines := l_lines;
end;`
}

// settling is how long a session can take to enter or leave its lane.
const settling = 2 * time.Second

// look reads once which sessions hold the locks, and reads differences a second time.
func (v *verification) look(ctx context.Context) (*held, error) {
	if v.held != nil {
		return v.held, nil
	}
	lines, err := v.lookOnce(ctx)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(lines, func(l string) bool { return l != "R" }) {
		if _, err := v.DB.ExecContext(ctx, Dialect{}.Sleep(settling)); err != nil {
			return nil, err
		}
		again, err := v.lookOnce(ctx)
		if err != nil {
			return nil, err
		}
		lines = slices.DeleteFunc(again, func(l string) bool { return l != "R" && !slices.Contains(lines, l) })
	}
	v.held = &held{}
	for _, line := range lines {
		var lane, session, task int64
		switch line[0] {
		case 'R':
			v.held.dispatcher = true
		case 'S':
			if _, err := fmt.Sscanf(line, "S %d", &lane); err != nil {
				return nil, fmt.Errorf("looking at locks: %q: %w", line, err)
			}
			if lane == 0 {
				v.held.dispatcherLock = true
			} else {
				v.held.squatted = append(v.held.squatted, fmt.Sprint(lane))
			}
		case 'D':
			if _, err := fmt.Sscanf(line, "D %d %d %d", &lane, &session, &task); err != nil {
				return nil, fmt.Errorf("looking at locks: %q: %w", line, err)
			}
			text := fmt.Sprintf("lane %d (session %d", lane, session)
			if task != 0 {
				text += fmt.Sprintf(", task %d", task)
			}
			v.held.dead = append(v.held.dead, text+")")
		}
	}
	return v.held, nil
}

func (v *verification) lookOnce(ctx context.Context) ([]string, error) {
	var text sql.NullString
	_, err := v.DB.ExecContext(ctx, lookBlock(), sql.Named("out_lines", go_ora.Out{Dest: &text, Size: 8000}))
	return strings.FieldsFunc(text.String, func(r rune) bool { return r == '\n' }), err
}

// lockHolders is the DBA's query for sessions that hold locks of this installation: for DBMS_LOCK the type is UL and ID1 the number.
func lockHolders() string {
	return "select k.sid, k.id1, s.username, s.program, s.module from v$lock k inner join v$session s on s.sid = k.sid, " + object("settings") +
		" t where k.type = 'UL' and k.id1 between t.lock_base and t.lock_base + 1064"
}

func (v *verification) checkScheduler(context.Context) error {
	if err := v.statusErr; err != nil {
		if errors.As(err, new(*dialects.ConnectError)) {
			return err
		}
		level := dialects.Fail
		if v.Broken("packages", "views", "tables") {
			level = dialects.Info
		}
		v.Add(dialects.Check{Level: level, Text: "DS_SCHEDULER_INFO cannot be read: " + dialects.FirstLine(err.Error()), Means: "dbsched status fails too.", Remedy: "dbsched install"})
		return nil
	}
	st := v.status
	text := fmt.Sprintf("%d of %d workers, policy %s", st.Workers, st.MaxWorkers, st.Policy)
	switch {
	case st.CopyOf != "":
		v.Add(dialects.Check{Level: dialects.Fail, Text: "this is a copy of " + st.CopyOf + ", where the scheduler was started", Remedy: "dbsched start --here",
			Means: "Tasks do not run here, because they would run twice. If the database has moved, dbsched start --moved keeps its schedules as they are."})
	case !st.Started:
		v.Add(dialects.Check{Level: dialects.Info, Text: "stopped; " + text, Means: "Tasks can be enqueued but do not start.", Remedy: "dbsched start"})
	case st.MaxWorkers == 0:
		v.Add(dialects.Check{Level: dialects.Warn, Text: "started; " + text, Means: "No task starts while MaxWorkers is 0.", Remedy: fmt.Sprintf("dbsched workers %d", min(4, st.MaxLanes))})
	default:
		v.OK("started; " + text)
	}
	return nil
}

// patience is how many seconds a sweep can be late: a busy dispatcher runs it later.
const patience = 120

func (v *verification) checkSweep(context.Context) error {
	switch late := v.set.late; {
	case !v.set.started || v.status.CopyOf != "":
		v.OK("no sweep is due while the scheduler does not run")
	case late.Int64 > patience && v.runs:
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("the sweep is %d seconds late although the dispatcher runs", late.Int64),
			Means:  "Retries and timeouts are late, and orphans are not found. The dispatcher waits for a lock or is overloaded.",
			Remedy: "select s.sid, s.event, s.blocking_session from v$session s inner join user_scheduler_running_jobs r on r.session_id = s.sid where r.job_name = '" + strings.ToUpper(object("dispatcher")) + "'"})
	case late.Int64 > patience:
		v.Info(fmt.Sprintf("%d seconds late: the dispatcher does not run", late.Int64))
	default:
		v.OK("on time")
	}
	return nil
}

func (v *verification) checkLanes(ctx context.Context) error {
	held, err := v.look(ctx)
	if err != nil {
		return err
	}
	if held.dead != nil {
		v.Add(dialects.Check{Level: dialects.Warn, Text: "sessions died in " + strings.Join(held.dead, ", "),
			Means:  "The next sweep retries or fails their tasks, as in_on_orphan says. There is no sweep while the scheduler is stopped.",
			Remedy: "begin dbsched.sweep; end;"})
	}
	if held.squatted != nil {
		v.Add(dialects.Check{Level: dialects.Warn, Text: "other sessions hold the locks (DBMS_LOCK) of unused lanes: " + strings.Join(held.squatted, ", "),
			Means: "No worker can use these lanes, and tasks assigned to them start late.", Remedy: lockHolders()})
	}
	if held.dead == nil && held.squatted == nil {
		v.OK("no dead sessions, no locks held by other sessions")
	}
	return nil
}

func (v *verification) checkEnding(ctx context.Context) error {
	privileges, err := v.names(ctx, privilegesQuery)
	if err != nil {
		return err
	}
	if slices.Contains(privileges, "MANAGE SCHEDULER") {
		v.Info("MANAGE SCHEDULER is granted: dbsched can also end tasks that handle every error")
		return nil
	}
	v.Add(dialects.Check{Level: dialects.Info, Text: "MANAGE SCHEDULER is not granted", Means: "A task that handles every error continues after cancellation or timeout.",
		Remedy: "grant manage scheduler to " + v.Schema() + ";"})
	return nil
}
