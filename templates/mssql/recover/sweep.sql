-- Procedure: Sweep
-- Purpose: Does the dispatcher's periodic work at once: due tasks, dead workers, pruning, lanes.
-- Access: public: dbsched_admin
-- Parameters: none
-- Errors:
--   51010: called inside a transaction
-- Example: EXEC dbsched.Sweep;
CREATE OR ALTER PROCEDURE {{.Schema}}.Sweep
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "Sweep" ""}}

{{.SetOptions}}
    DECLARE @RetentionDays int, @More bit;

    BEGIN TRY
        SELECT @RetentionDays = s.RetentionDays FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1;
        EXEC {{.Schema}}.RunSweep @RetentionDays, @More OUTPUT;
        -- A slice was full: the dispatcher goes on. Not NULL: a sweep that is late shows that there is none.
        IF @More = 1
            UPDATE s SET s.NextSweepAt = SYSUTCDATETIME() FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1;
        EXEC {{.Schema}}.ArmTimer @Seconds = 1;
        EXEC {{.Schema}}.SendWake;
    END TRY
{{.Undo}}
    RETURN 0;
END;
