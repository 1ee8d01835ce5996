package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// probeName is the name of the probe's process.
const probeName = "dbsched verify"

func lastLogQuery() string { return "select nvl(max(g.log_id), 0) from " + object("logs") + " g" }

func probeQuery() string {
	return "select t.status, t.enqueued_at, t.finished_at\nfrom " + object("tasks") + " t\nwhere t.task_id = :in_task"
}

// othersQuery counts the lanes that work for others, and whether others have been given one since.
func othersQuery() string {
	return `select (select count(*) from ` + object("tasks") + ` t where t.lane_id > 0 and t.task_id <> :in_task),
    (select count(*) from ` + object("logs") + ` g where g.log_id > :in_log and g.task_id <> :in_task2 and rownum <= 1)
from dual`
}

// removeBlock deletes the probe, locked in the same order as everybody else, unless it is running. Log rows are found by their numbers, of which
// each instance of a cluster has a block of 100.
func removeBlock() string {
	return `declare
    l_process_id number := :in_process;
    l_log_id number := :in_log - 10000;
    l_count number := 0;
begin
    for p in (select q.process_id from ` + object("processes") + ` q where q.process_id = l_process_id for update wait 5) loop
        select count(*) into l_count from ` + object("tasks") + ` t where t.unfinished_process_id = l_process_id;
        if l_count = 0 then
            delete from ` + object("process_requests") + ` r where r.process_id = l_process_id;
            delete from ` + object("tasks") + ` t where t.process_id = l_process_id;
            delete from ` + object("logs") + ` g where g.process_id = l_process_id and g.log_id > l_log_id;
            delete from ` + object("alarms") + ` a where a.process_id = l_process_id;
            delete from ` + object("processes") + ` d where d.process_id = l_process_id;
        end if;
    end loop;
    commit;
    :out_left := l_count;
end;`
}

// checkProbe runs an empty task.
func (v *verification) checkProbe(ctx context.Context) error {
	switch {
	case v.opts.ProbeTimeout <= 0:
		return nil
	case v.idle:
		v.Info("not run: what failed above keeps every task from running")
	case v.status.CopyOf != "":
		v.Info("not run: this is a copy")
	case v.statusErr != nil:
		v.Info("not run: the state of the scheduler cannot be read")
	case !v.status.Started:
		v.Info("not run: the scheduler is stopped")
	case v.status.MaxWorkers == 0:
		v.Info("not run: MaxWorkers is 0")
	default:
		return v.runProbe(ctx)
	}
	return nil
}

// probe is the task to run.
type probe struct{ process, task, log int64 }

func (v *verification) runProbe(ctx context.Context) error {
	var p probe
	if err := v.DB.QueryRowContext(ctx, lastLogQuery()).Scan(&p.log); err != nil {
		return err
	}
	done, err := v.Submit(ctx, dialects.NewProcess{Name: probeName}, []dialects.NewTask{{SQL: "begin null; end;", Order: 1}})
	if r, ok := asRefusal(err); ok && ctx.Err() == nil && !sessionLost(r.Number) {
		c := dialects.Check{Level: dialects.Fail, Text: "the probe task cannot be enqueued: " + dialects.FirstLine(r.Error()), Means: "No other task can be enqueued either.", Remedy: v.hint(r)}
		v.Add(c.After(v.Broken()))
		return nil
	}
	if err != nil {
		return err
	}
	p.process, p.task = done.ProcessID, done.TaskIDs[0]
	c, err := v.awaitProbe(ctx, p)
	if err == nil {
		v.Add(c.After(v.Broken()))
	}
	// Clean up even if ctx has ended.
	again, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if left := v.removeProbe(again, p); left != nil {
		v.Info(fmt.Sprintf("the probe, process %d and task %d, remains until the retention time ends: %s", p.process, p.task, dialects.FirstLine(left.Error())))
	}
	return err
}

// awaitProbe waits for the probe and returns its result.
func (v *verification) awaitProbe(ctx context.Context, p probe) (c dialects.Check, err error) {
	finished, err := dialects.AwaitProbe(ctx, v.scheduler, p.process, v.opts.ProbeTimeout, v.Notify)
	if err != nil {
		return c, err
	}
	var status string
	var enqueued time.Time
	var ended sql.NullTime
	if err := v.DB.QueryRowContext(ctx, probeQuery(), sql.Named("in_task", p.task)).Scan(&status, &enqueued, &ended); err != nil {
		return c, err
	}
	if status == "Succeeded" {
		return dialects.ProbeEnded(ended.Time.Sub(enqueued)), nil
	}
	c = dialects.Check{Level: dialects.Fail, Text: fmt.Sprintf("the probe task was %s after %v", status, v.opts.ProbeTimeout), Means: "Tasks do not run.", Remedy: "dbsched workers\ndbsched logs"}
	seen, err := v.seen(ctx, p)
	if c.Text += seen; err != nil || finished || status != "Pending" {
		return c, err
	}
	var busy, since int
	err = v.DB.QueryRowContext(ctx, othersQuery(), sql.Named("in_task", p.task), sql.Named("in_log", p.log), sql.Named("in_task2", p.task)).Scan(&busy, &since)
	if busy >= v.status.MaxWorkers || since > 0 {
		c.Level, c.Means = dialects.Warn, fmt.Sprintf("%d of %d workers run other tasks, which came first. The probe does not show whether a free worker runs tasks.", busy, v.status.MaxWorkers)
	}
	return c, err
}

func stateCountQuery() string {
	return "select l.state, count(*)\nfrom " + object("lanes") + " l\ngroup by l.state\norder by l.state"
}

func seenQuery() string {
	return `select a.kind || ': ' || a.alarm_text
from ` + object("alarms") + ` a
inner join ` + object("tasks") + ` t on a.raised_at >= t.enqueued_at
where t.task_id = :in_task
union all
select nvl(g.outcome, 'Running') || ': ' || g.error_message
from ` + object("logs") + ` g
where g.task_id = :in_task2 and g.log_id > :in_log`
}

// seen describes a probe that did not succeed: the lanes, alarms since then, and its attempts.
func (v *verification) seen(ctx context.Context, p probe) (string, error) {
	var lanes []string
	err := v.every(ctx, func(rows *sql.Rows) error {
		var state string
		var count int
		err := rows.Scan(&state, &count)
		lanes = append(lanes, fmt.Sprintf("%d %s", count, state))
		return err
	}, stateCountQuery())
	if err != nil {
		return "", err
	}
	all, err := v.names(ctx, seenQuery(), sql.Named("in_task", p.task), sql.Named("in_task2", p.task), sql.Named("in_log", max(0, p.log-10000)))
	text := "; lanes: " + strings.Join(lanes, ", ")
	for _, a := range all {
		text += "; " + dialects.FirstLine(a)
	}
	return text, err
}

// removeProbe cancels the probe if it has not ended, and deletes its rows.
func (v *verification) removeProbe(ctx context.Context, p probe) error {
	for try := 0; ; try++ {
		var left sql.NullInt64
		_, err := v.DB.ExecContext(ctx, removeBlock(), sql.Named("in_process", p.process), sql.Named("in_log", p.log), sql.Named("out_left", sql.Out{Dest: &left}))
		if err != nil || left.Int64 == 0 {
			return err
		}
		if try == 0 {
			if err := v.CancelProcess(ctx, p.process); err != nil {
				return err
			}
			continue
		}
		if try > 5 {
			return fmt.Errorf("its task does not end")
		}
		if _, err := v.DB.ExecContext(ctx, Dialect{}.Sleep(time.Second)); err != nil {
			return err
		}
	}
}
