-- Procedure: Purge
-- Purpose: Forgets what ended long ago: tasks, processes, attempts and alarms, in slices, so that it holds up nobody. The sweep does
-- the same with what is older than RetentionDays. What has not ended stays, however old.
-- Access: public: dbsched_admin
-- Parameters:
--   @Days int = NULL: what ended more days ago goes; 0 = all that has ended; NULL = RetentionDays; 0 to 36500
--   @Rows bigint = NULL OUTPUT: rows deleted
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

    -- Not until a slice is not full: among the oldest 500 attempts there may be one that still runs.
    WHILE @Slice > 0
    BEGIN
        EXEC {{.Schema}}.PruneHistory @Cutoff, @Slice OUTPUT, @Full OUTPUT;
        SET @Rows = @Rows + @Slice;
    END;

    RETURN 0;
END;
