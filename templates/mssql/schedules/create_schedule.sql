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
CREATE OR ALTER PROCEDURE {{.Schema}}.CreateSchedule
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
    EXEC {{.Schema}}.AlterSchedule @Name, @Calendar, @SQL, @Tasks, @Zone, @Overlap, @Missed, @OnError, @Weight, @MaxParallel, 1, @Enabled,
        @BeginAt, @EndAt;
    RETURN 0;
END;
