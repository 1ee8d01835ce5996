package mssql

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

const timerQuery = `SELECT COUNT(*) FROM sys.conversation_endpoints AS e WHERE e.conversation_handle = (SELECT s.TimerHandle FROM %s AS s) AND e.state NOT IN ('CD', 'ER', 'DI');`

// checkScheduler checks the state of the scheduler.
func (v *verification) checkScheduler(ctx context.Context) (err error) {
	if v.status, err = v.Status(ctx); err != nil {
		v.status.Blocked = dialects.Unknown
		return err
	}
	switch st := v.status; st.Blocked {
	case dialects.Stopped:
		v.Add(dialects.Check{Level: dialects.Info, Text: "stopped", Means: "Tasks can be enqueued but do not start.", Remedy: "dbsched start"})
	case dialects.Copied:
		v.Add(dialects.Check{Level: dialects.Fail, Text: "this database is a copy of " + st.CopyOf, Remedy: "dbsched start --here",
			Means: "No task runs here until you start it. If the database has moved, dbsched start --moved keeps its schedules as they are."})
	case dialects.NoWorkers:
		v.Add(dialects.Check{Level: dialects.Warn, Text: "the maximum number of workers is 0", Means: "No task starts.", Remedy: fmt.Sprintf("dbsched workers %d", st.MaxLanes)})
	case dialects.NoSettings:
		v.Info("its settings are missing, see above")
	case dialects.BrokerOff: // reported above
	default:
		v.OK(fmt.Sprintf("started, with at most %d workers", st.MaxWorkers))
	}
	return nil
}

// checkMoves says where else the database may go on.
func (v *verification) checkMoves(context.Context) error {
	if len(v.status.AlsoOn) > 0 {
		v.Add(dialects.MovesCheck(v.status))
	}
	return nil
}

// checkTimer checks the timer and the dispatcher of a started scheduler.
func (v *verification) checkTimer(ctx context.Context) error {
	switch v.status.Blocked {
	case dialects.Stopped, dialects.Copied, dialects.BrokerOff, dialects.NoSettings, dialects.Unknown:
		return nil
	}
	restart := "EXEC " + v.object("StartScheduler") + ";"
	var timers int
	if err := v.DB.QueryRowContext(ctx, fmt.Sprintf(timerQuery, v.object("Settings"))).Scan(&timers); err != nil {
		return v.Failed(ctx, "Settings", err)
	}
	switch {
	case timers == 0:
		v.Add(dialects.Check{Level: dialects.Fail, Text: "the timer's conversation is missing", Means: "Delayed tasks, timeouts and sweeps do not start.", Remedy: restart, Safe: true}.After(v.found("")))
	case v.status.Blocked == dialects.NoDispatcher && !v.found("queue monitor Dispatch"): // that check explains it
		v.Add(dialects.Check{Name: "dispatcher", Level: dialects.Fail, Text: "the sweep is overdue", Means: "The dispatcher does not run, so no wave starts.", Remedy: restart, Safe: true})
	default:
		v.OK("set")
	}
	return nil
}

// checkEnding tells whether dbsched can end the sessions of running tasks.
func (v *verification) checkEnding(ctx context.Context) error {
	command, err := v.EndCommand(ctx)
	if err != nil {
		return err
	}
	if command == "" {
		v.Info("the kill procedure is signed: timeouts and cancellations end running tasks")
		return nil
	}
	v.Add(dialects.Check{Level: dialects.Info, Text: "dbsched may not end sessions", Means: "A running task continues after its timeout or cancellation, until it ends by itself.", Remedy: command})
	return nil
}

// checkProbe runs a task and removes it.
func (v *verification) checkProbe(ctx context.Context) error {
	if v.opts.ProbeTimeout > 0 && v.idle {
		v.Info("not run: what failed above keeps every task from running")
		return nil
	}
	c, process, err := dialects.Probe(ctx, v.scheduler, v.status, v.opts.ProbeTimeout, "DECLARE @Nothing int = 1;", v.Notify)
	if process != 0 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // an interrupt leaves nothing behind either
		defer cancel()
		if err != nil {
			err = errors.Join(err, v.CancelProcess(ctx, process))
		}
		for _, table := range []string{"Logs", "Tasks", "Alarms", "ProcessRequests", "Processes"} {
			if _, err := v.DB.ExecContext(ctx, fmt.Sprintf("DELETE FROM %s WHERE ProcessId = @p1;", v.object(table)), process); err != nil {
				c.Text += "; its rows remain until they are purged, because removing them requires membership of db_owner"
				break
			}
		}
	}
	if err == nil && c.Name != "" {
		v.Add(c.After(v.found("")))
	}
	return err
}
