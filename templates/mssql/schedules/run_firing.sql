-- Procedure: RunFiring
-- Purpose: Makes the process of a schedule's firing and its tasks. Only the task that dbsched enqueues for the firing may call it: it runs
-- as the schedule's owner, in one transaction with its own end.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @FiringId bigint (required): the firing
-- Errors (number 50000, the number below in text and state):
--   51072: the schedule has another owner than when it fired
--   51078: called outside the firing's task
--   Others: see CreateProcess and ExecAsyncBatch
-- Example: none; a task of process 0 calls it
CREATE OR ALTER PROCEDURE {{.Schema}}.RunFiring
    @FiringId bigint
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @Result int, @TaskId bigint, @ProcessId int, @Own bit = 0, @OwnerSid varbinary(85), @ScheduleId int, @Name nvarchar(128),
            @Tasks nvarchar(max), @OnError varchar(8), @Weight int, @MaxParallel int;
    EXEC {{.Schema}}.CurrentTask @TaskId OUTPUT, @ProcessId OUTPUT;
    SELECT @Own = 1, @OwnerSid = s.OwnerSid, @ScheduleId = s.ScheduleId, @Tasks = s.Tasks, @OnError = s.OnError, @Weight = s.Weight,
           @MaxParallel = s.MaxParallel,
           @Name = f.Name + N' ' + CONVERT(nvarchar(16), DATEADD(minute,
               CASE WHEN z.name IS NULL THEN 0 ELSE {{.Schema}}.ZoneOffset(z.name, f.DueAt) END, f.DueAt), 120)
    FROM {{.Schema}}.ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
    LEFT JOIN {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK) ON s.ScheduleId = f.ScheduleId
    LEFT JOIN sys.time_zone_info AS z ON z.name = s.Zone COLLATE SQL_Latin1_General_CP1_CI_AS
    WHERE f.FiringId = @FiringId AND f.TaskId = @TaskId;
    IF @Own = 0
    BEGIN
        RAISERROR (N'dbsched 51078: RunFiring is for the task of a firing. To start a schedule now, call RunSchedule.', 16, 78);
        RETURN 51078;
    END;

    -- The schedule was dropped.
    IF @ScheduleId IS NULL
        RETURN 0;

    -- What its new owner wrote must not run as the old one, who is running this.
    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Me AS m WHERE m.Sid = @OwnerSid)
    BEGIN
        RAISERROR (N'dbsched 51072: the schedule has another owner since it fired. To start it now, as the new owner, call RunSchedule.', 16, 72);
        RETURN 51072;
    END;
    SET @ProcessId = NULL;
    EXEC @Result = {{.Schema}}.CreateProcess @Name = @Name, @ProcessId = @ProcessId OUTPUT, @OnError = @OnError, @MaxParallel = @MaxParallel;
    IF @Result = 0
        EXEC @Result = {{.Schema}}.ExecAsyncBatch @Tasks = @Tasks, @ProcessId = @ProcessId;

    -- The weight was allowed when the schedule was made or changed, maybe by an administrator.
    UPDATE p
    SET p.Weight = @Weight, p.Status = 'Closing', p.CloseRequested = 1, p.ScheduleId = @ScheduleId, p.FiringId = @FiringId
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    RETURN @Result;
END;
