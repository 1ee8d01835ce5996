-- Procedure: SetPolicy
-- Purpose: Sets which process is served first, from the next claim on.
-- Access: public: dbsched_admin
-- Parameters:
--   @Policy varchar(30) (required): Fifo (oldest process first), Priority (highest first, ties oldest first) or
--       RoundRobin (fewest running tasks relative to its weight, then least recently served)
-- Errors:
--   51008: @Policy is not Fifo, Priority or RoundRobin
--   51010: called inside a transaction
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.SetPolicy 'RoundRobin';
CREATE OR ALTER PROCEDURE {{.Schema}}.SetPolicy
    @Policy varchar(30)
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "SetPolicy" ""}}

{{.SetOptions}}
{{.NeedSettings}}
    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Policy = CASE LOWER(@Policy) WHEN 'fifo' THEN 'Fifo' WHEN LOWER('FIFO') THEN 'Fifo' WHEN 'priority' THEN 'Priority' WHEN LOWER('PRIORITY') THEN 'Priority' WHEN 'roundrobin' THEN 'RoundRobin' WHEN LOWER('ROUNDROBIN') THEN 'RoundRobin' END;
    IF @Policy IS NULL
        THROW 51008, N'dbsched 51008: @Policy must be Fifo, Priority or RoundRobin.', 1;

    UPDATE s
    SET s.Policy = @Policy, s.ChangedAt = SYSUTCDATETIME()
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    RETURN 0;
END;
