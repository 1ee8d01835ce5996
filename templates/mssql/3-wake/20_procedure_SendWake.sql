-- Procedure: SendWake
-- Purpose: Wakes the dispatcher. Joins an open transaction, if there is one.
-- Each wake-up is its own conversation: on a shared one, an enqueuer's open transaction would hold the lock on the
-- conversation group and block the next enqueuer. The target ends first, so no conversation leaks.
-- Access: private; runs as the owner of the schema.
-- Parameters: none
-- Errors: none of its own
-- Example: EXEC dbsched.SendWake;
CREATE OR ALTER PROCEDURE {{.Schema}}.SendWake
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @Handle uniqueidentifier;

    BEGIN TRANSACTION; -- a session that ends here leaves nothing
    BEGIN DIALOG CONVERSATION @Handle
        FROM SERVICE {{.DispatchService}}
        TO SERVICE {{.DispatchServiceLit}}, N'CURRENT DATABASE'
        ON CONTRACT {{.Contract}}
        WITH LIFETIME = 86400, ENCRYPTION = OFF;

    SEND ON CONVERSATION @Handle MESSAGE TYPE {{.WakeType}};
    COMMIT TRANSACTION;
END;
