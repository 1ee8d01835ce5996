package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// queues returns the names of the queues: the dispatcher's and the lanes'.
func queues() []string {
	return []string{strings.ToUpper(object("wake_q")), strings.ToUpper(object("lane_q"))}
}

// The dictionary pads these flags with blanks.
const queueQuery = `select trim(q.enqueue_enabled), trim(q.dequeue_enabled) from user_queues q where q.name = :in_name`

func startQueue(name string) string {
	return "begin dbms_aqadm.start_queue(queue_name => '" + name + "', enqueue => true, dequeue => true); end;"
}

func (v *verification) checkQueues(ctx context.Context) error {
	for i, name := range queues() {
		if err := v.checkQueue(ctx, name, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// checkQueue checks that a queue is there and started; enqueuing tasks needs the first one.
func (v *verification) checkQueue(ctx context.Context, name string, first bool) error {
	closed, unread := "No idle worker can be woken.", "Idle workers cannot read wake-ups."
	if first {
		closed, unread = "No task can be enqueued.", "The dispatcher cannot read wake-ups, and ends."
	}
	var enqueue, dequeue string
	err := v.DB.QueryRowContext(ctx, queueQuery, sql.Named("in_name", name)).Scan(&enqueue, &dequeue)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		v.idle = true
		v.Add(dialects.Check{Level: dialects.Fail, Text: "the queue " + name + " is missing", Means: closed, Remedy: "dbsched install"})
		return nil
	case err != nil:
		return err
	case enqueue == "YES" && dequeue == "YES":
		v.OK(name + " is started for enqueue and dequeue")
		return nil
	}
	v.idle = true
	c := dialects.Check{Level: dialects.Fail, Text: fmt.Sprintf("%s is not started (enqueue %s, dequeue %s)", name, enqueue, dequeue), Means: closed, Remedy: startQueue(name)}
	if enqueue == "YES" {
		c.Means = unread
	}
	has, err := v.granted(ctx)
	if err != nil {
		return err
	}
	if c.Safe = has(templates.Grant{Package: "DBMS_AQADM"}); !c.Safe {
		c.Remedy = "-- as a user with EXECUTE on DBMS_AQADM; it was revoked from " + v.Schema() + ":\n" + startQueue(v.Schema()+"."+name)
	}
	v.Add(c)
	return nil
}

// countAtMost limits the time spent on a long queue.
const countAtMost = 100000

// messagesQuery reads the view that comes with a queue table (Database Advanced Queuing User's Guide, "AQ$Queue_Table_Name").
func messagesQuery() string {
	return fmt.Sprintf(`select count(case when m.queue in (%s) then 1 end), count(case when m.queue not in (%[1]s) then 1 end)
from (select q.queue from aq$%s q where rownum <= %d) m`, "'"+strings.Join(queues(), "', '")+"'", object("wake_qt"), countAtMost)
}

func (v *verification) checkMessages(ctx context.Context) error {
	var waiting, failed int
	if err := v.DB.QueryRowContext(ctx, messagesQuery()).Scan(&waiting, &failed); err != nil {
		return err
	}
	text := fmt.Sprintf("%d wake-ups in the queues", waiting)
	if waiting+failed == countAtMost {
		text = "at least " + text
	}
	switch {
	case failed > 0:
		v.Info(fmt.Sprintf("%s, %d in the exception queue; no task is lost, because the sweep finds the tasks", text, failed))
	case waiting >= 10000:
		v.Info(text + ": each transaction that enqueues while the scheduler is stopped adds one; the next start is slow")
	default:
		v.OK(text)
	}
	return nil
}

const parameterQuery = `select p.value from v$parameter p where p.name = 'job_queue_processes'`

func (v *verification) checkJobQueue(ctx context.Context) error {
	need := v.set.workers + 1
	var text string
	err := v.DB.QueryRowContext(ctx, parameterQuery).Scan(&text)
	if r, ok := asRefusal(err); ok && unseen(r) {
		v.Add(dialects.Check{Level: dialects.Info, Text: fmt.Sprintf("job_queue_processes is not visible to this user; %d workers and the dispatcher need %d", v.set.workers, need),
			Remedy: "grant select on sys.v_$parameter to " + v.Schema() + ";"})
		return nil
	}
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("job_queue_processes: %w", err)
	}
	// Other applications have jobs too.
	remedy := fmt.Sprintf("alter system set job_queue_processes = %d", need+20)
	switch {
	case n == 0:
		v.idle = true
		v.Add(dialects.Check{Level: dialects.Fail, Text: "job_queue_processes is 0", Means: "No job starts, so no worker and no dispatcher runs.", Remedy: remedy})
	case n < need:
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("job_queue_processes is %d; %d workers and the dispatcher need %d, other jobs need more", n, v.set.workers, need),
			Means: "Lanes wait for a job process and raise the alarm LaneNotStarted.", Remedy: remedy})
	default:
		v.OK(fmt.Sprintf("job_queue_processes is %d; %d workers and the dispatcher need %d", n, v.set.workers, need))
	}
	return nil
}

// attributeQuery reads what everybody may see. The attribute is no longer documented and still stops all jobs
// (connor-mcdonald.com, "Has my scheduler been turned off?"); GET_SCHEDULER_ATTRIBUTE returns NULL for it.
const attributeQuery = `select upper(max(a.value)) from all_scheduler_global_attribute a where a.attribute_name = 'SCHEDULER_DISABLED'`

func (v *verification) checkJobScheduler(ctx context.Context) error {
	var value sql.NullString
	if err := v.DB.QueryRowContext(ctx, attributeQuery).Scan(&value); err != nil {
		return err
	}
	if value.String == "TRUE" {
		v.idle = true
		v.Add(dialects.Check{Level: dialects.Fail, Text: "SCHEDULER_DISABLED is TRUE", Means: "No job of this database starts, so no worker and no dispatcher runs.",
			Remedy: "begin dbms_scheduler.set_scheduler_attribute('SCHEDULER_DISABLED', 'FALSE'); end;"})
		return nil
	}
	v.OK("the job scheduler of the database is enabled")
	return nil
}

// actionText matches the text of jobs in the batch that creates them.
var actionText = regexp.MustCompile(`(?s)co_action constant varchar2\(4000\) := q'\[(.*?)\]';`)

// action returns what the jobs of a batch run.
func (src source) action(batch string) string {
	for _, b := range src.after {
		if b.Name == batch {
			if m := actionText.FindStringSubmatch(b.SQL); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// laneAction returns what the job of a lane runs.
func (src source) laneAction(lane int) string {
	return strings.ReplaceAll(src.action("jobs lanes"), ":= -1;", ":= "+strconv.Itoa(lane)+";")
}

const (
	jobQuery = `select j.enabled, j.job_action, nvl(j.repeat_interval, 'none') from user_scheduler_jobs j where j.job_name = :in_name`
	minutely = "FREQ=MINUTELY"
)

// startScheduler is idempotent: it enables the dispatcher's job, and runs it if it is not running.
const startScheduler = "begin dbsched.start_scheduler; end;"

func (v *verification) checkDispatcher(ctx context.Context) error {
	name := strings.ToUpper(object("dispatcher"))
	var enabled, action, interval string
	err := v.DB.QueryRowContext(ctx, jobQuery, sql.Named("in_name", name)).Scan(&enabled, &action, &interval)
	if errors.Is(err, sql.ErrNoRows) {
		remedy := "dbsched install"
		if v.set.started {
			remedy += "\ndbsched start"
		}
		v.Add(dialects.Check{Level: dialects.Fail, Text: "the job " + name + " is missing", Means: "No task starts.", Remedy: remedy})
		return nil
	}
	if err != nil {
		return err
	}
	held, err := v.look(ctx)
	if err != nil {
		return err
	}
	if v.runs, err = v.awaitDispatcher(ctx, enabled == "TRUE", held); err != nil {
		return err
	}
	before := len(v.Checks)
	if want := v.src.action("job dispatcher"); action != want && !v.foreign {
		v.Add(dialects.Check{Level: dialects.Fail, Text: "the job " + name + " has a different action from this program's", Means: "Its next run is not dbsched's dispatcher.",
			Remedy: "dbsched install", Diff: unitDiff(unit{"JOB", name}, want, action)})
	}
	if !strings.EqualFold(interval, minutely) {
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("the job %s has the interval %s instead of %s", name, interval, minutely), Means: "After a crash the server starts it late or never.",
			Remedy: "begin dbms_scheduler.set_attribute(name => '" + name + "', attribute => 'repeat_interval', value => '" + minutely + "'); end;"})
	}
	v.checkDispatcherRuns(enabled == "TRUE", held.dispatcherLock)
	if len(v.Checks) == before {
		text := name + " is enabled and runs"
		switch {
		case v.settingless:
			text = name + " exists"
		case !v.set.started:
			text = name + " is disabled while the scheduler is stopped"
		case v.status.CopyOf != "":
			text = name + " exists; in a copy it does nothing"
		}
		v.OK(text)
	}
	return nil
}

// causes are the checks that, if they fail, stop the dispatcher.
func causes() []string {
	return []string{"grants", "packages", "tables", "queue", "job queue", "job scheduler"}
}

// starting is how many seconds the server may take to start a job.
const starting = 10

// renewing is how many seconds the dispatcher's job may pause when it renews its session.
const renewing = 70

// paused reports whether the dispatcher has just ended without an error: a new session of it follows within a minute.
func (v *verification) paused(ctx context.Context) bool {
	var status string
	var more sql.NullString
	var minutes int
	err := v.DB.QueryRowContext(ctx, lastRunQuery, sql.Named("in_name", strings.ToUpper(object("dispatcher")))).Scan(&status, &more, &minutes)
	return err == nil && status == "SUCCEEDED" && minutes <= 1
}

// awaitDispatcher reports whether the dispatcher runs. It waits for one that was started a moment ago.
func (v *verification) awaitDispatcher(ctx context.Context, enabled bool, held *held) (bool, error) {
	if held.dispatcher || !enabled || !v.set.started || held.dispatcherLock || v.status.CopyOf != "" || v.Broken(causes()...) {
		return held.dispatcher, nil
	}
	limit := starting
	if v.paused(ctx) {
		limit = renewing
	}
	for range limit {
		if _, err := v.DB.ExecContext(ctx, Dialect{}.Sleep(time.Second)); err != nil {
			return false, err
		}
		if lines, err := v.lookOnce(ctx); err != nil || slices.Contains(lines, "R") {
			return err == nil, err
		}
	}
	return false, nil
}

// checkDispatcherRuns compares the job's state with the scheduler's.
func (v *verification) checkDispatcherRuns(enabled, squatted bool) {
	name := strings.ToUpper(object("dispatcher"))
	c := dialects.Check{Level: dialects.Fail, Remedy: startScheduler, Safe: true}
	switch {
	case v.status.CopyOf != "", v.settingless:
		return
	case !v.set.started && enabled:
		c = dialects.Check{Level: dialects.Warn, Text: "the job " + name + " is enabled although the scheduler is stopped", Means: "It starts every minute and ends at once.",
			Remedy: "dbsched stop"}
	case !v.set.started:
		return
	case !enabled:
		c.Text, c.Means = "the job "+name+" is disabled although the scheduler is started", "After a crash the server does not start it again."
		if !v.runs {
			c.Means = "No task starts."
		}
	case v.runs:
		return
	case squatted:
		c = dialects.Check{Level: dialects.Fail, Text: "the dispatcher does not run: another session holds its lock (DBMS_LOCK)", Means: "No task starts.",
			Remedy: lockHolders()}
	default:
		c.Text, c.Means = "the dispatcher does not run although the scheduler is started", "No task starts until the server starts the job, normally within a minute."
	}
	// The dispatcher is started after their repair.
	if c.Safe && !v.runs && v.Broken(causes()...) {
		c.Level, c.Safe = dialects.Info, v.mendable()
		c.Text += ", perhaps because of the FAIL above"
	}
	v.Add(c)
}

const lastRunQuery = `select d.status, d.additional_info, round((cast(sys_extract_utc(systimestamp) as date) - cast(sys_extract_utc(d.log_date) as date)) * 1440)
from user_scheduler_job_run_details d
where d.job_name = :in_name
order by d.log_id desc
fetch first 1 row only`

// soonAfter is for how many minutes a failure is a WARN although the dispatcher runs again.
const soonAfter = 10

func (v *verification) checkLastRun(ctx context.Context) error {
	var status string
	var more sql.NullString
	var minutes int
	err := v.DB.QueryRowContext(ctx, lastRunQuery, sql.Named("in_name", strings.ToUpper(object("dispatcher")))).Scan(&status, &more, &minutes)
	if errors.Is(err, sql.ErrNoRows) {
		v.OK("the job log shows no run of the dispatcher that ended")
		return nil
	}
	if err != nil {
		return err
	}
	text := fmt.Sprintf("the dispatcher's last finished run was %s, %d minutes ago", status, minutes)
	if status != "FAILED" {
		v.OK(text)
		return nil
	}
	c := dialects.Check{Level: dialects.Info, Text: text + ": " + dialects.FirstLine(more.String)}
	if c.Means = "It runs again."; !v.runs {
		c.Means = "No task starts until it runs again."
	}
	if v.set.started && !v.Broken() && (!v.runs || minutes < soonAfter) {
		c.Level = dialects.Warn
		c.Remedy = "select log_date, error#, additional_info from user_scheduler_job_run_details where job_name = '" + strings.ToUpper(object("dispatcher")) + "' order by log_id desc"
	}
	v.Add(c)
	return nil
}

const laneJobsQuery = `select j.job_name, j.job_action
from all_scheduler_jobs j
where j.owner = :in_owner and substr(j.job_name, 1, :in_length) = :in_prefix`

func (v *verification) checkLaneJobs(ctx context.Context) error {
	owner, prefix := v.Schema(), strings.ToUpper(object("lane_"))
	if v.set.runner != "" {
		owner = v.set.runner
	}
	there := map[string]string{}
	err := v.every(ctx, func(rows *sql.Rows) error {
		var name, action string
		err := rows.Scan(&name, &action)
		there[name] = action
		return err
	}, laneJobsQuery, sql.Named("in_owner", owner), sql.Named("in_length", int64(len(prefix))), sql.Named("in_prefix", prefix))
	if err != nil {
		return err
	}
	before := len(v.Checks)
	var missing []string
	altered := map[string]string{}
	for lane := 1; lane <= v.set.lanes; lane++ {
		name := fmt.Sprintf("%s%02d", prefix, lane)
		action, ok := there[name]
		if want := v.src.laneAction(lane); !ok {
			missing = append(missing, name)
		} else if action != want && !v.foreign {
			altered[name] = unitDiff(unit{"JOB", name}, want, action)
		}
	}
	if missing != nil {
		c := dialects.Check{Level: dialects.Fail, Text: fmt.Sprintf("jobs of %s are missing: %s", owner, strings.Join(missing, ", ")), Means: "No task starts in these lanes.",
			Remedy: "dbsched install"}
		if v.set.runner != "" {
			c.Text = fmt.Sprintf("jobs of %s are missing, or %s lacks the ALTER right on them: %s", owner, v.Schema(), strings.Join(missing, ", "))
			c.Remedy = "dbsched install --runner-dsn ..."
		}
		v.Add(c)
	}
	if len(altered) > 0 {
		names := slices.Sorted(maps.Keys(altered))
		c := dialects.Check{Level: dialects.Fail, Text: fmt.Sprintf("jobs of %s have a different action from this program's: %s", owner, strings.Join(names, ", ")),
			Means: "Their next runs are not dbsched's workers.", Remedy: "dbsched install"}
		for _, name := range names {
			c.Diff += altered[name]
		}
		v.Add(c)
	}
	if len(v.Checks) == before {
		text := fmt.Sprintf("%d jobs of %s", v.set.lanes, owner)
		if !v.foreign {
			text += ", unaltered"
		}
		v.OK(text)
	}
	return nil
}
