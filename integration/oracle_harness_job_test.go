package integration

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/dialects/oracle"
)

// oracleJobs are those of DBMS_SCHEDULER in dbsched's schema, for its owner and for an administrator.
func oracleJobs(schema string) *jobStatements {
	name := func(name string) string { return `"` + name + `"` }
	job := func(n string) string { return oracleLiteral(schema + "." + name(n)) }
	of := func(n string) string {
		return fmt.Sprintf(" where x.owner = '%s' and x.job_name = %s", schema, oracleLiteral(n))
	}
	return &jobStatements{
		name: name,
		// Each step is committed when it ends.
		add: func(n string, steps ...string) string {
			var action strings.Builder
			for _, step := range steps {
				action.WriteString(strings.TrimSuffix(step, ";") + "; commit;\n")
			}
			return fmt.Sprintf("begin dbms_scheduler.create_job(job_name => %s, job_type => 'PLSQL_BLOCK', job_action => %s, enabled => false, auto_drop => false); end;",
				job(n), oracleLiteral(action.String()))
		},
		remove: func(n string) string { return "begin dbms_scheduler.drop_job(" + job(n) + ", force => true); end;" },
		start: func(n string) string {
			return "begin dbms_scheduler.run_job(" + job(n) + ", use_current_session => false); end;"
		},
		runs:  func(n string) string { return "select x.run_count from dba_scheduler_jobs x" + of(n) },
		busy:  func(n string) string { return "select count(*) from dba_scheduler_running_jobs x" + of(n) },
		pause: oracle.Dialect{}.Sleep,
		report: func(round string) string {
			return fmt.Sprintf("for x in (select r.job_name from user_scheduler_running_jobs r where r.session_id = sys_context('USERENV', 'SID')) loop dbsched.report_round(%s, x.job_name); end loop;",
				oracleLiteral(round))
		},
		gate:     []string{"create table gate (n number not null)", "insert into gate (n) values (0)"},
		shut:     "lock table gate in exclusive mode",
		pass:     "lock table gate in row share mode; commit;",
		reporter: func(n string) string { return "select x.session_id from dba_scheduler_running_jobs x" + of(n) },
		hold:     "select r.name from ds_rounds r for update",
		waits:    "select x.sid from v$session x where x.program like 'victim%' and x.blocking_session is not null",
		stop:     "begin dbms_scheduler.set_scheduler_attribute('SCHEDULER_DISABLED', 'TRUE'); end;",
		finds:    true,
	}
}
