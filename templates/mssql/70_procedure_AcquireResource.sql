-- Procedure: AcquireResource
-- Purpose: Takes a place in the line of a resource and waits for its turn: first come, first served. What was granted is held
-- until ReleaseResource, until the lease runs out, or, without a lease, until the session ends or its task does. (A connection
-- that goes back to a pool has ended, when it is used again.) A call that is broken off stands in the line until its time-out.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): the resource
--   @Access varchar(30) = 'Shared': Shared takes one unit. Exclusive takes all: it waits for all before it, and all after it wait
--   @TimeoutSeconds int = 60: longest wait in seconds; 0 = do not wait; at most 604800
--   @LeaseSeconds int = NULL: seconds after which it is taken away; 1 to 604800; NULL = held as long as the session lives
--   @Requester nvarchar(4000) = NULL: what the caller calls itself, at most 128 characters; NULL = its login
--   @RequestId bigint = NULL OUTPUT: what ReleaseResource takes; NULL if nothing was granted
-- Returns: 0 = granted; 2 = time-out, and nothing is left of the request
-- Errors:
--   51003: a number is NULL or out of range
--   51008: @Access is none of its values
--   51010: called inside a transaction
--   51040: there is no such resource
--   51041: @Name or @Requester is empty or too long
--   51042: the session would wait for itself
--   51043: the session and others would wait for each other
--   51044: the request was taken out of the line
-- Example: DECLARE @R bigint; EXEC dbsched.AcquireResource N'warehouse', @TimeoutSeconds = 600, @RequestId = @R OUTPUT;
CREATE OR ALTER PROCEDURE {{.Schema}}.AcquireResource
    @Name nvarchar(4000),
    @Access varchar(30) = 'Shared',
    @TimeoutSeconds int = 60,
    @LeaseSeconds int = NULL,
    @Requester nvarchar(4000) = NULL,
    @RequestId bigint = NULL OUTPUT
AS
BEGIN
{{.RefuseTransaction "AcquireResource" ", which would hold the line"}}

{{.SetOptions}}
    DECLARE @Result int;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();

    SET @RequestId = NULL;

    SET @Requester = ISNULL(@Requester, @LoginName);
    IF @Name IS NULL OR @Name = N'' OR LEN(@Name) > 128 OR @Requester = N'' OR LEN(@Requester) > 128
        THROW 51041, N'dbsched 51041: @Name and @Requester must have 1 to 128 characters.', 1;

    -- In capitals, too: in a Turkish database the small letter of I is not i.
    SET @Access = CASE LOWER(@Access) WHEN 'shared' THEN 'Shared' WHEN 'exclusive' THEN 'Exclusive' WHEN LOWER('EXCLUSIVE') THEN 'Exclusive' END;
    IF @Access IS NULL
        THROW 51008, N'dbsched 51008: @Access must be Shared or Exclusive.', 1;

    IF @TimeoutSeconds IS NULL OR @TimeoutSeconds NOT BETWEEN 0 AND 604800
        THROW 51003, N'dbsched 51003: @TimeoutSeconds must be from 0 to 604800.', 1;

    IF @LeaseSeconds NOT BETWEEN 1 AND 604800
        THROW 51003, N'dbsched 51003: @LeaseSeconds must be from 1 to 604800.', 1;

    EXEC @Result = {{.Schema}}.WaitForResource
        @Name = @Name, @Access = @Access, @Requester = @Requester, @TimeoutSeconds = @TimeoutSeconds, @LeaseSeconds = @LeaseSeconds,
        @UserId = @UserId, @UserName = @UserName, @LoginName = @LoginName, @RequestId = @RequestId OUTPUT;

    RETURN @Result;
END;
