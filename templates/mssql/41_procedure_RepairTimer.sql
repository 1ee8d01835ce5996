-- Procedure: RepairTimer
-- Purpose: Makes the dispatcher's timer again when it should be there and is not (after NEW_BROKER or a restore).
-- Access: private
-- Parameters: none
-- Errors: none of its own
-- Example: EXEC dbsched.RepairTimer;
CREATE OR ALTER PROCEDURE {{.Schema}}.RepairTimer
AS
BEGIN
    DECLARE @Started bit, @Handle uniqueidentifier;

    SELECT @Started = s.Started, @Handle = s.TimerHandle
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    IF @Started = 1 AND NOT EXISTS (SELECT 1 FROM sys.conversation_endpoints AS e WITH (NOLOCK) WHERE e.conversation_handle = @Handle)
        EXEC {{.Schema}}.ArmTimer @Seconds = 1;
END;
