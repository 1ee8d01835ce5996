package certify

import (
	"context"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/templates"
)

// mssqlAgent are the probes of SQL Server Agent.
func mssqlAgent() []Probe {
	return []Probe{{
		Name: "start-job-refused", Capability: "rounds and agent jobs",
		Assumed:   "`sp_start_job` returns a refusal (22022) that `TRY` does not catch",
		Otherwise: "Caught: handled. Success: fails",
		Answers: []Answer{
			{Seen: "return value", Verdict: Works},
			{Seen: "caught", Verdict: Handled},
			{Seen: "success", Verdict: Fails, Means: "A round whose job was not started is Unknown, with an alarm."},
		},
		Invasive: "a job of SQL Server Agent that waits for some seconds",
		ask:      startJobRefused,
	}}
}

// startJobRefused starts a job twice, or, where the Agent does not run, in vain.
func startJobRefused(ctx context.Context, b *bed) (string, error) {
	s, err := b.session(ctx)
	if err != nil {
		return "", err
	}
	name, err := s.outside(ctx, "job")
	if err != nil {
		return "", err
	}
	job := templates.QuoteString(name)
	if err := s.exec(ctx, b.table("Starts", "N int NOT NULL, Told nvarchar(30) NOT NULL")); err != nil {
		return "", err
	}
	if err := s.exec(ctx, `EXEC msdb.dbo.sp_add_job @job_name = `+job+`;
DECLARE @Here sysname = DB_NAME();
EXEC msdb.dbo.sp_add_jobstep @job_name = `+job+`, @step_name = N'wait', @command = N'WAITFOR DELAY ''00:00:10'';', @database_name = @Here;
EXEC msdb.dbo.sp_add_jobserver @job_name = `+job+`;`); err != nil {
		return "", needing("SQLAgentUserRole in msdb", err)
	}
	defer func() { // with its history; whoever may not read sysjobs would not find it later
		drop := "EXEC msdb.dbo.sp_delete_job @job_name = " + job + ";"
		if s.exec(context.WithoutCancel(ctx), drop) != nil {
			_ = sleep(ctx, 3*time.Second)
			_ = s.exec(context.WithoutCancel(ctx), drop)
		}
	}()
	told := make([]string, 2)
	for i := range told {
		if told[i], err = s.startJob(ctx, b, job, i); err != nil {
			return "", err
		}
	}
	if told[0] != "success" {
		return told[0], nil
	}
	if err := s.ended(ctx, job); err != nil {
		return "", err
	}
	return told[1], nil
}

// startJob starts a job in a batch of its own, and returns what that could tell of it.
func (s *session) startJob(ctx context.Context, b *bed, job string, n int) (string, error) {
	err := s.exec(ctx, fmt.Sprintf(`BEGIN TRY
    DECLARE @Result int;
    EXEC @Result = msdb.dbo.sp_start_job @job_name = %[1]s;
    INSERT INTO %[2]s (N, Told) VALUES (%[3]d, CASE WHEN @Result = 0 THEN N'success' ELSE N'return value' END);
END TRY
BEGIN CATCH
    INSERT INTO %[2]s (N, Told) VALUES (%[3]d, N'caught');
END CATCH;`, job, b.name("Starts"), n))
	if _, err := errorOf(err); err != nil { // the driver turns the message into an error
		return "", err
	}
	told, err := s.values(ctx, fmt.Sprintf("SELECT Told FROM %s WHERE N = %d", b.name("Starts"), n))
	switch {
	case err != nil:
		return "", err
	case len(told) == 0:
		return "the batch ends", nil
	}
	return told[0], nil
}

// ended waits until a job has run. Who may not look has waited for long enough.
func (s *session) ended(ctx context.Context, job string) error {
	err := until(ctx, 30*time.Second, func() (bool, error) {
		n, err := s.value(ctx, "SELECT COUNT(*) FROM msdb.dbo.sysjobactivity AS a INNER JOIN msdb.dbo.sysjobs AS j ON j.job_id = a.job_id WHERE j.name = "+job+" AND a.stop_execution_date IS NOT NULL")
		return n != "0", err
	})
	if seen, err := errorOf(err); err != nil || seen == noError {
		return err
	}
	return sleep(ctx, 10*time.Second)
}
