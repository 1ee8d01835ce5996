-- Procedure: DropResource
-- Purpose: Removes a resource with no holders or waiters. A task that still names it, because its transaction had not committed or
-- because it is retried later, fails with 51040.
-- Access: public: dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the resource
-- Errors:
--   51010: called inside a transaction
--   51040: there is no such resource
--   51047: the resource has holders or waiters, or an unfinished task names it
-- Example: EXEC dbsched.DropResource N'old warehouse';
CREATE OR ALTER PROCEDURE {{.Schema}}.DropResource
    @Name nvarchar(4000)
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "DropResource" ""}}

{{.SetOptions}}
    DECLARE @ResourceId int, @Capacity int;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- Reads a column that is not in the index on names. Otherwise only the index entry would be locked, and joining the line locks the row.
        SELECT @ResourceId = s.ResourceId, @Capacity = s.Capacity
        FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.Name = @Name AND LEN(@Name) <= 128;

        IF @ResourceId IS NULL
            THROW 51040, N'dbsched 51040: there is no such resource. See ResourceInfo.', 1;

        IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE r.ResourceId = @ResourceId)
           OR EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ResourceId = @ResourceId AND t.FinishedAt IS NULL)
            THROW 51047, N'dbsched 51047: the resource has holders or waiters, or an unfinished task names it. See ResourceInfo and TaskInfo, and wait or cancel them.', 1;

        DELETE s
        FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
