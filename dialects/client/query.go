package client

import (
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// briefly is how many characters of the texts of attempts are read when they are only listed.
const briefly = 400

// query selects the newest f.Limit rows of a view, or a page of them.
func (c *Client) query(v view, columns []column, f dialects.Filter) (text string, params []any) {
	brief := 0
	if f.Brief {
		brief = briefly
	}
	w := c.where(v, f)
	text = "SELECT " + c.selects(columns, v, brief) + c.from(v) + w.String() + "\nORDER BY "
	if f.Page > 0 {
		status := c.of("Status")
		text += "CASE WHEN " + status + " IN ('Failed', 'TimedOut') THEN 0 WHEN " + status + " IN ('Running', 'Stopping') THEN 1 ELSE 2 END, " + c.of(v.key)
	} else {
		text += c.of(v.key) + " DESC"
	}
	if f.Limit > 0 {
		text += w.page(max(f.Page-1, 0)*f.Limit, f.Limit)
	}
	return text, w.params
}

// conditions are a WHERE and the parameters of its query.
type conditions struct {
	*Client
	all    []string
	params []any
}

// bind adds a parameter and returns its place.
func (w *conditions) bind(name string, value any) string {
	place, param := w.Engine.Bind(name, value)
	w.params = append(w.params, param)
	return place
}

// add adds a condition on a column.
func (w *conditions) add(column, operator, name string, value any) {
	w.all = append(w.all, w.of(column)+" "+operator+" "+w.bind(name, value))
}

// instant returns the place of a parameter that is a time.
func (w *conditions) instant(name string, at time.Time) string {
	place, param := w.Engine.Instant(name, at)
	w.params = append(w.params, param)
	return place
}

// sinceOrOpen selects what has not ended, or not before an instant.
func (w *conditions) sinceOrOpen(column, name string, at time.Time) {
	w.all = append(w.all, "("+w.of(column)+" IS NULL OR "+w.of(column)+" >= "+w.instant(name, at)+")")
}

// page returns the clause that skips rows and limits them.
func (w *conditions) page(skip, limit int) string {
	text := "\n" + w.Engine.FromFirst()
	if skip > 0 {
		text = "\nOFFSET " + w.bind("skip", int64(skip)) + " ROWS "
	}
	return text + "FETCH NEXT " + w.bind("limit", int64(limit)) + " ROWS ONLY"
}

// String is the WHERE; empty if there is no condition.
func (w *conditions) String() string {
	if len(w.all) == 0 {
		return ""
	}
	return "\nWHERE " + strings.Join(w.all, " AND ")
}

// where returns the conditions of a filter.
func (c *Client) where(v view, f dialects.Filter) *conditions {
	w := &conditions{Client: c}
	if f.ProcessID != 0 {
		w.add("ProcessId", "=", "process", f.ProcessID)
	}
	if f.TaskID != 0 {
		w.add("TaskId", "=", "task", f.TaskID)
	}
	if f.Name != "" {
		w.add("Name", "=", "name", f.Name)
	}
	if len(f.Statuses) > 0 {
		var statuses []string
		for i, status := range f.Statuses {
			statuses = append(statuses, w.bind(fmt.Sprint("status", i+1), status))
		}
		w.all = append(w.all, w.of(v.status)+" IN ("+strings.Join(statuses, ", ")+")")
	}
	if f.Unacknowledged {
		w.all = append(w.all, w.of("AcknowledgedAt")+" IS NULL")
	}
	if !f.Since.IsZero() {
		w.all = append(w.all, w.of(v.time)+" >= "+w.instant("since", f.Since))
	}
	if !f.Until.IsZero() {
		w.all = append(w.all, w.of(v.time)+" < "+w.instant("until", f.Until))
	}
	if f.Text != "" && len(v.texts) > 0 {
		var texts []string
		for i, text := range v.texts {
			texts = append(texts, w.Engine.Contains(w.of(text), w.bind(fmt.Sprint("text", i+1), f.Text)))
		}
		w.all = append(w.all, "("+strings.Join(texts, " OR ")+")")
	}
	if !f.Open.IsZero() {
		w.sinceOrOpen("FinishedAt", "open", f.Open)
	}
	if f.After != 0 {
		fresh := w.of("LogId") + " > " + w.bind("after", f.After)
		for i, id := range f.Also {
			fresh += " OR " + w.of("LogId") + " = " + w.bind(fmt.Sprint("also", i+1), id)
		}
		w.all = append(w.all, "("+fresh+")")
	}
	if f.From != 0 {
		w.add("LogId", ">=", "from", f.From)
	}
	if !f.Ended.IsZero() {
		w.sinceOrOpen("EndTime", "ended", f.Ended)
	}
	if f.Besides != 0 {
		w.add("ProcessId", "<>", "besides", f.Besides)
	}
	return w
}

// attemptsQuery counts what query selects without a limit.
func (c *Client) attemptsQuery(f dialects.Filter) (string, []any) {
	w := c.where(logs, f)
	count := c.Engine.Count()
	return "SELECT " + count + "(*), " + count + "(CASE WHEN " + c.of("EndTime") + " IS NULL THEN 1 END), " +
		count + "(CASE WHEN " + c.of("Outcome") + " IN ('" + strings.Join(dialects.BadOutcomes(), "', '") + "') THEN 1 END),\n    " +
		count + "(DISTINCT " + c.of("LaneId") + "), MIN(" + c.of("LogId") + "), MIN(" + c.of("StartTime") + "), MAX(" + c.of("EndTime") + ")" +
		c.from(view{name: logs.name}) + w.String(), w.params
}

// queueQuery counts the unfinished tasks, and those that no lower order of their process holds back.
func (c *Client) queueQuery() string {
	status, reason, order, enqueued, due := c.of("Status"), c.of("WaitReason"), c.of("ExecutionOrder"), c.of("EnqueuedAt"), c.of("DueAt")
	count := c.Engine.Count()
	return `SELECT q.status, q.reason, ` + count + `(*), MIN(q.enqueued_at), MIN(q.due_at), ` + count + `(q.runnable_at), MIN(q.runnable_at)
FROM (SELECT ` + status + ` AS status, ` + reason + ` AS reason, ` + enqueued + ` AS enqueued_at, ` + due + ` AS due_at,
             CASE WHEN ` + status + ` = 'Pending' AND ` + order + ` = MIN(` + order + `) OVER (PARTITION BY ` + c.of("ProcessId") + `) THEN ` + enqueued + ` END AS runnable_at` +
		c.from(view{name: tasks.name}) + `
      WHERE ` + c.of("FinishedAt") + ` IS NULL) q
GROUP BY q.status, q.reason
ORDER BY q.status, q.reason`
}

// processQuery finds a process by number or name: the number, then an unfinished one, the newest.
func (c *Client) processQuery(number int64, name string) (string, []any) {
	w := &conditions{Client: c}
	id := c.of("ProcessId")
	text := "SELECT " + id + c.from(processes) + "\nWHERE " + id + " = " + w.bind("id", number) + " OR " + c.of("Name") + " = " + w.bind("name", name) +
		"\nORDER BY CASE WHEN " + id + " = " + w.bind("same", number) + " THEN 0 ELSE 1 END, CASE WHEN " + c.of("FinishedAt") + " IS NULL THEN 0 ELSE 1 END, " + id + " DESC" +
		w.page(0, 1)
	return text, w.params
}

// scheduleCountQuery counts the schedules of each status: all, the late ones, and the first that fires.
func (c *Client) scheduleCountQuery() string {
	status, name, next := c.of("Status"), c.of("Name"), c.of("NextAt")
	count := c.Engine.Count()
	return `SELECT q.status, ` + count + `(*), ` + count + `(CASE WHEN q.next_at < ` + c.Engine.Ago(int(dialects.LateAfter.Seconds())) + ` THEN 1 END), MIN(q.next_at), MIN(CASE WHEN q.nth = 1 THEN q.name END)
FROM (SELECT ` + status + ` AS status, ` + name + ` AS name, ` + next + ` AS next_at,
             ROW_NUMBER() OVER (PARTITION BY ` + status + ` ORDER BY CASE WHEN ` + next + ` IS NULL THEN 1 ELSE 0 END, ` + next + `, ` + name + `) AS nth` + c.from(schedules) + `) q
GROUP BY q.status
ORDER BY q.status`
}
