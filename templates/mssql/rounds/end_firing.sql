-- Procedure: EndFiring
-- Purpose: Records the result of starting a round's job, and raises an alarm if the job was not seen to run.
-- Access: private; runs as the owner, in its own short transaction
-- Parameters:
--   @FiringId bigint (required): the firing
--   @Status varchar(10) (required): Started, Failed (it did not start) or Unknown
--   @Detail nvarchar(1500) (required): why it was not seen to start; NULL = it was
CREATE OR ALTER PROCEDURE {{.Schema}}.EndFiring
    @FiringId bigint,
    @Status varchar(10),
    @Detail nvarchar(1500)
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
    DECLARE @Changed int, @Message nvarchar(2000), @UserName nvarchar(128);

    BEGIN TRY
        BEGIN TRANSACTION;

        -- The sweep may already have given up; a later result replaces Unknown.
        UPDATE f
        SET f.Status = @Status, f.Detail = @Detail, f.EndedAt = SYSUTCDATETIME()
        FROM {{.Schema}}.RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE f.FiringId = @FiringId AND (f.Status = 'Starting' OR (f.Status = 'Unknown' AND @Status <> 'Unknown'));

        SET @Changed = @@ROWCOUNT;

        IF @Changed = 1 AND @Status <> 'Started'
        BEGIN
            SELECT @Message = N'Round "' + r.Name + N'", generation ' + CONVERT(nvarchar(20), f.Generation) + N': job "' + f.SuccessorJob
                            + CASE @Status WHEN 'Failed' THEN N'" was not started: ' ELSE N'" may not have started, and is not ordered again: ' END
                            + @Detail, @UserName = r.DefinedByName
            FROM {{.Schema}}.RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
            INNER JOIN {{.Schema}}.Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK) ON r.RoundId = f.RoundId
            WHERE f.FiringId = @FiringId;

            EXEC {{.Schema}}.RaiseAlarm @Kind = 'RoundStart', @Message = @Message, @UserName = @UserName;
        END;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
