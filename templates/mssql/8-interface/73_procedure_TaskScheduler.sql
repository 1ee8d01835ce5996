-- Procedure: TaskScheduler
-- Purpose: Turns the calling session into one more worker, beside those of SetWorkers, until there was nothing to do for a while.
-- It runs everybody's tasks for a db_owner, else your own: a task answers into this session.
-- Access: public: dbsched_admin
-- Parameters:
--   @WaitingTime int = 30: seconds without work after which it returns; 0 to 86400
-- Returns: 0 = nothing left to do; 1 = the next task belongs to another user than the tasks it ran or may run, for which another
--   session is needed; 2 = the scheduler was stopped
-- Errors:
--   51003: @WaitingTime is NULL or out of range
--   51010: called inside a transaction
--   51014: the scheduler is stopped
--   51017: called by a task
--   51018: 64 sessions do so already
-- Example: EXEC dbsched.TaskScheduler @WaitingTime = 60;
CREATE OR ALTER PROCEDURE {{.Schema}}.TaskScheduler
    @WaitingTime int = 30
AS
BEGIN
{{.RefuseTransaction "TaskScheduler" ""}}

{{.SetOptions}}
    DECLARE @Result int, @OwnTaskId bigint, @OwnProcessId int, @UserId int = CASE WHEN IS_ROLEMEMBER(N'db_owner') = 1 THEN NULL ELSE DATABASE_PRINCIPAL_ID() END;

    IF @WaitingTime IS NULL OR @WaitingTime NOT BETWEEN 0 AND 86400
        THROW 51003, N'dbsched 51003: @WaitingTime must be from 0 to 86400.', 1;

    EXEC {{.Schema}}.CurrentTask @OwnTaskId OUTPUT, @OwnProcessId OUTPUT;
    IF @OwnTaskId IS NOT NULL
        THROW 51017, N'dbsched 51017: a task cannot become a worker.', 1;

    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1)
        THROW 51014, N'dbsched 51014: the scheduler is stopped; call StartScheduler first (and SetWorkers 0 if no other workers shall run).', 1;

    EXEC @Result = {{.Schema}}.ManualWorker @WaitingTime = @WaitingTime, @UserId = @UserId;
    RETURN @Result;
END;
