-- Procedure: SweepRounds
-- Purpose: Handles rounds that receive no reports: reports that are too old, and starts without a result. Starts no job: it is not
-- known whether the reporting session already started it.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.SweepRounds
AS
BEGIN
    DECLARE @RoundId int = 0, @Locked int, @FiringId bigint = 0, @Late bit;

    WHILE @RoundId IS NOT NULL
    BEGIN
        SELECT @RoundId = MIN(m.RoundId)
        FROM {{.Schema}}.RoundMembers AS m WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.ReportedAt IS NOT NULL AND m.RoundId > @RoundId;

        IF @RoundId IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            SELECT @Locked = r.RoundId
            FROM {{.Schema}}.Rounds AS r WITH (UPDLOCK, READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

            EXEC {{.Schema}}.ForgetOldReports @RoundId;

            COMMIT TRANSACTION;
        END;
    END;

    WHILE @FiringId IS NOT NULL
    BEGIN
        SELECT @FiringId = MIN(f.FiringId)
        FROM {{.Schema}}.RoundFirings AS f WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE f.Status = 'Starting' AND f.FiringId > @FiringId;

        -- The reporting session waits for StartSeconds, and may need some more.
        SET @Late = 0;

        SELECT @Late = CASE WHEN f.FiredAt < DATEADD(second, -30 - r.StartSeconds, SYSUTCDATETIME()) THEN 1 ELSE 0 END
        FROM {{.Schema}}.RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
        INNER JOIN {{.Schema}}.Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK) ON r.RoundId = f.RoundId
        WHERE f.FiringId = @FiringId;

        IF @Late = 1
            EXEC {{.Schema}}.EndFiring @FiringId, 'Unknown', N'the session of the last report ended before it saw the job run. Check whether the job ran; if not, start it.';
    END;

    RETURN 0;
END;
