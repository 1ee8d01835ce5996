-- Procedure: CurrentTask
-- Purpose: Returns the task that the calling session runs, if it is a worker.
-- Access: private; runs as the owner, which may read the lanes' locks.
-- Parameters:
--   @TaskId bigint OUTPUT: the task; NULL outside tasks
--   @ProcessId int OUTPUT: its process; NULL outside tasks
CREATE OR ALTER PROCEDURE {{.Schema}}.CurrentTask
    @TaskId bigint OUTPUT,
    @ProcessId int OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @LaneId int, @Resource nvarchar(255);

    SELECT @TaskId = NULL, @ProcessId = NULL;

    SELECT TOP (1) @LaneId = l.LaneId, @TaskId = t.TaskId, @ProcessId = t.ProcessId
    FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
    INNER JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.LaneId = l.LaneId AND t.WorkerId = l.WorkerId AND t.WorkerId IS NOT NULL
    WHERE l.SessionId = @@SPID
    ORDER BY l.EnteredAt DESC;

    -- Session numbers are reused: only the session that holds the lock is the worker.
    SET @Resource = N'lane:' + CONVERT(nvarchar(10), @LaneId);
    IF @LaneId IS NULL OR APPLOCK_MODE({{.LocksRoleLit}}, @Resource, 'Session') = N'NoLock'
        SELECT @TaskId = NULL, @ProcessId = NULL;
END;
