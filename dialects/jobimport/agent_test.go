package jobimport

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestAgentCalendar has every kind of schedule that "dbo.sysschedules" lists
// (learn.microsoft.com/sql/relational-databases/system-tables/dbo-sysschedules-transact-sql).
func TestAgentCalendar(t *testing.T) {
	const wholeDay = 235959
	for name, c := range map[string]struct {
		schedule AgentSchedule
		cron     string // or
		problem  string
		note     string
	}{
		"once":             {AgentSchedule{Type: 1, StartDate: 20260131, StartTime: 233000}, "", "runs once, on 2026-01-31 at 23:30", ""},
		"daily":            {AgentSchedule{Type: 4, Interval: 1, Subday: 1, StartTime: 10500}, "5 1 * * *", "", ""},
		"daily, no subday": {AgentSchedule{Type: 4, Interval: 1, EndTime: wholeDay}, "0 0 * * *", "", ""},
		"daily, seconds":   {AgentSchedule{Type: 4, Interval: 1, StartTime: 10530}, "", "begins at 01:05:30: a calendar has minutes", ""},
		"every third day": {
			AgentSchedule{Type: 4, Interval: 3, StartTime: 13000, NextRun: 20261128}, "every 3 days from 2026-11-28T01:30:00Z", "", "",
		},
		"every third day, more than once": {
			AgentSchedule{Type: 4, Interval: 3, Subday: 8, SubdayInterval: 6, EndTime: wholeDay, NextRun: 20261128}, "", "runs every 3 days, and then more than once", "",
		},
		"every third day, unknown": {AgentSchedule{Type: 4, Interval: 3}, "", "runs every 3 days, and does not say when next", ""},
		"Sundays":                  {AgentSchedule{Type: 8, Interval: 1, Recurrence: 1, StartTime: 20000}, "0 2 * * SUN", "", ""},
		"Monday and Friday":        {AgentSchedule{Type: 8, Interval: 2 + 32, Recurrence: 1}, "0 0 * * MON,FRI", "", ""},
		"working days":             {AgentSchedule{Type: 8, Interval: 62, Recurrence: 1}, "0 0 * * MON-FRI", "", ""},
		"weekends":                 {AgentSchedule{Type: 8, Interval: 65, Recurrence: 1}, "0 0 * * SUN,SAT", "", ""},
		"all week":                 {AgentSchedule{Type: 8, Interval: 127, Recurrence: 1}, "0 0 * * *", "", ""},
		"no day":                   {AgentSchedule{Type: 8, Recurrence: 1}, "", "runs on no day of the week", ""},
		"every second week":        {AgentSchedule{Type: 8, Interval: 2, Recurrence: 2, NextRun: 20260112}, "every 14 days from 2026-01-12T00:00:00Z", "", ""},
		"every second week, two days": {
			AgentSchedule{Type: 8, Interval: 34, Recurrence: 2, NextRun: 20260112}, "", "runs every 14 days, and then more than once", "",
		},
		"from next month":  {AgentSchedule{Type: 4, Interval: 1, StartDate: 20260201, StartTime: 20000}, "0 2 * * * from 2026-02-01T00:00:00Z", "", ""},
		"started long ago": {AgentSchedule{Type: 4, Interval: 1, StartDate: 20200201, EndDate: 99991231, StartTime: 20000}, "0 2 * * *", "", ""},
		"until the year's end": {
			AgentSchedule{Type: 4, Interval: 2, EndDate: 20261231, NextRun: 20260106}, "every 2 days from 2026-01-06T00:00:00Z until 2026-12-31T23:59:59Z", "", "",
		},
		"until last year":    {AgentSchedule{Type: 4, Interval: 1, EndDate: 20251231}, "", "ended on 2025-12-31", ""},
		"monthly":            {AgentSchedule{Type: 16, Interval: 31, Recurrence: 1, StartTime: 120000}, "0 12 31 * *", "", ""},
		"quarterly":          {AgentSchedule{Type: 16, Interval: 1, Recurrence: 3, NextRun: 20261101}, "0 0 1 2,5,8,11 *", "", ""},
		"every two months":   {AgentSchedule{Type: 16, Interval: 1, Recurrence: 2, NextRun: 20260301}, "0 0 1 */2 *", "", ""},
		"yearly":             {AgentSchedule{Type: 16, Interval: 1, Recurrence: 12, NextRun: 20260701}, "0 0 1 7 *", "", ""},
		"quarterly, unknown": {AgentSchedule{Type: 16, Interval: 1, Recurrence: 3}, "", "runs every 3 months, which a calendar does not count", ""},
		"every five months":  {AgentSchedule{Type: 16, Interval: 1, Recurrence: 5, NextRun: 20260301}, "", "runs every 5 months, which a calendar does not count", ""},
		"second Friday":      {AgentSchedule{Type: 32, Interval: 6, Relative: 2, Recurrence: 1}, "0 0 * * 5#2", "", ""},
		"first Sunday":       {AgentSchedule{Type: 32, Interval: 1, Relative: 1, Recurrence: 1}, "0 0 * * 0#1", "", ""},
		"fourth Saturday":    {AgentSchedule{Type: 32, Interval: 7, Relative: 8, Recurrence: 1}, "0 0 * * 6#4", "", ""},
		"third day":          {AgentSchedule{Type: 32, Interval: 8, Relative: 4, Recurrence: 1}, "0 0 3 * *", "", ""},
		"last day":           {AgentSchedule{Type: 32, Interval: 8, Relative: 16, Recurrence: 1}, "0 0 L * *", "", ""},
		"last Friday":        {AgentSchedule{Type: 32, Interval: 6, Relative: 16, Recurrence: 1}, "", "runs on the last of the days of one name in a month, which a calendar does not have", ""},
		"first working day":  {AgentSchedule{Type: 32, Interval: 9, Relative: 1, Recurrence: 1}, "", "runs on a working day of the month, which a calendar does not count", ""},
		"first weekend day":  {AgentSchedule{Type: 32, Interval: 10, Relative: 1, Recurrence: 1}, "", "runs on a weekend day of the month, which a calendar does not count", ""},
		"relative to what":   {AgentSchedule{Type: 32, Interval: 11, Relative: 3, Recurrence: 1}, "", "has freq_interval 11 and freq_relative_interval 3, which are not documented", ""},
		"Agent's start":      {AgentSchedule{Type: 64}, "", "runs when the Agent starts", ""},
		"idle":               {AgentSchedule{Type: 128}, "", "runs when the processors are idle", ""},
		"unknown":            {AgentSchedule{Type: 2}, "", "has the freq_type 2, which is not documented", ""},
		"hourly":             {AgentSchedule{Type: 4, Interval: 1, Subday: 8, SubdayInterval: 1, EndTime: wholeDay}, "0 * * * *", "", ""},
		"every six hours":    {AgentSchedule{Type: 4, Interval: 1, Subday: 8, SubdayInterval: 6, StartTime: 3000, EndTime: wholeDay}, "30 */6 * * *", "", ""},
		"every ten minutes":  {AgentSchedule{Type: 4, Interval: 1, Subday: 4, SubdayInterval: 10, EndTime: wholeDay}, "*/10 * * * *", "", ""},
		"every minute":       {AgentSchedule{Type: 4, Interval: 1, Subday: 4, SubdayInterval: 1, EndTime: wholeDay}, "* * * * *", "", ""},
		"from three past":    {AgentSchedule{Type: 4, Interval: 1, Subday: 4, SubdayInterval: 30, StartTime: 300, EndTime: wholeDay}, "3,33 * * * *", "", ""},
		"in office hours":    {AgentSchedule{Type: 8, Interval: 62, Recurrence: 1, Subday: 4, SubdayInterval: 15, StartTime: 80000, EndTime: 175959}, "*/15 8-17 * * MON-FRI", "", ""},
		"until an hour": {
			AgentSchedule{Type: 4, Interval: 1, Subday: 4, SubdayInterval: 15, StartTime: 80000, EndTime: 180000}, "*/15 8-17 * * *", "",
			"ends at 18:00: this calendar leaves that time itself out",
		},
		"hourly, until an hour": {AgentSchedule{Type: 4, Interval: 1, Subday: 8, SubdayInterval: 1, StartTime: 80000, EndTime: 180000}, "0 8-18 * * *", "", ""},
		"sixty seconds":         {AgentSchedule{Type: 4, Interval: 1, Subday: 2, SubdayInterval: 60, EndTime: wholeDay}, "* * * * *", "", ""},
		"thirty seconds":        {AgentSchedule{Type: 4, Interval: 1, Subday: 2, SubdayInterval: 30, EndTime: wholeDay}, "", "runs every 30 seconds: a calendar has minutes", ""},
		"every seven minutes":   {AgentSchedule{Type: 4, Interval: 1, Subday: 4, SubdayInterval: 7, EndTime: wholeDay}, "", "runs every 7 minutes from 00:00 to 23:59:59, which five fields cannot say", ""},
		"over midnight":         {AgentSchedule{Type: 4, Interval: 1, Subday: 8, SubdayInterval: 1, StartTime: 220000, EndTime: 60000}, "", "runs from 22:00 over midnight to 06:00", ""},
		"no interval":           {AgentSchedule{Type: 4, Interval: 1, Subday: 4, EndTime: wholeDay}, "", "has no interval within the day", ""},
		"unknown subday":        {AgentSchedule{Type: 4, Interval: 1, Subday: 16, SubdayInterval: 1}, "", "has the freq_subday_type 16, which is not documented", ""},
	} {
		t.Run(name, func(t *testing.T) {
			when, notes, err := c.schedule.calendar(clockRules{loc: time.UTC, today: 20260105})
			if c.problem != "" {
				require.EqualError(t, err, c.problem)
				return
			}
			require.NoError(t, err)
			cron := when.Calendar
			if !when.Begin.IsZero() {
				cron += " from " + begins(when.Begin)
			}
			if !when.End.IsZero() {
				cron += " until " + begins(when.End)
			}
			require.Equal(t, c.cron, cron)
			require.Equal(t, c.note, strings.Join(notes, "; "))
		})
	}
}

func server() AgentServer { return AgentServer{Database: "Sales", Zone: "UTC", Today: 20260105} }

// job returns a job whose steps each lead to the next, with a nightly schedule.
func job(change func(*AgentJob)) AgentJob {
	j := AgentJob{Name: "Load", Owner: "sa", Enabled: true, StartStep: 1, Schedules: []AgentSchedule{{Name: "Nightly", Enabled: true, Type: 4, Interval: 1, StartTime: 20000}}}
	for i, name := range []string{"a", "b", "c"} {
		j.Steps = append(j.Steps, AgentStep{ID: i + 1, Name: name, Subsystem: "TSQL", Command: "EXEC " + name, Database: "sales", OnSuccess: nextStep, OnFail: quitBadly})
	}
	j.Steps[2].OnSuccess = quitWell
	change(&j)
	return j
}

// sqls returns the tasks with their waves.
func sqls(f dialects.ForeignJob) string {
	var all []string
	for _, t := range f.Schedule.Tasks {
		all = append(all, strings.Repeat(".", t.Order/100-1)+t.SQL)
	}
	return strings.Join(all, " ")
}

const owned = "its owner is sa; tasks run as the user who creates the schedule"

// TestAgentJob has what "sp_add_job" and "sp_add_jobstep" document, and the results.
func TestAgentJob(t *testing.T) {
	const all = "EXEC a .EXEC b ..EXEC c"
	for name, c := range map[string]struct {
		change    func(*AgentJob)
		tasks     string
		onError   string
		notes     string // beyond the owner
		obstacles string
	}{
		"three steps": {func(*AgentJob) {}, all, "Halt", "", ""},
		"described": {func(j *AgentJob) {
			j.Description, j.Enabled, j.DeleteLevel, j.Notify = "Loads", false, 1, []string{"it e-mails operator Ann when it fails"}
		}, all, "Halt", "it is disabled; no counterpart: it e-mails operator Ann when it fails", "the job deletes itself after it has run"},
		"described by default": {func(j *AgentJob) { j.Description = "No description available." }, all, "Halt", "", ""},
		"another order": {func(j *AgentJob) {
			j.StartStep, j.Steps[2].OnSuccess, j.Steps[2].SuccessStep, j.Steps[1].OnSuccess = 3, goToStep, 1, quitWell
		}, "EXEC c .EXEC a ..EXEC b", "Halt", "", ""},
		"a step for failures": {func(j *AgentJob) {
			j.Steps[1].OnSuccess, j.Steps[0].OnFail, j.Steps[0].FailStep = quitWell, goToStep, 3
		}, "EXEC a .EXEC b", "Halt", "step 3 (c) does not run if all goes well, and is left out", "step 1 (a) goes to step 3 when it fails"},
		"the next one of the last": {func(j *AgentJob) { j.Steps[2].OnSuccess = nextStep }, all, "Halt", "", ""},
		"a circle":                 {func(j *AgentJob) { j.Steps[2].OnSuccess, j.Steps[2].SuccessStep = goToStep, 1 }, all, "Halt", "", "its steps run in a circle: step 1 comes again"},
		"a step that is not there": {func(j *AgentJob) { j.Steps[0].OnSuccess, j.Steps[0].SuccessStep = goToStep, 9 }, "EXEC a", "Halt", "step 2 (b) does not run if all goes well, and is left out; step 3 (c) does not run if all goes well, and is left out", "it has no step 9, which is to run"},
		"fails when it succeeds":   {func(j *AgentJob) { j.Steps[2].OnSuccess = quitBadly }, all, "Halt", "", "step 3 (c) ends the job as failed when it succeeds"},
		"goes on after failures": {func(j *AgentJob) {
			j.Steps[0].OnFail, j.Steps[1].OnFail, j.Steps[1].FailStep = nextStep, goToStep, 3
		}, all, "Continue", "a step that fails leaves the process Failed, even if the last one succeeds", ""},
		"goes on after some": {func(j *AgentJob) { j.Steps[0].OnFail = nextStep }, all, "Halt", "", "after a failure of step 1 (a) the job goes on, of step 2 (b) it ends: a process has one on-error for all"},
		"succeeds when it fails": {func(j *AgentJob) { j.Steps[0].OnFail, j.Steps[2].OnFail = quitWell, quitWell }, all, "Halt",
			"the job ends, and counts as successful, if step 1 (a) fails; the process is Failed; the job counts as successful if step 3 (c) fails; the process is Failed", ""},
		"no steps": {func(j *AgentJob) { j.Steps, j.StartStep = nil, 0 }, "", "Halt", "", "nothing of it can be a task"},
		"other subsystems": {func(j *AgentJob) {
			j.Steps[0].Subsystem, j.Steps[1].Subsystem, j.Steps[2].Subsystem = "CmdExec", "PowerShell", "SSIS"
		}, "", "Halt", "", "step 1 (a) is of subsystem CmdExec: a task is SQL; step 2 (b) is of subsystem PowerShell: a task is SQL; step 3 (c) is of subsystem SSIS: a task is SQL; nothing of it can be a task"},
		"proxies, users, output": {func(j *AgentJob) {
			j.Steps[0].Proxy, j.Steps[0].User, j.Steps[0].Output, j.Steps[0].Flags = "files", "loader", `C:\log.txt`, 8
		}, all, "Halt", `no counterpart: step 1 (a) runs as proxy files; no counterpart: step 1 (a) writes its output to C:\log.txt; no counterpart: step 1 (a) logs its output to a table; step 1 (a) runs as user loader; tasks run as the user who creates the schedule`, ""},
		"batches":       {func(j *AgentJob) { j.Steps[0].Command = "EXEC a\r\nGO\r\nEXEC x\r\ngo" }, "EXEC a\nGO\nEXEC x .EXEC b ..EXEC c", "Halt", "", "step 1 (a) has several batches, between which stands GO: a task is one"},
		"GO at the end": {func(j *AgentJob) { j.Steps[0].Command = "EXEC a\r\nGO\r\n" }, all, "Halt", "", ""},
		"tokens":        {func(j *AgentJob) { j.Steps[0].Command = "PRINT N'$(ESCAPE_SQUOTE(JOBNAME))'" }, "PRINT N'$(ESCAPE_SQUOTE(JOBNAME))' .EXEC b ..EXEC c", "Halt", "", "step 1 (a) has the token $(ESCAPE_SQUOTE(JOBNAME)), which only the Agent replaces"},
		"double quotes": {func(j *AgentJob) { j.Steps[0].Command = `PRINT "a"` }, `PRINT "a" .EXEC b ..EXEC c`, "Halt", "step 1 (a): what stands in double quotes is a text to the Agent, and a name in a task (QUOTED_IDENTIFIER)", ""},
		"nothing":       {func(j *AgentJob) { j.Steps[1].Command = " " }, "EXEC a .EXEC c", "Halt", "step 2 (b) is empty, and is left out", ""},
		"another database": {func(j *AgentJob) { j.Steps[0].Database, j.Steps[0].Command = "we]ird", "PRINT 'x'" }, "EXEC [we]]ird].sys.sp_executesql N'PRINT ''x'''; .EXEC b ..EXEC c", "Halt",
			"step 1 (a) runs in database we]ird, which must trust the tasks of the user who creates the schedule: dbsched render --trust --users USER --to we]ird", ""},
		"no schedule": {func(j *AgentJob) { j.Schedules = nil }, all, "Halt", "", "it has no schedule: start the plan with dbsched run"},
		"once only":   {func(j *AgentJob) { j.Schedules[0].Type = 128 }, all, "Halt", "", "schedule Nightly runs when the processors are idle"},
		"another schedule": {func(j *AgentJob) {
			j.Schedules = append(j.Schedules, AgentSchedule{Name: "Idle", Enabled: true, Type: 128}, AgentSchedule{Name: "Noon", Type: 4, Interval: 1, StartTime: 120000, StartDate: 20260201, EndDate: 20261231})
		}, all, "Halt", `schedule Noon is disabled; it has another schedule, Noon: create a second one under another name, ` +
			`with --cron "0 12 * * *" --begin 2026-02-01T00:00:00Z --end 2026-12-31T23:59:59Z`, "schedule Idle runs when the processors are idle"},
		"two schedules": {func(j *AgentJob) {
			j.Schedules = append(j.Schedules, AgentSchedule{Name: "Noon", Enabled: true, Type: 4, Interval: 1, StartTime: 120000}, AgentSchedule{Name: "Idle", Type: 128})
		}, all, "Halt", "no counterpart: schedule Idle runs when the processors are idle", `it has another schedule, Noon: create a second one under another name, with --cron "0 12 * * *"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := Agent(job(c.change), server())
			require.Equal(t, c.tasks, sqls(got))
			require.Equal(t, c.onError, got.Schedule.Process.OnError)
			require.Equal(t, c.obstacles, strings.Join(got.Obstacles, "; "))
			notes := []string{owned}
			if c.notes != "" {
				notes = append(notes, c.notes)
			}
			want := strings.Join(notes, "; ")
			if name == "described" {
				want = "description: Loads; " + want
			}
			require.Equal(t, want, strings.Join(got.Notes, "; "))
			require.True(t, got.Schedule.Disabled)
			require.Equal(t, "EXEC msdb.dbo.sp_update_job @job_name = N'Load', @enabled = 0;", got.Disable)
		})
	}
}

func TestAgentSchedules(t *testing.T) {
	got := Agent(job(func(*AgentJob) {}), server()).Schedule
	require.Equal(t, "Load 0 2 * * * UTC Skip None", strings.Join([]string{got.Name, got.Calendar, got.Zone, got.Overlap, got.Missed}, " "))

	// The first enabled one is used.
	got = Agent(job(func(j *AgentJob) {
		j.Schedules = append([]AgentSchedule{{Name: "off", Type: 4, Interval: 1}}, j.Schedules...)
	}), server()).Schedule
	require.Equal(t, "0 2 * * *", got.Calendar)

	s := server()
	s.Zone = ""
	require.Equal(t, []string{"this version of SQL Server does not tell the time zone of its clock: name it with --zone"}, Agent(job(func(*AgentJob) {}), s).Obstacles)
}

// TestAgentClock: days are counted and dates are limits only by a clock that is known, and counted only by one that never changes.
func TestAgentClock(t *testing.T) {
	warsaw, err := time.LoadLocation("Europe/Warsaw")
	require.NoError(t, err)
	kolkata, err := time.LoadLocation("Asia/Kolkata")
	require.NoError(t, err)
	third := AgentSchedule{Type: 4, Interval: 3, StartTime: 13000, NextRun: 20261128}
	later := AgentSchedule{Type: 4, Interval: 1, StartDate: 20260701, EndDate: 20261231}
	when, _, err := third.calendar(clockRules{kolkata, 20260105})
	require.NoError(t, err)
	require.Equal(t, "2026-11-27T20:00:00Z", begins(when.Begin))
	when, _, err = later.calendar(clockRules{warsaw, 20260105})
	require.NoError(t, err)
	require.Equal(t, "2026-06-30T22:00:00Z 2026-12-31T22:59:59Z", begins(when.Begin)+" "+begins(when.End))
	for _, loc := range []*time.Location{nil, warsaw} {
		_, _, err = third.calendar(clockRules{loc, 20260105})
		require.ErrorContains(t, err, "by a clock that changes in summer, or of which nothing is known")
	}
	_, _, err = later.calendar(clockRules{nil, 20260105})
	require.ErrorContains(t, err, "begins or ends by a clock of which nothing is known")
}

func TestAgentRetries(t *testing.T) {
	for _, c := range []struct {
		retries, minutes, attempts int
		delay                      time.Duration
		notes                      []string
	}{
		{0, 5, 0, 0, nil},
		{1, 5, 2, 5 * time.Minute, nil},
		{1, 0, 2, time.Second, nil},
		{3, 1, 4, time.Minute, []string{"step 1 (a): the pause of 1m0s doubles with each retry, up to the limit in the settings"}},
		{200, 3000, 100, 24 * time.Hour, []string{
			"step 1 (a) is tried 201 times, 50h0m0s apart: a task has at most 100 attempts and 24h0m0s",
			"step 1 (a): the pause of 24h0m0s doubles with each retry, up to the limit in the settings",
		}},
	} {
		got := Agent(job(func(j *AgentJob) { j.Steps[0].Retries, j.Steps[0].Minutes = c.retries, c.minutes }), server())
		require.Equal(t, c.attempts, got.Schedule.Tasks[0].MaxAttempts)
		require.Equal(t, c.delay, got.Schedule.Tasks[0].RetryDelay)
		require.Equal(t, append([]string{owned}, c.notes...), got.Notes)
	}
}

func TestLongNames(t *testing.T) {
	got := Agent(job(func(j *AgentJob) { j.Name = strings.Repeat("ż", 128) }), server())
	require.Equal(t, strings.Repeat("ż", 100), got.Schedule.Name)
	require.Equal(t, strings.Repeat("ż", 128), got.Name)
	require.Contains(t, got.Notes, "the name of a schedule has at most 100 characters")
}

// TestLines: line ends of SQL become those of plans, unless a string literal contains one.
func TestLines(t *testing.T) {
	require.Equal(t, "a\nb", lines("a\r\nb"))
	require.Equal(t, "SELECT 'a\r\nb'", lines("SELECT 'a\r\nb'"))
	require.Equal(t, "SELECT 'a'\n, 'b'", lines("SELECT 'a'\r\n, 'b'"))
}
