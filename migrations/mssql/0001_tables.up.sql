-- The tables of dbsched. They hold the whole state: messages are only wake-ups.
-- One batch, one transaction: all of it is applied, or nothing.
-- Columns with a fixed list of values are varchar with a binary collation, so that they compare the same way in every database.
-- All times are UTC.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

-- Settings: one row with the administrator's settings and the timer.
CREATE TABLE {{.Schema}}.Settings
(
    SettingsId tinyint NOT NULL                             -- always 1: the table has one row
        CONSTRAINT PK_Settings PRIMARY KEY CLUSTERED
        CONSTRAINT CK_Settings_One CHECK (SettingsId = 1),
    Version varchar(30) COLLATE Latin1_General_BIN2 NOT NULL -- version of the installed procedures; workers of other versions leave
        CONSTRAINT DF_Settings_Version DEFAULT (''),
    Started bit NOT NULL                                    -- 1 between StartScheduler and StopScheduler
        CONSTRAINT DF_Settings_Started DEFAULT (0),
    HomeServer nvarchar(128) NULL,                          -- server on which StartScheduler was called; NULL = never
    HomeDatabase nvarchar(128) NULL,                        -- name of the database at that time
    HomeGuid uniqueidentifier NULL,                         -- its database_guid; NULL = could not be read
    HomeGroupId uniqueidentifier NULL,                      -- its group_database_id or mirroring_guid; NULL = none was seen
    AlsoOn nvarchar(1000) NULL,                             -- names of servers to which it may move, separated by commas; NULL = none
    MaxWorkers int NOT NULL                                 -- workers that may run at once; 0 = paused
        CONSTRAINT DF_Settings_MaxWorkers DEFAULT (4)
        CONSTRAINT CK_Settings_MaxWorkers CHECK (MaxWorkers >= 0),
    MaxLanes int NOT NULL                                   -- installed lanes, the upper limit of MaxWorkers
        CONSTRAINT DF_Settings_MaxLanes DEFAULT (0),
    Policy varchar(10) COLLATE Latin1_General_BIN2 NOT NULL -- which process is served first: RoundRobin, Fifo or Priority
        CONSTRAINT DF_Settings_Policy DEFAULT ('RoundRobin')
        CONSTRAINT CK_Settings_Policy CHECK (Policy IN ('Fifo', 'Priority', 'RoundRobin')),
    LingerSeconds int NOT NULL                              -- seconds that an idle worker waits for work before it ends
        CONSTRAINT DF_Settings_LingerSeconds DEFAULT (15)
        CONSTRAINT CK_Settings_LingerSeconds CHECK (LingerSeconds BETWEEN 0 AND 60),
    IdleSweepSeconds int NOT NULL                           -- seconds between two sweeps
        CONSTRAINT DF_Settings_IdleSweepSeconds DEFAULT (60)
        CONSTRAINT CK_Settings_IdleSweepSeconds CHECK (IdleSweepSeconds BETWEEN 1 AND 86400),
    RetentionDays int NOT NULL                              -- days to keep ended tasks, processes, logs and alarms
        CONSTRAINT DF_Settings_RetentionDays DEFAULT (30)
        CONSTRAINT CK_Settings_RetentionDays CHECK (RetentionDays BETWEEN 1 AND 36500),
    MaxRetryDelaySeconds int NOT NULL                       -- longest delay before a retry, in seconds
        CONSTRAINT DF_Settings_MaxRetryDelaySeconds DEFAULT (3600)
        CONSTRAINT CK_Settings_MaxRetryDelaySeconds CHECK (MaxRetryDelaySeconds BETWEEN 0 AND 86400),
    MaxOrphans int NOT NULL                                 -- how often a task is run again after its worker died
        CONSTRAINT DF_Settings_MaxOrphans DEFAULT (3)
        CONSTRAINT CK_Settings_MaxOrphans CHECK (MaxOrphans BETWEEN 0 AND 100),
    OutageSeconds int NOT NULL                              -- seconds for which a task is tried that the server cannot begin
        CONSTRAINT DF_Settings_OutageSeconds DEFAULT (86400)
        CONSTRAINT CK_Settings_OutageSeconds CHECK (OutageSeconds BETWEEN 0 AND 2592000),
    MaxTasksPerUser int NOT NULL                            -- unfinished tasks that a user may have who is no administrator; 0 = no limit
        CONSTRAINT DF_Settings_MaxTasksPerUser DEFAULT (0) CONSTRAINT CK_Settings_MaxTasksPerUser CHECK (MaxTasksPerUser >= 0),
    DefaultTimeoutSeconds int NOT NULL                      -- time limit of new tasks that name none, in seconds; 0 = none
        CONSTRAINT DF_Settings_DefaultTimeoutSeconds DEFAULT (0) CONSTRAINT CK_Settings_DefaultTimeoutSeconds CHECK (DefaultTimeoutSeconds >= 0),
    AlarmHook nvarchar(517) NULL,                           -- quoted schema and name of the procedure called for each alarm; NULL = none
    AlarmHookProcessId int NULL,                            -- process of the tasks that call it
    AlarmHookById int NULL,                                 -- database principal that set the hook, and that it runs as
    AlarmHookBySid varbinary(85) NULL,                      -- that principal's SID
    AlarmHookByName nvarchar(128) NULL,                     -- that principal's name
    AlarmHookByLogin nvarchar(128) NULL,                    -- the login behind it, for audits
    TimerHandle uniqueidentifier NULL,                      -- conversation of the timer; NULL while stopped
    NextSweepAt datetime2(3) NULL,                          -- when the next sweep is due
    ChangedAt datetime2(3) NOT NULL                         -- last start, stop or change of a setting
        CONSTRAINT DF_Settings_ChangedAt DEFAULT (SYSUTCDATETIME())
);

-- Processes: named groups of tasks. Row 1 is the default process and row 0 that of schedules; both never end.
CREATE TABLE {{.Schema}}.Processes
(
    ProcessId int IDENTITY(1, 1) NOT NULL                   -- number of the process; older processes have lower numbers
        CONSTRAINT PK_Processes PRIMARY KEY CLUSTERED,
    Name nvarchar(128) NOT NULL,                            -- display name; need not be unique
    Status varchar(10) COLLATE Latin1_General_BIN2 NOT NULL -- Suspended, Open, Closing, Succeeded, Failed or Cancelled
        CONSTRAINT CK_Processes_Status CHECK (Status IN ('Suspended', 'Open', 'Closing', 'Succeeded', 'Failed', 'Cancelled')),
    CloseRequested bit NOT NULL                             -- 1 = no more tasks; a suspended process closes when it is released
        CONSTRAINT DF_Processes_CloseRequested DEFAULT (0),
    Priority int NOT NULL                                   -- higher is served first under policy Priority
        CONSTRAINT DF_Processes_Priority DEFAULT (0),
    Weight int NOT NULL                                     -- share under policy RoundRobin, at least 1
        CONSTRAINT DF_Processes_Weight DEFAULT (1)
        CONSTRAINT CK_Processes_Weight CHECK (Weight BETWEEN 1 AND 1000),
    MaxParallel int NULL                                    -- most tasks of this process that run at once; NULL = no limit
        CONSTRAINT CK_Processes_MaxParallel CHECK (MaxParallel >= 1),
    OnError varchar(8) COLLATE Latin1_General_BIN2 NOT NULL -- Halt: a failed task ends the process; Continue: it does not
        CONSTRAINT CK_Processes_OnError CHECK (OnError IN ('Halt', 'Continue')),
    Running int NOT NULL                                    -- running tasks; maintained by claim and completion under this row's lock
        CONSTRAINT DF_Processes_Running DEFAULT (0),
    HasWork bit NOT NULL                                    -- 1 = may have claimable tasks; 0 only when there were none; maintained by dispatcher, claim and completion
        CONSTRAINT DF_Processes_HasWork DEFAULT (0),
    WaveOrder int NULL,                                     -- wave that claims are in, see WaveOf; NULL = look from the beginning
    WaveRank decimal(27, 0) NULL,                           -- Rank of the last task that they have passed, the watermark; only claims change it
    WaveTaskId bigint NULL,                                 -- that task
    LastServedAt datetime2(7) NULL,                         -- when a task of this process was last claimed
    TasksSucceeded bigint NOT NULL                          -- tasks that succeeded
        CONSTRAINT DF_Processes_TasksSucceeded DEFAULT (0),
    TasksFailed bigint NOT NULL                             -- tasks that finally failed
        CONSTRAINT DF_Processes_TasksFailed DEFAULT (0),
    CreatedAt datetime2(3) NOT NULL                         -- when it was created
        CONSTRAINT DF_Processes_CreatedAt DEFAULT (SYSUTCDATETIME()),
    FinishedAt datetime2(3) NULL,                           -- when it became Succeeded, Failed or Cancelled
    CreatedBySid varbinary(85) NOT NULL,                    -- SID of the principal that created it and may add tasks
    CreatedByName nvarchar(128) NOT NULL,                   -- its name at that time
    CreatedByLogin nvarchar(128) NULL,                      -- the login behind it, for audits
    ScheduleId int NULL,                                    -- schedule that made it; NULL = a user did
    FiringId bigint NULL                                    -- firing of that schedule
);

-- Unfinished processes, for the dispatcher.
CREATE NONCLUSTERED INDEX IX_Processes_Unfinished
    ON {{.Schema}}.Processes (ProcessId)
    INCLUDE (FinishedAt, Status, HasWork)
    WHERE FinishedAt IS NULL;

-- Processes that may have claimable tasks, for claims.
CREATE NONCLUSTERED INDEX IX_Processes_HasWork
    ON {{.Schema}}.Processes (ProcessId)
    INCLUDE (HasWork, Status, Priority, Weight, MaxParallel, Running, LastServedAt)
    WHERE HasWork = 1;

-- Ended processes, in the order in which they are purged.
CREATE NONCLUSTERED INDEX IX_Processes_Finished
    ON {{.Schema}}.Processes (FinishedAt)
    WHERE FinishedAt IS NOT NULL;

-- Unfinished processes of a schedule: the next firing may have to wait for them.
CREATE NONCLUSTERED INDEX IX_Processes_Schedule ON {{.Schema}}.Processes (ScheduleId) INCLUDE (FinishedAt) WHERE ScheduleId IS NOT NULL AND FinishedAt IS NULL;

-- Processes of a schedule, for ScheduleInfo and ScheduleLog.
CREATE NONCLUSTERED INDEX IX_Processes_Firing ON {{.Schema}}.Processes (FiringId) WHERE FiringId IS NOT NULL;

-- ProcessRequests: "release", "close" and "look" are rows of the caller's transaction, which the dispatcher applies after the
-- commit. An UPDATE of the process row would instead block all workers until the caller commits.
CREATE TABLE {{.Schema}}.ProcessRequests
(
    ProcessId int NOT NULL,                                 -- the process
    RequestId bigint IDENTITY(1, 1) NOT NULL,               -- order of the requests
    Action varchar(7) COLLATE Latin1_General_BIN2 NOT NULL  -- Release (Suspended -> Open or Closing), Close (Open -> Closing), Look (from the beginning)
        CONSTRAINT CK_ProcessRequests_Action CHECK (Action IN ('Release', 'Close', 'Look')),
    RequestedAt datetime2(3) NOT NULL                       -- when it was requested
        CONSTRAINT DF_ProcessRequests_RequestedAt DEFAULT (SYSUTCDATETIME()),
    CONSTRAINT PK_ProcessRequests PRIMARY KEY CLUSTERED (ProcessId, RequestId)
);

-- Tasks: one row per task, kept after its end for RetentionDays.
-- No foreign key to Processes: it would make every enqueuer lock the process row.
CREATE TABLE {{.Schema}}.Tasks
(
    TaskId bigint IDENTITY(1, 1) NOT NULL                   -- number of the task, in order of enqueueing
        CONSTRAINT PK_Tasks PRIMARY KEY CLUSTERED,
    ProcessId int NOT NULL,                                 -- process it belongs to
    ExecutionOrder int NOT NULL,                            -- its wave: all lower orders end before it starts
    Priority int NOT NULL,                                  -- within the wave, higher starts first
    ExpectedSeconds int NOT NULL,                           -- within the priority, longer starts first; 0 = unknown
    Rank decimal(27, 0) NOT NULL,                           -- wave, priority and expected time in one number, lower starts first
    Status varchar(10) COLLATE Latin1_General_BIN2 NOT NULL -- Pending, Waiting, Running, Stopping, Succeeded, Failed, TimedOut, Cancelled or Skipped
        CONSTRAINT CK_Tasks_Status CHECK (Status IN ('Pending', 'Waiting', 'Running', 'Stopping', 'Succeeded', 'Failed', 'TimedOut', 'Cancelled', 'Skipped')),
    WaitReason varchar(10) COLLATE Latin1_General_BIN2 NULL -- why it is Waiting: Delay, Retry, Outage, Resource or Suspended
        CONSTRAINT CK_Tasks_WaitReason CHECK (WaitReason IN ('Delay', 'Retry', 'Outage', 'Resource', 'Suspended')),
    DueAt datetime2(3) NULL,                                -- when a Waiting task becomes Pending
    SqlText nvarchar(max) NOT NULL,                         -- the batch to run
    MaxAttempts int NOT NULL,                               -- most attempts, the first included
    RetryDelaySeconds int NOT NULL,                         -- delay before the first retry, doubled for each further retry
    OnOrphan varchar(5) COLLATE Latin1_General_BIN2 NOT NULL -- if its worker dies: Retry or Fail
        CONSTRAINT CK_Tasks_OnOrphan CHECK (OnOrphan IN ('Retry', 'Fail')),
    Attempt int NOT NULL                                    -- number of the current or last attempt; 0 = never started
        CONSTRAINT DF_Tasks_Attempt DEFAULT (0),
    Failures int NOT NULL                                   -- attempts that failed
        CONSTRAINT DF_Tasks_Failures DEFAULT (0),
    Orphans int NOT NULL                                    -- attempts whose worker died
        CONSTRAINT DF_Tasks_Orphans DEFAULT (0),
    OutageSince datetime2(3) NULL,                          -- since when the server cannot begin it; NULL = its last attempt began
    ResourceId int NULL,                                    -- resource that an attempt needs; NULL = none
    Access varchar(9) COLLATE Latin1_General_BIN2 NULL      -- how it uses the resource
        CONSTRAINT CK_Tasks_Access CHECK (Access IN ('Shared', 'Exclusive')),
    TimeoutSeconds int NULL                                 -- seconds that an attempt may run; NULL = no limit
        CONSTRAINT CK_Tasks_TimeoutSeconds CHECK (TimeoutSeconds >= 1),
    StopOutcome varchar(10) COLLATE Latin1_General_BIN2 NULL -- while Stopping: its outcome unless it still succeeds; NULL = Cancelled
        CONSTRAINT CK_Tasks_StopOutcome CHECK (StopOutcome IN ('TimedOut', 'Cancelled')),
    StopAt datetime2(3) NULL,                               -- when the dispatcher ends the attempt's session, or checks again whether it has ended
    StopTries int NOT NULL                                  -- how often it has tried for this attempt
        CONSTRAINT DF_Tasks_StopTries DEFAULT (0),
    DedupKey nvarchar(200) COLLATE Latin1_General_BIN2 NULL, -- a user has one unfinished task per key in a process; duplicates are skipped
    DuplicateOf bigint NULL,                                -- of a Skipped duplicate: the task with the same key
    Parameters nvarchar(max) NULL,                          -- values bound to the batch, see ReadParameters
    Transactional bit NOT NULL                              -- 1 = task and completion are one transaction
        CONSTRAINT DF_Tasks_Transactional DEFAULT (0),
    EnqueuedAt datetime2(3) NOT NULL                        -- when it was enqueued
        CONSTRAINT DF_Tasks_EnqueuedAt DEFAULT (SYSUTCDATETIME()),
    EnqueuedById int NOT NULL,                              -- database principal that enqueued it, and that it runs as
    EnqueuedBySid varbinary(85) NOT NULL,                   -- that principal's SID: a later user of the same name does not inherit the task
    EnqueuedByName nvarchar(128) NOT NULL,                  -- that principal's name
    EnqueuedByLogin nvarchar(128) NULL,                     -- the login behind it, for audits
    UserTasks int NULL,                                     -- unfinished tasks of its user when it was added, at most; NULL = not counted
    TransactionId bigint NOT NULL,                          -- CURRENT_TRANSACTION_ID() of its enqueuer, see NextTask
    LaneId int NULL,                                        -- lane that runs it; NULL unless Running or Stopping
    WorkerId uniqueidentifier NULL,                         -- worker that runs it; NULL unless Running or Stopping
    LogId bigint NULL,                                      -- Logs row of the current or last attempt
    StartedAt datetime2(3) NULL,                            -- start of the current or last attempt
    FinishedAt datetime2(3) NULL,                           -- when it reached a final status
    Name nvarchar(128) COLLATE Latin1_General_BIN2 NULL,    -- what people call it; need not be unique
    CONSTRAINT CK_Tasks_Due CHECK (DueAt IS NULL OR Status = 'Waiting'),
    CONSTRAINT CK_Tasks_Worker CHECK (WorkerId IS NULL OR Status IN ('Running', 'Stopping'))
);

-- The claim reads this in index order. A sort would lock the whole wave.
CREATE NONCLUSTERED INDEX IX_Tasks_Claim
    ON {{.Schema}}.Tasks (ProcessId, Rank, TaskId)
    INCLUDE (ExecutionOrder, Status)
    WHERE Status = 'Pending';

-- Waiting tasks: their wave is not over.
CREATE NONCLUSTERED INDEX IX_Tasks_Waiting
    ON {{.Schema}}.Tasks (ProcessId, ExecutionOrder, TaskId)
    INCLUDE (Status, WaitReason)
    WHERE Status = 'Waiting';

-- The barrier between waves: the first row of a process here has its lowest unfinished order.
CREATE NONCLUSTERED INDEX IX_Tasks_Unfinished
    ON {{.Schema}}.Tasks (ProcessId, ExecutionOrder, TaskId)
    INCLUDE (FinishedAt, TransactionId)
    WHERE FinishedAt IS NULL;

-- Delayed tasks and retries, the next due first.
CREATE NONCLUSTERED INDEX IX_Tasks_Due
    ON {{.Schema}}.Tasks (DueAt, ProcessId)
    WHERE DueAt IS NOT NULL;

-- Tasks that a worker runs: at most as many rows as lanes.
CREATE NONCLUSTERED INDEX IX_Tasks_Worker
    ON {{.Schema}}.Tasks (LaneId, LogId)
    INCLUDE (WorkerId)
    WHERE WorkerId IS NOT NULL;

-- Ended tasks, in the order in which they are purged.
CREATE NONCLUSTERED INDEX IX_Tasks_Finished
    ON {{.Schema}}.Tasks (FinishedAt)
    WHERE FinishedAt IS NOT NULL;

-- Attempts with a deadline, or to be ended, the next due first: at most as many rows as lanes.
CREATE NONCLUSTERED INDEX IX_Tasks_Stop
    ON {{.Schema}}.Tasks (StopAt, TaskId)
    INCLUDE (Status)
    WHERE StopAt IS NOT NULL;

-- Tasks that did not succeed, for a retry of their process.
CREATE NONCLUSTERED INDEX IX_Tasks_Failed
    ON {{.Schema}}.Tasks (ProcessId, TaskId)
    INCLUDE (Status)
    WHERE Status IN ('Failed', 'TimedOut', 'Cancelled', 'Skipped');

-- Unfinished tasks by key. Contains no column that a claim changes: claims read it with READPAST, and the locks of another
-- claim may last a moment longer than its lock on the process row.
CREATE NONCLUSTERED INDEX IX_Tasks_DedupKey
    ON {{.Schema}}.Tasks (ProcessId, DedupKey, EnqueuedBySid, TaskId)
    INCLUDE (FinishedAt)
    WHERE DedupKey IS NOT NULL AND FinishedAt IS NULL;

-- Unfinished tasks by user, for MaxTasksPerUser: those that were added while there is a limit.
CREATE NONCLUSTERED INDEX IX_Tasks_User ON {{.Schema}}.Tasks (EnqueuedBySid, TaskId)
    INCLUDE (UserTasks, FinishedAt) WHERE UserTasks IS NOT NULL AND FinishedAt IS NULL;

-- Logs: one row per attempt, committed before the task runs and completed afterwards.
CREATE TABLE {{.Schema}}.Logs
(
    LogId bigint IDENTITY(1, 1) NOT NULL                    -- number of the attempt, in order of start
        CONSTRAINT PK_Logs PRIMARY KEY CLUSTERED,
    TaskId bigint NOT NULL,                                 -- the task
    ProcessId int NOT NULL,                                 -- its process
    ExecutionOrder int NOT NULL,                            -- its wave
    Attempt int NOT NULL,                                   -- number of this attempt, from 1
    SqlText nvarchar(4000) NOT NULL,                        -- first 4,000 characters of the batch, kept after the task is purged
    EnqueuedBySid varbinary(85) NOT NULL,                   -- SID of the principal that enqueued it
    EnqueuedByName nvarchar(128) NOT NULL,                  -- its name; the attempt ran as this user
    LaneId int NOT NULL,                                    -- lane that ran it; above 1000: a session in TaskScheduler
    WorkerId uniqueidentifier NOT NULL,                     -- worker (one activation of the lane) that ran it
    SessionId int NOT NULL,                                 -- database session that ran it
    StartedAt datetime2(3) NOT NULL,                        -- start of the attempt
    EndedAt datetime2(3) NULL,                              -- end of the attempt; NULL while it runs
    Outcome varchar(10) COLLATE Latin1_General_BIN2 NULL    -- Succeeded, Failed, Orphaned, TimedOut, Cancelled or Outage; NULL while it runs
        CONSTRAINT CK_Logs_Outcome CHECK (Outcome IN ('Succeeded', 'Failed', 'Orphaned', 'TimedOut', 'Cancelled', 'Outage')),
    ErrorNumber int NULL,                                   -- number of the error that ended it
    ErrorMessage nvarchar(4000) NULL,                       -- text of that error
    ErrorProcedure nvarchar(300) NULL,                      -- procedure that raised it; NULL = the batch
    ErrorLine int NULL,                                     -- line in that procedure or batch
    RowsAffected bigint NULL,                               -- rows of the batch's last statement
    TaskName nvarchar(128) COLLATE Latin1_General_BIN2 NULL -- the task's name
);

-- Lanes: the slots in which workers run. Lanes above 1000 are sessions in TaskScheduler.
CREATE TABLE {{.Schema}}.Lanes
(
    LaneId int NOT NULL                                     -- number of the lane
        CONSTRAINT PK_Lanes PRIMARY KEY CLUSTERED,
    State varchar(8) COLLATE Latin1_General_BIN2 NOT NULL   -- Idle, Assigned (a wake-up is on its way) or Busy
        CONSTRAINT DF_Lanes_State DEFAULT ('Idle')
        CONSTRAINT CK_Lanes_State CHECK (State IN ('Idle', 'Assigned', 'Busy')),
    StateAt datetime2(3) NOT NULL                           -- when the state last changed
        CONSTRAINT DF_Lanes_StateAt DEFAULT (SYSUTCDATETIME()),
    WorkerId uniqueidentifier NULL,                         -- worker that holds the lane; NULL = none
    SessionId int NULL,                                     -- its session
    EnteredAt datetime2(3) NULL,                            -- when it took the lane
    FromLogId bigint NULL                                   -- the ends of all attempts in this lane up to this one are recorded, see RecoverLane
);

-- Resources: named semaphores. A change of a resource's line holds the lock on its row here.
CREATE TABLE {{.Schema}}.Resources
(
    ResourceId int IDENTITY(1, 1) NOT NULL                  -- number of the resource; to lock several, lock lower numbers first
        CONSTRAINT PK_Resources PRIMARY KEY CLUSTERED,
    Name nvarchar(128) NOT NULL                             -- its name
        CONSTRAINT UQ_Resources_Name UNIQUE,
    Capacity int NOT NULL                                   -- units that may be held at once
        CONSTRAINT CK_Resources_Capacity CHECK (Capacity >= 1),
    CreatedAt datetime2(3) NOT NULL                         -- when it was defined
        CONSTRAINT DF_Resources_CreatedAt DEFAULT (SYSUTCDATETIME()),
    ChangedAt datetime2(3) NOT NULL                         -- when its capacity was last set
        CONSTRAINT DF_Resources_ChangedAt DEFAULT (SYSUTCDATETIME())
);

-- ResourceRequests: the lines. A row exists from request to release; holders come before waiting requests.
CREATE TABLE {{.Schema}}.ResourceRequests
(
    ResourceId int NOT NULL,                                -- the resource
    RequestId bigint IDENTITY(1, 1) NOT NULL                -- place in the line: assigned under the lock on the resource's row, held until the commit
        CONSTRAINT UQ_ResourceRequests_RequestId UNIQUE,
    Status varchar(8) COLLATE Latin1_General_BIN2 NOT NULL  -- Waiting; Reserved: granted, but the requester has not been told yet; Granted
        CONSTRAINT CK_ResourceRequests_Status CHECK (Status IN ('Waiting', 'Reserved', 'Granted')),
    Access varchar(9) COLLATE Latin1_General_BIN2 NOT NULL  -- Shared: one unit; Exclusive: all units
        CONSTRAINT CK_ResourceRequests_Access CHECK (Access IN ('Shared', 'Exclusive')),
    Requester nvarchar(128) NOT NULL,                       -- name of the requester
    ProcessId int NULL,                                     -- process of the task; NULL outside tasks
    TaskId bigint NULL,                                     -- task that names the resource, or that called AcquireResource
    SessionId int NULL,                                     -- session that called AcquireResource; NULL for a task that names the resource
    LeaseSeconds int NULL                                   -- seconds that it may be held; NULL = until the session or the task ends
        CONSTRAINT CK_ResourceRequests_LeaseSeconds CHECK (LeaseSeconds >= 1),
    LeaseUntil datetime2(3) NULL,                           -- when the lease runs out; NULL until it is granted
    GiveUpAt datetime2(3) NULL,                             -- when a session that still waits is considered gone
    RequestedAt datetime2(3) NOT NULL                       -- when it was requested
        CONSTRAINT DF_ResourceRequests_RequestedAt DEFAULT (SYSUTCDATETIME()),
    GrantedAt datetime2(3) NULL,                            -- when it was granted
    RequestedBySid varbinary(85) NULL,                      -- SID of the requesting principal; NULL = it has no database user
    RequestedByName nvarchar(128) NOT NULL,                 -- its name
    RequestedByLogin nvarchar(128) NULL,                    -- the login behind it, for audits
    CONSTRAINT PK_ResourceRequests PRIMARY KEY CLUSTERED (ResourceId, RequestId)
);

-- The first waiting request, and the holders.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Line
    ON {{.Schema}}.ResourceRequests (ResourceId, Status, RequestId)
    INCLUDE (Access);

-- Requests of tasks.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Task
    ON {{.Schema}}.ResourceRequests (ProcessId, TaskId)
    INCLUDE (ResourceId, RequestId, SessionId)
    WHERE TaskId IS NOT NULL;

-- Requests of sessions, to find dead ones.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Session
    ON {{.Schema}}.ResourceRequests (RequestId)
    INCLUDE (SessionId)
    WHERE SessionId IS NOT NULL;

-- Tasks that were granted their resource, but are not Pending yet.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Reserved
    ON {{.Schema}}.ResourceRequests (RequestId)
    INCLUDE (Status, SessionId, ProcessId, TaskId)
    WHERE Status = 'Reserved';

-- Leases, the next to expire first.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Lease
    ON {{.Schema}}.ResourceRequests (LeaseUntil)
    WHERE LeaseUntil IS NOT NULL;

-- Rounds: the successor starts when all members have succeeded. Reports lock the round's row first.
CREATE TABLE {{.Schema}}.Rounds
(
    RoundId int IDENTITY(1, 1) NOT NULL                     -- number of the round
        CONSTRAINT PK_Rounds PRIMARY KEY CLUSTERED,
    Name nvarchar(128) NOT NULL                             -- its name, for reports
        CONSTRAINT UQ_Rounds_Name UNIQUE,
    Generation bigint NOT NULL                              -- the generation for which reports count, from 1; firing ends it
        CONSTRAINT DF_Rounds_Generation DEFAULT (1),
    SuccessorJob nvarchar(128) NULL,                        -- SQL Server Agent job to start, or
    SuccessorSql nvarchar(max) NULL,                        -- batch to enqueue as a task
    SuccessorOrder int NULL,                                -- that task's wave
    SuccessorProcessId int NULL,                            -- that task's process
    MaxAgeSeconds int NOT NULL                              -- seconds after which a report no longer counts
        CONSTRAINT CK_Rounds_MaxAgeSeconds CHECK (MaxAgeSeconds BETWEEN 1 AND 31536000),
    StartSeconds int NOT NULL                               -- seconds in which the job must be seen to run
        CONSTRAINT CK_Rounds_StartSeconds CHECK (StartSeconds BETWEEN 1 AND 3600),
    DefinedAt datetime2(3) NOT NULL                         -- when it was last defined
        CONSTRAINT DF_Rounds_DefinedAt DEFAULT (SYSUTCDATETIME()),
    DefinedById int NOT NULL,                               -- database principal that defined it, may report, and that its task runs as
    DefinedBySid varbinary(85) NOT NULL,                    -- that principal's SID
    DefinedByName nvarchar(128) NOT NULL,                   -- that principal's name
    DefinedByLogin nvarchar(128) NULL,                      -- the login behind it, for audits
    CONSTRAINT CK_Rounds_Successor CHECK ((SuccessorJob IS NULL AND SuccessorSql IS NOT NULL) OR (SuccessorJob IS NOT NULL AND SuccessorSql IS NULL))
);

-- RoundMembers: the members that must report, and their reports for the current generation.
CREATE TABLE {{.Schema}}.RoundMembers
(
    RoundId int NOT NULL,                                   -- the round
    Member nvarchar(128) NOT NULL,                          -- name of the member, usually of a job
    ReportedAt datetime2(3) NULL,                           -- when it last reported for this generation; NULL = not yet
    Succeeded bit NULL,                                     -- what it reported; NULL = nothing
    CONSTRAINT PK_RoundMembers PRIMARY KEY CLUSTERED (RoundId, Member)
);

-- Reports that wait for others, for the sweep.
CREATE NONCLUSTERED INDEX IX_RoundMembers_Reported
    ON {{.Schema}}.RoundMembers (RoundId, ReportedAt)
    WHERE ReportedAt IS NOT NULL;

-- RoundFirings: one row per completed generation; the constraint prevents a second one.
CREATE TABLE {{.Schema}}.RoundFirings
(
    FiringId bigint IDENTITY(1, 1) NOT NULL                 -- number of the firing
        CONSTRAINT PK_RoundFirings PRIMARY KEY CLUSTERED,
    RoundId int NOT NULL,                                   -- the round
    Generation bigint NOT NULL,                             -- the completed generation
    Status varchar(10) COLLATE Latin1_General_BIN2 NOT NULL -- Starting, Started, Failed (it did not start) or Unknown (requested, but not seen to run)
        CONSTRAINT DF_RoundFirings_Status DEFAULT ('Starting')
        CONSTRAINT CK_RoundFirings_Status CHECK (Status IN ('Starting', 'Started', 'Failed', 'Unknown')),
    FiredAt datetime2(3) NOT NULL                           -- when the last member reported
        CONSTRAINT DF_RoundFirings_FiredAt DEFAULT (SYSUTCDATETIME()),
    FiredBy nvarchar(128) NOT NULL,                         -- that member
    SuccessorJob nvarchar(128) NULL,                        -- the job to start; NULL = a task
    EndedAt datetime2(3) NULL,                              -- when it got its final status; NULL while Starting
    TaskId bigint NULL,                                     -- the task that was enqueued
    Detail nvarchar(2000) NULL,                             -- why it did not start
    CONSTRAINT UQ_RoundFirings_Generation UNIQUE (RoundId, Generation)
);

-- Firings without a result yet.
CREATE NONCLUSTERED INDEX IX_RoundFirings_Starting
    ON {{.Schema}}.RoundFirings (FiringId)
    INCLUDE (Status)
    WHERE Status = 'Starting';

-- Schedules: calendars that start a process at each of their instants.
CREATE TABLE {{.Schema}}.Schedules
(
    ScheduleId int IDENTITY(1, 1) NOT NULL                  -- number of the schedule
        CONSTRAINT PK_Schedules PRIMARY KEY CLUSTERED,
    Name nvarchar(100) NOT NULL                             -- its name; its processes have it and the local time
        CONSTRAINT UQ_Schedules_Name UNIQUE,
    Calendar nvarchar(200) NOT NULL,                        -- when it fires, as its owner wrote it
    Form varchar(400) COLLATE Latin1_General_BIN2 NOT NULL, -- the same as ReadCalendar returns it
    Zone nvarchar(128) NOT NULL,                            -- time zone of the calendar, a name in sys.time_zone_info
    BeginAt datetime2(0) NOT NULL,                          -- no instant is before it, and intervals are counted from it; default: its creation
    EndAt datetime2(0) NULL,                                -- no instant is after it; NULL = without end
    Tasks nvarchar(max) NOT NULL,                           -- tasks of each process: the JSON array of ExecAsyncBatch
    OnError varchar(8) COLLATE Latin1_General_BIN2 NOT NULL, -- OnError, Weight and MaxParallel of each process, see Processes
    Weight int NOT NULL,                                    -- see OnError
    MaxParallel int NULL,                                   -- see OnError
    Overlap varchar(5) COLLATE Latin1_General_BIN2 NOT NULL -- while its last process runs: Skip the firing, Queue one, or Allow both
        CONSTRAINT CK_Schedules_Overlap CHECK (Overlap IN ('Skip', 'Queue', 'Allow')),
    Missed varchar(4) COLLATE Latin1_General_BIN2 NOT NULL  -- firings that were missed: Once (one for all), None or All (the last 100)
        CONSTRAINT CK_Schedules_Missed CHECK (Missed IN ('Once', 'None', 'All')),
    Status varchar(9) COLLATE Latin1_General_BIN2 NOT NULL  -- Enabled, Disabled (by a user) or Suspended (by dbsched)
        CONSTRAINT CK_Schedules_Status CHECK (Status IN ('Enabled', 'Disabled', 'Suspended')),
    Reason nvarchar(400) NULL,                              -- why it is Suspended
    NextAt datetime2(0) NULL,                               -- the next instant; it passes while the schedule is not Enabled; NULL = there is none
    LookAt datetime2(3) NULL,                               -- when the dispatcher looks at it: NextAt, after changes, once a day; NULL unless Enabled
    LastAt datetime2(0) NULL,                               -- the last instant that the dispatcher has dealt with
    Waiting int NOT NULL                                    -- firings that wait until the last process ends
        CONSTRAINT DF_Schedules_Waiting DEFAULT (0),
    LastFiringId bigint NULL,                               -- the last firing that started
    OwnerId int NOT NULL,                                   -- database principal that owns it, and that its tasks run as
    OwnerSid varbinary(85) NOT NULL,                        -- that principal's SID
    OwnerName nvarchar(128) NOT NULL                        -- that principal's name
);

-- What the dispatcher looks at next.
CREATE NONCLUSTERED INDEX IX_Schedules_LookAt ON {{.Schema}}.Schedules (LookAt) WHERE LookAt IS NOT NULL;

-- ScheduleFirings: one row per firing, whatever became of it.
CREATE TABLE {{.Schema}}.ScheduleFirings
(
    FiringId bigint IDENTITY(1, 1) NOT NULL                 -- number of the firing
        CONSTRAINT PK_ScheduleFirings PRIMARY KEY CLUSTERED,
    ScheduleId int NOT NULL,                                -- the schedule
    Name nvarchar(100) NOT NULL,                            -- its name at the time
    DueAt datetime2(3) NOT NULL,                            -- the instant of the calendar, or of RunSchedule
    Manual bit NOT NULL,                                    -- 1 = by RunSchedule
    Status varchar(7) COLLATE Latin1_General_BIN2 NOT NULL  -- Waiting (for the last process), Started, Skipped (because of Overlap) or Missed
        CONSTRAINT CK_ScheduleFirings_Status CHECK (Status IN ('Waiting', 'Started', 'Skipped', 'Missed')),
    Detail nvarchar(200) NULL,                              -- more about it
    LoggedAt datetime2(3) NOT NULL                          -- when this row was written
        CONSTRAINT DF_ScheduleFirings_LoggedAt DEFAULT (SYSUTCDATETIME()),
    TaskId bigint NULL,                                     -- the task that makes the process
    OwnerSid varbinary(85) NOT NULL                         -- SID of the schedule's owner, who may see this row
);

-- Firings that wait, in the order in which they start, and the others for ScheduleInfo to count.
CREATE NONCLUSTERED INDEX IX_ScheduleFirings_Status ON {{.Schema}}.ScheduleFirings (ScheduleId, Status, FiringId) INCLUDE (DueAt);

-- Firings, in the order in which they are purged.
CREATE NONCLUSTERED INDEX IX_ScheduleFirings_LoggedAt ON {{.Schema}}.ScheduleFirings (LoggedAt) INCLUDE (Status);

-- No instant fires twice.
CREATE UNIQUE NONCLUSTERED INDEX UQ_ScheduleFirings_DueAt ON {{.Schema}}.ScheduleFirings (ScheduleId, DueAt) WHERE Manual = 0;

-- Alarms: problems that an administrator should look at.
CREATE TABLE {{.Schema}}.Alarms
(
    AlarmId bigint IDENTITY(1, 1) NOT NULL                  -- number of the alarm
        CONSTRAINT PK_Alarms PRIMARY KEY CLUSTERED,
    RaisedAt datetime2(3) NOT NULL                          -- when it was raised
        CONSTRAINT DF_Alarms_RaisedAt DEFAULT (SYSUTCDATETIME()),
    Kind varchar(20) COLLATE Latin1_General_BIN2 NOT NULL,  -- ProcessFailed, LateTask and so on; errors.md lists all
    ProcessId int NULL,                                     -- its process
    TaskId bigint NULL,                                     -- its task
    LaneId int NULL,                                        -- its lane
    UserName nvarchar(128) NULL,                            -- user whose task, process, round or schedule it is about; NULL = none
    AlarmText nvarchar(2000) NOT NULL,                      -- what happened and what to do
    AcknowledgedAt datetime2(3) NULL,                       -- when it was acknowledged; NULL = not yet
    AcknowledgedBy nvarchar(128) NULL                       -- login that acknowledged it
);

-- WakeSent: transactions that have sent their wake-up. A row, not a session variable, so that a rollback to a savepoint
-- undoes mark and message together. The sweep deletes the rows of ended transactions.
CREATE TABLE {{.Schema}}.WakeSent
(
    TransactionId bigint NOT NULL                           -- CURRENT_TRANSACTION_ID() of the enqueuing transaction
        CONSTRAINT PK_WakeSent PRIMARY KEY CLUSTERED,
    SentAt datetime2(3) NOT NULL                            -- when it was sent
        CONSTRAINT DF_WakeSent_SentAt DEFAULT (SYSUTCDATETIME())
);

-- TaskTable: the tasks of one ExecAsyncTable. The columns are the parameters of ExecAsync; NULL means the default.
CREATE TYPE {{.Schema}}.TaskTable AS TABLE
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

-- Row locks only: an escalated lock of one enqueuer would block all workers.
ALTER TABLE {{.Schema}}.Processes SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.ProcessRequests SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.Tasks SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.Logs SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.Lanes SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.WakeSent SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.ResourceRequests SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.Rounds SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.RoundMembers SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.RoundFirings SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.Schedules SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.ScheduleFirings SET (LOCK_ESCALATION = DISABLE);

COMMIT TRANSACTION;
