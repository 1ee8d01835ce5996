EXEC @result = [dbsched].[WaitProcess] @ProcessId = @ProcessId, @TimeoutSeconds = @TimeoutSeconds;
go
EXEC [dbsched].[StopScheduler] @Mode = N'Now';
go
EXEC [dbsched].[StartScheduler];
go
EXEC [dbsched].[ExecAsync] @SQL = N'SELECT 1;', @ExecutionOrder = 0, @NotBefore = N'1970-01-01T00:00:01.000', @Transactional = 1;
go
SELECT CAST(SERVERPROPERTY('EngineEdition') AS int),
    CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)),
    CAST(d.database_id AS int), d.name, CAST(d.compatibility_level AS int), d.is_broker_enabled, d.is_distributor, d.is_auto_close_on,
    CAST(DATABASEPROPERTYEX(d.name, 'Updateability') AS nvarchar(128)),
    USER_NAME(), ORIGINAL_LOGIN(),
    CAST(CASE WHEN USER_ID() = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END AS bit)
FROM sys.databases AS d
WHERE d.database_id = DB_ID();
go
ALTER DATABASE [sandbox] SET ENABLE_BROKER WITH NO_WAIT;
go
ALTER DATABASE [sandbox] SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
go
SELECT CAST(s.session_id AS int), ISNULL(s.login_name, N''), ISNULL(s.host_name, N''), ISNULL(s.program_name, N''), s.status
FROM sys.dm_exec_sessions AS s
WHERE s.database_id = DB_ID() AND s.session_id <> @@SPID
ORDER BY s.session_id;
go
DECLARE @result int;
EXEC @result = sys.sp_getapplock @Resource = @resource, @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = @timeout, @DbPrincipal = N'db_owner';
SELECT @result;
go
EXEC sys.sp_releaseapplock @Resource = @resource, @LockOwner = N'Session', @DbPrincipal = N'db_owner';
go
SELECT CAST(CASE WHEN OBJECT_ID(@name, N'U') IS NULL THEN 0 ELSE 1 END AS bit);
go
SELECT TOP (1) CAST(v.version AS int), v.dirty FROM [dbsched].[SchemaVersion] AS v;
go
SELECT ISNULL((SELECT s.MaxLanes FROM [dbsched].[Settings] AS s WHERE s.SettingsId = 1),
    ISNULL((SELECT MAX(l.LaneId) FROM [dbsched].[Lanes] AS l WHERE l.LaneId <= 99), 0));
go
SELECT o.name, ISNULL(m.definition, N'')
FROM sys.sql_modules AS m
INNER JOIN sys.objects AS o ON o.object_id = m.object_id
WHERE o.schema_id = SCHEMA_ID(@schema) AND m.uses_ansi_nulls = 1 AND m.uses_quoted_identifier = 1;
go
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;
SET ANSI_NULLS, QUOTED_IDENTIFIER ON;
go
SELECT CAST(CASE WHEN OBJECT_ID(@stop, N'P') IS NULL OR OBJECT_ID(@lanes, N'U') IS NULL
    OR DATABASE_PRINCIPAL_ID(@locks) IS NULL THEN 0 ELSE 1 END AS bit);
go
SELECT s.Started, s.Version FROM [dbsched].[Settings] AS s WHERE s.SettingsId = 1;
go
SELECT l.LaneId, ISNULL(l.SessionId, 0), ISNULL(t.TaskId, 0)
FROM [dbsched].[Lanes] AS l
LEFT JOIN [dbsched].[Tasks] AS t ON t.LaneId = l.LaneId AND t.WorkerId = l.WorkerId AND t.WorkerId IS NOT NULL
WHERE APPLOCK_TEST(@locks, N'lane:' + CONVERT(nvarchar(10), l.LaneId), N'Exclusive', N'Session') = 0
ORDER BY l.LaneId;
go
WAITFOR DELAY '00:00:00.200';
go
SET NOCOUNT ON;
DECLARE @Theirs table (What nvarchar(400) NOT NULL, UserId int NULL, Sid varbinary(85) NULL, UserName nvarchar(128) NULL);
IF IS_ROLEMEMBER(N'db_owner') = 1 AND ISNULL(USER_ID(), 0) <> 1 AND DATABASE_PRINCIPAL_ID(@owner) IS NOT NULL
    EXECUTE AS USER = N'dbsched_owner';
INSERT INTO @Theirs (What, UserId, Sid, UserName)
SELECT N'schedule "' + s.Name + N'" of ', s.OwnerId, s.OwnerSid, s.OwnerName
FROM [dbsched].[Schedules] AS s WITH (NOLOCK)
UNION ALL
SELECT N'round "' + r.Name + N'" of ', r.DefinedById, r.DefinedBySid, r.DefinedByName
FROM [dbsched].[Rounds] AS r WITH (NOLOCK)
WHERE r.SuccessorSql IS NOT NULL
UNION ALL
SELECT N'the alarm hook of ', h.AlarmHookById, h.AlarmHookBySid, h.AlarmHookByName
FROM [dbsched].[Settings] AS h WITH (NOLOCK)
WHERE h.AlarmHook IS NOT NULL
UNION ALL
SELECT N'unfinished tasks of ', t.EnqueuedById, t.EnqueuedBySid, t.EnqueuedByName
FROM [dbsched].[Tasks] AS t WITH (NOLOCK)
WHERE t.FinishedAt IS NULL
GROUP BY t.EnqueuedById, t.EnqueuedBySid, t.EnqueuedByName;
IF USER_NAME() = @owner
    REVERT;
SELECT w.What + w.UserName AS What
FROM @Theirs AS w
WHERE NOT EXISTS (SELECT 1 FROM sys.database_principals AS p
                  WHERE p.principal_id = w.UserId AND USER_NAME(p.principal_id) = w.UserName AND (p.principal_id = 1 OR p.sid = w.Sid))
ORDER BY What;
go
SELECT n.At, ISNULL(n.Problem, '')
FROM [dbsched].[NextInstants](@calendar, @zone, ISNULL(CAST(@after AS datetime2(3)), SYSUTCDATETIME()), @count, CAST(@begin AS datetime2(0)), CAST(@end AS datetime2(0))) AS n
ORDER BY n.InstantNo;
go
DECLARE @ProcessId int;
BEGIN TRY
    BEGIN TRANSACTION;
    EXEC [dbsched].[CreateProcess] @Name = N'n', @ProcessId = @ProcessId OUTPUT;
    EXEC [dbsched].[ExecAsync] @SQL = N'SELECT 1;', @ExecutionOrder = 1, @ProcessId = @ProcessId;
    COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
    THROW;
END CATCH;
go
EXEC @result = [dbsched].[StartScheduler];
go
EXEC @result = [dbsched].[StartScheduler] @Here = @Here;
go
EXEC @result = [dbsched].[StartScheduler] @Moved = @Moved;
go
EXEC @result = [dbsched].[StartScheduler] @AlsoOn = @AlsoOn;
go
EXEC @result = [dbsched].[StopScheduler] @Mode = @Mode;
go
EXEC @result = [dbsched].[SetWorkers] @MaxWorkers = @MaxWorkers;
go
EXEC @result = [dbsched].[SetPolicy] @Policy = @Policy;
go
EXEC @result = [dbsched].[AcknowledgeAlarms];
go
EXEC @result = [dbsched].[AcknowledgeAlarms] @UpTo = @UpTo;
go
EXEC @result = [dbsched].[AcknowledgeAlarms] @AlarmId = @AlarmId;
go
EXEC @result = [dbsched].[Purge] @Days = @Days;
go
EXEC @result = [dbsched].[SetOptions] @LingerSeconds = @LingerSeconds, @IdleSweepSeconds = @IdleSweepSeconds, @RetentionDays = @RetentionDays, @MaxRetryDelaySeconds = @MaxRetryDelaySeconds, @MaxOrphans = @MaxOrphans, @OutageSeconds = @OutageSeconds, @MaxTasksPerUser = @MaxTasksPerUser, @DefaultTimeoutSeconds = @DefaultTimeoutSeconds;
go
EXEC @result = [dbsched].[SetAlarmHook];
go
EXEC @result = [dbsched].[SetAlarmHook] @Procedure = @Procedure;
go
EXEC @result = [dbsched].[ExecAsync] @SQL = @SQL, @ExecutionOrder = @ExecutionOrder, @TaskId = @TaskId OUTPUT;
go
EXEC @result = [dbsched].[ExecAsync] @SQL = @SQL, @ExecutionOrder = @ExecutionOrder, @ProcessId = @ProcessId, @Priority = @Priority, @MaxAttempts = @MaxAttempts, @RetryDelaySeconds = @RetryDelaySeconds, @NotBefore = @NotBefore, @ExpectedSeconds = @ExpectedSeconds, @TimeoutSeconds = @TimeoutSeconds, @OnOrphan = @OnOrphan, @Resource = @Resource, @Access = @Access, @Transactional = @Transactional, @DedupKey = @DedupKey, @Parameters = @Parameters, @Name = @Name, @TaskId = @TaskId OUTPUT;
go
EXEC @result = [dbsched].[ExecAsyncBatch] @Tasks = @Tasks;
go
EXEC @result = [dbsched].[CreateProcess] @Name = @Name, @ProcessId = @ProcessId OUTPUT;
go
EXEC @result = [dbsched].[CreateProcess] @Name = @Name, @Priority = @Priority, @Weight = @Weight, @MaxParallel = @MaxParallel, @OnError = @OnError, @ProcessId = @ProcessId OUTPUT;
go
EXEC @result = [dbsched].[CreateProcess] @Name = @Name, @Priority = @Priority, @Weight = @Weight, @MaxParallel = @MaxParallel, @OnError = @OnError, @Suspended = @Suspended, @ProcessId = @ProcessId OUTPUT;
go
EXEC @result = [dbsched].[ExecAsync] @SQL = @SQL, @ExecutionOrder = @ExecutionOrder, @ProcessId = @ProcessId, @TaskId = @TaskId OUTPUT;
go
EXEC @result = [dbsched].[ReleaseProcess] @ProcessId = @ProcessId;
go
EXEC @result = [dbsched].[CloseProcess] @ProcessId = @ProcessId;
go
EXEC @result = [dbsched].[ExecAsyncBatch] @Tasks = @Tasks, @ProcessId = @ProcessId;
go
EXEC @result = [dbsched].[CancelTask] @TaskId = @TaskId;
go
EXEC @result = [dbsched].[CancelProcess] @ProcessId = @ProcessId;
go
EXEC @result = [dbsched].[RetryTask] @TaskId = @TaskId;
go
EXEC @result = [dbsched].[RetryProcess] @ProcessId = @ProcessId;
go
SELECT v.ProcessId
FROM [dbsched].[ProcessInfo] v
WHERE v.ProcessId = @id OR v.Name = @name
ORDER BY CASE WHEN v.ProcessId = @same THEN 0 ELSE 1 END, CASE WHEN v.FinishedAt IS NULL THEN 0 ELSE 1 END, v.ProcessId DESC
OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
go
EXEC @result = [dbsched].[DefineResource] @Name = @Name, @Capacity = @Capacity;
go
EXEC @result = [dbsched].[DropResource] @Name = @Name;
go
EXEC @result = [dbsched].[ReleaseResource] @RequestId = @RequestId;
go
EXEC @result = [dbsched].[DefineRound] @Round = @Round, @Members = @Members, @SuccessorJob = @SuccessorJob, @SuccessorSQL = @SuccessorSQL, @ExecutionOrder = @ExecutionOrder, @ProcessId = @ProcessId, @MaxAgeSeconds = @MaxAgeSeconds, @StartSeconds = @StartSeconds;
go
EXEC @result = [dbsched].[DefineRound] @Round = @Round, @Members = @Members;
go
EXEC @result = [dbsched].[ReportRound] @Round = @Round, @Member = @Member, @Succeeded = @Succeeded, @Outcome = @Outcome OUTPUT;
go
EXEC @result = [dbsched].[CreateSchedule] @Name = @Name, @Calendar = @Calendar, @Tasks = @Tasks;
go
EXEC @result = [dbsched].[CreateSchedule] @Name = @Name, @Calendar = @Calendar, @Tasks = @Tasks, @Zone = @Zone, @Overlap = @Overlap, @Missed = @Missed, @OnError = @OnError, @Weight = @Weight, @MaxParallel = @MaxParallel, @BeginAt = @BeginAt, @EndAt = @EndAt, @Enabled = @Enabled;
go
EXEC @result = [dbsched].[AlterSchedule] @Name = @Name, @Calendar = @Calendar;
go
EXEC @result = [dbsched].[SetScheduleEnabled] @Name = @Name, @Enabled = @Enabled;
go
EXEC @result = [dbsched].[RunSchedule] @Name = @Name;
go
EXEC @result = [dbsched].[DropSchedule] @Name = @Name;
go
SELECT v.Version, v.Started, v.CopyOf, v.AlsoOn, CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')), v.Policy, v.MaxWorkers, v.MaxLanes, v.Workers, v.Running, v.Unfinished, v.Alarms, v.Blocked, SYSUTCDATETIME()
FROM [dbsched].[SchedulerInfo] v
go
SELECT v.AlarmHook, v.LingerSeconds, v.IdleSweepSeconds, v.RetentionDays, v.MaxRetryDelaySeconds, v.MaxOrphans, v.OutageSeconds, v.MaxTasksPerUser, v.DefaultTimeoutSeconds
FROM [dbsched].[SchedulerInfo] v
go
SELECT q.status, q.reason, COUNT_BIG(*), MIN(q.enqueued_at), MIN(q.due_at), COUNT_BIG(q.runnable_at), MIN(q.runnable_at)
FROM (SELECT v.Status AS status, v.WaitReason AS reason, v.EnqueuedAt AS enqueued_at, v.DueAt AS due_at,
             CASE WHEN v.Status = 'Pending' AND v.ExecutionOrder = MIN(v.ExecutionOrder) OVER (PARTITION BY v.ProcessId) THEN v.EnqueuedAt END AS runnable_at
FROM [dbsched].[TaskInfo] v
      WHERE v.FinishedAt IS NULL) q
GROUP BY q.status, q.reason
ORDER BY q.status, q.reason
go
SELECT v.LaneId, v.State, v.SessionId, v.TaskId
FROM [dbsched].[WorkerInfo] v
ORDER BY v.LaneId DESC
go
SELECT v.Resource, v.Capacity, v.Held, v.Waiting, v.RequestId, v.Status, v.Access, v.Requester, v.RequestedBy, v.ProcessId, v.TaskId, v.SessionId, v.RequestedAt, v.GrantedAt, v.LeaseUntil
FROM [dbsched].[ResourceInfo] v
ORDER BY v.Resource, v.RequestId
go
SELECT v.Kind, COUNT_BIG(*)
FROM [dbsched].[AlarmInfo] v
WHERE v.AcknowledgedAt IS NULL
GROUP BY v.Kind
go
SELECT v.RoundId, v.Name, v.Generation, v.Members, v.Succeeded, v.Failed, v.FirstReportAt, v.SuccessorJob, v.SuccessorSql, v.MaxAgeSeconds, v.StartSeconds, v.LastGeneration, v.LastStatus, v.LastFiredAt, v.LastFiredBy, v.LastTaskId, v.LastDetail, v.DefinedBy
FROM [dbsched].[RoundInfo] v
ORDER BY v.Name
go
SELECT v.ScheduleId, v.Name, v.Calendar, v.Zone, v.Status, v.Reason, v.NextAt, v.NextLocal, v.BeginAt, v.EndAt, v.LastDueAt, v.LastProcessId, v.LastStatus, v.LastFinishedAt, v.Running, v.Waiting, v.Fired, v.Skipped, v.Missed, v.Overlap, v.MissedPolicy, v.Tasks, v.OnError, v.Weight, v.MaxParallel, v.OwnedBy
FROM [dbsched].[ScheduleInfo] v
ORDER BY v.Name
go
SELECT v.ScheduleId, v.Name, v.Calendar, v.Zone, v.Status, v.Reason, v.NextAt, v.NextLocal, v.BeginAt, v.EndAt, v.LastDueAt, v.LastProcessId, v.LastStatus, v.LastFinishedAt, v.Running, v.Waiting, v.Fired, v.Skipped, v.Missed, v.Overlap, v.MissedPolicy, v.Tasks, v.OnError, v.Weight, v.MaxParallel, v.OwnedBy
FROM [dbsched].[ScheduleInfo] v
WHERE v.Name = @name
go
SELECT q.status, COUNT_BIG(*), COUNT_BIG(CASE WHEN q.next_at < DATEADD(second, -60, SYSUTCDATETIME()) THEN 1 END), MIN(q.next_at), MIN(CASE WHEN q.nth = 1 THEN q.name END)
FROM (SELECT v.Status AS status, v.Name AS name, v.NextAt AS next_at,
             ROW_NUMBER() OVER (PARTITION BY v.Status ORDER BY CASE WHEN v.NextAt IS NULL THEN 1 ELSE 0 END, v.NextAt, v.Name) AS nth
FROM [dbsched].[ScheduleInfo] v) q
GROUP BY q.status
ORDER BY q.status
go
SELECT v.FiringId, v.Name, v.DueAt, v.Manual, v.Status, v.Detail, v.LoggedAt, v.ProcessId, v.FinishedAt
FROM [dbsched].[ScheduleLog] v
ORDER BY v.FiringId DESC
go
SELECT v.FiringId, v.Name, v.DueAt, v.Manual, v.Status, v.Detail, v.LoggedAt, v.ProcessId, v.FinishedAt
FROM [dbsched].[ScheduleLog] v
WHERE v.Name = @name
ORDER BY v.FiringId DESC
OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
go
SELECT v.ProcessId, v.Name, v.Status, v.OnError, v.Priority, v.Unfinished, v.Running, v.LowestOrder, v.TasksSucceeded, v.TasksFailed, v.CreatedBy, v.CreatedAt, v.FinishedAt
FROM [dbsched].[ProcessInfo] v
ORDER BY v.ProcessId DESC
go
SELECT v.TaskId, v.ProcessId, v.ExecutionOrder, v.Status, v.WaitReason, v.Priority, v.Attempt, v.Name, v.SqlText, v.EnqueuedBy, v.EnqueuedAt, v.DueAt, v.LaneId, v.Resource, v.StartedAt, v.FinishedAt, v.TimeoutSeconds, v.StopOutcome, v.ExpectedSeconds, v.MaxAttempts, v.Failures, v.OnOrphan, v.Orphans, v.Access, v.Transactional, v.DedupKey, v.DuplicateOf, v.Parameters, SYSUTCDATETIME()
FROM [dbsched].[TaskInfo] v
ORDER BY v.TaskId DESC
go
SELECT v.LogId, v.TaskId, v.ProcessId, v.ExecutionOrder, v.Attempt, v.TaskName, v.TaskBody, v.LaneId, v.SPID, t.EnqueuedAt, t.Resource, v.StartTime, v.EndTime, v.Outcome, v.ErrorNumber, v.ErrorMessage, v.ErrorProcedure, v.ErrorLine, t.TimeoutSeconds, t.Status, SYSUTCDATETIME()
FROM [dbsched].[LogInfo] v
LEFT JOIN [dbsched].[TaskInfo] t ON t.TaskId = v.TaskId
ORDER BY v.LogId DESC
go
SELECT v.AlarmId, v.RaisedAt, v.Kind, v.ProcessId, v.TaskId, v.LaneId, v.AlarmText, v.AcknowledgedAt, v.AcknowledgedBy, v.TaskName
FROM [dbsched].[AlarmInfo] v
ORDER BY v.AlarmId DESC
go
SELECT v.ProcessId, v.Name, v.Status, v.OnError, v.Priority, v.Unfinished, v.Running, v.LowestOrder, v.TasksSucceeded, v.TasksFailed, v.CreatedBy, v.CreatedAt, v.FinishedAt
FROM [dbsched].[ProcessInfo] v
WHERE v.ProcessId = @process AND v.Status IN (@status1, @status2)
ORDER BY v.ProcessId DESC
OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
go
SELECT v.TaskId, v.ProcessId, v.ExecutionOrder, v.Status, v.WaitReason, v.Priority, v.Attempt, v.Name, v.SqlText, v.EnqueuedBy, v.EnqueuedAt, v.DueAt, v.LaneId, v.Resource, v.StartedAt, v.FinishedAt, v.TimeoutSeconds, v.StopOutcome, v.ExpectedSeconds, v.MaxAttempts, v.Failures, v.OnOrphan, v.Orphans, v.Access, v.Transactional, v.DedupKey, v.DuplicateOf, v.Parameters, SYSUTCDATETIME()
FROM [dbsched].[TaskInfo] v
WHERE v.ProcessId = @process AND v.Status IN (@status1, @status2)
ORDER BY v.TaskId DESC
OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
go
SELECT v.LogId, v.TaskId, v.ProcessId, v.ExecutionOrder, v.Attempt, v.TaskName, v.TaskBody, v.LaneId, v.SPID, t.EnqueuedAt, t.Resource, v.StartTime, v.EndTime, v.Outcome, v.ErrorNumber, v.ErrorMessage, v.ErrorProcedure, v.ErrorLine, t.TimeoutSeconds, t.Status, SYSUTCDATETIME()
FROM [dbsched].[LogInfo] v
LEFT JOIN [dbsched].[TaskInfo] t ON t.TaskId = v.TaskId
WHERE v.ProcessId = @process AND v.Outcome IN (@status1, @status2)
ORDER BY v.LogId DESC
OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
go
SELECT v.AlarmId, v.RaisedAt, v.Kind, v.ProcessId, v.TaskId, v.LaneId, v.AlarmText, v.AcknowledgedAt, v.AcknowledgedBy, v.TaskName
FROM [dbsched].[AlarmInfo] v
WHERE v.ProcessId = @process AND v.Kind IN (@status1, @status2)
ORDER BY v.AlarmId DESC
OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
go
SELECT v.ProcessId, v.Name, v.Status, v.OnError, v.Priority, v.Unfinished, v.Running, v.LowestOrder, v.TasksSucceeded, v.TasksFailed, v.CreatedBy, v.CreatedAt, v.FinishedAt
FROM [dbsched].[ProcessInfo] v
WHERE v.CreatedAt >= CAST(@since AS datetime2(3)) AND v.CreatedAt < CAST(@until AS datetime2(3))
ORDER BY v.ProcessId DESC
go
SELECT v.TaskId, v.ProcessId, v.ExecutionOrder, v.Status, v.WaitReason, v.Priority, v.Attempt, v.Name, v.SqlText, v.EnqueuedBy, v.EnqueuedAt, v.DueAt, v.LaneId, v.Resource, v.StartedAt, v.FinishedAt, v.TimeoutSeconds, v.StopOutcome, v.ExpectedSeconds, v.MaxAttempts, v.Failures, v.OnOrphan, v.Orphans, v.Access, v.Transactional, v.DedupKey, v.DuplicateOf, v.Parameters, SYSUTCDATETIME()
FROM [dbsched].[TaskInfo] v
WHERE v.EnqueuedAt >= CAST(@since AS datetime2(3)) AND v.EnqueuedAt < CAST(@until AS datetime2(3)) AND (CHARINDEX(UPPER(@text1), UPPER(v.Name)) > 0 OR CHARINDEX(UPPER(@text2), UPPER(v.SqlText)) > 0)
ORDER BY v.TaskId DESC
go
SELECT v.LogId, v.TaskId, v.ProcessId, v.ExecutionOrder, v.Attempt, v.TaskName, v.TaskBody, v.LaneId, v.SPID, t.EnqueuedAt, t.Resource, v.StartTime, v.EndTime, v.Outcome, v.ErrorNumber, v.ErrorMessage, v.ErrorProcedure, v.ErrorLine, t.TimeoutSeconds, t.Status, SYSUTCDATETIME()
FROM [dbsched].[LogInfo] v
LEFT JOIN [dbsched].[TaskInfo] t ON t.TaskId = v.TaskId
WHERE v.StartTime >= CAST(@since AS datetime2(3)) AND v.StartTime < CAST(@until AS datetime2(3)) AND (CHARINDEX(UPPER(@text1), UPPER(v.TaskName)) > 0 OR CHARINDEX(UPPER(@text2), UPPER(v.TaskBody)) > 0 OR CHARINDEX(UPPER(@text3), UPPER(v.ErrorMessage)) > 0)
ORDER BY v.LogId DESC
go
SELECT v.AlarmId, v.RaisedAt, v.Kind, v.ProcessId, v.TaskId, v.LaneId, v.AlarmText, v.AcknowledgedAt, v.AcknowledgedBy, v.TaskName
FROM [dbsched].[AlarmInfo] v
WHERE v.RaisedAt >= CAST(@since AS datetime2(3)) AND v.RaisedAt < CAST(@until AS datetime2(3)) AND (CHARINDEX(UPPER(@text1), UPPER(v.AlarmText)) > 0)
ORDER BY v.AlarmId DESC
go
SELECT v.ProcessId, v.Name, v.Status, v.OnError, v.Priority, v.Unfinished, v.Running, v.LowestOrder, v.TasksSucceeded, v.TasksFailed, v.CreatedBy, v.CreatedAt, v.FinishedAt
FROM [dbsched].[ProcessInfo] v
WHERE (v.FinishedAt IS NULL OR v.FinishedAt >= CAST(@open AS datetime2(3)))
ORDER BY v.ProcessId DESC
go
SELECT v.TaskId, v.ProcessId, v.ExecutionOrder, v.Status, v.WaitReason, v.Priority, v.Attempt, v.Name, v.SqlText, v.EnqueuedBy, v.EnqueuedAt, v.DueAt, v.LaneId, v.Resource, v.StartedAt, v.FinishedAt, v.TimeoutSeconds, v.StopOutcome, v.ExpectedSeconds, v.MaxAttempts, v.Failures, v.OnOrphan, v.Orphans, v.Access, v.Transactional, v.DedupKey, v.DuplicateOf, v.Parameters, SYSUTCDATETIME()
FROM [dbsched].[TaskInfo] v
WHERE v.ProcessId = @process
ORDER BY CASE WHEN v.Status IN ('Failed', 'TimedOut') THEN 0 WHEN v.Status IN ('Running', 'Stopping') THEN 1 ELSE 2 END, v.TaskId
OFFSET @skip ROWS FETCH NEXT @limit ROWS ONLY
go
SELECT v.LogId, v.TaskId, v.ProcessId, v.ExecutionOrder, v.Attempt, v.TaskName, v.TaskBody, v.LaneId, v.SPID, t.EnqueuedAt, t.Resource, v.StartTime, v.EndTime, v.Outcome, v.ErrorNumber, v.ErrorMessage, v.ErrorProcedure, v.ErrorLine, t.TimeoutSeconds, t.Status, SYSUTCDATETIME()
FROM [dbsched].[LogInfo] v
LEFT JOIN [dbsched].[TaskInfo] t ON t.TaskId = v.TaskId
WHERE v.TaskId = @task AND (v.LogId > @after OR v.LogId = @also1 OR v.LogId = @also2)
ORDER BY v.LogId DESC
go
SELECT v.LogId, v.TaskId, v.ProcessId, v.ExecutionOrder, v.Attempt, LEFT(v.TaskName, 400), LEFT(v.TaskBody, 400), v.LaneId, v.SPID, t.EnqueuedAt, t.Resource, v.StartTime, v.EndTime, v.Outcome, v.ErrorNumber, LEFT(v.ErrorMessage, 400), v.ErrorProcedure, v.ErrorLine, t.TimeoutSeconds, t.Status, SYSUTCDATETIME()
FROM [dbsched].[LogInfo] v
LEFT JOIN [dbsched].[TaskInfo] t ON t.TaskId = v.TaskId
WHERE v.StartTime < CAST(@until AS datetime2(3)) AND (v.EndTime IS NULL OR v.EndTime >= CAST(@ended AS datetime2(3))) AND v.ProcessId <> @besides
ORDER BY v.LogId DESC
OFFSET 0 ROWS FETCH NEXT @limit ROWS ONLY
go
SELECT v.AlarmId, v.RaisedAt, v.Kind, v.ProcessId, v.TaskId, v.LaneId, v.AlarmText, v.AcknowledgedAt, v.AcknowledgedBy, v.TaskName
FROM [dbsched].[AlarmInfo] v
WHERE v.AcknowledgedAt IS NULL
ORDER BY v.AlarmId DESC
go
SELECT COUNT_BIG(*), COUNT_BIG(CASE WHEN v.EndTime IS NULL THEN 1 END), COUNT_BIG(CASE WHEN v.Outcome IN ('Failed', 'TimedOut', 'Orphaned', 'Outage') THEN 1 END),
    COUNT_BIG(DISTINCT v.LaneId), MIN(v.LogId), MIN(v.StartTime), MAX(v.EndTime)
FROM [dbsched].[LogInfo] v
go
SELECT COUNT_BIG(*), COUNT_BIG(CASE WHEN v.EndTime IS NULL THEN 1 END), COUNT_BIG(CASE WHEN v.Outcome IN ('Failed', 'TimedOut', 'Orphaned', 'Outage') THEN 1 END),
    COUNT_BIG(DISTINCT v.LaneId), MIN(v.LogId), MIN(v.StartTime), MAX(v.EndTime)
FROM [dbsched].[LogInfo] v
WHERE v.LogId >= @from AND (v.EndTime IS NULL OR v.EndTime >= CAST(@ended AS datetime2(3)))
go
SELECT N'queue ' + q.name + CASE WHEN q.is_receive_enabled = 1 THEN N'' ELSE N' (disabled)' END
    + CASE WHEN q.is_activation_enabled = 1 THEN N' activates ' + q.activation_procedure ELSE N'' END
FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(@schema) ORDER BY q.name;
go
SELECT N'service ' + v.name FROM sys.services AS v INNER JOIN sys.service_queues AS q ON q.object_id = v.service_queue_id
WHERE q.schema_id = SCHEMA_ID(@schema) ORDER BY v.name;
go
SELECT N'contract ' + c.name FROM sys.service_contracts AS c WHERE c.principal_id = DATABASE_PRINCIPAL_ID(@owner) ORDER BY c.name;
go
SELECT N'message type ' + t.name FROM sys.service_message_types AS t WHERE t.principal_id = DATABASE_PRINCIPAL_ID(@owner) ORDER BY t.name;
go
SELECT N'role ' + p.name FROM sys.database_principals AS p
WHERE p.type = 'R' AND p.owning_principal_id = DATABASE_PRINCIPAL_ID(@owner) ORDER BY p.name;
go
SELECT N'table ' + t.name FROM sys.tables AS t WHERE t.schema_id = SCHEMA_ID(@schema) ORDER BY t.name;
go
SELECT N'schema ' + h.name FROM sys.schemas AS h WHERE h.name = @schema;
go
SELECT N'user ' + u.name FROM sys.database_principals AS u WHERE u.name = @owner;
go
SELECT N'user', u.name, N'' FROM sys.database_principals AS u WHERE u.name = @owner;
go
SELECT N'schema', h.name, N'' FROM sys.schemas AS h WHERE h.name = @schema;
go
SELECT N'role', p.name, N'' FROM sys.database_principals AS p WHERE p.type = 'R' AND p.owning_principal_id = DATABASE_PRINCIPAL_ID(@owner);
go
SELECT N'message type', t.name, N'' FROM sys.service_message_types AS t WHERE t.principal_id = DATABASE_PRINCIPAL_ID(@owner);
go
SELECT N'contract', c.name, N'' FROM sys.service_contracts AS c WHERE c.principal_id = DATABASE_PRINCIPAL_ID(@owner);
go
SELECT N'queue', q.name, N'' FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(@schema);
go
SELECT N'service', v.name, N'' FROM sys.services AS v INNER JOIN sys.service_queues AS q ON q.object_id = v.service_queue_id WHERE q.schema_id = SCHEMA_ID(@schema);
go
SELECT N'type', t.name, N'' FROM sys.table_types AS t WHERE t.schema_id = SCHEMA_ID(@schema);
go
SELECT N'table', t.name, N'' FROM sys.tables AS t WHERE t.schema_id = SCHEMA_ID(@schema);
go
SELECT N'lock escalation', t.name, t.lock_escalation_desc FROM sys.tables AS t WHERE t.schema_id = SCHEMA_ID(@schema);
go
SELECT N'column', t.name + N'.' + c.name,
    y.name + CASE WHEN y.name IN (N'nchar', N'nvarchar') AND c.max_length > 0 THEN N'(' + CONVERT(nvarchar(10), c.max_length / 2) + N')'
                  WHEN y.name IN (N'char', N'varchar', N'nchar', N'nvarchar', N'binary', N'varbinary') THEN N'(' + ISNULL(CONVERT(nvarchar(10), NULLIF(c.max_length, -1)), N'max') + N')'
                  WHEN y.name IN (N'datetime2', N'datetimeoffset', N'time') THEN N'(' + CONVERT(nvarchar(10), c.scale) + N')'
                  WHEN y.name IN (N'decimal', N'numeric') THEN N'(' + CONVERT(nvarchar(10), c.precision) + N', ' + CONVERT(nvarchar(10), c.scale) + N')' ELSE N'' END
           + CASE WHEN c.is_nullable = 1 THEN N'' ELSE N' NOT NULL' END
FROM sys.columns AS c INNER JOIN sys.tables AS t ON t.object_id = c.object_id INNER JOIN sys.types AS y ON y.user_type_id = c.user_type_id
WHERE t.schema_id = SCHEMA_ID(@schema);
go
SELECT CASE o.type WHEN 'P' THEN N'procedure' WHEN 'V' THEN N'view' ELSE N'function' END, o.name, N''
FROM sys.objects AS o INNER JOIN sys.sql_modules AS m ON m.object_id = o.object_id
WHERE o.schema_id = SCHEMA_ID(@schema) AND m.uses_ansi_nulls = 1 AND m.uses_quoted_identifier = 1;
go
SELECT N'right', p.permission_name + N' on ' + o.name + N' of ' + g.name, CASE WHEN p.state = 'D' THEN N'DENY' ELSE N'GRANT' END
FROM sys.database_permissions AS p INNER JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id INNER JOIN sys.objects AS o ON o.object_id = p.major_id
WHERE p.class = 1 AND p.minor_id = 0 AND o.schema_id = SCHEMA_ID(@schema);
go
SELECT N'right', p.permission_name + N' on ' + t.name + N' of ' + g.name, CASE WHEN p.state = 'D' THEN N'DENY' ELSE N'GRANT' END
FROM sys.database_permissions AS p INNER JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id INNER JOIN sys.types AS t ON t.user_type_id = p.major_id
WHERE p.class = 6 AND t.schema_id = SCHEMA_ID(@schema);
go
SELECT d.name, t.name + N'.' + c.name, d.definition
FROM sys.default_constraints AS d INNER JOIN sys.tables AS t ON t.object_id = d.parent_object_id INNER JOIN sys.columns AS c ON c.object_id = d.parent_object_id AND c.column_id = d.parent_column_id
WHERE d.schema_id = SCHEMA_ID(@schema);
go
SELECT k.name, t.name, k.definition, CASE WHEN k.is_disabled = 1 THEN N', disabled' WHEN k.is_not_trusted = 1 THEN N', not checked' ELSE N'' END
FROM sys.check_constraints AS k INNER JOIN sys.tables AS t ON t.object_id = k.parent_object_id
WHERE k.schema_id = SCHEMA_ID(@schema);
go
SELECT CASE WHEN i.is_primary_key = 1 OR i.is_unique_constraint = 1 THEN N'key' ELSE N'index' END, i.name, t.name, i.is_unique, i.is_disabled,
    ISNULL(i.filter_definition, N''), c.name, ISNULL(x.is_descending_key, 0), ISNULL(x.is_included_column, 0)
FROM sys.indexes AS i INNER JOIN sys.tables AS t ON t.object_id = i.object_id
INNER JOIN sys.index_columns AS x ON x.object_id = i.object_id AND x.index_id = i.index_id
INNER JOIN sys.columns AS c ON c.object_id = x.object_id AND c.column_id = x.column_id
WHERE t.schema_id = SCHEMA_ID(@schema) AND i.name IS NOT NULL
ORDER BY i.name, t.name, x.key_ordinal, x.index_column_id;
go
SELECT N'row of Settings', CONVERT(nvarchar(10), r.SettingsId), N'' FROM [dbsched].[Settings] AS r WITH (NOLOCK) WHERE r.SettingsId <= 99;
go
SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM [dbsched].[Lanes] AS l WITH (NOLOCK)) AND NOT EXISTS (SELECT 1 FROM [dbsched].[Settings] AS s WITH (NOLOCK)) THEN 1 ELSE 0 END AS bit);
go
SELECT CAST(ISNULL(HAS_PERMS_BY_NAME(QUOTENAME(@schema), N'SCHEMA', N'VIEW DEFINITION'), 0) AS bit),
    CAST(ISNULL(HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'VIEW DEFINITION'), 0) AS bit);
go
SELECT v.Version FROM [dbsched].[SchedulerInfo] AS v;
go
SELECT q.name, q.is_receive_enabled, q.is_activation_enabled, ISNULL(q.activation_procedure, N''), q.is_enqueue_enabled,
    CAST(CASE WHEN q.max_readers = 1 AND q.execute_as_principal_id = -2 AND q.is_poison_message_handling_enabled = 0 THEN 1 ELSE 0 END AS bit)
FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(@schema) ORDER BY q.name;
go
SELECT ISNULL(USER_NAME(h.principal_id), N''), ISNULL(IS_ROLEMEMBER(N'db_owner', @owner), 0) FROM sys.schemas AS h WHERE h.name = @schema;
go
SELECT o.name FROM sys.objects AS o INNER JOIN sys.schemas AS h ON h.schema_id = o.schema_id
WHERE h.name = @schema AND o.principal_id IS NOT NULL AND o.principal_id <> h.principal_id AND o.parent_object_id = 0 ORDER BY o.name;
go
SELECT COUNT(*), ISNULL(MAX(m.transmission_status), N'')
FROM sys.transmission_queue AS m
WHERE m.from_service_name IN (SELECT s.name FROM sys.services AS s INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
                              WHERE q.schema_id = SCHEMA_ID(@schema));
go
SELECT COUNT(*) FROM sys.conversation_endpoints AS e
INNER JOIN sys.services AS s ON s.service_id = e.service_id
INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
WHERE q.schema_id = SCHEMA_ID(@schema) AND e.state <> 'CD';
go
SELECT q.name, m.state FROM sys.service_queues AS q
INNER JOIN sys.dm_broker_queue_monitors AS m ON m.queue_id = q.object_id AND m.database_id = DB_ID()
WHERE q.schema_id = SCHEMA_ID(@schema) AND m.state = N'NOTIFIED' AND m.last_activated_time < DATEADD(minute, -2, GETDATE());
go
SELECT CAST(CASE WHEN HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'VIEW DEFINITION') = 1
        AND NOT EXISTS (SELECT 1 FROM sys.crypt_properties AS s WHERE s.major_id = OBJECT_ID(@procedure, N'P')) THEN 1 ELSE 0 END AS bit);
go
ALTER AUTHORIZATION ON OBJECT::[dbsched].[Tasks] TO SCHEMA OWNER;
go
CREATE TYPE [dbsched].TaskTable AS TABLE
(
    TaskNo int NOT NULL                                     -- order of enqueueing and of the result; any numbers
        PRIMARY KEY CLUSTERED,
    SQL nvarchar(max) NULL,                                 -- the batch to run; required
    ExecutionOrder int NULL,                                -- its wave; required
    ProcessId int NULL,                                     -- process it belongs to
    Priority int NULL,                                      -- within its wave, higher first
    MaxAttempts int NULL,                                   -- most attempts, the first included
    RetryDelaySeconds int NULL,                             -- seconds before the first retry
    TimeoutSeconds int NULL,                                -- seconds that an attempt may run
    NotBefore datetime2(3) NULL,                            -- earliest start, in UTC
    ExpectedSeconds int NULL,                               -- expected run time in seconds
    Resource nvarchar(128) NULL,                            -- resource that it needs
    Access varchar(30) NULL,                                -- how it uses the resource
    Transactional bit NULL,                                 -- 1 = task and completion are one transaction
    OnOrphan varchar(30) NULL,                              -- if its worker dies
    DedupKey nvarchar(4000) COLLATE Latin1_General_BIN2 NULL, -- key for which only one unfinished task may exist
    Parameters nvarchar(max) NULL,                          -- values bound to the batch
    Name nvarchar(4000) COLLATE Latin1_General_BIN2 NULL    -- what people call it
);
go
ALTER TABLE [dbsched].[Settings] ALTER COLUMN SettingsId tinyint NOT NULL;
go
ALTER TABLE [dbsched].[Settings] ADD CONSTRAINT DF_Settings_Version DEFAULT ('') FOR Version;
go
ALTER TABLE [dbsched].[Settings] DROP CONSTRAINT DF_Settings_Version;
go
ALTER TABLE [dbsched].[Settings] ADD CONSTRAINT DF_Settings_Version DEFAULT ('') FOR Version;
go
ALTER TABLE [dbsched].[Settings] ADD CONSTRAINT PK_Settings PRIMARY KEY CLUSTERED (SettingsId);
go
ALTER TABLE [dbsched].[Settings] DROP CONSTRAINT PK_Settings;
go
ALTER TABLE [dbsched].[Settings] ADD CONSTRAINT PK_Settings PRIMARY KEY CLUSTERED (SettingsId);
go
ALTER TABLE [dbsched].[Settings] WITH CHECK ADD CONSTRAINT CK_Settings_One CHECK (SettingsId = 1);
go
ALTER TABLE [dbsched].[Settings] DROP CONSTRAINT CK_Settings_One;
go
ALTER TABLE [dbsched].[Settings] WITH CHECK ADD CONSTRAINT CK_Settings_One CHECK (SettingsId = 1);
go
CREATE NONCLUSTERED INDEX IX_Processes_Unfinished
    ON [dbsched].Processes (ProcessId)
    INCLUDE (FinishedAt, Status, HasWork)
    WHERE FinishedAt IS NULL;
go
DROP INDEX IX_Processes_Unfinished ON [dbsched].[Processes];
go
CREATE NONCLUSTERED INDEX IX_Processes_Unfinished
    ON [dbsched].Processes (ProcessId)
    INCLUDE (FinishedAt, Status, HasWork)
    WHERE FinishedAt IS NULL;
go
ALTER TABLE [dbsched].Processes SET (LOCK_ESCALATION = DISABLE);
go
ALTER TABLE [dbsched].Processes SET (LOCK_ESCALATION = DISABLE);
go
DENY SELECT ON [dbsched].Tasks TO public;
go
DENY SELECT ON [dbsched].Tasks TO public;
go
IF OBJECT_ID(N'[dbsched].[SchemaVersion]', N'U') IS NULL
    CREATE TABLE [dbsched].[SchemaVersion] (version bigint NOT NULL PRIMARY KEY, dirty bit NOT NULL);
go
DELETE FROM [dbsched].[SchemaVersion];
go
INSERT INTO [dbsched].[SchemaVersion] (version, dirty) VALUES (@p1, @p2);
