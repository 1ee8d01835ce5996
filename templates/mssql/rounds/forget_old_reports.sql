-- Procedure: ForgetOldReports
-- Purpose: Removes reports of a round's members that are older than the round allows, and raises an alarm if they were reports of
-- success: another member failed or did not report. The caller's transaction holds the lock on the round's row.
-- Access: private
-- Parameters:
--   @RoundId int (required): the round
CREATE OR ALTER PROCEDURE {{.Schema}}.ForgetOldReports
    @RoundId int
AS
BEGIN
{{.SetOptions}}
    DECLARE @Name nvarchar(128), @Age int, @Cutoff datetime2(3), @Member nvarchar(128) = N'', @Succeeded bit, @ReportedAt datetime2(3);
    DECLARE @UserName nvarchar(128), @Old nvarchar(1000) = N'', @Missing nvarchar(1000) = N'', @Message nvarchar(2000);

    SELECT @Name = r.Name, @UserName = r.DefinedByName, @Age = r.MaxAgeSeconds, @Cutoff = DATEADD(second, -r.MaxAgeSeconds, SYSUTCDATETIME())
    FROM {{.Schema}}.Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.RoundId = @RoundId;

    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE m.RoundId = @RoundId AND m.ReportedAt < @Cutoff)
        RETURN 0;

    WHILE @Member IS NOT NULL
    BEGIN
        SELECT @Member = MIN(m.Member)
        FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.RoundId = @RoundId AND m.Member > @Member;

        SELECT @Succeeded = m.Succeeded, @ReportedAt = m.ReportedAt
        FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.RoundId = @RoundId AND m.Member = @Member;

        -- Longer lists are cut off.
        IF @Member IS NOT NULL AND (@ReportedAt IS NULL OR @Succeeded = 0)
            SET @Missing = LEFT(@Missing + N', "' + @Member + N'"', 1000);
        ELSE IF @Member IS NOT NULL AND @ReportedAt < @Cutoff
            SET @Old = LEFT(@Old + N', "' + @Member + N'"', 1000);
    END;

    UPDATE m
    SET m.ReportedAt = NULL, m.Succeeded = NULL
    FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE m.RoundId = @RoundId AND m.ReportedAt < @Cutoff;

    IF @Old = N''
        RETURN 0;

    SET @Message = LEFT(N'Round "' + @Name + N'" did not start its successor: more than ' + CONVERT(nvarchar(10), @Age) + N' seconds after the success of '
                 + SUBSTRING(@Old, 3, 1000) + N', no success was reported by ' + SUBSTRING(@Missing, 3, 1000)
                 + N'. The old reports no longer count, so those members must run again, too.', 2000);
    EXEC {{.Schema}}.RaiseAlarm @Kind = 'RoundLate', @Message = @Message, @UserName = @UserName;
    RETURN 0;
END;
