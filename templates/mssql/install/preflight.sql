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
