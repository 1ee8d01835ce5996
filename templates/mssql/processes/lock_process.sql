-- Procedure: LockProcess
-- Purpose: Locks a process row in the caller's transaction, unless another session holds it for a second, such as one that halts a process
-- with many tasks. The dispatcher must not wait for that.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @Held bit OUTPUT: 1 = another session holds it; nothing is locked
CREATE OR ALTER PROCEDURE {{.Schema}}.LockProcess
    @ProcessId int,
    @Held bit OUTPUT
AS
BEGIN
    SET XACT_ABORT OFF; -- 1222 must not doom the transaction
    SET LOCK_TIMEOUT 1000;

    BEGIN TRY
        SET @Held = 0;
        SELECT @ProcessId = p.ProcessId FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
    END TRY
    BEGIN CATCH
        SET @Held = 1;
        IF ERROR_NUMBER() <> 1222
            THROW;
    END CATCH;
END;
