-- dbsched tables, version 5: rounds, the sets of outside jobs after which something is started.
-- One batch, one transaction; everything that works with earlier versions works with it.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

-- Rounds: what is started when all members have succeeded. Reports lock the round's row first.
CREATE TABLE {{.Schema}}.Rounds
(
    RoundId int IDENTITY(1, 1) NOT NULL                     -- number of the round
        CONSTRAINT PK_Rounds PRIMARY KEY CLUSTERED,
    Name nvarchar(128) NOT NULL                             -- its name, by which jobs report
        CONSTRAINT UQ_Rounds_Name UNIQUE,
    Generation bigint NOT NULL                              -- the generation that reports count for, from 1; firing ends it
        CONSTRAINT DF_Rounds_Generation DEFAULT (1),
    SuccessorJob nvarchar(128) NULL,                        -- SQL Server Agent job to start, or
    SuccessorSql nvarchar(max) NULL,                        -- batch to enqueue as a task
    SuccessorOrder int NULL,                                -- that task's wave
    SuccessorProcessId int NULL,                            -- that task's process
    MaxAgeSeconds int NOT NULL                              -- a report older than this, in seconds, does not count
        CONSTRAINT CK_Rounds_MaxAgeSeconds CHECK (MaxAgeSeconds BETWEEN 1 AND 31536000),
    StartSeconds int NOT NULL                               -- seconds in which the job must be seen to run
        CONSTRAINT CK_Rounds_StartSeconds CHECK (StartSeconds BETWEEN 1 AND 3600),
    DefinedAt datetime2(3) NOT NULL                         -- when it was last defined
        CONSTRAINT DF_Rounds_DefinedAt DEFAULT (SYSUTCDATETIME()),
    DefinedById int NOT NULL,                               -- database principal that defined it, may report, and as whom the task runs
    DefinedBySid varbinary(85) NOT NULL,                    -- that principal's SID
    DefinedByName nvarchar(128) NOT NULL,                   -- that principal's name
    DefinedByLogin nvarchar(128) NULL,                      -- the login behind it, for audits
    CONSTRAINT CK_Rounds_Successor CHECK ((SuccessorJob IS NULL AND SuccessorSql IS NOT NULL) OR (SuccessorJob IS NOT NULL AND SuccessorSql IS NULL))
);

-- RoundMembers: who has to report, and what it reported for the current generation.
CREATE TABLE {{.Schema}}.RoundMembers
(
    RoundId int NOT NULL,                                   -- the round
    Member nvarchar(128) NOT NULL,                          -- name of the member, of a job usually
    ReportedAt datetime2(3) NULL,                           -- when it last reported for this generation, NULL = not yet
    Succeeded bit NULL,                                     -- what it reported, NULL = nothing
    CONSTRAINT PK_RoundMembers PRIMARY KEY CLUSTERED (RoundId, Member)
);

-- Reports that wait for others: what the sweep looks through.
CREATE NONCLUSTERED INDEX IX_RoundMembers_Reported
    ON {{.Schema}}.RoundMembers (RoundId, ReportedAt)
    WHERE ReportedAt IS NOT NULL;

-- RoundFirings: one row per generation that came to its end; the constraint makes twice impossible.
CREATE TABLE {{.Schema}}.RoundFirings
(
    FiringId bigint IDENTITY(1, 1) NOT NULL                 -- number of the firing
        CONSTRAINT PK_RoundFirings PRIMARY KEY CLUSTERED,
    RoundId int NOT NULL,                                   -- the round
    Generation bigint NOT NULL,                             -- the generation that it ended
    Status varchar(10) COLLATE Latin1_General_BIN2 NOT NULL -- Starting, Started, Failed (it did not start) or Unknown (ordered and not seen to run)
        CONSTRAINT DF_RoundFirings_Status DEFAULT ('Starting')
        CONSTRAINT CK_RoundFirings_Status CHECK (Status IN ('Starting', 'Started', 'Failed', 'Unknown')),
    FiredAt datetime2(3) NOT NULL                           -- when the last member reported
        CONSTRAINT DF_RoundFirings_FiredAt DEFAULT (SYSUTCDATETIME()),
    FiredBy nvarchar(128) NOT NULL,                         -- that member
    EndedAt datetime2(3) NULL,                              -- when its status became what it is, NULL while Starting
    TaskId bigint NULL,                                     -- the task that was enqueued
    Detail nvarchar(2000) NULL,                             -- why it did not start
    CONSTRAINT UQ_RoundFirings_Generation UNIQUE (RoundId, Generation)
);

-- Firings that nobody has brought to their end yet.
CREATE NONCLUSTERED INDEX IX_RoundFirings_Starting
    ON {{.Schema}}.RoundFirings (FiringId)
    INCLUDE (Status)
    WHERE Status = 'Starting';

ALTER TABLE {{.Schema}}.Rounds SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.RoundMembers SET (LOCK_ESCALATION = DISABLE);
ALTER TABLE {{.Schema}}.RoundFirings SET (LOCK_ESCALATION = DISABLE);

COMMIT TRANSACTION;
