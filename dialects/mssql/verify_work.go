package mssql

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

const timerQuery = `SELECT COUNT(*) FROM sys.conversation_endpoints AS e WHERE e.conversation_handle = (SELECT s.TimerHandle FROM %s AS s) AND e.state NOT IN ('CD', 'ER', 'DI');`

// state checks the state of the scheduler, its timer and its dispatcher.
func (v *verification) state(ctx context.Context) (err error) {
	if v.status, err = v.Status(ctx); err != nil {
		return err
	}
	restart := "EXEC " + v.object("StartScheduler") + ";"
	switch st := v.status; st.Blocked {
	case dialects.Stopped:
		v.add(dialects.Check{Name: "scheduler", Level: dialects.Info, Text: "stopped", Means: "Tasks can be enqueued but do not start.", Remedy: "dbsched start"})
		return nil
	case dialects.Copied:
		v.add(dialects.Check{Name: "scheduler", Level: dialects.Fail, Text: "this database is a copy of " + st.CopyOf, Remedy: "dbsched start --here",
			Means: "No task runs here until you start it. If the database has moved, dbsched start --moved keeps its schedules as they are."})
		return nil
	case dialects.NoWorkers:
		v.add(dialects.Check{Name: "scheduler", Level: dialects.Warn, Text: "the maximum number of workers is 0", Means: "No task starts.", Remedy: fmt.Sprintf("dbsched workers %d", st.MaxLanes)})
	case dialects.BrokerOff: // reported above
		return nil
	default:
		v.ok("scheduler", fmt.Sprintf("started, with at most %d workers", st.MaxWorkers))
	}
	if v.status.AlsoOn != "" {
		v.add(dialects.MovesCheck(v.status))
	}
	var timers int
	if err := v.db.QueryRowContext(ctx, fmt.Sprintf(timerQuery, v.object("Settings"))).Scan(&timers); err != nil {
		v.add(dialects.Check{Name: "timer", Level: dialects.Info, Text: "not checked: this requires membership of db_owner"})
		return nil //nolint:nilerr // the check says so
	}
	switch {
	case timers == 0:
		v.add(dialects.Check{Name: "timer", Level: dialects.Fail, Text: "the timer's conversation is missing", Means: "Delayed tasks, timeouts and sweeps do not start.", Remedy: restart, Safe: true})
	case v.status.Blocked == dialects.NoDispatcher && !v.found("queue monitor Dispatch"): // that check explains it
		v.add(dialects.Check{Name: "dispatcher", Level: dialects.Fail, Text: "the sweep is overdue", Means: "The dispatcher does not run, so no wave starts.", Remedy: restart, Safe: true})
	default:
		v.ok("timer", "set")
	}
	return nil
}

// alarms counts the unacknowledged alarms of the last day.
func (v *verification) alarms(ctx context.Context) error {
	all, err := v.Alarms(ctx, dialects.Filter{Unacknowledged: true, Since: time.Now().Add(-24 * time.Hour), Limit: 100})
	if err != nil {
		v.add(dialects.Check{Name: "alarms", Level: dialects.Info, Text: "not checked: this requires the role " + v.schema + "_reader"})
		return nil //nolint:nilerr // the check says so
	}
	v.add(dialects.AlarmCheck(all))
	return nil
}

// schedules counts those that are late or suspended.
func (v *verification) schedules(ctx context.Context) error {
	checks, err := dialects.ScheduleCheck(ctx, v.scheduler, v.status)
	if err != nil {
		v.add(dialects.Check{Name: "schedules", Level: dialects.Info, Text: "not checked: this requires the role " + v.schema + "_reader"})
		return nil //nolint:nilerr // the check says so
	}
	for _, c := range checks {
		v.add(c)
	}
	return nil
}

// probe runs a task and removes it.
func (v *verification) probe(ctx context.Context) error {
	if v.opts.ProbeTimeout > 0 && slices.ContainsFunc(v.checks, func(c dialects.Check) bool { return c.Level == dialects.Fail }) {
		v.add(dialects.Check{Name: "probe", Level: dialects.Info, Text: "not run: repair the failed checks first"})
		return nil
	}
	c, process, err := dialects.Probe(ctx, v.scheduler, v.status, v.opts.ProbeTimeout, "DECLARE @Nothing int = 1;", v.notify)
	if process != 0 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // an interrupt leaves nothing behind either
		defer cancel()
		if err != nil {
			err = errors.Join(err, v.CancelProcess(ctx, process))
		}
		for _, table := range []string{"Logs", "Tasks", "Alarms", "ProcessRequests", "Processes"} {
			if _, err := v.db.ExecContext(ctx, fmt.Sprintf("DELETE FROM %s WHERE ProcessId = @p1;", v.object(table)), process); err != nil {
				c.Text += "; its rows remain until they are purged, because removing them requires membership of db_owner"
				break
			}
		}
	}
	if err == nil && c.Name != "" {
		v.add(c)
	}
	return err
}
