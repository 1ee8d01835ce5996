package integration

import (
	"fmt"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// oracleChain is the chain of "Examples of Creating Chains" (Administrator's Guide, Administering Oracle Scheduler).
func oracleChain(h *harness) foreignSource {
	program := func(n int, text string) string {
		return fmt.Sprintf("begin dbms_scheduler.create_program('my_program%d', 'PLSQL_BLOCK', '%s', enabled => true); end;", n, text)
	}
	return foreignSource{
		from:   dialects.Foreign{Scheduler: dialects.Jobs, Name: "chain_job_1"},
		grants: []string{"grant create evaluation context, create rule set, create rule to " + h.schema},
		make: []string{
			program(1, h.say.mark(1)+";"), program(2, "begin "+h.say.mark(2)+"; end;"), program(3, "declare n number := 3; begin "+h.say.mark(3)+"; end;"),
			"begin dbms_scheduler.create_chain(chain_name => 'my_chain1', rule_set_name => null, evaluation_interval => null, comments => null); end;",
			"begin dbms_scheduler.define_chain_step('my_chain1', 'stepA', 'my_program1'); dbms_scheduler.define_chain_step('my_chain1', 'stepB', 'my_program2'); " +
				"dbms_scheduler.define_chain_step('my_chain1', 'stepC', 'my_program3'); end;",
			"begin dbms_scheduler.define_chain_rule('my_chain1', 'TRUE', 'START stepA'); dbms_scheduler.define_chain_rule('my_chain1', 'stepA COMPLETED', 'Start stepB, stepC'); " +
				"dbms_scheduler.define_chain_rule('my_chain1', 'stepB COMPLETED AND stepC COMPLETED', 'END'); end;",
			"begin dbms_scheduler.enable('my_chain1'); end;",
			"begin dbms_scheduler.create_job(job_name => 'chain_job_1', job_type => 'CHAIN', job_action => 'my_chain1', " +
				"start_date => timestamp '2020-01-01 00:00:00 Europe/Warsaw', repeat_interval => 'freq=daily;byhour=13;byminute=0;bysecond=0', enabled => true); end;",
		},
		state: "select j.enabled, j.state, j.run_count, to_char(j.next_run_date), c.enabled, s.step_name, s.program_name, p.enabled, p.program_action " +
			"from user_scheduler_jobs j cross join user_scheduler_chains c inner join user_scheduler_chain_steps s on s.chain_name = c.chain_name " +
			"inner join user_scheduler_programs p on p.program_name = s.program_name where j.job_name = 'CHAIN_JOB_1' order by s.step_name",
		disable:  fmt.Sprintf(`begin dbms_scheduler.disable('"%s"."CHAIN_JOB_1"'); end;`, h.schema),
		disabled: "select count(*) from user_scheduler_jobs j where j.job_name = 'CHAIN_JOB_1' and j.enabled = 'TRUE'",
		waves:    "1 2 2",
		schedule: dialects.NewSchedule{
			Name: "CHAIN_JOB_1", Calendar: "freq=daily;byhour=13;byminute=0;bysecond=0", Zone: "EUROPE/WARSAW", Begin: time.Date(2019, 12, 31, 23, 0, 0, 0, time.UTC),
			Overlap: "Skip", Missed: "Once", Disabled: true,
			Process: dialects.NewProcess{OnError: "Continue"},
		},
	}
}
