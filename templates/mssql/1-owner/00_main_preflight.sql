-- dbsched: a task scheduler inside the database. How it works:
--
--   Tables       Tasks, Processes, Logs, Lanes, Settings ... are the only truth. Finished and running, waiting and
--                pending are columns; nothing lives in messages or in memory.
--   Enqueue      ExecAsync adds a row to Tasks in the caller's transaction and sends one wake-up message per
--                transaction to the queue Dispatch. Row and message become visible together, or not at all.
--   Dispatch     Service Broker activates Dispatch_Activated, which empties the queue, reads what is committed, gives
--                idle lanes to runnable tasks (Lanes: Idle -> Assigned) and sends each such lane a message. It never
--                runs tasks. A conversation timer on the same queue makes it the sweep, too: due retries, dead
--                workers, retention.
--   Lanes        One queue, one service and one activation procedure for each worker slot, one reader each: Service
--                Broker starts further readers of one queue only every five seconds, first readers at once.
--   Work         A worker takes its lane's application lock (held = alive), then repeats: ClaimTask (choose a process
--                by policy, take its row's lock, take its first pending task of the lowest unfinished order, write
--                the log row, commit), RunTask (as the user who enqueued it, no transaction of ours open),
--                CompleteTask (fenced by task, attempt and worker). With nothing to claim it says Idle, looks once
--                more, waits on its queue for a while, and ends.
--   Lock order   Settings, Processes, Tasks, Logs, Resources, Lanes, conversations. Every change of an existing task
--                holds its process row; enqueuers never do. Every change of a resource's line holds the resource's row.
--   Errors       dbsched's own errors begin with "dbsched 51nnn: ". Procedures that join the caller's transaction use
--                RAISERROR (number 50000, state nnn), because THROW could end the caller's batch; the others THROW 51nnn.
--   Rights       Everything belongs to the user "<schema>_owner", which nobody can log in as. Users call procedures
--                through the roles "<schema>_user", "<schema>_reader" and "<schema>_admin".
--
-- This first batch changes nothing; it refuses servers and databases on which the rest could not work.
SET NOCOUNT ON;

IF CONVERT(int, SERVERPROPERTY('EngineEdition')) NOT IN (2, 3, 4, 8)
    THROW 51080, N'dbsched 51080: this edition has no Service Broker (Azure SQL Database has none); use SQL Server 2016 SP1 or later, or Managed Instance.', 1;

IF (SELECT d.compatibility_level FROM sys.databases AS d WHERE d.database_id = DB_ID()) < 130
    THROW 51081, N'dbsched 51081: the database has a compatibility level below 130; raise it with ALTER DATABASE CURRENT SET COMPATIBILITY_LEVEL = 130.', 1;

IF DB_ID() <= 4
    THROW 51082, N'dbsched 51082: this is a system database; install dbsched into a database of its own or of the application.', 1;

IF CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) <> N'READ_WRITE'
    THROW 51016, N'dbsched 51016: the database is read-only here.', 1;

IF EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_auto_close_on = 1)
    THROW 51088, N'dbsched 51088: the database closes when nobody uses it, and then no timer starts a task; turn that off with ALTER DATABASE CURRENT SET AUTO_CLOSE OFF.', 1;

IF IS_ROLEMEMBER(N'db_owner') = 0
    THROW 51083, N'dbsched 51083: installing needs membership of db_owner in this database.', 1;
