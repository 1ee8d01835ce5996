-- dbsched tables, version 2: time-outs, cancelling, ending the sessions of running tasks.
-- One batch, one transaction; everything that works with version 1 works with it.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

ALTER TABLE {{.Schema}}.Tasks ADD
    TimeoutSeconds int NULL                                 -- seconds an attempt may run, NULL = no limit
        CONSTRAINT CK_Tasks_TimeoutSeconds CHECK (TimeoutSeconds >= 1),
    StopOutcome varchar(10) COLLATE Latin1_General_BIN2 NULL -- while Stopping: what it becomes unless it still succeeds; NULL = Cancelled
        CONSTRAINT CK_Tasks_StopOutcome CHECK (StopOutcome IN ('TimedOut', 'Cancelled')),
    StopAt datetime2(3) NULL,                               -- when the dispatcher is to end the attempt's session, or to look again whether it has ended
    StopTries int NOT NULL                                  -- how often it has tried for this attempt
        CONSTRAINT DF_Tasks_StopTries DEFAULT (0);

ALTER TABLE {{.Schema}}.Lanes ADD
    LoginTime datetime NULL;                                -- login time of the worker's session: session numbers are used again

-- Attempts that have a deadline or are to be ended, the next one first: at most as many rows as there are lanes.
CREATE NONCLUSTERED INDEX IX_Tasks_Stop
    ON {{.Schema}}.Tasks (StopAt, TaskId)
    INCLUDE (Status)
    WHERE StopAt IS NOT NULL;

-- Tasks that did not end well: what a retry of their process looks for.
CREATE NONCLUSTERED INDEX IX_Tasks_Failed
    ON {{.Schema}}.Tasks (ProcessId, TaskId)
    INCLUDE (Status)
    WHERE Status IN ('Failed', 'TimedOut', 'Cancelled', 'Skipped');

COMMIT TRANSACTION;
