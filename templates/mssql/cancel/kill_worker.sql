-- Procedure: KillWorker
-- Purpose: Ends the session of a worker that Service Broker activated in a lane of this schema, and no other.
-- The only procedure that can do something outside the database, and only after a sysadmin has signed it (dbsched render
-- --kill-script): ALTER PROCEDURE drops a signature, so this text stays the same from version to version, and the session
-- options are its caller's. For the same reason it trusts no table of ours, but only what SQL Server itself says of the session.
-- Access: private; as the owner: without EXECUTE AS, who signed it could not vouch for an activated caller outside the database
-- (Extending Database Impersonation by Using EXECUTE AS).
-- Parameters:
--   @SessionId int (required): the session
--   @LaneId int (required): its lane. Numbers of sessions are used again, but each lane has one reader
-- Errors: those of KILL and of the views, above all that a right is missing, or
--   51026: the session is not an activation of ours
-- Example: see EndAttempts
CREATE OR ALTER PROCEDURE {{.Schema}}.KillWorker
    @SessionId int,
    @LaneId int
WITH EXECUTE AS OWNER
AS
BEGIN
    DECLARE @Command nvarchar(100);

    IF NOT EXISTS (SELECT 1
                   FROM sys.dm_broker_activated_tasks AS a
                   INNER JOIN sys.service_queues AS q ON q.object_id = a.queue_id
                   WHERE a.spid = @SessionId AND a.database_id = DB_ID()
                     AND q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name = N'Lane_' + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2))
        THROW 51026, N'dbsched 51026: the session is no worker that Service Broker activated, or has ended, or this procedure is not signed.', 1;

    -- KILL takes no variable.
    SET @Command = N'KILL ' + CONVERT(nvarchar(10), @SessionId) + N';';
    EXEC (@Command);
END;
