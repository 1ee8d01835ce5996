-- Procedure: RequestProcess
-- Purpose: Requests that a process is released or closed when the caller's transaction commits, and wakes the dispatcher.
-- Access: private; runs as the owner, because only the owner may send messages.
-- Parameters:
--   @ProcessId int (required): the process
--   @Action varchar(7) (required): Release or Close
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process is always open
CREATE OR ALTER PROCEDURE {{.Schema}}.RequestProcess
    @ProcessId int,
    @Action varchar(7)
WITH EXECUTE AS OWNER
AS
BEGIN
{{.Caller}}
{{.SetOptionsJoin}}
    SET LOCK_TIMEOUT 5000;
    DECLARE @Status varchar(10), @Mine bit, @Bad nvarchar(200), @State int, @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END;

    BEGIN TRY
        -- A caller without a database user (a member of a Windows group) has no SID here: NULL matches no owner.
        SELECT @Status = p.Status, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId AND @ProcessId > 1;
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222
            THROW;
        SET @Bad = N'51011: process ' + CONVERT(nvarchar(20), @ProcessId)
                 + N' is locked by a transaction that has not ended. Try again after it commits.';
    END CATCH;

    SET @Bad = CASE WHEN @ProcessId IS NULL THEN N'51004: @ProcessId is NULL. Pass the number of a process.'
                    WHEN @ProcessId IN (0, 1)
                        THEN N'51013: processes 0 (of schedules) and 1 (the default process) are always open and cannot be released or closed.'
                    WHEN @Bad IS NOT NULL THEN @Bad
                    WHEN @Status IS NULL THEN N'51004: there is no process ' + CONVERT(nvarchar(20), @ProcessId) + N'. See ProcessInfo.'
                    WHEN @IsAdmin = 0 AND @Mine = 0
                        THEN N'51006: process ' + CONVERT(nvarchar(20), @ProcessId) + N' belongs to another user. Ask an administrator.' END;
{{.RaiseBad}}

    -- Nothing to do. A Failed or Cancelled process records the request: it closes after a retry.
    IF @Status = 'Succeeded' OR (@Action = 'Release' AND @Status <> 'Suspended') OR (@Action = 'Close' AND @Status = 'Closing')
    BEGIN
    {{.EndJoin}}
        RETURN 0;
    END;

    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN TRY
        INSERT INTO {{.Schema}}.ProcessRequests WITH (ROWLOCK) (ProcessId, Action) VALUES (@ProcessId, @Action);

        EXEC {{.Schema}}.WakeOnce;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

{{.EndJoin}}
    RETURN 0;
END;
