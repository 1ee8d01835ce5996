-- Procedure: ExecAsyncTable
-- Purpose: Enqueues many tasks at once, all or none, much faster than one ExecAsync call per task. The tasks exist, and can run,
-- when the caller's transaction commits. They run as the calling database user. Returns one row per task, TaskNo and TaskId, ordered
-- by TaskNo.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Tasks TaskTable READONLY (required): the tasks; each column is the ExecAsync parameter of the same name, and NULL means its default
-- Errors (number 50000, the number below in text and state; the text begins with the TaskNo of the first invalid task):
--   51001, 51002, 51003, 51004, 51005, 51006, 51008, 51011, 51030, 51031, 51032, 51033, 51034, 51040, 51041, 51059: see ExecAsync
--   51007: your login has no database user that can be impersonated
--   51038: you would have more unfinished tasks than MaxTasksPerUser, see SetOptions
-- Example: DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder) VALUES (1, N'EXEC dbo.LoadOrders', 100), (2, N'EXEC dbo.LoadCustomers', 100); EXEC dbsched.ExecAsyncTable @T;
CREATE OR ALTER PROCEDURE {{.Schema}}.ExecAsyncTable
    @Tasks {{.Schema}}.TaskTable READONLY
WITH EXECUTE AS OWNER
AS
BEGIN
{{.Caller}}
{{.SetOptionsJoin}}
    SET LOCK_TIMEOUT 5000;
    DECLARE @Error int, @State int, @TaskNo int, @Problem nvarchar(500), @HasParameters int, @HasKeys int,
            @Limit int, @Timeout int, @New int, @UserTasks bigint,
            @Now datetime2(3) = SYSUTCDATETIME(), @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END;
    DECLARE @Processes TABLE (ProcessId int NOT NULL PRIMARY KEY, FirstTaskNo int NOT NULL, HasParameters int NOT NULL, HasKeys int NOT NULL, Closing bit NOT NULL DEFAULT 0);
    -- FirstTaskNo: the first task in this call with the same process and key. TaskId: an existing unfinished task.
    DECLARE @Keys TABLE (TaskNo int NOT NULL PRIMARY KEY, FirstTaskNo int NOT NULL, TaskId bigint NULL);
    DECLARE @Added TABLE (TaskId bigint NOT NULL PRIMARY KEY, ProcessId int NOT NULL, Rank decimal(27, 0) NOT NULL);

    IF @UserSid IS NULL
    BEGIN
        RAISERROR (N'dbsched 51007: tasks run as the database user that enqueued them, and "%s" cannot be impersonated: your login needs a database user of its own. Run: CREATE USER ... FOR LOGIN ...;', 16, 7, @UserName);
    {{.EndJoin}}
        RETURN 51007;
    END;

    -- Skip checks that no task needs: there may be many tasks.
    INSERT INTO @Processes (ProcessId, FirstTaskNo, HasParameters, HasKeys)
    SELECT ISNULL(r.ProcessId, 1), MIN(r.TaskNo), MAX(CASE WHEN r.Parameters IS NULL THEN 0 ELSE 1 END), MAX(CASE WHEN r.DedupKey IS NULL THEN 0 ELSE 1 END)
    FROM @Tasks AS r
    GROUP BY ISNULL(r.ProcessId, 1);

    -- Before the processes are read: see ExecAsync.
    UPDATE c
    SET c.Closing = 1
    FROM @Processes AS c
    WHERE EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) WHERE q.ProcessId = c.ProcessId AND q.Action = 'Close');

    SELECT @HasParameters = MAX(c.HasParameters), @HasKeys = MAX(c.HasKeys)
    FROM @Processes AS c;

    SELECT TOP (1) @TaskNo = x.TaskNo, @Error = x.Error, @Problem = x.Problem
    FROM (SELECT r.TaskNo, e.Error,
                 CASE e.Error
                     WHEN 51001 THEN N'@SQL is NULL or empty'
                     WHEN 51002 THEN N'@ExecutionOrder is NULL'
                     WHEN 51003 THEN CASE WHEN r.Priority NOT BETWEEN -1000000 AND 1000000 THEN N'@Priority must be from -1000000 to 1000000'
                                          WHEN r.MaxAttempts NOT BETWEEN 1 AND 100 THEN N'@MaxAttempts must be from 1 to 100'
                                          WHEN r.RetryDelaySeconds NOT BETWEEN 0 AND 86400 THEN N'@RetryDelaySeconds must be from 0 to 86400'
                                          WHEN r.ExpectedSeconds < 0 THEN N'@ExpectedSeconds must be 0 or more'
                                          ELSE N'@TimeoutSeconds must be 1 or more' END
                     WHEN 51008 THEN CASE WHEN LOWER(r.OnOrphan) NOT IN ('retry', 'fail', LOWER('FAIL')) THEN N'@OnOrphan must be Retry or Fail'
                                          ELSE N'@Access must be Shared or Exclusive' END
                     WHEN 51040 THEN N'there is no such resource; an administrator can create it with DefineResource'
                     WHEN 51041 THEN N'@Access requires @Resource, which is NULL'
                     WHEN 51030 THEN N'@DedupKey is empty or longer than 200 characters'
                     WHEN 51059 THEN N'@Name is empty or longer than 128 characters' END AS Problem
          FROM @Tasks AS r
          CROSS APPLY (SELECT CASE WHEN r.SQL IS NULL OR r.SQL NOT LIKE N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%' THEN 51001
                                   WHEN r.ExecutionOrder IS NULL THEN 51002
                                   WHEN r.Priority NOT BETWEEN -1000000 AND 1000000 OR r.MaxAttempts NOT BETWEEN 1 AND 100
                                        OR r.RetryDelaySeconds NOT BETWEEN 0 AND 86400 OR r.ExpectedSeconds < 0 OR r.TimeoutSeconds < 1 THEN 51003
                                   -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
                                   WHEN LOWER(r.OnOrphan) NOT IN ('retry', 'fail', LOWER('FAIL')) THEN 51008
                                   WHEN r.Access IS NOT NULL AND r.Resource IS NULL THEN 51041
                                   WHEN LOWER(r.Access) NOT IN ('shared', 'exclusive', LOWER('EXCLUSIVE')) THEN 51008
                                   WHEN r.Resource IS NOT NULL
                                        AND NOT EXISTS (SELECT 1 FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.Name = r.Resource) THEN 51040
                                   WHEN LTRIM(r.DedupKey) = N'' OR LEN(r.DedupKey) > 200 THEN 51030
                                   WHEN LTRIM(r.Name) = N'' OR LEN(r.Name) > 128 THEN 51059 END AS Error) AS e
          WHERE e.Error IS NOT NULL) AS x
    ORDER BY x.TaskNo, x.Error;

    IF @HasParameters = 1
        SELECT TOP (1) @TaskNo = r.TaskNo, @Error = p.ErrorNumber, @Problem = p.Problem
        FROM @Tasks AS r
        CROSS APPLY {{.Schema}}.ReadParameters(r.Parameters) AS p
        WHERE r.Parameters IS NOT NULL AND p.ErrorNumber IS NOT NULL
          AND (@Error IS NULL OR r.TaskNo < @TaskNo OR (r.TaskNo = @TaskNo AND p.ErrorNumber < @Error))
        ORDER BY r.TaskNo, p.ErrorNumber, p.Problem;

    IF @Error IS NULL
    BEGIN
        BEGIN TRY
            -- Workers lock these rows for milliseconds. Only an uncommitted CreateProcess locks one for longer.
            SELECT TOP (1) @TaskNo = x.TaskNo, @Error = x.Error,
                           @Problem = N'process ' + CONVERT(nvarchar(20), x.ProcessId)
                                    + CASE x.Error WHEN 51004 THEN N' does not exist' WHEN 51006 THEN N' belongs to another user' ELSE N' is closed or has ended and accepts no more tasks' END
            FROM (SELECT c.FirstTaskNo AS TaskNo, c.ProcessId,
                         CASE WHEN p.ProcessId IS NULL OR c.ProcessId = 0 THEN 51004
                              WHEN c.ProcessId <> 1 AND @IsAdmin = 0 AND p.CreatedBySid <> @UserSid THEN 51006
                              WHEN p.Status NOT IN ('Open', 'Suspended') OR p.CloseRequested = 1 OR c.Closing = 1 THEN 51005 END AS Error
                  FROM @Processes AS c
                  OUTER APPLY (SELECT TOP (1) g.ProcessId, g.CreatedBySid, g.Status, g.CloseRequested
                               FROM {{.Schema}}.Processes AS g WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                               WHERE g.ProcessId = c.ProcessId) AS p) AS x
            WHERE x.Error IS NOT NULL
            ORDER BY x.TaskNo
            OPTION (MAXDOP 1);
        END TRY
        BEGIN CATCH
            IF ERROR_NUMBER() <> 1222
                THROW;
            SELECT TOP (1) @TaskNo = c.FirstTaskNo, @Error = 51011, @Problem = N'its process is locked by a transaction that has not ended; try again after it commits'
            FROM @Processes AS c
            ORDER BY c.FirstTaskNo;
        END CATCH;
    END;

    IF @Error IS NOT NULL
    BEGIN
        SET @State = @Error % 100;
        RAISERROR (N'dbsched %d: task %d: %s.', 16, @State, @Error, @TaskNo, @Problem);
    {{.EndJoin}}
        RETURN @Error;
    END;

    SELECT @Limit = CASE @IsAdmin WHEN 0 THEN s.MaxTasksPerUser END, @Timeout = NULLIF(s.DefaultTimeoutSeconds, 0)
    FROM {{.Schema}}.Settings AS s WITH (NOLOCK)
    WHERE s.SettingsId = 1;

    -- READPAST: see ExecAsync.
    IF @HasKeys = 1
    BEGIN
        INSERT INTO @Keys (TaskNo, FirstTaskNo)
        SELECT r.TaskNo, MIN(r.TaskNo) OVER (PARTITION BY ISNULL(r.ProcessId, 1), r.DedupKey)
        FROM @Tasks AS r
        WHERE r.DedupKey IS NOT NULL;

        UPDATE k
        SET k.TaskId = (SELECT TOP (1) t.TaskId
                        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                        WHERE t.ProcessId = ISNULL(r.ProcessId, 1) AND t.DedupKey = r.DedupKey AND t.DedupKey IS NOT NULL
                          AND t.EnqueuedBySid = @UserSid AND t.FinishedAt IS NULL
                        ORDER BY t.TaskId)
        FROM @Keys AS k
        INNER JOIN @Tasks AS r ON r.TaskNo = k.TaskNo
        OPTION (MAXDOP 1);
    END;

    IF @Limit > 0
    BEGIN
        SELECT @New = COUNT(*)
        FROM @Tasks AS r
        WHERE NOT EXISTS (SELECT 1 FROM @Keys AS k WHERE k.TaskNo = r.TaskNo AND (k.TaskId IS NOT NULL OR k.FirstTaskNo <> r.TaskNo));
        EXEC @Error = {{.Schema}}.CountTasks @UserSid, @Limit, @New, @UserTasks OUTPUT;
        IF @Error <> 0
        BEGIN
        {{.EndJoin}}
            RETURN @Error;
        END;
    END;

    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN TRY
        -- INSERT ... SELECT ... ORDER BY assigns the identity values in that order.
        INSERT INTO {{.Schema}}.Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, WaitReason, DueAt, Name, SqlText,
             MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan, Transactional, DedupKey, Parameters, EnqueuedAt,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, UserTasks, TransactionId, ResourceId, Access)
        OUTPUT inserted.TaskId, inserted.ProcessId, inserted.Rank INTO @Added (TaskId, ProcessId, Rank)
        SELECT ISNULL(r.ProcessId, 1), r.ExecutionOrder, ISNULL(r.Priority, 0), ISNULL(r.ExpectedSeconds, 0),
               {{.Rank "r.ExecutionOrder" "ISNULL(r.Priority, 0)" "ISNULL(r.ExpectedSeconds, 0)"}},
               CASE WHEN r.NotBefore > @Now THEN 'Waiting' ELSE 'Pending' END,
               CASE WHEN r.NotBefore > @Now THEN 'Delay' ELSE NULL END,
               CASE WHEN r.NotBefore > @Now THEN r.NotBefore ELSE NULL END,
               r.Name, r.SQL, ISNULL(r.MaxAttempts, 1), ISNULL(r.RetryDelaySeconds, 10), ISNULL(r.TimeoutSeconds, @Timeout),
               CASE WHEN LOWER(r.OnOrphan) IN ('fail', LOWER('FAIL')) THEN 'Fail' ELSE 'Retry' END,
               ISNULL(r.Transactional, 0), r.DedupKey, r.Parameters, @Now, @UserId, @UserSid, @UserName, @LoginName, @UserTasks,
               CURRENT_TRANSACTION_ID(),
               (SELECT s.ResourceId FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.Name = r.Resource),
               CASE WHEN r.Resource IS NULL THEN NULL WHEN LOWER(r.Access) IN ('exclusive', LOWER('EXCLUSIVE')) THEN 'Exclusive' ELSE 'Shared' END
        FROM @Tasks AS r
        LEFT JOIN @Keys AS k ON k.TaskNo = r.TaskNo
        WHERE k.TaskNo IS NULL OR (k.TaskId IS NULL AND k.FirstTaskNo = r.TaskNo)
        ORDER BY r.TaskNo
        OPTION (MAXDOP 1);

        IF @@ROWCOUNT > 0
            EXEC {{.Schema}}.WakeOnce;

        -- See WakeOnce.
        INSERT INTO {{.Schema}}.ProcessRequests WITH (ROWLOCK) (ProcessId, Action)
        SELECT DISTINCT p.ProcessId, 'Look'
        FROM @Added AS a
        INNER JOIN {{.Schema}}.Processes AS p WITH (NOLOCK, FORCESEEK) ON p.ProcessId = a.ProcessId
        WHERE (a.Rank < p.WaveRank OR (a.Rank = p.WaveRank AND a.TaskId < p.WaveTaskId))
          AND NOT EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
                          WHERE q.ProcessId = p.ProcessId AND q.Action = 'Look');

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    -- The TaskIds of new tasks ascend with TaskNo.
    IF ISNULL(@HasKeys, 0) = 0
        SELECT f.TaskNo, n.TaskId
        FROM (SELECT r.TaskNo, ROW_NUMBER() OVER (ORDER BY r.TaskNo) AS Nth FROM @Tasks AS r) AS f
        INNER JOIN (SELECT a.TaskId, ROW_NUMBER() OVER (ORDER BY a.TaskId) AS Nth FROM @Added AS a) AS n ON n.Nth = f.Nth
        ORDER BY f.TaskNo;
    ELSE
        SELECT r.TaskNo, ISNULL(k.TaskId, n.TaskId) AS TaskId
        FROM @Tasks AS r
        LEFT JOIN @Keys AS k ON k.TaskNo = r.TaskNo
        LEFT JOIN (SELECT a.TaskId, ROW_NUMBER() OVER (ORDER BY a.TaskId) AS Nth FROM @Added AS a) AS n
            INNER JOIN (SELECT i.TaskNo, ROW_NUMBER() OVER (ORDER BY i.TaskNo) AS Nth
                        FROM @Tasks AS i
                        LEFT JOIN @Keys AS o ON o.TaskNo = i.TaskNo
                        WHERE o.TaskNo IS NULL OR (o.TaskId IS NULL AND o.FirstTaskNo = i.TaskNo)) AS f ON f.Nth = n.Nth
            ON f.TaskNo = ISNULL(k.FirstTaskNo, r.TaskNo)
        ORDER BY r.TaskNo;

{{.EndJoin}}
    RETURN 0;
END;
