package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

const dispatcherJob = `select j.enabled || ' ' || j.state from user_scheduler_jobs j where j.job_name = 'DS_DISPATCHER'`

// restart is what brings the dispatcher back; it does nothing where all is well.
const restart = "begin dbsched.start_scheduler; end;"

// jobs must be there, and the dispatcher's enabled while the scheduler is started.
func (v *verification) jobs(ctx context.Context, conn *sql.Conn) error {
	var started sql.NullString
	if err := conn.QueryRowContext(ctx, "select max(s.started) from "+object("settings")+" s").Scan(&started); err != nil {
		return v.failed(ctx, "settings", err)
	}
	dispatcher, err := v.lines(ctx, conn, dispatcherJob)
	if err != nil {
		return err
	}
	switch {
	case len(dispatcher) == 0:
		v.add(dialects.Check{Name: "dispatcher", Level: dialects.Fail, Text: "its job DS_DISPATCHER is not there", Means: "No task starts.", Remedy: "dbsched install, then dbsched start"})
	case started.String == "Y" && !strings.HasPrefix(dispatcher[0], "TRUE"):
		v.add(dialects.Check{Name: "dispatcher", Level: dialects.Fail, Text: "its job DS_DISPATCHER is disabled", Means: "No task starts.", Remedy: restart, Safe: true})
	default:
		v.ok("dispatcher", "its job is "+dispatcher[0])
	}

	var runner sql.NullString
	if err := conn.QueryRowContext(ctx, "select max(s.runner) from "+object("settings")+" s").Scan(&runner); err != nil {
		return v.failed(ctx, "settings", err)
	}
	query := `select j.job_name from user_scheduler_jobs j where regexp_like(j.job_name, '^DS_LANE_[0-9]{2}$')`
	if runner.String != "" {
		query = `select j.job_name from all_scheduler_jobs j where j.owner = '` + runner.String + `' and regexp_like(j.job_name, '^DS_LANE_[0-9]{2}$')`
	}
	lanes, err := v.lines(ctx, conn, query)
	if err != nil {
		return err
	}
	missing := 0
	for lane := 1; lane <= v.plan.lanes; lane++ {
		if name := fmt.Sprintf("DS_LANE_%02d", lane); !slices.Contains(lanes, name) {
			missing++
			v.add(dialects.Check{Name: "lane " + strconv.Itoa(lane), Level: dialects.Fail, Text: "its job " + name + " is not there", Means: "One task fewer runs at once.", Remedy: "dbsched install"})
		}
	}
	if missing == 0 {
		v.ok("lanes", fmt.Sprintf("the jobs of %d lanes are there", v.plan.lanes))
	}
	return nil
}

// processes looks whether the Scheduler may start as many jobs as there are workers.
func (v *verification) processes(ctx context.Context, conn *sql.Conn) error {
	var text string
	var workers int
	err := conn.QueryRowContext(ctx, "select p.value from v$parameter p where p.name = 'job_queue_processes'").Scan(&text)
	n, wrong := strconv.Atoi(text)
	if err != nil || wrong != nil {
		v.add(dialects.Check{Name: "job_queue_processes", Level: dialects.Info, Text: "was not looked at: that takes SELECT on V_$PARAMETER"})
		return nil //nolint:nilerr // who may not see it learns that
	}
	if err := conn.QueryRowContext(ctx, "select max(s.max_workers) from "+object("settings")+" s").Scan(&workers); err != nil {
		return v.failed(ctx, "settings", err)
	}
	remedy := fmt.Sprintf("alter system set job_queue_processes = %d -- in the pluggable database, by a DBA", max(40, workers+1))
	switch {
	case n == 0:
		v.add(dialects.Check{Name: "job_queue_processes", Level: dialects.Fail, Text: "is 0", Means: "No job runs: no task starts.", Remedy: remedy})
	case n < workers+1:
		v.add(dialects.Check{Name: "job_queue_processes", Level: dialects.Warn, Text: fmt.Sprintf("is %d, and %d workers and the dispatcher need %d", n, workers, workers+1), Means: "Fewer tasks run at once than are allowed.", Remedy: remedy})
	default:
		v.ok("job_queue_processes", text)
	}
	return nil
}

// orphans are running tasks whose worker's lock nobody holds.
func (v *verification) orphans(ctx context.Context, conn *sql.Conn) error {
	tasks, err := v.lines(ctx, conn, "select 'task ' || l.task_id || ', lane ' || l.lane_id || ', session ' || l.session_id from "+object("lanes")+" l where l.task_id is not null")
	if err != nil {
		return err
	}
	alive, err := v.busyLanes(ctx, conn)
	if err != nil {
		return err
	}
	n := 0
	for _, task := range tasks {
		if !slices.Contains(alive, task) {
			n++
			name, _, _ := strings.Cut(task, ",")
			v.add(dialects.Check{Name: name, Level: dialects.Warn, Text: "ran in a session that is gone", Means: "The next sweep runs it again, or fails it, as its in_on_orphan says.",
				Remedy: "begin dbsched.sweep; end;", Safe: true})
		}
	}
	if n == 0 {
		v.ok("orphans", "there is none")
	}
	return nil
}

// state looks at what the scheduler says of itself.
func (v *verification) state(ctx context.Context) (err error) {
	if v.status, err = v.Status(ctx); err != nil {
		return err
	}
	switch st := v.status; st.Blocked {
	case dialects.Stopped:
		v.add(dialects.Check{Name: "scheduler", Level: dialects.Info, Text: "is stopped", Means: "Tasks are enqueued, and wait.", Remedy: "dbsched start"})
	case dialects.Copied:
		v.add(dialects.Check{Name: "scheduler", Level: dialects.Fail, Text: "this is a copy of " + st.CopyOf, Means: "Nothing runs here until you say so.", Remedy: "dbsched start --here"})
	case dialects.NoWorkers:
		v.add(dialects.Check{Name: "scheduler", Level: dialects.Warn, Text: "no worker is allowed", Means: "No task starts.", Remedy: fmt.Sprintf("dbsched workers %d", st.MaxLanes)})
	case dialects.NoDispatcher:
		if !slices.ContainsFunc(v.checks, func(c dialects.Check) bool { return c.Level == dialects.Fail }) { // else that is why
			v.add(dialects.Check{Name: "scheduler", Level: dialects.Fail, Text: "the last sweep is overdue", Means: "The dispatcher does not run: no wave begins.", Remedy: restart, Safe: true})
		}
	default:
		v.ok("scheduler", fmt.Sprintf("is started, with %d workers at most", st.MaxWorkers))
	}
	return nil
}

// alarms counts those of the last day that nobody has acknowledged.
func (v *verification) alarms(ctx context.Context) error {
	all, err := v.Alarms(ctx, dialects.Filter{Unacknowledged: true, Since: time.Now().Add(-24 * time.Hour), Limit: 100})
	if err != nil {
		return err
	}
	v.add(dialects.AlarmCheck(all))
	return nil
}

// probe runs a task and removes it.
func (v *verification) probe(ctx context.Context) error {
	c, process, err := dialects.Probe(ctx, v.scheduler, v.status, v.opts.ProbeTimeout, "begin null; end;")
	if err != nil || c.Name == "" {
		return err
	}
	if process != 0 && v.mustOwn("delete") == nil {
		for _, table := range []string{"logs", "tasks", "alarms", "process_requests", "processes"} {
			if _, err := v.db.ExecContext(ctx, "delete from "+object(table)+" where process_id = :1", process); err != nil {
				return v.failed(ctx, "removing the probe", err)
			}
		}
	} else if process != 0 {
		c.Text += "; its rows stay until they are purged"
	}
	v.add(c)
	return nil
}
