package jobimport

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/zones"
	"github.com/dbsched/dbsched/templates"
)

// AgentJob is a job of SQL Server Agent: a row of msdb's sysjobs, with its steps and schedules.
type AgentJob struct {
	Name, Description, Owner string
	Enabled                  bool
	StartStep                int
	DeleteLevel              int // not 0: the job deletes itself
	Notify                   []string
	Steps                    []AgentStep     // by number
	Schedules                []AgentSchedule // by number
}

// AgentStep is a row of sysjobsteps.
type AgentStep struct {
	ID                                                         int
	Name, Subsystem, Command, Database, User, Output, Proxy    string
	OnSuccess, SuccessStep, OnFail, FailStep, Retries, Minutes int
	Flags                                                      int
}

// What follows a step: on_success_action and on_fail_action.
const (
	quitWell  = 1
	quitBadly = 2
	nextStep  = 3
	goToStep  = 4
)

// AgentServer is what the server reports about itself.
type AgentServer struct {
	Database string // where dbsched is installed
	Zone     string // of the server's clock, in its own words; empty: not reported
	Today    int    // yyyymmdd, by the server's clock
}

// Agent converts a job of SQL Server Agent to a schedule.
func Agent(j AgentJob, s AgentServer) dialects.ForeignJob {
	r := start(j.Name)
	r.Disable = "EXEC msdb.dbo.sp_update_job @job_name = " + templates.QuoteString(j.Name) + ", @enabled = 0;"
	// The Agent does not make up for times missed while it was down, and starts no second run of a job.
	r.Schedule.Missed, r.Schedule.Overlap = "None", "Skip"
	if j.Description != "" && !strings.HasPrefix(j.Description, "No description available") {
		r.note("description: %s", j.Description)
	}
	r.note("its owner is %s; tasks run as the user who creates the schedule", j.Owner)
	if !j.Enabled {
		r.note("it is disabled")
	}
	for _, n := range j.Notify {
		r.note("no counterpart: %s", n)
	}
	if j.DeleteLevel != 0 {
		r.obstacle("the job deletes itself after it has run")
	}
	r.agentSteps(j, s)
	r.agentSchedules(j.Schedules, s)
	return r.done()
}

// agentSteps follows the steps as they run if all succeed.
func (r *result) agentSteps(j AgentJob, s AgentServer) {
	seen := map[int]bool{}
	var flow []AgentStep
	for id := j.StartStep; id != 0; {
		i := slices.IndexFunc(j.Steps, func(st AgentStep) bool { return st.ID == id })
		switch {
		case i < 0 && len(flow) > 0 && id == flow[len(flow)-1].ID+1 && id > len(j.Steps):
			id = 0 // "next step" of the last one
			continue
		case i < 0:
			r.obstacle("it has no step %d, which is to run", id)
			id = 0
			continue
		case seen[id]:
			r.obstacle("its steps run in a circle: step %d comes again", id)
			id = 0
			continue
		}
		st := j.Steps[i]
		seen[id] = true
		flow = append(flow, st)
		switch st.OnSuccess {
		case nextStep:
			id++
		case goToStep:
			id = st.SuccessStep
		case quitBadly:
			r.obstacle("%s ends the job as failed when it succeeds", named(st.ID, st.Name))
			id = 0
		default:
			id = 0
		}
	}
	for _, st := range j.Steps {
		if !seen[st.ID] {
			r.note("%s does not run if all goes well, and is left out", named(st.ID, st.Name))
		}
	}
	r.agentFailures(flow)
	for _, st := range flow {
		r.agentStep(st, s)
	}
}

// agentFailures finds out what a failure does: a process has one reaction for all its tasks.
func (r *result) agentFailures(flow []AgentStep) {
	goesOn := map[bool][]string{}
	for i, st := range flow {
		last := i == len(flow)-1
		name := named(st.ID, st.Name)
		switch {
		case st.OnFail == goToStep && !last && st.FailStep == flow[i+1].ID, st.OnFail == nextStep && !last && st.ID+1 == flow[i+1].ID:
			goesOn[true] = append(goesOn[true], name)
		case st.OnFail == goToStep, st.OnFail == nextStep && !last:
			to := st.FailStep
			if st.OnFail == nextStep {
				to = st.ID + 1
			}
			r.obstacle("%s goes to step %d when it fails", name, to)
		case last: // nothing comes after it
			if st.OnFail == quitWell {
				r.note("the job counts as successful if %s fails; the process is Failed", name)
			}
		default:
			goesOn[false] = append(goesOn[false], name)
			if st.OnFail == quitWell {
				r.note("the job ends, and counts as successful, if %s fails; the process is Failed", name)
			}
		}
	}
	r.Schedule.Process.OnError = "Halt"
	switch {
	case len(goesOn[true]) == 0:
	case len(goesOn[false]) > 0:
		r.obstacle("after a failure of %s the job goes on, of %s it ends: a process has one on-error for all", strings.Join(goesOn[true], ", "), strings.Join(goesOn[false], ", "))
	default:
		r.Schedule.Process.OnError = "Continue"
		r.note("a step that fails leaves the process Failed, even if the last one succeeds")
	}
}

var (
	agentToken = regexp.MustCompile(`\$\((ESCAPE_(SQUOTE|DQUOTE|RBRACKET|NONE)\()?(A-(DBN|SVR|ERR|SEV|MSG)|DATE|INST|JOBID|JOBNAME|MACH|MSSA|OSCMD|SQLDIR|SQLLOGDIR|` +
		`STEPCT|STEPID|STEPNAME|SRVR|TIME|STRTTM|STRTDT|WMI\(.*)\)+`)
	separator = regexp.MustCompile(`(?mi)^[ \t]*go[ \t]*(?:[0-9]+[ \t]*)?;?[ \t]*\r?$`)
	lastGo    = regexp.MustCompile(`(?i)(?:^|\n)[ \t]*go[ \t]*\r?\n?\s*$`)
)

// agentStep converts a step to a task.
func (r *result) agentStep(st AgentStep, s AgentServer) {
	name := named(st.ID, st.Name)
	if st.Proxy != "" {
		r.note("no counterpart: %s runs as proxy %s", name, st.Proxy)
	}
	if st.Output != "" {
		r.note("no counterpart: %s writes its output to %s", name, st.Output)
	}
	if st.Flags&(8|16) != 0 {
		r.note("no counterpart: %s logs its output to a table", name)
	}
	if !strings.EqualFold(st.Subsystem, "TSQL") {
		r.obstacle("%s is of subsystem %s: a task is SQL", name, st.Subsystem)
		return
	}
	if st.User != "" {
		r.note("%s runs as user %s; tasks run as the user who creates the schedule", name, st.User)
	}
	text := lastGo.ReplaceAllString(st.Command, "")
	if separator.MatchString(text) {
		r.obstacle("%s has several batches, between which stands GO: a task is one", name)
	}
	if token := agentToken.FindString(text); token != "" {
		r.obstacle("%s has the token %s, which only the Agent replaces", name, token)
	}
	if strings.Contains(text, `"`) {
		r.note(`%s: what stands in double quotes is a text to the Agent, and a name in a task (QUOTED_IDENTIFIER)`, name)
	}
	t := dialects.NewTask{SQL: lines(strings.TrimSpace(text))}
	if t.SQL == "" {
		r.note("%s is empty, and is left out", name)
		return
	}
	if !strings.EqualFold(st.Database, s.Database) {
		t.SQL = "EXEC " + templates.QuoteIdent(st.Database) + ".sys.sp_executesql " + templates.QuoteString(t.SQL) + ";"
		r.note("%s runs in database %s, which must trust the tasks of the user who creates the schedule: dbsched render --trust --users USER --to %s", name, st.Database, st.Database)
	}
	r.retries(&t, name, st.Retries, time.Duration(st.Minutes)*time.Minute)
	r.add(t)
}

// lines changes line ends to those of plans, unless a string literal in the SQL might contain one of them.
func lines(sql string) string {
	inText := false
	for _, c := range sql {
		switch {
		case c == '\'':
			inText = !inText
		case c == '\n' && inText:
			return sql
		}
	}
	return strings.ReplaceAll(sql, "\r\n", "\n")
}

// agentSchedules uses the first enabled schedule of a job that can be a calendar.
func (r *result) agentSchedules(all []AgentSchedule, s AgentServer) {
	if len(all) == 0 {
		r.obstacle("it has no schedule: start the plan with dbsched run")
		return
	}
	clock := clockRules{today: s.Today}
	clock.loc, _ = zones.Location(s.Zone)
	chosen := -1
	calendars := make([]dialects.When, len(all))
	var disabled []string // why those cannot be calendars
	for i, of := range all {
		calendar, notes, err := of.calendar(clock)
		if err != nil {
			if text := fmt.Sprintf("schedule %s %v", of.Name, err); of.Enabled {
				r.obstacle("%s", text)
			} else {
				disabled = append(disabled, text)
			}
			continue
		}
		calendars[i] = calendar
		if chosen < 0 || of.Enabled && !all[chosen].Enabled {
			chosen = i
		}
		for _, n := range notes {
			r.note("schedule %s %s", of.Name, n)
		}
		if !of.Enabled {
			r.note("schedule %s is disabled", of.Name)
		}
	}
	if chosen < 0 {
		r.Obstacles = append(r.Obstacles, disabled...)
		return
	}
	for _, text := range disabled {
		r.note("no counterpart: %s", text)
	}
	r.Schedule.Calendar, r.Schedule.Begin, r.Schedule.End = calendars[chosen].Calendar, calendars[chosen].Begin, calendars[chosen].End
	for i, w := range calendars {
		if i == chosen || w.Calendar == "" {
			continue
		}
		text := fmt.Sprintf("it has another schedule, %s: create a second one under another name, with --cron %q", all[i].Name, w.Calendar)
		if !w.Begin.IsZero() {
			text += " --begin " + begins(w.Begin)
		}
		if !w.End.IsZero() {
			text += " --end " + begins(w.End)
		}
		if all[i].Enabled {
			r.obstacle("%s", text)
		} else {
			r.note("%s", text)
		}
	}
	r.Schedule.Zone = s.Zone
	if s.Zone == "" {
		r.obstacle("this version of SQL Server does not tell the time zone of its clock: name it with --zone")
	}
}
