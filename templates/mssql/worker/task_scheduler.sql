-- Procedure: TaskScheduler
-- Purpose: Makes the calling session an additional worker, beyond those of SetWorkers, until it has had no work for a while.
-- It runs only the caller's own tasks: others' could reach what belongs to this session. A task's result sets go to this session.
-- Access: public: dbsched_admin
-- Parameters:
--   @WaitingTime int = 30: seconds without work after which it returns; 0 to 86400
-- Returns: 0 = no work left; 1 = the next task belongs to another user and needs another session; 2 = the scheduler was stopped
-- Errors:
--   51003: @WaitingTime is NULL or out of range
--   51007: your login has no database user, and so no tasks
--   51010: called inside a transaction
--   51014: the scheduler is stopped
--   51017: called by a task
--   51018: 64 sessions are already workers
-- Example: EXEC dbsched.TaskScheduler @WaitingTime = 60;
CREATE OR ALTER PROCEDURE {{.Schema}}.TaskScheduler
    @WaitingTime int = 30
AS
BEGIN
{{.RefuseTransaction "TaskScheduler" ""}}

{{.SetOptions}}
    DECLARE @Result int, @OwnTaskId bigint, @OwnProcessId int, @UserId int = DATABASE_PRINCIPAL_ID();

    IF @WaitingTime IS NULL OR @WaitingTime NOT BETWEEN 0 AND 86400
        THROW 51003, N'dbsched 51003: @WaitingTime must be from 0 to 86400.', 1;

    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Me)
        THROW 51007, N'dbsched 51007: TaskScheduler runs the tasks of the calling database user, and your login has no database user.', 1;

    EXEC {{.Schema}}.CurrentTask @OwnTaskId OUTPUT, @OwnProcessId OUTPUT;
    IF @OwnTaskId IS NOT NULL
        THROW 51017, N'dbsched 51017: a task cannot become a worker. Call TaskScheduler from another session.', 1;

    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1)
        THROW 51014, N'dbsched 51014: the scheduler is stopped. Call StartScheduler first (and SetWorkers 0 if no other workers should run).', 1;

    EXEC @Result = {{.Schema}}.ManualWorker @WaitingTime = @WaitingTime, @UserId = @UserId;
    RETURN @Result;
END;
