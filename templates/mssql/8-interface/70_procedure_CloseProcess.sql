-- Procedure: CloseProcess
-- Purpose: Closes a process to new tasks: it ends when its last task ends. Joins the caller's transaction. A Suspended process
-- closes when it is released, a Failed or Cancelled process when it is retried. Does nothing if the process is Closing or Succeeded.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors (number 50000, the number below in text and state):
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process is always open
-- Example: EXEC dbsched.CloseProcess 7;
CREATE OR ALTER PROCEDURE {{.Schema}}.CloseProcess
    @ProcessId int
AS
BEGIN
{{.StartSnapshot}}
{{.SetOptionsJoin}}
    DECLARE @Result int, @UserSid varbinary(85) = {{.UserSid}};
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;

    IF @ProcessId IS NULL
    BEGIN
        RAISERROR (N'dbsched 51004: @ProcessId is NULL. Pass the number of a process.', 16, 4);
        RETURN 51004;
    END;

    EXEC @Result = {{.Schema}}.RequestProcess @ProcessId = @ProcessId, @Action = 'Close', @UserSid = @UserSid, @IsAdmin = @IsAdmin;
{{.EndJoin}}
    RETURN @Result;
END;
