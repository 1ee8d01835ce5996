-- Procedure: SendLaneWake
-- Purpose: Wakes one lane. Joins an open transaction, if there is one.
-- Access: private; runs as the owner of the schema.
-- Parameters:
--   @LaneId int (required): number of the lane
-- Errors: none of its own
-- Example: EXEC dbsched.SendLaneWake @LaneId = 1;
CREATE OR ALTER PROCEDURE {{.Schema}}.SendLaneWake
    @LaneId int
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @Handle uniqueidentifier;
    DECLARE @Service nvarchar(256) = {{.LaneServicePrefixLit}} + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2);

    BEGIN TRANSACTION; -- a session that ends here leaves nothing
    BEGIN DIALOG CONVERSATION @Handle
        FROM SERVICE {{.DispatchService}}
        TO SERVICE @Service, N'CURRENT DATABASE'
        ON CONTRACT {{.Contract}}
        WITH LIFETIME = 86400, ENCRYPTION = OFF;

    SEND ON CONVERSATION @Handle MESSAGE TYPE {{.WakeType}};
    COMMIT TRANSACTION;
END;
