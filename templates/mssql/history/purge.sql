-- Procedure: Purge
-- Purpose: Deletes old tasks, processes, attempts and alarms that have ended, in small batches, so that it blocks no other session. The
-- sweep does the same after RetentionDays. Unfinished work stays, however old.
-- Access: public: dbsched_admin
-- Parameters:
--   @Days int = NULL: delete what ended more than this many days ago; 0 = all that has ended; NULL = RetentionDays; 0 to 36500
--   @Rows bigint = NULL OUTPUT: number of rows deleted
-- Errors:
--   51003: @Days is out of range
--   51010: called inside a transaction
-- Example: EXEC dbsched.Purge 7;
CREATE OR ALTER PROCEDURE {{.Schema}}.Purge
    @Days int = NULL,
    @Rows bigint = NULL OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "Purge" ""}}

{{.SetOptions}}
    DECLARE @Cutoff datetime2(3), @Slice int = 1, @Full bit;

    IF @Days NOT BETWEEN 0 AND 36500
        THROW 51003, N'dbsched 51003: @Days must be from 0 to 36500.', 1;

    SELECT @Cutoff = DATEADD(day, -ISNULL(@Days, s.RetentionDays), SYSUTCDATETIME())
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SET @Rows = 0;

    -- Do not stop at a partial slice: one of the oldest 500 attempts may still be running.
    WHILE @Slice > 0
    BEGIN
        EXEC {{.Schema}}.PruneHistory @Cutoff, @Slice OUTPUT, @Full OUTPUT;
        SET @Rows = @Rows + @Slice;
    END;

    RETURN 0;
END;
