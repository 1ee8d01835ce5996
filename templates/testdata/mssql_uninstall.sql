SET ANSI_NULLS, QUOTED_IDENTIFIER ON;
GO
-- Before anything is dropped: refuses if the schema or its owner has objects that are not part of dbsched.
SET NOCOUNT ON;
DECLARE @Foreign nvarchar(300), @Message nvarchar(2000);

SELECT TOP (1) @Foreign = o.name
FROM sys.objects AS o
WHERE o.schema_id = SCHEMA_ID(N'dbsched')
  AND o.parent_object_id = 0
  AND o.type <> 'TT' -- the object of a table type, see below
  AND o.name NOT IN (N'AcknowledgeAlarms', N'AcquireResource', N'AdmitTask', N'AlarmInfo', N'AlarmOfError', N'Alarms', N'AlterSchedule', N'ApplyProcessRequests', N'ArmTimer', N'AssignLanes', N'CalendarNumber', N'CallAlarmHook', N'CancelProcess', N'CancelTask', N'ChooseProcess', N'ChooseTask', N'CloseIfDone', N'CloseProcess', N'ComeHome', N'CompleteAttempt', N'CountTasks', N'CreateProcess', N'CreateSchedule', N'CurrentTask', N'DecideRetry', N'DefineResource', N'DefineRound', N'Dispatch', N'DispatchTurn', N'Dispatch_Activated', N'DropResource', N'DropSchedule', N'EndAttempts', N'EndFiring', N'EndWave', N'EnqueueForRound', N'EnterLane', N'ExecAsync', N'ExecAsyncBatch', N'ExecAsyncTable', N'FailTask', N'FireSchedules', N'ForgetOldReports', N'FreeDeadLanes', N'FreeStaleResources', N'GrantResource', N'HaltProcess', N'JoinResourceLine', N'KillWorker', N'Lane_01_Activated', N'Lanes', N'LastInstants', N'LeaveLane', N'LeaveResourceLine', N'LockHandover', N'LockProcess', N'LogInfo', N'Logs', N'LookAtJob', N'ManualWorker', N'MarkWork', N'MayClaim', N'MayEnqueue', N'Me', N'MoveWatermark', N'NextFiring', N'NextInstant', N'NextInstants', N'NextLocalTime', N'NextTask', N'OrderCancel', N'OrderRetry', N'OrderSchedule', N'PassTask', N'PassedOver', N'ProcessInfo', N'ProcessRequests', N'Processes', N'PruneHistory', N'Purge', N'RaiseAlarm', N'ReadCalendar', N'ReadParameters', N'RecordReport', N'RecoverLane', N'ReleaseDueTasks', N'ReleaseProcess', N'ReleaseResource', N'RepairQueues', N'ReportRound', N'RequestProcess', N'ResourceInfo', N'ResourceRequests', N'Resources', N'RetryProcess', N'RetryTask', N'RoundFirings', N'RoundInfo', N'RoundMemberInfo', N'RoundMembers', N'Rounds', N'RunFiring', N'RunLane', N'RunSchedule', N'RunSweep', N'RunTask', N'RunTaskText', N'RunTransaction', N'ScheduleFirings', N'ScheduleInfo', N'ScheduleLog', N'SchedulerInfo', N'Schedules', N'SchemaVersion', N'SendWake', N'ServeResourceLines', N'SetAlarmHook', N'SetOptions', N'SetPolicy', N'SetScheduleEnabled', N'SetWorkers', N'Settings', N'StartAttempt', N'StartJob', N'StartScheduler', N'StopScheduler', N'SucceedTask', N'Sweep', N'SweepRounds', N'TaskInfo', N'TaskScheduler', N'Tasks', N'Viewer', N'WaitProcess', N'WakeOnce', N'WakeSent', N'WaveOf', N'WorkLane', N'WorkerInfo', N'ZoneOffset')
  AND NOT (o.name LIKE N'Lane[_][0-9][0-9]' AND o.type = 'SQ')
  AND NOT (o.name LIKE N'Lane[_][0-9][0-9][_]Activated' AND o.type = 'P')
  AND NOT (o.name LIKE N'RunAs[_][0-9]%' AND o.type = 'P') -- from the trust script
ORDER BY o.name;

IF @Foreign IS NULL
    SELECT TOP (1) @Foreign = t.name FROM sys.types AS t
    WHERE t.schema_id = SCHEMA_ID(N'dbsched') AND t.name NOT IN (N'TaskTable') ORDER BY t.name;

IF @Foreign IS NULL
    SELECT TOP (1) @Foreign = s.name FROM sys.schemas AS s
    WHERE s.principal_id = DATABASE_PRINCIPAL_ID(N'dbsched_owner') AND s.name <> N'dbsched' ORDER BY s.name;

IF @Foreign IS NULL
    SELECT TOP (1) @Foreign = o.name FROM sys.objects AS o
    WHERE o.principal_id = DATABASE_PRINCIPAL_ID(N'dbsched_owner') AND o.schema_id <> SCHEMA_ID(N'dbsched') AND o.type <> 'TT' ORDER BY o.name;

IF @Foreign IS NOT NULL
BEGIN
    SET @Message = N'dbsched 51095: ' + REPLACE(QUOTENAME(@Foreign), N'%', N'%%')
        + N' is in dbsched''s schema, or belongs to its owner, but is not part of dbsched. Nothing was dropped.'
        + N' Move it (ALTER SCHEMA dbo TRANSFER ...), then uninstall again.';
    THROW 51095, @Message, 1;
END;
GO
-- Stops the scheduler and turns activation off on all dbsched queues.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

BEGIN TRY
    IF OBJECT_ID(N'[dbsched].[StopScheduler]', N'P') IS NOT NULL
        EXEC [dbsched].StopScheduler;
END TRY
BEGIN CATCH
    -- The installation may be incomplete; the rest of this script stops it anyway.
    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
END CATCH;

DECLARE Queues CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'ALTER QUEUE ' + QUOTENAME(N'dbsched') + N'.' + QUOTENAME(q.name) + N' WITH ACTIVATION (STATUS = OFF);'
    FROM sys.service_queues AS q
    WHERE q.schema_id = SCHEMA_ID(N'dbsched') AND q.is_activation_enabled = 1;

OPEN Queues;
FETCH NEXT FROM Queues INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Queues INTO @Command;
END;
CLOSE Queues;
DEALLOCATE Queues;
GO
-- Ends all conversations of dbsched's services. WITH CLEANUP, used only here: no other side is left to answer.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Handle uniqueidentifier, @Ended int = 0;

DECLARE Conversations CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT e.conversation_handle
    FROM sys.conversation_endpoints AS e
    INNER JOIN sys.services AS s ON s.service_id = e.service_id
    INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
    WHERE q.schema_id = SCHEMA_ID(N'dbsched');

-- Commit every thousand: a commit per conversation would wait for the log each time.
BEGIN TRANSACTION;
OPEN Conversations;
FETCH NEXT FROM Conversations INTO @Handle;
WHILE @@FETCH_STATUS = 0
BEGIN
    IF EXISTS (SELECT 1 FROM sys.conversation_endpoints AS e WHERE e.conversation_handle = @Handle)
        END CONVERSATION @Handle WITH CLEANUP;
    SET @Ended = @Ended + 1;
    IF @Ended % 1000 = 0
    BEGIN
        COMMIT TRANSACTION;
        BEGIN TRANSACTION;
    END;
    FETCH NEXT FROM Conversations INTO @Handle;
END;
CLOSE Conversations;
DEALLOCATE Conversations;
COMMIT TRANSACTION;
GO
-- Drops dbsched's services, then their contract and message type.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

DECLARE Services CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP SERVICE ' + QUOTENAME(s.name) + N';'
    FROM sys.services AS s
    INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
    WHERE q.schema_id = SCHEMA_ID(N'dbsched');

OPEN Services;
FETCH NEXT FROM Services INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Services INTO @Command;
END;
CLOSE Services;
DEALLOCATE Services;

IF EXISTS (SELECT 1 FROM sys.service_contracts AS c WHERE c.name = N'//dbsched/Contract')
    DROP CONTRACT [//dbsched/Contract];

IF EXISTS (SELECT 1 FROM sys.service_message_types AS m WHERE m.name = N'//dbsched/Wake')
    DROP MESSAGE TYPE [//dbsched/Wake];
GO
-- Drops dbsched's queues, procedures, functions, views, tables and types.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

DECLARE Objects CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP ' + CASE o.type WHEN 'SQ' THEN N'QUEUE ' WHEN 'P' THEN N'PROCEDURE ' WHEN 'V' THEN N'VIEW ' WHEN 'IF' THEN N'FUNCTION ' WHEN 'FN' THEN N'FUNCTION ' ELSE N'TABLE ' END
         + QUOTENAME(N'dbsched') + N'.' + QUOTENAME(o.name) + N';'
    FROM sys.objects AS o
    WHERE o.schema_id = SCHEMA_ID(N'dbsched') AND o.parent_object_id = 0 AND o.type IN ('SQ', 'P', 'IF', 'FN', 'V', 'U')
    ORDER BY CASE o.type WHEN 'SQ' THEN 1 WHEN 'P' THEN 2 WHEN 'IF' THEN 3 WHEN 'FN' THEN 3 WHEN 'V' THEN 4 ELSE 5 END, o.name;

OPEN Objects;
FETCH NEXT FROM Objects INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Objects INTO @Command;
END;
CLOSE Objects;
DEALLOCATE Objects;

-- After the procedures that use the types as parameters.
DECLARE Types CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP TYPE ' + QUOTENAME(N'dbsched') + N'.' + QUOTENAME(t.name) + N';'
    FROM sys.types AS t
    WHERE t.schema_id = SCHEMA_ID(N'dbsched')
    ORDER BY t.name;

OPEN Types;
FETCH NEXT FROM Types INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Types INTO @Command;
END;
CLOSE Types;
DEALLOCATE Types;
GO
-- Drops the roles and their memberships, the schema and its owner.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

DECLARE Members CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'ALTER ROLE ' + QUOTENAME(r.name) + N' DROP MEMBER ' + QUOTENAME(m.name) + N';'
    FROM sys.database_role_members AS x
    INNER JOIN sys.database_principals AS r ON r.principal_id = x.role_principal_id
    INNER JOIN sys.database_principals AS m ON m.principal_id = x.member_principal_id
    WHERE r.name IN (N'dbsched_user', N'dbsched_reader', N'dbsched_admin', N'dbsched_locks');

OPEN Members;
FETCH NEXT FROM Members INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Members INTO @Command;
END;
CLOSE Members;
DEALLOCATE Members;

-- The kill script's certificate in this database.
IF CERT_ID(N'[dbsched_kill]') IS NOT NULL
    DROP CERTIFICATE [dbsched_kill];

-- The trust script's certificate in this database.
IF CERT_ID(N'[dbsched_trust]') IS NOT NULL
    DROP CERTIFICATE [dbsched_trust];

DROP ROLE IF EXISTS [dbsched_user];
DROP ROLE IF EXISTS [dbsched_reader];
DROP ROLE IF EXISTS [dbsched_admin];
DROP ROLE IF EXISTS [dbsched_locks];
DROP SCHEMA IF EXISTS [dbsched];
DROP USER IF EXISTS [dbsched_owner];
GO
