-- Procedure: SendWake
-- Purpose: Tells the dispatcher to look again. Joins the transaction that is open, if any.
-- Each wake-up is a conversation of its own: on a shared one, an enqueuer's open transaction would hold the
-- conversation group's lock and make the next enqueuer wait. The target ends first, so nothing leaks.
-- Access: private; runs as the owner of the schema.
-- Parameters: none
-- Errors: none of its own
-- Example: EXEC dbsched.SendWake;
CREATE OR ALTER PROCEDURE {{.Schema}}.SendWake
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @Handle uniqueidentifier;

    BEGIN DIALOG CONVERSATION @Handle
        FROM SERVICE {{.DispatchService}}
        TO SERVICE {{.DispatchServiceLit}}, N'CURRENT DATABASE'
        ON CONTRACT {{.Contract}}
        WITH LIFETIME = 86400, ENCRYPTION = OFF;

    SEND ON CONVERSATION @Handle MESSAGE TYPE {{.WakeType}};
END;
