-- Procedure: RaiseAlarm
-- Purpose: Records an alarm and calls the alarm hook (see SetAlarmHook). Does nothing if one of the last hundred alarms is the
-- same and less than ten minutes old, or if twenty of them are less than an hour old and about things of the same user, who is no
-- administrator: so a user can neither bury the alarms of others nor call the hook without end. Joins an open transaction, if there is one.
-- Access: private
-- Parameters:
--   @Kind varchar(20) (required): kind of alarm, see Alarms.Kind
--   @Message nvarchar(2000) (required): what happened
--   @ProcessId int = NULL: process of the alarm
--   @TaskId bigint = NULL: task of the alarm
--   @LaneId int = NULL: lane of the alarm
--   @UserName nvarchar(128) = NULL: user whose round or schedule it is about; NULL = the user of the task or process, if there is one
CREATE OR ALTER PROCEDURE {{.Schema}}.RaiseAlarm
    @Kind varchar(20),
    @Message nvarchar(2000),
    @ProcessId int = NULL,
    @TaskId bigint = NULL,
    @LaneId int = NULL,
    @UserName nvarchar(128) = NULL
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @AlarmId bigint, @Same int, @OfUser int;

    SET @UserName = COALESCE(@UserName, (SELECT t.EnqueuedByName FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.TaskId = @TaskId),
                             (SELECT p.CreatedByName FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @ProcessId AND p.ProcessId > 1));

    -- Errors that repeat every few seconds, such as that of each lane, must not bury other alarms.
    SELECT @Same = SUM(CASE WHEN r.Kind = @Kind AND r.AlarmText = @Message AND r.RaisedAt > DATEADD(minute, -10, SYSUTCDATETIME()) THEN 1 ELSE 0 END),
           @OfUser = SUM(CASE WHEN r.UserName = @UserName AND r.RaisedAt > DATEADD(hour, -1, SYSUTCDATETIME()) THEN 1 ELSE 0 END)
    FROM (SELECT TOP (100) a.Kind, a.AlarmText, a.RaisedAt, a.UserName
          FROM {{.Schema}}.Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
          ORDER BY a.AlarmId DESC) AS r;

    -- Not those that tell of an attack.
    IF @Kind = 'WorkerError' OR @UserName = N'dbo' OR IS_ROLEMEMBER({{.AdminRoleLit}}, @UserName) = 1 OR IS_ROLEMEMBER(N'db_owner', @UserName) = 1
        SET @OfUser = 0;
    IF @Same > 0 OR @OfUser > 19
        RETURN;
    IF @OfUser = 19
        SET @Message = LEFT(@Message, 1800) + N' (The 20th alarm in an hour about what belongs to ' + @UserName + N'. Others are not recorded.)';

    INSERT INTO {{.Schema}}.Alarms WITH (ROWLOCK) (Kind, AlarmText, ProcessId, TaskId, LaneId, UserName)
    VALUES (@Kind, @Message, @ProcessId, @TaskId, @LaneId, @UserName);

    SET @AlarmId = SCOPE_IDENTITY();
    -- In a copy the hook does not run; its calls would pile up until StartScheduler.
    IF @Kind <> 'Copy'
        EXEC {{.Schema}}.CallAlarmHook @AlarmId, @ProcessId;
END;
