-- dbsched tables, version 4: resources, and the lines of those who want them.
-- One batch, one transaction; everything that works with version 1 works with it.
SET ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL, QUOTED_IDENTIFIER ON;
SET NUMERIC_ROUNDABORT OFF;
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;

BEGIN TRANSACTION;

-- Resources: named semaphores. Who changes the line of one holds the lock on its row here.
CREATE TABLE {{.Schema}}.Resources
(
    ResourceId int IDENTITY(1, 1) NOT NULL                  -- number of the resource; those that lock several take lower numbers first
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

-- ResourceRequests: the lines. A row is there from asking to releasing, and holders stand before those who wait.
CREATE TABLE {{.Schema}}.ResourceRequests
(
    ResourceId int NOT NULL,                                -- the resource
    RequestId bigint IDENTITY(1, 1) NOT NULL                -- place in the line: given under the resource row's lock, which is held until the commit
        CONSTRAINT UQ_ResourceRequests_RequestId UNIQUE,
    Status varchar(8) COLLATE Latin1_General_BIN2 NOT NULL  -- Waiting; Reserved: granted, and whom it was granted to does not know yet; Granted
        CONSTRAINT CK_ResourceRequests_Status CHECK (Status IN ('Waiting', 'Reserved', 'Granted')),
    Access varchar(9) COLLATE Latin1_General_BIN2 NOT NULL  -- Shared takes one unit, Exclusive all
        CONSTRAINT CK_ResourceRequests_Access CHECK (Access IN ('Shared', 'Exclusive')),
    Requester nvarchar(128) NOT NULL,                       -- what the requester calls itself
    ProcessId int NULL,                                     -- process of the task, NULL outside tasks
    TaskId bigint NULL,                                     -- task that names the resource, or that called AcquireResource
    SessionId int NULL,                                     -- session that called AcquireResource, NULL for a task that names the resource
    LeaseSeconds int NULL                                   -- seconds that it may be held; NULL: for as long as the session or the task lives
        CONSTRAINT CK_ResourceRequests_LeaseSeconds CHECK (LeaseSeconds >= 1),
    LeaseUntil datetime2(3) NULL,                           -- when the lease runs out, NULL until it is granted
    GiveUpAt datetime2(3) NULL,                             -- when a session that still waits must be taken for gone
    RequestedAt datetime2(3) NOT NULL                       -- when it was asked for
        CONSTRAINT DF_ResourceRequests_RequestedAt DEFAULT (SYSUTCDATETIME()),
    GrantedAt datetime2(3) NULL,                            -- when it was granted
    RequestedById int NULL,                                 -- database principal that asked, NULL: it has no user of its own
    RequestedByName nvarchar(128) NOT NULL,                 -- its name
    RequestedByLogin nvarchar(128) NULL,                    -- the login behind it, for audits
    CONSTRAINT PK_ResourceRequests PRIMARY KEY CLUSTERED (ResourceId, RequestId)
);

-- The first that waits, and those that hold.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Line
    ON {{.Schema}}.ResourceRequests (ResourceId, Status, RequestId)
    INCLUDE (Access);

-- Requests of tasks.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Task
    ON {{.Schema}}.ResourceRequests (ProcessId, TaskId)
    INCLUDE (ResourceId, RequestId, SessionId)
    WHERE TaskId IS NOT NULL;

-- Requests of sessions, which may have died.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Session
    ON {{.Schema}}.ResourceRequests (RequestId)
    INCLUDE (SessionId)
    WHERE SessionId IS NOT NULL;

-- Tasks that were granted what they waited for, and are still to be made Pending.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Reserved
    ON {{.Schema}}.ResourceRequests (RequestId)
    INCLUDE (Status, SessionId, ProcessId, TaskId)
    WHERE Status = 'Reserved';

-- Leases, the next to run out first.
CREATE NONCLUSTERED INDEX IX_ResourceRequests_Lease
    ON {{.Schema}}.ResourceRequests (LeaseUntil)
    WHERE LeaseUntil IS NOT NULL;

ALTER TABLE {{.Schema}}.ResourceRequests SET (LOCK_ESCALATION = DISABLE);

ALTER TABLE {{.Schema}}.Tasks ADD
    ResourceId int NULL,                                    -- resource that an attempt needs, NULL = none
    Access varchar(9) COLLATE Latin1_General_BIN2 NULL      -- how it uses the resource
        CONSTRAINT CK_Tasks_Access CHECK (Access IN ('Shared', 'Exclusive'));

COMMIT TRANSACTION;
