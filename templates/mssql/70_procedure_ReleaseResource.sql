-- Procedure: ReleaseResource
-- Purpose: Gives back what AcquireResource granted, and lets the next in the line have it. An error tells that it had been lost
-- before. Administrators end anybody's request with it.
-- Access: public: dbsched_user (own requests), dbsched_admin
-- Parameters:
--   @RequestId bigint (required): the request, as AcquireResource gave it, or from ResourceInfo
-- Errors:
--   51010: called inside a transaction
--   51044: there is no such request (any more)
--   51045: the request is another user's
--   51046: the request is a task's, which gives it back when it ends
-- Example: EXEC dbsched.ReleaseResource 12;
CREATE OR ALTER PROCEDURE {{.Schema}}.ReleaseResource
    @RequestId bigint
AS
BEGIN
{{.RefuseTransaction "ReleaseResource" ", which would hold the line"}}

{{.SetOptions}}
    DECLARE @Result int;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;

    EXEC @Result = {{.Schema}}.ReturnResource @RequestId = @RequestId, @UserId = @UserId, @UserName = @UserName, @IsAdmin = @IsAdmin;
    RETURN @Result;
END;
