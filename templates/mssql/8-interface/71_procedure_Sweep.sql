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
    DECLARE @More bit;

    BEGIN TRY
        EXEC {{.Schema}}.RunSweep @More OUTPUT;
        EXEC {{.Schema}}.ArmTimer @Seconds = 1;
        EXEC {{.Schema}}.SendWake;
    END TRY
{{.Undo}}
    RETURN 0;
END;
