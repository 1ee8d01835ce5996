package certify

import (
	"fmt"
	"strings"
	"time"
)

// oracleWords are those of Oracle Database.
func oracleWords() words {
	object := func(name string) string { return oraclePrefix + strings.ToUpper(name) }
	insert := func(name string, n int) string { return fmt.Sprintf("insert into %s (n) values (%d)", object(name), n) }
	return words{
		nothing: "begin null; end;",
		fails:   "begin raise_application_error(-20900, 'certify'); end;",
		table: func(name string) string {
			return fmt.Sprintf("create table %s (n number constraint %[1]s_ck check (n > 0) initially deferred)", object(name))
		},
		insert: insert,
		spoil:  func(name string) string { return insert(name, -1) }, // the commit raises ORA-02290
		count:  func(name string) string { return "select count(*) from " + object(name) },
		waits: func(name, sleep string, n int) string {
			return fmt.Sprintf("declare l_rows number; begin for i in 1 .. %d loop select count(*) into l_rows from %s; exit when l_rows > 0; %s end loop; end;", n, object(name), sleep)
		},
		sweep: "begin dbsched.sweep; end;",
		// Another instance may have a session of this number, which is somebody else's. ORA-00031: it ends when it has rolled back its work.
		kill: func(session int) string {
			return fmt.Sprintf(`declare
    l_serial number;
    e_marked exception;
    pragma exception_init(e_marked, -31);
begin
    select v.serial# into l_serial
    from v$session v
    inner join user_scheduler_running_jobs r
    on r.session_id = v.sid and r.running_instance = to_number(sys_context('USERENV', 'INSTANCE'))
    where v.sid = %d and v.username = user and r.job_name like 'DS\_LANE\_%%' escape '\';
    execute immediate 'alter system kill session ''%[1]d,' || l_serial || ''' immediate';
exception
    when e_marked then null;
    when no_data_found then raise_application_error(-%d, 'elsewhere');
end;`, session, oracleAbsent)
		},
		ramp:   7 * time.Second, // a job may take five seconds to start, and is ordered again if its last run was just ending
		cannot: "The task handles the interrupt. It is marked, and ends by itself; with MANAGE SCHEDULER dbsched ends its session.",

		enqueue: "begin dbsched.exec_async('begin null; end;', 1); end;",
		locks:   "select count(*) from v$lock l where l.sid = to_number(sys_context('userenv', 'sid')) and l.type in ('TM', 'TX')",

		traces: `select (select count(*) from user_objects o where o.object_type not in ('LOB', 'INDEX') and o.object_name not like 'CERTIFY\_%' escape '\' and o.object_name not like 'BIN$%')
     + (select count(*) from user_scheduler_jobs j where j.job_name not like 'CERTIFY\_%' escape '\')
     + (select count(*) from user_queues q)
from dual`,
	}
}
