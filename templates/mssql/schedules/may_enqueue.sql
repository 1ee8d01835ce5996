-- Procedure: MayEnqueue
-- Purpose: Whether a user may still enqueue, and run a firing. Says yes if it cannot be impersonated now: its task will tell. Joins the caller's
-- transaction.
-- A separate procedure, because its end reverts EXECUTE AS, whatever happens in it.
-- Access: private; runs as the owner, which may impersonate
-- Parameters:
--   @UserName nvarchar(128) (required): the user
--   @May bit OUTPUT: 0 = no
CREATE OR ALTER PROCEDURE {{.Schema}}.MayEnqueue
    @UserName nvarchar(128),
    @May bit OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptionsJoin}}
    BEGIN TRY
        EXECUTE AS USER = @UserName;
        SET @May = ISNULL(HAS_PERMS_BY_NAME(N'{{.SchemaInString}}.ExecAsync', N'OBJECT', N'EXECUTE')
                        & HAS_PERMS_BY_NAME(N'{{.SchemaInString}}.RunFiring', N'OBJECT', N'EXECUTE'), 1);
    END TRY
    BEGIN CATCH
        SET @May = 1;
    END CATCH;
END;
