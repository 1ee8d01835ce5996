package integration

import (
	"fmt"
	"strings"
	"time"

	"github.com/dbsched/dbsched/templates"
)

// jobStatements is the SQL for jobs of the server's own scheduler, for an administrator of the server.
type jobStatements struct {
	name   func(name string) string                  // as DefineRound expects it
	add    func(name string, steps ...string) string // statement: a job that runs the steps one after the other
	remove func(name string) string
	start  func(name string) string
	runs   func(name string) string // query: how often it has run to its end
	busy   func(name string) string // query: 1 while it runs, or is about to

	pause  func(d time.Duration) string // step
	report func(round string) string    // step: the job reports its success to a round, under its own name
	gate   []string                     // statements that create a gate
	shut   string                       // statement: shuts it until the transaction ends
	pass   string                       // step that waits at the gate

	reporter func(name string) string // query: the session that runs a job's step

	hold  string // statement of a transaction: holds the rows of rounds
	waits string // query: the session of the program "victim ..." that waits for one

	stop    string // statement: stops the server from starting jobs; empty: it is an option of the sandbox
	refusal string // what the driver returns besides the outcome when the server starts no jobs
	finds   bool   // the sweep finds out what happened to a start whose reporter died
}

// mssqlJobs are those of SQL Server Agent.
func mssqlJobs(schema string) *jobStatements {
	lit := templates.QuoteString
	of := func(name string) string {
		return "INNER JOIN msdb.dbo.sysjobs AS j ON j.job_id = x.job_id WHERE j.name = " + lit(name)
	}
	return &jobStatements{
		name: func(name string) string { return name },
		add: func(name string, steps ...string) string {
			var b strings.Builder
			fmt.Fprintf(&b, "EXEC msdb.dbo.sp_add_job @job_name = %s;\nDECLARE @Here sysname = DB_NAME();\n", lit(name))
			for i, step := range steps {
				next := 3
				if i == len(steps)-1 {
					next = 1
				}
				fmt.Fprintf(&b, "EXEC msdb.dbo.sp_add_jobstep @job_name = %s, @step_name = N'step %d', @command = %s, @database_name = @Here, @on_success_action = %d;\n",
					lit(name), i+1, lit(step), next)
			}
			fmt.Fprintf(&b, "EXEC msdb.dbo.sp_add_jobserver @job_name = %s;", lit(name))
			return b.String()
		},
		remove: func(name string) string { return "EXEC msdb.dbo.sp_delete_job @job_name = " + lit(name) + ";" },
		start:  func(name string) string { return "EXEC msdb.dbo.sp_start_job @job_name = " + lit(name) + ";" },
		runs: func(name string) string {
			return "SELECT COUNT(*) FROM msdb.dbo.sysjobhistory AS x " + of(name) + " AND x.step_id = 0;"
		},
		busy: func(name string) string {
			return "SELECT COUNT(*) FROM msdb.dbo.sysjobactivity AS x " + of(name) + " AND x.run_requested_date IS NOT NULL AND x.stop_execution_date IS NULL" +
				" AND x.session_id = (SELECT MAX(s.session_id) FROM msdb.dbo.syssessions AS s);"
		},
		pause: mssqlPause,
		report: func(round string) string {
			return fmt.Sprintf("EXEC %s.ReportRound %s, N'$(ESCAPE_SQUOTE(JOBNAME))';", templates.QuoteIdent(schema), lit(round))
		},
		gate: []string{"CREATE TABLE dbo.Gate (N int NOT NULL);", "INSERT INTO dbo.Gate (N) VALUES (0);"},
		shut: "UPDATE dbo.Gate SET N = N + 1;",
		reporter: func(string) string {
			return "SELECT s.session_id FROM sys.dm_exec_sessions AS s WHERE s.program_name LIKE N'SQLAgent - TSQL JobStep%';"
		},
		hold:    "UPDATE " + templates.QuoteIdent(schema) + ".Rounds SET Name = Name;",
		waits:   "SELECT r.session_id FROM sys.dm_exec_requests AS r INNER JOIN sys.dm_exec_sessions AS s ON s.session_id = r.session_id WHERE s.program_name LIKE N'victim%' AND r.blocking_session_id > 0;",
		refusal: "SQLServerAgent is not currently running",
		pass:    "DECLARE @n int; SELECT @n = g.N FROM dbo.Gate AS g WITH (READCOMMITTEDLOCK);",
	}
}
