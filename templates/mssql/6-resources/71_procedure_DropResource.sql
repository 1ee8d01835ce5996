-- Procedure: DropResource
-- Purpose: Removes a resource that nobody holds or waits for. A task that names it all the same, since its transaction had not
-- committed, or since it is tried again later, fails with 51040.
-- Access: public: dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): its name
-- Errors:
--   51010: called inside a transaction
--   51040: there is no such resource
--   51047: somebody holds it or waits for it, or a task that has not ended names it
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

        -- With a column that the index on names has not got: its entry alone would be locked, and who joins the line locks the row.
        SELECT @ResourceId = s.ResourceId, @Capacity = s.Capacity
        FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.Name = @Name AND LEN(@Name) <= 128;

        IF @ResourceId IS NULL
            THROW 51040, N'dbsched 51040: there is no such resource.', 1;

        IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE r.ResourceId = @ResourceId)
           OR EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ResourceId = @ResourceId AND t.FinishedAt IS NULL)
            THROW 51047, N'dbsched 51047: somebody holds the resource or waits for it, or a task that has not ended names it.', 1;

        DELETE s
        FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
