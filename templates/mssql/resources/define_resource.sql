-- Procedure: DefineResource
-- Purpose: Defines a resource: a named semaphore that tasks and sessions can hold. Called again, it changes the capacity: added
-- units are granted at once; a reduction takes nothing from current holders.
-- Access: public: dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the resource, at most 128 characters
--   @Capacity int = 1: units that may be held at once; 1 to 1000000
-- Errors:
--   51003: @Capacity is NULL or out of range
--   51010: called inside a transaction
--   51041: @Name is NULL, empty or too long
-- Example: EXEC dbsched.DefineResource N'warehouse', 3;
CREATE OR ALTER PROCEDURE {{.Schema}}.DefineResource
    @Name nvarchar(4000),
    @Capacity int = 1
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "DefineResource" ""}}

{{.SetOptions}}
    DECLARE @ResourceId int, @Resource nvarchar(128);

    IF @Name IS NULL OR @Name = N'' OR LEN(@Name) > 128
        THROW 51041, N'dbsched 51041: @Name must have 1 to 128 characters.', 1;

    IF @Capacity IS NULL OR @Capacity NOT BETWEEN 1 AND 1000000
        THROW 51003, N'dbsched 51003: @Capacity must be from 1 to 1000000.', 1;

    SET @Resource = @Name;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- HOLDLOCK: of two sessions that define the same name, one waits and then finds the row.
        SELECT @ResourceId = s.ResourceId
        FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, HOLDLOCK, ROWLOCK)
        WHERE s.Name = @Resource;

        IF @ResourceId IS NULL
            INSERT INTO {{.Schema}}.Resources WITH (ROWLOCK) (Name, Capacity) VALUES (@Resource, @Capacity);
        ELSE
        BEGIN
            UPDATE s
            SET s.Capacity = @Capacity, s.ChangedAt = SYSUTCDATETIME()
            FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            EXEC {{.Schema}}.GrantResource @ResourceId;
        END;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
