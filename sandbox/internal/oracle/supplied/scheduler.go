package supplied

import (
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var scheduler = natives{
	"CREATE_JOB":   createJob,
	"CREATE_JOB#2": createJob, // program and schedule
	"CREATE_JOB#3": createJob, // program
	"CREATE_JOB#4": createJob, // schedule
	"CREATE_PROGRAM": func(c *call) error {
		if err := c.unset("NUMBER_OF_ARGUMENTS"); err != nil {
			return err
		}
		return c.create("PROGRAM_NAME", jobs.Object{
			Kind: jobs.KindProgram, Type: strings.ToUpper(c.text("PROGRAM_TYPE")), Action: c.text("PROGRAM_ACTION"), Enabled: c.truth("ENABLED"),
		})
	},
	"CREATE_SCHEDULE": func(c *call) error {
		return c.create("SCHEDULE_NAME", jobs.Object{
			Kind: jobs.KindSchedule, Enabled: true, Start: instant(c.Arg("START_DATE")), Repeat: c.text("REPEAT_INTERVAL"), End: instant(c.Arg("END_DATE")),
		})
	},
	"CREATE_CHAIN": func(c *call) error {
		if err := c.unset("RULE_SET_NAME", "EVALUATION_INTERVAL"); err != nil {
			return err
		}
		return c.create("CHAIN_NAME", jobs.Object{Kind: jobs.KindChain}, "CREATE EVALUATION CONTEXT", "CREATE RULE SET")
	},
	"DEFINE_CHAIN_STEP": func(c *call) error {
		step, ok := qualifiedName(c.text("STEP_NAME"))
		owner, program, named := c.objectName(c.text("PROGRAM_NAME"))
		if !ok || len(step) != 1 || !named {
			return message.ORA(27452, c.text("STEP_NAME"))
		}
		return c.job("CHAIN_NAME", func(of, name string) error {
			return c.s.Jobs().DefineStep(caller{c.s}, of, name, jobs.ChainStep{Name: step[0].Text, ProgramOwner: owner, Program: program})
		})
	},
	"DEFINE_CHAIN_RULE": func(c *call) error {
		if !has(c.s, "CREATE RULE") {
			return message.ORA(27486)
		}
		rule := jobs.ChainRule{Condition: c.text("CONDITION"), Action: c.text("ACTION"), Comments: c.text("COMMENTS")}
		if text := c.text("RULE_NAME"); text != "" {
			_, name, ok := c.objectName(text)
			if !ok {
				return message.ORA(27452, text)
			}
			rule.Name = name
		}
		return c.job("CHAIN_NAME", func(owner, name string) error { return c.s.Jobs().DefineRule(caller{c.s}, owner, name, rule) })
	},
	"DROP_JOB": func(c *call) error {
		if err := c.unset("DEFER"); err != nil {
			return err
		}
		return c.oneJob("JOB_NAME", func(owner, name string) error {
			return c.s.Jobs().Drop(caller{c.s}, owner, name, c.truth("FORCE"))
		})
	},
	"ENABLE": func(c *call) error {
		return c.oneJob("NAME", func(owner, name string) error { return c.s.Jobs().Enable(caller{c.s}, owner, name) })
	},
	"DISABLE": func(c *call) error {
		return c.oneJob("NAME", func(owner, name string) error {
			return c.s.Jobs().Disable(caller{c.s}, owner, name, c.truth("FORCE"))
		})
	},
	"RUN_JOB": func(c *call) error {
		return c.job("JOB_NAME", func(owner, name string) error {
			if c.truth("USE_CURRENT_SESSION") {
				return sqlerr.NotSupported("RUN_JOB in the current session, its default: pass use_current_session => FALSE")
			}
			return c.s.Jobs().Run(caller{c.s}, owner, name)
		})
	},
	"STOP_JOB": func(c *call) error {
		return c.oneJob("JOB_NAME", func(owner, name string) error {
			return c.s.Jobs().Stop(caller{c.s}, owner, name, c.truth("FORCE"))
		})
	},
	"SET_ATTRIBUTE": otherAttribute, // BOOLEAN
	"SET_ATTRIBUTE#2": func(c *call) error { // VARCHAR2
		if err := c.unset("VALUE2"); err != nil {
			return err
		}
		to := c.text("VALUE")
		if strings.EqualFold(c.text("ATTRIBUTE"), "JOB_CLASS") {
			to = strings.ToUpper(to)
		}
		return c.job("NAME", func(owner, name string) error {
			return c.s.Jobs().SetAttribute(caller{c.s}, owner, name, c.text("ATTRIBUTE"), to)
		})
	},
	"SET_ATTRIBUTE#3": otherAttribute,
	"SET_ATTRIBUTE#4": otherAttribute,
	"SET_ATTRIBUTE#5": otherAttribute,
	"SET_ATTRIBUTE#6": otherAttribute,

	"EVALUATE_CALENDAR_STRING": func(c *call) error {
		if c.kernel().Differs(differ.EvaluateCommits) {
			if err := (caller{c.s}).Commit(); err != nil {
				return err
			}
		}
		start := c.Arg("START_DATE")
		if start.IsNull() {
			return sqlerr.NotSupported("EVALUATE_CALENDAR_STRING without START_DATE")
		}
		after := instant(c.Arg("RETURN_DATE_AFTER"))
		if after.IsZero() {
			after = c.kernel().Now()
		}
		next, err := jobs.Next(c.text("CALENDAR_STRING"), instant(start), after)
		if err != nil || next.IsZero() {
			return err
		}
		c.Set("NEXT_RUN_DATE", datatype.ZoneOf(start).In((next.Unix()+unixSeconds)*datatype.TicksPerSecond))
		return nil
	},
	"SET_SCHEDULER_ATTRIBUTE": func(c *call) error {
		if !has(c.s, "MANAGE SCHEDULER") {
			return message.ORA(27486)
		}
		if err := schedulerAttribute(c.text("ATTRIBUTE")); err != nil {
			return err
		}
		off := strings.ToUpper(c.text("VALUE"))
		if off != "TRUE" && off != "FALSE" {
			return message.ORA(27465, c.text("VALUE"), schedulerDisabled)
		}
		return c.s.Jobs().SetDisabled(caller{c.s}, off == "TRUE")
	},
}

// jobName parses the name of one job. Errors: 27452, 27486.
func (c *call) jobName(param string) (owner, name string, err error) {
	text := c.text(param)
	if strings.Contains(text, ",") {
		return "", "", sqlerr.NotSupported("lists of jobs")
	}
	owner, name, ok := c.objectName(text)
	if !ok {
		return "", "", message.ORA(27452, text)
	}
	// Enabling, disabling, running, stopping, changing and dropping a job require ALTER on it (Database
	// Administrator's Guide, "Scheduler Object Privileges").
	v := c.s.ViewContext()
	if o := v.Catalog.Job(owner, name); v.User != owner && !has(c.s, "CREATE ANY JOB") &&
		(o == nil || !v.Catalog.Allowed(v.Rights, "ALTER", o)) {
		return "", "", message.ORA(27486)
	}
	return owner, name, nil
}

// oneJob is job with the parameter commit_semantics, of which only the default is modeled: other values concern lists of jobs.
func (c *call) oneJob(param string, fn func(owner, name string) error) error {
	if how := c.text("COMMIT_SEMANTICS"); !strings.EqualFold(how, "STOP_ON_FIRST_ERROR") {
		return sqlerr.NotSupported("commit_semantics => %s", how)
	}
	return c.job(param, fn)
}

// job calls fn with the job that a parameter names.
func (c *call) job(param string, fn func(owner, name string) error) error {
	owner, name, err := c.jobName(param)
	if err != nil {
		return err
	}
	return failure(fn(owner, name))
}

// create creates a program, schedule or chain, which requires privileges besides CREATE JOB.
func (c *call) create(param string, o jobs.Object, privileges ...string) error {
	for _, p := range privileges {
		if !has(c.s, p) {
			return message.ORA(27486)
		}
	}
	if !has(c.s, "CREATE JOB") && !has(c.s, "CREATE ANY JOB") {
		return message.ORA(27486)
	}
	return c.job(param, func(owner, name string) error {
		if c.s.ViewContext().Catalog.Used(owner, name, ast.KindTable) {
			return message.ORA(27477, owner, name)
		}
		o.Owner, o.Name, o.Comments = owner, name, c.text("COMMENTS")
		return c.s.Jobs().CreateObject(caller{c.s}, o)
	})
}

// createJob creates a job; its overloads differ in what is named and what is given inline.
func createJob(c *call) error {
	if !has(c.s, "CREATE JOB") && !has(c.s, "CREATE ANY JOB") {
		return message.ORA(27486)
	}
	text := func(param string) string {
		if !c.Has(param) {
			return ""
		}
		return c.text(param)
	}
	for _, param := range []string{"NUMBER_OF_ARGUMENTS", "CREDENTIAL_NAME", "DESTINATION_NAME"} {
		if !c.Has(param) {
			continue
		}
		if err := c.unset(param); err != nil {
			return err
		}
	}
	if style := text("JOB_STYLE"); style != "" && !strings.EqualFold(style, "REGULAR") {
		return sqlerr.NotSupported("job_style => %s", style)
	}
	class, err := className(c.text("JOB_CLASS"))
	if err != nil {
		return err
	}
	spec := jobs.Spec{
		Type: strings.ToUpper(text("JOB_TYPE")), Action: text("JOB_ACTION"), Repeat: text("REPEAT_INTERVAL"), Class: class,
		AutoDrop: c.truth("AUTO_DROP"), Comments: c.text("COMMENTS"), Environment: c.s.JobEnvironment(),
	}
	if c.Has("START_DATE") {
		spec.Start, spec.End = instant(c.Arg("START_DATE")), instant(c.Arg("END_DATE"))
	}
	chain := ""
	if spec.Type == jobs.TypeChain {
		chain = spec.Action
	}
	for _, name := range []struct {
		text        string
		owner, name *string
	}{
		{text("PROGRAM_NAME"), &spec.ProgramOwner, &spec.Program}, {text("SCHEDULE_NAME"), &spec.ScheduleOwner, &spec.Schedule}, {chain, &spec.ChainOwner, &spec.Chain},
	} {
		if name.text == "" {
			continue
		}
		var ok bool
		if *name.owner, *name.name, ok = c.objectName(name.text); !ok {
			return message.ORA(27452, name.text)
		}
	}
	return c.job("JOB_NAME", func(owner, name string) error {
		if c.s.ViewContext().Catalog.Used(owner, name, ast.KindTable) {
			return message.ORA(27477, owner, name)
		}
		spec.Owner, spec.Name = owner, name
		return c.s.Jobs().Create(caller{c.s}, spec, c.truth("ENABLED"))
	})
}

// className parses the name of a job class, which is in schema SYS.
func className(text string) (string, error) {
	names, ok := qualifiedName(text)
	if !ok || len(names) > 2 || len(names) == 2 && names[0].Text != "SYS" {
		return "", message.ORA(27452, text)
	}
	return names[len(names)-1].Text, nil
}

// otherAttribute refuses attributes whose values are not text.
func otherAttribute(c *call) error {
	return sqlerr.NotSupported("job attribute %s of that type", c.text("ATTRIBUTE"))
}

// unixSeconds are the seconds from 0001-01-01 to 1970-01-01.
const unixSeconds = 62_135_596_800

// instant returns a TIMESTAMP WITH TIME ZONE as a time in its zone; NULL is the zero time.
func instant(v value.Value) time.Time {
	if v.IsNull() {
		return time.Time{}
	}
	zone := v.Region()
	if zone == nil {
		zone = time.FixedZone("", int(v.Aux)*60)
	}
	return time.Unix(v.N/datatype.TicksPerSecond-unixSeconds, v.N%datatype.TicksPerSecond*100).In(zone)
}

const schedulerDisabled = "SCHEDULER_DISABLED"

// schedulerAttribute checks the name of an attribute of the scheduler itself.
func schedulerAttribute(name string) error {
	switch strings.ToUpper(name) {
	case schedulerDisabled:
		return nil
	case "CURRENT_OPEN_WINDOW", "DEFAULT_TIMEZONE", "EMAIL_SENDER", "EMAIL_SERVER", "EMAIL_SERVER_CREDENTIAL", "EMAIL_SERVER_ENCRYPTION",
		"EVENT_EXPIRY_TIME", "FILE_WATCHER_COUNT", "LAST_OBSERVED_EVENT", "LOG_HISTORY", "MAX_JOB_SLAVE_PROCESSES":
		return sqlerr.NotSupported("scheduler attribute %s", name)
	}
	return message.ORA(27469, name, "scheduler")
}
