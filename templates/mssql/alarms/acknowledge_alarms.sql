-- Procedure: AcknowledgeAlarms
-- Purpose: Acknowledges alarms, so that status counts only newer ones. Acknowledged alarms stay in AlarmInfo.
-- Access: public: dbsched_admin
-- Parameters:
--   @UpTo bigint = NULL: AlarmId of the last alarm to acknowledge, with all before it; NULL = all
--   @Rows int = NULL OUTPUT: number of alarms acknowledged
--   @AlarmId bigint = NULL: the only alarm to acknowledge, whatever @UpTo is; NULL = see @UpTo
-- Errors:
--   51010: called inside a transaction
-- Example: EXEC dbsched.AcknowledgeAlarms 17;
CREATE OR ALTER PROCEDURE {{.Schema}}.AcknowledgeAlarms
    @UpTo bigint = NULL,
    @Rows int = NULL OUTPUT,
    @AlarmId bigint = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "AcknowledgeAlarms" ""}}

{{.SetOptions}}
    UPDATE a
    SET a.AcknowledgedAt = SYSUTCDATETIME(), a.AcknowledgedBy = ORIGINAL_LOGIN()
    FROM {{.Schema}}.Alarms AS a WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE a.AcknowledgedAt IS NULL AND a.AlarmId BETWEEN ISNULL(@AlarmId, 0) AND ISNULL(@AlarmId, ISNULL(@UpTo, 9223372036854775807));

    SET @Rows = @@ROWCOUNT;
    RETURN 0;
END;
