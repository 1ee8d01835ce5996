package main

import (
	"database/sql"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestRefusedStatementFailsItsTask: a statement that the sandbox does not model fails its task, as any error would, with the
// text of the refusal; the worker continues. No handler of the task's own sees it.
func TestRefusedStatementFailsItsTask(t *testing.T) {
	if os.Getenv("DBSCHED_CENSUS") != "" {
		t.Skip("a census refuses nothing")
	}
	t.Parallel()
	for _, c := range []struct {
		engine  engine
		refused map[string]string // and what the refusal mentions
	}{
		{mssqlEngine, map[string]string{
			"DBCC SHRINKFILE (1);": `in "DBCC SHRINKFILE (1);"`,
			"BEGIN TRY DBCC SHRINKFILE (1); END TRY BEGIN CATCH PRINT 'seen'; END CATCH;": `in "DBCC SHRINKFILE (1);"`,
			"CREATE TABLE #t (n int); INSERT INTO #t (n) VALUES (1); DECLARE c CURSOR LOCAL FOR SELECT n FROM #t; OPEN c; INSERT INTO #t (n) VALUES (2); BEGIN TRY FETCH NEXT FROM c; END TRY BEGIN CATCH PRINT 'seen'; END CATCH;": "FETCH",
		}},
		{oracleEngine, map[string]string{
			"explain plan for select 1 from dual": "explain",
			"declare n number; begin select ora_hash('a') into n from dual; exception when others then null; end;":                                 "ORA_HASH",
			"begin dbms_scheduler.create_job(job_name => 'j', job_type => 'EXECUTABLE', job_action => 'c'); exception when others then null; end;": "EXECUTABLE",
		}},
	} {
		t.Run(c.engine.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			s := serveEngine(t, c.engine.dialect.Name())
			s.ok("install", "--lanes=1")
			s.ok("start")
			for text, names := range c.refused {
				id := data[struct{ ID int64 }](s, "exec", text, "--order=1", "--max-attempts=1").ID
				s.ok("wait", "1", "--timeout=1m")
				logs := data[[]dialects.LogEntry](s, "logs", "--task", strconv.FormatInt(id, 10))
				require.Len(t, logs, 1, text)
				require.Equal(t, "Failed", logs[0].Outcome, text)
				require.Equal(t, 49999, logs[0].ErrorNumber, text)
				require.Contains(t, logs[0].ErrorMessage, "the sandbox does not model ")
				require.Contains(t, logs[0].ErrorMessage, names)
			}
		})
	}
}

// TestRenderedGrantsRun: an administrator's script runs as printed, with the lines that the administrator must uncomment.
func TestRenderedGrantsRun(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, db *sql.DB, script, separator string) {
		t.Helper()
		script = regexp.MustCompile(`(?mi)^-- ((?:grant|alter) .*;).*$`).ReplaceAllString(script, "$1")
		for statement := range strings.SplitSeq(script, separator) {
			statement = strings.TrimSpace(regexp.MustCompile(`(?m)^--.*$`).ReplaceAllString(statement, ""))
			if statement != "" {
				execute(t, db, statement)
			}
		}
	}
	t.Run("oracle", func(t *testing.T) {
		t.Parallel()
		s := serveEngine(t, "oracle")
		dba := client{t, strings.Replace(s.dsn, "oracle://app:", "oracle://sys:", 1) + "?DBA+PRIVILEGE=SYSDBA"}
		db := dba.connect()
		execute(t, db, `create user etl_runner identified by "throwaway"`)
		execute(t, db, `create user newcomer identified by "throwaway"`)
		run(t, db, s.ok("render", "--dialect=oracle", "--schema=newcomer", "--runner=etl_runner", "--grants"), ";\n")
	})
	t.Run("mssql", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		db := s.connect()
		execute(t, db, "CREATE USER [<user>] WITHOUT LOGIN;")
		run(t, db, s.ok("render", "--grants"), "\nGO\n")
		s.ok("install")
		run(t, db, s.ok("render", "--kill-script"), "\nGO\n")
	})
}
