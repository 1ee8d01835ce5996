-- Procedure: SetAlarmHook
-- Purpose: Names a procedure of yours that is called for every alarm from now on, to tell somebody, or NULL for none. It runs as you,
-- as a task: in a process of its own that is called "alarm hook", one call at a time, for at most 300 seconds, three times if it
-- fails. It can do no harm to the scheduler, and is called while that is started. Its errors are in LogInfo. An installation or an
-- upgrade keeps it. It must have a parameter @AlarmId bigint, by which it finds the alarm in AlarmInfo.
-- Access: public: dbsched_admin
-- Parameters:
--   @Procedure nvarchar(517) = NULL: schema and name, both in brackets or neither; NULL = no hook
-- Errors:
--   51007: the caller is no database user who can be impersonated
--   51010: called inside a transaction
--   51060: there is no such procedure, you may not execute it, or it has no parameter @AlarmId
-- Example: EXEC (N'CREATE PROCEDURE dbo.OnAlarm @AlarmId bigint AS INSERT INTO dbo.Pager (Text) SELECT a.AlarmText FROM dbsched.AlarmInfo AS a WHERE a.AlarmId = @AlarmId;'); EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';
CREATE OR ALTER PROCEDURE {{.Schema}}.SetAlarmHook
    @Procedure nvarchar(517) = NULL
AS
BEGIN
{{.RefuseTransaction "SetAlarmHook" ""}}

{{.SetOptions}}
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @Hook nvarchar(517);

    -- As the caller, who sees in the catalogue what he has a right to. Names, not the text: it becomes part of a batch.
    SELECT @Hook = QUOTENAME(s.name) + N'.' + QUOTENAME(p.name)
    FROM sys.procedures AS p
    INNER JOIN sys.schemas AS s ON s.schema_id = p.schema_id
    INNER JOIN sys.parameters AS a ON a.object_id = p.object_id AND a.name = N'@AlarmId'
    WHERE @Procedure IN (s.name + N'.' + p.name, QUOTENAME(s.name) + N'.' + QUOTENAME(p.name))
      AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(p.name), N'OBJECT', N'EXECUTE') = 1;

    IF @Procedure IS NOT NULL AND @Hook IS NULL
        THROW 51060, N'dbsched 51060: @Procedure must be schema.name of a procedure of this database that you may execute and that has a parameter @AlarmId.', 1;

    EXEC {{.Schema}}.StoreAlarmHook @Hook = @Hook, @UserId = @UserId, @UserName = @UserName, @LoginName = @LoginName;
    RETURN 0;
END;
