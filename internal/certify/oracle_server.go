package certify

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"

	go_ora "github.com/sijms/go-ora/v2"
)

// oracleFacts are what matters of the server and the database, each with the query that reads it: a query that may not be asked, or an answer
// that is not a word or a number, leaves its fact out. Sources: Database Reference 19c, PRODUCT_COMPONENT_VERSION, DATABASE_PROPERTIES,
// USER_RESOURCE_LIMITS, V$PARAMETER, V$TIMEZONE_FILE, ALL_EDITIONS; SQL Language Reference 19c, SYS_CONTEXT.
var oracleFacts = []struct{ name, query string }{
	{"version", `select max(p.version_full) from product_component_version p where p.version_full is not null`},
	{"edition", `select max(p.product) from product_component_version p where p.version_full is not null`},
	// AMERICAN_AMERICA.AL32UTF8: language and territory are the session's.
	{"character set", `select regexp_substr(sys_context('USERENV', 'LANGUAGE'), '[^.]+$') from dual`},
	{"container", `select case when sys_context('USERENV', 'CDB_NAME') is null then 'no' else 'yes' end from dual`},
	{"role", `select lower(sys_context('USERENV', 'DATABASE_ROLE')) from dual`},
	{"cluster", ``}, // see oracleCluster
	{"cloud service", `select sys_context('USERENV', 'CLOUD_SERVICE') from dual`},
	{"job_queue_processes", `select p.value from v$parameter p where p.name = 'job_queue_processes'`},
	{"limits of the profile", `select nvl(listagg(lower(l.resource_name) || ' ' || l.limit, ', ') within group (order by l.resource_name), 'none')
from user_resource_limits l
where l.limit <> 'UNLIMITED'`},
	// Names of editions may be anybody's.
	{"default edition", `select case p.property_value when 'ORA$BASE' then 'ORA$BASE' else 'another' end from database_properties p where p.property_name = 'DEFAULT_EDITION'`},
	{"editions", `select count(*) from all_editions`},
	{"time zone file", `select t.version from v$timezone_file t`},
}

// oracleWord is what a fact may look like.
var oracleWord = regexp.MustCompile(`^[A-Za-z0-9$_.,()\- ]{1,400}$`)

// oracleServer reads the facts.
func oracleServer(ctx context.Context, db *sql.DB) ([]Fact, error) {
	var facts []Fact
	for _, f := range oracleFacts {
		if f.name == "cluster" {
			if cluster, err := oracleCluster(ctx, db); err == nil {
				facts = append(facts, Fact{f.name, cluster})
			}
		} else if found, err := column(ctx, db, f.query); err == nil && len(found) == 1 && oracleWord.MatchString(found[0]) {
			facts = append(facts, Fact{f.name, strings.TrimSpace(found[0])})
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if !slices.ContainsFunc(facts, func(f Fact) bool { return f.Name == "version" }) { // the connection is gone, rather than one right
		if _, err := column(ctx, db, "select 1 from dual"); err != nil {
			return nil, err
		}
	}
	return facts, nil
}

// oracleCluster asks whether this is Real Application Clusters. PUBLIC may execute DBMS_UTILITY, and may not read V$PARAMETER.
func oracleCluster(ctx context.Context, db *sql.DB) (cluster string, err error) {
	_, err = db.ExecContext(ctx, `begin :out_cluster := case when dbms_utility.is_cluster_database then 'yes' else 'no' end; end;`,
		sql.Named("out_cluster", go_ora.Out{Dest: &cluster, Size: 10}))
	return cluster, err
}
