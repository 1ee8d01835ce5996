--
-- Contents. Each object begins with a header: search for its name.
--   install (139 lines): Checks the server, makes owner and schema, writes the settings, and at the end turns the scheduler's readers on.
--      dbsched_owner dbsched
--   rights (131 lines): Who calls, and what each caller may do.
--      dbsched_admin dbsched_locks dbsched_reader dbsched_user Me Viewer
--   wake (158 lines): Wake-ups: one message for each transaction that enqueues.
--      //dbsched/Wake //dbsched/Contract SendWake WakeOnce ArmTimer
--   alarms (308 lines): Tells people and their hook what went wrong.
--      CallAlarmHook RaiseAlarm AlarmOfError SetAlarmHook AcknowledgeAlarms AlarmInfo
--   home (74 lines): Whether this is the database in which the scheduler was started, or a copy of it.
--      ComeHome
--   parameters (95 lines): Values that are bound to a task's text.
--      ReadParameters
--   enqueue (656 lines): Tasks enter: checks, then one INSERT in the caller's transaction.
--      CountTasks ExecAsync ExecAsyncTable ExecAsyncBatch TaskInfo
--   processes (378 lines): Processes: create, lock, close, wait for the end.
--      LockProcess CreateProcess RequestProcess ReleaseProcess CloseProcess WaitProcess CloseIfDone ProcessInfo
--   claim (656 lines): One commit ends a worker's attempt and claims its next task.
--      PassedOver WaveOf EndWave LockHandover MayClaim ChooseProcess ChooseTask MoveWatermark PassTask StartAttempt AdmitTask
--      NextTask
--   complete (376 lines): What follows an attempt: the next retry, or the end of the process.
--      SucceedTask DecideRetry HaltProcess FailTask CompleteAttempt
--   run (326 lines): Runs the text of a task as its user, with no transaction of dbsched's open.
--      CurrentTask RunTaskText RunTask RunTransaction
--   worker (439 lines): A worker's session, from wake-up to end.
--      EnterLane LeaveLane WorkLane RunLane Lane_NN_Activated ManualWorker TaskScheduler WorkerInfo
--   dispatch (406 lines): Decides how many lanes are needed and starts them. It never runs tasks.
--      MarkWork ApplyProcessRequests ReleaseDueTasks AssignLanes DispatchTurn Dispatch_Activated
--   recover (305 lines): Finds dead workers, lost messages and disabled queues, and gives their tasks back.
--      RecoverLane RepairQueues FreeDeadLanes RunSweep Sweep
--   cancel (316 lines): Ends tasks that were cancelled or ran out of time.
--      KillWorker EndAttempts OrderCancel CancelTask CancelProcess
--   retry (180 lines): Starts failed tasks again, because someone asked for it.
--      OrderRetry RetryTask RetryProcess
--   history (155 lines): Keeps, shows and deletes the log.
--      PruneHistory Purge LogInfo
--   control (406 lines): Starts and stops the scheduler, and changes its settings.
--      StartScheduler StopScheduler SetOptions SetPolicy SetWorkers SchedulerInfo
--   resources (824 lines): Named semaphores, and the lines of those who wait for one.
--      GrantResource JoinResourceLine LeaveResourceLine FreeStaleResources ServeResourceLines AcquireResource ReleaseResource
--      DefineResource DropResource ResourceInfo
--   rounds (735 lines): Sets of outside jobs, and what starts when all have succeeded.
--      EndFiring ForgetOldReports SweepRounds EnqueueForRound LookAtJob RecordReport StartJob DefineRound ReportRound RoundInfo
--      RoundMemberInfo
--   schedules (992 lines): Calendars, and what becomes of each instant.
--      NextFiring NextLocalTime ZoneOffset NextInstant LastInstants MayEnqueue FireSchedules CalendarNumber ReadCalendar
--      NextInstants RunFiring AlterSchedule OrderSchedule CreateSchedule DropSchedule RunSchedule SetScheduleEnabled ScheduleInfo
--      ScheduleLog
SET ANSI_NULLS, QUOTED_IDENTIFIER ON;
GO
-- dbsched: a task scheduler inside the database. How it works:
--
--   Tables       Tasks, Processes, Logs, Lanes, Settings ... hold the whole state. Finished, running, waiting and
--                pending are column values; messages and memory hold nothing.
--   Enqueue      ExecAsync adds a row to Tasks in the caller's transaction and sends one wake-up message per
--                transaction to the queue Dispatch. Row and message commit together, or not at all.
--   Dispatch     Service Broker activates Dispatch_Activated. It empties the queue, reads the committed tasks, assigns
--                idle lanes (Lanes: Idle -> Assigned) and sends each assigned lane a message. It never runs tasks. A
--                conversation timer on the same queue also runs the sweep: due retries, dead workers, retention.
--   Lanes        Each worker slot has its own queue, service and activation procedure, with one reader: Service Broker
--                starts the first reader of a queue at once, but additional readers only every five seconds.
--   Work         A worker takes its lane's application lock (held = alive), then repeats: NextTask (record that the last
--                attempt succeeded, if it still is this worker's; choose a process by policy, lock its row, take its
--                first pending task of the lowest unfinished order, write the log row; all in one commit), RunTask (as
--                the user that enqueued the task, with no transaction of ours open). Any other end is recorded alone
--                (CompleteAttempt). With nothing to claim, it sets Idle, looks once more, waits on its queue for a
--                while, and ends.
--   Lock order   Settings, Processes, Tasks, Logs, Resources, Lanes, conversations. Every change of an existing task
--                locks its process row; enqueuers never do. Every change of a resource's line locks the resource's row.
--   Errors       dbsched's own errors begin with "dbsched 51nnn: ". Procedures that join the caller's transaction use
--                RAISERROR (number 50000, state nnn), because THROW could end the caller's batch; the others THROW 51nnn.
--   Rights       The user "<schema>_owner", which has no login, owns everything. Users call procedures
--                through the roles "<schema>_user", "<schema>_reader" and "<schema>_admin".
--
-- This first batch changes nothing. It refuses servers and databases on which dbsched cannot work.
SET NOCOUNT ON;

IF CONVERT(int, SERVERPROPERTY('EngineEdition')) NOT IN (2, 3, 4, 8)
    THROW 51080, N'dbsched 51080: this edition has no Service Broker (Azure SQL Database, for example). Use SQL Server 2016 SP1 or later, or Managed Instance.', 1;

IF CONVERT(int, SERVERPROPERTY('ProductMajorVersion')) = 13 AND CONVERT(int, SERVERPROPERTY('ProductBuild')) < 4001
    THROW 51080, N'dbsched 51080: this is SQL Server 2016 without a service pack, which has no CREATE OR ALTER. Install Service Pack 1 or later.', 1;

IF (SELECT d.compatibility_level FROM sys.databases AS d WHERE d.database_id = DB_ID()) < 130
    THROW 51081, N'dbsched 51081: the compatibility level of the database is below 130. Run: ALTER DATABASE CURRENT SET COMPATIBILITY_LEVEL = 130.', 1;

IF DB_ID() <= 4
    THROW 51082, N'dbsched 51082: this is a system database. Install dbsched in its own database, or in an application database.', 1;

IF CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) <> N'READ_WRITE'
    THROW 51016, N'dbsched 51016: the database is read-only. Connect to the primary replica, or run: ALTER DATABASE CURRENT SET READ_WRITE.', 1;

IF EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_auto_close_on = 1)
    THROW 51088, N'dbsched 51088: AUTO_CLOSE is on: the database closes when it has no sessions, and then no timer starts a task. Run: ALTER DATABASE CURRENT SET AUTO_CLOSE OFF.', 1;

IF IS_ROLEMEMBER(N'db_owner') = 0
    THROW 51083, N'dbsched 51083: your user must be a member of db_owner to install. Run as an administrator: ALTER ROLE db_owner ADD MEMBER ...', 1;
GO
-- The owner of all dbsched objects. Unlike dbo, a user without login survives restores and lost owner logins.
-- It needs db_owner to impersonate the users that enqueue tasks, so acting as this user equals acting as dbo.
SET NOCOUNT ON;

-- Do not make an existing user of this name db_owner if it has a login.
IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = N'dbsched_owner' AND (p.type <> 'S' OR p.authentication_type <> 0))
    THROW 51084, N'dbsched 51084: the schema name with "_owner" added is the name of another principal. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID(N'dbsched_owner') IS NULL
    CREATE USER [dbsched_owner] WITHOUT LOGIN;

IF IS_ROLEMEMBER(N'db_owner', N'dbsched_owner') = 0
    ALTER ROLE db_owner ADD MEMBER [dbsched_owner];
GO
-- The schema of all dbsched objects. An existing, empty schema of this name is reused.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.schemas AS s
           INNER JOIN sys.objects AS o ON o.schema_id = s.schema_id
           WHERE s.name = N'dbsched' AND s.principal_id <> DATABASE_PRINCIPAL_ID(N'dbsched_owner')
             AND NOT EXISTS (SELECT 1 FROM sys.tables AS t WHERE t.schema_id = s.schema_id AND t.name = N'SchemaVersion'))
    THROW 51084, N'dbsched 51084: the schema exists and contains objects that are not part of dbsched. Choose another schema name.', 1;

IF SCHEMA_ID(N'dbsched') IS NULL
    EXEC (N'CREATE SCHEMA [dbsched] AUTHORIZATION [dbsched_owner];');
ELSE IF NOT EXISTS (SELECT 1 FROM sys.schemas AS s WHERE s.name = N'dbsched' AND s.principal_id = DATABASE_PRINCIPAL_ID(N'dbsched_owner'))
    ALTER AUTHORIZATION ON SCHEMA::[dbsched] TO [dbsched_owner];
GO
-- Members may start, stop and configure the scheduler, and manage all users' tasks and processes.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = N'dbsched_admin' AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_admin" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID(N'dbsched_admin') IS NULL
    CREATE ROLE [dbsched_admin] AUTHORIZATION [dbsched_owner];
GO
-- Has no members. It is the principal of dbsched's application locks, so that other users cannot take or release them.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = N'dbsched_locks' AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_locks" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID(N'dbsched_locks') IS NULL
    CREATE ROLE [dbsched_locks] AUTHORIZATION [dbsched_owner];
GO
-- Members may see all tasks, processes, logs, workers and alarms, including SQL texts.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = N'dbsched_reader' AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_reader" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID(N'dbsched_reader') IS NULL
    CREATE ROLE [dbsched_reader] AUTHORIZATION [dbsched_owner];
GO
-- Members may enqueue tasks, create processes, and see their own.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = N'dbsched_user' AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_user" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID(N'dbsched_user') IS NULL
    CREATE ROLE [dbsched_user] AUTHORIZATION [dbsched_owner];
GO
-- "Look again": the only message dbsched sends. Its body is 0x01 if a transaction added tasks, else 0x00.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_message_types AS m WHERE m.name = N'//dbsched/Wake')
    CREATE MESSAGE TYPE [//dbsched/Wake] AUTHORIZATION [dbsched_owner] VALIDATION = NONE;
GO
-- The initiator of a conversation sends the wake-up. The target only ends it.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_contracts AS c WHERE c.name = N'//dbsched/Contract')
    CREATE CONTRACT [//dbsched/Contract] AUTHORIZATION [dbsched_owner] ([//dbsched/Wake] SENT BY INITIATOR);
GO
-- Dispatch: wake-ups from enqueuers and workers, and the timer. Lane_NN: wake-ups for the worker of a lane.
-- Activation is turned on last, when its procedures exist. Poison message handling is off: messages have no body, and five
-- rollbacks in a row (a full log, for example) must not disable a queue.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(N'dbsched') AND q.name = N'Dispatch')
    CREATE QUEUE [dbsched].Dispatch WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF);
IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(N'dbsched') AND q.name = N'Lane_01')
    CREATE QUEUE [dbsched].Lane_01 WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF);
IF NOT EXISTS (SELECT 1 FROM sys.service_queues AS q WHERE q.schema_id = SCHEMA_ID(N'dbsched') AND q.name = N'Lane_02')
    CREATE QUEUE [dbsched].Lane_02 WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF);
GO
-- View: Me
-- Purpose: The SID of the caller, by which everything that has an owner is compared; no row if the caller can own nothing: an application
-- role, guest, a certificate, or a member of a Windows group without a user of its own. They cannot be impersonated (EXECUTE AS, "name must be a
-- singleton account"). Names and numbers are reused; a SID is not, and a user that is created again for the same login has it again.
-- dbo's SID is that of the login that owns the database. What dbo leaves runs as dbo, so it must not become that login's when another
-- one owns the database: dbo counts as sa, whose SID no other user can have.
-- Access: private
-- Columns: Sid
CREATE OR ALTER VIEW [dbsched].Me
AS
SELECT CASE u.principal_id WHEN 1 THEN 0x01 ELSE u.sid END AS Sid
FROM sys.database_principals AS u
WHERE u.principal_id = DATABASE_PRINCIPAL_ID() AND u.principal_id <> 2 AND u.type IN ('S', 'U', 'E');
GO
-- View: Viewer
-- Purpose: Who asks, for the public views. SQL Server may evaluate a condition of a query before those of a view that it reads, and an error
-- in it, such as a failed conversion or a division by zero, then shows something of a hidden row. So a view with rows of several users
-- computes whether a row is the caller's (v.Mine), and all its columns are NULL unless it is: CASE evaluates its conditions first (CASE,
-- Remarks). Exceptions are columns that an index must find a row by; a condition on them shows that there is a row, at most.
-- Users are compared by SID, see Me.
-- Access: private
-- Columns: UserSid, SeesAll
CREATE OR ALTER VIEW [dbsched].Viewer
AS
SELECT (SELECT m.Sid FROM [dbsched].Me AS m) AS UserSid,
       CASE WHEN IS_ROLEMEMBER(N'dbsched_reader') = 1 OR IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 END AS SeesAll;
GO
-- Procedure: SendWake
-- Purpose: Wakes the dispatcher, or a lane. Joins an open transaction, if there is one.
-- Each wake-up is its own conversation: on a shared one, an enqueuer's open transaction would hold the lock on the
-- conversation group and block the next enqueuer. The target ends first, so no conversation leaks.
-- Access: private; runs as the owner of the schema.
-- Parameters:
--   @LaneId int = NULL: the lane; NULL = the dispatcher
--   @Body varbinary(1) = 0x00: 0x01 = from a transaction that added tasks
CREATE OR ALTER PROCEDURE [dbsched].SendWake
    @LaneId int = NULL,
    @Body varbinary(1) = 0x00
AS
BEGIN
    DECLARE @Handle uniqueidentifier, @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END,
            @Service nvarchar(256) = CASE WHEN @LaneId IS NULL THEN N'//dbsched/Dispatch'
                                           ELSE N'//dbsched/Lane_' + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2) END;

    -- A session that ends in between leaves nothing; if SEND fails, a caller's transaction is as it was.
    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN DIALOG CONVERSATION @Handle
        FROM SERVICE [//dbsched/Dispatch]
        TO SERVICE @Service, N'CURRENT DATABASE'
        ON CONTRACT [//dbsched/Contract]
        WITH LIFETIME = 86400, ENCRYPTION = OFF;

    SEND ON CONVERSATION @Handle MESSAGE TYPE [//dbsched/Wake] (@Body);

    IF @Own = 1
        COMMIT TRANSACTION;
END;
GO
-- Procedure: WakeOnce
-- Purpose: Sends the dispatcher one wake-up per transaction, however often it is called in it. It looks again a second later, see DispatchTurn.
-- Also asks for a look from the beginning if a task that the transaction has just added is not beyond the watermark of its process. NOLOCK: a claim
-- that moves the watermark now has written it, or will see the task, see PassedOver. One request is enough: one that is there, of the caller or committed,
-- will be applied after this, and the task, committed or not, then keeps the watermark from passing it.
-- Access: private; called by procedures that join the caller's transaction.
-- Parameters:
--   @TaskId bigint = NULL: the task; NULL = none
CREATE OR ALTER PROCEDURE [dbsched].WakeOnce
    @TaskId bigint = NULL
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @TransactionId bigint = CURRENT_TRANSACTION_ID();

    IF @TaskId IS NOT NULL
        INSERT INTO [dbsched].ProcessRequests WITH (ROWLOCK) (ProcessId, Action)
        SELECT p.ProcessId, 'Look'
        FROM [dbsched].Tasks AS t WITH (NOLOCK)
        INNER JOIN [dbsched].Processes AS p WITH (NOLOCK) ON p.ProcessId = t.ProcessId
        WHERE t.TaskId = @TaskId
          AND (t.Rank < p.WaveRank OR (t.Rank = p.WaveRank AND t.TaskId < p.WaveTaskId))
          AND NOT EXISTS (SELECT 1 FROM [dbsched].ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
                          WHERE r.ProcessId = p.ProcessId AND r.Action = 'Look');

    IF EXISTS (SELECT 1 FROM [dbsched].WakeSent AS w WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE w.TransactionId = @TransactionId)
        RETURN 0;

    INSERT INTO [dbsched].WakeSent WITH (ROWLOCK) (TransactionId) VALUES (@TransactionId);
    EXEC [dbsched].SendWake @Body = 0x01;
    RETURN 0;
END;
GO
-- Procedure: ArmTimer
-- Purpose: Sets the dispatcher's timer to fire in at most @Seconds seconds, and begins the timer's conversation if it is missing
-- (after NEW_BROKER or a restore). Does nothing while the scheduler is stopped.
-- Access: private; a short transaction of its own.
-- Parameters:
--   @Seconds int (required): when to fire, in seconds from now
CREATE OR ALTER PROCEDURE [dbsched].ArmTimer
    @Seconds int
AS
BEGIN
    DECLARE @Handle uniqueidentifier;
    DECLARE @Started bit, @Done bit = 0, @Lost bit = 0;

    WHILE @Done = 0
    BEGIN
        BEGIN TRY
            SET @Started = 0;

            BEGIN TRANSACTION;

            SELECT @Started = s.Started, @Handle = CASE WHEN @Lost = 0 THEN s.TimerHandle END
            FROM [dbsched].Settings AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.SettingsId = 1;

            IF @Started = 1
            BEGIN
                IF @Handle IS NULL
                BEGIN
                    -- No LIFETIME: it lasts until StopScheduler. No message is ever sent on it, so no target endpoint exists.
                    BEGIN DIALOG CONVERSATION @Handle
                        FROM SERVICE [//dbsched/Dispatch]
                        TO SERVICE N'//dbsched/Dispatch', N'CURRENT DATABASE'
                        ON CONTRACT [//dbsched/Contract]
                        WITH ENCRYPTION = OFF;

                    UPDATE s
                    SET s.TimerHandle = @Handle
                    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE s.SettingsId = 1;
                END;

                -- The documentation shows a number only; a variable serves in SQLWATCH (usp_sqlwatch_internal_restart_queues).
                BEGIN CONVERSATION TIMER (@Handle) TIMEOUT = @Seconds;
            END;

            COMMIT TRANSACTION;
            SET @Done = 1;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            -- 8426: the conversation is gone. Checking sys.conversation_endpoints each time would read the endpoints of all
            -- recent wake-ups, and wait for those of uncommitted transactions.
            IF @Lost = 1 OR ERROR_NUMBER() <> 8426
                THROW;

            SET @Lost = 1;
        END CATCH;
    END;
END;
GO
-- Procedure: CallAlarmHook
-- Purpose: Enqueues a task that calls the alarm hook, if one is set. It is a task because the hook is foreign code: it may fail,
-- hang or leave a transaction open, and the session that raises an alarm may hold locks that all workers need.
-- Joins an open transaction, if there is one, and waits for no other session.
-- Access: private
-- Parameters:
--   @AlarmId bigint (required): the alarm
--   @ProcessId int (required): process of the alarm; NULL = none
-- Errors: none raised, unless the caller's transaction can no longer commit
CREATE OR ALTER PROCEDURE [dbsched].CallAlarmHook
    @AlarmId bigint,
    @ProcessId int
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Hook nvarchar(517), @HookProcessId int, @UserId int, @UserSid varbinary(85), @UserName nvarchar(128), @LoginName nvarchar(128);
    DECLARE @Own bit = 0, @TaskId bigint;

    BEGIN TRY
        -- NOLOCK, here and on the process: otherwise this would wait for a StopScheduler that waits for claims, which wait
        -- for the process row that the caller may hold.
        SELECT @Hook = s.AlarmHook, @HookProcessId = s.AlarmHookProcessId,
               @UserId = s.AlarmHookById, @UserSid = s.AlarmHookBySid, @UserName = s.AlarmHookByName, @LoginName = s.AlarmHookByLogin
        FROM [dbsched].Settings AS s WITH (NOLOCK)
        WHERE s.SettingsId = 1;

        -- An alarm about the hook's own tasks must not call the hook again. A closed process accepts no tasks.
        IF @Hook IS NULL OR @HookProcessId = @ProcessId
           OR NOT EXISTS (SELECT 1 FROM [dbsched].Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @HookProcessId AND p.Status = 'Open')
            RETURN 0;

        IF @@TRANCOUNT = 0
        BEGIN
            SET @Own = 1;
            BEGIN TRANSACTION;
        END;

        INSERT INTO [dbsched].Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, SqlText, MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, TransactionId)
        VALUES
            (@HookProcessId, 0, 0, 0, CONVERT(decimal(27, 0), 0) * 10000000000000000 + (1000000 - 0) * CONVERT(bigint, 2147483648) + 2147483647 - 0, 'Pending',
             N'EXEC ' + @Hook + N' @AlarmId = ' + CONVERT(nvarchar(20), @AlarmId) + N';', 3, 60, 300, 'Retry',
             @UserId, @UserSid, @UserName, @LoginName, CURRENT_TRANSACTION_ID());

        SET @TaskId = SCOPE_IDENTITY();
        EXEC [dbsched].WakeOnce @TaskId;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        -- Keep the alarm itself if the caller's transaction can still commit.
        IF XACT_STATE() = -1
            THROW;
    END CATCH;

    RETURN 0;
END;
GO
-- Procedure: RaiseAlarm
-- Purpose: Records an alarm and calls the alarm hook (see SetAlarmHook). Does nothing if one of the last hundred alarms is the
-- same and less than ten minutes old, or if twenty of them are less than an hour old and about things of the same user, who is no
-- administrator: so a user can neither bury the alarms of others nor call the hook without end. Joins an open transaction, if there is one.
-- Access: private
-- Parameters:
--   @Kind varchar(20) (required): kind of alarm, see Alarms.Kind
--   @Message nvarchar(2000) (required): what happened
--   @ProcessId int = NULL: process of the alarm
--   @TaskId bigint = NULL: task of the alarm
--   @LaneId int = NULL: lane of the alarm
--   @UserName nvarchar(128) = NULL: user whose round or schedule it is about; NULL = the user of the task or process, if there is one
CREATE OR ALTER PROCEDURE [dbsched].RaiseAlarm
    @Kind varchar(20),
    @Message nvarchar(2000),
    @ProcessId int = NULL,
    @TaskId bigint = NULL,
    @LaneId int = NULL,
    @UserName nvarchar(128) = NULL
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @AlarmId bigint, @Same int, @OfUser int;

    SET @UserName = COALESCE(@UserName, (SELECT t.EnqueuedByName FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.TaskId = @TaskId),
                             (SELECT p.CreatedByName FROM [dbsched].Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @ProcessId AND p.ProcessId > 1));

    -- Errors that repeat every few seconds, such as that of each lane, must not bury other alarms.
    SELECT @Same = SUM(CASE WHEN r.Kind = @Kind AND r.AlarmText = @Message AND r.RaisedAt > DATEADD(minute, -10, SYSUTCDATETIME()) THEN 1 ELSE 0 END),
           @OfUser = SUM(CASE WHEN r.UserName = @UserName AND r.RaisedAt > DATEADD(hour, -1, SYSUTCDATETIME()) THEN 1 ELSE 0 END)
    FROM (SELECT TOP (100) a.Kind, a.AlarmText, a.RaisedAt, a.UserName
          FROM [dbsched].Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
          ORDER BY a.AlarmId DESC) AS r;

    -- Not those that tell of an attack.
    IF @Kind = 'WorkerError' OR @UserName = N'dbo' OR IS_ROLEMEMBER(N'dbsched_admin', @UserName) = 1 OR IS_ROLEMEMBER(N'db_owner', @UserName) = 1
        SET @OfUser = 0;
    IF @Same > 0 OR @OfUser > 19
        RETURN;
    IF @OfUser = 19
        SET @Message = LEFT(@Message, 1800) + N' (The 20th alarm in an hour about what belongs to ' + @UserName + N'. Others are not recorded.)';

    INSERT INTO [dbsched].Alarms WITH (ROWLOCK) (Kind, AlarmText, ProcessId, TaskId, LaneId, UserName)
    VALUES (@Kind, @Message, @ProcessId, @TaskId, @LaneId, @UserName);

    SET @AlarmId = SCOPE_IDENTITY();
    -- In a copy the hook does not run; its calls would pile up until StartScheduler.
    IF @Kind <> 'Copy'
        EXEC [dbsched].CallAlarmHook @AlarmId, @ProcessId;
END;
GO
-- Procedure: AlarmOfError
-- Purpose: Raises an alarm about the error that the caller has caught, after it has rolled back. An error of the alarm itself is lost: the caller
-- goes on.
-- Access: private; called in a CATCH block
-- Parameters:
--   @Kind varchar(20) (required): kind of alarm, see Alarms.Kind
--   @What nvarchar(200) (required): what failed; the error follows it
--   @ProcessId int = NULL: process of the alarm
--   @TaskId bigint = NULL: task of the alarm
--   @LaneId int = NULL: lane of the alarm
CREATE OR ALTER PROCEDURE [dbsched].AlarmOfError
    @Kind varchar(20),
    @What nvarchar(200),
    @ProcessId int = NULL,
    @TaskId bigint = NULL,
    @LaneId int = NULL
AS
BEGIN
    -- The functions also work in a procedure that a CATCH block calls (TRY...CATCH, "Retrieve error information").
    DECLARE @Message nvarchar(2000) = @What + CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + ISNULL(ERROR_PROCEDURE(), N'') + N': '
                                    + LEFT(ERROR_MESSAGE(), 1500);

    BEGIN TRY
        EXEC [dbsched].RaiseAlarm @Kind, @Message, @ProcessId, @TaskId, @LaneId;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
    END CATCH;
END;
GO
-- Procedure: SetAlarmHook
-- Purpose: Sets the alarm hook: a procedure of yours that is called for each alarm from now on, for example to notify an operator. It
-- must have a parameter @AlarmId bigint, the key of the alarm in AlarmInfo. It runs as you, as a task in a process named "alarm hook",
-- while the scheduler is started: one call at a time, at most 300 seconds and three attempts. It cannot harm the scheduler. Its errors
-- are in LogInfo. Installations and upgrades keep it.
-- Access: public: dbsched_admin
-- Parameters:
--   @Procedure nvarchar(517) = NULL: schema and name, with brackets around both or neither; NULL = remove the hook
-- Errors:
--   51007: your login has no database user that can be impersonated
--   51010: called inside a transaction
--   51039: the row of Settings is missing
--   51060: no such procedure, you may not execute it, or it has no parameter @AlarmId
-- Example: EXEC (N'CREATE PROCEDURE dbo.OnAlarm @AlarmId bigint AS INSERT INTO dbo.Pager (Text) SELECT a.AlarmText FROM dbsched.AlarmInfo AS a WHERE a.AlarmId = @AlarmId;'); EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';
CREATE OR ALTER PROCEDURE [dbsched].SetAlarmHook
    @Procedure nvarchar(517) = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: SetAlarmHook cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (NOLOCK))
        THROW 51039, N'dbsched 51039: the row of Settings is missing, so no task runs. To bring it back with default values, run: dbsched install.', 1;
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;
    DECLARE @Hook nvarchar(517), @OldProcessId int, @ProcessId int, @Same bit;

    EXECUTE AS CALLER;

    -- The catalog shows only what the caller has rights on. Use the names found, not the parameter: they become part of a batch.
    SELECT @Hook = QUOTENAME(s.name) + N'.' + QUOTENAME(p.name)
    FROM sys.procedures AS p
    INNER JOIN sys.schemas AS s ON s.schema_id = p.schema_id
    INNER JOIN sys.parameters AS a ON a.object_id = p.object_id AND a.name = N'@AlarmId'
    WHERE @Procedure IN (s.name + N'.' + p.name, QUOTENAME(s.name) + N'.' + QUOTENAME(p.name))
      AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(p.name), N'OBJECT', N'EXECUTE') = 1;

    REVERT;

    IF @Procedure IS NOT NULL AND @Hook IS NULL
        THROW 51060, N'dbsched 51060: @Procedure must be the schema.name of a procedure in this database that you may execute and that has a parameter @AlarmId.', 1;

    IF @Hook IS NOT NULL AND @UserSid IS NULL
        THROW 51007, N'dbsched 51007: the hook runs as the database user that sets it, and yours cannot be impersonated: your login needs a database user of its own. Run: CREATE USER ... FOR LOGIN ...;', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @OldProcessId = s.AlarmHookProcessId,
               @Same = CASE WHEN s.AlarmHook = @Hook AND s.AlarmHookById = @UserId AND s.AlarmHookBySid = @UserSid AND s.AlarmHookByName = @UserName THEN 1 ELSE 0 END
        FROM [dbsched].Settings AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The same hook again changes nothing, unless its process was closed or has ended.
        IF @Same = 1
           AND EXISTS (SELECT 1 FROM [dbsched].Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @OldProcessId AND p.Status = 'Open' AND p.CloseRequested = 0)
        BEGIN
            COMMIT TRANSACTION;
            RETURN 0;
        END;

        -- One at a time: a hook that hangs blocks only one worker.
        IF @Hook IS NOT NULL
        BEGIN
            INSERT INTO [dbsched].Processes WITH (ROWLOCK)
                (Name, Status, Priority, MaxParallel, OnError, CreatedBySid, CreatedByName, CreatedByLogin)
            VALUES
                (N'alarm hook', 'Open', 1000000, 1, 'Continue', @UserSid, @UserName, @LoginName);

            SET @ProcessId = SCOPE_IDENTITY();
        END;

        UPDATE s
        SET s.AlarmHook = @Hook,
            s.AlarmHookProcessId = @ProcessId,
            s.AlarmHookById = CASE WHEN @Hook IS NULL THEN NULL ELSE @UserId END,
            s.AlarmHookBySid = CASE WHEN @Hook IS NULL THEN NULL ELSE @UserSid END,
            s.AlarmHookByName = CASE WHEN @Hook IS NULL THEN NULL ELSE @UserName END,
            s.AlarmHookByLogin = CASE WHEN @Hook IS NULL THEN NULL ELSE @LoginName END,
            s.ChangedAt = SYSUTCDATETIME()
        FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- Calls already queued for the previous hook still run.
        IF EXISTS (SELECT 1 FROM [dbsched].Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @OldProcessId AND p.FinishedAt IS NULL)
        BEGIN
            INSERT INTO [dbsched].ProcessRequests WITH (ROWLOCK) (ProcessId, Action) VALUES (@OldProcessId, 'Close');
            EXEC [dbsched].SendWake;
        END;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
-- Procedure: AcknowledgeAlarms
-- Purpose: Acknowledges alarms, so that status counts only newer ones. Acknowledged alarms stay in AlarmInfo.
-- Access: public: dbsched_admin
-- Parameters:
--   @UpTo bigint = NULL: AlarmId of the last alarm to acknowledge, with all before it; NULL = all
--   @Rows int = NULL OUTPUT: number of alarms acknowledged
--   @AlarmId bigint = NULL: the only alarm to acknowledge, whatever @UpTo is; NULL = see @UpTo
-- Errors:
--   51010: called inside a transaction
-- Example: EXEC dbsched.AcknowledgeAlarms 17;
CREATE OR ALTER PROCEDURE [dbsched].AcknowledgeAlarms
    @UpTo bigint = NULL,
    @Rows int = NULL OUTPUT,
    @AlarmId bigint = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: AcknowledgeAlarms cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    UPDATE a
    SET a.AcknowledgedAt = SYSUTCDATETIME(), a.AcknowledgedBy = ORIGINAL_LOGIN()
    FROM [dbsched].Alarms AS a WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE a.AcknowledgedAt IS NULL AND a.AlarmId BETWEEN ISNULL(@AlarmId, 0) AND ISNULL(@AlarmId, ISNULL(@UpTo, 9223372036854775807));

    SET @Rows = @@ROWCOUNT;
    RETURN 0;
END;
GO
-- View: AlarmInfo
-- Purpose: Alarms: problems that an administrator should look at.
-- Access: public: dbsched_reader, dbsched_admin
-- Columns: AlarmId, RaisedAt, Kind, ProcessId, TaskId, LaneId, AlarmText, AcknowledgedAt, AcknowledgedBy (see AcknowledgeAlarms), TaskName
-- Example: SELECT TOP (20) * FROM dbsched.AlarmInfo ORDER BY AlarmId DESC;
CREATE OR ALTER VIEW [dbsched].AlarmInfo
AS
SELECT a.AlarmId,
       a.RaisedAt,
       a.Kind,
       a.ProcessId,
       a.TaskId,
       a.LaneId,
       a.AlarmText,
       a.AcknowledgedAt,
       a.AcknowledgedBy,
       t.Name AS TaskName
FROM [dbsched].Alarms AS a WITH (NOLOCK)
LEFT JOIN [dbsched].Tasks AS t WITH (NOLOCK) ON t.TaskId = a.TaskId;
GO
-- Procedure: ComeHome
-- Purpose: Checks whether this is the database in which the scheduler was started, or a copy. It is the same if its availability
-- group or mirroring partnership is the same, or the names of server and database. It also runs on the servers of AlsoOn, if the name of the
-- database is the same: nothing distinguishes a copy there, so each such move raises an alarm. Changes (a failover, joining a group) are recorded.
-- Access: private
-- Parameters:
--   @Here bit (required): 1 = from now on, the scheduler runs here
--   @Moved bit (required): 1 = the same, and this is the original: schedules stay as they are
--   @Guid uniqueidentifier (required): the database_guid; NULL = cannot be read, so it is not compared
--   @Group uniqueidentifier (required): the mirroring_guid; NULL = cannot be read
--   @Home bit OUTPUT: 1 = the same database; 0 = a copy, which raises an alarm
CREATE OR ALTER PROCEDURE [dbsched].ComeHome
    @Here bit,
    @Moved bit,
    @Guid uniqueidentifier,
    @Group uniqueidentifier,
    @Home bit OUTPUT
AS
BEGIN
    DECLARE @Is varchar(5), @From nvarchar(400), @To nvarchar(128), @Message nvarchar(2000);

    -- Who may see a mirroring_guid is documented only for the owner of the database and logins with rights on the server, so
    -- StartScheduler also reads it as its caller. A Managed Instance does not document the view: it is not touched there.
    IF CONVERT(int, SERVERPROPERTY('EngineEdition')) <> 8
        SELECT @Group = ISNULL(m.mirroring_guid, @Group)
        FROM sys.database_mirroring AS m
        WHERE m.database_id = DB_ID();

    SELECT @Group = ISNULL(d.group_database_id, @Group)
    FROM sys.databases AS d
    WHERE d.database_id = DB_ID();

    SELECT @Is = CASE WHEN s.HomeServer IS NULL OR s.HomeGroupId = @Group
                           OR (s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()
                               AND (s.HomeGuid = @Guid OR s.HomeGuid IS NULL OR @Guid IS NULL)) THEN 'Home'
                      WHEN s.HomeServer <> CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()
        AND CHARINDEX(N',' + UPPER(CONVERT(nvarchar(128), SERVERPROPERTY('ServerName'))) + N',', N',' + UPPER(s.AlsoOn) + N',') > 0 THEN 'Moved'
                      WHEN @Moved = 1 THEN 'Told' ELSE 'Copy' END,
           @From = QUOTENAME(s.HomeDatabase) + N' on ' + s.HomeServer, @To = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName'))
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SET @Home = CASE WHEN @Here = 1 OR @Is <> 'Copy' THEN 1 ELSE 0 END;
    IF @Home = 0
    BEGIN
        SET @Message = N'This database is a copy of ' + @From + N', in which the scheduler was started. No task runs here. If the database'
                     + N' moved: EXEC [dbsched].StartScheduler @Moved = 1 (dbsched start --moved).'
                     + N' To run tasks here too: @Here = 1 (dbsched start --here).';
        EXEC [dbsched].RaiseAlarm @Kind = 'Copy', @Message = @Message;
        RETURN;
    END;

    -- The original's schedules do not fire in a copy until somebody enables them.
    IF @Is = 'Copy'
        UPDATE s
        SET s.Status = 'Suspended', s.Reason = N'the scheduler was started in this copy of the database', s.LookAt = NULL
        FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.Status = 'Enabled';

    UPDATE s
    SET s.HomeGuid = CASE WHEN s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME() THEN ISNULL(@Guid, s.HomeGuid) ELSE @Guid END,
        s.HomeServer = @To, s.HomeDatabase = DB_NAME(),
        s.HomeGroupId = CASE @Is WHEN 'Copy' THEN @Group ELSE ISNULL(@Group, s.HomeGroupId) END,
        s.AlsoOn = CASE WHEN @Is <> 'Copy' THEN s.AlsoOn END
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    IF @Is = 'Moved'
    BEGIN
        SET @Message = N'The scheduler moved from ' + @From + N' to ' + @To + N', which dbsched start --also-on has named.'
                     + N' If the other database is still open, both run the same tasks: run dbsched stop in one of them.';
        EXEC [dbsched].RaiseAlarm @Kind = 'Moved', @Message = @Message;
    END;
END;
GO
-- Function: ReadParameters
-- Purpose: Returns the values bound to a task's batch, one row each, with any error. The JSON is an object like
-- {"CustomerId int": 7, "Since date": "2026-01-31", "Name": "x"}: a member's name is the variable without @, followed by its type. Without
-- a type, the value decides: nvarchar for a string or null, bigint or float for a number, bit for true and false.
-- Access: private
-- Parameters:
--   @Parameters nvarchar(max) (required): the JSON, NULL = no row
-- Columns: Member (as in the JSON), Name, SqlType (as declared), ErrorNumber (NULL = valid), Problem (the error text)
-- Errors: none raised; in ErrorNumber
--   51031: the parameters are not a JSON object, or there are too many
--   51032: a parameter's name is invalid or used twice
--   51033: a parameter's type is not supported
--   51034: a parameter's value does not fit its type
CREATE OR ALTER FUNCTION [dbsched].ReadParameters
(
    @Parameters nvarchar(max)
)
RETURNS TABLE
AS
RETURN
(
    SELECT j.[key] AS Member,
           n.Name,
           CASE t.TypeName WHEN N'nvarchar' THEN CASE WHEN j.[type] = 1 AND LEN(j.[value] + N'.') > 4001 AND n.TypeText = N'' THEN N'nvarchar(max)' ELSE N'nvarchar(4000)' END
                           WHEN N'varchar' THEN N'varchar(8000)'
                           WHEN N'varbinary' THEN N'varbinary(8000)'
                           ELSE t.TypeName + t.Arguments END AS SqlType,
           e.ErrorNumber,
           N'"' + LEFT(j.[key], 100) + CASE e.ErrorNumber
               WHEN 51032 THEN N'" is not a valid parameter name, or is used twice. A name is a letter or _, then letters, digits and _, at most 100 characters, without @'
               WHEN 51033 THEN N'" has a type that is not supported. Use bit, tinyint, smallint, int, bigint, decimal(p,s), money, float, date, time, datetime2, datetimeoffset, uniqueidentifier, nvarchar, nvarchar(max), varchar, varchar(max), varbinary or varbinary(max)'
               WHEN 51034 THEN N'" needs a single value of type ' + t.TypeName + t.Arguments + N', or null' END AS Problem
    FROM OPENJSON(CASE WHEN ISJSON(@Parameters) = 1 THEN @Parameters END) AS j
    CROSS APPLY (SELECT CHARINDEX(N' ', LEFT(j.[key], 300) + N' ') AS At) AS c
    CROSS APPLY (SELECT LEFT(j.[key], c.At - 1) AS Name, REPLACE(LOWER(SUBSTRING(j.[key], c.At + 1, 300)), N' ', N'') AS TypeText) AS n
    CROSS APPLY (SELECT CHARINDEX(N'(', n.TypeText + N'(') AS At) AS b
    CROSS APPLY (SELECT CASE WHEN n.TypeText <> N'' THEN LEFT(n.TypeText, b.At - 1)
                             WHEN j.[type] = 2 AND j.[value] LIKE N'%[.eE]%' THEN N'float'
                             WHEN j.[type] = 2 THEN N'bigint'
                             WHEN j.[type] = 3 THEN N'bit'
                             ELSE N'nvarchar' END
                        + CASE WHEN n.TypeText IN (N'nvarchar(max)', N'varchar(max)', N'varbinary(max)') THEN N'(max)' ELSE N'' END AS TypeName,
                        CASE WHEN n.TypeText IN (N'nvarchar(max)', N'varchar(max)', N'varbinary(max)') THEN N'' ELSE SUBSTRING(n.TypeText, b.At, 300) END AS Arguments) AS t
    CROSS APPLY (SELECT TRY_CONVERT(int, REPLACE(REPLACE(LEFT(t.Arguments, CHARINDEX(N',', t.Arguments + N',')), N'(', N''), N',', N'')) AS Digits,
                        TRY_CONVERT(int, REPLACE(SUBSTRING(t.Arguments, CHARINDEX(N',', t.Arguments) + 1, 10), N')', N'')) AS Scale) AS d
    -- A number's digits before and after the decimal point, without a leading 0, give its exact range. Nines are rounded up.
    CROSS APPLY (SELECT REPLACE(LEFT(j.[value], 50), N'-', N'') AS Number) AS a
    CROSS APPLY (SELECT CASE WHEN a.Number LIKE N'0%' THEN N'' ELSE LEFT(a.Number, CHARINDEX(N'.', a.Number + N'.') - 1) END AS Whole,
                        SUBSTRING(a.Number, CHARINDEX(N'.', a.Number + N'.') + 1, 50) AS Fraction) AS w
    CROSS APPLY (SELECT CASE
        WHEN n.Name = N'' OR n.Name LIKE N'%[^A-Za-z0-9_]%' OR n.Name LIKE N'[0-9]%' OR LEN(n.Name) > 100 OR LEN(j.[key] + N'.') > 129
             OR EXISTS (SELECT 1
                        FROM OPENJSON(CASE WHEN ISJSON(@Parameters) = 1 THEN @Parameters END) AS o
                        WHERE LOWER(LEFT(o.[key], CHARINDEX(N' ', LEFT(o.[key], 300) + N' ') - 1)) = LOWER(n.Name)
                        HAVING COUNT(*) > 1) THEN 51032
        WHEN NOT (t.Arguments = N'' AND t.TypeName IN (N'bit', N'tinyint', N'smallint', N'int', N'bigint', N'money', N'float', N'date', N'time', N'datetime2',
                                                       N'datetimeoffset', N'uniqueidentifier', N'nvarchar', N'nvarchar(max)', N'varchar', N'varchar(max)',
                                                       N'varbinary', N'varbinary(max)')
                  OR t.TypeName = N'decimal' AND t.Arguments LIKE N'([0-9]%,%[0-9])' AND t.Arguments NOT LIKE N'%[^0-9,()]%'
                     AND d.Digits BETWEEN 1 AND 38 AND d.Scale BETWEEN 0 AND d.Digits) THEN 51033
        WHEN j.[type] IN (4, 5) THEN 51034
        WHEN j.[type] = 0 THEN NULL
        WHEN CASE WHEN t.TypeName = N'bit' THEN CASE WHEN j.[type] = 3 THEN 1 END
                  WHEN t.TypeName IN (N'tinyint', N'smallint', N'int', N'bigint', N'money', N'float', N'decimal') THEN CASE WHEN j.[type] = 2 THEN 1 END
                  WHEN j.[type] = 1 THEN 1 END IS NULL THEN 51034
        WHEN CASE t.TypeName
                  WHEN N'tinyint' THEN CASE WHEN TRY_CONVERT(tinyint, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'smallint' THEN CASE WHEN TRY_CONVERT(smallint, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'int' THEN CASE WHEN TRY_CONVERT(int, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'bigint' THEN CASE WHEN TRY_CONVERT(bigint, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'money' THEN CASE WHEN TRY_CONVERT(money, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'float' THEN CASE WHEN TRY_CONVERT(float, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'decimal' THEN CASE WHEN LEN(j.[value]) <= 41 AND j.[value] NOT LIKE N'%[eE]%' AND LEN(w.Whole) <= d.Digits - d.Scale
                                                 AND NOT (LEN(w.Whole) = d.Digits - d.Scale AND SUBSTRING(w.Whole + w.Fraction, d.Digits + 1, 1) >= N'5'
                                                          AND LEFT(w.Whole + w.Fraction, d.Digits) = REPLICATE(N'9', d.Digits)) THEN 1 END
                  WHEN N'date' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND TRY_CONVERT(date, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'time' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9]:[0-9][0-9]%' AND TRY_CONVERT(time, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'datetime2' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T%' AND SUBSTRING(j.[value], 12, 40) NOT LIKE N'%[+-]%' AND TRY_CONVERT(datetime2, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'datetimeoffset' THEN CASE WHEN j.[value] LIKE N'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T%' AND TRY_CONVERT(datetimeoffset, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'uniqueidentifier' THEN CASE WHEN LEN(j.[value]) = 36 AND TRY_CONVERT(uniqueidentifier, j.[value]) IS NOT NULL THEN 1 END
                  WHEN N'varbinary' THEN CASE WHEN LEN(j.[value]) <= 16002 AND TRY_CONVERT(varbinary(max), j.[value], 1) IS NOT NULL THEN 1 END
                  WHEN N'varbinary(max)' THEN CASE WHEN TRY_CONVERT(varbinary(max), j.[value], 1) IS NOT NULL THEN 1 END
                  WHEN N'nvarchar' THEN CASE WHEN LEN(j.[value] + N'.') <= 4001 OR n.TypeText = N'' THEN 1 END
                  WHEN N'varchar' THEN CASE WHEN DATALENGTH(CONVERT(varchar(max), j.[value])) <= 8000 THEN 1 END
                  ELSE 1 END IS NULL THEN 51034
        END AS ErrorNumber) AS e

    UNION ALL

    SELECT NULL, NULL, NULL, 51031, N'@Parameters must be a JSON object with at most 1000 members'
    WHERE @Parameters IS NOT NULL
      AND (ISJSON(@Parameters) = 0
           OR (SELECT COUNT(*) FROM OPENJSON(CASE WHEN ISJSON(@Parameters) = 1 THEN @Parameters END)) > 1000
           OR SUBSTRING(@Parameters, PATINDEX(N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%', @Parameters), 1) <> N'{')
);
GO
-- Procedure: CountTasks
-- Purpose: Refuses new tasks if their user would have more unfinished ones than MaxTasksPerUser. Each task knows how many there were at most when
-- it was added, and nothing is added behind the newest unfinished one, so that one's number is enough until it reaches the limit. Only then they
-- are counted, up to the limit. NOLOCK: tasks of open transactions count, and nobody waits for them. Sessions that add tasks at the same
-- moment may miss each other's.
-- Access: private; called by procedures that join the caller's transaction
-- Parameters:
--   @UserSid varbinary(85) (required): SID of the user
--   @Limit int (required): MaxTasksPerUser
--   @New int (required): how many tasks are to be added
--   @Tasks bigint OUTPUT: UserTasks of the new tasks
-- Errors (number 50000, the number below in text and state):
--   51038: the user would have too many unfinished tasks
CREATE OR ALTER PROCEDURE [dbsched].CountTasks
    @UserSid varbinary(85),
    @Limit int,
    @New int,
    @Tasks bigint OUTPUT
AS
BEGIN
    SET @Tasks = @New;
    SELECT TOP (1) @Tasks = @New + t.UserTasks
    FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.EnqueuedBySid = @UserSid AND t.UserTasks IS NOT NULL AND t.FinishedAt IS NULL
    ORDER BY t.TaskId DESC
    OPTION (MAXDOP 1);

    IF @Tasks > @Limit
        SELECT @Tasks = @New + COUNT(*)
        FROM (SELECT TOP (@Limit) t.TaskId
              FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
              WHERE t.EnqueuedBySid = @UserSid AND t.UserTasks IS NOT NULL AND t.FinishedAt IS NULL) AS u
        OPTION (MAXDOP 1);

    IF @Tasks <= @Limit
        RETURN 0;

    RAISERROR (N'dbsched 51038: you may have %d unfinished tasks. Wait until some end, cancel some, or ask an administrator for more.',
               16, 38, @Limit);
    RETURN 51038;
END;
GO
-- Procedure: ExecAsync
-- Purpose: Enqueues one task. It exists, and can run, when the caller's transaction commits. It runs as the calling database user.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @SQL nvarchar(max) (required): the T-SQL batch to run
--   @ExecutionOrder int (required): its wave; the task starts when its process has no unfinished task of a lower order
--   @ProcessId int = NULL: its process; NULL = the default process
--   @Priority int = 0: within its wave, higher starts first; -1000000 to 1000000
--   @MaxAttempts int = 1: most attempts, the first included; 1 to 100
--   @RetryDelaySeconds int = 10: seconds before the first retry, doubled for each further retry; 0 to 86400
--   @TimeoutSeconds int = NULL: seconds that one attempt may run before it is ended and counts as failed; NULL = DefaultTimeoutSeconds, see SetOptions
--   @NotBefore datetime2(3) = NULL: earliest start, in UTC; NULL = at once
--   @ExpectedSeconds int = 0: expected run time in seconds; within a priority, the longest starts first; 0 = unknown
--   @Resource nvarchar(128) = NULL: resource (see DefineResource) that the task holds while it runs; it waits for the resource in line, without a worker
--   @Access varchar(30) = NULL: how the task uses the resource: Shared (one unit) or Exclusive (all units); NULL = Shared
--   @Transactional bit = 0: 1 = task and completion are one transaction, so that its effects happen exactly once; READ COMMITTED, not SNAPSHOT
--   @OnOrphan varchar(30) = 'Retry': if the task's worker dies: Retry or Fail
--   @DedupKey nvarchar(4000) = NULL: if the process has an unfinished task of yours with this key, its id is returned and no task is
--       added; at most 200 characters, compared binary except for trailing blanks
--   @Parameters nvarchar(max) = NULL: values for variables of the batch, a JSON object like {"CustomerId int": 7, "Since date": "2026-01-31"};
--       types are bit, tinyint, smallint, int, bigint, decimal(p,s), money, float, date, time, datetime2, datetimeoffset,
--       uniqueidentifier, nvarchar, varchar, varbinary (0x...), the last three also with (max); the type may be left out
--   @Name nvarchar(4000) = NULL: what people call the task, at most 128 characters; need not be unique
--   @TaskId bigint = NULL OUTPUT: number of the new task, or of the unfinished task with the same key
-- Errors (number 50000, the number below in text and state):
--   51001: @SQL is NULL or empty
--   51002: @ExecutionOrder is NULL
--   51003: a number is NULL or out of range
--   51004: there is no such process
--   51005: the process is closed or has ended
--   51006: the process belongs to another user
--   51007: your login has no database user that can be impersonated
--   51008: @OnOrphan or @Access is not one of its values
--   51011: the process is locked by a transaction that has not ended
--   51030: @DedupKey is empty or too long
--   51031: @Parameters is not a JSON object, or has too many members
--   51032: the name of a parameter is invalid or used twice
--   51033: the type of a parameter is not supported
--   51034: the value of a parameter does not fit its type
--   51038: you would have more unfinished tasks than MaxTasksPerUser, see SetOptions
--   51040: there is no such resource
--   51041: @Access without @Resource
--   51059: @Name is empty or too long
-- Example: EXEC dbsched.ExecAsync N'EXEC dbo.LoadOrders', 100;
CREATE OR ALTER PROCEDURE [dbsched].ExecAsync
    @SQL nvarchar(max),
    @ExecutionOrder int,
    @ProcessId int = NULL,
    @Priority int = 0,
    @MaxAttempts int = 1,
    @RetryDelaySeconds int = 10,
    @TimeoutSeconds int = NULL,
    @NotBefore datetime2(3) = NULL,
    @ExpectedSeconds int = 0,
    @Resource nvarchar(128) = NULL,
    @Access varchar(30) = NULL,
    @Transactional bit = 0,
    @OnOrphan varchar(30) = 'Retry',
    @DedupKey nvarchar(4000) = NULL,
    @Parameters nvarchar(max) = NULL,
    @Name nvarchar(4000) = NULL,
    @TaskId bigint = NULL OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    -- The caller's SNAPSHOT transaction must not begin under our isolation level: error 3951 would end it later.
    DECLARE @Snapshot int;
    IF (@@TRANCOUNT > 0 OR (2 & @@OPTIONS) = 2)
       AND EXISTS (SELECT 1 FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID AND e.transaction_isolation_level = 5)
       AND EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.snapshot_isolation_state = 1)
        SELECT @Snapshot = s.SettingsId FROM [dbsched].Settings AS s WITH (ROWLOCK) WHERE s.SettingsId = 1;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;

    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCK_TIMEOUT 5000;
    DECLARE @Status varchar(10), @Mine bit, @Closed bit, @Busy bit = 0, @ResourceId int, @Bad nvarchar(500), @State int, @Result int,
            @Limit int, @Tasks bigint, @Now datetime2(3) = SYSUTCDATETIME(), @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END;

    SET @TaskId = NULL;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Bad = CASE WHEN @SQL IS NULL OR @SQL NOT LIKE N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%' THEN N'51001: @SQL is NULL or empty.'
                    WHEN @ExecutionOrder IS NULL THEN N'51002: @ExecutionOrder is NULL.'
                    WHEN @Priority IS NULL OR @Priority NOT BETWEEN -1000000 AND 1000000 THEN N'51003: @Priority must be from -1000000 to 1000000.'
                    WHEN @MaxAttempts IS NULL OR @MaxAttempts NOT BETWEEN 1 AND 100 THEN N'51003: @MaxAttempts must be from 1 to 100.'
                    WHEN @RetryDelaySeconds IS NULL OR @RetryDelaySeconds NOT BETWEEN 0 AND 86400
                        THEN N'51003: @RetryDelaySeconds must be from 0 to 86400.'
                    WHEN @ExpectedSeconds IS NULL OR @ExpectedSeconds < 0 THEN N'51003: @ExpectedSeconds must be 0 or more.'
                    WHEN @TimeoutSeconds < 1 THEN N'51003: @TimeoutSeconds must be 1 or more.'
                    WHEN @OnOrphan IS NULL OR LOWER(@OnOrphan) NOT IN ('retry', 'fail', LOWER('FAIL')) THEN N'51008: @OnOrphan must be Retry or Fail.'
                    WHEN @Access IS NOT NULL AND @Resource IS NULL THEN N'51041: @Access requires @Resource, which is NULL.'
                    WHEN LOWER(@Access) NOT IN ('shared', 'exclusive', LOWER('EXCLUSIVE')) THEN N'51008: @Access must be Shared or Exclusive.'
                    WHEN LTRIM(@DedupKey) = N'' OR LEN(@DedupKey) > 200 THEN N'51030: @DedupKey must have 1 to 200 characters.'
                    WHEN LTRIM(@Name) = N'' OR LEN(@Name) > 128 THEN N'51059: @Name must have 1 to 128 characters.' END;

    IF @Bad IS NULL AND @Parameters IS NOT NULL
        SELECT TOP (1) @Bad = CONVERT(nvarchar(5), p.ErrorNumber) + N': ' + p.Problem + N'.'
        FROM [dbsched].ReadParameters(@Parameters) AS p
        WHERE p.ErrorNumber IS NOT NULL
        ORDER BY p.ErrorNumber, p.Member;

    -- Orders to close first: one that is applied between the two reads has changed the process before the second.
    SELECT @ProcessId = ISNULL(@ProcessId, 1), @Transactional = ISNULL(@Transactional, 0),
           @OnOrphan = CASE WHEN LOWER(@OnOrphan) IN ('fail', LOWER('FAIL')) THEN 'Fail' ELSE 'Retry' END,
           @Access = CASE WHEN LOWER(@Access) IN ('exclusive', LOWER('EXCLUSIVE')) THEN 'Exclusive' WHEN @Resource IS NOT NULL THEN 'Shared' END,
           @Closed = CASE WHEN EXISTS (SELECT 1 FROM [dbsched].ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
                                       WHERE r.ProcessId = ISNULL(@ProcessId, 1) AND r.Action = 'Close') THEN 1 ELSE 0 END;

    -- NOLOCK: workers lock this row for each commit, and enqueuers need not wait for their log writes. A process that was
    -- served, or is the default one, is committed. The settings: claims lock them, too.
    SELECT @Status = p.Status, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END,
           @Limit = CASE @IsAdmin WHEN 0 THEN s.MaxTasksPerUser END, @TimeoutSeconds = ISNULL(@TimeoutSeconds, NULLIF(s.DefaultTimeoutSeconds, 0))
    FROM [dbsched].Settings AS s WITH (NOLOCK)
    LEFT JOIN [dbsched].Processes AS p WITH (NOLOCK)
        ON p.ProcessId = @ProcessId AND (p.ProcessId = 1 OR p.LastServedAt IS NOT NULL) AND p.Status IN ('Open', 'Suspended') AND p.CloseRequested = 0
    WHERE s.SettingsId = 1;

    BEGIN TRY
        -- Only an uncommitted CreateProcess locks the row for long.
        IF @Status IS NULL AND @Bad IS NULL
            SELECT @Status = p.Status, @Closed = CASE p.CloseRequested WHEN 1 THEN 1 ELSE @Closed END, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
            FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222
            THROW;
        SET @Busy = 1;
    END CATCH;

    -- Sessions that hold or wait for the resource take only update locks on this row; readers do not wait for those.
    IF @Resource IS NOT NULL AND @Bad IS NULL AND @UserSid IS NOT NULL AND @Busy = 0 AND @Status IS NOT NULL
        SELECT @ResourceId = s.ResourceId
        FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.Name = @Resource;

    -- Application roles, guest, certificates and Windows group members without a database user cannot be
    -- impersonated (EXECUTE AS, "name must be a singleton account").
    IF @Bad IS NULL
        SET @Bad = CASE WHEN @UserSid IS NULL
                            THEN N'51007: tasks run as the database user that enqueued them, and "' + @UserName + N'" cannot be impersonated:'
                               + N' your login needs a database user of its own. Run: CREATE USER ... FOR LOGIN ...;'
                        WHEN @Busy = 1
                            THEN N'51011: process ' + CONVERT(nvarchar(20), @ProcessId)
                               + N' is locked by a transaction that has not ended. Try again after it commits.'
                        WHEN @Status IS NULL OR @ProcessId = 0
                            THEN N'51004: there is no process ' + CONVERT(nvarchar(20), @ProcessId) + N'. See ProcessInfo.'
                        WHEN @ProcessId <> 1 AND @IsAdmin = 0 AND @Mine = 0
                            THEN N'51006: process ' + CONVERT(nvarchar(20), @ProcessId) + N' belongs to another user. Ask an administrator.'
                        WHEN @Status NOT IN ('Open', 'Suspended') OR @Closed = 1
                            THEN N'51005: process ' + CONVERT(nvarchar(20), @ProcessId)
                               + N' is closed or has ended and accepts no more tasks. Use another process.'
                        WHEN @ResourceId IS NULL AND @Resource IS NOT NULL
                            THEN N'51040: there is no resource "' + @Resource + N'". An administrator can create it with DefineResource.' END;
    IF @Bad IS NOT NULL
    BEGIN
        SET @State = CONVERT(int, LEFT(@Bad, 5)) - 51000;
        RAISERROR (N'dbsched %s', 16, @State, @Bad);
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN 51000 + @State;
    END;

    -- READPAST: another session's transaction may lock rows for long. Rows that a worker locks for a moment are missed
    -- too; then both tasks are stored, and AdmitTask skips one.
    IF @DedupKey IS NOT NULL
        SELECT TOP (1) @TaskId = t.TaskId
        FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.ProcessId = @ProcessId AND t.DedupKey = @DedupKey AND t.DedupKey IS NOT NULL AND t.EnqueuedBySid = @UserSid AND t.FinishedAt IS NULL
        ORDER BY t.TaskId
        OPTION (MAXDOP 1);

    IF @TaskId IS NOT NULL
    BEGIN
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN 0;
    END;

    IF @Limit > 0
        EXEC @Result = [dbsched].CountTasks @UserSid, @Limit, 1, @Tasks OUTPUT;
    IF @Result <> 0
    BEGIN
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN @Result;
    END;

    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN TRY
        INSERT INTO [dbsched].Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, WaitReason, DueAt, Name, SqlText,
             MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan, Transactional, DedupKey, Parameters, EnqueuedAt,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, UserTasks, TransactionId, ResourceId, Access)
        VALUES
            (@ProcessId, @ExecutionOrder, @Priority, @ExpectedSeconds, CONVERT(decimal(27, 0), @ExecutionOrder) * 10000000000000000 + (1000000 - @Priority) * CONVERT(bigint, 2147483648) + 2147483647 - @ExpectedSeconds,
             CASE WHEN @NotBefore > @Now THEN 'Waiting' ELSE 'Pending' END,
             CASE WHEN @NotBefore > @Now THEN 'Delay' ELSE NULL END,
             CASE WHEN @NotBefore > @Now THEN @NotBefore ELSE NULL END,
             @Name, @SQL, @MaxAttempts, @RetryDelaySeconds, @TimeoutSeconds, @OnOrphan, @Transactional, @DedupKey, @Parameters, @Now,
             @UserId, @UserSid, @UserName, @LoginName, @Tasks, CURRENT_TRANSACTION_ID(), @ResourceId, @Access);

        SET @TaskId = SCOPE_IDENTITY();

        EXEC [dbsched].WakeOnce @TaskId;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
    RETURN 0;
END;
GO
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
CREATE OR ALTER PROCEDURE [dbsched].ExecAsyncTable
    @Tasks [dbsched].TaskTable READONLY
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    -- The caller's SNAPSHOT transaction must not begin under our isolation level: error 3951 would end it later.
    DECLARE @Snapshot int;
    IF (@@TRANCOUNT > 0 OR (2 & @@OPTIONS) = 2)
       AND EXISTS (SELECT 1 FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID AND e.transaction_isolation_level = 5)
       AND EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.snapshot_isolation_state = 1)
        SELECT @Snapshot = s.SettingsId FROM [dbsched].Settings AS s WITH (ROWLOCK) WHERE s.SettingsId = 1;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;

    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
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
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
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
    WHERE EXISTS (SELECT 1 FROM [dbsched].ProcessRequests AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) WHERE q.ProcessId = c.ProcessId AND q.Action = 'Close');

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
                                        AND NOT EXISTS (SELECT 1 FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.Name = r.Resource) THEN 51040
                                   WHEN LTRIM(r.DedupKey) = N'' OR LEN(r.DedupKey) > 200 THEN 51030
                                   WHEN LTRIM(r.Name) = N'' OR LEN(r.Name) > 128 THEN 51059 END AS Error) AS e
          WHERE e.Error IS NOT NULL) AS x
    ORDER BY x.TaskNo, x.Error;

    IF @HasParameters = 1
        SELECT TOP (1) @TaskNo = r.TaskNo, @Error = p.ErrorNumber, @Problem = p.Problem
        FROM @Tasks AS r
        CROSS APPLY [dbsched].ReadParameters(r.Parameters) AS p
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
                               FROM [dbsched].Processes AS g WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
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
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN @Error;
    END;

    SELECT @Limit = CASE @IsAdmin WHEN 0 THEN s.MaxTasksPerUser END, @Timeout = NULLIF(s.DefaultTimeoutSeconds, 0)
    FROM [dbsched].Settings AS s WITH (NOLOCK)
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
                        FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
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
        EXEC @Error = [dbsched].CountTasks @UserSid, @Limit, @New, @UserTasks OUTPUT;
        IF @Error <> 0
        BEGIN
            SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
            RETURN @Error;
        END;
    END;

    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN TRY
        -- INSERT ... SELECT ... ORDER BY assigns the identity values in that order.
        INSERT INTO [dbsched].Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, WaitReason, DueAt, Name, SqlText,
             MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan, Transactional, DedupKey, Parameters, EnqueuedAt,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, UserTasks, TransactionId, ResourceId, Access)
        OUTPUT inserted.TaskId, inserted.ProcessId, inserted.Rank INTO @Added (TaskId, ProcessId, Rank)
        SELECT ISNULL(r.ProcessId, 1), r.ExecutionOrder, ISNULL(r.Priority, 0), ISNULL(r.ExpectedSeconds, 0),
               CONVERT(decimal(27, 0), r.ExecutionOrder) * 10000000000000000 + (1000000 - ISNULL(r.Priority, 0)) * CONVERT(bigint, 2147483648) + 2147483647 - ISNULL(r.ExpectedSeconds, 0),
               CASE WHEN r.NotBefore > @Now THEN 'Waiting' ELSE 'Pending' END,
               CASE WHEN r.NotBefore > @Now THEN 'Delay' ELSE NULL END,
               CASE WHEN r.NotBefore > @Now THEN r.NotBefore ELSE NULL END,
               r.Name, r.SQL, ISNULL(r.MaxAttempts, 1), ISNULL(r.RetryDelaySeconds, 10), ISNULL(r.TimeoutSeconds, @Timeout),
               CASE WHEN LOWER(r.OnOrphan) IN ('fail', LOWER('FAIL')) THEN 'Fail' ELSE 'Retry' END,
               ISNULL(r.Transactional, 0), r.DedupKey, r.Parameters, @Now, @UserId, @UserSid, @UserName, @LoginName, @UserTasks,
               CURRENT_TRANSACTION_ID(),
               (SELECT s.ResourceId FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.Name = r.Resource),
               CASE WHEN r.Resource IS NULL THEN NULL WHEN LOWER(r.Access) IN ('exclusive', LOWER('EXCLUSIVE')) THEN 'Exclusive' ELSE 'Shared' END
        FROM @Tasks AS r
        LEFT JOIN @Keys AS k ON k.TaskNo = r.TaskNo
        WHERE k.TaskNo IS NULL OR (k.TaskId IS NULL AND k.FirstTaskNo = r.TaskNo)
        ORDER BY r.TaskNo
        OPTION (MAXDOP 1);

        IF @@ROWCOUNT > 0
            EXEC [dbsched].WakeOnce;

        -- See WakeOnce.
        INSERT INTO [dbsched].ProcessRequests WITH (ROWLOCK) (ProcessId, Action)
        SELECT DISTINCT p.ProcessId, 'Look'
        FROM @Added AS a
        INNER JOIN [dbsched].Processes AS p WITH (NOLOCK, FORCESEEK) ON p.ProcessId = a.ProcessId
        WHERE (a.Rank < p.WaveRank OR (a.Rank = p.WaveRank AND a.TaskId < p.WaveTaskId))
          AND NOT EXISTS (SELECT 1 FROM [dbsched].ProcessRequests AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
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

    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
    RETURN 0;
END;
GO
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
CREATE OR ALTER PROCEDURE [dbsched].ExecAsyncBatch
    @Tasks nvarchar(max),
    @ProcessId int = NULL
AS
BEGIN
    -- The caller's SNAPSHOT transaction must not begin under our isolation level: error 3951 would end it later.
    DECLARE @Snapshot int;
    IF (@@TRANCOUNT > 0 OR (2 & @@OPTIONS) = 2)
       AND EXISTS (SELECT 1 FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID AND e.transaction_isolation_level = 5)
       AND EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.snapshot_isolation_state = 1)
        SELECT @Snapshot = s.SettingsId FROM [dbsched].Settings AS s WITH (ROWLOCK) WHERE s.SettingsId = 1;

    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Result int, @TaskNo int, @Member nvarchar(100), @Rows [dbsched].TaskTable;

    IF @Tasks IS NULL OR ISJSON(@Tasks) = 0
       OR SUBSTRING(@Tasks, PATINDEX(N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%', @Tasks), 1) <> N'['
    BEGIN
        RAISERROR (N'dbsched 51036: @Tasks must be a JSON array of objects.', 16, 36);
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN 51036;
    END;

    SELECT TOP (1) @TaskNo = CONVERT(int, a.[key]) + 1
    FROM OPENJSON(@Tasks) AS a
    WHERE a.[type] <> 5
    ORDER BY CONVERT(int, a.[key]);

    IF @TaskNo IS NOT NULL
    BEGIN
        RAISERROR (N'dbsched 51036: task %d: it must be a JSON object.', 16, 36, @TaskNo);
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
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
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
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

    EXEC @Result = [dbsched].ExecAsyncTable @Tasks = @Rows;
    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
    RETURN @Result;
END;
GO
-- View: TaskInfo
-- Purpose: Tasks and their last attempt. Users see their own tasks; readers and administrators see all.
-- NOLOCK in all views: a monitor neither waits for uncommitted enqueuers nor blocks workers.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: TaskId, ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Status, WaitReason, DueAt, Name, SqlText, Attempt, MaxAttempts,
--   Failures, Orphans, OnOrphan, EnqueuedAt, EnqueuedBy, EnqueuedByLogin, LaneId, SessionId, StartedAt, FinishedAt, ErrorNumber, ErrorMessage,
--   TimeoutSeconds, StopOutcome (of a Stopping task: its outcome unless it still succeeds), Resource, Access,
--   Parameters, Transactional, DedupKey, DuplicateOf (of a Skipped duplicate: the task with the same key)
-- Example: SELECT * FROM dbsched.TaskInfo WHERE Status = 'Failed';
CREATE OR ALTER VIEW [dbsched].TaskInfo
AS
-- NULL in hidden rows, see Viewer, except TaskId and FinishedAt, which have indexes.
SELECT t.TaskId,
       CASE WHEN v.Mine = 1 THEN t.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN t.ExecutionOrder END AS ExecutionOrder,
       CASE WHEN v.Mine = 1 THEN t.Priority END AS Priority,
       CASE WHEN v.Mine = 1 THEN t.ExpectedSeconds END AS ExpectedSeconds,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN t.Status = 'Pending' AND p.Status = 'Suspended' THEN 'Waiting' ELSE t.Status END AS Status,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN t.Status = 'Pending' AND p.Status = 'Suspended' THEN 'Suspended' ELSE t.WaitReason END AS WaitReason,
       CASE WHEN v.Mine = 1 THEN t.DueAt END AS DueAt,
       CASE WHEN v.Mine = 1 THEN t.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN t.SqlText END AS SqlText,
       CASE WHEN v.Mine = 1 THEN t.Attempt END AS Attempt,
       CASE WHEN v.Mine = 1 THEN t.MaxAttempts END AS MaxAttempts,
       CASE WHEN v.Mine = 1 THEN t.Failures END AS Failures,
       CASE WHEN v.Mine = 1 THEN t.Orphans END AS Orphans,
       CASE WHEN v.Mine = 1 THEN t.OnOrphan END AS OnOrphan,
       CASE WHEN v.Mine = 1 THEN t.EnqueuedAt END AS EnqueuedAt,
       CASE WHEN v.Mine = 1 THEN t.EnqueuedByName END AS EnqueuedBy,
       CASE WHEN v.Mine = 1 THEN t.EnqueuedByLogin END AS EnqueuedByLogin,
       CASE WHEN v.Mine = 1 THEN g.LaneId END AS LaneId,
       CASE WHEN v.Mine = 1 THEN g.SessionId END AS SessionId,
       CASE WHEN v.Mine = 1 THEN t.StartedAt END AS StartedAt,
       t.FinishedAt,
       CASE WHEN v.Mine = 1 THEN g.ErrorNumber END AS ErrorNumber,
       CASE WHEN v.Mine = 1 THEN g.ErrorMessage END AS ErrorMessage,
       CASE WHEN v.Mine = 1 THEN t.TimeoutSeconds END AS TimeoutSeconds,
       CASE WHEN v.Mine = 1 AND t.Status = 'Stopping' THEN ISNULL(t.StopOutcome, 'Cancelled') END AS StopOutcome,
       CASE WHEN v.Mine = 1 THEN s.Name END AS Resource,
       CASE WHEN v.Mine = 1 THEN t.Access END AS Access,
       CASE WHEN v.Mine = 1 THEN t.Parameters END AS Parameters,
       CASE WHEN v.Mine = 1 THEN t.Transactional END AS Transactional,
       CASE WHEN v.Mine = 1 THEN t.DedupKey END AS DedupKey,
       CASE WHEN v.Mine = 1 THEN t.DuplicateOf END AS DuplicateOf
FROM [dbsched].Tasks AS t WITH (NOLOCK)
CROSS JOIN [dbsched].Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR t.EnqueuedBySid = me.UserSid THEN 1 END AS Mine) AS v
LEFT JOIN [dbsched].Processes AS p WITH (NOLOCK) ON p.ProcessId = t.ProcessId
LEFT JOIN [dbsched].Logs AS g WITH (NOLOCK) ON g.LogId = t.LogId
LEFT JOIN [dbsched].Resources AS s WITH (NOLOCK) ON s.ResourceId = t.ResourceId
WHERE v.Mine = 1;
GO
-- Procedure: LockProcess
-- Purpose: Locks a process row in the caller's transaction, unless another session holds it for a second, such as one that halts a process
-- with many tasks. The dispatcher must not wait for that.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @Held bit OUTPUT: 1 = another session holds it; nothing is locked
CREATE OR ALTER PROCEDURE [dbsched].LockProcess
    @ProcessId int,
    @Held bit OUTPUT
AS
BEGIN
    SET XACT_ABORT OFF; -- 1222 must not doom the transaction
    SET LOCK_TIMEOUT 1000;

    BEGIN TRY
        SET @Held = 0;
        SELECT @ProcessId = p.ProcessId FROM [dbsched].Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
    END TRY
    BEGIN CATCH
        SET @Held = 1;
        IF ERROR_NUMBER() <> 1222
            THROW;
    END CATCH;
END;
GO
-- Procedure: CreateProcess
-- Purpose: Creates a process: a named group of tasks. Its waves run in ascending order, in parallel with other processes.
-- Joins the caller's transaction.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): display name, at most 128 characters; need not be unique
--   @ProcessId int = NULL OUTPUT: number of the new process
--   @Suspended bit = 0: 1 = its tasks wait for ReleaseProcess
--   @OnError varchar(30) = 'Halt': after a task fails: Halt (skip tasks that have not started) or Continue
--   @Priority int = 0: under policy Priority, higher runs first; -1000000 to 1000000; above 0: administrators only
--   @Weight int = 1: its share under policy RoundRobin; 1 to 1000; above 1: administrators only
--   @MaxParallel int = NULL: most tasks of the process that run at once; NULL = no limit
-- Errors (number 50000, the number below in text and state):
--   51003: a number is NULL or out of range
--   51007: your login has no database user to own the process
--   51008: @OnError is neither Halt nor Continue
--   51012: @Name is NULL, empty or longer than 128 characters
--   51061: @Priority above 0 or @Weight above 1, and you are no administrator
-- Example: DECLARE @P int; EXEC dbsched.CreateProcess N'nightly load', @P OUTPUT;
CREATE OR ALTER PROCEDURE [dbsched].CreateProcess
    @Name nvarchar(4000),
    @ProcessId int = NULL OUTPUT,
    @Suspended bit = 0,
    @OnError varchar(30) = 'Halt',
    @Priority int = 0,
    @Weight int = 1,
    @MaxParallel int = NULL
AS
BEGIN
    -- The caller's SNAPSHOT transaction must not begin under our isolation level: error 3951 would end it later.
    DECLARE @Snapshot int;
    IF (@@TRANCOUNT > 0 OR (2 & @@OPTIONS) = 2)
       AND EXISTS (SELECT 1 FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID AND e.transaction_isolation_level = 5)
       AND EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.snapshot_isolation_state = 1)
        SELECT @Snapshot = s.SettingsId FROM [dbsched].Settings AS s WITH (ROWLOCK) WHERE s.SettingsId = 1;

    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Bad nvarchar(200), @State int, @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SELECT @ProcessId = NULL,
           @OnError = CASE LOWER(@OnError) WHEN 'halt' THEN 'Halt' WHEN 'continue' THEN 'Continue' WHEN LOWER('CONTINUE') THEN 'Continue' END;
    SET @Bad = CASE WHEN @Name IS NULL OR @Name = N'' OR LEN(@Name) > 128 THEN N'51012: @Name must have 1 to 128 characters.'
                    WHEN @Priority IS NULL OR @Priority NOT BETWEEN -1000000 AND 1000000 THEN N'51003: @Priority must be from -1000000 to 1000000.'
                    WHEN @Weight IS NULL OR @Weight NOT BETWEEN 1 AND 1000 THEN N'51003: @Weight must be from 1 to 1000.'
                    WHEN @MaxParallel < 1 THEN N'51003: @MaxParallel must be 1 or more.'
                    WHEN (@Priority > 0 OR @Weight > 1)
                         AND ISNULL(IS_ROLEMEMBER(N'dbsched_admin'), 0) = 0 AND ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
                        THEN N'51061: only an administrator may set @Priority above 0 or @Weight above 1: others wait for it.'
                    WHEN @OnError IS NULL THEN N'51008: @OnError must be Halt or Continue.'
                    WHEN @UserSid IS NULL
                        THEN N'51007: a process belongs to the database user that creates it, and your login has no database user.'
                           + N' Run: CREATE USER ... FOR LOGIN ...;' END;
    IF @Bad IS NOT NULL
    BEGIN
        SET @State = CONVERT(int, LEFT(@Bad, 5)) - 51000;
        RAISERROR (N'dbsched %s', 16, @State, @Bad);
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN 51000 + @State;
    END;

    INSERT INTO [dbsched].Processes WITH (ROWLOCK)
        (Name, Status, Priority, Weight, MaxParallel, OnError, CreatedBySid, CreatedByName, CreatedByLogin)
    VALUES
        (@Name, CASE WHEN @Suspended = 1 THEN 'Suspended' ELSE 'Open' END, @Priority, @Weight, @MaxParallel, @OnError,
         @UserSid, USER_NAME(), ORIGINAL_LOGIN());

    SET @ProcessId = SCOPE_IDENTITY();
    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
    RETURN 0;
END;
GO
-- Procedure: RequestProcess
-- Purpose: Requests that a process is released or closed when the caller's transaction commits, and wakes the dispatcher.
-- Access: private; runs as the owner, because only the owner may send messages.
-- Parameters:
--   @ProcessId int (required): the process
--   @Action varchar(7) (required): Release or Close
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process is always open
CREATE OR ALTER PROCEDURE [dbsched].RequestProcess
    @ProcessId int,
    @Action varchar(7)
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    -- The caller's SNAPSHOT transaction must not begin under our isolation level: error 3951 would end it later.
    DECLARE @Snapshot int;
    IF (@@TRANCOUNT > 0 OR (2 & @@OPTIONS) = 2)
       AND EXISTS (SELECT 1 FROM sys.dm_exec_sessions AS e WHERE e.session_id = @@SPID AND e.transaction_isolation_level = 5)
       AND EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.snapshot_isolation_state = 1)
        SELECT @Snapshot = s.SettingsId FROM [dbsched].Settings AS s WITH (ROWLOCK) WHERE s.SettingsId = 1;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;

    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCK_TIMEOUT 5000;
    DECLARE @Status varchar(10), @Mine bit, @Bad nvarchar(200), @State int, @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END;

    BEGIN TRY
        -- A caller without a database user (a member of a Windows group) has no SID here: NULL matches no owner.
        SELECT @Status = p.Status, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId AND @ProcessId > 1;
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222
            THROW;
        SET @Bad = N'51011: process ' + CONVERT(nvarchar(20), @ProcessId)
                 + N' is locked by a transaction that has not ended. Try again after it commits.';
    END CATCH;

    SET @Bad = CASE WHEN @ProcessId IS NULL THEN N'51004: @ProcessId is NULL. Pass the number of a process.'
                    WHEN @ProcessId IN (0, 1)
                        THEN N'51013: processes 0 (of schedules) and 1 (the default process) are always open and cannot be released or closed.'
                    WHEN @Bad IS NOT NULL THEN @Bad
                    WHEN @Status IS NULL THEN N'51004: there is no process ' + CONVERT(nvarchar(20), @ProcessId) + N'. See ProcessInfo.'
                    WHEN @IsAdmin = 0 AND @Mine = 0
                        THEN N'51006: process ' + CONVERT(nvarchar(20), @ProcessId) + N' belongs to another user. Ask an administrator.' END;
    IF @Bad IS NOT NULL
    BEGIN
        SET @State = CONVERT(int, LEFT(@Bad, 5)) - 51000;
        RAISERROR (N'dbsched %s', 16, @State, @Bad);
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN 51000 + @State;
    END;

    -- Nothing to do. A Failed or Cancelled process records the request: it closes after a retry.
    IF @Status = 'Succeeded' OR (@Action = 'Release' AND @Status <> 'Suspended') OR (@Action = 'Close' AND @Status = 'Closing')
    BEGIN
        SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
        RETURN 0;
    END;

    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN TRY
        INSERT INTO [dbsched].ProcessRequests WITH (ROWLOCK) (ProcessId, Action) VALUES (@ProcessId, @Action);

        EXEC [dbsched].WakeOnce;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
    RETURN 0;
END;
GO
-- Procedure: ReleaseProcess
-- Purpose: Lets the tasks of a Suspended process run once the caller's transaction commits. Does nothing if the process is not
-- Suspended.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors (number 50000, the number below in text and state):
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process is always open
-- Example: EXEC dbsched.ReleaseProcess 7;
CREATE OR ALTER PROCEDURE [dbsched].ReleaseProcess
    @ProcessId int
AS
BEGIN
    DECLARE @Result int;
    EXEC @Result = [dbsched].RequestProcess @ProcessId = @ProcessId, @Action = 'Release';
    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
    RETURN @Result;
END;
GO
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
CREATE OR ALTER PROCEDURE [dbsched].CloseProcess
    @ProcessId int
AS
BEGIN
    DECLARE @Result int;
    EXEC @Result = [dbsched].RequestProcess @ProcessId = @ProcessId, @Action = 'Close';
    SET XACT_ABORT ON; -- Against error 266: our first statement may have begun the caller's transaction (IMPLICIT_TRANSACTIONS).
    RETURN @Result;
END;
GO
-- Procedure: CurrentTask
-- Purpose: Returns the task that the calling session runs, if it is a worker.
-- Access: private; runs as the owner, which may read the lanes' locks.
-- Parameters:
--   @TaskId bigint OUTPUT: the task; NULL outside tasks
--   @ProcessId int OUTPUT: its process; NULL outside tasks
CREATE OR ALTER PROCEDURE [dbsched].CurrentTask
    @TaskId bigint OUTPUT,
    @ProcessId int OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @LaneId int, @Resource nvarchar(255);

    SELECT @TaskId = NULL, @ProcessId = NULL;

    SELECT TOP (1) @LaneId = l.LaneId, @TaskId = t.TaskId, @ProcessId = t.ProcessId
    FROM [dbsched].Lanes AS l WITH (NOLOCK)
    INNER JOIN [dbsched].Tasks AS t WITH (NOLOCK) ON t.LaneId = l.LaneId AND t.WorkerId = l.WorkerId AND t.WorkerId IS NOT NULL
    WHERE l.SessionId = @@SPID
    ORDER BY l.EnteredAt DESC;

    -- Session numbers are reused: only the session that holds the lock is the worker.
    SET @Resource = N'lane:' + CONVERT(nvarchar(10), @LaneId);
    IF @LaneId IS NULL OR APPLOCK_MODE(N'dbsched_locks', @Resource, 'Session') = N'NoLock'
        SELECT @TaskId = NULL, @ProcessId = NULL;
END;
GO
-- Procedure: WaitProcess
-- Purpose: Waits until a process has ended or, if it is Open, has no unfinished tasks.
-- Access: public: dbsched_user (own processes and the default process), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
--   @TimeoutSeconds int (required): longest wait, in seconds; 0 to 604800
--   @Status varchar(10) = NULL OUTPUT: status of the process after the wait
-- Returns: 0 = Succeeded, or Open with no unfinished tasks; 1 = Failed or Cancelled; 2 = the time is up
-- Errors:
--   51003: @TimeoutSeconds is NULL or out of range
--   51004: there is no such process
--   51006: the process belongs to another user
--   51010: called inside a transaction; its tasks cannot start until it commits
--   51017: called by a task of the same process, which would wait for itself
-- Example: EXEC dbsched.WaitProcess 7, 600;
CREATE OR ALTER PROCEDURE [dbsched].WaitProcess
    @ProcessId int,
    @TimeoutSeconds int,
    @Status varchar(10) = NULL OUTPUT
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: WaitProcess cannot be called inside a transaction: tasks enqueued in the transaction cannot start until it commits. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @OwnTaskId bigint, @OwnProcessId int, @Mine bit, @Polls int = 0, @Left bit;
    DECLARE @Until datetime2(3) = DATEADD(second, CASE WHEN @TimeoutSeconds BETWEEN 0 AND 604800 THEN @TimeoutSeconds ELSE 0 END, SYSUTCDATETIME());

    SET @Status = NULL;

    IF @TimeoutSeconds IS NULL OR @TimeoutSeconds NOT BETWEEN 0 AND 604800
        THROW 51003, N'dbsched 51003: @TimeoutSeconds must be from 0 to 604800.', 1;

    SELECT @Status = p.Status,
           @Mine = CASE WHEN p.CreatedBySid = (SELECT m.Sid FROM [dbsched].Me AS m) THEN 1 ELSE 0 END
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    IF @Status IS NULL OR @ProcessId = 0
        THROW 51004, N'dbsched 51004: there is no such process. See ProcessInfo.', 1;

    IF @ProcessId <> 1 AND @Mine = 0 AND ISNULL(IS_ROLEMEMBER(N'dbsched_admin'), 0) = 0 AND ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
        THROW 51006, N'dbsched 51006: the process belongs to another user. Ask an administrator.', 1;

    EXEC [dbsched].CurrentTask @OwnTaskId OUTPUT, @OwnProcessId OUTPUT;
    IF @OwnProcessId = @ProcessId
        THROW 51017, N'dbsched 51017: a task cannot wait for its own process. Move what follows into a later wave, or wait from another session.', 1;

    WHILE 1 = 1
    BEGIN
        SELECT @Status = p.Status
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        IF @Status = 'Succeeded'
            RETURN 0;
        IF @Status IN ('Failed', 'Cancelled')
            RETURN 1;

        -- An Open process is done for now when it has no unfinished tasks and no requests. NOLOCK reads one index row,
        -- and also waits for uncommitted tasks.
        SET @Left = 0;
        IF EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL)
           OR EXISTS (SELECT 1 FROM [dbsched].ProcessRequests AS r WITH (NOLOCK) WHERE r.ProcessId = @ProcessId AND r.Action <> 'Look')
            SET @Left = 1;

        IF @Status = 'Open' AND @Left = 0
            RETURN 0;

        IF SYSUTCDATETIME() >= @Until
            RETURN 2;

        SET @Polls = @Polls + 1;
        IF @Polls <= 10
            WAITFOR DELAY '00:00:00.100';
        ELSE
            WAITFOR DELAY '00:00:00.500';
    END;
END;
GO
-- Procedure: NextFiring
-- Purpose: Has the dispatcher start a schedule's waiting firing, because a process of the schedule has ended or a firing made none. Joins the
-- caller's transaction.
-- Access: private
-- Parameters:
--   @ScheduleId int (required): the schedule
CREATE OR ALTER PROCEDURE [dbsched].NextFiring
    @ScheduleId int
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    UPDATE s
    SET s.LookAt = SYSUTCDATETIME()
    FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.ScheduleId = @ScheduleId AND s.Waiting > 0;
    IF @@ROWCOUNT = 1
        EXEC [dbsched].WakeOnce;
END;
GO
-- Procedure: CloseIfDone
-- Purpose: Ends a Closing process that has no unfinished tasks. The caller's transaction holds the lock on the process row.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
CREATE OR ALTER PROCEDURE [dbsched].CloseIfDone
    @ProcessId int
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @ScheduleId int;

    -- NOLOCK on purpose: an uncommitted task counts as unfinished, without waiting for its enqueuer. If that transaction
    -- rolls back, the next sweep ends the process.
    UPDATE p
    SET p.Status = CASE WHEN p.TasksFailed > 0 THEN 'Failed' ELSE 'Succeeded' END,
        p.FinishedAt = SYSUTCDATETIME(),
        p.HasWork = 0,
        @ScheduleId = p.ScheduleId
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId
      AND p.Status = 'Closing'
      AND NOT EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL);

    IF @ScheduleId IS NOT NULL
        EXEC [dbsched].NextFiring @ScheduleId;
END;
GO
-- View: ProcessInfo
-- Purpose: Processes and their unfinished work. Users see their own and the default process (which counts all users'
-- tasks); readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: ProcessId, Name, Status, OnError, Priority, Weight, MaxParallel, Running, Unfinished, LowestOrder, TasksSucceeded,
--   TasksFailed, CreatedAt, FinishedAt, LastServedAt, CreatedBy
-- Example: SELECT * FROM dbsched.ProcessInfo WHERE FinishedAt IS NULL;
CREATE OR ALTER VIEW [dbsched].ProcessInfo
AS
-- NULL in hidden rows, see Viewer, except ProcessId, which has an index.
SELECT p.ProcessId,
       CASE WHEN v.Mine = 1 THEN p.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN p.Status END AS Status,
       CASE WHEN v.Mine = 1 THEN p.OnError END AS OnError,
       CASE WHEN v.Mine = 1 THEN p.Priority END AS Priority,
       CASE WHEN v.Mine = 1 THEN p.Weight END AS Weight,
       CASE WHEN v.Mine = 1 THEN p.MaxParallel END AS MaxParallel,
       CASE WHEN v.Mine = 1 THEN p.Running END AS Running,
       CASE WHEN v.Mine = 1 THEN n.Unfinished END AS Unfinished,
       CASE WHEN v.Mine = 1 THEN n.LowestOrder END AS LowestOrder,
       CASE WHEN v.Mine = 1 THEN p.TasksSucceeded END AS TasksSucceeded,
       CASE WHEN v.Mine = 1 THEN p.TasksFailed END AS TasksFailed,
       CASE WHEN v.Mine = 1 THEN p.CreatedAt END AS CreatedAt,
       CASE WHEN v.Mine = 1 THEN p.FinishedAt END AS FinishedAt,
       CASE WHEN v.Mine = 1 THEN p.LastServedAt END AS LastServedAt,
       CASE WHEN v.Mine = 1 THEN p.CreatedByName END AS CreatedBy
FROM [dbsched].Processes AS p WITH (NOLOCK)
OUTER APPLY (SELECT COUNT(*) AS Unfinished, MIN(t.ExecutionOrder) AS LowestOrder FROM [dbsched].Tasks AS t WITH (NOLOCK)
             WHERE t.ProcessId = p.ProcessId AND t.FinishedAt IS NULL) AS n
CROSS JOIN [dbsched].Viewer AS me
CROSS APPLY (SELECT CASE WHEN p.ProcessId = 1 OR me.SeesAll = 1 OR p.CreatedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE p.ProcessId > 0 AND v.Mine = 1;
GO
-- Function: PassedOver
-- Purpose: The tasks that keep a watermark from moving: pending ones between two places, and waiting ones of waves before the second. NOLOCK: also
-- those that are not committed, or just being committed. Of their enqueuer and who moves it, each writes first and then reads what the other wrote.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @FromOrder int (required): wave of the first place; NULL = before all tasks
--   @FromRank decimal(27, 0) (required): Rank of the last task before it
--   @FromTaskId bigint (required): that task
--   @ToOrder int (required): wave of the task at the second place
--   @ToRank decimal(27, 0) (required): its Rank
--   @ToTaskId bigint (required): that task
-- Columns: TransactionId
CREATE OR ALTER FUNCTION [dbsched].PassedOver
(@ProcessId int, @FromOrder int, @FromRank decimal(27, 0), @FromTaskId bigint, @ToOrder int, @ToRank decimal(27, 0), @ToTaskId bigint)
RETURNS TABLE
AS
RETURN
(
    SELECT t.TransactionId FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank = @FromRank AND t.TaskId > @FromTaskId
      AND t.TaskId < CASE WHEN @ToRank > @FromRank THEN CONVERT(bigint, 9223372036854775807) ELSE @ToTaskId END
    UNION ALL
    SELECT t.TransactionId FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank > @FromRank AND t.Rank < @ToRank
    UNION ALL
    SELECT t.TransactionId FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank = @ToRank AND t.TaskId < @ToTaskId AND @ToRank > @FromRank
    UNION ALL
    SELECT t.TransactionId FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Waiting' AND t.ExecutionOrder < @ToOrder AND (@FromOrder IS NULL OR @ToOrder > @FromOrder)
);
GO
-- Function: WaveOf
-- Purpose: The next task of a process: the first pending one, unless a wave before it is not over. Seeks from the process's watermark: no unfinished
-- task has a lower order, and no pending one is up to it. Without one, looks from the beginning; deleted index records that have not been
-- cleaned up make that slow.
-- Access: private; exact under the lock on the process row
-- Parameters:
--   @ProcessId int (required): the process
--   @WaveOrder int (required): of its row, like the next three
--   @WaveRank decimal(27, 0) (required)
--   @WaveTaskId bigint (required)
--   @Running int (required)
-- Columns: TaskId, ExecutionOrder, Rank, EnqueuedById, TransactionId (of the task; NULL = none can start), Asked (1 = an enqueuer has asked for a look from
--   the beginning, and may not have committed), FromOrder (NULL = it looked from the beginning), FromRank, FromTaskId
CREATE OR ALTER FUNCTION [dbsched].WaveOf
(@ProcessId int, @WaveOrder int, @WaveRank decimal(27, 0), @WaveTaskId bigint, @Running int)
RETURNS TABLE
AS
RETURN
(
    -- READPAST: under the lock on the process row, a locked row is one that is not committed. A commit releases its locks one by one, so a task
    -- of a later wave may be seen before tasks of an earlier one: see ChooseTask. Attempt makes it look at the row, not only at its entry.
    SELECT n.TaskId, n.ExecutionOrder, n.Rank, n.EnqueuedById, n.TransactionId, q.Asked, f.FromOrder, f.FromRank, f.FromTaskId
    FROM (SELECT CASE WHEN EXISTS (SELECT 1 FROM [dbsched].ProcessRequests AS o WITH (NOLOCK)
                                   WHERE o.ProcessId = @ProcessId AND o.Action = 'Look') THEN 1 ELSE 0 END AS Asked) AS q
    CROSS APPLY (SELECT CASE q.Asked WHEN 0 THEN @WaveOrder END AS FromOrder,
                        CASE WHEN q.Asked = 0 AND @WaveOrder IS NOT NULL THEN @WaveTaskId ELSE 0 END AS FromTaskId,
                        CASE WHEN q.Asked = 0 AND @WaveOrder IS NOT NULL THEN @WaveRank
                             ELSE CONVERT(decimal(27, 0), -99999999999999999999999999) END AS FromRank) AS f
    OUTER APPLY (SELECT TOP (1) t.TaskId, t.ExecutionOrder, t.Rank, t.EnqueuedById, t.TransactionId
                 FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                 WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank = f.FromRank AND t.TaskId > f.FromTaskId AND t.Attempt >= 0
                 ORDER BY t.TaskId) AS a
    OUTER APPLY (SELECT TOP (1) t.TaskId, t.ExecutionOrder, t.Rank, t.EnqueuedById, t.TransactionId
                 FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                 WHERE a.TaskId IS NULL AND t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank > f.FromRank AND t.Attempt >= 0
                 ORDER BY t.Rank, t.TaskId) AS b
    CROSS APPLY (SELECT ISNULL(a.TaskId, b.TaskId) AS TaskId, ISNULL(a.ExecutionOrder, b.ExecutionOrder) AS ExecutionOrder,
                        ISNULL(a.Rank, b.Rank) AS Rank, ISNULL(a.EnqueuedById, b.EnqueuedById) AS EnqueuedById,
                        ISNULL(a.TransactionId, b.TransactionId) AS TransactionId) AS x
    -- What else is unfinished before it. With a watermark, running tasks are counted; waiting ones are read backward, because resources are granted
    -- from the beginning of a line, where deleted records are.
    OUTER APPLY (SELECT TOP (1) t.TaskId FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE f.FromOrder IS NULL AND t.ProcessId = @ProcessId AND t.FinishedAt IS NULL
                   AND t.ExecutionOrder < ISNULL(x.ExecutionOrder, 2147483647)
                 ORDER BY t.ExecutionOrder) AS u
    OUTER APPLY (SELECT TOP (1) t.TaskId FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE (x.ExecutionOrder IS NULL OR x.ExecutionOrder > f.FromOrder) AND @Running = 0
                   AND t.ProcessId = @ProcessId AND t.Status = 'Waiting' AND t.ExecutionOrder < ISNULL(x.ExecutionOrder, 2147483647)
                 ORDER BY t.ExecutionOrder DESC, t.TaskId DESC) AS v
    -- Who makes a task wait for a retry or a resource has held the lock on the process row, and may not have released the task's yet.
    OUTER APPLY (SELECT TOP (1) t.TaskId FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
                 WHERE (x.ExecutionOrder IS NULL OR x.ExecutionOrder > f.FromOrder) AND @Running = 0 AND v.TaskId IS NULL AND t.WaitReason <> 'Delay'
                   AND t.ProcessId = @ProcessId AND t.Status = 'Waiting' AND t.ExecutionOrder < ISNULL(x.ExecutionOrder, 2147483647)
                 ORDER BY t.ExecutionOrder DESC, t.TaskId DESC) AS r
    OUTER APPLY (SELECT x.TaskId, x.ExecutionOrder, x.Rank, x.EnqueuedById, x.TransactionId
                 WHERE COALESCE(u.TaskId, v.TaskId, r.TaskId) IS NULL
                   AND (f.FromOrder IS NULL OR x.ExecutionOrder = f.FromOrder OR @Running = 0)) AS n
);
GO
-- Procedure: EndWave
-- Purpose: What follows when an attempt has ended and its worker goes on elsewhere: marks work that the process has, ends the process if it is
-- closing and has none, and wakes the dispatcher if the next wave needs more workers.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @Order int (required): wave of the attempt; NULL = none has ended
--   @Taken int (required): how many tasks of the next wave the worker will take
--   @Outcome varchar(10) (required): how the attempt ended; an orphan needs a worker
CREATE OR ALTER PROCEDURE [dbsched].EndWave
    @ProcessId int,
    @Order int,
    @Taken int,
    @Outcome varchar(10)
AS
BEGIN
    DECLARE @LowestOrder int, @Pending int = 0, @Done bit = 0;

    -- It must not mark what NextTask does not find, or the two would take turns for ever.
    SELECT @LowestOrder = w.ExecutionOrder, @Done = CASE WHEN p.Running = 0 AND p.Status = 'Closing' THEN 1 ELSE 0 END,
           @Pending = CASE WHEN w.TaskId IS NULL THEN 0 WHEN s.ExecutionOrder = w.ExecutionOrder THEN 2 ELSE 1 END
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    OUTER APPLY [dbsched].WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w
    OUTER APPLY [dbsched].WaveOf(p.ProcessId, ISNULL(w.ExecutionOrder, 0), w.Rank, w.TaskId, 1) AS s -- the one after it, if there is one
    WHERE p.ProcessId = @ProcessId
    OPTION (MAXDOP 1);

    IF @Pending > 0
        UPDATE p
        SET p.HasWork = 1
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId AND p.HasWork = 0 AND p.Status IN ('Open', 'Closing');
    ELSE IF @Done = 1 AND @Order IS NOT NULL
        EXEC [dbsched].CloseIfDone @ProcessId;

    IF (@LowestOrder > @Order AND @Pending > @Taken) OR (@Outcome = 'Orphaned' AND @Pending > 0)
        EXEC [dbsched].SendWake;
END;
GO
-- Procedure: LockHandover
-- Purpose: Takes the handover lock of a lane, until the end of the transaction. EndAttempts takes it before it ends a session, so that the
-- session cannot start the next task meanwhile.
-- Access: private; begins the transactions of NextTask and CompleteAttempt.
-- Parameters:
--   @LaneId int (required): the lane
-- Errors:
--   51011: the lock was not granted
CREATE OR ALTER PROCEDURE [dbsched].LockHandover
    @LaneId int
AS
BEGIN
    DECLARE @Handover nvarchar(255) = N'handover:' + CONVERT(nvarchar(10), @LaneId), @Granted int;

    EXEC @Granted = sys.sp_getapplock @Handover, 'Exclusive', 'Transaction', @LockTimeout = -1, @DbPrincipal = N'dbsched_locks';
    IF @Granted < 0 -- such as -3: the victim of a deadlock, which is not rolled back
        THROW 51011, N'dbsched 51011: the handover lock of the lane was not granted.', 1;
END;
GO
-- Procedure: MayClaim
-- Purpose: Whether a worker may claim: the scheduler runs, here, and other workers are not enough. Locks the settings until the commit: after
-- StopScheduler has changed the row, no claim is in progress.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @CountedFor int OUTPUT: see NextTask
--   @Policy varchar(10) OUTPUT: the policy, which chooses the process
--   @Result varchar(10) OUTPUT: NULL if it may; Stopped; Limit: enough other workers; Moved: this is not the database in which it was started
CREATE OR ALTER PROCEDURE [dbsched].MayClaim
    @LaneId int,
    @CountedFor int OUTPUT,
    @Policy varchar(10) OUTPUT,
    @Result varchar(10) OUTPUT
AS
BEGIN
    DECLARE @MaxWorkers int, @MaxLanes int;

    SET @Result = 'Stopped'; -- so it stays if the row is missing
    SELECT @Result = CASE WHEN s.Started = 0 OR s.Version <> '0.1.0' THEN 'Stopped' WHEN NOT (s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()) THEN 'Moved' END,
           @Policy = s.Policy, @MaxWorkers = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM [dbsched].Settings AS s WITH (REPEATABLEREAD, ROWLOCK)
    WHERE s.SettingsId = 1;

    -- A count holds for as long as the lane is Busy and MaxWorkers is not lowered.
    IF @CountedFor > @MaxWorkers
        SET @CountedFor = NULL;

    IF @Result IS NOT NULL OR @CountedFor IS NOT NULL OR @LaneId > @MaxLanes
        RETURN;

    -- Without locks: a cheap first check. The decisive one follows in AdmitTask, once this lane is Busy.
    IF @MaxWorkers <= (SELECT COUNT(*)
                       FROM [dbsched].Lanes AS l WITH (NOLOCK)
                       WHERE l.LaneId <= @MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle')
        SET @Result = 'Limit';
END;
GO
-- Procedure: ChooseProcess
-- Purpose: Chooses the process that is served next, as the policy says, and locks its row: whoever holds it decides alone what is next there.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @Policy varchar(10) (required): Fifo, Priority or RoundRobin
--   @HeldId int (required): process whose row this transaction has locked; NULL = none
--   @Turns int OUTPUT: how often it was not the chosen one's turn any more
--   @ProcessId int OUTPUT: the process; NULL = none has work that may start
--   @Locked bit OUTPUT: 1 = its row is locked, and it still may be served; 0 = choose again in another transaction
CREATE OR ALTER PROCEDURE [dbsched].ChooseProcess
    @Policy varchar(10),
    @HeldId int,
    @Turns int OUTPUT,
    @ProcessId int OUTPUT,
    @Locked bit OUTPUT
AS
BEGIN
    DECLARE @TurnOf int;

    SELECT @ProcessId = NULL, @Locked = 0;

    -- Without locks: READPAST would skip a process from which another worker is claiming.
    SELECT TOP (1) @ProcessId = q.ProcessId
    FROM [dbsched].Processes AS q WITH (NOLOCK)
    WHERE q.HasWork = 1 AND q.Status IN ('Open', 'Closing') AND (q.MaxParallel IS NULL OR q.Running < q.MaxParallel)
    ORDER BY CASE WHEN @Policy = 'RoundRobin' THEN q.Running * 1000 / q.Weight ELSE 0 END,
             CASE WHEN @Policy = 'RoundRobin' THEN q.LastServedAt ELSE NULL END,
             CASE WHEN @Policy = 'Priority' THEN -q.Priority ELSE 0 END,
             q.ProcessId
    OPTION (MAXDOP 1);

    -- Two workers that each held a process and waited for the other's would wait for ever.
    IF @ProcessId <> @HeldId
        RETURN;

    -- Check it again under the lock. By the primary key, like all locks of processes: a lock on an entry of another index blocks no other session.
    SELECT @Locked = 1
    FROM [dbsched].Processes AS k WITH (UPDLOCK, ROWLOCK, FORCESEEK, INDEX (PK_Processes))
    WHERE k.ProcessId = @ProcessId AND k.HasWork = 1 AND k.Status IN ('Open', 'Closing') AND (k.MaxParallel IS NULL OR k.Running < k.MaxParallel)
    OPTION (MAXDOP 1);

    IF @Locked = 0 OR @Policy <> 'RoundRobin' OR @HeldId IS NOT NULL OR @Turns >= 5
        RETURN;

    -- Other processes may have been served during the wait for the lock: is it still this one's turn?
    SELECT TOP (1) @TurnOf = p.ProcessId
    FROM [dbsched].Processes AS p WITH (NOLOCK)
    WHERE p.HasWork = 1 AND p.Status IN ('Open', 'Closing') AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel)
    ORDER BY p.Running * 1000 / p.Weight, p.LastServedAt, p.ProcessId
    OPTION (MAXDOP 1);

    IF @TurnOf <> @ProcessId
        SELECT @Locked = 0, @Turns = @Turns + 1;
END;
GO
-- Procedure: ChooseTask
-- Purpose: Chooses the next task of a process: the first pending one of its lowest unfinished wave.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @OnlyUserId int (required): the only principal whose tasks this session runs; NULL = any
--   @TaskId bigint OUTPUT: the task; NULL = none
--   @Order int OUTPUT: its wave; NULL = nothing in the process can start, and HasWork is 0
--   @Rank decimal(27, 0) OUTPUT: its Rank
--   @Keep bit OUTPUT: 1 = the watermark must stay where it is
--   @Early bit OUTPUT: 1 = a task of an earlier wave is just being committed: look again
--   @Result varchar(10) OUTPUT: OtherUser if another principal's task is next, otherwise unchanged
CREATE OR ALTER PROCEDURE [dbsched].ChooseTask
    @ProcessId int,
    @OnlyUserId int,
    @TaskId bigint OUTPUT,
    @Order int OUTPUT,
    @Rank decimal(27, 0) OUTPUT,
    @Keep bit OUTPUT,
    @Early bit OUTPUT,
    @Result varchar(10) OUTPUT
AS
BEGIN
    DECLARE @UserId int, @TransactionId bigint, @FromOrder int, @FromRank decimal(27, 0), @FromTaskId bigint;

    SELECT @TaskId = w.TaskId, @Order = w.ExecutionOrder, @Rank = w.Rank, @UserId = w.EnqueuedById, @TransactionId = w.TransactionId,
           @Keep = w.Asked, @FromOrder = w.FromOrder, @FromRank = w.FromRank, @FromTaskId = w.FromTaskId
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    CROSS APPLY [dbsched].WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w
    WHERE p.ProcessId = @ProcessId
    OPTION (MAXDOP 1);

    IF @TaskId IS NULL
    BEGIN
        -- The dispatcher checks only rows with HasWork = 0, so 0 must be written before the last look, which EndWave takes.
        UPDATE p SET p.HasWork = 0 FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
        RETURN;
    END;

    IF @UserId <> @OnlyUserId
    BEGIN
        SELECT @Result = 'OtherUser', @TaskId = NULL;
        RETURN;
    END;

    IF @Order = @FromOrder -- it is of the watermark's wave, which has begun
        RETURN;

    -- A commit releases its locks one by one: a task before it, of its transaction, may still be locked.
    IF EXISTS (SELECT 1
               FROM [dbsched].PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId) AS o
               WHERE o.TransactionId = @TransactionId)
        SELECT @Early = 1, @TaskId = NULL;

    -- A first watermark must wait for running tasks of later waves: they would look like tasks of this one.
    IF @FromOrder IS NULL
       AND EXISTS (SELECT 1 FROM [dbsched].Tasks AS r WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Worker))
                   WHERE r.LaneId > 0 AND r.WorkerId IS NOT NULL AND r.ProcessId = @ProcessId AND r.ExecutionOrder > @Order)
        SET @Keep = 1;
END;
GO
-- Procedure: MoveWatermark
-- Purpose: Moves the watermark of a process, which has just been moved to a task, back if a pending task, committed or not, would be passed: see
-- PassedOver.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @FromOrder int (required): wave of the watermark before; NULL = there was none
--   @FromRank decimal(27, 0) (required): its Rank
--   @FromTaskId bigint (required): its task
--   @Order int (required): wave of the task
--   @Rank decimal(27, 0) (required): its Rank
--   @TaskId bigint (required): the task
CREATE OR ALTER PROCEDURE [dbsched].MoveWatermark
    @ProcessId int,
    @FromOrder int,
    @FromRank decimal(27, 0),
    @FromTaskId bigint,
    @Order int,
    @Rank decimal(27, 0),
    @TaskId bigint
AS
BEGIN
    IF @FromOrder IS NULL -- the task was found from the beginning
        SELECT @FromRank = -99999999999999999999999999, @FromTaskId = 0;

    IF EXISTS (SELECT 1 FROM [dbsched].PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId) AS o)
        UPDATE p
        SET p.WaveOrder = CASE @FromOrder WHEN @Order THEN p.WaveOrder END, p.WaveRank = @FromRank, p.WaveTaskId = @FromTaskId
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;
END;
GO
-- Procedure: PassTask
-- Purpose: Moves the watermark past a task of its wave that was skipped, or has begun to wait in the line of a resource.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @Order int (required): wave of the task
--   @Rank decimal(27, 0) (required): its Rank
--   @TaskId bigint (required): the task
CREATE OR ALTER PROCEDURE [dbsched].PassTask
    @ProcessId int,
    @Order int,
    @Rank decimal(27, 0),
    @TaskId bigint
AS
BEGIN
    DECLARE @FromRank decimal(27, 0), @FromTaskId bigint;

    -- The variables get what was there before.
    UPDATE p
    SET @FromRank = p.WaveRank, @FromTaskId = p.WaveTaskId, p.WaveRank = @Rank, p.WaveTaskId = @TaskId
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId AND p.WaveOrder = @Order;

    IF @@ROWCOUNT = 1
        EXEC [dbsched].MoveWatermark @ProcessId, @Order, @FromRank, @FromTaskId, @Order, @Rank, @TaskId;
END;
GO
-- Procedure: StartAttempt
-- Purpose: Makes a chosen task Running, with the log row of the attempt, and moves the watermark to it.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @Order int (required): its wave
--   @Rank decimal(27, 0) (required): its Rank
--   @Keep bit (required): 1 = the watermark must stay where it is
--   @LogId bigint OUTPUT: the log row
--   @Transactional bit OUTPUT: 1 = task and completion are one transaction
--   @UserId int OUTPUT: principal that enqueued it
CREATE OR ALTER PROCEDURE [dbsched].StartAttempt
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint,
    @Order int,
    @Rank decimal(27, 0),
    @Keep bit,
    @LogId bigint OUTPUT,
    @Transactional bit OUTPUT,
    @UserId int OUTPUT
AS
BEGIN
    DECLARE @Now datetime2(7) = SYSUTCDATETIME(), @StopAt datetime2(7), @FromOrder int, @FromRank decimal(27, 0), @FromTaskId bigint;

    -- The variables get what was there before.
    UPDATE p
    SET p.Running = p.Running + 1, p.LastServedAt = @Now,
        @FromOrder = p.WaveOrder, @FromRank = p.WaveRank, @FromTaskId = p.WaveTaskId,
        p.WaveOrder = CASE @Keep WHEN 0 THEN @Order ELSE p.WaveOrder END,
        p.WaveRank = CASE @Keep WHEN 0 THEN @Rank ELSE p.WaveRank END,
        p.WaveTaskId = CASE @Keep WHEN 0 THEN @TaskId ELSE p.WaveTaskId END
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    INSERT INTO [dbsched].Logs WITH (ROWLOCK)
        (TaskId, ProcessId, ExecutionOrder, Attempt, TaskName, SqlText, EnqueuedBySid, EnqueuedByName, LaneId, WorkerId, SessionId, StartedAt)
    SELECT t.TaskId, t.ProcessId, t.ExecutionOrder, t.Attempt + 1, t.Name, LEFT(t.SqlText, 4000), t.EnqueuedBySid, t.EnqueuedByName,
           @LaneId, @WorkerId, @@SPID, @Now
    FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.TaskId = @TaskId;

    SET @LogId = SCOPE_IDENTITY();

    UPDATE t
    SET t.Status = 'Running', t.Attempt = t.Attempt + 1, t.LaneId = @LaneId, t.WorkerId = @WorkerId, t.LogId = @LogId, t.StartedAt = @Now,
        @StopAt = t.StopAt = DATEADD(second, t.TimeoutSeconds, @Now), t.StopOutcome = NULL, t.StopTries = 0,
        @Transactional = t.Transactional, @UserId = t.EnqueuedById
    FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId;

    -- The dispatcher sets its timer for the deadline, unless the next sweep comes first.
    IF @StopAt IS NOT NULL
       AND @StopAt < (SELECT s.NextSweepAt FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1)
        EXEC [dbsched].SendWake;

    IF @Keep = 0
        EXEC [dbsched].MoveWatermark @ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId;
END;
GO
-- Procedure: GrantResource
-- Purpose: Grants a resource to the next requests in line, in the order of arrival. An Exclusive request waits until no unit is
-- held, and blocks all requests after it. Waiting requests of dead sessions are removed. Joins the caller's transaction, which holds
-- the lock on the resource's row.
-- Access: private
-- Parameters:
--   @ResourceId int (required): the resource
--   @OwnRequestId bigint = NULL: a request of the caller, which checks itself whether it was granted
CREATE OR ALTER PROCEDURE [dbsched].GrantResource
    @ResourceId int,
    @OwnRequestId bigint = NULL
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Capacity int, @Held int, @Exclusive int, @RequestId bigint, @Access varchar(9), @SessionId int, @GiveUpAt datetime2(3);
    DECLARE @Lock nvarchar(255), @Wake bit = 0;

    SELECT @Capacity = s.Capacity
    FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.ResourceId = @ResourceId;

    WHILE 1 = 1
    BEGIN
        SET @RequestId = NULL;

        SELECT TOP (1) @RequestId = r.RequestId, @Access = r.Access, @SessionId = r.SessionId, @GiveUpAt = r.GiveUpAt
        FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.Status = 'Waiting'
        ORDER BY r.RequestId
        OPTION (MAXDOP 1);

        IF @RequestId IS NULL
            BREAK;

        -- All holders come before the first waiting request, so only they count.
        SELECT @Held = COUNT(*), @Exclusive = ISNULL(SUM(CASE WHEN r.Access = 'Exclusive' THEN 1 ELSE 0 END), 0)
        FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.Status IN ('Granted', 'Reserved')
        OPTION (MAXDOP 1);

        IF @Exclusive > 0 OR @Held >= @Capacity OR (@Access = 'Exclusive' AND @Held > 0)
            BREAK;

        -- A session locks its request before other sessions can see it, so a free lock means a dead session. Shared, because
        -- other sessions wait for the lock in this mode.
        SET @Lock = N'request:' + CONVERT(nvarchar(20), @RequestId);
        IF @SessionId IS NOT NULL AND ISNULL(@OwnRequestId, 0) <> @RequestId
           AND (@GiveUpAt <= SYSUTCDATETIME()
                OR (APPLOCK_TEST(N'dbsched_locks', @Lock, 'Shared', 'Session') = 1
                    AND APPLOCK_MODE(N'dbsched_locks', @Lock, 'Session') = N'NoLock'))
            DELETE r
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;
        ELSE
        BEGIN
            UPDATE r
            SET r.Status = CASE WHEN r.RequestId = @OwnRequestId THEN 'Granted' ELSE 'Reserved' END,
                r.GrantedAt = SYSUTCDATETIME(),
                -- The lease of a session that has not been told yet does not start here: AcquireResource starts it.
                r.LeaseUntil = CASE WHEN r.RequestId = @OwnRequestId THEN DATEADD(second, r.LeaseSeconds, SYSUTCDATETIME()) END
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            -- The dispatcher makes the task Pending: here, the lock order no longer permits a lock on its process.
            IF @SessionId IS NULL AND ISNULL(@OwnRequestId, 0) <> @RequestId
                SET @Wake = 1;
        END;
    END;

    IF @Wake = 1
        EXEC [dbsched].SendWake;
END;
GO
-- Procedure: JoinResourceLine
-- Purpose: Grants a task its resource, or adds the task to the resource's line. Joins the caller's transaction, which holds the
-- locks on the task and its process.
-- Access: private
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @ResourceId int (required): the resource
--   @Access varchar(9) (required): Shared or Exclusive
--   @Granted bit OUTPUT: 1 = the task holds the resource and may start; 0 = it waits in line; NULL = the resource was dropped
--   @RequestId bigint OUTPUT: the request, if this call created it
CREATE OR ALTER PROCEDURE [dbsched].JoinResourceLine
    @ProcessId int,
    @TaskId bigint,
    @ResourceId int,
    @Access varchar(9),
    @Granted bit OUTPUT,
    @RequestId bigint OUTPUT
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Locked int, @Status varchar(8);

    SELECT @Granted = NULL, @RequestId = NULL;

    -- Every change of a line starts with this lock and holds it until the commit, so request numbers follow the order of commits.
    SELECT @Locked = s.ResourceId
    FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
    WHERE s.ResourceId = @ResourceId;

    IF @Locked IS NULL
        RETURN;

    SELECT @Status = r.Status
    FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.ProcessId = @ProcessId AND r.TaskId = @TaskId AND r.SessionId IS NULL;

    IF @Status IS NULL
    BEGIN
        INSERT INTO [dbsched].ResourceRequests WITH (ROWLOCK)
            (ResourceId, Status, Access, Requester, ProcessId, TaskId, RequestedBySid, RequestedByName, RequestedByLogin)
        SELECT @ResourceId, 'Waiting', @Access, N'task ' + CONVERT(nvarchar(20), @TaskId), @ProcessId, @TaskId,
               t.EnqueuedBySid, t.EnqueuedByName, t.EnqueuedByLogin
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

        SET @RequestId = SCOPE_IDENTITY();

        EXEC [dbsched].GrantResource @ResourceId, @RequestId;

        SELECT @Status = r.Status
        FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;
    END;

    SET @Granted = CASE WHEN @Status = 'Granted' THEN 1 ELSE 0 END;
END;
GO
-- Procedure: LeaveResourceLine
-- Purpose: Removes the requests of a task, or of all tasks of a process that have ended or that an earlier wave keeps from starting, and
-- grants the resources to the next in line. Joins the caller's transaction, which holds the lock on the process row.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @TaskId bigint = NULL: the task; NULL = all of those
CREATE OR ALTER PROCEDURE [dbsched].LeaveResourceLine
    @ProcessId int,
    @TaskId bigint = NULL
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @ResourceId int = 0, @Locked int, @LowestOrder int = (SELECT MIN(t.ExecutionOrder) FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                                                                     WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL AND @TaskId IS NULL);
    DECLARE @Leaving TABLE (ResourceId int NOT NULL, RequestId bigint NOT NULL, PRIMARY KEY (ResourceId, RequestId));

    -- Read all before locking the first resource: a session that holds one resource must not wait for another while it reads lines.
    INSERT INTO @Leaving (ResourceId, RequestId)
    SELECT r.ResourceId, r.RequestId
    FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL
      AND r.TaskId BETWEEN ISNULL(@TaskId, 0) AND ISNULL(@TaskId, 9223372036854775807)
      AND (@TaskId IS NOT NULL
           OR EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                      WHERE t.TaskId = r.TaskId AND (t.FinishedAt IS NOT NULL OR (t.Status = 'Pending' AND t.ExecutionOrder > @LowestOrder))))
    OPTION (MAXDOP 1);

    WHILE @ResourceId IS NOT NULL
    BEGIN
        SELECT @ResourceId = MIN(l.ResourceId)
        FROM @Leaving AS l
        WHERE l.ResourceId > @ResourceId;

        IF @ResourceId IS NOT NULL
        BEGIN
            SELECT @Locked = s.ResourceId
            FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            DELETE r
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            INNER JOIN @Leaving AS l ON l.ResourceId = r.ResourceId AND l.RequestId = r.RequestId
            WHERE r.ResourceId = @ResourceId
            OPTION (MAXDOP 1);

            EXEC [dbsched].GrantResource @ResourceId;
        END;
    END;
END;
GO
-- Procedure: AdmitTask
-- Purpose: Whether a chosen task may start: no other unfinished task has its key, its resource is free, and other workers are not enough. If
-- not, @TaskId is NULL afterwards, and the worker looks for another task unless @Result says what else.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @ProcessId int (required): process of the task, whose row is locked
--   @TaskId bigint OUTPUT: the task; NULL afterwards = not admitted
--   @CountedFor int OUTPUT: see NextTask
--   @Result varchar(10) OUTPUT: Limit if other workers are enough, otherwise unchanged
CREATE OR ALTER PROCEDURE [dbsched].AdmitTask
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint OUTPUT,
    @CountedFor int OUTPUT,
    @Result varchar(10) OUTPUT
AS
BEGIN
    DECLARE @Attempt int, @DedupKey nvarchar(200), @UserSid varbinary(85), @DuplicateOf bigint;
    DECLARE @ResourceId int, @Access varchar(9), @Granted bit, @RequestId bigint, @MaxLanes int;

    SELECT @Attempt = t.Attempt + 1, @DedupKey = t.DedupKey, @UserSid = t.EnqueuedBySid, @ResourceId = t.ResourceId, @Access = t.Access
    FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.TaskId = @TaskId;

    -- Of two tasks with the same key that were enqueued at the same time, the one that runs or has run stays, else the older one.
    IF @DedupKey IS NOT NULL
        SELECT TOP (1) @DuplicateOf = d.TaskId
        FROM [dbsched].Tasks AS d WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN [dbsched].Tasks AS o WITH (NOLOCK) ON o.TaskId = d.TaskId
        WHERE d.ProcessId = @ProcessId AND d.DedupKey = @DedupKey AND d.DedupKey IS NOT NULL AND d.EnqueuedBySid = @UserSid
          AND d.FinishedAt IS NULL AND d.TaskId <> @TaskId
          AND (o.Status IN ('Running', 'Stopping')
               OR (o.Attempt > 0 AND @Attempt = 1)
               OR (o.TaskId < @TaskId AND (o.Attempt > 0 OR @Attempt = 1)))
        ORDER BY d.TaskId
        OPTION (MAXDOP 1);

    IF @DuplicateOf IS NOT NULL
    BEGIN
        UPDATE t
        SET t.Status = 'Skipped', t.DuplicateOf = @DuplicateOf, t.FinishedAt = SYSUTCDATETIME()
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

        IF @ResourceId IS NOT NULL
            EXEC [dbsched].LeaveResourceLine @ProcessId, @TaskId;

        -- This worker looks again. If the task was the last of its wave, the next wave needs more workers.
        EXEC [dbsched].SendWake;
        SET @TaskId = NULL;
    END;

    -- A task whose resource is in use waits in line, invisible to workers; this worker looks for another task. NULL: the resource was dropped,
    -- which RunTask says.
    IF @TaskId IS NOT NULL AND @ResourceId IS NOT NULL
    BEGIN
        EXEC [dbsched].JoinResourceLine @ProcessId, @TaskId, @ResourceId, @Access, @Granted OUTPUT, @RequestId OUTPUT;

        IF @Granted = 0
        BEGIN
            UPDATE t
            SET t.Status = 'Waiting', t.WaitReason = 'Resource'
            FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId;

            SET @TaskId = NULL;
        END;
    END;

    IF @TaskId IS NULL OR @CountedFor IS NOT NULL
        RETURN;

    -- Set Busy first, then count the busy lanes, committed or not: of lanes that claim at the same moment from different processes, the
    -- last to set it sees all others.
    UPDATE l
    SET l.State = 'Busy', l.StateAt = SYSUTCDATETIME()
    FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

    SELECT @CountedFor = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    -- Two lanes may both give way: the caller passes the wake-up back, and the dispatcher assigns one.
    IF @LaneId <= @MaxLanes
       AND @CountedFor <= (SELECT COUNT(*)
                           FROM [dbsched].Lanes AS l WITH (NOLOCK)
                           WHERE l.LaneId <= @MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle')
    BEGIN
        UPDATE l
        SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME()
        FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

        -- Give back the resource that was just granted; the line has not moved since.
        IF @RequestId IS NOT NULL
            DELETE r
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

        SELECT @Result = 'Limit', @TaskId = NULL, @CountedFor = NULL;
    END;
END;
GO
-- Procedure: SucceedTask
-- Purpose: Records that an attempt succeeded, and gives what the task held to the next in line. Its twin for other outcomes is FailTask.
-- Access: private; part of the transaction of NextTask or CompleteAttempt.
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Rows bigint (required): rows of the last statement
--   @Order int OUTPUT: wave of the task; NULL = the attempt no longer belongs to @WorkerId: roll back
--   @Held bit OUTPUT: 1 = the task held resources
--   @HadWork bit OUTPUT: HasWork of the process
CREATE OR ALTER PROCEDURE [dbsched].SucceedTask
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @WorkerId uniqueidentifier,
    @Rows bigint,
    @Order int OUTPUT,
    @Held bit OUTPUT,
    @HadWork bit OUTPUT
AS
BEGIN
    SELECT @Order = NULL, @Held = 0;

    -- The process row first: its lock makes all that follows one session's at a time.
    UPDATE p
    SET p.Running = CASE WHEN p.Running > 0 THEN p.Running - 1 ELSE 0 END, p.TasksSucceeded = p.TasksSucceeded + 1, @HadWork = p.HasWork
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    -- Only this attempt of this worker. One that is being stopped, but has done its work, has succeeded.
    UPDATE t
    SET @Order = t.ExecutionOrder,
        @Held = CASE WHEN EXISTS (SELECT 1 FROM [dbsched].ResourceRequests AS r WITH (NOLOCK)
                                  WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL AND r.TaskId = @TaskId) THEN 1 ELSE 0 END,
        t.Status = 'Succeeded', t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL, t.FinishedAt = SYSUTCDATETIME()
    FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId AND t.LogId = @LogId AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping');

    IF @Order IS NULL
        RETURN;

    UPDATE g
    SET g.EndedAt = SYSUTCDATETIME(), g.Outcome = 'Succeeded', g.RowsAffected = @Rows
    FROM [dbsched].Logs AS g WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE g.LogId = @LogId;

    -- The task's resource, and any that it acquired itself.
    IF @Held = 1
        EXEC [dbsched].LeaveResourceLine @ProcessId, @TaskId;
END;
GO
-- Procedure: DecideRetry
-- Purpose: What becomes of a task whose attempt did not succeed: it runs again, at once or later, or ends. Locks the process and the task.
-- Access: private; part of CompleteAttempt's transaction.
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Outcome varchar(10) (required): Failed, Orphaned or Outage
--   @ErrorNumber int OUTPUT: error that ended the attempt; if it was stopped on purpose, 51028 or 51029 instead of 51023
--   @ErrorMessage nvarchar(4000) OUTPUT: its text
--   @Status varchar(10) OUTPUT: status of the task from now on; NULL = the attempt no longer belongs to @WorkerId
--   @LogOutcome varchar(10) OUTPUT: outcome of the attempt
--   @Delay bigint OUTPUT: seconds that a Waiting task waits
-- Errors: none raised. It does not repeat a task with the first; the others are in the log of an attempt that was stopped on purpose:
--   51035: a transactional task ended or replaced its transaction
--   51028: the task was cancelled while it ran
--   51029: the task ran longer than its timeout
CREATE OR ALTER PROCEDURE [dbsched].DecideRetry
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @WorkerId uniqueidentifier,
    @Outcome varchar(10),
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @Status varchar(10) OUTPUT,
    @LogOutcome varchar(10) OUTPUT,
    @Delay bigint OUTPUT
AS
BEGIN
    DECLARE @MaxRetryDelay int, @MaxOrphans int, @OutageSeconds int, @Goes bit = 0; -- 1 = the process goes on
    DECLARE @Found varchar(10), @StopOutcome varchar(10), @Failures int, @MaxAttempts int, @RetryDelay int, @Again bit;
    DECLARE @Orphans int, @OnOrphan varchar(5), @Lasts int, @TimeoutSeconds int;

    SELECT @Status = NULL, @LogOutcome = NULL, @Delay = 0;

    SELECT @MaxRetryDelay = s.MaxRetryDelaySeconds, @MaxOrphans = s.MaxOrphans, @OutageSeconds = s.OutageSeconds
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SELECT @Goes = CASE WHEN p.Status IN ('Open', 'Closing') THEN 1 ELSE 0 END
    FROM [dbsched].Processes AS p WITH (UPDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    -- Only this attempt of this worker. A transactional task that ended its transaction (51035) would do so again.
    SELECT @Found = t.Status, @StopOutcome = ISNULL(t.StopOutcome, 'Cancelled'), @TimeoutSeconds = t.TimeoutSeconds,
           @Failures = t.Failures + 1, @MaxAttempts = t.MaxAttempts, @RetryDelay = t.RetryDelaySeconds,
           @Again = CASE WHEN t.Transactional = 1 AND @ErrorNumber = 51035 THEN 0 ELSE 1 END,
           @Orphans = t.Orphans + 1, @OnOrphan = t.OnOrphan, @Lasts = ISNULL(DATEDIFF(second, t.OutageSince, SYSUTCDATETIME()), 0)
    FROM [dbsched].Tasks AS t WITH (UPDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId AND t.LogId = @LogId AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping');

    IF @Found IS NULL
        RETURN;

    IF @Found = 'Stopping' AND @StopOutcome = 'Cancelled'
        SELECT @Status = 'Cancelled', @LogOutcome = 'Cancelled';
    ELSE IF @Found = 'Stopping' -- a timeout is a failure, however the attempt ended after it
        SELECT @Status = 'TimedOut', @LogOutcome = 'TimedOut';
    ELSE IF @Outcome = 'Orphaned'
        SELECT @Status = CASE WHEN @OnOrphan = 'Retry' AND @Orphans <= @MaxOrphans AND @Goes = 1 THEN 'Pending' ELSE 'Failed' END,
               @LogOutcome = 'Orphaned';
    -- Not the task's fault: it waits a minute, then as long as it has waited, at most ten minutes.
    ELSE IF @Outcome = 'Outage' AND @Lasts < @OutageSeconds AND @Goes = 1
        SELECT @Status = 'Waiting', @LogOutcome = 'Outage',
               @Delay = CASE WHEN @Lasts > 600 THEN 600 WHEN @Lasts > 60 THEN @Lasts ELSE 60 END;
    ELSE
        SELECT @Status = 'Failed', @LogOutcome = 'Failed';

    -- Report why the session was ended, not that it died.
    IF @Outcome = 'Orphaned' AND @LogOutcome = 'Cancelled'
        SELECT @ErrorNumber = 51028, @ErrorMessage = N'dbsched 51028: the task was cancelled while it was running.';
    ELSE IF @Outcome = 'Orphaned' AND @LogOutcome = 'TimedOut'
        SELECT @ErrorNumber = 51029, @ErrorMessage = N'dbsched 51029: the task ran longer than its @TimeoutSeconds, '
                                                   + CONVERT(nvarchar(20), @TimeoutSeconds) + N' seconds, and was ended.';

    IF @LogOutcome NOT IN ('Failed', 'TimedOut') OR @Failures >= @MaxAttempts OR @Again = 0 OR @Goes = 0
        RETURN;

    -- Each pause is twice as long as the one before.
    SET @Delay = @RetryDelay * POWER(CONVERT(bigint, 2), CASE WHEN @Failures > 20 THEN 19 ELSE @Failures - 1 END);
    IF @Delay > @MaxRetryDelay
        SET @Delay = @MaxRetryDelay;
    SET @Status = CASE WHEN @Delay > 0 THEN 'Waiting' ELSE 'Pending' END;
END;
GO
-- Procedure: HaltProcess
-- Purpose: Ends a process after a task failed: tasks that have not started are skipped. Joins the caller's transaction, which holds
-- the lock on the process row.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @TaskId bigint (required): the failed task
--   @LaneId int (required): lane that ran it
--   @ErrorMessage nvarchar(4000) (required): its error; NULL = none
CREATE OR ALTER PROCEDURE [dbsched].HaltProcess
    @ProcessId int,
    @TaskId bigint,
    @LaneId int,
    @ErrorMessage nvarchar(4000)
AS
BEGIN
    DECLARE @Message nvarchar(2000), @ScheduleId int;

    -- The status first: workers choose among processes without locks. While many tasks are skipped, they choose
    -- other processes instead of waiting for this one.
    UPDATE p
    SET p.Status = 'Failed', p.FinishedAt = SYSUTCDATETIME(), p.HasWork = 0, @ScheduleId = p.ScheduleId
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    UPDATE t
    SET t.Status = 'Skipped', t.WaitReason = NULL, t.DueAt = NULL, t.FinishedAt = SYSUTCDATETIME()
    FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL AND t.Status IN ('Pending', 'Waiting')
    OPTION (MAXDOP 1);

    EXEC [dbsched].LeaveResourceLine @ProcessId;

    SET @Message = N'Task ' + CONVERT(nvarchar(20), @TaskId) + N' failed, so its process was halted. Tasks that had not started were skipped.'
                 + N' Fix the cause, then call RetryProcess. ' + ISNULL(LEFT(@ErrorMessage, 1500), N'');
    EXEC [dbsched].RaiseAlarm @Kind = 'ProcessFailed', @Message = @Message, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;

    IF @ScheduleId IS NOT NULL
        EXEC [dbsched].NextFiring @ScheduleId;
END;
GO
-- Procedure: FailTask
-- Purpose: Records an attempt that did not succeed, and what follows: a retry, or the end of the task and perhaps of its process.
-- Access: private; part of CompleteAttempt's transaction.
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @LaneId int (required): lane that ran it
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Outcome varchar(10) (required): Failed, Orphaned or Outage
--   @Rows bigint (required): rows of the last statement
--   @ErrorNumber int (required): error that ended the attempt
--   @ErrorMessage nvarchar(4000) (required): its text
--   @ErrorProcedure nvarchar(300) (required): procedure that raised it
--   @ErrorLine int (required): its line
--   @Order int OUTPUT: wave of the task; NULL = the attempt no longer belongs to @WorkerId
-- Errors: none raised. An alarm tells of this error of a task:
--   51037: REVERT in the task undid more than the task's own EXECUTE AS
CREATE OR ALTER PROCEDURE [dbsched].FailTask
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @LaneId int,
    @WorkerId uniqueidentifier,
    @Outcome varchar(10),
    @Rows bigint,
    @ErrorNumber int,
    @ErrorMessage nvarchar(4000),
    @ErrorProcedure nvarchar(300),
    @ErrorLine int,
    @Order int OUTPUT
AS
BEGIN
    DECLARE @Status varchar(10), @LogOutcome varchar(10), @Delay bigint, @Ended bit = 0, @Halts bit, @Now datetime2(3) = SYSUTCDATETIME();
    DECLARE @ScheduleId int, @Alarm nvarchar(2000);

    SET @Order = NULL;

    EXEC [dbsched].DecideRetry @ProcessId, @TaskId, @LogId, @WorkerId, @Outcome, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT,
                                 @Status OUTPUT, @LogOutcome OUTPUT, @Delay OUTPUT;
    IF @Status IS NULL
        RETURN;

    -- A retry must not touch, and so not lock, its entry in IX_Tasks_Unfinished: the barrier reads that index with READPAST, and this
    -- transaction may release the process row before its other locks.
    IF @Status IN ('Pending', 'Waiting')
        UPDATE t
        SET @Order = t.ExecutionOrder, t.Status = @Status,
            t.Failures = t.Failures + CASE WHEN @LogOutcome IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END,
            t.Orphans = t.Orphans + CASE WHEN @LogOutcome = 'Orphaned' THEN 1 ELSE 0 END,
            t.OutageSince = CASE WHEN @Outcome = 'Outage' THEN ISNULL(t.OutageSince, @Now) END,
            t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL,
            t.WaitReason = CASE WHEN @LogOutcome = 'Outage' THEN 'Outage' WHEN @Status = 'Waiting' THEN 'Retry' END,
            t.DueAt = CASE WHEN @Status = 'Waiting' THEN DATEADD(second, CONVERT(int, @Delay), @Now) END
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;
    ELSE
        UPDATE t
        SET @Order = t.ExecutionOrder, t.Status = @Status,
            t.Failures = t.Failures + CASE WHEN @LogOutcome IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END,
            t.Orphans = t.Orphans + CASE WHEN @LogOutcome = 'Orphaned' THEN 1 ELSE 0 END,
            t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL, t.FinishedAt = @Now,
            -- The key of a schedule's task, see FireSchedules.
            @ScheduleId = CASE WHEN t.ProcessId = 0 THEN TRY_CONVERT(int, LEFT(t.DedupKey, CHARINDEX(N'@', t.DedupKey + N'@') - 1)) END
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

    UPDATE g
    SET g.EndedAt = @Now, g.Outcome = @LogOutcome, g.RowsAffected = @Rows,
        g.ErrorNumber = @ErrorNumber, g.ErrorMessage = @ErrorMessage, g.ErrorProcedure = @ErrorProcedure, g.ErrorLine = @ErrorLine
    FROM [dbsched].Logs AS g WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE g.LogId = @LogId;

    IF @Status IN ('Failed', 'TimedOut')
        SET @Ended = 1;

    UPDATE p
    SET p.Running = CASE WHEN p.Running > 0 THEN p.Running - 1 ELSE 0 END,
        p.TasksFailed = p.TasksFailed + @Ended,
        p.WaveOrder = CASE WHEN @Status <> 'Pending' THEN p.WaveOrder END,
        @Halts = CASE WHEN p.OnError = 'Halt' AND p.Status IN ('Open', 'Closing') THEN @Ended ELSE 0 END
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    IF @Halts = 1
        EXEC [dbsched].HaltProcess @ProcessId, @TaskId, @LaneId, @ErrorMessage;
    ELSE IF @Ended = 1 AND @ProcessId = 0
    BEGIN
        SET @Alarm = N'A schedule fired, but its process could not be made, see ScheduleLog. ' + ISNULL(LEFT(@ErrorMessage, 1500), N'');
        EXEC [dbsched].RaiseAlarm @Kind = 'ScheduleFailed', @Message = @Alarm, @ProcessId = 0, @TaskId = @TaskId, @LaneId = @LaneId;
    END;

    IF @ScheduleId IS NOT NULL
        EXEC [dbsched].NextFiring @ScheduleId;

    -- Without the task's number: one alarm for all tasks with the same trouble.
    IF @LogOutcome = 'Outage'
    BEGIN
        SET @Alarm = N'The server could not begin a task, which is not the task''s fault. Such tasks wait (WaitReason Outage) and are tried again,'
                   + N' for OutageSeconds at most. ' + LEFT(@ErrorMessage, 1500);
        EXEC [dbsched].RaiseAlarm @Kind = 'Outage', @Message = @Alarm, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;
    END;

    IF @ErrorNumber = 51037
        EXEC [dbsched].RaiseAlarm @Kind = 'WorkerError', @Message = @ErrorMessage, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;

    -- A retry needs the timer.
    IF @Status = 'Waiting'
        EXEC [dbsched].WakeOnce;

    -- The task's resource, and any that it acquired itself. A retry joins the line again.
    IF EXISTS (SELECT 1 FROM [dbsched].ResourceRequests AS r WITH (NOLOCK)
               WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL AND r.TaskId = @TaskId)
        EXEC [dbsched].LeaveResourceLine @ProcessId, @TaskId;
END;
GO
-- Procedure: CompleteAttempt
-- Purpose: Records how an attempt ended, in a transaction of its own, so that nothing else can prevent it. Changes nothing unless the attempt still
-- belongs to @WorkerId; for a dead worker, the session that found it dead calls this. Inside a transaction of the caller, joins it and
-- raises errors.
-- Access: private; called by a worker that holds its lane's lock, and by RecoverLane.
-- Parameters:
--   @LaneId int (required): lane that ran it
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @Outcome varchar(10) (required): Succeeded, Failed, Orphaned or Outage
--   @Rows bigint = NULL: rows of the last statement
--   @ErrorNumber int = NULL: error that ended it
--   @ErrorMessage nvarchar(4000) = NULL: its text
--   @ErrorProcedure nvarchar(300) = NULL: procedure that raised it
--   @ErrorLine int = NULL: its line
--   @Result varchar(10) = NULL OUTPUT: Ended, or Lost: the attempt no longer belongs to this worker, or is an orphan that cannot be recorded now
-- Errors: none raised outside a transaction, but retried for ever, with an alarm each minute. So is 51011:
--   51011: the handover lock was not granted
CREATE OR ALTER PROCEDURE [dbsched].CompleteAttempt
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @Outcome varchar(10),
    @Rows bigint = NULL,
    @ErrorNumber int = NULL,
    @ErrorMessage nvarchar(4000) = NULL,
    @ErrorProcedure nvarchar(300) = NULL,
    @ErrorLine int = NULL,
    @Result varchar(10) = NULL OUTPUT
AS
BEGIN
    DECLARE @Order int, @Held bit, @HadWork bit, @Tries int = 0, @Joined bit = @@TRANCOUNT;

    SET @Result = NULL;

    WHILE @Result IS NULL
    BEGIN
        BEGIN TRY
            BEGIN TRANSACTION;
            EXEC [dbsched].LockHandover @LaneId;

            IF @Outcome = 'Succeeded'
                EXEC [dbsched].SucceedTask @ProcessId, @TaskId, @LogId, @WorkerId, @Rows, @Order OUTPUT, @Held OUTPUT, @HadWork OUTPUT;
            ELSE
                EXEC [dbsched].FailTask @ProcessId, @TaskId, @LogId, @LaneId, @WorkerId, @Outcome, @Rows,
                                          @ErrorNumber, @ErrorMessage, @ErrorProcedure, @ErrorLine, @Order OUTPUT;

            IF @Order IS NOT NULL -- the lane takes the first task of a new wave
                EXEC [dbsched].EndWave @ProcessId, @Order, 1, @Outcome;

            IF @Order IS NULL AND @Joined = 0 -- a caller with a transaction rolls back
                ROLLBACK TRANSACTION;
            ELSE
                COMMIT TRANSACTION;
            SET @Result = CASE WHEN @Order IS NULL THEN 'Lost' ELSE 'Ended' END;
        END TRY
        BEGIN CATCH
            IF @Joined = 1 -- the caller must first roll back the work of the transactional task
                THROW;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            SET @Tries = @Tries + 1;
            IF @Tries % 20 = 16
                EXEC [dbsched].AlarmOfError @Kind = 'LostCompletion', @What = N'The end of an attempt cannot be recorded, and is retried: ',
                                              @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;

            -- The work is done and must not be done twice, so its own worker never gives up. A session that reports a dead worker does, at
            -- once if another one holds the process (51023: see RecoverLane); the next sweep, or worker in its lane, tries again.
            IF @Outcome = 'Orphaned' AND (@Tries = 16 OR (@ErrorNumber = 51023 AND ERROR_NUMBER() = 1222))
                SET @Result = 'Lost';

            IF @Tries <= 5
                WAITFOR DELAY '00:00:00.050';
            ELSE
                WAITFOR DELAY '00:00:03';
        END CATCH;
    END;
END;
GO
-- Procedure: NextTask
-- Purpose: Records that the worker's last task succeeded and gives it the next, in one transaction: a task costs one commit. What did not succeed
-- has been recorded alone (CompleteAttempt).
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @OnlyUserId int = NULL: claim only tasks of this database principal; NULL = of any user
--   @Rows bigint = NULL: rows of the last statement of the task that succeeded
--   @CountedFor int = NULL OUTPUT: value of MaxWorkers when the lanes were last counted, and this lane has been Busy since; NULL = it is not
--   @Result varchar(10) = NULL OUTPUT: pass NULL. Task, None (nothing claimable), Stopped, Limit (enough other workers), OtherUser, Ended (recorded,
--   nothing claimed) or Lost (the attempt no longer belongs to this worker)
--   @ProcessId int = NULL OUTPUT: in: process of the task that succeeded; out: of the task to run; so for the next two
--   @TaskId bigint = NULL OUTPUT: the task
--   @LogId bigint = NULL OUTPUT: log row of its attempt; NULL = none
--   @Transactional bit = NULL OUTPUT: 1 = task and completion are one transaction
--   @UserId int = NULL OUTPUT: principal that enqueued it
-- Errors: deadlocks, timeouts and similar errors are retried ten times, and so is 51011:
--   51011: the handover lock was not granted
CREATE OR ALTER PROCEDURE [dbsched].NextTask
    @LaneId int,
    @WorkerId uniqueidentifier,
    @OnlyUserId int = NULL,
    @Rows bigint = NULL,
    @CountedFor int = NULL OUTPUT,
    @Result varchar(10) = NULL OUTPUT,
    @ProcessId int = NULL OUTPUT,
    @TaskId bigint = NULL OUTPUT,
    @LogId bigint = NULL OUTPUT,
    @Transactional bit = NULL OUTPUT,
    @UserId int = NULL OUTPUT
AS
BEGIN
    -- What succeeded: NULL once its end is committed, or if there is nothing to record.
    DECLARE @EndedProcessId int = CASE WHEN @LogId IS NOT NULL THEN @ProcessId END, @EndedTaskId bigint = @TaskId, @EndedLogId bigint = @LogId;
    DECLARE @EndedOrder int, @Held bit, @HadWork bit, @Looked bit, @Leaves bit, @Taken int;
    -- What comes next.
    DECLARE @Policy varchar(10), @Locked bit, @ChosenId bigint, @Order int, @Rank decimal(27, 0), @Keep bit, @Early bit;
    DECLARE @Turns int = 0, @Tries int = 0, @Home bit;

    WHILE @Result IS NULL
    BEGIN
        BEGIN TRY
            SELECT @ProcessId = NULL, @TaskId = NULL, @LogId = NULL, @EndedOrder = NULL, @Held = 0, @HadWork = 1, @Looked = 0,
                   @Locked = 0, @Order = NULL, @Early = 0;

            BEGIN TRANSACTION;
            EXEC [dbsched].LockHandover @LaneId;
            EXEC [dbsched].MayClaim @LaneId, @CountedFor OUTPUT, @Policy OUTPUT, @Result OUTPUT;

            IF @EndedLogId IS NOT NULL
                EXEC [dbsched].SucceedTask @EndedProcessId, @EndedTaskId, @EndedLogId, @WorkerId, @Rows,
                                             @EndedOrder OUTPUT, @Held OUTPUT, @HadWork OUTPUT;
            IF @EndedLogId IS NOT NULL AND @EndedOrder IS NULL
            BEGIN
                SET @Result = 'Lost';
                ROLLBACK TRANSACTION;
                BREAK;
            END;

            -- Who claims nothing more in this transaction leaves the process to others. And without HasWork nobody would find what is left.
            IF @Result IS NOT NULL OR @Held = 1 OR @HadWork = 0
                SET @Looked = 1;
            IF @Looked = 1 AND @EndedLogId IS NOT NULL
                EXEC [dbsched].EndWave @EndedProcessId, @EndedOrder, 1, 'Succeeded';

            -- Who holds the lock on a resource must not wait for that of another: it claims in the next transaction.
            IF @Result IS NULL AND @Held = 0
            BEGIN
                EXEC [dbsched].ChooseProcess @Policy, @EndedProcessId, @Turns OUTPUT, @ProcessId OUTPUT, @Locked OUTPUT;
                IF @ProcessId IS NULL
                    SET @Result = 'None';
            END;

            IF @Locked = 1
                EXEC [dbsched].ChooseTask @ProcessId, @OnlyUserId, @TaskId OUTPUT, @Order OUTPUT, @Rank OUTPUT,
                                            @Keep OUTPUT, @Early OUTPUT, @Result OUTPUT;
            IF @Locked = 1 AND @Order IS NULL AND @EndedLogId IS NULL -- the second look finds tasks that were committed during the first
                EXEC [dbsched].EndWave @ProcessId, NULL, 1, NULL;

            SET @ChosenId = @TaskId;
            IF @TaskId IS NOT NULL
                EXEC [dbsched].AdmitTask @LaneId, @WorkerId, @ProcessId, @TaskId OUTPUT, @CountedFor OUTPUT, @Result OUTPUT;
            IF @ChosenId IS NOT NULL AND @TaskId IS NULL AND @Result IS NULL AND @Keep = 0
                EXEC [dbsched].PassTask @ProcessId, @Order, @Rank, @ChosenId;

            -- Does it leave work to others? It goes elsewhere, or on to a new wave, which may need more workers than this one.
            SET @Leaves = CASE WHEN @TaskId IS NULL AND @ProcessId IS NOT NULL THEN 1
                               WHEN @Looked = 1 THEN 0
                               WHEN @TaskId IS NULL OR @Order > @EndedOrder THEN 1 ELSE 0 END;
            SET @Taken = CASE WHEN @ProcessId = @EndedProcessId THEN 1 ELSE 0 END;
            IF @Leaves = 1 AND @EndedLogId IS NOT NULL
                EXEC [dbsched].EndWave @EndedProcessId, @EndedOrder, @Taken, 'Succeeded';

            IF @TaskId IS NOT NULL
                EXEC [dbsched].StartAttempt @LaneId, @WorkerId, @ProcessId, @TaskId, @Order, @Rank, @Keep,
                                              @LogId OUTPUT, @Transactional OUTPUT, @UserId OUTPUT;
            COMMIT TRANSACTION;

            SELECT @EndedProcessId = NULL, @EndedTaskId = NULL, @EndedLogId = NULL;
            IF @TaskId IS NOT NULL
                SET @Result = 'Task';

            -- Another server or name: work continues after a failover, but not in a copy.
            IF @Result = 'Moved'
            BEGIN
                EXEC [dbsched].ComeHome 0, 0, NULL, NULL, @Home OUTPUT;
                SET @Result = CASE WHEN @Home = 0 THEN 'Stopped' END;
            END;

            IF @Early = 1
                WAITFOR DELAY '00:00:00.010';
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            SELECT @Result = NULL, @CountedFor = NULL;

            IF @EndedLogId IS NULL
            BEGIN
                IF ERROR_NUMBER() <> 1222 -- it may wait for a process for as long as another session halts it
                    SET @Tries = @Tries + 1;
                IF @Tries >= 10 OR ERROR_NUMBER() NOT IN (601, 1205, 1222, 3960, 51011)
                    THROW;
            END;

            WAITFOR DELAY '00:00:00.050';
            IF @EndedLogId IS NOT NULL -- the work is done: nothing about the next task may prevent its record
                EXEC [dbsched].CompleteAttempt @LaneId, @WorkerId, @EndedProcessId, @EndedTaskId, @EndedLogId, 'Succeeded', @Rows,
                                                 @Result = @Result OUTPUT;
        END CATCH;
    END;
END;
GO
-- Procedure: RunTaskText
-- Purpose: Runs a task's batch with its bound values, and catches its errors. Called as the user that enqueued the task; only the ownership
-- chain gives that user access. The signed modules of render --trust call it, so its parameters must not change.
-- Access: private
-- Parameters:
--   @SqlText nvarchar(max) (required): the batch
--   @Parameters nvarchar(max) (required): values bound to the batch; NULL = none
--   @TransactionId bigint (required): the task's open transaction; NULL = none
--   @Rows bigint OUTPUT: rows of its last statement
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: procedure that raised it; NULL = the batch
--   @ErrorLine int OUTPUT: its line
-- Errors: none raised; returns the task's error, or
--   51020: the task left a transaction open
--   51035: a transactional task ended or replaced its transaction
CREATE OR ALTER PROCEDURE [dbsched].RunTaskText
    @SqlText nvarchar(max),
    @Parameters nvarchar(max),
    @TransactionId bigint,
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
AS
BEGIN
    -- The task has its worker's settings (RunLane, ManualWorker), and these. What it sets ends with it (SET Statements, Remarks), but not CONTEXT_INFO.
    SET XACT_ABORT OFF;
    SET CONTEXT_INFO 0x;

    -- One level down, so that compilation errors (a missing table, a misspelled keyword) are caught too.
    BEGIN TRY
        -- The values stay in the JSON: the generated batch depends only on names and types, so equal ones share a plan.
        -- Each value was checked when the task was enqueued, and the generated batch runs as the user.
        IF @Parameters IS NULL
            EXEC sys.sp_executesql @SqlText;
        ELSE
        BEGIN
            DECLARE @Declaration nvarchar(max), @Binding nvarchar(max);

            SELECT @Declaration = STUFF((SELECT N', @' + p.Name + N' ' + p.SqlType
                                         FROM [dbsched].ReadParameters(@Parameters) AS p
                                         ORDER BY p.Name
                                         FOR XML PATH('')), 1, 2, N''),
                   @Binding = (SELECT N'DECLARE @p_' + p.Name + N' ' + p.SqlType + N' = (SELECT CONVERT(' + p.SqlType + N', j.[value]'
                                      + CASE WHEN p.SqlType LIKE N'varbinary%' THEN N', 1' ELSE N'' END
                                      + N') FROM OPENJSON(@Parameters) AS j WHERE j.[key] = N' + QUOTENAME(p.Member, '''') + N'); '
                               FROM [dbsched].ReadParameters(@Parameters) AS p
                               ORDER BY p.Name
                               FOR XML PATH(''))
                            + N'EXEC sys.sp_executesql @SqlText, @Declaration'
                            + (SELECT N', @p_' + p.Name
                               FROM [dbsched].ReadParameters(@Parameters) AS p
                               ORDER BY p.Name
                               FOR XML PATH(''))
                            + N';';

            IF @Binding IS NULL
                EXEC sys.sp_executesql @SqlText;
            ELSE
                EXEC sys.sp_executesql @Binding, N'@SqlText nvarchar(max), @Declaration nvarchar(max), @Parameters nvarchar(max)',
                                       @SqlText, @Declaration, @Parameters;
        END;

        SET @Rows = @@ROWCOUNT;
    END TRY
    BEGIN CATCH
        SELECT @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
    END CATCH;

    IF XACT_STATE() <> 0 OR @TransactionId IS NOT NULL
    BEGIN
        -- A transactional task that lost its transaction must have no further effect. Roll back whatever is open, and leave
        -- this procedure with as many transactions as it was entered with (266).
        IF @TransactionId IS NOT NULL AND (XACT_STATE() = 0 OR CURRENT_TRANSACTION_ID() <> @TransactionId)
        BEGIN
            SET @ErrorMessage = LEFT(N'dbsched 51035: a transactional task must not end or replace its transaction.'
                                     + N' Remove COMMIT and ROLLBACK from it.'
                                     + CASE WHEN @ErrorNumber = 266 OR @ErrorNumber IS NULL THEN N''
                                            ELSE N' It ended with error ' + CONVERT(nvarchar(20), @ErrorNumber) + N': ' + @ErrorMessage END, 4000);
            SELECT @ErrorNumber = 51035, @ErrorProcedure = NULL, @ErrorLine = NULL;
        END;

        IF @TransactionId IS NOT NULL AND @ErrorNumber IS NULL AND XACT_STATE() = 1 AND @@TRANCOUNT = 1
            RETURN;

        IF XACT_STATE() <> 0
        BEGIN
            ROLLBACK TRANSACTION;

            -- 266 is SQL Server's own error for it.
            IF @ErrorNumber IS NULL OR @ErrorNumber = 266
                SELECT @ErrorNumber = 51020, @ErrorProcedure = NULL, @ErrorLine = NULL,
                       @ErrorMessage = N'dbsched 51020: the task left a transaction open, which was rolled back.'
                                     + N' Commit or roll back in the batch that begins it.';
        END;

        IF @TransactionId IS NOT NULL
            BEGIN TRANSACTION;
    END;
END;
GO
-- Procedure: RunTask
-- Purpose: Runs a task's batch as the user that enqueued it, never with more rights, and cleans up the session afterwards.
-- Access: private; runs as the owner, which may impersonate any user of the database.
-- Parameters:
--   @TaskId bigint (required): the task
--   @TransactionId bigint (required): the task's open transaction; NULL = none. After an error, a new, empty transaction is open
--   @Outcome varchar(10) OUTPUT: Succeeded; Failed; Outage: the server could not begin it, or took all of it back for a reason of its own;
--       Orphaned: such a reason ended it, and part of its work may be done
--   @Rows bigint OUTPUT: rows of its last statement; pass NULL for it and all outputs below
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: procedure that raised it; NULL = the batch
--   @ErrorLine int OUTPUT: its line
-- Errors: none raised; returns the task's error, or
--   51020: the task left a transaction open
--   51035: a transactional task ended or replaced its transaction
--   51021: the user that enqueued the task no longer exists, or is another user of that name
--   51022: the user cannot be impersonated
--   51037: REVERT in the task undid more than the task's own EXECUTE AS
--   51040: the resource of the task was dropped
--   51048: the conditions of other databases' trust are no longer met (raised by the signed module)
CREATE OR ALTER PROCEDURE [dbsched].RunTask
    @TaskId bigint,
    @TransactionId bigint,
    @Outcome varchar(10) OUTPUT,
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    SET LOCK_TIMEOUT -1;
    DECLARE @SqlText nvarchar(max), @Parameters nvarchar(max), @UserId int, @UserName nvarchar(128), @UserExists bit, @Dropped bit;
    DECLARE @Module nvarchar(300), @Result int, @Begun bit = 0, @Command nvarchar(400), @Round int;
    -- What sp_cursor_list returns.
    DECLARE @Cursors CURSOR, @Reference nvarchar(128), @Cursor nvarchar(128), @Scope int, @CursorStatus int, @Model int, @Concurrency int,
            @Scrollable int, @Open int, @CursorRows bigint, @Fetched int, @Columns int, @LastRows bigint, @LastOperation int, @CursorHandle int;

    BEGIN TRY
        -- Nobody changes these while the task runs.
        SELECT @SqlText = t.SqlText, @Parameters = t.Parameters, @UserId = t.EnqueuedById, @UserName = t.EnqueuedByName,
               -- dbo is the current owner of the database. Every other user must be the same principal with the same SID.
               @UserExists = CASE WHEN USER_NAME(t.EnqueuedById) = t.EnqueuedByName
                                       AND EXISTS (SELECT 1 FROM sys.database_principals AS u
                                                   WHERE u.principal_id = t.EnqueuedById AND (u.principal_id = 1 OR u.sid = t.EnqueuedBySid))
                                  THEN 1 ELSE 0 END,
               -- Whoever has been granted it keeps it from being dropped.
               @Dropped = CASE WHEN t.ResourceId IS NOT NULL
                                    AND NOT EXISTS (SELECT 1 FROM [dbsched].Resources AS s WITH (NOLOCK) WHERE s.ResourceId = t.ResourceId)
                               THEN 1 ELSE 0 END
        FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
        WHERE t.TaskId = @TaskId;

        IF @UserExists = 1 AND @Dropped = 0 AND OBJECT_ID(N'[dbsched]' + N'.RunAs_' + CONVERT(nvarchar(10), @UserId), N'P') IS NULL
        BEGIN
            BEGIN TRY
                EXECUTE AS USER = @UserName;
            END TRY
            BEGIN CATCH
                SELECT @Outcome = 'Outage', @ErrorNumber = 51022,
                       @ErrorMessage = N'dbsched 51022: the user ' + QUOTENAME(@UserName) + N' cannot be impersonated: ' + ERROR_MESSAGE();
                RETURN;
            END CATCH;

            -- REVERT in the task undoes only the task's own EXECUTE AS (REVERT, Remarks: "applicable only to EXECUTE AS
            -- statements defined in the module").
            SET @Begun = 1;
            EXEC [dbsched].RunTaskText @SqlText, @Parameters, @TransactionId,
                                         @Rows OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;

            IF DATABASE_PRINCIPAL_ID() <> @UserId
                SELECT @ErrorNumber = 51037, @ErrorProcedure = NULL, @ErrorLine = NULL,
                       @ErrorMessage = N'dbsched 51037: REVERT in the task ended its impersonation of ' + QUOTENAME(@UserName)
                                     + N', so on this server tasks can get the rights of dbsched''s owner. Stop the scheduler: dbsched stop --now.';

            REVERT;
        END
        ELSE IF @UserExists = 0
            SELECT @ErrorNumber = 51021,
                   @ErrorMessage = N'dbsched 51021: the user ' + QUOTENAME(@UserName)
                                 + N' that enqueued the task no longer exists. Enqueue it again as an existing user.';
        ELSE IF @Dropped = 1
            SELECT @ErrorNumber = 51040,
                   @ErrorMessage = N'dbsched 51040: the resource of the task was dropped.'
                                 + N' Create it again with DefineResource, then enqueue the task again.';
        -- A trusted user has a signed module (dbsched render --trust), which reads the task's text itself. Never run the text here, with the
        -- owner's rights.
        ELSE
        BEGIN
            SET @Module = N'[dbsched]' + N'.RunAs_' + CONVERT(nvarchar(10), @UserId);
            EXEC @Result = @Module @TaskId, @TransactionId,
                                   @Rows OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;
        END;
        -- 15404: no domain controller answers for a Windows user, such as the owner of a procedure that the task called.
        SET @Outcome = CASE WHEN @ErrorNumber IS NULL THEN 'Succeeded' WHEN @ErrorNumber <> 15404 THEN 'Failed'
                            WHEN @TransactionId IS NULL THEN 'Orphaned' ELSE 'Outage' END;
    END TRY
    BEGIN CATCH
        -- Not the task's own error, which RunTaskText catches, but one outside the task. The signed module raises errors only before it.
        SELECT @Outcome = CASE WHEN ERROR_NUMBER() = 51048 THEN 'Failed' WHEN @Begun = 1 THEN 'Orphaned' ELSE 'Outage' END,
               @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
        IF @TransactionId IS NULL AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        RETURN;
    END CATCH;

    -- Global cursors last as long as the session: the next task could not declare one of the same name (16915).
    -- If listing them fails, the next task may get that error; this task has run anyway.
    BEGIN TRY
Next:
        EXEC sys.sp_cursor_list @cursor_return = @Cursors OUTPUT, @cursor_scope = 2;
        FETCH NEXT FROM @Cursors INTO @Reference, @Cursor, @Scope, @CursorStatus, @Model, @Concurrency, @Scrollable, @Open,
                                      @CursorRows, @Fetched, @Columns, @LastRows, @LastOperation, @CursorHandle;

        -- The list cursor itself ends with its variable.
        IF @@FETCH_STATUS = 0
        BEGIN
            DEALLOCATE @Cursors;
            SELECT @Round = ISNULL(@Round, 0) + 1, @Command = N'DEALLOCATE GLOBAL ' + QUOTENAME(@Cursor) + N';';
            EXEC sys.sp_executesql @Command;
            IF @Round < 100
                GOTO Next;
        END;
    END TRY
    BEGIN CATCH
        SET @Round = 100;
    END CATCH;
END;
GO
-- Procedure: RunTransaction
-- Purpose: Runs a transactional task, and commits its work with the record of its end: both or neither.
-- Access: private; called by WorkLane, outside a transaction.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint OUTPUT: log row of the attempt; NULL = its end is recorded
--   @Outcome varchar(10) OUTPUT: see RunTask; and Orphaned: the work was undone, because its end could not be recorded
--   @Rows bigint OUTPUT: rows of its last statement; pass NULL for it and all outputs below
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: procedure that raised it; NULL = the batch
--   @ErrorLine int OUTPUT: its line
CREATE OR ALTER PROCEDURE [dbsched].RunTransaction
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint OUTPUT,
    @Outcome varchar(10) OUTPUT,
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
AS
BEGIN
    DECLARE @TransactionId bigint, @Result varchar(10);

    BEGIN TRANSACTION;
    SET @TransactionId = CURRENT_TRANSACTION_ID();

    EXEC [dbsched].RunTask @TaskId, @TransactionId, @Outcome OUTPUT, @Rows OUTPUT,
                             @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;

    IF @ErrorNumber IS NULL
    BEGIN
        -- The work commits with the record of its end, or not at all: wait for any lock, and be no deadlock victim.
        SET LOCK_TIMEOUT -1;
        SET DEADLOCK_PRIORITY HIGH;

        BEGIN TRY
            EXEC [dbsched].CompleteAttempt @LaneId, @WorkerId, @ProcessId, @TaskId, @LogId, @Outcome, @Rows, @Result = @Result OUTPUT;

            -- That the attempt is lost shows again when NextTask or CompleteAttempt records it.
            IF @Result = 'Ended'
            BEGIN
                COMMIT TRANSACTION;
                SET @LogId = NULL;
            END;
        END TRY
        BEGIN CATCH
            -- Not the task's fault, and its work is rolled back: treat it as if its worker had died.
            SELECT @Outcome = 'Orphaned', @Rows = NULL,
                   @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
        END CATCH;
    END;

    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
END;
GO
-- Procedure: RecoverLane
-- Purpose: Ends the attempts that a dead worker left in a lane. Each task runs again or fails, as its OnOrphan says.
-- Access: private
-- Parameters:
--   @LaneId int (required): the lane
--   @WorkerId uniqueidentifier = NULL: the caller, if it holds the lane's lock and cleans up after its predecessor;
--       NULL = the caller does not hold the lock, and nothing is done while another session does
--   @Found bit = 0 OUTPUT: 1 = there was an attempt
CREATE OR ALTER PROCEDURE [dbsched].RecoverLane
    @LaneId int,
    @WorkerId uniqueidentifier = NULL,
    @Found bit = 0 OUTPUT
AS
BEGIN
    DECLARE @TaskId bigint, @LastLogId bigint, @ProcessId int, @LogId bigint, @DeadWorkerId uniqueidentifier, @Held bit = 0;
    DECLARE @Resource nvarchar(255) = N'lane:' + CONVERT(nvarchar(10), @LaneId);

    -- Deleted records of all attempts before may still be in the index.
    SET @LastLogId = ISNULL((SELECT l.FromLogId FROM [dbsched].Lanes AS l WITH (NOLOCK) WHERE l.LaneId = @LaneId), 0);

    WHILE 1 = 1
    BEGIN
        SET @TaskId = NULL;

        -- Read the index only. Going on to the row would wait for it while holding the index entry, and a session that ends
        -- the attempt holds the row and waits for the entry: a deadlock.
        SELECT TOP (1) @TaskId = t.TaskId, @DeadWorkerId = t.WorkerId, @LogId = t.LogId
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Worker))
        WHERE t.LaneId = @LaneId AND t.WorkerId IS NOT NULL AND t.LogId > @LastLogId
          AND (@WorkerId IS NULL OR t.WorkerId <> @WorkerId)
        ORDER BY t.LogId
        OPTION (MAXDOP 1);

        IF @TaskId IS NULL
            BREAK;

        -- Tested after reading the row: if the lock is free now, the worker in the row is dead. APPLOCK_TEST also returns 1 to
        -- the session that holds the lock, such as a task that called Sweep.
        IF @WorkerId IS NULL AND (APPLOCK_TEST(N'dbsched_locks', @Resource, 'Exclusive', 'Session') = 0
                                  OR APPLOCK_MODE(N'dbsched_locks', @Resource, 'Session') <> N'NoLock')
            BREAK;

        SELECT @LastLogId = @LogId, @ProcessId = NULL, @Found = 1;

        SELECT @ProcessId = t.ProcessId, @LogId = t.LogId
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId AND t.WorkerId = @DeadWorkerId;

        IF @WorkerId IS NULL AND @ProcessId IS NOT NULL -- the dispatcher must not wait for a process that another session holds
        BEGIN
            BEGIN TRANSACTION;
            EXEC [dbsched].LockProcess @ProcessId, @Held OUTPUT;
            COMMIT TRANSACTION;
        END;

        IF @ProcessId IS NULL OR @Held = 1
            CONTINUE;

        SET LOCK_TIMEOUT 1000; -- see WorkLane
        EXEC [dbsched].CompleteAttempt
            @LaneId = @LaneId, @WorkerId = @DeadWorkerId, @ProcessId = @ProcessId, @TaskId = @TaskId, @LogId = @LogId,
            @Outcome = 'Orphaned', @ErrorNumber = 51023, @ErrorMessage = N'dbsched 51023: the worker died while it was running this task.';
        SET LOCK_TIMEOUT -1;
    END;
END;
GO
-- Procedure: EnterLane
-- Purpose: Makes the calling session the worker of a lane: takes the lane's lock and recovers the attempts of a dead predecessor.
-- Access: private
-- Parameters:
--   @LaneId int (required): the lane
--   @WaitMilliseconds int = 2000: longest wait for the lock, in milliseconds
--   @WorkerId uniqueidentifier OUTPUT: the new worker; NULL = another session holds the lane
CREATE OR ALTER PROCEDURE [dbsched].EnterLane
    @LaneId int,
    @WaitMilliseconds int = 2000,
    @WorkerId uniqueidentifier OUTPUT
AS
BEGIN
    DECLARE @Granted int, @Found bit;
    DECLARE @Resource nvarchar(255) = N'lane:' + CONVERT(nvarchar(10), @LaneId);

    SET @WorkerId = NULL;

    -- Session locks are counted, and it is not documented whether Service Broker reuses a session: start without any.
    WHILE APPLOCK_MODE(N'dbsched_locks', @Resource, 'Session') <> N'NoLock'
        EXEC sys.sp_releaseapplock @Resource = @Resource, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';

    EXEC @Granted = sys.sp_getapplock @Resource = @Resource, @LockMode = 'Exclusive', @LockOwner = 'Session',
                                      @LockTimeout = @WaitMilliseconds, @DbPrincipal = N'dbsched_locks';
    IF @Granted < 0
        RETURN;

    BEGIN TRY
        SET @WorkerId = NEWID();
        EXEC [dbsched].RecoverLane @LaneId, @WorkerId, @Found OUTPUT;

        UPDATE l
        SET l.WorkerId = @WorkerId, l.SessionId = @@SPID, l.EnteredAt = SYSUTCDATETIME(),
            l.FromLogId = CASE @Found WHEN 1 THEN l.FromLogId
                               ELSE (SELECT TOP (1) g.LogId FROM [dbsched].Logs AS g WITH (NOLOCK) ORDER BY g.LogId DESC) END
        FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId;
    END TRY
    BEGIN CATCH
        EXEC sys.sp_releaseapplock @Resource = @Resource, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';
        THROW; -- without the output parameter, so the caller cannot leave the lane
    END CATCH;
END;
GO
-- Procedure: RepairQueues
-- Purpose: Turns dbsched's queues on again if they were turned off or start no reader, and raises an alarm.
-- Access: private
-- Parameters:
--   @Silent nvarchar(128) = NULL: a queue whose last reader ended before RECEIVE, so it starts no other; NULL = look at the dispatcher's
CREATE OR ALTER PROCEDURE [dbsched].RepairQueues
    @Silent nvarchar(128) = NULL
AS
BEGIN
    DECLARE @Name nvarchar(128) = N'', @Command nvarchar(1000), @Message nvarchar(2000);

    WHILE @Name IS NOT NULL
    BEGIN
        SELECT @Name = MIN(q.name)
        FROM sys.service_queues AS q
        WHERE q.schema_id = SCHEMA_ID(N'dbsched') AND q.name > @Name
          AND (q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0 OR q.name = @Silent
               OR (q.name = N'Dispatch' AND @Silent IS NULL AND EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                   WHERE s.Started = 1 AND s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME() AND s.NextSweepAt < DATEADD(second, -2 * s.IdleSweepSeconds - 60, SYSUTCDATETIME()))));

        IF @Name IS NOT NULL
        BEGIN
            SET @Message = N'The queue ' + @Name + N' was disabled or started no reader, and has been turned on again. If this repeats, find out what disables it or kills its sessions.';
            EXEC [dbsched].RaiseAlarm @Kind = 'QueueDisabled', @Message = @Message;

            SET @Command = REPLACE(N'ALTER QUEUE # WITH STATUS = ON, ACTIVATION (STATUS = OFF); ALTER QUEUE # WITH ACTIVATION (STATUS = ON);', N'#', N'[dbsched].' + QUOTENAME(@Name));
            EXEC (@Command);
        END;
    END;
END;
GO
-- Procedure: LeaveLane
-- Purpose: Ends the calling session's role as worker of a lane, and repairs what only a worker may notice.
-- Access: private
-- Parameters:
--   @LaneId int (required): the lane
--   @WorkerId uniqueidentifier (required): the worker
--   @Again bit = 0: 1 = more work: wake the lane for a new session
CREATE OR ALTER PROCEDURE [dbsched].LeaveLane
    @LaneId int,
    @WorkerId uniqueidentifier,
    @Again bit = 0
AS
BEGIN
    DECLARE @Resource nvarchar(255) = N'lane:' + CONVERT(nvarchar(10), @LaneId);

    BEGIN TRY
        BEGIN TRANSACTION;

        -- Keep Assigned: the dispatcher has just sent a wake-up, and Service Broker starts the next session for it.
        UPDATE l
        SET l.State = CASE WHEN @Again = 1 THEN 'Assigned' WHEN l.State = 'Busy' THEN 'Idle' ELSE l.State END,
            l.StateAt = SYSUTCDATETIME(),
            l.WorkerId = NULL, l.SessionId = NULL, l.EnteredAt = NULL
        FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

        IF @@ROWCOUNT = 1 AND @Again = 1
            EXEC [dbsched].SendWake @LaneId;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
    END CATCH;

    WHILE APPLOCK_MODE(N'dbsched_locks', @Resource, 'Session') <> N'NoLock'
        EXEC sys.sp_releaseapplock @Resource = @Resource, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';

    -- The dispatcher cannot repair its own queue or timer. A late sweep means that the timer may be gone.
    IF @Again = 0
    BEGIN
        EXEC [dbsched].RepairQueues;

        IF EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                   WHERE s.SettingsId = 1 AND s.Started = 1 AND s.NextSweepAt < DATEADD(second, -5, SYSUTCDATETIME()))
            EXEC [dbsched].ArmTimer @Seconds = 1;
    END;
END;
GO
-- Procedure: WorkLane
-- Purpose: Runs tasks one after another until no task is left or the worker must leave.
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @UserId int OUTPUT: principal whose tasks this session runs; NULL before the first task
--   @TasksRun int OUTPUT: number of tasks this session has run
--   @Outcome varchar(10) OUTPUT: pass NULL. Idle, Stopped, Limit, or a reason for a new session: OtherUser, Renew
CREATE OR ALTER PROCEDURE [dbsched].WorkLane
    @LaneId int,
    @WorkerId uniqueidentifier,
    @UserId int OUTPUT,
    @TasksRun int OUTPUT,
    @Outcome varchar(10) OUTPUT
AS
BEGIN
    DECLARE @Result varchar(10), @CountedFor int, @Leaves bit, @BeganAt datetime2(3) = SYSUTCDATETIME();
    -- The task: from NextTask, until its end is recorded.
    DECLARE @ProcessId int, @TaskId bigint, @LogId bigint, @Transactional bit, @TaskUserId int;
    -- How it ended.
    DECLARE @TaskOutcome varchar(10), @Rows bigint, @ErrorNumber int, @ErrorMessage nvarchar(4000), @ErrorProcedure nvarchar(300), @ErrorLine int;

    -- For claims: halting or cancelling many tasks locks a process row for long. Waiting for it, a claim would lock the settings, for
    -- which others wait. RunTask sets no limit for the task.
    SET LOCK_TIMEOUT 1000;

    WHILE @Outcome IS NULL
    BEGIN
        SET @Result = NULL;
        EXEC [dbsched].NextTask @LaneId, @WorkerId, @UserId, @Rows, @CountedFor OUTPUT, @Result OUTPUT,
                                  @ProcessId OUTPUT, @TaskId OUTPUT, @LogId OUTPUT, @Transactional OUTPUT, @TaskUserId OUTPUT;

        IF @Result = 'Task'
        BEGIN
            SELECT @TaskOutcome = NULL, @Rows = NULL, @ErrorNumber = NULL, @ErrorMessage = NULL, @ErrorProcedure = NULL, @ErrorLine = NULL;
            IF @Transactional = 1
                EXEC [dbsched].RunTransaction @LaneId, @WorkerId, @ProcessId, @TaskId, @LogId OUTPUT, @TaskOutcome OUTPUT, @Rows OUTPUT,
                                                @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;
            ELSE
                EXEC [dbsched].RunTask @TaskId, NULL, @TaskOutcome OUTPUT, @Rows OUTPUT,
                                         @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;

            -- After an error, or after many tasks, the state of the session is unknown: record the end, and leave.
            SELECT @TasksRun = @TasksRun + 1, @UserId = @TaskUserId, @Leaves = 0;
            IF @ErrorNumber IS NOT NULL OR @TasksRun >= 100 OR DATEDIFF(second, @BeganAt, SYSUTCDATETIME()) >= 600
                SET @Leaves = 1;
            IF @Leaves = 1 AND @LogId IS NOT NULL
                EXEC [dbsched].CompleteAttempt @LaneId, @WorkerId, @ProcessId, @TaskId, @LogId, @TaskOutcome, @Rows,
                                                 @ErrorNumber, @ErrorMessage, @ErrorProcedure, @ErrorLine;
            IF @Leaves = 1
                SET @Outcome = 'Renew';
            CONTINUE;
        END;

        SET LOCK_TIMEOUT -1;
        -- Set Idle first, then look once more: work that arrives between the two looks finds this lane idle. A worker that
        -- must leave sets Idle too; if the lane is Assigned after that, another message is on its way.
        UPDATE l
        SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME()
        FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId AND l.State <> 'Idle' AND @Result IN ('None', 'Stopped', 'Limit');

        -- Nothing was found: has something come since?
        IF @Result <> 'None'
            SET @Outcome = CASE WHEN @Result IN ('Ended', 'Lost') THEN 'Renew' ELSE @Result END;
        ELSE IF NOT EXISTS (SELECT 1 FROM [dbsched].Processes AS p WITH (NOLOCK, INDEX (IX_Processes_HasWork))
                            WHERE p.HasWork = 1 AND p.Status IN ('Open', 'Closing') AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel))
            SET @Outcome = 'Idle';

        SET @CountedFor = NULL;
        SET LOCK_TIMEOUT 1000;
    END;
END;
GO
-- Procedure: RunLane
-- Purpose: The worker of a lane, from the wake-up to the end of its session: receives messages, runs tasks, lingers, leaves.
-- Access: private; called by the lane's activation procedure.
-- Parameters:
--   @LaneId int (required): the lane
CREATE OR ALTER PROCEDURE [dbsched].RunLane
    @LaneId int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCK_TIMEOUT -1;
    SET DEADLOCK_PRIORITY NORMAL;
    IF @@LANGUAGE <> N'us_english' -- its message would go to the error log
        SET LANGUAGE us_english;
    SET DATEFIRST 7;
    SET DATEFORMAT mdy;
    SET ANSI_NULL_DFLT_ON ON;
    SET CURSOR_CLOSE_ON_COMMIT OFF;
    DECLARE @Handle uniqueidentifier, @Type nvarchar(256), @Linger int = 0, @Pause bit = 0, @Text nvarchar(500);
    DECLARE @WorkerId uniqueidentifier, @UserId int, @TasksRun int = 0, @Outcome varchar(10), @Again bit, @Waiting int;
    -- RECEIVE accepts no variable for the queue. SQLWATCH's activation procedures also use dynamic SQL for it.
    DECLARE @Receive nvarchar(400) = N'RECEIVE TOP (1) @Handle = conversation_handle, @Type = message_type_name FROM [dbsched].Lane_'
                                   + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2);

    WHILE 1 = 1
    BEGIN
        -- RECEIVE always comes first, in its own transaction with nothing else in it (see Dispatch_Activated).
        SELECT @Handle = NULL, @Type = NULL,
               @Text = CASE WHEN @Linger = 0 THEN @Receive + N';' ELSE N'WAITFOR (' + @Receive + N'), TIMEOUT @Linger;' END;

        BEGIN TRY
            BEGIN TRANSACTION;

            EXEC sys.sp_executesql @Text, N'@Linger int, @Handle uniqueidentifier OUTPUT, @Type nvarchar(256) OUTPUT',
                                   @Linger, @Handle OUTPUT, @Type OUTPUT;

            IF @Type IN (N'//dbsched/Wake',
                         N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog',
                         N'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
                END CONVERSATION @Handle;
            ELSE IF @Handle IS NOT NULL
                END CONVERSATION @Handle WITH ERROR = 51099 DESCRIPTION = N'dbsched 51099: unknown message type.';

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- As in Dispatch_Activated.
            SELECT @Handle = NULL, @Pause = CASE WHEN ERROR_SEVERITY() IN (13, 17) THEN 1 ELSE 0 END;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;

        IF @Handle IS NULL OR @Type <> N'//dbsched/Wake'
        BEGIN
            IF @Pause = 1
                WAITFOR DELAY '00:00:01';
            ELSE IF @Handle IS NULL -- the queue is empty
                BREAK;

            SET @Pause = 0;
            CONTINUE;
        END;

        BEGIN TRY
            IF @WorkerId IS NULL
                EXEC [dbsched].EnterLane @LaneId = @LaneId, @WorkerId = @WorkerId OUTPUT;

            IF @WorkerId IS NULL
            BEGIN
                -- Another session has this lane. Pass the wake-up back: to a worker that waits for it, if the queue had a second reader
                -- (KB 3163368), else to the dispatcher.
                SELECT @Waiting = l.LaneId
                FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.State = 'Assigned' AND l.WorkerId IS NOT NULL;
                EXEC [dbsched].SendWake @Waiting;
                BREAK;
            END;

            SET @Outcome = NULL;
            EXEC [dbsched].WorkLane @LaneId, @WorkerId, @UserId OUTPUT, @TasksRun OUTPUT, @Outcome OUTPUT;

            -- StopScheduler wakes the workers that wait; one that comes to wait after that must leave.
            SET @Linger = ISNULL((SELECT s.LingerSeconds * 1000
                                  FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                                  WHERE s.SettingsId = 1 AND s.Started = 1 AND @Outcome = 'Idle'), 0);
            IF @Linger > 0
                CONTINUE;

            IF @Outcome = 'Limit'
                EXEC [dbsched].SendWake;
            BREAK;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            EXEC [dbsched].AlarmOfError @Kind = 'WorkerError', @What = N'A worker failed: ', @LaneId = @LaneId;
            BREAK;
        END CATCH;
    END;

    IF @WorkerId IS NOT NULL
    BEGIN
        SET @Again = CASE WHEN @Outcome IN ('OtherUser', 'Renew') THEN 1 ELSE 0 END;
        EXEC [dbsched].LeaveLane @LaneId = @LaneId, @WorkerId = @WorkerId, @Again = @Again;
    END;
END;
GO
-- Procedure: Lane_01_Activated
-- Purpose: The worker of lane 1. Service Broker activates it on the queue Lane_01, as the owner of the schema.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].Lane_01_Activated
AS
BEGIN
    EXEC [dbsched].RunLane @LaneId = 1;
END;
GO
-- Procedure: Lane_02_Activated
-- Purpose: The worker of lane 2. Service Broker activates it on the queue Lane_02, as the owner of the schema.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].Lane_02_Activated
AS
BEGIN
    EXEC [dbsched].RunLane @LaneId = 2;
END;
GO
-- Procedure: MarkWork
-- Purpose: Marks processes whose committed tasks wait for a worker.
-- Enqueuers cannot do it: they would lock the process row until they commit.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].MarkWork
AS
BEGIN
    DECLARE @Marked TABLE (ProcessId int NOT NULL PRIMARY KEY);

    -- NOLOCK on the process: do not wait for an uncommitted CreateProcess, and see the HasWork = 0 of a claim before
    -- it commits (see ChooseTask).
    INSERT INTO @Marked (ProcessId)
    SELECT p.ProcessId
    FROM [dbsched].Processes AS p WITH (NOLOCK)
    WHERE p.FinishedAt IS NULL
      AND p.ProcessId > 0 -- FireSchedules marks process 0
      AND p.HasWork = 0
      AND p.Status IN ('Open', 'Closing')
      AND EXISTS (SELECT 1 FROM [dbsched].WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w WHERE w.TaskId IS NOT NULL)
    OPTION (MAXDOP 1);

    -- One by one by primary key, however many are marked: a scan would wait for uncommitted rows.
    UPDATE p
    SET p.HasWork = 1
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (PK_Processes))
    INNER JOIN @Marked AS m ON m.ProcessId = p.ProcessId
    WHERE p.FinishedAt IS NULL;
END;
GO
-- Procedure: ManualWorker
-- Purpose: Makes the calling session an additional worker, in a lane above 1000.
-- Access: private; runs as the owner, which may claim and impersonate.
-- Parameters:
--   @WaitingTime int (required): seconds without work after which it returns
--   @UserId int (required): principal whose tasks it runs
-- Errors:
--   51018: 64 sessions are already workers
CREATE OR ALTER PROCEDURE [dbsched].ManualWorker
    @WaitingTime int,
    @UserId int
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SET LOCK_TIMEOUT -1;
    SET DEADLOCK_PRIORITY NORMAL;
    IF @@LANGUAGE <> N'us_english' -- its message would go to the error log
        SET LANGUAGE us_english;
    SET DATEFIRST 7;
    SET DATEFORMAT mdy;
    SET ANSI_NULL_DFLT_ON ON;
    SET CURSOR_CLOSE_ON_COMMIT OFF;
    DECLARE @LaneId int = 1001, @WorkerId uniqueidentifier, @TasksRun int = 0, @RanBefore int = 0, @Outcome varchar(10) = NULL;
    DECLARE @IdleSince datetime2(3) = SYSUTCDATETIME(), @Context varbinary(128) = ISNULL(CONTEXT_INFO(), 0x);

    WHILE @WorkerId IS NULL
    BEGIN
        IF @LaneId > 1064
            THROW 51018, N'dbsched 51018: 64 sessions already run TaskScheduler. End one of them, or add workers with SetWorkers.', 1;

        -- Two sessions may try the same number; the lock below decides.
        INSERT INTO [dbsched].Lanes WITH (ROWLOCK) (LaneId)
        SELECT @LaneId
        WHERE NOT EXISTS (SELECT 1 FROM [dbsched].Lanes AS l WITH (UPDLOCK, HOLDLOCK, ROWLOCK) WHERE l.LaneId = @LaneId);

        EXEC [dbsched].EnterLane @LaneId = @LaneId, @WaitMilliseconds = 0, @WorkerId = @WorkerId OUTPUT;
        IF @WorkerId IS NULL
            SET @LaneId = @LaneId + 1;
    END;

    BEGIN TRY
        -- The dispatcher may not have marked tasks that the caller has just committed.
        EXEC [dbsched].MarkWork;

        WHILE @Outcome IS NULL OR @Outcome IN ('Idle', 'Renew')
        BEGIN
            SET @Outcome = NULL;
            EXEC [dbsched].WorkLane @LaneId, @WorkerId, @UserId OUTPUT, @TasksRun OUTPUT, @Outcome OUTPUT;

            IF @TasksRun > @RanBefore
                SELECT @RanBefore = @TasksRun, @IdleSince = SYSUTCDATETIME();

            IF @Outcome = 'Idle'
            BEGIN
                IF DATEDIFF(second, @IdleSince, SYSUTCDATETIME()) >= @WaitingTime
                    BREAK;
                WAITFOR DELAY '00:00:00.200';
            END;
        END;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        SET CONTEXT_INFO @Context;
        EXEC [dbsched].LeaveLane @LaneId = @LaneId, @WorkerId = @WorkerId;
        THROW;
    END CATCH;

    SET CONTEXT_INFO @Context; -- each task began with an empty one
    EXEC [dbsched].LeaveLane @LaneId = @LaneId, @WorkerId = @WorkerId;

    -- It leaves a task that it would have run next, so NextTask did not send a wake-up for it.
    IF @Outcome = 'OtherUser'
        EXEC [dbsched].SendWake;

    RETURN CASE WHEN @Outcome = 'OtherUser' THEN 1 WHEN @Outcome = 'Stopped' THEN 2 ELSE 0 END;
END;
GO
-- Procedure: TaskScheduler
-- Purpose: Makes the calling session an additional worker, beyond those of SetWorkers, until it has had no work for a while.
-- It runs only the caller's own tasks: others' could reach what belongs to this session. A task's result sets go to this session.
-- Access: public: dbsched_admin
-- Parameters:
--   @WaitingTime int = 30: seconds without work after which it returns; 0 to 86400
-- Returns: 0 = no work left; 1 = the next task belongs to another user and needs another session; 2 = the scheduler was stopped
-- Errors:
--   51003: @WaitingTime is NULL or out of range
--   51007: your login has no database user, and so no tasks
--   51010: called inside a transaction
--   51014: the scheduler is stopped
--   51017: called by a task
--   51018: 64 sessions are already workers
-- Example: EXEC dbsched.TaskScheduler @WaitingTime = 60;
CREATE OR ALTER PROCEDURE [dbsched].TaskScheduler
    @WaitingTime int = 30
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: TaskScheduler cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Result int, @OwnTaskId bigint, @OwnProcessId int, @UserId int = DATABASE_PRINCIPAL_ID();

    IF @WaitingTime IS NULL OR @WaitingTime NOT BETWEEN 0 AND 86400
        THROW 51003, N'dbsched 51003: @WaitingTime must be from 0 to 86400.', 1;

    IF NOT EXISTS (SELECT 1 FROM [dbsched].Me)
        THROW 51007, N'dbsched 51007: TaskScheduler runs the tasks of the calling database user, and your login has no database user.', 1;

    EXEC [dbsched].CurrentTask @OwnTaskId OUTPUT, @OwnProcessId OUTPUT;
    IF @OwnTaskId IS NOT NULL
        THROW 51017, N'dbsched 51017: a task cannot become a worker. Call TaskScheduler from another session.', 1;

    IF NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1)
        THROW 51014, N'dbsched 51014: the scheduler is stopped. Call StartScheduler first (and SetWorkers 0 if no other workers should run).', 1;

    EXEC @Result = [dbsched].ManualWorker @WaitingTime = @WaitingTime, @UserId = @UserId;
    RETURN @Result;
END;
GO
-- View: WorkerInfo
-- Purpose: Lanes, and the sessions that work in them.
-- Access: public: dbsched_reader, dbsched_admin
-- Columns: LaneId, Kind (Lane, or Session for a session in TaskScheduler), State, StateAt, WorkerId, SessionId, EnteredAt,
--   TaskId, ProcessId, ExecutionOrder, Attempt, TaskStartedAt
-- Example: SELECT * FROM dbsched.WorkerInfo WHERE State <> 'Idle';
CREATE OR ALTER VIEW [dbsched].WorkerInfo
AS
SELECT l.LaneId,
       CASE WHEN l.LaneId > 1000 THEN 'Session' ELSE 'Lane' END AS Kind,
       l.State,
       l.StateAt,
       l.WorkerId,
       l.SessionId,
       l.EnteredAt,
       t.TaskId,
       t.ProcessId,
       t.ExecutionOrder,
       t.Attempt,
       t.StartedAt AS TaskStartedAt
FROM [dbsched].Lanes AS l WITH (NOLOCK)
LEFT JOIN [dbsched].Tasks AS t WITH (NOLOCK) ON t.LaneId = l.LaneId AND t.WorkerId = l.WorkerId AND t.WorkerId IS NOT NULL;
GO
-- Procedure: ApplyProcessRequests
-- Purpose: Applies committed requests of ReleaseProcess and CloseProcess, and of enqueuers for a look from the beginning.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].ApplyProcessRequests
AS
BEGIN
    DECLARE @ProcessId int, @HeldId int = 0, @Held bit, @RequestId bigint, @Action varchar(7), @Round int = 0;

    WHILE @Round < 500
    BEGIN
        SET @Round = @Round + 1;
        SET @RequestId = NULL;

        -- READPAST: uncommitted requests do not exist yet.
        SELECT TOP (1) @ProcessId = r.ProcessId, @RequestId = r.RequestId, @Action = r.Action
        FROM [dbsched].ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ProcessId > @HeldId
        ORDER BY r.ProcessId, r.RequestId;

        IF @RequestId IS NULL
            BREAK;

        BEGIN TRANSACTION;

        EXEC [dbsched].LockProcess @ProcessId, @Held OUTPUT;
        IF @Held = 1
        BEGIN
            COMMIT TRANSACTION;
            SET @HeldId = @ProcessId;
            CONTINUE;
        END;

        UPDATE p
        SET p.Status = CASE WHEN @Action = 'Release' AND p.Status = 'Suspended' THEN CASE WHEN p.CloseRequested = 1 THEN 'Closing' ELSE 'Open' END
                            WHEN @Action = 'Close' AND p.Status = 'Open' THEN 'Closing'
                            ELSE p.Status END,
            p.CloseRequested = CASE WHEN @Action = 'Close' THEN 1 ELSE p.CloseRequested END,
            p.HasWork = CASE WHEN p.FinishedAt IS NULL THEN 1 ELSE p.HasWork END,
            p.WaveOrder = CASE WHEN @Action = 'Look' THEN NULL ELSE p.WaveOrder END
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
        -- A process that failed before the close was applied closes when it is retried.
        WHERE p.ProcessId = @ProcessId AND (p.FinishedAt IS NULL OR @Action = 'Close');

        DELETE r
        FROM [dbsched].ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ProcessId = @ProcessId AND (r.RequestId = @RequestId OR (@Action = 'Look' AND r.Action = 'Look')); -- one look is enough

        EXEC [dbsched].CloseIfDone @ProcessId;

        COMMIT TRANSACTION;
    END;

    -- The rest follows in the next turn, at once.
    IF @RequestId IS NOT NULL OR @HeldId > 0
        EXEC [dbsched].SendWake;
END;
GO
-- Procedure: ReleaseDueTasks
-- Purpose: Makes due delayed tasks and retries claimable, in slices.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].ReleaseDueTasks
AS
BEGIN
    DECLARE @ProcessId int, @Held bit, @Round int = 0, @Now datetime2(3) = SYSUTCDATETIME();
    DECLARE @Later TABLE (ProcessId int NOT NULL PRIMARY KEY); -- in the next turn, in a second

    WHILE @Round < 50
    BEGIN
        SET @Round = @Round + 1;
        SET @ProcessId = NULL;

        SELECT TOP (1) @ProcessId = t.ProcessId
        FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.DueAt IS NOT NULL AND t.DueAt <= @Now AND NOT EXISTS (SELECT 1 FROM @Later AS h WHERE h.ProcessId = t.ProcessId)
        ORDER BY t.DueAt
        OPTION (MAXDOP 1);

        IF @ProcessId IS NULL
            BREAK;

        BEGIN TRANSACTION;

        EXEC [dbsched].LockProcess @ProcessId, @Held OUTPUT;
        IF @Held = 1
        BEGIN
            COMMIT TRANSACTION;
            INSERT INTO @Later (ProcessId) VALUES (@ProcessId);
            CONTINUE;
        END;

        UPDATE TOP (500) t
        SET t.Status = 'Pending', t.WaitReason = NULL, t.DueAt = NULL
        FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.DueAt IS NOT NULL AND t.DueAt <= @Now AND t.ProcessId = @ProcessId AND t.Status = 'Waiting'
        OPTION (MAXDOP 1);

        UPDATE p
        SET p.HasWork = 1, p.WaveOrder = NULL
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
        WHERE p.ProcessId = @ProcessId AND p.FinishedAt IS NULL;

        COMMIT TRANSACTION;
    END;
END;
GO
-- Procedure: FreeDeadLanes
-- Purpose: Finds lanes with a dead worker (killed, or the server was restarted), recovers their tasks and makes the lanes idle.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].FreeDeadLanes
AS
BEGIN
    DECLARE @LaneId int = 0, @State varchar(8), @StateAt datetime2(3), @WorkerId uniqueidentifier, @Resource nvarchar(255);

    WHILE 1 = 1
    BEGIN
        -- An Assigned lane has half a minute to be activated; a Busy lane without its lock is dead at once.
        SELECT TOP (1) @LaneId = l.LaneId, @State = l.State, @StateAt = l.StateAt, @WorkerId = l.WorkerId, @Resource = N'lane:' + CONVERT(nvarchar(10), l.LaneId)
        FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId > @LaneId
          AND (l.State = 'Busy' OR l.WorkerId IS NOT NULL OR (l.State = 'Assigned' AND l.StateAt < DATEADD(second, -30, SYSUTCDATETIME())))
        ORDER BY l.LaneId;

        IF @@ROWCOUNT = 0
            BREAK;

        -- Our own lock counts as held too: see RecoverLane.
        IF APPLOCK_TEST(N'dbsched_locks', @Resource, 'Exclusive', 'Session') = 1
           AND APPLOCK_MODE(N'dbsched_locks', @Resource, 'Session') = N'NoLock'
        BEGIN
            EXEC [dbsched].RecoverLane @LaneId;

            UPDATE l
            SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME(), l.WorkerId = NULL, l.SessionId = NULL, l.EnteredAt = NULL
            FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE l.LaneId = @LaneId AND l.State = @State AND l.StateAt = @StateAt
              AND (l.WorkerId = @WorkerId OR (l.WorkerId IS NULL AND @WorkerId IS NULL));
            SET @Resource = N'Lane_' + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2);
            IF @State = 'Assigned'
                EXEC [dbsched].RepairQueues @Resource;
        END;
    END;
END;
GO
-- Procedure: AssignLanes
-- Purpose: Assigns idle lanes to runnable tasks, all at once, limited by the number of tasks, lanes and allowed workers.
-- While the scheduler is stopped, ends waiting workers instead.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].AssignLanes
AS
BEGIN
    DECLARE @Started bit = 0, @MaxWorkers int = 0, @MaxLanes int = 0, @Runnable int = 0, @Active int = 0, @Wanted int, @LaneId int;

    SELECT @Started = s.Started, @MaxWorkers = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    -- Pending tasks of the wave of each process. A count too high is harmless: a lane finds nothing and
    -- goes idle. It is too low only while a commit releases its locks; then the dispatcher looks again a second later.
    IF @Started = 1
        SELECT @Runnable = ISNULL(SUM(CASE WHEN p.MaxParallel - p.Running < n.Pending THEN p.MaxParallel - p.Running ELSE n.Pending END), 0)
        FROM [dbsched].Processes AS p WITH (NOLOCK)
        CROSS APPLY [dbsched].WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w
        CROSS APPLY (SELECT COUNT(*) AS Pending
                     FROM (SELECT TOP (@MaxWorkers) u.TaskId
                           FROM (SELECT t.TaskId FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                                 WHERE t.ProcessId = p.ProcessId AND t.Status = 'Pending' AND t.Rank = w.Rank AND t.TaskId >= w.TaskId
                                 UNION ALL
                                 SELECT t.TaskId FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                                 WHERE t.ProcessId = p.ProcessId AND t.Status = 'Pending' AND t.Rank > w.Rank
                                   AND t.Rank < CONVERT(decimal(27, 0), (CONVERT(decimal(27, 0), w.ExecutionOrder) + 1) * 10000000000000000)) AS u) AS x) AS n
        WHERE p.HasWork = 1
          AND p.Status IN ('Open', 'Closing')
          AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel)
        OPTION (MAXDOP 1);

    IF @Started = 1 AND @Runnable = 0
        RETURN;

    -- Too few lanes: are the busy ones alive?
    IF @Started = 1
    BEGIN
        SELECT @Active = COUNT(*)
        FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId <= @MaxLanes AND l.State <> 'Idle';

        IF @Runnable > @MaxWorkers - @Active
            EXEC [dbsched].FreeDeadLanes;
    END;

    BEGIN TRANSACTION;

    SELECT @Started = s.Started, @MaxWorkers = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM [dbsched].Settings AS s WITH (REPEATABLEREAD, ROWLOCK)
    WHERE s.SettingsId = 1;

    SELECT @Active = COUNT(*)
    FROM [dbsched].Lanes AS l WITH (UPDLOCK, ROWLOCK)
    WHERE l.LaneId <= @MaxLanes AND l.State <> 'Idle';

    SET @Wanted = CASE WHEN @Started = 0 THEN 0 WHEN @Runnable < @MaxWorkers - @Active THEN @Runnable ELSE @MaxWorkers - @Active END;

    WHILE @Wanted > 0
    BEGIN
        -- Prefer a worker that still waits on its queue: it needs no new session.
        UPDATE l
        SET @LaneId = l.LaneId, @Wanted = @Wanted - 1, l.State = 'Assigned', l.StateAt = SYSUTCDATETIME()
        FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = (SELECT TOP (1) i.LaneId
                          FROM [dbsched].Lanes AS i WITH (UPDLOCK, ROWLOCK)
                          WHERE i.LaneId <= @MaxLanes AND i.State = 'Idle'
                          ORDER BY CASE WHEN i.WorkerId IS NULL THEN 1 ELSE 0 END, i.LaneId);

        IF @@ROWCOUNT = 0
            BREAK;

        EXEC [dbsched].SendWake @LaneId;
    END;

    SET @LaneId = 0;
    WHILE @Started = 0 AND @LaneId IS NOT NULL
    BEGIN
        SELECT @LaneId = MIN(l.LaneId)
        FROM [dbsched].Lanes AS l WITH (UPDLOCK, ROWLOCK)
        WHERE l.LaneId > @LaneId AND l.LaneId <= @MaxLanes AND l.State = 'Idle' AND l.WorkerId IS NOT NULL;

        IF @LaneId IS NOT NULL
            EXEC [dbsched].SendWake @LaneId;
    END;

    COMMIT TRANSACTION;
END;
GO
-- Procedure: PruneHistory
-- Purpose: Deletes a slice of history older than a time: tasks, processes, attempts, alarms, firings of schedules and rounds.
-- Access: private
-- Parameters:
--   @Cutoff datetime2(3) (required): delete what ended before this time, in UTC
--   @Rows int OUTPUT: number of rows deleted
--   @Full bit OUTPUT: 1 = a slice was full, so there is more to delete
CREATE OR ALTER PROCEDURE [dbsched].PruneHistory
    @Cutoff datetime2(3),
    @Rows int OUTPUT,
    @Full bit OUTPUT
AS
BEGIN
    SELECT @Rows = 0, @Full = 0;

    -- Small slices keep locks and log small. One is full from 400 on: among the oldest 500 some may not have ended.
    DELETE TOP (500) t
    FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE t.FinishedAt IS NOT NULL AND t.FinishedAt < @Cutoff
    OPTION (MAXDOP 1);

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;

    DELETE TOP (500) p
    FROM [dbsched].Processes AS p WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE p.FinishedAt IS NOT NULL AND p.FinishedAt < @Cutoff AND p.ProcessId <> 1 AND p.Running = 0
      AND NOT EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = p.ProcessId AND t.FinishedAt IS NULL)
    OPTION (MAXDOP 1);

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;

    -- LogId rises with time: if the lowest row is recent, there is nothing to delete.
    IF (SELECT TOP (1) g.StartedAt FROM [dbsched].Logs AS g WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) ORDER BY g.LogId) < @Cutoff
    BEGIN
        WITH Oldest AS
        (
            SELECT TOP (500) g.LogId, g.EndedAt
            FROM [dbsched].Logs AS g WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
            ORDER BY g.LogId
        )
        DELETE FROM Oldest WHERE EndedAt < @Cutoff;

        SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;
    END;

    IF (SELECT TOP (1) a.RaisedAt FROM [dbsched].Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) ORDER BY a.AlarmId) < @Cutoff
    BEGIN
        WITH Oldest AS
        (
            SELECT TOP (500) a.AlarmId, a.RaisedAt
            FROM [dbsched].Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
            ORDER BY a.AlarmId
        )
        DELETE FROM Oldest WHERE RaisedAt < @Cutoff;

        SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;
    END;

    DELETE TOP (500) f
    FROM [dbsched].ScheduleFirings AS f WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE f.LoggedAt < @Cutoff AND f.Status <> 'Waiting'
    OPTION (MAXDOP 1);

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;

    -- Keep the last firing of each round: RoundInfo shows it.
    WITH Oldest AS
    (
        SELECT TOP (500) f.FiringId, f.FiredAt, f.Status
        FROM [dbsched].RoundFirings AS f WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE EXISTS (SELECT 1 FROM [dbsched].RoundFirings AS n WITH (NOLOCK) WHERE n.RoundId = f.RoundId AND n.Generation > f.Generation)
        ORDER BY f.FiringId
    )
    DELETE FROM Oldest WHERE FiredAt < @Cutoff AND Status <> 'Starting';

    SELECT @Rows = @Rows + @@ROWCOUNT, @Full = CASE WHEN @@ROWCOUNT >= 400 THEN 1 ELSE @Full END;
END;
GO
-- Procedure: FreeStaleResources
-- Purpose: Removes requests whose session died, whose lease ran out, or that gave up, raises an alarm for each that held a
-- resource, and grants the resource to the next in line.
-- Access: private; one short transaction per request.
-- Parameters:
--   @ResourceId int = NULL: the resource; NULL = all resources
CREATE OR ALTER PROCEDURE [dbsched].FreeStaleResources
    @ResourceId int = NULL
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Id int, @RequestId bigint, @LastRequestId bigint = 0, @Locked int, @Status varchar(8), @Requester nvarchar(128), @TaskId bigint, @ProcessId int;
    DECLARE @SessionId int, @LeaseSeconds int, @LeaseUntil datetime2(3), @GiveUpAt datetime2(3), @Lock nvarchar(255), @Why nvarchar(100), @Message nvarchar(2000);

    WHILE 1 = 1
    BEGIN
        SET @RequestId = NULL;

        -- Read the index only, see RecoverLane.
        SELECT TOP (1) @RequestId = r.RequestId, @Id = r.ResourceId
        FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.SessionId IS NOT NULL AND r.RequestId > @LastRequestId AND (@ResourceId IS NULL OR r.ResourceId = @ResourceId)
        ORDER BY r.RequestId
        OPTION (MAXDOP 1);

        IF @RequestId IS NULL
            BREAK;

        SELECT @LastRequestId = @RequestId, @Status = NULL, @Why = NULL, @Lock = N'request:' + CONVERT(nvarchar(20), @RequestId);

        SELECT @Status = r.Status, @Requester = r.Requester, @TaskId = r.TaskId, @ProcessId = r.ProcessId,
               @SessionId = r.SessionId, @LeaseSeconds = r.LeaseSeconds, @LeaseUntil = r.LeaseUntil, @GiveUpAt = r.GiveUpAt
        FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @Id AND r.RequestId = @RequestId;

        IF @Status IS NULL
            CONTINUE;

        -- Test the lock after reading the row: if it is free now, the session in the row is dead. With a lease, the session no
        -- longer matters once it has been told that it was granted.
        IF @LeaseUntil <= SYSUTCDATETIME()
            SET @Why = N'its lease ran out';
        ELSE IF @Status <> 'Granted' AND @GiveUpAt <= SYSUTCDATETIME()
            SET @Why = N'it gave up';
        ELSE IF (@Status <> 'Granted' OR @LeaseSeconds IS NULL)
                AND APPLOCK_TEST(N'dbsched_locks', @Lock, 'Shared', 'Session') = 1
                AND APPLOCK_MODE(N'dbsched_locks', @Lock, 'Session') = N'NoLock'
            SET @Why = N'its session ' + CONVERT(nvarchar(10), @SessionId) + N' ended';

        IF @Why IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            SELECT @Locked = s.ResourceId, @Message = N'The resource ' + QUOTENAME(s.Name) + N' was taken from "' + @Requester + N'" (request '
                                                    + CONVERT(nvarchar(20), @RequestId) + N') before it was released: ' + @Why + N'.'
            FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @Id;

            DELETE r
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @Id AND r.RequestId = @RequestId AND r.Status = @Status;

            IF @@ROWCOUNT = 1
            BEGIN
                EXEC [dbsched].GrantResource @Id;

                IF @Status = 'Granted'
                    EXEC [dbsched].RaiseAlarm @Kind = 'StaleResource', @Message = @Message, @ProcessId = @ProcessId, @TaskId = @TaskId;
            END;

            COMMIT TRANSACTION;
        END;
    END;
END;
GO
-- Procedure: EndFiring
-- Purpose: Records the result of starting a round's job, and raises an alarm if the job was not seen to run.
-- Access: private; runs as the owner, in its own short transaction
-- Parameters:
--   @FiringId bigint (required): the firing
--   @Status varchar(10) (required): Started, Failed (it did not start) or Unknown
--   @Detail nvarchar(1500) (required): why it was not seen to start; NULL = it was
CREATE OR ALTER PROCEDURE [dbsched].EndFiring
    @FiringId bigint,
    @Status varchar(10),
    @Detail nvarchar(1500)
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Changed int, @Message nvarchar(2000), @UserName nvarchar(128);

    BEGIN TRY
        BEGIN TRANSACTION;

        -- The sweep may already have given up; a later result replaces Unknown.
        UPDATE f
        SET f.Status = @Status, f.Detail = @Detail, f.EndedAt = SYSUTCDATETIME()
        FROM [dbsched].RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE f.FiringId = @FiringId AND (f.Status = 'Starting' OR (f.Status = 'Unknown' AND @Status <> 'Unknown'));

        SET @Changed = @@ROWCOUNT;

        IF @Changed = 1 AND @Status <> 'Started'
        BEGIN
            SELECT @Message = N'Round "' + r.Name + N'", generation ' + CONVERT(nvarchar(20), f.Generation) + N': job "' + f.SuccessorJob
                            + CASE @Status WHEN 'Failed' THEN N'" was not started: ' ELSE N'" may not have started, and is not ordered again: ' END
                            + @Detail, @UserName = r.DefinedByName
            FROM [dbsched].RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
            INNER JOIN [dbsched].Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK) ON r.RoundId = f.RoundId
            WHERE f.FiringId = @FiringId;

            EXEC [dbsched].RaiseAlarm @Kind = 'RoundStart', @Message = @Message, @UserName = @UserName;
        END;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
-- Procedure: ForgetOldReports
-- Purpose: Removes reports of a round's members that are older than the round allows, and raises an alarm if they were reports of
-- success: another member failed or did not report. The caller's transaction holds the lock on the round's row.
-- Access: private
-- Parameters:
--   @RoundId int (required): the round
CREATE OR ALTER PROCEDURE [dbsched].ForgetOldReports
    @RoundId int
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Name nvarchar(128), @Age int, @Cutoff datetime2(3), @Member nvarchar(128) = N'', @Succeeded bit, @ReportedAt datetime2(3);
    DECLARE @UserName nvarchar(128), @Old nvarchar(1000) = N'', @Missing nvarchar(1000) = N'', @Message nvarchar(2000);

    SELECT @Name = r.Name, @UserName = r.DefinedByName, @Age = r.MaxAgeSeconds, @Cutoff = DATEADD(second, -r.MaxAgeSeconds, SYSUTCDATETIME())
    FROM [dbsched].Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.RoundId = @RoundId;

    IF NOT EXISTS (SELECT 1 FROM [dbsched].RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE m.RoundId = @RoundId AND m.ReportedAt < @Cutoff)
        RETURN 0;

    WHILE @Member IS NOT NULL
    BEGIN
        SELECT @Member = MIN(m.Member)
        FROM [dbsched].RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.RoundId = @RoundId AND m.Member > @Member;

        SELECT @Succeeded = m.Succeeded, @ReportedAt = m.ReportedAt
        FROM [dbsched].RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.RoundId = @RoundId AND m.Member = @Member;

        -- Longer lists are cut off.
        IF @Member IS NOT NULL AND (@ReportedAt IS NULL OR @Succeeded = 0)
            SET @Missing = LEFT(@Missing + N', "' + @Member + N'"', 1000);
        ELSE IF @Member IS NOT NULL AND @ReportedAt < @Cutoff
            SET @Old = LEFT(@Old + N', "' + @Member + N'"', 1000);
    END;

    UPDATE m
    SET m.ReportedAt = NULL, m.Succeeded = NULL
    FROM [dbsched].RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE m.RoundId = @RoundId AND m.ReportedAt < @Cutoff;

    IF @Old = N''
        RETURN 0;

    SET @Message = LEFT(N'Round "' + @Name + N'" did not start its successor: more than ' + CONVERT(nvarchar(10), @Age) + N' seconds after the success of '
                 + SUBSTRING(@Old, 3, 1000) + N', no success was reported by ' + SUBSTRING(@Missing, 3, 1000)
                 + N'. The old reports no longer count, so those members must run again, too.', 2000);
    EXEC [dbsched].RaiseAlarm @Kind = 'RoundLate', @Message = @Message, @UserName = @UserName;
    RETURN 0;
END;
GO
-- Procedure: SweepRounds
-- Purpose: Handles rounds that receive no reports: reports that are too old, and starts without a result. Starts no job: it is not
-- known whether the reporting session already started it.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].SweepRounds
AS
BEGIN
    DECLARE @RoundId int = 0, @Locked int, @FiringId bigint = 0, @Late bit;

    WHILE @RoundId IS NOT NULL
    BEGIN
        SELECT @RoundId = MIN(m.RoundId)
        FROM [dbsched].RoundMembers AS m WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.ReportedAt IS NOT NULL AND m.RoundId > @RoundId;

        IF @RoundId IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            SELECT @Locked = r.RoundId
            FROM [dbsched].Rounds AS r WITH (UPDLOCK, READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

            EXEC [dbsched].ForgetOldReports @RoundId;

            COMMIT TRANSACTION;
        END;
    END;

    WHILE @FiringId IS NOT NULL
    BEGIN
        SELECT @FiringId = MIN(f.FiringId)
        FROM [dbsched].RoundFirings AS f WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE f.Status = 'Starting' AND f.FiringId > @FiringId;

        -- The reporting session waits for StartSeconds, and may need some more.
        SET @Late = 0;

        SELECT @Late = CASE WHEN f.FiredAt < DATEADD(second, -30 - r.StartSeconds, SYSUTCDATETIME()) THEN 1 ELSE 0 END
        FROM [dbsched].RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
        INNER JOIN [dbsched].Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK) ON r.RoundId = f.RoundId
        WHERE f.FiringId = @FiringId;

        IF @Late = 1
            EXEC [dbsched].EndFiring @FiringId, 'Unknown', N'the session of the last report ended before it saw the job run. Check whether the job ran; if not, start it.';
    END;

    RETURN 0;
END;
GO
-- Procedure: RunSweep
-- Purpose: Does the periodic work, one slice at a time: dead workers, processes to close, tasks committed after their process
-- had ended, queues, and pruning of history.
-- Access: private
-- Parameters:
--   @RetentionDays int (required): history older than this is deleted
--   @More bit OUTPUT: 1 = a slice was full, so there is more to do
CREATE OR ALTER PROCEDURE [dbsched].RunSweep
    @RetentionDays int,
    @More bit OUTPUT
AS
BEGIN
    DECLARE @LaneId int, @LastProcessId int, @Rows int, @Held bit, @Locked int, @Cutoff datetime2(3) = DATEADD(day, -@RetentionDays, SYSUTCDATETIME()), @Full bit, @Message nvarchar(2000);

    SET @More = 0;

    EXEC [dbsched].FreeDeadLanes;
    EXEC [dbsched].RepairQueues N'';
    EXEC [dbsched].SweepRounds;
    IF EXISTS (SELECT 1 FROM [dbsched].ResourceRequests AS r WITH (NOLOCK) WHERE r.SessionId IS NOT NULL)
        EXEC [dbsched].FreeStaleResources;

    -- Attempts that their worker did not record before it ended, in lanes that are now idle.
    SET @LaneId = 0;
    WHILE @LaneId IS NOT NULL
    BEGIN
        SELECT @LaneId = MIN(t.LaneId)
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Worker))
        WHERE t.WorkerId IS NOT NULL AND t.LaneId > @LaneId
        OPTION (MAXDOP 1);

        IF @LaneId IS NOT NULL
            EXEC [dbsched].RecoverLane @LaneId;
    END;

    -- Ended tasks in a resource's line, though there should be none; and granted ones that an earlier wave, which may need it, delays.
    SET @LastProcessId = 0;
    WHILE @LastProcessId IS NOT NULL
    BEGIN
        SELECT @LastProcessId = MIN(r.ProcessId)
        FROM [dbsched].ResourceRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        INNER JOIN [dbsched].Tasks AS t WITH (NOLOCK) ON t.TaskId = r.TaskId
        WHERE r.TaskId IS NOT NULL AND r.ProcessId > @LastProcessId AND (t.FinishedAt IS NOT NULL OR t.Status = 'Pending')
        OPTION (MAXDOP 1);

        IF @LastProcessId IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            EXEC [dbsched].LockProcess @LastProcessId, @Held OUTPUT;
            IF @Held = 0
                EXEC [dbsched].LeaveResourceLine @LastProcessId;

            COMMIT TRANSACTION;
        END;
    END;

    -- Tasks before a watermark for which no look was asked: the enqueuer's statement failed in between, and its transaction was committed.
    INSERT INTO [dbsched].ProcessRequests WITH (ROWLOCK) (ProcessId, Action)
    SELECT p.ProcessId, 'Look'
    FROM [dbsched].Processes AS p WITH (NOLOCK)
    WHERE p.FinishedAt IS NULL AND p.WaveOrder IS NOT NULL
      AND EXISTS (SELECT 1 FROM [dbsched].PassedOver(p.ProcessId, NULL, -99999999999999999999999999, 0, p.WaveOrder, p.WaveRank, p.WaveTaskId) AS o)
    OPTION (MAXDOP 1);
    IF @@ROWCOUNT > 0
        EXEC [dbsched].SendWake;

    -- Closing processes with no unfinished tasks, because the last enqueuer rolled back.
    SET @LastProcessId = 0;
    WHILE @LastProcessId IS NOT NULL
    BEGIN
        SELECT @LastProcessId = MIN(p.ProcessId)
        FROM [dbsched].Processes AS p WITH (NOLOCK)
        WHERE p.FinishedAt IS NULL AND p.Status = 'Closing' AND p.ProcessId > @LastProcessId;

        IF @LastProcessId IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            EXEC [dbsched].LockProcess @LastProcessId, @Held OUTPUT;
            IF @Held = 0
                EXEC [dbsched].CloseIfDone @LastProcessId;

            COMMIT TRANSACTION;
        END;
    END;

    -- Tasks that were enqueued while their process ended, and committed after it had ended. Their transactions may have been
    -- open for any time, so start from the tasks: one seek for each process with unfinished tasks.
    SET @LastProcessId = 0;
    WHILE @LastProcessId IS NOT NULL
    BEGIN
        SELECT @LastProcessId = MIN(t.ProcessId)
        FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.FinishedAt IS NULL AND t.ProcessId > @LastProcessId
        OPTION (MAXDOP 1);

        IF EXISTS (SELECT 1 FROM [dbsched].Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @LastProcessId AND p.FinishedAt IS NOT NULL)
        BEGIN
            BEGIN TRANSACTION;

            -- READPAST: a process that is being halted skips its tasks itself, which may take long; the dispatcher must not wait.
            SET @Locked = NULL;

            SELECT @Locked = p.ProcessId
            FROM [dbsched].Processes AS p WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
            WHERE p.ProcessId = @LastProcessId AND p.FinishedAt IS NOT NULL; -- and it was not opened again meanwhile

            UPDATE TOP (500) t
            SET t.Status = 'Skipped', t.WaitReason = NULL, t.DueAt = NULL, t.FinishedAt = SYSUTCDATETIME()
            FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
            WHERE t.ProcessId = @Locked AND t.FinishedAt IS NULL AND t.Status IN ('Pending', 'Waiting')
            OPTION (MAXDOP 1);

            SET @Rows = @@ROWCOUNT;
            IF @Rows = 500
                SET @More = 1;

            IF @Rows > 0
            BEGIN
                SET @Message = CONVERT(nvarchar(10), @Rows) + N' tasks were committed after their process had ended, and were skipped. To run them anyway, call RetryProcess.';
                EXEC [dbsched].RaiseAlarm @Kind = 'LateTask', @Message = @Message, @ProcessId = @LastProcessId;
            END;

            COMMIT TRANSACTION;
        END;
    END;

    EXEC [dbsched].PruneHistory @Cutoff, @Rows OUTPUT, @Full OUTPUT;

    -- Marks of ended transactions: not in each turn, which would pass over all that were deleted before.
    DELETE TOP (5000) w FROM [dbsched].WakeSent AS w WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK);

    IF @@ROWCOUNT = 5000 OR @Full = 1
        SET @More = 1;
END;
GO
-- Procedure: KillWorker
-- Purpose: Ends the session of a worker that Service Broker activated in a lane of this schema, and no other.
-- The only procedure that can do something outside the database, and only after a sysadmin has signed it (dbsched render
-- --kill-script): ALTER PROCEDURE drops a signature, so this text stays the same from version to version, and the session
-- options are its caller's. For the same reason it trusts no table of ours, but only what SQL Server itself says of the session.
-- Access: private; as the owner: without EXECUTE AS, who signed it could not vouch for an activated caller outside the database
-- (Extending Database Impersonation by Using EXECUTE AS).
-- Parameters:
--   @SessionId int (required): the session
--   @LaneId int (required): its lane. Numbers of sessions are used again, but each lane has one reader
-- Errors: those of KILL and of the views, above all that a right is missing, or
--   51026: the session is not an activation of ours
-- Example: see EndAttempts
CREATE OR ALTER PROCEDURE [dbsched].KillWorker
    @SessionId int,
    @LaneId int
WITH EXECUTE AS OWNER
AS
BEGIN
    DECLARE @Command nvarchar(100);

    IF NOT EXISTS (SELECT 1
                   FROM sys.dm_broker_activated_tasks AS a
                   INNER JOIN sys.service_queues AS q ON q.object_id = a.queue_id
                   WHERE a.spid = @SessionId AND a.database_id = DB_ID()
                     AND q.schema_id = SCHEMA_ID(N'dbsched') AND q.name = N'Lane_' + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2))
        THROW 51026, N'dbsched 51026: the session is no worker that Service Broker activated, or has ended, or this procedure is not signed.', 1;

    -- KILL takes no variable.
    SET @Command = N'KILL ' + CONVERT(nvarchar(10), @SessionId) + N';';
    EXEC (@Command);
END;
GO
-- Procedure: EndAttempts
-- Purpose: Ends attempts that timed out or were cancelled: marks the task, ends the session, and records the outcome once the
-- session has ended.
-- A worker holds its lane's handover lock while it runs no task. While EndAttempts holds that lock, the session cannot start its next
-- task, so KILL (which SQL Server refuses inside a transaction) ends this attempt or nothing.
-- Access: private; called only by the dispatcher: a client interrupted between taking and releasing the lock would block the
-- lane.
-- Errors: none of its own; raises an alarm if a session cannot be ended
CREATE OR ALTER PROCEDURE [dbsched].EndAttempts
AS
BEGIN
    DECLARE @TaskId bigint, @LastTaskId bigint = 0, @ProcessId int, @Attempt int, @LaneId int, @WorkerId uniqueidentifier, @Tries int, @Held bit, @Later bit = 0;
    DECLARE @SessionId int, @Granted int, @Marked int, @Killed int = 0, @Polls int = 0, @Started bit, @Message nvarchar(2000);
    DECLARE @Lane nvarchar(255), @Handover nvarchar(255), @Now datetime2(3) = SYSUTCDATETIME();

    WHILE 1 = 1
    BEGIN
        SET @TaskId = NULL;

        -- Force the index that holds only attempts with a deadline: the ORDER BY is that of the primary key, which would read
        -- all tasks in every turn.
        SELECT TOP (1) @TaskId = t.TaskId, @ProcessId = t.ProcessId, @Attempt = t.Attempt, @LaneId = t.LaneId, @WorkerId = t.WorkerId, @Tries = t.StopTries
        FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Stop))
        WHERE t.StopAt IS NOT NULL AND t.StopAt <= @Now AND t.TaskId > @LastTaskId
        ORDER BY t.TaskId
        OPTION (MAXDOP 1);

        IF @TaskId IS NULL
            BREAK;

        SELECT @LastTaskId = @TaskId, @Message = NULL, @SessionId = NULL, @Marked = 0, @Held = 1,
               @Lane = N'lane:' + CONVERT(nvarchar(10), @LaneId), @Handover = N'handover:' + CONVERT(nvarchar(10), @LaneId);

        -- If the worker holds the lock, it is completing this attempt; otherwise the attempt is due again in the next turn.
        EXEC @Granted = sys.sp_getapplock @Resource = @Handover, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 1000, @DbPrincipal = N'dbsched_locks';

        IF @Granted >= 0
        BEGIN
            BEGIN TRY
                BEGIN TRANSACTION;

                EXEC [dbsched].LockProcess @ProcessId, @Held OUTPUT;

                IF @Held = 0
                    UPDATE t
                    SET t.Status = 'Stopping', t.StopOutcome = ISNULL(t.StopOutcome, 'TimedOut'), t.StopTries = t.StopTries + 1, @Marked = 1,
                        t.StopAt = DATEADD(second, CASE WHEN t.StopTries < 5 THEN 2 ELSE 60 END, @Now) -- a rollback may take long: check again
                    FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE t.TaskId = @TaskId AND t.Attempt = @Attempt AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping') AND t.StopAt <= @Now;

                SELECT @SessionId = l.SessionId
                FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

                COMMIT TRANSACTION;

                -- A lane with a free lock has no session to end.
                IF @Marked = 1 AND @SessionId IS NOT NULL AND APPLOCK_TEST(N'dbsched_locks', @Lane, 'Exclusive', 'Session') = 0
                    EXEC [dbsched].KillWorker @SessionId, @LaneId;

                SET @Killed = @Killed + @Marked;
            END TRY
            BEGIN CATCH
                -- 6107: "Only user processes can be killed", in case SQL Server does not count activated sessions as such.
                SET @Message = CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + LEFT(ERROR_MESSAGE(), 1000);
                SET @Message = CASE WHEN ERROR_NUMBER() = 6107
                                    THEN N' This server cannot end sessions that Service Broker activated, so timeouts and cancellations take effect when the task ends. ' + @Message
                                    WHEN EXISTS (SELECT 1 FROM sys.crypt_properties AS c WHERE c.class = 1 AND c.major_id = OBJECT_ID(N'[dbsched].[KillWorker]', N'P'))
                                    THEN N' The kill script has been run, but its login is missing on this server or lacks a right. A sysadmin runs it again, or uses KILL. ' + @Message
                                    ELSE N' Nobody has allowed dbsched to end sessions. A sysadmin runs the output of dbsched render --kill-script once, or uses KILL.' END;
                IF XACT_STATE() <> 0
                    ROLLBACK TRANSACTION;
            END CATCH;

            EXEC sys.sp_releaseapplock @Resource = @Handover, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';

            -- It is retried, but raises one alarm (twice the same, should a dispatcher die here), and none for a session that has just ended.
            IF @Message IS NOT NULL AND @Tries <= 1 AND APPLOCK_TEST(N'dbsched_locks', @Lane, 'Exclusive', 'Session') = 0
            BEGIN
                SET @Message = N'Task ' + CONVERT(nvarchar(20), @TaskId) + N' was cancelled or timed out, but dbsched cannot end its session ' + ISNULL(CONVERT(nvarchar(10), @SessionId), N'?')
                             + N', which continues until the task ends by itself.' + @Message;
                EXEC [dbsched].RaiseAlarm @Kind = 'CannotEnd', @Message = @Message, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;
            END;
        END;

        IF @Held = 1
            SET @Later = 1;
    END;

    IF @Later = 1 -- in the next turn, also while the scheduler is stopped and has no timer
        EXEC [dbsched].SendWake;

    -- Record the outcomes as soon as the sessions have ended. While the scheduler runs, the timer handles what takes longer.
    -- While it is stopped there is no timer, and no session waits for the dispatcher.
    WHILE @Killed > 0
    BEGIN
        EXEC [dbsched].FreeDeadLanes;

        IF NOT EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                       WHERE t.StopAt IS NOT NULL AND t.StopAt <= DATEADD(second, 2, @Now) AND t.Status = 'Stopping')
            BREAK;

        SELECT @Started = s.Started
        FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        SET @Polls = @Polls + 1;
        IF @Polls > CASE WHEN @Started = 1 THEN 5 ELSE 600 END
            BREAK;

        WAITFOR DELAY '00:00:00.100';
    END;
END;
GO
-- Procedure: ServeResourceLines
-- Purpose: Ends expired leases, and makes tasks Pending after they were granted their resource.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].ServeResourceLines
AS
BEGIN
    DECLARE @RequestId bigint, @LastRequestId bigint = 0, @ResourceId int, @ProcessId int, @TaskId bigint, @Held bit, @Locked int, @Round int = 0;
    DECLARE @Later TABLE (ProcessId int NOT NULL PRIMARY KEY);

    IF EXISTS (SELECT 1 FROM [dbsched].ResourceRequests AS r WITH (NOLOCK)
               WHERE r.LeaseUntil IS NOT NULL AND r.LeaseUntil <= SYSUTCDATETIME())
        EXEC [dbsched].FreeStaleResources;

    WHILE @Round < 500
    BEGIN
        SET @Round = @Round + 1;
        SET @RequestId = NULL;

        SELECT TOP (1) @RequestId = r.RequestId, @ResourceId = r.ResourceId, @ProcessId = r.ProcessId, @TaskId = r.TaskId
        FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.Status = 'Reserved' AND r.SessionId IS NULL AND r.RequestId > @LastRequestId
          AND NOT EXISTS (SELECT 1 FROM @Later AS h WHERE h.ProcessId = r.ProcessId)
        ORDER BY r.RequestId
        OPTION (MAXDOP 1);

        IF @RequestId IS NULL
            BREAK;

        SET @LastRequestId = @RequestId;

        BEGIN TRANSACTION;

        EXEC [dbsched].LockProcess @ProcessId, @Held OUTPUT;
        IF @Held = 1
        BEGIN
            COMMIT TRANSACTION;
            INSERT INTO @Later (ProcessId) VALUES (@ProcessId);
            CONTINUE;
        END;

        UPDATE t
        SET t.Status = 'Pending', t.WaitReason = NULL
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId AND t.Status = 'Waiting' AND t.WaitReason = 'Resource';

        IF @@ROWCOUNT = 1
        BEGIN
            UPDATE p
            SET p.HasWork = 1, p.WaveOrder = NULL
            FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
            WHERE p.ProcessId = @ProcessId AND p.FinishedAt IS NULL;

            -- Under the resource's lock, like every change of a line: a count of holders must not miss one that changes.
            SELECT @Locked = s.ResourceId
            FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            UPDATE r
            SET r.Status = 'Granted'
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId AND r.Status = 'Reserved';
        END
        ELSE IF EXISTS (SELECT 1 FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                        WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId AND r.Status = 'Reserved')
            EXEC [dbsched].LeaveResourceLine @ProcessId, @TaskId; -- a late task, skipped or purged: see RunSweep

        COMMIT TRANSACTION;
    END;

    -- The rest follows in the next turn, at once.
    IF @RequestId IS NOT NULL OR EXISTS (SELECT 1 FROM @Later)
        EXEC [dbsched].SendWake;
END;
GO
-- Function: NextLocalTime
-- Purpose: Returns the first local time of a calendar (as ReadCalendar returns it) at or after another, whatever summer time does to it.
-- Access: private
-- Columns: the local time; NULL = none within forty years, so never
CREATE OR ALTER FUNCTION [dbsched].NextLocalTime
(@Form varchar(400), @From datetime2(0))
RETURNS datetime2(0)
AS
BEGIN
    DECLARE @Minutes varchar(60) = SUBSTRING(@Form, 3, 60), @Hours varchar(24) = SUBSTRING(@Form, 63, 24), @Hour int = DATEPART(hour, @From), @Minute int = 0,
            @Month date = DATEADD(day, 1 - DAY(@From), @From), @Day int, @First int = DAY(@From), @Months int = 0;

    -- The time of day: in this hour, or else in a later one.
    IF SUBSTRING(@Hours, @Hour + 1, 1) = '1'
        SET @Minute = CHARINDEX('1', @Minutes, DATEPART(minute, @From) + 1);
    IF @Minute = 0
        SELECT @Hour = CHARINDEX('1', @Hours, @Hour + 2) - 1, @Minute = CHARINDEX('1', @Minutes);
    IF @Hour < 0
        SET @First = @First + 1;

    WHILE @Months < 480
    BEGIN
        IF SUBSTRING(@Form, 118 + MONTH(@Month), 1) = '1'
            SELECT @Day = MIN(d.Day)
            FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15), (16), (17), (18), (19), (20), (21), (22), (23), (24),
                         (25), (26), (27), (28), (29), (30), (31)) AS d (Day)
            -- 1900-01-07 was a Sunday.
            CROSS APPLY (SELECT (DATEDIFF(day, '19000107', @Month) + d.Day - 1) % 7 AS Weekday) AS w
            CROSS APPLY (SELECT CASE WHEN SUBSTRING(@Form, 86 + d.Day, 1) = '1' OR (d.Day = DAY(DATEADD(day, -1, DATEADD(month, 1, @Month))) AND SUBSTRING(@Form, 118, 1) = '1') THEN 1 ELSE 0 END
                              + CASE WHEN SUBSTRING(@Form, 131 + w.Weekday, 1) = '1' OR SUBSTRING(@Form, 138 + (d.Day - 1) / 7 * 7 + w.Weekday, 1) = '1' THEN 1 ELSE 0 END AS Matches) AS m
            WHERE d.Day BETWEEN @First AND DAY(DATEADD(day, -1, DATEADD(month, 1, @Month))) AND m.Matches >= CASE SUBSTRING(@Form, 2, 1) WHEN 'A' THEN 2 ELSE 1 END;
        IF @Day IS NOT NULL
            BREAK;
        SELECT @Month = DATEADD(month, 1, @Month), @First = 1, @Months = @Months + 1;
    END;

    -- On another day, the first time of the day.
    IF DATEADD(day, @Day - 1, @Month) > CONVERT(date, @From)
        SELECT @Hour = CHARINDEX('1', @Hours) - 1, @Minute = CHARINDEX('1', @Minutes);

    RETURN DATEADD(minute, @Hour * 60 + @Minute - 1, CONVERT(datetime2(0), DATEADD(day, @Day - 1, @Month)));
END;
GO
-- Function: ZoneOffset
-- Purpose: Returns the minutes by which a time zone (a name in sys.time_zone_info) is ahead of UTC at an instant. From UTC to local time, AT
-- TIME ZONE has one answer; the way back has none in the gap and two in the overlap, so NextInstant derives it from these offsets.
-- Access: private
-- Columns: the minutes; error 9820 = there is no such time zone
CREATE OR ALTER FUNCTION [dbsched].ZoneOffset
(@Zone nvarchar(128), @At datetime2(0))
RETURNS int
AS
BEGIN
    RETURN CASE WHEN @Zone = N'UTC' THEN 0 ELSE DATEDIFF(minute, @At, CONVERT(datetime2(0), @At AT TIME ZONE N'UTC' AT TIME ZONE @Zone)) END;
END;
GO
-- Function: NextInstant
-- Purpose: Returns the first instant of a calendar (as ReadCalendar returns it) after another, in UTC, from @Begin until @End. With E in
-- the form, intervals are counted from @Begin. Otherwise it goes through the stretches of time in which the zone's offset is constant. With
-- F in the form, a local time that exists twice counts the first time only, and one that does not exist is the instant at which the clocks
-- are set forward; with W, every instant counts whose local time matches.
-- Access: private
-- Columns: the instant, in UTC; NULL = never
CREATE OR ALTER FUNCTION [dbsched].NextInstant
(@Form varchar(400), @Zone nvarchar(128), @Begin datetime2(0), @End datetime2(0), @After datetime2(3))
RETURNS datetime2(0)
AS
BEGIN
    DECLARE @Next datetime2(0), @From datetime2(0), @At datetime2(0), @Ahead datetime2(0), @Middle datetime2(0), @Local datetime2(0), @Offset int,
            @Moved int, @Step int;
    IF @After < @Begin
        SET @After = DATEADD(second, -1, @Begin);
    IF LEFT(@Form, 1) = 'E'
    BEGIN
        -- DATEDIFF counts the minutes that have begun, so this can be the instant already.
        SET @Step = CONVERT(int, SUBSTRING(@Form, 2, 10));
        SET @Next = DATEADD(minute, DATEDIFF(minute, @Begin, @After) / @Step * @Step, @Begin);
        IF @Next <= @After
            SET @Next = DATEADD(minute, @Step, @Next);
    END;
    SET @From = DATEADD(minute, DATEDIFF(minute, '20000101', @After) + 1, '20000101');
    SET @Offset = CASE WHEN @Next IS NULL THEN [dbsched].ZoneOffset(@Zone, @From) END;

    -- The clocks were set back a moment ago: which local times have fired already?
    IF LEFT(@Form, 1) = 'F' AND [dbsched].ZoneOffset(@Zone, DATEADD(day, -1, @From)) > @Offset
    BEGIN
        SET @From = DATEADD(day, -1, @From);
        SET @Offset = [dbsched].ZoneOffset(@Zone, @From);
    END;

    WHILE @Next IS NULL
    BEGIN
        SET @Local = [dbsched].NextLocalTime(@Form, DATEADD(minute, @Offset, @From));
        IF @Local IS NULL
            BREAK;

        -- Does the offset change before that, within a day?
        SET @At = DATEADD(minute, -@Offset, @Local);
        SET @Ahead = CASE WHEN @At < DATEADD(day, 1, @From) THEN @At ELSE DATEADD(day, 1, @From) END;
        SET @Moved = [dbsched].ZoneOffset(@Zone, @Ahead) - @Offset;
        IF @Moved = 0 AND @At = @Ahead AND @At > @After
            SET @Next = @At;
        IF @Moved = 0
            -- No local time before it matches: go on a day before it.
            SET @From = CASE WHEN @At = @Ahead THEN DATEADD(minute, 1, @At) WHEN @Ahead > DATEADD(day, -1, @At) THEN @Ahead ELSE DATEADD(day, -1, @At) END;
        ELSE
        BEGIN
            -- @Ahead becomes the first minute with the new offset.
            WHILE DATEDIFF(minute, @From, @Ahead) > 1
            BEGIN
                SET @Middle = DATEADD(minute, DATEDIFF(minute, @From, @Ahead) / 2, @From);
                IF [dbsched].ZoneOffset(@Zone, @Middle) = @Offset
                    SET @From = @Middle;
                ELSE
                    SET @Ahead = @Middle;
            END;

            -- Set forward past the local time.
            IF LEFT(@Form, 1) = 'F' AND @Local < DATEADD(minute, @Offset + @Moved, @Ahead) AND @Ahead > @After
                SET @Next = @Ahead;

            -- Set back: local times that come again do not count.
            SET @From = DATEADD(minute, CASE WHEN LEFT(@Form, 1) = 'F' AND @Moved < 0 THEN -@Moved ELSE 0 END, @Ahead);
        END;
        SET @Offset = [dbsched].ZoneOffset(@Zone, @From);
    END;

    RETURN CASE WHEN @Next > @End THEN NULL ELSE @Next END;
END;
GO
-- Function: LastInstants
-- Purpose: Finds the last instants of a calendar (as ReadCalendar returns it) until a time, however many came before: a search in halves,
-- from a time before them.
-- Access: private
-- Columns: the earliest time after which there are at most @Most instants until @Now
CREATE OR ALTER FUNCTION [dbsched].LastInstants
(@Form varchar(400), @Zone nvarchar(128), @Begin datetime2(0), @End datetime2(0), @From datetime2(0), @Now datetime2(3), @Most int)
RETURNS datetime2(0)
AS
BEGIN
    DECLARE @Until datetime2(0) = @Now, @Middle datetime2(0), @At datetime2(0), @Count int;
    WHILE @From < @Until
    BEGIN
        SELECT @Middle = DATEADD(second, DATEDIFF(second, @From, @Until) / 2, @From), @Count = 0;
        SET @At = [dbsched].NextInstant(@Form, @Zone, @Begin, @End, @Middle);
        WHILE @At <= @Now AND @Count < @Most
            SELECT @Count = @Count + 1, @At = [dbsched].NextInstant(@Form, @Zone, @Begin, @End, @At);
        IF @At <= @Now
            SET @From = DATEADD(second, 1, @Middle);
        ELSE
            SET @Until = @Middle;
    END;

    RETURN @From;
END;
GO
-- Procedure: MayEnqueue
-- Purpose: Whether a user may still enqueue, and run a firing. Says yes if it cannot be impersonated now: its task will tell. Joins the caller's
-- transaction.
-- A separate procedure, because its end reverts EXECUTE AS, whatever happens in it.
-- Access: private; runs as the owner, which may impersonate
-- Parameters:
--   @UserName nvarchar(128) (required): the user
--   @May bit OUTPUT: 0 = no
CREATE OR ALTER PROCEDURE [dbsched].MayEnqueue
    @UserName nvarchar(128),
    @May bit OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    BEGIN TRY
        EXECUTE AS USER = @UserName;
        SET @May = ISNULL(HAS_PERMS_BY_NAME(N'[dbsched].ExecAsync', N'OBJECT', N'EXECUTE')
                        & HAS_PERMS_BY_NAME(N'[dbsched].RunFiring', N'OBJECT', N'EXECUTE'), 1);
    END TRY
    BEGIN CATCH
        SET @May = 1;
    END CATCH;
END;
GO
-- Procedure: FireSchedules
-- Purpose: Moves on the schedules that are due, in slices: records the instants that have come, decides what becomes of each (see Overlap and
-- Missed in Schedules), and starts what may start. To start a firing is to enqueue a task, in process 0, that makes the firing's process.
-- What happens to a schedule is one transaction with its next instant, so no crash loses or doubles a firing.
-- Access: private
CREATE OR ALTER PROCEDURE [dbsched].FireSchedules
AS
BEGIN
    DECLARE @Now datetime2(3) = SYSUTCDATETIME(), @Round int = 0, @ScheduleId int = 0, @Name nvarchar(100), @Form varchar(400), @Zone nvarchar(128), @Overlap varchar(5), @Missed varchar(4),
            @Status varchar(9), @At datetime2(0), @LastAt datetime2(0), @Begin datetime2(0), @End datetime2(0), @Waiting int, @OwnerId int,
            @OwnerSid varbinary(85), @OwnerName nvarchar(128), @Known int, @May bit, @Busy int, @Count int, @Problem nvarchar(400),
            @Message nvarchar(2000), @Starts int, @FiringId bigint, @LastFiringId bigint;
    -- Fires: 1 = it is to fire, unless Overlap forbids; 0 = it was missed
    DECLARE @Due TABLE (DueAt datetime2(0) NOT NULL PRIMARY KEY, Fires bit NOT NULL, Late bit NOT NULL, Detail nvarchar(200) NULL);
    IF NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1 AND s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME())
        RETURN;

    -- What is left is due, so the next turn follows in a second at most.
    WHILE @ScheduleId IS NOT NULL AND @Round < 100
    BEGIN
        SELECT @ScheduleId = NULL, @Known = NULL, @May = NULL, @Problem = NULL, @Round = @Round + 1, @Count = 0;
        DELETE FROM @Due;
        SELECT TOP (1) @ScheduleId = s.ScheduleId
        FROM [dbsched].Schedules AS s WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE s.LookAt IS NOT NULL AND s.LookAt <= @Now
        ORDER BY s.LookAt
        OPTION (MAXDOP 1);
        IF @ScheduleId IS NULL
            BREAK;

        BEGIN TRY
            BEGIN TRANSACTION;

            -- Process 0 before the schedule: the lock order.
            SELECT @Busy = p.ProcessId
            FROM [dbsched].Processes AS p WITH (UPDLOCK, READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = 0;

            -- dbo is the current owner of the database. Every other user must be the same principal with the same SID, see RunTask.
            SELECT @Name = s.Name, @Form = s.Form, @Zone = s.Zone, @Overlap = s.Overlap, @Missed = s.Missed, @Status = s.Status, @At = s.NextAt,
                   @LastAt = s.LastAt, @Begin = s.BeginAt, @End = s.EndAt, @Waiting = s.Waiting,
                   @LastFiringId = s.LastFiringId, @OwnerId = s.OwnerId, @OwnerSid = s.OwnerSid, @OwnerName = s.OwnerName,
                   @Known = (SELECT COUNT(*) FROM sys.database_principals AS p
                             WHERE p.principal_id = s.OwnerId AND USER_NAME(p.principal_id) = s.OwnerName AND (p.principal_id = 1 OR p.sid = s.OwnerSid))
            FROM [dbsched].Schedules AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId AND s.LookAt <= @Now;
            IF @Known = 1
                EXEC [dbsched].MayEnqueue @OwnerName, @May OUTPUT;
            IF @Known = 0 OR (@Known = 1 AND @May = 0)
                SELECT @Known = 0, @Problem = N'its owner ' + QUOTENAME(@OwnerName)
                    + CASE @May WHEN 0 THEN N' may no longer enqueue. Add it to a role of dbsched, or have another'
                                ELSE N' no longer exists. Have an existing' END + N' user alter its tasks';

            -- The rules of a time zone may have changed since the instant was found; hence LookAt is at most a day ahead.
            IF @Known = 1 AND @Status = 'Enabled' AND @At > @Now
                SET @At = [dbsched].NextInstant(@Form, @Zone, @Begin, @End, CASE WHEN @LastAt > @Now THEN @LastAt ELSE @Now END);

            -- A firing is late after a minute: the scheduler was stopped or down, or the schedule was not enabled.
            WHILE @Known = 1 AND @Status = 'Enabled' AND @At <= @Now
            BEGIN
                INSERT INTO @Due (DueAt, Late, Fires)
                SELECT @At, l.Late, CASE WHEN l.Late = 0 OR @Missed = 'All' THEN 1 ELSE 0 END
                FROM (SELECT CASE WHEN @At < DATEADD(second, -60, @Now) THEN 1 ELSE 0 END AS Late) AS l;
                SELECT @LastAt = @At, @Count = @Count + 1;
                SET @At = [dbsched].NextInstant(@Form, @Zone, @Begin, @End, @At);

                -- More than 100: the last ones count, and one row stands for the others.
                IF @Count = 100 AND @At <= @Now
                BEGIN
                    SET @LastAt = [dbsched].LastInstants(@Form, @Zone, @Begin, @End, (SELECT MIN(m.DueAt) FROM @Due AS m), @Now, CASE @Missed WHEN 'All' THEN 100 ELSE 1 END);
                    DELETE d FROM @Due AS d WHERE d.DueAt > (SELECT MIN(m.DueAt) FROM @Due AS m);
                    UPDATE d
                    SET d.Fires = 0, d.Detail = N'and all others until ' + CONVERT(nvarchar(19), @LastAt, 120) + N' UTC'
                    FROM @Due AS d;
                    SET @At = [dbsched].NextInstant(@Form, @Zone, @Begin, @End, @LastAt);
                END;
            END;

            -- Once: the last of the missed firings, unless another fires now.
            IF @Missed = 'Once'
                UPDATE d
                SET d.Fires = 1, d.Detail = CASE WHEN @Count > 1 THEN N'for all that were missed' END
                FROM @Due AS d
                WHERE d.DueAt = (SELECT MAX(m.DueAt) FROM @Due AS m) AND NOT EXISTS (SELECT 1 FROM @Due AS o WHERE o.Fires = 1);

            -- First the task that makes a process, then the process: they change in one transaction, of which NOLOCK may see either.
            SET @Busy = (SELECT COUNT(*) FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
                         WHERE t.ProcessId = 0 AND t.DedupKey LIKE CONVERT(nvarchar(10), @ScheduleId) + N'@%' AND t.DedupKey IS NOT NULL AND t.FinishedAt IS NULL);
            IF @Busy > 0 OR EXISTS (SELECT 1 FROM [dbsched].Processes AS p WITH (NOLOCK, FORCESEEK)
                                    WHERE p.ScheduleId = @ScheduleId AND p.ScheduleId IS NOT NULL AND p.FinishedAt IS NULL)
                SET @Busy = 1;

            -- Skip has room for one firing, Queue for two; what All makes up for waits in any case.
            INSERT INTO [dbsched].ScheduleFirings WITH (ROWLOCK) (ScheduleId, Name, DueAt, Manual, Status, Detail, OwnerSid)
            SELECT @ScheduleId, @Name, d.DueAt, 0,
                   CASE WHEN d.Fires = 0 THEN 'Missed'
                        WHEN @Overlap = 'Allow' OR (d.Late = 1 AND @Missed = 'All') OR @Waiting + @Busy + d.Nth <= CASE @Overlap WHEN 'Queue' THEN 2 ELSE 1 END THEN 'Waiting'
                        ELSE 'Skipped' END,
                   d.Detail, @OwnerSid
            FROM (SELECT u.DueAt, u.Fires, u.Late, u.Detail, ROW_NUMBER() OVER (PARTITION BY u.Fires ORDER BY u.DueAt) AS Nth FROM @Due AS u) AS d
            ORDER BY d.DueAt;
            SET @Waiting = (SELECT COUNT(*) FROM [dbsched].ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK) WHERE f.ScheduleId = @ScheduleId AND f.Status = 'Waiting');
            SET @Starts = CASE WHEN @Known IS NULL OR @Known = 0 THEN 0 WHEN @Overlap = 'Allow' THEN @Waiting WHEN @Busy = 1 OR @Waiting = 0 THEN 0 ELSE 1 END;

            WHILE @Starts > 0
            BEGIN
                SELECT TOP (1) @FiringId = f.FiringId
                FROM [dbsched].ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                WHERE f.ScheduleId = @ScheduleId AND f.Status = 'Waiting'
                ORDER BY f.FiringId
                OPTION (MAXDOP 1);

                INSERT INTO [dbsched].Tasks WITH (ROWLOCK)
                    (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, SqlText, MaxAttempts, RetryDelaySeconds, OnOrphan,
                     Transactional, DedupKey, EnqueuedById, EnqueuedBySid, EnqueuedByName, TransactionId)
                VALUES
                    (0, 0, 0, 0, CONVERT(decimal(27, 0), 0) * 10000000000000000 + (1000000 - 0) * CONVERT(bigint, 2147483648) + 2147483647 - 0, 'Pending',
                     N'EXEC [dbsched].RunFiring @FiringId = ' + CONVERT(nvarchar(20), @FiringId) + N';', 3, 10, 'Retry', 1,
                     CONVERT(nvarchar(10), @ScheduleId) + N'@' + CONVERT(nvarchar(20), @FiringId), @OwnerId, @OwnerSid, @OwnerName, CURRENT_TRANSACTION_ID());

                UPDATE f
                SET f.Status = 'Started', f.TaskId = SCOPE_IDENTITY()
                FROM [dbsched].ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE f.FiringId = @FiringId;

                UPDATE p
                SET p.HasWork = 1
                FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE p.ProcessId = 0;
                SELECT @Starts = @Starts - 1, @Waiting = @Waiting - 1, @LastFiringId = @FiringId;
            END;

            UPDATE s
            SET s.NextAt = @At,
                s.LookAt = CASE WHEN @Status = 'Enabled' THEN CASE WHEN @At > DATEADD(day, 1, @Now) THEN DATEADD(day, 1, @Now) ELSE @At END END,
                s.LastAt = @LastAt, s.Waiting = @Waiting, s.LastFiringId = @LastFiringId
            FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId AND @Known = 1;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            -- 9820: the server no longer knows the time zone. Other errors pass.
            IF ERROR_NUMBER() <> 9820
                THROW;
            SET @Problem = LEFT(ERROR_MESSAGE(), 300) + N' Alter its calendar or time zone';
        END CATCH;

        IF @Problem IS NOT NULL
        BEGIN
            UPDATE s
            SET s.Status = 'Suspended', s.Reason = @Problem, s.LookAt = CASE WHEN @Known = 1 AND s.Waiting > 0 THEN @Now END
            FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId;
            SET @Message = N'The schedule "' + @Name + N'" is suspended: ' + @Problem + N', then enable it.';
            EXEC [dbsched].RaiseAlarm @Kind = 'ScheduleSuspended', @Message = @Message, @UserName = @OwnerName;
        END;
    END;
END;
GO
-- Procedure: DispatchTurn
-- Purpose: Handles what is committed: requests, attempts to end, due tasks, runnable tasks, idle lanes, the sweep when it is due,
-- and the timer for what is due next.
-- Access: private; called by the dispatcher after it has emptied its queue.
-- Parameters:
--   @Woken bit (required): 1 = caused by the wake-up of a transaction that added tasks
-- Errors: none raised; an error raises an alarm, and the timer starts the next turn in five seconds
CREATE OR ALTER PROCEDURE [dbsched].DispatchTurn
    @Woken bit
AS
BEGIN
    DECLARE @Started bit = 0, @NextSweepAt datetime2(3), @DueAt datetime2(3), @Now datetime2(3) = SYSUTCDATETIME(), @Seconds int, @RetentionDays int, @More bit = 0, @Moved bit = 0, @Home bit;

    BEGIN TRY
        -- A cheap check for each kind of work: usually there is none.
        IF EXISTS (SELECT 1 FROM [dbsched].ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK))
            EXEC [dbsched].ApplyProcessRequests;
        IF EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Stop))
                   WHERE t.StopAt IS NOT NULL AND t.StopAt <= @Now)
            EXEC [dbsched].EndAttempts;
        IF EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                   WHERE t.DueAt IS NOT NULL AND t.DueAt <= @Now)
            EXEC [dbsched].ReleaseDueTasks;
        IF EXISTS (SELECT 1 FROM [dbsched].Schedules AS s WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                   WHERE s.LookAt IS NOT NULL AND s.LookAt <= @Now)
            EXEC [dbsched].FireSchedules;
        IF EXISTS (SELECT 1 FROM [dbsched].ResourceRequests AS r WITH (NOLOCK))
            EXEC [dbsched].ServeResourceLines;
        -- In this order: a lane that becomes idle now either sees the mark or is seen as idle.
        EXEC [dbsched].MarkWork;
        EXEC [dbsched].AssignLanes;

        SET @Now = SYSUTCDATETIME();

        UPDATE s
        SET @RetentionDays = s.RetentionDays, s.NextSweepAt = DATEADD(second, s.IdleSweepSeconds, @Now),
            -- Identifies the database after a failover.
            s.HomeGroupId = ISNULL((SELECT d.group_database_id FROM sys.databases AS d WHERE d.database_id = DB_ID()), s.HomeGroupId)
        FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1 AND s.Started = 1 AND s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()
          AND (s.NextSweepAt IS NULL OR s.NextSweepAt <= @Now
               OR s.NextSweepAt > DATEADD(second, s.IdleSweepSeconds, @Now)); -- the clock was set back

        IF @@ROWCOUNT = 1
        BEGIN
            EXEC [dbsched].RunSweep @RetentionDays, @More OUTPUT;
            EXEC [dbsched].AssignLanes;

            -- A slice was full: the next one follows in a second, otherwise history could grow faster than it is pruned.
            IF @More = 1
                UPDATE s
                SET s.NextSweepAt = DATEADD(second, 1, @Now)
                FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.SettingsId = 1 AND s.Started = 1;
        END;

        SELECT @Started = s.Started, @NextSweepAt = s.NextSweepAt, @Moved = CASE WHEN s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME() THEN 0 ELSE 1 END
        FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        IF @Started = 1 AND @Moved = 0
        BEGIN
            -- The filters of the indexes, and ranges: FORCESEEK needs a seek predicate. Of schedules only those before the sweep: a thousand
            -- others cost nothing.
            SELECT @DueAt = MIN(x.At)
            FROM (SELECT (SELECT TOP (1) t.DueAt FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE t.DueAt IS NOT NULL AND t.DueAt >= '20000101' ORDER BY t.DueAt) AS At
                  UNION ALL
                  SELECT (SELECT TOP (1) t.StopAt FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE t.StopAt IS NOT NULL AND t.StopAt >= '20000101' ORDER BY t.StopAt)
                  UNION ALL
                  SELECT (SELECT TOP (1) r.LeaseUntil FROM [dbsched].ResourceRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE r.LeaseUntil IS NOT NULL AND r.LeaseUntil >= '20000101' ORDER BY r.LeaseUntil)
                  UNION ALL
                  SELECT (SELECT TOP (1) s.LookAt FROM [dbsched].Schedules AS s WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE s.LookAt IS NOT NULL AND s.LookAt <= @NextSweepAt ORDER BY s.LookAt)) AS x
            WHERE x.At IS NOT NULL
            OPTION (MAXDOP 1);

            SET @Now = SYSUTCDATETIME();

            -- NULL means that the next sweep is due now.
            SET @NextSweepAt = ISNULL(@NextSweepAt, @Now);
            IF @DueAt IS NULL OR @DueAt > @NextSweepAt
                SET @DueAt = @NextSweepAt;

            -- The timer counts whole seconds. Round up: if it fired early, it would find nothing due. After a second look again: a commit
            -- releases its locks one by one, and READPAST skips rows that are still locked.
            SET @Seconds = CASE WHEN @Woken = 1 OR @DueAt <= @Now THEN 1 ELSE (DATEDIFF(millisecond, @Now, @DueAt) + 999) / 1000 END;
            EXEC [dbsched].ArmTimer @Seconds;
        END
        ELSE IF @Started = 1
        BEGIN
            -- Another server or name: work continues after a failover, but not in a copy.
            EXEC [dbsched].ComeHome 0, 0, NULL, NULL, @Home OUTPUT;
            IF @Home = 1
                EXEC [dbsched].ArmTimer @Seconds = 1;
        END
        ELSE -- there is no sweep
            DELETE TOP (5000) w FROM [dbsched].WakeSent AS w WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK);
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;

        -- Separately, so that a timer that cannot be set does not hide the cause.
        EXEC [dbsched].AlarmOfError @Kind = 'DispatchError', @What = N'The dispatcher failed and tries again in five seconds: ';
        BEGIN TRY
            EXEC [dbsched].ArmTimer 5;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;
    END CATCH;
END;
GO
-- Procedure: Dispatch_Activated
-- Purpose: The dispatcher. Service Broker activates it on the queue Dispatch: receives the messages, then looks at the tables.
-- Access: private; activated as the owner of the schema.
CREATE OR ALTER PROCEDURE [dbsched].Dispatch_Activated
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Handle uniqueidentifier, @Type nvarchar(256), @Body varbinary(1), @Turn bit = 0, @Woken bit = 0, @Messages int = 0,
            @Batch int, @Pause bit = 0;

    -- RECEIVE always comes first: after an activation that returns without one, Service Broker starts no other
    -- (Service Broker, Internal Activation Context). Its transaction contains only RECEIVE, END and the timer.
    WHILE 1 = 1
    BEGIN
        BEGIN TRY
            SELECT @Batch = 0, @Pause = 0;
            BEGIN TRANSACTION;

            WHILE @Batch < 100
            BEGIN
                RECEIVE TOP (1) @Handle = conversation_handle, @Type = message_type_name, @Body = message_body FROM [dbsched].Dispatch;

                IF @@ROWCOUNT = 0
                    BREAK;

                SELECT @Batch = @Batch + 1,
                       @Turn = CASE WHEN @Type = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog' THEN @Turn ELSE 1 END,
                       @Woken = CASE WHEN @Type = N'//dbsched/Wake' AND @Body = 0x01 THEN 1 ELSE @Woken END;

                IF @Type IN (N'//dbsched/Wake', N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog')
                    END CONVERSATION @Handle;
                -- In case this turn fails before it sets the timer. Another conversation's timer is that of a StopScheduler that was killed
                -- before it ended it.
                ELSE IF @Type = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
                        AND EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (NOLOCK) WHERE s.TimerHandle = @Handle)
                    BEGIN CONVERSATION TIMER (@Handle) TIMEOUT = 60;
                ELSE IF @Type LIKE N'http://schemas.microsoft.com/SQL/ServiceBroker/%'
                    END CONVERSATION @Handle;
                ELSE
                    END CONVERSATION @Handle WITH ERROR = 51099 DESCRIPTION = N'dbsched 51099: unknown message type.';
            END;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- Severities 13 and 17: a deadlock, no space (a full log). Pause, then try again, since this activation may be the only one. After
            -- other errors (9617: the queue is disabled) a loop would spin. First look at the tables: no other session knows of wake-ups
            -- that were received before.
            SELECT @Batch = 0, @Pause = CASE WHEN ERROR_SEVERITY() IN (13, 17) THEN 1 ELSE 0 END;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;

        SET @Messages = @Messages + @Batch;

        -- The queue is empty, or so busy that the tables must not wait any longer.
        IF @Turn = 1 AND (@Batch < 100 OR @Messages >= 200)
        BEGIN
            EXEC [dbsched].DispatchTurn @Woken;
            SELECT @Turn = 0, @Woken = 0, @Messages = 0;
        END
        ELSE IF @Batch < 100 AND @Pause = 0
            BREAK;

        IF @Pause = 1
            WAITFOR DELAY '00:00:01';
    END;
END;
GO
-- Procedure: Sweep
-- Purpose: Does the dispatcher's periodic work at once: due tasks, dead workers, pruning, lanes.
-- Access: public: dbsched_admin
-- Parameters: none
-- Errors:
--   51010: called inside a transaction
-- Example: EXEC dbsched.Sweep;
CREATE OR ALTER PROCEDURE [dbsched].Sweep
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: Sweep cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @RetentionDays int, @More bit;

    BEGIN TRY
        SELECT @RetentionDays = s.RetentionDays FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1;
        EXEC [dbsched].RunSweep @RetentionDays, @More OUTPUT;
        -- A slice was full: the dispatcher goes on. Not NULL: a sweep that is late shows that there is none.
        IF @More = 1
            UPDATE s SET s.NextSweepAt = SYSUTCDATETIME() FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1;
        EXEC [dbsched].ArmTimer @Seconds = 1;
        EXEC [dbsched].SendWake;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
-- Procedure: OrderCancel
-- Purpose: Cancels one task, or a process with all its tasks. Tasks that have not started become Cancelled at once; for running
-- tasks the dispatcher ends the session. Ended tasks do not change.
-- Access: private; runs as the owner.
-- Parameters:
--   @TaskId bigint = NULL: the task; NULL = a whole process
--   @ProcessId int = NULL: the process; NULL = the process of the task
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the task or process is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user
CREATE OR ALTER PROCEDURE [dbsched].OrderCancel
    @TaskId bigint = NULL,
    @ProcessId int = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;
    SET LOCK_TIMEOUT 5000;
    DECLARE @ScheduleId int, @Mine bit, @Found bit = 0, @ProcessStatus varchar(10), @Now datetime2(3) = SYSUTCDATETIME();
    DECLARE @Ordered TABLE (TaskId bigint NOT NULL PRIMARY KEY);

    BEGIN TRY
        -- Check the owner before taking any lock that workers need.
        IF @TaskId IS NOT NULL
            SELECT @Found = 1, @ProcessId = t.ProcessId, @Mine = CASE WHEN t.EnqueuedBySid = @UserSid THEN 1 ELSE 0 END,
                   @ScheduleId = CASE WHEN t.ProcessId = 0 THEN TRY_CONVERT(int, LEFT(t.DedupKey, CHARINDEX(N'@', t.DedupKey + N'@') - 1)) END
            FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId;
        ELSE
            SELECT @Found = 1, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
            FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;

        IF @Found = 0 AND @TaskId IS NOT NULL
            THROW 51024, N'dbsched 51024: there is no such task. See TaskInfo.', 1;
        IF @Found = 0
            THROW 51004, N'dbsched 51004: there is no such process. See ProcessInfo.', 1;
        IF @IsAdmin = 0 AND @Mine = 0 AND @TaskId IS NOT NULL
            THROW 51025, N'dbsched 51025: the task belongs to another user. Ask an administrator.', 1;
        IF @IsAdmin = 0 AND @Mine = 0
            THROW 51006, N'dbsched 51006: the process belongs to another user. Ask an administrator.', 1;

        BEGIN TRANSACTION;

        SELECT @ProcessStatus = p.Status
        FROM [dbsched].Processes AS p WITH (UPDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        -- The process first, as when it is halted (see FailTask). Its requests have no effect from now on.
        IF @TaskId IS NULL
            UPDATE p
            SET p.Status = 'Cancelled', p.FinishedAt = @Now, p.HasWork = 0, @ScheduleId = p.ScheduleId
            FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
            WHERE p.ProcessId = @ProcessId AND p.FinishedAt IS NULL;

        -- READPAST: uncommitted tasks do not exist yet. When they commit, the sweep skips those of an ended process.
        IF @TaskId IS NOT NULL
            INSERT INTO @Ordered (TaskId) VALUES (@TaskId);
        ELSE
            INSERT INTO @Ordered (TaskId)
            SELECT t.TaskId
            FROM [dbsched].Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
            WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL
            OPTION (MAXDOP 1);

        -- FORCESEEK: for many tasks SQL Server would scan the table and wait for other sessions' uncommitted rows.
        -- StopAt now: the dispatcher ends the sessions. Cancelled overrides TimedOut, which might be retried.
        UPDATE t
        SET t.Status = 'Stopping', t.StopOutcome = 'Cancelled', t.StopAt = CASE WHEN t.Status = 'Running' THEN @Now ELSE t.StopAt END
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN @Ordered AS o ON o.TaskId = t.TaskId
        WHERE t.Status IN ('Running', 'Stopping');

        UPDATE t
        SET t.Status = 'Cancelled', t.WaitReason = NULL, t.DueAt = NULL, t.FinishedAt = @Now
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN @Ordered AS o ON o.TaskId = t.TaskId
        WHERE t.Status IN ('Pending', 'Waiting');

        EXEC [dbsched].LeaveResourceLine @ProcessId;

        -- The next wave may start, or the process may be done.
        IF @ProcessStatus IN ('Open', 'Closing') AND @TaskId IS NOT NULL
        BEGIN
            UPDATE p SET p.HasWork = 1 FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
            EXEC [dbsched].CloseIfDone @ProcessId;
        END;

        IF @ScheduleId IS NOT NULL
            EXEC [dbsched].NextFiring @ScheduleId;

        EXEC [dbsched].WakeOnce;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        IF ERROR_NUMBER() <> 1222
            THROW;
        THROW 51011, N'dbsched 51011: the task or process is locked by a transaction that has not ended. Try again after it commits.', 1;
    END CATCH;
END;
GO
-- Procedure: CancelTask
-- Purpose: Cancels a task. A task that has not started becomes Cancelled at once. A running task is Stopping until its session has
-- ended or, where dbsched may not end sessions, until the task ends by itself. An ended task does not change.
-- Access: public: dbsched_user (own tasks), dbsched_admin
-- Parameters:
--   @TaskId bigint (required): the task
-- Errors:
--   51010: called inside a transaction
--   51011: the task is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user
-- Example: DECLARE @T bigint; EXEC dbsched.ExecAsync N'EXEC dbo.LoadOrders', 100, @TaskId = @T OUTPUT; EXEC dbsched.CancelTask @T;
CREATE OR ALTER PROCEDURE [dbsched].CancelTask
    @TaskId bigint
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: CancelTask cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    IF @TaskId IS NULL
        THROW 51024, N'dbsched 51024: @TaskId is NULL. Pass the number of a task.', 1;

    EXEC [dbsched].OrderCancel @TaskId = @TaskId;
    RETURN 0;
END;
GO
-- Procedure: CancelProcess
-- Purpose: Cancels a process: tasks that have not started become Cancelled at once, running tasks as in CancelTask. In an ended
-- process, cancels only tasks that are still running.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51010: called inside a transaction
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process never ends
-- Example: EXEC dbsched.CancelProcess 7;
CREATE OR ALTER PROCEDURE [dbsched].CancelProcess
    @ProcessId int
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: CancelProcess cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    IF @ProcessId IS NULL
        THROW 51004, N'dbsched 51004: @ProcessId is NULL. Pass the number of a process.', 1;

    IF @ProcessId IN (0, 1)
        THROW 51013, N'dbsched 51013: processes 0 (of schedules) and 1 (the default process) never end. Cancel its tasks one by one with CancelTask.', 1;

    EXEC [dbsched].OrderCancel @ProcessId = @ProcessId;
    RETURN 0;
END;
GO
-- Procedure: OrderRetry
-- Purpose: Runs one task again, or all Failed, TimedOut and Skipped tasks of a process. An ended process is Open again, or
-- Closing if CloseProcess was called.
-- Access: private; runs as the owner.
-- Parameters:
--   @TaskId bigint = NULL: the task; NULL = a whole process
--   @ProcessId int = NULL: the process; NULL = the process of the task
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the task or process is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user, or so does one that failed or was skipped in the process
--   51027: nothing to retry, the process was purged, cancelled tasks have not ended yet, or the task makes the process of a firing
CREATE OR ALTER PROCEDURE [dbsched].OrderRetry
    @TaskId bigint = NULL,
    @ProcessId int = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;
    SET LOCK_TIMEOUT 5000;
    DECLARE @Mine bit, @Found bit = 0, @ProcessStatus varchar(10), @Failed int, @Rows int;
    DECLARE @Again TABLE (TaskId bigint NOT NULL PRIMARY KEY, Status varchar(10) COLLATE Latin1_General_BIN2 NOT NULL);

    BEGIN TRY
        IF @TaskId IS NOT NULL
            SELECT @Found = 1, @ProcessId = t.ProcessId, @Mine = CASE WHEN t.EnqueuedBySid = @UserSid THEN 1 ELSE 0 END
            FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId;
        ELSE
            SELECT @Found = 1, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
            FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;

        IF @Found = 0 AND @TaskId IS NOT NULL
            THROW 51024, N'dbsched 51024: there is no such task. See TaskInfo.', 1;
        IF @Found = 0 OR (@TaskId IS NULL AND @ProcessId = 0)
            THROW 51004, N'dbsched 51004: there is no such process. See ProcessInfo.', 1;
        IF @IsAdmin = 0 AND @Mine = 0 AND @TaskId IS NOT NULL
            THROW 51025, N'dbsched 51025: the task belongs to another user. Ask an administrator.', 1;
        IF @ProcessId = 0
            THROW 51027, N'dbsched 51027: the task of a firing cannot be retried. To start the schedule now, call RunSchedule.', 1;
        IF @IsAdmin = 0 AND @Mine = 0
            THROW 51006, N'dbsched 51006: the process belongs to another user. Ask an administrator.', 1;

        BEGIN TRANSACTION;

        SELECT @ProcessStatus = p.Status
        FROM [dbsched].Processes AS p WITH (UPDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        -- A task that ended after its process was halted is kept longer than the process.
        IF @ProcessStatus IS NULL
            THROW 51027, N'dbsched 51027: the process of this task was purged, so the task cannot be retried. Enqueue it again.', 1;

        IF @ProcessStatus = 'Cancelled' AND EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL AND t.Status = 'Stopping')
            THROW 51027, N'dbsched 51027: tasks of the cancelled process have not ended yet. Try again after they end.', 1;

        -- For a process: Failed, TimedOut and Skipped tasks, but no duplicates of other tasks. For a Cancelled process
        -- the Cancelled tasks too.
        IF @TaskId IS NOT NULL
            INSERT INTO @Again (TaskId, Status)
            SELECT t.TaskId, t.Status
            FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId AND t.Status IN ('Failed', 'TimedOut', 'Cancelled', 'Skipped');
        ELSE
            INSERT INTO @Again (TaskId, Status)
            SELECT t.TaskId, t.Status
            FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Failed))
            WHERE t.ProcessId = @ProcessId AND t.Status IN ('Failed', 'TimedOut', 'Cancelled', 'Skipped')
              AND (t.Status <> 'Cancelled' OR @ProcessStatus = 'Cancelled')
              AND t.DuplicateOf IS NULL
            OPTION (MAXDOP 1);

        -- Others' tasks run with others' rights. Without them the process could not go on where it failed.
        IF @IsAdmin = 0 AND EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (NOLOCK, FORCESEEK)
                                    INNER JOIN @Again AS a ON a.TaskId = t.TaskId WHERE t.EnqueuedBySid <> @UserSid)
            THROW 51025, N'dbsched 51025: tasks of another user failed or were skipped in the process. Ask an administrator, or call RetryTask.', 1;

        SELECT @Rows = COUNT(*), @Failed = ISNULL(SUM(CASE WHEN a.Status IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END), 0)
        FROM @Again AS a;

        IF @Rows = 0 AND (@TaskId IS NOT NULL OR @ProcessStatus NOT IN ('Failed', 'Cancelled'))
            THROW 51027, N'dbsched 51027: there is nothing to retry. Only Failed, TimedOut, Cancelled or Skipped tasks can be retried; see TaskInfo.', 1;

        -- One TransactionId for all: if a commit releases the locks one by one, no claim mistakes a later wave for the first
        -- (see ChooseTask).
        UPDATE t
        SET t.Status = 'Pending', t.Failures = 0, t.Orphans = 0, t.OutageSince = NULL, t.FinishedAt = NULL, t.TransactionId = CURRENT_TRANSACTION_ID()
        FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN @Again AS a ON a.TaskId = t.TaskId;

        UPDATE p
        SET p.Status = CASE WHEN p.Status = 'Suspended' THEN 'Suspended' WHEN p.CloseRequested = 1 THEN 'Closing' ELSE 'Open' END,
            p.FinishedAt = NULL,
            p.HasWork = 1,
            p.WaveOrder = NULL,
            p.TasksFailed = CASE WHEN p.TasksFailed > @Failed THEN p.TasksFailed - @Failed ELSE 0 END
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        EXEC [dbsched].WakeOnce;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        IF ERROR_NUMBER() <> 1222
            THROW;
        THROW 51011, N'dbsched 51011: the task or process is locked by a transaction that has not ended. Try again after it commits.', 1;
    END CATCH;
END;
GO
-- Procedure: RetryTask
-- Purpose: Runs a Failed, TimedOut, Cancelled or Skipped task again, with all its attempts. If its process had ended, it is Open again,
-- or Closing if CloseProcess was called. Later waves that have not started wait for the task.
-- Access: public: dbsched_user (own tasks), dbsched_admin
-- Parameters:
--   @TaskId bigint (required): the task
-- Errors:
--   51010: called inside a transaction
--   51011: the task is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user
--   51027: the task is not Failed, TimedOut, Cancelled or Skipped, its process was purged (see RetentionDays), or it makes the process of a
--       firing: call RunSchedule
-- Example: DECLARE @T bigint; SELECT @T = MIN(TaskId) FROM dbsched.TaskInfo WHERE Status = 'Failed' AND ProcessId > 0; IF @T IS NOT NULL EXEC dbsched.RetryTask @T;
CREATE OR ALTER PROCEDURE [dbsched].RetryTask
    @TaskId bigint
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: RetryTask cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    IF @TaskId IS NULL
        THROW 51024, N'dbsched 51024: @TaskId is NULL. Pass the number of a task.', 1;

    EXEC [dbsched].OrderRetry @TaskId = @TaskId;
    RETURN 0;
END;
GO
-- Procedure: RetryProcess
-- Purpose: Resumes a process where it failed: its Failed, TimedOut and Skipped tasks run again, and in a Cancelled process the
-- Cancelled tasks too. The process is Open again, or Closing if CloseProcess was called. If some of these tasks are another user's, only
-- an administrator can do it.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51010: called inside a transaction
--   51011: the process is locked by a transaction that has not ended
--   51025: tasks of another user failed or were skipped in it
--   51027: the process has no Failed, TimedOut, Skipped or Cancelled tasks, or cancelled tasks have not ended yet
-- Example: EXEC dbsched.RetryProcess 7;
CREATE OR ALTER PROCEDURE [dbsched].RetryProcess
    @ProcessId int
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: RetryProcess cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    IF @ProcessId IS NULL
        THROW 51004, N'dbsched 51004: @ProcessId is NULL. Pass the number of a process.', 1;

    EXEC [dbsched].OrderRetry @ProcessId = @ProcessId;
    RETURN 0;
END;
GO
-- Procedure: Purge
-- Purpose: Deletes old tasks, processes, attempts and alarms that have ended, in small batches, so that it blocks no other session. The
-- sweep does the same after RetentionDays. Unfinished work stays, however old.
-- Access: public: dbsched_admin
-- Parameters:
--   @Days int = NULL: delete what ended more than this many days ago; 0 = all that has ended; NULL = RetentionDays; 0 to 36500
--   @Rows bigint = NULL OUTPUT: number of rows deleted
-- Errors:
--   51003: @Days is out of range
--   51010: called inside a transaction
-- Example: EXEC dbsched.Purge 7;
CREATE OR ALTER PROCEDURE [dbsched].Purge
    @Days int = NULL,
    @Rows bigint = NULL OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: Purge cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Cutoff datetime2(3), @Slice int = 1, @Full bit;

    IF @Days NOT BETWEEN 0 AND 36500
        THROW 51003, N'dbsched 51003: @Days must be from 0 to 36500.', 1;

    SELECT @Cutoff = DATEADD(day, -ISNULL(@Days, s.RetentionDays), SYSUTCDATETIME())
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SET @Rows = 0;

    -- Do not stop at a partial slice: one of the oldest 500 attempts may still be running.
    WHILE @Slice > 0
    BEGIN
        EXEC [dbsched].PruneHistory @Cutoff, @Slice OUTPUT, @Full OUTPUT;
        SET @Rows = @Rows + @Slice;
    END;

    RETURN 0;
END;
GO
-- View: LogInfo
-- Purpose: One row per attempt. Users see their own tasks; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: LogId, TaskId, ProcessId, ExecutionOrder, TaskBody, SPID, StartTime, EndTime (the columns of the first published
--   version of this scheduler; times are UTC), Attempt, LaneId, WorkerId, Outcome, RowsAffected, ErrorNumber, ErrorMessage,
--   ErrorProcedure, ErrorLine, EnqueuedBy, TaskName
-- Example: SELECT * FROM dbsched.LogInfo ORDER BY LogId;
CREATE OR ALTER VIEW [dbsched].LogInfo
AS
-- NULL in hidden rows, see Viewer, except LogId, which has an index.
SELECT g.LogId,
       CASE WHEN v.Mine = 1 THEN g.TaskId END AS TaskId,
       CASE WHEN v.Mine = 1 THEN g.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN g.ExecutionOrder END AS ExecutionOrder,
       CASE WHEN v.Mine = 1 THEN g.SqlText END AS TaskBody,
       CASE WHEN v.Mine = 1 THEN g.SessionId END AS SPID,
       CASE WHEN v.Mine = 1 THEN g.StartedAt END AS StartTime,
       CASE WHEN v.Mine = 1 THEN g.EndedAt END AS EndTime,
       CASE WHEN v.Mine = 1 THEN g.Attempt END AS Attempt,
       CASE WHEN v.Mine = 1 THEN g.LaneId END AS LaneId,
       CASE WHEN v.Mine = 1 THEN g.WorkerId END AS WorkerId,
       CASE WHEN v.Mine = 1 THEN ISNULL(g.Outcome, 'Running') END AS Outcome,
       CASE WHEN v.Mine = 1 THEN g.RowsAffected END AS RowsAffected,
       CASE WHEN v.Mine = 1 THEN g.ErrorNumber END AS ErrorNumber,
       CASE WHEN v.Mine = 1 THEN g.ErrorMessage END AS ErrorMessage,
       CASE WHEN v.Mine = 1 THEN g.ErrorProcedure END AS ErrorProcedure,
       CASE WHEN v.Mine = 1 THEN g.ErrorLine END AS ErrorLine,
       CASE WHEN v.Mine = 1 THEN g.EnqueuedByName END AS EnqueuedBy,
       CASE WHEN v.Mine = 1 THEN g.TaskName END AS TaskName
FROM [dbsched].Logs AS g WITH (NOLOCK)
CROSS JOIN [dbsched].Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR g.EnqueuedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
GO
-- Procedure: StartScheduler
-- Purpose: Starts the scheduler: workers start for tasks, including tasks enqueued earlier. Calling it again is harmless,
-- and repairs a lost timer or a disabled queue.
-- Access: public: dbsched_admin
-- Parameters:
--   @Here bit = 0: 1 = start in a copy (a restored backup, an attached file) of the database in which it was started, and suspend its
--       schedules; otherwise nothing runs there
--   @Moved bit = 0: 1 = start in the database itself, which moved to another server or has another name; schedules stay as they are
--   @AlsoOn nvarchar(1000) = NULL: names of other servers, separated by commas, on which this database goes on without a new start. They
--       replace earlier ones; '-' = none, NULL = no change. A second copy of the database on such a server cannot be told apart
-- Errors:
--   51010: called inside a transaction
--   51015: Service Broker is off in this database
--   51016: the database is read-only
--   51019: the database is a copy of the one in which the scheduler was started
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.StartScheduler;
CREATE OR ALTER PROCEDURE [dbsched].StartScheduler
    @Here bit = 0,
    @Moved bit = 0,
    @AlsoOn nvarchar(1000) = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: StartScheduler cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (NOLOCK))
        THROW 51039, N'dbsched 51039: the row of Settings is missing, so no task runs. To bring it back with default values, run: dbsched install.', 1;
    IF CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) <> N'READ_WRITE'
        THROW 51016, N'dbsched 51016: this database is read-only. Connect to the primary replica, or run: ALTER DATABASE CURRENT SET READ_WRITE.', 1;

    IF NOT EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_broker_enabled = 1)
        THROW 51015, N'dbsched 51015: Service Broker is off in this database. Run: ALTER DATABASE CURRENT SET ENABLE_BROKER. It waits until no other session uses the database.', 1;

    -- As the caller, who may see the GUIDs.
    EXECUTE AS CALLER;
    DECLARE @Home bit, @Group uniqueidentifier,
            @Guid uniqueidentifier = (SELECT r.database_guid FROM sys.database_recovery_status AS r WHERE r.database_id = DB_ID());
    IF CONVERT(int, SERVERPROPERTY('EngineEdition')) <> 8
        SELECT @Group = m.mirroring_guid FROM sys.database_mirroring AS m WHERE m.database_id = DB_ID();
    REVERT;

    EXEC [dbsched].ComeHome @Here, @Moved, @Guid, @Group, @Home OUTPUT;
    IF @Home = 0
    BEGIN
        DECLARE @Message nvarchar(2000) = N'dbsched 51019: this database is a copy of the one in which the scheduler was started, so its'
            + N' tasks would run a second time. If it moved: EXEC StartScheduler @Moved = 1 (dbsched start --moved).'
            + N' To run them here too: @Here = 1 (dbsched start --here).';
        THROW 51019, @Message, 1;
    END;

    EXEC [dbsched].RepairQueues;

    UPDATE s
    SET s.Started = 1, s.NextSweepAt = SYSUTCDATETIME(),
        -- With this server, so that the way back is open, too.
        s.AlsoOn = CASE @AlsoOn WHEN N'-' THEN NULL
                                ELSE ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) + N',' + REPLACE(@AlsoOn, N' ', N''), s.AlsoOn) END,
        s.ChangedAt = CASE WHEN s.Started = 1 THEN s.ChangedAt ELSE SYSUTCDATETIME() END
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    EXEC [dbsched].ArmTimer @Seconds = 5;
    EXEC [dbsched].SendWake;
    RETURN 0;
END;
GO
-- Procedure: StopScheduler
-- Purpose: Stops the scheduler: after it returns, no further task starts. Tasks can still be enqueued, and run after
-- StartScheduler. Calling it again is harmless.
-- Access: public: dbsched_admin
-- Parameters:
--   @Mode varchar(30) = 'Drain': Drain: running tasks finish, however long they take. Now: running tasks are cancelled as
--       in CancelTask, and not retried
-- Errors:
--   51008: @Mode is neither Drain nor Now
--   51010: called inside a transaction
-- Example: EXEC dbsched.StopScheduler;
CREATE OR ALTER PROCEDURE [dbsched].StopScheduler
    @Mode varchar(30) = 'Drain'
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: StopScheduler cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Handle uniqueidentifier, @TaskId bigint = 0, @ProcessId int, @Locked int;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Mode = CASE LOWER(@Mode) WHEN 'drain' THEN 'Drain' WHEN LOWER('DRAIN') THEN 'Drain' WHEN 'now' THEN 'Now' END;
    IF @Mode IS NULL
        THROW 51008, N'dbsched 51008: @Mode must be Drain or Now.', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- A claim locks this row: this waits for claims in progress, and later claims read Started = 0.
        SELECT @Handle = s.TimerHandle
        FROM [dbsched].Settings AS s WITH (XLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        UPDATE s
        SET s.Started = 0, s.TimerHandle = NULL, s.NextSweepAt = NULL, s.ChangedAt = CASE WHEN s.Started = 0 THEN s.ChangedAt ELSE SYSUTCDATETIME() END
        FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The dispatcher ends idle workers.
        EXEC [dbsched].SendWake;

        COMMIT TRANSACTION;

        -- After the commit, where an error dooms nothing: the conversation may be gone (NEW_BROKER, a restore), and a look into
        -- sys.conversation_endpoints may wait for every uncommitted enqueuer.
        BEGIN TRY
            IF @Handle IS NOT NULL
                END CONVERSATION @Handle;
        END TRY
        BEGIN CATCH
            IF ERROR_NUMBER() <> 8426
                THROW;
        END CATCH;

        WHILE @Mode = 'Now' AND @TaskId IS NOT NULL
        BEGIN
            SELECT @TaskId = MIN(t.TaskId)
            FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Worker))
            WHERE t.WorkerId IS NOT NULL AND t.TaskId > @TaskId
            OPTION (MAXDOP 1);

            IF @TaskId IS NOT NULL
            BEGIN
                BEGIN TRANSACTION;

                SELECT @ProcessId = t.ProcessId
                FROM [dbsched].Tasks AS t WITH (NOLOCK)
                WHERE t.TaskId = @TaskId;

                SELECT @Locked = p.ProcessId
                FROM [dbsched].Processes AS p WITH (UPDLOCK, ROWLOCK)
                WHERE p.ProcessId = @ProcessId;

                UPDATE t
                SET t.Status = 'Stopping', t.StopOutcome = 'Cancelled', t.StopAt = SYSUTCDATETIME()
                FROM [dbsched].Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE t.TaskId = @TaskId AND t.Status IN ('Running', 'Stopping');

                COMMIT TRANSACTION;
            END;
        END;

        -- The dispatcher ends their sessions, even while the scheduler is stopped.
        IF @Mode = 'Now'
            EXEC [dbsched].SendWake;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    RETURN 0;
END;
GO
-- Procedure: SetOptions
-- Purpose: Sets rarely changed options. Options that are missing or NULL do not change. All changes are made, or none. They take
-- effect without a restart, when the option is next read. SchedulerInfo shows them.
-- Access: public: dbsched_admin
-- Parameters:
--   @LingerSeconds int = NULL: seconds that an idle worker waits for work before it ends; 0 to 60: meanwhile its session has an open transaction
--   @IdleSweepSeconds int = NULL: seconds between two sweeps; 1 to 86400
--   @RetentionDays int = NULL: days to keep ended tasks and processes, attempts and alarms; 1 to 36500
--   @MaxRetryDelaySeconds int = NULL: longest delay before a retry, in seconds; 0 to 86400
--   @MaxOrphans int = NULL: how often a task is run again after its worker died; 0 to 100
--   @OutageSeconds int = NULL: seconds for which a task is tried again that the server cannot begin; 0 to 2592000
--   @MaxTasksPerUser int = NULL: unfinished tasks that a user may have who is no administrator; 0 = no limit. Counts tasks added while it is set,
--       those of schedules and rounds too. Retries, and calls of the same moment, can exceed it
--   @DefaultTimeoutSeconds int = NULL: @TimeoutSeconds of new tasks that name none; 0 = no limit
-- Errors:
--   51003: a number is out of range, or no option is given
--   51010: called inside a transaction
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.SetOptions @RetentionDays = 90, @LingerSeconds = 5;
CREATE OR ALTER PROCEDURE [dbsched].SetOptions
    @LingerSeconds int = NULL,
    @IdleSweepSeconds int = NULL,
    @RetentionDays int = NULL,
    @MaxRetryDelaySeconds int = NULL,
    @MaxOrphans int = NULL,
    @OutageSeconds int = NULL,
    @MaxTasksPerUser int = NULL,
    @DefaultTimeoutSeconds int = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: SetOptions cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (NOLOCK))
        THROW 51039, N'dbsched 51039: the row of Settings is missing, so no task runs. To bring it back with default values, run: dbsched install.', 1;
    DECLARE @Bad nvarchar(200);

    SET @Bad = CASE WHEN @LingerSeconds NOT BETWEEN 0 AND 60 THEN N'@LingerSeconds must be from 0 to 60'
                    WHEN @IdleSweepSeconds NOT BETWEEN 1 AND 86400 THEN N'@IdleSweepSeconds must be from 1 to 86400'
                    WHEN @RetentionDays NOT BETWEEN 1 AND 36500 THEN N'@RetentionDays must be from 1 to 36500'
                    WHEN @MaxRetryDelaySeconds NOT BETWEEN 0 AND 86400 THEN N'@MaxRetryDelaySeconds must be from 0 to 86400'
                    WHEN @MaxOrphans NOT BETWEEN 0 AND 100 THEN N'@MaxOrphans must be from 0 to 100'
                    WHEN @OutageSeconds NOT BETWEEN 0 AND 2592000 THEN N'@OutageSeconds must be from 0 to 2592000'
                    WHEN @MaxTasksPerUser < 0 THEN N'@MaxTasksPerUser must be 0 or more'
                    WHEN @DefaultTimeoutSeconds < 0 THEN N'@DefaultTimeoutSeconds must be 0 or more'
                    WHEN COALESCE(@LingerSeconds, @IdleSweepSeconds, @RetentionDays, @MaxRetryDelaySeconds, @MaxOrphans,
                                  @OutageSeconds, @MaxTasksPerUser, @DefaultTimeoutSeconds) IS NULL
                        THEN N'pass at least one option and its value' END;
    IF @Bad IS NOT NULL
    BEGIN
        SET @Bad = N'dbsched 51003: ' + @Bad + N'.';
        THROW 51003, @Bad, 1;
    END;

    BEGIN TRY
        BEGIN TRANSACTION;

        UPDATE s
        SET s.LingerSeconds = ISNULL(@LingerSeconds, s.LingerSeconds),
            s.IdleSweepSeconds = ISNULL(@IdleSweepSeconds, s.IdleSweepSeconds),
            s.RetentionDays = ISNULL(@RetentionDays, s.RetentionDays),
            s.MaxRetryDelaySeconds = ISNULL(@MaxRetryDelaySeconds, s.MaxRetryDelaySeconds),
            s.MaxOrphans = ISNULL(@MaxOrphans, s.MaxOrphans),
            s.OutageSeconds = ISNULL(@OutageSeconds, s.OutageSeconds),
            s.MaxTasksPerUser = ISNULL(@MaxTasksPerUser, s.MaxTasksPerUser),
            s.DefaultTimeoutSeconds = ISNULL(@DefaultTimeoutSeconds, s.DefaultTimeoutSeconds),
            s.ChangedAt = SYSUTCDATETIME()
        FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The dispatcher's timer is still set for the old interval.
        EXEC [dbsched].SendWake;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
-- Procedure: SetPolicy
-- Purpose: Sets which process is served first, from the next claim on.
-- Access: public: dbsched_admin
-- Parameters:
--   @Policy varchar(30) (required): Fifo (oldest process first), Priority (highest first, ties oldest first) or
--       RoundRobin (fewest running tasks relative to its weight, then least recently served)
-- Errors:
--   51008: @Policy is not Fifo, Priority or RoundRobin
--   51010: called inside a transaction
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.SetPolicy 'RoundRobin';
CREATE OR ALTER PROCEDURE [dbsched].SetPolicy
    @Policy varchar(30)
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: SetPolicy cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (NOLOCK))
        THROW 51039, N'dbsched 51039: the row of Settings is missing, so no task runs. To bring it back with default values, run: dbsched install.', 1;
    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Policy = CASE LOWER(@Policy) WHEN 'fifo' THEN 'Fifo' WHEN LOWER('FIFO') THEN 'Fifo' WHEN 'priority' THEN 'Priority' WHEN LOWER('PRIORITY') THEN 'Priority' WHEN 'roundrobin' THEN 'RoundRobin' WHEN LOWER('ROUNDROBIN') THEN 'RoundRobin' END;
    IF @Policy IS NULL
        THROW 51008, N'dbsched 51008: @Policy must be Fifo, Priority or RoundRobin.', 1;

    UPDATE s
    SET s.Policy = @Policy, s.ChangedAt = SYSUTCDATETIME()
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    RETURN 0;
END;
GO
-- Procedure: SetWorkers
-- Purpose: Sets how many workers may run at once, even while tasks run. Additional workers start at once if there is work.
-- Surplus workers leave as they finish their tasks.
-- Access: public: dbsched_admin
-- Parameters:
--   @MaxWorkers int (required): number of workers; 0 = pause; at most the number of installed lanes
-- Errors:
--   51003: @MaxWorkers is NULL or negative
--   51009: fewer lanes are installed than workers requested
--   51010: called inside a transaction
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.SetWorkers 8;
CREATE OR ALTER PROCEDURE [dbsched].SetWorkers
    @MaxWorkers int
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: SetWorkers cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    IF NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (NOLOCK))
        THROW 51039, N'dbsched 51039: the row of Settings is missing, so no task runs. To bring it back with default values, run: dbsched install.', 1;
    DECLARE @Message nvarchar(400);

    IF @MaxWorkers IS NULL OR @MaxWorkers < 0
        THROW 51003, N'dbsched 51003: @MaxWorkers must be 0 or more.', 1;

    SELECT @Message = N'dbsched 51009: ' + CONVERT(nvarchar(10), @MaxWorkers) + N' workers need as many lanes, but only '
                    + CONVERT(nvarchar(10), s.MaxLanes) + N' are installed. Add lanes: dbsched install --lanes.'
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1 AND s.MaxLanes < @MaxWorkers;

    IF @Message IS NOT NULL
        THROW 51009, @Message, 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        UPDATE s
        SET s.MaxWorkers = @MaxWorkers, s.ChangedAt = SYSUTCDATETIME()
        FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        EXEC [dbsched].SendWake;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
-- View: SchedulerInfo
-- Purpose: One row: whether the scheduler runs, its settings, and its workload.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: Version, Started, Policy, MaxWorkers, MaxLanes, Workers (sessions that occupy a lane), Running, Unfinished, LingerSeconds,
--   IdleSweepSeconds, RetentionDays, MaxRetryDelaySeconds, MaxOrphans, OutageSeconds, MaxTasksPerUser,
--   DefaultTimeoutSeconds (0 = no limit, see SetOptions), TimerArmed, NextSweepAt, ChangedAt,
--   CopyOf (in a copy, the database in which the scheduler was started; otherwise NULL),
--   AlsoOn (servers on which it also goes on, see StartScheduler), AlarmHook, AlarmHookBy (the procedure called for each alarm, and its user),
--   Alarms (not acknowledged),
--   Blocked (why no task can run: Copy, Stopped, BrokerOff, NoWorkers, NoDispatcher; otherwise NULL)
-- Example: SELECT * FROM dbsched.SchedulerInfo;
CREATE OR ALTER VIEW [dbsched].SchedulerInfo
AS
SELECT s.Version,
       s.Started,
       s.Policy,
       s.MaxWorkers,
       s.MaxLanes,
       (SELECT COUNT(*) FROM [dbsched].Lanes AS l WITH (NOLOCK) WHERE l.WorkerId IS NOT NULL) AS Workers,
       (SELECT COUNT(*) FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.WorkerId IS NOT NULL) AS Running,
       (SELECT COUNT(*) FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.FinishedAt IS NULL) AS Unfinished,
       s.LingerSeconds,
       s.IdleSweepSeconds,
       s.RetentionDays,
       s.MaxRetryDelaySeconds,
       s.MaxOrphans,
       s.OutageSeconds,
       s.MaxTasksPerUser,
       s.DefaultTimeoutSeconds,
       CASE WHEN s.TimerHandle IS NULL THEN 0 ELSE 1 END AS TimerArmed,
       s.NextSweepAt,
       s.ChangedAt,
       c.CopyOf,
       s.AlsoOn,
       s.AlarmHook,
       s.AlarmHookByName AS AlarmHookBy,
       (SELECT COUNT(*) FROM [dbsched].Alarms AS a WITH (NOLOCK) WHERE a.AcknowledgedAt IS NULL) AS Alarms,
       CASE WHEN c.CopyOf IS NOT NULL THEN 'Copy'
            WHEN s.Started = 0 THEN 'Stopped'
            WHEN (SELECT d.is_broker_enabled FROM sys.databases AS d WHERE d.database_id = DB_ID()) = 0 THEN 'BrokerOff'
            WHEN s.MaxWorkers = 0 THEN 'NoWorkers'
            WHEN s.NextSweepAt < DATEADD(second, -2 * s.IdleSweepSeconds - 60, SYSUTCDATETIME()) THEN 'NoDispatcher' END AS Blocked
FROM [dbsched].Settings AS s WITH (NOLOCK)
CROSS APPLY (SELECT CASE WHEN s.HomeServer IS NULL
                              OR (s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME())
                              OR (s.HomeServer <> CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) AND s.HomeDatabase = DB_NAME()
        AND CHARINDEX(N',' + UPPER(CONVERT(nvarchar(128), SERVERPROPERTY('ServerName'))) + N',', N',' + UPPER(s.AlsoOn) + N',') > 0)
                              OR s.HomeGroupId = (SELECT d.group_database_id FROM sys.databases AS d WHERE d.database_id = DB_ID()) THEN NULL
                         ELSE s.HomeDatabase + N' on ' + s.HomeServer END AS CopyOf) AS c;
GO
-- Procedure: AcquireResource
-- Purpose: Waits in line for a resource, in the order of arrival, and acquires it. The resource is held until ReleaseResource,
-- until the lease runs out or, without a lease, until the session or its task ends. (A pooled connection ends its session when it
-- is reused.) A call that is interrupted stays in line until its timeout.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): the resource
--   @Access varchar(30) = 'Shared': Shared (one unit) or Exclusive (all units: it waits for all requests before it, and all after it wait)
--   @TimeoutSeconds int = 60: longest wait, in seconds; 0 = do not wait; at most 604800
--   @LeaseSeconds int = NULL: seconds after which the resource is taken back; 1 to 604800; NULL = held until the session ends
--   @Requester nvarchar(4000) = NULL: name of the requester, at most 128 characters; NULL = the caller's login
--   @RequestId bigint = NULL OUTPUT: the request, for ReleaseResource; NULL = not granted
-- Returns: 0 = granted; 2 = timed out, and the request was removed
-- Errors:
--   51003: a number is NULL or out of range
--   51008: @Access is neither Shared nor Exclusive
--   51010: called inside a transaction
--   51040: there is no such resource
--   51041: @Name or @Requester is empty or too long
--   51042: the session already holds the resource and would wait for itself
--   51043: the session and others would wait for each other (a deadlock)
--   51044: the request was removed from the line
-- Example: DECLARE @R bigint; EXEC dbsched.AcquireResource N'warehouse', @TimeoutSeconds = 600, @RequestId = @R OUTPUT;
CREATE OR ALTER PROCEDURE [dbsched].AcquireResource
    @Name nvarchar(4000),
    @Access varchar(30) = 'Shared',
    @TimeoutSeconds int = 60,
    @LeaseSeconds int = NULL,
    @Requester nvarchar(4000) = NULL,
    @RequestId bigint = NULL OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: AcquireResource cannot be called inside a transaction, which would block the line. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;
    DECLARE @ResourceId int, @Capacity int, @Locked int, @TaskId bigint, @ProcessId int, @Status varchar(8), @Lock nvarchar(255), @Got int, @Result int;
    DECLARE @BeforeId bigint, @BeforeLock nvarchar(255), @Bound bit, @Milliseconds int, @Polls int = 0;
    DECLARE @Until datetime2(3) = DATEADD(second, @TimeoutSeconds, SYSUTCDATETIME()), @CheckedAt datetime2(3) = SYSUTCDATETIME(), @Now datetime2(3);

    SET @RequestId = NULL;

    SET @Requester = ISNULL(@Requester, @LoginName);
    IF @Name IS NULL OR @Name = N'' OR LEN(@Name) > 128 OR @Requester = N'' OR LEN(@Requester) > 128
        THROW 51041, N'dbsched 51041: @Name and @Requester must have 1 to 128 characters.', 1;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Access = CASE LOWER(@Access) WHEN 'shared' THEN 'Shared' WHEN 'exclusive' THEN 'Exclusive' WHEN LOWER('EXCLUSIVE') THEN 'Exclusive' END;
    IF @Access IS NULL
        THROW 51008, N'dbsched 51008: @Access must be Shared or Exclusive.', 1;

    IF @TimeoutSeconds IS NULL OR @TimeoutSeconds NOT BETWEEN 0 AND 604800
        THROW 51003, N'dbsched 51003: @TimeoutSeconds must be from 0 to 604800.', 1;

    IF @LeaseSeconds NOT BETWEEN 1 AND 604800
        THROW 51003, N'dbsched 51003: @LeaseSeconds must be from 1 to 604800.', 1;

    SELECT @ResourceId = s.ResourceId
    FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.Name = @Name;

    IF @ResourceId IS NULL
        THROW 51040, N'dbsched 51040: there is no such resource. An administrator can create it with DefineResource.', 1;

    -- A task's resources are released when it ends, at the latest.
    EXEC [dbsched].CurrentTask @TaskId OUTPUT, @ProcessId OUTPUT;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- The number is assigned under this lock, which is held until the commit, so the line is in the order of commits.
        SELECT @Locked = s.ResourceId
        FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        -- Dropped in the meantime.
        IF @Locked IS NULL
            THROW 51040, N'dbsched 51040: there is no such resource. An administrator can create it with DefineResource.', 1;

        INSERT INTO [dbsched].ResourceRequests WITH (ROWLOCK)
            (ResourceId, Status, Access, Requester, ProcessId, TaskId, SessionId, LeaseSeconds, GiveUpAt, RequestedBySid, RequestedByName, RequestedByLogin)
        VALUES
            (@ResourceId, 'Waiting', @Access, @Requester, @ProcessId, @TaskId, @@SPID, @LeaseSeconds, DATEADD(second, 30, @Until), @UserSid, @UserName, @LoginName);

        SET @RequestId = SCOPE_IDENTITY();
        SET @Lock = N'request:' + CONVERT(nvarchar(20), @RequestId);

        -- Before other sessions can see the request: a free lock means a dead session to them.
        EXEC @Got = sys.sp_getapplock @Resource = @Lock, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0, @DbPrincipal = N'dbsched_locks';
        IF @Got < 0
            THROW 51044, N'dbsched 51044: the request could not be created. Try again.', 1;

        EXEC [dbsched].GrantResource @ResourceId, @RequestId;

        COMMIT TRANSACTION;

        WHILE @Result IS NULL
        BEGIN
            SET @Status = NULL;

            SELECT @Status = r.Status
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            IF @Status IS NULL
                THROW 51044, N'dbsched 51044: the request was removed from the line while it waited. Try again.', 1;

            IF @Status = 'Granted'
                SET @Result = 0;
            ELSE IF @Status = 'Reserved' OR SYSUTCDATETIME() >= @Until
            BEGIN
                BEGIN TRANSACTION;

                SELECT @Locked = s.ResourceId
                FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
                WHERE s.ResourceId = @ResourceId;

                UPDATE r
                SET r.Status = 'Granted', r.LeaseUntil = DATEADD(second, r.LeaseSeconds, SYSUTCDATETIME())
                FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId AND r.Status = 'Reserved';

                IF @@ROWCOUNT = 1
                    SET @Result = 0;
                ELSE
                BEGIN
                    -- Remove the request, so that requests behind it no longer wait for it.
                    DELETE r
                    FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

                    EXEC [dbsched].GrantResource @ResourceId;
                    SET @Result = 2;
                END;

                COMMIT TRANSACTION;
            END
            ELSE
            BEGIN
                -- Find a request that must end before this one: with one unit, or if either is Exclusive, any request before it. Use
                -- the nearest, so that each request that ends wakes only the next.
                SELECT @BeforeId = NULL, @Bound = 0;

                SELECT @Capacity = s.Capacity
                FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.ResourceId = @ResourceId;

                SELECT TOP (1) @BeforeId = r.RequestId,
                               @Bound = CASE WHEN r.SessionId IS NULL OR (r.LeaseSeconds IS NOT NULL AND r.Status = 'Granted') THEN 0 ELSE 1 END
                FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE r.ResourceId = @ResourceId AND r.RequestId < @RequestId
                  AND (@Capacity = 1 OR @Access = 'Exclusive' OR r.Access = 'Exclusive')
                ORDER BY r.RequestId DESC
                OPTION (MAXDOP 1);

                SET @BeforeLock = N'request:' + CONVERT(nvarchar(20), @BeforeId);
                IF @Bound = 1 AND APPLOCK_MODE(N'dbsched_locks', @BeforeLock, 'Session') <> N'NoLock'
                    THROW 51042, N'dbsched 51042: this session already holds the resource, and would wait for itself. Call ReleaseResource first.', 1;

                SET @Got = -1;
                IF @Bound = 1
                BEGIN
                    -- The session before holds this lock while its request exists: it is free on release, on giving up, or when the
                    -- session dies. Wait in slices: an administrator may end a request or raise the capacity, and leases run out.
                    -- Read the clock once: a negative timeout would mean forever.
                    SET @Now = SYSUTCDATETIME();
                    SET @Milliseconds = CASE WHEN DATEDIFF(second, @Now, @Until) >= 5 THEN 5000
                                             WHEN @Now >= @Until THEN 0
                                             ELSE DATEDIFF(millisecond, @Now, @Until) END;

                    EXEC @Got = sys.sp_getapplock @Resource = @BeforeLock, @LockMode = 'Shared', @LockOwner = 'Session', @LockTimeout = @Milliseconds,
                                                  @DbPrincipal = N'dbsched_locks';
                    IF @Got >= 0
                        EXEC sys.sp_releaseapplock @Resource = @BeforeLock, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';
                    ELSE IF @Got = -3
                        THROW 51043, N'dbsched 51043: deadlock: this session and others waited for each other''s resources, so this request was removed. Release your resources and start again.', 1;
                END
                -- Any one of several requests, a task, or a lease: there is no lock to wait for.
                ELSE IF @Polls < 10
                    WAITFOR DELAY '00:00:00.100';
                ELSE
                    WAITFOR DELAY '00:00:00.500';

                SET @Polls = @Polls + 1;

                IF @Got >= 0 OR DATEDIFF(second, @CheckedAt, SYSUTCDATETIME()) >= 5
                BEGIN
                    EXEC [dbsched].FreeStaleResources @ResourceId;
                    SET @CheckedAt = SYSUTCDATETIME();
                END;
            END;
        END;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;

        BEGIN TRY
            BEGIN TRANSACTION;

            SELECT @Locked = s.ResourceId
            FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            DELETE r
            FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            EXEC [dbsched].GrantResource @ResourceId;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- Releasing the lock below is enough: without it, the request is found dead.
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;

        IF APPLOCK_MODE(N'dbsched_locks', @Lock, 'Session') <> N'NoLock'
            EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';

        SET @RequestId = NULL;
        THROW;
    END CATCH;

    IF @Result <> 0 OR @LeaseSeconds IS NOT NULL
        EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';

    IF @Result <> 0
        SET @RequestId = NULL;
    ELSE IF @LeaseSeconds IS NOT NULL
        EXEC [dbsched].SendWake; -- the dispatcher's timer must know when the lease runs out

    RETURN @Result;
END;
GO
-- Procedure: ReleaseResource
-- Purpose: Releases what AcquireResource granted, and grants it to the next in line. Raises 51044 if the resource was already lost.
-- Administrators can end any user's request.
-- Access: public: dbsched_user (own requests), dbsched_admin
-- Parameters:
--   @RequestId bigint (required): the request, from AcquireResource or ResourceInfo
-- Errors:
--   51010: called inside a transaction
--   51044: the request does not exist, or no longer exists
--   51045: the request belongs to another user
--   51046: the request belongs to a task, and is released when the task ends
-- Example: EXEC dbsched.ReleaseResource 12;
CREATE OR ALTER PROCEDURE [dbsched].ReleaseResource
    @RequestId bigint
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: ReleaseResource cannot be called inside a transaction, which would block the line. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;
    DECLARE @ResourceId int, @SessionId int, @Mine bit = 0, @Rows int, @Locked int, @Lock nvarchar(255) = N'request:' + CONVERT(nvarchar(20), @RequestId);

    -- Read the index only, see RecoverLane; then the row.
    SELECT @ResourceId = r.ResourceId
    FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.RequestId = @RequestId;

    SELECT @Rows = 1, @SessionId = r.SessionId, @Mine = CASE WHEN r.RequestedBySid = @UserSid THEN 1 ELSE 0 END
    FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

    IF @Rows IS NULL
    BEGIN
        -- Already taken from this session: release its lock too.
        IF APPLOCK_MODE(N'dbsched_locks', @Lock, 'Session') <> N'NoLock'
            EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';
        THROW 51044, N'dbsched 51044: there is no such request. It was already released, or taken back because its session ended or its lease ran out.', 1;
    END;

    -- A caller without a database user is identified by the lock that its session holds.
    IF @IsAdmin = 0 AND @Mine = 0 AND APPLOCK_MODE(N'dbsched_locks', @Lock, 'Session') = N'NoLock'
        THROW 51045, N'dbsched 51045: the request belongs to another user. Ask an administrator.', 1;

    IF @SessionId IS NULL
        THROW 51046, N'dbsched 51046: the request belongs to a task, and is released when the task ends. To end the task, call CancelTask.', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @Locked = s.ResourceId
        FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        DELETE r
        FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

        SET @Rows = @@ROWCOUNT;

        EXEC [dbsched].GrantResource @ResourceId;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    -- After the commit: this wakes the session waiting for this request, which must find that it was granted.
    IF APPLOCK_MODE(N'dbsched_locks', @Lock, 'Session') <> N'NoLock'
        EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = N'dbsched_locks';

    IF @Rows = 0
        THROW 51044, N'dbsched 51044: there is no such request. It was already released, or taken back because its session ended or its lease ran out.', 1;

    RETURN 0;
END;
GO
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
CREATE OR ALTER PROCEDURE [dbsched].DefineResource
    @Name nvarchar(4000),
    @Capacity int = 1
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: DefineResource cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
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
        FROM [dbsched].Resources AS s WITH (UPDLOCK, HOLDLOCK, ROWLOCK)
        WHERE s.Name = @Resource;

        IF @ResourceId IS NULL
            INSERT INTO [dbsched].Resources WITH (ROWLOCK) (Name, Capacity) VALUES (@Resource, @Capacity);
        ELSE
        BEGIN
            UPDATE s
            SET s.Capacity = @Capacity, s.ChangedAt = SYSUTCDATETIME()
            FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            EXEC [dbsched].GrantResource @ResourceId;
        END;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
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
CREATE OR ALTER PROCEDURE [dbsched].DropResource
    @Name nvarchar(4000)
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: DropResource cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @ResourceId int, @Capacity int;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- Reads a column that is not in the index on names. Otherwise only the index entry would be locked, and joining the line locks the row.
        SELECT @ResourceId = s.ResourceId, @Capacity = s.Capacity
        FROM [dbsched].Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.Name = @Name AND LEN(@Name) <= 128;

        IF @ResourceId IS NULL
            THROW 51040, N'dbsched 51040: there is no such resource. See ResourceInfo.', 1;

        IF EXISTS (SELECT 1 FROM [dbsched].ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE r.ResourceId = @ResourceId)
           OR EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.ResourceId = @ResourceId AND t.FinishedAt IS NULL)
            THROW 51047, N'dbsched 51047: the resource has holders or waiters, or an unfinished task names it. See ResourceInfo and TaskInfo, and wait or cancel them.', 1;

        DELETE s
        FROM [dbsched].Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
-- View: ResourceInfo
-- Purpose: Resources and their lines: one row for each request, and one row for a resource with no holders or waiters.
-- Users see all requests, but the requester only of their own; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: Resource, Capacity, Held, Waiting (number of requests that hold it, and that wait), RequestId (also the order of the line), Status
--   (Waiting; Reserved: granted, but the requester has not been told yet; Granted), Access, Requester, RequestedBy,
--   RequestedByLogin, ProcessId, TaskId, SessionId, RequestedAt, GrantedAt, LeaseUntil
-- Example: SELECT * FROM dbsched.ResourceInfo ORDER BY Resource, RequestId;
CREATE OR ALTER VIEW [dbsched].ResourceInfo
AS
SELECT s.Name AS Resource,
       s.Capacity,
       (SELECT COUNT(*) FROM [dbsched].ResourceRequests AS h WITH (NOLOCK)
        WHERE h.ResourceId = s.ResourceId AND h.Status IN ('Granted', 'Reserved')) AS Held,
       (SELECT COUNT(*) FROM [dbsched].ResourceRequests AS w WITH (NOLOCK)
        WHERE w.ResourceId = s.ResourceId AND w.Status = 'Waiting') AS Waiting,
       r.RequestId,
       r.Status,
       r.Access,
       CASE WHEN v.Mine = 1 THEN r.Requester END AS Requester,
       CASE WHEN v.Mine = 1 THEN r.RequestedByName END AS RequestedBy,
       CASE WHEN v.Mine = 1 THEN r.RequestedByLogin END AS RequestedByLogin,
       CASE WHEN v.Mine = 1 THEN r.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN r.TaskId END AS TaskId,
       CASE WHEN v.Mine = 1 THEN r.SessionId END AS SessionId,
       r.RequestedAt,
       r.GrantedAt,
       r.LeaseUntil
FROM [dbsched].Resources AS s WITH (NOLOCK)
LEFT JOIN [dbsched].ResourceRequests AS r WITH (NOLOCK) ON r.ResourceId = s.ResourceId
CROSS JOIN [dbsched].Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR r.RequestedBySid = me.UserSid THEN 1 END AS Mine) AS v;
GO
-- Procedure: EnqueueForRound
-- Purpose: Enqueues the task of a round as the user that defined the round. A separate procedure, because its end reverts EXECUTE
-- AS, whatever happens in it.
-- Access: private; runs as the owner, which may impersonate
-- Parameters:
--   @UserName nvarchar(128) (required): the user
--   @SqlText nvarchar(max) (required): the batch
--   @ExecutionOrder int (required): its wave
--   @ProcessId int (required): its process
--   @TaskId bigint OUTPUT: the new task
-- Errors (and those of ExecAsync):
--   51057: the user may no longer enqueue
CREATE OR ALTER PROCEDURE [dbsched].EnqueueForRound
    @UserName nvarchar(128),
    @SqlText nvarchar(max),
    @ExecutionOrder int,
    @ProcessId int,
    @TaskId bigint OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    EXECUTE AS USER = @UserName;
    -- An ownership chain leads to ExecAsync, so SQL Server does not check it.
    IF HAS_PERMS_BY_NAME(N'[dbsched].ExecAsync', N'OBJECT', N'EXECUTE') = 0
        THROW 51057, N'dbsched 51057: the user that defined the round may no longer enqueue. Have another define it again, or add it to a role.', 1;
    EXEC [dbsched].ExecAsync @SQL = @SqlText, @ExecutionOrder = @ExecutionOrder, @ProcessId = @ProcessId, @TaskId = @TaskId OUTPUT;
    REVERT;
    RETURN 0;
END;
GO
-- Procedure: LookAtJob
-- Purpose: Reads the state of a SQL Server Agent job from msdb, with the rights of the caller. A separate procedure, so that the
-- caller's TRY also catches compilation errors (TRY...CATCH, Errors Unaffected).
-- Access: private; runs as the caller
-- Parameters:
--   @Job nvarchar(128) (required): name of the job
--   @Known bit OUTPUT: 1 = the job exists
--   @Running bit OUTPUT: 1 = it runs or is about to run
--   @Started bit OUTPUT: 1 = it runs, or it ended and @HistoryId changed
--   @HistoryId int OUTPUT: outcome row of its last run in sysjobhistory; 0 = none since the service started
CREATE OR ALTER PROCEDURE [dbsched].LookAtJob
    @Job nvarchar(128),
    @Known bit OUTPUT,
    @Running bit OUTPUT,
    @Started bit OUTPUT,
    @HistoryId int OUTPUT
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @JobId uniqueidentifier, @AgentSession int, @Before int = ISNULL(@HistoryId, 0), @Requested datetime, @Start datetime, @Stop datetime;

    -- Dynamic SQL, so that this procedure can be created without access to msdb. Only the current session of the service
    -- counts: rows of earlier sessions may look like running jobs.
    DECLARE @Look nvarchar(1000) = N'
SELECT @JobId = j.job_id
FROM msdb.dbo.sysjobs AS j
WHERE j.name = @Job;

SELECT @AgentSession = MAX(s.session_id)
FROM msdb.dbo.syssessions AS s;

SELECT @Requested = a.run_requested_date, @Start = a.start_execution_date, @Stop = a.stop_execution_date, @HistoryId = a.job_history_id
FROM msdb.dbo.sysjobactivity AS a
WHERE a.job_id = @JobId AND a.session_id = @AgentSession;';

    SET @HistoryId = NULL;

    EXEC sys.sp_executesql @Look,
        N'@Job nvarchar(128), @JobId uniqueidentifier OUTPUT, @AgentSession int OUTPUT, @Requested datetime OUTPUT, @Start datetime OUTPUT, @Stop datetime OUTPUT, @HistoryId int OUTPUT',
        @Job = @Job, @JobId = @JobId OUTPUT, @AgentSession = @AgentSession OUTPUT, @Requested = @Requested OUTPUT, @Start = @Start OUTPUT, @Stop = @Stop OUTPUT, @HistoryId = @HistoryId OUTPUT;

    -- A request to run clears the row, so its contents belong to that run.
    SET @HistoryId = ISNULL(@HistoryId, 0);
    SET @Known = CASE WHEN @JobId IS NULL THEN 0 ELSE 1 END;
    SET @Running = CASE WHEN @Stop IS NULL AND (@Requested IS NOT NULL OR @Start IS NOT NULL) THEN 1 ELSE 0 END;
    SET @Started = CASE WHEN @Start IS NOT NULL AND (@Stop IS NULL OR @HistoryId <> @Before) THEN 1 ELSE 0 END;
    RETURN 0;
END;
GO
-- Procedure: RecordReport
-- Purpose: Records a member's report in its own transaction. The report that completes a generation also ends the generation
-- and enqueues the task, or records that a job must be started, in the same transaction. Reports of a round are serialized, so only
-- one of two simultaneous reports is the last.
-- Access: private; runs as the owner
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round
--   @Member nvarchar(4000) (required): name of the member
--   @Succeeded bit (required): 0 = it failed
--   @UserSid varbinary(85) (required): SID of the caller
--   @IsAdmin bit (required): 1 = the caller may report for any user's round
--   @Outcome varchar(10) OUTPUT: Waiting, Reported (a failure), Started (a task) or Starting (a job must be started)
--   @FiringId bigint OUTPUT: the firing, for the job
--   @Job nvarchar(128) OUTPUT: the job
--   @StartSeconds int OUTPUT: seconds in which the job must be seen to run
-- Errors (and those of ExecAsync):
--   51051: there is no such round
--   51052: the round has no such member
--   51053: the round belongs to another user
--   51057: the user that defined the round no longer exists, or may no longer enqueue
CREATE OR ALTER PROCEDURE [dbsched].RecordReport
    @Round nvarchar(4000),
    @Member nvarchar(4000),
    @Succeeded bit,
    @UserSid varbinary(85),
    @IsAdmin bit,
    @Outcome varchar(10) OUTPUT,
    @FiringId bigint OUTPUT,
    @Job nvarchar(128) OUTPUT,
    @StartSeconds int OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @RoundId int, @Mine bit, @Message nvarchar(2000), @SqlText nvarchar(max), @Order int, @ProcessId int, @DefinerId int, @DefinerSid varbinary(85), @Definer nvarchar(128), @TaskId bigint;

    SET @Outcome = CASE WHEN @Succeeded = 1 THEN 'Waiting' ELSE 'Reported' END;
    SET @FiringId = NULL;
    SET @Job = NULL;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @RoundId = r.RoundId, @Job = r.SuccessorJob, @StartSeconds = r.StartSeconds,
               @Mine = CASE WHEN r.DefinedBySid = @UserSid THEN 1 ELSE 0 END, @Definer = r.DefinedByName
        FROM [dbsched].Rounds AS r WITH (UPDLOCK, READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.Name = @Round;

        IF @RoundId IS NULL
        BEGIN
            SET @Message = LEFT(N'dbsched 51051: there is no round "' + REPLACE(@Round, N'%', N'%%') + N'". See RoundInfo.', 2000);
            THROW 51051, @Message, 1;
        END;

        IF @IsAdmin = 0 AND @Mine = 0
        BEGIN
            SET @Message = LEFT(N'dbsched 51053: round "' + REPLACE(@Round, N'%', N'%%') + N'" belongs to another user. Ask an administrator.', 2000);
            THROW 51053, @Message, 1;
        END;

        EXEC [dbsched].ForgetOldReports @RoundId;

        UPDATE m
        SET m.ReportedAt = SYSUTCDATETIME(), m.Succeeded = @Succeeded
        FROM [dbsched].RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.RoundId = @RoundId AND m.Member = @Member;

        IF @@ROWCOUNT = 0
        BEGIN
            SET @Message = LEFT(N'dbsched 51052: round "' + REPLACE(@Round, N'%', N'%%') + N'" has no member "'
                + REPLACE(@Member, N'%', N'%%') + N'". See RoundMemberInfo.', 2000);
            THROW 51052, @Message, 1;
        END;

        IF @Succeeded = 0
        BEGIN
            SET @Message = LEFT(N'Round "' + @Round + N'" does not start its successor: member "' + @Member + N'" failed. Fix it and run it again; its success then counts.', 2000);
            EXEC [dbsched].RaiseAlarm @Kind = 'RoundFailed', @Message = @Message, @UserName = @Definer;
        END
        ELSE IF NOT EXISTS (SELECT 1 FROM [dbsched].RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
                            WHERE m.RoundId = @RoundId AND (m.Succeeded IS NULL OR m.Succeeded = 0))
        BEGIN
            INSERT INTO [dbsched].RoundFirings WITH (ROWLOCK) (RoundId, Generation, FiredBy, SuccessorJob)
            SELECT r.RoundId, r.Generation, @Member, r.SuccessorJob
            FROM [dbsched].Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

            SET @FiringId = SCOPE_IDENTITY();

            UPDATE r
            SET r.Generation = r.Generation + 1
            FROM [dbsched].Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

            UPDATE m
            SET m.ReportedAt = NULL, m.Succeeded = NULL
            FROM [dbsched].RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE m.RoundId = @RoundId;

            SET @Outcome = 'Starting';

            IF @Job IS NULL
            BEGIN
                SELECT @SqlText = r.SuccessorSql, @Order = r.SuccessorOrder, @ProcessId = r.SuccessorProcessId,
                       @DefinerId = r.DefinedById, @DefinerSid = r.DefinedBySid, @Definer = r.DefinedByName
                FROM [dbsched].Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE r.RoundId = @RoundId;

                IF NOT EXISTS (SELECT 1 FROM sys.database_principals AS p
                               WHERE p.principal_id = @DefinerId AND p.name = @Definer AND (p.principal_id = 1 OR p.sid = @DefinerSid))
                    THROW 51057, N'dbsched 51057: the user that defined the round no longer exists, so its task cannot run. Define the round again as an existing user.', 1;

                EXEC [dbsched].EnqueueForRound @UserName = @Definer, @SqlText = @SqlText, @ExecutionOrder = @Order, @ProcessId = @ProcessId, @TaskId = @TaskId OUTPUT;

                UPDATE f
                SET f.Status = 'Started', f.TaskId = @TaskId, f.EndedAt = SYSUTCDATETIME()
                FROM [dbsched].RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE f.FiringId = @FiringId;

                SET @Outcome = 'Started';
            END;
        END;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        SET @Message = LEFT(N'Round "' + @Round + N'": the last report, by member "' + @Member + N'", was rolled back because the task cannot be enqueued. Report again after fixing this: ' + ERROR_MESSAGE(), 2000);

        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;

        IF @Outcome = 'Starting'
            EXEC [dbsched].RaiseAlarm @Kind = 'RoundStart', @Message = @Message, @UserName = @Definer;

        THROW;
    END CATCH;

    RETURN 0;
END;
GO
-- Procedure: StartJob
-- Purpose: Starts a SQL Server Agent job and waits until msdb shows that it runs or has run. Uses the rights of the caller,
-- because a procedure in this database cannot grant rights in msdb.
-- Access: private; runs as the caller
-- Parameters:
--   @Job nvarchar(128) (required): name of the job
--   @Seconds int (required): longest wait for it to run, in seconds
--   @Status varchar(10) OUTPUT: Started, Failed (it did not start) or Unknown (requested, but not seen to run)
--   @Detail nvarchar(1500) OUTPUT: why it is not Started
CREATE OR ALTER PROCEDURE [dbsched].StartJob
    @Job nvarchar(128),
    @Seconds int,
    @Status varchar(10) OUTPUT,
    @Detail nvarchar(1500) OUTPUT
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Result int, @Known bit, @Running bit, @Started bit = 0, @HistoryId int, @Deadline datetime2(3);

    SET @Status = 'Failed';
    SET @Detail = NULL;

    BEGIN TRY
        EXEC [dbsched].LookAtJob @Job, @Known OUTPUT, @Running OUTPUT, @Started OUTPUT, @HistoryId OUTPUT;
    END TRY
    BEGIN CATCH
        SET @Detail = N'msdb cannot be read: ' + LEFT(ERROR_MESSAGE(), 1000) + N' Report from a job owned by a sysadmin.';
    END CATCH;

    IF @Detail IS NULL AND @Known = 0
        SET @Detail = N'SQL Server Agent has no such job. Correct the name with DefineRound.';
    IF @Detail IS NULL AND @Running = 1
        SET @Detail = N'it was already running.';
    IF @Detail IS NOT NULL
        RETURN 0;

    -- A refusal by SQL Server Agent is a message that TRY does not catch; the return value shows it.
    BEGIN TRY
        EXEC @Result = msdb.dbo.sp_start_job @job_name = @Job;
    END TRY
    BEGIN CATCH
        SET @Detail = LEFT(ERROR_MESSAGE(), 1000);
    END CATCH;

    IF @Detail IS NULL AND @Result <> 0
        SET @Detail = N'SQL Server Agent refused: the service is not running, or the job was already started. See message 22022 in the output of the reporting step.';
    IF @Detail IS NOT NULL
        RETURN 0;

    SET @Status = 'Unknown';
    SET @Deadline = DATEADD(second, @Seconds, SYSUTCDATETIME());

    WHILE @Status = 'Unknown' AND @Detail IS NULL
    BEGIN
        BEGIN TRY
            EXEC [dbsched].LookAtJob @Job, @Known OUTPUT, @Running OUTPUT, @Started OUTPUT, @HistoryId OUTPUT;
        END TRY
        BEGIN CATCH
            SET @Detail = N'the start was requested, but msdb cannot be read: ' + LEFT(ERROR_MESSAGE(), 1000);
        END CATCH;

        IF @Detail IS NULL AND @Started = 1
            SET @Status = 'Started';
        ELSE IF @Detail IS NULL AND SYSUTCDATETIME() >= @Deadline
            SET @Detail = N'the start was requested, but the job was not seen to run within ' + CONVERT(nvarchar(10), @Seconds) + N' seconds.';
        ELSE IF @Detail IS NULL
            WAITFOR DELAY '00:00:01';
    END;

    RETURN 0;
END;
GO
-- Procedure: DefineRound
-- Purpose: Defines a round: a set of external jobs, and a successor that starts when all of them have reported success. Each job
-- calls ReportRound as its last step. Defining a round again changes it, discards its reports, and begins a new generation. With no
-- members, '[]', the round is removed.
-- Access: public: dbsched_user (own rounds), dbsched_admin; with a job as successor: db_owner
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round, at most 128 characters
--   @Members nvarchar(max) (required): names of its members: a JSON array of strings of at most 128 characters
--   @SuccessorJob nvarchar(4000) = NULL: SQL Server Agent job to start, by the session of the last report and with its rights
--   @SuccessorSQL nvarchar(max) = NULL: instead of a job: batch to enqueue as a task, which runs as the user that defines the round
--   @ExecutionOrder int = 1: the task's wave
--   @ProcessId int = NULL: the task's process; NULL = the default process
--   @MaxAgeSeconds int = 43200: seconds after which a report no longer counts; 1 to 31536000
--   @StartSeconds int = 60: seconds that the last report waits for the job to be seen to run; 1 to 3600
-- Errors:
--   51003: a number is NULL or out of range
--   51004: there is no such process
--   51006: the process belongs to another user
--   51007: your login has no database user to own the round
--   51010: called inside a transaction
--   51050: @Round is NULL, empty or longer than 128 characters
--   51053: the round belongs to another user
--   51054: @Members is not a JSON array of unique names of at most 128 characters
--   51055: pass exactly one of @SuccessorJob and @SuccessorSQL
--   51056: only a member of db_owner may define a round that starts a job
-- Example: EXEC dbsched.DefineRound N'load', N'["Load A", "Load B"]', @SuccessorJob = N'Report', @MaxAgeSeconds = 3600;
CREATE OR ALTER PROCEDURE [dbsched].DefineRound
    @Round nvarchar(4000),
    @Members nvarchar(max),
    @SuccessorJob nvarchar(4000) = NULL,
    @SuccessorSQL nvarchar(max) = NULL,
    @ExecutionOrder int = 1,
    @ProcessId int = NULL,
    @MaxAgeSeconds int = 43200,
    @StartSeconds int = 60
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: DefineRound cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @RoundId int, @Mine bit, @Bad nvarchar(128), @Message nvarchar(400);
    DECLARE @Names TABLE (Member nvarchar(4000) NULL, Kind int NOT NULL);

    IF @Round IS NULL OR @Round = N'' OR LEN(@Round) > 128
        THROW 51050, N'dbsched 51050: @Round must have 1 to 128 characters.', 1;

    IF @Members IS NULL OR ISJSON(@Members) = 0
       OR SUBSTRING(@Members, PATINDEX(N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%', @Members), 1) <> N'['
        THROW 51054, N'dbsched 51054: @Members must be a JSON array of names, like ["Load A", "Load B"].', 1;

    INSERT INTO @Names (Member, Kind)
    SELECT LEFT(j.[value], 200), j.[type]
    FROM OPENJSON(@Members) AS j;

    IF EXISTS (SELECT 1 FROM @Names AS n WHERE n.Kind <> 1 OR n.Member = N'' OR LEN(n.Member) > 128)
       OR EXISTS (SELECT 1 FROM @Names AS n GROUP BY n.Member HAVING COUNT(*) > 1)
        THROW 51054, N'dbsched 51054: @Members must be unique strings of 1 to 128 characters.', 1;

    SET @Bad = CASE WHEN @ExecutionOrder IS NULL THEN N'@ExecutionOrder must not be NULL'
                    WHEN @MaxAgeSeconds IS NULL OR @MaxAgeSeconds NOT BETWEEN 1 AND 31536000 THEN N'@MaxAgeSeconds must be from 1 to 31536000'
                    WHEN @StartSeconds IS NULL OR @StartSeconds NOT BETWEEN 1 AND 3600 THEN N'@StartSeconds must be from 1 to 3600' END;
    IF @Bad IS NOT NULL
    BEGIN
        SET @Message = N'dbsched 51003: ' + @Bad + N'.';
        THROW 51003, @Message, 1;
    END;

    SET @SuccessorJob = CASE WHEN @SuccessorJob <> N'' THEN @SuccessorJob END;
    SET @SuccessorSQL = CASE WHEN @SuccessorSQL LIKE N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%' THEN @SuccessorSQL END;

    IF EXISTS (SELECT 1 FROM @Names)
    BEGIN
        IF (@SuccessorJob IS NULL AND @SuccessorSQL IS NULL) OR (@SuccessorJob IS NOT NULL AND @SuccessorSQL IS NOT NULL) OR LEN(@SuccessorJob) > 128
            THROW 51055, N'dbsched 51055: pass either @SuccessorJob, a name of at most 128 characters, or @SuccessorSQL.', 1;

        -- The job starts with the rights of the session that reports last. Sessions that report already run code of db_owner.
        IF @SuccessorJob IS NOT NULL AND ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
            THROW 51056, N'dbsched 51056: only a member of db_owner can define a round that starts a job. Use @SuccessorSQL, or ask one.', 1;

        IF @UserSid IS NULL
            THROW 51007, N'dbsched 51007: a round belongs to the database user that defines it, and your login has no database user. Run: CREATE USER ... FOR LOGIN ...;', 1;

        SET @ProcessId = ISNULL(@ProcessId, 1);

        SELECT @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
        FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        SET @Message = N'dbsched 51004: there is no process ' + CONVERT(nvarchar(20), @ProcessId) + N'. See ProcessInfo.';
        IF @Mine IS NULL OR @ProcessId = 0
            THROW 51004, @Message, 1;

        SET @Message = N'dbsched 51006: process ' + CONVERT(nvarchar(20), @ProcessId) + N' belongs to another user. Ask an administrator.';
        IF @Mine = 0 AND @ProcessId <> 1 AND @IsAdmin = 0
            THROW 51006, @Message, 1;
    END;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- HOLDLOCK: of two sessions that define the same name, one waits and then finds the row.
        SELECT @RoundId = r.RoundId, @Mine = CASE WHEN r.DefinedBySid = @UserSid THEN 1 ELSE 0 END
        FROM [dbsched].Rounds AS r WITH (UPDLOCK, HOLDLOCK, ROWLOCK)
        WHERE r.Name = @Round;

        IF @RoundId IS NOT NULL AND @Mine = 0 AND @IsAdmin = 0
        BEGIN
            SET @Message = N'dbsched 51053: round "' + REPLACE(@Round, N'%', N'%%') + N'" belongs to another user. Ask an administrator.';
            THROW 51053, @Message, 1;
        END;

        DELETE FROM [dbsched].RoundMembers WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE RoundId = @RoundId;

        IF NOT EXISTS (SELECT 1 FROM @Names)
        BEGIN
            DELETE FROM [dbsched].RoundFirings WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE RoundId = @RoundId;

            DELETE FROM [dbsched].Rounds WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE RoundId = @RoundId;
        END
        ELSE IF @RoundId IS NULL
        BEGIN
            INSERT INTO [dbsched].Rounds WITH (ROWLOCK)
                (Name, SuccessorJob, SuccessorSql, SuccessorOrder, SuccessorProcessId, MaxAgeSeconds, StartSeconds,
                 DefinedById, DefinedBySid, DefinedByName, DefinedByLogin)
            VALUES
                (@Round, @SuccessorJob, @SuccessorSQL, @ExecutionOrder, @ProcessId, @MaxAgeSeconds, @StartSeconds,
                 @UserId, @UserSid, @UserName, @LoginName);

            SET @RoundId = SCOPE_IDENTITY();
        END
        ELSE
            -- Changed members begin a new generation: earlier reports do not count for it. Firings are kept.
            UPDATE r
            SET r.SuccessorJob = @SuccessorJob, r.SuccessorSql = @SuccessorSQL, r.SuccessorOrder = @ExecutionOrder, r.SuccessorProcessId = @ProcessId,
                r.MaxAgeSeconds = @MaxAgeSeconds, r.StartSeconds = @StartSeconds, r.Generation = r.Generation + 1, r.DefinedAt = SYSUTCDATETIME(),
                r.DefinedById = @UserId, r.DefinedBySid = @UserSid, r.DefinedByName = @UserName, r.DefinedByLogin = @LoginName
            FROM [dbsched].Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

        INSERT INTO [dbsched].RoundMembers WITH (ROWLOCK) (RoundId, Member)
        SELECT @RoundId, n.Member
        FROM @Names AS n;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    RETURN 0;
END;
GO
-- Procedure: ReportRound
-- Purpose: Reports that a member of a round succeeded or failed; the last step of each job. When all members have succeeded, the
-- successor starts exactly once, even if two members report at the same time. A job is started by the session of the last report. That
-- session needs the right to start it (a job owned by a sysadmin has it), and waits until msdb shows that the job runs. If the job
-- cannot be started, an alarm is raised, but no error, because the member has done its work. If the task cannot be enqueued, the report
-- fails and can be repeated.
-- Access: public: dbsched_user (own rounds), dbsched_admin
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round
--   @Member nvarchar(4000) (required): name of the member
--   @Succeeded bit = 1: 0 = the member failed
--   @Outcome varchar(10) = NULL OUTPUT: Waiting (for other members), Started (the successor); with an alarm: Reported (a failure), Failed (to start), Unknown (whether it started)
-- Errors (and those of ExecAsync, for the task):
--   51003: @Succeeded is NULL
--   51010: called inside a transaction
--   51050: @Round or @Member is NULL
--   51051: there is no such round
--   51052: the round has no such member
--   51053: the round belongs to another user
--   51057: the user that defined the round, and runs its task, no longer exists or may no longer enqueue
-- Example: EXEC dbsched.ReportRound N'load', N'Load A';
CREATE OR ALTER PROCEDURE [dbsched].ReportRound
    @Round nvarchar(4000),
    @Member nvarchar(4000),
    @Succeeded bit = 1,
    @Outcome varchar(10) = NULL OUTPUT
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: ReportRound cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @FiringId bigint, @Job nvarchar(128), @StartSeconds int, @Detail nvarchar(1500);
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;

    SET @Outcome = NULL;

    IF @Round IS NULL OR @Member IS NULL
        THROW 51050, N'dbsched 51050: @Round and @Member must not be NULL.', 1;

    IF @Succeeded IS NULL
        THROW 51003, N'dbsched 51003: @Succeeded must be 0 or 1.', 1;

    EXEC [dbsched].RecordReport @Round = @Round, @Member = @Member, @Succeeded = @Succeeded, @UserSid = @UserSid, @IsAdmin = @IsAdmin,
        @Outcome = @Outcome OUTPUT, @FiringId = @FiringId OUTPUT, @Job = @Job OUTPUT, @StartSeconds = @StartSeconds OUTPUT;

    IF @Outcome <> 'Starting'
        RETURN 0;

    -- From here on, only this session starts the job. If the session ends first, the sweep raises an alarm.
    EXEC [dbsched].StartJob @Job = @Job, @Seconds = @StartSeconds, @Status = @Outcome OUTPUT, @Detail = @Detail OUTPUT;
    EXEC [dbsched].EndFiring @FiringId = @FiringId, @Status = @Outcome, @Detail = @Detail;
    RETURN 0;
END;
GO
-- View: RoundInfo
-- Purpose: Rounds, the reports for the current generation, and the result of the last generation. Users see their own;
-- readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: RoundId, Name, Generation, Members, Succeeded, Failed, FirstReportAt, SuccessorJob, SuccessorSql, SuccessorOrder,
--   SuccessorProcessId, MaxAgeSeconds, StartSeconds, LastGeneration, LastStatus, LastFiredAt, LastFiredBy, LastTaskId, LastDetail, DefinedBy
-- Example: SELECT * FROM dbsched.RoundInfo WHERE Succeeded < Members AND FirstReportAt < DATEADD(hour, -1, SYSUTCDATETIME());
CREATE OR ALTER VIEW [dbsched].RoundInfo
AS
-- NULL in hidden rows, see Viewer.
SELECT CASE WHEN v.Mine = 1 THEN r.RoundId END AS RoundId,
       CASE WHEN v.Mine = 1 THEN r.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN r.Generation END AS Generation,
       CASE WHEN v.Mine = 1 THEN n.Members END AS Members,
       CASE WHEN v.Mine = 1 THEN n.Succeeded END AS Succeeded,
       CASE WHEN v.Mine = 1 THEN n.Failed END AS Failed,
       CASE WHEN v.Mine = 1 THEN n.FirstReportAt END AS FirstReportAt,
       CASE WHEN v.Mine = 1 THEN r.SuccessorJob END AS SuccessorJob,
       CASE WHEN v.Mine = 1 THEN r.SuccessorSql END AS SuccessorSql,
       CASE WHEN v.Mine = 1 THEN r.SuccessorOrder END AS SuccessorOrder,
       CASE WHEN v.Mine = 1 THEN r.SuccessorProcessId END AS SuccessorProcessId,
       CASE WHEN v.Mine = 1 THEN r.MaxAgeSeconds END AS MaxAgeSeconds,
       CASE WHEN v.Mine = 1 THEN r.StartSeconds END AS StartSeconds,
       CASE WHEN v.Mine = 1 THEN f.Generation END AS LastGeneration,
       CASE WHEN v.Mine = 1 THEN f.Status END AS LastStatus,
       CASE WHEN v.Mine = 1 THEN f.FiredAt END AS LastFiredAt,
       CASE WHEN v.Mine = 1 THEN f.FiredBy END AS LastFiredBy,
       CASE WHEN v.Mine = 1 THEN f.TaskId END AS LastTaskId,
       CASE WHEN v.Mine = 1 THEN f.Detail END AS LastDetail,
       CASE WHEN v.Mine = 1 THEN r.DefinedByName END AS DefinedBy
FROM [dbsched].Rounds AS r WITH (NOLOCK)
LEFT JOIN [dbsched].RoundFirings AS f WITH (NOLOCK)
    ON f.FiringId = (SELECT MAX(x.FiringId) FROM [dbsched].RoundFirings AS x WITH (NOLOCK) WHERE x.RoundId = r.RoundId)
OUTER APPLY (SELECT COUNT(*) AS Members, SUM(CASE m.Succeeded WHEN 1 THEN 1 ELSE 0 END) AS Succeeded,
                    SUM(CASE m.Succeeded WHEN 0 THEN 1 ELSE 0 END) AS Failed, MIN(m.ReportedAt) AS FirstReportAt
             FROM [dbsched].RoundMembers AS m WITH (NOLOCK) WHERE m.RoundId = r.RoundId) AS n
CROSS JOIN [dbsched].Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR r.DefinedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
GO
-- View: RoundMemberInfo
-- Purpose: Members of rounds, and the report of each for the current generation. Users see the members of the rounds they see in RoundInfo.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: RoundId, Round, Member, Succeeded (NULL = it has not reported), ReportedAt
-- Example: SELECT m.Member FROM dbsched.RoundMemberInfo AS m WHERE m.Round = N'load' AND m.Succeeded IS NULL;
CREATE OR ALTER VIEW [dbsched].RoundMemberInfo
AS
-- NULL in hidden rows, see Viewer.
SELECT CASE WHEN v.Mine = 1 THEN r.RoundId END AS RoundId,
       CASE WHEN v.Mine = 1 THEN r.Name END AS Round,
       CASE WHEN v.Mine = 1 THEN m.Member END AS Member,
       CASE WHEN v.Mine = 1 THEN m.Succeeded END AS Succeeded,
       CASE WHEN v.Mine = 1 THEN m.ReportedAt END AS ReportedAt
FROM [dbsched].Rounds AS r WITH (NOLOCK)
CROSS JOIN [dbsched].Viewer AS me
INNER JOIN [dbsched].RoundMembers AS m WITH (NOLOCK) ON m.RoundId = r.RoundId
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR r.DefinedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
GO
-- Function: CalendarNumber
-- Purpose: Reads one number of a calendar's field, or the name of one: @Names has the names, three letters each, of the numbers from @First.
-- TRY_CONVERT: for some collations, a superscript 2 lies between 0 and 9.
-- Access: private
-- Columns: the number; NULL = it is neither
CREATE OR ALTER FUNCTION [dbsched].CalendarNumber
(@Text varchar(200), @Names varchar(40), @First int)
RETURNS int
AS
BEGIN
    RETURN CASE WHEN @Text LIKE '[0-9]' OR @Text LIKE '[0-9][0-9]' THEN TRY_CONVERT(int, @Text)
                WHEN LEN(@Text) = 3 AND CHARINDEX(@Text, @Names) % 3 = 1 THEN CHARINDEX(@Text, @Names) / 3 + @First END;
END;
GO
-- Function: ReadCalendar
-- Purpose: Reads a calendar: five fields as in cron, @daily and the like, or "every 15 minutes". Returns it in the form that NextInstant
-- reads, or ! and what is wrong with it. The form is E and the interval in minutes, or 172 characters:
--   1: W = every instant that matches fires, because minute or hour begin with *; F = a local time fires once
--   2: A = the day of the month and the day of the week must match; O = one of them is enough
--   3 minutes (60), 63 hours (24), 87 days of the month (31 and the last), 119 months (12), 131 days of the week (7, from Sunday), then
--   138 the same of the first week of the month (7) to the fifth: 1 = it is in the calendar, 0 = it is not
-- Access: private
-- Columns: the form, or ! and the problem
CREATE OR ALTER FUNCTION [dbsched].ReadCalendar
(@Calendar nvarchar(4000))
RETURNS varchar(400)
AS
BEGIN
    -- The collation keeps I and i the same letter in a Turkish database.
    DECLARE @Text varchar(200) = LTRIM(RTRIM(UPPER(REPLACE(REPLACE(REPLACE(LEFT(@Calendar, 200), NCHAR(9), N' '), NCHAR(10), N' '), NCHAR(13), N' ') COLLATE Latin1_General_BIN2))),
            @Field int = 1, @Word varchar(201), @Part varchar(200), @Range varchar(200), @Map varchar(60), @Maps varchar(200) = '',
            @Kind char(1) = 'F', @Rule char(1) = 'O',
            @Low int, @High int, @Names varchar(40), @What varchar(30), @From int, @To int, @Step int, @Week int, @Minutes bigint;
    IF @Text IS NULL OR @Text = '' OR DATALENGTH(@Calendar) > 400
        RETURN '!it must have 1 to 200 characters';

    -- every 15 minutes
    IF @Text LIKE 'EVERY %'
    BEGIN
        SET @Text = LTRIM(SUBSTRING(@Text, 7, 200));
        IF @Text NOT LIKE '[0-9]%'
            SET @Text = '1 ' + @Text;
        SELECT @Part = LEFT(@Text, CHARINDEX(' ', @Text + ' ') - 1), @Word = LTRIM(SUBSTRING(@Text, CHARINDEX(' ', @Text + ' '), 200));
        SET @Minutes = CASE WHEN @Word IN ('MINUTE', 'MINUTES') THEN 1 WHEN @Word IN ('HOUR', 'HOURS') THEN 60
                            WHEN @Word IN ('DAY', 'DAYS') THEN 1440 END
                  * CASE WHEN @Part NOT LIKE '%[^0-9]%' AND LEN(@Part) <= 6 THEN TRY_CONVERT(bigint, @Part) END;
        RETURN CASE WHEN @Minutes BETWEEN 1 AND 527040 THEN 'E' + CONVERT(varchar(10), @Minutes)
               ELSE '!after every must come a number of minutes, hours or days, from 1 minute to 366 days' END;
    END;
    IF LEFT(@Text, 1) = '@'
        SET @Text = CASE SUBSTRING(@Text, 2, 200) WHEN 'YEARLY' THEN '0 0 1 1 *' WHEN 'ANNUALLY' THEN '0 0 1 1 *' WHEN 'MONTHLY' THEN '0 0 1 * *' WHEN 'WEEKLY' THEN '0 0 * * 0'
                                                  WHEN 'DAILY' THEN '0 0 * * *' WHEN 'MIDNIGHT' THEN '0 0 * * *' WHEN 'HOURLY' THEN '0 * * * *' END;
    IF @Text IS NULL
        RETURN '!of the names with @ there are yearly, annually, monthly, weekly, daily, midnight and hourly';

    WHILE @Field <= 5
    BEGIN
        SET @Word = LEFT(@Text, CHARINDEX(' ', @Text + ' ') - 1);
        SET @Text = LTRIM(SUBSTRING(@Text, CHARINDEX(' ', @Text + ' '), 200));
        SELECT @Low = CASE WHEN @Field IN (3, 4) THEN 1 ELSE 0 END,
               @High = CASE @Field WHEN 1 THEN 59 WHEN 2 THEN 23 WHEN 3 THEN 31 WHEN 4 THEN 12 ELSE 7 END,
               @Names = CASE @Field WHEN 4 THEN 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC' WHEN 5 THEN 'SUNMONTUEWEDTHUFRISAT' ELSE '' END,
               @What = CASE @Field WHEN 1 THEN 'minute' WHEN 2 THEN 'hour' WHEN 3 THEN 'day of the month' WHEN 4 THEN 'month' ELSE 'day of the week' END,
               @Map = REPLICATE('0', CASE @Field WHEN 1 THEN 60 WHEN 2 THEN 24 WHEN 3 THEN 32 WHEN 4 THEN 12 ELSE 42 END);
        IF @Word = ''
            RETURN '!field ' + CONVERT(varchar(1), @Field) + ' of 5 (' + @What + ') is missing';

        -- As in Vixie's cron, */2 counts as a star: days and weekdays must both match.
        IF @Field <= 2 AND LEFT(@Word, 1) = '*'
            SET @Kind = 'W';
        IF @Field IN (3, 5) AND LEFT(@Word, 1) = '*'
            SET @Rule = 'A';
        SET @Word = @Word + ',';
        WHILE @Word <> ''
        BEGIN
            SET @Part = LEFT(@Word, CHARINDEX(',', @Word) - 1);
            SET @Word = SUBSTRING(@Word, CHARINDEX(',', @Word) + 1, 200);

            -- 5#2: the second Friday. A step follows * or a range.
            SET @Week = CASE WHEN @Field = 5 AND @Part LIKE '_%#[1-5]' THEN TRY_CONVERT(int, RIGHT(@Part, 1)) ELSE 0 END;
            SET @Range = CASE WHEN @Week > 0 THEN LEFT(@Part, LEN(@Part) - 2) WHEN @Part LIKE '*/%' OR @Part LIKE '%-%/%' THEN LEFT(@Part, CHARINDEX('/', @Part) - 1) ELSE @Part END;
            SET @Step = CASE WHEN @Week > 0 OR @Range = @Part THEN 1 ELSE [dbsched].CalendarNumber(SUBSTRING(@Part, CHARINDEX('/', @Part) + 1, 200), '', 0) END;
            SELECT @From = CASE WHEN @Range = '*' THEN @Low ELSE [dbsched].CalendarNumber(LEFT(@Range, CHARINDEX('-', @Range + '-') - 1), @Names, @Low) END,
                   @To = CASE WHEN @Range = '*' THEN CASE WHEN @Field = 5 THEN 6 ELSE @High END
                              ELSE [dbsched].CalendarNumber(SUBSTRING(@Range, CHARINDEX('-', @Range) + 1, 200), @Names, @Low) END;
            IF @Field = 5 AND @To = 0 AND @From > 0
                SET @To = 7; -- FRI-SUN
            IF @Field = 3 AND @Part = 'L'
                SELECT @From = 32, @To = 32;
            ELSE IF @From IS NULL OR @To IS NULL OR @Step IS NULL OR @Step = 0 OR @From < @Low OR @From > @To OR @To > @High OR (@Week > 0 AND @From <> @To)
                RETURN '!field ' + CONVERT(varchar(1), @Field) + ' (' + @What + '), "' + @Part + '": it must be from ' + CONVERT(varchar(2), @Low) + ' to ' + CONVERT(varchar(2), @High)
                     + CASE @Field WHEN 3 THEN ' or L' WHEN 4 THEN ' or JAN to DEC' WHEN 5 THEN ', SUN to SAT, or one of these with #1 to #5' ELSE '' END
                     + '; also a range 1-5, or a range or * with a step */2';

            WHILE @From <= @To
            BEGIN
                SET @Map = STUFF(@Map, CASE WHEN @Field = 5 THEN @From % 7 + 7 * @Week + 1 ELSE @From - @Low + 1 END, 1, '1');
                SET @From = @From + @Step;
            END;
        END;
        SELECT @Maps = @Maps + @Map, @Field = @Field + 1;
    END;

    RETURN CASE WHEN @Text <> '' THEN '!after field 5 comes "' + @Text + '", but there are only five fields'
                WHEN [dbsched].NextLocalTime(@Kind + @Rule + @Maps, '20000101') IS NULL THEN '!it never fires: no such day exists'
                ELSE @Kind + @Rule + @Maps END;
END;
GO
-- Function: NextInstants
-- Purpose: Lists the next instants of a calendar in a time zone.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Parameters:
--   @Calendar nvarchar(4000) (required): the calendar, see CreateSchedule
--   @Zone nvarchar(128) (required): name of a time zone in sys.time_zone_info
--   @After datetime2(3) (required): list instants after this time, in UTC; NULL = now
--   @Count int (required): how many; 1 to 100
--   @BeginAt datetime2(0) (required): list none before it, and count every N minutes, hours or days from it, in UTC; NULL = @After
--   @EndAt datetime2(0) (required): list none after it, in UTC; NULL = without end
-- Columns: InstantNo, At (UTC), LocalTime (in @Zone), Problem (why the calendar cannot be read; otherwise NULL)
-- Errors: 9820: there is no such time zone
-- Example: SELECT n.LocalTime FROM dbsched.NextInstants(N'0 2 * * MON-FRI', N'Central European Standard Time', NULL, 10, NULL, NULL) AS n;
CREATE OR ALTER FUNCTION [dbsched].NextInstants
(@Calendar nvarchar(4000), @Zone nvarchar(128), @After datetime2(3), @Count int, @BeginAt datetime2(0), @EndAt datetime2(0))
RETURNS TABLE
AS
RETURN
(
    WITH Instants (InstantNo, At, Form, BeginAt) AS
    (
        SELECT 1, CASE WHEN c.Form NOT LIKE '!%' THEN [dbsched].NextInstant(c.Form, @Zone, c.BeginAt, @EndAt, c.After) END, c.Form, c.BeginAt
        FROM (SELECT [dbsched].ReadCalendar(@Calendar) AS Form, n.After,
              ISNULL(@BeginAt, CONVERT(datetime2(0), DATEADD(millisecond, -500, n.After))) AS BeginAt -- the second that has begun
              FROM (SELECT ISNULL(@After, SYSUTCDATETIME()) AS After) AS n) AS c
        UNION ALL
        SELECT i.InstantNo + 1, [dbsched].NextInstant(i.Form, @Zone, i.BeginAt, @EndAt, i.At), i.Form, i.BeginAt
        FROM Instants AS i
        WHERE i.InstantNo < @Count AND i.At IS NOT NULL
    )
    SELECT i.InstantNo, i.At, CONVERT(datetime2(0), i.At AT TIME ZONE N'UTC' AT TIME ZONE @Zone) AS LocalTime,
           CASE WHEN i.Form LIKE '!%' THEN SUBSTRING(i.Form, 2, 400) END AS Problem
    FROM Instants AS i
    WHERE i.At IS NOT NULL OR i.Form LIKE '!%'
);
GO
-- Procedure: RunFiring
-- Purpose: Makes the process of a schedule's firing and its tasks. Only the task that dbsched enqueues for the firing may call it: it runs
-- as the schedule's owner, in one transaction with its own end.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @FiringId bigint (required): the firing
-- Errors (number 50000, the number below in text and state):
--   51072: the schedule has another owner than when it fired
--   51078: called outside the firing's task
--   Others: see CreateProcess and ExecAsyncBatch
-- Example: none; a task of process 0 calls it
CREATE OR ALTER PROCEDURE [dbsched].RunFiring
    @FiringId bigint
AS
BEGIN
    SET NOCOUNT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET XACT_ABORT, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    DECLARE @Result int, @TaskId bigint, @ProcessId int, @Own bit = 0, @OwnerSid varbinary(85), @ScheduleId int, @Name nvarchar(128),
            @Tasks nvarchar(max), @OnError varchar(8), @Weight int, @MaxParallel int;
    EXEC [dbsched].CurrentTask @TaskId OUTPUT, @ProcessId OUTPUT;
    SELECT @Own = 1, @OwnerSid = s.OwnerSid, @ScheduleId = s.ScheduleId, @Tasks = s.Tasks, @OnError = s.OnError, @Weight = s.Weight,
           @MaxParallel = s.MaxParallel,
           @Name = f.Name + N' ' + CONVERT(nvarchar(16), DATEADD(minute,
               CASE WHEN z.name IS NULL THEN 0 ELSE [dbsched].ZoneOffset(z.name, f.DueAt) END, f.DueAt), 120)
    FROM [dbsched].ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
    LEFT JOIN [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK) ON s.ScheduleId = f.ScheduleId
    LEFT JOIN sys.time_zone_info AS z ON z.name = s.Zone COLLATE SQL_Latin1_General_CP1_CI_AS
    WHERE f.FiringId = @FiringId AND f.TaskId = @TaskId;
    IF @Own = 0
    BEGIN
        RAISERROR (N'dbsched 51078: RunFiring is for the task of a firing. To start a schedule now, call RunSchedule.', 16, 78);
        RETURN 51078;
    END;

    -- The schedule was dropped.
    IF @ScheduleId IS NULL
        RETURN 0;

    -- What its new owner wrote must not run as the old one, who is running this.
    IF NOT EXISTS (SELECT 1 FROM [dbsched].Me AS m WHERE m.Sid = @OwnerSid)
    BEGIN
        RAISERROR (N'dbsched 51072: the schedule has another owner since it fired. To start it now, as the new owner, call RunSchedule.', 16, 72);
        RETURN 51072;
    END;
    SET @ProcessId = NULL;
    EXEC @Result = [dbsched].CreateProcess @Name = @Name, @ProcessId = @ProcessId OUTPUT, @OnError = @OnError, @MaxParallel = @MaxParallel;
    IF @Result = 0
        EXEC @Result = [dbsched].ExecAsyncBatch @Tasks = @Tasks, @ProcessId = @ProcessId;

    -- The weight was allowed when the schedule was made or changed, maybe by an administrator.
    UPDATE p
    SET p.Weight = @Weight, p.Status = 'Closing', p.CloseRequested = 1, p.ScheduleId = @ScheduleId, p.FiringId = @FiringId
    FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    RETURN @Result;
END;
GO
-- Procedure: AlterSchedule
-- Purpose: Changes a schedule. What is NULL stays. A new calendar or time zone counts from now on. New tasks make the caller the owner of
-- the schedule, as which they run; what has fired as the former owner, but has no process yet, fails. The tasks are checked by enqueuing them
-- and rolling that back. Existing processes stay as they are.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
--   @Calendar nvarchar(4000) = NULL: when it fires; see CreateSchedule, as for all that follow
--   @SQL nvarchar(max) = NULL: the batch of its only task, or
--   @Tasks nvarchar(max) = NULL: its tasks
--   @Zone nvarchar(128) = NULL: time zone of the calendar
--   @Overlap varchar(30) = NULL: Skip, Queue or Allow
--   @Missed varchar(30) = NULL: Once, None or All
--   @OnError varchar(30) = NULL: Halt or Continue
--   @Weight int = NULL: weight of its processes
--   @MaxParallel int = NULL: most tasks of a process that run at once; 0 = no limit
--   @Create bit = 0: 1 = create it, as CreateSchedule does
--   @Enabled bit = 1: of a new schedule: 0 = it fires only after SetScheduleEnabled
--   @BeginAt datetime2(0) = NULL: no firing before it, in UTC; every N minutes, hours or days is counted from it
--   @EndAt datetime2(0) = NULL: no firing after it, in UTC; '9999-12-31' = without end
-- Errors:
--   51007: your login has no database user to own the schedule
--   51008: @Overlap or @Missed is not one of its values
--   51010: called inside a transaction
--   51071: there is no such schedule
--   51072: the schedule belongs to another user
--   51073: the name is not valid, or there is a schedule of that name
--   51074: the calendar cannot be read, or never fires between @BeginAt and @EndAt
--   51075: there is no such time zone
--   51076: pass exactly one of @SQL and @Tasks, and no ProcessId or NotBefore
--   Others: see CreateProcess and ExecAsyncBatch
-- Example: EXEC dbsched.AlterSchedule N'nightly load', @Calendar = N'30 1 * * MON-FRI';
CREATE OR ALTER PROCEDURE [dbsched].AlterSchedule
    @Name nvarchar(4000),
    @Calendar nvarchar(4000) = NULL,
    @SQL nvarchar(max) = NULL,
    @Tasks nvarchar(max) = NULL,
    @Zone nvarchar(128) = NULL,
    @Overlap varchar(30) = NULL,
    @Missed varchar(30) = NULL,
    @OnError varchar(30) = NULL,
    @Weight int = NULL,
    @MaxParallel int = NULL,
    @Create bit = 0,
    @Enabled bit = 1,
    @BeginAt datetime2(0) = NULL,
    @EndAt datetime2(0) = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: AlterSchedule cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;
    DECLARE @ScheduleId int, @Mine bit, @Form varchar(400), @NextAt datetime2(0), @LastAt datetime2(0), @ProcessId int,
            @New bit = CASE WHEN @SQL IS NULL AND @Tasks IS NULL THEN 0 ELSE 1 END,
            @Changed bit = CASE WHEN @Calendar IS NULL AND @Zone IS NULL AND @BeginAt IS NULL AND @EndAt IS NULL THEN 0 ELSE 1 END,
            @Number int, @Message nvarchar(2048), @NewWeight int = ISNULL(@Weight, 1);
    DECLARE @Ids TABLE (TaskNo int NOT NULL, TaskId bigint NOT NULL);
    IF @UserSid IS NULL
        THROW 51007, N'dbsched 51007: a schedule belongs to the database user that makes it, and your login has no database user. Run: CREATE USER ... FOR LOGIN ...;', 1;
    IF @Name IS NULL OR @Name = N'' OR LEN(@Name) > 100
        THROW 51073, N'dbsched 51073: @Name must have 1 to 100 characters.', 1;
    IF (@SQL IS NOT NULL AND @Tasks IS NOT NULL) OR (@Create = 1 AND @New = 0)
        THROW 51076, N'dbsched 51076: pass either @SQL, or @Tasks: a JSON array as for ExecAsyncBatch.', 1;
    IF @SQL IS NOT NULL
        SET @Tasks = N'[{"SQL":"' + STRING_ESCAPE(@SQL, 'json') + N'","ExecutionOrder":1}]';

    -- ExecAsyncBatch refuses what is not an array of objects.
    IF @Tasks = N'[]' OR EXISTS (SELECT 1
                                 FROM OPENJSON(CASE WHEN ISJSON(@Tasks) = 1 THEN @Tasks END) AS a
                                 CROSS APPLY OPENJSON(CASE WHEN a.[type] = 5 THEN a.[value] END) AS m
                                 WHERE m.[key] IN (N'ProcessId', N'NotBefore') AND m.[type] <> 0)
        THROW 51076, N'dbsched 51076: the tasks of a schedule are at least one, and have no ProcessId and no NotBefore: each firing is a process of its own.', 1;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SELECT @Overlap = CASE LOWER(@Overlap) WHEN 'skip' THEN 'Skip' WHEN LOWER('SKIP') THEN 'Skip' WHEN 'queue' THEN 'Queue' WHEN 'allow' THEN 'Allow' ELSE @Overlap END,
           @Missed = CASE LOWER(@Missed) WHEN 'once' THEN 'Once' WHEN 'none' THEN 'None' WHEN 'all' THEN 'All' ELSE @Missed END,
           @OnError = CASE LOWER(@OnError) WHEN 'halt' THEN 'Halt' WHEN 'continue' THEN 'Continue' WHEN LOWER('CONTINUE') THEN 'Continue' ELSE @OnError END;
    IF @Overlap NOT IN ('Skip', 'Queue', 'Allow') OR @Missed NOT IN ('Once', 'None', 'All')
        THROW 51008, N'dbsched 51008: @Overlap must be Skip, Queue or Allow, and @Missed must be Once, None or All.', 1;
    BEGIN TRY
        BEGIN TRANSACTION;

        -- HOLDLOCK: of two sessions that create the same name, one waits and then finds the row.
        SELECT @ScheduleId = s.ScheduleId, @Mine = CASE WHEN s.OwnerSid = @UserSid THEN 1 ELSE @IsAdmin END, @NextAt = s.NextAt, @LastAt = s.LastAt,
               @BeginAt = ISNULL(@BeginAt, s.BeginAt), @EndAt = ISNULL(@EndAt, s.EndAt),
               @Calendar = ISNULL(@Calendar, s.Calendar), @Zone = ISNULL(@Zone, s.Zone), @Tasks = ISNULL(@Tasks, s.Tasks), @OnError = ISNULL(@OnError, s.OnError),
               @Weight = ISNULL(@Weight, s.Weight), @MaxParallel = ISNULL(@MaxParallel, s.MaxParallel),
               @Overlap = ISNULL(@Overlap, s.Overlap), @Missed = ISNULL(@Missed, s.Missed)
        FROM [dbsched].Schedules AS s WITH (UPDLOCK, HOLDLOCK, ROWLOCK)
        WHERE s.Name = @Name;
        IF @ScheduleId IS NULL AND @Create = 0
            THROW 51071, N'dbsched 51071: there is no such schedule. See ScheduleInfo.', 1;
        IF @ScheduleId IS NOT NULL AND @Create = 1
            THROW 51073, N'dbsched 51073: there is a schedule of that name. Change it with AlterSchedule.', 1;
        IF @Mine = 0
            THROW 51072, N'dbsched 51072: the schedule belongs to another user. Ask an administrator.', 1;
        SELECT @Zone = ISNULL(@Zone, N'UTC'), @OnError = ISNULL(@OnError, 'Halt'), @Weight = ISNULL(@Weight, 1), @MaxParallel = NULLIF(@MaxParallel, 0),
               @BeginAt = ISNULL(@BeginAt, DATEADD(millisecond, -500, SYSUTCDATETIME())), -- the second that has begun
               @Form = [dbsched].ReadCalendar(@Calendar);
        SET @Message = N'dbsched 51074: @Calendar "' + ISNULL(REPLACE(LEFT(@Calendar, 100), N'%', N'%%'), N'') + N'" cannot be read: '
            + REPLACE(SUBSTRING(@Form, 2, 400), N'%', N'%%') + N'.';
        IF @Form LIKE '!%'
            THROW 51074, @Message, 1;
        SET @Message = N'dbsched 51075: there is no time zone "' + ISNULL(REPLACE(@Zone, N'%', N'%%'), N'') + N'". See sys.time_zone_info.';
        SET @Zone = (SELECT z.name FROM sys.time_zone_info AS z WHERE z.name COLLATE SQL_Latin1_General_CP1_CI_AS = @Zone);
        IF @Zone IS NULL
            THROW 51075, @Message, 1;

        -- An instant that has passed does not come again, even if the clock was set back.
        IF @Changed = 1
        BEGIN
            SET @NextAt = [dbsched].NextInstant(@Form, @Zone, @BeginAt, @EndAt,
                CASE WHEN @LastAt > SYSUTCDATETIME() THEN @LastAt ELSE SYSUTCDATETIME() END);
            IF @NextAt IS NULL
                THROW 51074, N'dbsched 51074: @Calendar never fires between @BeginAt and @EndAt.', 1;
        END;
        SAVE TRANSACTION Checked;
        EXECUTE AS CALLER;
        EXEC [dbsched].CreateProcess @Name, @ProcessId OUTPUT, @OnError = @OnError, @Weight = @NewWeight, @MaxParallel = @MaxParallel;
        IF @New = 1
            INSERT INTO @Ids (TaskNo, TaskId) EXEC [dbsched].ExecAsyncBatch @Tasks = @Tasks, @ProcessId = @ProcessId;
        REVERT;
        ROLLBACK TRANSACTION Checked;

        -- Who decides what runs is who it runs as.
        IF @ScheduleId IS NULL
            INSERT INTO [dbsched].Schedules WITH (ROWLOCK)
                (Name, Calendar, Form, Zone, BeginAt, EndAt, Tasks, OnError, Weight, MaxParallel, Overlap, Missed, Status, NextAt, LookAt, OwnerId,
                 OwnerSid, OwnerName)
            VALUES
                (@Name, @Calendar, @Form, @Zone, @BeginAt, @EndAt, @Tasks, @OnError, @Weight, @MaxParallel, ISNULL(@Overlap, 'Skip'),
                 ISNULL(@Missed, 'Once'), CASE WHEN @Enabled = 0 THEN 'Disabled' ELSE 'Enabled' END,
                 @NextAt, CASE WHEN @Enabled = 0 THEN NULL ELSE SYSUTCDATETIME() END, @UserId, @UserSid, @UserName);
        ELSE
            UPDATE s
            SET s.Calendar = @Calendar, s.Form = @Form, s.Zone = @Zone, s.BeginAt = @BeginAt, s.EndAt = @EndAt, s.Tasks = @Tasks,
                s.OnError = @OnError, s.Weight = @Weight, s.MaxParallel = @MaxParallel, s.Overlap = @Overlap, s.Missed = @Missed, s.NextAt = @NextAt,
                s.LookAt = CASE s.Status WHEN 'Enabled' THEN SYSUTCDATETIME() ELSE s.LookAt END,
                s.OwnerId = CASE WHEN @New = 1 THEN @UserId ELSE s.OwnerId END, s.OwnerSid = CASE WHEN @New = 1 THEN @UserSid ELSE s.OwnerSid END,
                s.OwnerName = CASE WHEN @New = 1 THEN @UserName ELSE s.OwnerName END
            FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId;

        -- The dispatcher sets its timer.
        EXEC [dbsched].WakeOnce;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        SELECT @Number = ERROR_NUMBER(), @Message = ERROR_MESSAGE();
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        -- ExecAsyncBatch and CreateProcess report their number as a state.
        IF @Number <> 50000
            THROW;
        SELECT @Number = 51000 + ERROR_STATE(), @Message = REPLACE(@Message, N'%', N'%%');
        THROW @Number, @Message, 1;
    END CATCH;

    RETURN 0;
END;
GO
-- Procedure: OrderSchedule
-- Purpose: Enables, disables, runs or drops a schedule.
-- Access: private; runs as the owner
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
--   @Order varchar(7) (required): Enable, Disable, Run or Drop
-- Errors:
--   51010: called inside a transaction
--   51071: there is no such schedule
--   51072: the schedule belongs to another user
CREATE OR ALTER PROCEDURE [dbsched].OrderSchedule
    @Name nvarchar(4000),
    @Order varchar(7)
WITH EXECUTE AS OWNER
AS
BEGIN
    -- Before XACT_ABORT is ON: the caller's transaction survives.
    IF @@TRANCOUNT > 0
        THROW 51010, N'dbsched 51010: A procedure for schedules cannot be called inside a transaction. Commit first; if your driver begins transactions by itself, turn its autocommit on.', 1;

    SET NOCOUNT, XACT_ABORT, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET IMPLICIT_TRANSACTIONS, NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    -- Read the caller's identity. The rest runs as the owner, because only the owner may send messages.
    EXECUTE AS CALLER;
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER(N'dbsched_admin') = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @UserSid varbinary(85) = (SELECT m.Sid FROM [dbsched].Me AS m);
    REVERT;
    DECLARE @ScheduleId int, @Mine bit, @OwnerSid varbinary(85), @Now datetime2(3) = SYSUTCDATETIME();
    BEGIN TRY
        BEGIN TRANSACTION;
        SELECT @ScheduleId = s.ScheduleId, @Name = s.Name, @Mine = CASE WHEN s.OwnerSid = @UserSid THEN 1 ELSE @IsAdmin END, @OwnerSid = s.OwnerSid
        FROM [dbsched].Schedules AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.Name = @Name;
        IF @ScheduleId IS NULL
            THROW 51071, N'dbsched 51071: there is no such schedule. See ScheduleInfo.', 1;
        IF @Mine = 0
            THROW 51072, N'dbsched 51072: the schedule belongs to another user. Ask an administrator.', 1;
        IF @Order = 'Run'
        BEGIN
            INSERT INTO [dbsched].ScheduleFirings WITH (ROWLOCK) (ScheduleId, Name, DueAt, Manual, Status, OwnerSid)
            VALUES (@ScheduleId, @Name, @Now, 1, 'Waiting', @OwnerSid);

            UPDATE s
            SET s.Waiting = s.Waiting + 1, s.LookAt = @Now
            FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId;
        END
        ELSE IF @Order = 'Enable'
            UPDATE s
            SET s.Status = 'Enabled', s.Reason = NULL, s.LookAt = @Now
            FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId AND s.Status <> 'Enabled';
        ELSE
        BEGIN
            UPDATE f
            SET f.Status = 'Skipped', f.Detail = CASE @Order WHEN 'Drop' THEN N'the schedule was dropped' ELSE N'the schedule was disabled' END
            FROM [dbsched].ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
            WHERE f.ScheduleId = @ScheduleId AND f.Status = 'Waiting'
            OPTION (MAXDOP 1);
            IF @Order = 'Drop'
                DELETE s
                FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.ScheduleId = @ScheduleId;
            ELSE
                UPDATE s
                SET s.Status = CASE s.Status WHEN 'Enabled' THEN 'Disabled' ELSE s.Status END, s.LookAt = NULL, s.Waiting = 0
                FROM [dbsched].Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.ScheduleId = @ScheduleId;
        END;

        -- The dispatcher sets its timer.
        EXEC [dbsched].WakeOnce;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;
    RETURN 0;
END;
GO
-- Procedure: CreateSchedule
-- Purpose: Creates a schedule: at each instant of its calendar it makes a process, named after it and the local time, with the given
-- tasks, as the user that created it.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): its name, at most 100 characters
--   @Calendar nvarchar(4000) (required): five fields as in cron: minute, hour, day of the month (also L, the last), month, day of the week
--       (also 5#2, the second Friday), with lists, ranges, steps and English names; or @hourly, @daily, @weekly, @monthly, @yearly;
--       or every N minutes, hours or days
--   @SQL nvarchar(max) = NULL: the batch of its only task, or
--   @Tasks nvarchar(max) = NULL: its tasks, as for ExecAsyncBatch, without ProcessId and NotBefore
--   @Zone nvarchar(128) = N'UTC': time zone of the calendar, a name in sys.time_zone_info
--   @Overlap varchar(30) = 'Skip': if its last process still runs: Skip the firing, Queue it (at most one waits) or Allow both
--   @Missed varchar(30) = 'Once': firings missed while the scheduler was stopped or down, or the schedule was not enabled: Once fires the last
--       for all, None fires none, All fires the last 100, the oldest first
--   @OnError varchar(30) = 'Halt': see CreateProcess
--   @Weight int = 1: see CreateProcess
--   @MaxParallel int = NULL: see CreateProcess
--   @Enabled bit = 1: 0 = it fires only after SetScheduleEnabled
--   @BeginAt datetime2(0) = NULL: no firing before it, in UTC, and every N minutes, hours or days is counted from it, even if it lies in
--       the past; NULL = now
--   @EndAt datetime2(0) = NULL: no firing after it, in UTC; NULL = without end
-- Errors: those of AlterSchedule
-- Example: EXEC dbsched.CreateSchedule N'weekly load', N'0 2 * * SUN', @SQL = N'EXEC dbo.Load', @Zone = N'Central European Standard Time';
CREATE OR ALTER PROCEDURE [dbsched].CreateSchedule
    @Name nvarchar(4000),
    @Calendar nvarchar(4000),
    @SQL nvarchar(max) = NULL,
    @Tasks nvarchar(max) = NULL,
    @Zone nvarchar(128) = N'UTC',
    @Overlap varchar(30) = 'Skip',
    @Missed varchar(30) = 'Once',
    @OnError varchar(30) = 'Halt',
    @Weight int = 1,
    @MaxParallel int = NULL,
    @Enabled bit = 1,
    @BeginAt datetime2(0) = NULL,
    @EndAt datetime2(0) = NULL
AS
BEGIN
    EXEC [dbsched].AlterSchedule @Name, @Calendar, @SQL, @Tasks, @Zone, @Overlap, @Missed, @OnError, @Weight, @MaxParallel, 1, @Enabled,
        @BeginAt, @EndAt;
    RETURN 0;
END;
GO
-- Procedure: DropSchedule
-- Purpose: Removes a schedule. Its processes run to their end, and its history stays for RetentionDays.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
-- Errors:
--   51010, 51071, 51072: see AlterSchedule
-- Example: EXEC dbsched.DropSchedule N'old load';
CREATE OR ALTER PROCEDURE [dbsched].DropSchedule
    @Name nvarchar(4000)
AS
BEGIN
    EXEC [dbsched].OrderSchedule @Name, 'Drop';
    RETURN 0;
END;
GO
-- Procedure: RunSchedule
-- Purpose: Fires a schedule now, also if it is disabled. Unless its Overlap is Allow, this waits until its last process has ended.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
-- Errors:
--   51010, 51071, 51072: see AlterSchedule
-- Example: EXEC dbsched.RunSchedule N'nightly load';
CREATE OR ALTER PROCEDURE [dbsched].RunSchedule
    @Name nvarchar(4000)
AS
BEGIN
    EXEC [dbsched].OrderSchedule @Name, 'Run';
    RETURN 0;
END;
GO
-- Procedure: SetScheduleEnabled
-- Purpose: Enables or disables a schedule. While it is disabled it does not fire; what it misses then is made up for as its Missed says.
-- A firing that waits is skipped. Enabling also ends the state Suspended.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
--   @Enabled bit (required): 1 = enable, 0 = disable
-- Errors:
--   51003: @Enabled is NULL
--   51010, 51071, 51072: see AlterSchedule
-- Example: EXEC dbsched.SetScheduleEnabled N'nightly load', 0;
CREATE OR ALTER PROCEDURE [dbsched].SetScheduleEnabled
    @Name nvarchar(4000),
    @Enabled bit
AS
BEGIN
    DECLARE @Order varchar(7) = CASE @Enabled WHEN 1 THEN 'Enable' WHEN 0 THEN 'Disable' END;
    IF @Order IS NULL
        THROW 51003, N'dbsched 51003: @Enabled must be 0 or 1.', 1;
    EXEC [dbsched].OrderSchedule @Name, @Order;
    RETURN 0;
END;
GO
-- View: ScheduleInfo
-- Purpose: Schedules, their next instant, and what became of the last firing. Users see their own; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: ScheduleId, Name, Calendar, Zone, Status, Reason, NextAt, NextLocal (NextAt in Zone; NULL: the server does not know it),
--   BeginAt, EndAt, LastDueAt, LastProcessId, LastStatus (of the last process; Starting = it is being made), LastFinishedAt, Running,
--   Waiting, Fired, Skipped, Missed (in RetentionDays), Overlap, MissedPolicy, Tasks, OnError, Weight, MaxParallel, OwnedBy
-- Example: SELECT Name, NextLocal, LastStatus FROM dbsched.ScheduleInfo ORDER BY NextAt;
CREATE OR ALTER VIEW [dbsched].ScheduleInfo
AS
-- NULL in hidden rows, see Viewer.
SELECT CASE WHEN v.Mine = 1 THEN s.ScheduleId END AS ScheduleId,
       CASE WHEN v.Mine = 1 THEN s.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN s.Calendar END AS Calendar,
       CASE WHEN v.Mine = 1 THEN s.Zone END AS Zone,
       CASE WHEN v.Mine = 1 THEN s.Status END AS Status,
       CASE WHEN v.Mine = 1 THEN s.Reason END AS Reason,
       CASE WHEN v.Mine = 1 THEN s.NextAt END AS NextAt,
       CASE WHEN v.Mine = 1 AND EXISTS (SELECT 1 FROM sys.time_zone_info AS z WHERE z.name = s.Zone COLLATE SQL_Latin1_General_CP1_CI_AS)
            THEN CONVERT(datetime2(0), s.NextAt AT TIME ZONE N'UTC' AT TIME ZONE s.Zone) END AS NextLocal,
       CASE WHEN v.Mine = 1 THEN s.BeginAt END AS BeginAt,
       CASE WHEN v.Mine = 1 THEN s.EndAt END AS EndAt,
       CASE WHEN v.Mine = 1 THEN f.DueAt END AS LastDueAt,
       CASE WHEN v.Mine = 1 THEN p.ProcessId END AS LastProcessId,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN p.ProcessId IS NULL AND t.FinishedAt IS NULL AND f.FiringId IS NOT NULL THEN 'Starting'
            ELSE ISNULL(p.Status, t.Status) END AS LastStatus,
       CASE WHEN v.Mine = 1 THEN p.FinishedAt END AS LastFinishedAt,
       CASE WHEN v.Mine = 1 THEN (SELECT COUNT(*) FROM [dbsched].Processes AS r WITH (NOLOCK)
                                  WHERE r.ScheduleId = s.ScheduleId AND r.ScheduleId IS NOT NULL AND r.FinishedAt IS NULL) END AS Running,
       CASE WHEN v.Mine = 1 THEN s.Waiting END AS Waiting,
       CASE WHEN v.Mine = 1 THEN ISNULL(n.Fired, 0) END AS Fired,
       CASE WHEN v.Mine = 1 THEN ISNULL(n.Skipped, 0) END AS Skipped,
       CASE WHEN v.Mine = 1 THEN ISNULL(n.Missed, 0) END AS Missed,
       CASE WHEN v.Mine = 1 THEN s.Overlap END AS Overlap,
       CASE WHEN v.Mine = 1 THEN s.Missed END AS MissedPolicy,
       CASE WHEN v.Mine = 1 THEN s.Tasks END AS Tasks,
       CASE WHEN v.Mine = 1 THEN s.OnError END AS OnError,
       CASE WHEN v.Mine = 1 THEN s.Weight END AS Weight,
       CASE WHEN v.Mine = 1 THEN s.MaxParallel END AS MaxParallel,
       CASE WHEN v.Mine = 1 THEN s.OwnerName END AS OwnedBy
FROM [dbsched].Schedules AS s WITH (NOLOCK)
LEFT JOIN [dbsched].ScheduleFirings AS f WITH (NOLOCK) ON f.FiringId = s.LastFiringId
LEFT JOIN [dbsched].Tasks AS t WITH (NOLOCK) ON t.TaskId = f.TaskId
LEFT JOIN [dbsched].Processes AS p WITH (NOLOCK) ON p.FiringId = s.LastFiringId AND p.FiringId IS NOT NULL
OUTER APPLY (SELECT SUM(CASE x.Status WHEN 'Started' THEN 1 ELSE 0 END) AS Fired, SUM(CASE x.Status WHEN 'Skipped' THEN 1 ELSE 0 END) AS Skipped,
                    SUM(CASE x.Status WHEN 'Missed' THEN 1 ELSE 0 END) AS Missed
             FROM [dbsched].ScheduleFirings AS x WITH (NOLOCK) WHERE x.ScheduleId = s.ScheduleId) AS n
CROSS JOIN [dbsched].Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR s.OwnerSid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
GO
-- View: ScheduleLog
-- Purpose: The history of schedules: one row per firing, also of those that were skipped or missed. Users see their own; readers and
-- administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: FiringId, ScheduleId, Name, DueAt, Manual, Status (Waiting, Skipped, Missed; Starting; then that of the process, or Failed if it
--   could not be made), Detail, LoggedAt, TaskId, ProcessId, FinishedAt
-- Example: SELECT * FROM dbsched.ScheduleLog WHERE Name = N'nightly load' ORDER BY FiringId DESC;
CREATE OR ALTER VIEW [dbsched].ScheduleLog
AS
-- NULL in hidden rows, see Viewer, except FiringId, which has an index.
SELECT f.FiringId,
       CASE WHEN v.Mine = 1 THEN f.ScheduleId END AS ScheduleId,
       CASE WHEN v.Mine = 1 THEN f.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN f.DueAt END AS DueAt,
       CASE WHEN v.Mine = 1 THEN f.Manual END AS Manual,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN f.Status <> 'Started' THEN f.Status WHEN p.ProcessId IS NULL AND t.FinishedAt IS NULL THEN 'Starting'
            ELSE ISNULL(p.Status, REPLACE(t.Status, 'Succeeded', 'Skipped')) END AS Status,
       CASE WHEN v.Mine = 1 THEN f.Detail END AS Detail,
       CASE WHEN v.Mine = 1 THEN f.LoggedAt END AS LoggedAt,
       CASE WHEN v.Mine = 1 THEN f.TaskId END AS TaskId,
       CASE WHEN v.Mine = 1 THEN p.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN p.FinishedAt END AS FinishedAt
FROM [dbsched].ScheduleFirings AS f WITH (NOLOCK)
LEFT JOIN [dbsched].Tasks AS t WITH (NOLOCK) ON t.TaskId = f.TaskId
LEFT JOIN [dbsched].Processes AS p WITH (NOLOCK) ON p.FiringId = f.FiringId AND p.FiringId IS NOT NULL
CROSS JOIN [dbsched].Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR f.OwnerSid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
GO
-- Denies direct access to private objects, even to users with rights on the whole database: otherwise db_datareader could
-- read all users' SQL texts, and db_datawriter, or a role with EXECUTE on the database, could add tasks that run as dbo.
-- This does not affect our own procedures and views, because permissions are not checked along a chain of objects with one
-- owner (Ownership Chains), nor the owner (DENY: "does not apply to object owners"). A migration that changes rows must do
-- it as the owner, like install/settings. Settings and Lanes may be read, as the installer does. SchemaVersion belongs to
-- the installer. The user that turns a queue on needs EXECUTE on its activation procedure, so those are not denied.
SET NOCOUNT ON;

DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].Tasks TO public; DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].Logs TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].Alarms TO public; DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].Processes TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].ProcessRequests TO public; DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].Resources TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].ResourceRequests TO public; DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].Rounds TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].RoundMembers TO public; DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].RoundFirings TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].Schedules TO public; DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].ScheduleFirings TO public;
DENY SELECT, INSERT, UPDATE, DELETE ON [dbsched].WakeSent TO public; DENY INSERT, UPDATE, DELETE ON [dbsched].Settings TO public;
DENY INSERT, UPDATE, DELETE ON [dbsched].Lanes TO public;

DENY SELECT ON [dbsched].Me TO public; DENY SELECT ON [dbsched].Viewer TO public; DENY SELECT ON [dbsched].ReadParameters TO public;
DENY SELECT ON [dbsched].PassedOver TO public; DENY SELECT ON [dbsched].WaveOf TO public;
DENY EXECUTE ON [dbsched].CalendarNumber TO public; DENY EXECUTE ON [dbsched].ReadCalendar TO public; DENY EXECUTE ON [dbsched].ZoneOffset TO public;
DENY EXECUTE ON [dbsched].NextLocalTime TO public; DENY EXECUTE ON [dbsched].NextInstant TO public; DENY EXECUTE ON [dbsched].LastInstants TO public;

DENY EXECUTE ON [dbsched].ApplyProcessRequests TO public; DENY EXECUTE ON [dbsched].ArmTimer TO public; DENY EXECUTE ON [dbsched].AssignLanes TO public;
DENY EXECUTE ON [dbsched].CallAlarmHook TO public; DENY EXECUTE ON [dbsched].AdmitTask TO public; DENY EXECUTE ON [dbsched].CountTasks TO public;
DENY EXECUTE ON [dbsched].CloseIfDone TO public; DENY EXECUTE ON [dbsched].ComeHome TO public; DENY EXECUTE ON [dbsched].CurrentTask TO public;
DENY EXECUTE ON [dbsched].EndWave TO public; DENY EXECUTE ON [dbsched].FailTask TO public; DENY EXECUTE ON [dbsched].LockHandover TO public;
DENY EXECUTE ON [dbsched].MayClaim TO public; DENY EXECUTE ON [dbsched].ChooseProcess TO public; DENY EXECUTE ON [dbsched].ChooseTask TO public;
DENY EXECUTE ON [dbsched].MoveWatermark TO public; DENY EXECUTE ON [dbsched].PassTask TO public; DENY EXECUTE ON [dbsched].StartAttempt TO public;
DENY EXECUTE ON [dbsched].NextTask TO public; DENY EXECUTE ON [dbsched].SucceedTask TO public; DENY EXECUTE ON [dbsched].DecideRetry TO public;
DENY EXECUTE ON [dbsched].CompleteAttempt TO public; DENY EXECUTE ON [dbsched].RunTransaction TO public; DENY EXECUTE ON [dbsched].DispatchTurn TO public;
DENY EXECUTE ON [dbsched].EndAttempts TO public; DENY EXECUTE ON [dbsched].EndFiring TO public; DENY EXECUTE ON [dbsched].EnqueueForRound TO public;
DENY EXECUTE ON [dbsched].EnterLane TO public; DENY EXECUTE ON [dbsched].ForgetOldReports TO public; DENY EXECUTE ON [dbsched].FreeDeadLanes TO public;
DENY EXECUTE ON [dbsched].FreeStaleResources TO public; DENY EXECUTE ON [dbsched].GrantResource TO public; DENY EXECUTE ON [dbsched].JoinResourceLine TO public;
DENY EXECUTE ON [dbsched].KillWorker TO public; DENY EXECUTE ON [dbsched].LeaveLane TO public; DENY EXECUTE ON [dbsched].LeaveResourceLine TO public;
DENY EXECUTE ON [dbsched].LookAtJob TO public; DENY EXECUTE ON [dbsched].ManualWorker TO public; DENY EXECUTE ON [dbsched].MarkWork TO public;
DENY EXECUTE ON [dbsched].OrderCancel TO public; DENY EXECUTE ON [dbsched].OrderRetry TO public; DENY EXECUTE ON [dbsched].PruneHistory TO public;
DENY EXECUTE ON [dbsched].RaiseAlarm TO public; DENY EXECUTE ON [dbsched].RecordReport TO public; DENY EXECUTE ON [dbsched].RecoverLane TO public;
DENY EXECUTE ON [dbsched].ReleaseDueTasks TO public; DENY EXECUTE ON [dbsched].RepairQueues TO public; DENY EXECUTE ON [dbsched].RequestProcess TO public;
DENY EXECUTE ON [dbsched].RunLane TO public; DENY EXECUTE ON [dbsched].RunSweep TO public; DENY EXECUTE ON [dbsched].RunTask TO public;
DENY EXECUTE ON [dbsched].RunTaskText TO public; DENY EXECUTE ON [dbsched].LockProcess TO public; DENY EXECUTE ON [dbsched].SendWake TO public;
DENY EXECUTE ON [dbsched].ServeResourceLines TO public; DENY EXECUTE ON [dbsched].StartJob TO public; DENY EXECUTE ON [dbsched].SweepRounds TO public;
DENY EXECUTE ON [dbsched].WakeOnce TO public; DENY EXECUTE ON [dbsched].WorkLane TO public; DENY EXECUTE ON [dbsched].HaltProcess TO public;
DENY EXECUTE ON [dbsched].AlarmOfError TO public; DENY EXECUTE ON [dbsched].NextFiring TO public; DENY EXECUTE ON [dbsched].MayEnqueue TO public;
DENY EXECUTE ON [dbsched].FireSchedules TO public; DENY EXECUTE ON [dbsched].OrderSchedule TO public;
GO
-- The rights of the roles. Everything else is private: users reach it only through these procedures and views.
SET NOCOUNT ON;

GRANT EXECUTE ON [dbsched].ExecAsync TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].ExecAsyncBatch TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].ExecAsyncTable TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON TYPE::[dbsched].TaskTable TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].CreateProcess TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].ReleaseProcess TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].CloseProcess TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].WaitProcess TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].DefineRound TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].ReportRound TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].AcquireResource TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].ReleaseResource TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].CancelTask TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].CancelProcess TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].RetryTask TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].RetryProcess TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].CreateSchedule TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].AlterSchedule TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].SetScheduleEnabled TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].RunSchedule TO [dbsched_user], [dbsched_admin];
GRANT EXECUTE ON [dbsched].DropSchedule TO [dbsched_user], [dbsched_admin]; GRANT EXECUTE ON [dbsched].RunFiring TO [dbsched_user], [dbsched_admin];
GRANT SELECT ON [dbsched].NextInstants TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].ScheduleInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].ScheduleLog TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].TaskInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].ProcessInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].LogInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].RoundInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].RoundMemberInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].ResourceInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].SchedulerInfo TO [dbsched_user], [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].WorkerInfo TO [dbsched_reader], [dbsched_admin];
GRANT SELECT ON [dbsched].AlarmInfo TO [dbsched_reader], [dbsched_admin];
GRANT EXECUTE ON [dbsched].StartScheduler TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].StopScheduler TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].SetWorkers TO [dbsched_admin];
GRANT EXECUTE ON [dbsched].SetPolicy TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].SetOptions TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].SetAlarmHook TO [dbsched_admin];
GRANT EXECUTE ON [dbsched].Purge TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].AcknowledgeAlarms TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].DefineResource TO [dbsched_admin];
GRANT EXECUTE ON [dbsched].DropResource TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].Sweep TO [dbsched_admin]; GRANT EXECUTE ON [dbsched].TaskScheduler TO [dbsched_admin];
GO
-- The targets of wake-ups.
SET NOCOUNT ON;

IF NOT EXISTS (SELECT 1 FROM sys.services AS s WHERE s.name = N'//dbsched/Dispatch')
    CREATE SERVICE [//dbsched/Dispatch] AUTHORIZATION [dbsched_owner] ON QUEUE [dbsched].Dispatch ([//dbsched/Contract]);
IF NOT EXISTS (SELECT 1 FROM sys.services AS s WHERE s.name = N'//dbsched/Lane_01')
    CREATE SERVICE [//dbsched/Lane_01] AUTHORIZATION [dbsched_owner] ON QUEUE [dbsched].Lane_01 ([//dbsched/Contract]);
IF NOT EXISTS (SELECT 1 FROM sys.services AS s WHERE s.name = N'//dbsched/Lane_02')
    CREATE SERVICE [//dbsched/Lane_02] AUTHORIZATION [dbsched_owner] ON QUEUE [dbsched].Lane_02 ([//dbsched/Contract]);
GO
-- The rows that must exist, the installed version and the number of lanes. From here on, workers of other versions leave. What was lost
-- comes back: the settings with default values (Started = 0, no home), a process with the tasks that it has.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
SET NUMERIC_ROUNDABORT OFF;

-- As the owner: all others are denied these tables (see grants).
EXECUTE AS USER = N'dbsched_owner';

BEGIN TRY
    BEGIN TRANSACTION;

    INSERT INTO [dbsched].Settings WITH (ROWLOCK) (SettingsId)
    SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1);

    UPDATE s
    SET s.Version = '0.1.0',
        s.MaxLanes = 2,
        s.MaxWorkers = CASE WHEN s.MaxWorkers > 2 THEN 2 ELSE s.MaxWorkers END
    FROM [dbsched].Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1 AND (s.Version <> '0.1.0' OR s.MaxLanes <> 2);

    INSERT INTO [dbsched].Lanes WITH (ROWLOCK) (LaneId)
    SELECT v.LaneId
    FROM (VALUES (1), (2)) AS v (LaneId)
    WHERE NOT EXISTS (SELECT 1 FROM [dbsched].Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE l.LaneId = v.LaneId);

    -- 1 is the default process. 0 has the tasks that make the processes of schedules; nobody else adds to it.
    SET IDENTITY_INSERT [dbsched].Processes ON;
    INSERT INTO [dbsched].Processes WITH (ROWLOCK)
        (ProcessId, Name, Status, Priority, Weight, OnError, HasWork, Running, CreatedBySid, CreatedByName)
    SELECT v.ProcessId, v.Name, 'Open', v.Priority, v.Weight, 'Continue',
           CASE WHEN EXISTS (SELECT 1 FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = v.ProcessId AND t.FinishedAt IS NULL) THEN 1 ELSE 0 END,
           (SELECT COUNT(*) FROM [dbsched].Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = v.ProcessId AND t.WorkerId IS NOT NULL), 0x01, N'dbo'
    FROM (VALUES (0, N'schedules', 1000000, 1000), (1, N'default', 0, 1)) AS v (ProcessId, Name, Priority, Weight)
    WHERE NOT EXISTS (SELECT 1 FROM [dbsched].Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = v.ProcessId);
    SET IDENTITY_INSERT [dbsched].Processes OFF;

    COMMIT TRANSACTION;
END TRY
BEGIN CATCH
    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
    REVERT;
    THROW;
END CATCH;

REVERT;
GO
-- From here on, Service Broker runs the dispatcher and workers when messages arrive. One reader per queue: a lane is one worker.
SET NOCOUNT ON;
DECLARE @Name nvarchar(128) = N'', @Command nvarchar(1000);

WHILE @Name IS NOT NULL
BEGIN
    SELECT @Name = MIN(q.name)
    FROM sys.service_queues AS q
    WHERE q.schema_id = SCHEMA_ID(N'dbsched') AND q.name > @Name
      AND (q.is_activation_enabled = 0 OR q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0 OR q.is_poison_message_handling_enabled = 1
           OR q.max_readers <> 1 OR ISNULL(q.execute_as_principal_id, 0) <> -2 OR q.activation_procedure NOT LIKE N'%' + REPLACE(q.name, N'_', N'[_]') + N'[_]Activated]');

    -- Each queue activates the procedure with its name.
    SET @Command = ISNULL(N'ALTER QUEUE [dbsched].' + QUOTENAME(@Name) + N' WITH STATUS = ON, ACTIVATION (STATUS = ON, PROCEDURE_NAME = [dbsched].'
                 + QUOTENAME(@Name + N'_Activated') + N', MAX_QUEUE_READERS = 1, EXECUTE AS OWNER), POISON_MESSAGE_HANDLING (STATUS = OFF);', N'');
    EXEC (@Command);
END;
GO
