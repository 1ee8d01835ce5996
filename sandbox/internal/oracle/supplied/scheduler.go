package supplied

import (
	"strings"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

var scheduler = natives{
	"CREATE_JOB": createJob,
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
		start := c.Arg("START_DATE")
		if start.IsNull() {
			return sqlerr.NotSupported("EVALUATE_CALENDAR_STRING without START_DATE")
		}
		zone := start.Region()
		if zone == nil {
			zone = time.FixedZone("", int(start.Aux)*60)
		}
		after := instant(c.Arg("RETURN_DATE_AFTER"))
		if after.IsZero() {
			after = c.kernel().Now()
		}
		next, err := jobs.Next(c.text("CALENDAR_STRING"), instant(start).In(zone), after)
		if err != nil || next.IsZero() {
			return err
		}
		_, offset := next.Zone()
		v := value.NewTime((next.Unix()+unixSeconds)*datatype.TicksPerSecond, int16(offset/60))
		if start.Region() != nil {
			v = v.In(start.Region())
		}
		c.Set("NEXT_RUN_DATE", v)
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

// jobName reads the name of one job. Errors: 27452, 27486.
func (c *call) jobName(param string) (owner, name string, err error) {
	text := c.text(param)
	if strings.Contains(text, ",") {
		return "", "", sqlerr.NotSupported("lists of jobs")
	}
	owner, name, ok := c.objectName(text)
	if !ok {
		return "", "", message.ORA(27452, text)
	}
	// ALTER on a job is what enabling, disabling, running, stopping, changing and dropping it takes (Database
	// Administrator's Guide, "Scheduler Object Privileges").
	v := c.s.ViewContext()
	if o := v.Catalog.Job(owner, name); v.User != owner && !has(c.s, "CREATE ANY JOB") &&
		(o == nil || !v.Catalog.Allowed(v.Rights, "ALTER", o)) {
		return "", "", message.ORA(27486)
	}
	return owner, name, nil
}

// oneJob is job with the parameter commit_semantics, whose default alone is modelled: others are about lists of jobs.
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

func createJob(c *call) error {
	if !has(c.s, "CREATE JOB") && !has(c.s, "CREATE ANY JOB") {
		return message.ORA(27486)
	}
	if err := c.unset("NUMBER_OF_ARGUMENTS", "CREDENTIAL_NAME", "DESTINATION_NAME"); err != nil {
		return err
	}
	class, err := className(c.text("JOB_CLASS"))
	if err != nil {
		return err
	}
	return c.job("JOB_NAME", func(owner, name string) error {
		if c.s.ViewContext().Catalog.Object(owner, name) != nil {
			return message.ORA(27477, owner, name)
		}
		return c.s.Jobs().Create(caller{c.s}, jobs.Spec{
			Owner: owner, Name: name, Type: strings.ToUpper(c.text("JOB_TYPE")), Action: c.text("JOB_ACTION"),
			Start: instant(c.Arg("START_DATE")), Repeat: c.text("REPEAT_INTERVAL"), End: instant(c.Arg("END_DATE")), Class: class,
			AutoDrop: c.truth("AUTO_DROP"), Comments: c.text("COMMENTS"), Environment: c.s.JobEnvironment(),
		}, c.truth("ENABLED"))
	})
}

// className reads the name of a job class, which is in schema SYS.
func className(text string) (string, error) {
	names, ok := qualifiedName(text)
	if !ok || len(names) > 2 || len(names) == 2 && names[0].Text != "SYS" {
		return "", message.ORA(27452, text)
	}
	return names[len(names)-1].Text, nil
}

// otherAttribute refuses attributes whose values are no text.
func otherAttribute(c *call) error {
	return sqlerr.NotSupported("job attribute %s of that type", c.text("ATTRIBUTE"))
}

// unixSeconds are those from 0001-01-01 to 1970-01-01.
const unixSeconds = 62_135_596_800

// instant is a TIMESTAMP WITH TIME ZONE as a time; NULL is the zero time.
func instant(v value.Value) time.Time {
	if v.IsNull() {
		return time.Time{}
	}
	return time.Unix(v.N/datatype.TicksPerSecond-unixSeconds, v.N%datatype.TicksPerSecond*100).UTC()
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
