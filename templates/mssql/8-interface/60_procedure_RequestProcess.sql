-- Procedure: RequestProcess
-- Purpose: Requests that a process is released or closed when the caller's transaction commits, and wakes the dispatcher.
-- Access: private; runs as the owner, because only the owner may send messages.
-- Parameters:
--   @ProcessId int (required): the process
--   @Action varchar(7) (required): Release or Close
--   @UserSid varbinary(85) (required): SID of the caller
--   @IsAdmin bit (required): 1 = the caller may act on any user's process
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process is always open
CREATE OR ALTER PROCEDURE {{.Schema}}.RequestProcess
    @ProcessId int,
    @Action varchar(7),
    @UserSid varbinary(85),
    @IsAdmin bit
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptionsJoin}}
    SET LOCK_TIMEOUT 5000;
    DECLARE @Status varchar(10), @Mine bit, @Busy bit = 0, @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END;

    IF @ProcessId IN (0, 1)
    BEGIN
        RAISERROR (N'dbsched 51013: processes 0 (of schedules) and 1 (the default process) are always open and cannot be released or closed.', 16, 13);
        RETURN 51013;
    END;

    BEGIN TRY
        -- A caller without a database user (a member of a Windows group) has no SID here: NULL matches no owner.
        SELECT @Status = p.Status, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222
            THROW;
        SET @Busy = 1;
    END CATCH;

    IF @Busy = 1
    BEGIN
        RAISERROR (N'dbsched 51011: process %d is locked by a transaction that has not ended. Try again after it commits.', 16, 11, @ProcessId);
        RETURN 51011;
    END;

    IF @Status IS NULL
    BEGIN
        RAISERROR (N'dbsched 51004: there is no process %d. See ProcessInfo.', 16, 4, @ProcessId);
        RETURN 51004;
    END;

    IF @IsAdmin = 0 AND @Mine = 0
    BEGIN
        RAISERROR (N'dbsched 51006: process %d belongs to another user. Ask an administrator.', 16, 6, @ProcessId);
        RETURN 51006;
    END;

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
