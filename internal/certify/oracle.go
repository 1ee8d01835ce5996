package certify

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/sijms/go-ora/v2/network"
)

// oraclePrefix begins the names of all that the probes make. The table CERTIFY_MARK is there from the first statement to the last.
const oraclePrefix = "CERTIFY_"

func oracleEngine() *engine {
	return &engine{
		makes: "dbsched and objects " + oraclePrefix + "... in your schema",
		make:  "create table certify_mark (started_at timestamp default systimestamp)",
		inTheWay: `select 'Object ' || o.object_name || ' exists in your schema. ' ||
       case when o.object_name = 'CERTIFY_MARK' then 'Another certify is running, or one was killed. To remove what that left, run: dbsched certify --clean'
            else 'certify needs an empty schema: connect as another user' end
from user_objects o
where o.object_name = 'CERTIFY_MARK' or (o.object_type not in ('LOB', 'INDEX') and not exists (select 1 from user_tables t where t.table_name = 'CERTIFY_MARK') and rownum = 1)`,
		left: `select l.kind, l.name, l.text
from (select 1 as step, 'job' as kind, j.job_name as name, 'begin dbms_scheduler.drop_job(''"' || j.job_name || '"'', force => true); end;' as text
      from user_scheduler_jobs j
      union all
      select case o.object_name when 'CERTIFY_MARK' then 9 else 2 end, lower(o.object_type), o.object_name,
             'drop ' || o.object_type || ' "' || o.object_name || '"' || case o.object_type when 'TABLE' then ' cascade constraints purge' end
      from user_objects o
      where o.object_type in ('TABLE', 'PACKAGE', 'PROCEDURE', 'FUNCTION', 'VIEW', 'SEQUENCE', 'TYPE')
        and exists (select 1 from user_tables t where t.table_name = 'CERTIFY_MARK')) l
order by l.step, l.name`,
		probes: slices.Concat(oracleJobs(), rules(oracleWords()), oracleElsewhere()),
		server: oracleServer,
		why:    oracleWhy,
		say:    oracleWords(),
	}
}

// oracleServer reads what matters of the server and the database.
func oracleServer(ctx context.Context, db *sql.DB) ([]Fact, error) {
	found, err := rows(ctx, db, "select p.version from product_component_version p where p.product like 'Oracle%' and rownum = 1")
	if err != nil || len(found) != 1 {
		return nil, err
	}
	return []Fact{{"version", found[0][0]}}, nil
}

// oracleWhy names an error by its number.
func oracleWhy(err error) string {
	e, ok := errors.AsType[*network.OracleError](err)
	switch {
	case errors.Is(err, errLate):
		return errLate.Error()
	case !ok:
		return "the connection failed"
	case slices.Contains([]int{942, 1031, 6550, 27486}, e.ErrCode):
		return fmt.Sprintf("a right is missing (ORA-%05d)", e.ErrCode)
	}
	return fmt.Sprintf("ORA-%05d", e.ErrCode)
}
