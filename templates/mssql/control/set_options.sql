-- Procedure: SetOptions
-- Purpose: Sets rarely changed options. Options that are missing or NULL do not change. All changes are made, or none. They take
-- effect without a restart, when the option is next read. SchedulerInfo shows them.
-- Access: public: dbsched_admin
-- Parameters:
--   @LingerSeconds int = NULL: seconds that an idle worker waits for work before it ends; 0 to 60: meanwhile its session has an open transaction
--   @IdleSweepSeconds int = NULL: seconds between two sweeps; 1 to 86400
--   @RetentionDays int = NULL: days to keep ended tasks and processes, attempts and alarms; 1 to 36500
--   @MaxRetryDelaySeconds int = NULL: longest delay before a retry, in seconds; 0 to 86400
--   @MaxOrphans int = NULL: how often a task is run again after its worker died; 0 to 100
--   @OutageSeconds int = NULL: seconds for which a task is tried again that the server cannot begin; 0 to 2592000
--   @MaxTasksPerUser int = NULL: unfinished tasks that a user may have who is no administrator; 0 = no limit. Counts tasks added while it is set,
--       those of schedules and rounds too. Retries, and calls of the same moment, can exceed it
--   @DefaultTimeoutSeconds int = NULL: @TimeoutSeconds of new tasks that name none; 0 = no limit
-- Errors:
--   51003: a number is out of range, or no option is given
--   51010: called inside a transaction
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.SetOptions @RetentionDays = 90, @LingerSeconds = 5;
CREATE OR ALTER PROCEDURE {{.Schema}}.SetOptions
    @LingerSeconds int = NULL,
    @IdleSweepSeconds int = NULL,
    @RetentionDays int = NULL,
    @MaxRetryDelaySeconds int = NULL,
    @MaxOrphans int = NULL,
    @OutageSeconds int = NULL,
    @MaxTasksPerUser int = NULL,
    @DefaultTimeoutSeconds int = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "SetOptions" ""}}

{{.SetOptions}}
{{.NeedSettings}}
    DECLARE @Bad nvarchar(200);

    SET @Bad = CASE WHEN @LingerSeconds NOT BETWEEN 0 AND 60 THEN N'@LingerSeconds must be from 0 to 60'
                    WHEN @IdleSweepSeconds NOT BETWEEN 1 AND 86400 THEN N'@IdleSweepSeconds must be from 1 to 86400'
                    WHEN @RetentionDays NOT BETWEEN 1 AND 36500 THEN N'@RetentionDays must be from 1 to 36500'
                    WHEN @MaxRetryDelaySeconds NOT BETWEEN 0 AND 86400 THEN N'@MaxRetryDelaySeconds must be from 0 to 86400'
                    WHEN @MaxOrphans NOT BETWEEN 0 AND 100 THEN N'@MaxOrphans must be from 0 to 100'
                    WHEN @OutageSeconds NOT BETWEEN 0 AND 2592000 THEN N'@OutageSeconds must be from 0 to 2592000'
                    WHEN @MaxTasksPerUser < 0 THEN N'@MaxTasksPerUser must be 0 or more'
                    WHEN @DefaultTimeoutSeconds < 0 THEN N'@DefaultTimeoutSeconds must be 0 or more'
                    WHEN COALESCE(@LingerSeconds, @IdleSweepSeconds, @RetentionDays, @MaxRetryDelaySeconds, @MaxOrphans,
                                  @OutageSeconds, @MaxTasksPerUser, @DefaultTimeoutSeconds) IS NULL
                        THEN N'pass at least one option and its value' END;
    IF @Bad IS NOT NULL
    BEGIN
        SET @Bad = N'dbsched 51003: ' + @Bad + N'.';
        THROW 51003, @Bad, 1;
    END;

    BEGIN TRY
        BEGIN TRANSACTION;

        UPDATE s
        SET s.LingerSeconds = ISNULL(@LingerSeconds, s.LingerSeconds),
            s.IdleSweepSeconds = ISNULL(@IdleSweepSeconds, s.IdleSweepSeconds),
            s.RetentionDays = ISNULL(@RetentionDays, s.RetentionDays),
            s.MaxRetryDelaySeconds = ISNULL(@MaxRetryDelaySeconds, s.MaxRetryDelaySeconds),
            s.MaxOrphans = ISNULL(@MaxOrphans, s.MaxOrphans),
            s.OutageSeconds = ISNULL(@OutageSeconds, s.OutageSeconds),
            s.MaxTasksPerUser = ISNULL(@MaxTasksPerUser, s.MaxTasksPerUser),
            s.DefaultTimeoutSeconds = ISNULL(@DefaultTimeoutSeconds, s.DefaultTimeoutSeconds),
            s.ChangedAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The dispatcher's timer is still set for the old interval.
        EXEC {{.Schema}}.SendWake;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
