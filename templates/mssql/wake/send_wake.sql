-- Procedure: SendWake
-- Purpose: Wakes the dispatcher, or a lane. Joins an open transaction, if there is one.
-- Each wake-up is its own conversation: on a shared one, an enqueuer's open transaction would hold the lock on the
-- conversation group and block the next enqueuer. The target ends first, so no conversation leaks.
-- Access: private; runs as the owner of the schema.
-- Parameters:
--   @LaneId int = NULL: the lane; NULL = the dispatcher
--   @Body varbinary(1) = 0x00: 0x01 = from a transaction that added tasks
CREATE OR ALTER PROCEDURE {{.Schema}}.SendWake
    @LaneId int = NULL,
    @Body varbinary(1) = 0x00
AS
BEGIN
    DECLARE @Handle uniqueidentifier, @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END,
            @Service nvarchar(256) = CASE WHEN @LaneId IS NULL THEN {{.DispatchServiceLit}}
                                           ELSE {{.LaneServicePrefixLit}} + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2) END;

    -- A session that ends in between leaves nothing; if SEND fails, a caller's transaction is as it was.
    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN DIALOG CONVERSATION @Handle
        FROM SERVICE {{.DispatchService}}
        TO SERVICE @Service, N'CURRENT DATABASE'
        ON CONTRACT {{.Contract}}
        WITH LIFETIME = 86400, ENCRYPTION = OFF;

    SEND ON CONVERSATION @Handle MESSAGE TYPE {{.WakeType}} (@Body);

    IF @Own = 1
        COMMIT TRANSACTION;
END;
