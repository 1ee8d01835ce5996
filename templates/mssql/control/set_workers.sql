-- Procedure: SetWorkers
-- Purpose: Sets how many workers may run at once, even while tasks run. Additional workers start at once if there is work.
-- Surplus workers leave as they finish their tasks.
-- Access: public: dbsched_admin
-- Parameters:
--   @MaxWorkers int (required): number of workers; 0 = pause; at most the number of installed lanes
-- Errors:
--   51003: @MaxWorkers is NULL or negative
--   51009: fewer lanes are installed than workers requested
--   51010: called inside a transaction
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.SetWorkers 8;
CREATE OR ALTER PROCEDURE {{.Schema}}.SetWorkers
    @MaxWorkers int
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "SetWorkers" ""}}

{{.SetOptions}}
{{.NeedSettings}}
    DECLARE @Message nvarchar(400);

    IF @MaxWorkers IS NULL OR @MaxWorkers < 0
        THROW 51003, N'dbsched 51003: @MaxWorkers must be 0 or more.', 1;

    SELECT @Message = N'dbsched 51009: ' + CONVERT(nvarchar(10), @MaxWorkers) + N' workers need as many lanes, but only '
                    + CONVERT(nvarchar(10), s.MaxLanes) + N' are installed. Add lanes: dbsched install --lanes.'
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1 AND s.MaxLanes < @MaxWorkers;

    IF @Message IS NOT NULL
        THROW 51009, @Message, 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        UPDATE s
        SET s.MaxWorkers = @MaxWorkers, s.ChangedAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        EXEC {{.Schema}}.SendWake;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
