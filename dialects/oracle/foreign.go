package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/jobimport"
	"github.com/dbsched/dbsched/internal/zones"
)

// What the Scheduler's views show (Database Reference). The jobs of dbsched itself, and of users that came with the database, are left out;
// so are those in which the Scheduler runs the jobs of DBMS_JOB that USER_JOBS shows.
const (
	foreignClockQuery = `select to_char(systimestamp, 'TZR'), sys_extract_utc(systimestamp),
       (select count(*) from user_objects o where o.object_name = user and o.object_type in ('TABLE', 'VIEW', 'SYNONYM', 'SEQUENCE', 'PROCEDURE', 'FUNCTION', 'PACKAGE', 'TYPE')),
       (select max(g.value) from all_scheduler_global_attribute g where g.attribute_name = 'DEFAULT_TIMEZONE')
from dual`
	foreignJobsQuery = `select j.owner, j.job_name, j.comments, j.enabled, j.job_type, j.job_action, j.number_of_arguments, j.program_owner, j.program_name,
       nvl(s.schedule_type, j.schedule_type), nvl(j.repeat_interval, s.repeat_interval),
       to_char(coalesce(j.start_date, s.start_date, j.next_run_date), 'TZR'), sys_extract_utc(coalesce(j.start_date, s.start_date, j.next_run_date)),
       sys_extract_utc(j.next_run_date), sys_extract_utc(nvl(j.end_date, s.end_date)), j.job_class, nvl(j.max_runs, 0), nvl(j.max_failures, 0), j.restartable,
       p.program_type, p.program_action, p.number_of_arguments
from all_scheduler_jobs j
inner join all_users u on u.username = j.owner
left outer join all_scheduler_schedules s on s.owner = j.schedule_owner and s.schedule_name = j.schedule_name
left outer join all_scheduler_programs p on p.owner = j.program_owner and p.program_name = j.program_name
where (:in_name is null and u.oracle_maintained = 'N' or j.owner = :in_owner and j.job_name = :in_name)
  and not regexp_like(j.job_name, '^DS_(DISPATCHER|LANE_[0-9][0-9])$')
  and not (j.owner = user and substr(j.job_name, 1, 10) = 'DBMS_JOB$_')
order by j.owner, j.job_name`
	foreignOldJobsQuery = `select j.job, j.schema_user, j.broken, j.what, j.interval, j.next_date
from user_jobs j
where :in_job is null or j.job = :in_job
order by j.job`
	foreignArgumentsQuery = `select nvl(a.argument_position, d.argument_position), nvl(a.argument_type, d.argument_type), nvl(a.value, d.default_value),
       case when a.argument_position is null and d.metadata_attribute is not null then 1 else 0 end
from (select x.* from all_scheduler_job_args x where x.owner = :in_owner and x.job_name = :in_name) a
full outer join (select y.* from all_scheduler_program_args y where y.owner = :in_program_owner and y.program_name = :in_program) d
    on d.argument_position = a.argument_position
order by 1`
	foreignStepsQuery = `select s.step_name, s.step_type, s.skip, s.pause, s.program_owner, p.program_name, p.program_type, p.program_action, p.number_of_arguments
from all_scheduler_chain_steps s
left outer join all_scheduler_programs p on p.owner = s.program_owner and p.program_name = s.program_name
where s.owner = :in_owner and s.chain_name = :in_name
order by s.step_name`
	foreignRulesQuery = `select r.rule_name, r.condition, r.action
from all_scheduler_chain_rules r
where r.owner = :in_owner and r.chain_name = :in_name
order by r.rule_name`
	foreignMailsQuery = `select n.recipient, n.event
from all_scheduler_notifications n
where n.owner = :in_owner and n.job_name = :in_name
order by n.recipient, n.event`
)

// foreignQuotes quotes names and texts in statements that people run.
func foreignQuotes() jobimport.Quotes {
	return jobimport.Quotes{
		Ident: func(name string) string { return `"` + name + `"` }, // no name contains quotes
		Text:  func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" },
	}
}

// jobNames splits NAME or OWNER.NAME; a part without double quotes is converted to upper case.
func (s *scheduler) jobNames(text string) (owner, name string) {
	owner, name = s.schema, text
	if i := strings.Index(text, "."); i > 0 && !strings.HasPrefix(text, `"`) {
		owner, name = text[:i], text[i+1:]
	} else if i := strings.Index(text, `".`); i > 0 {
		owner, name = text[:i+1], text[i+2:]
	}
	plain := func(text string) string {
		if strings.HasPrefix(text, `"`) {
			return strings.Trim(text, `"`)
		}
		return strings.ToUpper(text)
	}
	return plain(owner), plain(name)
}

// ForeignJobs reads jobs of DBMS_SCHEDULER and DBMS_JOB.
func (s *scheduler) ForeignJobs(ctx context.Context, from dialects.Foreign) ([]dialects.ForeignJob, error) {
	if from.Scheduler != dialects.Jobs {
		return nil, dialects.Usagef("Oracle has no %s. Its own scheduler is %s", from.Scheduler, dialects.Jobs)
	}
	servers, err := client.Read(ctx, s.Client, s.DB, "the server's clock", foreignClockQuery, nil, func(rows *sql.Rows) (jobimport.OracleServer, error) {
		var clock, zone sql.NullString
		var now time.Time
		var hides int64
		err := rows.Scan(&clock, &now, &hides, &zone)
		return jobimport.OracleServer{Owner: s.schema, Clock: clock.String, Zone: zone.String, Now: wall(now, time.UTC), Hides: hides > 0}, err
	})
	if err != nil {
		return nil, err
	}
	server := servers[0]
	if from.Zone != "" {
		server.Clock, server.Zone = from.Zone, from.Zone
	}
	var jobs []jobimport.OracleJob
	number := strings.TrimPrefix(from.Name, jobimport.OldJob)
	_, notNumber := strconv.ParseInt(number, 10, 64)
	if from.Name == "" || notNumber != nil {
		if jobs, err = s.schedulerJobs(ctx, from.Name); err != nil {
			return nil, err
		}
	}
	if from.Name == "" || notNumber == nil {
		old, err := s.oldJobs(ctx, number, server.Clock)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, old...)
	}
	var all []dialects.ForeignJob
	for _, j := range jobs {
		all = append(all, jobimport.Oracle(j, server, foreignQuotes()))
	}
	return all, nil
}

// schedulerJobs reads jobs of DBMS_SCHEDULER.
func (s *scheduler) schedulerJobs(ctx context.Context, text string) ([]jobimport.OracleJob, error) {
	owner, name := s.jobNames(text)
	type row struct {
		jobimport.OracleJob
		programOwner string
		arguments    int64
	}
	rows, err := client.Read(ctx, s.Client, s.DB, "all_scheduler_jobs", foreignJobsQuery, []any{sql.Named("in_name", name), sql.Named("in_owner", owner)}, func(rows *sql.Rows) (row, error) {
		var j row
		var comments, typ, action, programOwner, program, schedule, repeat, zone, class, restartable, programType, programAction sql.NullString
		var start, next, ends sql.NullTime
		var enabled string
		var own, ofProgram sql.NullInt64
		err := rows.Scan(&j.Owner, &j.Name, &comments, &enabled, &typ, &action, &own, &programOwner, &program, &schedule, &repeat, &zone, &start, &next, &ends, &class, &j.MaxRuns, &j.MaxFailures,
			&restartable, &programType, &programAction, &ofProgram)
		j.Comments, j.Enabled, j.ScheduleType, j.Repeat = comments.String, enabled == "TRUE", schedule.String, repeat.String
		j.Zone, j.Class, j.Restartable = zone.String, class.String, restartable.String == "TRUE"
		j.Start, j.Next, j.Ends = wallUTC(start), wallUTC(next), wallUTC(ends)
		j.Unit, j.arguments = jobimport.OracleUnit{Owner: j.Owner, Type: typ.String, Action: action.String}, own.Int64
		if program.String != "" {
			j.Unit = jobimport.OracleUnit{Owner: programOwner.String, Type: programType.String, Action: programAction.String}
			j.programOwner, j.Program, j.arguments = programOwner.String, program.String, ofProgram.Int64
		}
		return j, err
	})
	if err != nil {
		return nil, err
	}
	var all []jobimport.OracleJob
	for _, r := range rows {
		j := r.OracleJob
		key := []any{sql.Named("in_owner", j.Owner), sql.Named("in_name", j.Name)}
		if r.arguments > 0 {
			if j.Unit.Arguments, err = s.arguments(ctx, append(key, sql.Named("in_program_owner", r.programOwner), sql.Named("in_program", j.Program))); err != nil {
				return nil, err
			}
		}
		if j.Notify, err = client.Read(ctx, s.Client, s.DB, "all_scheduler_notifications", foreignMailsQuery, key, func(rows *sql.Rows) (string, error) {
			var recipient, event sql.NullString
			err := rows.Scan(&recipient, &event)
			return fmt.Sprintf("it e-mails %s on %s", recipient.String, event.String), err
		}); err != nil {
			return nil, err
		}
		if j.Unit.Type == "CHAIN" {
			if j.Chain, err = s.chain(ctx, j); err != nil {
				return nil, err
			}
		}
		all = append(all, j)
	}
	return all, nil
}

// arguments reads those of a job and its program, or of a program alone.
func (s *scheduler) arguments(ctx context.Context, key []any) ([]jobimport.OracleArgument, error) {
	return client.Read(ctx, s.Client, s.DB, "all_scheduler_job_args", foreignArgumentsQuery, key, func(rows *sql.Rows) (jobimport.OracleArgument, error) {
		var a jobimport.OracleArgument
		var typ, value sql.NullString
		var metadata bool
		err := rows.Scan(&a.Position, &typ, &value, &metadata)
		a.Type, a.Value, a.Known = typ.String, value.String, value.Valid && !metadata
		return a, err
	})
}

// chain reads the chain of a job whose action is the chain's name.
func (s *scheduler) chain(ctx context.Context, j jobimport.OracleJob) (c jobimport.OracleChain, err error) {
	owner, name := (&scheduler{schema: j.Owner}).jobNames(j.Unit.Action)
	key := []any{sql.Named("in_owner", owner), sql.Named("in_name", name)}
	type row struct {
		jobimport.ChainStep
		program   string
		arguments int64
	}
	rows, err := client.Read(ctx, s.Client, s.DB, "all_scheduler_chain_steps", foreignStepsQuery, key, func(rows *sql.Rows) (row, error) {
		var st row
		var kind, skip, pause, programOwner, program, typ, action sql.NullString
		var arguments sql.NullInt64
		err := rows.Scan(&st.Name, &kind, &skip, &pause, &programOwner, &program, &typ, &action, &arguments)
		st.Kind, st.Skip, st.Pause = kind.String, skip.String == "TRUE", pause.String == "TRUE"
		st.Unit = jobimport.OracleUnit{Owner: programOwner.String, Type: typ.String, Action: action.String}
		st.program, st.arguments = program.String, arguments.Int64
		return st, err
	})
	if err != nil {
		return c, err
	}
	for _, r := range rows {
		st := r.ChainStep
		if r.arguments > 0 {
			program := []any{sql.Named("in_owner", nil), sql.Named("in_name", nil), sql.Named("in_program_owner", st.Unit.Owner), sql.Named("in_program", r.program)}
			if st.Unit.Arguments, err = s.arguments(ctx, program); err != nil {
				return c, err
			}
		}
		c.Steps = append(c.Steps, st)
	}
	c.Rules, err = client.Read(ctx, s.Client, s.DB, "all_scheduler_chain_rules", foreignRulesQuery, key, func(rows *sql.Rows) (jobimport.ChainRule, error) {
		var r jobimport.ChainRule
		var condition, action sql.NullString
		err := rows.Scan(&r.Name, &condition, &action)
		r.Condition, r.Action = condition.String, action.String
		return r, err
	})
	return c, err
}

// wall reads a time without a zone, which the driver returns in some zone.
func wall(t time.Time, loc *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, loc)
}

// wallUTC reads one in UTC; NULL is zero.
func wallUTC(t sql.NullTime) time.Time {
	if !t.Valid {
		return time.Time{}
	}
	return wall(t.Time, time.UTC)
}

// oldJobs reads jobs of DBMS_JOB, whose times are those of the server's clock.
func (s *scheduler) oldJobs(ctx context.Context, number, clock string) ([]jobimport.OracleJob, error) {
	_, loc, known := zones.Region(clock)
	return client.Read(ctx, s.Client, s.DB, "user_jobs", foreignOldJobsQuery, []any{sql.Named("in_job", number)}, func(rows *sql.Rows) (jobimport.OracleJob, error) {
		var j jobimport.OracleJob
		var broken string
		var action, interval sql.NullString
		var next sql.NullTime
		err := rows.Scan(&j.Number, &j.Owner, &broken, &action, &interval, &next)
		j.Name, j.Enabled, j.ScheduleType, j.Repeat = jobimport.OldJob+strconv.FormatInt(j.Number, 10), broken != "Y", "PLSQL", interval.String
		j.Unit = jobimport.OracleUnit{Owner: j.Owner, Type: "PLSQL_BLOCK", Action: action.String}
		if next.Valid && known && j.Enabled { // that of a broken job is in the year 4000
			j.Next = wall(next.Time, loc)
		}
		return j, err
	})
}
