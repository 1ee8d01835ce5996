-- dbsched tables, version 3: keys against duplicates, bound parameters, transactional tasks, many tasks in one call.
-- One batch, one transaction; everything that works with version 2 works with it.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

ALTER TABLE {{.Schema}}.Tasks ADD
    DedupKey nvarchar(200) COLLATE Latin1_General_BIN2 NULL, -- of one user's unfinished tasks of a process that have the same key one runs
    DuplicateOf bigint NULL,                                -- the task of the same key for whose sake this one was Skipped
    Parameters nvarchar(max) NULL,                          -- values bound to the batch, see ReadParameters
    Transactional bit NOT NULL                              -- 1: runs in one transaction with its completion
        CONSTRAINT DF_Tasks_Transactional DEFAULT (0);

-- Unfinished tasks by key. No column that a claim changes: whoever claims reads it past locked rows, and a claim's locks
-- may outlive that of its process row for a moment.
CREATE NONCLUSTERED INDEX IX_Tasks_DedupKey
    ON {{.Schema}}.Tasks (ProcessId, DedupKey, EnqueuedBySid, TaskId)
    INCLUDE (FinishedAt)
    WHERE DedupKey IS NOT NULL AND FinishedAt IS NULL;

-- TaskTable: the tasks of one ExecAsyncTable. The columns are the parameters of ExecAsync; NULL means the default.
CREATE TYPE {{.Schema}}.TaskTable AS TABLE
(
    TaskNo int NOT NULL                                     -- order of enqueueing, and of the answer; any numbers
        PRIMARY KEY CLUSTERED,
    SQL nvarchar(max) NULL,                                 -- the batch to run; required
    ExecutionOrder int NULL,                                -- its wave; required
    ProcessId int NULL,                                     -- process it belongs to
    Priority int NULL,                                      -- within its wave, higher first
    MaxAttempts int NULL,                                   -- attempts in all before a failure is final
    RetryDelaySeconds int NULL,                             -- seconds before the first retry
    TimeoutSeconds int NULL,                                -- seconds it may run
    NotBefore datetime2(3) NULL,                            -- UTC instant before which it does not start
    ExpectedSeconds int NULL,                               -- how long it will take
    Resource nvarchar(128) NULL,                            -- semaphore it needs
    Access varchar(30) NULL,                                -- how it uses the semaphore
    Transactional bit NULL,                                 -- 1 = one transaction with its completion
    OnOrphan varchar(30) NULL,                              -- when its worker dies
    DedupKey nvarchar(4000) COLLATE Latin1_General_BIN2 NULL, -- key of which one unfinished task exists
    Parameters nvarchar(max) NULL                           -- values bound to the batch
);

COMMIT TRANSACTION;
