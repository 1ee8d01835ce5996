package jobimport

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// OracleJob is a job of DBMS_SCHEDULER: a row of ALL_SCHEDULER_JOBS with what it refers to, or one of DBMS_JOB.
type OracleJob struct {
	Owner, Name, Comments string
	Number                int64 // of DBMS_JOB; 0: the job is one of DBMS_SCHEDULER
	Enabled               bool
	Unit                  OracleUnit // its own action, or that of its program
	Program               string     // its name
	ScheduleType          string     // CALENDAR, PLSQL, ONCE …: its own, or that of its named schedule
	Repeat                string
	Zone                  string    // time zone of its start; empty: unknown
	Start                 time.Time // what its calendar counts from; zero: unknown
	Next                  time.Time // next run; zero: unknown
	Ends                  time.Time // after it, it no longer runs; zero: without end
	Class                 string
	MaxRuns, MaxFailures  int
	Restartable           bool
	Notify                []string // e-mail recipients
	Chain                 OracleChain
}

// OldJob is the prefix for names of DBMS_JOB's jobs, which have only numbers.
const OldJob = "DBMS_JOB "

// OracleUnit is what a job or a program runs.
type OracleUnit struct {
	Owner, Type, Action string
	Arguments           []OracleArgument // by position
}

// OracleArgument is an argument of a stored procedure.
type OracleArgument struct {
	Position    int
	Type, Value string
	Known       bool // Value is a text, and not ANYDATA or missing
}

// OracleServer is what the server reports about itself.
type OracleServer struct {
	Owner string // of dbsched
	Clock string // time zone of the server's clock, which SYSDATE uses
	Zone  string // of calendars without a start; empty: not set
	Now   time.Time
	Hides bool // the owner's schema has an object of its name, so that in its sessions that name does not mean the schema
}

// Quotes are quoting functions of the dialect: for an identifier, and for a text.
type Quotes struct{ Ident, Text func(string) string }

// Oracle converts a job of DBMS_SCHEDULER or DBMS_JOB to a schedule.
func Oracle(j OracleJob, s OracleServer, q Quotes) dialects.ForeignJob {
	name := j.Name
	if j.Owner != s.Owner {
		name = j.Owner + "." + j.Name
	}
	r := start(name)
	if s.Hides {
		r.hidden = s.Owner
	}
	job := q.Ident(j.Owner) + "." + q.Ident(j.Name)
	r.Disable = "begin dbms_scheduler.disable(" + q.Text(job) + "); end;"
	if j.Number != 0 {
		r.Disable = fmt.Sprintf("begin dbms_job.broken(%d, true); commit; end;", j.Number)
	}
	r.Schedule.Missed, r.Schedule.Overlap, r.Schedule.Process.OnError = "Once", "Skip", "Halt"
	r.note("a time that passes while the schedule is disabled is one that it misses: it fires once for all of them when it is resumed")
	if j.Comments != "" {
		r.note("comments: %s", j.Comments)
	}
	if j.Owner != s.Owner {
		r.note("it runs as %s; tasks run as the owner or the runner of dbsched, with its rights, and names are looked for in its schema", j.Owner)
	}
	if !j.Enabled {
		r.note("it is disabled")
	}
	r.oracleAttributes(j)
	if j.Unit.Type == "CHAIN" {
		r.chain(j.Chain, q)
	} else if sql, parameters := r.unit("it", j.Unit, q); sql != "" {
		t := dialects.NewTask{SQL: sql, Parameters: parameters}
		if j.Restartable {
			t.MaxAttempts, t.RetryDelay = 7, time.Second
			r.note("it is tried again up to 6 times, after 1 second and each time ten times longer; a task doubles its pause")
		}
		r.add(t)
	}
	r.oracleCalendar(j, s)
	return r.done()
}

// oracleAttributes notes what has no counterpart.
func (r *result) oracleAttributes(j OracleJob) {
	for _, n := range j.Notify {
		r.note("no counterpart: %s", n)
	}
	for _, a := range []struct {
		is   bool
		text string
	}{
		{j.MaxFailures > 0, fmt.Sprintf("it is disabled after %d failures", j.MaxFailures)},
		{j.Class != "" && j.Class != "DEFAULT_JOB_CLASS", "its job class is " + j.Class},
	} {
		if a.is {
			r.note("no counterpart: %s", a.text)
		}
	}
}

var (
	opens      = regexp.MustCompile(`(?i)\bbegin\b`)
	block      = regexp.MustCompile(`(?i)^(begin|declare)\b`)
	metadata   = regexp.MustCompile(`(?i)\b(job_name|job_subname|job_owner|job_start|job_scheduled_start|window_start|window_end|event_message)\b`)
	simpleName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_$#]*$`)
)

// unit converts an action to a PL/SQL block, with the values of its parameters; where names it in messages.
func (r *result) unit(where string, u OracleUnit, q Quotes) (sql, parameters string) {
	action := strings.TrimRight(strings.TrimSpace(u.Action), " \t\r\n/")
	switch u.Type {
	case "PLSQL_BLOCK":
		if word := metadata.FindString(action); word != "" {
			r.note("%s names %s: if that is the variable of the Scheduler, a task does not have it", where, strings.ToLower(word))
		}
		if !strings.HasSuffix(action, ";") {
			action += ";"
		}
		if block.MatchString(action) && len(opens.FindAllString(action, -1)) == 1 {
			return lines(action), ""
		}
		return lines("begin\n" + action + "\nend;"), "" // as the Scheduler does
	case "STORED_PROCEDURE":
		return r.procedure(where, u, q)
	}
	r.obstacle("%s is of type %s: a task is SQL", where, u.Type)
	return "", ""
}

// procedure returns a block that calls a stored procedure.
func (r *result) procedure(where string, u OracleUnit, q Quotes) (sql, parameters string) {
	name := u.Action
	parts := strings.Split(name, ".")
	for i, p := range parts {
		p = strings.TrimSpace(p)
		if simpleName.MatchString(p) {
			p = strings.ToUpper(p)
		} else {
			p = strings.Trim(p, `"`)
		}
		parts[i] = q.Ident(p)
	}
	switch {
	case len(parts) > 1: // with two, the first may be a schema or a package
	case u.Owner == r.hidden:
		r.note("schema %s has an object of its name, so that %s names its procedure without it: add the schema if dbsched has a runner", u.Owner, where)
	default:
		parts = append([]string{q.Ident(u.Owner)}, parts...)
	}
	var places, members []string
	for _, a := range u.Arguments {
		typ := map[string]string{"NUMBER": "number", "INTEGER": "number", "VARCHAR2": "varchar2", "CHAR": "varchar2", "": "varchar2"}[a.Type]
		if typ == "" || !a.Known {
			r.obstacle("%s has the argument %d of type %s, whose value cannot be taken over", where, a.Position, a.Type)
			return "", ""
		}
		value, _ := json.Marshal(a.Value) // a text can always be encoded
		if typ == "number" && json.Valid([]byte(a.Value)) {
			value = []byte(a.Value)
		}
		places = append(places, fmt.Sprintf(":a%d", a.Position))
		members = append(members, fmt.Sprintf(`"a%d %s": %s`, a.Position, typ, value))
	}
	sql = strings.Join(parts, ".")
	if len(places) > 0 {
		return "begin " + sql + "(" + strings.Join(places, ", ") + "); end;", "{" + strings.Join(members, ", ") + "}"
	}
	return "begin " + sql + "; end;", ""
}

// oracleCalendar converts the repeat interval, and when it begins and ends.
func (r *result) oracleCalendar(j OracleJob, s OracleServer) {
	switch {
	case j.Repeat == "" && j.ScheduleType != "EVENT" && !strings.HasPrefix(j.ScheduleType, "WINDOW"):
		r.obstacle("it runs once: start the plan with dbsched run")
	case j.Repeat == "" || j.ScheduleType == "EVENT":
		r.obstacle("it is started by %s, not by a calendar", map[bool]string{true: "an event", false: "a window"}[j.ScheduleType == "EVENT"])
	case strings.Contains(j.Repeat, "=") && j.ScheduleType != "PLSQL":
		r.Schedule.Zone = j.Zone
		if j.Zone == "" {
			r.Schedule.Zone = s.Zone
		}
		if r.Schedule.Zone == "" {
			r.note("its time zone is that of the server's clock when it is enabled: name it with --zone, else it is UTC")
		}
		r.Schedule.Calendar, r.Schedule.Begin = j.Repeat, j.Start
		r.calendarString(j, s)
	default:
		calendar, elapsed := interval(j.Repeat)
		if calendar == "" {
			r.obstacle("its interval %q cannot be read as a calendar", j.Repeat)
			return
		}
		r.Schedule.Calendar = calendar
		if elapsed {
			r.Schedule.Begin = j.Next
			r.note("its interval is counted from when it last ran; that of the schedule from %s", begins(j.Next))
			break // a zone does not matter
		}
		r.Schedule.Zone = s.Clock
		if strings.HasPrefix(s.Clock, "+") && s.Clock != "+00:00" || strings.HasPrefix(s.Clock, "-") {
			r.note("SYSDATE goes by the server's clock, which is at %s now: name its region with --zone if that changes in summer", s.Clock)
		}
		if j.Start.After(s.Now) {
			r.obstacle("it first runs on %s, whatever its interval says", begins(j.Start))
		}
	}
	if r.Schedule.Zone == "+00:00" {
		r.Schedule.Zone = "UTC"
	}
	if r.Schedule.End = j.Ends; !j.Ends.IsZero() && j.Ends.Before(s.Now) {
		r.obstacle("it ended on %s", j.Ends.UTC().Format(time.RFC3339))
	}
	if j.MaxRuns > 0 {
		r.obstacle("it ends after %d runs", j.MaxRuns)
	}
}

func begins(at time.Time) string {
	if at.IsZero() {
		return "when it is created"
	}
	return at.UTC().Format(time.RFC3339)
}

var clauses = regexp.MustCompile(`(?i)\b([A-Z]+)\s*=\s*([^;]*)`)

// calendarString finds what a calendar takes from elsewhere: its start date, and other schedules (DBMS_SCHEDULER, "Calendaring Syntax").
func (r *result) calendarString(j OracleJob, s OracleServer) {
	have := map[string]string{}
	for _, m := range clauses.FindAllStringSubmatch(j.Repeat, -1) {
		have[strings.ToUpper(m[1])] = strings.ToUpper(strings.TrimSpace(m[2]))
	}
	freq := have["FREQ"] + have["FREQUENCY"]
	level, standard := map[string]int{"YEARLY": 5, "MONTHLY": 4, "WEEKLY": 3, "DAILY": 2, "HOURLY": 1, "MINUTELY": 0, "SECONDLY": -1}[freq]
	if names := have["INCLUDE"] + have["EXCLUDE"] + have["INTERSECT"]; (names != "" || freq != "" && !standard) && j.Owner != s.Owner {
		r.obstacle("its calendar names schedules of %s, which dbsched would look for in its own schema", j.Owner)
	}
	if !j.Start.IsZero() || !standard {
		return
	}
	var missing []string
	if n := have["INTERVAL"]; n != "" && n != "1" {
		missing = append(missing, "the first of its intervals of "+n)
	}
	weeks, clock := have["BYWEEKNO"] != "", have["BYTIME"] != ""
	days := have["BYDAY"]+have["BYMONTHDAY"]+have["BYYEARDAY"]+have["BYDATE"] != ""
	for _, c := range []struct {
		name  string
		level int // of the lowest frequency that takes it from the start
		is    bool
	}{
		{"BYMONTH", 5, days || weeks || have["BYMONTH"] != ""}, {"BYMONTHDAY", 4, days || weeks}, {"BYDAY", 3, days || level > 3 && !weeks},
		{"BYHOUR", 2, clock || have["BYHOUR"] != ""}, {"BYMINUTE", 1, clock || have["BYMINUTE"] != ""}, {"BYSECOND", 0, clock || have["BYSECOND"] != ""},
	} {
		if level >= c.level && !c.is {
			missing = append(missing, c.name)
		}
	}
	if len(missing) > 0 {
		r.obstacle("its calendar takes %s from its start, which it does not have", strings.Join(missing, ", "))
	}
}
