-- Procedure: AcknowledgeAlarms
-- Purpose: Marks alarms as known, so that status counts only newer ones. They stay in AlarmInfo.
-- Access: public: dbsched_admin
-- Parameters:
--   @UpTo bigint = NULL: number of the last alarm that is known, and those before it; NULL = all
--   @Rows int = NULL OUTPUT: alarms marked
-- Errors:
--   51010: called inside a transaction
-- Example: EXEC dbsched.AcknowledgeAlarms 17;
CREATE OR ALTER PROCEDURE {{.Schema}}.AcknowledgeAlarms
    @UpTo bigint = NULL,
    @Rows int = NULL OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "AcknowledgeAlarms" ""}}

{{.SetOptions}}
    UPDATE a
    SET a.AcknowledgedAt = SYSUTCDATETIME(), a.AcknowledgedBy = ORIGINAL_LOGIN()
    FROM {{.Schema}}.Alarms AS a WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE a.AcknowledgedAt IS NULL AND a.AlarmId <= ISNULL(@UpTo, 9223372036854775807);

    SET @Rows = @@ROWCOUNT;
    RETURN 0;
END;
