-- Procedure: ExecAsyncBatch
-- Purpose: Enqueues many tasks at once, all or none, much faster than one ExecAsync call per task. The tasks exist, and can run,
-- when the caller's transaction commits. They run as the calling database user. Returns one row per task, TaskNo (from 1) and TaskId,
-- in the order of the array. ExecAsyncTable does the same with a table.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Tasks nvarchar(max) (required): JSON array of objects. Members are named like ExecAsync's parameters, in the same case and
--       without @; a member that is missing or null has its default. NotBefore is UTC text like 2026-01-31T04:00:00 without an offset,
--       Transactional is true or false, Parameters is an object
--   @ProcessId int = NULL: process of the tasks that name none; NULL = the default process
-- Errors (number 50000, the number below in text and state; the text begins with the number of the first invalid task):
--   51001, 51002, 51003, 51004, 51005, 51006, 51007, 51008, 51011, 51030, 51031, 51032, 51033, 51034, 51038, 51040, 51041, 51059: see ExecAsync
--   51036: @Tasks is not a JSON array of objects, or a member is not a parameter of ExecAsync or has the wrong type
-- Example: EXEC dbsched.ExecAsyncBatch N'[{"SQL": "EXEC dbo.Load", "ExecutionOrder": 1}, {"SQL": "EXEC dbo.Report @Day", "ExecutionOrder": 2, "Parameters": {"Day date": "2026-01-31"}}]';
CREATE OR ALTER PROCEDURE {{.Schema}}.ExecAsyncBatch
    @Tasks nvarchar(max),
    @ProcessId int = NULL
AS
BEGIN
{{.StartSnapshot}}
{{.SetOptionsJoin}}
    DECLARE @Result int, @TaskNo int, @Member nvarchar(100), @Rows {{.Schema}}.TaskTable;

    IF @Tasks IS NULL OR ISJSON(@Tasks) = 0
       OR SUBSTRING(@Tasks, PATINDEX(N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%', @Tasks), 1) <> N'['
    BEGIN
        RAISERROR (N'dbsched 51036: @Tasks must be a JSON array of objects.', 16, 36);
    {{.EndJoin}}
        RETURN 51036;
    END;

    SELECT TOP (1) @TaskNo = CONVERT(int, a.[key]) + 1
    FROM OPENJSON(@Tasks) AS a
    WHERE a.[type] <> 5
    ORDER BY CONVERT(int, a.[key]);

    IF @TaskNo IS NOT NULL
    BEGIN
        RAISERROR (N'dbsched 51036: task %d: it must be a JSON object.', 16, 36, @TaskNo);
    {{.EndJoin}}
        RETURN 51036;
    END;

    SELECT TOP (1) @TaskNo = CONVERT(int, a.[key]) + 1, @Member = LEFT(m.[key], 100)
    FROM OPENJSON(@Tasks) AS a
    CROSS APPLY OPENJSON(a.[value]) AS m
    WHERE CASE WHEN m.[key] IN (N'ExecutionOrder', N'ProcessId', N'Priority', N'MaxAttempts', N'RetryDelaySeconds', N'TimeoutSeconds', N'ExpectedSeconds')
               THEN CASE WHEN m.[type] = 0 OR (m.[type] = 2 AND TRY_CONVERT(int, m.[value]) IS NOT NULL) THEN 1 END
               WHEN m.[key] = N'SQL' THEN CASE WHEN m.[type] IN (0, 1) THEN 1 END
               WHEN m.[key] IN (N'DedupKey', N'Name') THEN CASE WHEN m.[type] = 0 OR (m.[type] = 1 AND LEN(m.[value]) <= 4000) THEN 1 END
               WHEN m.[key] = N'Resource' THEN CASE WHEN m.[type] = 0 OR (m.[type] = 1 AND LEN(m.[value]) <= 128) THEN 1 END
               WHEN m.[key] IN (N'Access', N'OnOrphan') THEN CASE WHEN m.[type] = 0 OR (m.[type] = 1 AND LEN(m.[value]) <= 30) THEN 1 END
               WHEN m.[key] = N'NotBefore'
               THEN CASE WHEN m.[type] = 0 OR (m.[type] = 1 AND m.[value] LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T%'
                                                           AND SUBSTRING(m.[value], 12, 40) NOT LIKE N'%[+-]%' AND TRY_CONVERT(datetime2(3), m.[value]) IS NOT NULL) THEN 1 END
               WHEN m.[key] = N'Transactional' THEN CASE WHEN m.[type] IN (0, 3) THEN 1 END
               WHEN m.[key] = N'Parameters' THEN CASE WHEN m.[type] IN (0, 5) THEN 1 END END IS NULL
    ORDER BY CONVERT(int, a.[key]), m.[key];

    IF @TaskNo IS NOT NULL
    BEGIN
        RAISERROR (N'dbsched 51036: task %d: "%s" is not a parameter of ExecAsync (names are case-sensitive, without @), or its value has the wrong type.', 16, 36, @TaskNo, @Member);
    {{.EndJoin}}
        RETURN 51036;
    END;

    INSERT INTO @Rows
        (TaskNo, SQL, ExecutionOrder, ProcessId, Priority, MaxAttempts, RetryDelaySeconds, TimeoutSeconds, NotBefore, ExpectedSeconds, Resource, Access,
         Transactional, OnOrphan, DedupKey, Parameters, Name)
    SELECT CONVERT(int, a.[key]) + 1, t.SQL, t.ExecutionOrder, ISNULL(t.ProcessId, @ProcessId), t.Priority, t.MaxAttempts, t.RetryDelaySeconds, t.TimeoutSeconds, t.NotBefore,
           t.ExpectedSeconds, t.Resource, t.Access, t.Transactional, t.OnOrphan, t.DedupKey, t.Parameters, t.Name
    FROM OPENJSON(@Tasks) AS a
    CROSS APPLY OPENJSON(a.[value])
        WITH (SQL nvarchar(max) '$.SQL', ExecutionOrder int '$.ExecutionOrder', ProcessId int '$.ProcessId', Priority int '$.Priority',
              MaxAttempts int '$.MaxAttempts', RetryDelaySeconds int '$.RetryDelaySeconds', TimeoutSeconds int '$.TimeoutSeconds',
              NotBefore datetime2(3) '$.NotBefore', ExpectedSeconds int '$.ExpectedSeconds', Resource nvarchar(128) '$.Resource',
              Access varchar(30) '$.Access', Transactional bit '$.Transactional', OnOrphan varchar(30) '$.OnOrphan',
              DedupKey nvarchar(4000) '$.DedupKey', Parameters nvarchar(max) '$.Parameters' AS JSON,
              Name nvarchar(4000) '$.Name') AS t;

    EXEC @Result = {{.Schema}}.ExecAsyncTable @Tasks = @Rows;
{{.EndJoin}}
    RETURN @Result;
END;
