package mssql

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/agent"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/security"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// agentStarter runs the steps of jobs, each in a session of its own.
type agentStarter struct{ srv *Server }

var _ agent.Starter = agentStarter{}

// stepSink is the Agent's end of a step's connection. After the first error it sends an attention: the rest of the step
// does not run.
type stepSink struct {
	discard
	s   *Session
	out *agent.Outcome
}

func (k stepSink) Error(e *sqlerr.Error) {
	if k.out.Err == nil {
		k.out.Err = e
		k.s.task.Interrupt()
	}
}

func (k stepSink) Info(e *sqlerr.Error) {
	k.out.Output = strings.TrimSpace(fmt.Sprintf("%s %s [SQLSTATE 01000] (Message %d).", k.out.Output, e.Text, e.Number))
}

// Start implements agent.Starter.
func (st agentStarter) Start(r *agent.Run, step agent.Step, done func(agent.Outcome)) {
	srv := st.srv
	db, login := srv.catalog.DatabaseByName(step.Database), srv.catalog.LoginByName(r.Job.Owner)
	if db == nil || login == nil {
		e := message.MS(911, step.Database)
		srv.k.Post(0, func() { done(agent.Outcome{Err: e}) })
		return
	}
	tok, _ := db.LoginToken(login) // a sysadmin
	s := srv.newSession(login, db, false)
	s.who.Start(security.Context{Home: db, Token: tok, Login: login})
	s.program = fmt.Sprintf("SQLAgent - TSQL JobStep (Job 0x%X : Step %d)", r.Job.ID[:], step.ID)
	s.set.QuotedIdentifier = false
	s.agentRun = r
	out, ended := agent.Outcome{}, false
	s.onEnd = func() {
		out.Killed = !ended
		done(out)
	}
	srv.spawn(s, "job step "+r.Job.Name, func() {
		s.out = stepSink{discard{srv.log}, s, &out}
		if err := s.enter(db); err != nil {
			out.Err = s.asSQLError(err)
		} else {
			s.active, s.lastStart = true, srv.k.Now()
			s.RunBatch(tokens(step.Command, r.Job))
		}
		ended = true
	})
}

// tokens replaces the tokens of a step's command
// (learn.microsoft.com, "Use Tokens in Job Steps": JOBNAME, JOBID and the macro ESCAPE_SQUOTE).
func tokens(command string, j *agent.Job) string {
	return strings.NewReplacer(
		"$(ESCAPE_SQUOTE(JOBNAME))", strings.ReplaceAll(j.Name, "'", "''"), "$(ESCAPE_NONE(JOBNAME))", j.Name,
		"$(ESCAPE_SQUOTE(JOBID))", fmt.Sprintf("0x%X", j.ID[:]), "$(ESCAPE_NONE(JOBID))", fmt.Sprintf("0x%X", j.ID[:]),
	).Replace(command)
}

// mayUseAgent lets members of sysadmin through, nobody else: msdb's roles are not modeled, and without one there is no permission.
func (s *Session) mayUseAgent(permission, object string) error {
	db := s.srv.catalog.DatabaseByName("msdb")
	if _, err := s.who.TokenIn(db); err != nil {
		return err
	}
	if l := s.who.Current().Login; l == nil || !l.Sysadmin {
		return message.MS(229, permission, object, "msdb", "dbo").At(14, 5)
	}
	return nil
}

// agentProcedure finds a procedure of msdb by the name in a call.
func (s *Session) agentProcedure(f *frame, name []string) *systemProcedure {
	sp := s.srv.agentProcedures[strings.ToLower(name[len(name)-1])]
	db := s.db
	if f != nil && f.db != nil {
		db = f.db
	}
	if sp == nil || len(name) > 3 || len(name) == 3 && !strings.EqualFold(name[0], "msdb") || len(name) < 3 && db.Name != "msdb" {
		return nil
	}
	if len(name) > 1 && name[len(name)-2] != "" && !strings.EqualFold(name[len(name)-2], "dbo") {
		return nil
	}
	return sp
}

// agentProcedures are the modeled procedures of SQL Server Agent, in msdb
// (learn.microsoft.com, "SQL Server Agent stored procedures"). Parameters and procedures that are not listed here are refused.
func agentProcedures() map[string]*systemProcedure {
	name, integer, id := nvarchar(128), datatype.Type{ID: datatype.Int}, datatype.Type{ID: datatype.UniqueIdentifier}
	which := []catalog.Param{param("@job_id", id, null()), param("@job_name", name, null())}
	out := map[string]*systemProcedure{}
	add := func(proc string, run func(s *Session, c procedureCall) error, params ...catalog.Param) {
		out[proc] = &systemProcedure{name: proc, unit: proc, params: params, run: func(s *Session, f *frame, c procedureCall) (int64, error) {
			if err := s.mayUseAgent("EXECUTE", proc); err != nil {
				return 0, err
			}
			if s.tran.Count > 0 {
				return 0, sqlerr.NotSupported("%s in a transaction", proc)
			}
			err := query.Catch(func() error { return run(s, c) })
			e, ok := errors.AsType[*sqlerr.Error](err)
			switch {
			case !ok || e.Number == sqlerr.NotSupportedNumber:
				return 0, err
			case e.Number == 22022 && s.srv.k.Differs(differ.StartJobSucceeds):
				return 0, nil
			case e.Number == 22022 && s.srv.k.Differs(differ.StartJobRaises):
				c := *e
				c.Uncaught = false
				e = &c
			case e.Number == 22022: // a message from the extended procedure that talks to the Agent: no error for the caller
				s.report(&raised{sqlError: e, frame: f})
				return 1, nil
			}
			return 1, &raised{sqlError: e, frame: f, user: true} // RAISERROR
		}}
	}
	add("sp_add_job", (*Session).addJob, param("@job_name", name, nil), param("@enabled", integer, num("1")), param("@description", nvarchar(512), null()),
		param("@start_step_id", integer, num("1")), param("@owner_login_name", name, null()),
		catalog.Param{Name: "@job_id", Type: id, HasDefault: true, Default: null(), Output: true})
	add("sp_add_jobstep", (*Session).addJobStep, append(slices.Clone(which), param("@step_id", integer, null()), param("@step_name", name, nil),
		param("@subsystem", nvarchar(40), text("TSQL")), param("@command", nvarchar(datatype.Max), null()), param("@on_success_action", integer, num("1")),
		param("@on_success_step_id", integer, num("0")), param("@on_fail_action", integer, num("2")), param("@on_fail_step_id", integer, num("0")),
		param("@database_name", name, null()), param("@retry_attempts", integer, num("0")), param("@retry_interval", integer, num("0")))...)
	add("sp_update_job", func(s *Session, c procedureCall) error {
		return s.withJob(c, func(j *agent.Job) error {
			s.srv.agent.Enable(j, c.int("@enabled") != 0)
			return nil
		})
	}, append(slices.Clone(which), param("@enabled", integer, nil))...)
	frequency := []catalog.Param{param("@schedule_name", name, nil)}
	for _, p := range [][2]string{
		{"@enabled", "1"}, {"@freq_type", "0"}, {"@freq_interval", "1"}, {"@freq_subday_type", "0"}, {"@freq_subday_interval", "0"}, {"@freq_relative_interval", "0"},
		{"@freq_recurrence_factor", "0"}, {"@active_start_date", ""}, {"@active_end_date", "99991231"}, {"@active_start_time", "0"}, {"@active_end_time", "235959"},
	} {
		value := null()
		if p[1] != "" {
			value = num(p[1])
		}
		frequency = append(frequency, param(p[0], integer, value))
	}
	add("sp_add_schedule", (*Session).addSchedule, append(frequency, param("@owner_login_name", name, null()),
		catalog.Param{Name: "@schedule_uid", Type: id, HasDefault: true, Default: null(), Output: true},
		catalog.Param{Name: "@schedule_id", Type: integer, HasDefault: true, Default: null(), Output: true})...)
	add("sp_attach_schedule", (*Session).attachSchedule, append(slices.Clone(which), param("@schedule_id", integer, null()), param("@schedule_name", name, null()))...)
	add("sp_add_jobserver", func(s *Session, c procedureCall) error {
		if server := c.text("@server_name"); server != "" && !strings.EqualFold(server, "(local)") && !strings.EqualFold(server, s.srv.catalog.Name) {
			return sqlerr.NotSupported("sp_add_jobserver for another server")
		}
		return s.withJob(c, func(j *agent.Job) error { return s.srv.agent.Target(j, s.srv.catalog.Name) })
	}, append(slices.Clone(which), param("@server_name", name, null()))...)
	add("sp_start_job", func(s *Session, c procedureCall) error {
		if !c.isNull("@step_name") {
			return sqlerr.NotSupported("sp_start_job with @step_name")
		}
		return s.withJob(c, func(j *agent.Job) error {
			err := s.srv.agent.Start(j, s.who.LoginName())
			if err == nil {
				s.info(14243, 0, 1, 1, fmt.Sprintf("Job '%s' started successfully.", j.Name))
			}
			return err
		})
	}, param("@job_name", name, null()), param("@job_id", id, null()), param("@step_name", name, null()))
	add("sp_delete_job", func(s *Session, c procedureCall) error {
		return s.withJob(c, s.srv.agent.Delete)
	}, which...)
	return out
}

func (s *Session) withJob(c procedureCall, fn func(*agent.Job) error) error {
	var id *agent.ID
	if !c.isNull("@job_id") {
		b := agent.ID(c.value("@job_id").GUIDBytes())
		id = &b
	}
	j, err := s.srv.agent.Find(c.text("@job_name"), id)
	if err != nil {
		return err
	}
	return fn(j)
}

func (s *Session) addJob(c procedureCall) error {
	owner := c.text("@owner_login_name")
	owner = cmp.Or(owner, s.who.LoginName())
	if l := s.srv.catalog.LoginByName(owner); l == nil || !l.Sysadmin {
		return sqlerr.NotSupported("a job whose owner is not sysadmin")
	}
	if !c.isNull("@job_id") {
		return sqlerr.NotSupported("sp_add_job with @job_id")
	}
	description := c.text("@description")
	description = cmp.Or(description, "No description available.")
	id := s.srv.newGUID()
	j := agent.Job{Name: c.text("@job_name"), Description: description, Owner: owner, Enabled: c.int("@enabled") != 0, StartStep: int(c.int("@start_step_id"))}
	j.ID = id.GUIDBytes()
	c.vals[c.index("@job_id")] = id
	return s.srv.agent.Add(j)
}

// subsystems of job steps; only the first is run (learn.microsoft.com, "sp_add_jobstep").
var subsystems = []string{"TSQL", "CmdExec", "PowerShell", "SSIS", "ANALYSISQUERY", "ANALYSISCOMMAND"}

func (s *Session) addSchedule(c procedureCall) error {
	number := func(name string) int { return int(c.int(name)) }
	sched := agent.Schedule{
		Name: c.text("@schedule_name"), Enabled: number("@enabled") != 0, Owner: cmp.Or(c.text("@owner_login_name"), s.who.LoginName()),
		Type: number("@freq_type"), Interval: number("@freq_interval"), Subday: number("@freq_subday_type"), SubdayInterval: number("@freq_subday_interval"),
		Relative: number("@freq_relative_interval"), Recurrence: number("@freq_recurrence_factor"), EndDate: number("@active_end_date"),
		StartTime: number("@active_start_time"), EndTime: number("@active_end_time"),
	}
	if !c.isNull("@active_start_date") {
		sched.StartDate = number("@active_start_date")
	}
	if l := s.srv.catalog.LoginByName(sched.Owner); l == nil || !l.Sysadmin {
		return sqlerr.NotSupported("a schedule whose owner is not sysadmin")
	}
	id := s.srv.newGUID()
	sched.UID = id.GUIDBytes()
	made, err := s.srv.agent.AddSchedule(sched)
	if err == nil {
		c.vals[c.index("@schedule_uid")], c.vals[c.index("@schedule_id")] = id, value.NewInt(int64(made.ID))
	}
	return err
}

func (s *Session) attachSchedule(c procedureCall) error {
	name, id := c.text("@schedule_name"), 0
	if !c.isNull("@schedule_id") {
		id = int(c.int("@schedule_id"))
	}
	var found []*agent.Schedule
	for _, sched := range s.srv.agent.Schedules() {
		if sched.ID == id || id == 0 && strings.EqualFold(sched.Name, name) {
			found = append(found, sched)
		}
	}
	switch {
	case (name == "") == (id == 0):
		return sqlerr.NotSupported("sp_attach_schedule without one of @schedule_id and @schedule_name")
	case len(found) > 1:
		return sqlerr.NotSupported("sp_attach_schedule with a name that several schedules have")
	case len(found) == 0 && id != 0:
		return message.MS(14262, "@schedule_id", strconv.Itoa(id))
	case len(found) == 0:
		return message.MS(14262, "@schedule_name", name)
	}
	return s.withJob(c, func(j *agent.Job) error {
		if !strings.EqualFold(j.Owner, found[0].Owner) {
			return sqlerr.NotSupported("a schedule of another owner than its job's")
		}
		s.srv.agent.Attach(j, found[0])
		return nil
	})
}

func (s *Session) addJobStep(c procedureCall) error {
	command := c.text("@command")
	switch {
	case !slices.ContainsFunc(subsystems, func(name string) bool { return strings.EqualFold(name, c.text("@subsystem")) }):
		return sqlerr.NotSupported("job steps of the subsystem %s", c.text("@subsystem"))
	case strings.Contains(tokens(command, &agent.Job{}), "$("):
		return sqlerr.NotSupported("tokens in job steps, but for JOBNAME and JOBID")
	case slices.ContainsFunc(strings.Split(command, "\n"), func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), "go") }):
		return sqlerr.NotSupported("GO in a job step")
	}
	st := agent.Step{
		ID: int(c.int("@step_id")), Name: c.text("@step_name"), Command: command, Database: c.text("@database_name"),
		OnSuccess: agent.Action(c.int("@on_success_action")), SuccessStep: int(c.int("@on_success_step_id")),
		OnFail: agent.Action(c.int("@on_fail_action")), FailureStep: int(c.int("@on_fail_step_id")),
		Subsystem: subsystems[slices.IndexFunc(subsystems, func(name string) bool { return strings.EqualFold(name, c.text("@subsystem")) })],
		Retries:   int(c.int("@retry_attempts")), RetryInterval: int(c.int("@retry_interval")),
	}
	st.UID = s.srv.newGUID().GUIDBytes()
	st.Database = cmp.Or(st.Database, "master")
	if s.srv.catalog.DatabaseByName(st.Database) == nil {
		return sqlerr.NotSupported("a job step in a database that does not exist")
	}
	for _, a := range []agent.Action{st.OnSuccess, st.OnFail} {
		if a < agent.QuitWithSuccess || a > agent.GoToStep {
			return sqlerr.NotSupported("action %d of a job step", a)
		}
	}
	return s.withJob(c, func(j *agent.Job) error { return s.srv.agent.AddStep(j, st) })
}

// guid is an id as a value.
func guid(id agent.ID) value.Value { return value.NewGUID(id) }
