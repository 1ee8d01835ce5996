package main

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/dialects/oracle"
)

// engine is what the life cycle needs to know about an engine besides its DSN.
type engine struct {
	dialect dialects.Dialect
	// catalog lists everything that an installation could leave.
	catalog []string
	// foreigner creates a table that is not dbsched's, with the one row 42; survivor reads it.
	foreigner []string
	survivor  string
	// wait waits until the default process of a schema has nothing left to do.
	wait func(schema string) string
	// creates is part of what a dry run of an installation shows.
	creates string
	// failing is a task whose first line fails with an error of this number.
	failing string
	number  int
	// tooManyWorkers is the error of more workers than lanes.
	tooManyWorkers string
	// another is a second schema of the same database, if there can be one.
	another string
}

var mssqlEngine = engine{
	dialect: mssql.Dialect{},
	catalog: []string{
		"SELECT N'object ' + o.name FROM sys.objects AS o WHERE o.is_ms_shipped = 0 ORDER BY o.name;",
		"SELECT N'schema ' + s.name FROM sys.schemas AS s ORDER BY s.name;",
		"SELECT N'principal ' + p.name FROM sys.database_principals AS p ORDER BY p.name;",
		"SELECT N'service ' + s.name FROM sys.services AS s ORDER BY s.name;",
		"SELECT N'contract ' + c.name FROM sys.service_contracts AS c ORDER BY c.name;",
		"SELECT N'message type ' + m.name FROM sys.service_message_types AS m ORDER BY m.name;",
		"SELECT N'type ' + t.name FROM sys.types AS t WHERE t.is_user_defined = 1 ORDER BY t.name;",
		"SELECT N'conversation ' + CONVERT(nvarchar(36), e.conversation_handle) FROM sys.conversation_endpoints AS e;",
		"SELECT N'message ' + CONVERT(nvarchar(36), q.conversation_handle) FROM sys.transmission_queue AS q;",
	},
	foreigner:      []string{"CREATE TABLE dbo.Foreigner (Id int NOT NULL PRIMARY KEY);", "INSERT INTO dbo.Foreigner (Id) VALUES (42);"},
	survivor:       "SELECT Id FROM dbo.Foreigner;",
	wait:           func(schema string) string { return fmt.Sprintf("EXEC [%s].WaitProcess 1, 120;", schema) },
	creates:        "CREATE OR ALTER PROCEDURE [dbsched].ExecAsync",
	failing:        "SELECT 1/0;",
	number:         8134,
	tooManyWorkers: "51009",
	another:        `we ird-n"ame`,
}

var oracleEngine = engine{
	dialect: oracle.Dialect{},
	catalog: []string{
		"select o.object_type || ' ' || o.object_name from user_objects o order by o.object_type, o.object_name",
		"select 'job ' || j.job_name from user_scheduler_jobs j order by j.job_name",
		"select 'queue ' || q.name from user_queues q order by q.name",
		"select 'queue table ' || q.queue_table from user_queue_tables q order by q.queue_table",
	},
	foreigner: []string{"create table ds_foreigner (id number(10) primary key)", "insert into ds_foreigner (id) values (42)"},
	survivor:  "select f.id from ds_foreigner f",
	wait: func(string) string {
		return "declare l_result number; l_status varchar2(10); begin dbsched.wait_process(1, 120, l_result, l_status); end;"
	},
	creates:        "create or replace package body dbsched as",
	failing:        "declare x number; begin x := 1 / 0; end;",
	number:         1476,
	tooManyWorkers: "20009",
}

// contents lists everything that an installation could leave.
func (e engine) contents(t *testing.T, db *sql.DB) []string {
	t.Helper()
	var all []string
	for _, query := range e.catalog {
		all = append(all, column(t, db, query)...)
	}
	return all
}
